"""A character die from its simulated tumble to the table: firmware, hub, wire, host, gate."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.events import CharacterDie, Event
from hardware.hub_child import HubChild
from hardware.supervise import keep_alive
from tests.companion.desk import Desk
from tests.games.blue import BLUE


@pytest.mark.slow
def test_a_thrown_character_die_is_heard_and_counts_when_it_was_asked_for(tmp_path: Path) -> None:
    desk = Desk(tmp_path, shelf={"blue": BLUE})
    desk.start()

    async def throw() -> None:
        twin = HubChild(tmp_path / "hub")
        heard: asyncio.Queue[Event] = asyncio.Queue()
        running = [asyncio.create_task(keep_alive(twin, heard.put_nowait))]
        try:
            while not desk.table.play.over:
                event = await asyncio.wait_for(heard.get(), 60)
                desk.table.handle(event)
                if isinstance(event, CharacterDie) and event.state in ("rest", "crooked"):
                    twin.throw("asuna")
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    asyncio.run(throw())
    assert desk.table.play.line.state.face in range(1, 7)
