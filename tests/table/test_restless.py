"""Somebody restless plays with the companion: takes back, corrects, leaves and comes back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.bots.api import decide
from companion.bots.shelf import GAMES, players
from companion.events import Decided, Pulse
from companion.games.api import DiceWanted, roll
from companion.memory.records import exported
from companion.memory.verify import verify
from companion.table.company import rethink
from tests.table.desk import Desk
from tests.table.test_company import ONE

WISHES = ("Take back", "Go back", "Correct a roll", "Leave my seat", "Set this game", "Mode")
STEPS = 150


class Restless:
    """One panel; everything that comes to a mind, by one seed."""

    def __init__(self, folder: Path, key: str, seed: str) -> None:
        self.desk = Desk(folder, ONE, shelf=dict(GAMES), players=players)
        self.chance = random.Random(f"{key} {seed}")
        for label in (GAMES[key].name.show(), "Join", "Invite the companion"):
            self.desk.choose(0, label)
        if "Start" not in self.desk.labels(0):
            self.desk.choose(0, "Play without cardboard")
        self.desk.choose(0, "Start")

    def companion(self) -> bool:
        """One move of a companion; now and then the plug is pulled while it thinks."""
        table = self.desk.table
        turn = table.company.turn()
        if turn is None:
            return False
        answer = decide(turn.bot, turn.sight, turn.seed, 1)
        if self.chance.random() < 0.05:
            self.desk.cut()
        note = {"level": turn.bot.level, "version": turn.bot.version, "seed": turn.seed}
        self.desk.table.handle(
            Decided(turn.seat, turn.entry, answer.action, note | {"rounds": 1}, answer.why)
        )
        return True

    def step(self) -> None:
        """What the person does next."""
        desk, play = self.desk, self.desk.table.play
        dice, labels = play.line.waiting.dice, desk.labels(0)
        if "Stop watching" in labels:  # he has left his seat
            desk.choose(0, self.chance.choice([one for one in labels if one.startswith("Take ")]))
        elif dice is not None and desk.table.company.turn() is None:
            self.throw(dice)
        elif self.chance.random() < 0.15:
            self.wish()
        elif not labels or self.chance.random() < 0.6:
            desk.press(0, "select")
        else:
            desk.choose(0, self.chance.choice(labels))

    def throw(self, dice: DiceWanted) -> None:
        self.desk.table.play.act(roll(dice, self.chance.randrange), None)
        self.desk.table.handle(Pulse())

    def wish(self) -> None:
        """Something of the menu, and whatever it asks then."""
        wishes = [one for one in self.desk.menu(0) if one.startswith(WISHES)]
        if wishes:
            self.desk.choose(0, self.chance.choice(wishes))
        while self.desk.table.menu(0) and (labels := self.desk.labels(0)):
            self.desk.choose(0, self.chance.choice(labels))

    def plays(self) -> None:
        """For a while; then the companion plays for both to the end."""
        for _ in range(STEPS):
            while self.chance.random() < 0.9 and self.companion():
                pass
            if self.desk.table.play.in_lobby:
                self.desk.choose(0, "Go on with")
            if self.desk.table.play.over:
                return
            self.step()
        if "Stop watching" not in self.desk.labels(0):
            self.desk.menu(0)
            self.desk.choose(0, "Leave my seat")
            self.desk.choose(0, "Companion, ")
        for _ in range(self.desk.table.play.line.game.cap):
            dice = self.desk.table.play.line.waiting.dice
            if not self.companion() and dice is not None:
                self.throw(dice)


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_whatever_somebody_restless_does_the_game_ends_and_its_journal_holds(
    tmp_path: Path, key: str
) -> None:
    found = Restless(tmp_path, key, "a")
    found.plays()
    record = found.desk.journal.last()
    assert record is not None
    export = "\n".join(exported(found.desk.journal, record, GAMES)).encode()
    report = verify(export, GAMES, rethink(players))
    assert report.verdict == "holds"
    assert any(check.what == "bot" for check in report.checks)
