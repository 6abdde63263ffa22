// The tray as the eye sees it: the live picture, and over it what was read; dice that can be dragged.

import { el, svg, t } from "./core.js";

const CALM = 900; // milliseconds between two pictures while nothing happens
const STIRRED = 2500; // for so long after a throw pictures come one after the other

/** A live picture with outlines over it. `drag(from, to)` is told places as shares of the picture. */
export function live({ drag = null, words = false } = {}) {
  const canvas = el("canvas", { class: "frame", width: 640, height: 480, role: "img", "aria-label": t("The tray, live") });
  const over = svg("svg", { class: "outlines", viewBox: "0 0 640 480", "aria-hidden": "true" });
  const node = el("div", { class: drag ? "live-tray movable" : "live-tray" }, canvas, over);
  let state = "";
  let until = 0;
  let frozen = false;
  let hurry = () => {};
  let following = false;
  if (drag) over.addEventListener("pointerdown", hold);

  async function follow() {
    following = true;
    while (node.isConnected) {
      if (!document.hidden && !frozen) await picture();
      const wait = frozen || document.hidden ? 400 : node.dataset.seen === "no" ? 3000 : state !== "rest" || Date.now() < until ? 0 : CALM;
      if (wait) await new Promise((go) => { hurry = go; setTimeout(go, wait); });
    }
  }

  async function picture() {
    try {
      const answer = await fetch("/api/eye/picture");
      if (!answer.ok) throw new Error(answer.statusText);
      const bitmap = await createImageBitmap(await answer.blob());
      if (frozen) return;
      if (canvas.width !== bitmap.width) [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
      canvas.getContext("2d").drawImage(bitmap, 0, 0);
      node.dataset.seen = "yes";
    } catch {
      node.dataset.seen = "no";
    }
  }

  function told(eye, tray) {
    state = eye?.state ?? "";
    if (state && !following) follow();
    const [wide, high] = eye?.size ?? [640, 480];
    over.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    const lying = tray.state === "moving" ? [] : (tray.dice ?? []);
    over.replaceChildren(...lying.map((die) => outlined(die, wide)));
    canvas.setAttribute("aria-label", lying.length ? t("The tray: {dice}", { dice: lying.map((die) => `${t(NAMES[die.body] ?? die.body)} ${die.value || "?"}`).join(", ") }) : t("The tray, live"));
  }

  function outlined(die, wide) {
    const doubt = die.wrong.length || die.second || die.sure < 0.9 ? "doubt" : "";
    const size = wide / 34;
    const [x, y] = die.centre;
    const group = svg("g", { class: `seen ${die.body} ${doubt}`, "data-track": die.track });
    group.append(svg("polygon", { points: die.outline.map((point) => point.join(",")).join(" ") }));
    const said = words ? `${die.value || "?"} · ${Math.round(100 * die.sure)} %` : String(die.value || "?");
    group.append(svg("text", { x, y: y + die.size * 0.78 + size * 0.6, "font-size": size, "text-anchor": "middle" }, said));
    return group;
  }

  function share(event) {
    const box = over.getBoundingClientRect();
    const within = (value) => Math.max(0, Math.min(1, value));
    return [within((event.clientX - box.left) / box.width), within((event.clientY - box.top) / box.height)];
  }

  function hold(event) {
    const held = event.target.closest(".seen");
    if (!held) return;
    event.preventDefault();
    const from = share(event);
    const [wide, high] = [over.viewBox.baseVal.width, over.viewBox.baseVal.height];
    over.setPointerCapture(event.pointerId);
    held.classList.add("held");
    const move = (next) => {
      const [x, y] = share(next);
      held.setAttribute("transform", `translate(${(x - from[0]) * wide} ${(y - from[1]) * high})`);
    };
    const end = (next) => {
      over.removeEventListener("pointermove", move);
      held.classList.remove("held");
      held.removeAttribute("transform");
      if (next.type === "pointercancel") return;
      const [x, y] = share(next);
      const far = Math.hypot(x - from[0], y - from[1]) > 0.02;
      drag(from, far ? [x, y] : [Math.min(1, from[0] + 0.03), from[1]]);
    };
    over.addEventListener("pointermove", move);
    over.addEventListener("pointerup", end, { once: true });
    over.addEventListener("pointercancel", end, { once: true });
  }

  function stir() {
    until = Date.now() + STIRRED;
    hurry();
  }

  return { node, told, stir, freeze: (yes) => { frozen = yes; hurry(); } };
}

const NAMES = { black: "black", white: "white", blue: "light blue" };
