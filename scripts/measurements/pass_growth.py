"""
How the time of the Intel pipeline's passes grows with the kernel: 1,000 to 10,000 ops.

Made-up kernels: loads, arithmetic and stores in a row; a loop of products that feed each other;
branches in a row; reductions of matrices whose results are spread again; a selective scan, as in
Mamba, whose steps are unrolled.
Linear growth is a factor of 10; no pass may take more than 15 times as
long, and 10,000 ops not more than the bar. A scan of 3,000 lines has a bar of its own.

How often functions are called, Python's own included, does not depend on the machine: a pass whose
calls grow by 10 is linear, but for what a single call does. Its time grows by more all the same, as
a module of 1,000 ops fits into a cache of the processor that one of 10,000 does not fit into; the
note says how much longer it takes then to do nothing but walk through it. Small and large kernels
take turns; each figure is the median of three.
"""

from __future__ import annotations

import cProfile
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from xdsl.passes import ModulePass

from measurements.figures import Bar, Figure
from xtriton.ir.limits import without_garbage_collection
from xtriton.ir.noted_edits import edits_are_noted
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import rules_of
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.universe import context, pass_class

SIZES = (1_000, 10_000)
"""Ops of the kernels, about."""

TURNS = 3
WALKS = 20
MOST_GROWTH = 15.0
MOST_CALLS = 10.5
MOST_SECONDS = 10.0
LINES_OF_SCAN = 3_000
MOST_SECONDS_OF_SCAN = 0.5
LEAST_SECONDS = 0.1
"""Passes that take less, at the larger size, are not judged: all of it is noise."""

Kernel = Callable[[int], str]


def measure(_: Path) -> Iterator[Figure]:
    """Yield the seconds at the larger size, and the factor of the pass that grows most."""
    seconds_of(straight(500))
    scan = min(sum(seconds_of(scans(LINES_OF_SCAN)).values()) for _ in range(5))
    yield Figure(f"a scan of {LINES_OF_SCAN:,} lines", scan, "s", MOST_SECONDS_OF_SCAN, Bar.AT_MOST)
    for kernel in (straight, products, branches, reductions, scans):
        yield from growth(kernel)


def growth(kernel: Kernel) -> Iterator[Figure]:
    """Yield how time and calls grow for kernels of a shape."""
    few, many = SIZES
    # Several small kernels are in memory together, or else one would measure that a small one
    # fits into the caches of the processor.
    count = many // few
    turns = [(seconds_of(kernel(few), count), seconds_of(kernel(many))) for _ in range(TURNS)]
    small = {p: median(s[p] for s, _ in turns) / count for p in turns[0][0]}
    large = {p: median(s[p] for _, s in turns) for p in small}
    name = (kernel.__doc__ or "").partition(":")[0]
    total = sum(large.values())
    yield Figure(f"{name}: 10,000 ops", total, "s", MOST_SECONDS, Bar.AT_MOST)
    longer, note = total / sum(small.values()), f"walking only: {growth_of_walks(kernel):.1f}"
    yield Figure(f"{name}: 10 times the ops", longer, "times", MOST_GROWTH, Bar.AT_MOST, note)
    judged = [p for p in large if large[p] > LEAST_SECONDS and small[p]]
    worst = max((large[p] / small[p], p) for p in judged)
    yield Figure(
        f"{name}: growth of any pass", worst[0], "times", MOST_GROWTH, Bar.AT_MOST, worst[1]
    )
    few_calls, many_calls = calls_of(kernel(few)), calls_of(kernel(many))
    # Passes that hardly look at an op are not judged.
    worst = max((many_calls[p] / few_calls[p], p) for p in many_calls if many_calls[p] > many)
    yield Figure(f"{name}: calls of any pass", worst[0], "times", MOST_CALLS, Bar.AT_MOST, worst[1])


def seconds_of(text: str, kernels: int = 1) -> dict[str, float]:
    """Return how long each pass of the pipeline takes on so many copies of a kernel, in seconds."""
    seconds: dict[str, float] = defaultdict(float)

    def timed(name: str, run: Callable[[], None]) -> None:
        start = time.process_time()
        run()
        seconds[name] += time.process_time() - start

    _run_passes(text, kernels, timed)
    return seconds


def calls_of(text: str) -> dict[str, int]:
    """Return how many functions each pass calls on a kernel."""
    calls: dict[str, int] = defaultdict(int)

    def counted(name: str, run: Callable[[], None]) -> None:
        profile = cProfile.Profile()
        profile.runcall(run)
        calls[name] += sum(entry.callcount for entry in profile.getstats())

    _run_passes(text, 1, counted)
    return calls


def _run_passes(text: str, kernels: int, under: Callable[[str, Callable[[], None]], None]) -> None:
    """Run each pass of the pipeline on copies of a kernel, by a function that is given its name."""
    pipeline = IntelTTGIRPipelinePass(num_warps=8)
    options = pipeline.options()
    ctx = context()
    modules = [parse_module(text, ctx) for _ in range(kernels)]
    with rules_of((3, 7)), without_garbage_collection(), edits_are_noted():
        for name in pipeline.passes():
            step = pass_class(name)(**options.get(name, {}))

            def run(step: ModulePass = step) -> None:
                for module in modules:
                    step.apply(ctx, module)

            under(name, run)


def growth_of_walks(kernel: Kernel) -> float:
    """Return how much longer it takes to walk some times through the large kernel."""
    few, many = SIZES
    count = many // few
    return median(
        walking(kernel(many), 1) / walking(kernel(few), count) * count for _ in range(TURNS)
    )


def walking(text: str, kernels: int) -> float:
    """Return the seconds for walking some times through so many copies of a kernel."""
    modules = [parse_module(text, context()) for _ in range(kernels)]
    start = time.process_time()
    for module in modules:
        for _ in range(WALKS):
            for op in module.walk():
                for operand in op.operands:
                    _ = operand.type
    return time.process_time() - start


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


def scans(ops: int) -> str:
    """Scans: each step reads a row, moves the state of a selective scan on and stores a row."""
    row, state, part = "tensor<64xf32>", "tensor<64x16xf32>", "tensor<16xf32>"
    rows, parts = "tensor<64x!tt.ptr<f32>>", "tensor<16x!tt.ptr<f32>>"
    lines = [
        "%c0 = arith.constant 0 : i32",
        f"%one = arith.constant dense<1.0> : {row}",
        f"%zero = arith.constant dense<0.0> : {state}",
        "%d = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>",
        "%k = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>",
        f"%a = arith.constant dense<-0.5> : {state}",
        f"%steps = arith.constant {ops // _OPS_OF_STEP} : i32",
        f"%last = scf.for %t = %c0 to %n step %steps iter_args(%h0 = %zero) -> ({state}) : i32 {{",
    ]
    count = ops // _OPS_OF_STEP
    for i in range(1, count + 1):
        lines += [
            f"%c{i} = arith.constant {i} : i32",
            f"%t{i} = arith.addi %t, %c{i} : i32",
            f"%in{i} = arith.cmpi slt, %t{i}, %n : i32",
            *_row_of_scan(f"u{i}", f"%t{i}", "%d", 64, f"%in{i}"),
            *_row_of_scan(f"x{i}", f"%t{i}", "%d", 64, f"%in{i}"),
            *_row_of_scan(f"b{i}", f"%t{i}", "%k", 16, f"%in{i}"),
            f"%e{i} = math.exp %x{i} : {row}",
            f"%s{i} = arith.addf %e{i}, %one : {row}",
            f"%l{i} = math.log %s{i} : {row}",
            f"%lc{i} = tt.expand_dims %l{i} {{axis = 1 : i32}} : {row} -> tensor<64x1xf32>",
            f"%lb{i} = tt.broadcast %lc{i} : tensor<64x1xf32> -> {state}",
            f"%la{i} = arith.mulf %a, %lb{i} : {state}",
            f"%da{i} = math.exp %la{i} : {state}",
            f"%lu{i} = arith.mulf %l{i}, %u{i} : {row}",
            f"%uc{i} = tt.expand_dims %lu{i} {{axis = 1 : i32}} : {row} -> tensor<64x1xf32>",
            f"%br{i} = tt.expand_dims %b{i} {{axis = 0 : i32}} : {part} -> tensor<1x16xf32>",
            f"%ub{i} = tt.broadcast %uc{i} : tensor<64x1xf32> -> {state}",
            f"%bb{i} = tt.broadcast %br{i} : tensor<1x16xf32> -> {state}",
            f"%db{i} = arith.mulf %ub{i}, %bb{i} : {state}",
            f"%hd{i} = arith.mulf %h{i - 1}, %da{i} : {state}",
            f"%h{i} = arith.addf %hd{i}, %db{i} : {state}",
            f"%hb{i} = arith.mulf %h{i}, %bb{i} : {state}",
            f'%y{i} = "tt.reduce"(%hb{i}) <{{axis = 1 : i32}}> ({{',
            f"^bb0(%f{i}: f32, %g{i}: f32):",
            f"  %r{i} = arith.addf %f{i}, %g{i} : f32",
            f"  tt.reduce.return %r{i} : f32",
            f"}}) : ({state}) -> {row}",
            f"%yu{i} = arith.addf %y{i}, %u{i} : {row}",
            f"%qs{i} = tt.splat %q : !tt.ptr<f32> -> {rows}",
            f"%qo{i} = tt.addptr %qs{i}, %u{i}_o : {rows}, tensor<64xi32>",
            f"tt.store %qo{i}, %yu{i}, %u{i}_m : {rows}",
        ]
    lines += [
        f"scf.yield %h{count} : {state}",
        "}",
        '%sum = "tt.reduce"(%last) <{axis = 0 : i32}> ({',
        "^bb0(%f: f32, %g: f32):",
        "  %r = arith.addf %f, %g : f32",
        "  tt.reduce.return %r : f32",
        f"}}) : ({state}) -> {part}",
        f"%qs = tt.splat %q : !tt.ptr<f32> -> {parts}",
        f"%qk = tt.addptr %qs, %k : {parts}, tensor<16xi32>",
        f"tt.store %qk, %sum : {parts}",
    ]
    return _kernel("f32", lines)


_OPS_OF_STEP = 58


def _row_of_scan(name: str, time: str, places: str, size: int, runs: str) -> list[str]:
    """Return the lines that load the elements of a row that a scan reads at a time."""
    ints, pointers = f"tensor<{size}xi32>", f"tensor<{size}x!tt.ptr<f32>>"
    width = f"%{name}_w"
    return [
        f"{width} = arith.constant {size} : i32",
        f"%{name}_t = arith.muli {time}, {width} : i32",
        f"%{name}_s = tt.splat %{name}_t : i32 -> {ints}",
        f"%{name}_o = arith.addi %{name}_s, {places} : {ints}",
        f"%{name}_p = tt.splat %p : !tt.ptr<f32> -> {pointers}",
        f"%{name}_a = tt.addptr %{name}_p, %{name}_o : {pointers}, {ints}",
        f"%{name}_m = tt.splat {runs} : i1 -> tensor<{size}xi1>",
        f"%{name}_z = arith.constant dense<0.0> : tensor<{size}xf32>",
        f"%{name} = tt.load %{name}_a, %{name}_m, %{name}_z : {pointers}",
    ]


def _kernel(element: str, lines: list[str]) -> str:
    pointer = f"!tt.ptr<{element}> {{tt.divisibility = 16 : i32}}"
    body = "\n".join(lines)
    return f"tt.func public @k(%p: {pointer}, %q: {pointer}, %n: i32) {{\n{body}\ntt.return\n}}"
