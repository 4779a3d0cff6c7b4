"""Memory effects of ops of the `ttig` dialect."""

from dataclasses import dataclass

from xdsl.ir import Operation
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind, Resource


@dataclass(frozen=True)
class L2Cache(Resource):
    """The cache in front of global memory; a prefetch changes nothing else."""

    def name(self) -> str:
        return "L2Cache"


class PrefetchEffects(MemoryEffect):
    """Fills the cache, which keeps a prefetch from being removed as dead."""

    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance]:
        return frozenset((EffectInstance(MemoryEffectKind.WRITE, resource=L2Cache()),))
