"""
Casts between memrefs and pointers that undo each other are dropped.

Before:

    %0 = builtin.unrealized_conversion_cast %m : memref<*xf32> to !tt.ptr<f32>
    %1 = builtin.unrealized_conversion_cast %0 : !tt.ptr<f32> to memref<*xf32>
    use(%1)

After:

    use(%m)

Where the memref at the end of such a chain has another rank, a `memref.cast` does it.
"""

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp, UnrankedMemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects.upstream import builtin, memref
from xtriton.ir.walking import ops_in


@dataclass(frozen=True)
class ReconcilePtrCastsPass(ModulePass):
    """Drop unrealized casts between memrefs and pointers."""

    name = "reconcile-ptr-casts"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        casts = ops_in(op, ("builtin.unrealized_conversion_cast",))
        for cast in casts:
            _reconcile(cast)
        for cast in reversed(casts):
            if cast.parent is not None and all(r.first_use is None for r in cast.results):
                cast.detach()
                cast.erase()


def _reconcile(cast: Operation) -> None:
    """Let the users of a cast use what was there before a chain of casts, if that fits."""
    if len(cast.results) != 1 or len(cast.operands) != 1:
        return
    result = cast.results[0]
    source = cast.operands[0]
    while True:
        if source.type == result.type:
            result.replace_all_uses_with(source)
            return
        if _casts_between(source, result):
            new = memref.CastOp.create(operands=[source], result_types=[result.type])
            new.location = cast.location
            assert cast.parent is not None
            cast.parent.insert_op_before(new, cast)
            result.replace_all_uses_with(new.results[0])
            return
        owner = source.owner
        if not isinstance(owner, builtin.UnrealizedConversionCastOp) or len(owner.operands) != 1:
            return
        source = owner.operands[0]


def _casts_between(source: SSAValue, target: SSAValue) -> bool:
    """Return whether `memref.cast` leads from one type to the other."""
    kinds = (MemRefType, UnrankedMemRefType)
    before: Any = source.type
    after: Any = target.type
    if not all(isinstance(kind, kinds) for kind in (before, after)):
        return False
    return before.element_type == after.element_type
