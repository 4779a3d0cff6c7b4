"""
Tensor memory, Blackwell's memory beside its tensor cores, and layouts of buffers in it.

Upstream: `TritonNvidiaGPUAttrDefs.td`. The text of the CTA layout and of packing changed:

    <blockM = 128, blockN = 64, unpacked = true, CTASplitM = 2>                  up to 3.5
    <blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>    3.6, 3.7
    <blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0]], twoCTAs = true>  since 3.8
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar

from xdsl.dialects.builtin import IntAttr, IntegerAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg.cga import CGAEncodingAttr, cga_from_array
from xtriton.dialects.ttg.interfaces import LayoutEncoding
from xtriton.dialects.ttg.parameters import (
    Parameters,
    bases_text,
    bool_text,
    flag,
    is_power_of_two,
    unsayable,
    version_of,
)
from xtriton.dialects.ttg.types import element_bits
from xtriton.ir.versions import Version, early_rules, release

LAST_VERSION_OF_UNPACKED: Version = (3, 5)
_LAST_VERSION_WITHOUT_FP4_PADDING: Version = (3, 7)
LAST_VERSION_OF_CTA_SPLIT: Version = (3, 7)

_LAST_RELEASE_OF_LOOSE_SHAPES: Version = (3, 8)
_LAST_RELEASE_OF_ANY_PAIRS: Version = (3, 7)

_RANK = 2
_UNKNOWN = -1


def tensor_memory_layouts() -> Any:
    """Return the module that checks layouts of tensor memory; it is made from encodings."""
    return import_module("xtriton.dialects.encodings.tensor_memory")


def parse_struct(parser: AttrParser, keywords: Sequence[str] = ()) -> dict[str, Any]:
    """Parse `<key = value, ...>`; the values of `keywords` are bare words."""
    found: dict[str, Any] = {}

    def parse_one() -> None:
        key = parser.parse_identifier()
        if key in found:
            parser.raise_error(f"duplicate or unknown struct parameter name: {key}")
        parser.parse_punctuation("=")
        found[key] = parser.parse_identifier() if key in keywords else parser.parse_attribute()

    with parser.in_angle_brackets():
        parser.parse_optional_undelimited_comma_separated_list(
            lambda: None if _at_end(parser) else (parse_one() or True), parse_one
        )
    return found


def _at_end(parser: AttrParser) -> bool:
    return parser._current_token.text == ">"


def _int(parser: AttrParser, keys: Parameters, key: str, default: int | None = None) -> int:
    value = keys.pop(key, None)
    if value is None and default is not None:
        return default
    if not isinstance(value, IntegerAttr):
        parser.raise_error(f"struct is missing required parameter: {key}")
    return value.value.data


def _cga(parser: AttrParser, keys: Parameters) -> CGAEncodingAttr:
    layout = keys.pop("CGALayout", None)
    split = (_int(parser, keys, "CTASplitM", 1), _int(parser, keys, "CTASplitN", 1))
    if layout is not None:
        return cga_from_array(parser, layout, _RANK)
    return CGAEncodingAttr.from_split(split, split, (0, 1))


def _reject_rest(parser: AttrParser, keys: Parameters) -> None:
    for key in keys:
        parser.raise_error(f"duplicate or unknown struct parameter name: {key}")


def _cga_parts(cga: CGAEncodingAttr, version: Version) -> list[str]:
    if cga.num_ctas == 1:
        return []
    if version > LAST_VERSION_OF_CTA_SPLIT:
        return [f"CGALayout = {bases_text(cga.block_bases)}"]
    _, (m, n), _ = cga.split_parameters
    if CGAEncodingAttr.from_split((m, n), (m, n), (0, 1)) != cga:
        raise unsayable("the CGA layout of tensor memory", version)
    parts = [f"CTASplitM = {m}"] if m != 1 else []
    return parts + ([f"CTASplitN = {n}"] if n != 1 else [])


@irdl_attr_definition
class TensorMemorySpaceAttr(ParametrizedAttribute):
    """
    Tensor memory, as the memory space of a descriptor. Upstream `TensorMemorySpaceAttr`.

    ```mlir
    #ttng.tensor_memory
    ```
    """

    name = "ttng.tensor_memory"
    SINCE: ClassVar[Version] = (3, 3)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return ()

    def print_parameters(self, printer: Printer) -> None:
        return


@irdl_attr_definition
class TensorMemoryEncodingAttr(ParametrizedAttribute, LayoutEncoding):
    """
    A matrix in tensor memory, in blocks of `block_m` times `block_n`.

    Upstream `TensorMemoryEncodingAttr`. Neighbours in a row are `col_stride` elements
    apart. `two_ctas` is the layout for pairs of CTAs, `fp4_padded` that of padded 4-bit
    operands. Up to Triton 3.5 `unpacked` said that an element takes 32 bits; then
    `col_stride` is 0 until the element type is known (see `for_element`).

    ```mlir
    #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
    ```
    """

    name = "ttng.tensor_memory_encoding"
    ALIAS: ClassVar[str] = "tmem"
    SINCE: ClassVar[Version] = (3, 3)

    blockM: IntAttr
    blockN: IntAttr
    colStride: IntAttr
    cga: CGAEncodingAttr
    twoCTAs: IntAttr
    fp4Padded: IntAttr
    unpacked: IntAttr

    def __init__(
        self,
        block_m: int,
        block_n: int,
        col_stride: int,
        cga: CGAEncodingAttr | None = None,
        two_ctas: bool = False,
        fp4_padded: bool = False,
        unpacked: bool | None = None,
    ):
        super().__init__(
            IntAttr(block_m),
            IntAttr(block_n),
            IntAttr(col_stride),
            cga or CGAEncodingAttr.single(_RANK),
            flag(two_ctas),
            flag(fp4_padded),
            IntAttr(_UNKNOWN) if unpacked is None else flag(unpacked),
        )

    @property
    def rank(self) -> int:
        return _RANK

    @property
    def block_m(self) -> int:
        return self.blockM.data

    @property
    def block_n(self) -> int:
        return self.blockN.data

    @property
    def col_stride(self) -> int:
        return self.colStride.data

    @property
    def two_ctas(self) -> bool:
        return bool(self.twoCTAs.data)

    @property
    def fp4_padded(self) -> bool:
        return bool(self.fp4Padded.data)

    def for_element(self, element_type: Attribute) -> "TensorMemoryEncodingAttr":
        """Return the encoding with the stride that an unpacked element of this type has."""
        if self.col_stride:
            return self
        return TensorMemoryEncodingAttr(
            self.block_m,
            self.block_n,
            max(32 // element_bits(element_type), 1),
            self.cga,
            self.two_ctas,
            self.fp4_padded,
            True,
        )

    def verify(self) -> None:
        if self.block_m not in (64, 128) and not early_rules():
            raise VerifyException(f"blockM must be 64 or 128 but got {self.block_m}")
        pairs = self.cga.block_bases[:1] == ((1, 0),)
        if self.two_ctas and not pairs and release() > _LAST_RELEASE_OF_ANY_PAIRS:
            raise VerifyException(
                "twoCTAs layout requires the first CGALayout block basis to be [1, 0]"
            )
        if not is_power_of_two(self.block_n):
            raise VerifyException(f"blockN must be a power of 2 but got {self.block_n}")
        if self.block_n > 512:
            raise VerifyException(
                f"blockN must be less than or equal to 512 but got {self.block_n}"
            )
        if self.col_stride not in (0, 1, 2, 4):
            raise VerifyException(f"colStride must be 1, 2, or 4 but got {self.col_stride}")
        if self.fp4_padded and self.col_stride != 1:
            raise VerifyException(
                f"fp4Padded tensor memory layout requires colStride 1 but got {self.col_stride}"
            )

    def verify_memdesc(self, type: Any) -> None:
        """Check that a descriptor can have this encoding."""
        if type.rank not in (2, 3):
            raise VerifyException("rank must be 2 or 3")
        if not isinstance(type.memory_space, TensorMemorySpaceAttr):
            raise VerifyException("memorySpace must be TensorMemorySpace")
        bits = element_bits(type.element_type)
        if bits < 8 and not early_rules():
            raise VerifyException(
                f"tensor-memory element type bit width must be at least 8; got {bits}"
            )
        if bits * self.col_stride > 32:
            raise VerifyException(
                "bitwidth * colStride must be less than or equal to 32. Got "
                f"{bits} and {self.col_stride}"
            )
        if early_rules():
            return
        if release() > _LAST_RELEASE_OF_LOOSE_SHAPES:
            self._verify_size(type.get_shape())
        tensor_memory_layouts().verify_allocation(type)

    def _verify_size(self, shape: tuple[int, ...]) -> None:
        _, split, _ = self.cga.split_parameters
        least = self.block_m * split[0], min(self.block_n, shape[-1]) * split[1]
        if shape[-2] < least[0] or shape[-1] < least[1]:
            raise VerifyException(
                f"the tensor shape must be at least {least[0]}x{least[1]}. Got "
                f"{', '.join(map(str, shape))}"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        keys = parse_struct(parser)
        block_m, block_n = (_int(parser, keys, key) for key in ("blockM", "blockN"))
        unpacked = _UNKNOWN
        if "unpacked" in keys:
            unpacked = int(_int(parser, keys, "unpacked") != 0)
            stride = 0 if unpacked else 1
        else:
            stride = _int(parser, keys, "colStride")
        cga = _cga(parser, keys)
        two_ctas = flag(_int(parser, keys, "twoCTAs", 0) != 0)
        padded = flag(_int(parser, keys, "fp4Padded", 0) != 0)
        _reject_rest(parser, keys)
        numbers = [IntAttr(value) for value in (block_m, block_n, stride)]
        return (*numbers, cga, two_ctas, padded, IntAttr(unpacked))

    def print_parameters(self, printer: Printer) -> None:
        version = version_of(printer)
        parts = [f"blockM = {self.block_m}", f"blockN = {self.block_n}"]
        if version <= LAST_VERSION_OF_UNPACKED:
            parts.append(f"unpacked = {bool_text(self._is_unpacked(version))}")
        else:
            if not self.col_stride:
                raise unsayable("unpacked tensor memory without a type", version)
            parts.append(f"colStride = {self.col_stride}")
        parts += _cga_parts(self.cga, version)
        if self.two_ctas:
            parts.append("twoCTAs = true")
        if self.fp4_padded:
            if version <= _LAST_VERSION_WITHOUT_FP4_PADDING:
                raise unsayable("fp4Padded of tensor memory", version)
            parts.append("fp4Padded = true")
        printer.print_string(f"<{', '.join(parts)}>")

    def _is_unpacked(self, version: Version) -> bool:
        if self.unpacked.data != _UNKNOWN:
            return bool(self.unpacked.data)
        if self.col_stride == 1:
            raise unsayable("colStride = 1 of tensor memory", version)
        return True


@irdl_attr_definition
class TensorMemoryScalesEncodingAttr(ParametrizedAttribute, LayoutEncoding):
    """
    Scales of a scaled matrix multiplication in tensor memory.

    Upstream `TensorMemoryScalesEncodingAttr`. `k_then_mn` says in which order blocks of
    scales repeat along the columns.

    ```mlir
    #ttng.tensor_memory_scales_encoding<>
    ```
    """

    name = "ttng.tensor_memory_scales_encoding"
    ALIAS: ClassVar[str] = "tmem_scales"
    SINCE: ClassVar[Version] = (3, 3)

    cga: CGAEncodingAttr
    kThenMn: IntAttr

    def __init__(self, cga: CGAEncodingAttr | None = None, k_then_mn: bool = False):
        super().__init__(cga or CGAEncodingAttr.single(_RANK), flag(k_then_mn))

    @property
    def rank(self) -> int:
        return _RANK

    @property
    def k_then_mn(self) -> bool:
        return bool(self.kThenMn.data)

    def verify_memdesc(self, type: Any) -> None:
        """Check that a descriptor can have this encoding."""
        if not isinstance(type.memory_space, TensorMemorySpaceAttr):
            raise VerifyException("memorySpace must be TensorMemorySpace")
        if type.rank != 2 and release() > _LAST_RELEASE_OF_LOOSE_SHAPES:
            raise VerifyException(
                f"tensor-memory scale descriptors must have rank 2; got {type.rank}"
            )
        if len(type.alloc_shape) != 2 and not early_rules():
            raise VerifyException("Scales don't currently support multibuffering")
        if element_bits(type.element_type) != 8:
            raise VerifyException("bitwidth must be 8")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        keys = parse_struct(parser, ("blockRepOrder",))
        order = keys.pop("blockRepOrder", "mnThenK")
        if order not in ("mnThenK", "kThenMn"):
            parser.raise_error("expected blockRepOrder to be one of: mnThenK, kThenMn")
        cga = _cga(parser, keys)
        _reject_rest(parser, keys)
        return (cga, flag(order == "kThenMn"))

    def print_parameters(self, printer: Printer) -> None:
        version = version_of(printer)
        parts = _cga_parts(self.cga, version)
        if self.k_then_mn:
            if version <= LAST_VERSION_OF_CTA_SPLIT:
                raise unsayable("blockRepOrder of tensor memory", version)
            parts.append("blockRepOrder = kThenMn")
        printer.print_string(f"<{', '.join(parts)}>")
