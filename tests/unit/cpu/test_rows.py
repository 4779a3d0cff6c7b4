"""Loops over blocks of consecutive places of an image, which are written row by row."""

from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import (
    emitted,
    integers_of_places,
    kernel_text,
    loops_in_rows,
    loops_of,
    of_some,
)
from xtriton.cpu.builder import IRBuilder
from xtriton.cpu.emitter import emit_kernel, rows
from xtriton.cpu.emitter.limits import Quotient
from xtriton.cpu.emitter.rows import SHORTEST, Rows
from xtriton.cpu.module import Module
from xtriton.cpu.target import Target

SIZE = 100
ARGUMENTS = "%o: memref<*xi32>, %base: i32"
LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1


def body(*divisors: int) -> str:
    """
    Return a kernel that stores the sum of (base + i) / d + 1000 · ((base + i) % d) over all d.

    In 32 bits, and rounding to zero.
    """
    terms = "".join(
        f"""
      %d{n} = arith.constant {divisor} : i32
      %q{n} = arith.divsi %sum, %d{n} : i32
      %r{n} = arith.remsi %sum, %d{n} : i32
      %t{n} = arith.muli %r{n}, %thousand : i32
      %u{n} = arith.addi %q{n}, %t{n} : i32
      %v{n + 1} = arith.addi %v{n}, %u{n} : i32"""
        for n, divisor in enumerate(divisors)
    )
    constants = """
    %thousand = arith.constant 1000 : i32
    %v0 = arith.constant 0 : i32"""
    return integers_of_places(SIZE, constants, terms, f"%v{len(divisors)}")


def expected(base: int, divisors: tuple[int, ...]) -> list[int]:
    numbers = (np.arange(SIZE) + base + (1 << 31)) % (1 << 32) - (1 << 31)
    total = np.zeros(SIZE, np.int64)
    for divisor in divisors:
        quotient = np.sign(numbers) * (np.abs(numbers) // divisor)
        total += quotient + 1000 * (numbers - quotient * divisor)
    return total.astype(np.int32).tolist()


@pytest.mark.parametrize("divisors", [(28,), (16, 48), (48, 16, 40), (7, 49), (100,), (HIGHEST,)])
@pytest.mark.parametrize("base", [0, 5, -1, -64, LOWEST, HIGHEST - 40, HIGHEST - 99, 12345])
def test_quotients_and_remainders(check: Any, divisors: tuple[int, ...], base: int):
    (found,) = check(ARGUMENTS, body(*divisors), [np.zeros(SIZE, np.int32), base])
    assert found.tolist() == expected(base, divisors)


@pytest.mark.parametrize(
    ("divisors", "in_rows", "in_columns"),
    [((28,), 1, 0), ((48, 16, 32), 3, 0), ((48, 16, 40), 2, 1), ((16, 7), 1, 1)],
)
def test_divisions(divisors: tuple[int, ...], in_rows: int, in_columns: int):
    """
    Rows are as long as the least divisor is; others that are no multiple divide in them.

    What they are divided by is divided once. Where a sum may be negative each element is.
    """
    first, _, rest = native_text(*divisors).partition("\nrow")
    head, _, rest = rest.partition("\nloop")
    inside, _, behind = rest.partition("\nelse")
    counts = [part.count("sdiv") for part in (first, head, inside, behind)]
    assert counts == [in_rows, 0, in_columns, len(divisors)]


@pytest.mark.parametrize(("bits", "registers"), [(256, 16), (512, 32)])
def test_wide_vectors_of_a_row_come_one_at_a_time(bits: int, registers: int):
    """Of a short row four of 16 numbers would leave most to do one by one."""
    target = Target("x86_64-unknown-linux-gnu", "x86-64-v4", bits, registers, fma=True, half=True)
    module = xtriton.parse(kernel_text(ARGUMENTS, body(28)))
    text = emit_kernel(module, target, None).text
    assert ('"llvm.loop.interleave.count", i32 1' in text) == (bits == 512)


MASKED = integers_of_places(
    SIZE,
    """
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32""",
    """
      %in = arith.cmpi slt, %sum, %limit : i32
      %v = arith.select %in, %one, %two : i32""",
    "%v",
)


@pytest.mark.parametrize("limit", [0, 40, SIZE, -50, LOWEST, LOWEST + 30, HIGHEST, HIGHEST - 70])
@pytest.mark.parametrize("base", [0, 5, -1, -64, LOWEST, HIGHEST - 40, HIGHEST - 99])
def test_masks(check: Any, base: int, limit: int):
    values = [np.zeros(SIZE, np.int32), base, limit]
    (found,) = check(f"{ARGUMENTS}, %limit: i32", MASKED, values)
    numbers = (np.arange(SIZE) + base + (1 << 31)) % (1 << 32) - (1 << 31)
    assert found.tolist() == np.where(numbers < limit, 1, 2).tolist()


@pytest.mark.parametrize("count", [0, 1, 50, SIZE])
def test_as_much_as_there_is(check: Any, count: int):
    """A program behind the end of the array stores nothing."""
    for kernel, values in ((body(28), ()), (MASKED, (40,))):
        arguments = f"{ARGUMENTS}, %count: i32" + ", %limit: i32" * len(values)
        arrays = [np.full(SIZE, -1, np.int32), 5, count, *values]
        (found,) = check(arguments, of_some(kernel, SIZE), arrays)
        assert (found[count:] == -1).all()
        assert (found[:count] != -1).all()


def test_masks_are_asked_of_parts():
    """Not of each element: the loop compares its index with its end, and nothing else."""
    (loop,) = loops_of(emitted(f"{ARGUMENTS}, %limit: i32", MASKED))
    assert loop.count("icmp") == 1


def columns(predicate: str, limit: int, *divisors: int, type: str = "i32") -> str:
    """Return a kernel that stores whether (base + i) % d - 3 compares so with a limit for all d."""
    extended = (
        "arith.extsi %s{n} : i32 to i64" if type == "i64" else "arith.addi %s{n}, %zero : i32"
    )
    terms = "".join(
        f"""
      %d{n} = arith.constant {divisor} : i32
      %r{n} = arith.remsi %sum, %d{n} : i32
      %s{n} = arith.addi %r{n}, %less : i32
      %x{n} = {extended.format(n=n)}
      %in{n} = arith.cmpi {predicate}, %x{n}, %limit : {type}
      %v{n + 1} = arith.select %in{n}, %v{n}, %zero : i32"""
        for n, divisor in enumerate(divisors)
    )
    constants = f"""
    %less = arith.constant -3 : i32
    %zero = arith.constant 0 : i32
    %limit = arith.constant {limit} : {type}
    %v0 = arith.constant 1 : i32"""
    return integers_of_places(SIZE, constants, terms, f"%v{len(divisors)}")


COMPARED = {"slt": np.less, "sle": np.less_equal, "sgt": np.greater, "sge": np.greater_equal}


@pytest.mark.parametrize("divisors", [(28,), (28, 40)])
@pytest.mark.parametrize("type", ["i32", "i64"])
@pytest.mark.parametrize("limit", [0, 20, -2, 30, LOWEST, HIGHEST])
@pytest.mark.parametrize("predicate", list(COMPARED))
def test_masks_of_columns(
    check: Any,
    monkeypatch: pytest.MonkeyPatch,
    predicate: str,
    limit: int,
    type: str,
    divisors: tuple[int, ...],
):
    monkeypatch.setattr(rows, "LONG", SHORTEST)
    for base in (0, 5, -1, -64, LOWEST, HIGHEST - 40, 12345):
        kernel = columns(predicate, limit, *divisors, type=type)
        (found,) = check(ARGUMENTS, kernel, [np.zeros(SIZE, np.int32), base])
        numbers = (np.arange(SIZE) + base + (1 << 31)) % (1 << 32) - (1 << 31)
        rests = (np.sign(numbers) * (np.abs(numbers) % divisor) - 3 for divisor in divisors)
        holds = (COMPARED[predicate](rest, limit) for rest in rests)
        assert found.tolist() == np.logical_and.reduce([*holds]).astype(int).tolist()


@pytest.mark.parametrize("type", ["i32", "i64"])
@pytest.mark.parametrize(("divisors", "comparisons"), [((28,), 1), ((28, 56), 1), ((28, 40), 2)])
def test_masks_of_columns_are_asked_of_parts(
    monkeypatch: pytest.MonkeyPatch, divisors: tuple[int, ...], comparisons: int, type: str
):
    """Where rows are as long as the divisor is, or a part of it, and long enough for parts."""
    assert compared_in_loop(divisors, type) == 1 + len(divisors)
    monkeypatch.setattr(rows, "LONG", SHORTEST)
    assert compared_in_loop(divisors, type) == comparisons


def compared_in_loop(divisors: tuple[int, ...], type: str) -> int:
    (loop,) = loops_in_rows(emitted(ARGUMENTS, columns("sge", 0, *divisors, type=type)))
    return loop.count("icmp")


SKEWED = integers_of_places(
    SIZE,
    """
    %d = arith.constant 28 : i32
    %wide = arith.constant 56 : i64
    %minus_two = arith.constant -2 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %five = arith.constant 5 : i32
    %limit = arith.constant 20 : i64
    %zero = arith.constant 0 : i64""",
    """
      %q = arith.divsi %sum, %d : i32
      %r = arith.remsi %sum, %d : i32
      %s = arith.remsi %q, %three : i32
      %t = arith.muli %s, %two : i32
      %less = arith.addi %t, %minus_two : i32
      %column = arith.addi %r, %less : i32
      %at = arith.extsi %column : i32 to i64
      %c0 = arith.cmpi sge, %at, %zero : i64
      %c1 = arith.cmpi slt, %at, %limit : i64
      %c2 = arith.cmpi ne, %s, %two : i32
      %in = arith.andi %c0, %c1 : i1
      %both = arith.andi %c2, %in : i1
      %a = arith.select %both, %column, %five : i32
      %b = arith.select %both, %q, %a : i32
      %quotient = arith.divsi %at, %wide : i64
      %short = arith.trunci %quotient : i64 to i32
      %v = arith.addi %b, %short : i32""",
    "%v",
)
"""Columns that each row shifts, of which some are left out, with a mask of rows and columns."""


@pytest.mark.parametrize("base", [0, 5, 27, 28, 60, -1, -64, LOWEST, HIGHEST - 40, 12345])
def test_numbers_of_rows(check: Any, monkeypatch: pytest.MonkeyPatch, base: int):
    monkeypatch.setattr(rows, "LONG", SHORTEST)
    (found,) = check(ARGUMENTS, SKEWED, [np.zeros(SIZE, np.int32), base])
    numbers = (np.arange(SIZE) + base + (1 << 31)) % (1 << 32) - (1 << 31)
    q, r = np.trunc(numbers / 28).astype(int), np.fmod(numbers, 28)
    s = np.fmod(q, 3)
    column = r + 2 * s - 2
    both = (column >= 0) & (column < 20) & (s != 2)
    expected = np.where(both, q, 5) + np.trunc(column / 56).astype(int)
    assert found.tolist() == expected.tolist()


def test_numbers_of_rows_are_computed_ahead(monkeypatch: pytest.MonkeyPatch):
    """What rows and columns are chosen by decides for each part."""
    monkeypatch.setattr(rows, "LONG", SHORTEST)
    loops = loops_in_rows(emitted(ARGUMENTS, SKEWED))
    assert len(loops) == 2
    assert not any("select" in loop or loop.count("br i1") > 1 for loop in loops)


@pytest.mark.parametrize(("steps", "selects"), [(4, 0), (5, 2)])
def test_long_chains_are_not_computed_ahead(steps: int, selects: int):
    """What has itself in common with itself is a tree of numbers that doubles with each step."""
    squares = "".join(f"\n      %s{n + 1} = arith.muli %s{n}, %s{n} : i32" for n in range(steps))
    each = f"""
      %s0 = arith.divsi %sum, %d : i32{squares}
      %in = arith.cmpi slt, %s{steps}, %one : i32
      %u = arith.select %in, %s0, %sum : i32
      %v = arith.select %in, %sum, %u : i32"""
    constants = """
    %d = arith.constant 28 : i32
    %one = arith.constant 1 : i32"""
    kernel = integers_of_places(SIZE, constants, each, "%v")
    loops = loops_in_rows(emitted(ARGUMENTS, kernel))
    assert sum(loop.count("select") for loop in loops) == selects


@pytest.mark.parametrize(("masks", "comparisons"), [(4, 1), (5, 6)])
def test_many_masks_are_asked_of_elements(
    monkeypatch: pytest.MonkeyPatch, masks: int, comparisons: int
):
    """But the loop goes by rows."""
    monkeypatch.setattr(rows, "LONG", SHORTEST)
    conditions = "".join(
        f"""
      %l{n} = arith.constant {n + 2} : i32
      %in{n} = arith.cmpi slt, %r, %l{n} : i32
      %v{n + 1} = arith.select %in{n}, %v{n}, %one : i32"""
        for n in range(masks)
    )
    kernel = integers_of_places(
        SIZE,
        """
    %d = arith.constant 28 : i32
    %one = arith.constant 1 : i32
    %v0 = arith.constant 0 : i32""",
        f"""
      %r = arith.remsi %sum, %d : i32
{conditions}""",
        f"%v{masks}",
    )
    text = emitted(ARGUMENTS, kernel)
    (loop,) = loops_in_rows(text)
    assert loop.count("icmp") == comparisons
    assert "\nrow" in text


def test_short_rows():
    assert "\nrow" not in native_text(7)


def native_text(*divisors: int) -> str:
    return emitted(ARGUMENTS, body(*divisors))


def test_quotients_have_the_same_order_in_every_process():
    """A set gives those that are alike in most of what they are as it likes."""
    alike = [Quotient("i64", ("%base",), 64, floors) for floors in (False, True)]
    first: list[Any] = []
    for order in (alike, alike[::-1]):
        found: Any = Rows(IRBuilder(Module()), 0)
        found.found = order
        first.append(found.shortest())
    assert first[0] == first[1]
