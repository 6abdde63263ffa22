"""What the daemon hears from the eye, validated: one that dies may end within a word."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from pydantic import TypeAdapter, ValidationError

from companion.errors import BadState
from companion.events import CameraTold, DiceNudged, DiceSettled, GridRead, TrayDisturbed
from companion.eye.protocol import Answer, Beat, EyeEvent, Glance, Heard, Trouble

_KINDS: dict[str, TypeAdapter[Any]] = {
    kind.__name__: TypeAdapter(kind)
    for kind in (DiceSettled, DiceNudged, TrayDisturbed, GridRead, CameraTold)
}
_SIGNS: tuple[tuple[set[str], TypeAdapter[Any]], ...] = (
    ({"beat", "state", "ms"}, TypeAdapter(Beat)),
    ({"error"}, TypeAdapter(Trouble)),
    ({"picture", "size"}, TypeAdapter(Glance)),
    ({"order", "why"}, TypeAdapter(Answer)),
)


def decode(line: str | bytes) -> Heard:
    """What a line says; BadState when it says nothing that an eye says."""
    try:
        plain: Any = json.loads(line)
        if not isinstance(plain, dict):
            raise BadState("the eye says something that is no object")
        if "picture" in plain:
            plain["picture"] = base64.b64decode(str(plain["picture"]), validate=True)
        if "event" in plain:
            kind = _KINDS.get(str(plain.pop("event")))
            if kind is None:
                raise BadState("the eye tells of an event that there is not")
            event: EyeEvent = kind.validate_python(plain)
            return event
        for names, sort in _SIGNS:
            if set(plain) == names:
                sign: Beat | Trouble | Glance | Answer = sort.validate_python(plain)
                return sign
    except (ValueError, ValidationError, binascii.Error, RecursionError) as error:
        raise BadState(f"the eye says something unreadable: {str(error)[:120]}") from error
    raise BadState(f"the eye says something unknown: {sorted(plain)[:5]}")
