/* One round of backward induction over the duel: a linear programme a row, or the kept table. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define MOST_SLOTS 16128 /* of a row of 7 spaces */
#define BASICS 38
#define PER 14 /* plans with one special */
#define MOST 96 /* entries of a row */
#define ROWS 168
#define COLS 200
#define HIS 24 /* replies of his mixture that are kept */
#define SPENT 16 /* the layer with both specials spent */

typedef struct { int mine, his, memory; } Layer;
typedef struct { int plan, mask, special, column; } Way;
typedef struct { int plan, type, shows; } Reply;

static int SLOTS; /* positions of the row that is solved */
static double tab[ROWS + 1][COLS + 8];
static double pay[ROWS][COLS];

static int layer_of(const Layer *layers, int mine, int his, int memory) {
    if (mine >= 0 && his >= 0) return SPENT;
    if (mine >= 0) return 4 + mine;
    for (int n = 0; n < 17; n++)
        if (layers[n].mine == -1 && layers[n].his == his && layers[n].memory == memory) return n;
    return -1;
}

/* maximise the weighted sum of the last `types` columns; right sides must be >= 0 */
static int simplex(int m, int n, int *basis, int *out) {
    for (int i = 0; i < m; i++) basis[i] = n + i;
    for (int j = 0; j < n; j++) out[j] = j;
    for (int turn = 0; turn < 4000; turn++) {
        int c = -1, r = -1;
        double low = -1e-9, best = 1e300;
        for (int j = 0; j < n; j++) if (tab[m][j] < low) { low = tab[m][j]; c = j; }
        if (c < 0) return turn;
        for (int i = 0; i < m; i++)
            if (tab[i][c] > 1e-9 && tab[i][n] / tab[i][c] < best) {
                best = tab[i][n] / tab[i][c];
                r = i;
            }
        if (r < 0) return -1;
        double p = 1 / tab[r][c];
        for (int j = 0; j <= n; j++) tab[r][j] *= p;
        tab[r][c] = p;
        for (int i = 0; i <= m; i++) {
            double f = tab[i][c];
            if (i == r || f == 0) continue;
            for (int j = 0; j <= n; j++) tab[i][j] -= f * tab[r][j];
            tab[i][c] = -f * p;
        }
        int swap = basis[r];
        basis[r] = out[c];
        out[c] = swap;
    }
    return -2;
}

/* integers that add up to `total`, in the proportions of x */
static void apportion(const double *x, const int *which, int count, int total, int *units) {
    double sum = 0, left[COLS];
    int given = 0;
    for (int k = 0; k < count; k++) sum += x[which[k]];
    for (int k = 0; k < count; k++) {
        double share = sum > 0 ? x[which[k]] / sum * total : 0;
        units[which[k]] = (int)floor(share + 1e-9);
        left[k] = share - units[which[k]];
        given += units[which[k]];
    }
    while (given < total) {
        int best = 0;
        for (int k = 1; k < count; k++) if (left[k] > left[best]) best = k;
        units[which[best]]++;
        left[best] -= 1;
        given++;
    }
}

static void round_row(const double *x, const Way *ways, int n, int memory, int whole, int *units) {
    int which[COLS], count = 0, shared = 0;
    double mass = 0;
    int many = __builtin_popcount(memory) > 1;
    for (int j = 0; j < n; j++)
        if (!memory || (many && ways[j].mask == memory)) { which[count++] = j; mass += x[j]; }
    shared = memory ? (int)floor(mass * whole + 0.5) : whole;
    if (shared > whole) shared = whole;
    if (count && shared) apportion(x, which, count, shared, units);
    else { shared = 0; for (int k = 0; k < count; k++) units[which[k]] = 0; }
    if (!memory) return;
    for (int a = 0; a < 3; a++) {
        if (!(memory >> a & 1)) continue;
        count = 0;
        for (int j = 0; j < n; j++)
            if (ways[j].special == a || (ways[j].mask == 1 << a && !(many && ways[j].mask == memory)))
                which[count++] = j;
        apportion(x, which, count, whole - shared, units);
    }
}

static struct {
    const int16_t *after; /* the place after a round: [240][80][80]; -1 won, -2 lost */
    const uint8_t *open, *rest; /* plans that a resting card leaves [6][80]; what a plan rests [80] */
    const Layer *layers;
    const double *old; /* values with one round less: [17][3][SLOTS] */
} in;

static int all_ways(Layer now, int own, const int *masks, int kinds, Way *ways) {
    int n = 0;
    const uint8_t *open = in.open + own * 80;
    for (int k = 0; k < kinds; k++)
        for (int p = 0; p < BASICS; p++)
            if (open[p]) ways[n++] = (Way){p, masks[k], -1, k * BASICS + p};
    for (int a = 0; a < 3; a++)
        for (int p = 0; p < PER; p++)
            if (now.memory >> a & 1 && open[BASICS + a * PER + p])
                ways[n++] = (Way){BASICS + a * PER + p, 1 << a, a, 4 * BASICS + a * PER + p};
    return n;
}

static int kept_ways(const uint8_t *columns, int n, const int *masks, Way *ways) {
    for (int e = 0; e < n; e++) {
        int c = columns[e], a = (c - 4 * BASICS) / PER;
        ways[e] = c < 4 * BASICS ? (Way){c % BASICS, masks[c / BASICS], -1, c}
                                 : (Way){c - 3 * BASICS, 1 << a, a, c};
    }
    return n;
}

static int all_replies(int other, const int *types, int kept, Reply *replies) {
    int m = 0;
    for (int t = 0; t < kept; t++)
        for (int q = 0; q < 80; q++) {
            int shows = q >= BASICS;
            if (in.open[other * 80 + q] && (!shows || (q - BASICS) / PER == types[t]))
                replies[m++] = (Reply){q, t, shows};
        }
    return m;
}

/* how many of my specials go this way while he holds b */
static int size_of(Layer now, Way way, int b) {
    int mask = b >= 0 ? way.mask & ~(1 << b) : way.mask;
    return now.memory ? __builtin_popcount(mask) : 1;
}

static void fill(Layer now, int core, const Way *ways, int n, const Reply *replies, int m,
                 const int *types) {
    for (int j = 0; j < n; j++) {
        Way way = ways[j];
        int spent = way.special >= 0 ? way.special : now.mine, known = -1, size = 0;
        const double *quiet = 0, *loud = 0;
        for (int i = 0; i < m; i++) {
            if (replies[i].type != known) {
                int b = types[known = replies[i].type];
                size = size_of(now, way, b);
                if (size) {
                    int held = layer_of(in.layers, spent, now.his, way.mask);
                    quiet = in.old + ((long)held * 3 + (b >= 0 ? b : 0)) * SLOTS;
                    if (b >= 0)
                        loud = in.old + (long)layer_of(in.layers, spent, b, way.mask & ~(1 << b)) * 3 * SLOTS;
                }
            }
            int c = in.after[(core * 80 + way.plan) * 80 + replies[i].plan];
            if (!size || c < 0) pay[i][j] = c == -1 ? size : -size;
            else
                pay[i][j] = (replies[i].shows ? loud : quiet)
                    [(c * 6 + in.rest[way.plan]) * 6 + in.rest[replies[i].plan]];
        }
    }
}

/* the least that the mixture x is worth against each type */
static void worst(const double *x, int n, const Reply *replies, int m, double *least) {
    least[0] = least[1] = least[2] = 1e30;
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += x[j] * pay[i][j];
        if (sum < least[replies[i].type]) least[replies[i].type] = sum;
    }
}

/* the most that any mixture is worth against his mixture r over some replies */
static double most(Layer now, const Way *ways, int n, const float *r, int m) {
    double own[3] = {-1e30, -1e30, -1e30}, all = -1e30, sum = 0;
    int many = __builtin_popcount(now.memory) > 1;
    for (int j = 0; j < n; j++) {
        double worth = 0;
        for (int i = 0; i < m; i++) worth += r[i] * pay[i][j];
        if (!now.memory || (many && ways[j].mask == now.memory)) all = fmax(all, worth);
        else for (int a = 0; a < 3; a++) if (ways[j].mask == 1 << a) own[a] = fmax(own[a], worth);
    }
    if (!now.memory) return all;
    for (int a = 0; a < 3; a++) if (now.memory >> a & 1) sum += own[a];
    return fmax(sum, all);
}

/* Solve one row: fills x, and his mixture against it as replies and chances. Of his replies only
   those are in the programme that have hurt so far; `dual_of` holds the ones to begin with. */
static int programme(Layer now, const Way *ways, int n, const Reply *replies, int m,
                     const int *types, int kept, const float *weight, double *x, double *least,
                     uint8_t *duals, uint8_t *dual_of, float *dual) {
    int need[3], needs = 0, basis[ROWS], out[COLS + ROWS], found = 0, active[ROWS], in_it[ROWS] = {0};
    int count = 0, turns = 0, M, N = n + kept;
    for (int a = 0; a < 3; a++) if (now.memory >> a & 1) need[needs++] = a;
    if (!needs) need[needs++] = -1;
    for (int i = 0; i < *duals; i++) in_it[active[count++] = dual_of[i]] = 1;
    for (int t = 0; t < kept; t++) {
        int some = 0;
        for (int k = 0; k < count; k++) some += replies[active[k]].type == t;
        for (int i = 0; i < m && !some; i++)
            if (replies[i].type == t) { in_it[active[count++] = i] = 1; some = 1; }
    }
    for (;;) {
        M = count + needs;
        for (int k = 0; k < count; k++) {
            int i = active[k], b = types[replies[i].type];
            for (int j = 0; j < n; j++) tab[k][j] = -(pay[i][j] + 1.01 * size_of(now, ways[j], b));
            for (int t = 0; t < kept; t++) tab[k][n + t] = t == replies[i].type;
            tab[k][N] = 1e-8 * (1 + (i * 7919 % 101) / 101.0); /* no ties */
        }
        for (int k = 0; k < needs; k++) {
            for (int j = 0; j < n; j++)
                tab[count + k][j] = need[k] < 0 || (ways[j].mask >> need[k] & 1);
            for (int t = 0; t < kept; t++) tab[count + k][n + t] = 0;
            tab[count + k][N] = 1;
        }
        for (int j = 0; j <= N; j++) tab[M][j] = 0;
        for (int t = 0; t < kept; t++) tab[M][n + t] = -weight[types[t] < 0 ? 0 : types[t]];
        turns = simplex(M, N, basis, out);
        if (turns < 0) return 0;
        for (int j = 0; j < n; j++) x[j] = 0;
        for (int i = 0; i < M; i++) if (basis[i] < n && tab[i][N] > 1e-7) x[basis[i]] = tab[i][N];
        int worse[3], added = 0;
        double inside[3] = {1e30, 1e30, 1e30};
        least[0] = least[1] = least[2] = 1e30;
        for (int i = 0; i < m; i++) {
            double sum = 0;
            int t = replies[i].type;
            for (int j = 0; j < n; j++) if (x[j]) sum += x[j] * pay[i][j];
            if (in_it[i]) inside[t] = fmin(inside[t], sum);
            if (sum < least[t]) { least[t] = sum; worse[t] = i; }
        }
        for (int t = 0; t < kept; t++)
            if (least[t] < inside[t] - 1e-6) { in_it[active[count++] = worse[t]] = 1; added++; }
        if (!added) break;
    }
    for (int j = 0; j < N; j++)
        if (out[j] >= N && out[j] < N + count && tab[M][j] > 1e-9) {
            int i = active[out[j] - N];
            double all = weight[types[replies[i].type] < 0 ? 0 : types[replies[i].type]];
            if (found < HIS) { dual_of[found] = i; dual[found] = tab[M][j] / all; }
            found++;
        }
    *duals = found <= HIS ? found : 0;
    return 1;
}

/* What a row of a layer may go by: next memories, and the specials that he may hold (-1: spent). */
static int memories(Layer now, int *masks) {
    int kinds = 1;
    masks[0] = now.memory;
    if (__builtin_popcount(now.memory) > 1)
        for (int a = 0; a < 3; a++) if (now.memory >> a & 1) masks[kinds++] = 1 << a;
    return kinds;
}

static int his_types(Layer now, int *types) {
    int kept = 0;
    if (now.his >= 0) types[kept++] = -1;
    else
        for (int b = 0; b < 3; b++)
            if (now.mine != b && now.memory != 1 << b) types[kept++] = b;
    return kept;
}

/* One round back. rows: which are reached; weight: of his types in each row, [17][SLOTS][3].
   solve: 1 rows with a special in hand, 2 those with both spent, which have so many units. A row is solved anew where its old mixture loses more than `slack` to the best one.
   Returns how many were solved, or minus how many programmes failed. */
int pass(int slots, int solve, int spent, double slack, const int16_t *after, const uint8_t *open,
         const uint8_t *rest, const Layer *layers, const uint8_t *rows, const float *weight,
         const double *old, double *new, uint8_t *counts, uint8_t *columns, uint16_t *mass,
         uint8_t *duals, uint8_t *dual_of, float *dual) {
    int failed = 0, solved = 0;
    SLOTS = slots;
    in.after = after, in.open = open, in.rest = rest, in.layers = layers, in.old = old;
    for (long at = 0; at < 17L * SLOTS; at++) {
        if (!rows[at]) continue;
        int L = at / SLOTS, s = at % SLOTS, core = s / 36, types[3], masks[4];
        double whole = L == SPENT ? spent : 255;
        Layer now = layers[L];
        Way ways[COLS], way[MOST];
        Reply replies[ROWS], his[HIS];
        double x[COLS], least[3];
        float chance[HIS];
        int kinds = memories(now, masks), kept = his_types(now, types);
        int m = all_replies(s % 6, types, kept, replies), known = counts[at];
        if (known) {
            kept_ways(columns + at * MOST, known, masks, way);
            for (int e = 0; e < known; e++) x[e] = mass[at * MOST + e] / whole;
            fill(now, core, way, known, replies, m, types);
            worst(x, known, replies, m, least);
        }
        if (solve >> (L == SPENT) & 1) {
            int n = all_ways(now, s / 6 % 6, masks, kinds, ways), good = 0;
            if (known && duals[at]) {
                double value = 0;
                for (int t = 0; t < kept; t++) value += weight[at * 3 + (types[t] < 0 ? 0 : types[t])] * least[t];
                for (int i = 0; i < duals[at]; i++) {
                    his[i] = replies[dual_of[at * HIS + i]];
                    int b = types[his[i].type];
                    chance[i] = dual[at * HIS + i] * weight[at * 3 + (b < 0 ? 0 : b)];
                }
                fill(now, core, ways, n, his, duals[at], types);
                good = most(now, ways, n, chance, duals[at]) - value <= (L == SPENT ? 1e-5 : slack);
            }
            if (!good) {
                int units[COLS] = {0}, e = 0;
                fill(now, core, ways, n, replies, m, types);
                failed += !programme(now, ways, n, replies, m, types, kept, weight + at * 3, x, least,
                                     duals + at, dual_of + at * HIS, dual + at * HIS);
                round_row(x, ways, n, now.memory, whole, units);
                for (int j = 0; j < n; j++) {
                    x[j] = units[j] / whole;
                    if (!units[j]) continue;
                    if (e == MOST) failed++;
                    else { columns[at * MOST + e] = ways[j].column; mass[at * MOST + e++] = units[j]; }
                }
                counts[at] = e;
                worst(x, n, replies, m, least);
                solved++;
            }
        }
        for (int t = 0; t < kept; t++)
            new[((long)L * 3 + (types[t] < 0 ? 0 : types[t])) * SLOTS + s] = least[t];
    }
    return failed ? -failed : solved;
}

/* How much of each row depends on what he holds: the table's masses times the chances of his
   mixtures along every way that leads there while his special is hidden. [17][SLOTS][3] */
void flow(int slots, int rounds, const int16_t *after, const uint8_t *open, const uint8_t *rest,
          const Layer *layers, const uint8_t *rows, const uint8_t *counts, const uint8_t *columns,
          const uint16_t *mass, const uint8_t *duals, const uint8_t *dual_of, const float *dual,
          double *here, double *there, double *total) {
    SLOTS = slots;
    in.after = after, in.open = open, in.rest = rest, in.layers = layers;
    for (int round = 0; round < rounds; round++) {
        memset(there, 0, 17L * SLOTS * 3 * sizeof(double));
        for (long at = 0; at < 7L * SLOTS; at++) { /* in the others he has spent it */
            double *from = here + at * 3;
            if (!rows[at] || from[0] + from[1] + from[2] < 1e-9 || !duals[at]) continue;
            int L = at / SLOTS, s = at % SLOTS, types[3], masks[4];
            Layer now = layers[L];
            Way way[MOST];
            Reply replies[ROWS];
            int kept = his_types(now, types);
            memories(now, masks);
            all_replies(s % 6, types, kept, replies);
            kept_ways(columns + at * MOST, counts[at], masks, way);
            for (int i = 0; i < duals[at]; i++) {
                Reply his = replies[dual_of[at * HIS + i]];
                int b = types[his.type];
                if (his.shows) continue;
                for (int e = 0; e < counts[at]; e++) {
                    int c = after[(s / 36 * 80 + way[e].plan) * 80 + his.plan];
                    if (c < 0 || !size_of(now, way[e], b)) continue;
                    int spent = way[e].special >= 0 ? way[e].special : now.mine;
                    long next = (long)layer_of(layers, spent, -1, way[e].mask) * SLOTS
                        + (c * 6 + rest[way[e].plan]) * 6 + rest[his.plan];
                    there[next * 3 + b] += from[b] * dual[at * HIS + i] * mass[at * MOST + e] / 255.0;
                }
            }
        }
        for (long k = 0; k < 7L * SLOTS * 3; k++) total[k] += here[k] = there[k];
    }
}

/* Mark the rows that some play leads to: positions for the pairs of spent specials (0: held). */
void reach(int slots, const int16_t *after, const uint8_t *open, const uint8_t *rest,
           const uint8_t *start, uint8_t *seen) {
    static int todo[16 * MOST_SLOTS];
    int count = 0;
    SLOTS = slots;
    for (int s = 0; s < SLOTS; s++) if (start[s]) { todo[count++] = s; seen[s] = 1; }
    while (count) {
        int at = todo[--count], mine = at / SLOTS / 4, his = at / SLOTS % 4, s = at % SLOTS;
        for (int p = 0; p < 80; p++) {
            int one = p < BASICS ? 0 : 1 + (p - BASICS) / PER;
            if (!open[s / 6 % 6 * 80 + p] || (one && (mine || one == his))) continue;
            for (int q = 0; q < 80; q++) {
                int two = q < BASICS ? 0 : 1 + (q - BASICS) / PER;
                if (!open[s % 6 * 80 + q] || (two && (his || two == mine || two == one))) continue;
                int c = after[(s / 36 * 80 + p) * 80 + q], a = mine + one, b = his + two;
                if (c < 0) continue;
                if (a && b) a = b = 1; /* both spent: which ones no longer matters */
                int next = (a * 4 + b) * SLOTS + (c * 6 + rest[p]) * 6 + rest[q];
                if (!seen[next]) { seen[next] = 1; todo[count++] = next; }
            }
        }
    }
}
