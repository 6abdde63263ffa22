// What a view is made of, drawn for a page: lines, meters, dice, a track, a grid, cards, slots.

import { el, plate, svg, t } from "./core.js";
import { cite } from "./rules.js";

const PIPS = {
  1: [[2, 2]],
  2: [[1, 1], [3, 3]],
  3: [[1, 1], [2, 2], [3, 3]],
  4: [[1, 1], [1, 3], [3, 1], [3, 3]],
  5: [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]],
  6: [[1, 1], [1, 2], [1, 3], [3, 1], [3, 2], [3, 3]],
};

/** A die as it lies there. */
export function die({ body, value, mark = "", sign = "" }) {
  const name = { black: t("black"), white: t("white"), blue: t("light blue") }[body] ?? body;
  const label = value ? `${name} ${sign || value}` : t("{body}, not read", { body: name });
  const drawn = svg("svg", { viewBox: "0 0 40 40", class: `die ${body} ${mark}`, role: "img", "aria-label": mark ? `${label}, ${t(mark)}` : label });
  drawn.append(svg("rect", { x: 1.5, y: 1.5, width: 37, height: 37, rx: 8 }));
  for (const [x, y] of (sign ? null : PIPS[value]) ?? []) drawn.append(svg("circle", { cx: x * 10, cy: y * 10, r: 3.6 }));
  if (sign || !PIPS[value]) drawn.append(svg("text", { x: 20, y: 28, "text-anchor": "middle", "font-size": sign.length > 2 ? 16 : 22 }, sign || (value ? String(value) : "?")));
  return drawn;
}

/** What was done, the rule that it follows (the table's own word follows none), and what it led to. */
export function move(one, tag = "li") {
  return el(tag, { class: "move" }, el("span", {}, one.told), cite(one.rule, one), tag === "li" && one.beats?.length ? beats(one.beats) : null);
}

/** What a move led to, in its order; the one to remember is big. */
export function beats(list) {
  return el("ul", { class: "beats" }, list.map((one) => el("li", { class: `beat weight-${one.weight}` }, el("span", {}, one.says), cite(one.rule, one))));
}

/** The newest beats, from the last one to remember on: what a slower glass still turns leaves of is old here. */
export function latest({ beats: list, result }) {
  const last = list.filter((one) => one.weight && one.says !== result?.why).slice(-5);
  return last.slice(Math.max(0, last.findLastIndex((one, at) => one.weight > 1 && last[at - 1]?.weight !== 2)));
}

/** Who won, in the reader's own terms; nothing where nobody did. */
export function whoWon({ result: { winners }, names, seat }) {
  if (!winners.length) return "";
  if (seat !== null) return winners.includes(seat) ? t("You win!") : t("You lose.");
  return t("{who}: won!", { who: winners.map((one) => names[one]).join(", ") });
}

/** How it ended: who won, why, and what every score is made of. */
export function ending({ result, names, panels, seat }) {
  const { winners, why, scores } = result;
  const won = whoWon({ result, names, seat });
  const most = Math.max(1, ...scores.map((one) => one.total));
  const colour = (one) => panels.map((panel, number) => (panel.seat === one ? plate(number, panel.colour) : "")).join("");
  const rows = [...scores].sort((one, other) => other.total - one.total).map(({ seat: one, total, breakdown }) => {
    const fill = el("span", { class: "fill" });
    fill.style.setProperty("--share", Math.max(0, total) / most);
    return el("li", { class: `score ${colour(one)} ${winners.includes(one) ? "winner" : ""}` },
      el("span", { class: "who" }, names[one]), el("b", {}, String(total)), el("span", { class: "rail", "aria-hidden": "true" }, fill),
      breakdown.length ? el("ul", { class: "made-of" }, breakdown.map(([what, n]) => el("li", {}, `${what} `, el("b", {}, String(n))))) : null);
  });
  return el("section", { class: "ending", "aria-label": t("How it ended") }, won ? el("h2", { class: "won" }, won) : null, el("p", { class: won ? "why" : "why won" }, why), rows.length ? el("ol", { class: "scores" }, rows) : null);
}

const GEMS = { R: "Red", B: "Blue", G: "Green", P: "Purple", Y: "Yellow", O: "Orange", F: "Forge", "-": "Blank" };

/** A tile: its colour and its sign; in brackets one of the guard, a small letter is a guess. */
export function gem(sign) {
  const letter = sign.replace(/[[\]]/g, "");
  return el("span", { class: `gem gem-${GEMS[letter.toUpperCase()] ?? "none"} ${sign === letter ? "" : "guard"}`, "aria-hidden": "true" }, letter === "-" ? "" : letter);
}

function legend() {
  return el("ul", { class: "gem-legend", "aria-label": t("Gems") }, Object.entries(GEMS).slice(0, 6).map(([sign, name]) => el("li", {}, gem(sign), t(name))));
}

/** A side of a sword, from the guard to the tip. */
function side(part) {
  const [name] = part.text.split(part.tiles.join(" "));
  return el("p", { class: "side", role: "img", "aria-label": part.text }, el("span", { class: "label" }, name.replace(/[:：]\s*$/, "")), el("span", { class: "blade" }, part.tiles.map(gem)));
}

function line(part) {
  return part.tiles?.length ? side(part) : el("p", { class: part.big ? "line big" : "line" }, part.text);
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const MOVES = 600; // milliseconds that a number takes to become another

function meter(part, { before }) {
  const value = el("span", { class: "value" });
  const bar = el("span", { class: "fill" });
  const show = (now) => {
    value.textContent = part.top === null ? `${Math.round(now)}` : `${Math.round(now)} / ${part.top}`;
    if (part.top) bar.style.setProperty("--share", Math.max(0, Math.min(1, now / part.top)));
  };
  const label = part.words || part.label;
  const row = el("div", { class: "meter" }, el("span", { class: "label" }, label), value);
  if (part.top) row.append(el("span", { class: "rail", role: "meter", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": part.top, "aria-valuenow": Math.max(0, Math.min(part.value, part.top)) }, bar));
  const key = part.key || part.label;
  const was = before?.get(key) ?? part.value;
  before?.set(key, part.value);
  show(part.value);
  if (was !== part.value) moved(row, show, was, part.value);
  return row;
}

/** A number goes from what it was to what it is, and says by how much. */
function moved(row, show, was, now) {
  row.classList.add("changed");
  row.lastChild.before(el("span", { class: "by", "aria-hidden": "true" }, `${now < was ? "−" : "+"}${Math.abs(now - was)}`));
  if (calm.matches) return;
  const start = performance.now();
  const step = (time) => {
    const done = Math.min(1, Math.max(0, time - start) / MOVES);
    show(was + (now - was) * done);
    if (done < 1) requestAnimationFrame(step);
  };
  show(was);
  requestAnimationFrame(step);
}

function dice(part, { taps }) {
  const drawn = part.dice.map((one, at) => {
    const tap = taps?.die.get(at);
    return tap ? el("button", { type: "button", class: "tap", "aria-label": tap.label, onclick: () => taps.pick(tap.index) }, die(one)) : die(one);
  });
  return el("div", { class: "dice-row" }, part.label ? el("span", { class: "label" }, part.label) : null, el("span", { class: "dice" }, drawn));
}

function samurai(piece) {
  const drawn = svg("svg", { viewBox: "0 0 48 60", class: `piece ${piece.facing} ${piece.hurt ? "hurt" : ""}`, role: "img", "aria-label": `${piece.sign}: ${piece.raised ? t("sword high") : t("sword low")}${piece.hurt ? ", " + t("hurt") : ""}` });
  const turned = svg("g", { class: "turned" });
  const [x, y] = piece.raised ? [42, 4] : [46, 50];
  turned.append(svg("path", { class: "robe", d: "M16 22 L32 22 L40 56 L8 56 Z" }));
  turned.append(svg("circle", { class: "head", cx: 24, cy: 13, r: 8 }), svg("path", { class: "knot", d: "M20 5 L28 5 L25 1 L22 1 Z" }));
  turned.append(svg("line", { class: "blade", x1: 29, y1: 33, x2: x, y2: y }), svg("circle", { class: "fist", cx: 29, cy: 33, r: 3.4 }));
  drawn.append(turned, svg("text", { x: 23, y: 48, "text-anchor": "middle", class: "sign" }, piece.sign));
  if (piece.hurt) drawn.append(svg("path", { class: "wound", d: "M12 28 L32 52" }));
  return drawn;
}

function track(part, { taps }) {
  const spaces = [];
  for (let number = 1; number <= part.spaces; number++) {
    const here = part.pieces.filter((piece) => piece.space === number);
    spaces.push(el("li", { class: "space" }, el("span", { class: "pieces" }, here.map(samurai)),
      taps?.space.get(number)?.map((tap) => el("button", { type: "button", class: "choice chip", "aria-label": tap.label, onclick: () => taps.pick(tap.index) }, tap.label.replace(/^\d+\s*[,、]?\s*/, ""))) ?? null, el("span", { class: "number" }, String(number))));
  }
  return el("ol", { class: "track", "aria-label": t("The battlefield") }, spaces);
}

function grid(part, { taps }) {
  const rows = part.rows;
  const table = el("div", { class: "grid", role: "img", "aria-label": rows.map((row) => row.map((cell) => cell.sign || ".").join(" ")).join(" / ") });
  table.style.setProperty("--columns", rows[0]?.length ?? 1);
  rows.forEach((row, y) =>
    row.forEach((cell, x) => {
      const group = (other) => (other && other.group === cell.group ? "" : "edge");
      const tap = taps?.group.get(cell.group);
      const one = el("span", { class: `cell ${cell.lit ? "lit" : ""} ${tap ? "tap" : ""}`, "data-group": cell.group, onclick: () => tap && taps.pick(tap.index) }, cell.sign.trim() && cell.sign !== "?" ? gem(cell.sign) : cell.sign, cell.mark ? el("small", { class: "mark" }, cell.mark) : null);
      if (group(rows[y - 1]?.[x])) one.classList.add("top");
      if (group(rows[y + 1]?.[x])) one.classList.add("bottom");
      if (group(row[x - 1])) one.classList.add("left");
      if (group(row[x + 1])) one.classList.add("right");
      table.append(one);
    }),
  );
  if (part.cut) {
    const [[r1, c1], [r2, c2]] = part.cut;
    const wide = rows[0].length, high = rows.length;
    table.append(svg("svg", { class: "cut", viewBox: `0 0 ${wide} ${high}`, preserveAspectRatio: "none" }, svg("line", { x1: c1, y1: r1, x2: c2, y2: r2 })));
  }
  return el("div", { class: "tiles" }, table, legend());
}

function cards(part) {
  const each = part.cards.map(([name, note]) => el("li", { class: "card" }, el("span", {}, name), note ? el("small", {}, note) : null));
  return el("div", { class: "cards" }, el("span", { class: "label" }, part.label), el("ul", {}, each.length ? each : el("li", { class: "card none" }, "–")));
}

function cross(part) {
  const places = ["up", "left", "down", "right"];
  const slots = part.slots.map((slot, at) => el("li", { class: `slot ${places[at]} ${slot.lit ? "lit" : ""}` }, el("b", {}, slot.sign), el("span", {}, slot.name || "–")));
  return el("ul", { class: "cross" }, el("li", { class: "middle" }, el("span", {}, part.middle), part.note ? el("small", {}, part.note) : null), slots);
}

function code(part) {
  const side = part.rows.length + 8;
  const drawn = svg("svg", { viewBox: `0 0 ${side} ${side}`, class: "code", role: "img", "aria-label": `${part.label}: ${part.says}`, "shape-rendering": "crispEdges" });
  const dark = part.rows.flatMap((row, y) => [...row].map((cell, x) => (cell === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : "")));
  drawn.append(svg("rect", { width: side, height: side, fill: "#fff" }), svg("path", { d: dark.join(""), fill: "#000" }));
  return el("figure", { class: "code-row" }, drawn, el("figcaption", {}, el("strong", {}, part.label), " ", part.says));
}

function endingPart(part) {
  const points = part.tallies.map((one) => el("li", { class: one.won ? "won" : "" }, el("b", {}, `${one.who} ${one.total}`), one.breakdown.map(([what, n]) => el("small", {}, ` ${what} ${n}`))));
  return el("section", { class: "ending" }, el("h2", {}, part.says), part.why ? el("p", {}, part.why) : null, points.length ? el("ul", {}, points) : null);
}

const KINDS = { Line: line, Meter: meter, Dice: dice, Track: track, Grid: grid, Cards: cards, Cross: cross, Code: code, Ending: endingPart };

/** All parts of a view, most important first. `before` remembers the numbers that were shown, `taps` what can be chosen here. */
export function parts(list, { before = null, taps = null } = {}) {
  return list.map((part) => (KINDS[part.part] ?? line)(part, { before, taps }));
}

/** The parts of a view without the sentences that were told already, as beats or as the last move. */
export function untold({ parts: list, beats: told, log, title }) {
  const said = new Set([...told.map((one) => one.says), ...log.slice(-1).map((one) => one.told)]);
  return list.filter((part) => part.part !== "Line" || (part.big ? part.text !== title : !said.has(part.text)));
}
