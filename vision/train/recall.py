"""Takes what was learned back out of a shipped network, so that learning can go on from there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def recall(net: nn.Module, path: Path, sample: Tensor) -> None:
    """Fills `net` with the weights of an ONNX file that train.export wrote.

    There the norms are folded into the convolutions; here they are set to what `sample` shows, so
    that the network answers as before and learns as one that was never folded.
    """
    graph = onnx.load(str(path)).graph
    known = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    told = [
        (known[node.input[1]], known[node.input[2]])
        for node in graph.node
        if node.op_type == "Conv"
    ]
    pairs = _pairs(net)
    if len(pairs) != len(told):
        raise ValueError(f"{path} is another network: {len(told)} layers, not {len(pairs)}")
    hooks = []
    with torch.no_grad():
        for (conv, norm), (weight, bias) in zip(pairs, told, strict=True):
            conv.weight.copy_(torch.from_numpy(np.array(weight)))
            shift = torch.from_numpy(np.array(bias))
            if norm is None:
                assert conv.bias is not None
                conv.bias.copy_(shift)
            else:
                norm.bias.copy_(shift)
                hooks.append(norm.register_forward_pre_hook(_unfold))
        net.eval()
        net(sample)
    for hook in hooks:
        hook.remove()
    net.train()


def _unfold(norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
    """Sets a norm to undo itself on what it is given now."""
    assert isinstance(norm, nn.BatchNorm2d)
    assert norm.running_mean is not None
    assert norm.running_var is not None
    mean, spread = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3))
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(spread)
    norm.weight.copy_((spread + norm.eps).sqrt())
    norm.bias.add_(mean)


def _pairs(net: nn.Module) -> list[tuple[nn.Conv2d, nn.BatchNorm2d | None]]:
    """Convolutions with their norms, in the order in which train.export writes them."""
    found: list[tuple[nn.Conv2d, nn.BatchNorm2d | None]] = []
    for part in net.modules():
        if isinstance(part, nn.Conv2d):
            found.append((part, None))
        elif isinstance(part, nn.BatchNorm2d):
            found[-1] = (found[-1][0], part)
    return found
