"""Turns of a loop that a product leaps over, as it is known where their blocks lie."""

import ctypes
from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.test_in_place import FAR
from tests.unit.cpu.test_panels import (
    COLUMNS,
    ROWS,
    K,
    M,
    N,
    lying,
    near_by,
    operands,
    pitches,
    product,
)
from xtriton.cpu.arenas import arena
from xtriton.cpu.emitter import control, leaps
from xtriton.cpu.emitter.panels import panel_depth
from xtriton.cpu.target import host

DEPTH = panel_depth(host())

TURN = "%k0 = arith.muli %k, %block : index"
STEPS = "%steps = arith.divui %above1, %block : index"


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Give whether loops of what is compiled meanwhile may leap."""
    found: list[bool] = []

    def plan_leap(*arguments: Any) -> Any:
        leap = leaps.plan_leap(*arguments)
        found.append(leap is not None)
        return leap

    monkeypatch.setattr(control, "plan_leap", plan_leap)
    return found


def carried(body: str) -> str:
    """Return the loop with places that it carries on."""
    body = body.replace(TURN, "").replace(
        "iter_args(%c_in = %start) -> (", "iter_args(%k0 = %c0, %c_in = %start) -> (index, "
    )
    body = body.replace("%sum = scf.for", "%end, %sum = scf.for")
    yielded = "%next = arith.addi %k0, %block : index\n      scf.yield %next, %more : index, "
    return body.replace("scf.yield %more : ", yielded)


def narrow(body: str) -> str:
    """Return the loop with places that are computed in 32 bits."""
    return body.replace(
        TURN,
        """%k32 = arith.index_cast %k : index to i32
      %block32 = arith.constant 8 : i32
      %product = arith.muli %k32, %block32 : i32
      %k0 = arith.index_cast %product : i32 to index""",
    )


def by_blocks(body: str) -> str:
    """Return the loop with turns that are a block apart."""
    body = body.replace("%k = %c0 to %steps step %c1", "%k0 = %c0 to %depth step %block")
    return body.replace(TURN, "")


def every_other(body: str) -> str:
    """Return the loop past every other block."""
    twice = "%twice = arith.constant 16 : index"
    above = f"{twice}\n    %above2 = arith.addi %above1, %block : index"
    body = body.replace(STEPS, f"{above}\n    %steps = arith.divui %above2, %twice : index")
    return body.replace(TURN, "%k0 = arith.muli %k, %twice : index")


def squares(body: str) -> str:
    """Return the loop with places that no sums follow from, and are the same."""
    square = """%square = arith.muli %k, %k : index
      %zero_k = arith.subi %square, %square : index
      %number = arith.addi %k, %zero_k : index
      %k0 = arith.muli %number, %block : index"""
    return body.replace(TURN, square)


def looked_at(kernel: Any, values: list[Any]) -> int:
    """Return how many words of the kernel's memory are 0 behind a launch of one program."""
    kernel((1, 1, 1), values, threads=1)
    size = kernel.code.arena_bytes
    start = arena(size)
    assert start is not None
    ctypes.memset(start, 0xFF, size)
    kernel((1, 1, 1), values, threads=1)
    words: Any = np.frombuffer((ctypes.c_char * size).from_address(start), np.int64)
    return int(np.sum(words == 0))


@pytest.mark.parametrize("form", [str, carried, narrow, by_blocks])
@pytest.mark.parametrize("turned", ["", "a"])
def test_blocks_between_the_first_and_the_last_are_not_looked_at(
    build: Any, planned: list[bool], form: Any, turned: str
):
    arguments, body = product(turned)
    kernel = build(arguments, form(body), **near_by(FAR), packing_pays=False)
    assert planned == [True]
    seen: list[int] = []
    for depth in (K, 2 * K, DEPTH - K, DEPTH - K + 4, DEPTH, 2 * DEPTH, 2 * DEPTH + 3 * K):
        a, b = operands(depth)
        stored = [lying(a, "a" in turned), lying(b, "b" in turned)]
        c = np.zeros((ROWS, COLUMNS), np.float32)
        seen.append(looked_at(kernel, [*stored, c, depth, *pitches(*stored)]))
        np.testing.assert_array_equal(c[:M, :N], (a @ b)[:M, :N])
    assert len(set(seen)) == 1


@pytest.mark.parametrize("depth", [3, 16, 40, 41, 300, 511])
@pytest.mark.parametrize("form", [str, carried, narrow, by_blocks, every_other, squares])
def test_all_that_there_is_counts(build: Any, form: Any, depth: int):
    arguments, body = product()
    kernel = build(arguments, form(body), **near_by(FAR), packing_pays=False)
    a, b = operands(depth)
    c = np.zeros((ROWS, COLUMNS), np.float32)
    kernel((3, 2, 1), [a, b, c, depth, *pitches(a, b)], threads=1)
    if form is every_other:
        kept = np.arange(depth) // K % 2 == 0
        a, b = a[:, kept], b[kept]
    np.testing.assert_array_equal(c, a @ b)


def gone_in_between(body: str) -> str:
    """Return the loop with blocks of which there may be nothing where there is of the next."""
    return body.replace("arith.minsi %left", "arith.maxsi %left")


def slow(body: str) -> str:
    """Return the loop with blocks of which each has one number less than the one before."""
    return body.replace("arith.subi %depth, %k0", "arith.subi %depth, %k")


def busy(body: str) -> str:
    """Return the loop with a number that each turn stores."""
    type = "memref<?xf32"
    first = f"memref.reinterpret_cast %c to offset: [0], sizes: [%steps], strides: [1] : memref<*xf32> to {type}>"
    body = body.replace("%sum = scf.for", f"%first = {first}\n    %sum = scf.for")
    return body.replace("scf.yield", f"memref.store %zero, %first[%k] : {type}>\n      scf.yield")


@pytest.mark.parametrize("change", [squares, gone_in_between, slow, busy])
def test_nothing_is_leapt_over_that_may_differ(build: Any, planned: list[bool], change: Any):
    arguments, body = product()
    build(arguments, change(body))
    assert planned == [False]
