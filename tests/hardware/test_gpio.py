"""Where lgpio is imported: it makes a FIFO in the current directory, which may not be ours."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.panel.buttons import held_down
from hardware.panel.gpio import pins_of


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current directory, and a library that does what lgpio does when it is imported."""
    library, here = tmp_path / "library", tmp_path / "here"
    library.mkdir()
    here.mkdir()
    (library / "lgpio.py").write_text("import os\nos.mkfifo('.lgd-nfy0')\nmade = os.getcwd()\n")
    monkeypatch.syspath_prepend(str(library))
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.chdir(here)
    yield here
    sys.modules.pop("lgpio", None)


def test_the_fifo_of_lgpio_is_made_elsewhere_and_does_not_stay(here: Path) -> None:
    with pins_of("panel 1"):
        assert Path.cwd() == here
    assert list(here.iterdir()) == []
    assert not Path(sys.modules["lgpio"].made).exists()


def test_lgpio_is_imported_even_if_the_current_directory_is_gone(here: Path) -> None:
    here.rmdir()
    with pins_of("panel 1"):
        assert "lgpio" in sys.modules


def test_a_twin_does_not_import_lgpio(here: Path) -> None:
    assert not held_down(4, factory=MockFactory())
    assert "lgpio" not in sys.modules
    assert list(here.iterdir()) == []
