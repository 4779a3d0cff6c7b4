"""Rows that are reduced together: in order, each as by itself, and in few steps."""

import re
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from tests.unit.cpu.test_reductions import WIDE, ZEN, reduce_body
from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.emitter.folded_rows import fold_rows, rows_together
from xtriton.cpu.target import Target

RNG = np.random.default_rng(7)


class Lanes:
    """A builder whose vectors are lists of texts."""

    def __init__(self) -> None:
        self.vectors: dict[Operand, list[str]] = {}
        self.orders = list[Sequence[int]]()

    def new(self, lanes: list[str]) -> str:
        name = f"%{len(self.vectors)}"
        self.vectors[name] = lanes
        return name

    def shuffled(self, _: str, a: Operand, b: Operand, order: Sequence[int]) -> str:
        self.orders.append(order)
        both = self.vectors[a] + self.vectors.get(b, [])
        return self.new([both[lane] for lane in order])

    def combined(self, lanes: int, one: Operand, other: Operand) -> str:
        pairs = list(zip(self.vectors[one], self.vectors[other], strict=True))
        assert len(pairs) == lanes
        return self.new([f"({a}{b})" for a, b in pairs])


def by_halves(row: list[str]) -> str:
    """Return what a row makes by itself."""
    while len(row) > 1:
        half = len(row) // 2
        row = [f"({b}{a})" for a, b in zip(row[:half], row[half:], strict=True)]
    return row[0]


@pytest.mark.parametrize("bytes", [2, 4, 8])
@pytest.mark.parametrize(("lanes", "count"), [(4, 4), (8, 4), (8, 8), (16, 4), (16, 8), (16, 16)])
def test_rows_are_combined_as_by_themselves(bytes: int, lanes: int, count: int):
    b = Lanes()
    rows = [[f"{row}.{lane} " for lane in range(lanes)] for row in range(count)]
    found = fold_rows(
        cast(IRBuilder, b), "float", bytes, lanes, [b.new(row) for row in rows], b.combined
    )
    assert b.vectors[found] == [by_halves(row) for row in rows]
    halved = (lanes // count - 1).bit_length() * count
    assert len(b.orders) == 2 * (halved + count - 1)


def test_lanes_stay_in_their_part_of_a_vector():
    """All steps but the first do, of which the halves are such parts: to cross them takes longer."""
    b, part = Lanes(), 4
    rows = [b.new([f"{row}.{lane} " for lane in range(8)]) for row in range(8)]
    fold_rows(cast(IRBuilder, b), "float", 4, 8, rows, b.combined)
    crossing = [
        any(lane % 8 // part != place // part for place, lane in enumerate(order))
        for order in b.orders
    ]
    assert crossing == [True] * 8 + [False] * 6


def test_as_many_rows_as_lanes_come_together():
    assert [rows_together(size, 8) for size in (2, 3, 4, 8, 12, 64, 65)] == [1, 1, 4, 8, 4, 8, 1]
    assert rows_together(64, 16) == 16


@pytest.mark.parametrize("target", [ZEN, WIDE], ids=["AVX2", "AVX-512"])
@pytest.mark.parametrize("rows", [3, 32])
def test_vectors_of_rows_are_combined_two_by_two(target: Target, rows: int):
    body = reduce_body((rows, 256), [1], "arith.addf", "f32", "0.0")
    module = xtriton.parse(kernel_text("%x: memref<*xf32>, %o: memref<*xf32>", body))
    text = emit_kernel(module, target, None).text
    together = rows_together(rows, target.lanes(4))
    assert ("extractelement" in text) == (together == 1)
    if together > 1:
        shuffles = text.count(f"shufflevector <{together} x float>")
        assert shuffles == 2 * (together - 1)


@pytest.mark.parametrize("op", ["arith.addf", "arith.mulf", "arith.maxnumf", "arith.minimumf"])
@pytest.mark.parametrize("shape", [(4, 8), (8, 32), (12, 67), (32, 33), (64, 256), (16, 24)])
def test_rows_together(check: Any, op: str, shape: tuple[int, int]):
    x = RNG.uniform(0.9, 1.1, size=shape).astype(np.float32)
    if op.startswith("arith.m") and "mul" not in op:
        x[1, shape[1] // 2] = np.nan
        x[2, :] = np.inf
    initial = {"arith.addf": "0.5", "arith.mulf": "2.0"}.get(op, "1.0")
    found = check(
        "%x: memref<*xf32>, %o: memref<*xf32>",
        reduce_body(shape, [1], op, "f32", initial),
        [x, np.zeros(shape[0], np.float32)],
        rtol=1e-5,
    )[1]
    begin = float(initial)
    reduced = {
        "arith.addf": lambda: x.sum(1) + begin,
        "arith.mulf": lambda: x.prod(1) * begin,
        "arith.maxnumf": lambda: np.fmax(np.fmax.reduce(x, 1), begin),
        "arith.minimumf": lambda: np.minimum(x.min(1), begin),
    }[op]()
    np.testing.assert_allclose(found, reduced, rtol=1e-4)


@pytest.mark.parametrize("type", ["f16", "f64"])
def test_rows_of_other_floats_together(check: Any, type: str):
    number = {"f16": np.float16, "f64": np.float64}[type]
    x = RNG.normal(size=(16, 128)).astype(number)
    found = check(
        f"%x: memref<*x{type}>, %o: memref<*x{type}>",
        reduce_body((16, 128), [1], "arith.addf", type, "0.0"),
        [x, np.zeros(16, number)],
        rtol=2e-2,
    )[1]
    np.testing.assert_allclose(found, x.astype(np.float64).sum(1), rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("shape", [(4, 8, 40), (8, 1, 40), (1, 8, 40)])
def test_rows_of_blocks_of_three_dimensions(check: Any, shape: tuple[int, int, int]):
    x = RNG.normal(size=shape).astype(np.float32)
    found = check(
        "%x: memref<*xf32>, %o: memref<*xf32>",
        reduce_body(shape, [2], "arith.addf", "f32", "0.0"),
        [x, np.zeros(shape[:2], np.float32)],
        rtol=1e-5,
    )[1]
    np.testing.assert_allclose(found.reshape(shape[:2]), x.sum(2), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("target", "vectors"), [(ZEN, 4), (WIDE, 2)], ids=["AVX2", "AVX-512"])
def test_all_of_a_short_row_at_once_where_registers_are_few(target: Target, vectors: int):
    """Two turns of fewer vectors would go through memory there."""
    columns = 4 * target.lanes(4)
    body = reduce_body((16, columns), [1], "arith.addf", "f32", "0.0")
    module = xtriton.parse(kernel_text("%x: memref<*xf32>, %o: memref<*xf32>", body))
    text = emit_kernel(module, target, None).text
    # Beside them there are vectors and totals of the rows that come together, and the result.
    rows = target.lanes(4)
    buffers = {int(lanes) for lanes in re.findall(r"alloca \[(\d+) x float\]", text)}
    assert buffers == {vectors * rows, rows * rows, rows, 16}
