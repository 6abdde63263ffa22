"""A character die from its simulated tumble to the table: firmware, hub, wire, host, gate."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.daemon.supervise import keep_alive
from companion.errors import DeviceLost
from companion.events import CharacterDie, Event
from hardware.twins.hub_child import HubChild
from tests.games.blue import BLUE
from tests.table.desk import Desk


def test_a_die_that_was_slid_or_put_down_is_told_not_to_have_rolled(tmp_path: Path) -> None:
    desk = Desk(tmp_path, shelf={"blue": BLUE})
    desk.start()
    desk.table.handle(CharacterDie("asuna", "rest", 3, 1))  # lay there before anybody touched it
    assert desk.notice(0) == ""
    for number, state in enumerate(("handled", "rest"), start=2):
        desk.table.handle(CharacterDie("asuna", state, 3, number))  # type: ignore[arg-type]
    assert desk.notice(0) == "asuna's die did not roll: throw it again."
    assert not desk.table.play.over
    for number, state in enumerate(("handled", "rolling", "rest"), start=4):
        desk.table.handle(CharacterDie("asuna", state, 3, number))  # type: ignore[arg-type]
    assert desk.table.play.line.state.face == 3


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


@pytest.mark.slow
def test_a_hub_whose_cable_is_pulled_while_it_starts_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twin = HubChild(tmp_path / "hub")
    start = asyncio.create_subprocess_exec

    async def pulled(*command: str, **pipes: int) -> asyncio.subprocess.Process:
        child = await start(*command, **pipes)  # type: ignore[arg-type]
        twin.plug(False)  # nobody to tell it to yet
        return child

    monkeypatch.setattr(asyncio, "create_subprocess_exec", pulled)

    async def run() -> None:
        async with asyncio.timeout(60):
            await twin.run(lambda _event: None)

    with pytest.raises(DeviceLost):
        asyncio.run(run())
    assert not twin.throw("asuna")  # it has ended: there is nobody to throw
