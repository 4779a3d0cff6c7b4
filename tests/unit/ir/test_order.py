"""The order of ops while ops are being inserted."""

from __future__ import annotations

from xdsl.ir import Operation

from xtriton.ir.order import Order
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context

BLOCKS = """
tt.func @blocks(%p: i1, %n: i32) {
  %0 = arith.addi %n, %n : i32
  %1 = arith.muli %0, %n : i32
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  tt.return
^bb2:
  %2 = arith.subi %n, %1 : i32
  tt.return
}
"""


def ops_of(text: str) -> list[Operation]:
    function = parse_module(text, context()).body.block.first_op
    assert function is not None
    return [op for op in function.walk() if op is not function]


def test_ops_of_later_blocks_come_later():
    ops = ops_of(BLOCKS)
    assert Order().sorted(reversed(ops)) == ops


def test_sorting_while_numbers_change():
    ops = ops_of(BLOCKS)
    order, first, block = Order(), ops[0], ops[0].parent
    assert block is not None
    order.number(first)
    # Each halves what is left between two numbers, until the block is numbered anew.
    inserted: list[Operation] = []
    for _ in range(80):
        inserted.insert(0, first.clone())
        block.insert_op_after(inserted[0], first)
        assert order.is_before(first, inserted[0])
        assert order.is_before(inserted[0], ops[1])
    assert order.sorted([*reversed(inserted), first]) == [first, *inserted]
