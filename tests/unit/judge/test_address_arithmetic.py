"""Which ops compute addresses, through loops and branches."""

from xtriton import universe
from xtriton.interpreter.overflow import address_arithmetic
from xtriton.ir.reading.parser import parse_module

LOOK_BACK = """
tt.func @kernel(%x: !tt.ptr<i64>, %out: !tt.ptr<i64>, %flag: i1) {
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %pid = tt.get_program_id x : i32
  %found:2 = scf.while (%bits = %one, %at = %pid) : (i64, i32) -> (i64, i32) {
    %more = arith.cmpi sgt, %at, %c0 : i32
    scf.condition(%more) %bits, %at : i64, i32
  } do {
  ^bb0(%bits: i64, %at: i32):
    %p = tt.addptr %x, %at : !tt.ptr<i64>, i32
    %v = tt.load %p : !tt.ptr<i64>
    %up = arith.shli %v, %bits : i64
    %before = arith.subi %at, %c1 : i32
    scf.yield %up, %before : i64, i32
  }
  %chosen:2 = scf.if %flag -> (i64, i32) {
    %sum = arith.addi %found#0, %one : i64
    %next = arith.addi %found#1, %c1 : i32
    scf.yield %sum, %next : i64, i32
  } else {
    %product = arith.muli %found#0, %found#0 : i64
    scf.yield %product, %pid : i64, i32
  }
  %o = tt.addptr %out, %chosen#1 : !tt.ptr<i64>, i32
  tt.store %o, %chosen#0 : !tt.ptr<i64>
  tt.return
}
"""


def test_what_stands_beside_an_offset_in_a_loop_or_a_branch_is_none() -> None:
    """Bits that a loop shifts may be lost, although it carries a place too."""
    module = parse_module(LOOK_BACK, universe.context())
    found = {op.results[0].name_hint for op in address_arithmetic(module)}
    assert found == {"before", "next"}
