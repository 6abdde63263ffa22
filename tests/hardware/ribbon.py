"""The real Picamera2 class without a Pi: what it is built on is stubbed, its signatures are not."""

from __future__ import annotations

import enum
import importlib
import sys
import types
from pathlib import Path
from typing import Any
from unittest import mock

WHERE = Path(__file__).parents[2] / ".tools/picamera2"
_ABSENT = ("pykms", "kms", "prctl", "videodev2", "piexif", "simplejpeg", "av", "pidng",
           "jsonschema", "tqdm", "libarchive", "OpenGL", "PyQt5", "v4l2")  # fmt: skip


class _Stub(types.ModuleType):
    """A module in which every name is something."""

    __path__ = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = mock.MagicMock(name=f"{self.__name__}.{name}")
        setattr(self, name, made)
        return made


class _Nowhere:
    """Finds whatever lies below a stub."""

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> Any:
        if name.split(".")[0] not in (*_ABSENT, "libcamera"):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> types.ModuleType:
        return _libcamera() if spec.name == "libcamera" else _Stub(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing to run."""


def _libcamera() -> types.ModuleType:
    module = _Stub("libcamera")

    class Transform:
        def __init__(self, hflip: int = 0, vflip: int = 0, transpose: int = 0) -> None:
            self.hflip, self.vflip, self.transpose = hflip, vflip, transpose

        def __str__(self) -> str:
            return "as it is"

    class ColorSpace:
        def __init__(self, name: str) -> None:
            self.name = name

        def __str__(self) -> str:
            return self.name

        Sycc = classmethod(lambda cls: cls("Sycc"))
        Rec709 = classmethod(lambda cls: cls("Rec709"))
        Smpte170m = classmethod(lambda cls: cls("Smpte170m"))
        Raw = classmethod(lambda cls: cls("Raw"))

    class StreamRole(enum.IntEnum):
        Raw, StillCapture, VideoRecording, Viewfinder = range(4)

    module.Transform, module.ColorSpace, module.StreamRole = Transform, ColorSpace, StreamRole  # type: ignore[attr-defined]
    return module


def real_class(patch: Any) -> Any:
    """Picamera2 as it ships, imported for as long as `patch` (pytest's monkeypatch) lasts."""
    known = {*sys.modules}
    patch.syspath_prepend(str(WHERE))
    patch.setattr(sys, "meta_path", [_Nowhere(), *sys.meta_path])
    for name in [name for name in sys.modules if name.split(".")[0] in _ABSENT]:
        patch.delitem(sys.modules, name)
    try:
        return importlib.import_module("picamera2").Picamera2
    finally:
        for name in {*sys.modules} - known:
            module = sys.modules.pop(name)  # so that `patch` takes it away again
            patch.setitem(sys.modules, name, module)
