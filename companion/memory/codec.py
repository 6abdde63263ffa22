"""Values to JSON and back: pydantic validates what comes in, straight into the games' classes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from companion.errors import BadState
from companion.games.api import Game, Result, seal_of
from companion.views import Beat, Choice, Part, View
from companion.words import Text

S = TypeVar("S")
Say = Callable[[Text], str]
Json = Any
NOTES = ("against", "code", "bot", "roll", "arranged")
"""The rule broken by agreement, a seal's code, which bot thought of it, how a roll was known, that
a lesson arranged it."""
_PLAIN = frozenset({str, int, float, bool, type(None)})
_FIELDS: dict[type, tuple[str, ...] | None] = {}


def to_json(value: object) -> Json:
    """A frozen dataclass (ints, strings, tuples inside) as plain JSON values."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if (names := _names(kind)) is not None:
        return {name: to_json(getattr(value, name)) for name in names}
    if isinstance(value, tuple | list | frozenset):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): to_json(item) for key, item in value.items()}
    return value


def _names(kind: type) -> tuple[str, ...] | None:
    """The fields of a dataclass, looked up once; None: it is none."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(f.name for f in fields(kind)) if is_dataclass(kind) else None
    return _FIELDS[kind]


def json_line(value: Json) -> str:
    """One compact line of JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def action_to_json(action: Any) -> dict[str, Json]:
    """An action as one readable object: `{"do": "Pick", "seat": 0, …}`."""
    return {"do": type(action).__name__, **to_json(action)}


def action_from_json(game: Game[Any], obj: Json) -> Any:
    """The action that an object describes; BadState says what is wrong with it."""
    if not isinstance(obj, dict):
        raise BadState('an action is an object such as {"do": "…", …}')
    kinds = {kind.__name__: kind for kind in game.actions}
    kind = kinds.get(str(obj.get("do")))
    if kind is None:
        raise BadState(f'"do" must be one of {", ".join(kinds)}')
    return _read(kind, {key: value for key, value in obj.items() if key != "do"})


def done_to_json(action: Any, against: str, notes: Mapping[str, Json]) -> dict[str, Json]:
    """An action as the journal keeps it, with what the table notes beside it."""
    body = action_to_json(action)
    if against:
        body["against"] = against
    if hasattr(action, "salt"):
        body["code"] = seal_of(action)
    return body | {name: note for name, note in notes.items() if note}


def done_from_json(game: Game[Any], body: dict[str, Json]) -> Any:
    """The action of a journal's entry, without what the table noted beside it."""
    return action_from_json(game, {key: body[key] for key in body if key not in NOTES})


def redacted(action: Any) -> dict[str, Json]:
    """The action without what others may not know yet (fields made by `secret`)."""
    obj = action_to_json(action)
    for f in fields(action):
        if f.metadata.get("secret"):
            obj[f.name] = None
    return obj


def state_to_json(_game: Game[Any], state: object) -> Json:
    """A state whole, secrets included: for the journal and the referee, never for a display."""
    return to_json(state)


def state_from_json(game: Game[S], obj: Json) -> S:
    """The state that an object describes, if a game can be in it."""
    state: S = _read(game.state, obj)
    game.possible(state)
    return state


def options_to_json(options: object) -> Json:
    """A game's options as an object."""
    return to_json(options)


def options_from_json(game: Game[Any], obj: Json) -> Any:
    """A game's options; what is not named keeps its default."""
    options: Any = _read(game.options, obj)
    for f in fields(game.options):
        values = f.metadata.get("values")
        if values and getattr(options, f.name) not in values:
            known = ", ".join(map(str, values))
            raise BadState(f"option {f.name} must be one of {known}")
    return options


def view_to_json(view: View, say: Say | None = None) -> dict[str, Json]:
    """What a seat sees, its texts in the reader's language."""
    tell = say or (lambda text: text.show(view.names))
    return {
        "seat": view.seat,
        "seq": view.seq,
        "title": tell(view.title),
        "waiting": tell(view.waiting),
        "parts": [_part(part, tell) for part in view.parts],
        "choices": [
            {
                "label": tell(choice.label),
                "detail": tell(choice.detail),
                "barred": choice.barred,
                "drawn": _drawn(choice, tell),
                "action": action_to_json(choice.action) if is_dataclass(choice.action) else None,
            }
            for choice in view.choices
        ],
        "beats": [beat_to_json(beat, tell) for beat in view.beats],
        "notice": tell(view.notice),
        "live": view.live,
        "lamp": view.lamp,
    }


def _drawn(choice: Choice, tell: Say) -> Json:
    """What a page lets be tapped for a choice: its kind, and which one."""
    if choice.drawn is None:
        return None if choice.about is None else ["group", choice.about]
    kind, which = choice.drawn
    return [kind, tell(which) if isinstance(which, Text) else which]


def beat_to_json(beat: Beat, tell: Say) -> dict[str, Json]:
    """One thing that a move led to, in the reader's language."""
    return {"says": tell(beat.says), "weight": beat.weight, "rule": beat.rule}


def result_to_json(result: Result | None, say: Say | None = None) -> Json:
    """How a game ended, or None while it runs."""
    if result is None:
        return None
    tell = say or (lambda text: text.show())
    return {"winners": list(result.winners), "why": tell(result.why), "scores": [
        {"seat": s.seat, "total": s.total, "breakdown": [[tell(t), n] for t, n in s.breakdown]}
        for s in result.scores
    ]}  # fmt: skip


def result_to_keep(result: Result, names: Sequence[Text]) -> Json:
    """How a game ended, in English and as the text that other languages can be made of."""
    return result_to_json(result, lambda text: text.show(names)) | {"text": to_json(result.why)}


def result_kept(kept: Json, say: Say) -> Json:
    """A result that was kept, told in the reader's language; an old one as it was written."""
    if not kept or "text" not in kept:
        return kept
    told = {key: value for key, value in kept.items() if key != "text"}
    return told | {"why": say(_read(Text, kept["text"]))}


def schema(game: Game[Any]) -> dict[str, Json]:
    """JSON Schema of a game's options and actions, for programs that play it."""
    actions = []
    for kind in game.actions:
        one = _adapter(kind).json_schema()
        one["properties"] = {"do": {"const": kind.__name__}, **one.get("properties", {})}
        one["required"] = ["do", *one.get("required", [])]
        one["additionalProperties"] = False
        actions.append(one)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": game.key,
        "options": _adapter(game.options).json_schema(),
        "actions": {"oneOf": actions},
    }


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _read(kind: Any, obj: Json) -> Any:
    """Validate strictly: no coercion, no unknown key at any depth."""
    name = kind.__name__
    if not isinstance(obj, dict):
        raise BadState(f"{name} must be an object")
    try:
        value = _adapter(kind).validate_json(json.dumps(obj), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"]) or name
        raise BadState(f"{where}: {first['msg']}") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise BadState(f"{name}: {error}") from error
    back = to_json(value)
    optional = {
        f.name for f in fields(kind) if f.default is not MISSING or f.default_factory is not MISSING
    }
    for key in {*obj, *back} - optional | obj.keys():
        if key not in back:
            raise BadState(f"{name} has no field {key}")
        if back[key] != obj.get(key):
            raise BadState(f"{name}.{key} holds something that does not belong there")
    return value


def _part(part: Part, tell: Say) -> dict[str, Json]:
    return {"part": type(part).__name__, **_shown(part, tell)}


def _shown(value: Any, tell: Say) -> Json:
    """Like to_json, but every text is shown."""
    if isinstance(value, Text):
        return tell(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _shown(getattr(value, f.name), tell) for f in fields(value)}
    if isinstance(value, tuple | list):
        return [_shown(item, tell) for item in value]
    return value
