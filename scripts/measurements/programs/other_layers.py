"""
Functions of kinds that nobody had tuned for when they were written down, for `torch.compile`.

Quantised weights, sums by index, mixtures of experts, linear attention, attention scores with
masks and biases, losses, and copies that change the order of dimensions.
"""

# pyright: reportUnknownMemberType=false, reportUnknownLambdaType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F

from measurements.programs.layers import CLASSES, COLUMNS, ROWS, Function, Layer

GROUPS, EXPERTS, TOKENS = 8, 8, 256

Cases = dict[str, tuple[Function, tuple[Any, ...]]]


def other_layers() -> Iterator[Layer]:
    """Yield all of them, on f32 and bf16."""
    torch.manual_seed(3)
    for kind, name in ((torch.float32, "f32"), (torch.bfloat16, "bf16")):
        for of_kind in (_quantised, _by_index, _attention, _of_time, _of_rows, _copies):
            for title, (function, inputs) in of_kind(kind).items():
                yield Layer(f"{title}, {name}", function, inputs)


def _quantised(kind: Any) -> Cases:
    x = torch.randn(ROWS, COLUMNS, dtype=kind)
    codes = torch.randint(-128, 127, (ROWS, COLUMNS), dtype=torch.int8)
    pairs = torch.randint(0, 255, (ROWS, COLUMNS // 2), dtype=torch.uint8)
    scale = torch.rand(ROWS, 1, dtype=kind)
    scales = torch.rand(ROWS, GROUPS, 1, dtype=kind)

    def unpacked(pairs: Any, scales: Any) -> Any:
        halves = torch.stack((pairs & 15, pairs >> 4), -1).view(ROWS, GROUPS, -1)
        return (halves.to(scales.dtype) - 8) * scales

    def quantised(x: Any) -> Any:
        wide = x.float()
        scale = wide.abs().amax(1, keepdim=True) / 127
        return (wide / scale).round().clamp(-128, 127).to(torch.int8)

    return {
        "dequantised int8": (lambda q, s: q.to(s.dtype) * s, (codes, scale)),
        "unpacked int4": (unpacked, (pairs, scales)),
        "quantised to int8": (quantised, (x,)),
    }


def _by_index(kind: Any) -> Cases:
    x = torch.randn(ROWS, COLUMNS, dtype=kind)
    table = torch.randn(CLASSES, TOKENS, dtype=kind)
    columns = torch.randint(0, COLUMNS, (ROWS, TOKENS))
    rows = torch.randint(0, 128, (ROWS,))
    tokens = torch.randint(0, CLASSES, (ROWS, EXPERTS))
    weights = torch.rand(ROWS, EXPERTS, dtype=kind)

    def scattered(x: Any, columns: Any) -> Any:
        return torch.zeros_like(x).scatter_add(1, columns, x[:, :TOKENS])

    def rows_added(x: Any, rows: Any) -> Any:
        return torch.zeros(128, COLUMNS, dtype=x.dtype).index_add(0, rows, x)

    return {
        "gathered columns": (lambda x, i: torch.gather(x, 1, i), (x, columns)),
        "columns added by index": (scattered, (x, columns)),
        "rows added by index": (rows_added, (x, rows)),
        "embedding bag": (lambda i, t: F.embedding(i, t).sum(1), (tokens, table)),
        "experts combined": (
            lambda i, t, w: (t[i] * w[..., None]).sum(1),
            (tokens, table, weights),
        ),
    }


def _attention(kind: Any) -> Cases:
    scores = torch.randn(8, TOKENS, TOKENS, dtype=kind)
    heads = torch.randn(2, 8, TOKENS, 64, dtype=kind)
    cos, sin = torch.randn(TOKENS, 32, dtype=kind), torch.randn(TOKENS, 32, dtype=kind)
    places = torch.arange(TOKENS)

    def by_pairs(x: Any, cos: Any, sin: Any) -> Any:
        even, odd = x[..., ::2], x[..., 1::2]
        return torch.stack((even * cos - odd * sin, odd * cos + even * sin), -1).flatten(-2)

    def in_window(scores: Any) -> Any:
        far = (places[None, :] - places[:, None]).abs() > 32
        return torch.softmax(scores.masked_fill(far, float("-inf")), -1)

    def feature(x: Any) -> Any:
        return (F.elu(x) + 1) / (F.elu(x) + 1).sum(-1, keepdim=True)

    return {
        "RoPE by pairs": (by_pairs, (heads, cos, sin)),
        "softmax in a window": (in_window, (scores,)),
        "linear attention features": (feature, (heads,)),
    }


def _of_time(kind: Any) -> Cases:
    steps, states = torch.randn(ROWS, 64, dtype=kind), -torch.rand(64, 16, dtype=kind)
    gates = torch.randn(4, TOKENS, 64, dtype=kind)
    sequences, present = torch.randn(16, 128, TOKENS, dtype=kind), torch.rand(16, 128) > 0.3

    def mean(x: Any, present: Any) -> Any:
        return (x * present[..., None]).sum(1) / present.sum(1, keepdim=True)

    return {
        "discretised states": (
            lambda d, a: torch.exp(F.softplus(d)[..., None] * a),
            (steps, states),
        ),
        "decays": (lambda g: torch.exp(F.logsigmoid(g).cumsum(1)), (gates,)),
        "masked mean": (mean, (sequences, present)),
    }


def _of_rows(kind: Any) -> Cases:
    x, y = (torch.randn(ROWS, COLUMNS, dtype=kind) for _ in range(2))
    images = torch.randn(8, 32, 56, 56, dtype=kind)
    points = torch.randn(128, 64, dtype=kind)
    targets = torch.randint(COLUMNS, (ROWS,))

    def of_channels(x: Any) -> Any:
        return (x - x.mean(1, keepdim=True)) * torch.rsqrt(x.var(1, keepdim=True) + 1e-6)

    def adam(x: Any, gradient: Any, mean: Any, square: Any) -> Any:
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient * gradient
        return x - 1e-3 * mean / (square.sqrt() + 1e-8)

    return {
        "layer norm of channels": (of_channels, (images,)),
        "Adam": (adam, (x, y, x * 0.5, y.abs())),
        "binary cross entropy": (F.binary_cross_entropy_with_logits, (x, y.sigmoid())),
        "smoothed cross entropy": (
            lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1),
            (x, targets),
        ),
        "distances": (lambda a, b: (a[:, None] - b[None]).square().sum(-1), (points, points + 1)),
        "differences": (lambda x: x[:, 1:] - x[:, :-1], (x,)),
        "standard scores": (lambda x: (x - x.mean(0)) / x.std(0), (x,)),
        "counted": (lambda x: ((x > 0.5) & (x < 1)).sum(1), (x,)),
        "norms of columns": (lambda x: x.abs().sum(0), (x,)),
        "upper triangle, mean of rows": (lambda x: x.triu().mean(1), (x,)),
        "capped": (lambda x: 30 * torch.tanh(x / 30), (x,)),
    }


def _copies(kind: Any) -> Cases:
    images = torch.randn(8, 32, 56, 56, dtype=kind)
    pixels = torch.randint(0, 255, (8, 112, 112, 3), dtype=torch.uint8)
    heads = torch.randn(2, 8, TOKENS, 64, dtype=kind)

    def repeated(x: Any) -> Any:
        return x[:, :, None].expand(2, 8, 4, TOKENS, 64).reshape(2, 32, TOKENS, 64) * 2

    return {
        "pixels to floats": (lambda u: (u.permute(0, 3, 1, 2).to(kind) / 255 - 0.5) * 2, (pixels,)),
        "channels last": (lambda x: x.permute(0, 2, 3, 1).contiguous(), (images,)),
        "heads merged": (lambda x: x.transpose(1, 2).reshape(2, TOKENS, 512), (heads,)),
        "heads repeated": (repeated, (heads,)),
    }
