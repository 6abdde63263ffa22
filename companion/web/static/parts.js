// What a view is made of, drawn for a page: lines, meters, dice, a track, a grid, cards, slots.

import { el, svg, t } from "./core.js";

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

/** What was done, and the rule that it follows; the table's own word follows none. */
export function move(one, tag = "li") {
  return el(tag, { class: "move" }, el("span", {}, one.told), one.rule
    ? el("span", { class: "cited" }, el("span", { "aria-hidden": "true" }, one.rule), el("span", { class: "unseen" }, t("rule {rule}", { rule: one.rule })))
    : null);
}

function line(part) {
  return el("p", { class: part.big ? "line big" : "line" }, part.text);
}

function meter(part) {
  const shown = part.top === null ? `${part.value}` : `${part.value} / ${part.top}`;
  const row = el("div", { class: "meter" }, el("span", { class: "label" }, part.label), el("span", { class: "value" }, shown));
  if (part.top) {
    const bar = el("span", { class: "fill" });
    const share = Math.max(0, Math.min(1, part.value / part.top));
    bar.style.setProperty("--share", share);
    row.append(el("span", { class: "rail", role: "meter", "aria-label": part.label, "aria-valuemin": 0, "aria-valuemax": part.top, "aria-valuenow": Math.max(0, Math.min(part.value, part.top)) }, bar));
  }
  return row;
}

function dice(part) {
  return el("div", { class: "dice-row" }, part.label ? el("span", { class: "label" }, part.label) : null, el("span", { class: "dice" }, part.dice.map(die)));
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

function track(part) {
  const spaces = [];
  for (let number = 1; number <= part.spaces; number++) {
    const here = part.pieces.filter((piece) => piece.space === number);
    spaces.push(el("li", { class: "space" }, el("span", { class: "pieces" }, here.map(samurai)), el("span", { class: "number" }, String(number))));
  }
  return el("ol", { class: "track", "aria-label": t("The battlefield") }, spaces);
}

function grid(part) {
  const rows = part.rows;
  const table = el("div", { class: "grid", role: "img", "aria-label": rows.map((row) => row.map((cell) => cell.sign || ".").join(" ")).join(" / ") });
  table.style.setProperty("--columns", rows[0]?.length ?? 1);
  rows.forEach((row, y) =>
    row.forEach((cell, x) => {
      const group = (other) => (other && other.group === cell.group ? "" : "edge");
      const one = el("span", { class: `cell ${cell.lit ? "lit" : ""}`, "data-group": cell.group }, cell.sign, cell.mark ? el("small", { class: "mark" }, cell.mark) : null);
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
  return table;
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

const KINDS = { Line: line, Meter: meter, Dice: dice, Track: track, Grid: grid, Cards: cards, Cross: cross, Code: code };

/** All parts of a view, most important first. */
export function parts(list) {
  return list.map((part) => (KINDS[part.part] ?? line)(part));
}
