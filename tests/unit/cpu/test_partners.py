"""Pairs that change places, as networks that sort write it: by the xor of both."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from tests.unit.cpu.test_reductions import load, store, tensor
from xtriton.cpu import jit
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import Target, host

RNG = np.random.default_rng(4)
NUMPY = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}


def dimensions(rank: int, axis: int | None = None) -> str:
    """Return a map of `rank` dimensions, with 0 in place of `axis`."""
    names = [f"d{d}" for d in range(rank)]
    results = ["0" if d == axis else name for d, name in enumerate(names)]
    return f"affine_map<({', '.join(names)}) -> ({', '.join(results)})>"


def generic(maps: list[str], inputs: str, output: str, body: str) -> str:
    rank = maps[0].split(")")[0].count("d")
    kinds = ", ".join(['"parallel"'] * rank)
    return (
        f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{kinds}]}} "
        f"ins({inputs}) outs({output}) {{\n{body}\n}} -> {output.split(' : ')[1]}"
    )


def exchange(shape: tuple[int, ...], axis: int, type: str, start: int = 0) -> str:
    """Return ops that make `%partner` of `%x`: x ^ (start ^ xor of x along `axis`)."""
    whole = tensor(shape, type)
    kept = tensor(tuple(n for d, n in enumerate(shape) if d != axis), type)
    thin = tensor(tuple(1 if d == axis else n for d, n in enumerate(shape)), type)
    rank = len(shape)
    groups = [[d] for d in range(rank) if d != axis]
    if axis > 0:
        groups[axis - 1].append(axis)
    else:
        groups[0].insert(0, 0)
    spread = generic(
        [dimensions(rank, axis), dimensions(rank)],
        f"%thin : {thin}",
        f"%empty : {whole}",
        f"^bb0(%in: {type}, %out: {type}):\n linalg.yield %in : {type}",
    )
    final = generic(
        [dimensions(rank)] * 3,
        f"%x, %spread : {whole}, {whole}",
        f"%empty : {whole}",
        f"^bb0(%a: {type}, %b: {type}, %out: {type}):\n"
        f" %y = arith.xori %a, %b : {type}\n linalg.yield %y : {type}",
    )
    sizes = [1 if d == axis else n for d, n in enumerate(shape)]
    return f"""
    %start = arith.constant {start} : {type}
    %none = tensor.empty() : {kept}
    %empty = tensor.empty() : {whole}
    %zero = linalg.fill ins(%start : {type}) outs(%none : {kept}) -> {kept}
    %sum = linalg.reduce ins(%x : {whole}) outs(%zero : {kept}) dimensions = [{axis}]
      (%in: {type}, %init: {type}) {{
        %y = arith.xori %in, %init : {type}
        linalg.yield %y : {type}
      }}
    %thin = tensor.expand_shape %sum {groups} output_shape {sizes} : {kept} into {thin}
    %spread = {spread}
    %partner = {final}
"""


CASES = [
    ((2, 2), 0, "i32"),
    ((2, 2), 1, "i32"),
    ((4, 2), 1, "i32"),
    ((64, 2), 1, "i32"),
    ((16, 2, 2), 1, "i64"),
    ((16, 2, 8), 1, "i32"),
    ((8, 2, 8), 1, "i8"),
    ((2, 2, 64), 1, "i16"),
    ((2, 128), 0, "i8"),
    ((3, 2), 1, "i32"),
    ((2, 2, 12), 1, "i32"),
    ((8, 4), 1, "i32"),
]


def values(shape: tuple[int, ...], type: str) -> np.ndarray[Any, Any]:
    info = np.iinfo(NUMPY[type])
    return RNG.integers(info.min, info.max, shape, dtype=NUMPY[type], endpoint=True)


def xored(x: np.ndarray[Any, Any], axis: int) -> np.ndarray[Any, Any]:
    return x ^ np.bitwise_xor.reduce(x, axis=axis, keepdims=True)


@pytest.mark.parametrize(("shape", "axis", "type"), CASES)
def test_pairs_change_places(
    native: Callable[..., Any], shape: tuple[int, ...], axis: int, type: str
):
    x = values(shape, type)
    body = load("x", "p", shape, type) + exchange(shape, axis, type)
    arguments = f"%p: memref<*x{type}>, %q: memref<*x{type}>"
    _, out = native(
        arguments, body + store("partner", "q", shape, type), [x.ravel(), np.zeros_like(x).ravel()]
    )
    np.testing.assert_array_equal(out.reshape(shape), xored(x, axis))


def test_a_sum_that_starts_elsewhere_is_no_exchange(native: Callable[..., Any]):
    x = values((16, 2), "i32")
    body = load("x", "p", (16, 2), "i32") + exchange((16, 2), 1, "i32", start=5)
    arguments = "%p: memref<*xi32>, %q: memref<*xi32>"
    _, out = native(
        arguments,
        body + store("partner", "q", (16, 2), "i32"),
        [x.ravel(), np.zeros_like(x).ravel()],
    )
    np.testing.assert_array_equal(out.reshape(16, 2), xored(x, 1) ^ 5)


def test_a_sum_needed_elsewhere_is_kept(native: Callable[..., Any]):
    x = values((16, 2), "i32")
    body = load("x", "p", (16, 2), "i32") + exchange((16, 2), 1, "i32")
    body += store("partner", "q", (16, 2), "i32") + store("sum", "r", (16,), "i32")
    arguments = "%p: memref<*xi32>, %q: memref<*xi32>, %r: memref<*xi32>"
    _, out, sums = native(
        arguments, body, [x.ravel(), np.zeros_like(x).ravel(), np.zeros(16, np.int32)]
    )
    np.testing.assert_array_equal(out.reshape(16, 2), xored(x, 1))
    np.testing.assert_array_equal(sums, np.bitwise_xor.reduce(x, axis=1))


def test_neighbours_change_places_in_registers():
    body = load("x", "p", (64, 2), "i32") + exchange((64, 2), 1, "i32")
    body += store("partner", "q", (64, 2), "i32")
    text = kernel_text("%p: memref<*xi32>, %q: memref<*xi32>", body)
    code = emit_kernel(xtriton.parse(text), host()).text
    assert "shufflevector" in code
    assert "xor i32" not in code


ZEN = Target("x86_64-unknown-linux-gnu", "znver3", 256, 16, fma=True, half=True)


@pytest.mark.skipif(not host().triple.startswith("x86_64"), reason="LLVM has this target there")
def test_one_of_each_pair_is_taken_without_masks(monkeypatch: pytest.MonkeyPatch):
    """What is selected between two buffers and stored in one is no store under a mask."""
    monkeypatch.setattr(jit, "SHORT_TEXT", 0)
    shape = (2,) * 10
    whole = tensor(shape, "i32")
    taken = generic(
        [dimensions(10)] * 3,
        f"%x, %partner : {whole}, {whole}",
        f"%empty : {whole}",
        "^bb0(%a: i32, %b: i32, %out: i32):\n %both = arith.addi %a, %b : i32\n"
        " %less = arith.cmpi slt, %both, %a : i32\n"
        " %c = arith.select %less, %b, %a : i32\n linalg.yield %c : i32",
    )
    body = load("x", "p", shape, "i32") + exchange(shape, 9, "i32")
    body += f"%taken = {taken}\n" + store("taken", "q", shape, "i32")
    body += store("taken", "r", shape, "i32")
    arguments = "%p: memref<*xi32>, %q: memref<*xi32>, %r: memref<*xi32>"
    module = xtriton.parse(kernel_text(arguments, body))
    text = jit.assembly(emit_kernel(module, ZEN, None).text, target=ZEN)
    assert "vpcmpgtd" in text
    assert "maskmov" not in text
