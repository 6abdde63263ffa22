"""What is installed (constraints.txt) and tried (tests/lowest.txt) keeps the word of pyproject."""

from __future__ import annotations

import re
import tomllib
from itertools import product
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from companion import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PROMISED = [
    Requirement(line) for line in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
]
MACHINES = list(product(("3.11", "3.12", "3.13"), ("x86_64", "aarch64")))


def pins(file: str, python: str, machine: str) -> dict[str, str]:
    """The version of each package on such a machine."""
    here = {
        "python_version": python,
        "python_full_version": f"{python}.2",
        "platform_machine": machine,
        "sys_platform": "linux",
    }
    pinned: dict[str, str] = {}
    for line in (ROOT / file).read_text().splitlines():
        if line.startswith("#"):
            continue
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; .+)?", line), (
            f"not a name and a version: {line}"
        )
        one = Requirement(line)
        if one.marker is None or one.marker.evaluate(here):
            assert one.name not in pinned, f"{one.name} has two versions on {python}, {machine}"
            pinned[one.name] = str(one.specifier).removeprefix("==")
    return pinned


@pytest.mark.parametrize(("python", "machine"), MACHINES)
def test_every_machine_gets_one_version_of_each_package_and_one_that_is_promised(
    python: str, machine: str
) -> None:
    pinned = pins("constraints.txt", python, machine)
    wrong = [
        str(p) for p in PROMISED if pinned.get(canonicalize_name(p.name), "") not in p.specifier
    ]
    assert not wrong, f"run make constraints: {wrong}"


def test_the_oldest_releases_that_are_promised_are_the_ones_that_are_tried() -> None:
    tried = pins("tests/lowest.txt", "3.11", "x86_64")
    for promise in PROMISED:
        (least,) = (s.version for s in promise.specifier if s.operator in (">=", "=="))
        version = tried[canonicalize_name(promise.name)]
        assert version in SpecifierSet(f"=={least}.*"), f"run make constraints: {promise}"


def test_the_version_is_the_same_everywhere_and_the_changelog_tells_of_it() -> None:
    assert PROJECT["version"] == __version__
    assert f"## {__version__} - " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
