"""What the forward analysis knows of a value: a closed form, or where a pointer points."""

from typing import cast

from xdsl.dialects.builtin import FixedBitwidthType, IndexType, IntegerType, TensorType
from xdsl.ir import Attribute, SSAValue

from xtriton.analysis.indexing import MACHINE, Cond, Expr, Interval
from xtriton.analysis.indexing.members import Members, auto
from xtriton.dialects.tt.types import PtrType, TensorDescType
from xtriton.records import slotted_record


@slotted_record
class Pointer:
    """
    `base + offset`, a pointer or a tensor of them.

    `base` is a scalar pointer of the program. `offset` counts elements of `pointee`,
    which after a `tt.bitcast` need not be what `base` points to.
    """

    base: SSAValue
    offset: Expr
    pointee: Attribute


@slotted_record
class TensorBlock:
    """
    A block of a tensor in memory: what a block pointer or a descriptor says.

    The element at `i` of the block is at `base + origin + sum((offsets[d] + i[d]) * strides[d])`
    and inside the tensor where `0 <= offsets[d] + i[d] < shape[d]` for each d.
    """

    base: SSAValue
    origin: Expr
    shape: tuple[Expr, ...]
    strides: tuple[Expr, ...]
    offsets: tuple[Expr, ...]
    sizes: tuple[int, ...]
    order: tuple[int, ...]
    pointee: Attribute
    padding: int | None = None
    """What a descriptor reads beyond the tensor, a `PaddingOption`; None for block pointers."""


@slotted_record
class Unknown:
    """A pointer of which nothing is known, and why."""

    reason: str
    value: SSAValue


Value = Expr | Cond | Pointer | TensorBlock | Unknown


class Sort(Members):
    """The sorts of values that the analysis tells apart."""

    INTEGER = auto()
    BOOLEAN = auto()
    POINTER = auto()
    BLOCK = auto()
    OTHER = auto()


@slotted_record
class TypeFacts:
    """What the analysis needs of a type; `shape` is None for a scalar."""

    sort: Sort
    shape: tuple[int, ...] | None
    interval: Interval
    element: Attribute
    """The element type; for pointers the pointee's."""

    width: int


_known: dict[int, tuple[Attribute, TypeFacts]] = {}


def type_facts(type: Attribute) -> TypeFacts:
    """Return the facts of a type; remembered by identity, since types are made once."""
    found = _known.get(id(type))
    if found is not None and found[0] is type:
        return found[1]
    facts = _type_facts(type)
    if len(_known) > 10_000:
        _known.clear()
    _known[id(type)] = type, facts
    return facts


def _type_facts(type: Attribute) -> TypeFacts:
    shape: tuple[int, ...] | None = None
    element = type
    if is_tensor(type):
        shape = tensor_type(type).get_shape()
        element = tensor_type(type).get_element_type()
    if is_integer(element):
        width = integer_width(element)
        if width == 1:
            return TypeFacts(Sort.BOOLEAN, shape, (0, 1), element, 1)
        half = 1 << (width - 1)
        return TypeFacts(Sort.INTEGER, shape, (-half, half - 1), element, width)
    if isinstance(element, IndexType):
        return TypeFacts(Sort.INTEGER, shape, MACHINE, element, 64)
    if isinstance(element, PtrType):
        pointee = element.pointee_type
        if is_tensor(pointee):
            block = tensor_type(pointee)
            element = block.get_element_type()
            return TypeFacts(Sort.BLOCK, block.get_shape(), MACHINE, element, 64)
        return TypeFacts(Sort.POINTER, shape, MACHINE, pointee, 64)
    if isinstance(element, TensorDescType):
        return TypeFacts(Sort.BLOCK, element.get_shape(), MACHINE, element.element_type, 64)
    return TypeFacts(Sort.OTHER, shape, MACHINE, element, 0)


def is_tensor(type: Attribute) -> bool:
    return isinstance(type, TensorType)


def is_integer(type: Attribute) -> bool:
    return isinstance(type, IntegerType)


def tensor_type(type: Attribute) -> TensorType[Attribute]:
    """Return a type that is a tensor's, as such."""
    assert isinstance(type, TensorType)
    # A string, as Python would make the class of such tensors each time.
    return cast("TensorType[Attribute]", type)


def integer_width(type: Attribute) -> int:
    """Return the bits of an integer type."""
    return integer_type(type).width.data


def integer_type(type: Attribute) -> IntegerType:
    """Return a type that is an integer's, as such."""
    assert isinstance(type, IntegerType)
    return cast(IntegerType, type)


def known_byte_width(type: Attribute) -> int | None:
    """Return the bytes that an element takes in memory; None for a type of no fixed size."""
    return byte_width(type) if isinstance(type, (PtrType, FixedBitwidthType)) else None


def byte_width(type: Attribute) -> int:
    """Return the bytes that an element takes in memory; a boolean takes one."""
    if isinstance(type, PtrType):
        return 8
    assert isinstance(type, FixedBitwidthType)
    return max(1, type.bitwidth // 8)
