"""What the eye and the character dice report, joined with the game: rolls, rethrows, grids."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias, assert_never

from companion import events as ev
from companion.errors import Illegal
from companion.games.api import DiceWanted, Rolled
from companion.memory.codec import to_json
from companion.table.agreement import Agreement
from companion.table.grids import marked
from companion.table.mover import Mover
from companion.table.rolls import nudged
from companion.table.tray import Tray
from companion.words import text

Sighting: TypeAlias = (
    ev.DiceSettled | ev.TrayDisturbed | ev.DiceNudged | ev.CharacterDie | ev.GridRead
)


class Watched:
    """The tray and the tiles as the table uses them; nothing is taken while a proposal stands."""

    def __init__(self, mover: Mover, agreement: Agreement) -> None:
        self.mover, self._agreement = mover, agreement
        self._play, self._fingers = mover.play, mover.fingers
        self.tray, self.real_dice = Tray(), True  # False: a twin throws them

    @property
    def wanted(self) -> DiceWanted | None:
        """The roll that the table waits for."""
        return self._play.line.waiting.dice

    @property
    def on_table(self) -> DiceWanted | None:
        """The dice that hands may take up and throw again without a press."""
        return self._play.line.game.dice.on_table(self._play.line.state)

    @property
    def wants_grid(self) -> bool:
        """Whether the game waits for tiles to be laid out, so that the eye looks for them."""
        game, state = self._play.line.game, self._play.line.state
        return game.grid_action is not None and game.grid_action(state, ()) is not None

    def saw(self, event: Sighting) -> None:
        """What the eye or a character die has to say."""
        match event:
            case ev.DiceSettled():
                self._settled(event)
            case ev.TrayDisturbed():
                self._disturbed()
            case ev.DiceNudged():
                self._nudged(event)
            case ev.CharacterDie():
                self._reported(event)
            case ev.GridRead():
                self._laid_out(event)
            case _:
                assert_never(event)

    def _settled(self, seen: ev.DiceSettled) -> None:
        """Dice came to rest."""
        self._ask()
        if self.tray.counts(seen):
            self.tray = replace(self.tray, seen=seen)
            self._thrown_again(seen)
            self.consider()

    def _disturbed(self) -> None:
        """A hand is in the tray."""
        self.tray = self.tray.disturbed()

    def _nudged(self, moved: ev.DiceNudged) -> None:
        """Dice moved and nobody threw them; where they may be thrown again that is no news."""
        if self.on_table is None and not self._play.in_lobby:
            self._fingers.announce(nudged(len(moved.changed)))

    def _reported(self, report: ev.CharacterDie) -> None:
        """A character die speaks; it counts only when it was asked for."""
        self._ask()
        self.tray, says, rolled = self.tray.heard(report)
        if says is not None:
            self._fingers.announce(says)
        if rolled:
            self.consider()

    def misread(self, said: ev.Misread) -> bool:
        """Somebody says what a die really shows; False if that roll counts already."""
        if self._agreement.proposal is not None:
            raise Illegal("table", text("First answer what is proposed."))
        if self.wanted is None or not self.tray.counts(said.seen):
            return False
        self._settled(said.seen.corrected(said.track, said.value))
        return True

    def consider(self) -> None:
        """A roll counts only when it was asked for; what is doubtful is asked, not guessed."""
        self._ask()
        if self.wanted is None or self._agreement.proposal is not None:
            return
        verdict, seen = self.tray.verdict(), self.tray.seen
        self.tray = self.tray.judged(verdict)
        if verdict.rolled is not None:
            dice = [to_json(die) for die in seen.dice] if seen else []
            note = self._note("eye" if seen else "dice")
            self._play_seen(verdict.rolled, dice, seen.picture if seen else b"", note)

    def entered(self, rolled: Rolled) -> None:
        """Somebody says what was rolled: by hand, or which of the eye's guesses is right."""
        question = self.tray.question
        guessed = question is not None and rolled in question.guesses
        self._play.act(rolled, None, roll=self._note("eye" if guessed else "hand"))
        self.roll_is_in()

    def _laid_out(self, seen: ev.GridRead) -> None:
        """A grid counts where the game waits for one; the game itself asks for doubtful tiles."""
        game, state = self._play.line.game, self._play.line.state
        if game.grid_action is None or self._agreement.proposal is not None:
            return
        action = game.grid_action(state, marked(seen))
        if action is not None:
            self._play_seen(action, [to_json(seen.rows), to_json(seen.sure)], seen.picture)

    def roll_is_in(self) -> None:
        """The roll counts, by whatever way it came."""
        self.tray = self.tray.roll_is_in(self.on_table)
        self._fingers.roll_is_in()

    def _ask(self) -> None:
        self.tray = self.tray.asked(self._play.entry, self.wanted, self.on_table)

    def _thrown_again(self, seen: ev.DiceSettled) -> None:
        """Who picks up dice and throws them again has said so with his hands."""
        line, before = self._play.line, self.tray
        rethrow = line.game.dice.rethrow
        if rethrow is None or self._agreement.proposal is not None:
            return
        places = before.rethrown(seen)
        if places:
            if self.mover.observed(lambda: self.mover.decide(rethrow(line.state, places))):
                self._ask()
                self.tray = replace(self.tray, reported=before.reported, seen=seen)
        elif places is not None and before.on_table is not None:
            self.tray = replace(before, read_as=before.on_table.kept)

    def _note(self, how: str) -> dict[str, Any]:
        return self.tray.note(how if self.real_dice else "twin")

    def _play_seen(
        self, action: Any, reading: list[Any], picture: bytes, note: dict[str, Any] | None = None
    ) -> None:
        """What the eye saw happens, if the rules allow it."""
        told = None if self.real_dice else self._play.course.noted(self._play.line, action)
        if self.mover.observed(lambda: self._play.act(action, None, roll=note, arranged=told)):
            self.roll_is_in()
            if reading:
                self.mover.observed(lambda: self._play.reading(reading, picture))
