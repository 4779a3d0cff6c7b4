"""
Speed of native code, side by side with torch and NumPy in one process, on one thread.

    python benchmarks/cpu.py

Each pair is measured in turns and the best of each is kept, so that other load on the
machine hits both. Exit code 1 if a bar is missed: the matmul at least as fast as torch.mm,
vector addition within 1.3 times NumPy's time, a launch at most 10 us beyond Triton's own part.
"""

import argparse
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich import box
from rich.console import Console
from rich.table import Table

from xtriton.cpu import activate
from xtriton.cpu.threads import limited_threads
from xtriton.interop.native import Launcher

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
# Kernels are Triton's language, which types do not describe.
fused_softmax: Any = import_module("fused_softmax")
matmul: Any = import_module("matmul")
vector_add: Any = import_module("vector_add")

ROUNDS = 7
SECONDS = 0.05


def best(work: Callable[[], object]) -> float:
    """Return the shortest time of several runs."""
    shortest, total = float("inf"), 0.0
    while total < SECONDS:
        start = time.perf_counter()
        work()
        seconds = time.perf_counter() - start
        shortest, total = min(shortest, seconds), total + seconds
    return shortest


def in_turns(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """Return the best times of two pieces of work."""
    pairs = [(best(ours), best(theirs)) for _ in range(ROUNDS)]
    return min(a for a, _ in pairs), min(b for _, b in pairs)


class Prepared:
    """A launcher that compiles and runs once, and then repeats with `again`."""

    def __init__(self) -> None:
        self.launcher = Launcher(threads=1)
        self.again: Callable[[], object] = lambda: None

    def __call__(self, kernel: Any, grid: tuple[int, ...]) -> Callable[..., object]:
        def run(*values: Any, **named: Any) -> object:
            compiled = self.launcher(kernel, grid)(*values, **named)
            by_name = dict(zip(kernel.arg_names, values, strict=False)) | named
            arguments = [by_name[name] for name in kernel.arg_names]
            sizes = (*grid, 1, 1)[:3]

            def again() -> None:
                with limited_threads(1):
                    compiled.run(*sizes, 0, compiled.function, None, None, None, None, *arguments)

            self.again = again
            return compiled

        return run


Row = tuple[str, float, float, str, bool]


def matmul_row(size: int, blocks: tuple[int, int, int]) -> Row:
    a, b, c = torch.randn(size, size), torch.randn(size, size), torch.zeros(size, size)
    prepared = Prepared()
    matmul.matmul(a, b, c, *blocks, launch=prepared)
    torch.testing.assert_close(c, a @ b, rtol=1e-4, atol=1e-3)
    ours, theirs = in_turns(prepared.again, lambda: torch.mm(a, b, out=c))
    rates = f"{2 * size**3 / ours / 1e9:.0f} against {2 * size**3 / theirs / 1e9:.0f} GFLOP/s"
    name = f"matmul {size}, blocks {'x'.join(map(str, blocks))}"
    return name, ours, theirs, rates, ours <= theirs


def add_row(size: int) -> Row:
    x, y, z = (np.random.default_rng(0).normal(size=size).astype(np.float32) for _ in range(3))
    tensors = [torch.as_tensor(array) for array in (x, y, z)]
    prepared = Prepared()
    vector_add.add(*tensors, launch=prepared)
    ours, theirs = in_turns(prepared.again, lambda: np.add(x, y, out=z))
    rates = f"{12 * size / ours / 1e9:.0f} against {12 * size / theirs / 1e9:.0f} GB/s"
    return f"vector add {size}, NumPy", ours, theirs, rates, ours <= 1.3 * theirs


def softmax_row(rows: int, columns: int) -> Row:
    x, out = torch.randn(rows, columns), torch.zeros(rows, columns)
    prepared = Prepared()
    fused_softmax.softmax(x, out, launch=prepared)
    ours, theirs = in_turns(prepared.again, lambda: torch.softmax(x, 1, out=out))
    rates = f"{8 * x.numel() / ours / 1e9:.0f} against {8 * x.numel() / theirs / 1e9:.0f} GB/s"
    return f"softmax {rows}x{columns}", ours, theirs, rates, True


def launch_row() -> Row:
    """Time `kernel[grid](...)` against the same launch with nothing behind Triton's own part."""
    x, y, out = torch.randn(1000), torch.randn(1000), torch.zeros(1000)

    def launch() -> Any:
        return vector_add.add_kernel[(1,)](x, y, out, 1000, BLOCK_SIZE=1024)

    compiled = launch()
    run = compiled._run

    def nothing(*_: object) -> None:
        pass

    ours = theirs = float("inf")
    for _ in range(ROUNDS):
        ours = min(ours, best(launch))
        compiled._run = nothing
        theirs = min(theirs, best(launch))
        compiled._run = run
    peer = best(lambda: torch.add(x, y, out=out))
    text = f"{(ours - theirs) * 1e6:.1f} us more than Triton's own part; torch.add {peer * 1e6:.1f}"
    return "launch of 1000 elements", ours, theirs, text, ours - theirs <= 10e-6


def main() -> int:
    """Print the table; return the exit code."""
    argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0]).parse_args()
    torch.set_num_threads(1)
    activate()
    rows = [
        matmul_row(512, (64, 64, 32)),
        matmul_row(512, (128, 128, 32)),
        matmul_row(512, (128, 128, 64)),
        matmul_row(512, (32, 32, 32)),
        matmul_row(1024, (128, 128, 64)),
        add_row(98432),
        add_row(1 << 20),
        add_row(1 << 22),
        softmax_row(4096, 1000),
        softmax_row(4096, 1024),
        softmax_row(512, 8192),
        launch_row(),
    ]
    table = Table(title="One thread, best of several rounds in turns", box=box.SIMPLE_HEAD)
    for heading in ("kernel", "xtriton", "torch", "speed", ""):
        table.add_column(heading, justify="left" if heading == "kernel" else "right")
    for name, ours, theirs, rates, met in rows:
        verdict = rates if met else f"[bold red]{rates}[/]"
        cells = (f"{ours * 1e6:.0f} µs", f"{theirs * 1e6:.0f} µs", f"{theirs / ours:.2f}x")
        table.add_row(name, *cells, verdict)
    Console().print(table)
    bars = [met for name, *_, met in rows if "98432" not in name]
    return 0 if all(bars) else 1


if __name__ == "__main__":
    sys.exit(main())
