"""What came of a move: the cards that met, who moved, who is wounded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.kiriai.cards import CARD_NAMES, FACES, STANCE_NAMES
from companion.games.kiriai.duel import NOBODY
from companion.games.kiriai.state import SEATS, SETTING_UP, State, Step
from companion.games.kiriai.view import cards_text, effect_text
from companion.games.story import Fact
from companion.views import BLANK, Beat
from companion.words import Seat, SeatNo, text


def facts(state: State, _viewer: SeatNo | None) -> Iterator[Fact]:
    """Wounds, places, stances, the special played, the card set aside, the round: all public."""
    for seat in SEATS:
        fighter, who = state.fighters[seat], Seat(seat)
        aside = CARD_NAMES[fighter.aside] if fighter.aside else text("none")
        spent = FACES[fighter.spent].name if fighter.spent else BLANK
        stance = STANCE_NAMES[fighter.stand.stance]
        yield Fact(f"wounds{seat}", text("Wounds of {who}", who=who), fighter.wounds, 2)
        yield Fact(f"space{seat}", text("Space of {who}", who=who), fighter.stand.space)
        yield Fact(f"heaven{seat}", text("Stance of {who}", who=who), stance)
        yield Fact(f"aside{seat}", text("{who} sets aside", who=who), aside, 0)
        yield Fact(f"spent{seat}", text("Special of {who}", who=who), spent, 0)
    if state.phase not in SETTING_UP:
        yield Fact("round", text("Round"), state.round, 0)


def beats(before: State, _action: Any, after: State, _viewer: SeatNo | None) -> Iterator[Beat]:
    """Both cards, both moves, the blow."""
    same = after.steps == before.steps
    opened = len(after.steps) if same else len(before.steps) % 2
    for number, step in enumerate(after.steps[opened:], opened + 1):
        yield from _step(step, number)
    if before.phase == "place" and after.phase == "choose":
        for seat in SEATS:
            stand = after.fighters[seat].stand
            said = text("{who} starts on {n}, {stance}", who=Seat(seat), n=stand.space,
                        stance=STANCE_NAMES[stand.stance])  # fmt: skip
            yield Beat(said, (f"space{seat}", f"heaven{seat}"))


def _step(step: Step, number: int) -> Iterator[Beat]:
    yield Beat(cards_text(step.faces, number), ("spent0", "spent1"), 2)
    for seat in SEATS:
        start, end = step.before[seat], step.outcome.after[seat]
        who, stance = Seat(seat), STANCE_NAMES[end.stance]
        if start.space != end.space and start.stance != end.stance:
            said = text("{who}: {a} to {b}, {stance}", who=who, a=start.space, b=end.space,
                        stance=stance)  # fmt: skip
        elif start.space != end.space:
            said = text("{who}: {a} to {b}", who=who, a=start.space, b=end.space)
        elif start.stance != end.stance:
            said = text("{who} turns to {stance}", who=who, stance=stance)
        else:
            continue
        yield Beat(said, (f"space{seat}", f"heaven{seat}"))
    hurt, rules = step.outcome.hurt, step.outcome.rules
    about = () if hurt == NOBODY else (f"wounds{hurt}",)
    yield Beat(effect_text(step), about, 1 + bool(about), " ".join(rules))
