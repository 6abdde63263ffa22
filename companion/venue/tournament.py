"""Tournaments of Kiri-ai in the store: drawn round by round, decided by verified games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import BadState
from companion.venue.judge import Judged
from companion.venue.names import same
from companion.venue.past import listed
from companion.venue.rounds import DRAWN, LOST, WON, Kind, Pairing, draw, most_rounds, standings
from companion.venue.store import Connection
from companion.words import Text, text

GAME = "kiriai"
FRESH = "drawn > now() - interval '12 hours'"  # what was left open yesterday is on no glass

OPEN = """SELECT tournament, round, place, one, other, kind FROM pairings JOIN tournaments
ON id = tournament WHERE points IS NULL AND (tables = '{}' OR %s = ANY(tables))
ORDER BY drawn, tournament, place FOR UPDATE OF pairings"""
UNDONE = """UPDATE pairings SET points = NULL, game = NULL WHERE game = %s AND NOT EXISTS
(SELECT FROM pairings AS later WHERE later.tournament = pairings.tournament
AND later.round > pairings.round)"""
DECIDED = """UPDATE pairings SET points = %s, game = %s
WHERE tournament = %s AND round = %s AND place = %s"""


@dataclass(frozen=True, slots=True)
class Tournament:
    """As it stands in the store; `at` and `games` go with the pairings of `rounds`."""

    name: str
    kind: Kind
    players: list[str]
    tables: list[str]
    rounds: list[list[Pairing]]
    at: list[list[str | None]]  # the table of each pairing
    games: list[list[str | None]]  # which game decided it

    @property
    def open(self) -> bool:
        """Somebody still plays."""
        return any(one.points is None for each in self.rounds[-1:] for one in each)

    def to_json(self) -> dict[str, Any]:
        """For the page."""
        over = len(self.rounds) >= most_rounds(self.kind, len(self.players)) and not self.open
        return {
            "name": self.name, "kind": self.kind, "tables": self.tables, "over": over,
            "next": not self.open and not over, "most": most_rounds(self.kind, len(self.players)),
            "rounds": [
                [{"one": one.one, "other": one.other, "points": one.points, "table": at, "game": g}
                 for one, at, g in zip(each, tables, games, strict=True)]
                for each, tables, games in zip(self.rounds, self.at, self.games, strict=True)
            ],
            "standings": [
                {"name": one.name, "points": one.points, "buchholz": one.buchholz, "won": one.won,
                 "played": one.played} for one in standings(self.players, self.rounds)
            ],
        }  # fmt: skip


async def load(db: Connection, number: int) -> Tournament:
    """The tournament with this number."""
    asked = await db.execute(
        "SELECT name, kind, players, tables FROM tournaments WHERE id = %s FOR UPDATE", (number,)
    )
    row = await asked.fetchone()
    if row is None:
        raise BadState("there is no such tournament")
    found = Tournament(row[0], row[1], row[2], row[3], [], [], [])
    rows = await db.execute(
        "SELECT round, one, other, points, table_id, game FROM pairings WHERE tournament = %s "
        "ORDER BY round, place", (number,),
    )  # fmt: skip
    async for nth, one, other, points, table, game in rows:
        if nth > len(found.rounds):
            for column in (found.rounds, found.at, found.games):
                column.append([])
        found.rounds[-1].append(Pairing(one, other, points))
        found.at[-1].append(table)
        found.games[-1].append(game)
    return found


def seated(pairings: Sequence[Pairing], tables: Sequence[str]) -> list[str | None]:
    """The table of each pairing, one after the other; those of a second turn wait for the first."""
    fights = iter(range(len(pairings)))
    return [
        tables[next(fights) % len(tables)] if tables and one.other is not None else None
        for one in pairings
    ]


async def draw_round(db: Connection, number: int, wanted: int) -> None:
    """Round `wanted`, once all before it are decided; asked for twice it is drawn once."""
    found = await load(db, number)
    if wanted <= len(found.rounds):
        return
    if found.open:
        raise BadState("somebody still plays: this round is not over")
    pairings = draw(found.kind, found.players, found.rounds)
    if not pairings or wanted != len(found.rounds) + 1:
        raise BadState("there is no further round")
    for place, (one, table) in enumerate(
        zip(pairings, seated(pairings, found.tables), strict=True)
    ):
        await db.execute(
            "INSERT INTO pairings (tournament, round, place, one, other, table_id, points) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s)",
            (number, wanted, place, one.one, one.other, table, one.points),
        )


async def decide(
    db: Connection, number: int, wanted: int, place: int, points: float | None
) -> None:
    """The organiser's word on a pairing of the newest round; None opens it again."""
    found = await load(db, number)
    if wanted != len(found.rounds) or place >= len(found.rounds[-1]):
        raise BadState("only the newest round can be decided")
    if found.rounds[-1][place].other is None:
        raise BadState("a bye is decided already")
    if found.kind == "knockout" and points == DRAWN:
        raise BadState("in a knock-out somebody has to win: let them play again")
    await db.execute(DECIDED, (points, None, number, wanted, place))


async def judged(db: Connection, ended: Judged) -> None:
    """List a game that was judged; if it holds, it decides the oldest pairing of these two.

    A game that was corrected decides anew, until the next round is drawn.
    """
    told, link = await listed(db, ended), f"{ended.table}/{ended.game}"
    await db.execute(UNDONE, (link,))
    if told is None or ended.verdict != "holds" or told["key"] != GAME or len(told["names"]) != 2:
        return
    first, second = map(same, told["names"])
    winners = told["winners"]
    points = DRAWN if len(winners) != 1 else WON if winners == [0] else LOST
    rows = await (await db.execute(OPEN, (ended.table,))).fetchall()
    for tournament, nth, place, one, other, kind in rows:
        if {same(one), same(other)} == {first, second}:
            if kind == "swiss" or points != DRAWN:
                own = points if same(one) == first else WON - points
                await db.execute(DECIDED, (own, link, tournament, nth, place))
            return


async def lines(db: Connection) -> dict[str, Text | None]:
    """What stands on the display of each table of a tournament: its first open pairing, if any."""
    rows = await (await db.execute("SELECT DISTINCT unnest(tables) FROM tournaments")).fetchall()
    found: dict[str, Text | None] = dict.fromkeys(row[0] for row in rows)
    told = await db.execute(
        f"SELECT table_id, one, other, round FROM pairings WHERE points IS NULL AND {FRESH} "
        "AND table_id IS NOT NULL ORDER BY drawn DESC, place DESC"
    )
    async for table, one, other, nth in told:
        found[table] = text(
            "{table}: {one} - {other}, round {n}", table=table, one=one, other=other, n=nth
        )
    return found


async def names_of(db: Connection) -> list[dict[str, Any]]:
    """Every tournament, the newest first."""
    rows = await db.execute(
        "SELECT id, name, kind, cardinality(players), (SELECT coalesce(max(round), 0) FROM pairings"
        " WHERE tournament = id) FROM tournaments ORDER BY id DESC"
    )
    keys = ("id", "name", "kind", "players", "round")
    return [dict(zip(keys, row, strict=True)) async for row in rows]
