"""Learns the three networks from pools of drawn scenes and of photographs that may be learned from.

python -m vision.train.learn finder|glance|face POOL OUT.onnx --minutes 30 [--start OUT.pt|OUT.onnx]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.train.export import save_face, save_finder
from vision.train.nets import Face, Finder, glance
from vision.train.photos import WRONG
from vision.train.recall import recall

SIDE = 160
CELL = 4
LEAST, MOST = 18.0, 60.0  # edges that the finder answers for
UNIT = 30.0
GLANCED = 26.0  # edge at which the glance is given its dice
PATCH = 40
REACH = 1.5  # side of a patch in edges

Floats = NDArray[np.float32]
Random = np.random.Generator


class Pool:
    """Scenes of a folder, kept in memory; looks for new files now and then."""

    def __init__(self, folder: Path, photo_share: float) -> None:
        self.folder = folder
        self.photo_share = photo_share
        self.known: set[Path] = set()
        self.drawn: list[tuple[NDArray[np.uint8], Floats]] = []
        self.photos: list[tuple[NDArray[np.uint8], Floats]] = []
        self.refresh()

    def refresh(self) -> None:
        for path in sorted(self.folder.glob("*.npz")):
            if path in self.known or ".part" in path.name:
                continue
            self.known.add(path)
            with np.load(path) as data:
                kind = self.photos if path.name.startswith("photos") else self.drawn
                kind.extend(zip(data["images"], data["truths"], strict=True))

    def pick(self, random: Random) -> tuple[NDArray[np.uint8], Floats]:
        kind = self.photos if self.photos and random.random() < self.photo_share else self.drawn
        image, truths = kind[random.integers(len(kind))]
        return image, truths[truths[:, 2] > 0].copy()


Place = Callable[[Random, int, Floats, int], tuple[int, int, int]]
"""Where to cut: a scene's side, its truths and the side wanted give the cut's side and corner."""


def anywhere(random: Random, full: int, _truths: Floats, side: int) -> tuple[int, int, int]:
    """In any place and size."""
    cut = int(random.integers(int(side * 0.8), full * side // SIDE + 1))
    x0, y0 = random.integers(0, full - cut + 1, 2)
    return cut, int(x0), int(y0)


def around(random: Random, full: int, truths: Floats, side: int) -> tuple[int, int, int]:
    """Around a die, which is about as big as the glance is given it."""
    some = truths[(truths[:, 2] >= LEAST) & (truths[:, 2] <= MOST)]
    if not len(some):
        return anywhere(random, full, truths, side)
    x, y, edge = some[random.integers(len(some)), :3]
    cut = min(full, round(side * edge / (GLANCED * np.exp(random.normal(0, 0.14)))))
    x0, y0 = (random.uniform(0.15, 0.85, 2) * -cut + (x, y)).clip(0, full - cut).astype(int)
    return cut, int(x0), int(y0)


def varied(
    random: Random, image: NDArray[np.uint8], truths: Floats, side: int, place: Place = anywhere
) -> tuple[Floats, Floats]:
    """A random cut of a scene, turned, mirrored, in another light."""
    cut, x0, y0 = place(random, image.shape[0], truths, side)
    scale = side / cut
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    part = cv2.resize(image[y0 : y0 + cut, x0 : x0 + cut], (side, side), interpolation=how)
    rows = truths.copy()
    rows[:, 0] = (rows[:, 0] - x0) * scale
    rows[:, 1] = (rows[:, 1] - y0) * scale
    rows[:, 2] *= scale
    if random.random() < 0.5:
        part = part[:, ::-1]
        rows[:, 0] = side - rows[:, 0]
        rows[:, 5] = np.pi - rows[:, 5]
    for _ in range(random.integers(4)):
        part = np.rot90(part)
        rows[:, 0], rows[:, 1] = rows[:, 1].copy(), side - rows[:, 0]
        rows[:, 5] -= np.pi / 2
    light = relit(random, np.ascontiguousarray(part)).astype(np.float32)
    if random.random() < 0.2:
        shift = int(random.integers(_STATIC.shape[0] - side))
        light += _STATIC[shift : shift + side, :side] * np.float32(random.uniform(0, 8))
    return light, rows


_STATIC = np.random.default_rng(1).standard_normal((1024, 512, 3)).astype(np.float32)
_RAMP = np.arange(256) / 255


def relit(random: Random, part: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same picture in another light, by a table for each channel."""
    bend = np.exp(random.normal(0, 0.3)) if random.random() < 0.5 else 1.0
    gain = np.exp(random.normal(0, 0.2)) * (1 + random.normal(0, 0.05, 3))
    table = np.clip(255 * (_RAMP**bend)[:, None] * gain, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(part, table[None]), np.uint8)


def signal(image: Floats) -> Floats:
    """What the networks take: centred, about unit spread, channels first."""
    return np.ascontiguousarray(((image - 128) / 64).transpose(2, 0, 1))


def targets(rows: Floats, side: int) -> tuple[Floats, Floats, Floats]:
    """Heat, cells to leave out, and the list of (cell y, cell x, row...) to learn details at."""
    cells = side // CELL
    heat = np.zeros((cells, cells), np.float32)
    care = np.ones((cells, cells), np.float32)
    yy, xx = np.mgrid[0:cells, 0:cells].astype(np.float32)
    spots = []
    for x, y, edge, value, body, turn in rows:
        cx, cy = x / CELL - 0.5, y / CELL - 0.5
        far = np.sqrt((xx - cx) ** 2 + (yy - cy) ** 2)
        if value == WRONG:  # ground like any other
            continue
        inside = 0 <= x < side and 0 <= y < side
        margin = min(x, y, side - x, side - y)
        if value < 0 or not inside or margin < edge * 0.5:
            care[far < edge / CELL * 0.8] = 0
            continue
        fits = LEAST <= edge <= MOST
        if not fits:
            if not 0.72 * LEAST < edge < 1.35 * MOST:
                continue
            care[far < max(2.0, edge / CELL * 0.6)] = 0  # found or not, but of the right size
        spread = max(0.7, edge / CELL * 0.11)
        bump = np.exp(-(far**2) / (2 * spread**2))
        bump[round(np.clip(cy, 0, cells - 1)), round(np.clip(cx, 0, cells - 1))] = 1
        if fits:
            heat = np.maximum(heat, bump)
        for j, i in np.argwhere(bump > 0.55):
            spots.append((j, i, edge, value, body, turn))
    # a die to learn from is cared for even beside one that is not
    care = np.maximum(care, (heat > 0.3).astype(np.float32))
    return heat, care, np.array(spots, np.float32).reshape(-1, 6)


def finder_batch(
    random: Random, pool: Pool, count: int, side: int, place: Place = anywhere
) -> tuple[Tensor, ...]:
    inputs, heats, cares, spots = [], [], [], []
    for n in range(count):
        image, rows = varied(random, *pool.pick(random), side, place)
        heat, care, found = targets(rows, side)
        inputs.append(signal(image))
        heats.append(heat)
        cares.append(care)
        spots.append(np.concatenate([np.full((len(found), 1), n, np.float32), found], 1))
    stacked = [np.stack(a) for a in (inputs, heats, cares)]
    return (*(torch.from_numpy(a) for a in stacked), torch.from_numpy(np.concatenate(spots)))


def finder_loss(
    out: Tensor, heat: Tensor, care: Tensor, spots: Tensor
) -> tuple[Tensor, dict[str, float]]:
    logit = out[:, 0]
    p = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    peak = (heat > 0.999).float()
    near = nn.functional.logsigmoid(logit) * (1 - p) ** 2 * peak
    away = nn.functional.logsigmoid(-logit) * p**2 * (1 - heat) ** 4 * (1 - peak)
    loss = -((near + away) * care).sum() / peak.sum().clamp(min=1)
    parts = {"heat": loss.item()}
    if len(spots):
        n, j, i = (spots[:, k].long() for k in range(3))
        at = out[n, :, j, i]
        edge, value, body, turn = spots[:, 3], spots[:, 4].long(), spots[:, 5].long(), spots[:, 6]
        exact = torch.isfinite(turn)
        size = ((at[:, 1] - torch.log(edge / UNIT)).abs() * exact).sum() / exact.sum().clamp(min=1)
        angle = torch.nan_to_num(turn) * 4
        way = ((at[:, 2] - angle.cos()) ** 2 + (at[:, 3] - angle.sin()) ** 2) * exact * (value > 0)
        way = way.sum() / exact.sum().clamp(min=1)
        worth = nn.functional.cross_entropy(at[:, 4:11], value)
        known = body >= 0
        hue = (
            nn.functional.cross_entropy(at[known][:, 11:15], body[known])
            if known.any()
            else at.sum() * 0
        )
        parts |= {
            "size": size.item(),
            "turn": way.item(),
            "value": worth.item(),
            "body": hue.item(),
        }
        parts["right"] = (at[:, 4:11].argmax(1) == value).float().mean().item()
        loss = loss + size + 0.3 * way + worth + 0.3 * hue
    return loss, parts


def face_patch(random: Random, pool: Pool) -> tuple[Floats, int, int]:
    """One patch: a face with the finder's kind of error in place and size, or no face."""
    while True:
        image, rows = pool.pick(random)
        good = rows[(rows[:, 3] >= 0) & (rows[:, 2] > 14)]
        bad = random.random() < 0.22
        if not bad and len(good) == 0:
            continue
        side = image.shape[0]
        if bad:
            wrong = rows[rows[:, 3] == WRONG]
            if len(wrong) and random.random() < 0.7:  # what was taken for a die once
                x, y, edge, *_ = wrong[random.integers(len(wrong))]
                edge = edge * np.exp(random.normal(0, 0.1))
            elif len(good) and random.random() < 0.7:  # off the face: an edge, a side, two dice
                x, y, edge, *_ = good[random.integers(len(good))]
                way, far = random.uniform(0, 2 * np.pi), edge * random.uniform(0.45, 1.0)
                x, y, edge = (
                    x + far * np.cos(way),
                    y + far * np.sin(way),
                    edge * random.uniform(0.5, 1.5),
                )
            else:
                x, y = random.uniform(10, side - 10, 2)
                edge = random.uniform(16, 60)
            true = rows[rows[:, 3] != WRONG]
            distance = [np.hypot(x - r[0], y - r[1]) / r[2] for r in true]
            if distance and min(distance) < 0.4:
                continue
            value, body = 0, -1
        else:
            x, y, edge, value, body, _ = good[random.integers(len(good))]
            x, y = x + random.normal(0, 0.035) * edge, y + random.normal(0, 0.035) * edge
            edge = edge * np.exp(random.normal(0, 0.07))
        scale = PATCH / (edge * REACH)
        c, s = np.cos(a := random.uniform(0, 2 * np.pi)) * scale, np.sin(a) * scale
        move = np.array([[c, -s, 20 - c * x + s * y], [s, c, 20 - s * x - c * y]])
        source = image
        if scale < 0.6:
            source = cv2.blur(image, (round(1 / scale),) * 2)
        patch = cv2.warpAffine(
            source, move, (PATCH, PATCH), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        if random.random() < 0.5:
            patch = patch[::-1]
        light = patch.astype(np.float32)
        light = 255 * (light / 255) ** np.float32(np.exp(random.normal(0, 0.2)))
        light = light * np.float32(np.exp(random.normal(0, 0.2)))
        if random.random() < 0.3:
            light = cv2.GaussianBlur(light, (0, 0), random.uniform(0.3, 1.2))
        if random.random() < 0.3:
            light += random.standard_normal(light.shape).astype(np.float32) * random.uniform(0, 9)
        return signal(np.clip(light, 0, 255)), int(value), int(body)


def face_batch(random: Random, pool: Pool, count: int) -> tuple[Tensor, ...]:
    patches, values, bodies = zip(*(face_patch(random, pool) for _ in range(count)), strict=True)
    return torch.from_numpy(np.stack(patches)), torch.tensor(values), torch.tensor(bodies)


def face_loss(out: Tensor, value: Tensor, body: Tensor) -> tuple[Tensor, dict[str, float]]:
    flat = out[:, :, 0, 0]
    worth = nn.functional.cross_entropy(flat[:, :7], value, label_smoothing=0.01)
    known = body >= 0
    hue = nn.functional.cross_entropy(flat[known][:, 7:], body[known])
    right = (flat[:, :7].argmax(1) == value).float().mean()
    same = (flat[known][:, 7:].argmax(1) == body[known]).float().mean()
    return worth + 0.5 * hue, {"value": worth.item(), "right": right.item(), "body": same.item()}


def batches(random: Random, pool: Pool, kind: str, side: int) -> Iterator[tuple[Tensor, ...]]:
    while True:
        if kind == "finder":
            yield finder_batch(random, pool, 24, side)
        elif kind == "glance":
            yield finder_batch(random, pool, 96, side, around)
        else:
            yield face_batch(random, pool, 128)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("kind", choices=["finder", "glance", "face"])
    ask.add_argument("pool", type=Path)
    ask.add_argument("out", type=Path)
    ask.add_argument("--minutes", type=float, default=30)
    ask.add_argument("--rate", type=float, default=3e-3)
    ask.add_argument("--photos", type=float, default=0.3, help="share of photographs")
    ask.add_argument("--start", type=Path)
    ask.add_argument("--seed", type=int, default=0)
    ask.add_argument("--threads", type=int, default=1)
    ask.add_argument("--side", type=int, default=SIDE, help="of the finder's cuts; less is faster")
    told = ask.parse_args()
    torch.set_num_threads(told.threads)
    torch.manual_seed(told.seed)
    cv2.setNumThreads(1)
    random = np.random.default_rng(told.seed)
    pool = Pool(told.pool, told.photos)
    net: nn.Module = {"finder": Finder, "glance": glance, "face": Face}[told.kind]()
    if told.start and told.start.suffix == ".onnx":
        recall(net, told.start, next(batches(random, pool, told.kind, told.side))[0])
    elif told.start:
        net.load_state_dict(torch.load(told.start))
    net = net.to(memory_format=torch.channels_last)  # a third faster on a plain processor
    best = torch.optim.AdamW(net.parameters(), lr=told.rate, weight_decay=1e-4)
    begun = told_at = time.monotonic()
    sums: dict[str, list[float]] = {}
    for step, batch in enumerate(batches(random, pool, told.kind, told.side), 1):
        gone = (time.monotonic() - begun) / 60 / told.minutes
        if gone >= 1:
            break
        warm = min(1.0, step / 100)
        for group in best.param_groups:
            group["lr"] = told.rate * warm * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * gone)))
        out = net(batch[0].contiguous(memory_format=torch.channels_last))
        loss, parts = (face_loss if told.kind == "face" else finder_loss)(out, *batch[1:])
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        for key, value in parts.items():
            sums.setdefault(key, []).append(value)
        if time.monotonic() - told_at > 30:
            told_at = time.monotonic()
            shown = " ".join(f"{k} {np.mean(v):.4f}" for k, v in sums.items())
            known = f"drawn {len(pool.drawn)} photos {len(pool.photos)}"
            print(f"{gone:5.1%} step {step} {known} {shown}", flush=True)
            sums = {}
            pool.refresh()
            save(net, told.out)
    save(net, told.out)


def save(net: nn.Module, out: Path) -> None:
    """Keeps what was learned, for OpenCV and for going on later."""
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    net.eval()
    if isinstance(net, Finder):
        save_finder(net, out)
    elif isinstance(net, Face):
        save_face(net, out)
    net.train()


if __name__ == "__main__":
    main()
