"""
Types and effects that ops of the `ttg` dialect share.
"""

from dataclasses import dataclass, field

from xdsl.dialects.builtin import IndexType, IntegerType, TensorType, i1
from xdsl.ir import Attribute, Operation
from xdsl.traits import EffectInstance, MemoryEffectKind, Resource
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import TT_Bool, TypeClass
from xtriton.dialects.tt.traits import VerifyTensorLayoutsTrait
from xtriton.dialects.tt.type_relations import with_element_type
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.utils.effects import EffectsOfOp, OperandEffects

I1Tensor = TT_Bool.tensor
SignlessIntegerOrIndex = TypeClass(
    "signless integer or index", lambda t: isinstance(t, IntegerType | IndexType)
)
GPU_TRAITS = (VerifyTensorLayoutsTrait(),)
"""Traits that every op of the dialect has."""


@dataclass(frozen=True)
class SharedMemory(Resource):
    """The memory that the threads of a CTA share."""

    def name(self) -> str:
        return "SharedMemory"


@dataclass(frozen=True)
class SharedEffects(OperandEffects):
    """Reads, writes or frees shared memory through operands or results."""

    resource: Resource = field(default_factory=SharedMemory)


@dataclass(frozen=True)
class AllocEffects(EffectsOfOp):
    """
    Allocates its result in a resource, and writes it where it is initialized.

    An immutable buffer cannot be told from its copy, so that two equal allocations are one;
    upstream therefore gives an effect to mutable ones only.
    """

    resource: Resource

    def get_effects(self, op: Operation) -> frozenset[EffectInstance]:
        result = op.results[0]
        assert isinstance(result.type, MemDescType)
        if not result.type.mutable:
            return frozenset()
        effects = {EffectInstance(MemoryEffectKind.ALLOC, result, self.resource)}
        if op.operands:
            effects.add(EffectInstance(MemoryEffectKind.WRITE, result, self.resource))
        return frozenset(effects)


def mask_like(type: Attribute) -> Attribute:
    """Return the `i1` tensor of the shape and layout of `type`."""
    return with_element_type(type, i1)


def layout_rank_shape(type: MemDescType) -> tuple[int, ...]:
    """Return the shape without the dimensions that count copies of a buffer."""
    return _layout_rank_part(type, type.get_shape())


def layout_rank_alloc_shape(type: MemDescType) -> tuple[int, ...]:
    """Return the shape of the whole buffer without the dimensions that count copies."""
    return _layout_rank_part(type, type.alloc_shape)


def _layout_rank_part(type: MemDescType, shape: tuple[int, ...]) -> tuple[int, ...]:
    rank = getattr(type.encoding, "rank", len(shape))
    return shape[max(len(shape) - rank, 0) :]


def verify_mutable(type: Attribute, what: str = "Cannot store into immutable memory") -> None:
    """Check that a descriptor can be stored to."""
    if isinstance(type, MemDescType) and not type.mutable:
        raise VerifyException(what)


def shape_of_any(type: Attribute) -> tuple[int, ...]:
    """Return the shape of a tensor or of a descriptor."""
    assert isinstance(type, TensorType | MemDescType)
    return type.get_shape()
