"""
Enumerations and attributes of the `triton_gen` dialect.

Upstream: `TritonGENAttrDefs.td`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.ir.syntax import I32Enum
from xtriton.ir.versions import Version


class PrecisionType(I32Enum):
    """What the packed elements of an operand of DPAS are."""

    unused = 0
    u8 = 1
    u4 = 2
    u2 = 3
    i8 = 4
    i4 = 5
    i2 = 6
    bf8 = 7
    hf8 = 8
    tf32 = 10
    bf16 = 11
    f16 = 12
    e2m1 = 13

    def since(self) -> Version | None:
        return {PrecisionType.hf8: (3, 7), PrecisionType.e2m1: (3, 8)}.get(self)


class LoadCacheControl(I32Enum):
    """How a load uses the caches L1 and L3: uncached, cached, streaming, invalidating."""

    Default = 0
    L1UC_L3UC = 1
    L1UC_L3C = 2
    L1C_L3UC = 3
    L1C_L3C = 4
    L1S_L3UC = 5
    L1S_L3C = 6
    L1IAR_L3C = 7


class StoreCacheControl(I32Enum):
    """How a store uses the caches L1 and L3: uncached, write-through, write-back, streaming."""

    Default = 0
    L1UC_L3UC = 1
    L1UC_L3WB = 2
    L1WT_L3UC = 3
    L1WT_L3WB = 4
    L1S_L3UC = 5
    L1S_L3WB = 6
    L1WB_L3WB = 7
    L1WT_L3WT = 8
    L1S_L3S = 9

    def since(self) -> Version | None:
        return (3, 8) if self >= StoreCacheControl.L1WT_L3WT else None


class MemFence(I32Enum):
    """Which memories a barrier orders."""

    None_ = 0
    Local = 1
    Global = 2
    LocalAndGlobal = 3


class MemScope(I32Enum):
    """Among whom a barrier orders memory."""

    WorkItem = 0
    WorkGroup = 1
    Device = 2
    AllSvmDevices = 3
    SubGroup = 4


class ReduceKind(I32Enum):
    """The operation of a reduction or a scan."""

    add = 0
    mul = 1
    min = 2
    max = 3
    and_ = 4
    or_ = 5
    xor = 6


class ScanKind(I32Enum):
    """Whether a scan takes in the element itself."""

    inclusive = 0
    exclusive = 1


class LoadDecoration(I32Enum):
    """What a load may do with one level of the cache."""

    Uncached = 0
    Cached = 1
    Streaming = 2
    InvalidateAfterRead = 3
    ConstCached = 4


class StoreDecoration(I32Enum):
    """What a store may do with one level of the cache."""

    Uncached = 0
    WriteThrough = 1
    WriteBack = 2
    Streaming = 3


@dataclass(frozen=True, init=False)
class _CacheControl(ParametrizedAttribute):
    """`<level, control, operand>`; what both decorations share."""

    CONTROLS: ClassVar[type[I32Enum]]

    cache_level: IntAttr
    cache_control: IntAttr
    operand_number: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            level = parser.parse_integer(allow_negative=False, allow_boolean=False)
            parser.parse_punctuation(",")
            keyword = parser.parse_identifier()
            member = cls.CONTROLS.from_keyword(keyword)
            if member is None:
                choices = ", ".join(m.keyword for m in cls.CONTROLS)
                parser.raise_error(f"expected cache control to be one of: {choices}")
            parser.parse_punctuation(",")
            operand = parser.parse_integer(allow_negative=False, allow_boolean=False)
        return (IntAttr(level), IntAttr(int(member)), IntAttr(operand))

    def print_parameters(self, printer: Printer) -> None:
        keyword = self.CONTROLS(self.cache_control.data).keyword
        printer.print_string(f"<{self.cache_level.data}, {keyword}, {self.operand_number.data}>")


@irdl_attr_definition
class LoadCacheControlAttr(_CacheControl):
    """
    What a load through operand `operand_number` may do with cache level `cache_level`.

    Upstream `TritonGEN_LoadCacheControlDecoration`.

    ```mlir
    #triton_gen.load_cache_control<0, Cached, 0>
    ```
    """

    name = "triton_gen.load_cache_control"
    CONTROLS: ClassVar[type[I32Enum]] = LoadDecoration


@irdl_attr_definition
class StoreCacheControlAttr(_CacheControl):
    """
    What a store through operand `operand_number` may do with cache level `cache_level`.

    Upstream `TritonGEN_StoreCacheControlDecoration`.

    ```mlir
    #triton_gen.store_cache_control<0, Uncached, 0>
    ```
    """

    name = "triton_gen.store_cache_control"
    CONTROLS: ClassVar[type[I32Enum]] = StoreDecoration


@irdl_attr_definition
class DecorationCacheControlAttr(ParametrizedAttribute):
    """
    Cache controls of an access, at most one for each level and kind.

    Upstream `TritonGEN_CacheControlsDecoration`; becomes the metadata
    `!spirv.DecorationCacheControlINTEL`.

    ```mlir
    #triton_gen.decoration_cache_control<#triton_gen.load_cache_control<0, Cached, 0>>
    ```
    """

    name = "triton_gen.decoration_cache_control"

    decorations: ArrayAttr[Attribute]

    def __init__(self, decorations: Sequence[Attribute]):
        super().__init__(ArrayAttr(decorations))

    def verify(self) -> None:
        seen: set[tuple[type[Attribute], int]] = set()
        for decoration in self.decorations:
            if not isinstance(decoration, LoadCacheControlAttr | StoreCacheControlAttr):
                raise VerifyException(
                    "'triton_gen.decoration_cache_controls' only accepts "
                    "LoadCacheControlDecorationAttr and StoreCacheControlDecorationAttr "
                    "attributes"
                )
            key = (type(decoration), decoration.cache_level.data)
            if key in seen:
                raise VerifyException(
                    "'triton_gen.decoration_cache_controls' cannot specify more than one cache "
                    "control decoration of the same nature for the same cache level"
                )
            seen.add(key)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        found = parser.parse_comma_separated_list(parser.Delimiter.ANGLE, parser.parse_attribute)
        return (ArrayAttr(found),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.decorations, printer.print_attribute)
