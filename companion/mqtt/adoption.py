"""How a venue adopts a table: a letter that only a reader of the table's glass can have written.

The code on the glass never travels. Both ends make of it, with a salt, the key that signs the
letter and the table's password for the broker; so nothing in the letter is a secret.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import BadConfig, BadState, NoRoom
from companion.files import read_text
from companion.memory.codec import json_line
from companion.settings.settings import MqttSettings, read

LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that is read as another
LONG = 10  # letters of a code: 50 bits, and each guess costs what scrypt costs
SCRYPT: dict[str, int] = {"n": 1 << 14, "r": 8, "p": 1}  # 16 MB and about 0.1 s on a Pi
KIND = "_table-companion._tcp.local."  # how mDNS calls a table that waits for a venue
FILE, PASSWORD, AUTHORITY = "mqtt.toml", "password", "ca.pem"
PLACES = ("broker", "port", "tls", "user", "prefix", "table", "discovery")


def fresh_code() -> str:
    """A code for a glass, in two halves."""
    code = "".join(secrets.choice(LETTERS) for _ in range(LONG))
    return f"{code[: LONG // 2]}-{code[LONG // 2 :]}"


@dataclass(frozen=True, slots=True)
class Key:
    """What both ends make of a code and a salt."""

    signs: bytes
    password: str

    @classmethod
    def of(cls, code: str, salt: str) -> Key:
        """Takes time, on purpose: whoever guesses pays it for each guess."""
        letters = "".join(one for one in code.upper() if one in LETTERS)
        made = hashlib.scrypt(letters.encode(), salt=bytes.fromhex(salt), dklen=64, **SCRYPT)
        return cls(made[:32], made[32:].hex())

    def mark(self, letter: Mapping[str, Any]) -> str:
        """The signature of a letter."""
        return hmac.new(self.signs, json_line(letter).encode(), "sha256").hexdigest()


def written(code: str, letter: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The venue's message with this letter, and the password that it gives the table."""
    salt = secrets.token_hex(16)
    key = Key.of(code, salt)
    return {"letter": letter, "salt": salt, "mark": key.mark(letter)}, key.password


def opened(code: str, message: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """The letter in a message, and the password; BadState if it was not written with this code."""
    try:
        letter, salt, mark = message["letter"], message["salt"], message["mark"]
        key = Key.of(code, salt)
        fits = hmac.compare_digest(key.mark(letter), mark)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadState("this is no letter of a venue") from error
    if not fits or not isinstance(letter, dict):
        raise BadState("this is not the code on the glass")
    return letter, key.password


def keep(folder: Path, letter: Mapping[str, Any], password: str) -> None:
    """What a venue said, for every start from now on: readable by us alone, whole or not at all."""
    rows = {key: letter[key] for key in PLACES if key in letter}
    rows["password_file"] = str(folder / PASSWORD)
    if letter.get("ca"):
        rows["ca"] = str(folder / AUTHORITY)
    toml = "[mqtt]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in rows.items())
    try:
        if not read(toml).mqtt.broker:
            raise BadConfig("it names no broker")
    except BadConfig as error:
        raise BadState(f"this letter cannot be used: {error}"[:300]) from error
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(folder / PASSWORD, password)
        _write(folder / AUTHORITY, str(letter.get("ca", "")))
        _write(folder / FILE, toml)
    except OSError as error:
        raise NoRoom(f"{folder} could not be written: {error}") from error


def kept(folder: Path) -> MqttSettings | None:
    """What a venue said; None: no venue has adopted this table. BadConfig if it was damaged."""
    try:
        return read(read_text(folder / FILE), FILE).mqtt
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(f"{folder / FILE} cannot be read: {error}") from error


def _toml(value: Any) -> str:
    if isinstance(value, bool | int):
        return json_line(value)
    line = "".join(one for one in str(value) if one.isprintable())
    return json_line(line)


def _write(path: Path, words: str) -> None:
    new = path.with_suffix(".new")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(words)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
