// Tournaments of Kiri-ai: the rounds, who stands where, and for an organiser the drawing.

import { desk, el, enter, entry, every, field, forget, get, names, notice, send, t, table } from "./hall.js";

const me = await enter();
const all = el("ul", { class: "games" });
const said = el("div");
const shown = desk(t("Tournaments"), all, me.organiser ? form() : null, said);
const kinds = { swiss: t("Swiss rounds"), knockout: t("Knock-out") };
let chosen = Number(new URLSearchParams(location.search).get("tournament")) || null, drawn = "";
await list();
every(5, () => chosen && open(chosen));

async function list() {
  const { ok, told, said: why } = await get("/api/tournaments");
  if (!ok) return all.replaceChildren(el("li", {}, notice(why)));
  chosen ??= told[0]?.id ?? null;
  all.replaceChildren(...(told.length ? told.map((one) => entry(one.id === chosen, () => open(one.id, true), one.name, `${kinds[one.kind]} · ${t("{n} players", { n: one.players })}`, one.round ? t("Round {n}", { n: one.round }) : t("not begun"))) : [el("li", {}, t("There is no tournament yet."))]));
  if (chosen) await open(chosen);
  else shown.replaceChildren(el("p", {}, t("An organiser makes a tournament; its pairings then stand on the tables' displays.")));
}

async function open(number, fresh = false) {
  chosen = number;
  const { ok, told, said: why } = await get(`/api/tournaments/${number}`);
  if (!ok) return shown.replaceChildren(notice(why));
  if (fresh) { history.replaceState(null, "", `/tournaments?tournament=${number}`); await list(); }
  else show(told);
}

/** Only when it is another one: whoever is choosing is not disturbed. */
function show(told) {
  const now = JSON.stringify(told);
  if (now === drawn) return;
  drawn = now;
  const rounds = told.rounds.map((each, at) => el("section", { class: "round" }, el("h3", {}, t("Round {n}", { n: at + 1 })),
    el("ol", { class: "pairings" }, each.map((one, place) => pairing(told, one, at + 1, place))))).toReversed();
  const standings = told.standings.map((one, at) => [String(at + 1), one.name, String(one.points), String(one.buchholz), String(one.played)]);
  shown.replaceChildren(el("h2", {}, told.name), el("p", { class: "label" }, [kinds[told.kind], t("{n} rounds at most", { n: told.most }), told.tables.join(", ")].filter(Boolean).join(" · ")),
    told.over ? el("p", { class: "notice good" }, t("{name} has won.", { name: told.standings[0].name })) : "",
    me.organiser && told.next ? el("button", { type: "button", class: "choice", onclick: () => act("draw", { round: told.rounds.length + 1 }) }, t("Draw round {n}", { n: told.rounds.length + 1 })) : "",
    el("div", { class: "arena" }, el("div", {}, rounds), table(t("Standings"), ["", t("Name"), t("Match points"), t("Buchholz"), t("Games")], standings)),
    me.organiser ? forget(`/api/tournaments/${told.id}`, said, () => { chosen = null; drawn = ""; list(); }) : "");
}

function pairing(told, one, round, place) {
  const score = one.points === null ? "–" : `${half(one.points)} : ${half(1 - one.points)}`;
  const won = (points) => (one.points !== null && points === 1 ? "has-won" : "");
  const names = one.other === null ? [el("b", {}, one.one), el("span", { class: "score" }, t("bye"))]
    : [el("b", { class: won(one.points) }, one.one), el("span", { class: "score" }, score), el("b", { class: won(1 - one.points) }, one.other)];
  const seen = one.game ? el("a", { href: `/games?game=${one.game}` }, t("see it")) : null;
  const hand = me.organiser && one.other !== null && round === told.rounds.length ? results(told, one, round, place) : null;
  return el("li", { class: one.points === null ? "pairing open" : "pairing" }, el("span", { class: "at" }, one.other === null ? "" : one.table ?? t("any table")), names, seen, hand);
}

function half(points) {
  return points === 0.5 ? "½" : String(points);
}

/** A result by hand. */
function results(told, one, round, place) {
  const labels = [["", t("by hand …")], ["won", t("{name} won", { name: one.one })], ...(told.kind === "swiss" ? [["drawn", t("a draw")]] : []), ["lost", t("{name} won", { name: one.other })], ["open", t("still playing")]];
  const choose = el("select", { class: "quiet", "aria-label": t("Result of {one} and {other}", one), onchange: () => act("result", { round, place, result: choose.value === "open" ? null : choose.value }) }, labels.map(([value, label]) => el("option", { value }, label)));
  return choose;
}

async function act(what, body) {
  const told = await send(said, `/api/tournaments/${chosen}/${what}`, body);
  drawn = "";
  if (told) show(told);
  else open(chosen);
}

function form() {
  const name = el("input", { required: true, maxlength: 60 }), kind = el("select", {}, el("option", { value: "swiss" }, t("Swiss rounds")), el("option", { value: "knockout" }, t("Knock-out")));
  const players = el("textarea", { rows: 6, required: true, placeholder: t("one a line, as they call themselves at the table") });
  const tables = el("textarea", { rows: 2 });
  tables.value = me.tables.join(", ");
  return el("details", { class: "fair" }, el("summary", {}, t("New tournament")), el("form", { class: "fields", onsubmit: async (press) => {
    press.preventDefault();
    const made = await send(said, "/api/tournaments", { name: name.value, kind: kind.value, players: names(players.value), tables: names(tables.value) });
    if (made) { name.value = players.value = ""; await open(made.id, true); }
  } }, field(t("Name"), name), field(t("Kind"), kind), field(t("Players"), players), field(t("Tables"), tables), el("button", { class: "choice" }, t("Make it"))));
}
