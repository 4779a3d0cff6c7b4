"""Blocks that products read where they are, instead of packing them."""

import ctypes
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from tests.unit.cpu.test_panels import (
    COLUMNS,
    ROWS,
    M,
    N,
    lying,
    near_by,
    operands,
    pitches,
    product,
    shelf_state,
)
from xtriton.cpu.arenas import arena
from xtriton.cpu.emitter import emit_kernel, shelves
from xtriton.cpu.emitter.panels import panel_depth
from xtriton.cpu.emitter.tiles import STEPS
from xtriton.cpu.target import Target, host

DEPTH = panel_depth(host())

FAR = 1 << 20
"""Rows of no matrix here are so far apart."""
FROM_THE_END = """
      %last = arith.subi %steps, %c1 : index
      %back = arith.subi %last, %k : index
      %k0 = arith.muli %back, %block : index
"""


def packed(kernel: Any, run: Any) -> int:
    """Return how many numbers a launch leaves in the memory of the kernel."""
    run()  # Programs are timed alone, as if there were no others.
    size = kernel.code.arena_bytes
    start = arena(size)
    assert start is not None
    ctypes.memset(start, 0xFF, size)
    run()
    memory: Any = np.frombuffer((ctypes.c_char * size).from_address(start), np.float32)
    return int(np.sum(np.isfinite(memory) & (memory != 0)))


@pytest.mark.parametrize("near, pays", [(0, True), (FAR, True), (FAR, False)])
def test_what_few_programs_read_is_not_packed(build: Any, near: int, pays: bool):
    """Each block of A is read by two programs and each of B by three: the third one packs."""
    kernel = build(*product(), **near_by(near), packing_pays=pays)
    a, b = operands(DEPTH)
    a[a == 0] = b[b == 0] = 1
    c = np.zeros((ROWS, COLUMNS), np.float32)
    numbers = packed(kernel, lambda: kernel((3, 2, 1), [a, b, c, DEPTH, *pitches(a, b)], threads=1))
    np.testing.assert_array_equal(c, a @ b)
    of_b = DEPTH * N  # The second panel is packed over the first.
    if not pays:
        assert numbers < of_b
    elif near:
        assert of_b <= numbers < of_b + M * DEPTH
    else:
        assert numbers >= of_b + a.size


@pytest.mark.parametrize("pays", [True, False])
@pytest.mark.parametrize("depth", [40, 41])
def test_no_panel_is_looked_for_that_is_not_expected(build: Any, depth: int, pays: bool):
    """Blocks of an odd length do not stay: those after the first panel of each operand are."""
    kernel = build(*product(), **near_by(FAR), packing_pays=pays)
    a, b = operands(depth)
    c = np.zeros((ROWS, COLUMNS), np.float32)
    for _ in range(2):  # The first launch times programs, alone.
        kernel((3, 2, 1), [a, b, c, depth, *pitches(a, b)], threads=1)
    np.testing.assert_array_equal(c, a @ b)
    filled = shelf_state(kernel, shelves.most_panels(host()))[shelves.FILLED]
    assert filled == (3 if pays or depth % STEPS else 0)


def test_a_single_program_packs_nothing(build: Any):
    """Rows of A may be far apart."""
    kernel = build(*product())
    a, b = operands(4 * DEPTH)
    a[a == 0] = b[b == 0] = 1
    c = np.zeros((ROWS, COLUMNS), np.float32)
    values = [a, b, c, 4 * DEPTH, *pitches(a, b)]
    assert packed(kernel, lambda: kernel((1, 1, 1), values, threads=1)) < M * DEPTH
    np.testing.assert_array_equal(c[:M, :N], (a @ b)[:M, :N])


@pytest.mark.parametrize("depth", [3, 256, 300, 520])
@pytest.mark.parametrize("turned", ["", "a", "b", "ab"])
@pytest.mark.parametrize("order", ["", FROM_THE_END])
def test_blocks_that_do_not_follow_each_other(build: Any, depth: int, turned: str, order: str):
    """
    One from elsewhere, or one of an odd length: those before it get into the panel, too.

    So they do if a block ends that is not the last one.
    """
    arguments, body = product(turned)
    forward = "%k0 = arith.muli %k, %block : index"
    kernel = build(arguments, body.replace(forward, order or forward), **near_by(FAR))
    a, b = operands(depth)
    stored = [lying(a, "a" in turned), lying(b, "b" in turned)]
    c = np.zeros((ROWS, COLUMNS), np.float32)
    kernel((3, 2, 1), [*stored, c, depth, *pitches(*stored)], threads=1)
    np.testing.assert_array_equal(c, a @ b)
    failed = shelf_state(kernel, shelves.most_panels(host()))[shelves.FAILED]
    assert failed == (depth % STEPS != 0 or order != "")


@pytest.mark.parametrize("depth", [DEPTH + 4, 2 * DEPTH, 2 * DEPTH + 6])
def test_deep_panels_in_place(build: Any, depth: int):
    """Sums stay in registers for all of a panel, of which nothing is packed."""
    kernel = build(*product(), **near_by(FAR), packing_pays=False, depth_in_place=2)
    a, b = operands(depth)
    a[a == 0] = b[b == 0] = 1
    c = np.zeros((ROWS, COLUMNS), np.float32)
    numbers = packed(kernel, lambda: kernel((3, 2, 1), [a, b, c, depth, *pitches(a, b)], threads=1))
    np.testing.assert_array_equal(c, a @ b)
    assert numbers < DEPTH * N


@pytest.mark.parametrize("type, panels", [("f32", 2), ("f16", 3)])
def test_panels_that_may_be_in_place_are_deeper(build: Any, type: str, panels: int):
    """Those of numbers that are converted are packed in any case."""
    kernel = build(*product("", type), **near_by(0), depth_in_place=2)
    a, b = operands(2 * DEPTH + 3)
    stored = [x.astype(np.float32 if type == "f32" else np.float16) for x in (a, b)]
    c = np.zeros((ROWS, COLUMNS), np.float32)
    for _ in range(2):  # The first launch times programs, alone.
        kernel((3, 2, 1), [*stored, c, a.shape[1], *pitches(*stored)], threads=1)
    np.testing.assert_array_equal(c, a @ b)
    assert shelf_state(kernel, shelves.most_panels(host()))[shelves.MISSED] == 3 * panels


@pytest.mark.parametrize("bits, across, whole", [(512, False, 1), (512, True, 0), (256, False, 0)])
def test_rows_of_parts_of_lines_stay_where_those_are_as_quick(bits: int, across: bool, whole: int):
    """Else only rows of B that are whole lines, or short."""
    target = Target("x86_64", "y", bits, 32, fma=True, half=True, masks=True, packing_pays=False)
    target = replace(target, **near_by(4095), loads_across_lines=across)
    text = emit_kernel(xtriton.parse(kernel_text(*product())), target).text
    pitch = re.findall(r"%(\w+) = mul nsw i64 %\w+, 4\n", text)
    checks = re.findall(r"(?:srem|urem) i64 %(\w+), 64\b", text)
    assert len(set(checks) & set(pitch)) == whole
