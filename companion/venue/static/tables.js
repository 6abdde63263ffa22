// Which tables wait for a venue, and which are of this one: for organisers.

import { el, enter, every, field, notice, send, t } from "./hall.js";
import { get } from "/static/core.js";

await enter();
const said = el("div", { role: "status" });
const waiting = el("div", { class: "arena" });
const ours = el("div", { class: "arena" });
const none = el("p", {}, t("No table waits. Set announce = true in its settings."));
const rows = new Map(); // of those that wait: a code that is being typed is not lost
document.querySelector("#main").replaceChildren(el("div", { class: "figures" }, el("h1", {}, t("Tables")), said,
  el("section", {}, el("h2", {}, t("They wait for a venue")), waiting), el("section", {}, el("h2", {}, t("Tables of this venue")), ours)));

async function tell(path, body, done) {
  if (!(await send(said, path, body))) return;
  said.replaceChildren(el("p", {}, done));
  await look();
}

function waits(one) {
  const code = el("input", { autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: 20, required: true });
  const name = el("input", { value: one.table, maxlength: 40, required: true, pattern: "[A-Za-z0-9_\\-]+" });
  const show = el("button", { type: "button", class: "quiet", onclick: () =>
    tell("/api/tables/code", { name: one.name }, t("The code stands on the glass of {table}.", { table: one.table })) }, t("Show the code on its glass"));
  return el("section", { class: "paper", "aria-label": one.table }, el("h3", {}, one.table), el("p", { class: "label" }, one.address), show,
    el("form", { class: "fields", onsubmit: (press) => {
      press.preventDefault();
      tell("/api/tables/adopt", { name: one.name, code: code.value, table: name.value }, t("{table} is a table of this venue now.", { table: name.value }));
    } }, field(t("Code on its glass"), code), field(t("Its name here"), name), el("button", { class: "choice" }, t("Adopt"))));
}

function belongs(one) {
  const when = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }).format(one.since * 1000);
  const letGo = () => confirm(t("{table} can tell this venue nothing any more. Let it go?", { table: one.table }))
    && tell("/api/tables/revoke", { table: one.table }, t("{table} was let go.", { table: one.table }));
  return el("section", { class: "paper", "aria-label": one.table }, el("h3", {}, one.table), el("p", { class: "label" }, t("since {when}", { when })),
    el("button", { type: "button", class: "quiet", onclick: letGo }, t("Let {table} go", { table: one.table })));
}

async function look() {
  const { ok, told, said: why } = await get("/api/tables");
  if (!ok) return said.replaceChildren(notice(why));
  for (const name of [...rows.keys()]) if (!told.waiting.some((one) => one.name === name)) rows.delete(name);
  for (const one of told.waiting) if (!rows.has(one.name)) rows.set(one.name, waits(one));
  const shown = rows.size ? [...rows.values()] : [none];
  if (shown.length !== waiting.children.length || shown.some((one, at) => one !== waiting.children[at])) waiting.replaceChildren(...shown);
  const before = ours.dataset.told;
  ours.dataset.told = JSON.stringify(told.tables);
  if (before !== ours.dataset.told) ours.replaceChildren(...(told.tables.length ? told.tables.map(belongs) : [el("p", {}, t("None yet."))]));
}

await look();
every(3, look);
