// What a page lets be heard, if it is asked to: beats and turns by the browser's own voice, a few short sounds.

import { el, svg, t, voiced } from "./core.js";

const NOTES = { // frequencies, one after the other, and how the tone is made
  turn: [[660, 880], "sine"],
  rest: [[180, 140], "square"],
  hit: [[120, 80], "sawtooth"],
  won: [[523, 659, 784, 1047], "triangle"],
  asked: [[520, 520], "sine"],
};
let air = null;

/** The switch, remembered by this browser. */
export function heardSwitch() {
  const button = el("button", { type: "button", class: "quiet heard", onclick: () => turn(localStorage.heard !== "yes") });
  function turn(on) {
    localStorage.heard = on ? "yes" : "no";
    show(on);
    if (on) play("turn");
  }
  function show(on) {
    voiced(on);
    button.setAttribute("aria-pressed", on);
    button.setAttribute("aria-label", t("Read aloud"));
    button.title = t("Read aloud");
    button.replaceChildren(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: `M4 9v6h4l5 4V5L8 9z ${on ? "M16 8q4 4 0 8M19 5q7 7 0 14" : "M16 9l6 6M22 9l-6 6"}` })));
  }
  show(localStorage.heard === "yes");
  return button;
}

/** The sound of what is new: the one that matters most. */
export function sound(now, before, fresh) {
  if (localStorage.heard !== "yes" || !before) return;
  const { seat } = now;
  if (now.result && !before.result) play(seat === null || now.result.winners.includes(seat) ? "won" : "hit");
  else if (fresh.beats.some((one) => one.weight > 1)) play("hit");
  else if (now.lamp && now.menu === null && before.menu !== null) play("asked");
  else if (now.lamp && !before.lamp) play("turn");
  else if (now.tray?.state === "rest" && now.tray.roll !== before.tray?.roll) play("rest");
}

function play(name) {
  const [notes, type] = NOTES[name];
  air ??= new AudioContext();
  notes.forEach((note, at) => {
    const start = air.currentTime + at * 0.12;
    const tone = new OscillatorNode(air, { frequency: note, type });
    const loud = new GainNode(air, { gain: 0 });
    loud.gain.setTargetAtTime(0.12, start, 0.01);
    loud.gain.setTargetAtTime(0, start + 0.08, 0.05);
    tone.connect(loud).connect(air.destination);
    tone.start(start);
    tone.stop(start + 0.5);
  });
}
