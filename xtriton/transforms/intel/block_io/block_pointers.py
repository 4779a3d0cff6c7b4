"""Block pointers that meet in control flow, and so must have one type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from xtriton.analysis.intel.values import ADVANCES, BLOCK_POINTER
from xtriton.dialects.upstream.scf import ConditionOp, ForOp, IfOp, WhileOp, YieldOp
from xtriton.ir.value_flow import origins
from xtriton.transforms.triton_gpu.retyping import is_tensor_pointer


@dataclass
class Family:
    """
    Values of which each is, moved or not, another one somewhere.

    `is_known` says whether all that they come from are ops that make block pointers.
    """

    values: list[SSAValue] = field(default_factory=list[SSAValue])
    is_known: bool = True


class Families:
    """The family of each block pointer, found once."""

    def __init__(self) -> None:
        self._of: dict[SSAValue, Family] = {}

    def of(self, value: SSAValue) -> Family:
        found = self._of.get(value)
        return self._collect(value) if found is None else found

    def _collect(self, value: SSAValue) -> Family:
        family = self._of[value] = Family()
        pending = [value]
        while pending:
            current = pending.pop()
            family.values.append(current)
            owner = current.owner
            if not (isinstance(owner, Operation) and owner.name == BLOCK_POINTER):
                sources = origins(current, ADVANCES) or ()
                family.is_known &= bool(sources)
                pending += self._new(sources, family)
            for use in current.uses:
                pending += self._new(_targets(use.operation, use.index), family)
        return family

    def _new(self, values: Iterable[SSAValue], family: Family) -> list[SSAValue]:
        """Add to a family what is not in it yet; return that."""
        new: list[SSAValue] = []
        for value in values:
            if value not in self._of and is_tensor_pointer(value.type):
                self._of[value] = family
                new.append(value)
        return new


def _targets(user: Operation, index: int) -> Sequence[SSAValue]:
    """Return the values that a use of a block pointer hands it on to."""
    parent = user.parent_op()
    match user:
        case ForOp():
            i = index - 3
            return (user.body.block.args[i + 1], user.results[i]) if i >= 0 else ()
        case WhileOp():
            return (user.before_region.block.args[index],)
        case YieldOp():
            match parent:
                case ForOp():
                    return parent.body.block.args[index + 1], parent.results[index]
                case WhileOp():
                    return (parent.before_region.block.args[index],)
                case IfOp():
                    return (parent.results[index],)
                case _:
                    return ()
        case ConditionOp():
            if not isinstance(parent, WhileOp) or index == 0:
                return ()
            return parent.after_region.block.args[index - 1], parent.results[index - 1]
        case _:
            return user.results
