"""`tt.dot` to `linalg.matmul` and `linalg.batch_matmul`, accumulating in place."""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xtriton.dialects.tt.constraints import bit_width
from xtriton.dialects.upstream import arith, linalg
from xtriton.dialects.utils.tensors import is_integer
from xtriton.lowering.attributes import element_type_of, i32_array
from xtriton.lowering.builder import Builder
from xtriton.lowering.linalg_rules.elementwise import fastmath
from xtriton.lowering.linalg_rules.registry import op_rule
from xtriton.lowering.linalg_rules.shapes import shape_of

Values = Sequence[SSAValue]


@op_rule("tt.dot")
def dot(op: Operation, builder: Builder) -> Values:
    """
    `c + a * b`, the accumulator being the `outs` operand.

    Products are formed in the accumulator's type, as `linalg.matmul` does by default.
    """
    a, b, c = op.operands
    cls = linalg.MatmulOp if len(shape_of(a)) == 2 else linalg.BatchMatmulOp
    return matmul(builder, cls, a, b, c)


def matmul(builder: Builder, cls: type[Operation], a: SSAValue, b: SSAValue, c: SSAValue) -> Values:
    """Return `c + a @ b` by the named op `cls`."""
    types: list[Any] = [element_type_of(value) for value in (a, b, c)]
    block = Block(arg_types=types)
    _body(builder.inside(block), block, types[2])
    op = builder.make(
        cls,
        (a, b, c),
        (c.type,),
        {"operandSegmentSizes": i32_array((2, 1))},
        [Region(block)],
    )
    return op.results


def _body(builder: Builder, block: Block, result: Any) -> None:
    left, right = (_widened(builder, argument, result) for argument in block.args[:2])
    so_far = block.args[2]
    if isinstance(result, AnyFloat):
        product = builder.value(arith.MulfOp, (left, right), result, fastmath())
        total = builder.value(arith.AddfOp, (so_far, product), result, fastmath())
    else:
        wraps = {"overflowFlags": arith.OVERFLOW_NONE}
        product = builder.value(arith.MuliOp, (left, right), result, wraps)
        total = builder.value(arith.AddiOp, (so_far, product), result, wraps)
    builder.make(linalg.YieldOp, (total,))


def _widened(builder: Builder, value: SSAValue, target: Attribute) -> SSAValue:
    if value.type == target:
        return value
    if is_integer(target):
        return builder.value(arith.ExtSIOp, (value,), target)
    narrower = bit_width(value.type) < bit_width(target)
    return builder.value(arith.ExtFOp if narrower else arith.TruncFOp, (value,), target)
