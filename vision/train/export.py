"""Writes a network as ONNX by hand: only nodes that every OpenCV from 4.6 on understands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from vision.train.nets import FACE_OUT, FINDER_OUT, Face, Finder, Lean


class _Graph:
    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.count = 0

    def constant(self, value: np.ndarray) -> str:
        self.count += 1
        name = f"w{self.count}"
        self.weights.append(numpy_helper.from_array(value, name))
        return name

    def add(self, kind: str, inputs: list[str], **how: object) -> str:
        self.count += 1
        name = f"t{self.count}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **how))
        return name

    def conv(self, x: str, conv: nn.Conv2d, norm: nn.BatchNorm2d | None) -> str:
        weight = conv.weight.detach().double()
        bias = (
            torch.zeros(weight.shape[0]).double()
            if conv.bias is None
            else conv.bias.detach().double()
        )
        if norm is not None:  # folded into the convolution
            assert norm.running_var is not None
            assert norm.running_mean is not None
            gain = norm.weight.detach().double() / (norm.running_var.double() + norm.eps).sqrt()
            weight = weight * gain[:, None, None, None]
            bias = norm.bias.detach().double() + (bias - norm.running_mean.double()) * gain
        pad, step, spread = int(conv.padding[0]), conv.stride[0], conv.dilation[0]
        inputs = [x, self.constant(weight.float().numpy()), self.constant(bias.float().numpy())]
        return self.add(
            "Conv",
            inputs,
            kernel_shape=list(conv.kernel_size),
            pads=[pad] * 4,
            strides=[step] * 2,
            dilations=[spread] * 2,
        )

    def run(self, x: str, part: nn.Module) -> str:
        if isinstance(part, nn.Sequential):
            parts = list(part)
            if isinstance(parts[0], nn.Conv2d):
                return self.add("Relu", [self.conv(x, parts[0], parts[1])])
            for inner in parts:
                x = self.run(x, inner)
            return x
        assert isinstance(part, nn.Conv2d)
        return self.conv(x, part, None)


def _save(graph: _Graph, shape: list[int | str], out: list[int | str], path: Path) -> None:
    graph.nodes[-1].output[0] = "out"
    made = helper.make_graph(
        graph.nodes,
        "eye",
        [helper.make_tensor_value_info("in", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, out)],
        graph.weights,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 11)], ir_version=6)
    onnx.save(model, str(path))


def save_finder(net: Finder, path: Path) -> None:
    """The finder, for pictures whose sides are multiples of 8."""
    g = _Graph()
    near = g.run("in", net.stem)
    low = g.run(g.run(near, net.deep), net.lift)
    roi, scales = (
        g.constant(np.zeros(0, np.float32)),
        g.constant(np.array([1, 1, 2, 2], np.float32)),
    )
    far = g.add(
        "Resize",
        [low, roi, scales],
        mode="nearest",
        coordinate_transformation_mode="asymmetric",
        nearest_mode="floor",
    )
    g.run(g.run(g.add("Add", [near, far]), net.join), net.head)
    _save(g, [1, 3, "height", "width"], [1, FINDER_OUT, "high", "wide"], path)


def save_face(net: Face, path: Path) -> None:
    """The face reader, for any number of patches at once."""
    g = _Graph()
    deep = g.run("in", net.body)
    g.run(g.add("GlobalAveragePool", [deep]), net.head)
    _save(g, ["patches", 3, 40, 40], ["patches", FACE_OUT, 1, 1], path)


def save_lean(net: Lean, path: Path) -> None:
    """How dice lean, for any number of patches at once."""
    g = _Graph()
    g.run(g.run(g.run("in", net.body), net.flat), net.head)
    _save(g, ["patches", 3, 48, 48], ["patches", 3, 1, 1], path)
