// The eye's page: the live picture, what the eye makes of it, and a person who knows better.

import { calibration } from "./calibrate.js";
import { Feed, command, el, hello, speak, t } from "./core.js";
import { live } from "./live.js";
import { die } from "./parts.js";
import { saying } from "./tray.js";

const me = await hello();
const mine = me.virtual || me.panel !== null;
const WRONG = {
  touching: t("touches another die"), stacked: t("lies on another die"), cocked: t("leans over"), cut: t("half out of the picture"),
  blurred: t("blurred"), dark: t("too dark"), glare: t("glare"),
  "unclear colour": t("unclear colour"), round: t("round like a token"), joined: t("perhaps one half of a domino"),
  printed: t("printed on something bigger"),
};
const STATES = {
  opening: t("The eye opens."), rest: t("Nothing moves."), motion: t("Something moves."), hand: t("A hand is in the tray."),
  reading: t("The eye reads."), waiting: t("The eye waits for more dice."),
};
let now = {};
let frozen = null;
let picked = null;

const seen = live({ words: true, drag: null });
const notice = el("p", { class: "notice", role: "alert", hidden: true });
const verdict = el("p", { class: "waiting" });
const pace = el("p", { class: "how" });
const list = el("ol", { class: "readings", "aria-label": t("What the eye sees") });
const reading = el("section", { class: "paper", "aria-label": t("What the eye sees") }, el("h2", {}, t("What the eye sees")), verdict, notice, list, pace);
const freeze = el("button", { type: "button", class: "quiet", "aria-pressed": "false", onclick: hold }, t("Freeze"));
const keep = el("button", { type: "button", class: "quiet", onclick: () => act("/api/eye/keep", {}, (told) => t("Kept as example {n}.", { n: told.kept })) }, t("Keep as example"));
const calibrating = calibration({ mine, moved: () => seen.stir() });
const roll = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => act("/api/tray/throw", {}) }, t("Roll"));
document.querySelector("#main").replaceChildren(
  el("div", { class: "eye" },
    el("section", { class: "looking", "aria-label": t("The tray, live") }, el("h1", {}, t("The eye")), el("div", { class: "rim" }, seen.node),
      el("div", { class: "row" }, freeze, mine ? [roll, keep, calibrating.begin] : el("p", { class: "how" }, t("Claim a seat to correct what the eye sees.")))),
    el("div", { class: "told" }, calibrating.node, reading)),
);

new Feed("public", (view, keys, first) => {
  now = view;
  calibrating.told(view.camera, view.eye?.twin);
  if (first || keys.has("camera") || keys.has("tray") || keys.has("eye") || keys.has("asked")) show(!first && keys.has("tray"));
});
setInterval(measure, 2000);

async function measure() {
  if (document.hidden || !now.eye) return;
  const answer = await fetch("/api/eye").catch(() => null);
  if (!answer?.ok) return;
  const told = await answer.json();
  const [wide, high] = told.size ?? [0, 0];
  pace.textContent = t("{n} frames seen, {ms} ms for the last one, {wide} by {high} pixels", { n: told.frames, ms: told.ms.toFixed(1), wide, high });
}

function show(aloud = false) {
  const busy = Boolean(now.camera?.at); // what lay there before is no reading of now
  const { tray, eye } = busy ? { tray: {}, eye: now.eye } : frozen ?? now;
  reading.hidden = busy;
  seen.told(eye, tray);
  if (!pace.textContent) measure();
  roll.hidden = !eye?.twin || busy;
  roll.disabled = Boolean(now.game) && !now.asked;
  const dice = tray.state === "moving" ? [] : (tray.dice ?? []);
  verdict.textContent = !eye ? t("No eye looks at this tray: enter dice by hand.") : dice.length && eye.state === "rest" ? (tray.accepted === false && !tray.told ? t("Not sure: the table asks.") : t("{n} dice, accepted", { n: dice.length })) : saying({ tray, eye }) || (STATES[eye.state] ?? "");
  keep.disabled = !dice.length;
  if (!dice.some((one) => one.track === picked)) picked = null;
  list.replaceChildren(...dice.map((one) => row(one, tray.told ?? [])));
  if (aloud) speak(verdict.textContent);
}

function row(one, told) {
  const doubt = one.wrong.length || one.second || one.sure < 0.9;
  const reasons = one.wrong.map((why) => WRONG[why] ?? why);
  if (one.second) reasons.push(t("or a {n}", { n: one.second }));
  const by = told.includes(one.track) ? t("told by hand") : t("sure to {n} %", { n: Math.round(100 * one.sure) });
  const shown = el("span", { class: "reading" }, el("strong", {}, by), reasons.length ? el("small", {}, reasons.join(", ")) : null);
  const bar = el("span", { class: "rail" }, el("span", { class: "fill" }));
  bar.firstChild.style.setProperty("--share", one.sure);
  const change = mine ? el("button", { type: "button", class: "quiet", "aria-expanded": String(picked === one.track), onclick: () => { picked = picked === one.track ? null : one.track; show(); } }, t("Correct")) : null;
  const item = el("li", { class: doubt ? "doubt" : "" }, die(one), shown, bar, change);
  if (picked === one.track) {
    item.append(el("div", { class: "faces", role: "group", "aria-label": t("It shows") }, [1, 2, 3, 4, 5, 6].map((value) =>
      el("button", { type: "button", class: "face", onclick: () => correct(one.track, value) }, die({ body: one.body, value })))));
  }
  return item;
}

async function correct(track, value) {
  picked = null;
  await act("/api/eye/correct", { track, value }, (told) => told.notice);
  show();
}

function hold() {
  frozen = frozen ? null : structuredClone({ tray: now.tray, eye: now.eye });
  freeze.setAttribute("aria-pressed", String(Boolean(frozen)));
  freeze.textContent = frozen ? t("Go on") : t("Freeze");
  seen.freeze(Boolean(frozen));
  show();
}

async function act(path, body, then = () => "") {
  seen.stir();
  const answer = await command(path, body);
  const said = answer.ok ? then(answer.told) : answer.said;
  notice.textContent = said;
  notice.hidden = !said;
}
