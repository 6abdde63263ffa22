// My box: find a card by its printed name, see each value with its source, tell what is printed.

import { face } from "./card.js";
import { command, el, get, hello, needed, speak, svg, t } from "./core.js";

const me = await hello();
const mine = me.virtual || me.panel !== null;
document.body.dataset.live = "yes";
const asked = new URLSearchParams(location.search);
const games = await needed("/api/box");
const { told: now } = await get("/api/snapshot?as=public");
let game = games.find((one) => one.game === (asked.get("game") ?? now?.all?.game)) ?? games.find((one) => one.game === localStorage.box) ?? games[0];
let chosen = asked.get("card");
const path = (card) => `/api/box/${game.game}/${encodeURIComponent(card)}`;
let told = {}; // field by field, what is not saved yet

const tabs = el("div", { class: "chips", role: "group", "aria-label": t("Which game") }, games.map((one) =>
  el("button", { type: "button", class: "quiet", "data-game": one.game, onclick: () => pick(one) }, one.name)));
const search = el("input", { type: "search", id: "search", autocomplete: "off", oninput: () => list() });
const cards = el("ul", { class: "games" });
const shown = el("section", { class: "paper box-card", "aria-label": t("Card"), tabindex: "-1" });
const said = el("p", { role: "status" });
const bring = el("input", { type: "file", id: "bring", accept: ".toml", onchange: take });
const over = el("input", { type: "checkbox", id: "over" });
document.querySelector("#main").replaceChildren(el("div", { class: "history" },
  el("section", { class: "paper search", "aria-label": t("Cards") }, el("h1", {}, t("My box")), tabs,
    el("p", {}, el("label", { for: "search" }, t("Which card? Its printed name"))), search, said,
    mine ? el("button", { type: "button", class: "quiet", id: "add", onclick: () => add() }, t("Add a card that is not listed")) : el("p", {}, t("To change the box, claim a seat first.")),
    cards,
    el("p", {}, el("a", { href: "/api/box.toml", download: "" }, t("Take my box along (.toml)"))),
    mine ? el("div", { class: "file" }, el("label", { for: "bring" }, t("Bring a box (.toml)")), bring, el("label", {}, over, " ", t("Theirs counts where both tell a value"))) : null),
  shown));
if (game) await pick(game);
else shown.replaceChildren(el("p", {}, t("No game here has cards.")));

async function pick(one) {
  if (one !== game) chosen = null;
  game = one;
  localStorage.box = game.game;
  document.querySelector("#add")?.toggleAttribute("hidden", !game.kinds.length);
  for (const tab of tabs.children) tab.setAttribute("aria-pressed", tab.dataset.game === game.game);
  shown.replaceChildren(el("p", {}, t("Choose a card to see what is printed on it.")));
  await list();
  if (chosen) await open(chosen);
}

async function list() {
  const wanted = search.value, asks = (one) => get(`/api/box/${one.game}?search=${encodeURIComponent(wanted)}`);
  const { ok, told: found, said: why } = await asks(game);
  if (ok && wanted && !found.length) { // a name of another game's card leads there
    for (const other of games.filter((one) => one !== game)) if ((await asks(other)).told?.length) return search.value === wanted ? pick(other) : null;
  }
  if (!ok) return cards.replaceChildren(el("li", { class: "notice", role: "alert" }, why));
  cards.replaceChildren(...found.map((one) => el("li", {}, el("button", { type: "button", "data-card": one.card, "aria-current": one.card === chosen ? "true" : null, onclick: () => open(one.card) },
    el("strong", {}, one.name), el("small", {}, `${one.kind} · ${one.ours ? t("{n} values of ours", { n: one.ours }) : t("as printed")}`)))));
}

async function open(card) {
  const { ok, told: one, said: why } = await get(path(card));
  if (!ok) return shown.replaceChildren(el("p", { class: "notice", role: "alert" }, why));
  chosen = card;
  for (const row of cards.querySelectorAll("button")) row.toggleAttribute("aria-current", row.dataset.card === card);
  draw(one);
  if (shown.getBoundingClientRect().top > innerHeight / 4) shown.scrollIntoView();
}

function draw(one) {
  told = {};
  const save = el("button", { type: "button", class: "quiet save", disabled: true, onclick: () => keep(one) }, t("Save"));
  const drawn = el("div", {}, face(one, mine ? lead : null));
  const change = (field, value) => {
    told[field] = value;
    save.disabled = false;
    const row = one.rows.find((each) => each.field === field);
    Object.assign(row, { value, says: says(row, value), source: "owner" });
    drawn.replaceChildren(face(one, lead));
  };
  shown.replaceChildren(el("header", { class: "printed" }, el("h2", {}, one.name), el("p", {}, one.kind), mine && one.photo ? photo(one) : ""), drawn,
    ...one.rows.map((row) => value(row, one.hints[row.field], change)),
    mine ? el("div", { class: "row last" }, save, camera(one), forget(one)) : "");
}

/** From a value on the drawn card to what it may be. */
function lead(field) {
  const set = shown.querySelector(`[data-row="${field}"]`);
  set.scrollIntoView({ block: "center" });
  set.querySelector("button, input, select")?.focus({ preventScroll: true });
}

function says(row, value) {
  const known = (one) => row.offers.find((offer) => offer.value === one)?.says ?? String(one);
  return row.field === "links" ? String(value).split(" ").map(known).join(", ") : known(value);
}

/** One value: what it is, where we have it from, and what else it may be. */
function value(row, hint, change) {
  const source = el("small", { class: `source ${row.source}` }, row.from);
  const id = `field-${row.field}`;
  if (!row.open || !mine) return el("div", { class: "value", "data-row": row.field }, el("span", { class: "label" }, row.label), el("b", {}, row.says), source);
  if (row.field === "links") return el("fieldset", { class: "value", "data-row": row.field }, el("legend", {}, row.label), source, sides(row, change), el("p", { class: "hint" }, hint));
  if (row.offers.length && row.offers.length <= 21) {
    const chips = el("div", { class: "chips" }, row.offers.map((one) => el("button", { type: "button", class: "quiet", "aria-pressed": String(one.value === row.value), "data-value": one.value, onclick: ({ currentTarget }) => {
      for (const chip of chips.children) chip.setAttribute("aria-pressed", chip === currentTarget);
      change(row.field, one.value);
    } }, one.says)));
    const other = row.free ? el("label", { class: "other" }, t("Something else:"), " ", line(row, id, change, "")) : "";
    return el("fieldset", { class: "value", id: `set-${row.field}`, "data-row": row.field }, el("legend", {}, row.label), source, chips, other);
  }
  const known = row.offers.some((one) => one.value === row.value);
  const field = known
    ? el("select", { id, onchange: () => change(row.field, row.offers[field.selectedIndex].value) }, row.offers.map((one) => el("option", { selected: one.value === row.value }, one.says)))
    : line(row, id, change, row.value);
  const other = known && row.free ? el("label", { class: "other" }, t("Something else:"), " ", line(row, `${id}-other`, change, "")) : "";
  return el("div", { class: "value", "data-row": row.field }, el("label", { class: "label", for: id }, row.label), field, source, other);
}

function line(row, id, change, now) {
  const known = el("datalist", { id: `${id}-known` }, row.offers.map((one) => el("option", { value: one.value }, one.says)));
  const numbers = row.bounds ? { type: "number", min: row.bounds[0], max: row.bounds[1], inputmode: "numeric" } : { type: "text", maxlength: 200 };
  const field = el("input", { ...numbers, id, value: now, list: row.offers.length ? known.id : null, "aria-label": row.label, oninput: () => change(row.field, row.bounds ? Number(field.value) : field.value) });
  return el("span", {}, field, known);
}

/** Where a card fits: the sides of the character, which stands in the middle; the dot is the link, at the card's edge. */
function sides(row, change) {
  const now = new Set(String(row.value).split(" ").filter(Boolean));
  const order = ["up", "left", "down", "right"];
  const dot = { up: [20, 36], down: [20, 4], left: [36, 20], right: [4, 20] };
  const called = Object.fromEntries(row.offers.filter((one) => order.includes(one.value)).map((one) => [one.value, one.says]));
  return el("div", { class: "sides" }, order.map((side) => {
    const button = el("button", { type: "button", class: `quiet ${side}`, "aria-pressed": String(now.has(side)), "data-value": side, onclick: () => {
      if (!now.delete(side)) now.add(side);
      button.setAttribute("aria-pressed", String(now.has(side)));
      change(row.field, order.filter((one) => now.has(one)).join(" "));
    } }, svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, svg("rect", { x: 4, y: 4, width: 32, height: 32, rx: 4 }), svg("circle", { cx: dot[side][0], cy: dot[side][1], r: 4 })), called[side] ?? side);
    return button;
  }), el("span", { class: "middle" }, t("Character")));
}

async function keep(one) {
  const answer = await command(path(one.card), { values: told });
  await after(answer, one.card);
}

async function after(answer, card) {
  const says = answer.ok ? answer.told.notice || t("Kept. It counts from the next game on.") : answer.said;
  said.className = answer.ok ? "said" : "notice";
  said.textContent = says;
  speak(says);
  if (!answer.ok) return said.scrollIntoView({ block: "center" });
  chosen = card;
  await list();
  if (card) await open(card);
  else shown.replaceChildren(el("p", {}, t("Choose a card to see what is printed on it.")));
}

function forget(one) {
  const again = el("button", { type: "button", class: "quiet", onclick: async () => {
    if (again.dataset.sure) return after(await command(`${path(one.card)}/forget`, {}), one.known ? one.card : null);
    again.dataset.sure = "yes";
    again.textContent = t("Really? What you told of it is lost.");
  } }, t("As shipped, after all"));
  return again;
}

/** A card that we do not know: its kind is one tap, the rest is as on any card. */
function add() {
  const name = el("input", { id: "new-name", maxlength: 40, autocomplete: "off" });
  name.value = search.value;
  shown.replaceChildren(el("h2", {}, t("Add a card that is not listed")),
    el("p", {}, el("label", { for: "new-name" }, t("Name on the card"))), name,
    el("div", { class: "chips", role: "group", "aria-label": t("Kind") }, game.kinds.map(({ kind, says }) => el("button", { type: "button", class: "quiet", "data-kind": kind, onclick: async () => {
      const answer = await command(`/api/box/${game.game}`, { name: name.value || says, kind, values: game.game === "swordcrafters" ? { gems: "red", pays: "1" } : {} });
      search.value = "";
      await after(answer, answer.told?.card);
    } }, says))));
  shown.scrollIntoView();
  name.focus();
}

function photo(one) {
  return el("img", { src: `${path(one.card)}/photo?${Date.now()}`, alt: t("Photograph of {card}", { card: one.name }) });
}

/** The phone's own camera; made small here, so that nothing but the card is kept. */
function camera(one) {
  const input = el("input", { type: "file", id: "photo", accept: "image/*", capture: "environment", class: "unseen", onchange: async () => {
    const [file] = input.files;
    if (file) await send(one, await small(file).catch(() => file));
  } });
  const remove = one.photo ? el("button", { type: "button", class: "quiet", onclick: () => send(one, new Blob([])) }, t("Remove the photograph")) : "";
  return el("span", {}, input, el("label", { class: "quiet as-button", for: "photo" }, t("Photograph it")), remove);
}

async function small(file) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, 900 / Math.max(picture.width, picture.height));
  const canvas = el("canvas", { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.8));
}

async function send(one, picture) {
  const answer = await fetch(`${path(one.card)}/photo`, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: picture }).then(async (got) => ({ ok: got.ok, told: await got.json() })).catch(() => ({ ok: false, told: { detail: t("The table does not answer.") } }));
  await after({ ...answer, said: answer.told.detail }, one.card);
}

async function take() {
  const [file] = bring.files;
  if (!file) return;
  const answer = await fetch(`/api/box.toml?theirs_win=${over.checked}`, { method: "POST", headers: { "Content-Type": "application/toml" }, body: await file.text() }).then(async (got) => ({ ok: got.ok, told: await got.json() })).catch(() => ({ ok: false, told: { detail: t("The table does not answer.") } }));
  bring.value = "";
  if (answer.ok) answer.told.notice ||= t("{n} values from this box.", { n: answer.told.values });
  await after({ ...answer, said: answer.told.detail }, chosen);
}
