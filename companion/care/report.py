"""What a self-test measured, to be shared: board, system, versions, figures; no name, no secret."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from companion.care.finding import Finding
from companion.care.machine import Machine
from companion.care.support import about
from companion.errors import NoRoom
from companion.settings.settings import Settings
from companion.settings.wiring import DISPLAYS

FORMAT = 1
_INNOCENT = {display.name for display in DISPLAYS}


def report(
    machine: Machine, settings: Settings, doctor: Iterable[Finding], steps: Iterable[Finding],
    presses: Sequence[float], rolls: Sequence[Mapping[str, Any]],
    losses: Mapping[str, Mapping[str, float]], now: float,
) -> dict[str, Any]:  # fmt: skip
    """Plain JSON. Of the doctor only the verdicts: its sentences name folders and users."""
    names = [*settings.table.seats, *(one.name for one in settings.displays), settings.wifi.name]
    clean = _without([*names, platform.node(), machine.user])
    camera = settings.eye.camera
    kinds = camera if camera in ("off", "twin") or camera.startswith("pi") else "usb or file"
    return {
        "format": FORMAT,
        "about": about(machine, now),
        "parts": {
            "panels": len(settings.panels), "displays": [one.chip for one in settings.displays],
            "camera": kinds, "hub": settings.hub.port != "off",
            "simulated": settings.hardware.panels == "twin",
        },
        "doctor": {one.key: one.verdict for one in doctor},
        "steps": [
            {"step": clean(one.name.show()), "verdict": one.verdict, "says": clean(one.says.show())}
            for one in steps
        ],
        "press_to_glass_ms": _spread([1000 * one for one in presses]),
        "rolls": list(rolls),
        "losses": dict(losses),
    }  # fmt: skip


def _without(names: Iterable[str]) -> Any:
    """Leaves out whatever the maker has named, however short it is."""
    worth = sorted({name for name in names if name} - _INNOCENT, key=len, reverse=True)
    if not worth:
        return str
    found = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in worth))
    return lambda words: found.sub("…", words)


def _spread(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {"n": 0}
    ordered = sorted(values)
    return {
        "n": len(ordered), "median": round(median(ordered), 1),
        "p90": round(ordered[int(0.9 * (len(ordered) - 1))], 1), "most": round(ordered[-1], 1),
    }  # fmt: skip


def markdown(told: Mapping[str, Any]) -> str:
    """The same for people."""
    about, presses = told["about"], told["press_to_glass_ms"]
    flat = {key: value for key, value in about.items() if key != "packages"}
    flat |= about["packages"] | told["parts"]
    flat |= {f"press to glass in ms, {key}": value for key, value in presses.items()}
    flat |= {f"{kind}, {key}": s for kind, one in told["losses"].items() for key, s in one.items()}
    wrong = [key for key, verdict in told["doctor"].items() if verdict == "wrong"]
    flat["the doctor finds wrong"] = ", ".join(wrong) or "nothing"
    return "# Self-test of a table companion\n\n" + "\n".join(
        _table(("what", "value"), flat.items())
        + _table(("step", "verdict", "says"), (one.values() for one in told["steps"]))
        + _table(("dice thrown", "read rightly", "accepted"), (x.values() for x in told["rolls"]))
    )


def _table(head: Sequence[str], rows: Iterable[Iterable[Any]]) -> list[str]:
    cells = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(map(str, row))} |" for row in cells] + [""]


def write(told: Mapping[str, Any], to: Path) -> tuple[Path, Path]:
    """Both forms beside each other; where they are."""
    people, programs = to.with_suffix(".md"), to.with_suffix(".json")
    try:
        people.write_text(markdown(told), encoding="utf-8")
        programs.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise NoRoom(f"{to} could not be written: {error.strerror}") from error
    return people, programs
