"""Unsigned division instead of signed: right for every number of a width."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.analysis.interval_rules import RULES
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline

CONSTANTS = (-128, -127, -2, -1, 0, 1, 2, 3, 7, 126, 127)
SELDOM = ("arith.addi", "arith.maxui", "arith.minsi", "arith.ori", "arith.subi", "arith.xori")
"""What may be negative whatever constant the other operand is."""

SIGNED = ("arith.ceildivsi", "arith.divsi", "arith.remsi")


def kernel(operation: str) -> str:
    """Divide what an operation makes of every i8 and of constants, by constants too."""
    lines = ["%lanes = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>"]
    lines.append("%x = arith.trunci %lanes : tensor<256xi32> to tensor<256xi8>")
    for i, constant in enumerate(CONSTANTS):
        lines.append(f"%c{i} = arith.constant dense<{constant}> : tensor<256xi8>")
    for i in range(len(CONSTANTS)):
        lines.append(f"%a{i} = {operation} %x, %c{i} : tensor<256xi8>")
        lines.append(f"%b{i} = {operation} %c{i}, %x : tensor<256xi8>")
    places = 0
    for i in range(len(CONSTANTS)):
        for value in (f"%a{i}", f"%b{i}"):
            for j, signed in enumerate(SIGNED):
                divisor = f"%c{7 + (i + j) % 4}"
                lines.append(f"%q{places} = {signed} {value}, {divisor} : tensor<256xi8>")
                lines.append(f"%o{places} = arith.constant dense<{256 * places}> : tensor<256xi32>")
                lines.append(f"%i{places} = arith.addi %lanes, %o{places} : tensor<256xi32>")
                lines.append(
                    f"%p{places} = tt.addptr %out, %i{places} :"
                    " tensor<256x!tt.ptr<i8>>, tensor<256xi32>"
                )
                lines.append(f"tt.store %p{places}, %q{places} : tensor<256x!tt.ptr<i8>>")
                places += 1
    splat = "%out = tt.splat %p : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>>"
    return "\n".join(["tt.func public @f(%p: !tt.ptr<i8>) {", splat, *lines, "tt.return", "}"])


def simplified(module: ModuleOp, options: str) -> ModuleOp:
    copy = module.clone()
    steps = make_steps(parse_pipeline("triton-intel-simplify-signed-arithmetic" + options))
    PassManager(universe.context(), steps).run(copy)
    return copy


def signed_divisions(module: ModuleOp) -> int:
    return sum(op.name in SIGNED for op in module.walk())


@pytest.mark.parametrize("operation", sorted(RULES))
def test_every_number_of_a_width(operation: str):
    module = parse_module(kernel(operation), universe.context())
    after = simplified(module, "{proof=true}")
    verdict = check_equivalent(module, after, count=1)
    assert verdict, verdict.render()
    assert operation in SELDOM or signed_divisions(after) < signed_divisions(module)


def test_a_product_that_wraps_is_told_by_the_option():
    text = """
tt.func public @f(%p: !tt.ptr<i32>, %x: i32) {
  %mask = arith.constant 2147483647 : i32
  %factor = arith.constant 1103515245 : i32
  %c7 = arith.constant 7 : i32
  %a = arith.andi %x, %mask : i32
  %b = arith.muli %a, %factor : i32
  %c = arith.remsi %b, %c7 : i32
  tt.store %p, %c : !tt.ptr<i32>
  tt.return
}
"""
    module = parse_module(text, universe.context())
    given = {1: 3}
    assert not check_equivalent(module, simplified(module, ""), given=given, count=1)
    kept = simplified(module, "{proof=true}")
    assert kept.is_structurally_equivalent(module)
