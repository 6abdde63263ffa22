// Games that have ended at any table: found, seen again, with the venue's verdict.

import { replay } from "/static/replay.js";
import { desk, el, enter, entry, field, get, notice, t } from "./hall.js";

const me = await enter();
const asked = new URLSearchParams(location.search);
const search = el("input", { type: "search", id: "search", placeholder: t("Name, table, result"), value: asked.get("search") ?? "", oninput: () => list() });
const table = el("select", { id: "of", onchange: () => list() }, el("option", { value: "" }, t("All tables")), me.tables.map((one) => el("option", { value: one, selected: one === asked.get("table") }, one)));
const games = el("ul", { class: "games" });
const shown = desk(t("Games"),
  el("p", {}, el("label", { for: "search" }, t("Search")), search), field(t("Table"), table), games);
shown.replaceChildren(el("p", {}, t("Choose a game to see it again, move by move.")));
const verdicts = { holds: [t("verified"), "✓"], broken: [t("broken"), "✗"], unverifiable: [t("not to be verified"), "?"] };
let chosen = asked.get("game") ? `/api/games/${asked.get("game")}` : "", turn = 0;
await list();
if (chosen) open(chosen);

async function list(before = null) {
  const mine = ++turn;
  const more = before ? `&before=${before}` : "";
  const { ok, told, said } = await get(`/api/games?search=${encodeURIComponent(search.value)}&table=${encodeURIComponent(table.value)}${more}`);
  if (mine !== turn) return;
  if (!ok) return games.replaceChildren(el("li", {}, notice(said)));
  const rows = told.map((game) => {
    const [says, sign] = verdicts[game.verdict];
    const why = game.verdict === "broken" ? game.says : game.result?.why ?? t("given up");
    return entry(game.at === chosen, () => open(game.at), game.name, game.seats.join(" · "), `${game.table} · ${new Date(game.ended * 1000).toLocaleString()}`, `${sign} ${says} · ${why}`);
  });
  if (told.length === 200) rows.push(el("li", {}, el("button", { type: "button", class: "quiet", onclick: () => list(told.at(-1).ended) }, t("Older games"))));
  games.replaceChildren(...(rows.length ? rows : [el("li", {}, t("No game was kept yet."))]));
}

async function open(at, seat = null) {
  chosen = at;
  history.replaceState(null, "", `/games?game=${at.replace("/api/games/", "")}`);
  const { ok, told, said } = await get(`${at}${seat === null ? "" : `?seat=${seat}`}`);
  if (!ok) return shown.replaceChildren(notice(said));
  replay(shown, me, told, { open: (eyes) => open(at, eyes) });
  shown.prepend(el("p", { class: "label" }, `${told.table} · ${verdicts[told.verdict].toReversed().join(" ")}${told.says ? `: ${told.says}` : ""}`));
  await list();
  if (shown.getBoundingClientRect().top > innerHeight / 4) shown.scrollIntoView();
}
