"""
Traits of ops of the `tt` dialect: rules about shapes and encodings, and effects.

Upstream: `Traits.cpp` and `TritonInterfaces.td`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.dialects.builtin import NoneAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import (
    ConditionallySpeculatable,
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    OpTrait,
    Resource,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.interfaces import TensorLayout
from xtriton.dialects.tt.type_relations import shape_of
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.utils.effects import EffectsOfOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import flag, integers

MAX_TENSOR_ELEMENTS = 1 << 20

_NO_ENCODING = NoneAttr()


@dataclass(frozen=True)
class GlobalMemory(Resource):
    """The memory that kernels share: what pointers of address space 1 point to."""

    def name(self) -> str:
        return "GlobalMemory"


GLOBAL_READ = frozenset((EffectInstance(MemoryEffectKind.READ, resource=GlobalMemory()),))
GLOBAL_WRITE = frozenset((EffectInstance(MemoryEffectKind.WRITE, resource=GlobalMemory()),))
ANY_READ_WRITE = frozenset(
    (EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.WRITE))
)


@dataclass(frozen=True)
class GlobalEffects(EffectsOfOp):
    """
    Reads or writes global memory through one operand.

    `read` and `write` name the operand; an empty name is the whole resource.
    """

    read: str | None = None
    write: str | None = None

    @property
    def always_writes(self) -> bool:
        """Whether every op with this trait writes; `op_facts` asks."""
        return self.write is not None

    def get_effects(self, op: Operation) -> frozenset[EffectInstance]:
        effects: set[EffectInstance] = set()
        for kind, name in (
            (MemoryEffectKind.READ, self.read),
            (MemoryEffectKind.WRITE, self.write),
        ):
            if name is not None:
                value: SSAValue | None = getattr(op, name) if name else None
                effects.add(EffectInstance(kind, value, GlobalMemory()))
        return frozenset(effects)


class EffectsUnlessPure(MemoryEffect, ConditionallySpeculatable):
    """Reads and writes anything, unless the op's `pure` attribute says otherwise."""

    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance]:
        return frozenset() if cls.is_speculatable(op) else ANY_READ_WRITE

    @classmethod
    def is_speculatable(cls, op: Operation) -> bool:
        return flag(op, "pure")


_checked_tensors: dict[int, Attribute] = {}
"""Tensor types whose size is known to be right, by identity (and kept alive by it)."""

_CHECKED_TENSORS_LIMIT = 4096


def verify_tensor_size(type: Attribute) -> None:
    """Check that a tensor has a power of two of elements, at most 2**20."""
    if not is_tensor(type):
        return
    count = 1
    for dim in type.shape.data:
        count *= dim.data
    if count > MAX_TENSOR_ELEMENTS:
        raise VerifyException(
            f"Maximum allowed number of elements is {MAX_TENSOR_ELEMENTS}, "
            f"but '{type}' has more than that"
        )
    if count & (count - 1):
        raise VerifyException(
            f"Number of elements must be power-of-two, but '{type}' doesn't follow the "
            f"rule ({count}) elements"
        )


class TensorSizeTrait(OpTrait):
    """Every tensor has a power of two of elements, at most 2**20 (`TensorSizeTrait`)."""

    def verify(self, op: Operation) -> None:
        for value in (*op.operands, *op.results):
            type = value.type
            if _checked_tensors.get(id(type)) is not type:
                verify_tensor_size(type)
                if len(_checked_tensors) >= _CHECKED_TENSORS_LIMIT:
                    _checked_tensors.clear()
                _checked_tensors[id(type)] = type


class VerifyTensorLayoutsTrait(OpTrait):
    """Every layout fits its tensor and the module (`VerifyTensorLayoutsTrait`)."""

    def verify(self, op: Operation) -> None:
        for i, operand in enumerate(op.operands):
            self._check(operand.type, op, f"Operand {i} has an invalid layout: ")
        for i, result in enumerate(op.results):
            which = f" {i}" if len(op.results) > 1 else ""
            self._check(result.type, op, f"Result{which} has an invalid layout: ")

    @staticmethod
    def _check(type: Attribute, op: Operation, prefix: str) -> None:
        if is_tensor(type) and isinstance(type.encoding, TensorLayout):
            try:
                type.encoding.verify_tensor(type, op)
            except VerifyException as error:
                raise VerifyException(f"{prefix}{error}") from error
        elif (check := getattr(type, "verify_use", None)) is not None:
            try:
                check(op)
            except VerifyException as error:
                raise VerifyException(f"{prefix}{error}") from error


def _same_shape(types: Iterable[Attribute], what: str) -> None:
    shapes = {shape_of(type) for type in types}
    if len(shapes) > 1:
        raise VerifyException(f"requires the same shape for {what}")


def _same_encoding(types: Iterable[Attribute], what: str) -> None:
    first: Attribute | None = None
    for type in types:
        if not is_tensor(type) or type.encoding == _NO_ENCODING:
            continue
        if first is None:
            first = type.encoding
        elif type.encoding is not first and type.encoding != first:
            raise VerifyException(f"requires the same encoding for {what}")


class SameOperandsShape(OpTrait):
    """All operands have one shape."""

    def verify(self, op: Operation) -> None:
        _same_shape((v.type for v in op.operands), "all operands")


class SameOperandsAndResultShape(OpTrait):
    """All operands and results have one shape; a scalar has none."""

    def verify(self, op: Operation) -> None:
        _same_shape((v.type for v in (*op.operands, *op.results)), "all operands and results")


class SameOperandsEncoding(OpTrait):
    """All operands that have an encoding have the same."""

    def verify(self, op: Operation) -> None:
        _same_encoding((v.type for v in op.operands), "all operands")


class SameOperandsAndResultEncoding(OpTrait):
    """All operands and results that have an encoding have the same."""

    def verify(self, op: Operation) -> None:
        if op.operands:
            _same_encoding(
                (v.type for v in (*op.operands, *op.results)),
                "all operands and results",
            )


class SourceAndResultEncoding(SameOperandsAndResultEncoding):
    """
    The operand has the encoding of the result, or one that is the same for its own shape.

    So Triton 3.9 takes broadcasts.
    """

    def verify(self, op: Operation) -> None:
        source, result = op.operands[0].type, op.results[0].type
        if not (is_tensor(source) and is_tensor(result)) or source.encoding == result.encoding:
            return
        layout = source.encoding
        if not isinstance(layout, TensorLayout) or not layout.is_equivalent(
            result.encoding, source.get_shape()
        ):
            super().verify(op)


class SameOperandsAndResultElementType(OpTrait):
    """All operands and results have one element type."""

    def verify(self, op: Operation) -> None:
        elements = {_element_of(v.type) for v in (*op.operands, *op.results)}
        if len(elements) > 1:
            raise VerifyException("requires the same element type for all operands and results")


def _element_of(type: Attribute) -> Attribute:
    """Return the element type of a tensor or memory descriptor, other types as they are."""
    return getattr(type, "element_type", type)


class ChecksDimensions(OpTrait):
    """
    `boundaryCheck` names dimensions of the block that is accessed.

    Upstream does not verify this, and crashes later.
    """

    def verify(self, op: Operation) -> None:
        dims = integers(op, "boundaryCheck")
        if not dims:
            return
        type = op.operands[0].type
        if not (isinstance(type, PtrType) and type.is_block_pointer):
            return
        rank = len(shape_of(type.pointee_type) or ())
        for d in dims:
            if not 0 <= d < rank:
                raise VerifyException(f"boundaryCheck has dimension {d}, the block only {rank}")


class Elementwise(OpTrait):
    """
    Applies one scalar operation to each element.

    Tensor operands and results have one shape; scalars among the operands are taken as
    broadcast. There is a tensor among the results if and only if there is one among the
    operands.
    """

    def verify(self, op: Operation) -> None:
        operands = [o.type for o in op.operands if is_tensor(o.type)]
        results = [r.type for r in op.results if is_tensor(r.type)]
        if operands and not results:
            raise VerifyException(
                "if an operand is non-scalar, then there must be at least one non-scalar result"
            )
        if results and not operands:
            raise VerifyException(
                "if a result is non-scalar, then at least one operand must be non-scalar"
            )
        if len({type.get_shape() for type in (*operands, *results)}) > 1:
            raise VerifyException(
                "all non-scalar operands/results must have the same shape and base type"
            )


TENSOR_TRAITS = (TensorSizeTrait(), VerifyTensorLayoutsTrait())
"""Traits that every op of the dialect has."""
