"""
Speed of xtriton's interpreter, side by side with TRITON_INTERPRET=1 in one run.

    python benchmarks/interpreter.py

Triton decides when it is imported whether it interprets, so its side runs in a process of
its own, in turns with ours; medians of the rounds are compared. Exit code 1 if xtriton is
not at least five times as fast on every kernel.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import torch
from rich import box
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "e2e" / "interpreter"))

ROUNDS = 3
BAR = 5.0


def cases() -> list[tuple[str, str, dict[str, Any], int]]:
    """Return name, kernel, arguments and number of programs of each case."""
    size, rows, columns = 512, 256, 1000
    a, b = (torch.randn(size, size, dtype=torch.float16) for _ in range(2))
    x, w = torch.randn(rows, columns), torch.randn(columns)
    products = {"a": a, "b": b, "c": torch.zeros(size, size), "m": size, "n": size, "k": size}
    strides = {"sa": size, "sb": size, "sc": size, "BM": 64, "BN": 64, "BK": 32}
    row = {"out": torch.zeros_like(x), "n": columns, "BLOCK": 1024}
    norm = {"x": x, "w": w, "b": w.clone(), "eps": 1e-5, **row}
    return [
        ("matmul 512", "matmul", products | strides, size // 64),
        ("softmax 256x1000", "softmax", {"x": x, "stride": columns, **row}, rows),
        ("layer norm 256x1000", "layer_norm", norm, rows),
    ]


def time_triton() -> dict[str, float]:
    """Time each case as Triton interprets it."""
    import kernels  # pyright: ignore[reportMissingImports]

    times: dict[str, float] = {}
    for name, kernel, arguments, programs in cases():
        launch = getattr(kernels, kernel)[_grid(kernel, programs)]
        start = time.perf_counter()
        launch(**arguments)
        times[name] = time.perf_counter() - start
    return times


def time_xtriton() -> dict[str, float]:
    """Time each case in xtriton's interpreter, compiling not counted."""
    import kernels  # pyright: ignore[reportMissingImports]

    from xtriton import universe
    from xtriton.interop.triton import specialize, ttir_of
    from xtriton.interpreter import Program, run
    from xtriton.ir.reading.parser import parse_module

    times: dict[str, float] = {}
    for name, kernel, arguments, programs in cases():
        function = getattr(kernels, kernel)
        known = specialize(function, arguments)
        program = Program(parse_module(ttir_of(function, known), universe.context()))
        values = [arguments[argument] for argument in known.signature]
        start = time.perf_counter()
        run(program, _grid(kernel, programs), values)
        times[name] = time.perf_counter() - start
    return times


def _grid(kernel: str, programs: int) -> tuple[int, ...]:
    return (programs, programs) if kernel == "matmul" else (programs,)


def _in_own_process(side: str) -> dict[str, float]:
    environment = {**os.environ, "TRITON_INTERPRET": "1" if side == "triton" else "0"}
    output = subprocess.check_output(
        [sys.executable, __file__, "--side", side], env=environment, text=True
    )
    return json.loads(output.splitlines()[-1])


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--side", choices=("triton", "xtriton"), help=argparse.SUPPRESS)
    side = parser.parse_args().side
    if side is not None:
        print(json.dumps(time_triton() if side == "triton" else time_xtriton()))
        return 0
    rounds = [(_in_own_process("xtriton"), _in_own_process("triton")) for _ in range(ROUNDS)]
    table = Table("kernel", "xtriton", "TRITON_INTERPRET=1", "times as fast", box=box.SIMPLE_HEAD)
    slowest = float("inf")
    for name in rounds[0][0]:
        ours, theirs = (median(sides[i][name] for sides in rounds) for i in (0, 1))
        slowest = min(slowest, theirs / ours)
        table.add_row(
            name, f"{ours * 1e3:.0f} ms", f"{theirs * 1e3:.0f} ms", f"{theirs / ours:.1f}"
        )
    Console().print(table)
    return 0 if slowest >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
