"""JSON values into frozen dataclasses, strictly, with the standard library alone.

For the eye's own process: pydantic, which checks everything else that comes in, would take a sixth
of its memory.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Within:
    """Bounds of a number, both included; stands in `Annotated`."""

    least: float
    most: float


def shaped(value: Any, kind: type[T], at: str = "") -> T:
    """The value as a `kind`; ValueError says where it is none."""
    made: T = _shaped(value, kind, at)
    return made


def _shaped(value: Any, kind: Any, at: str) -> Any:
    origin, parts = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _record(value, kind, at)
    if origin is Annotated:
        number = _shaped(value, parts[0], at)
        for bound in parts[1:]:
            if not bound.least <= number <= bound.most:
                raise ValueError(f"{at}: {number} is not within {bound.least} and {bound.most}")
        return number
    if origin is tuple and isinstance(value, list | tuple):
        kinds = parts[:1] * len(value) if parts[-1] is ... else parts
        if len(kinds) == len(value):
            return tuple(
                _shaped(one, each, f"{at}.{i}")
                for i, (one, each) in enumerate(zip(value, kinds, strict=True))
            )
    elif origin is dict and isinstance(value, dict):
        return {_shaped(key, parts[0], at): _shaped(value[key], parts[1], at) for key in value}
    elif origin in (Union, UnionType):  # one kind or nothing: there are no others here
        (some,) = (part for part in parts if part is not NoneType)
        return None if value is None else _shaped(value, some, at)
    elif (origin is Literal and value in parts) or (origin is None and type(value) is kind):
        return value
    elif kind is float and type(value) is int:
        return float(value)
    raise ValueError(f"{at}: {str(value)[:40]!r} does not fit")


def _record(value: Any, kind: Any, at: str) -> Any:
    if not isinstance(value, dict):
        raise ValueError(f"{at}: not an object")
    hints = _hints(kind)
    if unknown := set(value) - {field.name for field in fields(kind)}:
        raise ValueError(f"{at}.{min(unknown)}: unknown")
    try:
        return kind(**{key: _shaped(value[key], hints[key], f"{at}.{key}") for key in value})
    except TypeError as error:  # a field is missing
        raise ValueError(f"{at}: {error}") from error


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)
