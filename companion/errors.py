"""What can go wrong, and who must act. Every error of ours is one of these."""

from __future__ import annotations

import errno
import traceback

from companion.words import Text, text


class CompanionError(Exception):
    """The base: catch this to catch whatever we raise on purpose."""


class Illegal(CompanionError, ValueError):
    """A player asked for something the rules forbid. Show `why` to that player, cite `rule`."""

    def __init__(self, rule: str, why: Text) -> None:
        super().__init__(f"{rule}: {why.show()}")
        self.rule = rule
        self.why = why


class BadState(CompanionError, ValueError):
    """A state that no game can be in, or input that is none. Whoever sent it must mend it.

    `why` is a text where a player sent it.
    """

    def __init__(self, why: str | Text) -> None:
        super().__init__(why if isinstance(why, str) else why.show())
        self.why = why


class DeviceLost(CompanionError, OSError):
    """A device went away or never answered. Its supervisor tries again.

    `why` is a text where players read it, and plain English where only the maker can mend it.
    """

    def __init__(self, why: str | Text) -> None:
        super().__init__(why if isinstance(why, str) else why.show())
        self.why = why


class BadConfig(CompanionError, ValueError):
    """The settings cannot work. The maker must mend them; the daemon exits with status 78."""


class BadJournal(CompanionError, RuntimeError):
    """The journal cannot be read. It is set aside for a human, never overwritten."""


class NoRoom(CompanionError, OSError):
    """The disk took no more. The move did not happen; make room and play it again."""


def barred(error: OSError) -> Text | None:
    """The sentence for a device that this user may open, but not this service: EPERM.

    systemd resolves the kinds of devices in DeviceAllow= once, when the service starts.
    """
    if error.errno != errno.EPERM:
        return None
    return text("the service may not open it: restart the companion")


def reason(error: Exception) -> str:
    """Our own sentence, or where the bug is. No value is in it: it may be a card in a hand."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, CompanionError) and not isinstance(error, Illegal):
        return str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"a bug, {type(error).__name__} at {last.filename.rsplit('/')[-1]}:{last.lineno}"
