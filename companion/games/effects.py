"""Card texts as data: a small language of conditions and effects, and the one that carries it out.

A text is a row of clauses, `reward: draw 1; fights: strength +2 if against water and spot 2 fire`.
Each game brings its own words (a `Vocabulary`) and what they do (a `Verb` each); reading,
checking, adding up, queueing and asking for targets is the same for every card game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from companion.games.api import require
from companion.games.records import replace
from companion.words import Text, text

PRINTED = "printed"
"""A text that our words cannot say: the players do what the card says and set the counters."""

_CLAUSE = re.compile(r"([a-z]+): (.+?)(?: if (.+))?")
_WORD = re.compile(r"([a-z]+)(?: ([-+x/=]?)(\d))?(?: ([a-z -]+))?")


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that must be so: `spot 2 fire`, `against goblin`, `wounded`."""

    word: str
    amount: int = 1
    of: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that happens: `draw 1`, `wound 1 other`, `strength +2`."""

    verb: str
    amount: int = 1
    of: str = ""
    sign: str = ""  # + - x / =, where a number is changed


@dataclass(frozen=True, slots=True)
class Clause:
    """When, what, and under which conditions."""

    when: str
    effect: Effect
    needs: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a game: what may follow it, and how it reads ({n} and {of} are filled in)."""

    says: Text
    of: tuple[str, ...] = ("",)  # what it may be about; ("*",): any word that the game knows
    signs: str = ""  # how it may change a number; "" if it does not


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that a game's cards are written in."""

    whens: Mapping[str, Text]
    verbs: Mapping[str, Word]
    conditions: Mapping[str, Word]
    names: Mapping[str, Text]  # elements, species …, as players read them


def read(line: str, words: Vocabulary) -> tuple[Clause, ...]:
    """The clauses of a text; ValueError says which word is not understood."""
    if line in ("", PRINTED):
        return ()
    return tuple(_clause(part.strip(), words) for part in line.split(";"))


def read_needs(line: str, words: Vocabulary) -> tuple[Condition, ...]:
    """Conditions that stand alone, as `spot 2 fire and spot 1 goblin`."""
    return tuple(_condition(part, words) for part in line.split(" and ")) if line else ()


def _clause(part: str, words: Vocabulary) -> Clause:
    match = _CLAUSE.fullmatch(part)
    if match is None or match[1] not in words.whens:
        raise ValueError(f"has {part!r}, must begin with one of {', '.join(words.whens)}")
    verb, sign, amount, of = _parts(match[2], words.verbs, words)
    return Clause(match[1], Effect(verb, amount, of, sign), read_needs(match[3] or "", words))


def _condition(part: str, words: Vocabulary) -> Condition:
    word, _, amount, of = _parts(part, words.conditions, words)
    return Condition(word, amount, of)


def _parts(part: str, known: Mapping[str, Word], words: Vocabulary) -> tuple[str, str, int, str]:
    match = _WORD.fullmatch(part)
    if match is None or match[1] not in known:
        raise ValueError(f"has {part!r}, must be one of {', '.join(known)}")
    word, sign, of = known[match[1]], match[2] or "", match[4] or ""
    if sign not in word.signs.split() and (sign or word.signs):
        raise ValueError(f"has {part!r}: {match[1]} takes a number with one of {word.signs or '-'}")
    if of not in (words.names if word.of == ("*",) else word.of):
        raise ValueError(f"has {part!r}: {match[1]} cannot be about {of!r}")
    return match[1], sign, int(match[3] or 1), of


# --- what players read ---------------------------------------------------------------------------


def clause_text(clause: Clause, words: Vocabulary) -> Text:
    """A clause as a sentence."""
    when, effect = words.whens[clause.when], clause.effect
    what = _said(words.verbs[effect.verb], effect.sign, effect.amount, effect.of, words)
    if not clause.needs:
        return text("{when}: {what}", when=when, what=what)
    return text(
        "{when}: {what} if {needs}", when=when, what=what, needs=needs_text(clause.needs, words)
    )


def needs_text(needs: tuple[Condition, ...], words: Vocabulary) -> Text:
    """Conditions as a sentence."""
    first, *rest = (_said(words.conditions[n.word], "", n.amount, n.of, words) for n in needs)
    for other in rest:
        first = text("{a} and {b}", a=first, b=other)
    return first


def _said(word: Word, sign: str, amount: int, of: str, words: Vocabulary) -> Text:
    number = f"{sign}{amount}".replace("x", "×").replace("/", "÷")  # noqa: RUF001
    holes = (("n", number), ("of", words.names.get(of, Text(of))))
    return Text(word.says.template, holes)


# --- numbers ------------------------------------------------------------------------------------


def changed(effect: Effect, base: int) -> int:
    """The number after the effect; halves are rounded up, nothing falls below zero."""
    match effect.sign:
        case "-":
            return max(0, base - effect.amount)
        case "x":
            return base * effect.amount
        case "/":
            return -(-base // effect.amount)
        case "=":
            return effect.amount
    return base + effect.amount


def firing(
    clauses: Iterable[Clause], when: str, holds: Callable[[Condition], bool]
) -> Iterator[Effect]:
    """The effects that happen at this moment, in the order of the text."""
    for clause in clauses:
        if clause.when == when and all(map(holds, clause.needs)):
            yield clause.effect


def bonus(
    clauses: Iterable[Clause], when: str, verb: str, holds: Callable[[Condition], bool]
) -> int:
    """What the effects of this verb add up to."""
    effects = (effect for effect in firing(clauses, when, holds) if effect.verb == verb)
    return sum(-effect.amount if effect.sign == "-" else effect.amount for effect in effects)


# --- carrying out -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Due:
    """An effect still to be carried out, `amount` times: who decides, and for which card."""

    verb: str
    amount: int
    seat: int
    card: str


class Queued(Protocol):
    """A state that effects queue up in."""

    @property
    def due(self) -> tuple[Due, ...]: ...


S = TypeVar("S", bound=Queued)


@dataclass(frozen=True)
class Verb(Generic[S]):
    """What a word does: `act` once, on a target if `targets` names any."""

    act: Callable[[S, Due, str], S]
    targets: Callable[[S, Due], tuple[str, ...]] | None = None


def run(state: S, verbs: Mapping[str, Verb[S]]) -> S:
    """Carry out what needs nobody's choice; stop where somebody must choose a target."""
    while state.due:
        due = state.due[0]
        verb = verbs[due.verb]
        targets = ("",) if verb.targets is None else verb.targets(state, due)
        if len(targets) > 1:
            break
        state = verb.act(_once(state), due, targets[0]) if targets else _dropped(state)
    return state


def open_targets(state: S, verbs: Mapping[str, Verb[S]]) -> tuple[str, ...]:
    """What the one who must choose may choose from."""
    if not state.due:
        return ()
    targets = verbs[state.due[0].verb].targets
    return targets(state, state.due[0]) if targets else ()


def choose(state: S, verbs: Mapping[str, Verb[S]], target: str, rule: str) -> S:
    """Carry out the first effect on the chosen target."""
    require(target in open_targets(state, verbs), rule, "Choose one of what is offered")
    due = state.due[0]
    return verbs[due.verb].act(_once(state), due, target)


def _once(state: S) -> S:
    due = state.due[0]
    left = (replace(due, amount=due.amount - 1),) if due.amount > 1 else ()
    return _with_due(state, (*left, *state.due[1:]))


def _dropped(state: S) -> S:
    return _with_due(state, state.due[1:])


def _with_due(state: S, due: tuple[Due, ...]) -> S:
    changed_state: S = replace(state, due=due)  # type: ignore[type-var]  # states are dataclasses
    return changed_state
