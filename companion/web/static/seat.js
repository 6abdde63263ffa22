// A seat's own page, or the public one: what there is to see, and what there is to choose.

import { Feed, command, el, hello, languageSwitch, plate, post, shaken, speak, t } from "./core.js";
import { heardSwitch, sound } from "./heard.js";
import { offered, sorted } from "./choices.js";
import { News } from "./news.js";
import { beats, ending, latest, move, parts, untold, whoWon } from "./parts.js";
import { cite, sentence } from "./rules.js";
import { mark } from "./words.js";

export function seat(main, me) {
  document.body.classList.remove("at-table");
  const own = me.panel !== null;
  const title = el("h1", { class: "title" });
  const waiting = el("p", { class: "waiting" });
  const others = el("p", { class: "how others" });
  const newest = el("p", { class: "newest" });
  const story = el("div", { class: "story", hidden: true });
  const tip = el("p", { class: "tip", hidden: true });
  const end = el("div", { hidden: true });
  const news = new News();
  const numbers = new Map();
  const notice = el("p", { class: "notice", hidden: true });
  const board = el("div", { class: "parts" });
  const more = el("details", { class: "more" }, el("summary", {}, t("More")), el("div", { class: "parts" }));
  const log = el("ol", { class: "log" });
  const choices = el("div", { class: "choices", role: "group", "aria-label": t("Your choices") });
  const menu = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => act("menu", { opened: menu.dataset.open !== "yes" }) });
  const roll = el("button", { type: "button", class: "roll roll-here", hidden: true, onclick: throwDice }, el("span", { class: "label" }, t("Roll")), el("small", {}, t("or shake the phone")));
  const called = el("input", { id: "called", maxlength: 12, autocomplete: "nickname", value: localStorage.called ?? "" });
  const naming = el("form", { class: "naming", hidden: true, onsubmit: rename }, el("label", { for: "called" }, t("Your name")), called, el("button", { type: "submit", class: "quiet" }, t("That's me")));
  const leave = el("button", { type: "button", class: "quiet", onclick: signOff }, t("Stand up"));
  const name = el("span", { class: "name" });
  let claiming = null;
  let busy = false;
  let passing = 0;
  let before = null;
  let greeted = ""; // the name that was given; one that was refused is not given again

  const head = el("section", { class: own ? `paper head ${plate(me.panel, me.panels[me.panel])}` : "paper head" }, own ? name : null, end, title, waiting, story, tip, others, newest, own ? naming : null, own ? null : notice);
  const told = el("section", { class: "paper", "aria-label": t("The table") }, board, more);
  const past = el("details", { class: "paper past" }, el("summary", {}, t("Last moves")), log);
  const page = el("div", { class: own ? "seat own-seat" : "seat" }, head, told, past);
  if (own) page.append(el("div", { class: "hand" }, notice, roll, choices, el("div", { class: "row" }, menu, languageSwitch(me), heardSwitch(), leave)));
  else page.append((claiming = claim(main, me)), el("div", { class: "row" }, languageSwitch(me), heardSwitch()));
  main.replaceChildren(page);

  const feed = new Feed(own ? "seat" : "public", changed, { lost: async () => {
    speak(t("This phone no longer speaks for the seat."));
    seat(main, await hello());
  } });

  function changed(document, keys, first) {
    title.textContent = document.title;
    waiting.textContent = document.waiting;
    if (keys.has("notice")) note(document.notice, document.bad);
    tip.hidden = !document.tip;
    if (keys.has("tip")) tip.replaceChildren(document.tip, cite(document.tip_rules) ?? "");
    if (own) name.textContent = document.panels[me.panel].name;
    if (own && keys.has("panels")) greet(document);
    const offer = sorted(own ? document : { ...document, choices: [] });
    offer.taps.pick = (index) => act("choose", { index, offered: feed.document.offered });
    if (["parts", "beats", "choices"].some((key) => keys.has(key))) lay(document, offer);
    if (keys.has("beats")) {
      const shown = latest(document);
      story.replaceChildren(beats(shown));
      story.hidden = !shown.length;
    }
    if (keys.has("result")) {
      end.replaceChildren(...(document.result ? [ending(document)] : []));
      end.hidden = !document.result;
      title.hidden = waiting.hidden = Boolean(document.result);
    }
    if (keys.has("log")) {
      log.replaceChildren(...document.log.map((one) => move(one)).reverse());
      newest.replaceChildren(...document.log.slice(-1).map((one) => move(one, "span")));
    }
    past.hidden = !document.log.length;
    newest.hidden = past.hidden || document.beats.some((one) => document.log.at(-1).told.includes(one.says));
    const called = [...document.panels, ...document.company].filter((one) => one.lamp && one.seat !== null).map((one) => one.name);
    others.hidden = document.lamp || Boolean(document.menu) || !called.length;
    others.textContent = t("The table waits for {who}.", { who: called.join(", ") });
    if (own && (keys.has("choices") || keys.has("parts"))) show(offer);
    roll.hidden = !(own && document.asked && document.eye?.twin && document.lamp);
    if (own && keys.has("menu")) {
      menu.hidden = document.menu === null;
      menu.dataset.open = document.menu ? "yes" : "no";
      menu.textContent = document.menu ? t("Back") : t("Menu");
    }
    page.dataset.called = own && document.lamp ? "yes" : "no";
    if (!own && keys.has("panels")) claiming?.told(document.panels);
    fold();
    mark(page, document);
    const fresh = news.take(document, first);
    sound(document, before, fresh);
    const over = keys.has("result") && document.result;
    if (!first) speak(...fresh.said, over && whoWon(document), over?.why, !over && keys.has("title") && document.title, document.lamp && before?.lamp === false && t("Your turn."), keys.has("waiting") && document.waiting, keys.has("tip") && document.tip, keys.has("notice") && document.notice);
    before = { ...document };
  }

  /** What hurts or helps stays in sight: numbers, what is tapped, what comes first; the rest folds away where it has no room. */
  function lay(document, offer) {
    const list = untold(document).filter((part) => part !== offer.hand);
    const drawn = parts(list, { before: numbers, taps: offer.taps });
    const tapped = { Dice: offer.taps.die.size, Track: offer.taps.space.size, Grid: 1 };
    let rest = 0;
    drawn.forEach((node, at) => (node.dataset.keep = list[at].part === "Meter" || list[at].big || tapped[list[at].part] || rest++ < 2 ? "yes" : ""));
    board.replaceChildren(...drawn);
    more.lastChild.replaceChildren(); // what was folded away is among these
    told.hidden = !list.length;
  }

  /** Called when the choices stand, too: only then it is known what room is left. */
  function fold() {
    const inside = more.lastChild;
    board.append(...inside.children);
    more.hidden = true;
    const full = () => page.lastChild.getBoundingClientRect().height + told.getBoundingClientRect().bottom + scrollY > innerHeight;
    for (const node of [...board.children].reverse()) {
      if (!own || !full()) break;
      if (node.dataset.keep) continue;
      inside.prepend(node);
      more.hidden = false;
    }
  }

  function show(offer) {
    const inside = choices.contains(globalThis.document.activeElement);
    choices.replaceChildren(...offered(offer, offer.taps.pick));
    if (inside) choices.querySelector("button")?.focus();
  }

  async function act(verb, body) {
    if (busy) return;
    busy = true;
    document.body.dataset.busy = "yes";
    const answer = await command(`/api/panels/${me.panel}/${verb}`, body);
    if (answer.ok) await feed.reaches(answer.told.offered);
    note(answer.ok ? feed.document.notice : answer.said, !answer.ok || feed.document.bad);
    document.body.dataset.busy = "no";
    busy = false;
    if (!answer.ok) speak(answer.said);
  }

  /** Before a game the seat gets its name: the one that this phone remembers, or what is typed. */
  function greet({ game, panels }) {
    const mine = panels[me.panel];
    naming.hidden = Boolean(game) || !mine.joined;
    if (!mine.joined) greeted = "";
    if (naming.hidden || !localStorage.called || mine.name === localStorage.called || greeted === localStorage.called) return;
    greeted = localStorage.called; // not by `act`: the press that joined is still on its way
    command(`/api/panels/${me.panel}/name`, { name: greeted });
  }

  function rename(event) {
    event.preventDefault();
    const name = called.value.trim();
    if (!name) return;
    localStorage.called = greeted = name;
    act("name", { name });
  }

  async function throwDice() {
    const answer = await command("/api/tray/throw", {});
    note(answer.ok ? feed.document.notice : answer.said, !answer.ok || feed.document.bad);
    if (!answer.ok) speak(answer.said);
  }

  /** A refusal stands until something else is done; good news passes by itself. */
  function note(said, bad) {
    notice.replaceChildren(...sentence(said));
    notice.hidden = !said;
    notice.classList.toggle("good", !bad);
    clearTimeout(passing);
    passing = setTimeout(() => {
      notice.hidden = true;
      fold();
    }, bad ? 20000 : 5000);
  }

  if (own) shaken(() => !roll.hidden && page.isConnected && throwDice());

  /** Asked for twice: one wrong tap, and the code must be fetched from the panel again. */
  async function signOff() {
    if (leave.dataset.asked) return void (await post("/api/leave", "{}"));
    leave.dataset.asked = "yes";
    leave.textContent = t("Really stand up?");
    speak(leave.textContent);
    setTimeout(() => {
      delete leave.dataset.asked;
      leave.textContent = t("Stand up");
    }, 6000);
  }
}

/** Whether the address that was scanned off a seat's glass is a seat for us; it works once. */
export async function sat(me) {
  const scanned = /^#(\d)([A-Z0-9]{6})$/.exec(location.hash);
  if (!scanned) return false;
  history.replaceState(null, "", location.pathname + location.search);
  const answer = await post("/api/claim", JSON.stringify({ panel: Number(scanned[1]), code: scanned[2] })).catch(() => ({ ok: false }));
  if (!answer.ok) me.refused = refusal(answer);
  return answer.ok;
}

/** Why a code is none: said in the page's language where it is known. */
function refusal({ status, said = t("The table does not answer.") }) {
  if (status === 410) return t("This code was used or is too old: the seat's display shows a new one.");
  return status === 403 ? t("This is not the code on that seat's display.") : said;
}

function claim(main, me) {
  const seats = me.panels.map((name, number) => {
    const box = el("input", { type: "radio", name: "panel", value: number, required: true });
    return { box, node: el("label", { class: `pick ${plate(number, name)}` }, box, el("span", {}, name)) };
  });
  const code = el("input", { name: "code", id: "code", required: true, maxlength: 6, minlength: 6, autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", "aria-describedby": "how" });
  const said = el("p", { class: "notice", role: "alert", hidden: !me.refused }, me.refused ?? "");
  const form = el("form", { class: "paper claim", onsubmit: send },
    el("h2", {}, t("Sit down")),
    el("fieldset", {}, el("legend", {}, t("Which seat is yours?")), el("div", { class: "picks" }, seats.map((one) => one.node))),
    el("label", { for: "code" }, t("Code on its display")), code,
    el("p", { id: "how", class: "how" }, t("Press back on the panel, then previous: the last page shows six letters.")),
    said, el("button", { type: "submit", class: "choice" }, t("Take the seat")));
  form.told = (panels) => panels.forEach((one, number) => (seats[number].node.lastChild.textContent = one.phone ? t("{name} (has a phone)", { name: one.name }) : one.name));

  async function send(event) {
    event.preventDefault();
    const panel = Number(new FormData(form).get("panel"));
    let answer;
    try {
      answer = await post("/api/claim", JSON.stringify({ panel, code: code.value }));
    } catch {
      answer = { ok: false, said: t("The table does not answer.") };
    }
    if (answer.ok) return seat(main, await hello());
    said.textContent = refusal(answer);
    said.hidden = false;
    code.select();
  }
  return form;
}
