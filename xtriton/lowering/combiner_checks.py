"""
Combiners of reductions and scans without the front end's assertions.

Triton's front end checks sums and products of 32 bits for overflow where it is asked to, inside of
`tl.sum` and `tl.cumsum` too. What overflows there depends on the order of the sum, which is free,
and none of the ops that reductions become takes an assertion inside.

Before:

    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %fits = ...
      tt.assert %fits, "int32 overflow detected for operation add" : i1
      %sum = arith.addi %a, %b : i32
      tt.reduce.return %sum : i32
    }) : (tensor<64xi32>) -> i32

After:

    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %sum = arith.addi %a, %b : i32
      tt.reduce.return %sum : i32
    }) : (tensor<64xi32>) -> i32
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.rewriter import Rewriter

from xtriton.dialects import tt
from xtriton.ir.attributes import string
from xtriton.ir.op_facts import is_dead
from xtriton.ir.walking import ops_in

_OVERFLOW = "overflow detected for operation"
"""What the front end's assertions say; those that a kernel makes itself stay."""


def drop_assertions_of_combiners(module: ModuleOp) -> None:
    """Erase the assertions of overflow in combiners, and what only they need."""
    for op in ops_in(module, ("tt.reduce", "tt.scan")):
        for block in op.regions[0].blocks:
            if any(_is_of_overflow(inner) for inner in block.ops):
                _drop(block)


def _is_of_overflow(op: Operation) -> bool:
    return isinstance(op, tt.AssertOp) and _OVERFLOW in string(op, "message")


def _drop(block: Block) -> None:
    for op in reversed(list(block.ops)):
        if _is_of_overflow(op) or is_dead(op):
            Rewriter.erase_op(op)
