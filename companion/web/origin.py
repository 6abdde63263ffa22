"""Where a request comes from: this machine, a phone, or a phone behind a proxy that we trust."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from companion.web.shares import household

Kind: TypeAlias = Literal["seat", "local", "stranger"]
LOCAL = ("127.0.0.1", "::1")
FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
PROXIED = "companion.proxied"  # in a scope: it came through a proxy


class Proxies:
    """The proxies of the settings: they alone are believed when they name somebody else."""

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        self._trusted = [ipaddress.ip_network(one, strict=False) for one in trusted]

    def trusts(self, address: str) -> bool:
        """Is this one of them?"""
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        found = getattr(found, "ipv4_mapped", None) or found
        return any(found in network for network in self._trusted)

    def seen_through(self, scope: Scope) -> Scope:
        """The request with the address that a trusted proxy names: the last that is none of ours.

        Whoever comes through a proxy is marked, whether we trust it or not.
        """
        headers = Headers(scope=scope)
        host, port = scope.get("client") or ("", 0)
        if not self.trusts(host):
            return {**scope, PROXIED: any(name in headers for name in FORWARDED)}
        named = ",".join(headers.getlist("x-forwarded-for")).split(",")
        for one in reversed([part.strip() for part in named]):
            if not _is_address(one):  # what stands before it was not written by a proxy of ours
                break
            host, port = one, 0
            if not self.trusts(one):
                break
        return {**scope, "client": (host, port), PROXIED: True}


def local(scope: Scope) -> bool:
    """Does it come from a browser on this machine, straight, and by a name of this machine?

    Proxies speak from this machine, too: what they pass on has their mark, is of HTTP/1.0, or
    was sent to the name under which the proxy is known.
    """
    host, _ = scope.get("client") or ("", 0)
    if scope.get(PROXIED) or host.removeprefix("::ffff:") not in LOCAL:
        return False
    try:
        name = urlsplit(f"//{Headers(scope=scope).get('host', '')}").hostname
    except ValueError:
        return False
    return name in (*LOCAL, "localhost") and scope.get("http_version") != "1.0"


def owner_of(scope: Scope, panel: int | None) -> tuple[Kind, str]:
    """What kind of caller it is, and with whom it shares its places."""
    if panel is not None:
        return "seat", f"seat {panel}"
    address = household(scope["client"][0]) if scope.get("client") else ""
    return ("local", "local") if local(scope) else ("stranger", address)


def _is_address(word: str) -> bool:
    try:
        ipaddress.ip_address(word)
    except ValueError:
        return False
    return True
