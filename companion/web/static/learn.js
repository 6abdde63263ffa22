// How to play: a few pages with the game's own pictures, its words, and all its rules.

import { el, get, hello, t } from "./core.js";
import { parts } from "./parts.js";
import { cite, open } from "./rules.js";

await hello();
document.body.dataset.live = "yes";
const main = document.querySelector("#main");
await show(new URLSearchParams(location.search).get("game") ?? "");

async function show(game) {
  let { ok, told, said } = await get(`/api/lesson?game=${encodeURIComponent(game)}`);
  if (!ok && !game) ({ ok, told, said } = await get("/api/lesson?game=kiriai"));
  if (!ok) return main.replaceChildren(el("p", { class: "notice", role: "alert" }, said));
  history.replaceState(null, "", `?game=${told.game}`);
  const chosen = el("select", { "aria-label": t("Which game"), onchange: () => show(chosen.value) },
    told.games.map((one) => el("option", { value: one.game, selected: one.game === told.game }, one.name)));
  const words = el("dl", { class: "words" }, told.words.flatMap((one) => [el("dt", {}, one.word), el("dd", {}, one.means)]));
  main.replaceChildren(el("div", { class: "learn" },
    el("header", {}, el("h1", {}, t("How to play")), chosen, el("button", { type: "button", class: "quiet", onclick: () => open("", told.game) }, t("All rules"))),
    el("ol", { class: "pages" }, told.pages.map((page) => el("li", { class: "paper" },
      el("h2", {}, page.title), el("div", { class: "parts" }, parts(page.parts)), page.says.map((one) => el("p", {}, one)),
      cite(page.rules.join(" "), { game: told.game })))),
    told.words.length ? el("section", { class: "paper", "aria-label": t("Words") }, el("h2", {}, t("Words")), words) : null));
}
