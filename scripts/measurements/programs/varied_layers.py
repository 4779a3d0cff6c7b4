"""
Functions that were written to find what is slow, before anything was done for them.

Numbers of few bits, cells of recurrent models, attention scores, running extrema, other axes than
the last, windows of images, special functions, rows by index, and losses.
"""

# pyright: reportUnknownMemberType=false, reportUnknownLambdaType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F

from measurements.programs.layers import COLUMNS, ROWS, Layer
from measurements.programs.other_layers import Cases

TOKENS, TIMES, FEATURES = 4096, 512, 256
BATCH, HEADS, WIDTH = 8, 8, 64


def varied_layers() -> Iterator[Layer]:
    """Yield all of them, on f32 and bf16."""
    torch.manual_seed(7)
    for kind, name in ((torch.float32, "f32"), (torch.bfloat16, "bf16")):
        for of_kind in (_few_bits, _cells, _scores, _axes, _images, _special, _by_index, _losses):
            for title, (function, inputs) in of_kind(kind).items():
                yield Layer(f"{title}, {name}", function, inputs)


def _few_bits(kind: Any) -> Cases:
    x = torch.randn(ROWS, COLUMNS, dtype=kind)

    def in_groups(x: Any) -> Any:
        groups = x.reshape(-1, 128).float()
        scale = groups.abs().amax(1, keepdim=True) / 127 + 1e-8
        return (groups / scale).round().clamp(-127, 127).to(torch.int8)

    def packed(x: Any) -> Any:
        codes = (x.float() * 3).round().clamp(-8, 7).to(torch.int32) + 8
        return (codes[:, ::2] | (codes[:, 1::2] << 4)).to(torch.uint8)

    pixels = torch.randint(0, 255, (4, 224, 224, 3), dtype=torch.uint8)
    return {
        "quantised in groups": (in_groups, (x,)),
        "packed to four bits": (packed, (x,)),
        "pixels, normal": (lambda x: (x.to(kind) - 127) / 58, (pixels,)),
    }


def _cells(kind: Any) -> Cases:
    gates, more = (torch.randn(ROWS, 4 * FEATURES, dtype=kind) for _ in range(2))
    state = torch.randn(ROWS, FEATURES, dtype=kind)
    sequences = torch.randn(BATCH, TIMES, FEATURES, dtype=kind)

    def lstm(gates: Any, state: Any) -> Any:
        into, kept, out, new = gates.chunk(4, -1)
        state = torch.sigmoid(kept) * state + torch.sigmoid(into) * torch.tanh(new)
        return torch.sigmoid(out) * torch.tanh(state)

    def gru(gates: Any, others: Any, state: Any) -> Any:
        kept, renewed, new = (gates[:, k * FEATURES : (k + 1) * FEATURES] for k in range(3))
        a, b, c = (others[:, k * FEATURES : (k + 1) * FEATURES] for k in range(3))
        new = torch.tanh(new + torch.sigmoid(kept + a) * c)
        return new + torch.sigmoid(renewed + b) * (state - new)

    def convolved(x: Any, weight: Any) -> Any:
        padded = F.pad(x.transpose(1, 2), (3, 0))
        parts = [padded[:, :, k : k + TIMES] * weight[:, k, None] for k in range(4)]
        return (parts[0] + parts[1] + parts[2] + parts[3]).transpose(1, 2)

    def mean(x: Any, mask: Any) -> Any:
        return (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)

    mask = torch.rand(BATCH, TIMES).gt(0.3).to(kind)
    return {
        "LSTM cell": (lstm, (gates, state)),
        "GRU cell": (gru, (gates, more, state)),
        "causal convolution": (convolved, (sequences, torch.randn(FEATURES, 4, dtype=kind))),
        "masked mean over time": (mean, (sequences, mask)),
    }


def _scores(kind: Any) -> Cases:
    scores = torch.randn(4, HEADS, 256, 256, dtype=kind)
    heads = torch.randn(4, HEADS, 256, WIDTH, dtype=kind)
    places = torch.arange(256)
    distance = places[:, None] - places[None, :]

    def rotated(x: Any) -> Any:
        angles = places[:, None] * torch.arange(WIDTH // 2)[None, :] * 0.01
        a, b = x.reshape(*x.shape[:-1], -1, 2).unbind(-1)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)

    def near(x: Any) -> Any:
        return torch.softmax(x.masked_fill(~((distance >= 0) & (distance < 64)), -1e9), -1)

    return {
        "pairs rotated": (rotated, (heads,)),
        "softmax of a window": (near, (scores,)),
        "softmax with distances": (
            lambda x: torch.softmax(x - distance.abs() * 0.1, -1),
            (scores,),
        ),
        "heads beside each other": (lambda x: x.repeat(1, 4, 1, 1), (heads,)),
        "lower triangles of scores": (torch.tril, (scores,)),
    }


def _axes(kind: Any) -> Cases:
    x, long = torch.randn(ROWS, COLUMNS, dtype=kind), torch.randn(64, 8192, dtype=kind)
    sequences = torch.randn(BATCH, TIMES, FEATURES, dtype=kind)

    def factored(gradient: Any) -> Any:
        square = gradient.float() ** 2 + 1e-30
        rows, columns = square.mean(1), square.mean(0)
        return gradient / ((rows[:, None] * columns[None, :] / rows.mean()).sqrt())

    return {
        "factored update": (factored, (x,)),
        "place of the largest, columns": (lambda x: x.argmax(0), (x,)),
        "largest and its place": (lambda x: x.max(1)[0] + x.max(1)[1], (long,)),
        "running products": (lambda x: (1 + x.float() * 0.01).cumprod(1), (x,)),
        "sums from the end": (lambda x: x.flip(1).cumsum(1).flip(1), (x,)),
        "softmax of columns": (lambda x: torch.softmax(x, 0), (x,)),
        "softmax over time": (lambda x: torch.softmax(x, 1), (sequences,)),
        "logarithms of sums, columns": (lambda x: torch.logsumexp(x, 0), (x,)),
        "sums over time": (lambda x: x.transpose(1, 2).sum(-1), (sequences,)),
        "stacked": (lambda a, b: torch.stack((a, b, a + b), -1), (x, x.flip(0))),
    }


def _images(kind: Any) -> Cases:
    images = torch.randn(8, 32, 56, 56, dtype=kind)
    sequences = torch.randn(BATCH, TIMES, FEATURES, dtype=kind)
    colours = torch.randn(4, 224, 224, 3, dtype=kind)
    grid = torch.rand(8, 28, 28, 2) * 2 - 1

    def gray(x: Any) -> Any:
        return x[..., 0] * 0.3 + x[..., 1] * 0.59 + x[..., 2] * 0.11

    def sampled(x: Any, grid: Any) -> Any:
        return F.grid_sample(x.float(), grid, align_corners=False)

    return {
        "pixel unshuffle": (lambda x: F.pixel_unshuffle(x, 2), (images,)),
        "pooled along time": (lambda x: F.max_pool1d(x, 4, 2), (sequences,)),
        "largest of seventh parts": (lambda x: F.adaptive_max_pool2d(x, 7), (images,)),
        "pooled volumes": (lambda x: F.avg_pool3d(x.float().view(8, 4, 8, 56, 56), 2), (images,)),
        "local response norm": (lambda x: F.local_response_norm(x.float(), 5), (images,)),
        "gray": (gray, (colours,)),
        "sampled at places": (sampled, (images[:, :4], grid)),
    }


def _special(kind: Any) -> Cases:
    x, y = (torch.randn(ROWS, COLUMNS, dtype=kind) for _ in range(2))
    weight, length = torch.randn(ROWS, COLUMNS, dtype=kind), torch.randn(ROWS, 1, dtype=kind)
    return {
        "angles and lengths": (lambda a, b: torch.atan2(a, b) + torch.hypot(a, b), (x, y)),
        "powers": (lambda a, b: (a.abs() + 0.1) ** b, (x, y)),
        "sinh and cosh": (lambda a: torch.sinh(a) + torch.cosh(a), (x,)),
        "inverse sines": (lambda a: torch.asin(a.tanh()) + torch.asinh(a), (x,)),
        "weight norm": (lambda v, g: v * (g / v.norm(dim=1, keepdim=True)), (weight, length)),
    }


def _by_index(kind: Any) -> Cases:
    x, rows = torch.randn(ROWS, COLUMNS, dtype=kind), torch.randn(128, COLUMNS, dtype=kind)
    table, places = (torch.randn(n, FEATURES, dtype=kind) for n in (1000, TIMES))
    words, few = torch.randint(0, 1000, (BATCH, TIMES)), torch.randint(0, 64, (TOKENS,))
    chosen = torch.randint(0, COLUMNS, (ROWS, 64))

    def embedded(words: Any, table: Any, places: Any) -> Any:
        return F.layer_norm(table[words] + places, (FEATURES,))

    return {
        "words and places": (embedded, (words, table, places)),
        "rows copied by index": (
            lambda x, i, rows: x.index_copy(0, i, rows),
            (x, torch.randperm(ROWS)[:128], rows),
        ),
        "columns chosen": (lambda x, i: torch.gather(x, 1, i), (x, chosen)),
        "one hot": (lambda i: F.one_hot(i, 64).to(kind), (few,)),
    }


def _losses(kind: Any) -> Cases:
    logits, targets = torch.randn(TOKENS, 64, dtype=kind), torch.randint(0, 64, (TOKENS,))
    x, y = (torch.randn(ROWS, COLUMNS, dtype=kind) for _ in range(2))
    boxes = torch.rand(ROWS, 4, dtype=kind)
    a, b = (torch.randn(64, FEATURES, dtype=kind) for _ in range(2))

    def overlaps(boxes: Any) -> Any:
        low, high = boxes[:, :2], boxes[:, 2:]
        sides = torch.minimum(high[:, None], high[None]) - torch.maximum(low[:, None], low[None])
        return sides.clamp(min=0).prod(-1)

    return {
        "smoothed targets": (
            lambda x, t: F.cross_entropy(x.float(), t, label_smoothing=0.1),
            (logits, targets),
        ),
        "logits of two": (F.binary_cross_entropy_with_logits, (x, y.sigmoid())),
        "cosines": (lambda a, b: F.cosine_similarity(a, b, -1), (x, y)),
        "squares of distances": (
            lambda a, b: (a[:, None, :] - b[None, :, :]).square().sum(-1),
            (a, b),
        ),
        "overlaps of boxes": (overlaps, (boxes,)),
        "moving averages": (lambda a, b: a.lerp(b, 0.01), (x, y)),
        "signs of momenta": (lambda p, g, m: p - 1e-3 * torch.sign(m * 0.9 + g * 0.1), (x, y, x)),
    }
