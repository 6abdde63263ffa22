"""Whatever lies in the state directory: a start comes up or says why, and safe mode comes up."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from companion.cli import main as command_line
from companion.daemon.app import serve
from companion.daemon.safe import without_hardware
from companion.errors import CompanionError
from companion.games.sao import SAO
from companion.settings.settings import load
from tests.patience import within
from tests.table.desk import Desk
from tests.table.evening import TWO_SEATS

NOBODY = 65534
FINE, A_SENTENCE, A_BUG = 0, 2, 1
DEEP = "[" * 100_000
Damage = Callable[[Path, random.Random], None]


def rubbish(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.randbytes(chance.choice((1, 100, 5000, 50_000))))


def truncated(path: Path, chance: random.Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data) + 1)])


def flipped(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    used = [place for place, byte in enumerate(data) if byte]  # most of a journal is room
    for _ in range(chance.choice((1, 1, 5, 50)) if used else 0):
        data[chance.choice(used)] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def nested(path: Path, chance: random.Random) -> None:
    path.write_text(chance.choice(("", "a = ", '{"0":', "[a]\nb = ")) + DEEP)


def long_number(path: Path, chance: random.Random) -> None:
    path.write_text(chance.choice(("", "[kirito]\nhp.start = ")) + "9" * 9000)


def folder(path: Path, _: random.Random) -> None:
    path.unlink()
    (path / "more").mkdir(parents=True)


def pipe(path: Path, _: random.Random) -> None:
    path.unlink()
    os.mkfifo(path, 0o666)


def plug(path: Path, _: random.Random) -> None:
    path.unlink()
    with socket.socket(socket.AF_UNIX) as bound:
        here = Path.cwd()
        os.chdir(path.parent)  # the path of a socket is short
        bound.bind(path.name)
        os.chdir(here)


def loop(path: Path, _: random.Random) -> None:
    path.unlink()
    path.symlink_to(path.name)


def endless(path: Path, chance: random.Random) -> None:
    path.unlink()
    path.symlink_to(chance.choice(("/dev/zero", "/dev/full", "/nowhere/at/all", "/")))


def barred(path: Path, chance: random.Random) -> None:
    path.chmod(chance.choice((0o000, 0o200, 0o400)))


def gone(path: Path, _: random.Random) -> None:
    path.unlink()


FILES: tuple[Damage, ...] = (
    rubbish, truncated, flipped, flipped, nested, long_number, folder, pipe, plug, loop, endless,
    barred, gone,
)  # fmt: skip


def damage(state: Path, chance: random.Random) -> str:
    """Spoil one to four things of a state directory, or all of it; what was done."""
    if chance.random() < 0.15:
        whole = chance.choice(("file", "pipe", "loop", "empty", "closed", "locked", "safe"))
        if whole in ("file", "pipe", "loop", "empty"):
            shutil.rmtree(state)
        match whole:
            case "file":
                state.write_bytes(b"in the way")
            case "pipe":
                os.mkfifo(state)
            case "loop":
                state.symlink_to(state.name)
            case "empty":
                state.mkdir()
                state.chmod(0o777)
            case "closed":
                state.chmod(0o000)
            case "locked":
                state.chmod(0o555)
            case "safe":
                shutil.rmtree(state / "safe")
                chance.choice(FILES[:1])(state / "safe", chance)
        return whole
    files = sorted(path for path in state.rglob("*") if path.is_file())
    done = []
    if chance.random() < 0.5:
        for name in ("journal.db", "safe/journal.db"):
            flipped(state / name, chance)
        done.append("flipped journals")
    for path in chance.sample(files, chance.randrange(1, 5)):
        how = chance.choice(FILES)
        how(path, chance)
        done.append(f"{path.relative_to(state)} {how.__name__}")
    if chance.random() < 0.1:
        inside = chance.choice(("safe", "cards"))
        (state / inside).chmod(chance.choice((0o000, 0o555)))
        done.append(f"{inside} closed")
    return ", ".join(done)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state directory of a table where much was played, in safe mode, too."""
    state = tmp_path_factory.mktemp("sound")
    desk = Desk(state, shelf={"sao": SAO})
    desk.start()
    desk.choose(0, "Kirito")
    desk.choose(1, "Asuna")
    desk.journal.close()
    for name in ("claims.json", "camera.json", "grid-colours.json"):
        (state / name).write_text('{"0": "00"}')
    (state / "lock").touch()
    (state / "window.sock").touch()
    (state / "cards").mkdir(exist_ok=True)
    (state / "cards" / "sao.toml").write_text("[kirito]\nhp.start = 12\n")
    shutil.copy(state / "journal.db", state / "brought.db")
    imported(tmp_path_factory.mktemp("warm"))
    (state / "safe" / "cards").mkdir(parents=True)
    for path in [path for path in state.rglob("*") if path.is_file()]:
        shutil.copy(path, state / "safe" / path.relative_to(state))
    return state


def imported(state: Path) -> None:
    """Start once here, so that no child has to import anything: its user may not read it all."""
    settings = without_hardware(load(settings_file(state, state)))
    settings = replace(settings, web=replace(settings.web, port=0))
    asyncio.run(serve(settings, partial(os.kill, os.getpid(), signal.SIGTERM), safe="warming up"))


def settings_file(place: Path, state: Path) -> Path:
    file = place / "settings.toml"
    file.write_text(TWO_SEATS.format(state=state).replace("on = false", 'host = "127.0.0.1"'))
    return file


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder that anybody may use, under a short name: a socket lies in there."""
    short = Path("/tmp") / f"damage-{os.getpid()}-{tmp_path.name[-8:]}"
    short.mkdir(mode=0o755)
    (short / "run").mkdir()
    (short / "run").chmod(0o777)
    yield short
    subprocess.run(["chmod", "-R", "u+rwx", short], check=False)
    shutil.rmtree(short)


def copied(sound: Path, state: Path) -> None:
    shutil.copytree(sound, state)
    for path in (state, *state.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
        if os.getuid() == 0:
            os.chown(path, NOBODY, NOBODY)


def started(place: Path, *, safe: bool) -> tuple[int, str]:
    """`companion run --once` in a child of its own, as a user without rights: status and log."""
    log = place / "log"
    pid = os.fork()
    if pid == 0:
        _become_the_daemon(place, log, safe)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return status, log.read_text(errors="replace")


def _become_the_daemon(place: Path, log: Path, safe: bool) -> None:
    """In the child: never returns into the test."""
    status = A_BUG
    try:
        signal.alarm(int(within(60)))  # ends one that hangs
        sys.stdout = sys.stderr = log.open("w", buffering=1)
        os.dup2(sys.stderr.fileno(), 2)
        settings = settings_file(place, place / "state")
        os.environ["RUNTIME_DIRECTORY"] = str(place / "run")
        os.environ.pop("STATE_DIRECTORY", None)
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        command_line.run(settings, twin=False, verbose=False, port=0, safe=safe, once=True)
        status = FINE
    except CompanionError as error:
        print(error)
        status = A_SENTENCE
    except BaseException:  # noqa: BLE001  # the child must end here whatever happens
        traceback.print_exc()
    finally:
        os._exit(status)


def kept(state: Path) -> dict[str, bytes]:
    """All that a start in safe mode must not touch."""
    ours = ("lock", "window.sock")
    return {
        str(path): path.read_bytes()
        for path in (state.rglob("*") if state.is_dir() and not state.is_symlink() else ())
        if path.is_file()
        and not path.is_symlink()
        and path.name not in ours
        and "safe" not in path.relative_to(state).parts
    }


def try_all(seeds: range, sound: Path, place: Path) -> None:
    state = place / "state"
    for seed in seeds:
        copied(sound, state)
        done = f"seed {seed}: {damage(state, random.Random(seed))}"
        before = kept(state)
        status, log = started(place, safe=True)
        assert status == FINE, f"{done}\n{log}"
        assert kept(state) == before, done
        status, log = started(place, safe=False)
        assert status in (FINE, A_SENTENCE), f"{done}\n{log}"
        subprocess.run(["chmod", "-R", "u+rwx", state], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(state) if state.is_dir() and not state.is_symlink() else state.unlink()
        if seed % 100 == 99:
            print(f"{seed + 1 - seeds.start} directories", flush=True)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 32, 8))
def test_safe_mode_comes_up_over_any_damage_and_a_normal_start_does_or_says_why(
    first: int, sound: Path, place: Path
) -> None:
    try_all(range(first, first + 8), sound, place)


@pytest.mark.soak
def test_hundreds_of_damaged_state_directories_are_come_up_over(sound: Path, place: Path) -> None:
    try_all(range(1000, 1600), sound, place)


FULL = """
mount -t tmpfs -o size=200k tmpfs "$1" || exit 77
if [ "$2" = full ]; then head -c 1000000 /dev/zero > "$1/fill"; else mount -o remount,ro "$1"; fi
exec "$3" -m companion run --safe --once --port 0 --settings "$4"
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["full", "read-only"])
def test_safe_mode_comes_up_where_the_disk_is(how: str, place: Path) -> None:
    state = place / "state"
    state.mkdir()
    made = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", FULL, "sh", state, how,
         sys.executable, settings_file(place, state)],
        env={**os.environ, "HOME": str(state), "RUNTIME_DIRECTORY": str(place / "run")},
        capture_output=True, text=True, check=False, timeout=within(60),
    )  # fmt: skip
    if made.returncode == 77 or "unshare failed" in made.stderr:
        pytest.skip("no file system can be mounted here")
    assert made.returncode == 0, made.stderr
    assert "ready" in made.stdout
    assert f"kept in {place / 'run'}" in made.stderr
