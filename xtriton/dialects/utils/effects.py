"""Effects of ops on the memory that an operand of theirs points to."""

from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue
from xdsl.traits import DefaultResource, EffectInstance, MemoryEffect, MemoryEffectKind, Resource


@dataclass(frozen=True)
class OperandEffects(MemoryEffect):
    """
    Reads, writes or frees a resource through operands or results.

    Each field names one; "" is none. An optional one that is absent has no effect.
    """

    read: str = ""
    write: str = ""
    free: str = ""
    resource: Resource = field(default_factory=DefaultResource)

    # xDSL calls `get_effects` on the instance but declares it as a class method.
    def get_effects(self, op: Operation) -> frozenset[EffectInstance]:  # pyright: ignore[reportIncompatibleMethodOverride]
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
