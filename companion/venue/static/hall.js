// What the pages of a venue share: who looks, in which language, lists beside what was chosen, forms.

import { el, get, hello, languageSwitch, t } from "/static/core.js";

/** Who this browser is; the row of links gets its language, and a mark for an organiser. */
export async function enter() {
  const me = await hello();
  document.querySelector(".bar nav").after(el("span", { class: "who-looks" }, me.organiser ? el("b", {}, t("Organiser")) : null, languageSwitch(me)));
  if (!document.querySelector("#live")) document.body.dataset.live = "yes";
  return me;
}

export const notice = (said) => el("p", { class: "notice", role: "alert" }, said);

/** A list on the left, what was chosen of it on the right. */
export function desk(title, ...side) {
  const shown = el("section", { class: "paper", "aria-label": title, tabindex: "-1" });
  document.querySelector("#main").replaceChildren(
    el("div", { class: "history" }, el("section", { class: "paper search", "aria-label": t("List") }, el("h1", {}, title), side), shown));
  return shown;
}

/** A line of such a list. */
export function entry(current, onclick, title, ...lines) {
  return el("li", {}, el("button", { type: "button", "aria-current": current ? "true" : null, onclick }, el("strong", {}, title), lines.map((one) => el("small", {}, one))));
}

/** Rows under headings; the first of each row names it. */
export function table(caption, heads, rows) {
  return el("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": caption }, el("table", {},
    el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, rows.map(([first, ...rest]) => el("tr", {}, el("th", { scope: "row" }, first), rest.map((one) => el("td", {}, one)))))));
}

/** A control under its label. */
export function field(label, control) {
  return el("label", { class: "field" }, el("span", {}, label), control);
}

/** Names out of a text: one a line, or with commas between them. */
export const names = (text) => text.split(/[\n,、，]/).map((one) => one.trim()).filter(Boolean);

/** Ask to be told again and again, while somebody looks. */
export function every(seconds, look) {
  setInterval(() => document.hidden || look(), seconds * 1000);
}

/** What a form or a button sends; a refusal stands where `where` is. */
export async function send(where, path, body, method = "POST") {
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    const told = await answer.json();
    where.replaceChildren(...(answer.ok ? [] : [notice(told.detail)]));
    return answer.ok ? told : null;
  } catch {
    where.replaceChildren(notice(t("The venue does not answer.")));
    return null;
  }
}

/** A button that asks once more before it forgets something. */
export function forget(path, where, then) {
  const button = el("button", { type: "button", class: "quiet", onclick: async () => {
    if (button.dataset.sure) return void ((await send(where, path, null, "DELETE")) && then());
    button.dataset.sure = "yes";
    button.textContent = t("Really forget it?");
  } }, t("Forget it"));
  return button;
}

export { el, get, t };
