"""Places that strangers share: an address has so many, and whoever holds most gives way."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


def household(address: str) -> str:
    """One limit for what one machine can make up: an IPv4 address, or the /64 of an IPv6 one."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


class Shares(Generic[T]):
    """At most `each` places for one owner, and `most` for all together."""

    def __init__(self, each: int, most: int) -> None:
        self._each, self._most = each, most
        self._owners: dict[T, str] = {}
        self._held: dict[str, OrderedDict[T, None]] = {}

    def __len__(self) -> int:
        return len(self._owners)

    def __contains__(self, one: T) -> bool:
        return one in self._owners

    def take(self, owner: str, one: T, *, keep_newest: bool = False) -> T | None:
        """A place for this one; who loses his for it, or None.

        Of an owner with too many it is the newest, or the oldest if `keep_newest`. When all places
        are taken, the owner with the most gives one up: a newcomer is not kept out by a crowd.
        """
        self.leave(one)
        held = self._held.setdefault(owner, OrderedDict())
        held[one] = None
        self._owners[one] = owner
        if len(held) <= self._each and len(self._owners) <= self._most:
            return None
        if len(held) <= self._each:
            largest = max(self._held.values(), key=len)
            held = largest if len(largest) > len(held) else held
        loser = next(iter(held)) if keep_newest or one not in held else one
        self.leave(loser)
        return loser

    def leave(self, one: T) -> None:
        """The place is free again."""
        owner = self._owners.pop(one, None)
        if owner is not None:
            self._held[owner].pop(one, None)
            if not self._held[owner]:
                del self._held[owner]
