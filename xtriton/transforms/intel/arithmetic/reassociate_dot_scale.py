"""
Scale an operand of a product instead of the product, where that leaves the loop.

Before:

    scf.for ... {
      %d = tt.dot %a, %b, %zero : tensor<128x64xbf16> * tensor<64x128xbf16> -> tensor<128x128xf32>
      %s = tt.splat %scale : f32 -> tensor<128x128xf32>
      %r = arith.mulf %d, %s : tensor<128x128xf32>
    }

After, where `%a` and `%scale` come from outside of the loop, so that `triton-licm` moves all
but the product in front of it:

    scf.for ... {
      %s = tt.splat %scale : f32 -> tensor<128x64xf32>
      %e = arith.extf %a : tensor<128x64xbf16> to tensor<128x64xf32>
      %m = arith.mulf %e, %s fastmath<reassoc> : tensor<128x64xf32>
      %t = arith.truncf %m : tensor<128x64xf32> to tensor<128x64xbf16>
      %r = tt.dot %t, %b, %zero : tensor<128x64xbf16> * tensor<64x128xbf16> -> tensor<128x128xf32>
    }

The other operand has to change in the loop: else the product leaves it anyway. Nobody else
may use the product, and nothing may be added to it. Rounding differs, so that all this is
done only with `fast-math`.
Source: `ReassociateDotScale.cpp` of the Intel XPU backend. Other than there, product and
scaling have to be in one block, and of two types as wide as each other, such as f16 and bf16,
neither is scaled by the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from xtriton.dialects.tt.dot import DotOp
from xtriton.dialects.tt.shapes import SplatOp
from xtriton.dialects.upstream.arith import (
    ExtFOp,
    FastMathFlag,
    FastMathFlagsAttr,
    MulfOp,
    TruncFOp,
)
from xtriton.dialects.utils.constants import constant_attribute, filled, splat_value
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.value_flow import is_inside
from xtriton.passes.rewriting import rewrite_greedily
from xtriton.semantics.tolerance import SUM_TOLERANCE
from xtriton.transforms.cleanup.folder import Folder
from xtriton.transforms.cleanup.licm import LOOPS

_REASSOCIATED = FastMathFlagsAttr([FastMathFlag.REASSOC])


@dataclass(frozen=True)
class ReassociateDotScalePass(ModulePass):
    """
    Scale what enters a product, and is the same in every iteration, instead of the product.

    Does nothing without `fast_math`: results are rounded at other places.
    """

    name = "triton-intel-reassociate-dot-scale"

    tolerance: ClassVar[float] = SUM_TOLERANCE

    fast_math: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.fast_math:
            rewrite_greedily(op, [ScaledDotPattern(Folder())])


@dataclass(frozen=True)
class _Scale:
    """A number that a tensor is full of: a scalar, or a constant."""

    value: SSAValue | float
    type: AnyFloat


@dataclass
class ScaledDotPattern(RewritePattern):
    """dot(a, b, 0) * s → dot(a * s, b, 0), or dot(a, b * s, 0)"""

    folder: Folder

    op_types: ClassVar = (MulfOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        assert isinstance(op, MulfOp)
        dot = _product(op)
        scale = None if dot is None else _scale(op.rhs if op.lhs is dot.d else op.lhs)
        index = None if dot is None or scale is None else _invariant_operand(dot, scale)
        if dot is None or scale is None or index is None:
            return
        block = dot.parent
        assert block is not None
        ops = self._scaled(dot.operands[index], scale, block)
        if not ops:
            return
        operands = list(dot.operands)
        operands[index] = ops[-1].results[0]
        new = DotOp.create(
            operands=operands,
            result_types=[dot.d.type],
            properties=dict(dot.properties),
            attributes=dict(dot.attributes),
        )
        rewriter.replace(op, [*ops, new], [new.d])
        rewriter.erase(dot)

    def _scaled(self, operand: SSAValue, scale: _Scale, block: Block) -> list[Operation]:
        """Return ops that scale an operand in the wider of both types; none if neither is wider."""
        type = operand.type
        assert is_tensor(type)
        element = type.element_type
        if not isinstance(element, AnyFloat):
            return []
        if scale.type != element and scale.type.bitwidth == element.bitwidth:
            return []
        wider = scale.type if scale.type.bitwidth > element.bitwidth else element
        wide = TensorType(wider, type.shape, type.encoding)
        ops: list[Operation] = []

        def add(op: Operation) -> SSAValue:
            ops.append(op)
            return op.results[0]

        def widened(value: SSAValue, target: Attribute) -> SSAValue:
            return value if value.type == target else add(ExtFOp(value, target))

        if isinstance(scale.value, SSAValue):
            scalar = widened(scale.value, wider)
            factor = add(SplatOp.create(operands=[scalar], result_types=[wide]))
        else:
            found = self.folder.constant(filled(wide, scale.value), wide, block)
            assert found is not None
            factor = found.results[0]
        product = add(MulfOp(widened(operand, wide), factor, _REASSOCIATED))
        if wide != type:
            add(TruncFOp(product, type))
        return ops


def _product(op: MulfOp) -> DotOp | None:
    """Return the product that is scaled, if nobody else needs it and nothing is added."""
    dots = [v.owner for v in op.operands if isinstance(v.owner, DotOp)]
    if len(dots) != 1 or dots[0].parent is not op.parent or not dots[0].d.has_one_use():
        return None
    return dots[0] if splat_value(constant_attribute(dots[0].c)) == 0.0 else None


def _scale(value: SSAValue) -> _Scale | None:
    if not isinstance(value, OpResult) or not is_tensor(value.type):
        return None
    if isinstance(value.op, SplatOp):
        scalar = value.op.src
        return _Scale(scalar, scalar.type) if isinstance(scalar.type, AnyFloat) else None
    number, type = splat_value(constant_attribute(value)), value.type.element_type
    if not isinstance(number, float) or not isinstance(type, AnyFloat):
        return None
    return _Scale(number, type)


def _invariant_operand(dot: DotOp, scale: _Scale) -> int | None:
    """Return which operand, with the scale, is the same in each iteration; None if not one."""
    loop = dot.parent_op()
    while loop is not None and loop.name not in LOOPS:
        loop = loop.parent_op()
    if loop is None or (isinstance(scale.value, SSAValue) and is_inside(scale.value, loop)):
        return None
    varies = [is_inside(operand, loop) for operand in (dot.a, dot.b)]
    return None if varies[0] == varies[1] else int(varies[0])
