"""The rules as a service: one JSON object per line in, one out. docs/referee.md tells how."""

from __future__ import annotations

import inspect
import json
import logging
import math
import random
from collections import deque
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Annotated, Any, BinaryIO, Generic, TypeAlias, TypeVar

from pydantic import ConfigDict, Field, ValidationError, validate_call

from companion.cli.rulebook import translated
from companion.errors import BadState, Illegal
from companion.games.api import Game, Pick, roll
from companion.memory import codec
from companion.words import SeatNo, Text, Translate, unwritable

S = TypeVar("S")
Json: TypeAlias = Any
Reply: TypeAlias = dict[str, Json]
LONGEST = 1 << 20  # bytes in a line
REMEMBERED = 10_000  # steps that can be undone

log = logging.getLogger(__name__)
asked = validate_call(config=ConfigDict(strict=True))


class Cannot(BadState):
    """A request that cannot be met; `kind` tells a program why, the text a human."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


class Referee(Generic[S]):
    """One game under one judge. Every request is a method here, every answer plain JSON."""

    def __init__(self, game: Game[S], seed: int | None = None, translate: Translate = str) -> None:
        self.game = game
        self._translate = translate
        self._pick = _generator(seed)
        self._seats = 0
        self._now: S | None = None
        self._before: deque[S] = deque(maxlen=REMEMBERED)

    def answer(self, line: str | bytes) -> str:
        """One line of JSON for one line of whatever it is; nothing that comes in ends us."""
        reply: Reply = {}
        try:
            request = _parse(line)
            if "id" in request:
                reply["id"] = request.pop("id")
            reply |= {"ok": True, **self._ask(request)}
        except Illegal as refusal:
            reply |= _error("illegal", self._say(refusal.why), refusal.rule)
        except Cannot as refusal:
            reply |= _error(refusal.kind, str(refusal))
        except BadState as refusal:
            reply |= _error("malformed", str(refusal))
        except Exception as bug:  # whatever is wrong with us, each line gets its answer
            log.exception("a bug in the rules of %s", self.game.key)
            reply |= _error("bug", f"{type(bug).__name__}: {bug}")
        return codec.json_line(reply)

    # -- the requests

    @asked
    def new(
        self, seats: int, options: dict[str, Any] | None = None, seed: int | None = None
    ) -> Reply:
        """Begin a game. What options do not name keeps its default; a seed repeats the chance."""
        if seats not in self.game.seats:
            counts = ", ".join(map(str, self.game.seats))
            raise Cannot("impossible", f'"seats" of {self.game.key} must be one of {counts}')
        choices = codec.options_from_json(self.game, options or {})
        start = self.game.new(seats, choices)
        if seed is not None:
            self._pick = _generator(seed)
        self._begin(start, seats)
        return {"options": codec.options_to_json(choices), **self._stands()}

    @asked
    def load(self, state: Any, seats: int | None = None) -> Reply:
        """Go on from a state as the referee prints it; seats as before, unless told."""
        seats = self._seats if seats is None else seats
        if seats not in self.game.seats:
            counts = ", ".join(map(str, self.game.seats))
            raise Cannot("impossible", f'say for how many "seats" this state is: {counts}')
        try:
            there = codec.state_from_json(self.game, state)
            if getattr(there, "seats", seats) != seats:  # some states say for how many they are
                raise LookupError(seats)
            for seat in (None, *range(seats)):
                self.game.view(there, seat)
        except BadState as wrong:
            raise Cannot("impossible", str(wrong)) from wrong
        except LookupError as wrong:
            raise Cannot("impossible", f"this is no state of a game for {seats}") from wrong
        self._begin(there, seats)
        return self._stands()

    @asked
    def state(self) -> Reply:
        """The whole state, secrets included: what load takes."""
        return {"seats": self._seats, "state": codec.state_to_json(self.game, self._state)}

    @asked
    def do(self, action: Any) -> Reply:
        """Play an action: a seat's move, or chance as it fell on the table."""
        return self._play(codec.action_from_json(self.game, action))

    @asked
    def chance(self) -> Reply:
        """The referee throws the dice, or shuffles and draws, as the game now wants."""
        waiting = self.game.waiting(self._state)
        if waiting.dice is not None:
            return self._play(roll(waiting.dice, self._pick))
        if waiting.chance and self.game.chance is not None:
            return self._play(self.game.chance(self._state, self._pick))
        raise Cannot("not now", "the game waits for no chance")

    @asked
    def undo(self) -> Reply:
        """Go back before the last do, chance or overrule."""
        if not self._before:
            raise Cannot("nothing to undo", "nothing has been done since new or load")
        self._now = self._before.pop()
        return self._stands()

    @asked
    def legal(self, seat: int, limit: Annotated[int, Field(ge=1, le=100_000)] = 1000) -> Reply:
        """The actions that a seat may take now; "more" says that the limit cut them short."""
        found = list(islice(self.game.legal(self._state, self._seat(seat)), limit + 1))
        actions = [codec.action_to_json(action) for action in found[:limit]]
        return {"actions": actions, "more": len(found) > limit}

    @asked
    def view(self, seat: int | None = None) -> Reply:
        """What this seat sees and nothing else; null is the public."""
        viewer = None if seat is None else self._seat(seat)
        seen = self.game.view(self._state, viewer)
        return {"view": codec.view_to_json(replace(seen, seat=viewer), self._say)}

    @asked
    def waiting(self) -> Reply:
        """Who must act now: seats, dice to be thrown, or chance."""
        waiting = self.game.waiting(self._state)
        return {"waiting": {**codec.to_json(waiting), "why": self._say(waiting.why)}}

    @asked
    def result(self) -> Reply:
        """Who won, with the scores; null while the game runs."""
        return {"result": codec.result_to_json(self.game.result(self._state), self._say)}

    @asked
    def rules(self) -> Reply:
        """The numbered rules that refusals cite."""
        return {"rules": codec.to_json(translated(self.game.rules, self._translate))}

    @asked
    def counters(self) -> Reply:
        """The numbers that the table may set by hand."""
        shown = self.game.rulings.counters(self._state)
        return {"counters": [{**codec.to_json(c), "label": self._say(c.label)} for c in shown]}

    @asked
    def overrule(self, key: str, value: int) -> Reply:
        """Set a counter by the table's word."""
        counters = {counter.key: counter for counter in self.game.rulings.counters(self._state)}
        if key not in counters or self.game.rulings.overrule is None:
            known = ", ".join(counters) or "none"
            raise Cannot("impossible", f"no such counter; there are: {known}")
        if not counters[key].low <= value <= counters[key].high:
            span = f"{counters[key].low} to {counters[key].high}"
            raise Cannot("impossible", f"{key} goes from {span}")
        self._step(self.game.rulings.overrule(self._state, key, value))
        return self._stands()

    @asked
    def help(self) -> Reply:
        """What can be asked, and with which fields."""
        return {"asks": {ask: _usage(getattr(Referee, ask)) for ask in ASKS}}

    # -- how it is done

    def _ask(self, request: dict[str, Json]) -> Reply:
        ask = request.pop("ask", None)
        if not isinstance(ask, str) or ask not in ASKS:
            raise BadState(f'"ask" must be one of {", ".join(ASKS)}')
        if "self" in request:  # pydantic before 2.14 would fail, not refuse
            raise BadState(f'"{ask}" has no field "self"')
        try:
            answer: Reply = getattr(self, ask)(**request)
        except ValidationError as error:
            wrong = error.errors()[0]
            field = ".".join(str(step) for step in wrong["loc"])
            if wrong["type"] == "unexpected_keyword_argument":
                raise BadState(f'"{ask}" has no field "{field}"') from error
            if wrong["type"] == "missing_argument":
                raise BadState(f'"{ask}" needs the field "{field}"') from error
            raise BadState(f"{field}: {wrong['msg']}") from error
        return answer

    @property
    def _state(self) -> S:
        if self._now is None:
            raise Cannot("no game", 'there is no game yet; ask "new" or "load" first')
        return self._now

    def _begin(self, state: S, seats: int) -> None:
        self._now, self._seats = state, seats
        self._before.clear()

    def _step(self, after: S) -> None:
        self._before.append(self._state)
        self._now = after

    def _play(self, action: Any) -> Reply:
        before = self._state
        if hasattr(action, "seat"):
            self._seat(action.seat)
        if getattr(action, "salt", None) == "":
            action = replace(action, salt=f"{self._pick(1 << 32):08x}")
        after = self.game.apply(before, action)
        told = self._say(self.game.tell(before, action, None))
        self._step(after)
        return {"action": codec.action_to_json(action), "told": told, **self._stands()}

    def _seat(self, seat: int) -> SeatNo:
        if not 0 <= seat < self._seats:
            raise BadState(f"there is no seat {seat}; seats go from 0 to {self._seats - 1}")
        return SeatNo(seat)

    def _stands(self) -> Reply:
        """Where the game stands now: with every answer that moved it."""
        return {**self.waiting(), **self.result()}

    def _say(self, said: Text) -> str:
        return said.show(translate=self._translate)


ASKS = tuple(name for name, made in vars(Referee).items() if hasattr(made, "raw_function"))


def serve(referee: Referee[Any], source: BinaryIO, sink: BinaryIO) -> None:
    """Reply line by line until the input ends, or nobody listens any more."""
    try:
        while line := source.readline(LONGEST + 1):
            rest = line
            while len(rest) > LONGEST and not rest.endswith(b"\n"):
                rest = source.readline(LONGEST + 1)  # too long: go on at the next line
            sink.write(referee.answer(line.removesuffix(b"\n")).encode() + b"\n")
            sink.flush()
    except BrokenPipeError:
        with suppress(BrokenPipeError):  # or Python would say the rest once more when it ends
            sink.close()


def _parse(line: str | bytes) -> dict[str, Json]:
    """The request in a line; BadState says what is wrong with it."""
    if len(line) > LONGEST:
        raise BadState(f"a line has at most {LONGEST} bytes")
    try:
        written = line.decode() if isinstance(line, bytes) else line
        request = json.loads(
            written, parse_constant=_no_number, parse_float=_number, object_pairs_hook=_object
        )
        wrong = unwritable(request)
    except UnicodeError as error:
        raise BadState("not UTF-8") from error
    except ValueError as error:
        raise BadState(f"not JSON: {error}") from error
    except RecursionError as error:
        raise BadState("nested too deeply") from error
    if wrong:
        raise BadState(f"not UTF-8: {wrong}")
    if not isinstance(request, dict):
        raise BadState('a request is an object such as {"ask": "help"}')
    return request


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return made


def _number(written: str) -> float:
    number = float(written)
    return number if math.isfinite(number) else _no_number(written)


def _no_number(written: str) -> float:
    raise ValueError(f"{written} is no number")


def _error(kind: str, why: str, rule: str = "") -> Reply:
    error = {"kind": kind, "why": why}
    return {"ok": False, "error": {"kind": kind, "rule": rule, "why": why} if rule else error}


def _usage(ask: Any) -> str:
    fields = [name for name in inspect.signature(ask).parameters if name != "self"]
    return f"{', '.join(fields) or 'no fields'}: {inspect.getdoc(ask)}"


def _generator(seed: int | None) -> Pick:
    """Chance: as fair as the machine can, or repeatable."""
    return (random.SystemRandom() if seed is None else random.Random(seed)).randrange
