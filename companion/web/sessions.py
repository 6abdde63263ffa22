"""Which browser speaks for which seat: a code off the seat's own glass, tries that run out."""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from companion.errors import CompanionError
from companion.files import read_text
from companion.settings.settings import WifiSettings
from companion.views import Code
from companion.web.invite import codes, place
from companion.web.shares import household
from companion.words import Panel

log = logging.getLogger(__name__)

COOKIE = "companion_seat"
LETTERS = "ACDEFHJKMNPQRTUVWXY34679"  # none that looks like another on a small glass
LENGTH = 6  # 24^6 codes: at one try a second, a lucky guess takes years
OWN_TRIES, OWN_PAUSE = 5, 10.0  # one address: five tries, then one more every ten seconds
FREE_TRIES, FREE_PAUSE = 3, 200.0  # tries among those that others cannot use up by guessing
CODE_TRIES, CODE_PAUSE = 30, 5.0  # one code, guessed by all who have no free try left
LIFE = 300.0  # seconds: a code that was photographed off a glass is of no use tomorrow
ADDRESSES = 4096  # remembered; whoever comes from more has no free tries


class WrongCode(CompanionError, ValueError):
    """The code is not the one on that seat's display, or no longer. Look at the glass again."""


class CodeOver(WrongCode):
    """The code was on that seat's display: it was used, or it is too old. Read the new one."""


class TooOften(CompanionError):
    """Too many tries. Wait `seconds`, then look at the glass and type again."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"too many tries: wait {seconds:.0f} seconds")
        self.seconds = seconds


class Bucket:
    """So many tries at once, and one more after every pause."""

    def __init__(self, size: int, pause: float, now: float) -> None:
        self._size, self._pause = size, pause
        self._left, self._at = float(size), now

    def wait(self, now: float) -> float:
        """Take a try: 0 if there is one, else the seconds until there is."""
        self._left = min(self._size, self._left + (now - self._at) / self._pause)
        self._at = now
        if self._left < 1:
            return (1 - self._left) * self._pause
        self._left -= 1
        return 0.0


class Tries:
    """Of one address: its tries in all, and those that do not depend on other addresses."""

    def __init__(self, now: float, free: int = FREE_TRIES) -> None:
        self.last = now
        self._own = Bucket(OWN_TRIES, OWN_PAUSE, now)
        self._free = Bucket(free, FREE_PAUSE, now)

    def wait(self, code: Bucket, now: float) -> float:
        """Take a try: 0 if there is one, else the seconds until there is."""
        self.last = now
        if seconds := self._own.wait(now):
            return seconds
        return code.wait(now) if self._free.wait(now) else 0.0


class Guesses:
    """The tries of every address that has any; those of all others together.

    The tries of an address run out, and those at a code; but the first ones of an address are its
    own: whoever reads the code gets in, however many guess.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._tries: OrderedDict[str, Tries] = OrderedDict()
        self._crowd = Tries(clock(), free=0)  # of all addresses that are too many to remember

    def take(self, address: str, code: Bucket) -> None:
        """One try at a code; TooOften if there is none left."""
        now = self._clock()
        if seconds := self._of(household(address), now).wait(code, now):
            raise TooOften(seconds)

    def _of(self, address: str, now: float) -> Tries:
        """Forget addresses that have stayed away until all their tries were back."""
        if address not in self._tries and len(self._tries) >= ADDRESSES:
            oldest = next(iter(self._tries))
            if now - self._tries[oldest].last < FREE_TRIES * FREE_PAUSE:
                return self._crowd
            del self._tries[oldest]
        self._tries.setdefault(address, Tries(now))
        self._tries.move_to_end(address)
        return self._tries[address]


class Claims:
    """One browser per seat. Tokens are kept as hashes, over a power cut, too."""

    def __init__(
        self,
        panels: int,
        kept: Path | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        address: str = "",
        wifi: WifiSettings | None = None,
    ) -> None:
        self._codes = {panel: (fresh_code(), clock()) for panel in map(Panel, range(panels))}
        self._over = dict.fromkeys(self._codes, "")  # the code before
        self._kept, self._clock, self.address = kept, clock, address
        self.lost: Callable[[Panel], None] = lambda _: None  # called when a seat is free again
        self.changed: Callable[[], None] = lambda: None  # called after every claim and every loss
        self._wifi = wifi
        self._guessed = {n: Bucket(CODE_TRIES, CODE_PAUSE, clock()) for n in range(panels)}
        self._guesses = Guesses(clock)
        self._hashes = self._load()

    def code(self, panel: Panel) -> str:
        """What the seat's own display shows: for some minutes, then another."""
        if self._clock() - self._codes[panel][1] > LIFE:
            self._renew(panel)
            self.changed()
        return self._codes[panel][0]

    def note(self, panel: Panel) -> tuple[tuple[str, str], ...]:
        """A page for the seat's own glass: the code, and where to type it."""
        return ((self.address, self.code(panel)),)

    def codes(self) -> tuple[Code, ...]:
        """What a phone scans to come here."""
        return codes(self.address, self._wifi or WifiSettings())

    def place(self, panel: Panel) -> Code:
        """What a phone scans to sit down here: the claim stands behind #, which is never sent."""
        return place(self.address, panel, self.code(panel))

    def claimed(self, panel: Panel) -> bool:
        """Does a browser speak for this seat?"""
        return panel in self._hashes

    def claim(self, panel: Panel, code: str, address: str) -> str:
        """A token for the seat; the code is spent, and whoever had the seat has it no longer."""
        if panel not in self._codes:
            raise WrongCode("there is no such seat")
        self._guesses.take(address, self._guessed[panel])
        right = self.code(panel)
        given = code.strip().upper().encode()
        if secrets.compare_digest(given, self._over[panel].encode()):
            raise CodeOver("this code was used or is too old: the seat's display shows a new one")
        if not secrets.compare_digest(given, right.encode()):
            log.warning("a wrong code for panel %d from %s", panel + 1, address)
            raise WrongCode("this is not the code on that seat's display")
        self.revoke(panel)
        token = secrets.token_urlsafe(24)
        self._hashes[panel] = hashed(token)
        self._renew(panel)
        self._save()
        self.changed()
        return token

    def panel(self, token: str | None) -> Panel | None:
        """The seat that a token speaks for."""
        digest = hashed(token or "")
        return next((panel for panel, kept in self._hashes.items() if kept == digest), None)

    def revoke(self, panel: Panel) -> None:
        """Nobody speaks for the seat any more but its own buttons."""
        if self._hashes.pop(panel, None) is not None:
            self._save()
            self.lost(panel)
            self.changed()

    def _renew(self, panel: Panel) -> None:
        self._over[panel], self._codes[panel] = self._codes[panel][0], (fresh_code(), self._clock())

    def _load(self) -> dict[Panel, str]:
        """What was kept; a file that cannot be read only means that phones claim again."""
        if self._kept is None:
            return {}
        try:
            kept = json.loads(read_text(self._kept))
            found = {Panel(int(panel)): str(digest) for panel, digest in kept.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
            log.warning("%s cannot be read, phones must claim again: %s", self._kept, error)
            return {}
        return {panel: digest for panel, digest in found.items() if panel in self._codes}

    def _save(self) -> None:
        if self._kept is None:
            return
        new = self._kept.with_name(self._kept.name + ".new")
        try:
            new.unlink(missing_ok=True)
            new.touch(0o600)
            new.write_text(json.dumps(self._hashes), encoding="utf-8")
            new.replace(self._kept)
        except OSError as error:
            log.warning("claims will not survive a restart: %s", error)


def fresh_code() -> str:
    """For somebody to read and type."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def hashed(token: str) -> str:
    """What is kept of a token: a file that is read by others gives nobody a seat."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
