// A game that ended, step by step: its board, its numbers over time, the proof that the box kept its word.

import { el, get, plate, speak, svg, t } from "./core.js";
import { beats, ending as picture, move, parts } from "./parts.js";

/** How it ended, in a line. */
export function ending(game) {
  if (game.result) return game.lesson ? `${t("lesson")}: ${game.result.why}` : game.result.why;
  if (game.rests) return t("set aside");
  return game.ended ? t("given up") : t("running");
}

/** A game step by step. `me` is who looks, `open` shows it through other eyes, `more` stands below the board. */
export function replay(shown, me, game, { open, more = () => "" }) {
  const last = game.steps.length - 1;
  const told = el("h3", {});
  const led = el("div", { class: "story" });
  const board = el("div", { class: "parts" });
  const range = el("input", { type: "range", min: 0, max: last, value: last, "aria-label": t("Step"), oninput: () => go(Number(range.value)) });
  const eyes = el("select", { "aria-label": t("Through whose eyes"), onchange: () => open(eyes.value === "" ? null : Number(eyes.value)) },
    el("option", { value: "" }, t("Public")),
    game.ended ? game.seats.map((name, seat) => el("option", { value: seat, selected: game.seat === seat }, name)) : null);
  const back = el("button", { type: "button", class: "quiet", onclick: () => go(at - 1) }, t("Step back"));
  const on = el("button", { type: "button", class: "quiet", onclick: () => go(at + 1) }, t("Step on"));
  const drawn = chart(game, me);
  const result = game.steps.at(-1).result ?? game.result;
  const panels = me.panels.map((colour, number) => ({ colour, seat: game.panels.indexOf(number) }));
  const found = el("div", { class: "checks" });
  const check = game.ended ? el("button", { type: "button", class: "quiet", onclick: () => verify(game, found) }, t("Check the box")) : null;
  let at = 0;
  shown.replaceChildren(
    el("h2", {}, `${game.name}: ${game.seats.join(" · ")}`), result ? picture({ result, names: game.seats, panels, seat: null }) : el("p", {}, ending(game)),
    el("div", { class: "steps" }, back, range, on, eyes), told, led, drawn.node ?? "", board,
    more(go),
    el("p", {}, el("a", { href: `${game.at}/export`, download: "" }, t("Export (JSON lines)"))), seedCode(game.seed_code, game.began), game.seed ? el("p", { class: "code" }, t("Seed {seed}", { seed: game.seed })) : "", check ?? "", found);
  go(last, true);

  function go(step, quiet = false) {
    at = Math.max(0, Math.min(last, step));
    range.value = at;
    back.disabled = at === 0;
    on.disabled = at === last;
    const one = game.steps[at];
    told.replaceChildren(`${at}. `, move({ ...one, game: game.game }, "span"));
    board.replaceChildren(el("p", { class: "label" }, [...new Set([one.title, one.waiting])].join(" · ")), ...parts(one.parts));
    led.replaceChildren(beats(one.beats.map((beat) => ({ ...beat, game: game.game }))));
    drawn.mark?.(at);
    if (!quiet) speak(one.told, ...one.beats.map((beat) => beat.says));
  }
}

/** The code whole: whoever wants proof keeps it before the game ends. */
export function seedCode(code, since) {
  return code ? el("p", { class: "code" }, t("Seed code {code}", { code }), el("small", {}, ` · ${new Date(since * 1000).toLocaleString()}`)) : "";
}

async function verify(game, found) {
  const { ok, told, said } = await get(`${game.at}/verify`);
  if (!ok) return found.replaceChildren(el("p", { class: "notice", role: "alert" }, said));
  const verdict = { holds: t("The box kept its word."), broken: t("This is not the game that the box was bound to."), unverifiable: t("It cannot be verified.") }[told.verdict];
  found.replaceChildren(el("p", { class: told.verdict === "broken" ? "notice" : "said", role: "status" }, verdict), ...told.notes.map((note) => el("p", {}, note)),
    el("ul", {}, told.checks.map((one) => el("li", {}, `${one.holds ? "✓" : "✗"} ${one.seq ? `${one.seq}. ` : ""}${one.says}`))));
  speak(verdict);
}

/** The curve of whatever names a seat has that seat's colour. */
function strokes(labels, { seats, panels }, me) {
  return labels.map((label, at) => {
    const seat = seats.findIndex((name) => label.includes(name));
    return seat < 0 || panels[seat] === null || panels[seat] >= me.panels.length ? `c${at}` : `own ${plate(panels[seat], me.panels[panels[seat]])}`;
  });
}

function chart({ steps, ...game }, me) {
  const plain = (label) => label.replace(/^[^\p{L}\p{N}]+/u, ""); // marks such as ">" say whose turn it was
  const labels = [...new Set(steps.flatMap((step) => step.meters.map((meter) => plain(meter.label))))].slice(0, 6);
  if (!labels.length || steps.length < 2) return {};
  const wide = 640, high = 200, left = 34, foot = 24;
  const top = Math.max(1, ...steps.flatMap((step) => step.meters.map((meter) => meter.top ?? meter.value)));
  const x = (n) => left + ((wide - left - 8) * n) / (steps.length - 1);
  const y = (value) => 8 + (high - foot - 8) * (1 - value / top);
  const drawn = svg("svg", { class: "chart", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": t("Numbers over time: {labels}", { labels: labels.join(", ") }) });
  drawn.append(svg("line", { class: "axis", x1: left, y1: y(0), x2: wide - 8, y2: y(0) }), svg("line", { class: "axis", x1: left, y1: 8, x2: left, y2: y(0) }));
  drawn.append(svg("text", { x: left - 6, y: 14, "text-anchor": "end" }, String(top)), svg("text", { x: left - 6, y: y(0), "text-anchor": "end" }, "0"), svg("text", { x: wide - 8, y: high - 6, "text-anchor": "end" }, t("{n} moves", { n: steps.length - 1 })));
  const colours = strokes(labels, game, me);
  labels.forEach((label, at) => {
    let path = "";
    let before = null;
    steps.forEach((step, n) => {
      const meter = step.meters.find((one) => plain(one.label) === label);
      if (!meter) return void (path += before === null ? "" : `H${x(n)}`); // what is not shown has not changed
      path += before === null ? `M${x(n)} ${y(meter.value)}` : `H${x(n)}V${y(meter.value)}`;
      before = meter.value;
    });
    drawn.append(svg("path", { class: colours[at], d: path }));
  });
  const now = svg("line", { class: "now", y1: 8, y2: y(0) });
  drawn.append(now);
  const keys = el("ul", { class: "key-row" }, labels.map((label, at) => el("li", {}, svg("svg", { viewBox: "0 0 16 6", "aria-hidden": "true" }, svg("line", { class: colours[at], x1: 0, y1: 3, x2: 16, y2: 3, "stroke-width": 3 })), label)));
  return { node: el("figure", {}, drawn, keys), mark: (n) => { now.setAttribute("x1", x(n)); now.setAttribute("x2", x(n)); } };
}

/** Six bars and the band of fair dice. */
export function bars(one) {
  const wide = 240, high = 96, foot = 14, step = wide / 6;
  const top = Math.max(one.high * 1.15, ...one.counts);
  const y = (count) => (high - foot) * (1 - count / top);
  const drawn = svg("svg", { class: "chart bars", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `${one.name}: ${one.counts.join(", ")}` });
  drawn.append(svg("rect", { class: "band", x: 0, y: y(one.high), width: wide, height: y(one.low) - y(one.high) }));
  one.counts.forEach((count, at) => drawn.append(
    svg("rect", { class: one.verdict === "loaded" && (count < one.low || count > one.high) ? "bar out" : "bar", x: at * step + 6, y: y(count), width: step - 12, height: high - foot - y(count) }),
    svg("text", { x: (at + 0.5) * step, y: high - 2, "text-anchor": "middle" }, String(at + 1))));
  const hand = one.by_hand ? el("small", {}, t("{n} of them were entered by hand.", { n: one.by_hand })) : "";
  return el("figure", {}, el("figcaption", { class: one.verdict === "loaded" ? "notice" : null }, one.says), drawn, hand);
}
