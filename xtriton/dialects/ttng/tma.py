"""
Copies by the tensor memory accelerator (TMA).

Upstream: `TritonNvidiaGPUOps.td`. Up to Triton 3.3 a descriptor was a pointer
(`desc_ptr`); since 3.4 it has its own type.
"""

from typing import Any, ClassVar

from xdsl.dialects.builtin import NoneAttr, UnitAttr, i1, i16, i32
from xdsl.ir import Operation
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    FALSE,
    TT_I32,
    BoolValue,
    EnumValue,
    I32Value,
    TypeClass,
    i32_attr,
)
from xtriton.dialects.tt.enums import CacheModifier, DescriptorReduceKind, EvictionPolicy
from xtriton.dialects.tt.types import PtrType, TensorDescType
from xtriton.dialects.ttg.async_copy import AnyEffects
from xtriton.dialects.ttg.constraints import GPU_TRAITS, verify_mutable
from xtriton.dialects.ttg.interfaces import linear_layouts
from xtriton.dialects.ttg.parameters import version_of
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.ttng.attributes import TensorDescIm2ColType, TensorMode
from xtriton.dialects.ttng.barriers import verify_barrier
from xtriton.dialects.ttng.cluster_checks import (
    cluster_rules,
    is_split_over_rows,
    verify_tma_barrier,
)
from xtriton.dialects.ttng.tma_checks import (
    verify_coordinates,
    verify_layouts,
    verify_multicast,
    verify_offsets,
    verify_reduction,
    verify_store_source,
)
from xtriton.errors import UserError
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, version_text

LAST_VERSION_OF_STRIPPED_TYPES: Version = (3, 2)
LAST_VERSION_WITHOUT_OFFSETS: Version = (3, 6)

Descriptor = TypeClass(
    "tensor descriptor type",
    lambda t: isinstance(t, TensorDescType | TensorDescIm2ColType | PtrType),
)
I32Tensor = TT_I32.tensor


class PointerTypeDirective:
    """`custom<PointerType>(type($desc))`: the type of a pointer without `!tt.ptr`."""

    def parse(self, parser: Any, state: Any, desc: str) -> None:
        if parser._current_token.text == "<":
            type = PtrType.new(PtrType.parse_parameters(parser))
        else:
            type = parser.parse_type()
        state.types[desc.removeprefix("type:")] = [type]

    def print(self, printer: Any, op: Operation, desc: str) -> None:
        type = getattr(op, desc.removeprefix("type:")).type
        if not isinstance(type, PtrType):
            raise UserError(
                f"'{op.name}' with a tensor descriptor cannot be written in the syntax of "
                f"Triton {version_text(version_of(printer))}"
            )
        type.print_parameters(printer)


_DIRECTIVES = {"PointerType": PointerTypeDirective()}

LAST_VERSION_OF_POINTERS_TO_DESCRIPTORS: Version = (3, 3)


class DescriptorOp(IRDLOperation):
    """A transfer by `desc`: a pointer to a descriptor up to Triton 3.3, a descriptor since."""

    def read_until(self) -> Version | None:
        """Return the last release that has what was read."""
        is_pointer = isinstance(self.operands[0].type, PtrType)
        return LAST_VERSION_OF_POINTERS_TO_DESCRIPTORS if is_pointer else None

    def unsayable_in(self, version: Version) -> str | None:
        """Return which of the two `version` does not have here."""
        is_pointer = isinstance(self.operands[0].type, PtrType)
        if version <= LAST_VERSION_OF_POINTERS_TO_DESCRIPTORS:
            return None if is_pointer else "descriptor"
        return "pointer to a descriptor" if is_pointer else None


_HINTS = "oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict"
_LOAD = "$desc `[` $coord `]` (`offsets` `=` `[` $offsets^ `]`)? $result `,` $barrier `,` $pred "
_LOAD_TYPES = (
    ") attr-dict `:` qualified(type($desc)) `,` qualified(type($barrier)) `->` "
    "qualified(type($result))"
)


@irdl_op_definition
class AsyncTMACopyGlobalToLocalOp(DescriptorOp):
    """
    Start a copy of the block at `coord` into a buffer, which `barrier` will hear of.

    `offsets` belong to im2col descriptors. `multicast` copies to all CTAs that share the
    block. Upstream `TTNG_AsyncTMACopyGlobalToLocalOp`.

    ```mlir
    ttng.async_tma_copy_global_to_local %desc[%i, %j] %a, %bar, %pred : !tt.tensordesc<64x32xf16, #shared>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    ```

    Shapes: the buffer has that of the descriptor's block.
    """

    name = "ttng.async_tma_copy_global_to_local"

    desc = operand_def(Descriptor)
    coord = var_operand_def(i32)
    offsets = var_operand_def(i16)
    barrier = operand_def(MemDescType)
    result = operand_def(MemDescType)
    pred = operand_def(i1)
    multicast = opt_prop_def(UnitAttr)
    cache = prop_def(EnumValue(CacheModifier), default_value=i32_attr(CacheModifier.none))
    evict = prop_def(EnumValue(EvictionPolicy), default_value=i32_attr(EvictionPolicy.evict_normal))
    isVolatile = prop_def(BoolValue, default_value=FALSE)
    tensorMode = prop_def(EnumValue(TensorMode), default_value=i32_attr(TensorMode.tiled))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        _LOAD + _HINTS + _LOAD_TYPES,
        older=(
            (
                LAST_VERSION_OF_STRIPPED_TYPES,
                "$desc `[` $coord `]` $result `,` $barrier `,` $pred "
                + _HINTS
                + ") attr-dict `:` custom<PointerType>(type($desc)) `,` type($barrier) `->` "
                "type($result)",
            ),
            (
                LAST_VERSION_WITHOUT_OFFSETS,
                "$desc `[` $coord `]` $result `,` $barrier `,` $pred " + _HINTS + _LOAD_TYPES,
            ),
            ((3, 7), _LOAD + _HINTS + _LOAD_TYPES),
            # Only between releases; read, never written.
            ((3, 7), _LOAD + _HINTS + " | `tensorMode` `=` $tensorMode" + _LOAD_TYPES),
        ),
        attributes_since={"multicast": (3, 7)},
    )
    ENUMS: ClassVar = {
        "cache": CacheModifier,
        "evict": EvictionPolicy,
        "tensorMode": TensorMode,
    }
    DIRECTIVES: ClassVar = _DIRECTIVES

    def verify_(self) -> None:
        verify_coordinates(self)
        verify_barrier(self, "barrier")
        verify_tma_barrier(self, self.barrier)
        verify_mutable(self.result.type, "cannot store into immutable memory")
        verify_layouts(self.desc.type, self.result.type)
        verify_offsets(self)
        verify_multicast(self)


def _store_syntax(prefix: str = "", since: Version | None = None) -> Syntax:
    start = prefix + "$desc `[` $coord `]` $src attr-dict `:` "
    older = (
        ()
        if since
        else (
            (
                LAST_VERSION_OF_STRIPPED_TYPES,
                start + "custom<PointerType>(type($desc)) `,` type($src)",
            ),
        )
    )
    return Syntax(
        start + "qualified(type($desc)) `,` qualified(type($src))", older=older, since=since
    )


@irdl_op_definition
class AsyncTMACopyLocalToGlobalOp(DescriptorOp):
    """
    Start a copy of a buffer to the block at `coord`.

    Upstream `TTNG_AsyncTMACopyLocalToGlobalOp`.

    ```mlir
    ttng.async_tma_copy_local_to_global %desc[%i, %j] %a : !tt.tensordesc<64x32xf16, #shared>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    ```

    Shapes: the buffer has that of the descriptor's block.
    """

    name = "ttng.async_tma_copy_local_to_global"

    desc = operand_def(Descriptor)
    coord = var_operand_def(i32)
    src = operand_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = _store_syntax()
    DIRECTIVES: ClassVar = _DIRECTIVES

    def verify_(self) -> None:
        verify_coordinates(self)
        verify_store_source(self.src.type)
        verify_layouts(self.desc.type, self.src.type)


@irdl_op_definition
class AsyncTMAReduceOp(DescriptorOp):
    """
    Start a reduction of a buffer into the block at `coord`. Upstream `TTNG_AsyncTMAReduceOp`.

    ```mlir
    ttng.async_tma_reduce add, %desc[%i, %j] %a : !tt.tensordesc<64x32xf16, #shared>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    ```

    Shapes: the buffer has that of the descriptor's block.
    """

    name = "ttng.async_tma_reduce"

    kind = prop_def(EnumValue(DescriptorReduceKind))
    desc = operand_def(Descriptor)
    coord = var_operand_def(i32)
    src = operand_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = _store_syntax("$kind `,` ", since=(3, 4))
    ENUMS: ClassVar = {"kind": DescriptorReduceKind}

    def verify_(self) -> None:
        verify_coordinates(self)
        verify_store_source(self.src.type)
        verify_layouts(self.desc.type, self.src.type)
        if isinstance(self.desc.type, TensorDescType):
            kind = DescriptorReduceKind(self.kind.value.data)
            verify_reduction(kind, self.desc.type.block_type.element_type)


@irdl_op_definition
class AsyncTMAGatherOp(DescriptorOp):
    """
    Start a copy of rows `x_offsets`, from column `y_offset` on, into a buffer.

    Upstream `TTNG_AsyncTMAGatherOp`.

    ```mlir
    ttng.async_tma_gather %desc[%rows, %y] %a, %bar, %pred : !tt.tensordesc<1x128xbf16, #shared>, tensor<32xi32, #blocked>, i32, !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<32x128xbf16, #shared, #smem, mutable>, i1
    ```

    Shapes: the buffer has one row for each offset.
    """

    name = "ttng.async_tma_gather"

    desc = operand_def(Descriptor)
    x_offsets = operand_def(I32Tensor)
    y_offset = operand_def(i32)
    barrier = operand_def(MemDescType)
    result = operand_def(MemDescType)
    pred = operand_def(i1)
    multicast = opt_prop_def(UnitAttr)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "$desc `[` $x_offsets `,` $y_offset `]` $result `,` $barrier `,` $pred attr-dict `:` "
        "type(operands)",
        since=(3, 3),
        attributes_since={"multicast": (3, 8)},
    )

    def verify_(self) -> None:
        verify_barrier(self, "barrier")
        verify_tma_barrier(self, self.barrier)
        verify_mutable(self.result.type, "cannot store into immutable memory")
        verify_layouts(self.desc.type, self.result.type)
        verify_multicast(self)
        _verify_row_numbers(self.x_offsets.type, self.result.type)


def _verify_row_numbers(offsets: Any, buffer: Any) -> None:
    if not cluster_rules() or isinstance(offsets.encoding, NoneAttr):
        return
    contiguity = linear_layouts().contiguity_or_none(offsets)
    if contiguity is not None and contiguity[0] < 4:
        raise VerifyException("x offsets must have at least 4 contiguous elements per thread")
    if not is_split_over_rows(buffer.encoding, offsets.encoding):
        raise VerifyException("x offsets must have the same row CGA layout as the memdesc")


@irdl_op_definition
class AsyncTMAScatterOp(DescriptorOp):
    """
    Start a copy of a buffer to rows `x_offsets`, from column `y_offset` on.

    Upstream `TTNG_AsyncTMAScatterOp`.

    ```mlir
    ttng.async_tma_scatter %desc[%rows, %y] %a : !tt.tensordesc<1x128xbf16, #shared>, tensor<32xi32, #blocked>, i32, !ttg.memdesc<32x128xbf16, #shared, #smem, mutable>
    ```

    Shapes: the buffer has one row for each offset.
    """

    name = "ttng.async_tma_scatter"

    desc = operand_def(Descriptor)
    x_offsets = operand_def(I32Tensor)
    y_offset = operand_def(i32)
    src = operand_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "$desc `[` $x_offsets `,` $y_offset `]` $src attr-dict `:` type(operands)",
        since=(3, 3),
    )

    def verify_(self) -> None:
        verify_store_source(self.src.type)
        verify_layouts(self.desc.type, self.src.type)
        _verify_row_numbers(self.x_offsets.type, self.src.type)


@irdl_op_definition
class TMAStoreWaitOp(IRDLOperation):
    """
    Wait until at most `pendings` groups of TMA stores are under way.

    `read_only`: until they have read their source. Upstream `TTNG_TMAStoreWaitOp`.

    ```mlir
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ```
    """

    name = "ttng.async_tma_store_wait"

    pendings = prop_def(I32Value)
    read_only = opt_prop_def(UnitAttr)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax("attr-dict", attributes_since={"read_only": (3, 8)})
