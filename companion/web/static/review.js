// After the game: what its decisions were worth, an evening on one page, and a picture of it.

import { el, get, plate, speak, svg, t } from "./core.js";

const FAIR = 1.96; // standard deviations within which fair dice stay 19 times of 20
const known = new Map(); // an ended game is weighed once for this page
const percent = (share) => `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)} %`;
const within = (share) => Math.min(1, Math.max(0, share));

async function weighed({ number }) {
  const found = known.get(number) ?? await get(`/api/games/${number}/moments`);
  if (found.ok) known.set(number, found);
  return found;
}

/** Decisions apart from throws; of the decisions the worst first, and the best. */
function sorted(moments) {
  const choices = moments.filter((one) => one.spread === null);
  const worst = choices.filter((one) => one.mark).sort((a, b) => b.best - b.got - a.best + a.got);
  const [best] = choices.filter((one) => !one.mark && one.got > one.usual).sort((a, b) => b.got - b.usual - a.got + a.usual);
  return { choices, worst, best, throws: moments.filter((one) => one.spread !== null) };
}

/** What the dice brought, and within what fair dice stay: never a verdict. */
function luck(throws) {
  const sum = throws.reduce((all, one) => all + one.got - one.best, 0);
  const wide = FAIR * Math.sqrt(throws.reduce((all, one) => all + one.spread ** 2, 0));
  return t("Luck of {n} throws: {luck} (fair dice: {low} to {high})", { n: throws.length, luck: percent(sum), low: percent(-wide), high: percent(wide) });
}

/** One curve for each seat, or one for all who win together: places from 0 to 1, the top is won. */
function curves(me, game, moments) {
  const last = Math.max(...moments.map((one) => one.seq), 1), together = game.game === "sao";
  return game.seats.slice(0, together ? 1 : undefined).map((name, seat) => ({
    name: together ? t("The party") : name, own: colour(me, game, seat), line: colour(me, game, seat) ? `own ${colour(me, game, seat)}` : `c${seat}`,
    dots: moments.filter((one) => together || one.seat === seat).flatMap((one) => [[one.seq / last, within(one.best), ""], [one.seq / last, within(one.got), one.mark]]),
  })).filter((one) => one.dots.length);
}

const colour = (me, { panels }, seat) => (panels[seat] === null || panels[seat] >= me.panels.length ? "" : plate(panels[seat], me.panels[panels[seat]]));

function chart(me, game, moments) {
  const wide = 640, high = 170, left = 76, foot = 14;
  const x = (share) => left + (wide - left - 10) * share, y = (share) => 12 + (high - foot - 12) * (1 - share);
  const every = curves(me, game, moments);
  const drawn = svg("svg", { class: "chart", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": t("Chances to win over the game") });
  for (const share of [0, 0.5, 1]) drawn.append(svg("line", { class: "axis", x1: left, y1: y(share), x2: wide - 10, y2: y(share) }), svg("text", { x: left - 6, y: y(share) + 4, "text-anchor": "end" }, `${100 * share}%`));
  for (const { line, dots } of every) drawn.append(svg("path", { class: line, d: `M${dots.map(([at, share]) => `${x(at)} ${y(share)}`).join("L")}` }), ...dots.filter(([,, mark]) => mark).map(([at, share, mark]) => svg("circle", { class: mark, cx: x(at), cy: y(share), r: 5 })));
  return el("figure", {}, drawn, el("ul", { class: "key-row" }, every.map(({ name, line }) => el("li", {}, svg("svg", { viewBox: "0 0 16 6", "aria-hidden": "true" }, svg("line", { class: line, x1: 0, y1: 3, x2: 16, y2: 3, "stroke-width": 3 })), name))));
}

const weighing = () => el("p", { class: "weighing", role: "status" }, t("The decisions are weighed …"));

/** The turning points of an ended game; `go` shows a step. */
export function turningPoints(me, game, go) {
  const box = el("section", { class: "turning", "aria-busy": "true", "aria-label": t("Turning points") }, el("h3", {}, t("Turning points")), weighing());
  weighed(game).then(({ ok, told, said }) => {
    box.setAttribute("aria-busy", "false");
    box.lastElementChild.remove();
    if (!ok) return box.append(el("p", { class: "notice", role: "alert" }, said));
    if (!told.length) return box.append(el("p", {}, t("Nothing in this game can be weighed.")));
    const { worst } = sorted(told), called = { doubtful: t("doubtful"), mistake: t("mistake"), blunder: t("blunder") };
    const how = told.some((one) => one.rough) ? t("These are rough: a few trials of each move.") : game.game === "sao" ? t("Chances are the coach's hope for the party.") : t("Weighed against the solved table.");
    box.append(chart(me, game, told), el("ol", { class: "points" }, worst.slice(0, 5).map((one) => row(one, el("b", { class: one.mark }, `${called[one.mark]} ${percent(one.got - one.best)}`), t("Better: {better}", { better: one.better })))),
      worst.length ? "" : el("p", {}, t("No decision gave anything away.")), ...game.seats.map((name, seat) => account(name, sorted(told.filter((one) => one.seat === seat)))), el("p", { class: "label" }, how));
  });
  return box;

  function row(one, ...says) {
    const place = game.steps.findIndex((step) => step.seq === one.seq);
    return el("li", {}, el("button", { type: "button", class: "quiet", onclick: () => go(place) }, el("strong", {}, `${place}. ${game.seats[one.seat]}: ${one.did}`), says.map((say) => el("span", {}, say))));
  }

  function account(name, { choices, worst, best, throws }) {
    const n = (mark) => worst.filter((one) => one.mark === mark).length;
    return el("div", { class: "account" }, el("h4", {}, name), el("p", {}, t("Decisions: {n}, doubtful {a}, mistakes {b}, blunders {c}", { n: choices.length, a: n("doubtful"), b: n("mistake"), c: n("blunder") })),
      throws.length ? el("p", {}, luck(throws)) : null, best ? el("ul", { class: "points" }, row(best, t("the best move"))) : null);
  }
}

/** An evening as a whole: its games with their best and worst moments, who was lucky, what the dice say. */
export function eveningPage(me, day, long, games) {
  const rows = games.map((game) => el("li", {}, el("h3", {}, game.name), el("p", {}, [winners(game), game.result?.why].filter(Boolean).join(" · ")), game.ended ? weighing() : null));
  const lucky = el("ul", { class: "lucky" }), named = el("input", { type: "checkbox", id: "named" }), picture = el("div", { class: "picture" });
  const share = el("button", { type: "button", class: "quiet", disabled: true, onclick: () => draw(me, day, long, games, named.checked, picture) }, t("Draw a picture to share"));
  fill();
  return el("section", { class: "one-evening" }, el("h2", {}, day), el("p", {}, long), el("ol", { class: "played" }, rows), el("h3", {}, t("Luck")), lucky, el("h3", {}, t("A picture to share")), el("p", {}, named, " ", el("label", { for: "named" }, t("With names"))), share, picture);

  async function fill() {
    const throws = {};
    for (const [at, game] of games.entries()) {
      if (!game.ended) continue;
      const { ok, told, said } = await weighed(game);
      const { best, worst: [worst], throws: some } = sorted(ok ? told : []);
      for (const one of some) (throws[game.seats[one.seat]] ??= []).push(one);
      const tells = [ok ? "" : said, best && `${t("Best")}: ${game.seats[best.seat]}: ${best.did}`, worst && `${t("Worst")}: ${game.seats[worst.seat]}: ${worst.did} (${percent(worst.got - worst.best)})`];
      rows[at].lastElementChild.replaceWith(...tells.filter(Boolean).map((say) => el("p", {}, say)), ok && told.length ? chart(me, game, told) : "");
    }
    lucky.append(...Object.entries(throws).map(([name, some]) => el("li", {}, `${name}: ${luck(some)}`)));
    if (!lucky.children.length) lucky.append(el("li", {}, t("No dice were thrown.")));
    const { ok, told } = await get("/api/dice");
    lucky.after(...(ok ? told : []).filter((one) => one.verdict !== "few").map((one) => el("p", {}, one.says)));
    share.disabled = false;
  }
}

function winners(game) {
  if (!game.result) return game.ended ? t("given up") : t("set aside");
  return game.result.winners.length ? t("{who} won", { who: game.result.winners.map((seat) => game.seats[seat]).join(", ") }) : t("Nobody won");
}

/** A PNG: games, times, curves. Names, and sentences that have them, only if wished. */
async function draw(me, day, long, games, names, picture) {
  const wide = 1080, each = 250, paper = el("canvas", { width: wide, height: 240 + each * games.length }), pen = paper.getContext("2d");
  const shade = (own) => getComputedStyle(picture.appendChild(el("i", { class: own }))).getPropertyValue("--seat").trim() || "#f0a63c";
  const write = (says, style, ink, x, y, room) => {
    Object.assign(pen, { font: `${style} sans-serif`, fillStyle: ink });
    while (pen.measureText(says).width > room) says = `${says.slice(0, -2)}…`;
    pen.fillText(says, x, y);
  };
  pen.fillStyle = "#2a1c13";
  pen.fillRect(0, 0, wide, paper.height);
  write(t("An evening at the table"), "bold 56px", "#f6ecdc", 60, 100, wide - 120);
  write(`${day} · ${long}`, "32px", "#cdb89f", 60, 156, wide - 120);
  for (const [at, game] of games.entries()) {
    const top = 210 + at * each, moments = known.get(game.number)?.told ?? [], { best, worst } = sorted(moments);
    write(game.name, "bold 38px", "#f6ecdc", 60, top + 40, 440);
    (game.result?.winners ?? []).forEach((seat, n) => write("●", "40px", shade(colour(me, game, seat)), 60 + 44 * n, top + 92, 60));
    const says = names ? [winners(game), best && `${t("Best")}: ${best.did}`, worst[0] && `${t("Worst")}: ${worst[0].did}`] : [worst.length && t("{n} turning points", { n: worst.length })];
    says.filter(Boolean).forEach((say, n) => write(say, "24px", "#cdb89f", 60, top + 130 + 36 * n, 470));
    for (const { own, dots } of curves(me, game, moments)) {
      Object.assign(pen, { strokeStyle: shade(own), lineWidth: 5, lineJoin: "round" }).beginPath();
      for (const [x, y] of dots) pen.lineTo(540 + 480 * x, top + 200 - 190 * y);
      pen.stroke();
    }
  }
  const address = URL.createObjectURL(await new Promise((go) => paper.toBlob(go, "image/png")));
  picture.replaceChildren(el("img", { src: address, alt: `${t("An evening at the table")}: ${games.map((game) => game.name).join(", ")}` }), el("a", { href: address, download: "evening.png", class: "quiet" }, t("Keep the picture (PNG)")));
  speak(t("The picture is drawn."));
}
