# pyright: reportUnknownParameterType=false, reportMissingParameterType=false
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""Bands of programs store what the programs store: the same bits, as the interpreter runs both."""

from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest

pytest.importorskip("triton")
import triton
import triton.language as tl
from xdsl.dialects.builtin import ModuleOp

import xtriton as xt
from xtriton.analysis.report import kernels
from xtriton.interpreter.arguments import PerProgram, parameters
from xtriton.interpreter.machine import Program
from xtriton.ir.attributes import string
from xtriton.judge.launches.draws import Draw, draws
from xtriton.judge.launches.execution import execute
from xtriton.transforms.triton.bands.order import NotSplit
from xtriton.transforms.triton.split_programs import split_programs

jit: Any = triton.jit  # types do not describe Triton's language

SIZES = {"M": 64, "N": 32, "K": 16}
MATRICES = {"a": "*fp32", "b": "*fp32", "c": "*fp32", "m": "i32", "n": "i32", "k": "i32"}


@jit
def product(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    pid = tl.program_id(0)
    across = tl.cdiv(n, N)
    rows = pid // across * M + tl.arange(0, M)
    columns = pid % across * N + tl.arange(0, N)
    sums = tl.zeros((M, N), tl.float32)
    for start in range(0, k, K):
        ks = start + tl.arange(0, K)
        left = tl.load(
            a + rows[:, None] * k + ks[None, :], (rows[:, None] < m) & (ks[None, :] < k), 0.0
        )
        right = tl.load(
            b + ks[:, None] * n + columns[None, :], (ks[:, None] < k) & (columns[None, :] < n), 0.0
        )
        sums = tl.dot(left, right, sums)
    mask = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * n + columns[None, :], sums, mask)


@jit
def with_end(a, b, bias, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows, columns, ks = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    left = tl.load(a + rows[:, None] * k + ks[None, :], rows[:, None] < m, 0.0)
    right = tl.load(b + columns[:, None] * k + ks[None, :], columns[:, None] < n, 0.0)
    sums = tl.dot(left, tl.trans(right)) + tl.load(bias + columns, columns < n, 0.0)[None, :]
    if n > 7:
        sums = tl.maximum(sums, 0.0)
    mask = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * n + columns[None, :], sums, mask)


@jit
def by_columns(a, c, n, M: tl.constexpr, N: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.program_id(0) * N + tl.arange(0, N)
    x = tl.load(a + rows[:, None] * n + columns[None, :], columns[None, :] < n, 0)
    tl.store(c + columns, tl.max(x, 0) + tl.num_programs(0), columns < n)


@jit
def softmax(x, y, n, M: tl.constexpr, N: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    at = rows[:, None] * n + columns[None, :]
    v = tl.exp(tl.load(x + at))
    tl.store(y + at, v / tl.sum(v, 1, keep_dims=True))


@jit
def gelu(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(y + i, v * (v + 0.044715 * v * v * v))


@jit
def in_place(x, w, n, M: tl.constexpr, N: tl.constexpr):
    rows, columns = tl.arange(0, M), tl.arange(0, N)
    at = rows[:, None] * n + columns[None, :]
    by = columns[:, None] * N + columns[None, :]
    tl.store(x + at, tl.dot(tl.load(x + at), tl.load(w + by)))


def module_of(kernel: Any, types: dict[str, str], sizes: dict[str, int]) -> ModuleOp:
    return xt.parse(xt.ttir(kernel, types, constexprs=sizes))


def launches(module: ModuleOp) -> list[Draw]:
    """Return launches with all programs of small grids, to which scalars are the same."""
    (function,) = kernels(module)
    found: list[Draw] = []
    for draw in islice(draws(function, parameters(function), calm=True), 4):
        x, y, z = (min(size, 2) for size in draw.grid)
        values = tuple(
            v.of(draw.programs[0]) if isinstance(v, PerProgram) else v for v in draw.values
        )
        found.append(replace(draw, grid=(x, y, z), values=values, smaller=()))
    return found


def stored(module: ModuleOp, draw: Draw, bands: int) -> dict[int, Any]:
    """Return what a whole grid stores, of `bands` times as many programs along x."""
    (function,) = kernels(module)
    x, y, z = draw.grid
    programs = tuple(range(x * bands * y * z))
    own = replace(draw, grid=(x * bands, y, z), programs=programs)
    return execute(Program(module), string(function, "sym_name"), own).written


@pytest.mark.parametrize("bands", [2, 4])
@pytest.mark.parametrize(
    ("kernel", "types", "sizes"),
    [
        (product, MATRICES, SIZES),
        (product, MATRICES, {"M": 8, "N": 64, "K": 16}),
        (with_end, {"a": "*fp32", "b": "*fp32", "bias": "*fp32", **MATRICES}, SIZES),
        (by_columns, {"a": "*i32", "c": "*i32", "n": "i32"}, {"M": 16, "N": 64}),
    ],
    ids=["product", "product by columns", "bias and maximum", "greatest of columns"],
)
def test_bands_store_the_same_bits(
    kernel: Any, types: dict[str, str], sizes: dict[str, int], bands: int
):
    names = [n for n in kernel.arg_names if n not in sizes]
    whole = module_of(kernel, {n: types[n] for n in names}, sizes)
    split = whole.clone()
    (function,) = kernels(split)
    split_programs(function, bands)
    split.verify()
    drawn = launches(whole)
    assert drawn
    for draw in drawn:
        before, after = stored(whole, draw, 1), stored(split, draw, bands)
        assert before
        assert before.keys() == after.keys()
        for place, (offsets, octets) in before.items():
            np.testing.assert_array_equal(offsets, after[place][0])
            np.testing.assert_array_equal(octets, after[place][1])


@pytest.mark.parametrize(
    ("kernel", "types", "sizes", "reason"),
    [
        (softmax, {"x": "*fp32", "y": "*fp32", "n": "i32"}, {"M": 64, "N": 32}, "'tt.reduce' of"),
        (gelu, {"x": "*fp32", "y": "*fp32"}, {"N": 64}, "fused"),
        (in_place, {"x": "*fp32", "w": "*fp32", "n": "i32"}, {"M": 64, "N": 32}, "to which it"),
    ],
    ids=["sums of rows", "products and sums", "in place"],
)
def test_what_might_differ_is_left_alone(
    kernel: Any, types: dict[str, str], sizes: dict[str, int], reason: str
):
    module = module_of(kernel, types, sizes)
    text = xt.print(module)
    (function,) = kernels(module)
    with pytest.raises(NotSplit, match=reason):
        split_programs(function, 2)
    assert xt.print(module) == text
