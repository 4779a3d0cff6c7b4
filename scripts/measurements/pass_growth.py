"""
How the time of the Intel pipeline's passes grows with the kernel: 1,000 to 10,000 ops.

Made-up kernels: loads, arithmetic and stores in a row; a loop of products that feed each other;
branches in a row; reductions of matrices whose results are spread again.
Linear growth is a factor of 10; no pass may take more than 15 times as
long, and 10,000 ops not more than the bar.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from measurements.figures import Bar, Figure
from xtriton.ir.limits import without_garbage_collection
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import rules_of
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.universe import context, pass_class

SIZES = (1_000, 10_000)
"""Ops of the kernels, about."""

MOST_GROWTH = 15.0
MOST_SECONDS = 10.0
LEAST_SECONDS = 0.1
"""Passes that take less, at the larger size, are not judged: all of it is noise."""

Kernel = Callable[[int], str]


def measure(_: Path) -> Iterator[Figure]:
    """Yield the seconds at the larger size, and the factor of the pass that grows most."""
    seconds_of(straight(500))
    for kernel in (straight, products, branches, reductions):
        few, many = SIZES
        # Several small kernels are in memory together, or else one would measure that a small
        # one fits into the caches of the processor.
        count = many // few
        small = {p: s / count for p, s in seconds_of(kernel(few), count).items()}
        large = seconds_of(kernel(many))
        name = (kernel.__doc__ or "").partition(":")[0]
        total = sum(large.values())
        worst = max(
            (large[p] / small[p], p) for p in large if large[p] > LEAST_SECONDS and small[p]
        )
        growth = total / sum(small.values())
        yield Figure(f"{name}: 10,000 ops", total, "s", MOST_SECONDS, Bar.AT_MOST)
        yield Figure(f"{name}: 10 times the ops", growth, "times", MOST_GROWTH, Bar.AT_MOST)
        yield Figure(
            f"{name}: growth of any pass", worst[0], "times", MOST_GROWTH, Bar.AT_MOST, worst[1]
        )


def seconds_of(text: str, kernels: int = 1) -> dict[str, float]:
    """Return how long each pass of the pipeline takes on so many copies of a kernel, in seconds."""
    pipeline = IntelTTGIRPipelinePass(num_warps=8)
    options = pipeline.options()
    ctx = context()
    modules = [parse_module(text, ctx) for _ in range(kernels)]
    seconds: dict[str, float] = defaultdict(float)
    with rules_of((3, 7)), without_garbage_collection():
        for name in pipeline.passes():
            step = pass_class(name)(**options.get(name, {}))
            start = time.process_time()
            for module in modules:
                step.apply(ctx, module)
            seconds[name] += time.process_time() - start
    return seconds


def straight(ops: int) -> str:
    """A row of accesses: loads, arithmetic and stores with masks."""
    pointers, ints, floats = "tensor<1024x!tt.ptr<f32>>", "tensor<1024xi32>", "tensor<1024xf32>"
    lines = [
        "%pid = tt.get_program_id x : i32",
        "%width = arith.constant 1024 : i32",
        "%base = arith.muli %pid, %width : i32",
        f"%z0 = arith.constant dense<1.0> : {floats}",
    ]
    for i in range(1, ops // 15 + 1):
        lines += [
            f"%c{i} = arith.constant {64 * i} : i32",
            f"%r{i} = tt.make_range {{end = 1024 : i32, start = 0 : i32}} : {ints}",
            f"%o{i} = arith.addi %base, %c{i} : i32",
            f"%s{i} = tt.splat %o{i} : i32 -> {ints}",
            f"%i{i} = arith.addi %s{i}, %r{i} : {ints}",
            f"%n{i} = tt.splat %n : i32 -> {ints}",
            f"%m{i} = arith.cmpi slt, %i{i}, %n{i} : {ints}",
            f"%p{i} = tt.splat %p : !tt.ptr<f32> -> {pointers}",
            f"%a{i} = tt.addptr %p{i}, %i{i} : {pointers}, {ints}",
            f"%x{i} = tt.load %a{i}, %m{i} : {pointers}",
            f"%y{i} = arith.mulf %x{i}, %z{i - 1} : {floats}",
            f"%z{i} = arith.addf %y{i}, %x{i} : {floats}",
            f"%q{i} = tt.splat %q : !tt.ptr<f32> -> {pointers}",
            f"%b{i} = tt.addptr %q{i}, %i{i} : {pointers}, {ints}",
            f"tt.store %b{i}, %z{i}, %m{i} : {pointers}",
        ]
    return _kernel("f32", lines)


def products(ops: int) -> str:
    """A loop of products: each adds to the one before, all operands loaded by pointers."""
    halves, pointers = "tensor<64x64xf16>", "tensor<64x64x!tt.ptr<f16>>"
    ints, sums = "tensor<64x64xi32>", "tensor<64x64xf32>"
    lines = [
        f"%zero = arith.constant dense<0.0> : {sums}",
        "%c0 = arith.constant 0 : i32",
        "%c1 = arith.constant 1 : i32",
        "%r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>",
        f"%sum = scf.for %i = %c0 to %n step %c1 iter_args(%d0 = %zero) -> ({sums}) : i32 {{",
    ]
    count = ops // 14
    for i in range(1, count + 1):
        lines += [
            f"%w{i} = arith.constant {64 * i} : i32",
            f"%e{i} = tt.expand_dims %r {{axis = 1 : i32}} : tensor<64xi32> -> tensor<64x1xi32>",
            f"%k{i} = tt.expand_dims %r {{axis = 0 : i32}} : tensor<64xi32> -> tensor<1x64xi32>",
            f"%s{i} = tt.splat %w{i} : i32 -> tensor<64x1xi32>",
            f"%m{i} = arith.muli %e{i}, %s{i} : tensor<64x1xi32>",
            f"%bm{i} = tt.broadcast %m{i} : tensor<64x1xi32> -> {ints}",
            f"%bk{i} = tt.broadcast %k{i} : tensor<1x64xi32> -> {ints}",
            f"%o{i} = arith.addi %bm{i}, %bk{i} : {ints}",
            f"%p{i} = tt.splat %p : !tt.ptr<f16> -> {pointers}",
            f"%a{i} = tt.addptr %p{i}, %o{i} : {pointers}, {ints}",
            f"%x{i} = tt.load %a{i} : {pointers}",
            f"%y{i} = arith.addf %x{i}, %x{i} : {halves}",
            f"%t{i} = tt.trans %x{i} {{order = array<i32: 1, 0>}} : {halves} -> {halves}",
            f"%d{i} = tt.dot %y{i}, %t{i}, %d{i - 1} : {halves} * {halves} -> {sums}",
        ]
    lines += [
        f"scf.yield %d{count} : {sums}",
        "}",
        f"%narrow = arith.truncf %sum : {sums} to {halves}",
        f"%all = tt.splat %q : !tt.ptr<f16> -> {pointers}",
        f"tt.store %all, %narrow : {pointers}",
    ]
    return _kernel("f16", lines)


def branches(ops: int) -> str:
    """Branches in a row: each loads on one side and hands a tensor and a number on."""
    pointers, ints, floats = "tensor<256x!tt.ptr<f32>>", "tensor<256xi32>", "tensor<256xf32>"
    lines = [
        "%c1 = arith.constant 1 : i32",
        f"%x0 = arith.constant dense<1.0> : {floats}",
        "%i0 = arith.addi %n, %c1 : i32",
        f"%r = tt.make_range {{end = 256 : i32, start = 0 : i32}} : {ints}",
    ]
    count = ops // 12
    for i in range(1, count + 1):
        lines += [
            f"%k{i} = arith.constant {i} : i32",
            f"%t{i} = arith.cmpi sgt, %i{i - 1}, %k{i} : i32",
            f"%x{i}, %i{i} = scf.if %t{i} -> ({floats}, i32) {{",
            f"  %s{i} = tt.splat %i{i - 1} : i32 -> {ints}",
            f"  %o{i} = arith.addi %s{i}, %r : {ints}",
            f"  %p{i} = tt.splat %p : !tt.ptr<f32> -> {pointers}",
            f"  %a{i} = tt.addptr %p{i}, %o{i} : {pointers}, {ints}",
            f"  %v{i} = tt.load %a{i} : {pointers}",
            f"  %w{i} = arith.addf %v{i}, %x{i - 1} : {floats}",
            f"  %j{i} = arith.addi %i{i - 1}, %k{i} : i32",
            f"  scf.yield %w{i}, %j{i} : {floats}, i32",
            "} else {",
            f"  scf.yield %x{i - 1}, %i{i - 1} : {floats}, i32",
            "}",
        ]
    lines += [
        f"%q0 = tt.splat %q : !tt.ptr<f32> -> {pointers}",
        f"%q1 = tt.addptr %q0, %r : {pointers}, {ints}",
        f"tt.store %q1, %x{count} : {pointers}",
    ]
    return _kernel("f32", [_results_named(line) for line in lines])


def _results_named(line: str) -> str:
    """Return a line that names two results as MLIR does."""
    first, equals, rest = line.partition(" = scf.if")
    if equals:
        i = first.partition("x")[2].partition(",")[0]
        line = f"%b{i}:2{equals}{rest}"
    # What a branch gives is a result of it, but for what the kernel begins with.
    line = re.sub(r"%x([1-9]\d*)", r"%b\1#0", line)
    return re.sub(r"%i([1-9]\d*)", r"%b\1#1", line)


def reductions(ops: int) -> str:
    """Reductions: rows of matrices are summed up, and the sums spread over the next matrix."""
    pointers, ints = "tensor<64x64x!tt.ptr<f32>>", "tensor<64x64xi32>"
    rows, column, matrix = "tensor<64xf32>", "tensor<64x1xf32>", "tensor<64x64xf32>"
    lines = [
        "%r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>",
        "%e = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>",
        "%f = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>",
        f"%be = tt.broadcast %e : tensor<64x1xi32> -> {ints}",
        f"%bf = tt.broadcast %f : tensor<1x64xi32> -> {ints}",
        f"%z0 = arith.constant dense<1.0> : {matrix}",
    ]
    count = ops // 12
    for i in range(1, count + 1):
        lines += [
            f"%w{i} = arith.constant dense<{64 * i}> : {ints}",
            f"%m{i} = arith.muli %be, %w{i} : {ints}",
            f"%o{i} = arith.addi %m{i}, %bf : {ints}",
            f"%p{i} = tt.splat %p : !tt.ptr<f32> -> {pointers}",
            f"%a{i} = tt.addptr %p{i}, %o{i} : {pointers}, {ints}",
            f"%v{i} = tt.load %a{i} : {pointers}",
            f"%y{i} = arith.mulf %v{i}, %z{i - 1} : {matrix}",
            f'%s{i} = "tt.reduce"(%y{i}) <{{axis = 1 : i32}}> ({{',
            f"^bb0(%g{i}: f32, %h{i}: f32):",
            f"  %t{i} = arith.addf %g{i}, %h{i} : f32",
            f"  tt.reduce.return %t{i} : f32",
            f"}}) : ({matrix}) -> {rows}",
            f"%c{i} = tt.expand_dims %s{i} {{axis = 1 : i32}} : {rows} -> {column}",
            f"%z{i} = tt.broadcast %c{i} : {column} -> {matrix}",
        ]
    lines += [
        f"%q0 = tt.splat %q : !tt.ptr<f32> -> {pointers}",
        f"%q1 = tt.addptr %q0, %bf : {pointers}, {ints}",
        f"tt.store %q1, %z{count} : {pointers}",
    ]
    return _kernel("f32", lines)


def _kernel(element: str, lines: list[str]) -> str:
    pointer = f"!tt.ptr<{element}> {{tt.divisibility = 16 : i32}}"
    body = "\n".join(lines)
    return f"tt.func public @k(%p: {pointer}, %q: {pointer}, %n: i32) {{\n{body}\ntt.return\n}}"
