// A seat's own page, or the public one: what there is to see, and what there is to choose.

import { Feed, command, el, hello, plate, post, shaken, speak, t } from "./core.js";
import { move, parts } from "./parts.js";

export function seat(main, me) {
  document.body.classList.remove("at-table");
  const own = me.panel !== null;
  const title = el("h1", { class: "title" });
  const waiting = el("p", { class: "waiting" });
  const others = el("p", { class: "how others" });
  const newest = el("p", { class: "newest" });
  const notice = el("p", { class: "notice", hidden: true });
  const board = el("div", { class: "parts" });
  const log = el("ol", { class: "log" });
  const choices = el("div", { class: "choices", role: "group", "aria-label": t("Your choices") });
  const menu = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => act("menu", { opened: menu.dataset.open !== "yes" }) });
  const roll = el("button", { type: "button", class: "roll roll-here", hidden: true, onclick: throwDice }, el("span", { class: "label" }, t("Roll")), el("small", {}, t("or shake the phone")));
  const leave = el("button", { type: "button", class: "quiet", onclick: signOff }, t("Stand up"));
  const name = el("span", { class: "name" });
  let claiming = null;
  let busy = false;

  const head = el("section", { class: own ? `paper head ${plate(me.panel, me.panels[me.panel])}` : "paper head" }, own ? name : null, title, waiting, others, newest, own ? null : notice);
  const told = el("section", { class: "paper", "aria-label": t("The table") }, board);
  const past = el("details", { class: "paper past" }, el("summary", {}, t("Last moves")), log);
  const page = el("div", { class: own ? "seat own-seat" : "seat" }, head, told, past);
  if (own) page.append(el("div", { class: "hand" }, notice, roll, choices, el("div", { class: "row" }, menu, leave)));
  else page.append((claiming = claim(main, me)));
  main.replaceChildren(page);

  const feed = new Feed(own ? "seat" : "public", changed, { lost: async () => {
    speak(t("This phone no longer speaks for the seat."));
    seat(main, await hello());
  } });

  function changed(document, keys, first) {
    title.textContent = document.title;
    waiting.textContent = document.waiting;
    if (keys.has("notice")) note(document.notice);
    if (own) name.textContent = document.panels[me.panel].name;
    if (keys.has("parts")) board.replaceChildren(...parts(document.parts));
    told.hidden = !document.parts.length;
    if (keys.has("log")) {
      log.replaceChildren(...document.log.map((one) => move(one)).reverse());
      newest.replaceChildren(...document.log.slice(-1).map((one) => move(one, "span")));
    }
    past.hidden = newest.hidden = !document.log.length;
    const called = document.panels.filter((one) => one.lamp && one.seat !== null).map((one) => one.name);
    others.hidden = document.lamp || Boolean(document.menu) || !called.length;
    others.textContent = t("The table waits for {who}.", { who: called.join(", ") });
    if (own && keys.has("choices")) offer(document);
    roll.hidden = !(own && document.asked && document.eye?.twin && document.lamp);
    if (own && keys.has("menu")) {
      menu.hidden = document.menu === null;
      menu.dataset.open = document.menu ? "yes" : "no";
      menu.textContent = document.menu ? t("Back") : t("Menu");
    }
    page.dataset.called = own && document.lamp ? "yes" : "no";
    if (!own && keys.has("panels")) claiming?.told(document.panels);
    if (!first) {
      const last = keys.has("log") && document.log.at(-1)?.told;
      speak(last, keys.has("waiting") && document.waiting, keys.has("notice") && document.notice);
    }
  }

  function offer(document) {
    const inside = choices.contains(globalThis.document.activeElement);
    choices.replaceChildren(...document.choices.map((choice, index) =>
      el("button", { type: "button", class: choice.barred ? "choice barred" : "choice", onclick: () => act("choose", { index, offered: feed.document.offered }) },
        el("span", { class: "label" }, choice.label),
        choice.detail ? el("small", {}, choice.detail) : null,
        choice.barred ? el("small", { class: "rule" }, t("not now: rule {rule}", { rule: choice.barred })) : null)));
    if (inside) choices.querySelector("button")?.focus();
  }

  async function act(verb, body) {
    if (busy) return;
    busy = true;
    document.body.dataset.busy = "yes";
    const answer = await command(`/api/panels/${me.panel}/${verb}`, body);
    if (answer.ok) await feed.reaches(answer.told.offered);
    note(answer.ok ? feed.document.notice : answer.said);
    document.body.dataset.busy = "no";
    busy = false;
    if (!answer.ok) speak(answer.said);
  }

  async function throwDice() {
    const answer = await command("/api/tray/throw", {});
    note(answer.ok ? feed.document.notice : answer.said);
    if (!answer.ok) speak(answer.said);
  }

  function note(said) {
    notice.textContent = said;
    notice.hidden = !said;
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

function claim(main, me) {
  const seats = me.panels.map((name, number) => {
    const box = el("input", { type: "radio", name: "panel", value: number, required: true });
    return { box, node: el("label", { class: `pick ${plate(number, name)}` }, box, el("span", {}, name)) };
  });
  const code = el("input", { name: "code", id: "code", required: true, maxlength: 6, minlength: 6, autocomplete: "one-time-code", autocapitalize: "characters", spellcheck: "false", "aria-describedby": "how" });
  const said = el("p", { class: "notice", role: "alert", hidden: true });
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
    said.textContent = answer.status === 403 ? t("This is not the code on that seat's display.") : answer.said;
    said.hidden = false;
    code.select();
  }
  return form;
}
