"""Products in register tiles of four vectors, whatever this CPU would have, and what they ask for."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.unit.cpu import test_panels, test_product_ends, test_rounded_sums
from tests.unit.cpu.test_panels import ARGUMENTS, M, aligned, lines_in, near_by, operands, pitches
from tests.unit.cpu.test_rounded_sums import rounded, rounds, to_bf16
from xtriton.cpu.emitter import lookahead, panels
from xtriton.cpu.emitter.panels import panel_depth
from xtriton.cpu.target import host

FAR = 1 << 20
"""Rows of no matrix here are so far apart."""


@pytest.fixture(params=[64, 96, 128])
def width(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> int:
    """Have blocks of a result that are so wide: one tile, a half more, or two."""
    narrow, wide = test_panels.N, request.param
    for module in (test_panels, test_product_ends):
        monkeypatch.setattr(module, "N", wide)
        monkeypatch.setattr(module, "COLUMNS", 2 * wide)
    rounding = test_rounded_sums.ROUNDING.replace(f"{M}x{narrow}x", f"{M}x{wide}x")
    monkeypatch.setattr(test_rounded_sums, "ROUNDING", rounding)
    return wide


@pytest.mark.parametrize("near", [0, FAR])
def test_any_number_of_columns(build: Callable[..., Any], width: int, near: int):
    arguments, body = f"{ARGUMENTS}, %r: i32, %s: i32", test_product_ends.edge()
    kernel = build(arguments, body, tile_vectors=4, masks=True, **near_by(near))
    a, b = operands(150)
    for columns in range(0, 2 * width + 1, 3):
        rows = 3 * M - columns % 23
        c = np.full((3 * M, 2 * width), 7, np.float32)
        kernel((3, 2, 1), [a, b, c, 150, *pitches(a, b), rows, columns], threads=1)
        np.testing.assert_array_equal(c[:rows, :columns], (a @ b)[:rows, :columns])
        assert np.all(c[rows:] == 7)
        assert np.all(c[:, columns:] == 7)


@rounds
def test_sums_are_rounded(build: Callable[..., Any], width: int):
    kernel = build(*rounded(test_panels.product()[1]), tile_vectors=4)
    assert "cvtne2ps2bf16" in kernel.code.text
    a, b = (40 * x + 1 for x in operands(300))
    c = np.zeros((3 * M, 2 * width), np.uint16)
    kernel((3, 2, 1), [a, b, c, 300, *pitches(a, b)])
    np.testing.assert_array_equal(c, to_bf16(a @ b))


@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.parametrize("least", [1, 1000])
def test_rows_in_place_are_asked_for(
    build: Callable[..., Any],
    asked: list[int],
    monkeypatch: pytest.MonkeyPatch,
    least: int,
    asks: bool,
):
    """Those behind along K, and the next rows of A, unless numbers are in few products."""
    monkeypatch.setattr(panels, "LEAST_PRODUCTS", least)
    kernel = build(*test_panels.product(), asks_in_place=asks, **near_by(FAR))
    deep = panel_depth(host())
    a, b = (aligned(x) for x in operands(2 * deep))
    c = np.zeros((3 * M, 2 * test_panels.N), np.float32)
    for _ in range(2):  # The first launch times programs, alone.
        asked.clear()
        kernel((2, 1, 1), [a, b, c, 2 * deep, *pitches(a, b)], threads=1)
    block = slice(2 * M), slice(test_panels.N)
    np.testing.assert_array_equal(c[block], (a @ b)[block])
    of_a, of_b = (lines_in(asked, x).reshape(len(x), -1) for x in (a, b))
    if not asks or least > 1:
        assert not np.any(of_a)
        assert not np.any(of_b)
        return
    half = deep * a.itemsize // lookahead.LINE
    assert np.all(of_a[: 2 * M, half:] >= 1)
    assert np.all(of_a[M:, :half] >= 1)
    assert not np.any(of_a[:M, :half])
    row = test_panels.N * b.itemsize // lookahead.LINE
    assert np.any(of_b[deep:, :row])
    assert not np.any(of_b[:deep])


def test_what_is_packed_next_is_as_far_away_as_before(build: Callable[..., Any], asked: list[int]):
    """Of programs from the last rows on the third packs those above the second's."""
    arguments, body = test_panels.product()
    backwards = """
    %two = arith.constant 2 : index
    %turned = arith.subi %two, %x : index
    %row0 = arith.muli %turned, %m : index"""
    body = body.replace("    %row0 = arith.muli %x, %m : index", backwards)
    kernel, deep = build(arguments, body, packing_pays=True, **near_by(0)), panel_depth(host())
    a, b = (aligned(x) for x in operands(2 * deep))
    c = np.zeros((3 * M, 2 * test_panels.N), np.float32)
    for _ in range(2):
        asked.clear()
        kernel((3, 2, 1), [a, b, c, 2 * deep, *pitches(a, b)], threads=1)
    np.testing.assert_array_equal(c, a @ b)
    half = deep * a.itemsize // lookahead.LINE
    first = lines_in(asked, a).reshape(3 * M, -1)[:, :half]
    assert np.all(first[:M] >= 1)
    assert not np.any(first[M : 2 * M])
