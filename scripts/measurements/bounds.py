"""
Whether everything is bounded: what 100,000 ops take, and what hard and damaged modules do.

Time for each op must not grow from kernels of 1,000 ops to kernels of 100,000: five shapes of
kernels through reading, verifying, printing, `explain`, `effects`, raising, the Intel pipeline
and `linalg`. Dense constants are read at so many megabytes a second. Then the fuzzer
(`fuzz_tools.py`), whose record is `build/fuzz/record.jsonl`, so that it goes on where it was;
`XTRITON_FUZZED` says how many modules (40,000, an hour or two).
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

import fuzz_processes
import fuzz_tools
from xdsl.dialects.builtin import ModuleOp

from measurements.figures import Bar, Figure
from measurements.pass_growth import products, straight
from xtriton import effects
from xtriton.ir.checking.verifier import verify
from xtriton.ir.limits import without_garbage_collection
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import rules_of
from xtriton.ir.writing.printer import print_module
from xtriton.tools.access_tables import print_tables
from xtriton.tools.effects_tables import print_record
from xtriton.universe import context, pass_class

SMALL, LARGE = 1_000, 100_000
KERNELS = 21
"""Small ones; the first is not timed."""
TURNS = 3
"""How often a small and a large kernel are timed, one after the other."""
MOST_GROWTH = 1.3
MOST_SECONDS = 60.0
LEAST_MEGABYTES = 20.0
FUZZED = "XTRITON_FUZZED"
DEFAULT = 40_000


def measure(_: Path) -> Iterator[Figure]:
    """Yield growth and seconds for each shape and stage, then constants, then the fuzzer's."""
    for shape in SHAPES:
        for stage in STAGES:
            yield from growth(shape, stage)
    yield Figure("dense constants", dense_speed(), "MB/s", LEAST_MEGABYTES)
    yield from _fuzzed()


def growth(shape: str, stage: str) -> Iterator[Figure]:
    """Yield how time per op grows from small to large, and what the large one takes."""
    small, large = least_of(shape, stage, (SMALL, KERNELS), (LARGE, 1))
    name = f"{shape}, {stage}"
    ratio = large[0] / large[1] * small[1] / small[0]
    yield Figure(f"{name}: growth per op", ratio, "times", MOST_GROWTH, Bar.AT_MOST)
    yield Figure(f"{name}: {large[1]:,} ops", large[0], "s", MOST_SECONDS, Bar.AT_MOST)


def least_of(shape: str, stage: str, *cases: tuple[int, int]) -> list[tuple[float, int]]:
    """
    Return the least `seconds_of` for each size and number of kernels.

    They are timed in turns and equally often, however long that takes: other load then hits all,
    and the least of several is compared with the least of as many.
    """
    turns = [[seconds_of(shape, stage, *case) for case in cases] for _ in range(TURNS)]
    return [min(times) for times in zip(*turns, strict=True)]


def seconds_of(shape: str, stage: str, size: int, kernels: int) -> tuple[float, int]:
    """
    Return the seconds that a stage takes, and the ops of all kernels.

    Many small kernels are in memory together, as large ones are, or else one would measure
    that a small one fits into the caches of the processor.
    """
    text = SHAPES[shape](size)
    modules = [parse_module(text, context()) for _ in range(kernels)]
    ops = sum(1 for module in modules for _ in module.walk())
    with rules_of((3, 7)), without_garbage_collection(), redirect_stdout(io.StringIO()):
        if kernels > 1:
            # What is done once in a process is no part of it.
            STAGES[stage](text, modules.pop())
            ops -= ops // kernels
        start = time.process_time()
        for module in modules:
            STAGES[stage](text, module)
        return time.process_time() - start, ops


def branches(ops: int) -> str:
    """Branches in a row: each moves a block of pointers one way or another, and loads from it."""
    pointers, ints = "tensor<64x!tt.ptr<f32>>", "tensor<64xi32>"
    lines = [
        f"%r = tt.make_range {{end = 64 : i32, start = 0 : i32}} : {ints}",
        f"%s = tt.splat %p : !tt.ptr<f32> -> {pointers}",
        f"%q0 = tt.addptr %s, %r : {pointers}, {ints}",
    ]
    count = ops // 13
    for i in range(count):
        lines += [
            f"%k{i} = arith.constant {i} : i32",
            f"%c{i} = arith.cmpi slt, %n, %k{i} : i32",
            f"%q{i + 1} = scf.if %c{i} -> ({pointers}) {{",
            f"%d{i} = arith.constant dense<{64 * i}> : {ints}",
            f"%u{i} = tt.addptr %q{i}, %d{i} : {pointers}, {ints}",
            f"scf.yield %u{i} : {pointers}",
            "} else {",
            f"%x{i} = tt.splat %n : i32 -> {ints}",
            f"%v{i} = tt.addptr %q0, %x{i} : {pointers}, {ints}",
            f"scf.yield %v{i} : {pointers}",
            "}",
            f"%l{i} = tt.load %q{i + 1} : {pointers}",
            f"tt.store %q0, %l{i} : {pointers}",
        ]
    return _kernel("k", lines)


def loops(ops: int) -> str:
    """Loops in a row: each walks on with pointers and adds up what it loads."""
    pointers, ints, floats = "tensor<64x!tt.ptr<f32>>", "tensor<64xi32>", "tensor<64xf32>"
    lines = [
        f"%r = tt.make_range {{end = 64 : i32, start = 0 : i32}} : {ints}",
        f"%s = tt.splat %p : !tt.ptr<f32> -> {pointers}",
        f"%z = arith.constant dense<0.0> : {floats}",
        "%c0 = arith.constant 0 : i32",
        "%c64 = arith.constant 64 : i32",
    ]
    for i in range(ops // 13):
        lines += [
            f"%m{i} = arith.constant {1024 * i} : i32",
            f"%w{i} = tt.splat %m{i} : i32 -> {ints}",
            f"%o{i} = arith.addi %r, %w{i} : {ints}",
            f"%q{i} = tt.addptr %s, %o{i} : {pointers}, {ints}",
            f"%f{i}:2 = scf.for %i{i} = %c0 to %n step %c64 iter_args(%a{i} = %q{i}, "
            f"%b{i} = %z) -> ({pointers}, {floats}) : i32 {{",
            f"%x{i} = tt.load %a{i} : {pointers}",
            f"%y{i} = arith.addf %b{i}, %x{i} : {floats}",
            f"%e{i} = arith.constant dense<64> : {ints}",
            f"%t{i} = tt.addptr %a{i}, %e{i} : {pointers}, {ints}",
            f"scf.yield %t{i}, %y{i} : {pointers}, {floats}",
            "}",
            f"%j{i} = arith.mulf %f{i}#1, %f{i}#1 : {floats}",
            f"tt.store %q{i}, %j{i} : {pointers}",
        ]
    return _kernel("k", lines)


def functions(ops: int) -> str:
    """Kernels in a row: each adds two blocks."""
    pointers, ints, floats = "tensor<64x!tt.ptr<f32>>", "tensor<64xi32>", "tensor<64xf32>"
    kernels: list[str] = []
    for i in range(ops // 15):
        lines = [
            "%pid = tt.get_program_id x : i32",
            f"%k = arith.constant {i} : i32",
            "%b = arith.muli %pid, %k : i32",
            f"%r = tt.make_range {{end = 64 : i32, start = 0 : i32}} : {ints}",
            f"%s = tt.splat %b : i32 -> {ints}",
            f"%o = arith.addi %s, %r : {ints}",
            f"%t = tt.splat %n : i32 -> {ints}",
            f"%m = arith.cmpi slt, %o, %t : {ints}",
            f"%u = tt.splat %p : !tt.ptr<f32> -> {pointers}",
            f"%a = tt.addptr %u, %o : {pointers}, {ints}",
            f"%x = tt.load %a, %m : {pointers}",
            f"%y = arith.addf %x, %x : {floats}",
            f"tt.store %a, %y, %m : {pointers}",
        ]
        kernels.append(_kernel(f"k{i}", lines))
    return "\n".join(kernels)


def _kernel(name: str, lines: list[str]) -> str:
    pointer = "!tt.ptr<f32> {tt.divisibility = 16 : i32}"
    body = "\n".join(lines)
    return f"tt.func public @{name}(%p: {pointer}, %n: i32) {{\n{body}\ntt.return\n}}"


SHAPES: dict[str, Callable[[int], str]] = {
    shape.__name__: shape for shape in (straight, products, branches, loops, functions)
}
"""Makers of the text of a kernel of about so many ops."""


def _explain(_: str, module: ModuleOp) -> None:
    print_tables(module)


def _effects(_: str, module: ModuleOp) -> None:
    for record in effects.analyze_all(module).values():
        print_record(record, None, {})


def _pass(name: str, **options: object) -> Callable[[str, ModuleOp], None]:
    def run(_: str, module: ModuleOp) -> None:
        pass_class(name)(**options).apply(context(), module)

    return run


STAGES: dict[str, Callable[[str, ModuleOp], object]] = {
    "parse": lambda text, _: parse_module(text, context()),
    "verify": lambda _, module: verify(module),
    "print": lambda _, module: print_module(module),
    "explain": _explain,
    "effects": _effects,
    "structured": _pass("triton-to-structured"),
    "intel": _pass("xtriton-intel-ttgir-pipeline", num_warps=8),
    "linalg": _pass("triton-to-linalg-experimental"),
}
"""What is timed: it gets the text and what was read from it."""


def dense_speed() -> float:
    """Return the megabytes of dense constants that are read in a second."""
    numbers = ", ".join(str(n % 1000 - 500) for n in range(1_000_000))
    text = f"module {{\n%0 = arith.constant dense<[{numbers}]> : tensor<1000000xi32>\n}}\n"
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        parse_module(text, context())
        best = max(best, len(text) / 1e6 / (time.process_time() - start))
    return best


def _fuzzed() -> Iterator[Figure]:
    """Yield what the fuzzer's cases took, and how many ended otherwise than they may."""
    record = fuzz_tools.ROOT / "build" / "fuzz" / "record.jsonl"
    count = int(os.environ.get(FUZZED, DEFAULT))
    found = fuzz_tools.fuzz(0, count, record)
    for name, rest in (("valid", 0), ("damaged", 1)):
        some = [ended for ended in found if ended.number % 2 == rest]
        failed = [ended for ended in some if ended.problem]
        most = DEFAULT // 2 if count >= DEFAULT else None
        yield Figure(f"{name} modules", len(some), "", most)
        note = "; ".join(f"{ended.made}, {ended.tool}" for ended in failed[:3])
        yield Figure(f"{name}: otherwise", len(failed), "", 0, Bar.AT_MOST, note)
        slowest = max(some, key=lambda ended: ended.seconds)
        yield Figure(
            f"{name}: slowest",
            slowest.seconds,
            "s",
            fuzz_processes.MOST_SECONDS,
            Bar.AT_MOST,
            f"{slowest.made}, {slowest.tool}",
        )
        largest = max(ended.megabytes for ended in some)
        bar = fuzz_processes.MOST_BYTES / (1 << 20)
        yield Figure(f"{name}: memory", largest, "MB", bar, Bar.AT_MOST)
