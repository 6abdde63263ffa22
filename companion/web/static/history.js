// Games of the past: found, replayed step by step, drawn as a chart, taken along as a file.

import { el, get, hello, post, speak, svg, t } from "./core.js";
import { move, parts } from "./parts.js";

const me = await hello();
document.body.dataset.live = "yes";
const search = el("input", { type: "search", id: "search", placeholder: t("Name, game, result"), oninput: () => list() });
const games = el("ul", { class: "games" });
const shown = el("section", { class: "paper", "aria-label": t("Replay"), tabindex: "-1" }, el("p", {}, t("Choose a game to see it again, move by move.")));
const bring = el("input", { type: "file", id: "bring", accept: ".jsonl", onchange: take });
document.querySelector("#main").replaceChildren(
  el("div", { class: "history" },
    el("section", { class: "paper search", "aria-label": t("Games") }, el("h1", {}, t("Games")), el("p", {}, el("label", { for: "search" }, t("Search"))), search, games,
      me.virtual || me.panel !== null ? el("div", { class: "file" }, el("label", { for: "bring" }, t("Bring a game (.jsonl)")), bring) : null),
    shown),
);
const { ok: answers, told: now } = await get("/api/snapshot?as=public");
if (answers && now.all.seed.code) games.before(seedCode(now.all.seed.code, now.all.seed.since));
let chosen = Number(new URLSearchParams(location.search).get("game")) || null;
await list();
if (chosen) open(chosen, null);

async function list() {
  const { ok, told: found, said } = await get(`/api/games?search=${encodeURIComponent(search.value)}`);
  if (!ok) return games.replaceChildren(el("li", { class: "notice", role: "alert" }, said));
  games.replaceChildren(...found.map((game) =>
    el("li", {}, el("button", { type: "button", "aria-current": game.number === chosen ? "true" : null, onclick: () => open(game.number, null) },
      el("strong", {}, game.name), el("span", {}, game.seats.join(" · ")),
      el("small", {}, `${new Date(game.began * 1000).toLocaleString()} · ${ending(game)}`)))));
  if (!found.length) games.replaceChildren(el("li", {}, t("No game was played yet.")));
}

function ending(game) {
  if (game.result) return game.result.why;
  return game.ended ? t("given up") : t("running");
}

async function open(number, seat) {
  chosen = number;
  const { ok, told: game, said } = await get(`/api/games/${number}${seat === null ? "" : `?seat=${seat}`}`);
  if (!ok) return shown.replaceChildren(el("p", { class: "notice", role: "alert" }, said));
  replay(game);
  await list();
  if (shown.getBoundingClientRect().top > innerHeight / 4) shown.scrollIntoView(); // a phone has it below the list
}

function replay(game) {
  const last = game.steps.length - 1;
  const told = el("h3", {});
  const board = el("div", { class: "parts" });
  const range = el("input", { type: "range", min: 0, max: last, value: last, "aria-label": t("Step"), oninput: () => go(Number(range.value)) });
  const eyes = el("select", { "aria-label": t("Through whose eyes"), onchange: () => open(game.number, eyes.value === "" ? null : Number(eyes.value)) },
    el("option", { value: "" }, t("Public")),
    game.ended ? game.seats.map((name, seat) => el("option", { value: seat, selected: game.seat === seat }, name)) : null);
  const back = el("button", { type: "button", class: "quiet", onclick: () => go(at - 1) }, t("Step back"));
  const on = el("button", { type: "button", class: "quiet", onclick: () => go(at + 1) }, t("Step on"));
  const picture = chart(game.steps);
  const found = el("div", { class: "checks" });
  const check = game.ended ? el("button", { type: "button", class: "quiet", onclick: () => verify(game, found) }, t("Check the box")) : null;
  let at = 0;
  shown.replaceChildren(
    el("h2", {}, `${game.name}: ${game.seats.join(" · ")}`), el("p", {}, ending(game)),
    el("div", { class: "steps" }, back, range, on, eyes), told, picture.node ?? "", board,
    el("p", {}, el("a", { href: `/api/games/${game.number}/export`, download: "" }, t("Export (JSON lines)"))), seedCode(game.seed_code, game.began), game.seed ? el("p", { class: "code" }, t("Seed {seed}", { seed: game.seed })) : "", check ?? "", found);
  go(last, true);

  function go(step, quiet = false) {
    at = Math.max(0, Math.min(last, step));
    range.value = at;
    back.disabled = at === 0;
    on.disabled = at === last;
    const one = game.steps[at];
    told.replaceChildren(`${at}. `, move(one, "span"));
    board.replaceChildren(el("p", { class: "label" }, [...new Set([one.title, one.waiting])].join(" · ")), ...parts(one.parts));
    picture.mark?.(at);
    if (!quiet) speak(one.told);
  }
}

/** The code whole: whoever wants proof keeps it before the game ends. */
function seedCode(code, since) {
  return code ? el("p", { class: "code" }, t("Seed code {code}", { code }), el("small", {}, ` · ${new Date(since * 1000).toLocaleString()}`)) : "";
}

async function verify(game, found) {
  const { ok, told, said } = await get(`/api/games/${game.number}/verify`);
  if (!ok) return found.replaceChildren(el("p", { class: "notice", role: "alert" }, said));
  const verdict = { holds: t("The box kept its word."), broken: t("This is not the game that the box was bound to."), unverifiable: t("It cannot be verified.") }[told.verdict];
  found.replaceChildren(el("p", { class: told.verdict === "broken" ? "notice" : "said", role: "status" }, verdict), ...told.notes.map((note) => el("p", {}, note)),
    el("ul", {}, told.checks.map((one) => el("li", {}, `${one.holds ? "✓" : "✗"} ${one.seq ? `${one.seq}. ` : ""}${one.says}`))));
  speak(verdict);
}

function chart(steps) {
  const plain = (label) => label.replace(/^[^\p{L}\p{N}]+/u, ""); // marks such as ">" say whose turn it was
  const labels = [...new Set(steps.flatMap((step) => step.meters.map((meter) => plain(meter.label))))].slice(0, 6);
  if (!labels.length || steps.length < 2) return {};
  const wide = 640, high = 200, left = 34, foot = 24;
  const top = Math.max(1, ...steps.flatMap((step) => step.meters.map((meter) => meter.top ?? meter.value)));
  const x = (n) => left + ((wide - left - 8) * n) / (steps.length - 1);
  const y = (value) => 8 + (high - foot - 8) * (1 - value / top);
  const drawn = svg("svg", { class: "chart", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": t("Numbers over time: {labels}", { labels: labels.join(", ") }) });
  drawn.append(svg("line", { class: "axis", x1: left, y1: y(0), x2: wide - 8, y2: y(0) }), svg("line", { class: "axis", x1: left, y1: 8, x2: left, y2: y(0) }));
  drawn.append(svg("text", { x: left - 6, y: 14, "text-anchor": "end" }, String(top)), svg("text", { x: left - 6, y: y(0), "text-anchor": "end" }, "0"), svg("text", { x: wide - 8, y: high - 6, "text-anchor": "end" }, t("{n} moves", { n: steps.length - 1 })));
  labels.forEach((label, colour) => {
    let path = "";
    let before = null;
    steps.forEach((step, n) => {
      const meter = step.meters.find((one) => plain(one.label) === label);
      if (!meter) return void (before = null);
      path += before === null ? `M${x(n)} ${y(meter.value)}` : `H${x(n)}V${y(meter.value)}`;
      before = meter.value;
    });
    drawn.append(svg("path", { class: `c${colour}`, d: path }));
  });
  const now = svg("line", { class: "now", y1: 8, y2: y(0) });
  drawn.append(now);
  const keys = el("ul", { class: "key-row" }, labels.map((label, colour) => el("li", {}, svg("svg", { viewBox: "0 0 16 6", "aria-hidden": "true" }, svg("line", { class: `c${colour}`, x1: 0, y1: 3, x2: 16, y2: 3, "stroke-width": 3 })), label)));
  return { node: el("figure", {}, drawn, keys), mark: (n) => { now.setAttribute("x1", x(n)); now.setAttribute("x2", x(n)); } };
}

async function take() {
  const [file] = bring.files;
  if (!file) return;
  const answer = await post("/api/games/import", await file.text()).catch(() => ({ said: t("The table does not answer.") }));
  bring.value = "";
  if (answer.ok) open(answer.told.number, null);
  else shown.replaceChildren(el("p", { class: "notice", role: "alert" }, answer.said));
}
