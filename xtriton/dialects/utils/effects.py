"""Effects of ops on the memory that an operand of theirs points to."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue
from xdsl.traits import DefaultResource, EffectInstance, MemoryEffect, MemoryEffectKind, Resource


class EffectsOfOp(MemoryEffect):
    """Effects that depend on the op; xDSL declares `get_effects` as a class method."""

    def get_effects(self, op: Operation) -> AbstractSet[EffectInstance] | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise NotImplementedError

    def surely_writes(self, op: Operation) -> bool:
        """Return whether it is plain to see that an op writes or frees something."""
        return False


@dataclass(frozen=True)
class OperandEffects(EffectsOfOp):
    """
    Reads, writes or frees a resource through operands or results.

    Each field names one; "" is none. An optional one that is absent has no effect.
    """

    read: str = ""
    write: str = ""
    free: str = ""
    resource: Resource = field(default_factory=DefaultResource)

    def get_effects(self, op: Operation) -> frozenset[EffectInstance]:
        kinds = (
            (MemoryEffectKind.READ, self.read),
            (MemoryEffectKind.WRITE, self.write),
            (MemoryEffectKind.FREE, self.free),
        )
        effects: set[EffectInstance] = set()
        for kind, name in kinds:
            value: SSAValue | None = getattr(op, name) if name else None
            if value is not None:
                effects.add(EffectInstance(kind, value, self.resource))
        return frozenset(effects)

    def surely_writes(self, op: Operation) -> bool:
        return any(name and getattr(op, name) is not None for name in (self.write, self.free))


@dataclass(frozen=True)
class Allocates(EffectsOfOp):
    """Allocates its result in a resource."""

    resource: Resource = field(default_factory=DefaultResource)

    def get_effects(self, op: Operation) -> frozenset[EffectInstance]:
        return frozenset((EffectInstance(MemoryEffectKind.ALLOC, op.results[0], self.resource),))
