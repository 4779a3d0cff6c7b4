"""Loads that are done each time, as another program may have stored there: `tt.volatile`."""

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind

_NAME = "tt.volatile"
_NOTHING: frozenset[EffectInstance] = frozenset()
_EVERYTHING = frozenset((EffectInstance(MemoryEffectKind.WRITE),))


class VolatileEffect(MemoryEffect):
    """A load that is marked counts as a write of everything, like a volatile `tt.load`."""

    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance]:
        return _EVERYTHING if is_volatile(op) else _NOTHING


def is_volatile(op: Operation) -> bool:
    """Return whether a load of memref, or a gather, is marked."""
    return _NAME in op.attributes


def mark_volatile(op: Operation) -> None:
    """Mark a load of memref, or a gather."""
    op.attributes[_NAME] = UnitAttr()
