"""
What `cpu.py` measures: kernels that are compiled and have run once, with peers that do the same.

Each function returns a kernel on data of the given size, whose result it has compared with torch's.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch

from xtriton.cpu.target import llvm
from xtriton.interop.native import Launcher

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
# Kernels are Triton's language, which types do not describe.
fused_softmax: Any = import_module("fused_softmax")
matmul: Any = import_module("matmul")
vector_add: Any = import_module("vector_add")
kernels: Any = import_module("cpu_kernels")

LARGE = 512**3
"""Multiply-adds of a product that is worth a bar of its own."""
BEYOND_CACHES = 1 << 27
"""Bytes of data that no cache holds."""

TOLERANCE = {"float32": 1e-3, "bfloat16": 1e-2, "float16": 1e-2, "int8": 0}
"""Of results beside exact ones, relative and absolute."""
UNITS = {
    "bfloat16": ("amx-bf16", "avx512bf16", "bf16"),
    "float16": ("amx-fp16", "avx512fp16", "fullfp16"),
    "int8": ("amx-int8", "avx512vnni", "avxvnni", "dotprod"),
}
"""The units for products of narrow numbers, as LLVM names them; with them 0.8 of torch will do."""

Work = Callable[[], object]


class Prepared:
    """A launcher that compiles and runs once, and then repeats with `again`."""

    def __init__(self) -> None:
        self.launcher = Launcher(threads=1)
        self.compiled: Any = None
        self.grid = (1, 1, 1)
        self.arguments: dict[str, Any] = {}
        """By the names that the kernel gives its parameters."""

    def __call__(self, kernel: Any, grid: tuple[int, ...]) -> Callable[..., object]:
        def run(*values: Any, **named: Any) -> object:
            by_name = dict(zip(kernel.arg_names, values, strict=False)) | named
            self.arguments = {name: by_name[name] for name in kernel.arg_names}
            x, y, z = (*grid, 1, 1)[:3]
            self.grid = (x, y, z)
            self.compiled = self.launcher(kernel, grid)(*values, **named)
            return self.compiled

        return run

    def again(self) -> Work:
        """Return what repeats the launch, with no more around it than its peers have."""
        hooks = (None,) * 4
        launched = (*self.grid, 0, self.compiled.function, *hooks, *self.arguments.values())
        return partial(self.compiled.run, *launched)


@dataclass
class Case:
    """A kernel with its peers by name: what it computes or moves, and what is asked of it."""

    name: str
    prepared: Prepared
    peers: dict[str, Work]
    flops: float = 0
    bytes: float = 0
    of_peak: float | None = None
    """The least share of the machine's peak, on one thread."""
    of_peak_on_all: float | None = None
    of_peers: float = 1.0
    """The least speed beside the fastest peer."""


def product(
    sizes: tuple[int, int, int], blocks: tuple[int, int, int], type: str = "float32"
) -> Case:
    """Return the product of an m x k and a k x n matrix; `sizes` and `blocks` are m, n and k."""
    m, n, k = sizes
    a, b = elements((m, k), type), elements((k, n), type)
    c = torch.zeros(m, n, dtype=torch.int32 if type == "int8" else getattr(torch, type))
    prepared = Prepared()
    matmul.matmul(a, b, c, *blocks, launch=prepared)
    exact = (a.double() @ b.double()).to(c.dtype)
    torch.testing.assert_close(c, exact, rtol=TOLERANCE[type], atol=TOLERANCE[type])
    multiply: Any = getattr(torch, "_int_mm" if type == "int8" else "mm")
    peers: dict[str, Work] = {"torch": partial(multiply, a, b, out=c)}
    if type == "float32":
        arrays = [t.numpy() for t in (a, b, c)]
        peers["NumPy"] = partial(np.matmul, *arrays[:2], out=arrays[2])
    kind = "" if type == "float32" else f" {type}"
    shape = str(m) if m == n == k else f"{m}x{n}x{k}"
    # The machine's peak is of f32.
    large = m * n * k >= LARGE and type == "float32"
    return Case(
        f"matmul{kind} {shape}, blocks {'x'.join(map(str, blocks))}",
        prepared,
        peers,
        flops=2 * m * n * k,
        of_peak=0.9 if large else None,
        of_peak_on_all=0.85 if large else None,
        of_peers=0.8 if has_unit(type) else 1.0,
    )


def elements(sizes: tuple[int, int], type: str) -> torch.Tensor:
    """Return a matrix of random elements."""
    if type == "int8":
        return torch.randint(-128, 128, sizes, dtype=torch.int8)
    return torch.randn(sizes).to(getattr(torch, type))


def has_unit(type: str) -> bool:
    """Return whether the CPU has a unit for products of `type`."""
    features: dict[str, bool] = llvm().get_host_cpu_features()
    return any(features.get(feature) for feature in UNITS.get(type, ()))


def addition(size: int) -> Case:
    x, y, z = (torch.randn(size) for _ in range(3))
    arrays = [t.numpy() for t in (x, y, z)]
    prepared = Prepared()
    vector_add.add(x, y, z, launch=prepared)
    fused = compiled(torch.add, x, y)
    peers: dict[str, Work] = {
        "torch": partial(torch.add, x, y, out=z),
        "NumPy": partial(np.add, *arrays[:2], out=arrays[2]),
        **fused,
    }
    return moved(f"vector add {size}", prepared, peers, 12 * size)


def softmax_of(x: Any) -> Any:
    return torch.softmax(x, 1)


def softmax(rows: int, columns: int) -> Case:
    x, out = torch.randn(rows, columns), torch.zeros(rows, columns)
    prepared = Prepared()
    fused_softmax.softmax(x, out, launch=prepared)
    torch.testing.assert_close(out, torch.softmax(x, 1))
    peers: dict[str, Work] = {
        "torch": partial(torch.softmax, x, 1, out=out),
        **compiled(softmax_of, x),
    }
    return moved(f"softmax {rows}x{columns}", prepared, peers, 8 * x.numel())


def layer_norm(rows: int, columns: int) -> Case:
    x, weight, bias = torch.randn(rows, columns), torch.randn(columns), torch.randn(columns)
    out = torch.empty_like(x)
    prepared = Prepared()
    run = prepared(kernels.layer_norm_kernel, (rows,))
    run(x, weight, bias, out, columns, BLOCK=1 << (columns - 1).bit_length())

    def eager() -> Any:
        return torch.nn.functional.layer_norm(x, (columns,), weight, bias)

    torch.testing.assert_close(out, eager(), rtol=1e-4, atol=1e-4)
    peers: dict[str, Work] = {"torch": eager, **compiled(eager)}
    return moved(f"layer norm {rows}x{columns}", prepared, peers, 8 * x.numel())


def attention(heads: int, length: int, depth: int, kind: Any, *, causal: bool) -> Case:
    q, k, v = (torch.randn(1, heads, length, depth, dtype=kind) for _ in range(3))
    out = torch.empty_like(q)
    prepared = Prepared()
    run = prepared(kernels.attention_kernel, (length // 64, heads))
    blocks = {"DEPTH": depth, "ROWS": 64, "COLUMNS": 64, "CAUSAL": causal}
    run(q, k, v, out, length, depth**-0.5, **blocks)

    def eager() -> Any:
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    tolerance = 1e-4 if kind == torch.float32 else 2e-2
    torch.testing.assert_close(out, eager(), rtol=tolerance, atol=tolerance)
    name = f"attention {heads}x{length}x{depth} {str(kind).removeprefix('torch.')}"
    flops = 4 * heads * length * length * depth / (2 if causal else 1)
    return Case(name + causal * ", causal", prepared, {"torch": eager}, flops=flops)


def attention_backward(heads: int, length: int, depth: int, *, at_once: bool = False) -> Case:
    q, k, v = (torch.randn(1, heads, length, depth, requires_grad=True) for _ in range(3))
    functional: Any = torch.nn.functional
    out = functional.scaled_dot_product_attention(q, k, v)
    grad = torch.randn_like(out)
    scores = (q @ k.transpose(-1, -2)).detach() * depth**-0.5
    log_sums, deltas = scores.logsumexp(-1), (out * grad).detach().sum(-1)
    inputs = [t.detach() for t in (q, k, v)]
    results = [torch.empty_like(t) for t in inputs]
    prepared = Prepared()
    if at_once:
        run = prepared(kernels.attention_backward_at_once_kernel, (heads,))
    else:
        run = prepared(kernels.attention_backward_kernel, (length // 64, heads))
    run(*inputs, grad, log_sums, deltas, *results, length, depth**-0.5, DEPTH=depth, BLOCK=64)

    def eager() -> Any:
        return torch.autograd.grad(out, (q, k, v), grad, retain_graph=True)

    for ours, theirs in zip(results, eager(), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-3)
    name = f"attention {heads}x{length}x{depth}, backward"
    # Scores, gradients of the weights, and those of the three inputs: what is computed twice, as
    # each of two passes needs it, counts once.
    return Case(
        name + (not at_once) * ", two passes",
        prepared,
        {"torch": eager},
        flops=10 * heads * length * length * depth,
    )


def rms_norm(rows: int, columns: int) -> Case:
    x, weight = torch.randn(rows, columns), torch.randn(columns)
    return rowwise(
        f"RMS norm {rows}x{columns}",
        kernels.rms_norm_kernel,
        (x, weight, columns),
        lambda: torch.nn.functional.rms_norm(x, (columns,), weight, 1e-6),
        moving=2 * x.nbytes,
        BLOCK=columns,
    )


def cross_entropy(rows: int, classes: int) -> Case:
    logits, targets = torch.randn(rows, classes), torch.randint(classes, (rows,))
    return rowwise(
        f"cross entropy {rows}x{classes}",
        kernels.cross_entropy_kernel,
        (logits, targets, classes),
        lambda: torch.nn.functional.cross_entropy(logits, targets, reduction="none"),
        moving=logits.nbytes,
        BLOCK=4096,
    )


def embedding(rows: int, columns: int) -> Case:
    table, indices = torch.randn(10_000, columns), torch.randint(10_000, (rows,))
    return rowwise(
        f"embedding {rows}x{columns}",
        kernels.embedding_kernel,
        (indices, table, columns),
        lambda: torch.nn.functional.embedding(indices, table),
        lambda out: torch.index_select(table, 0, indices, out=out),
        moving=8 * rows * columns,
        BLOCK=columns,
    )


def cumsum(rows: int, columns: int) -> Case:
    x = torch.randn(rows, columns)
    return rowwise(
        f"cumsum {rows}x{columns}",
        kernels.cumsum_kernel,
        (x, columns),
        lambda: torch.cumsum(x, 1),
        lambda out: torch.cumsum(x, 1, out=out),
        moving=2 * x.nbytes,
        BLOCK=columns,
    )


def sort(rows: int, columns: int) -> Case:
    x, places = torch.randn(rows, columns), torch.empty(rows, columns, dtype=torch.int64)
    return rowwise(
        f"sort {rows}x{columns}",
        kernels.sort_kernel,
        (x,),
        lambda: torch.sort(x, 1)[0],
        lambda out: torch.sort(x, 1, out=(out, places)),
        moving=2 * x.nbytes,
        COLUMNS=columns,
    )


def top_k(rows: int, columns: int, k: int) -> Case:
    x, places = torch.randn(rows, columns), torch.empty(rows, k, dtype=torch.int64)
    return rowwise(
        f"top {k} of {rows}x{columns}",
        kernels.top_k_kernel,
        (x,),
        lambda: torch.topk(x, k)[0],
        lambda out: torch.topk(x, k, out=(out, places)),
        moving=x.nbytes,
        COLUMNS=columns,
        K=k,
    )


def rowwise(
    name: str,
    kernel: Any,
    inputs: tuple[Any, ...],
    eager: Callable[[], Any],
    into: Callable[[Any], Any] | None = None,
    *,
    moving: int,
    **constants: int,
) -> Case:
    """
    Return a kernel of which each program computes a row of what `eager` does.

    The kernel takes `inputs`, its result behind the tensors, and `constants`; `moving` are bytes.
    `into` writes to a given tensor, for which torch need not get fresh memory each time.
    """
    exact = eager()
    out, place = torch.empty_like(exact), torch.empty_like(exact)
    tensors = [value for value in inputs if isinstance(value, torch.Tensor)]
    prepared = Prepared()
    run = prepared(kernel, (exact.shape[0],))
    run(*tensors, out, *inputs[len(tensors) :], **constants)
    torch.testing.assert_close(out, exact, rtol=1e-3, atol=1e-3)
    peer = eager if into is None else lambda: into(place)
    return moved(name, prepared, {"torch": peer, **compiled(eager)}, moving)


def gelu(size: int) -> Case:
    x, out = torch.randn(size), torch.empty(size)
    prepared = Prepared()
    prepared(kernels.gelu_kernel, (-(-size // 1024),))(x, out, size, BLOCK=1024)

    def eager() -> Any:
        return torch.nn.functional.gelu(x)

    torch.testing.assert_close(out, eager(), rtol=1e-4, atol=1e-5)
    return moved(f"GELU {size}", prepared, {"torch": eager, **compiled(eager)}, 8 * size)


def rotary(tokens: int, heads: int, depth: int) -> Case:
    x, half = torch.randn(tokens, heads, depth), depth // 2
    cosines, sines = torch.randn(tokens, half), torch.randn(tokens, half)
    out = torch.empty_like(x)
    prepared = Prepared()
    prepared(kernels.rotary_kernel, (tokens,))(x, cosines, sines, out, heads, HALF=half)

    # As models keep them, which do this once for all layers.
    wide = [part.repeat(1, 2)[:, None] for part in (cosines, sines)]

    def eager() -> Any:
        left, right = x.chunk(2, -1)
        return x * wide[0] + torch.cat((-right, left), -1) * wide[1]

    torch.testing.assert_close(out, eager())
    peers: dict[str, Work] = {"torch": eager, **compiled(eager)}
    return moved(f"rotary embedding {tokens}x{heads}x{depth}", prepared, peers, 8 * x.numel())


def recurrence(steps: int, channels: int) -> Case:
    decay, inputs = torch.rand(steps, channels), torch.randn(steps, channels)
    out = torch.empty_like(inputs)
    prepared = Prepared()
    run = prepared(kernels.recurrence_kernel, (-(-channels // 128),))
    run(decay, inputs, out, steps, channels, BLOCK=128)

    def eager() -> Any:
        state, states = torch.zeros(channels), torch.empty_like(inputs)
        for step in range(steps):
            state = torch.addcmul(inputs[step], decay[step], state, out=states[step])
        return states

    torch.testing.assert_close(out, eager())
    name = f"recurrence of {steps} steps, {channels} channels"
    return moved(name, prepared, {"torch": eager}, 12 * out.numel())


def transposed(size: int) -> Case:
    """Return a product of transposed matrices."""
    a, b, c = torch.randn(size, size).T, torch.randn(size, size).T, torch.zeros(size, size)
    prepared = Prepared()
    matmul.matmul(a, b, c, 64, 64, 32, launch=prepared)
    torch.testing.assert_close(c, a @ b, rtol=1e-3, atol=1e-3)
    peers: dict[str, Work] = {"torch": partial(torch.mm, a, b, out=c)}
    name = f"matmul {size}, both transposed, blocks 64x64x32"
    return Case(name, prepared, peers, flops=2 * size**3)


def linear(
    sizes: tuple[int, int, int], batch: int = 1, *, epilogue: bool = False, scaled: bool = False
) -> Case:
    """Return a product of m x k and k x n matrices in blocks 64x64x32, see `linear_kernel`."""
    m, n, k = sizes
    a, b = torch.randn(batch, m, k), torch.randn(batch, k, n)
    if scaled:
        b = torch.randint(-128, 128, (batch, k, n), dtype=torch.int8)
    bias, residual, scales = torch.randn(n), torch.randn(batch, m, n), torch.randn(n)
    c = torch.empty(batch, m, n)

    def eager() -> Any:
        product = torch.bmm(a, b.float() * scales if scaled else b, out=c)
        return torch.nn.functional.gelu(product + bias) + residual if epilogue else product

    exact = eager().clone()
    prepared = Prepared()
    run = prepared(kernels.linear_kernel, (-(-m // 64) * -(-n // 64), batch))
    blocks = {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32}
    run(a, b, bias, residual, scales if scaled else None, c, *sizes, EPILOGUE=epilogue, **blocks)
    torch.testing.assert_close(c, exact, rtol=1e-3, atol=1e-2)
    kind = "bias, GELU, residual" if epilogue else "int8 weights" if scaled else f"batch of {batch}"
    peers: dict[str, Work] = {"torch": eager, **compiled(eager)}
    name = f"matmul {m}x{n}x{k}, {kind}"
    return Case(name, prepared, peers, flops=2 * batch * m * n * k)


def grouped(groups: tuple[int, ...], n: int, k: int) -> Case:
    """Return products of groups of so many tokens, multiples of 64, each with its own matrix."""
    tokens, experts = torch.randn(sum(groups), k), torch.randn(len(groups), k, n)
    out = torch.empty(sum(groups), n)
    owners = [expert for expert, size in enumerate(groups) for _ in range(size // 64)]
    firsts = torch.arange(0, sum(groups), 64, dtype=torch.int32)
    prepared = Prepared()
    run = prepared(kernels.grouped_kernel, (len(owners), n // 64))
    who = torch.tensor(owners, dtype=torch.int32)
    run(tokens, experts, firsts, out, who, n, k, BLOCK_M=64, BLOCK_N=64, BLOCK_K=32)

    starts = [sum(groups[:i]) for i in range(len(groups))]

    def eager() -> None:
        for expert, (start, size) in enumerate(zip(starts, groups, strict=True)):
            rows = slice(start, start + size)
            torch.mm(tokens[rows], experts[expert], out=out[rows])

    ours = out.clone()
    eager()
    torch.testing.assert_close(ours, out, rtol=1e-3, atol=1e-3)
    name = f"matmul of {len(groups)} groups, {sum(groups)}x{n}x{k}"
    return Case(name, prepared, {"torch": eager}, flops=2 * sum(groups) * n * k)


def convolution(size: int, channels: int) -> Case:
    """Return a convolution of an image with windows of 3 x 3, channels last."""
    x, weight = torch.randn(size, size, channels), torch.randn(3, 3, channels, channels)
    out = torch.empty(size, size, channels)
    prepared = Prepared()
    run = prepared(kernels.convolution_kernel, (-(-size * size // 64),))
    run(x, weight, out, size, size, IN=channels, OUT=channels, SIZE=3, BLOCK=64)
    image = x.permute(2, 0, 1)[None]
    windows = weight.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)

    def eager() -> Any:
        return torch.nn.functional.conv2d(image, windows, padding=1)

    torch.testing.assert_close(out, eager()[0].permute(1, 2, 0), rtol=1e-3, atol=1e-3)
    name = f"convolution 3x3, {size}x{size}, {channels} channels"
    return Case(name, prepared, {"torch": eager}, flops=18 * (size * channels) ** 2)


def moved(name: str, prepared: Prepared, peers: dict[str, Work], size: int) -> Case:
    share = 0.95 if size >= BEYOND_CACHES else None
    return Case(name, prepared, peers, bytes=size, of_peak=share, of_peak_on_all=share)


def compiled(function: Callable[..., Any], *inputs: Any) -> dict[str, Work]:
    """Return Inductor's code for a function, if there is a compiler for it."""
    try:
        fused: Any = torch.compile(function)  # pyright: ignore[reportUnknownMemberType]
        fused(*inputs)
    except Exception as error:
        print(f"no Inductor: {str(error).splitlines()[0]}", file=sys.stderr)
        return {}
    return {"Inductor": partial(fused, *inputs)}


def products() -> list[Case]:
    """Return products of matrices of all sizes and types."""
    return [
        product((64, 64, 64), (32, 32, 32)),
        product((100, 100, 100), (128, 64, 32)),
        product((64, 64, 2048), (64, 64, 32)),
        product((512, 512, 512), (64, 64, 32)),
        product((512, 512, 512), (128, 128, 64)),
        product((512, 500, 700), (64, 64, 32)),
        product((1024, 1024, 1024), (128, 128, 64)),
        product((2048, 2048, 2048), (128, 128, 64)),
        *(
            product((size, size, size), blocks, type)
            for type in UNITS
            for size, blocks in (
                (64, (32, 32, 32)),
                (512, (64, 64, 32)),
                (512, (128, 128, 64)),
                (1024, (128, 128, 64)),
            )
        ),
        transposed(512),
        linear((128, 128, 128), batch=16),
        linear((512, 512, 512), epilogue=True),
        linear((512, 512, 512), scaled=True),
        grouped((64, 256, 128, 64, 320, 64, 64, 64), 256, 512),
        convolution(56, 64),
    ]


def layers() -> list[Case]:
    """Return the other layers of models."""
    return [
        addition(1 << 20),
        addition(1 << 24),
        gelu(1 << 20),
        softmax(64, 256),
        softmax(4096, 1000),
        softmax(512, 8192),
        softmax(4096, 8192),
        layer_norm(4096, 1024),
        rms_norm(4096, 1024),
        cross_entropy(512, 32_000),
        rotary(512, 16, 128),
        embedding(4096, 512),
        cumsum(1024, 1024),
        recurrence(512, 1024),
        sort(1024, 256),
        top_k(1024, 256, 8),
        *(
            attention(8, 512, 64, kind, causal=causal)
            for kind in (torch.float32, torch.bfloat16)
            for causal in (False, True)
        ),
        attention_backward(8, 512, 64),
        attention_backward(8, 512, 64, at_once=True),
    ]
