"""How a phone finds the table: the address, and the Wi-Fi, in words and as QR codes."""

from __future__ import annotations

import io
from functools import cache, lru_cache

import segno
from segno.helpers import make_wifi_data

from companion.settings.settings import Settings, WifiSettings
from companion.views import Code
from companion.words import text


def invitation(address: str, settings: Settings) -> str:
    """What the terminal says; with twins, the address of the virtual table comes first."""
    phones = f"http://{address}/"
    lines = [f"Phones claim a seat at {phones}   the television shows {phones}board"]
    twins = settings.hardware.panels == settings.hardware.displays == "twin"
    if twins and settings.web.virtual != "none":
        port = address.rpartition(":")[2] if ":" in address else "80"
        lines.insert(0, f"The table stands at     http://127.0.0.1:{port}/")
    drawn = io.StringIO()
    segno.make(phones, error="l").terminal(drawn, compact=True, border=2)
    return "\n".join([*lines, "", drawn.getvalue().rstrip()])


@cache
def codes(address: str, wifi: WifiSettings) -> tuple[Code, ...]:
    """For the glass: first the network, if the settings hold it, then the address."""
    found = []
    if wifi.name:
        safe = "WPA" if wifi.password else None
        joined = make_wifi_data(ssid=wifi.name, password=wifi.password or None, security=safe)
        label = text("Join the Wi-Fi")
        found.append(Code(label, wifi.name, _rows(joined), private=bool(wifi.password)))
    found.append(Code(text("Open the page"), address, _rows(f"http://{address}/")))
    return tuple(found)


@lru_cache(maxsize=16)
def place(address: str, panel: int, code: str) -> Code:
    """For a seat's own glass: whoever scans it sits there. The code in it works once."""
    return Code(
        text("Sit down here"), address, _rows(f"http://{address}/#{panel}{code}"), private=True
    )


def _rows(data: str) -> tuple[str, ...]:
    """The smallest code that holds this: the glass has room for 29 modules of two pixels."""
    code = segno.make(data, error="l", micro=False, boost_error=False)
    return tuple("".join("1" if dark else "0" for dark in row) for row in code.matrix)
