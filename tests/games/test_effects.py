"""The language of card texts: read, refused, told, reckoned and carried out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from companion.errors import Illegal
from companion.games.effects import (
    Clause,
    Condition,
    Due,
    Effect,
    Verb,
    Vocabulary,
    Word,
    bonus,
    changed,
    choose,
    clause_text,
    firing,
    needs_text,
    open_targets,
    read,
    read_needs,
    run,
)
from companion.words import text

WORDS = Vocabulary(
    whens={"hit": text("When it hits"), "worn": text("While worn")},
    verbs={
        "damage": Word(text("{n} damage"), signs="+ - x / ="),
        "draw": Word(text("draw {n}")),
        "steal": Word(text("steal {n} {of}"), of=("", "hand")),
    },
    conditions={"spot": Word(text("you spot {n} {of}"), of=("*",)), "even": Word(text("even"))},
    names={"": text("any"), "fire": text("Fire"), "hand": text("of the hand")},
)


def test_a_text_is_read_clause_by_clause() -> None:
    assert read("hit: damage +2 if even and spot 2 fire; worn: steal 1 hand", WORDS) == (
        Clause(
            "hit", Effect("damage", 2, "", "+"), (Condition("even"), Condition("spot", 2, "fire"))
        ),
        Clause("worn", Effect("steal", 1, "hand")),
    )
    assert read("", WORDS) == read("printed", WORDS) == ()
    assert read_needs("spot 3 fire", WORDS) == (Condition("spot", 3, "fire"),)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("often: draw 1", "must begin with one of hit, worn"),
        ("hit draw 1", "must begin with"),
        ("hit: dance 1", "must be one of damage, draw, steal"),
        ("hit: draw +1", "takes a number with one of -"),
        ("hit: damage 1", r"takes a number with one of \+"),
        ("hit: steal 1 fire", "cannot be about 'fire'"),
        ("hit: draw 1 if spot 2 water", "cannot be about 'water'"),
        ("hit: draw 1 if odd", "must be one of spot, even"),
        ("hit: draw 12", "must be one of"),
        ("hit: draw 1;", "must begin with"),
    ],
)
def test_what_the_language_cannot_say_is_refused_with_the_words_it_knows(
    line: str, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        read(line, WORDS)


def test_a_clause_reads_as_a_sentence() -> None:
    (clause,) = read("hit: damage +2 if even and spot 2 fire", WORDS)
    assert (
        clause_text(clause, WORDS).show() == "When it hits: +2 damage if even and you spot 2 Fire"
    )
    (plain,) = read("worn: draw 3", WORDS)
    assert clause_text(plain, WORDS).show() == "While worn: draw 3"
    assert needs_text(clause.needs[1:], WORDS).show() == "you spot 2 Fire"


@pytest.mark.parametrize(
    ("sign", "amount", "after"),
    [("+", 2, 7), ("-", 2, 3), ("-", 9, 0), ("x", 3, 15), ("/", 2, 3), ("=", 1, 1), ("=", 0, 0)],
)
def test_a_number_of_five_is_raised_lowered_multiplied_halved_up_or_set(
    sign: str, amount: int, after: int
) -> None:
    assert changed(Effect("damage", amount, sign=sign), 5) == after


def test_effects_fire_at_their_moment_if_all_conditions_hold() -> None:
    clauses = read("hit: draw 1; hit: damage +2 if even; worn: damage +4; hit: damage -1", WORDS)
    yes, no = (lambda _need: True), (lambda _need: False)
    assert [effect.verb for effect in firing(clauses, "hit", yes)] == ["draw", "damage", "damage"]
    assert [effect.verb for effect in firing(clauses, "hit", no)] == ["draw", "damage"]
    assert bonus(clauses, "hit", "damage", yes) == 1
    assert bonus(clauses, "worn", "damage", no) == 4


@dataclass(frozen=True, slots=True)
class Purse:
    due: tuple[Due, ...]
    coins: tuple[str, ...] = ("gold", "tin")
    taken: tuple[str, ...] = ()


def _take(purse: Purse, _due: Due, coin: str) -> Purse:
    rest = tuple(c for c in purse.coins if c != coin)
    return replace(purse, coins=rest, taken=(*purse.taken, coin))


VERBS = {
    "take": Verb[Purse](_take, lambda purse, _due: purse.coins),
    "fill": Verb[Purse](lambda purse, _due, _: replace(purse, coins=(*purse.coins, "new"))),
}


def test_effects_are_carried_out_in_order_until_somebody_must_choose() -> None:
    purse = run(Purse((Due("fill", 1, 0, "x"), Due("take", 2, 1, "y"))), VERBS)
    assert (purse.coins, purse.taken) == (("gold", "tin", "new"), ())
    assert open_targets(purse, VERBS) == ("gold", "tin", "new")
    with pytest.raises(Illegal):
        choose(purse, VERBS, "silver", "R1")
    purse = choose(purse, VERBS, "tin", "R1")
    assert purse.due == (Due("take", 1, 1, "y"),)
    assert run(purse, VERBS) is purse  # two are left: a choice again
    purse = run(choose(purse, VERBS, "new", "R1"), VERBS)
    assert (purse.taken, purse.due) == (("tin", "new"), ())


def test_an_effect_with_one_target_is_done_and_one_without_any_is_dropped() -> None:
    purse = run(Purse((Due("take", 3, 0, "x"),), coins=("gold",)), VERBS)
    assert (purse.taken, purse.due) == (("gold",), ())
    assert open_targets(purse, VERBS) == ()
