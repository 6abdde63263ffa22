// The table without hardware: every glass, every button, the tray; as it would stand there.

import { Feed, command, el, plate, shaken, speak, t } from "./core.js";
import { bezel, glass, paint } from "./glass.js";
import { News } from "./news.js";
import { beats, ending, latest, parts } from "./parts.js";
import { cite } from "./rules.js";
import { tray } from "./tray.js";

const ROWS = ["qwer", "uiop", "asdf", "hjkl", "zxcv"];
const KEYS = ["previous", "next", "select", "back"];
const SIGNS = { previous: "◀", next: "▶", select: "●", back: "↩" };
const FOOT = { 3: 2, 5: 0 }; // with so many panels, this one stands at the foot of the table
const ARROWS = { ArrowLeft: "previous", ArrowUp: "previous", ArrowRight: "next", ArrowDown: "next", Backspace: "back", Escape: "back" };

export function table(main, me) {
  document.body.classList.add("at-table");
  const names = { previous: t("previous"), next: t("next"), select: t("select"), back: t("back") };
  const own = glass(t("The table's display"));
  const dice = tray();
  const story = el("div", { class: "telling", hidden: true });
  const end = el("div", { class: "paper", hidden: true });
  const demo = el("section", { class: "paper demo", hidden: true });
  const lesson = el("section", { class: "lesson paper", "aria-label": t("What the lesson says"), hidden: true });
  const news = new News();
  const yours = el("p", { class: "yours" });
  let passing = 0;
  const panels = me.panels.map((name, number) => panel(number, name));
  const tabs = el("div", { class: "tabs", role: "group", "aria-label": t("Panels") }, panels.map((one) => one.tab));
  main.replaceChildren(
    el("h1", { class: "unseen" }, t("The table")), yours,
    el("div", { class: "wood", "data-seats": panels.length },
      el("div", { class: "middle" },
        el("section", { class: "own", "aria-label": t("The table's display") }, bezel(own), dice.names), dice.node, demo, end),
      story, tabs, panels.map((one) => one.node)),
    lesson,
  );
  show(0);
  document.querySelector("#live").before(el("ul", { class: "legend", "aria-label": t("Keys") },
    KEYS.map((key) => el("li", {}, `${SIGNS[key]} ${names[key]}`)), el("li", {}, el("kbd", {}, t("space bar")), ` ${t("Roll")}`)));

  const feed = new Feed("table", changed);
  addEventListener("keydown", typed);
  shaken(() => dice.roll());

  function changed(document, keys, first) {
    for (const key of keys) if (key.startsWith("glass:")) picture(document[key]);
    if (keys.has("panels")) document.panels.forEach((seat, number) => panels[number].told(seat, Boolean(document.game) && !document.demo));
    if (keys.has("panels") || keys.has("game")) offer(document);
    if (keys.has("lesson")) teach(document.lesson);
    if (["tray", "eye", "asked", "game"].some((key) => keys.has(key))) dice.told(document);
    if (keys.has("result")) {
      end.replaceChildren(...(document.result ? [ending(document), beats(latest(document).slice(-2))] : []));
      end.hidden = !document.result;
      main.classList.toggle("ended", Boolean(document.result));
    }
    demo.hidden = !document.demo || Boolean(document.result);
    main.classList.toggle("shows", document.demo && !document.result);
    if (document.demo && ["parts", "title", "waiting"].some((key) => keys.has(key))) demo.replaceChildren(el("p", { class: "how" }, document.notice), el("h2", {}, `${document.name}: ${document.title}`), el("p", { class: "waiting" }, document.waiting), el("div", { class: "parts" }, parts(document.parts)));
    const fresh = news.take(document, first);
    if (document.result) story.hidden = true; // what led to the end stands under it
    else if (fresh.beats.length) tell(fresh.beats.slice(-5));
    if (!first) speak(...fresh.said, keys.has("waiting") && document.waiting, keys.has("notice") && document.notice);
  }

  /** Before a game: what this is, and that the first panel is for whoever sits here. */
  function offer({ game, demo: shown, panels: [mine] }) {
    const [back, on, take] = ROWS[0].toUpperCase();
    const plays = Boolean(game) && !shown;
    yours.hidden = plays;
    panels[0].node.classList.toggle("offered", !plays && !mine.joined);
    yours.replaceChildren(el("span", {}, t("A table with a panel for each player.")), " ", el("strong", {}, mine.joined ? t("You are {name}.", mine) : t("You are {name}: {back} and {on} choose, {take} joins.", { name: mine.name, back, on, take })), " ", el("span", {}, t("The others join at their panels or by phone; the companion plays where you invite it.")), " ", el("span", {}, t("New here? Choose Teach me.")));
  }

  /** What a lesson says to whom, in full: a glass has it leaf by leaf. */
  function teach(list) {
    lesson.hidden = !list.length;
    lesson.replaceChildren(...list.map(({ name, says, rules, tip }, at) => el("p", { class: tip ? "tip" : "why" }, name === list[at - 1]?.name ? null : el("b", {}, `${name}: `), says, cite(rules))));
  }

  /** The beats pass over the table, as long as it takes to read them. */
  function tell(list) {
    story.replaceChildren(beats(list));
    story.hidden = false;
    clearTimeout(passing);
    passing = setTimeout(() => (story.hidden = true), 2500 + 1200 * list.length);
  }

  function picture(told) {
    if (!told) return;
    const at = told.panels.length ? told.panels.map((number) => panels[number].glass) : [own];
    for (const canvas of at) {
      paint(canvas, told.frame);
      canvas.setAttribute("aria-label", told.says.join(". "));
    }
  }

  function panel(number, name) {
    const canvas = glass(name);
    const label = el("span", { class: "name" }, name);
    const lamp = el("span", { class: "lamp", role: "img" });
    const buttons = KEYS.map((key, at) =>
      el("button", { type: "button", class: `key ${key}`, "aria-label": `${name}: ${names[key]}`, "aria-keyshortcuts": ROWS[number][at], title: `${names[key]} (${ROWS[number][at]})`, "data-sign": SIGNS[key], "data-letter": ROWS[number][at], onclick: () => press(number, key) }),
    );
    const colour = plate(number, name);
    const node = el("section", { class: `panel ${colour}${number === FOOT[me.panels.length] ? " foot" : ""}`, "aria-label": t("Panel of {name}", { name }), "data-panel": number, onfocusin: () => show(number) },
      el("header", {}, lamp, label), bezel(canvas), el("div", { class: "keys" }, buttons));
    const dot = el("span", { class: "lamp" });
    const tab = el("button", { type: "button", class: `tab ${colour}`, onclick: () => show(number) }, dot, el("span", {}, name));
    function told(seat, playing) {
      label.textContent = seat.name;
      tab.lastChild.textContent = seat.name;
      for (const one of [lamp, dot]) one.classList.toggle("lit", seat.lamp);
      node.classList.toggle("called", seat.lamp && seat.seat !== null);
      node.classList.toggle("idle", playing && seat.seat === null);
      lamp.setAttribute("aria-label", seat.lamp ? t("lamp on: the table waits for this seat") : t("lamp off"));
    }
    return { node, tab, told, glass: canvas };
  }

  function show(number) {
    panels.forEach((one, at) => {
      one.node.classList.toggle("shown", at === number);
      one.tab.setAttribute("aria-pressed", at === number);
    });
  }

  async function press(number, key) {
    const answer = await command(`/api/panels/${number}/press`, { key });
    if (!answer.ok) speak(answer.said);
  }

  function typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
    const row = ROWS.findIndex((keys) => keys.includes(event.key));
    const inside = event.target.closest?.(".panel");
    if (row >= 0 && row < panels.length) press(row, KEYS[ROWS[row].indexOf(event.key)]);
    else if (inside && ARROWS[event.key]) press(Number(inside.dataset.panel), ARROWS[event.key]);
    else if (event.key === " " && event.target.tagName !== "BUTTON") dice.roll();
    else return;
    event.preventDefault();
  }
}
