"""Small models of plain torch code, with random weights: what `torch.compile` is tried on."""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

CLASSES, WORDS, LENGTH, WIDTH, HEADS = 10, 101, 24, 64, 4


class Block(nn.Module):
    """Two convolutions with batch norm, and a way around them."""

    def __init__(self, inputs: int, outputs: int, stride: int):
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.around = nn.Identity()
        if stride != 1 or inputs != outputs:
            shortcut = nn.Conv2d(inputs, outputs, 1, stride, bias=False)
            self.around = nn.Sequential(shortcut, nn.BatchNorm2d(outputs))

    def forward(self, x: Tensor) -> Tensor:
        """Return x, changed: [batch, outputs, height / stride, width / stride]."""
        y = self.norm2(self.second(F.relu(self.norm(self.first(x)))))
        return F.relu(y + self.around(x))


class ResNet18(nn.Module):
    """The layers of ResNet-18, with a quarter of its channels."""

    def __init__(self, channels: int = 16):
        super().__init__()
        self.stem = nn.Conv2d(3, channels, 7, 2, 3, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        blocks: list[nn.Module] = []
        inputs = channels
        for stage in range(4):
            outputs = channels << stage
            for n in range(2):
                blocks.append(Block(inputs, outputs, 2 if stage and not n else 1))
                inputs = outputs
        self.blocks = nn.Sequential(*blocks)
        self.head = nn.Linear(inputs, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        """Return scores of classes of images: [batch, CLASSES]."""
        x = F.max_pool2d(F.relu(self.norm(self.stem(x))), 3, 2, 1)
        return self.head(F.adaptive_avg_pool2d(self.blocks(x), 1).flatten(1))


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Return causal attention of [batch, heads, length, depth], written out."""
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    later = torch.ones(q.shape[-2], q.shape[-2], dtype=torch.bool).triu(1)
    return scores.masked_fill(later, float("-inf")).softmax(-1) @ v


def heads(x: Tensor) -> Tensor:
    """Return [batch, length, width] as [batch, heads, length, depth]."""
    return x.reshape(x.shape[0], x.shape[1], HEADS, -1).transpose(1, 2)


class GptLayer(nn.Module):
    """Attention and a perceptron, each behind a layer norm."""

    def __init__(self):
        super().__init__()
        self.norm, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        """Return x, changed."""
        q, k, v = (heads(part) for part in self.qkv(self.norm(x)).chunk(3, -1))
        x = x + self.out(attention(q, k, v).transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Gpt2(nn.Module):
    """GPT-2 of two layers; returns the loss of the next word."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.layers = nn.Sequential(GptLayer(), GptLayer())
        self.norm = nn.LayerNorm(WIDTH)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the loss of [batch, LENGTH + 1] words."""
        x = self.words(ids[:, :-1]) + self.places(torch.arange(LENGTH))
        scores = self.norm(self.layers(x)) @ self.words.weight.T
        return F.cross_entropy(scores.flatten(0, 1), ids[:, 1:].flatten())


class RmsNorm(nn.Module):
    """Division by the root of the mean square."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x: Tensor) -> Tensor:
        """Return x, normed along its last axis."""
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * self.weight


def turned(x: Tensor) -> Tensor:
    """Return x, [batch, heads, length, depth], with rotary positions."""
    depth, length = x.shape[-1], x.shape[-2]
    speed = 10000.0 ** (-torch.arange(0, depth, 2) / depth)
    angle = torch.arange(length)[:, None] * speed
    a, b = x.chunk(2, -1)
    return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], -1)


class LlamaLayer(nn.Module):
    """Attention of grouped heads with rotary positions, and a gated perceptron."""

    def __init__(self):
        super().__init__()
        self.norm, self.norm2 = RmsNorm(), RmsNorm()
        self.q, self.out = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(2))
        self.k, self.v = (nn.Linear(WIDTH, WIDTH // 2, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(WIDTH, 3 * WIDTH, bias=False) for _ in range(2))
        self.down = nn.Linear(3 * WIDTH, WIDTH, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return x, changed."""
        y = self.norm(x)
        few = [
            part.unflatten(-1, (HEADS // 2, -1)).transpose(1, 2) for part in (self.k(y), self.v(y))
        ]
        k, v = (part.repeat_interleave(2, 1) for part in few)
        y = attention(turned(heads(self.q(y))), turned(k), v)
        x = x + self.out(y.transpose(1, 2).flatten(2))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Llama(nn.Module):
    """Llama of two layers; returns the loss of the next word."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.layers = nn.Sequential(LlamaLayer(), LlamaLayer())
        self.norm, self.head = RmsNorm(), nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the loss of [batch, LENGTH + 1] words."""
        scores = self.head(self.norm(self.layers(self.words(ids[:, :-1]))))
        return F.cross_entropy(scores.flatten(0, 1), ids[:, 1:].flatten())


def models() -> dict[str, tuple[nn.Module, Tensor]]:
    """Return each model with an input for it."""
    cast(Any, torch).manual_seed(0)
    ids = torch.randint(0, WORDS, (2, LENGTH + 1))
    return {
        "ResNet-18": (ResNet18(), torch.randn(2, 3, 64, 64)),
        "GPT-2": (Gpt2(), ids),
        "Llama": (Llama(), ids),
    }
