"""
Enumerations, cache policies and types of the `ttng` dialect.

Upstream: `TritonNvidiaGPUAttrDefs.td`, `TritonNvidiaGPUTypes.td`; `#ttng.cache_policy` is
known from Triton 3.9.0 itself.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttng.tensor_memory import parse_struct
from xtriton.ir.syntax import I32Enum
from xtriton.ir.versions import NEWEST, Version

LAST_VERSION_OF_WRAPPED_BLOCKS: Version = (3, 7)

_NONE = NoneAttr()


class PackedArithOpKind(I32Enum):
    """The operation of `ttng.packed_arith`."""

    add = 0
    sub = 1
    mul = 2
    fma = 3
    min = 4
    max = 5


class TMEMWaitKind(I32Enum):
    """What `ttng.tmem_wait` waits for."""

    load = 0
    store = 1


class TensorMode(I32Enum):
    """How a TMA copy reads its tensor (Triton 3.7)."""

    tiled = 0
    im2col = 1


EVICTION_PRIORITIES = (
    "none",
    "evict_normal",
    "evict_unchanged",
    "evict_first",
    "evict_last",
    "no_allocate",
)


@irdl_attr_definition
class RedOpAttr(ParametrizedAttribute):
    """
    What `ttng.tmem_load` reduces with on the way. Upstream `TMEMLoadReduceModifier`.

    ```mlir
    #ttng.redOp<min>
    ```
    """

    name = "ttng.redOp"
    SINCE: ClassVar[Version] = (3, 7)

    keyword: StringAttr

    def __init__(self, keyword: str):
        super().__init__(StringAttr(keyword))

    def verify(self) -> None:
        if self.keyword.data not in ("min", "max"):
            raise VerifyException("expected redOp to be one of: min, max")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return (StringAttr(parser.parse_identifier()),)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.keyword.data}>")


@irdl_attr_definition
class NvidiaCachePolicyAttr(ParametrizedAttribute):
    """
    Eviction priorities in the two caches of an NVIDIA GPU (since Triton 3.9).

    A part `l2_fraction` of the accesses has priority `l2_primary`, the rest `l2_secondary`;
    the three are given together or not at all.

    ```mlir
    #ttng.cache_policy<l1 = evict_first>
    ```
    """

    name = "ttng.cache_policy"
    SINCE: ClassVar[Version] = (3, 9)

    l1: StringAttr
    l2_primary: StringAttr
    l2_secondary: StringAttr
    l2_fraction: Attribute

    def verify(self) -> None:
        words = {
            "l1": self.l1,
            "l2_primary": self.l2_primary,
            "l2_secondary": self.l2_secondary,
        }
        for key, word in words.items():
            if word.data not in EVICTION_PRIORITIES:
                raise VerifyException(
                    f"expected {key} to be one of: {', '.join(EVICTION_PRIORITIES)}"
                )
        others = (self.l2_secondary.data != "none", self.l2_fraction != _NONE)
        if self.l2_primary.data == "none":
            if any(others):
                raise VerifyException("l2_secondary and l2_fraction require l2_primary")
        elif not all(others):
            raise VerifyException("L2 policy requires l2_secondary and l2_fraction")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        keys = parse_struct(parser, ("l1", "l2_primary", "l2_secondary"))
        words = [StringAttr(keys.pop(key, "none")) for key in ("l1", "l2_primary", "l2_secondary")]
        fraction = keys.pop("l2_fraction", _NONE)
        for key in keys:
            parser.raise_error(f"duplicate or unknown struct parameter name: {key}")
        return (*words, fraction)

    def print_parameters(self, printer: Printer) -> None:
        words = {
            "l1": self.l1,
            "l2_primary": self.l2_primary,
            "l2_secondary": self.l2_secondary,
        }
        parts = [f"{key} = {word.data}" for key, word in words.items() if word.data != "none"]
        with printer.in_angle_brackets():
            printer.print_string(", ".join(parts))
            if self.l2_fraction != _NONE:
                printer.print_string(", l2_fraction = ")
                printer.print_attribute(self.l2_fraction)


@irdl_attr_definition
class TensorDescIm2ColType(ParametrizedAttribute, TypeAttribute):
    """
    A tensor descriptor that reads images as columns, for convolutions.

    `shape` and `element_type` are those of the block in shared memory.
    Upstream `TensorDescIm2ColType`.

    ```mlir
    !ttng.tensordesc_im2col<64x64xf16, #shared>
    ```
    """

    name = "ttng.tensordesc_im2col"
    SINCE: ClassVar[Version] = (3, 7)

    shape: ArrayAttr[IntAttr]
    element_type: Attribute
    shared_layout: Attribute

    def get_shape(self) -> tuple[int, ...]:
        """Return the shape of the block."""
        return tuple(dim.data for dim in self.shape.data)

    def verify(self) -> None:
        if len(self.shape) != 2:
            raise VerifyException(
                f"TensorDescIm2ColType requires rank-2 shape, got rank {len(self.shape)}"
            )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        layout: Attribute = _NONE
        with parser.in_angle_brackets():
            shape, element_type = parser.parse_ranked_shape()
            if not shape and hasattr(element_type, "encoding"):
                # Triton 3.7 wrapped a tensor type.
                tensor: Any = element_type
                return (tensor.shape, tensor.element_type, tensor.encoding)
            if parser.parse_optional_punctuation(",") is not None:
                layout = parser.parse_attribute()
        return (ArrayAttr([IntAttr(dim) for dim in shape]), element_type, layout)

    def print_parameters(self, printer: Printer) -> None:
        version: Version = getattr(printer, "version", NEWEST)
        wrapped = version <= LAST_VERSION_OF_WRAPPED_BLOCKS
        printer.print_string("<tensor<" if wrapped else "<")
        for dim in self.get_shape():
            printer.print_string(f"{dim}x")
        printer.print_attribute(self.element_type)
        if self.shared_layout != _NONE:
            printer.print_string(", ")
            printer.print_attribute(self.shared_layout)
        printer.print_string(">>" if wrapped else ">")


class _PlainType(ParametrizedAttribute, TypeAttribute):
    """A type without parameters."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return ()

    def print_parameters(self, printer: Printer) -> None:
        return


@irdl_attr_definition
class NvidiaTokenType(_PlainType):
    """
    A token between producers and consumers (Triton 3.1 to 3.3). Upstream `TTNG_TokenType`.

    ```mlir
    !triton_nvidia_gpu.token
    ```
    """

    name = "ttng.token"


@irdl_attr_definition
class MutexType(_PlainType):
    """
    A lock among groups of warps (Triton 3.1 to 3.3). Upstream `TTNG_MutexType`.

    ```mlir
    !triton_nvidia_gpu.mutex
    ```
    """

    name = "ttng.mutex"
