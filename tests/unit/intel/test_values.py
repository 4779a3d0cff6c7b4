"""Following values back: divisibility, block pointers, what a value comes down to."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xtriton.analysis.intel.values import final_value, is_divisible, maker_of
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context


def parsed(body: str, arguments: str) -> ModuleOp:
    return parse_module(f"tt.func @f({arguments}) {{\n{body}\ntt.return\n}}", context())


def named(module: ModuleOp, name: str) -> SSAValue:
    for op in module.walk():
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)):
            if value.name_hint == name:
                return value
    raise KeyError(name)


def first(module: ModuleOp, name: str) -> Operation:
    return next(op for op in module.walk() if op.name == name)


def test_divisibility():
    module = parsed(
        """
        %c6 = arith.constant 6 : i32
        %c12 = arith.constant 12 : i32
        %twice = arith.muli %b, %c12 : i32
        %sum = arith.addi %twice, %a : i32
        %odd = arith.addi %sum, %b : i32
        %wide = arith.extsi %sum : i32 to i64
        """,
        "%a: i32 {tt.divisibility = 16 : i32}, %b: i32",
    )
    assert is_divisible(named(module, "c12"), 4)
    assert not is_divisible(named(module, "c6"), 4)
    assert is_divisible(named(module, "a"), 4)
    assert not is_divisible(named(module, "b"), 4)
    assert is_divisible(named(module, "twice"), 4)
    assert is_divisible(named(module, "wide"), 4)
    assert not is_divisible(named(module, "odd"), 4)


def test_divisibility_of_sums_of_sums_ends():
    lines = ["%x0 = arith.addi %a, %a : i32"]
    lines += [f"%x{i} = arith.addi %x{i - 1}, %x{i - 1} : i32" for i in range(1, 40)]
    module = parsed("\n".join(lines), "%a: i32 {tt.divisibility = 16 : i32}")
    assert is_divisible(named(module, "x3"), 4)
    assert not is_divisible(named(module, "x39"), 4)


def test_final_value():
    module = parsed(
        """
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        %u = arith.addi %a, %zero : i32
        %v = arith.muli %one, %u : i32
        %w = tt.splat %v : i32 -> tensor<8xi32>
        %long = arith.extui %v : i32 to i64
        %r = scf.for %i = %zero to %a step %one iter_args(%s = %a) -> (i32) : i32 {
          scf.yield %i : i32
        }
        """,
        "%a: i32",
    )
    a = named(module, "a")
    assert final_value(named(module, "w")) is a
    assert final_value(named(module, "long")) is a
    # Neither the same number nor, in later iterations, the same value.
    assert final_value(named(module, "long"), through_loops=False) is named(module, "long")
    carried = first(module, "scf.for").regions[0].block.args[1]
    assert final_value(carried) is a
    assert final_value(carried, through_loops=False) is carried


POINTERS = """
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i64
%p = tt.make_tensor_ptr %a, [%n, %n], [%n, %one], [%zero, %zero] {order = array<i32: 1, 0>} : <tensor<8x8xf16>>
%q = tt.make_tensor_ptr %a, [%n, %n], [%n, %one], [%zero, %zero] {order = array<i32: 1, 0>} : <tensor<8x8xf16>>
%same = arith.select %c, %p, %p : !tt.ptr<tensor<8x8xf16>>
%mixed = arith.select %c, %p, %q : !tt.ptr<tensor<8x8xf16>>
%far = tt.advance %same, [%zero, %zero] : <tensor<8x8xf16>>
%r = scf.if %c -> (!tt.ptr<tensor<8x8xf16>>) {
  scf.yield %far : !tt.ptr<tensor<8x8xf16>>
} else {
  scf.yield %p : !tt.ptr<tensor<8x8xf16>>
}
"""


def test_maker_of():
    module = parsed(POINTERS, "%a: !tt.ptr<f16>, %n: i64, %c: i1")
    maker = first(module, "tt.make_tensor_ptr")
    assert maker_of(named(module, "far")) is maker
    assert maker_of(named(module, "r")) is maker
    assert maker_of(named(module, "mixed")) is None
    assert maker_of(named(module, "a")) is None
