"""Learns how dice lean, from rendered trays in which every second die does.

python -m vision.train.lean draw POOL.npz FIRST TRAYS
python -m vision.train.lean learn OUT.pt OUT.onnx MINUTES POOL.npz... [--start OUT.pt]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from companion.events import Body
from vision.picture import Image
from vision.read.face import patch
from vision.read.lean import PATCH, REACH
from vision.read.reader import KEPT, Hint, changes, considered
from vision.rendered.layout import Die, truth
from vision.rendered.optics import Camera
from vision.rendered.render import Stage
from vision.rendered.scenes import place, some_finish, some_ground, some_light, some_skins
from vision.train.export import save_lean
from vision.train.learn import relit, signal
from vision.train.nets import Lean

SIDE, WIDE = 64, 2.4  # pixels and edges of a patch as it is kept: some room to shift it
RATE, BATCH = 2e-3, 64

Floats = NDArray[np.float32]
Random = np.random.Generator


def drawn(seed: int) -> list[tuple[Image, tuple[float, float]]]:
    """Faces that the eye finds in one tray, upright, and where their sides show."""
    rng = np.random.default_rng((seed, 23))
    camera = Camera(
        die=float(rng.uniform(46, 64)),
        tilt=float(rng.uniform(0, 0.45)),
        towards=float(rng.uniform(0, 2 * np.pi)),
        roll=float(rng.normal(0, 0.05)),
        height=float(rng.uniform(14, 40)),
    )
    counts: dict[Body, tuple[int, int]] = {"black": (2, 6), "white": (2, 7), "blue": (0, 3)}
    bodies = [body for body, most in counts.items() for _ in range(int(rng.integers(*most)))]
    rng.shuffle(bodies)
    ground = some_ground(camera, rng)
    touching = 0.3 if rng.random() < 0.5 else 0.0
    dice = [_cocked(die, rng) for die in
            place(some_skins(bodies, rng), ground.floor, rng, touching=touching)]  # fmt: skip
    stage = Stage(camera, some_light(rng), ground, some_finish(rng))
    image, empty = stage.frame([die.pose() for die in dice], rng), stage.frame([], rng)
    hint = Hint(die_px=camera.die * float(np.exp(rng.uniform(-0.1, 0.1))), background=empty)
    seen = truth(dice, camera)
    made = []
    for one in considered(image, hint, changes(image, hint))[0]:
        f = one.found
        far = [np.hypot(t.centre[0] - f.x, t.centre[1] - f.y) / t.size for t in seen]
        which = int(np.argmin(far))
        if far[which] < 0.4 and one.chance >= KEPT:
            x, y = _shown(dice[which], camera) / seen[which].size
            c, s = np.cos(f.turn), np.sin(f.turn)
            made.append((patch(image, f, 0.0, SIDE, WIDE), (x * c + y * s, y * c - x * s)))
    return made


def _cocked(die: Die, rng: Random) -> Die:
    if rng.random() < 0.5:
        return die
    tilt, lean = np.radians(rng.uniform(3, 50)), rng.uniform(0, 2 * np.pi)
    return replace(die, tilt=float(tilt), lean=float(lean))


def _shown(die: Die, camera: Camera) -> Floats:
    """From the middle of the lower face to that of the upper one, in pixels."""
    pose = die.pose()
    up = int(np.abs(pose.attitude[2]).argmax())
    way = pose.attitude[:, up] * np.sign(pose.attitude[2, up]) * pose.skin.edge / 2
    ends = camera.project(np.stack([pose.centre + way, pose.centre - way]))
    return np.asarray(ends[0] - ends[1], np.float32)


def varied(look: Image, shows: Floats, rng: Random) -> tuple[Floats, Floats]:
    """The same patch a little off, turned, mirrored and in another light."""
    (x, y), turn = rng.normal(0, 0.03, 2) * SIDE / WIDE + SIDE / 2, rng.normal(0, 0.06)
    scale = PATCH / REACH / (SIDE / WIDE) * np.exp(rng.normal(0, 0.05))
    c, s, half = np.cos(turn) * scale, np.sin(turn) * scale, PATCH / 2
    move = np.array([[c, -s, half - c * x + s * y], [s, c, half - s * x - c * y]])
    part = cv2.warpAffine(look, move, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE)
    side = np.array([[c, -s], [s, c]]) / scale @ shows
    if rng.random() < 0.5:
        part, side = part[:, ::-1], side * (-1, 1)
    for _ in range(int(rng.integers(4))):
        part, side = np.rot90(part), np.array([side[1], -side[0]])
    light = relit(rng, np.ascontiguousarray(part, np.uint8)).astype(np.float32)
    if rng.random() < 0.3:
        light += rng.standard_normal(light.shape, np.float32) * np.float32(rng.uniform(0, 8))
    if rng.random() < 0.2:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), rng.uniform(0.3, 1.2)), np.float32)
    return signal(light), side.astype(np.float32)


def loss(out: Tensor, shows: Tensor) -> Tensor:
    """How unlikely these sides are, given what the network says and how sure it is of it."""
    spread = out[:, 2].clamp(-5, 1)
    off = ((out[:, :2] - shows) ** 2).sum(1).clamp(max=0.25)  # what cannot be seen is not learned
    return (off * torch.exp(-2 * spread) / 2 + 2 * spread).mean()


def learn(pools: Sequence[Path], minutes: float, start: Path | None) -> Lean:
    """So many minutes of one core over these pools."""
    loaded = [np.load(path) for path in pools]
    looks = np.concatenate([one["looks"] for one in loaded])
    shows = np.concatenate([one["shows"] for one in loaded])
    net, rng = Lean(), np.random.default_rng()
    if start is not None:
        net.load_state_dict(torch.load(start))
    steps = torch.optim.AdamW(net.parameters(), RATE, weight_decay=1e-3)
    begun = time.process_time()
    while (done := (time.process_time() - begun) / 60 / minutes) < 1:
        for group in steps.param_groups:
            group["lr"] = RATE * (0.02 + 0.98 * (1 + np.cos(np.pi * done)) / 2)
        some = [varied(looks[k], shows[k], rng) for k in rng.integers(len(looks), size=BATCH)]
        x, y = (torch.from_numpy(np.stack(part)) for part in zip(*some, strict=True))
        steps.zero_grad()
        loss(net(x)[:, :, 0, 0], y).backward()
        steps.step()
    return net.eval()


def main() -> None:
    """Draw a pool, or learn from some."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("what", choices=("draw", "learn"))
    ask.add_argument("given", nargs="+")
    ask.add_argument("--start", type=Path)
    told = ask.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    if told.what == "draw":
        out, first, count = told.given
        made = [one for seed in range(int(first), int(first) + int(count)) for one in drawn(seed)]
        np.savez(out, looks=np.array([o[0] for o in made]),
                 shows=np.array([o[1] for o in made], np.float32))  # fmt: skip
        return
    weights, network, minutes, *pools = told.given
    net = learn([Path(pool) for pool in pools], float(minutes), told.start)
    torch.save(net.state_dict(), weights)
    save_lean(net, Path(network))


if __name__ == "__main__":
    main()
