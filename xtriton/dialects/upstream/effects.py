"""Effects of ops that work on tensors and on memory alike."""

from collections.abc import Callable, Sequence, Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.traits import (
    EffectInstance,
    MemoryEffectKind,
)

from xtriton.dialects.utils.effects import EffectsOfOp
from xtriton.ir.op_facts import effects_inside


def is_buffer(value: SSAValue) -> bool:
    """Return whether a value is memory, not a tensor or scalar."""
    return isinstance(value.type, (MemRefType, UnrankedMemRefType))


@dataclass(frozen=True)
class BufferEffects(EffectsOfOp):
    """
    Reads those of `reads(op)` and writes those of `writes(op)` that are memory.

    On tensors alone the op has no effect but those of the ops in its regions.
    """

    reads: Callable[[Any], Sequence[SSAValue]]
    writes: Callable[[Any], Sequence[SSAValue]]

    def get_effects(self, op: Operation) -> AbstractSet[EffectInstance] | None:
        inner = effects_inside(op)
        if inner is None:
            return None
        read = {EffectInstance(MemoryEffectKind.READ, v) for v in self.reads(op) if is_buffer(v)}
        written = {
            EffectInstance(MemoryEffectKind.WRITE, v) for v in self.writes(op) if is_buffer(v)
        }
        return {*inner, *read, *written}

    def surely_writes(self, op: Operation) -> bool:
        return any(map(is_buffer, self.writes(op)))
