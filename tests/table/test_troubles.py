"""A lost device is called by the name that people have for it, in their language."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.daemon.clock import Clock
from companion.daemon.devices import build
from companion.events import CameraTold, DeviceDown
from companion.language import speaker
from companion.settings.settings import read
from companion.table.troubles import JOURNAL, Troubles, back, lost
from companion.words import Panel, text
from tests.table.desk import Desk

WHOLE = """
[table]
state = "{state}"
[hardware]
panels = "twin"
displays = "twin"
[eye]
camera = "twin"
lamp = 14
[hub]
port = "twin"
[shutdown]
pin = 15
[[panel]]
seat = 1
previous = 4
next = 17
select = 27
back = 22
lamp = 20
"""


@pytest.mark.parametrize(
    ("name", "says", "returns"),
    [
        ("eye", "The eye is lost: no.", "The eye is back."),
        ("dice", "The dice hub is lost: no.", "The dice hub is back."),
        ("hub right", "The dice hub right is lost: no.", "The dice hub right is back."),
        ("panel 2", "Panel 2 is lost: no.", "Panel 2 is back."),
        ("lamp 3", "The lamp of panel 3 is lost: no.", "The lamp of panel 3 is back."),
        ("tray lamp", "The lamp over the tray is lost: no.", "The lamp over the tray is back."),
        ("clock", "no.", "The clock is right again."),
        ("die asuna", "no.", "Asuna's die is back."),
    ],
)
def test_each_device_has_a_name_in_the_sentence(name: str, says: str, returns: str) -> None:
    assert lost(name, "no.").show() == says
    assert back(name).show() == returns


def test_what_damage_cost_stands_on_every_glass_until_somebody_plays_on(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    desk.table.trouble(JOURNAL, text("7 moves are missing."))
    notices = [desk.table.view(name).notice.show() for name in desk.seating.displays]
    assert notices == ["7 moves are missing."] * 3
    desk.press(0, "next")
    assert desk.table.view("table").notice.show() == "7 moves are missing."
    desk.choose(0, "High")
    assert desk.table.view("table").notice.show() == ""
    assert JOURNAL not in desk.table.lost


def test_a_display_keeps_the_name_that_its_owner_gave_it() -> None:
    assert lost("seat 1", "pulled", True).show() == "The display seat 1 is lost: pulled"
    assert back("seat 1", True).show() == "The display seat 1 is back."


def test_a_reason_that_begins_with_the_device_does_not_name_it_twice() -> None:
    assert lost("panel 1", "panel 1: no pins").show() == "Panel 1 is lost: no pins"


def test_no_device_of_a_whole_table_is_called_as_the_program_calls_it(tmp_path: Path) -> None:
    devices = build(read(WHOLE.format(state=tmp_path)))
    names = {one.name for one in (*devices.sources, *devices.lamps.values())} | {Clock.name, "web"}
    assert {"eye", "dice", "panel 1", "lamp 1", "tray lamp", "shutdown button"} <= names
    assert [name for name in names if back(name).show().startswith(name)] == []


def test_players_read_reasons_in_their_own_language() -> None:
    say = speaker("ja")
    why = text("it ended without a word; it is started again")
    assert (
        lost("eye", why).show((), say) == "カメラが使えません：突然終了しました。再起動します"  # noqa: RUF001
    )


@pytest.mark.parametrize("name", ["panel 1", "dice", "web", "lamp 1", "die asuna"])
def test_a_calibration_goes_on_when_another_device_is_lost_and_ends_with_the_eye(name: str) -> None:
    troubles = Troubles()
    troubles.camera.ask("start", Panel(0))
    said = [each.show() for each in troubles.reported(DeviceDown(name, "pulled"), ())]
    assert said == [lost(name, "pulled").show()]
    assert troubles.camera.under_way is not None
    assert troubles.camera.result is None
    said = [each.show() for each in troubles.reported(DeviceDown("eye", "pulled"), ())]
    assert said == ["Not calibrated. The camera is lost.", "The eye is lost: pulled"]
    assert troubles.camera.under_way is None


def test_a_lost_eye_that_was_not_calibrating_fails_no_calibration() -> None:
    troubles = Troubles()
    said = [each.show() for each in troubles.reported(DeviceDown("eye", "pulled"), ())]
    assert said == ["The eye is lost: pulled"]
    assert list(troubles.reported(CameraTold("moved"), ())) == [troubles.all["camera"]]
