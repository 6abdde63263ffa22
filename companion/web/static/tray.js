// The tray: what lies in it, as the eye has read it.

import { el, t } from "./core.js";
import { die } from "./parts.js";

export function tray() {
  const lying = el("div", { class: "dice" });
  const said = el("p", { class: "said" }, t("No dice have been read yet."));
  const node = el("section", { class: "tray", "aria-label": t("The tray") }, el("div", { class: "felt" }, lying, said));

  function told(seen) {
    lying.replaceChildren(...(seen.dice ?? []).map((one) => die({ ...one, mark: one.wrong.length ? "doubt" : "" })));
    if (seen.state === "moving") said.textContent = t("The dice are moving.");
    else if (seen.dice) said.textContent = seen.accepted === false ? t("Not sure: the table asks.") : "";
  }

  return { node, told, roll: () => {} };
}
