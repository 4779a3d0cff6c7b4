"""
Constraints and type equations that the upstream dialects share.

"Like" in a constraint's name means what it means upstream: the scalar, or a vector or
tensor of it, ranked or not, with any encoding.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args

from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    MemRefType,
    Signedness,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.utils.tensors import is_integer

FLOAT_TYPES: tuple[type[Attribute], ...] = get_args(AnyFloat)

_CONTAINERS = (TensorType, VectorType, UnrankedTensorType)


def is_float(t: Attribute) -> bool:
    """Return whether `t` is a floating-point type."""
    return isinstance(t, FLOAT_TYPES)


def is_signless_integer(t: Attribute) -> bool:
    """Return whether `t` is an integer type that says nothing about its sign."""
    return is_integer(t) and t.signedness.data is Signedness.SIGNLESS


def is_index(t: Attribute) -> bool:
    """Return whether `t` is `index`."""
    return isinstance(t, IndexType)


def is_bool(t: Attribute) -> bool:
    """Return whether `t` is `i1`."""
    return is_integer(t) and t.width.data == 1 and is_signless_integer(t)


def element_of(t: Any) -> Attribute:
    """Return the element type of a tensor, vector or memref, ranked or not."""
    return t.element_type


def vector_element(t: Attribute) -> Attribute:
    """Return the element type of a vector."""
    if isinstance(t, VectorType):
        return element_of(t)
    raise VerifyException(f"expected a vector, got {t}")


def element_or_self(t: Attribute) -> Attribute:
    """Return the element type of a tensor, vector or memref, and any other type itself."""
    if isinstance(t, (*_CONTAINERS, MemRefType, UnrankedMemRefType)):
        return element_of(t)
    return t


@dataclass(frozen=True)
class Like(AttrConstraint):
    """A scalar for which `accepts` holds, or a vector or tensor of it (a memref too if said)."""

    what: str
    accepts: Callable[[Attribute], bool]
    memrefs: bool = False

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        element = attr
        if isinstance(attr, _CONTAINERS) or (
            self.memrefs and isinstance(attr, (MemRefType, UnrankedMemRefType))
        ):
            element = element_of(attr)
        if not self.accepts(element):
            raise VerifyException(f"expected {self.what}, got {attr}")

    def mapping_type_vars(self, type_var_mapping: object) -> "Like":
        return self


@dataclass(frozen=True)
class Scalar(AttrConstraint):
    """A type for which `accepts` holds."""

    what: str
    accepts: Callable[[Attribute], bool]

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not self.accepts(attr):
            raise VerifyException(f"expected {self.what}, got {attr}")

    def mapping_type_vars(self, type_var_mapping: object) -> "Scalar":
        return self


def _integer_or_index(t: Attribute) -> bool:
    return is_index(t) or is_signless_integer(t)


def _integer_or_float(t: Attribute) -> bool:
    return is_signless_integer(t) or is_float(t)


BOOL_LIKE = Like("a bool or a vector or tensor of bools", is_bool)
INTEGER_LIKE = Like("an integer or a vector or tensor of integers", is_signless_integer)
INTEGER_OR_INDEX_LIKE = Like(
    "an integer, an index or a vector or tensor of these", _integer_or_index
)
FLOAT_LIKE = Like("a float or a vector or tensor of floats", is_float)
INDEX_CAST_LIKE = Like(
    "an integer, an index or a vector, tensor or memref of these", _integer_or_index, memrefs=True
)
BITCAST_LIKE = Like(
    "an integer, a float or a vector, tensor or memref of these", _integer_or_float, memrefs=True
)
INTEGER_OR_INDEX = Scalar("an integer or an index", _integer_or_index)
SIGNLESS_INTEGER = Scalar("an integer", is_signless_integer)
INTEGER_OR_FLOAT = Scalar("an integer or a float", _integer_or_float)
FLOAT = Scalar("a float", is_float)


@lru_cache(maxsize=4096)
def with_element_type(t: Attribute, element: Attribute) -> Attribute:
    """Return `t` with another element type: its shape and encoding stay."""
    match t:
        case TensorType():
            return TensorType(element, t.shape, t.encoding)
        case VectorType():
            return VectorType(element, t.shape, t.scalable_dims)
        case UnrankedTensorType():
            return UnrankedTensorType(element)
        case _:
            return element


def i1_like(t: Attribute) -> Attribute:
    """Return the type of a comparison of values of type `t`: `i1` in its shape."""
    return with_element_type(t, i1)


def same_shape(a: Attribute, b: Attribute) -> bool:
    """
    Return whether two types agree in everything but the element type.

    Both scalars, or both of one container class with equal shape and encoding; unranked
    tensors and dynamic dimensions agree with anything of their class.
    """
    if isinstance(a, UnrankedTensorType) or isinstance(b, UnrankedTensorType):
        return isinstance(a, _CONTAINERS) and isinstance(b, _CONTAINERS)
    if isinstance(a, UnrankedMemRefType) or isinstance(b, UnrankedMemRefType):
        kinds = (MemRefType, UnrankedMemRefType)
        return isinstance(a, kinds) and isinstance(b, kinds)
    if isinstance(a, TensorType):
        return (
            isinstance(b, TensorType)
            and a.encoding == b.encoding
            and same_dimensions(a.get_shape(), b.get_shape())
        )
    if isinstance(a, VectorType):
        return isinstance(b, VectorType) and a.shape == b.shape
    if isinstance(a, MemRefType):
        return isinstance(b, MemRefType) and same_dimensions(a.get_shape(), b.get_shape())
    return not isinstance(b, (TensorType, VectorType, MemRefType))


def same_dimensions(a: Sequence[int], b: Sequence[int]) -> bool:
    """Return whether two shapes agree; a dynamic extent agrees with any."""
    return len(a) == len(b) and all(m == n or m < 0 or n < 0 for m, n in zip(a, b, strict=True))
