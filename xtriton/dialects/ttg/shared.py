"""
Encodings of tensors in shared memory.

Upstream: `SwizzledSharedEncodingAttr`, `AMDRotatingSharedEncodingAttr`,
`NVMMASharedEncodingAttr`, `SharedMemorySpaceAttr` of `TritonGPUAttrDefs.td`, and the
`SharedEncodingAttr` of Triton 3.1 and 3.2, which was swizzled and MMA layout in one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg.cga import (
    CGA_KEYS,
    CGAEncodingAttr,
    cga_from_array,
    cga_text,
    parse_cga,
)
from xtriton.dialects.ttg.interfaces import SharedEncoding
from xtriton.dialects.ttg.parameters import (
    Ints,
    Parameters,
    bool_text,
    flag,
    int_text,
    ints,
    parse_dictionary,
    reject_unknown_keys,
    take_bool,
    take_int,
    take_ints,
    unsayable,
    values_of,
    verify_order,
    version_of,
)
from xtriton.dialects.utils.tensors import is_array, is_int_attr
from xtriton.ir.versions import Version, early_rules, release
from xtriton.layouts.shaping import shape_per_cta
from xtriton.layouts.shared import LARGEST_TMA_SIZE

LAST_VERSION_OF_SHARED: Version = (3, 2)
"""Up to here `#shared` is `#triton_gpu.shared<{..., hasLeadingOffset = false}>`."""

_LAST_RELEASE_OF_SHORT_ROWS: Version = (3, 6)

_SWIZZLED_KEYS = ("vec", "perPhase", "maxPhase", "order")


@irdl_attr_definition
class SharedMemorySpaceAttr(ParametrizedAttribute):
    """
    Shared memory, as the memory space of a descriptor. Upstream `SharedMemorySpaceAttr`.

    ```mlir
    #ttg.shared_memory
    ```
    """

    name = "ttg.shared_memory"
    ALIAS: ClassVar[str] = "smem"
    SINCE: ClassVar[Version] = (3, 2)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return ()

    def print_parameters(self, printer: Printer) -> None:
        return


@dataclass(frozen=True, init=False)
class _SwizzledEncoding(ParametrizedAttribute, SharedEncoding):
    """Parameters that all swizzled encodings have."""

    vectorSize: IntAttr
    rowsPerPhase: IntAttr
    phases: IntAttr
    orderOfDims: Ints
    cga: CGAEncodingAttr

    @property
    def rank(self) -> int:
        return len(self.orderOfDims)

    @property
    def vec(self) -> int:
        """How many adjacent elements move together."""
        return self.vectorSize.data

    @property
    def per_phase(self) -> int:
        """How many rows have the same phase."""
        return self.rowsPerPhase.data

    @property
    def max_phase(self) -> int:
        """How many phases there are."""
        return self.phases.data

    @property
    def order(self) -> tuple[int, ...]:
        """The dimensions, the fastest one first."""
        return values_of(self.orderOfDims)

    def verify(self) -> None:
        if self.rank != self.cga.rank:
            raise VerifyException(
                f"order size ({self.rank}) must match CGALayout rank ({self.cga.rank})"
            )
        verify_order(self.order)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parameters = parse_dictionary(parser)
        reject_unknown_keys(parser, parameters, (*_SWIZZLED_KEYS, *CGA_KEYS))
        return _take_swizzle(parser, parameters)

    def swizzle_text(self, printer: Printer) -> str:
        """Return the keys and values without braces."""
        return (
            f"vec = {self.vec}, perPhase = {self.per_phase}, maxPhase = {self.max_phase}, "
            f"order = {int_text(self.order)}{cga_text(self.cga, printer)}"
        )

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{{{self.swizzle_text(printer)}}}>")


def _take_swizzle(parser: AttrParser, parameters: Parameters) -> Sequence[Attribute]:
    order = take_ints(parser, parameters, "order", ())
    numbers = [take_int(parser, parameters, key, 0) for key in _SWIZZLED_KEYS[:3]]
    return (*numbers, order, parse_cga(parser, parameters, len(order)))


@irdl_attr_definition
class SwizzledSharedEncodingAttr(_SwizzledEncoding):
    """
    Rows whose vectors are permuted by an exclusive or with the row's phase.

    Upstream `SwizzledSharedEncodingAttr`. Element (r, c) is stored in row r at column
    ((c / vec) xor ((r / perPhase) mod maxPhase)) · vec + c mod vec.

    ```mlir
    #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
    ```
    """

    name = "ttg.swizzled_shared"
    ALIAS: ClassVar[str] = "shared"

    def __init__(
        self,
        vec: int,
        per_phase: int,
        max_phase: int,
        order: Sequence[int],
        cga: CGAEncodingAttr | None = None,
    ):
        numbers = map(IntAttr, (vec, per_phase, max_phase))
        super().__init__(*numbers, ints(order), cga or CGAEncodingAttr.single(len(order)))

    def text_name(self, version: Version) -> str:
        """Return the name that `version` has for this."""
        return "ttg.shared" if version <= LAST_VERSION_OF_SHARED else self.name

    def print_parameters(self, printer: Printer) -> None:
        text = self.swizzle_text(printer)
        if version_of(printer) <= LAST_VERSION_OF_SHARED:
            text += ", hasLeadingOffset = false"
        printer.print_string(f"<{{{text}}}>")


@irdl_attr_definition
class AMDRotatingSharedEncodingAttr(_SwizzledEncoding):
    """
    Swizzled like `#ttg.swizzled_shared`, with a phase that goes on over blocks of rows.

    Upstream `AMDRotatingSharedEncodingAttr`. The phase of row r is
    (r / perPhase + r / (perPhase · maxPhase)) mod maxPhase.

    ```mlir
    #ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase = 16, order = [1, 0]}>
    ```
    """

    name = "ttg.amd_rotating_shared"
    ALIAS: ClassVar[str] = "shared"
    SINCE: ClassVar[Version] = (3, 3)


_NVMMA_KEYS = ("swizzlingByteWidth", "transposed", "elementBitWidth", "fp4Padded", "rank")
_PHASES = {128: (1, 8), 64: (2, 4), 32: (4, 2)}
"""perPhase and maxPhase of the older `#shared` for each swizzling width in bytes."""


@irdl_attr_definition
class NVMMASharedEncodingAttr(ParametrizedAttribute, SharedEncoding):
    """
    The layout that Hopper's and Blackwell's matrix instructions read from shared memory.

    Upstream `NVMMASharedEncodingAttr`. Rows are swizzled within `swizzling_byte_width` (0,
    32, 64 or 128) bytes; `transposed` says that the first of the last two dimensions is the
    fast one.

    ```mlir
    #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
    ```
    """

    name = "ttg.nvmma_shared"
    ALIAS: ClassVar[str] = "shared"

    swizzlingByteWidth: IntAttr
    isTransposed: IntAttr
    elementBitWidth: IntAttr
    isFp4Padded: IntAttr
    cga: CGAEncodingAttr

    def __init__(
        self,
        swizzling_byte_width: int,
        transposed: bool,
        element_bit_width: int,
        fp4_padded: bool = False,
        cga: CGAEncodingAttr | None = None,
        rank: int = 2,
    ):
        super().__init__(
            IntAttr(swizzling_byte_width),
            flag(transposed),
            IntAttr(element_bit_width),
            flag(fp4_padded),
            cga or CGAEncodingAttr.single(rank),
        )

    @property
    def rank(self) -> int:
        return self.cga.rank

    @property
    def swizzling_byte_width(self) -> int:
        return self.swizzlingByteWidth.data

    @property
    def transposed(self) -> bool:
        return bool(self.isTransposed.data)

    @property
    def element_bit_width(self) -> int:
        return self.elementBitWidth.data

    @property
    def fp4_padded(self) -> bool:
        return bool(self.isFp4Padded.data)

    def verify(self) -> None:
        if self.element_bit_width == 0 and not early_rules():
            raise VerifyException("elementBitWidth must be non-zero")
        if self.swizzling_byte_width not in (0, 32, 64, 128):
            raise VerifyException("swizzlingByteWidth must be 0, 32, 64, or 128")

    def verify_memdesc(self, type: Any) -> None:
        """Check that rows are as long as what is swizzled in them."""
        if release() <= _LAST_RELEASE_OF_SHORT_ROWS or not self.swizzling_byte_width:
            return
        part = shape_per_cta(self.cga.block_bases, type.alloc_shape)[-self.rank :]
        fast = 0 if self.transposed else self.rank - 1
        found = min(part[fast] * (2 if self.fp4_padded else 1), LARGEST_TMA_SIZE)
        needed = 8 * self.swizzling_byte_width // self.element_bit_width
        if found < needed:
            raise VerifyException(
                f"block shape along the contiguous dimension {fast} is too small for the swizzle "
                f"byte size {self.swizzling_byte_width} in an NVMMASharedLayout, got {found} but "
                f"expected at least {needed}"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parameters = parse_dictionary(parser)
        reject_unknown_keys(parser, parameters, (*_NVMMA_KEYS, *CGA_KEYS))
        return (
            take_int(parser, parameters, "swizzlingByteWidth"),
            take_bool(parser, parameters, "transposed", False),
            take_int(parser, parameters, "elementBitWidth", 16),
            take_bool(parser, parameters, "fp4Padded", False),
            _parse_nvmma_cga(parser, parameters),
        )

    def text_name(self, version: Version) -> str:
        """Return the name that `version` has for this."""
        return "ttg.shared" if version <= LAST_VERSION_OF_SHARED else self.name

    def print_parameters(self, printer: Printer) -> None:
        release = version_of(printer)
        cga = cga_text(self.cga, printer, default_rank=2)
        if release <= LAST_VERSION_OF_SHARED:
            text = self._text_as_shared(release, cga)
        else:
            text = (
                f"swizzlingByteWidth = {self.swizzling_byte_width}, "
                f"transposed = {bool_text(self.transposed)}, "
                f"elementBitWidth = {self.element_bit_width}"
                + (", fp4Padded = true" if self.fp4_padded else "")
                + (cga or ("" if self.rank == 2 else f", rank = {self.rank}"))
            )
        printer.print_string(f"<{{{text}}}>")

    def _text_as_shared(self, release: Version, cga: str) -> str:
        phases = _PHASES.get(self.swizzling_byte_width)
        bits = self.element_bit_width
        if phases is None or self.fp4_padded or self.rank != 2 or not bits:
            raise unsayable("this #ttg.nvmma_shared", release)
        order = (0, 1) if self.transposed else (1, 0)
        return (
            f"vec = {128 // bits}, perPhase = {phases[0]}, "
            f"maxPhase = {phases[1]}, order = {int_text(order)}{cga}, hasLeadingOffset = true"
        )


def _parse_nvmma_cga(parser: AttrParser, parameters: Parameters) -> CGAEncodingAttr:
    rank = parameters.get("rank")
    layout = parameters.get("CGALayout")
    if rank is None and is_array(layout) and len(layout):
        return cga_from_array(parser, layout, None)
    size = 2 if rank is None else take_int(parser, parameters, "rank").data
    return parse_cga(parser, parameters, size)


@irdl_attr_definition
class SharedEncodingAttr(_SwizzledEncoding):
    """
    `#triton_gpu.shared` of Triton 3.1 and 3.2; read as what it is called since.

    Upstream `SharedEncodingAttr`. Without a leading offset it is a
    `SwizzledSharedEncodingAttr`, with one an `NVMMASharedEncodingAttr`; those print
    themselves as this when asked for a release up to 3.2.

    ```mlir
    #triton_gpu.shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0], hasLeadingOffset = false}>
    ```
    """

    name = "ttg.shared"

    hasLeadingOffset: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parameters = parse_dictionary(parser)
        reject_unknown_keys(parser, parameters, (*_SWIZZLED_KEYS, "hasLeadingOffset", *CGA_KEYS))
        leading = take_bool(parser, parameters, "hasLeadingOffset", False)
        return (*_take_swizzle(parser, parameters), leading)

    @classmethod
    def new(cls, params: Sequence[Attribute]) -> Any:
        """Return the attribute of today that the parameters mean."""
        vec, per_phase, max_phase, order, cga, leading = params
        assert is_int_attr(leading) and is_int_attr(vec)
        if not leading.data:
            return SwizzledSharedEncodingAttr.new(params[:-1])
        assert is_int_attr(per_phase) and is_int_attr(max_phase)
        assert isinstance(cga, CGAEncodingAttr)
        phases = (per_phase.data, max_phase.data)
        width = next((w for w, known in _PHASES.items() if known == phases), None)
        if width is None or not vec.data or 128 % vec.data:
            raise VerifyException(
                f"no layout of vec = {vec.data}, perPhase = {phases[0]}, maxPhase = {phases[1]} "
                "has a leading offset"
            )
        transposed = values_of(order)[0] == 0  # pyright: ignore[reportArgumentType]
        return NVMMASharedEncodingAttr(width, transposed, 128 // vec.data, cga=cga)
