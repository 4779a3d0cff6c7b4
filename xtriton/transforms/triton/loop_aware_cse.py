"""
Merge ops that compute the same thing, iteration arguments of loops included.

Before:

    %0:2 = scf.for ... iter_args(%a = %x, %b = %x) -> (i32, i32) {
      %1 = arith.addi %a, %c : i32
      %2 = arith.addi %b, %c : i32
      scf.yield %1, %2 : i32, i32
    }

After:

    %0 = scf.for ... iter_args(%a = %x) -> (i32) {
      %1 = arith.addi %a, %c : i32
      scf.yield %1 : i32
    }

Two arguments are equal if they start equal and, supposed they are equal, their next values
are computed alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from xtriton.dialects.upstream.scf import ForOp
from xtriton.ir.listings import ops_of
from xtriton.transforms.cleanup.canonicalization import scf
from xtriton.transforms.cleanup.cse import merge_equal_ops
from xtriton.transforms.triton_gpu.simplification import simplify


@dataclass(frozen=True)
class TritonLoopAwareCSEPass(ModulePass):
    """Merge ops and iteration arguments that are equal."""

    name = "triton-loop-aware-cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # What is equal outside of loops is the same value after this.
        merge_equal_ops(op)
        for loop in ops_of(op, ForOp, region_first=True):
            merge_equal_arguments(loop)
        merge_equal_ops(op)
        simplify(op, [p for p in scf.PATTERNS if ForOp in p.op_types])  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def merge_equal_arguments(loop: ForOp) -> None:
    """Let one of each group of equal iteration arguments stand for all."""
    body = loop.body.block
    last = body.last_op
    assert last is not None
    arguments = _Arguments(loop, list(last.operands))
    leaders: dict[int, int] = {}
    for j in range(len(loop.results)):
        same = (i for i in range(j) if i not in leaders and arguments.equal(i, j))
        leader = next(same, None)
        if leader is not None:
            leaders[j] = leader
    for j, i in leaders.items():
        other, unique = body.args[1 + j], body.args[1 + i]
        other.replace_all_uses_with(unique)
        # What it yields to itself goes with the next simplification.
        last.operands[j] = other
        loop.results[j].replace_all_uses_with(loop.results[i])


@dataclass
class _Arguments:
    loop: ForOp
    yielded: list[SSAValue]
    supposed: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def equal(self, i: int, j: int) -> bool:
        """Return whether two iteration arguments are always equal."""
        if i == j:
            return True
        initial = self.loop.iter_args
        if initial[i] is not initial[j]:
            return False
        if (i, j) in self.supposed:
            return True
        self.supposed.append((i, j))
        result = self.same_value(self.yielded[i], self.yielded[j])
        self.supposed.pop()
        return result

    def same_value(self, a: SSAValue, b: SSAValue) -> bool:
        """Return whether two values of the body are equal."""
        if a is b:
            return True
        body = self.loop.body.block
        if a.type != b.type:
            return False
        if isinstance(a, BlockArgument) and isinstance(b, BlockArgument):
            inside = a.block is body and b.block is body
            return inside and 0 not in (a.index, b.index) and self.equal(a.index - 1, b.index - 1)
        if not isinstance(a, OpResult) or not isinstance(b, OpResult):
            return False
        if a.op.parent is not body or b.op.parent is not body:
            return False
        return a.index == b.index and self._same_op(a, b)

    def _same_op(self, a: OpResult, b: OpResult) -> bool:
        x, y = a.op, b.op
        if x.regions or y.regions or not is_side_effect_free(x) or not is_side_effect_free(y):
            return False
        alike = (
            x.name == y.name
            and x.properties == y.properties
            and x.attributes == y.attributes
            and x.result_types == y.result_types
            and len(x.operands) == len(y.operands)
        )
        return alike and all(
            self.same_value(p, q) for p, q in zip(x.operands, y.operands, strict=True)
        )
