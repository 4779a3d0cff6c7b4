"""Where values come from through loops, conditions and branches."""

import pytest
from xdsl.ir import SSAValue

from xtriton.ir import value_flow
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.value_flow import sources
from xtriton.universe import context


def named(text: str) -> dict[str, SSAValue]:
    """Return the values of a function by their names."""
    module = parse_module(text, context())
    function = next(iter(module.ops))
    values: list[SSAValue] = []
    for op in function.walk():
        values += op.results
        for region in op.regions:
            for block in region.blocks:
                values += block.args
    return {value.name_hint: value for value in values if value.name_hint is not None}


def origins(values: dict[str, SSAValue], name: str) -> list[str | None] | None:
    found = sources(values[name])
    return None if found is None else [value.name_hint for value in found]


FOR = """
tt.func @k(%n: i32, %first: f32) {
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %zero to %n step %n iter_args(%carried = %first) -> (f32) : i32 {
    %next = arith.addf %carried, %carried : f32
    scf.yield %next : f32
  }
  tt.return
}
"""


def test_a_loop_hands_on_what_it_starts_with_and_what_an_iteration_yields():
    values = named(FOR)
    assert origins(values, "r") == ["first", "next"]
    assert origins(values, "carried") == ["first", "next"]


def test_neither_induction_variables_nor_arguments_nor_results_of_ops_are_handed_on():
    values = named(FOR)
    assert [origins(values, name) for name in ("i", "n", "next")] == [None] * 3


def test_a_while_hands_on_by_way_of_its_condition():
    values = named("""
    tt.func @k(%start: i32) {
      %r = scf.while (%before = %start) : (i32) -> i32 {
        %c = arith.cmpi slt, %before, %start : i32
        %passed = arith.addi %before, %start : i32
        scf.condition(%c) %passed : i32
      } do {
      ^bb0(%after: i32):
        %again = arith.addi %after, %start : i32
        scf.yield %again : i32
      }
      tt.return
    }""")
    assert origins(values, "before") == ["start", "again"]
    assert origins(values, "after") == ["passed"]
    assert origins(values, "r") == ["passed"]


def test_a_condition_hands_on_what_either_branch_yields():
    values = named("""
    tt.func @k(%c: i1, %a: i32, %b: i32) {
      %r = scf.if %c -> (i32) {
        scf.yield %a : i32
      } else {
        scf.yield %b : i32
      }
      tt.return
    }""")
    assert origins(values, "r") == ["a", "b"]


def test_a_block_gets_what_each_branch_to_it_passes():
    values = named("""
    tt.func @k(%c: i1, %a: i32, %b: i32) {
      cf.cond_br %c, ^bb1(%a : i32), ^bb1(%b : i32)
    ^bb1(%x: i32):
      cf.br ^bb2(%a, %x : i32, i32)
    ^bb2(%y: i32, %z: i32):
      tt.return
    }""")
    assert origins(values, "x") == ["a", "b"]
    assert origins(values, "y") == ["a"]
    assert origins(values, "z") == ["x"]


def test_a_branch_of_an_unknown_kind_hides_what_it_passes(monkeypatch: pytest.MonkeyPatch):
    values = named("""
    tt.func @k(%c: i1, %a: i32) {
      cf.br ^bb1(%a : i32)
    ^bb1(%x: i32):
      tt.return
    }""")
    assert origins(values, "x") == ["a"]
    monkeypatch.delitem(value_flow._BRANCHES, "cf.br")
    assert sources(values["x"]) is None
