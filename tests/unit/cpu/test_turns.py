"""Launches that begin with their last programs, with all in groups or with some: each runs once."""

import ctypes
import struct
from math import prod
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu import Kernel, claims, compile_module
from xtriton.cpu.emitter import turns
from xtriton.cpu.job import job_offsets
from xtriton.cpu.threads import prototype

ARGUMENTS = "%o: memref<*xi32>, %c: memref<*xi32>"
BODY = """
    %plane = arith.muli %programs_x, %program_y : i32
    %in_plane = arith.addi %plane, %program_x : i32
    %size = arith.muli %programs_x, %programs_y : i32
    %before = arith.muli %size, %program_z : i32
    %number = arith.addi %before, %in_plane : i32
    %place = arith.index_cast %number : i32 to index
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %view = memref.reinterpret_cast %o to offset: [%place], sizes: [1], strides: [1] : memref<*xi32> to memref<1xi32, strided<[1], offset: ?>>
    %counter = memref.reinterpret_cast %c to offset: [0], sizes: [1], strides: [1] : memref<*xi32> to memref<1xi32, strided<[1]>>
    %count = memref.load %counter[%c0] : memref<1xi32, strided<[1]>>
    memref.store %count, %view[%c0] : memref<1xi32, strided<[1], offset: ?>>
    %more = arith.addi %count, %one : i32
    memref.store %more, %counter[%c0] : memref<1xi32, strided<[1]>>
"""
"""Stores for each program how many have run before."""


def compiled(more: str = "") -> Kernel:
    return compile_module(xtriton.parse(kernel_text(ARGUMENTS, BODY + more)))


def order(kernel: Kernel, grid: tuple[int, int, int], parts: int, back: int) -> Any:
    """Return when each program runs in a launch that begins with others, taken in parts."""
    total, out, counter = prod(grid), np.full(prod(grid), -1, np.int32), np.zeros(1, np.int32)
    slots = (out.ctypes.data, counter.ctypes.data)
    block = kernel.launch.format.pack(total, total, *grid, 0, *slots)
    job = ctypes.create_string_buffer(block, len(block))
    struct.pack_into("=i", job, job_offsets()["back"], back)
    function = prototype(kernel._library.addresses[kernel.code.entry])
    for part in range(1, parts + 1):
        struct.pack_into("=q", job, job_offsets()["next"], total * (part - 1) // parts)
        struct.pack_into("=q", job, job_offsets()["total"], total * part // parts)
        function(job, None)
    assert counter[0] == total
    return out


def mirrored(total: int) -> list[int]:
    """Return the programs of a launch in the order in which groups of them run."""
    ends = range(total, 0, -claims.GROUP)
    return [number for end in ends for number in range(max(end - claims.GROUP, 0), end)]


@pytest.mark.parametrize("grid", [(1, 1, 1), (16, 1, 1), (37, 1, 1), (5, 7, 3), (3, 1, 32)])
@pytest.mark.parametrize("parts", [1, 3])
def test_groups_from_the_last_to_the_first(grid: tuple[int, int, int], parts: int) -> None:
    when = order(compiled(), grid, parts, -1)
    assert np.argsort(when).tolist() == mirrored(prod(grid))


@pytest.mark.parametrize("grid", [(1, 1, 1), (16, 1, 1), (5, 7, 3)])
@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("share", [0, 0.1, 0.5, 1])
def test_some_of_the_last_come_first(grid: tuple[int, int, int], parts: int, share: float) -> None:
    total = prod(grid)
    last = int(share * (total - 1))
    when = order(compiled(), grid, parts, last)
    assert np.argsort(when).tolist() == [*range(total - last, total), *range(total - last)]


def test_what_is_small_or_very_large_stays_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight bytes of each program are all that is touched."""
    monkeypatch.setattr(turns, "NEAR", 8 * 40)
    monkeypatch.setattr(turns, "FAR", 8 * 50)
    assert compiled().launch.returning == range(40, 51)


@pytest.mark.parametrize(
    "more",
    [
        """
    %was = memref.atomic_rmw addi %one, %counter[%c0] : (i32, memref<1xi32, strided<[1]>>) -> i32
    %less = arith.subi %was, %was : i32
    memref.store %more, %counter[%c0] : memref<1xi32, strided<[1]>>""",
        """
    %again = memref.load %counter[%c0] {tt.volatile} : memref<1xi32, strided<[1]>>
    memref.store %again, %counter[%c0] : memref<1xi32, strided<[1]>>""",
    ],
    ids=["atomics", "volatile loads"],
)
def test_programs_that_may_wait_for_others_run_in_order(more: str) -> None:
    assert not compiled(more).launch.returning
