"""How far values move in an iteration of a loop: as it is, and as the backend takes it."""

import pytest

from xtriton.analysis.intel.advances import Advances, AdvancesAsBackend
from xtriton.dialects.upstream.scf import ForOp
from xtriton.ir.attributes import string
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context

TEXT = """
tt.func @k(%p: !tt.ptr<i32>, %n: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %end:2 = scf.for %i = %zero to %n step %four
      iter_args(%fixed = %p, %anew = %p) -> (!tt.ptr<i32>, !tt.ptr<i32>) : i32 {
    %scaled = arith.muli %i, %n {name = "scaled"} : i32
    %less = arith.subi %n, %i {name = "less"} : i32
    %at = tt.addptr %p, %i {name = "at"} : !tt.ptr<i32>, i32
    %loaded = tt.load %at {name = "loaded"} : !tt.ptr<i32>
    %chosen = scf.if %c -> i32 {
      scf.yield %zero : i32
    } else {
      scf.yield %i : i32
    }
    %where = arith.addi %chosen, %one {name = "where"} : i32
    %next = tt.addptr %fixed, %one {name = "next"} : !tt.ptr<i32>, i32
    %carried = tt.addptr %anew, %one {name = "carried"} : !tt.ptr<i32>, i32
    scf.yield %next, %at : !tt.ptr<i32>, !tt.ptr<i32>
  }
  tt.return
}
"""


@pytest.mark.parametrize(
    "name, moves, backend",
    [
        ("at", 4, 4),
        ("next", 1, 0),
        ("carried", None, None),
        ("less", -4, None),
        ("loaded", None, 0),
        ("scaled", None, 0),
        ("where", None, None),
    ],
)
def test_what_moves(name: str, moves: int | None, backend: int | None):
    module = parse_module(TEXT, context())
    loop = next(op for op in module.walk() if isinstance(op, ForOp))
    ops = [op for op in loop.walk() if string(op, "name") == name]
    value = ops[0].results[0]
    assert Advances(loop).of(value) == (moves,)
    assert AdvancesAsBackend(loop).of(value) == (backend,)
