"""Is the table well? The doctor's findings for a page: anybody may know, no secret is in them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from companion.web.desk import Desk

FRESH = 5.0  # seconds: however many ask, the machine is looked at once


class Found(BaseModel):
    """One thing that was looked at: what is so, and what to do."""

    key: str
    name: str
    verdict: Literal["right", "wrong", "unseen"]
    says: str
    do: str


class Health(BaseModel):
    """Everything that was looked at; `well`: nothing is wrong."""

    well: bool
    findings: list[Found]


def routes(desk: Desk, clock: Callable[[], float] = time.monotonic) -> APIRouter:
    """`/api/health`."""
    router = APIRouter(tags=["health"])
    turn = asyncio.Lock()
    last: list[tuple[float, Health]] = []

    @router.get("/api/health")
    async def health() -> Health:
        """Board, system, power, disk, buses, devices: right, wrong or not looked at."""
        async with turn:
            if not last or clock() - last[0][0] > FRESH:
                told = await asyncio.to_thread(desk.health)
                found = [Found.model_validate(one) for one in told]
                well = all(one.verdict != "wrong" for one in found)
                last[:] = [(clock(), Health(well=well, findings=found))]
            return last[0][1]

    return router
