// Figures over everything that was kept: how long games take, who wins from where, whether dice are fair.

import { bars } from "/static/replay.js";
import { el, enter, field, get, notice, t, table } from "./hall.js";

await enter();
const { ok, told, said } = await get("/api/statistics");
const main = document.querySelector("#main");
if (!ok) main.replaceChildren(notice(said));
else main.replaceChildren(el("div", { class: "figures" }, played(), ...(told.games.length ? [seats(), levels()] : []), dice()));

function part(title, ...inside) {
  return el("section", { class: "paper", "aria-label": title }, el("h2", {}, title), inside);
}

function share([games, wins]) {
  return games ? `${Math.round((100 * wins) / games)} %` : "–";
}

function played() {
  const rows = told.games.map((one) => [one.name, String(one.games), String(one.minutes), String(one.longest)]);
  return part(t("Games"), rows.length ? table(t("Games"), [t("Game"), t("Games"), t("Minutes (median)"), t("Minutes (longest)")], rows) : el("p", {}, t("No game was kept yet.")));
}

function seats() {
  const most = Math.max(0, ...told.games.map((one) => one.seats.length));
  const heads = Array.from({ length: most }, (_, at) => t("Seat {number}", { number: at + 1 }));
  return part(t("Wins by seat"), table(t("Wins by seat"), [t("Game"), ...heads], told.games.map((one) => [one.name, ...heads.map((_, at) => (one.seats[at] ? share(one.seats[at]) : "–"))])));
}

function levels() {
  const all = ["", ...Object.keys(told.levels)].filter((level) => told.games.some((one) => one.levels[level]));
  const called = (level) => (level ? t("companion, {level}", { level: told.levels[level] }) : t("people"));
  return part(t("Wins by who plays"), table(t("Wins by who plays"), [t("Game"), ...all.map(called)], told.games.map((one) => [one.name, ...all.map((level) => (one.levels[level] ? `${share(one.levels[level])} (${one.levels[level][0]})` : "–"))])));
}

function dice() {
  const found = el("div", { class: "dice-figures" });
  const choose = el("select", { onchange: () => weighed() }, told.tables.map((one) => el("option", {}, one)));
  async function weighed() {
    const answer = await get(`/api/statistics/dice?table=${encodeURIComponent(choose.value)}`);
    found.replaceChildren(...(answer.ok ? answer.told.map(bars) : [notice(answer.said)]));
  }
  if (told.tables.length) weighed();
  return part(t("Are these dice fair?"), told.tables.length ? field(t("Table"), choose) : el("p", {}, t("No throw of real dice was kept yet.")), found);
}
