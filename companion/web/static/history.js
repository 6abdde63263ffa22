// Games of the past: found, replayed step by step, drawn as a chart, taken along as a file.

import { command, el, get, hello, post, t } from "./core.js";
import { bars, ending, replay, seedCode } from "./replay.js";
import { eveningPage, turningPoints } from "./review.js";

const me = await hello();
document.body.dataset.live = "yes";
const search = el("input", { type: "search", id: "search", placeholder: t("Name, game, result"), oninput: () => list() });
const acts = me.virtual || me.panel !== null;
const refused = el("p", { class: "notice", role: "alert", hidden: true });
const games = el("ul", { class: "games" });
const people = el("details", { class: "fair", ontoggle: standings }, el("summary", {}, t("Players of this table")));
const fair = el("details", { class: "fair", ontoggle: weighed }, el("summary", {}, t("Are these dice fair?")));
const shown = el("section", { class: "paper", "aria-label": t("Replay"), tabindex: "-1" }, el("p", {}, t("Choose a game to see it again, move by move.")));
const bring = el("input", { type: "file", id: "bring", accept: ".jsonl", onchange: take });
document.querySelector("#main").replaceChildren(
  el("div", { class: "history" },
    el("section", { class: "paper search", "aria-label": t("Games") }, el("h1", {}, t("Games")), people, fair, el("p", {}, el("label", { for: "search" }, t("Search"))), search, refused, games,
      acts ? el("div", { class: "file" }, el("label", { for: "bring" }, t("Bring a game (.jsonl)")), bring) : null),
    shown),
);
const { ok: answers, told: now } = await get("/api/snapshot?as=public");
if (answers && now.all.seed.code) games.before(seedCode(now.all.seed.code, now.all.seed.since));
let most = 150; // games that are listed at once
let chosen = Number(new URLSearchParams(location.search).get("game")) || null;
await list();
if (chosen) open(chosen, null);

async function list() {
  const { ok, told: found, said } = await get(`/api/games?search=${encodeURIComponent(search.value)}`);
  if (!ok) return games.replaceChildren(el("li", { class: "notice", role: "alert" }, said));
  const older = el("li", {}, el("button", { type: "button", class: "quiet", onclick: () => { most *= 4; list(); } }, t("Older games")));
  games.replaceChildren(...found.slice(0, most).flatMap((game, at) => [
    found[at - 1]?.evening[0] === game.evening[0] ? null : evening(game, found),
    el("li", {}, el("button", { type: "button", "aria-current": game.number === chosen ? "true" : null, onclick: () => open(game.number, null) },
      el("strong", {}, game.name), el("span", {}, game.seats.join(" · ")),
      el("small", {}, `${new Date(game.began * 1000).toLocaleString()} · ${ending(game)}`)),
    game.rests && acts ? el("button", { type: "button", class: "go-on", onclick: () => goOn(game) }, t("Go on with {game}", { game: game.name })) : null)].filter(Boolean)), ...(found.length > most ? [older] : []));
  if (!found.length) games.replaceChildren(el("li", {}, t("No game was played yet.")));
}

/** Where an evening begins: its date, how many games, how long; all of it on one page. */
function evening({ evening: [began, seconds] }, found) {
  const own = found.filter((one) => one.evening[0] === began), n = own.length;
  const minutes = Math.round(seconds / 60);
  const long = minutes < 100 ? t("{n} minutes", { n: minutes }) : t("{n} hours", { n: (minutes / 60).toFixed(1) });
  const day = new Date(began * 1000).toLocaleDateString(document.documentElement.lang, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const all = `${n === 1 ? t("1 game") : t("{n} games", { n })} · ${long}`;
  return el("li", { class: "evening" }, el("h2", {}, day), el("small", {}, all), el("button", { type: "button", class: "quiet", onclick: () => whole(day, all, own) }, t("On one page")));
}

function whole(day, all, own) {
  shown.replaceChildren(eveningPage(me, day, all, own.toReversed()));
  if (shown.getBoundingClientRect().top > innerHeight / 4) shown.scrollIntoView();
}

/** Everybody with a name, once somebody asks. */
async function standings() {
  if (!people.open) return;
  const { ok, told, said } = await get("/api/players");
  const rows = (told ?? []).map((one) => el("tr", {}, el("th", { scope: "row" }, one.name), el("td", {}, String(one.games)),
    el("td", {}, Object.entries(one.wins).map(([game, n]) => `${game} ${n}`).join(", ") || "–"), el("td", {}, one.rated ? String(one.rating) : "–")));
  const head = el("tr", {}, [t("Name"), t("Games"), t("Wins"), t("Rating")].map((word) => el("th", { scope: "col" }, word)));
  const shows = !ok ? el("p", { class: "notice", role: "alert" }, said) : rows.length ? el("table", {}, el("thead", {}, head), el("tbody", {}, rows)) : el("p", {}, t("Nobody has given a name yet."));
  people.replaceChildren(people.firstElementChild, shows);
}

/** The table takes it up again; what it says if it cannot stands above the list. */
async function goOn(game) {
  const answer = await command(`/api/panels/${me.panel ?? 0}/go-on`, { number: game.number });
  if (answer.ok && !answer.told.notice) return void (location.href = "/");
  refused.textContent = answer.ok ? answer.told.notice : answer.said;
  refused.hidden = false;
}

async function open(number, seat) {
  chosen = number;
  const { ok, told: game, said } = await get(`/api/games/${number}${seat === null ? "" : `?seat=${seat}`}`);
  if (!ok) return shown.replaceChildren(el("p", { class: "notice", role: "alert" }, said));
  replay(shown, me, game, { open: (eyes) => open(number, eyes), more: (go) => (game.ended ? turningPoints(me, game, go) : "") });
  await list();
  if (shown.getBoundingClientRect().top > innerHeight / 4) shown.scrollIntoView(); // a phone has it below the list
}

/** The evidence, once it is asked for: a sentence and six bars for each kind of dice. */
async function weighed() {
  if (!fair.open) return;
  const { ok, told, said } = await get("/api/dice");
  const found = ok ? told.map(bars) : [el("p", { class: "notice", role: "alert" }, said)];
  if (!found.length) found.push(el("p", {}, t("No throw of real dice is in the journal yet.")));
  fair.replaceChildren(fair.firstElementChild, ...found);
}

async function take() {
  const [file] = bring.files;
  if (!file) return;
  const answer = await post("/api/games/import", await file.text()).catch(() => ({ said: t("The table does not answer.") }));
  bring.value = "";
  if (answer.ok) open(answer.told.number, null);
  else shown.replaceChildren(el("p", { class: "notice", role: "alert" }, answer.said));
}
