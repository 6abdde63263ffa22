"""Every game on the shelf, Pig and Guess keep every promise; and each check can bite."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pytest

from companion.errors import CompanionError, Illegal
from companion.games.api import Die, Game, Rolled, Secrets, fits, secret
from companion.games.kiriai import KIRIAI
from companion.games.kiriai.state import Pick
from companion.views import Line, View
from companion.words import Text, text
from tests.games import contract
from tests.games.guess import GUESS, Guess, Toss
from tests.games.pig import PIG, Hold
from tests.games.pig import State as Pot
from tests.games.shelf import GAMES, Moment, tables, walk

SEEDS = (1, pytest.param(2, marks=pytest.mark.slow))  # one walk is quick, a second one thorough
CASES = [
    pytest.param(game, seats, options, id=name, marks=[pytest.mark.slow] if number else [])
    for game in GAMES
    for number, (name, seats, options) in enumerate(tables(game))  # the first of each is quick
]


@cache
def walked(game_key: str, seats: int, options: Any, seed: int) -> tuple[Moment, ...]:
    """A walk, made once for all promises."""
    game = next(game for game in GAMES if game.key == game_key)
    return tuple(walk(game, seats, options, seed))


@pytest.mark.parametrize("promise", contract.PROMISES, ids=lambda promise: promise.__name__)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("game", "seats", "options"), CASES)
def test_every_game_keeps_every_promise(
    game: Game[Any], seats: int, options: Any, seed: int, promise: contract.Promise
) -> None:
    moments = walked(game.key, seats, options, seed)
    promise(game, moments, seats, random.Random(f"{promise.__name__} {seed}"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_rule_ids_are_unique_and_every_rule_says_something(game: Game[Any]) -> None:
    ids = [rule.id for rule in game.rules]
    assert len(ids) == len(set(ids))
    assert all(rule.text and rule.section for rule in game.rules)


def test_keys_on_the_shelf_are_unique() -> None:
    assert len({game.key for game in GAMES}) == len(GAMES)


# --- each promise, broken once: the check must see it -------------------------------------------


def _deaf_judge(state: Pot, action: Any) -> Pot:
    """Takes a Hold from anybody."""
    if isinstance(action, Hold) and action.seat != state.turn:
        return state
    return PIG.apply(state, action)


def _strict_judge(state: Pot, action: Any) -> Pot:
    """Refuses what legal lists."""
    if isinstance(action, Hold) and state.pot > 5:
        raise Illegal("P4", text("Too much"))
    return PIG.apply(state, action)


def _lawless_judge(state: Pot, action: Any) -> Pot:
    """Cites a rule that is none."""
    try:
        return PIG.apply(state, action)
    except Illegal as refusal:
        raise Illegal("P99", refusal.why) from refusal


@dataclass
class Loose:
    """A state that can be changed."""

    goal: int
    __hash__ = object.__hash__


def _scribble(state: Any) -> Any:
    """A waiting that writes into the state."""
    object.__setattr__(state, "pot", state.pot + 1)
    return PIG.waiting(state)


def _peek(state: Any, seat: int | None) -> Any:
    """A view that shows Red's special to everybody."""
    view = KIRIAI.view(state, seat)
    return replace(view, parts=(*view.parts, Line(text("{x}", x=state.fighters[1].special))))


def _gossip(before: Any, action: Any, viewer: int | None) -> Any:
    """A tell that names the card that was laid."""
    if isinstance(action, Pick):
        return text("{x}", x=action.face)
    return KIRIAI.tell(before, action, viewer)


def _blab(_before: Any, action: Pick) -> str:
    """A citation that is another for each card: Charge would be known by its rule."""
    return "K-R18" if action.face in ("approach", "charge", "retreat", "stance") else "K-R21"


def _jealous_legal(state: Any, seat: int) -> Any:
    """A legal list that depends on the other's special."""
    other = state.fighters[1 - seat].special
    return (a for a in KIRIAI.legal(state, seat) if other != "kesa" or a != Pick(seat, "low"))


def _careless(state: Pot) -> None:
    """Takes any state as possible."""


def _any_dice(state: Pot, action: Any) -> Pot:
    """Takes dice that nobody asked for."""
    if (
        isinstance(action, Rolled)
        and PIG.waiting(state)
        and not fits(PIG.waiting(state).dice, action)
    ):
        return state
    return PIG.apply(state, action)


def _overflow(state: Pot, action: Any) -> Pot:
    """Leads to a pot that cannot be."""
    return replace(PIG.apply(state, action), pot=1)


@dataclass(frozen=True, slots=True)
class Open:
    """A sealed choice that says what was chosen in every export."""

    seat: int
    number: int
    salt: str = secret(default="")


def _glass(state: Any, seat: int | None) -> View:
    """Shows to everybody that a high number was guessed, whatever `unseen` draws."""
    high = any(3 < guess < 7 for guess in state.guesses)
    return replace(GUESS.view(state, seat), title=text("High") if high else text("Low"))


def _loud(_before: Any, action: Any, _viewer: int | None) -> Text:
    """Says the number that was guessed."""
    return text("{n}", n=action.number) if isinstance(action, Guess) else text("…")


def _wide_view(state: Pot, seat: int | None) -> View:
    """Has no name for a fourth seat."""
    return replace(PIG.view(state, seat), title=(text("Red"), text("Blue"))[state.turn])


BROKEN = [
    pytest.param("legal_and_apply_agree", replace(PIG, apply=_deaf_judge), id="takes too much"),
    pytest.param("legal_and_apply_agree", replace(PIG, apply=_strict_judge), id="takes too little"),
    pytest.param("legal_and_apply_agree", replace(PIG, apply=_lawless_judge), id="cites nothing"),
    pytest.param("legal_and_apply_agree", replace(PIG, apply=_any_dice), id="takes any dice"),
    pytest.param(
        "every_move_cites_a_rule", replace(PIG, cites={**PIG.cites, Hold: "P99"}), id="no such rule"
    ),
    pytest.param(
        "every_move_cites_a_rule", replace(PIG, cites={Rolled: "P1"}), id="a move without a rule"
    ),
    pytest.param("nothing_is_changed_in_place", replace(PIG, waiting=_scribble), id="scribbles"),
    pytest.param("values_are_frozen", replace(PIG, actions=(Hold,)), id="unknown action"),
    pytest.param(
        "json_goes_there_and_back",
        replace(PIG, state=type(KIRIAI.new(2, KIRIAI.options()))),
        id="other state",
    ),
    pytest.param(
        "somebody_is_waited_for_until_the_end",
        replace(PIG, result=lambda _state: None),
        id="never a result",
    ),
    pytest.param("games_end", replace(PIG, cap=3), id="cap too low"),
    pytest.param(
        "choices_are_legal_and_barred_ones_are_not",
        replace(PIG, view=lambda s, seat: replace(PIG.view(s, seat), choices=())),
        id="no choices",
    ),
    pytest.param("others_secrets_do_not_show", replace(KIRIAI, view=_peek), id="view leaks"),
    pytest.param("others_secrets_do_not_show", replace(KIRIAI, tell=_gossip), id="tell leaks"),
    pytest.param(
        "others_secrets_do_not_show",
        replace(KIRIAI, cites={**KIRIAI.cites, Pick: _blab}),
        id="citation leaks",
    ),
    pytest.param("others_secrets_do_not_show", replace(KIRIAI, legal=_jealous_legal), id="legal"),
    pytest.param(
        "unseen_really_hides",
        replace(KIRIAI, secrets=Secrets(KIRIAI.secrets.reveals, lambda s, _v, _p: s)),
        id="hides nothing",
    ),
    pytest.param(
        "counters_can_be_overruled",
        replace(PIG, rulings=replace(PIG.rulings, overrule=lambda s, _k, _v: s)),
        id="any number",
    ),
    pytest.param(
        "possible_states_can_be_played", replace(PIG, possible=_careless), id="possible is deaf"
    ),
]


@pytest.mark.parametrize(("name", "game"), BROKEN)
def test_a_broken_promise_is_seen(name: str, game: Game[Any]) -> None:
    honest = PIG if game.key == "pig" else KIRIAI
    walks = [tuple(walk(honest, 2, honest.options(), seed)) for seed in range(4)]  # to scribble in
    _keep(name, honest, walks)
    with pytest.raises((AssertionError, CompanionError, IndexError)):
        _keep(name, game, walks)


SAYS = [
    ("legal_and_apply_agree", replace(PIG, apply=_deaf_judge), "which `legal` does not list"),
    ("legal_and_apply_agree", replace(PIG, apply=_strict_judge), "lists Hold.*, apply refuses it"),
    ("legal_and_apply_agree", replace(PIG, apply=_lawless_judge), "'P99': no such rule in `rules`"),
    (
        "legal_and_apply_agree",
        replace(PIG, apply=_any_dice),
        "apply took Rolled.*, wanted was Dice",
    ),
    ("legal_and_apply_agree", replace(PIG, apply=_overflow), "apply took .*no throw leads here"),
    ("every_move_cites_a_rule", replace(PIG, cites={Rolled: "P1"}), "`cites` lacks Hold"),
    ("games_end", replace(PIG, cap=3), "`cap` is 3"),
    ("unseen_really_hides", replace(GUESS, actions=(Open, Toss, Rolled)), "Open is sealed: make"),
    (
        "unseen_really_hides",
        replace(GUESS, secrets=Secrets()),
        "Guess has secret fields.*no `unseen`",
    ),
    (
        "others_secrets_do_not_show",
        replace(GUESS, view=_glass),
        "`view` shows the public what seat",
    ),
    (
        "others_secrets_do_not_show",
        replace(GUESS, tell=_loud),
        "`tell` says to the public what seat",
    ),
    (
        "possible_states_can_be_played",
        replace(PIG, possible=_careless, view=_wide_view),
        "`possible` must",
    ),
]


@pytest.mark.parametrize(("name", "game", "words"), SAYS)
def test_a_broken_promise_says_what_to_mend(name: str, game: Game[Any], words: str) -> None:
    honest = PIG if game.key == "pig" else GUESS
    walks = [tuple(walk(honest, 2, honest.options(), seed)) for seed in range(4)]
    with pytest.raises((AssertionError, IndexError)) as broken:
        _keep(name, game, walks)
    assert re.search(words, "\n".join([str(broken.value), *getattr(broken.value, "__notes__", ())]))


@pytest.mark.parametrize("last", [0, 1])
def test_who_always_chooses_last_is_not_said_to_see_a_secret(last: int) -> None:
    """In a short game of sealed choices nothing was ever hidden from one of the seats."""
    begun = GUESS.apply(GUESS.new(2, GUESS.options()), Toss(0))
    moments = []
    for salt, rolled in (("ab", 1), ("cd", 6)):
        for action in (Guess(1 - last, rolled, salt), Guess(last, 2, salt[::-1])):
            moments.append(Moment(begun, action))
            begun = GUESS.apply(begun, action)
        begun = GUESS.apply(begun, Rolled((Die("black", rolled),)))
    contract.unseen_really_hides(GUESS, moments, 2, random.Random(1))
    blind = replace(
        GUESS, secrets=Secrets(GUESS.secrets.reveals, lambda state, _viewer, _pick: state)
    )
    with pytest.raises(AssertionError, match="`unseen` never draws"):
        contract.unseen_really_hides(blind, moments, 2, random.Random(1))


def _keep(name: str, game: Game[Any], walks: list[tuple[Moment, ...]]) -> None:
    for seed, moments in enumerate(walks):
        getattr(contract, name)(game, moments, 2, random.Random(seed))


def test_a_value_that_can_be_changed_is_seen() -> None:
    with pytest.raises(AssertionError, match="not frozen"):
        contract.values_are_frozen(PIG, [Moment(Loose(3), None)], 2, random.Random(1))
