"""Games and settings in one file, and back: taken while the table plays, put back when it rests."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import stat
import tempfile
import time
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from companion import __version__
from companion.care.machine import held
from companion.errors import BadConfig, BadState, NoRoom
from companion.memory.recovery import BESIDE
from companion.memory.tables import FORMAT
from companion.words import unwritable

LAYOUT = 1  # of the file; a newer one is not guessed at
MANIFEST, SETTINGS = "backup.json", "settings.toml"
DATABASES = ("journal.db", "brought.db")
KEPT = ("cards/*.toml", "*.json")  # corrected cards; calibration, learnt colours
LEFT_OUT = ("claims.json",)  # phones sign in again: their tokens are worth nothing elsewhere
UNREADABLE = (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, KeyError, UnicodeError)
"""What zipfile raises over a damaged file."""
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # what backup writes
LARGEST = 2 << 30  # bytes that all parts together may unpack to
LARGEST_TEXT = 64 << 20  # a calibration holds a picture; only the databases may be longer


@dataclass(frozen=True, slots=True)
class Restored:
    """What was brought back, and where the old was set aside."""

    names: tuple[str, ...]
    aside: Path | None
    settings: Path | None


def backup(
    state: Path, settings: Path | None, to: Path, clock: Callable[[], float] = time.time
) -> list[str]:
    """Write everything that cannot be had again into a new file; the names of what is in it."""
    if to.exists():
        raise BadState(f"{to} exists already: name another file")
    if not state.is_dir():
        raise BadState(f"there is nothing to keep: {state} does not exist")
    new = to.with_name(to.name + ".new")
    try:
        with tempfile.TemporaryDirectory(prefix="companion-") as folder:
            parts = dict(_parts(state, settings, Path(folder)))
            digests = {name: _digest(path) for name, path in parts.items()}
            manifest = {"companion": __version__, "layout": LAYOUT, "journal": FORMAT,
                        "made": clock(), "files": digests}  # fmt: skip
            handle = os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)  # it holds secrets
            with (
                os.fdopen(handle, "wb") as file,
                zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle,
            ):
                bundle.writestr(MANIFEST, json.dumps(manifest, indent=1))
                for name, path in parts.items():
                    bundle.write(path, name)
            _settle(new)
            new.rename(to)
    except (OSError, sqlite3.Error) as error:
        new.unlink(missing_ok=True)
        raise NoRoom(f"the backup {to} could not be written: {error}") from error
    return sorted(parts)


def _parts(state: Path, settings: Path | None, folder: Path) -> Iterator[tuple[str, Path]]:
    """Each file by its name in the bundle. Databases are copied as of one moment."""
    for name in DATABASES:
        if (state / name).exists():
            _copied(state / name, folder / name)
            yield name, folder / name
    for pattern in KEPT:
        for path in sorted(state.glob(pattern)):
            name = path.relative_to(state).as_posix()
            if path.is_file() and _ours(name):
                yield name, path
    if settings is not None:
        yield SETTINGS, settings


def _ours(name: str) -> bool:
    """Is it a file that backups have? Asked of what goes in and of what comes out."""
    if name in (*DATABASES, SETTINGS):
        return True
    if name.casefold() in (*LEFT_OUT, MANIFEST):  # some disks hold Claims.json for claims.json
        return False
    place = PurePosixPath(name)
    fits = (len(place.parts) == one.count("/") + 1 and place.match(one) for one in KEPT)
    return str(place) == name and any(fits) and not unwritable(name)


def _copied(source: Path, to: Path) -> None:
    """SQLite's own backup: whole and consistent, whatever the daemon does meanwhile."""
    uri = f"{source.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as old, closing(sqlite3.connect(to)) as new:
        old.backup(new)
        new.execute("PRAGMA journal_mode=DELETE")  # one file, no log beside it


def restore(file: Path, state: Path, settings: Path | None) -> Restored:
    """Put a backup back. What was there is set aside, never overwritten."""
    if held(state / "lock"):
        raise BadConfig(f"a companion uses {state}: stop it first (sudo systemctl stop companion)")
    try:
        with zipfile.ZipFile(file) as bundle:
            _plain(bundle)
            files = _manifest(bundle, file)
            state.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix="restore-", dir=state) as folder:
                for name, digest in files.items():
                    _unpack(bundle, name, digest, Path(folder))
                return _swap(Path(folder), tuple(files), state, settings)
    except FileNotFoundError as error:
        raise BadState(f"there is no file {file}: name what companion backup wrote") from error
    except UNREADABLE as error:
        raise BadState(f"{file} is not a backup, or only a part of one: {error}") from error
    except OSError as error:
        raise NoRoom(f"{file} could not be restored: {error}") from error


def _manifest(bundle: zipfile.ZipFile, file: Path) -> dict[str, str]:
    try:
        with bundle.open(MANIFEST) as part:
            told = json.loads(part.read(LARGEST_TEXT))
        if wrong := unwritable(told):
            raise ValueError(wrong)
        layout, journal = int(told["layout"]), int(told["journal"])
        files = {str(name): str(digest) for name, digest in told["files"].items()}
    except (KeyError, ValueError, OverflowError, TypeError, AttributeError) as error:
        raise BadState(f"{file} is not a backup of a table companion: {error}") from error
    if layout > LAYOUT or journal > FORMAT:
        raise BadState(f"{file} was made by a newer companion ({told.get('companion')}): "
                       "install that version first")  # fmt: skip
    if sorted(bundle.namelist()) != sorted((MANIFEST, *files)):
        raise BadState(f"{file} does not hold what it says")
    for name in files:
        place = PurePosixPath(name)
        if place.is_absolute() or ".." in place.parts or "\\" in name:
            raise BadState(f"{file} holds a file that belongs nowhere: {name}")
        if not _ours(name):
            raise BadState(f"{file} holds a file that no backup has: {name}")
    return files


def _plain(bundle: zipfile.ZipFile) -> None:
    """No link, device or folder, and nothing that is longer than ours can be."""
    for part in bundle.infolist():
        kind = stat.S_IFMT(part.external_attr >> 16)
        if kind not in (0, stat.S_IFREG) or part.compress_type not in PACKED:
            raise BadState(f"{part.filename} in the backup is no plain file")
        if part.filename not in DATABASES and part.file_size > LARGEST_TEXT:
            raise BadState(f"{part.filename} in the backup is too large to be ours")
    total = sum(part.file_size for part in bundle.infolist())
    if total > LARGEST:
        raise BadState(f"the backup is too large to be ours: {total >> 20} MB unpacked")


def _unpack(bundle: zipfile.ZipFile, name: str, digest: str, folder: Path) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with bundle.open(name) as packed, path.open("wb") as file:
        shutil.copyfileobj(packed, file)  # piece by piece: zipfile ends it at the size it announces
    path.chmod(0o600)
    if _digest(path) != digest:
        raise BadState(f"{name} in the backup is damaged; nothing was changed")
    if name in DATABASES:
        try:
            with closing(sqlite3.connect(path)) as db:
                found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
                newer = db.execute("PRAGMA user_version").fetchone()[0] > FORMAT
        except sqlite3.DatabaseError as error:
            found, newer = str(error), False
        if found != "ok":
            raise BadState(f"{name} in the backup is damaged; nothing was changed")
        if newer:
            raise BadState(f"{name} in the backup is of a newer companion than its list says")
    if name == SETTINGS:
        try:
            tomllib.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise BadState(f"the settings in the backup are damaged: {error}") from error
    if name.endswith(".json"):
        wrong = ""
        with suppress(ValueError, RecursionError):  # no JSON: whoever reads the file says so
            wrong = unwritable(json.loads(path.read_bytes()))
        if wrong:
            raise BadState(f"{name} in the backup: {wrong}")


def _swap(new: Path, names: tuple[str, ...], state: Path, settings: Path | None) -> Restored:
    """The old aside, then the new in its place; a cut in between loses neither."""
    written = None
    if SETTINGS in names:
        written = settings or state / SETTINGS
        about, mode = state.stat(), 0o600
        if written.exists():
            about, mode = written.stat(), written.stat().st_mode & 0o777
            written.rename(_free(written.with_name(written.name + ".before-restore")))
        written.write_bytes((new / SETTINGS).read_bytes())
        written.chmod(mode)
        _give(written, about)
    own = [name for name in names if name != SETTINGS]
    logs = [f"{name}{end}" for name in own if name in DATABASES for end in BESIDE]
    aside = None
    if old := [name for name in (*own, *logs) if (state / name).exists()]:
        aside = _free(state / "before-restore")
        for name in old:
            (aside / name).parent.mkdir(parents=True, exist_ok=True)
            (state / name).rename(aside / name)
    for name in own:
        (state / name).parent.mkdir(parents=True, exist_ok=True)
        _settle(new / name)
        (new / name).rename(state / name)
        for path in (state / name, (state / name).parent):
            _give(path, state.stat())
    return Restored(names, aside, written)


def _free(path: Path) -> Path:
    """This name with the first number that nobody has."""
    return next(
        free for n in range(1, 10_000) if not (free := path.with_name(f"{path.name}-{n}")).exists()
    )


def _give(path: Path, like: os.stat_result) -> None:
    """What root brought back belongs to whom the folder belongs: the service must write it."""
    if os.geteuid() == 0:
        os.chown(path, like.st_uid, like.st_gid)


def _settle(path: Path) -> None:
    """On the disk, not only on its way there."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
