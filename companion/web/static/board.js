// The scoreboard for the television: whose move, how it stands, what the dice say, what happened.

import { Feed, el, hello, languageSwitch, plate, speak, t } from "./core.js";
import { heardSwitch, sound } from "./heard.js";
import { News } from "./news.js";
import { mark } from "./words.js";
import { beats, die, ending, latest, move, parts, untold, whoWon } from "./parts.js";

const me = await hello();
let before = null;
document.querySelector("#live").before(languageSwitch(me), heardSwitch());
const game = el("p", { class: "over" });
const title = el("h1", { class: "title" });
const waiting = el("p", { class: "waiting" });
const notice = el("p", { class: "notice", hidden: true });
const story = el("div", { class: "story", hidden: true });
const news = new News();
const numbers = new Map();
const end = el("div", { class: "end", hidden: true });
const turns = el("ul", { class: "turns", "aria-label": t("Seats") });
const stand = el("div", { class: "parts paper" });
const picture = el("img", { class: "picture", alt: "" });
const lying = el("div", { class: "dice" });
const said = el("p", { class: "said" });
const tray = el("section", { class: "felt", "aria-label": t("The tray") }, picture);
const read = el("div", { class: "paper", hidden: true }, lying, said);
const log = el("ol", { class: "log", "aria-label": t("Last moves") });
const board = el("div", { class: "board" },
  el("div", { class: "now" }, turns, game, title, waiting, story, notice), end, stand,
  el("div", { class: "side" }, tray, read, el("section", { class: "paper past" }, el("h2", {}, t("Last moves")), log)));
document.querySelector("#main").replaceChildren(board);

new Feed("public", (view, keys, first) => {
  game.textContent = view.title === view.name ? "" : view.name;
  title.textContent = view.title;
  waiting.textContent = view.waiting;
  notice.textContent = view.notice;
  notice.hidden = !view.notice;
  notice.classList.toggle("good", view.demo);
  const players = view.panels.map((one, number) => ({ ...one, number })).filter((one) => !view.game || one.seat !== null);
  players.push(...view.company.map((one, number) => ({ ...one, number, colour: ["violet", "orange", "black", "white"][number] })));
  turns.replaceChildren(...players.map((one) => el("li", { class: `${plate(one.number, one.colour)} ${one.lamp ? "called" : ""}` }, el("span", { class: one.lamp ? "lamp lit" : "lamp", role: "img", "aria-label": one.lamp ? t("the table waits for this seat") : t("not waited for") }), one.name)));
  const told = latest(view);
  if (keys.has("beats")) story.replaceChildren(beats(told));
  story.hidden = !told.length || Boolean(view.result);
  if (keys.has("result")) end.replaceChildren(...(view.result ? [ending(view)] : []));
  title.hidden = waiting.hidden = !(end.hidden = !view.result);
  if (keys.has("parts") || keys.has("beats")) lay(view);
  stand.hidden = !view.parts.length;
  if (keys.has("log")) log.replaceChildren(...(view.log.length ? view.log.slice(-7).reverse().map((one) => move(one)) : [el("li", {}, t("Nothing yet."))]));
  if (keys.has("tray") || keys.has("dice")) seen(view);
  fit();
  mark(board, view);
  const fresh = news.take(view, first);
  sound(view, before, fresh);
  if (!first) speak(...fresh.said, keys.has("result") && view.result && whoWon(view), keys.has("result") && view.result?.why, keys.has("waiting") && view.waiting);
  before = { ...view };
});

const SMALLEST = 36; // percent
const room = matchMedia("(min-width: 64.01rem)"); // a television: there is no hand to scroll it
globalThis.addEventListener("resize", fit);

/** What is drawn stands first, in pairs; cards and sentences flow into as many columns as there is room for. */
function lay(view) {
  const list = untold(view);
  const flows = (part) => part.part === "Cards" || (part.part === "Line" && !part.big && !part.tiles?.length);
  stand.replaceChildren(...parts(list.filter((part) => !flows(part)), { before: numbers }), el("div", { class: "flow" }, parts(list.filter(flows))));
}

/** Smaller letters beside the moves, or across the whole screen under the newest: whichever stay larger. */
function fit() {
  if (!room.matches) {
    arrange(false, 0);
    return;
  }
  const beside = arrange(false, SMALLEST);
  if (beside < 84 && arrange(true, SMALLEST) <= beside) arrange(false, SMALLEST);
}

/** The largest letters, in percent, with which all of it is to be seen at once. */
function arrange(full, least) {
  board.classList.toggle("full", full);
  stand.style.fontSize = end.style.fontSize = "";
  const moves = [...log.children];
  moves.forEach((one, at) => (one.hidden = full && at > 2));
  if (!least) return 100;
  const low = () => log.getBoundingClientRect().bottom > innerHeight - 48;
  for (const one of moves.slice(3).reverse()) if (low()) one.hidden = true;
  for (let size = 100; size > least; size -= 4) {
    stand.style.fontSize = end.style.fontSize = `${size / 100}em`;
    if (document.documentElement.scrollHeight <= innerHeight) return size;
  }
  return least;
}

function seen({ tray: now, dice }) {
  tray.hidden = read.hidden = !now.dice || !dice;
  if (tray.hidden) return;
  if (now.picture) picture.src = `/api/tray.jpg?roll=${now.roll}`;
  picture.alt = t("The tray at the last roll");
  lying.replaceChildren(...now.dice.map((one) => die({ ...one, mark: one.wrong.length ? "doubt" : "" })));
  picture.parentElement.hidden = !now.picture;
  said.textContent = now.state === "moving" ? t("The dice are moving.") : now.accepted === false ? t("Not sure: the table asks.") : "";
}
