"""
Speed of native code beside what the machine can do, torch, NumPy and Inductor's C++.

    python benchmarks/cpu.py [--json FILE] [--page]

Each row is measured in turns with its peers and the best of each is kept, so that other load on
the machine hits all; on one thread (in CPU time), and on all (on the wall). `of the machine` is
the share of the peak that `machine` measures in the same run: of multiply-adds for a product, of
the triad's bandwidth where vectors go through memory. Exit code 1 if a bar is missed.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import machine
import numpy as np
import report
import torch
from threadpoolctl import threadpool_limits

from xtriton.cpu import activate
from xtriton.cpu.target import llvm
from xtriton.cpu.threads import limited_threads
from xtriton.interop.native import Launcher

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
# Kernels are Triton's language, which types do not describe.
fused_softmax: Any = import_module("fused_softmax")
matmul: Any = import_module("matmul")
vector_add: Any = import_module("vector_add")
cpu_kernels: Any = import_module("cpu_kernels")

ROUNDS = 7
SECONDS = 0.05
LEAST_SECONDS = 0.001
"""What is timed at once, in one run or several."""
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


def best(work: Work, clock: Callable[[], float] = time.perf_counter) -> float:
    """
    Return the shortest time of several runs.

    Short ones are timed together: a clock of CPU time may stand still for a moment.
    """
    runs, total, shortest = 1, 0.0, float("inf")
    while total < SECONDS:
        start = clock()
        for _ in range(runs):
            work()
        seconds = clock() - start
        total += seconds
        if seconds < LEAST_SECONDS:
            runs *= 2
        else:
            shortest = min(shortest, seconds / runs)
    return shortest


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
        """Return what repeats the launch."""
        compiled, sizes, arguments = self.compiled, self.grid, tuple(self.arguments.values())

        def work() -> None:
            compiled.run(*sizes, 0, compiled.function, None, None, None, None, *arguments)

        return work


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
    peers: dict[str, Work] = {"torch": lambda: multiply(a, b, out=c)}
    if type == "float32":
        arrays = [t.numpy() for t in (a, b, c)]
        peers["NumPy"] = lambda: np.matmul(arrays[0], arrays[1], out=arrays[2])
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
        "torch": lambda: torch.add(x, y, out=z),
        "NumPy": lambda: np.add(arrays[0], arrays[1], out=arrays[2]),
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
        "torch": lambda: torch.softmax(x, 1, out=out),
        **compiled(softmax_of, x),
    }
    return moved(f"softmax {rows}x{columns}", prepared, peers, 8 * x.numel())


def layer_norm(rows: int, columns: int) -> Case:
    x, weight, bias = torch.randn(rows, columns), torch.randn(columns), torch.randn(columns)
    out = torch.empty_like(x)
    prepared = Prepared()
    run = prepared(cpu_kernels.layer_norm_kernel, (rows,))
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
    run = prepared(cpu_kernels.attention_kernel, (length // 64, heads))
    blocks = {"DEPTH": depth, "ROWS": 64, "COLUMNS": 64, "CAUSAL": causal}
    run(q, k, v, out, length, depth**-0.5, **blocks)

    def eager() -> Any:
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    tolerance = 1e-4 if kind == torch.float32 else 2e-2
    torch.testing.assert_close(out, eager(), rtol=tolerance, atol=tolerance)
    name = f"attention {heads}x{length}x{depth} {str(kind).removeprefix('torch.')}"
    flops = 4 * heads * length * length * depth / (2 if causal else 1)
    return Case(name + causal * ", causal", prepared, {"torch": eager}, flops=flops)


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
    return {"Inductor": lambda: fused(*inputs)}


@dataclass
class Peaks:
    """What the machine does on some number of threads."""

    threads: int
    flops: float = field(init=False)
    bytes: float = field(init=False)

    def __post_init__(self) -> None:
        self.flops = machine.fma_peak(self.threads)
        self.bytes = machine.triad(self.threads)


def measure(case: Case, peaks: Peaks, found: report.Report) -> None:
    """Time a kernel and its peers in turns, and add their row."""
    torch.set_num_threads(peaks.threads)
    clock = machine.clock_of(peaks.threads)
    work = {"xtriton": case.prepared.again(), **case.peers}
    times = {name: float("inf") for name in work}
    # NumPy's matrix products have threads of their own.
    with threadpool_limits(peaks.threads, user_api="blas"), limited_threads(peaks.threads):
        for _ in range(ROUNDS):
            times = {name: min(times[name], best(each, clock)) for name, each in work.items()}
    ours = times.pop("xtriton")
    name, fastest = min(times.items(), key=lambda item: item[1])
    rate, peak, unit = case.flops / ours, peaks.flops, "GFLOP/s"
    if case.bytes:
        rate, peak, unit = case.bytes / ours, peaks.bytes, "GB/s"
    least = case.of_peak if peaks.threads == 1 else case.of_peak_on_all
    bars = [f"{case.of_peers:.1f}x", *([f"{least:.0%}"] if least else [])]
    threads = "1 thread" if peaks.threads == 1 else f"{peaks.threads} threads"
    cells = (
        f"{case.name}, {threads}",
        f"{ours * 1e6:.0f} µs",
        f"{rate / 1e9:.0f} {unit}",
        f"{rate / peak:.0%}",
        f"{fastest / ours:.2f}x {name}",
        ", ".join(bars),
    )
    met = fastest >= case.of_peers * ours and (least is None or rate >= least * peak)
    found.add(cells, met, seconds=ours, peers=times, rate=rate, peak=peak, threads=peaks.threads)


def launch(found: report.Report) -> None:
    """Time `kernel[grid](...)` against the same launch with nothing behind Triton's own part."""
    x, y, out = torch.randn(1000), torch.randn(1000), torch.zeros(1000)

    def whole() -> Any:
        return vector_add.add_kernel[(1,)](x, y, out, 1000, BLOCK_SIZE=1024)

    kernel = whole()
    run = kernel._run

    def nothing(*_: object) -> None:
        pass

    ours = theirs = float("inf")
    for _ in range(ROUNDS):
        ours = min(ours, best(whole))
        kernel._run = nothing
        theirs = min(theirs, best(whole))
        kernel._run = run
    beyond = ours - theirs
    peer = best(lambda: torch.add(x, y, out=out))
    cells = (
        "launch of 1000 elements",
        f"{ours * 1e6:.1f} µs",
        f"{beyond * 1e6:.1f} µs beyond Triton's own part",
        "",
        f"{peer / ours:.2f}x torch",
        "3 µs beyond",
    )
    found.add(cells, beyond <= 3e-6, seconds=ours, triton=theirs, peers={"torch": peer})


def main() -> int:
    """Print the table; return the exit code."""
    chosen = report.options(__doc__)
    activate()
    cases = [
        product((64, 64, 64), (32, 32, 32)),
        product((100, 100, 100), (32, 32, 32)),
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
        addition(1 << 20),
        addition(1 << 24),
        softmax(64, 256),
        softmax(4096, 1000),
        softmax(512, 8192),
        softmax(4096, 8192),
        layer_norm(4096, 1024),
        *(
            attention(8, 512, 64, kind, causal=causal)
            for kind in (torch.float32, torch.bfloat16)
            for causal in (False, True)
        ),
    ]
    headings = ("kernel", "time", "rate", "of the machine", "beside", "at least")
    found = report.Report("cpu", "", headings)
    peaks = [Peaks(threads) for threads in sorted({1, machine.cores()})]
    rates = "; ".join(
        f"{p.flops / 1e9:.0f} GFLOP/s and {p.bytes / 1e9:.1f} GB/s on {p.threads}" for p in peaks
    )
    found.machine = f"{machine.name()}: {rates}"
    for each in peaks:
        for case in cases:
            measure(case, each, found)
    launch(found)
    return report.finish(found, chosen)


if __name__ == "__main__":
    sys.exit(main())
