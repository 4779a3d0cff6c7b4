"""
What a function does to the memory that its arguments point to.

Source: `AliasAnalysis.cpp` of the Intel XPU backend, which takes pointers from different
arguments for pointers to different memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import MemoryEffectKind, get_effects

from xtriton.analysis.pointer_roots import POINTER_MOVES
from xtriton.dialects.tt.atomics import AtomicCASOp, AtomicRMWOp
from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.tt.types import PtrType, TensorDescType
from xtriton.dialects.ttig.effects import L2Cache
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.value_flow import origins

Roots = frozenset[SSAValue | None]
"""The arguments of the function that a pointer may come from; None stands for anything else."""

_NOT_KNOWN: Roots = frozenset((None,))


@dataclass
class MemoryUse:
    """How the arguments of a function are used that point to memory."""

    ops: list[Operation]
    """All ops of the function."""
    roots: dict[SSAValue, Roots]
    """Where pointers come from; each of the function's has an entry."""
    written: Roots
    """What something writes through."""
    has_atomics: bool
    added_up: set[SSAValue]
    """What may become part of what is stored where it, or something else, is loaded from."""

    @classmethod
    def of(cls, function: FuncOp) -> MemoryUse:
        """Return how `function`, which has a body, uses memory."""
        entry = function.body.blocks[0]
        ops = [op for op in function.walk() if op is not function]
        roots = _roots(function, ops)
        written: set[SSAValue | None] = set()
        for op in ops:
            if _writes(op):
                written |= _roots_of_access(op, roots)
        has_atomics = any(isinstance(op, AtomicRMWOp | AtomicCASOp) for op in ops)
        use = cls(ops, roots, frozenset(written), has_atomics, set())
        both = use._loaded_and_stored(entry.args)
        stored = [op.value for op in ops if isinstance(op, StoreOp) and use._reaches(op, both)]
        use.added_up.update(closure(stored, _data_sources) if both else ())
        return use

    def may_be_written(self, pointer: SSAValue) -> bool:
        """Return whether something in the function may write to where `pointer` points."""
        roots = self.roots[pointer]
        anywhere = None in self.written or (None in roots and bool(self.written))
        return anywhere or not roots.isdisjoint(self.written)

    def _loaded_and_stored(self, arguments: Iterable[BlockArgument]) -> Roots:
        loaded: set[SSAValue | None] = set()
        stored: set[SSAValue | None] = set()
        for op in self.ops:
            if isinstance(op, LoadOp):
                loaded |= self.roots[op.ptr]
            elif isinstance(op, StoreOp):
                stored |= self.roots[op.ptr]
        if self.has_atomics or None in stored:
            return frozenset(v for v in arguments if is_pointer(v.type))
        return frozenset(loaded & stored)

    def _reaches(self, op: StoreOp, both: Roots) -> bool:
        roots = self.roots[op.ptr]
        return None in roots or not roots.isdisjoint(both)


def closure(
    values: Iterable[SSAValue], following: Callable[[SSAValue], Iterable[SSAValue]]
) -> list[SSAValue]:
    """Return `values` and all that `following` leads to from them, each once."""
    found = dict.fromkeys(values)
    pending = list(found)
    while pending:
        for value in following(pending.pop()):
            if value not in found:
                found[value] = None
                pending.append(value)
    return list(found)


def is_pointer(type: Attribute) -> bool:
    """Return whether `type` is a pointer, a tensor of them or a descriptor."""
    return isinstance(type.element_type if is_tensor(type) else type, PtrType | TensorDescType)


def pointer_of(op: Operation) -> SSAValue | None:
    """Return the pointer or descriptor that an op accesses memory through."""
    return next((operand for operand in op.operands if is_pointer(operand.type)), None)


def _roots(function: FuncOp, ops: Sequence[Operation]) -> dict[SSAValue, Roots]:
    """Return where each pointer comes from, by handing on what is known to what comes of it."""
    values: list[SSAValue] = [result for op in ops for result in op.results]
    regions = [region for op in (function, *ops) for region in op.regions]
    values += [a for region in regions for block in region.blocks for a in block.args]
    roots: dict[SSAValue, Roots] = {a: frozenset((a,)) for a in function.body.blocks[0].args}
    targets: dict[SSAValue, list[SSAValue]] = defaultdict(list)
    for value in values:
        if value not in roots and is_pointer(value.type):
            sources = () if _is_selected(value) else origins(value, POINTER_MOVES) or ()
            roots[value] = frozenset() if sources else _NOT_KNOWN
            for source in sources:
                targets[source].append(value)
    pending = list(roots)
    while pending:
        value = pending.pop()
        for target in targets[value]:
            if not roots[value] <= roots[target]:
                roots[target] |= roots[value]
                pending.append(target)
    return roots


def _is_selected(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and value.op.name == "arith.select"


def _roots_of_access(op: Operation, roots: dict[SSAValue, Roots]) -> Roots:
    pointer = pointer_of(op)
    return _NOT_KNOWN if pointer is None else roots[pointer]


def _writes(op: Operation) -> bool:
    """Return whether `op` itself, not what is inside, writes to more than a cache."""
    effects = None if op.regions else get_effects(op)
    return effects is not None and any(
        e.kind is MemoryEffectKind.WRITE and not isinstance(e.resource, L2Cache) for e in effects
    )


def _data_sources(value: SSAValue) -> Iterable[SSAValue]:
    """Return what the data of `value` may come from, along the ways of `scf`."""
    if isinstance(value, OpResult) and not value.op.name.startswith("scf."):
        return value.op.operands
    return origins(value, POINTER_MOVES) or ()
