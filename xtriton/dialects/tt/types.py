"""
Types of the `tt` dialect: pointers and tensor descriptors.

Upstream: `TritonTypes.td`, `Types.cpp`.
"""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    IntAttr,
    IntegerType,
    NoneAttr,
    Signedness,
    SignednessAttr,
    TensorType,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.utils.tensors import is_integer, is_tensor
from xtriton.errors import UserError
from xtriton.ir.versions import NEWEST, Version, version_text

GLOBAL_ADDRESS_SPACE = 1

FIRST_VERSION_OF_NAMED_ADDRESS_SPACES: Version = (3, 9)
"""Up to 3.8 the address space of a pointer is written as a number, then as a string."""

ADDRESS_SPACES = {"descriptor": 0, "global": 1, "constant": 4}
"""The address spaces that Triton 3.9 has, by name."""

_ADDRESS_SPACE_NAMES = {number: name for name, number in ADDRESS_SPACES.items()}

LAST_VERSION_OF_BLOCK_POINTERS: Version = (3, 7)

LAST_VERSION_OF_WRAPPED_TENSORDESC: Version = (3, 7)
"""Up to here a descriptor's type is `!tt.tensordesc<tensor<4x8xf16>>`, then `<4x8xf16>`."""

FIRST_VERSION_OF_BARE_TENSORDESC: Version = (3, 8)


def note_release(
    parser: AttrParser, *, since: Version | None = None, until: Version | None = None
) -> None:
    """Tell our parser which releases write what was just read; xDSL's own does not ask."""
    reader: Any = parser
    if since is not None and hasattr(reader, "seen_since"):
        reader.seen_since(since)
    if until is not None and hasattr(reader, "seen_until"):
        reader.seen_until(until)


@irdl_attr_definition
class PtrType(ParametrizedAttribute, TypeAttribute):
    """
    A pointer to elements of one type, or, up to Triton 3.7, to a block of them.

    Upstream `TT_PtrType`. Address space 1 (global memory) is the default and not written.
    Since Triton 3.9 the others have names, of which there are two.

    ```mlir
    !tt.ptr<f16>
    !tt.ptr<f16, 3>
    !tt.ptr<f16, "constant">
    !tt.ptr<tensor<64x32xf16>>
    ```
    """

    name = "tt.ptr"

    pointee_type: Attribute
    address_space: IntAttr

    def __init__(self, pointee_type: Attribute, address_space: int | IntAttr = 1):
        if isinstance(address_space, int):
            address_space = IntAttr(address_space)
        super().__init__(pointee_type, address_space)

    @property
    def is_block_pointer(self) -> bool:
        """Whether this points to a block (`tensor`), as `tt.make_tensor_ptr` returns."""
        return is_tensor(self.pointee_type)

    def verify(self) -> None:
        if not isinstance(self.pointee_type, (IntegerType, AnyFloat, TensorType, PtrType)):
            raise VerifyException(
                "pointer types must point to integer or floating-point types, "
                f"but got '{self.pointee_type}'"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        space = GLOBAL_ADDRESS_SPACE
        with parser.in_angle_brackets():
            pointee = parser.parse_type()
            if parser.parse_optional_punctuation(",") is not None:
                space = cls._parse_address_space(parser)
        seen_until = getattr(parser, "seen_until", None)
        if seen_until is not None and is_tensor(pointee):
            seen_until(LAST_VERSION_OF_BLOCK_POINTERS)
        return (pointee, IntAttr(space))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.pointee_type)
            if self.address_space.data != GLOBAL_ADDRESS_SPACE:
                printer.print_string(f", {self._address_space_text(printer)}")

    @staticmethod
    def _parse_address_space(parser: AttrParser) -> int:
        name = parser.parse_optional_str_literal()
        if name is None:
            space = parser.parse_integer(allow_boolean=False)
            if space != GLOBAL_ADDRESS_SPACE:
                note_release(parser, until=(3, 8))
            return space
        note_release(parser, since=FIRST_VERSION_OF_NAMED_ADDRESS_SPACES)
        if name not in ADDRESS_SPACES:
            parser.raise_error(f"invalid pointer address space '{name}'")
        return ADDRESS_SPACES[name]

    def _address_space_text(self, printer: Printer) -> str:
        version: Version = getattr(printer, "version", NEWEST)
        space = self.address_space.data
        if version < FIRST_VERSION_OF_NAMED_ADDRESS_SPACES:
            return str(space)
        if space not in _ADDRESS_SPACE_NAMES:
            raise UserError(
                f"Triton {version_text(version)} has no pointers of address space {space}"
            )
        return f'"{_ADDRESS_SPACE_NAMES[space]}"'


@irdl_attr_definition
class TensorDescType(ParametrizedAttribute, TypeAttribute):
    """
    A descriptor of a tensor in global memory that is accessed block by block.

    `shape` and `element_type` are those of the block; `shared_layout`, if any, is the
    layout that the block has in shared memory. The signedness of an integer element type
    is kept here (`si8`, `ui8`), tensors of the block are signless.
    Upstream `TT_TensorDescType`; up to Triton 3.7 the text wraps a tensor type.

    ```mlir
    !tt.tensordesc<128x64xf16>
    !tt.tensordesc<128x64xf16, #shared>
    !tt.tensordesc<tensor<128x64xf16, #shared>>
    ```
    """

    name = "tt.tensordesc"
    SINCE: ClassVar[Version] = (3, 3)

    shape: ArrayAttr[IntAttr]
    element_type: Attribute
    shared_layout: Attribute

    def __init__(
        self,
        element_type: Attribute,
        shape: Iterable[int | IntAttr],
        shared_layout: Attribute | None = None,
    ):
        dims = [IntAttr(dim) if isinstance(dim, int) else dim for dim in shape]
        super().__init__(
            ArrayAttr(dims),
            element_type,
            NoneAttr() if shared_layout is None else shared_layout,
        )

    def get_shape(self) -> tuple[int, ...]:
        """Return the shape of the block."""
        return tuple(dim.data for dim in self.shape.data)

    @property
    def block_type(self) -> TensorType[Attribute]:
        """The type of a block as it is declared: with signedness, with shared layout."""
        return TensorType(self.element_type, self.shape.data, self.shared_layout)

    @property
    def signless_block_type(self) -> TensorType[Attribute]:
        """The type of a block in registers, before a layout is chosen."""
        element_type = self.element_type
        if is_integer(element_type):
            element_type = IntegerType(element_type.width)
        return TensorType(element_type, self.shape.data)

    def with_signedness(self, signed: bool) -> "TensorDescType":
        """Return the type with integer elements of that signedness, as the frontend does."""
        if not is_integer(self.element_type):
            return self
        signedness = Signedness.SIGNED if signed else Signedness.UNSIGNED
        element = IntegerType(self.element_type.width, SignednessAttr(signedness))
        return TensorDescType(element, self.shape.data, self.shared_layout)

    def verify(self) -> None:
        if is_tensor(self.element_type):
            raise VerifyException(
                "tensor descriptors must not wrap tensor types; use "
                "!tt.tensordesc<shape x element-type[, layout]> instead"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        layout: Attribute = NoneAttr()
        with parser.in_angle_brackets():
            shape, element_type = parser.parse_ranked_shape()
            if any(dim < 0 for dim in shape):
                parser.raise_error("a block has a static shape")
            if parser.parse_optional_punctuation(",") is not None:
                layout = parser.parse_attribute()
        if not shape and is_tensor(element_type):
            note_release(parser, until=LAST_VERSION_OF_WRAPPED_TENSORDESC)
            return (element_type.shape, element_type.element_type, element_type.encoding)
        note_release(parser, since=FIRST_VERSION_OF_BARE_TENSORDESC)
        return (ArrayAttr(IntAttr(dim) for dim in shape), element_type, layout)

    def print_parameters(self, printer: Printer) -> None:
        version: Version = getattr(printer, "version", NEWEST)
        with printer.in_angle_brackets():
            if version <= LAST_VERSION_OF_WRAPPED_TENSORDESC:
                printer.print_string("tensor")
                with printer.in_angle_brackets():
                    self._print_block(printer)
            else:
                self._print_block(printer)

    def _print_block(self, printer: Printer) -> None:
        for dim in self.shape.data:
            printer.print_string(f"{dim.data}x")
        printer.print_attribute(self.element_type)
        if not isinstance(self.shared_layout, NoneAttr):
            printer.print_string(", ")
            printer.print_attribute(self.shared_layout)
