// A calibration of the camera, step by step: what to do next, how far it is, how it ended.

import { command, el, speak, t } from "./core.js";
import { die } from "./parts.js";

/** The dialogue. `mine`: this browser may answer; `moved` is told when rendered dice are. */
export function calibration({ mine, moved }) {
  const begin = el("button", { type: "button", class: "quiet", onclick: () => answer("start") }, t("Recalibrate"));
  const title = el("h2", { tabindex: "-1" }, t("Calibrating the camera"));
  const how = el("p", { class: "how" });
  const bar = el("progress", { "aria-label": t("Calibrating the camera") });
  const says = el("p", { class: "waiting" });
  const seen = el("div", { class: "dice" });
  const notice = el("p", { class: "notice", role: "alert", hidden: true });
  const answers = el("div", { class: "row" });
  const node = el("section", { class: "paper calibration", hidden: true, "aria-label": t("Calibrating the camera") }, title, how, bar, says, seen, notice, answers);
  let now = null;
  let followed = false; // this page has seen it under way, so it shows how it ended

  function told(camera, twin) {
    const fresh = camera && (camera.number !== now?.number || camera.step !== now?.step);
    const under = Boolean(camera?.at);
    const opened = under && document.activeElement === begin;
    now = camera;
    followed ||= under;
    begin.disabled = under;
    node.hidden = !camera || !followed;
    if (!fresh || !followed) return;
    const focused = answers.contains(document.activeElement);
    how.textContent = under ? t("Step {n} of {all}", { n: camera.at, all: camera.of }) : "";
    how.hidden = bar.hidden = !under;
    [bar.max, bar.value] = [camera.of, camera.at];
    says.textContent = camera.says;
    node.dataset.ended = under ? "" : camera.step;
    seen.replaceChildren(...camera.dice.map((one) => die(one)));
    notice.hidden = true;
    answers.replaceChildren(...(mine ? offered(camera, twin) : []));
    if (focused) answers.querySelector("button")?.focus();
    if (opened) title.focus();
    speak(how.textContent, camera.says);
  }

  function offered(camera, twin) {
    const button = (label, onclick) => el("button", { type: "button", class: "quiet", onclick }, label);
    if (!camera.at) return [button(t("Close"), close)];
    const rendered = twin && (camera.step === "clear" ? camera.dice.length : ["throw", "again"].includes(camera.step));
    return [
      rendered ? button(camera.step === "clear" ? t("Clear") : t("Roll"), moveDice) : null,
      ...camera.answers.map((one) => button(one.label, () => answer(one.word))),
    ].filter(Boolean);
  }

  function close() {
    followed = false;
    node.hidden = true;
    begin.focus();
  }

  async function moveDice() {
    moved();
    complain(await command("/api/tray/throw", {}));
  }

  async function answer(word) {
    complain(await command("/api/eye/calibrate", { word, number: now?.number ?? 0 }));
  }

  function complain(answered) {
    notice.textContent = answered.ok ? "" : answered.said;
    notice.hidden = answered.ok;
    if (!answered.ok) node.hidden = false;
  }

  return { begin, node, told };
}
