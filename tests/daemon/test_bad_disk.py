"""A card that spoils what it had stored: the board is the same afterwards, or the glass says it."""

from __future__ import annotations

import gc
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main as command_line
from companion.daemon import app
from companion.daemon.loop import Daemon
from companion.errors import CompanionError
from companion.events import PhonesChanged
from companion.games import GAMES
from companion.memory.journal import Entry, Journal, Record
from companion.plain import plain
from companion.web import server
from tests.daemon.test_damage import imported
from tests.games.shelf import some_action
from tests.patience import within
from tests.table.desk import Desk
from tests.table.evening import TWO_SEATS

SAID = "The journal was damaged"
FILES = (
    "journal.db", "journal.db-wal", "journal.db-shm", "journal.db-mark", "cards/sao.toml",
    "camera.json", "claims.json", "settings.toml",
)  # fmt: skip
WEIGHTS = (4, 4, 1, 2, 1, 1, 1, 1)
MOST_MOVES = 120


OF_THE_JOURNAL = FILES[:4]


@dataclass(frozen=True)
class Evening:
    """A state directory as it was when the plug was pulled, and all that had been shown."""

    folder: Path
    board: dict[str, Any]
    games: list[tuple[Record, list[Entry]]]


def evening(place: Path, key: str, seed: int) -> Evening:
    """A game that is given up and one that runs, by moves at random, and all else on the disk."""
    chance, game, state = random.Random(seed), GAMES[key], place / "played"
    desk = Desk(state, shelf={key: game}, seed=seed)
    for moves in (chance.randrange(5, 30), chance.randrange(5, MOST_MOVES)):
        desk.table.play.stop()
        desk.table.handle(PhonesChanged())
        desk.start()
        while moves and not desk.table.play.over:
            moves -= 1
            action = some_action(game, desk.table.play.line.state, chance)
            desk.table.play.act(action, getattr(action, "seat", None))
            if chance.random() < 0.2:
                desk.table.play.reading([{"value": 3}], chance.randbytes(3000))
    games = [(record, desk.journal.entries(record.id)) for record in desk.journal.games()]
    (state / "claims.json").write_text('{"0": "00"}')
    (state / "camera.json").write_text('{"0": "00"}')
    (state / "cards").mkdir(exist_ok=True)
    (state / "cards" / "sao.toml").write_text("[kirito]\nhp.start = 12\n")
    settings = TWO_SEATS.replace('state = "{state}"\n', "").replace("on = false", "port = 0")
    (state / "settings.toml").write_text(settings)
    for copy in ("sound", "state"):
        shutil.copytree(state, place / copy)
    desk.journal.close()
    return Evening(place / "sound", started(place), games)


def flip(path: Path, chance: random.Random) -> str:
    data = bytearray(path.read_bytes())
    used = [place for place, byte in enumerate(data) if byte] or list(range(len(data)))
    if not used:
        return "empty already"
    at, bit = chance.choice(used), chance.randrange(8)
    data[at] ^= 1 << bit
    path.write_bytes(data)
    return f"bit {bit} of byte {at} flipped"


def shorten(path: Path, chance: random.Random) -> str:
    size = chance.randrange(path.stat().st_size + 1)
    os.truncate(path, size)
    return f"truncated to {size}"


HOW: tuple[Callable[[Path, random.Random], str], ...] = (flip, flip, flip, shorten)


def started(place: Path, *, ready: bool = False, safe: bool = False) -> dict[str, Any]:
    """A start in a child of its own, up to its first view, or until it is ready: the board.

    Forked from here, so it has nothing to import; all else is as `companion run` does it.
    """
    told = place / "told"
    told.unlink(missing_ok=True)
    pid = os.fork()
    if pid == 0:
        _become_the_daemon(place, told, ready, safe)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert status == 0, (place / "log").read_text(errors="replace")
    found: dict[str, Any] = json.loads(told.read_text())
    return found


def _become_the_daemon(place: Path, told: Path, ready: bool, safe: bool) -> None:
    """In the child: never returns into the test."""
    status, run = 1, Daemon.run

    def keep(what: object) -> None:
        told.write_text(json.dumps(what))

    async def watched(daemon: Daemon, up: Callable[[], None]) -> None:
        keep(board(daemon))
        if ready:
            await run(daemon, up)

    if not ready:
        server.application = lambda *_: None  # nobody asks, and it takes two thirds of a start
    try:
        signal.alarm(int(within(60)))  # ends one that hangs
        os.environ["STATE_DIRECTORY"] = str(place / "state")
        sys.stdout = sys.stderr = (place / "log").open("w", buffering=1)
        app.Daemon.run = watched  # type: ignore[method-assign]
        command_line.run(
            place / "state" / "settings.toml", twin=False, verbose=False, port=0, safe=safe,
            once=True,
        )  # fmt: skip
        status = 0
    except CompanionError as error:
        keep({"refused": str(error)})
        status = 0
    except BaseException:  # noqa: BLE001  # the child must end here whatever happens
        traceback.print_exc()
    finally:
        os._exit(status)


def board(daemon: Daemon) -> dict[str, Any]:
    """What stands on every glass, and what of it is a notice."""
    views = [daemon.table.view(name) for name in daemon.table.seating.displays]
    forgotten = ("! ", "  (")
    return {
        "entry": daemon.table.play.entry,
        "notices": [view.notice.show(view.names) for view in views],
        "shown": [[row for row in plain(view) if not row.startswith(forgotten)] for view in views],
    }


def pairs(games: list[tuple[Record, list[Entry]]]) -> Iterator[tuple[int, list[Entry]]]:
    return ((record.id, entries) for record, entries in games)


def judged(before: Evening, place: Path, name: str, told: dict[str, Any]) -> str:
    """What came of it: the same board, or damage that was said; anything else fails."""
    if "refused" in told:
        assert name == "settings.toml", told
        (place / "state" / "settings.toml").write_bytes((place / "spoilt").read_bytes())
        assert "Safe mode" in started(place, safe=True)["notices"][0]
        return "settings that cannot work: said, safe mode"
    journal = Journal(place / "state" / "journal.db", lambda: 0.0, write=False)
    games = [(record, journal.entries(record.id)) for record in journal.games()]
    journal.close()
    same = told["entry"] == before.board["entry"] and games == before.games
    if same and (name == "settings.toml" or told["shown"] == before.board["shown"]):
        return "the same board"
    notices = told["notices"]
    assert all(notice.startswith(SAID) for notice in notices), (notices, before.board, told)
    assert "journal.db.damaged-1" in notices[0]
    assert (place / "state" / "journal.db.damaged-1").exists()
    had, after = dict(pairs(before.games)), dict(pairs(games))
    missing = of_the_newest = 0  # of a game that had ended the end may be gone without a trace
    gone = len(had.keys() - after.keys())  # each may have had a move: nobody can know any more
    for id, entries in had.items():
        now = after.get(id, [])
        same = sum(
            1 for _ in takewhile(lambda two: two[0] == two[1], zip(now, entries, strict=False))
        )
        assert all(entry.who is None for entry in now[same:]), "it goes on from what never was"
        missing += len(entries) - same
        if id == max(had):
            of_the_newest = len(entries) - same
    said = sum(int(n) for n in re.findall("([0-9]+) moves are missing", notices[0]))
    assert max(of_the_newest, missing > 0) <= said <= missing + gone, (notices, missing)
    return "said, moves are missing" if missing or gone else "said, and no move is missing"


def spoil(before: Evening, place: Path, chance: random.Random) -> str:
    """One flip or one truncation, one start: what came of it."""
    state = place / "state"
    shutil.rmtree(state, ignore_errors=True)
    shutil.copytree(before.folder, state)
    name = chance.choices(FILES, weights=WEIGHTS)[0]
    done = f"{name}: {chance.choice(HOW)(state / name, chance)}"
    shutil.copy(state / name, place / "spoilt")
    try:
        told = started(place, ready=name not in OF_THE_JOURNAL)
        return f"{name}: {judged(before, place, name, told)}"
    except AssertionError as error:
        raise AssertionError(done) from error


@pytest.fixture(scope="module")
def _warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    imported(tmp_path_factory.mktemp("warm"))
    gc.freeze()  # a page that is not touched need not be copied


@pytest.fixture
def place() -> Iterator[Path]:
    """In memory, where a start need not wait for a disk; under a short name for the socket."""
    memory = Path("/dev/shm")
    short = Path(tempfile.mkdtemp(prefix="bad-disk-", dir=memory if memory.is_dir() else "/tmp"))
    yield short
    shutil.rmtree(short)


@pytest.mark.slow
@pytest.mark.usefixtures("_warm")
@pytest.mark.parametrize("key", GAMES)
def test_damage_is_said_or_does_no_harm(key: str, place: Path) -> None:
    before, chance = evening(place, key, seed=1), random.Random(1)
    for _ in range(40):  # of 200
        spoil(before, place, chance)


@pytest.mark.soak
@pytest.mark.usefixtures("_warm")
def test_five_thousand_damages_are_said_or_do_no_harm(place: Path) -> None:
    came = Counter[str]()
    for seed in range(100):
        for key in GAMES:
            folder, chance = place / f"{key}{seed}", random.Random(f"{key} {seed}")
            folder.mkdir()
            before = evening(folder, key, 1000 + seed)
            came.update(spoil(before, folder, chance) for _ in range(10))
            shutil.rmtree(folder)
        print(f"{datetime.now(UTC):%F %T} {came.total()}: {dict(came)}", flush=True)
