// The tray of the virtual table: thrown into, dragged in, covered; and what the eye says of it.

import { command, el, speak, t } from "./core.js";
import { live } from "./live.js";
import { die } from "./parts.js";

const REFUSED = 4000; // milliseconds for which a refusal stands, whatever the eye says meanwhile

export function tray() {
  const seen = live({ drag: (start, end) => act("drag", { start, end }) });
  const roll = el("button", { type: "button", class: "roll", "aria-keyshortcuts": "Space", onclick: throwDice }, t("Roll"));
  const said = el("p", { class: "said" });
  const more = el("div", { class: "tools", role: "group", "aria-label": t("The tray") },
    tool(t("Nudge"), () => act("drag", nudged())), tool(t("Stack"), () => act("drag", stacked())),
    tool(t("Cover"), () => act("cover")), tool(t("Clear"), () => act("clear")));
  const names = el("ul", { class: "characters", "aria-label": t("Character dice") });
  const node = el("section", { class: "tray", "aria-label": t("The tray") },
    el("div", { class: "rim" }, seen.node, said), el("div", { class: "under" }, roll, more));
  let now = { tray: {} };
  let refused = ""; // why the last order was not carried out, for a while
  let forget = 0;

  function tool(words, onclick) {
    return el("button", { type: "button", class: "tool", onclick }, words);
  }

  function told(document) {
    now = document;
    const { tray: lying, eye } = document;
    seen.told(eye, lying);
    node.hidden = !document.dice; // a game without dice: its place is the display's
    node.dataset.eye = eye ? (eye.twin ? "twin" : "real") : "none";
    roll.textContent = !document.game ? t("Try the dice") : t("Roll");
    roll.disabled = Boolean(document.game) && !document.asked;
    roll.classList.toggle("wanted", document.asked);
    said.textContent = refused || saying(document);
    const known = Object.entries(lying.characters ?? {});
    names.hidden = node.hidden || !known.length;
    names.replaceChildren(...known.map(([name, one]) => el("li", {}, die({ body: "blue", value: one.state === "rest" ? one.face : 0 }), el("span", {}, name))));
  }

  function throwDice() {
    return act("throw");
  }

  async function act(verb, body = {}) {
    if (!body) return;
    seen.stir();
    const answer = await command(`/api/tray/${verb}`, body);
    refuse(answer.ok ? "" : answer.said);
    speak(refused);
  }

  function refuse(why) {
    refused = why;
    said.textContent = refused || saying(now);
    clearTimeout(forget);
    if (refused) forget = setTimeout(refuse, REFUSED, "");
  }

  /** Where dice lie, as shares of the picture. */
  function spots() {
    const [wide, high] = now.eye?.size ?? [640, 480];
    return (now.tray?.dice ?? []).map(({ centre: [x, y] }) => [x / wide, y / high]);
  }

  function nudged() {
    const [one] = spots();
    return one && { start: one, end: [one[0] + (one[0] < 0.5 ? 0.03 : -0.03), one[1]] };
  }

  function stacked() {
    const [one, two] = spots();
    return two && { start: one, end: two };
  }

  return { node, names, told, roll: throwDice };
}

/** What the eye says, in a sentence. */
export function saying({ tray, eye, asked }) {
  if (!eye) return tray.dice ? "" : t("No eye looks at this tray: enter dice by hand.");
  if (eye.state === "hand") return t("A hand is in the tray.");
  if (eye.state === "opening" || eye.state === "") return t("The eye opens.");
  if (eye.state !== "rest") return tray.state === "moving" ? t("The dice are moving.") : "";
  if (tray.state === "moving" || !tray.dice) return asked ? t("Throw the dice.") : "";
  if (tray.state === "nudged") return t("A die was moved, no roll was made.");
  if (tray.accepted === false && !tray.told) return t("Not sure: the table asks.");
  return "";
}
