// A card as it would be printed: figures large, icons in its corner, links at the edges they sit on.

import { el } from "./core.js";

const SLOT = { up: "top", left: "left", down: "bottom", right: "right" };
const EDGE = { up: "bottom", left: "right", down: "top", right: "left" }; // the link faces the character

/** Draws it; a tap on a value calls `go` with its field. Values that nobody has proven look so. */
export function face(one, go) {
  const placed = Map.groupBy(one.rows, (row) => row.place);
  const at = (place) => placed.get(place) ?? [];
  const title = at("name").find((row) => row.says === one.name) ?? at("name")[0];
  const lines = [...placed.keys()].filter((place) => place.startsWith("line "));
  return el("div", { class: "drawn-card" },
    el("div", { class: "drawn-top" }, el("div", { class: "drawn-name" }, title ? mark(title, one.name) : one.name), el("div", { class: "drawn-icons" }, at("icon").map(icon))),
    el("div", { class: "drawn-figures" }, at("figure").map((row) => mark(row, el("small", {}, row.label), el("b", {}, row.says)))),
    at("text").length ? el("div", { class: "drawn-text" }, at("text").map((row) => mark(row, el("small", {}, row.label), " ", row.says))) : "",
    lines.map((line) => el("div", { class: "drawn-line" }, placed.get(line).map((row) => mark(row, el("small", {}, row.label), " ", row.says)))),
    el("div", { class: "drawn-foot" }, at("foot").map((row) => mark(row, el("small", {}, row.label), " ", row.says))),
    at("edge").flatMap(edges), Object.keys(SLOT).flatMap((side) => at(`edge ${side}`).map((row) => marked(row, `drawn-edge ${SLOT[side]}`, el("span", { "aria-hidden": "true" }, row.says)))));

  function mark(row, ...inside) {
    return marked(row, "", ...inside);
  }

  function marked(row, where, ...inside) {
    const told = { class: `drawn-value ${row.source} ${where}`, "data-to": row.field, title: `${row.label} · ${row.from}` };
    return go && row.open ? el("button", { ...told, type: "button", "aria-label": where ? `${row.label}: ${row.says}` : null, onclick: () => go(row.field) }, ...inside) : el("span", told, ...inside);
  }

  /** A flag is drawn when it is printed, and faintly when it is not. */
  function icon(row) {
    const made = marked(row, "icon", row.bounds ? row.label : row.says);
    made.classList.toggle("off", row.value === 0 || row.value === "");
    return made;
  }

  /** Dots at the card's own edges: a card for the character's left side has its link on the right. */
  function edges(row) {
    const sides = String(row.value).split(" ").filter(Boolean);
    return sides.map((side) => marked(row, `drawn-edge ${EDGE[side]}`, el("span", { "aria-hidden": "true" }, "●")));
  }
}
