// What may be chosen: dice, spaces and groups are tapped where they are drawn, cards are the hand, the rest are buttons.

import { el, t } from "./core.js";
import { gem } from "./parts.js";

/** An offer, sorted: what the parts let be tapped, the part that is the hand, and what stands below. */
export function sorted({ choices, parts }) {
  const taps = { die: new Map(), space: new Map(), group: new Map() };
  const drawn = choices.map((choice, index) => ({ ...choice, index, kind: choice.drawn?.[0], which: choice.drawn?.[1] }));
  const has = (kind) => parts.some((part) => part.part === kind);
  const names = new Set(drawn.filter((one) => one.kind === "card").map((one) => one.which));
  const hand = parts.find((part) => part.part === "Cards" && part.cards.some(([name]) => names.has(name)));
  const held = new Set(hand?.cards.map(([name]) => name));
  const cards = [], below = [];
  for (const one of drawn) {
    if (one.kind === "die" && has("Dice")) taps.die.set(one.which, one);
    else if (one.kind === "space" && has("Track")) taps.space.set(one.which, [...(taps.space.get(one.which) ?? []), one]);
    else if (one.kind === "card" && held.has(one.which)) cards.push(one);
    else below.push(one);
    if (one.kind === "group") taps.group.set(one.which, one);
  }
  return { taps, hand, cards, below };
}

/** What a lesson calls good, the hand with what each card can do, the buttons; then cards that can do nothing. */
export function offered({ hand, cards, below }, pick) {
  const names = [...new Set(hand?.cards.map(([name]) => name))];
  const rows = names.map((name) => {
    const own = cards.filter((one) => one.which === name);
    const count = hand.cards.filter(([other]) => other === name).length;
    return { own, node: row(name, hand.cards.find(([other]) => other === name)[1], count, own, pick) };
  });
  const first = below.find((one) => one.good) ?? below.find((one) => !one.barred && !one.leaves);
  const able = [...rows.filter((one) => one.own.length).map(({ own, node }) => ({ good: own.some((one) => one.good), node })),
    ...below.map((one) => ({ good: one.good, node: button(one, pick, one === first && !cards.length ? "first" : "") }))];
  const idle = rows.filter((one) => !one.own.length);
  return [...able.filter((one) => one.good), ...able.filter((one) => !one.good), ...idle].map((one) => one.node);
}

function button(one, pick, more = "") {
  const kind = one.barred ? "barred" : one.leaves ? "leaves" : one.good ? `good ${more}` : more;
  return el("button", { type: "button", class: `choice ${kind}`, onclick: () => pick(one.index) },
    el("span", { class: "label" }, one.kind === "tile" ? gem(one.which) : null, one.label),
    one.detail || one.barred ? el("small", {}, one.detail, one.barred ? barred(one.barred) : null) : null);
}

function barred(rule) {
  return el("span", { class: "cited" }, el("span", { "aria-hidden": "true" }, rule), el("span", { class: "unseen" }, t("not now: rule {rule}", { rule })));
}

/** A card that does one thing is one button; one that does several has a small one for each. */
function row(name, note, count, own, pick) {
  if (own.length === 1 && own[0].label === name) return button(own[0], pick, "card-choice");
  const called = count > 1 ? `${name} ×${count}` : name;
  const afters = new Set(own.filter((one) => !one.barred).map((one) => around(one.detail, note)[1]));
  const shared = afters.size === 1 && own.length > 1 ? [...afters][0] : ""; // said of each: it belongs to the card
  return el("div", { class: own.length ? "card-row" : "card-row idle", role: "group", "aria-label": name },
    el("span", { class: "card-name" }, el("b", {}, called), el("small", {}, [note, shared].filter(Boolean).join(", "))),
    own.length ? el("span", { class: "chips" }, own.map((one) => chip(one, name, note, pick, !shared))) : null);
}

function chip(one, name, note, pick, single) {
  const [before, after] = one.barred ? ["", ""] : around(one.detail, note);
  const short = trimmed(one.label.replace(name, "")) || one.label;
  return el("button", { type: "button", class: `choice chip ${one.barred ? "barred" : one.good ? "good" : ""}`, onclick: () => pick(one.index) },
    el("span", { class: "unseen" }, `${name}: `), el("span", { class: "label" }, short), before || (single && after) ? el("small", {}, before || after) : null, one.barred ? el("span", { class: "unseen" }, t("not now: rule {rule}", { rule: one.barred })) : null);
}

/** What a detail says before and after the note that stands with the card already. */
function around(detail, note) {
  const at = note ? detail.indexOf(note) : -1;
  return at < 0 ? [detail, ""] : [trimmed(detail.slice(0, at)), trimmed(detail.slice(at + note.length))];
}

function trimmed(said) {
  return said.replace(/^[\s:：;；、,，・]+|[\s:：;；、,，・]+$/g, "");
}
