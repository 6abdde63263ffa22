// Which tables wait for a venue, and which are of this one: for organisers.

import { el, get, hello, languageSwitch, post, speak, t } from "/static/core.js";

const me = await hello();
const main = document.querySelector("#main");
document.querySelector(".bar").append(languageSwitch(me));
const said = el("p", { class: "notice", hidden: true });
const waiting = el("ul", { class: "plain" });
const ours = el("ul", { class: "plain" });
main.replaceChildren(
  el("h1", {}, t("Tables")), said,
  el("h2", {}, t("They wait for a venue")), waiting,
  el("h2", {}, t("Tables of this venue")), ours,
);
const rows = new Map(); // by the name that mDNS has: a code that is being typed is not lost

function say(words) {
  said.textContent = words;
  said.hidden = !words;
  speak(words);
}

async function send(path, body, done) {
  const answer = await post(path, JSON.stringify(body)).catch(() => ({ ok: false, said: t("The table does not answer.") }));
  say(answer.ok ? done : answer.said);
  if (answer.ok) await look();
}

function waits(one) {
  const code = el("input", { name: "code", autocomplete: "off", maxlength: 20, required: true, size: 12 });
  const name = el("input", { name: "table", value: one.table, maxlength: 40, required: true, pattern: "[A-Za-z0-9_\\-]+", size: 12 });
  const show = el("button", {
    type: "button",
    onclick: () => send("/api/tables/code", { name: one.name }, t("The code stands on the glass of {table}.", { table: one.table })),
  }, t("Show the code on its glass"));
  const adopt = (event) => {
    event.preventDefault();
    send("/api/tables/adopt", { name: one.name, code: code.value, table: name.value }, t("{table} is a table of this venue now.", { table: name.value }));
  };
  return el("li", { class: "paper" }, el("form", { onsubmit: adopt },
    el("h3", {}, one.table), el("p", {}, one.address), show,
    el("label", {}, t("Code on its glass"), " ", code), " ",
    el("label", {}, t("Its name here"), " ", name), " ",
    el("button", {}, t("Adopt")),
  ));
}

function belongs(one) {
  const when = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const since = t("since {when}", { when: when.format(one.since * 1000) });
  const revoke = () => confirm(t("{table} can tell this venue nothing any more. Let it go?", { table: one.table }))
    && send("/api/tables/revoke", { table: one.table }, t("{table} was let go.", { table: one.table }));
  return el("li", { class: "paper" }, el("h3", {}, one.table), el("p", {}, since),
    el("button", { type: "button", onclick: revoke, "aria-label": t("Let {table} go", { table: one.table }) }, t("Let go")));
}

async function look() {
  const { ok, told, said: why } = await get("/api/tables");
  if (!ok) return say(why);
  for (const name of [...rows.keys()]) if (!told.waiting.some((one) => one.name === name)) rows.delete(name);
  for (const one of told.waiting) if (!rows.has(one.name)) rows.set(one.name, waits(one));
  const shown = [...rows.values()];
  const none = el("li", {}, t("No table waits. Set announce = true in its settings."));
  const before = [...waiting.children];
  const after = shown.length ? shown : [none];
  if (before.length !== after.length || before.some((one, at) => one !== after[at] && shown.length)) waiting.replaceChildren(...after);
  ours.replaceChildren(...(told.tables.length ? told.tables.map(belongs) : [el("li", {}, t("None yet."))]));
}

await look();
if (said.hidden) setInterval(look, 3000);
