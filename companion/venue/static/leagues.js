// Leagues and their tables: rated where people play each other, by wins and difficulty where they win together.

import { desk, el, enter, entry, every, field, forget, get, names, notice, send, t, table } from "./hall.js";

const me = await enter();
const leagues = el("ul", { class: "games" });
const said = el("div");
const shown = desk(t("Leagues"), leagues, me.organiser ? form() : null, said);
let chosen = Number(new URLSearchParams(location.search).get("league")) || 0;
await list();
await open(chosen);
every(20, () => open(chosen));

async function list() {
  const { ok, told, said: why } = await get("/api/leagues");
  if (!ok) return leagues.replaceChildren(el("li", {}, notice(why)));
  leagues.replaceChildren(entry(!chosen, () => open(0), t("Everybody"), t("all games, all tables")),
    ...told.map((one) => entry(one.id === chosen, () => open(one.id), one.name, one.game, `${one.first} – ${one.last}`)));
}

async function open(number) {
  const fresh = number !== chosen;
  chosen = number;
  const { ok, told, said: why } = await get(number ? `/api/leagues/${number}` : "/api/players");
  if (!ok) return shown.replaceChildren(notice(why));
  if (fresh) history.replaceState(null, "", number ? `/leagues?league=${number}` : "/leagues");
  const levels = [...new Set(told.standings.flatMap((one) => Object.keys(one.levels)))];
  const rated = told.standings.some((one) => one.rating !== null);
  const heads = ["", t("Name"), rated ? t("Rating") : null, t("Games"), t("Wins"), ...levels].filter((one) => one !== null);
  const rows = told.standings.map((one, at) => [String(at + 1), one.name, ...(rated ? [one.rating === null ? "–" : String(one.rating)] : []), String(one.games), String(one.wins), ...levels.map((level) => String(one.levels[level] ?? "–"))]);
  shown.replaceChildren(el("h2", {}, told.name ?? t("Everybody")),
    told.name ? el("p", { class: "label" }, `${told.game} · ${told.first} – ${told.last} · ${told.tables.join(", ") || t("All tables")}`) : "",
    rows.length ? table(told.name ?? t("Everybody"), heads, rows) : el("p", {}, t("Nobody has played yet.")),
    el("p", { class: "label" }, t("Verified games of people with a name count. Beginners have 1000; beating a better player gives more.")),
    me.organiser && number ? forget(`/api/leagues/${number}`, said, () => open(0)) : "");
  if (fresh) await list();
}

function form() {
  const today = new Date().toISOString().slice(0, 10);
  const name = el("input", { required: true, maxlength: 60 }), last = el("input", { type: "date", value: `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`, required: true });
  const first = el("input", { type: "date", value: today, required: true }), tables = el("input", { placeholder: t("all") });
  const key = el("select", {}, Object.entries(me.games).map(([game, called]) => el("option", { value: game }, called)));
  return el("details", { class: "fair" }, el("summary", {}, t("New league")), el("form", { class: "fields", onsubmit: async (press) => {
    press.preventDefault();
    const made = await send(said, "/api/leagues", { name: name.value, key: key.value, first: first.value, last: last.value, tables: names(tables.value) });
    if (made) { await open(made.id); name.value = ""; }
  } }, field(t("Name"), name), field(t("Game"), key), field(t("From"), first), field(t("To"), last), field(t("Tables"), tables), el("button", { class: "choice" }, t("Make it"))));
}
