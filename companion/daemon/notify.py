"""Tells systemd over its socket: ready, alive, stopping. Elsewhere nobody listens."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress


class Notify:
    """Datagrams to `$NOTIFY_SOCKET`; without one, silence."""

    def __init__(self, environment: Mapping[str, str] = os.environ, own: int = 0) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self.watchdog = _watchdog(environment, own or os.getpid())

    def tell(self, **said: str) -> None:
        """For example `tell(READY="1", STATUS="The table is open.")`; never fails, never waits."""
        if not self._address:
            return
        message = "\n".join(f"{key}={value}" for key, value in said.items())
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out, suppress(OSError):
            out.setblocking(False)
            out.sendto(message.encode(), self._address)


def _watchdog(environment: Mapping[str, str], own: int) -> float | None:
    """Seconds within which systemd wants a sign of life from this very process."""
    wanted, of = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", str(own))
    return int(wanted) / 1e6 if wanted.isdigit() and int(wanted) and of == str(own) else None
