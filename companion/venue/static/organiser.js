// Signing in with the code in the venue's terminal.

import { el, enter, field, send, t } from "./hall.js";

const me = await enter();
const said = el("div", { role: "status" });
const code = el("input", { required: true, maxlength: 6, autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
const shows = el("button", { type: "button", class: "quiet", onclick: async () => {
  if (await send(said, "/api/organiser/code")) said.replaceChildren(el("p", {}, t("It stands in the terminal now, for five minutes.")));
} }, t("Write a code into the terminal"));
const signIn = el("form", { class: "fields", onsubmit: async (press) => {
  press.preventDefault();
  if (await send(said, "/api/organiser", { code: code.value.trim() })) location.href = "/tournaments";
} }, el("p", {}, t("Everybody may look. Whoever reads the code in the venue's terminal arranges leagues and tournaments.")), field(t("Code in the terminal"), code), el("button", { class: "choice" }, t("Sign in")), shows);
const signOut = el("button", { type: "button", class: "choice", onclick: async () => {
  if (await send(said, "/api/organiser/leave")) location.reload();
} }, t("Only look on"));
document.querySelector("#main").replaceChildren(el("section", { class: "paper sign-in", "aria-label": t("Organiser") }, el("h1", {}, t("Organiser")),
  me.organiser ? el("p", {}, t("You arrange leagues and tournaments on this browser, for an evening.")) : null, me.organiser ? signOut : signIn, said));
