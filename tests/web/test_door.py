"""Places and turns: who gives way to whom, without a socket; and a door without files."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import time
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from starlette.types import Receive, Scope, Send

from companion.web import door as doors
from companion.web import turns as turning
from companion.web.door import SILENCE, SILENT, Door, Porter
from companion.web.guard import Guard
from companion.web.origin import Proxies
from companion.web.server import _Server
from companion.web.sessions import COOKIE
from companion.web.shares import Shares
from companion.web.turns import Turns
from tests.patience import Clock, within


class Transport:
    """A connection that only remembers what was done with it."""

    def __init__(self) -> None:
        self.unread, self.aborted = 0, False

    def get_write_buffer_size(self) -> int:
        return self.unread

    def abort(self) -> None:
        self.aborted = True


def come(door: Door, address: str, port: int) -> Any:
    connection = SimpleNamespace(
        client=(address, port), transport=Transport(), timeout_keep_alive=5
    )
    door.came(connection)  # type: ignore[arg-type]
    return connection


def test_of_an_owner_with_too_many_the_newest_goes_or_the_oldest() -> None:
    shares: Shares[int] = Shares(2, 10)
    assert [shares.take("one", n) for n in (1, 2, 3)] == [None, None, 3]
    assert shares.take("one", 4, keep_newest=True) == 1
    assert shares.take("other", 5) is None


def test_when_all_places_are_taken_whoever_has_most_gives_way() -> None:
    shares: Shares[int] = Shares(8, 4)
    for n in (1, 2, 3):
        assert shares.take("crowd", n) is None
    assert shares.take("guest", 4) is None
    assert shares.take("other guest", 5) == 1
    assert shares.take("crowd", 6) == 6
    assert len(shares) == 4


def test_the_oldest_silent_connections_give_way_and_a_seat_among_them_stays() -> None:
    door = Door()
    seat = come(door, "10.0.0.1", 1)
    assert door.spoke(("10.0.0.1", 1), "seat", "seat 0")
    door.rested(("10.0.0.1", 1))
    crowd = [come(door, f"10.0.1.{n % 100}", n) for n in range(1000)]
    assert len(door) == SILENT[1] + 1
    assert not seat.transport.aborted
    assert seat.timeout_keep_alive > 60
    assert not crowd[-1].transport.aborted
    assert crowd[0].transport.aborted


def test_who_says_nothing_or_reads_nothing_has_to_go_and_a_slow_reader_stays() -> None:
    clock = Clock()
    door = Door(clock=clock)
    silent, slow, deaf, busy = (come(door, "10.0.0.1", n) for n in range(4))
    for one in (slow, deaf, busy):
        assert door.spoke(one.client, "stranger", "10.0.0.1")
    slow.transport.unread = deaf.transport.unread = 100_000
    for _ in range(int(SILENCE) + 2):
        door.sweep()
        clock.now += 1
        slow.transport.unread -= 1000
    door.sweep()
    gone = [one.transport.aborted for one in (silent, slow, deaf, busy)]
    assert gone == [True, False, True, False]


def test_a_stranger_with_too_many_connections_is_refused_and_another_is_not() -> None:
    door = Door()
    for n in range(doors.PLACES["stranger"][0]):
        come(door, "10.0.0.1", n)
        assert door.spoke(("10.0.0.1", n), "stranger", "10.0.0.1")
    come(door, "10.0.0.1", 99)
    assert not door.spoke(("10.0.0.1", 99), "stranger", "10.0.0.1")
    come(door, "10.0.0.2", 1)
    assert door.spoke(("10.0.0.2", 1), "stranger", "10.0.0.2")


def test_a_page_may_answer_pings_for_days_and_a_socket_that_says_more_has_to_go() -> None:
    clock = Clock()
    door = Door(clock=clock)
    page, talker = come(door, "10.0.0.1", 1), come(door, "10.0.0.2", 1)
    for _ in range(10_000):
        clock.now += 20
        for one in (page, talker):
            door.heard(one.client, 10)
    assert not talker.transport.aborted
    for _ in range(1000):
        door.heard(talker.client, 6)
    assert (page.transport.aborted, talker.transport.aborted) == (False, True)


def test_a_body_that_comes_a_byte_at_a_time_is_read_when_more_of_it_has_gathered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doors, "DRIP_PAUSE", 0.0)
    head = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999\r\n\r\n"

    async def app(_scope: Scope, receive: Receive, _send: Send) -> None:
        while (await receive()).get("more_body"):
            pass

    async def rests(*pieces: bytes) -> int:
        transport, goes_on = Mock(), asyncio.Event()
        transport.get_extra_info.return_value = None
        transport.resume_reading.side_effect = goes_on.set
        line: Any = _Server(app, Door()).protocol()  # type: ignore[arg-type]
        line.connection_made(transport)
        assert transport.max_size == doors.PIECE
        for piece in pieces:
            line.data_received(piece)
        paused = transport.pause_reading.call_count
        if paused:
            await goes_on.wait()
        line.connection_lost(None)
        return int(paused)

    assert asyncio.run(rests(head, *(b"x" for _ in range(20)))) == 21 - doors.DRIPS
    assert asyncio.run(rests(head, *(b"x" * doors.PIECE for _ in range(12)))) == 0


def test_a_body_whose_length_is_not_said_is_refused_at_once() -> None:
    async def refused() -> int:
        door, told = Door(), asyncio.Queue[Any]()
        come(door, "10.0.0.1", 1)
        turns = Turns(pace=60)
        guard = Guard(_unasked, lambda _: None, door, Proxies(), turns)
        headers = [(b"host", b"10.0.0.9"), (b"transfer-encoding", b"chunked")]
        scope = {"type": "http", "method": "POST", "path": "/", "headers": headers,
                 "client": ("10.0.0.1", 1)}  # fmt: skip
        await turns.wait("crowd")  # the next one has to wait for a minute
        await guard(scope, asyncio.Queue[Any]().get, told.put)
        return int(told.get_nowait()["status"])

    async def _unasked(*_: object) -> None:
        raise AssertionError("it reached the application")

    assert asyncio.run(asyncio.wait_for(refused(), within(20))) == 411


def test_a_port_that_is_used_again_is_not_taken_for_the_connection_that_ended() -> None:
    door = Door()
    old = come(door, "10.0.0.1", 1)
    new = come(door, "10.0.0.1", 1)
    door.left(("10.0.0.1", 1), old.transport)
    assert len(door) == 1
    door.left(("10.0.0.1", 1), new.transport)
    assert len(door) == 0


def test_each_address_has_one_turn_in_a_round_however_many_wait() -> None:
    order: list[str] = []

    async def take_turns() -> None:
        turns = Turns(pace=0.0)

        async def wait(owner: str) -> None:
            await turns.wait(owner)
            order.append(owner)

        await asyncio.gather(*(wait("crowd") for _ in range(20)), wait("guest"))

    asyncio.run(take_turns())
    assert order.index("guest") <= 2


def test_the_loop_rests_from_strangers_three_times_as_long_as_they_make_it_work() -> None:
    work = iter(n * 0.02 for n in range(99))

    async def take_turns() -> float:
        turns, began = Turns(pace=0.0, worked=lambda: next(work)), time.monotonic()
        for _ in range(3):
            assert await turns.wait("crowd")
        return time.monotonic() - began

    assert asyncio.run(take_turns()) >= 0.12


def test_while_somebody_plays_strangers_wait_for_a_pause_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, slept = Clock(), list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock.now += seconds
        for press in [at for at in presses if at <= clock.now]:
            presses.remove(press)
            turns.busy()

    monkeypatch.setattr(turning, "time", SimpleNamespace(monotonic=clock))
    monkeypatch.setattr(turning, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": sleep}))
    turns = Turns(pace=0.0, worked=lambda: 0.0)

    async def served() -> float:
        began = clock.now
        turns.busy()
        assert await turns.wait("crowd")
        return clock.now - began

    presses: list[float] = []
    assert asyncio.run(served()) == pytest.approx(turning.QUIET)
    presses = [clock.now + n * turning.QUIET for n in range(1, 99)]
    assert asyncio.run(served()) == pytest.approx(turning.LONGEST)


def test_while_forty_strangers_ask_a_seat_waits_for_one_of_them_at_most() -> None:
    served: list[str] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        served.append(scope["client"][0])
        await asyncio.sleep(0)  # as a route that waits for the table

    def ask(guard: Guard, address: str, token: str = "") -> Coroutine[Any, Any, None]:
        headers = [(b"host", b"10.0.0.9"), (b"cookie", f"{COOKIE}={token}".encode())]
        scope = {"type": "http", "method": "GET", "path": "/", "headers": headers,
                 "client": (address, 1)}  # fmt: skip
        return guard(scope, asyncio.Queue[Any]().get, asyncio.Queue[Any]().put)

    async def flood() -> int:
        door, clients = Door(), [f"10.0.0.{n}" for n in range(10, 51)]
        for address in clients:
            come(door, address, 1)
        seats = {"blue": 0}
        guard = Guard(app, lambda token: seats.get(token or ""), door, Proxies(), Turns(pace=0.0))

        async def stranger(address: str) -> None:
            for _ in range(5):
                await ask(guard, address)

        asking = [asyncio.ensure_future(stranger(address)) for address in clients[1:]]
        await asyncio.sleep(0)
        before = len(served)
        await ask(guard, clients[0], "blue")
        waited = len(served) - before
        await asyncio.gather(*asking)
        return waited

    assert asyncio.run(flood()) <= 2  # the seat itself is one
    assert len(served) == 5 * 40 + 1


def test_who_has_gone_waits_for_no_turn() -> None:
    async def leave() -> list[bool]:
        turns = Turns(pace=60)
        first = await turns.wait("crowd", ("10.0.0.1", 1))
        waiting = [asyncio.ensure_future(turns.wait("crowd", ("10.0.0.1", n))) for n in (2, 3)]
        await asyncio.sleep(0)
        turns.gone(("10.0.0.1", 2))
        second = await waiting[0]
        turns.empty()
        return [first, second, await waiting[1]]

    assert asyncio.run(leave()) == [True, False, False]


def test_a_machine_without_files_lets_nobody_in_for_a_while_and_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Full(socket.socket):
        tries = 0

        def accept(self) -> Any:
            Full.tries += 1
            if Full.tries < 3:
                raise OSError(errno.EMFILE, "Too many open files")
            return super().accept()

    monkeypatch.setattr(doors, "NO_FILES_PAUSE", 0.01)

    async def knock() -> bool:
        door, made = Door(), asyncio.Event()
        silent = come(door, "10.0.0.1", 1)

        class Greeted(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                made.set()
                transport.close()

        with Full() as listening, socket.socket() as guest:
            listening.bind(("127.0.0.1", 0))
            porter = Porter(listening, Greeted, door)
            porter.open()
            guest.setblocking(False)
            await asyncio.get_running_loop().sock_connect(guest, listening.getsockname())
            await asyncio.wait_for(made.wait(), 20)
            porter.close()
        return bool(silent.transport.aborted)

    with caplog.at_level(logging.WARNING):
        assert asyncio.run(knock())
    assert len(caplog.records) == 2


def test_the_server_looks_once_a_second_and_ends_when_it_is_told_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None: ...

    async def main() -> None:
        waits, wait_for, slept = list[float](), asyncio.wait_for, asyncio.Event()

        async def noted(waited: Coroutine[Any, Any, Any], seconds: float) -> Any:
            waits.append(seconds)
            slept.set()
            return await wait_for(waited, seconds)

        monkeypatch.setattr(asyncio, "wait_for", noted)
        server = _Server(app, Door())  # type: ignore[arg-type]  # nobody comes
        serving = asyncio.create_task(server.main_loop())
        await slept.wait()
        server.end()
        await serving
        assert waits == [1.0]

    asyncio.run(main())
