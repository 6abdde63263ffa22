// Every table of the venue at once, as large as there is room for.

import { Feed } from "/static/core.js";
import { el, enter, notice, t } from "./hall.js";

const FULL = [19, 11.5], SMALL = [9.3, 5.2]; // letters that a tile needs, across and down
const READABLE = 13, LEAST = 11, MOST = 34; // pixels of a letter: for a full tile, for any, and no more
const TURN = 10; // seconds until the next tables come, where not all of them fit
const me = await enter();
const ahead = me.now * 1000 - Date.now();
const tiles = el("ul", { class: "wall", "aria-label": t("Tables") });
const trouble = notice(t("The broker does not answer: what stands here is old."));
const which = el("p", { class: "which" });
const known = new Map(); // table: its tile
let first = 0, each = Infinity;
document.querySelector("#main").replaceChildren(trouble, tiles, which);
trouble.hidden = true;

new Feed("public", (view, keys) => {
  trouble.hidden = view.broker;
  for (const key of keys) {
    if (!key.startsWith("table ")) continue;
    const new_ = view[key] && tile(view[key]);
    if (!new_) known.delete(key);
    else known.set(key, new_);
  }
  lay();
});
addEventListener("resize", lay);
setInterval(() => { for (const one of known.values()) clock(one); }, 15000);
setInterval(() => { if (known.size > each) { first = first + each < known.size ? first + each : 0; lay(); } }, TURN * 1000);

const order = new Intl.Collator(undefined, { numeric: true });

/** Those whose turn it is, in the largest letters in which they fit. */
function lay() {
  fit();
  const all = [...known].sort(([a], [b]) => order.compare(a, b)).map(([, one]) => one);
  if (first >= all.length) first = 0;
  tiles.replaceChildren(...(all.length ? all.slice(first, first + each) : [el("li", { class: "none" }, t("No table was heard yet."))]));
  which.textContent = all.length > each ? t("{first} to {last} of {all} tables", { first: first + 1, last: Math.min(first + each, all.length), all: all.length }) : "";
}

function fit() {
  const phone = matchMedia("(max-width: 48rem)").matches;
  const wide = innerWidth - 24, high = innerHeight - tiles.getBoundingClientRect().top - scrollY - 40;
  let small = false, [size, columns] = best(known.size, wide, high, FULL);
  if (size < READABLE) [small, [size, columns]] = [true, best(known.size, wide, high, SMALL)];
  each = phone || size >= LEAST ? Infinity : Math.max(1, Math.floor(wide / (SMALL[0] * LEAST)) * Math.floor(high / (SMALL[1] * LEAST)));
  if (each < Infinity) [size, columns] = best(each, wide, high, SMALL);
  tiles.classList.toggle("phone", phone);
  tiles.classList.toggle("small", small && !phone);
  tiles.style.setProperty("--columns", columns);
  tiles.style.minHeight = phone ? "" : `${high}px`;
  tiles.style.fontSize = phone ? "" : `${Math.min(MOST, size)}px`;
}

/** The largest letters for so many tiles, and in how many columns. */
function best(count, wide, high, [across, down]) {
  let found = [0, 1];
  for (let columns = 1; columns <= Math.max(1, count); columns++) {
    const size = Math.min(wide / columns / across, high / Math.ceil(count / columns) / down);
    if (size > found[0]) found = [size, columns];
  }
  return found;
}

function tile(one) {
  const said = { online: "", offline: t("off"), stale: t("stale") }[one.presence];
  const meters = (one.counters ?? []).map(([name, value, top]) => {
    const row = el("li", { class: "meter" }, el("span", { class: "label" }, name), el("span", { class: "value" }, top ? `${value} / ${top}` : String(value)));
    if (top) {
      const fill = el("span", { class: "fill" });
      fill.style.setProperty("--share", Math.max(0, Math.min(1, value / top)));
      row.append(el("span", { class: "rail", role: "meter", "aria-label": name, "aria-valuemin": 0, "aria-valuemax": top, "aria-valuenow": Math.max(0, Math.min(value, top)) }, fill));
    }
    return row;
  });
  const story = one.over ? [one.result] : one.beats?.length ? one.beats : [one.last];
  const node = el("li", { class: `tile ${one.presence} ${one.over ? "over" : ""}`, "data-began": one.over ? null : one.began },
    el("header", {}, el("h2", {}, one.name), said ? el("b", { class: "presence" }, said) : el("time", {})),
    el("p", { class: "game" }, one.game || t("Nothing is played.")),
    el("p", { class: "phase" }, one.over ? t("over") : one.phase),
    el("p", { class: "turn" }, one.over ? one.result : (one.turn ?? []).join(", ")),
    meters.length ? el("ul", { class: "meters" }, meters) : null,
    el("ul", { class: "story" }, story.filter(Boolean).map((beat) => el("li", {}, beat))));
  clock(node);
  return node;
}

function clock(node) {
  const began = Number(node.dataset.began), shown = node.querySelector("time");
  if (began && shown) shown.textContent = t("{n} min", { n: Math.max(0, Math.floor((Date.now() + ahead - began * 1000) / 60000)) });
}
