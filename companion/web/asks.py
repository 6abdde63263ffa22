"""What every request has in common: who asks, what its body may hold, that it is done once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, TypeVar

from fastapi import HTTPException
from pydantic import BaseModel, ConfigDict, Field

from companion.table.fingers import STALE
from companion.web.desk import Desk
from companion.words import Panel

REMEMBERED = 512  # commands whose answer is kept for those who ask again
T = TypeVar("T")
Key: TypeAlias = tuple[str, Panel | None, str]  # what is asked for, by which panel, the sender's id


class Body(BaseModel):
    """What a request says; nothing else may stand in it."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Command(Body):
    """`id` is made up by the sender: the same id again is the same command, done once."""

    id: Annotated[str, Field(min_length=1, max_length=64)]


class Taken(BaseModel):
    """What came of a command: what the seat is told, the number of the new offer, the entry."""

    notice: str
    offered: int
    entry: str


class Refusal(BaseModel):
    """Why not, in one sentence."""

    detail: str


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the panel it speaks for, and whether it is the virtual table itself."""

    panel: Panel | None
    virtual: bool

    @property
    def trusted(self) -> bool:
        """Speaks for some seat."""
        return self.virtual or self.panel is not None

    def may_act(self, panel: Panel) -> bool:
        """Speaks for this seat."""
        return self.virtual or self.panel == panel


class Once:
    """A command that is sent twice, because a phone lost its network, is done once."""

    def __init__(self) -> None:
        self._known: OrderedDict[Key, asyncio.Future[Any]] = OrderedDict()

    async def do(self, key: Key, work: Callable[[], Awaitable[T]]) -> T:
        """The answer of the first time; a browser that goes away does not stop it."""
        if key not in self._known:
            self._known[key] = asyncio.ensure_future(work())
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        answer: T = await asyncio.shield(self._known[key])
        return answer


async def outcome(desk: Desk, panel: Panel) -> Taken:
    """What came of the events so far, as the seat may know it."""
    await desk.drained()
    view = desk.table.panel(panel)
    if view.notice == STALE:
        raise HTTPException(409, desk.say(STALE))
    return Taken(
        notice=desk.say(view.notice, view.names), offered=view.seq, entry=desk.table.play.entry
    )


def said(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The refusals of a route, for its description.

    By reference: FastAPI builds a validator for each model that it is given, a third of its start.
    """
    refused = {"schema": {"$ref": f"#/components/schemas/{Refusal.__name__}"}}
    return {code: {"content": {"application/json": refused}} for code in (400, 413, *statuses)}
