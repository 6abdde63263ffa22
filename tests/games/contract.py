"""What every game promises: each promise a function that raises AssertionError when broken.

The message says which function of the game to mend: docs/adding-a-game.md has a step for each.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import islice
from typing import Any

from companion.errors import BadState, Illegal
from companion.games.api import Game, Rolled, cited, fits
from companion.memory.codec import (
    action_from_json,
    action_to_json,
    result_to_json,
    state_from_json,
    state_to_json,
    view_to_json,
)
from companion.views import View
from companion.words import Text
from tests.games.contract_costs import (
    a_choice_says_what_it_ends,
    what_goes_by_itself_tells_nothing,
)
from tests.games.contract_secrets import the_unknowable_leaves_no_trace, unseen_is_canonical
from tests.games.contract_story import nothing_changes_in_silence
from tests.games.shelf import MANY, Moment, legal

Promise = Callable[[Game[Any], Sequence[Moment], int, random.Random], None]


def legal_and_apply_agree(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """What `legal` lists is accepted; whatever else is tried is refused with a known rule."""
    rules = {rule.id for rule in game.rules}
    played = [moment.action for moment in moments if moment.action is not None]
    for state, _ in _sample(moments, rng, 40):
        allowed = {seat: legal(game, state, seat) for seat in range(seats)}
        for action in [action for actions in allowed.values() for action in _few(actions, rng, 30)]:
            _leads_on(game, state, action)
        if any(len(actions) == MANY for actions in allowed.values()):
            continue  # too many to say what is not among them
        known = {action for actions in allowed.values() for action in actions}
        base = [*_few(played, rng, 25), *_few(sorted(known, key=repr), rng, 10)]
        for action in {*base, *(other for one in base for other in mutants(one, seats, rng))}:
            if not hasattr(action, "seat"):
                _chance_is_refused_unless_awaited(game, state, action, rules)
            elif _bare(action) not in known:
                rule = _refusal(game, state, action).rule
                assert rule in rules, f"apply refuses {action} by {rule!r}: no such rule in `rules`"


def every_move_cites_a_rule(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """Every kind of action names the rule that it follows, and the rule is in the list."""
    rules = {rule.id for rule in game.rules}
    uncited, unknown = set(game.actions) - set(game.cites), set(game.cites) - set(game.actions)
    assert not uncited, f"`cites` lacks {_kinds(uncited)}: name the rule that allows it"
    assert not unknown, f"`cites` has {_kinds(unknown)}, which `actions` lacks"
    for state, action in moments:
        if action is not None:
            rule = cited(game, state, action)
            assert rule in rules, f"`cites` names {rule!r} for {action}: no such rule in `rules`"
    for state, _ in _sample(moments, rng, 40):
        for seat in range(seats):
            for action in _few(legal(game, state, seat), rng, 10):
                rule = cited(game, state, action)
                assert rule in rules, f"`cites` names {rule!r} for {action}: no such rule"


def nothing_is_changed_in_place(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """No function of the game changes the state it is given."""
    for state, action in _sample(moments, rng, 40):
        before, stamp = repr(state), hash(state)
        game.waiting(state)
        game.result(state)
        game.rulings.counters(state)
        game.possible(state)
        for viewer in _viewers(seats):
            game.view(state, viewer)
            if viewer is not None:
                legal(game, state, viewer)
                if game.advice and rng.random() < 0.2:
                    game.advice(state, viewer)
            if game.secrets.unseen:
                game.secrets.unseen(state, viewer, rng.randrange)
            if action is not None:
                game.tell(state, action, viewer)
                cited(game, state, action)
        if action is not None:
            game.secrets.reveals(state, action)
            game.apply(state, action)
        assert (repr(state), hash(state)) == (before, stamp), (
            f"a function changed {before} in place: build the new state with `replace`"
        )


def values_are_frozen(
    game: Game[Any], moments: Sequence[Moment], _seats: int, rng: random.Random
) -> None:
    """States and actions are frozen dataclasses all the way down, of tuples and plain values."""
    for state, action in _sample(moments, rng, 40):
        _frozen(state)
        if action is not None:
            _frozen(action)
            assert type(action) in game.actions, f"{type(action)} is missing in `actions`"


def json_goes_there_and_back(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """States, actions, views and results survive JSON."""
    for state, action in _sample(moments, rng, 40):
        stored = json.dumps(state_to_json(game, state))
        again = state_from_json(game, json.loads(stored))
        assert again == state, f"{state} came back from JSON as {again}: is every field annotated?"
        json.dumps(result_to_json(game.result(state)))
        for viewer in _viewers(seats):
            json.dumps(view_to_json(game.view(state, viewer)))
        if action is not None:
            line = json.dumps(action_to_json(action))
            assert action_from_json(game, json.loads(line)) == action, f"{action} became another"


def somebody_is_waited_for_until_the_end(
    game: Game[Any], moments: Sequence[Moment], seats: int, _rng: random.Random
) -> None:
    """`waiting` and `result` are never both silent, and who is waited for can act."""
    for state, _ in moments:
        waiting = game.waiting(state)
        _waits_or_ended(game, state)
        assert all(0 <= seat < seats for seat in waiting.seats), f"no such seat: {waiting}"
        assert not waiting.chance or game.chance is not None, (
            "waits for chance; Game has no `chance`"
        )
        for seat in waiting.seats:
            can = next(iter(game.legal(state, seat)), None) is not None
            assert can, f"`waiting` names seat {seat}, `legal` gives it nothing in {state}"
        if waiting.moment:  # nobody is passed over: there is one to choose: to go on, or to go back
            choices = [one for seat in range(seats) for one in legal(game, state, seat)]
            onward = [one for one in choices if type(one).__name__ != "Undo"]
            assert choices[0] == onward[0], "the choice that is taken by itself comes first"
            silence = game.wanted and game.wanted(state, waiting.seats[0]) == choices[0]
            if not (silence and game.secrets.unseen):  # it passes for a hand that only one knows
                assert len(onward) == 1, f"`moment` is for one choice, not {onward}, in {state}"
        if not waiting:
            late = [action for seat in range(seats) for action in legal(game, state, seat)]
            assert not late, f"`legal` still gives {late[0]} after the end"


def games_end(game: Game[Any], moments: Sequence[Moment], seats: int, _rng: random.Random) -> None:
    """A walk ends within the cap, with a result that names real seats."""
    result = game.result(moments[-1].state)
    assert result is not None, f"no result after {len(moments) - 1} actions: `cap` is {game.cap}"
    assert len(moments) - 1 <= game.cap, f"{len(moments) - 1} actions: `cap` is {game.cap}"
    assert set(result.winners) <= set(range(seats)), f"no such seats: {result.winners}"
    for score in result.scores:
        parts = sum(n for _, n in score.breakdown)
        assert not score.breakdown or parts == score.total, f"{score} adds up to {parts}"


def choices_are_legal_and_barred_ones_are_not(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """Every choice is accepted, every barred one refused with the rule it names; none to others."""
    for state, _ in _sample(moments, rng, 40):
        waiting = game.waiting(state)
        assert not game.view(state, None).choices, "the public cannot press"
        for seat in range(seats):
            view = game.view(state, seat)
            _texts_can_be_shown(view)
            free = [choice for choice in view.choices if not choice.barred]
            assert view.choices[: len(free)] == tuple(free), "barred choices come last"
            for choice in free:
                assert choice.action.seat == seat, f"seat {seat} is offered {choice.action}"
                why = _why(game, state, choice.action)
                assert why is None, f"the view offers {choice.action}, apply refuses it: {why}"
            for choice in view.choices[len(free) :]:
                rule = _refusal(game, state, choice.action).rule
                assert rule == choice.barred, f"{choice} is refused by {rule}, not as it says"
                if game.rulings.force:
                    game.possible(game.rulings.force(state, choice.action))
            if seat in waiting.seats and len(legal(game, state, seat)) < MANY:
                assert free, f"seat {seat} is waited for, its view has no choice, in {state}"


def others_secrets_do_not_show(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """Nothing a viewer sees, may do or is told differs between states it cannot tell apart."""
    if game.secrets.unseen is None:
        return
    for state, action in _sample(moments, rng, 30):
        for viewer in _viewers(seats):
            other = game.secrets.unseen(state, viewer, rng.randrange)
            _keeps_sound(game, other, f"`unseen` for viewer {viewer}")
            assert game.view(other, viewer) == game.view(state, viewer), "the view tells a secret"
            assert game.waiting(other) == game.waiting(state), "waiting tells a secret"
            assert game.result(other) == game.result(state), "the result tells a secret"
            assert game.rulings.counters(other) == game.rulings.counters(state), (
                "a counter tells a secret"
            )
            if viewer is not None:
                _own_moves_show_nothing(game, state, other, viewer, rng)
            if action is not None:
                _others_moves_show_nothing(game, state, other, action, viewer, rng)


def unseen_really_hides(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """The check above is not empty: what is hidden is really drawn anew, for every viewer."""
    sealed = {kind for kind in game.actions if "salt" in {field.name for field in fields(kind)}}
    bare = {kind for kind in sealed if not {"salt"} < set(_secret_fields(kind))}
    assert not bare, f"{_kinds(bare)} is sealed: make `salt` and what is chosen with `secret()`"
    marked = {kind for kind in game.actions if _secret_fields(kind)}
    lacks = f"{_kinds(marked)} has secret fields, but the Game has no `unseen`: no leak can be seen"
    assert game.secrets.unseen is not None or not marked, lacks
    for viewer in _viewers(seats):
        if game.secrets.unseen is None or not _secrets_from(game, moments, viewer):
            continue
        drawn = (game.secrets.unseen(state, viewer, rng.randrange) != state for state, _ in moments)
        assert any(drawn), f"`unseen` never draws anything anew for viewer {viewer}"


def counters_can_be_overruled(
    game: Game[Any], moments: Sequence[Moment], _seats: int, rng: random.Random
) -> None:
    """Each counter can be set to its ends and back; beyond them it is refused."""
    for state, _ in _sample(moments, rng, 25):
        for counter in game.rulings.counters(state):
            assert counter.low <= counter.value <= counter.high, f"{counter}"
            assert game.rulings.overrule is not None, "there are counters, but no `overrule`"
            for value in (counter.low, counter.high):
                ruled = game.rulings.overrule(state, counter.key, value)
                _keeps_sound(game, ruled, f"`overrule` {counter.key} = {value}")
                _waits_or_ended(game, ruled)
            try:
                game.rulings.overrule(state, counter.key, counter.high + 1)
            except (BadState, Illegal):
                continue
            raise AssertionError(
                f"`overrule` set {counter.key} past {counter.high}: raise BadState"
            )


def possible_states_can_be_played(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """A state from outside is either refused with BadState or can be asked everything."""
    for state, _ in _sample(moments, rng, 40):
        obj = state_to_json(game, state)
        for bent in (_bent(obj, rng) for _ in range(12)):
            try:
                odd = state_from_json(game, bent)
            except BadState:
                continue
            try:
                for seat in range(seats):
                    for action in _few(legal(game, odd, seat), rng, 5):
                        _leads_on(game, odd, action)
                for viewer in _viewers(seats):
                    game.view(odd, viewer)
                _waits_or_ended(game, odd)
            except Exception as error:
                error.add_note(f"`possible` must refuse this state, it can't be played: {odd}")
                raise


PROMISES: tuple[Promise, ...] = (
    values_are_frozen,  # first: what is not frozen breaks the others in stranger ways
    legal_and_apply_agree,
    every_move_cites_a_rule,
    nothing_is_changed_in_place,
    json_goes_there_and_back,
    somebody_is_waited_for_until_the_end,
    games_end,
    choices_are_legal_and_barred_ones_are_not,
    others_secrets_do_not_show,
    unseen_really_hides,
    unseen_is_canonical,
    the_unknowable_leaves_no_trace,
    nothing_changes_in_silence,
    a_choice_says_what_it_ends,
    what_goes_by_itself_tells_nothing,
    counters_can_be_overruled,
    possible_states_can_be_played,
)


def _own_moves_show_nothing(
    game: Game[Any], state: Any, other: Any, viewer: int, rng: random.Random
) -> None:
    actions = legal(game, state, viewer)
    assert actions == legal(game, other, viewer), f"what is legal tells seat {viewer} a secret"
    for action in _few(actions, rng, 8):
        assert game.secrets.reveals(state, action) == game.secrets.reveals(other, action)
        if not game.secrets.reveals(state, action):
            after, also = game.apply(state, action), game.apply(other, action)
            assert game.view(after, viewer) == game.view(also, viewer), "a move tells a secret"
        for mutant in islice(mutants(action, 2, rng), 6):
            if getattr(mutant, "seat", None) == viewer:
                first, second = _why(game, state, mutant), _why(game, other, mutant)
                assert first == second, "a refusal tells a secret"
    if game.advice and rng.random() < 0.2:
        assert game.advice(state, viewer) == game.advice(other, viewer), "the coach tells a secret"
        if game.hints:
            told, other_told = game.hints(state, viewer), game.hints(other, viewer)
            assert tuple(told) == tuple(other_told), "the coach tells a secret with a choice"
    if game.wanted:
        assert game.wanted(state, viewer) == game.wanted(other, viewer), "the finger tells a secret"


def _others_moves_show_nothing(
    game: Game[Any],
    state: Any,
    other: Any,
    action: Any,
    viewer: int | None,
    rng: random.Random,
) -> None:
    """Of a hidden choice all are told the same, whatever it is."""
    _shown(game.tell(state, action, viewer))
    seat = getattr(action, "seat", None)
    if seat is None or seat == viewer or game.secrets.reveals(state, action):
        return
    told, rule = game.tell(state, action, viewer), cited(game, state, action)
    assert cited(game, other, action) == rule, "a citation tells a secret"
    after = game.view(game.apply(state, action), viewer)
    can = [one for one in legal(game, state, seat) if type(one) is type(action)]
    could = [one for one in legal(game, other, seat) if type(one) is type(action)]
    for one in _few([*can, *could], rng, 6):
        # only what is secret may differ: an open field is everybody's to know
        same = replace(one, **_open_fields(action))
        also = game.tell(state, same, viewer)
        assert also == told, f"`tell` says to {_whom(viewer)} what seat {seat} chose: {also}"
        assert cited(game, state, same) == rule, f"`cites` tells what seat {seat} chose"
        if same in can:
            also = game.view(game.apply(state, same), viewer)
            shows = f"`view` shows {_whom(viewer)} what seat {seat} chose by {action}"
            assert after == also, f"{shows}; if that opens it, `reveals` must say so"


def _secrets_from(game: Game[Any], moments: Sequence[Moment], viewer: int | None) -> bool:
    """Did others' secret fields, not revealed at once, hold more than one value? Cards of cardboard
    are nobody's to know; and in a short game one seat may always be the last to choose."""
    seen: dict[tuple[type, str], Any] = {}
    for state, action in moments:
        by = getattr(action, "seat", None)
        if action is None or (
            by is not None and (by == viewer or game.secrets.reveals(state, action))
        ):
            continue
        for field in fields(action):
            if field.metadata.get("secret"):
                value = getattr(action, field.name)
                if seen.setdefault((type(action), field.name), value) != value:
                    return True
    return False


def _open_fields(action: Any) -> dict[str, Any]:
    public = [f.name for f in fields(action) if not f.metadata.get("secret")]
    return {name: getattr(action, name) for name in public}


def _chance_is_refused_unless_awaited(
    game: Game[Any], state: Any, action: Any, rules: set[str]
) -> None:
    why = _why(game, state, action)
    if why is None:
        waiting = game.waiting(state)
        if isinstance(action, Rolled):
            assert fits(waiting.dice, action), f"apply took {action}, wanted was {waiting.dice}"
        assert waiting.chance or waiting.dice is not None, f"{action} came unasked and was taken"
        _leads_on(game, state, action)
    else:
        assert why[0] in rules, f"apply refuses {action} by {why[0]!r}: no such rule in `rules`"


def _leads_on(game: Game[Any], state: Any, action: Any) -> None:
    """The action is taken, and leads to a possible state."""
    why = _why(game, state, action)
    assert why is None, f"`legal` lists {action}, apply refuses it: {why}"
    _keeps_sound(game, game.apply(state, action), f"apply took {action}")


def _keeps_sound(game: Game[Any], state: Any, done: str) -> None:
    try:
        game.possible(state)
    except BadState as error:
        raise AssertionError(f"{done}, and `possible` says: {error}, of {state}") from error


def _waits_or_ended(game: Game[Any], state: Any) -> None:
    waiting, result = game.waiting(state), game.result(state)
    both = f"`waiting` must be falsy exactly when there is a `result`: {waiting}, {result}"
    assert bool(waiting) == (result is None), both


def _refusal(game: Game[Any], state: Any, action: Any) -> Illegal:
    try:
        game.apply(state, action)
    except Illegal as refusal:
        _shown(refusal.why)
        return refusal
    raise AssertionError(f"apply took {action}, which `legal` does not list, in {state}")


def _why(game: Game[Any], state: Any, action: Any) -> tuple[str, Text] | None:
    """Rule and reason of a refusal; None if the action is taken."""
    try:
        game.apply(state, action)
    except Illegal as refusal:
        return refusal.rule, refusal.why
    return None


def mutants(action: Any, seats: int, rng: random.Random) -> Iterator[Any]:
    """The action with one field bent: another seat, another number, word or tuple."""
    for field in fields(action):
        value = getattr(action, field.name)
        if field.name == "salt":
            continue
        for bent in _bends(value, seats, rng):
            if bent != value:
                yield replace(action, **{field.name: bent})


def _bends(value: Any, seats: int, rng: random.Random) -> list[Any]:
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1, value - 1, 0, seats, -1, 99]
        case str():
            return ["", "nothing", value[::-1]]
        case tuple() if value:
            inner = list(value)
            rng.shuffle(inner)
            bends = [value[:-1], (*value, value[0]), (value[0],) * len(value), tuple(inner), ()]
            if is_dataclass(value[0]):
                bends += [(one, *value[1:]) for one in mutants(value[0], seats, rng)]
            return bends
        case tuple():
            return [(0,), ("nothing",)]
    return []


def _bent(obj: Any, rng: random.Random) -> Any:
    """JSON with one leaf changed."""
    if isinstance(obj, dict) and obj:
        key = rng.choice(sorted(obj))
        return {**obj, key: _bent(obj[key], rng)}
    if isinstance(obj, list) and obj and rng.random() < 0.8:
        at = rng.randrange(len(obj))
        return [*obj[:at], _bent(obj[at], rng), *obj[at + 1 :]]
    if isinstance(obj, list):
        return obj[:-1] if obj else [0]
    if isinstance(obj, bool):
        return not obj
    if isinstance(obj, int):
        return rng.choice([obj + 1, obj - 1, 0, 1, -1, 99])
    if isinstance(obj, str):
        return rng.choice(["", "nothing", obj + "x"])
    return 0


def _frozen(value: Any) -> None:
    if is_dataclass(value):
        kind: Any = type(value)
        assert kind.__dataclass_params__.frozen, f"{kind} is not frozen: frozen=True, slots=True"
        assert "__slots__" in vars(kind), f"{kind} has no slots: frozen=True, slots=True"
        for field in fields(value):
            _frozen(getattr(value, field.name))
    elif isinstance(value, tuple | frozenset):
        for item in value:
            _frozen(item)
    else:
        assert isinstance(value, int | str | None), (
            f"{value!r} is no int, str, None or tuple of these"
        )


def _texts_can_be_shown(view: View) -> None:
    for choice in view.choices:
        _shown(choice.label)
    _shown(view.title)
    _shown(view.waiting)
    view_to_json(view)


def _shown(text: Text) -> None:
    assert text.show(), f"{text} says nothing"


def _bare(action: Any) -> Any:
    return replace(action, salt="") if hasattr(action, "salt") else action


def _whom(viewer: int | None) -> str:
    return "the public" if viewer is None else f"seat {viewer}"


def _secret_fields(kind: type) -> list[str]:
    return [field.name for field in fields(kind) if field.metadata.get("secret")]


def _kinds(kinds: set[type]) -> str:
    return ", ".join(sorted(kind.__name__ for kind in kinds))


def _viewers(seats: int) -> list[int | None]:
    return [None, *range(seats)]


def _sample(moments: Sequence[Moment], rng: random.Random, most: int) -> Iterator[tuple[Any, Any]]:
    """The start, the end, and some moments between."""
    if len(moments) > most:
        between = sorted(rng.sample(range(1, len(moments) - 1), most - 2))
        moments = [moments[0], *(moments[at] for at in between), moments[-1]]
    for moment in moments:
        yield moment.state, moment.action


def _few(items: Sequence[Any], rng: random.Random, most: int) -> list[Any]:
    return rng.sample(items, most) if len(items) > most else list(items)
