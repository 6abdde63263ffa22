// What every page needs: words, elements, commands that are sent once, and the feed.

let dictionary = {};

/** A text of the page in the table's language: t("{n} seats", {n: 3}). */
export function t(template, values = {}) {
  const said = dictionary[template] ?? template;
  return said.replace(/\{(\w+)\}/g, (hole, key) => values[key] ?? hole);
}

/** Who this browser is here; also learns the words. */
export async function hello() {
  const told = await needed("/api/hello");
  dictionary = told.words;
  document.documentElement.lang = told.language.replace("_", "-");
  for (const one of document.querySelectorAll("[data-t]")) one.textContent = t(one.textContent.trim());
  document.title = document.title.split(" · ").map((part) => t(part)).join(" · ");
  return told;
}

/** An element: el("p", {class: "big", onclick: f}, "text", child). */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  set(node, attributes);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** The same for pictures. */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(node, attributes);
  node.append(...children.flat());
  return node;
}

function set(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
}

function fresh() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Send a command. A lost network is tried again with the same id, so it is done once. */
export async function command(path, body) {
  const sent = JSON.stringify({ id: fresh(), ...body });
  for (let turn = 0; ; turn++) {
    try {
      return await post(path, sent);
    } catch (error) {
      if (turn === 3) return { ok: false, said: t("The table does not answer.") };
      await new Promise((go) => setTimeout(go, 300 * 2 ** turn));
    }
  }
}

/** Ask for something. Whatever goes wrong comes back as `said`, for the page to show. */
export async function get(path) {
  try {
    const answer = await fetch(path);
    const told = await answer.json();
    return { ok: answer.ok, told, said: answer.ok ? "" : told.detail };
  } catch {
    return { ok: false, told: null, said: t("The table does not answer.") };
  }
}

/** The same for what a page is nothing without: where it fails, the page says so and ends. */
export async function needed(path) {
  const { ok, told, said } = await get(path);
  if (ok) return told;
  document.querySelector("#main").replaceChildren(el("p", { class: "notice", role: "alert" }, said));
  throw new Error(said);
}

export async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body });
  const told = await answer.json();
  return { ok: answer.ok, status: answer.status, said: told.detail ?? told.notice ?? "", told };
}

/** Listens to a viewer's document; goes on where it was after a sleep. */
export class Feed {
  constructor(viewer, changed, { lost = () => {} } = {}) {
    this.viewer = viewer;
    this.changed = changed;
    this.lost = lost;
    this.document = {};
    this.number = null;
    this.epoch = "";
    this.pause = 300;
    this.hidden = 0;
    this.connect();
    addEventListener("online", () => this.again());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.hidden = Date.now();
      else if (Date.now() - this.hidden > 10000) this.again();
    });
  }

  connect() {
    const at = this.number === null ? "" : `&since=${this.number}&epoch=${this.epoch}`;
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
    const socket = new WebSocket(`${address}/api/feed?as=${this.viewer}${at}`);
    this.socket = socket;
    socket.onopen = () => this.live(true);
    socket.onmessage = (message) => this.take(JSON.parse(message.data));
    socket.onclose = (event) => {
      if (socket !== this.socket) return;
      this.live(false);
      if (event.code === 4401) return this.lost();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 2, 5000);
    };
  }

  /** Until the offer with this number is shown, or a second has passed: a thumb is never locked. */
  reaches(offered) {
    return new Promise((go) => {
      const end = Date.now() + 1000;
      const look = () => (this.document.offered >= offered || Date.now() > end ? go() : setTimeout(look, 10));
      look();
    });
  }

  again() {
    clearTimeout(this.timer);
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.connect();
  }

  live(yes) {
    if (yes) this.pause = 300;
    document.body.dataset.live = yes ? "yes" : "no";
    const said = document.querySelector("#live");
    if (said) said.textContent = yes ? t("live") : t("stale: looking for the table");
  }

  take(message) {
    const first = this.number === null;
    let keys;
    if (message.all) {
      keys = new Set([...Object.keys(this.document), ...Object.keys(message.all)]);
      if (!first) keys = new Set([...keys].filter((k) => JSON.stringify(this.document[k]) !== JSON.stringify(message.all[k])));
      this.document = message.all;
      this.epoch = message.epoch;
    } else {
      Object.assign(this.document, message.set);
      for (const key of message.gone ?? []) delete this.document[key];
      keys = new Set([...Object.keys(message.set), ...(message.gone ?? [])]);
    }
    this.number = message.n;
    this.changed(this.document, keys, first);
    document.body.dataset.entry = this.document.entry; // of the journal: what stands on the page
  }
}

let voice = false;

/** Whether the browser's own voice speaks here; a screen reader is then told nothing, so that nothing is said twice. */
export function voiced(on) {
  voice = on && "speechSynthesis" in globalThis;
  document.querySelector("#spoken")?.setAttribute("aria-live", voice ? "off" : "polite");
  if (!voice) globalThis.speechSynthesis?.cancel();
}

/** Say what changed, and nothing else: to the screen reader, or aloud. */
export function speak(...sentences) {
  const region = document.querySelector("#spoken");
  const said = [...new Set(sentences.filter(Boolean))];
  const stop = document.documentElement.lang.startsWith("ja") ? "。" : ".";
  if (region && said.length) region.textContent = said.map((one) => (/[.!?。！？]$/.test(one) ? one : one + stop)).join(" ");
  for (const one of voice ? said : []) {
    const words = new SpeechSynthesisUtterance(one);
    words.lang = document.documentElement.lang;
    speechSynthesis.speak(words);
  }
}

/** Each browser reads in its own language; the table keeps the one of its settings. */
export function languageSwitch({ languages, language }) {
  const called = (one) => new Intl.DisplayNames([one], { type: "language" }).of(one);
  const choose = el("select", { class: "quiet", "aria-label": t("Language"), onchange: () => {
    document.cookie = `companion_language=${choose.value}; path=/; max-age=31536000; samesite=strict`;
    location.reload();
  } }, languages.map((one) => el("option", { value: one, selected: one === language }, called(one))));
  return choose;
}

/** The colour of a seat's plate. */
export function plate(panel, colour) {
  const known = ["red", "blue", "green", "yellow", "white", "black", "violet", "orange"];
  const name = colour.toLowerCase();
  return known.includes(name) ? name : known[panel % 5];
}

export function installable() {
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
}

/** Calls back when the phone is shaken; where the browser tells of motion (localhost, HTTPS). */
export function shaken(then) {
  let last = 0;
  addEventListener("devicemotion", ({ acceleration: now }) => {
    if (!now || Math.hypot(now.x ?? 0, now.y ?? 0, now.z ?? 0) < 15 || Date.now() - last < 1500) return;
    last = Date.now();
    then();
  });
}
