// Games of the past: found, replayed step by step, drawn as a chart, taken along as a file.

import { command, el, get, hello, plate, post, speak, svg, t } from "./core.js";
import { beats, ending as picture, move, parts } from "./parts.js";
import { eveningPage, turningPoints } from "./review.js";

const me = await hello();
document.body.dataset.live = "yes";
const search = el("input", { type: "search", id: "search", placeholder: t("Name, game, result"), oninput: () => list() });
const acts = me.virtual || me.panel !== null;
const refused = el("p", { class: "notice", role: "alert", hidden: true });
const games = el("ul", { class: "games" });
const people = el("details", { class: "fair", ontoggle: standings }, el("summary", {}, t("Players of this table")));
const fair = el("details", { class: "fair", ontoggle: weighed }, el("summary", {}, t("Are these dice fair?")));
const shown = el("section", { class: "paper", "aria-label": t("Replay"), tabindex: "-1" }, el("p", {}, t("Choose a game to see it again, move by move.")));
const bring = el("input", { type: "file", id: "bring", accept: ".jsonl", onchange: take });
document.querySelector("#main").replaceChildren(
  el("div", { class: "history" },
    el("section", { class: "paper search", "aria-label": t("Games") }, el("h1", {}, t("Games")), people, fair, el("p", {}, el("label", { for: "search" }, t("Search"))), search, refused, games,
      acts ? el("div", { class: "file" }, el("label", { for: "bring" }, t("Bring a game (.jsonl)")), bring) : null),
    shown),
);
const { ok: answers, told: now } = await get("/api/snapshot?as=public");
if (answers && now.all.seed.code) games.before(seedCode(now.all.seed.code, now.all.seed.since));
let most = 150; // games that are listed at once
let chosen = Number(new URLSearchParams(location.search).get("game")) || null;
await list();
if (chosen) open(chosen, null);

async function list() {
  const { ok, told: found, said } = await get(`/api/games?search=${encodeURIComponent(search.value)}`);
  if (!ok) return games.replaceChildren(el("li", { class: "notice", role: "alert" }, said));
  const older = el("li", {}, el("button", { type: "button", class: "quiet", onclick: () => { most *= 4; list(); } }, t("Older games")));
  games.replaceChildren(...found.slice(0, most).flatMap((game, at) => [
    found[at - 1]?.evening[0] === game.evening[0] ? null : evening(game, found),
    el("li", {}, el("button", { type: "button", "aria-current": game.number === chosen ? "true" : null, onclick: () => open(game.number, null) },
      el("strong", {}, game.name), el("span", {}, game.seats.join(" · ")),
      el("small", {}, `${new Date(game.began * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" })} · ${ending(game)}`)),
    game.rests && acts ? el("button", { type: "button", class: "go-on", onclick: () => goOn(game) }, t("Go on with {game}", { game: game.name })) : null)].filter(Boolean)), ...(found.length > most ? [older] : []));
  if (!found.length) games.replaceChildren(el("li", {}, t("No game was played yet.")));
}

/** Where an evening begins: its date, how many games, how long; all of it on one page. */
function evening({ evening: [began, seconds] }, found) {
  const own = found.filter((one) => one.evening[0] === began), n = own.length;
  const minutes = Math.round(seconds / 60);
  const long = minutes < 100 ? t("{n} minutes", { n: minutes }) : t("{n} hours", { n: (minutes / 60).toFixed(1) });
  const day = new Date(began * 1000).toLocaleDateString(document.documentElement.lang, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const all = `${n === 1 ? t("1 game") : t("{n} games", { n })} · ${long}`;
  return el("li", { class: "evening" }, el("h2", {}, day), el("small", {}, all), el("button", { type: "button", class: "quiet", onclick: () => whole(day, all, own) }, t("On one page")));
}

function whole(day, all, own) {
  shown.replaceChildren(eveningPage(me, day, all, own.toReversed()));
  if (shown.getBoundingClientRect().top > innerHeight / 4) shown.scrollIntoView();
}

/** Everybody with a name, once somebody asks. */
async function standings() {
  if (!people.open) return;
  const { ok, told, said } = await get("/api/players");
  const rows = (told ?? []).map((one) => el("tr", {}, el("th", { scope: "row" }, one.name), el("td", {}, String(one.games)),
    el("td", {}, Object.entries(one.wins).map(([game, n]) => `${game} ${n}`).join(", ") || "–"), el("td", {}, one.rated ? String(one.rating) : "–")));
  const head = el("tr", {}, [t("Name"), t("Games"), t("Wins"), t("Rating")].map((word) => el("th", { scope: "col" }, word)));
  const shows = !ok ? el("p", { class: "notice", role: "alert" }, said) : rows.length ? el("table", {}, el("thead", {}, head), el("tbody", {}, rows)) : el("p", {}, t("Nobody has given a name yet."));
  people.replaceChildren(people.firstElementChild, shows);
}

/** The table takes it up again; what it says if it cannot stands above the list. */
async function goOn(game) {
  const answer = await command(`/api/panels/${me.panel ?? 0}/go-on`, { number: game.number });
  if (answer.ok && !answer.told.notice) return void (location.href = "/");
  refused.textContent = answer.ok ? answer.told.notice : answer.said;
  refused.hidden = false;
}

function ending(game) {
  if (game.result) return game.lesson ? `${t("lesson")}: ${game.result.why}` : game.result.why;
  if (game.rests) return t("set aside");
  return game.ended ? t("given up") : t("running");
}

async function open(number, seat) {
  chosen = number;
  const { ok, told: game, said } = await get(`/api/games/${number}${seat === null ? "" : `?seat=${seat}`}`);
  if (!ok) return shown.replaceChildren(el("p", { class: "notice", role: "alert" }, said));
  replay(game);
  await list();
  if (shown.getBoundingClientRect().top > innerHeight / 4) shown.scrollIntoView(); // a phone has it below the list
}

function replay(game) {
  const last = game.steps.length - 1;
  const told = el("h3", {});
  const led = el("div", { class: "story" });
  const board = el("div", { class: "parts" });
  const range = el("input", { type: "range", min: 0, max: last, value: last, "aria-label": t("Step"), oninput: () => go(Number(range.value)) });
  const eyes = el("select", { "aria-label": t("Through whose eyes"), onchange: () => open(game.number, eyes.value === "" ? null : Number(eyes.value)) },
    el("option", { value: "" }, t("Public")),
    game.ended ? game.seats.map((name, seat) => el("option", { value: seat, selected: game.seat === seat }, name)) : null);
  const back = el("button", { type: "button", class: "quiet", onclick: () => go(at - 1) }, t("Step back"));
  const on = el("button", { type: "button", class: "quiet", onclick: () => go(at + 1) }, t("Step on"));
  const drawn = chart(game);
  const result = game.steps.at(-1).result ?? game.result;
  const panels = me.panels.map((colour, number) => ({ colour, seat: game.panels.indexOf(number) }));
  const found = el("div", { class: "checks" });
  const check = game.ended ? el("button", { type: "button", class: "quiet", onclick: () => verify(game, found) }, t("Check the box")) : null;
  let at = 0;
  shown.replaceChildren(
    el("h2", {}, `${game.name}: ${game.seats.join(" · ")}`), result ? picture({ result, names: game.seats, panels, seat: null }) : el("p", {}, ending(game)),
    el("div", { class: "steps" }, back, range, on, eyes), told, led, drawn.node ?? "", board,
    game.ended ? turningPoints(me, game, go) : "",
    el("p", {}, el("a", { href: `/api/games/${game.number}/export`, download: "" }, t("Export (JSON lines)"))), seedCode(game.seed_code, game.began), game.seed ? el("p", { class: "code" }, t("Seed {seed}", { seed: game.seed })) : "", check ?? "", found);
  go(last, true);

  function go(step, quiet = false) {
    at = Math.max(0, Math.min(last, step));
    range.value = at;
    back.disabled = at === 0;
    on.disabled = at === last;
    const one = game.steps[at];
    told.replaceChildren(`${at}. `, move({ ...one, game: game.game }, "span"));
    board.replaceChildren(el("p", { class: "label" }, [...new Set([one.title, one.waiting])].join(" · ")), ...parts(one.parts));
    led.replaceChildren(beats(one.beats.map((beat) => ({ ...beat, game: game.game }))));
    drawn.mark?.(at);
    if (!quiet) speak(one.told, ...one.beats.map((beat) => beat.says));
  }
}

/** The code whole: whoever wants proof keeps it before the game ends. */
function seedCode(code, since) {
  return code ? el("p", { class: "code" }, t("Seed code {code}", { code }), el("small", {}, ` · ${new Date(since * 1000).toLocaleString(document.documentElement.lang)}`)) : "";
}

async function verify(game, found) {
  const { ok, told, said } = await get(`/api/games/${game.number}/verify`);
  if (!ok) return found.replaceChildren(el("p", { class: "notice", role: "alert" }, said));
  const verdict = { holds: t("The box kept its word."), broken: t("This is not the game that the box was bound to."), unverifiable: t("It cannot be verified.") }[told.verdict];
  found.replaceChildren(el("p", { class: told.verdict === "broken" ? "notice" : "said", role: "status" }, verdict), ...told.notes.map((note) => el("p", {}, note)),
    el("ul", {}, told.checks.map((one) => el("li", {}, `${one.holds ? "✓" : "✗"} ${one.seq ? `${one.seq}. ` : ""}${one.says}`))));
  speak(verdict);
}

/** The curve of whatever names a seat has that seat's colour. */
function strokes(labels, { seats, panels }) {
  return labels.map((label, at) => {
    const seat = seats.findIndex((name) => label.includes(name));
    return seat < 0 || panels[seat] === null || panels[seat] >= me.panels.length ? `c${at}` : `own ${plate(panels[seat], me.panels[panels[seat]])}`;
  });
}

function chart({ steps, ...game }) {
  const plain = (label) => label.replace(/^[^\p{L}\p{N}]+/u, ""); // marks such as ">" say whose turn it was
  const labels = [...new Set(steps.flatMap((step) => step.meters.map((meter) => plain(meter.label))))].slice(0, 6);
  if (!labels.length || steps.length < 2) return {};
  const wide = 640, high = 200, left = 34, foot = 24;
  const top = Math.max(1, ...steps.flatMap((step) => step.meters.map((meter) => meter.top ?? meter.value)));
  const x = (n) => left + ((wide - left - 8) * n) / (steps.length - 1);
  const y = (value) => 8 + (high - foot - 8) * (1 - value / top);
  const drawn = svg("svg", { class: "chart", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": t("Numbers over time: {labels}", { labels: labels.join(", ") }) });
  drawn.append(svg("line", { class: "axis", x1: left, y1: y(0), x2: wide - 8, y2: y(0) }), svg("line", { class: "axis", x1: left, y1: 8, x2: left, y2: y(0) }));
  drawn.append(svg("text", { x: left - 6, y: 14, "text-anchor": "end" }, String(top)), svg("text", { x: left - 6, y: y(0), "text-anchor": "end" }, "0"), svg("text", { x: wide - 8, y: high - 6, "text-anchor": "end" }, t("{n} moves", { n: steps.length - 1 })));
  const colours = strokes(labels, game);
  labels.forEach((label, at) => {
    let path = "";
    let before = null;
    steps.forEach((step, n) => {
      const meter = step.meters.find((one) => plain(one.label) === label);
      if (!meter) return void (path += before === null ? "" : `H${x(n)}`); // what is not shown has not changed
      path += before === null ? `M${x(n)} ${y(meter.value)}` : `H${x(n)}V${y(meter.value)}`;
      before = meter.value;
    });
    drawn.append(svg("path", { class: colours[at], d: path }));
  });
  const now = svg("line", { class: "now", y1: 8, y2: y(0) });
  drawn.append(now);
  const keys = el("ul", { class: "key-row" }, labels.map((label, at) => el("li", {}, svg("svg", { viewBox: "0 0 16 6", "aria-hidden": "true" }, svg("line", { class: colours[at], x1: 0, y1: 3, x2: 16, y2: 3, "stroke-width": 3 })), label)));
  return { node: el("figure", {}, drawn, keys), mark: (n) => { now.setAttribute("x1", x(n)); now.setAttribute("x2", x(n)); } };
}

/** The evidence, once it is asked for: a sentence and six bars for each kind of dice. */
async function weighed() {
  if (!fair.open) return;
  const { ok, told, said } = await get("/api/dice");
  const found = ok ? told.map(bars) : [el("p", { class: "notice", role: "alert" }, said)];
  if (!found.length) found.push(el("p", {}, t("No throw of real dice is in the journal yet.")));
  fair.replaceChildren(fair.firstElementChild, ...found);
}

function bars(one) {
  const wide = 240, high = 96, foot = 14, step = wide / 6;
  const top = Math.max(one.high * 1.15, ...one.counts);
  const y = (count) => (high - foot) * (1 - count / top);
  const drawn = svg("svg", { class: "chart bars", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `${one.name}: ${one.counts.join(", ")}` });
  drawn.append(svg("rect", { class: "band", x: 0, y: y(one.high), width: wide, height: y(one.low) - y(one.high) }));
  one.counts.forEach((count, at) => drawn.append(
    svg("rect", { class: one.verdict === "loaded" && (count < one.low || count > one.high) ? "bar out" : "bar", x: at * step + 6, y: y(count), width: step - 12, height: high - foot - y(count) }),
    svg("text", { x: (at + 0.5) * step, y: high - 2, "text-anchor": "middle" }, String(at + 1))));
  const hand = one.by_hand ? t("{n} of them were entered by hand.", { n: one.by_hand }) : "";
  return el("figure", {}, el("figcaption", { class: one.verdict === "loaded" ? "notice" : null }, one.says), drawn, el("small", {}, t("The bars of fair dice end in the band 19 times of 20."), " ", hand));
}

async function take() {
  const [file] = bring.files;
  if (!file) return;
  const answer = await post("/api/games/import", await file.text()).catch(() => ({ said: t("The table does not answer.") }));
  bring.value = "";
  if (answer.ok) open(answer.told.number, null);
  else shown.replaceChildren(el("p", { class: "notice", role: "alert" }, answer.said));
}
