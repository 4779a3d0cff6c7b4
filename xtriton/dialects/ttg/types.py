"""
Types of the `ttg` dialect: descriptors of buffers and tokens.

Upstream: `TritonGPUTypes.td`, `Types.cpp`. Up to Triton 3.2 the descriptor was a type of
`tt`, and memory space and encoding could be left out.
"""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, IntAttr, NoneAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg.context import launch_context
from xtriton.dialects.ttg.interfaces import LayoutEncoding, SharedEncoding
from xtriton.dialects.ttg.linear_shared import PaddedSharedEncodingAttr, SharedLinearEncodingAttr
from xtriton.dialects.ttg.parameters import flag, is_power_of_two, unsayable
from xtriton.dialects.ttg.shared import SharedMemorySpaceAttr
from xtriton.dialects.utils.tensors import is_integer
from xtriton.ir.versions import Version, early_rules, release

_LAST_RELEASE_OF_ANY_CTAS: dict[bool, Version] = {True: (3, 6), False: (3, 7)}
"""For shared memory, and for other memory."""

LAST_VERSION_OF_TT_MEMDESC: Version = (3, 2)

_NONE = NoneAttr()
_SHARED_MEMORY = SharedMemorySpaceAttr()


def _dims(shape: Sequence[int]) -> ArrayAttr[IntAttr]:
    return ArrayAttr([IntAttr(dim) for dim in shape])


@irdl_attr_definition
class MemDescType(ParametrizedAttribute, TypeAttribute):
    """
    A view of a buffer: shape, element type, layout, memory space, whether it can be written.

    Upstream `TTG_MemDescType`. `alloc_shape` is the shape of the buffer that this is a part
    of; it is written only where it differs from `shape`. Leading dimensions beyond the
    encoding's rank count the copies of a multiple buffer.

    ```mlir
    !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>
    !ttg.memdesc<32x32xf16, #shared, #smem, mutable, 64x32>
    ```
    """

    name = "ttg.memdesc"

    shape: ArrayAttr[IntAttr]
    element_type: Attribute
    encoding: Attribute
    memory_space: Attribute
    mutable_memory: IntAttr
    allocation: ArrayAttr[IntAttr]

    def __init__(
        self,
        shape: Sequence[int],
        element_type: Attribute,
        encoding: Attribute,
        memory_space: Attribute | None = None,
        mutable: bool = False,
        alloc_shape: Sequence[int] | None = None,
    ):
        super().__init__(
            _dims(shape),
            element_type,
            encoding,
            SharedMemorySpaceAttr() if memory_space is None else memory_space,
            flag(mutable),
            _dims(shape if alloc_shape is None else alloc_shape),
        )

    def get_shape(self) -> tuple[int, ...]:
        """Return the shape of the view."""
        return tuple(dim.data for dim in self.shape.data)

    @property
    def rank(self) -> int:
        return len(self.shape.data)

    @property
    def alloc_shape(self) -> tuple[int, ...]:
        """The shape of the whole buffer."""
        return tuple(dim.data for dim in self.allocation.data)

    @property
    def mutable(self) -> bool:
        """Whether the buffer may be stored to after its allocation."""
        return bool(self.mutable_memory.data)

    @property
    def is_shared(self) -> bool:
        """Whether the buffer is in shared memory."""
        return isinstance(self.memory_space, SharedMemorySpaceAttr | NoneAttr)

    def verify(self) -> None:
        shape, alloc = self.get_shape(), self.alloc_shape
        if len(alloc) < len(shape):
            raise VerifyException("alloc shape must have at least as many dimensions as shape")
        if not early_rules():
            self._verify_strictly(shape, alloc)

    def verify_use(self, op: Operation) -> None:
        """Check that the cluster around `op` has as many CTAs as the layout."""
        own = getattr(self.encoding, "num_ctas", None)
        outer = launch_context(op).num_ctas
        last = _LAST_RELEASE_OF_ANY_CTAS[self.is_shared]
        if release() > last and None not in (own, outer) and own != outer:
            raise VerifyException(
                f"{self.encoding}.\nLayout has {own} CTAs per CGA, but the context requires "
                f"{outer} CTAs per CGA."
            )

    def _verify_strictly(self, shape: tuple[int, ...], alloc: tuple[int, ...]) -> None:
        if not shape:
            raise VerifyException("rank 0 memdesc is not allowed")
        if 0 in shape:
            raise VerifyException("shape has 0 dimension")
        if 0 in alloc:
            raise VerifyException("alloc shape has 0 dimension")
        bits = element_bits(self.element_type)
        if bits != 1 and bits < 8:
            raise VerifyException(f"element type bit width must be 1 or at least 8; got {bits}")
        if self.encoding == _NONE:
            return
        self._verify_bounds(shape, alloc)
        if isinstance(self.encoding, SharedEncoding):
            self._verify_shared(self.encoding)
        check = getattr(self.encoding, "verify_memdesc", None)
        if check is not None:
            check(self)
        elif not isinstance(self.encoding, SharedEncoding):
            raise VerifyException(f"{self.encoding} is not a valid encoding")

    def _verify_bounds(self, shape: tuple[int, ...], alloc: tuple[int, ...]) -> None:
        if any(s > a for s, a in zip(shape, alloc[len(alloc) - len(shape) :], strict=True)):
            raise VerifyException(
                f"shape must be less than or equal to allocShape. shape = {_list(shape)}, "
                f"allocShape = {_list(alloc)}"
            )
        rank = self.encoding.rank if isinstance(self.encoding, LayoutEncoding) else len(shape)
        if not all(map(is_power_of_two, shape[max(len(shape) - rank, 0) :])):
            raise VerifyException(
                f"shape must have power-of-2 and non-zero dimensions; got {_list(shape)}"
            )
        if not all(map(is_power_of_two, alloc[max(len(alloc) - rank, 0) :])):
            raise VerifyException(
                f"alloc shape must have power-of-2 and non-zero dimensions; got {_list(alloc)}"
            )

    def _verify_shared(self, encoding: SharedEncoding) -> None:
        if not isinstance(self.memory_space, SharedMemorySpaceAttr | NoneAttr):
            raise VerifyException(
                "memorySpace must be SharedMemorySpace for shared encoding. "
                f"Got {self.memory_space}"
            )
        if encoding.rank not in (self.rank, self.rank - 1):
            raise VerifyException(
                "rank must be equal to or one less than the shape size. Got "
                f"{encoding.rank} and {self.rank}"
            )
        if isinstance(encoding, PaddedSharedEncodingAttr):
            self._verify_layout_shape(encoding.shape)
        elif isinstance(encoding, SharedLinearEncodingAttr):
            points = (*encoding.offset_bases, *encoding.block_bases)
            size = [1] * encoding.rank
            for point in points:
                size = [max(s, 1 << v.bit_length()) for s, v in zip(size, point, strict=True)]
            self._verify_layout_shape(tuple(size))

    def _verify_layout_shape(self, layout_shape: tuple[int, ...] | None) -> None:
        if layout_shape is None:
            return
        expected = self.alloc_shape[len(self.alloc_shape) - len(layout_shape) :]
        for dim, (size, found) in enumerate(zip(expected, layout_shape, strict=False)):
            if size != found:
                raise VerifyException(
                    f"Mismatch in expected shape for dimension {dim}. Expected: {size}, "
                    f"got: {found}"
                )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        # What an op of Triton 3.2 writes without the name of the type has no space either.
        named = parser.lexer.input.content.endswith("memdesc", 0, parser.pos)
        return cls.parse_with_space(parser, space_needed=named)

    @classmethod
    def parse_with_space(cls, parser: AttrParser, *, space_needed: bool) -> Sequence[Attribute]:
        """Parse what follows the name; without a memory space it is shared memory."""
        with parser.in_angle_brackets():
            shape, element_type = parser.parse_ranked_shape()
            rest: list[Attribute] = []
            mutable, alloc = False, shape
            while parser.parse_optional_punctuation(",") is not None:
                if parser.parse_optional_keyword("mutable") is not None:
                    mutable = True
                elif found := parser.parse_dimension_list():
                    alloc = found
                else:
                    rest.append(parser.parse_attribute())
        if len(rest) > 2:
            parser.raise_error("a memory descriptor has one encoding and one memory space")
        if len(rest) < 2 and space_needed:
            parser.raise_error("expected ',': a memory descriptor has an encoding and a space")
        encoding, space = (*rest, *(_NONE, _SHARED_MEMORY)[len(rest) :])
        if (for_element := getattr(encoding, "for_element", None)) is not None:
            encoding = for_element(element_type)
        return (_dims(shape), element_type, encoding, space, flag(mutable), _dims(alloc))

    def text_name(self, version: Version) -> str:
        """Return the name that `version` has for this."""
        return "tt.memdesc" if version <= LAST_VERSION_OF_TT_MEMDESC else self.name

    def print_parameters(self, printer: Printer) -> None:
        version: Version | None = getattr(printer, "version", None)
        with printer.in_angle_brackets():
            for dim in self.get_shape():
                printer.print_string(f"{dim}x")
            printer.print_attribute(self.element_type)
            for attribute in (self.encoding, self.memory_space):
                if attribute == _NONE or (version == (3, 1) and attribute == _SHARED_MEMORY):
                    continue
                printer.print_string(", ")
                printer.print_attribute(attribute)
            if self.mutable:
                printer.print_string(", mutable")
            if self.alloc_shape != self.get_shape():
                if version is not None and version <= LAST_VERSION_OF_TT_MEMDESC:
                    raise unsayable("a buffer that is part of another", version)
                printer.print_string(f", {'x'.join(map(str, self.alloc_shape))}")


@irdl_attr_definition
class OldMemDescType(ParametrizedAttribute, TypeAttribute):
    """
    `!tt.memdesc` of Triton 3.1 and 3.2; read as `!ttg.memdesc`.

    ```mlir
    !tt.memdesc<64x32xf16, #shared, mutable>
    ```
    """

    name = "tt.memdesc"

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return MemDescType.parse_with_space(parser, space_needed=False)

    @classmethod
    def new(cls, params: Sequence[Attribute]) -> Any:
        """Return the descriptor type of today."""
        return MemDescType.new(params)


@irdl_attr_definition
class AsyncTokenType(ParametrizedAttribute, TypeAttribute):
    """
    What an asynchronous op returns, so that a wait can name it. Upstream `TTG_AsyncToken`.

    ```mlir
    !ttg.async.token
    ```
    """

    name = "ttg.async.token"

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return ()

    def print_parameters(self, printer: Printer) -> None:
        return


@irdl_attr_definition
class TokenType(ParametrizedAttribute, TypeAttribute):
    """
    A token of the first warp specialization (Triton 3.1 to 3.3). Upstream `TTG_TokenType`.

    ```mlir
    !triton_gpu.token<1>
    ```
    """

    name = "ttg.token"

    kind: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return (IntAttr(parser.parse_integer(allow_boolean=False)),)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.kind.data}>")


def element_bits(type: Attribute) -> int:
    """Return the width of an element in bits; pointers have 64."""
    if is_integer(type):
        return type.width.data
    return getattr(type, "bitwidth", 64)


def _list(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))
