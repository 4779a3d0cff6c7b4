"""Products in loops that do more than to add them up, as attention does."""

import re
from typing import Any

import numpy as np
import pytest

RNG = np.random.default_rng(7)
SIZE = 16
NUMPY = {"f16": np.float16, "f32": np.float32}
ARGUMENTS = "%a: memref<*x{type}>, %b: memref<*x{type}>, %c: memref<*xf32>, %n: i32"
BLOCK = f"tensor<{SIZE}x{SIZE}xf32>"


def loaded(name: str, type: str) -> str:
    """Return the load of a whole argument."""
    block = f"memref<{SIZE}x{SIZE}x{type}, strided<[{SIZE}, 1]>>"
    return f"""
    %v{name} = memref.reinterpret_cast %{name} to offset: [0], sizes: [{SIZE}, {SIZE}], strides: [{SIZE}, 1] : memref<*x{type}> to {block}
    %t{name} = bufferization.to_tensor %v{name} restrict : {block} to tensor<{SIZE}x{SIZE}x{type}>
"""


def elementwise(result: str, op: str, left: str, right: str, maps: str = "#id2, #id2") -> str:
    """Return `result = left op right` of blocks."""
    return f"""
      %{result}_e = tensor.empty() : {BLOCK}
      %{result} = linalg.generic {{indexing_maps = [{maps}, #id2], iterator_types = ["parallel", "parallel"]}} ins(%{left}, %{right} : {BLOCK}, {BLOCK}) outs(%{result}_e : {BLOCK}) {{
      ^bb0(%x: f32, %y: f32, %out: f32):
        %z = {op} %x, %y : f32
        linalg.yield %z : f32
      }} -> {BLOCK}
"""


def matmul(result: str, left: str, right: str, begin: str, type: str) -> str:
    block = f"tensor<{SIZE}x{SIZE}x{type}>"
    return f"""
      %{result} = linalg.matmul ins(%{left}, %{right} : {block}, {block}) outs(%{begin} : {BLOCK}) -> {BLOCK}
"""


def kernel(inside: str, type: str = "f32") -> tuple[str, str]:
    """Return the arguments and body of `for _ in range(n): c = inside(c)`; c is called acc."""
    body = f"""{loaded("a", type)}{loaded("b", type)}{loaded("c", "f32")}
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = scf.for %i = %zero to %n step %one iter_args(%acc = %tc) -> ({BLOCK}) : i32 {{
      {inside}
      scf.yield %r : {BLOCK}
    }}
    bufferization.materialize_in_destination %all in writable %vc : ({BLOCK}, memref<{SIZE}x{SIZE}xf32, strided<[{SIZE}, 1]>>) -> ()
"""
    return ARGUMENTS.format(type=type), body


def values(n: int, type: str = "f32") -> list[Any]:
    """Return matrices of whole numbers, so that any order of summing gives the same."""
    a, b, c = (RNG.integers(-2, 3, (SIZE, SIZE)) for _ in "abc")
    return [a.astype(NUMPY[type]), b.astype(NUMPY[type]), c.astype(np.float32), n]


SUM = elementwise("s", "arith.addf", "acc", "acc")
TURNED = elementwise("s", "arith.addf", "acc", "acc", "#id2, #swap")
INSIDE = {
    "plain": SUM + matmul("r", "ta", "tb", "s", "f32"),
    "turned": TURNED + matmul("r", "ta", "tb", "s", "f32"),
    "as A": SUM + matmul("r", "acc", "tb", "s", "f32"),
    "as B": SUM + matmul("r", "ta", "acc", "s", "f32"),
    "behind": SUM
    + matmul("p", "ta", "tb", "s", "f32")
    + elementwise("r", "arith.subf", "p", "acc"),
}


@pytest.mark.parametrize("inside", INSIDE)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_sums_that_begin_with_what_follows_from_the_last(check: Any, inside: str, n: int):
    check(*kernel(INSIDE[inside]), values(n))


def test_a_sum_takes_the_place_of_what_it_begins_with(build: Any):
    """Where elements are read in another order it cannot."""
    plain, turned = (build(*kernel(INSIDE[name])).code.text for name in ("plain", "turned"))
    assert plain.count(" = alloca ") < turned.count(" = alloca ")


@pytest.mark.parametrize("n", [0, 1, 3])
def test_operands_from_before_are_made_ready_before(check: Any, build: Any, n: int):
    arguments, body = kernel(SUM + matmul("p", "ta", "tb", "s", "f16"), "f16")
    twice = body.replace("scf.yield %r", "scf.yield %p")
    text = build(arguments, twice).code.text
    before, _, inside = text.partition("phi i32")
    assert "half" in before
    assert "fpext half" not in inside
    check(arguments, twice, values(n, "f16"))


def begun_with(number: str) -> str:
    begin = f"""
      %number = arith.constant {number} : f32
      %e = tensor.empty() : {BLOCK}
      %s = linalg.fill ins(%number : f32) outs(%e : {BLOCK}) -> {BLOCK}
"""
    sum = elementwise("r", "arith.addf", "p", "acc")
    return begin + matmul("p", "ta", "tb", "s", "f32") + sum


@pytest.mark.parametrize("number", ["0.0", "-0.0", "1.0"])
def test_sums_that_begin_with_a_constant(check: Any, number: str):
    check(*kernel(begun_with(number)), values(2))


def test_zero_is_not_written_first(build: Any):
    zero, one = (build(*kernel(begun_with(number))).code.text for number in ("0.0", "1.0"))
    assert zero.count(" = load ") < one.count(" = load ")


def gathered(after: str) -> tuple[str, str]:
    """Return a kernel that adds up products of what it computes, of which `after` makes more."""
    inside = f"""
      %base = linalg.fill ins(%two : f32) outs(%none : {BLOCK}) -> {BLOCK}
{elementwise("twice", "arith.mulf", "ta", "base")}
{elementwise("power", "arith.mulf", "twice", "tb")}
{elementwise("p", "arith.divf", "power", "base")}
{after}
"""
    arguments, body = kernel(inside)
    constants = f"""
    %two = arith.constant 2.0 : f32
    %none = tensor.empty() : {BLOCK}
    %all = scf.for"""
    return arguments, body.replace("    %all = scf.for", constants)


POWERS = {
    "alone": matmul("r", "p", "tb", "acc", "f32"),
    "read again": elementwise("q", "arith.subf", "p", "ta")
    + matmul("s", "q", "tb", "base", "f32")
    + elementwise("u", "arith.mulf", "p", "s")
    + matmul("r", "p", "u", "acc", "f32"),
    "of both": matmul("r", "p", "p", "acc", "f32"),
    "by another product": matmul("s", "p", "tb", "base", "f32")
    + elementwise("u", "arith.mulf", "s", "tb")
    + matmul("r", "p", "u", "acc", "f32"),
}


@pytest.mark.parametrize("after", POWERS)
@pytest.mark.parametrize("n", [0, 1, 40])
def test_what_a_sum_gathers_and_others_read(check: Any, after: str, n: int):
    check(*gathered(POWERS[after]), values(n), rtol=1e-6)


@pytest.mark.parametrize("after", ["read again", "of both", "by another product"])
def test_what_a_sum_gathers_is_computed_where_it_does(
    build: Any, monkeypatch: pytest.MonkeyPatch, after: str
):
    """Unless it is read by more than operations on its elements it has no buffer of its own."""

    def buffers() -> int:
        return len(re.findall(r"%buffer\d+ = ", build(*gathered(POWERS[after])).code.text))

    def nowhere(_: Any, __: Any) -> None:
        return None

    found = buffers()
    monkeypatch.setattr("xtriton.cpu.emitter.parallel.panel_of", nowhere)
    assert buffers() - found == (after == "read again")


ZERO = f"""
      %number = arith.constant 0.0 : f32
      %e = tensor.empty() : {BLOCK}
      %nothing = linalg.fill ins(%number : f32) outs(%e : {BLOCK}) -> {BLOCK}
"""
FIRST = ZERO + matmul("s", "ta", "tb", "nothing", "f32")
MEETING = {
    "one": FIRST + elementwise("u", "arith.addf", "s", "ta") + elementwise("w", "arith.subf", "u", "tb"),
    "two": FIRST
    + matmul("t", "tb", "ta", "nothing", "f32")
    + elementwise("u", "arith.addf", "s", "ta")
    + elementwise("w", "arith.subf", "u", "t"),
    "turned": FIRST + elementwise("w", "arith.subf", "ta", "s", "#id2, #swap"),
    "twice": FIRST + elementwise("u", "arith.addf", "s", "ta") + elementwise("w", "arith.subf", "u", "s"),
    "read again": FIRST
    + elementwise("w", "arith.subf", "s", "tb")
    + matmul("t", "s", "tb", "acc", "f32"),
}  # fmt: skip


def met(name: str) -> tuple[str, str]:
    """Return a kernel that adds up products of what is made of products."""
    total = "t" if name == "read again" else "acc"
    return kernel(MEETING[name] + matmul("r", "w", "tb", total, "f32"))


@pytest.mark.parametrize("name", MEETING)
@pytest.mark.parametrize("n", [0, 1, 40])
def test_sums_of_what_is_made_of_products(check: Any, name: str, n: int):
    check(*met(name), values(n))


@pytest.mark.parametrize("name", MEETING)
def test_a_product_lies_where_a_sum_gathers_it(
    build: Any, monkeypatch: pytest.MonkeyPatch, name: str
):
    """Unless somebody else reads it, or another product lies there."""

    def buffers() -> int:
        return len(re.findall(r"%buffer\d+ = ", build(*met(name)).code.text))

    def nowhere(_: Any, __: Any) -> None:
        return None

    found = buffers()
    monkeypatch.setattr("xtriton.cpu.emitter.matmul._panel_behind", nowhere)
    assert buffers() - found == (name in ("one", "two"))
