// What stands behind a code such as K-R14: any citation opens it, and its game's rules are searched there.

import { el, get, t } from "./core.js";

const known = new Map();
let box, list, search;
let told = [];

/** Codes, each of which opens its rule. `game` is only needed where it is not the one on the table. */
export function cite(rules, { game = "" } = {}) {
  return rules ? el("span", { class: "codes" }, rules.split(" ").map((rule) => el("button", { type: "button", class: "cited", "aria-label": t("rule {rule}", { rule }), onclick: (press) => { press.stopPropagation(); open(rule, game); } }, rule))) : null;
}

/** A sentence that ends with codes in brackets, with these codes to open. */
export function sentence(said, game = "") {
  const [, before, rule] = /^(.*?) ?[(（]([A-Z][\w-]*\d\w*(?: [A-Z][\w-]*\d\w*)*)[)）]$/s.exec(said) ?? [null, said, ""];
  return [before, cite(rule, { game })].filter(Boolean);
}

/** Opens the rules at one of them; "" shows all. */
export async function open(rule = "", game = "") {
  box ??= made();
  if (!known.has(game)) {
    const { ok, told: found, said } = await get(`/api/rules?game=${encodeURIComponent(game)}`);
    if (!ok) {
      told = [];
      list.replaceChildren(el("li", { class: "notice" }, said));
      return void (box.open || box.showModal());
    }
    if (game) known.set(game, found);
    told = found;
  } else told = known.get(game);
  search.value = rule;
  show(rule);
  if (!box.open) box.showModal();
}

/** What a word of the game means, and the rules that use it. */
export async function define({ word, means }, game) {
  await open(word, game);
  list.querySelector(".none")?.remove();
  list.prepend(el("li", { class: "defined" }, el("b", {}, word), el("p", {}, means)));
}

function made() {
  list = el("ul", { class: "rules" });
  search = el("input", { type: "search", placeholder: t("Search the rules"), "aria-label": t("Search the rules"), oninput: () => show(search.value) });
  const closes = el("form", { method: "dialog" }, search, el("button", { class: "quiet" }, t("Close")));
  const dialog = el("dialog", { class: "paper rulebook", "aria-label": t("Rules") }, closes, list);
  document.body.append(dialog);
  return dialog;
}

function show(word) {
  const wanted = word.trim().toLocaleLowerCase();
  const exact = told.filter((one) => one.id.toLocaleLowerCase() === wanted);
  const found = exact.length ? exact : told.filter((one) => `${one.id} ${one.section} ${one.says}`.toLocaleLowerCase().includes(wanted));
  list.replaceChildren(...found.map((one) => el("li", {},
    el("small", {}, `${one.id} · ${one.house ? t("our house rule") : t("rulebook: {section}", { section: one.section })}`),
    el("p", {}, one.says), one.left ? el("p", { class: "left" }, one.left) : null)));
  if (!found.length) list.replaceChildren(el("li", { class: "none" }, t("No rule has this word.")));
}
