"""The ribbon camera, against the real Picamera2 class: its signatures, its configuration code."""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np
import pytest

from companion.errors import DeviceLost
from hardware.camera.by_name import frames, open_camera
from hardware.camera.picamera import STEP, PiCamera
from tests.hardware.ribbon import WHERE, real_class

pytestmark = pytest.mark.skipif(
    not WHERE.exists(), reason="no picamera2 here: sh tests/get_tools.sh fetches it into .tools"
)
WIDE, TALL = 1280, 960
FOUND = {"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}


class Ribbon:
    """Picamera2 with its own signatures, and a camera that gives what a test lays before it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.real = real_class(patch)
        self.made = mock.create_autospec(self.real)
        self.made.global_camera_info.return_value = [FOUND]
        self.camera = self.made.return_value
        self.camera.camera_controls = {"AfMode": (0, 2, 0)}
        self.requests: list[Any] = []
        self.camera.wait.side_effect = self._next
        self.eye = PiCamera(device=lambda: self.made)

    def gives(self, level: int, **metadata: Any) -> Any:
        """One more frame that the camera will give."""
        from picamera2.request import CompletedRequest

        request = mock.create_autospec(CompletedRequest, instance=True)
        request.get_metadata.return_value = {
            "SensorTimestamp": 5_000_000_000 + len(self.requests) * 66_000_000,
            "ExposureTime": 9000, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.4), **metadata,
        }  # fmt: skip
        padded = np.full((TALL // STEP * 3 // 2, WIDE // STEP + 32), level, np.uint8)
        whole = np.full((TALL, WIDE, 3), level, np.uint8)
        request.make_array.side_effect = {"lores": padded, "main": whole}.__getitem__
        self.requests.append(request)
        return request

    def _next(self, _job: Any, timeout: float | None = None) -> Any:
        assert timeout is not None
        given = [request for request in self.requests if not request.get_metadata.called]
        if not given:
            raise TimeoutError
        return given[0]

    def controls(self) -> dict[str, Any]:
        """What the camera was told last."""
        (told,), _ = self.camera.set_controls.call_args
        return dict(told)


@pytest.fixture
def ribbon(monkeypatch: pytest.MonkeyPatch) -> Ribbon:
    return Ribbon(monkeypatch)


def test_wrong_calls_would_be_noticed(ribbon: Ribbon) -> None:
    camera = ribbon.made(0)
    with pytest.raises(TypeError):
        camera.create_preview_configuration(sizes=(1, 2))
    with pytest.raises(AttributeError):
        camera.capture_requests()


def test_motion_is_seen_small_and_the_whole_is_fetched_only_when_asked_for(ribbon: Ribbon) -> None:
    request = ribbon.gives(90)
    shot = next(ribbon.eye.frames())
    assert shot.time == 5.0  # the sensor's own, in seconds
    assert shot.small is not None
    assert shot.small.shape == (TALL // STEP, WIDE // STEP)
    assert [call.args for call in request.make_array.call_args_list] == [("lores",)]
    assert shot.whole.shape == (TALL, WIDE, 3)
    assert shot.whole is shot.whole
    assert [call.args for call in request.make_array.call_args_list] == [("lores",), ("main",)]


@pytest.mark.slow
def test_every_frame_goes_back_to_the_camera(ribbon: Ribbon) -> None:
    first, second = ribbon.gives(90), ribbon.gives(91)
    seen = ribbon.eye.frames()
    next(seen)
    assert not first.release.called
    next(seen)
    assert first.release.called
    with pytest.raises(DeviceLost, match="no picture for 2 s"):
        next(seen)
    assert second.release.called
    assert ribbon.camera.close.called


def test_the_real_class_makes_of_it_a_configuration_with_both_streams(ribbon: Ribbon) -> None:
    ribbon.gives(90)
    next(ribbon.eye.frames())
    (asked,) = ribbon.camera.create_preview_configuration.call_args_list
    closing_nothing = {"__del__": lambda _self: None}
    bare = object.__new__(type("Bare", (ribbon.real,), closing_nothing))
    bare.__dict__.update(
        camera=mock.MagicMock(), camera_properties_={}, camera_ctrl_info={}, sensor_format="SBGGR10"
    )
    made = bare.create_preview_configuration(*asked.args, **asked.kwargs)
    assert (made["main"]["size"], made["main"]["format"]) == ((WIDE, TALL), "RGB888")
    assert (made["lores"]["size"], made["lores"]["format"]) == ((160, 120), "YUV420")
    assert str(made["colour_space"]) == "Sycc"  # full range: grey is as bright in both streams
    assert made["controls"]["FrameRate"] == 15


def test_exposure_white_balance_and_focus_stand_still_during_a_roll(ribbon: Ribbon) -> None:
    ribbon.gives(90, LensPosition=3.5)
    seen = ribbon.eye.frames()
    next(seen)
    assert ribbon.controls()["AeEnable"] is True
    ribbon.eye.hold(True)
    assert ribbon.controls() == {
        "AeEnable": False, "AwbEnable": False, "ExposureTime": 9000, "AnalogueGain": 1.5,
        "ColourGains": (1.9, 1.4), "AfMode": 0, "LensPosition": 3.5,
    }  # fmt: skip
    ribbon.eye.hold(True)
    ribbon.eye.hold(False)
    assert ribbon.camera.set_controls.call_count == 3
    assert ribbon.controls()["AwbEnable"] is True


def test_a_locked_look_holds_from_the_first_frame_and_through_rolls(ribbon: Ribbon) -> None:
    ribbon.gives(90)
    ribbon.eye.lock({"ExposureTime": 7000.0, "AnalogueGain": 2.0, "red": 2.0, "blue": 1.5})
    next(ribbon.eye.frames())
    assert ribbon.controls()["ExposureTime"] == 7000
    assert ribbon.controls()["ColourGains"] == (2.0, 1.5)
    told = ribbon.camera.set_controls.call_count
    ribbon.eye.hold(True)
    assert ribbon.camera.set_controls.call_count == told


def test_a_camera_is_known_again_by_its_model_and_place(ribbon: Ribbon) -> None:
    ribbon.gives(90)
    next(ribbon.eye.frames())
    assert ribbon.eye.identity == f"imx708 {FOUND['Id']}"


def test_a_ribbon_that_is_not_in_says_so(ribbon: Ribbon) -> None:
    ribbon.made.global_camera_info.return_value = []
    with pytest.raises(DeviceLost, match="no camera 0 on the ribbon"):
        next(ribbon.eye.frames())


@pytest.mark.slow
def test_a_camera_that_another_program_has_says_so(ribbon: Ribbon) -> None:
    ribbon.made.side_effect = RuntimeError("Camera __init__ sequence did not complete.")
    with pytest.raises(DeviceLost, match="another program"):
        next(ribbon.eye.frames())


def test_without_picamera2_the_sentence_says_what_to_install() -> None:
    with pytest.raises(DeviceLost, match="apt install python3-picamera2"):
        next(open_camera("pi").frames())
    with pytest.raises(DeviceLost, match="python3-picamera2"):
        next(frames("pi1"))
