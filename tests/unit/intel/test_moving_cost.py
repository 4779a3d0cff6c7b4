"""What passes do that move operands into and out of loops is in proportion: calls are counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.growth import calls_in
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context, pass_class

LAYOUTS = """
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 16],
                         warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2,
                   threadsPerWarp = 16, warpsPerCTA = [8, 1], repCluster = [2, 1]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
"""
LEFT, BLOCKED = "tensor<128x128xf16, #dot0>", "tensor<128x128xf16, #blocked>"
RIGHT, SUM = "tensor<128x16xf16, #dot1>", "tensor<128x16xf32, #mma>"
DOT = f"{LEFT} * {RIGHT} -> {SUM}"
ARGUMENTS = f"%p: !tt.ptr<{LEFT}>, %one: {RIGHT}, %d0: {SUM}, %b: {BLOCKED}, %c: i32"


def kernel(lines: list[str], result: str) -> str:
    """Return a function that loads the left operand and gives a sum of products."""
    body = "\n".join(lines)
    return (
        f'{LAYOUTS}module attributes {{"ttg.num-warps" = 8 : i32,'
        f' "ttg.threads-per-warp" = 16 : i32}} {{\ntt.func @k({ARGUMENTS}) -> {SUM} {{\n'
        f"%q = tt.advance %p, [%c, %c] : <{LEFT}>\n"
        f'%x = tt.load %q {{ttig.block_io = "row_major"}} : !tt.ptr<{LEFT}>\n'
        f"{body}\ntt.return {result} : {SUM}\n}}\n}}"
    )


def loops(count: int) -> str:
    """So many loops use one load."""
    lines: list[str] = []
    for i in range(count):
        lines += [
            f"%d{i + 1} = scf.for %i{i} = %c to %c step %c iter_args(%a{i} = %d{i})"
            f" -> ({SUM}) : i32 {{",
            f"%y{i} = tt.dot %x, %one, %a{i} : {DOT}",
            f"scf.yield %y{i} : {SUM}",
            "}",
        ]
    return kernel(lines, f"%d{count}")


def conversions(count: int) -> str:
    """So many operands are converted in one loop, more than there are registers for."""
    lines = [f"%d = scf.for %i = %c to %c step %c iter_args(%a0 = %d0) -> ({SUM}) : i32 {{"]
    for i in range(count):
        lines += [
            f"%x{i} = ttg.convert_layout %b : {BLOCKED} -> {LEFT}",
            f"%a{i + 1} = tt.dot %x{i}, %one, %a{i} : {DOT}",
        ]
    return kernel([*lines, f"scf.yield %a{count} : {SUM}", "}"], "%d")


def calls(name: str, text: str) -> int:
    module = parse_module(text, context())
    return calls_in(lambda: pass_class(name)().apply(context(), module))


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("tritonintelgpu-reduce-variable-liveness", loops),
        ("tritonintelgpu-hoist-layout-conversions", conversions),
    ],
)
def test_linear(name: str, made: Callable[[int], str]) -> None:
    calls(name, made(5))
    small, large = (calls(name, made(n)) for n in (50, 400))
    # Eight times the kernel; quadratic would be 64 times the calls.
    assert large < 9 * small


def test_one_load_in_many_loops() -> None:
    module = parse_module(loops(3), context())
    pass_class("tritonintelgpu-reduce-variable-liveness")().apply(context(), module)
    names = [op.name for op in module.walk()]
    assert names.count("tt.load") == names.count("scf.for") == 3
    assert names.count("ttig.prefetch") == 1
