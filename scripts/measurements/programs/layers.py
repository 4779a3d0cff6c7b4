"""
Functions of the kinds that models are made of, with their inputs, for `torch.compile`.

Nearly each becomes one kernel, some backward ones two or three. None is a matrix product, which
Inductor leaves to a library.
"""

# pyright: reportUnknownMemberType=false, reportUnknownLambdaType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F

ROWS, COLUMNS, WIDE = 512, 1024, 8192
CLASSES, HEADS, LENGTH = 4096, 8, 256

Function = Callable[..., Any]


@dataclass(frozen=True)
class Layer:
    """A function and what it is called with; `backward` compiles its gradients as well."""

    name: str
    function: Function
    inputs: tuple[Any, ...]
    backward: bool = False


def _rope(x: Any, cos: Any, sin: Any) -> Any:
    low, high = x.chunk(2, -1)
    return x * cos + torch.cat((-high, low), -1) * sin


def _rms_norm(x: Any, weight: Any) -> Any:
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * weight


def _causal(scores: Any) -> Any:
    length = scores.shape[-1]
    mask = torch.ones(length, length, dtype=torch.bool).tril()
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), -1)


def _channels(x: Any) -> Any:
    mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
    return F.relu(F.batch_norm(x, mean, variance))


ONE: dict[str, Function] = {
    "relu": torch.relu,
    "gelu": F.gelu,
    "gelu by tanh": lambda x: F.gelu(x, approximate="tanh"),
    "silu": F.silu,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "exp": torch.exp,
    "log of magnitude": lambda x: torch.log(x.abs() + 1),
    "reciprocal root": lambda x: torch.rsqrt(x * x + 1),
    "sine": torch.sin,
    "erf": torch.erf,
    "elu": F.elu,
    "softplus": F.softplus,
    "mish": F.mish,
    "hardswish": F.hardswish,
    "cubic": lambda x: x * (x * (x * 0.5 + 1) - 2),
    "clamped": lambda x: x.clamp(-1, 1),
    "chosen by sign": lambda x: torch.where(x > 0, x, 0.1 * x),
    "sum of rows": lambda x: x.sum(1),
    "mean of columns": lambda x: x.mean(0),
    "maxima of rows": lambda x: x.amax(1),
    "maxima of columns": lambda x: x.amax(0),
    "sum of all": torch.sum,
    "argmax": lambda x: x.argmax(1),
    "variance": lambda x: x.var(1),
    "norm of rows": lambda x: x.norm(dim=1),
    "logsumexp": lambda x: x.logsumexp(1),
    "softmax": lambda x: torch.softmax(x, 1),
    "log softmax": lambda x: torch.log_softmax(x, 1),
    "normalized": lambda x: F.normalize(x, dim=1),
    "transposed and doubled": lambda x: (x.t() * 2).contiguous(),
    "padded": lambda x: F.pad(x, (3, 5, 1, 2)),
    "rolled": lambda x: torch.roll(x, (3, 17), (0, 1)),
    "flipped": lambda x: x.flip(1) + 1,
    "lower triangle": torch.tril,
    "cumulative sum": lambda x: x.cumsum(1),
    "every other column": lambda x: x[:, ::2] * 2,
    "gated": lambda x: F.glu(x, -1),
    "rows shifted": lambda x: torch.cat((x[1:], x[:1])),
    "diagonals": lambda x: torch.diag_embed(x[:8, :256]),
}
"""Functions of a matrix."""
TWO: dict[str, Function] = {
    "sum": torch.add,
    "scaled residual": lambda x, y: x + 0.5 * y,
    "product and sum": lambda x, y: x * y + x,
    "quotient": lambda x, y: x / (y.abs() + 1),
    "SwiGLU": lambda x, y: F.silu(x) * y,
    "GEGLU": lambda x, y: F.gelu(x) * y,
    "concatenation": lambda x, y: torch.cat((x, y), 1) * 2,
    "dot products": lambda x, y: (x * y).sum(1),
    "cosine similarity": lambda x, y: F.cosine_similarity(x, y, 1),
    "mean squared error": F.mse_loss,
    "smooth L1": F.smooth_l1_loss,
    "divergence": lambda x, y: F.kl_div(x, y.exp(), reduction="batchmean"),
}
"""Functions of two matrices."""


IMAGES: dict[str, Function] = {
    "constant padding": lambda x: F.pad(x, (2, 3, 1, 2)),
    "reflection padding": lambda x: F.pad(x, (2, 3, 1, 2), mode="reflect"),
    "replication padding": lambda x: F.pad(x, (2, 3, 1, 2), mode="replicate"),
    "circular padding": lambda x: F.pad(x, (2, 3, 1, 2), mode="circular"),
    "nearest upsampling": lambda x: F.interpolate(x, scale_factor=2.0),
    "nearest upsampling, threefold": lambda x: F.interpolate(x, scale_factor=3.0),
    "nearest downsampling": lambda x: F.interpolate(x, size=(30, 41)),
    "bilinear upsampling": lambda x: F.interpolate(x, scale_factor=2.0, mode="bilinear"),
    "bilinear resizing": lambda x: F.interpolate(x, (70, 90), mode="bilinear", align_corners=True),
    "bicubic upsampling": lambda x: F.interpolate(x[:2], scale_factor=2.0, mode="bicubic"),
    "max pooling": lambda x: F.max_pool2d(x, 2),
    "padded max pooling": lambda x: F.max_pool2d(x, 3, 2, 1),
    "average pooling": lambda x: F.avg_pool2d(x, 2),
    "padded average pooling": lambda x: F.avg_pool2d(x, 3, 2, 1),
    "adaptive average pooling": lambda x: F.adaptive_avg_pool2d(x, (7, 7)),
    "mean over space": lambda x: x.mean((2, 3)),
    "unfolding": lambda x: F.unfold(x, 3, padding=1),
    "pixel shuffle": lambda x: F.pixel_shuffle(x, 2),
    "channel shuffle": lambda x: F.channel_shuffle(x, 4),
    "group norm": lambda x: F.group_norm(x, 8),
    "instance norm": F.instance_norm,
    "batch norm and ReLU": _channels,
}
"""Functions of images."""


def layers() -> Iterator[Layer]:
    """Yield all of them, on f32 and most on bf16 too."""
    torch.manual_seed(1)
    for kind, name in ((torch.float32, "f32"), (torch.bfloat16, "bf16")):
        x, y = (torch.randn(ROWS, COLUMNS, dtype=kind) for _ in range(2))
        for title, function in ONE.items():
            yield Layer(f"{title}, {name}", function, (x,))
        for title, function in TWO.items():
            yield Layer(f"{title}, {name}", function, (x, y))
        yield from _of_models(kind, name)
        images = torch.randn(8, 32, 56, 56, dtype=kind)
        for title, function in IMAGES.items():
            yield Layer(f"{title}, {name}", function, (images,))
    wide = torch.randn(64, WIDE)
    for title in ("sum of rows", "softmax", "logsumexp", "variance", "cumulative sum"):
        yield Layer(f"{title}, wide", ONE[title], (wide,))
    yield from _gradients()


def _of_models(kind: Any, name: str) -> Iterator[Layer]:
    x = torch.randn(ROWS, COLUMNS, dtype=kind)
    bias, weight = torch.randn(COLUMNS, dtype=kind), torch.randn(COLUMNS, dtype=kind)
    heads = torch.randn(HEADS, LENGTH, 64, dtype=kind)
    cos, sin = torch.randn(LENGTH, 64, dtype=kind), torch.randn(LENGTH, 64, dtype=kind)
    tokens, targets = torch.randint(CLASSES, (ROWS,)), torch.randint(COLUMNS, (ROWS,))
    table = torch.randn(CLASSES, COLUMNS, dtype=kind)

    def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
        return F.layer_norm(x, (COLUMNS,), weight, bias)

    cases: dict[str, tuple[Function, tuple[Any, ...]]] = {
        "bias and GELU": (lambda x, b: F.gelu(x + b), (x, bias)),
        "layer norm": (layer_norm, (x, weight, bias)),
        "RMS norm": (_rms_norm, (x, weight)),
        "residual and RMS norm": (lambda x, y, w: _rms_norm(x + y, w), (x, x.clone(), weight)),
        "RoPE": (_rope, (heads, cos, sin)),
        "causal softmax": (_causal, (torch.randn(HEADS, LENGTH, LENGTH, dtype=kind),)),
        "cross entropy": (F.cross_entropy, (x, targets)),
        "embedding": (lambda i, t: F.embedding(i, t), (tokens, table)),
    }
    for title, (function, inputs) in cases.items():
        yield Layer(f"{title}, {name}", function, inputs)


def _gradients() -> Iterator[Layer]:
    x = torch.randn(ROWS, COLUMNS, requires_grad=True)
    weight = torch.randn(COLUMNS, requires_grad=True)
    targets = torch.randint(COLUMNS, (ROWS,))
    cases: dict[str, tuple[Function, tuple[Any, ...]]] = {
        "GELU": (F.gelu, (x,)),
        "SiLU": (F.silu, (x,)),
        "softmax": (lambda x: torch.softmax(x, 1), (x,)),
        "layer norm": (lambda x, w: F.layer_norm(x, (COLUMNS,), w), (x, weight)),
        "RMS norm": (_rms_norm, (x, weight)),
        "cross entropy": (lambda x: F.cross_entropy(x, targets), (x,)),
    }
    for title, (function, inputs) in cases.items():
        yield Layer(f"{title}, forward and backward", function, inputs, backward=True)
