"""The small networks as they are learned: to find faces, to read one, to see how a die leans."""

from __future__ import annotations

import torch
from torch import nn

FINDER_OUT = 1 + 1 + 2 + 7 + 4  # heat, size, turn, value, body
FACE_OUT = 7 + 4  # value (0: no face), body


def _conv(inside: int, outside: int, stride: int = 1, spread: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, spread, spread, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Finder(nn.Module):
    """Picture in, at a quarter of its size: where a face is, how big, how turned, which value."""

    def __init__(self, near: int = 32, far: int = 56, join: int = 40, again: int = 1) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            _conv(3, near // 2, 2), _conv(near // 2, near, 2), _conv(near, near)
        )
        self.deep = nn.Sequential(
            _conv(near, far, 2),
            _conv(far, far),
            _conv(far, far, 1, 2),
            *(_conv(far, far) for _ in range(again)),
        )
        self.lift = nn.Conv2d(far, near, 1)
        self.join = _conv(near, join)
        self.head = nn.Conv2d(join, FINDER_OUT, 1)
        nn.init.zeros_(self.head.bias)
        with torch.no_grad():
            self.head.bias[0] = -4.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        near = self.stem(x)
        far = nn.functional.interpolate(self.lift(self.deep(near)), scale_factor=2, mode="nearest")
        out: torch.Tensor = self.head(self.join(near + far))
        return out


def glance() -> Finder:
    """A finder with half the multiplications, for dice of a known size."""
    return Finder(near=20, far=40, join=32, again=0)


class Face(nn.Module):
    """A 40x40 patch in, its value and its body's colour out."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16, 2), _conv(16, 32), _conv(32, 32), _conv(32, 48, 2), _conv(48, 64, 2)
        )
        self.head = nn.Conv2d(64, FACE_OUT, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.head(self.body(x).mean((2, 3), keepdim=True))
        return out


class Lean(nn.Module):
    """A 48x48 patch in; out: where its sides show (x, y in edges), and the log of how far off."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16, 2), _conv(16, 24), _conv(24, 32, 2), _conv(32, 32), _conv(32, 48, 2)
        )
        self.flat = nn.Sequential(
            nn.Conv2d(48, 48, 6, bias=False), nn.BatchNorm2d(48), nn.ReLU(inplace=True)
        )
        self.head = nn.Conv2d(48, 3, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.head(self.flat(self.body(x)))
        return out
