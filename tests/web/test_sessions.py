"""Codes, tokens and tries: a seat is claimed by whoever reads its glass, and by nobody else."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from companion.web.invite import place
from companion.web.sessions import (
    ADDRESSES,
    CODE_PAUSE,
    CODE_TRIES,
    FREE_PAUSE,
    FREE_TRIES,
    LETTERS,
    LIFE,
    OWN_TRIES,
    Claims,
    CodeOver,
    TooOften,
    WrongCode,
)
from tests.patience import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def claims(clock: Clock) -> Claims:
    return Claims(2, clock=clock)


def _guess(claims: Claims, address: str) -> bool:
    """A wrong try; was it one?"""
    try:
        claims.claim(0, "AAAAAA", address)
    except TooOften:
        return False
    except WrongCode:
        return True
    raise AssertionError("a lucky guess")


def test_the_code_of_a_glass_gives_its_seat_and_no_other(claims: Claims) -> None:
    token = claims.claim(1, claims.code(1), "phone")
    assert claims.panel(token) == 1
    assert claims.claimed(1)
    assert not claims.claimed(0)


def test_a_code_is_six_letters_that_do_not_look_alike(claims: Claims) -> None:
    assert len(claims.code(0)) == 6
    assert set(claims.code(0)) <= set(LETTERS)
    assert not set(LETTERS) & set("B8O0I1LSG5Z2")


def test_a_code_may_be_typed_in_small_letters_and_with_spaces_around(claims: Claims) -> None:
    assert claims.panel(claims.claim(0, f" {claims.code(0).lower()} ", "phone")) == 0


def test_a_code_is_spent_by_its_use(claims: Claims) -> None:
    code = claims.code(0)
    claims.claim(0, code, "phone")
    assert claims.code(0) != code
    with pytest.raises(CodeOver, match="was used or is too old"):
        claims.claim(0, code, "other phone")


def test_a_code_is_over_after_some_minutes_and_the_display_shows_another(
    claims: Claims, clock: Clock
) -> None:
    told: list[None] = []
    claims.changed = lambda: told.append(None)
    code = claims.code(0)
    clock.now += LIFE
    assert claims.code(0) == code
    clock.now += 1
    with pytest.raises(CodeOver):
        claims.claim(0, code, "phone")
    assert told  # its glass is drawn anew
    assert claims.place(0).rows == place("", 0, claims.code(0)).rows
    assert claims.panel(claims.claim(0, claims.code(0), "phone")) == 0


def test_a_new_claim_takes_the_seat_from_the_old_phone(claims: Claims) -> None:
    told: list[int] = []
    claims.lost = told.append
    first = claims.claim(0, claims.code(0), "phone")
    second = claims.claim(0, claims.code(0), "other phone")
    assert claims.panel(first) is None
    assert claims.panel(second) == 0
    assert told == [0]


def test_the_code_of_another_seat_opens_nothing(claims: Claims) -> None:
    with pytest.raises(WrongCode):
        claims.claim(0, claims.code(1), "phone")
    with pytest.raises(WrongCode):
        claims.claim(7, "", "phone")
    assert not claims.claimed(0)


def test_one_address_gets_five_tries_and_then_one_every_ten_seconds(
    claims: Claims, clock: Clock
) -> None:
    for _ in range(OWN_TRIES):
        with pytest.raises(WrongCode):
            claims.claim(0, "AAAAAA", "thief")
    with pytest.raises(TooOften) as refused:
        claims.claim(0, claims.code(0), "thief")  # even the right one
    assert refused.value.seconds == pytest.approx(10)
    assert (
        claims.panel(claims.claim(1, claims.code(1), "guest")) == 1
    )  # others are not kept waiting
    clock.now = 10.1
    assert claims.panel(claims.claim(0, claims.code(0), "thief")) == 0


def test_whoever_reads_the_glass_gets_in_however_many_guess(claims: Claims, clock: Clock) -> None:
    for number in range(2000):
        clock.now += 0.01
        with suppress(WrongCode, TooOften):
            claims.claim(0, "AAAAAA", f"10.0.{number % 8}.{number % 250}")
    for typo in range(FREE_TRIES - 1):
        with pytest.raises(WrongCode):
            claims.claim(0, f"TYP{typo}", "guest")
    assert claims.panel(claims.claim(0, claims.code(0), "guest")) == 0


def test_who_has_guessed_shares_what_a_code_stands_with_all_who_guess(
    claims: Claims, clock: Clock
) -> None:
    guessed = 0
    for number in range(100):
        for _ in range(OWN_TRIES):
            guessed += _guess(claims, f"10.0.0.{number}")
    for _ in range(100):
        clock.now += 1
        for number in range(100):
            guessed += _guess(claims, f"10.0.0.{number}")
    most = 100 * (FREE_TRIES + 100 / FREE_PAUSE) + CODE_TRIES + 100 / CODE_PAUSE
    assert guessed <= most


def test_one_machine_with_many_addresses_of_its_network_has_one_share(claims: Claims) -> None:
    for number in range(OWN_TRIES):
        with pytest.raises(WrongCode):
            claims.claim(0, "AAAAAA", f"fe80::{number + 1:x}")
    with pytest.raises(TooOften):
        claims.claim(0, "AAAAAA", "fe80::abcd:1%wlan0")


def test_a_million_addresses_are_not_all_remembered_and_bring_no_fresh_tries(
    claims: Claims, clock: Clock
) -> None:
    guessed = 0
    for number in range(3 * ADDRESSES):
        guessed += _guess(claims, f"address {number}")
    assert guessed <= ADDRESSES + CODE_TRIES
    assert len(claims._guesses._tries) <= ADDRESSES
    clock.now += FREE_TRIES * FREE_PAUSE
    assert claims.panel(claims.claim(0, claims.code(0), "guest")) == 0


def test_guessing_day_and_night_from_a_whole_house_finds_one_code_in_more_than_two_years() -> None:
    seats, addresses = 5, 250
    tries_a_second = seats / CODE_PAUSE + addresses / FREE_PAUSE
    assert 24**6 / (tries_a_second * 365 * 24 * 3600) > 2


def test_a_claim_outlives_a_power_cut_and_is_kept_as_a_hash(tmp_path: Path) -> None:
    kept = tmp_path / "claims.json"
    before = Claims(2, kept)
    token = before.claim(0, before.code(0), "phone")
    assert token not in kept.read_text()
    assert kept.stat().st_mode & 0o077 == 0
    assert Claims(2, kept).panel(token) == 0


@pytest.mark.parametrize("broken", ["", "[]", "{", '{"x": 1}', "null", '{"9": "a"}', "[" * 50_000])
def test_a_broken_file_of_claims_only_means_to_claim_again(tmp_path: Path, broken: str) -> None:
    (tmp_path / "claims.json").write_text(broken)
    assert not Claims(2, tmp_path / "claims.json").claimed(0)


def test_a_pipe_in_place_of_the_claims_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "claims.json")
    claims = Claims(2, tmp_path / "claims.json")
    token = claims.claim(0, claims.code(0), "phone")
    assert Claims(2, tmp_path / "claims.json").panel(token) == 0


def test_no_token_and_a_made_up_token_speak_for_nobody(claims: Claims) -> None:
    claims.claim(0, claims.code(0), "phone")
    assert claims.panel(None) is None
    assert claims.panel("") is None
    assert claims.panel("made up \ud800") is None
