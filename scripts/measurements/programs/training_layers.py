"""
More functions that nobody had tuned for when they were written down, for `torch.compile`.

Gradients and sums by index, losses and optimizers, routers, patches and windows of images, and
what recurrent models do along time.
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

TOKENS, WORDS, FEATURES = 4096, 1000, 768
_aten: Any = torch.ops.aten


def training_layers() -> Iterator[Layer]:
    """Yield all of them, on f32 and bf16."""
    torch.manual_seed(3)
    for kind, name in ((torch.float32, "f32"), (torch.bfloat16, "bf16")):
        for of_kind in (_sums, _gradients, _losses, _updates, _patches, _channels, _sequences):
            for title, (function, inputs) in of_kind(kind).items():
                yield Layer(f"{title}, {name}", function, inputs)


def _sums(kind: Any) -> Cases:
    words, segments = torch.randint(0, WORDS, (TOKENS,)), torch.randint(0, 128, (TOKENS,))
    gradient, short = torch.randn(TOKENS, 256, dtype=kind), torch.randn(TOKENS, 64, dtype=kind)
    x, long = torch.randn(ROWS, COLUMNS, dtype=kind), torch.randn(1024, FEATURES, dtype=kind)
    places = (torch.randint(0, ROWS, (20000,)), torch.randint(0, COLUMNS, (20000,)))
    columns = torch.randint(0, COLUMNS, (ROWS, 256))

    def added(count: int, width: int) -> Any:
        return lambda x, i: torch.zeros(count, width, dtype=x.dtype).index_add(0, i, x)

    def mean(x: Any, segments: Any) -> Any:
        counts = added(128, 1)(torch.ones(TOKENS, 1, dtype=x.dtype), segments)
        return added(128, 64)(x, segments) / counts.clamp(min=1)

    def largest(x: Any, columns: Any) -> Any:
        return torch.zeros_like(x).scatter_reduce(1, columns, x[:, :256], "amax")

    return {
        "embedding, gradient": (
            lambda g, i: _aten.embedding_dense_backward(g, i, WORDS, -1, False),
            (gradient, words),
        ),
        "short rows added by index": (added(128, 64), (short, segments)),
        "rows of 768 added by index": (
            added(256, FEATURES),
            (long, torch.randint(0, 256, (1024,))),
        ),
        "elements added by index": (
            lambda x, a, b, v: x.index_put((a, b), v, accumulate=True),
            (x, *places, torch.randn(20000, dtype=kind)),
        ),
        "columns' maxima by index": (largest, (x, columns)),
        "means of segments": (mean, (short, segments)),
        "weights counted": (
            lambda i, w: torch.zeros(WORDS, dtype=w.dtype).index_add(0, i, w),
            (words, torch.randn(TOKENS, dtype=kind)),
        ),
    }


def _gradients(kind: Any) -> Cases:
    x, y = (torch.randn(ROWS, COLUMNS, dtype=kind) for _ in range(2))
    images, pooled = torch.randn(8, 32, 56, 56, dtype=kind), torch.randn(8, 32, 28, 28, dtype=kind)
    pool: Any = ([3, 3], [2, 2], [1, 1], [1, 1], False)

    def of_pool(gradient: Any, x: Any) -> Any:
        places = _aten.max_pool2d_with_indices(x, *pool)[1]
        return _aten.max_pool2d_with_indices_backward(gradient, x, *pool, places)

    def of_layer_norm(gradient: Any, x: Any, weight: Any) -> Any:
        scaled = gradient * weight
        normal = (x - x.mean(-1, keepdim=True)) * torch.rsqrt(
            x.var(-1, keepdim=True, unbiased=False) + 1e-5
        )
        rest = scaled.mean(-1, keepdim=True) + normal * (scaled * normal).mean(-1, keepdim=True)
        return scaled - rest

    return {
        "max pooling, gradient": (of_pool, (pooled, images)),
        "softmax, gradient": (
            lambda g, p: p * (g - (g * p).sum(-1, keepdim=True)),
            (x, torch.softmax(y, -1)),
        ),
        "layer norm, gradient": (of_layer_norm, (x, y, torch.randn(COLUMNS, dtype=kind))),
        "GELU, gradient": (lambda g, x: _aten.gelu_backward(g, x), (x, y)),
    }


def _losses(kind: Any) -> Cases:
    x, y = (torch.randn(ROWS, COLUMNS, dtype=kind) for _ in range(2))
    targets, parts = torch.randint(0, COLUMNS, (ROWS,)), torch.rand(ROWS, COLUMNS, dtype=kind)

    def divergence(a: Any, b: Any) -> Any:
        logs = torch.log_softmax(b, -1) - torch.log_softmax(a, -1)
        return (torch.softmax(b, -1) * logs).sum(-1).mean()

    def focal(x: Any, targets: Any) -> Any:
        every = -(1 - torch.softmax(x, -1)).square() * torch.log_softmax(x, -1)
        return every.gather(1, targets[:, None]).mean()

    def dice(x: Any, parts: Any) -> Any:
        chosen = torch.sigmoid(x)
        return 1 - (2 * (chosen * parts).sum(1) + 1) / (chosen.sum(1) + parts.sum(1) + 1)

    return {
        "divergence of logits": (divergence, (x, y)),
        "focal loss": (focal, (x, targets)),
        "dice loss": (dice, (x, parts)),
        "Huber loss": (F.huber_loss, (x, y)),
        "cosines of rows": (lambda a, b: F.cosine_similarity(a, b, dim=1), (x, y)),
        "entropy": (
            lambda x: -(torch.softmax(x, -1) * torch.log_softmax(x, -1)).sum(-1),
            (x,),
        ),
    }


def _updates(kind: Any) -> Cases:
    x = torch.randn(ROWS, COLUMNS, dtype=kind)

    def quantised(x: Any) -> Any:
        groups = x.view(ROWS, 16, 64)
        scales = groups.abs().amax(-1, keepdim=True) / 7
        return ((groups / scales).round().clamp(-8, 7) + 8).to(torch.uint8)

    return {
        "clipped gradients": (
            lambda g: g * (1.0 / (g.square().sum().sqrt() + 1e-6)).clamp(max=1.0),
            (x,),
        ),
        "quantised to int4": (quantised, (x,)),
        "soft thresholds": (lambda x: torch.sign(x) * F.relu(x.abs() - 0.5), (x,)),
        "polynomial": (lambda x: 1 + x * (0.5 + x * (0.25 + x * (0.125 + x * 0.0625))), (x,)),
    }


def _patches(kind: Any) -> Cases:
    images, windows = (torch.randn(*s, dtype=kind) for s in ((4, 3, 224, 224), (8, 56, 56, 32)))
    patches, channels = (torch.randn(*s, dtype=kind) for s in ((4, 196, 768), (8, 32, 56, 56)))

    def parted(x: Any) -> Any:
        return x.reshape(8, 8, 7, 8, 7, 32).permute(0, 1, 3, 2, 4, 5).reshape(-1, 49, 32)

    def together(p: Any) -> Any:
        tiles = p.reshape(4, 14, 14, 16, 16, 3).permute(0, 5, 1, 3, 2, 4)
        return tiles.reshape(4, 3, 224, 224)

    def to_space(x: Any) -> Any:
        return x.reshape(8, 8, 2, 2, 56, 56).permute(0, 1, 4, 2, 5, 3).reshape(8, 8, 112, 112)

    return {
        "patches": (
            lambda i: i.reshape(4, 3, 14, 16, 14, 16).permute(0, 2, 4, 3, 5, 1).reshape(4, 196, -1),
            (images,),
        ),
        "patches put together": (together, (patches,)),
        "windows": (parted, (windows,)),
        "windows, moved": (lambda x: parted(torch.roll(x, (-3, -3), (1, 2))), (windows,)),
        "depth to space": (to_space, (channels,)),
        "blurred and pooled": (
            lambda x: F.avg_pool2d(F.pad(x, (1, 1, 1, 1), mode="reflect"), 3, 2),
            (channels,),
        ),
    }


def _channels(kind: Any) -> Cases:
    images, x = (torch.randn(*s, dtype=kind) for s in ((4, 3, 224, 224), (8, 32, 56, 56)))
    mean, weight, bias = (torch.randn(32, dtype=kind) for _ in range(3))
    variance = torch.rand(32, dtype=kind)

    def normalised(x: Any, mean: Any, variance: Any, weight: Any, bias: Any) -> Any:
        m, v, w, b = (p[None, :, None, None] for p in (mean, variance, weight, bias))
        return F.relu((x - m) * torch.rsqrt(v + 1e-5) * w + b)

    def excited(x: Any, weight: Any) -> Any:
        return x * torch.sigmoid(x.mean((2, 3)) @ weight)[:, :, None, None]

    return {
        "colors": (
            lambda i, m: torch.einsum("bchw,dc->bdhw", i, m),
            (images, torch.randn(3, 3, dtype=kind)),
        ),
        "images, normalised": (
            lambda i, m, s: (i - m[:, None, None]) / s[:, None, None],
            (images, mean[:3], variance[:3] + 1),
        ),
        "batch norm of a trained model": (normalised, (x, mean, variance, weight, bias)),
        "squeezed and excited": (excited, (x, torch.randn(32, 32, dtype=kind))),
        "maxima of channels": (lambda x: x.amax((2, 3)), (x,)),
    }


def _sequences(kind: Any) -> Cases:
    x, sequences = (torch.randn(*s, dtype=kind) for s in ((ROWS, COLUMNS), (8, 512, 256)))
    heads, logits = (torch.randn(*s, dtype=kind) for s in ((2, 8, 256, 64), (TOKENS, 64)))
    scores, table = (torch.randn(*s, dtype=kind) for s in ((32, 8, 49, 49), (169, 8)))
    index, places = torch.randint(0, 169, (49, 49)), torch.arange(256)

    def moved(x: Any, weight: Any) -> Any:
        return x * weight + F.pad(x, (0, 0, 1, -1)) * (1 - weight)

    def decaying(q: Any, k: Any) -> Any:
        ago = places[:, None] - places[None]
        decay = 0.97 ** ago.clamp(min=0).to(q.dtype)
        return (q @ k.transpose(-1, -2)) * torch.where(ago >= 0, decay, 0)

    def biased(scores: Any, table: Any, index: Any) -> Any:
        bias = table[index.view(-1)].view(49, 49, 8).permute(2, 0, 1)
        return torch.softmax(scores + bias[None], -1)

    def load(logits: Any) -> Any:
        chosen = F.one_hot(logits.argmax(-1), 64).to(logits.dtype)
        return torch.softmax(logits, -1).mean(0) * chosen.mean(0)

    def waves(t: Any) -> Any:
        angles = t[:, None] * torch.exp(-torch.arange(128) * 0.07)
        return torch.cat((torch.sin(angles), torch.cos(angles)), 1).to(kind)

    return {
        "tokens moved by one": (moved, (sequences, torch.rand(256, dtype=kind))),
        "decaying scores": (decaying, (heads, heads * 0.5)),
        "scores with a table's bias": (biased, (scores, table, index)),
        "load of a router": (load, (logits,)),
        "waves of time": (waves, (torch.rand(ROWS) * 1000,)),
        "positive sums along columns": (lambda x: (x * (x > 0)).cumsum(0), (x,)),
    }
