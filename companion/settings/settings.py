"""The settings: one TOML file, read once into frozen records; what cannot work is refused."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from companion.errors import BadConfig
from companion.settings.toml_lines import Where, label, nearest
from companion.settings.wiring import (
    DISPLAYS,
    MOST_SEATS,
    PANELS,
    STRICT,
    DisplayWiring,
    Name,
    PanelWiring,
    Problem,
    conflicts,
)
from companion.words import COLOUR_NAMES, Text, name_text

T = TypeVar("T")
Kind = Literal["real", "twin"]
SEATS = 5
LONGEST = 95  # bytes of the path to the games: a socket lies in there, whose own may have 107
CAMERAS = ("off", "pi", "pi1", "twin")  # besides numbers and paths
DEFAULT = Path(__file__).with_name("default.toml")


@dataclass(frozen=True, slots=True)
class TableSettings:
    """`[table]`: how strict the companion is, its language, its memory, who sits there."""

    __pydantic_config__ = STRICT
    mode: Literal["hard", "soft", "coach"] = "hard"
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(_[A-Z]{2})?$")] = "en"
    goes_on: bool = True
    pace: Annotated[float, Field(ge=0, le=60)] = 1.5
    thinks: Annotated[float, Field(ge=0, le=60)] = 3.0
    demo: Literal["twin", "on", "off"] = "twin"
    state: str = ""
    seats: tuple[Name, ...] = tuple(COLOUR_NAMES)[:SEATS]

    @property
    def names(self) -> tuple[Text, ...]:
        """The names of all five seats as texts; one that is not named keeps its colour."""
        unnamed = tuple(COLOUR_NAMES)[len(self.seats) : SEATS]
        return tuple(name_text(name) for name in (*self.seats, *unnamed))

    def directory(self, environment: Mapping[str, str] = os.environ) -> Path:
        """Where the journal lives: as set, else what systemd gives, else in the home."""
        if self.state:
            return Path(self.state).expanduser()
        given = environment.get("STATE_DIRECTORY", "").split(":")[0]
        return Path(given) if given else Path.home() / ".local/state/table-companion"


@dataclass(frozen=True, slots=True)
class Debounce:
    """`[debounce]`: when a press is meant, and when a wire is loose."""

    __pydantic_config__ = STRICT
    stable_ms: Annotated[int, Field(ge=1, le=200)] = 5
    storm_edges_per_s: Annotated[int, Field(ge=20, le=10000)] = 200


@dataclass(frozen=True, slots=True)
class Hardware:
    """`[hardware]`: the real thing, or the twin that needs no hardware."""

    __pydantic_config__ = STRICT
    panels: Kind = "real"
    displays: Kind = "real"


def _number_too(name: object) -> object:
    """Whoever writes a camera's number without quotes means the same."""
    return str(name) if type(name) is int else name


def _network(name: str) -> str:
    """An address, or a network of addresses."""
    ipaddress.ip_network(name, strict=False)
    return name


Network = Annotated[str, AfterValidator(_network)]


@dataclass(frozen=True, slots=True)
class EyeSettings:
    """`[eye]`: the camera over the tray, and the lamp beside it."""

    __pydantic_config__ = STRICT
    camera: Annotated[str, Field(min_length=1), BeforeValidator(_number_too)] = "off"
    lamp: int | None = None


@dataclass(frozen=True, slots=True)
class WebSettings:
    """`[web]`: the pages for phones, the television and the table without hardware."""

    __pydantic_config__ = STRICT
    on: bool = True
    host: Annotated[str, Field(min_length=1, max_length=253)] = "0.0.0.0"
    port: Annotated[int, Field(ge=0, le=65535)] = 8080
    names: tuple[str, ...] = ()
    trusted_proxies: tuple[Network, ...] = ()
    virtual: Literal["local", "all", "none"] = "local"


@dataclass(frozen=True, slots=True)
class WifiSettings:
    """`[wifi]`: the network that a guest's phone may join by a code on the glass."""

    __pydantic_config__ = STRICT
    name: Annotated[str, Field(max_length=32)] = ""
    password: Annotated[str, Field(max_length=63)] = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class HubSettings:
    """`[hub]`: where the character dice report."""

    __pydantic_config__ = STRICT
    port: Annotated[str, Field(min_length=1)] = "off"


Topic = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]*(/[A-Za-z0-9_-]+)*$", max_length=40)]


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """`[mqtt]`: the broker that hears what is public; without one nothing of it is loaded."""

    __pydantic_config__ = STRICT
    broker: Annotated[str, Field(max_length=253)] = ""
    announce: bool = False
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    tls: bool = False
    ca: str = ""
    user: Annotated[str, Field(max_length=100)] = ""
    password_file: str = ""
    prefix: Annotated[Topic, Field(min_length=1)] = "companion"
    table: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]*$", max_length=40)] = ""
    discovery: Topic = "homeassistant"


@dataclass(frozen=True, slots=True)
class ShutdownSettings:
    """`[shutdown]`: a button that ends the evening; held, not pressed."""

    __pydantic_config__ = STRICT
    pin: int | None = None
    hold_s: Annotated[float, Field(ge=1, le=20)] = 3


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole file. A new section is a record above, a line here, its keys in default.toml."""

    __pydantic_config__ = STRICT
    table: TableSettings = field(default_factory=TableSettings)
    panels: Annotated[tuple[PanelWiring, ...], Field(alias="panel")] = PANELS
    displays: Annotated[tuple[DisplayWiring, ...], Field(alias="display")] = DISPLAYS
    debounce: Debounce = field(default_factory=Debounce)
    hardware: Hardware = field(default_factory=Hardware)
    eye: EyeSettings = field(default_factory=EyeSettings)
    web: WebSettings = field(default_factory=WebSettings)
    hub: HubSettings = field(default_factory=HubSettings)
    wifi: WifiSettings = field(default_factory=WifiSettings)
    mqtt: MqttSettings = field(default_factory=MqttSettings)
    shutdown: ShutdownSettings = field(default_factory=ShutdownSettings)

    @property
    def places(self) -> int:
        """Places at the table: up to the last seat that has a panel."""
        return max((panel.seat for panel in self.panels), default=-1) + 1


SETTINGS = TypeAdapter(Settings)


def load(path: Path = DEFAULT) -> Settings:
    """The settings in this file; BadConfig names everything that is wrong with it."""
    try:
        data = path.read_bytes()
        source = data.decode("utf-8-sig")
    except OSError as error:
        raise BadConfig(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadConfig(f"{path}:{line}: not UTF-8; save the file as UTF-8") from error
    return read(source, str(path))


def read(source: str, name: str = "settings") -> Settings:
    """The settings in this text; `name` stands before the line in every complaint."""
    try:
        document = tomllib.loads(source)
        as_json = _json(document)
    except (ValueError, RecursionError) as error:
        raise BadConfig(_not_toml(source, name, error)) from error
    problems: list[Problem] = []
    settings = Settings()
    try:
        settings = SETTINGS.validate_json(as_json)
    except ValidationError as error:
        problems += [(tuple(wrong["loc"]), _sentence(wrong)) for wrong in error.errors()]
    problems += _quarrels(document)
    if "display" not in document:
        used = (d for d in settings.displays if all(seat < settings.places for seat in d.seats))
        settings = replace(settings, displays=tuple(used))
    if problems:
        placed = sorted(
            (nearest(source, where), f"{label(where)}: {why}") for where, why in problems
        )
        raise BadConfig("\n".join(f"{name}:{line}: {why}" for line, why in placed))
    return settings


def with_twins(settings: Settings) -> Settings:
    """The same table without hardware."""
    return replace(
        settings, hardware=Hardware("twin", "twin"),
        eye=replace(settings.eye, camera="twin"), hub=replace(settings.hub, port="twin"),
    )  # fmt: skip


def keys(where: Where = ()) -> tuple[str, ...]:
    """The keys that may stand at this place in the file."""
    schema = SETTINGS.json_schema()
    node = schema
    for step in where:
        node = node["items"] if isinstance(step, int) else node["properties"][step]
        if "$ref" in node:
            node = schema["$defs"][node["$ref"].rsplit("/", 1)[1]]
    return tuple(node["properties"])


def _quarrels(document: dict[str, Any]) -> list[Problem]:
    """What is well-formed but cannot work together; a table with a wrong value is left out."""
    problems: list[Problem] = []
    table = _sound(TableSettings, document.get("table", {})) or TableSettings()
    if len(os.fsencode(table.state)) > LONGEST:
        problems.append((("table", "state"), f"too long a path: at most {LONGEST} bytes"))
    if len(table.seats) > MOST_SEATS:
        problems.append((("table", "seats"), f"there are at most {MOST_SEATS} seats"))
    if len(set(table.names)) < len(table.names):
        problems.append((("table", "seats"), "two seats have the same name"))
    wifi = _sound(WifiSettings, document.get("wifi", {})) or WifiSettings()
    if 0 < len(wifi.password) < 8:
        why = 'a Wi-Fi password has 8 characters at least; "" for an open network'
        problems.append((("wifi", "password"), why))
    if wifi.password and not wifi.name:
        problems.append((("wifi", "name"), "a password without a network; add its name"))
    mqtt = _sound(MqttSettings, document.get("mqtt", {})) or MqttSettings()
    if mqtt.password_file and not mqtt.user:
        problems.append((("mqtt", "user"), "a password without a user; add its name"))
    if mqtt.ca and not mqtt.tls:
        problems.append((("mqtt", "tls"), "a certificate is of no use without it; set it to true"))
    eye = _sound(EyeSettings, document.get("eye", {})) or EyeSettings()
    if not _is_camera(eye.camera):
        known = ", ".join(f'"{name}"' for name in CAMERAS)
        why = f'no camera is called "{eye.camera}"; there are {known}, numbers like "0", and paths'
        problems.append((("eye", "camera"), why))
    panels = _placed(PanelWiring, document, "panel", PANELS)
    displays = _placed(DisplayWiring, document, "display", DISPLAYS)
    shutdown = _sound(ShutdownSettings, document.get("shutdown", {})) or ShutdownSettings()
    others = [(("shutdown", "pin"), shutdown.pin), (("eye", "lamp"), eye.lamp)]
    return problems + list(conflicts(panels, displays, others))


def _is_camera(name: str) -> bool:
    return name in CAMERAS or name.isdigit() or "/" in name or "." in name


def _placed(
    kind: type[T], document: dict[str, Any], key: str, default: tuple[T, ...]
) -> list[tuple[Where, T]]:
    """The sound ones of an array of tables with their places, or the default's."""
    if key not in document:
        return [(("default wiring", key, index), item) for index, item in enumerate(default)]
    tables = document[key] if isinstance(document[key], list) else []
    items = [((key, index), _sound(kind, table)) for index, table in enumerate(tables)]
    return [(where, item) for where, item in items if item is not None]


def _sound(kind: type[T], table: Any) -> T | None:
    """The record that a table makes; its unknown keys are forgiven here, not elsewhere."""
    known = getattr(kind, "__annotations__", {})
    if isinstance(table, dict):
        table = {key: value for key, value in table.items() if key in known}
    try:
        return TypeAdapter(kind).validate_json(_json(table))
    except ValidationError:
        return None


def _json(document: object) -> str:
    """For pydantic, which is strict about tuples unless they come as JSON."""
    return json.dumps(document, default=lambda date: {"date": str(date)})  # no value of ours


def _not_toml(source: str, name: str, error: Exception) -> str:
    if isinstance(error, RecursionError):
        return f"{name}:1: nested too deeply"
    found = re.search(r" [(]at line (\d+), column \d+[)]| [(]at end of document[)]", str(error))
    line = int(found[1]) if found and found[1] else source.count("\n") + 1
    return f"{name}:{line}: not TOML: {str(error)[: found.start()] if found else error}"


def _sentence(wrong: ErrorDetails) -> str:
    """pydantic's complaint in our words, with what to do."""
    *place, key = wrong["loc"]
    if wrong["type"] == "unexpected_keyword_argument":
        known = keys(tuple(place))
        close = get_close_matches(str(key), known, n=1)
        hint = f'did you mean "{close[0]}"?' if close else f"the keys here are {', '.join(known)}"
        return f"unknown key; {hint}"
    if wrong["type"] == "missing":
        return "this key is missing; add it"
    given = json.dumps(wrong["input"], ensure_ascii=False)[:60]
    if wrong["loc"][0] == "wifi":
        given = "what stands here"  # a password: complaints go to the log, the glass and the page
    if wrong["type"] == "string_pattern_mismatch" and key == "language":
        return f'a language is a code like "en" or "pt_BR", not {given}'
    if wrong["type"] == "string_pattern_mismatch" and place == ["mqtt"]:
        return f"it is part of a topic: letters, digits, - and _ only; not {given}"
    if wrong["type"] == "string_pattern_mismatch":
        return f"a name has no spaces around it, nor control characters; not {given}"
    return f"{wrong['msg'].replace('Input should', 'should').replace('String', 'it')}, not {given}"
