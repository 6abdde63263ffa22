"""Who is local, who comes through a proxy, and whom a proxy may name."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import BadConfig
from companion.settings.settings import read
from companion.web.origin import Proxies, local, owner_of
from companion.web.shares import household


def scope(address: str, version: str = "1.1", **headers: str) -> dict[str, Any]:
    named = {"host": "127.0.0.1:8080", **headers}
    return {
        "type": "http", "client": (address, 1), "http_version": version,
        "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in named.items()],
    }  # fmt: skip


def is_local(asked: dict[str, Any], *trusted: str) -> bool:
    return local(Proxies(trusted).seen_through(asked))


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_a_browser_on_this_machine_is_local(address: str) -> None:
    assert is_local(scope(address))
    assert is_local(scope(address, host="localhost"))
    assert is_local(scope(address, host="[::1]:8080"))


@pytest.mark.parametrize("address", ["192.168.1.20", "127.0.0.2", "fe80::1", "testclient", ""])
def test_nobody_else_is(address: str) -> None:
    assert not is_local(scope(address))


@pytest.mark.parametrize(
    "asked",
    [
        scope("127.0.0.1", x_forwarded_for="192.168.1.20"),
        scope("127.0.0.1", x_forwarded_for="127.0.0.1"),
        scope("127.0.0.1", forwarded="for=192.168.1.20"),
        scope("127.0.0.1", x_real_ip="192.168.1.20"),
        scope("127.0.0.1", via="1.1 caddy"),
        scope("127.0.0.1", host="table.example"),
        scope("127.0.0.1", host="["),
        scope("127.0.0.1", version="1.0"),
    ],
    ids=str,
)
def test_a_phone_behind_a_proxy_on_this_machine_is_never_local(asked: dict[str, Any]) -> None:
    assert not is_local(asked)
    assert not is_local(asked, "127.0.0.1")


def test_with_a_trusted_proxy_on_this_machine_nobody_is_local() -> None:
    assert not is_local(scope("127.0.0.1"), "127.0.0.1")


@pytest.mark.parametrize(
    ("peer", "named", "address"),
    [
        ("10.0.0.1", "192.168.1.20", "192.168.1.20"),
        ("10.0.0.1", "6.6.6.6, 192.168.1.20", "192.168.1.20"),  # the first was made up
        ("10.0.0.1", "192.168.1.20, 10.0.0.2", "192.168.1.20"),  # two proxies of ours
        ("10.0.0.1", "nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("192.168.1.30", "192.168.1.20", "192.168.1.30"),  # no proxy of ours: not believed
        ("127.0.0.1", "192.168.1.20", "127.0.0.1"),
    ],
)
def test_only_a_trusted_proxy_may_say_for_whom_it_asks(peer: str, named: str, address: str) -> None:
    seen = Proxies(["10.0.0.0/30"]).seen_through(scope(peer, x_forwarded_for=named))
    assert seen["client"][0] == address
    assert owner_of(seen, None) == ("stranger", address)


def test_a_seat_is_a_seat_wherever_it_asks_from() -> None:
    assert owner_of(scope("192.168.1.20"), 3) == ("seat", "seat 3")
    assert owner_of(scope("127.0.0.1"), None) == ("local", "local")


def test_a_network_of_a_machines_own_is_one_household() -> None:
    assert household("fe80::1%wlan0") == household("fe80::2") != household("fe80:0:0:1::1")
    assert household("::ffff:10.0.0.1") == "10.0.0.1" != household("10.0.0.2")


def test_a_proxy_that_is_no_address_is_a_mistake_in_the_settings() -> None:
    assert read('[web]\ntrusted_proxies = ["127.0.0.1", "10.0.0.0/8"]').web.trusted_proxies
    with pytest.raises(BadConfig, match=r"proxy\.example"):
        read('[web]\ntrusted_proxies = ["proxy.example"]')
