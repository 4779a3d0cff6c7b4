"""
Buffers in tensor memory. Upstream: `TritonNvidiaGPUOps.td`, `Ops.cpp`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from xdsl.dialects.builtin import Float32Type, IntegerAttr, TensorType, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedResultSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure, Resource
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    BoolValue,
    EnumValue,
    I32Value,
    TT_Tensor,
    i32_attr,
)
from xtriton.dialects.ttg.async_copy import AnyEffects
from xtriton.dialects.ttg.constraints import GPU_TRAITS, AllocEffects
from xtriton.dialects.ttg.context import register_limit
from xtriton.dialects.ttg.linear_shared import SharedLinearEncodingAttr
from xtriton.dialects.ttg.memory import verify_same_contents
from xtriton.dialects.ttg.shared import NVMMASharedEncodingAttr
from xtriton.dialects.ttg.types import AsyncTokenType, MemDescType, element_bits
from xtriton.dialects.ttng.attributes import RedOpAttr, TMEMWaitKind
from xtriton.dialects.ttng.cluster_checks import cluster_rules
from xtriton.dialects.ttng.mma import TokenDirective
from xtriton.dialects.ttng.tensor_memory import (
    TensorMemoryEncodingAttr,
    TensorMemoryScalesEncodingAttr,
    TensorMemorySpaceAttr,
    tensor_memory_layouts,
)
from xtriton.dialects.utils.effects import OperandEffects
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.errors import UserError
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, early_rules, release, version_text
from xtriton.layouts.tensor_memory_access import MAX_REGISTERS

LAST_VERSION_OF_SUBSLICE_N: Version = (3, 8)

_LAST_RELEASE_OF_ANY_LAYOUT: Version = (3, 5)
_LAST_RELEASE_OF_ANY_PART: Version = (3, 8)
_LAST_RELEASE_OF_ANY_COPY: Version = (3, 5)
_LAST_RELEASE_OF_NARROW_COPIES: Version = (3, 8)
_LEAST_ALIGNMENT = 16

_DIRECTIVES = {"Token": TokenDirective()}


@dataclass(frozen=True)
class TensorMemory(Resource):
    """The memory beside the tensor cores."""

    def name(self) -> str:
        return "TensorMemory"


@dataclass(frozen=True)
class TensorMemoryEffects(OperandEffects):
    """Reads or writes tensor memory through the operand named."""

    resource: Resource = field(default_factory=TensorMemory)


def _memdesc(value: SSAValue) -> MemDescType:
    assert isinstance(value.type, MemDescType)
    return value.type


def _verify_encoding(type: MemDescType) -> None:
    if not isinstance(type.encoding, TensorMemoryEncodingAttr | TensorMemoryScalesEncodingAttr):
        raise VerifyException("should use tensor memory encoding")


def register_count(op: Operation) -> int:
    """Return how many registers a thread has for an access to tensor memory."""
    return register_limit(op, MAX_REGISTERS)


def _verify_access(
    op: Operation, tensor: TensorType[Attribute], buffer: MemDescType, what: str
) -> None:
    if release() > _LAST_RELEASE_OF_ANY_LAYOUT:
        tensor_memory_layouts().verify_operand(tensor, buffer, what, register_count(op))


def _alloc_names(op: Operation) -> Sequence[tuple[int, str]]:
    return tuple(enumerate(("result", "token")[: len(op.results)]))


@irdl_op_definition
class TMEMAllocOp(IRDLOperation):
    """
    Allocate a buffer in tensor memory, and initialize it if a tensor is given.

    The token orders accesses to the buffer. Upstream `TTNG_TMEMAllocOp`.

    ```mlir
    %a, %token = ttng.tmem_alloc : () -> (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.async.token)
    ```
    """

    name = "ttng.tmem_alloc"

    src = opt_operand_def(TT_Tensor)
    result = result_def(MemDescType)
    token = opt_result_def(AsyncTokenType())

    traits = traits_def(*GPU_TRAITS, AllocEffects(TensorMemory()))

    SYNTAX: ClassVar = Syntax(
        "($src^)? attr-dict `:` functional-type(operands, results)", since=(3, 3)
    )
    RESULT_NAMES: ClassVar = _alloc_names

    def verify_(self) -> None:
        type = _memdesc(self.result)
        _verify_encoding(type)
        if type.get_shape() != type.alloc_shape:
            raise VerifyException("result shape and its alloc shape must match")
        if self.src is None:
            if not type.mutable:
                raise VerifyException("uninitialized alloc must have a mutable memdesc type")
        else:
            assert is_tensor(self.src.type)
            verify_same_contents(self.src.type, type)
            _verify_access(self, self.src.type, type, "source")


def _load_names(op: Operation) -> Sequence[tuple[int, str]]:
    assert isinstance(op, TMEMLoadOp)
    values = (("result", op.result), ("token", op.token), ("red", op.red))
    present = [name for name, value in values if value is not None]
    return tuple(enumerate(present))


@irdl_op_definition
class TMEMLoadOp(IRDLOperation):
    """
    Load a buffer of tensor memory into registers.

    `red` is the reduction of each row by `redOp`; `abs` takes absolute values first, `NaN`
    lets NaNs win. Upstream `TTNG_TMEMLoadOp`.

    ```mlir
    %x, %token = ttng.tmem_load %a[%dep] : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #blocked>
    ```

    Shapes: buffer and result M×N, `red` M.
    """

    name = "ttng.tmem_load"

    src = operand_def(MemDescType)
    dep = opt_operand_def(AsyncTokenType())
    redOp = opt_prop_def(RedOpAttr)
    abs = opt_prop_def(BoolValue)
    NaN = opt_prop_def(BoolValue)
    result = result_def(TT_Tensor)
    token = opt_result_def(AsyncTokenType())
    red = opt_result_def(TT_Tensor)

    irdl_options = (AttrSizedResultSegments(as_property=True),)
    traits = traits_def(*GPU_TRAITS, TensorMemoryEffects(read="src"))

    SYNTAX: ClassVar = Syntax(
        "$src `` custom<Token>($dep, type($token)) attr-dict `:` qualified(type($src)) `->` "
        "type($result) (`,` type($red)^)?",
        since=(3, 3),
        attributes_since={"redOp": (3, 7), "abs": (3, 7), "NaN": (3, 7)},
    )
    DIRECTIVES: ClassVar = _DIRECTIVES
    RESULT_NAMES: ClassVar = _load_names

    def verify_(self) -> None:
        type = _memdesc(self.src)
        if not isinstance(type.memory_space, TensorMemorySpaceAttr):
            raise VerifyException("source must be a tensor memory buffer.")
        if not isinstance(type.encoding, TensorMemoryEncodingAttr):
            raise VerifyException("should use tensor memory encoding.")
        if self.redOp is not None and self.red is None:
            raise VerifyException("redOp is set but 'red' result is not present")
        if self.red is not None and self.redOp is None:
            raise VerifyException("'red' result is present but redOp is not set")
        for name in ("abs", "NaN"):
            value = getattr(self, name)
            if value is None or not value.value.data:
                continue
            if self.redOp is None:
                raise VerifyException(f"'{name}' requires 'redOp' to be set")
            if not isinstance(type.element_type, Float32Type):
                raise VerifyException(f"'{name}' requires floating-point element type (f32)")
        result = self.result.type
        assert is_tensor(result)
        verify_same_contents(type, result)
        _verify_access(self, result, type, "result")
        if self.red is not None:
            tensor_memory_layouts().verify_reduction(result, type, register_count(self))


@irdl_op_definition
class TMEMStoreOp(IRDLOperation):
    """
    Store a tensor into a buffer of tensor memory if `pred` holds. Upstream `TTNG_TMEMStoreOp`.

    ```mlir
    %token = ttng.tmem_store %x, %a[%dep], %pred : tensor<128x64xf32, #blocked> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    ```

    Shapes: tensor and buffer have the same.
    """

    name = "ttng.tmem_store"

    dst = operand_def(MemDescType)
    dep = opt_operand_def(AsyncTokenType())
    src = operand_def(TT_Tensor)
    pred = operand_def(i1)
    token = opt_result_def(AsyncTokenType())

    traits = traits_def(*GPU_TRAITS, TensorMemoryEffects(write="dst"))

    SYNTAX: ClassVar = Syntax(
        "$src `,` $dst `` custom<Token>($dep, type($token)) `,` $pred attr-dict `:` "
        "type($src) `->` qualified(type($dst))",
        since=(3, 3),
    )
    DIRECTIVES: ClassVar = _DIRECTIVES

    def verify_(self) -> None:
        type = _memdesc(self.dst)
        _verify_encoding(type)
        if not type.mutable:
            raise VerifyException("Cannot store into an immutable alloc")
        assert is_tensor(self.src.type)
        verify_same_contents(self.src.type, type)
        _verify_access(self, self.src.type, type, "source")


def _verify_same_but_shape(source: MemDescType, result: MemDescType) -> None:
    if source.element_type != result.element_type:
        raise VerifyException("The source and result must have the same element type.")
    if source.encoding != result.encoding:
        raise VerifyException("The source and result must have the same encoding.")
    if source.alloc_shape != result.alloc_shape:
        raise VerifyException("The source and result must have the same alloc shape.")
    if source.rank != result.rank or source.rank not in (2, 3):
        raise VerifyException("The source and result must both be 2D or 3D tensor memory buffers.")


def _verify_slice(whole: tuple[int, ...], part: tuple[int, ...], dim: int, offset: int) -> None:
    if any(a != b for axis, (a, b) in enumerate(zip(whole, part, strict=True)) if axis != dim):
        raise VerifyException(
            "The result must have the same size as the source in the dimensions that are not "
            "being sliced."
        )
    if offset < 0 or offset + part[dim] > whole[dim]:
        raise VerifyException("The split offset may not exceed the source shape")


@irdl_op_definition
class TMEMSubSliceOp(IRDLOperation):
    """
    A part of a buffer of tensor memory, from `offset` on along `dim`.

    Up to Triton 3.8 the dimension is always 1 and the offset is called `N`.
    Upstream `TTNG_TMEMSubSliceOp`.

    ```mlir
    %b = ttng.tmem_subslice %a {offset = 32 : i32} : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
    ```
    """

    name = "ttng.tmem_subslice"

    src = operand_def(MemDescType)
    offset = prop_def(I32Value)
    dim = prop_def(I32Value, default_value=i32_attr(1))
    result = result_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, Pure())

    SYNTAX: ClassVar = Syntax(
        "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))", since=(3, 4)
    )

    def verify_(self) -> None:
        source, result = _memdesc(self.src), _memdesc(self.result)
        for type, what in ((source, "source"), (result, "destination")):
            if not isinstance(type.memory_space, TensorMemorySpaceAttr):
                raise VerifyException(f"The {what} must be a tensor memory buffer.")
        dim, offset = self.dim.value.data, self.offset.value.data
        if cluster_rules():
            _verify_same_but_shape(source, result)
            if not 0 <= dim < source.rank:
                raise VerifyException("The slice dimension must be within the descriptor rank.")
            _verify_slice(source.get_shape(), result.get_shape(), dim, offset)
        if release() > _LAST_RELEASE_OF_ANY_PART:
            size = result.get_shape()[dim]
            tensor_memory_layouts().verify_part(source, dim, offset, size)

    def encode_attributes(self, version: Version) -> dict[str, Attribute]:
        """Return the attributes as `version` writes them."""
        encoded = self.properties | self.attributes
        if version > LAST_VERSION_OF_SUBSLICE_N:
            return encoded
        if self.dim.value.data != 1:
            raise UserError(
                f"'{self.name}' along dimension 0 cannot be written in the syntax of Triton "
                f"{version_text(version)}"
            )
        encoded["N"] = encoded.pop("offset")
        del encoded["dim"]
        return encoded

    @classmethod
    def decode_attributes(cls, attributes: dict[str, Attribute]) -> dict[str, Attribute]:
        """Return attributes of any release as we keep them."""
        if isinstance(attributes.get("N"), IntegerAttr):
            attributes = dict(attributes)
            attributes["offset"] = attributes.pop("N")
        return attributes


@irdl_op_definition
class TMEMCopyOp(IRDLOperation):
    """
    Start a copy from shared to tensor memory.

    Up to Triton 3.7 a barrier may hear of its end. Upstream `TTNG_TMEMCopyOp`.

    ```mlir
    ttng.tmem_copy %a, %b : !ttg.memdesc<128x4xi8, #shared, #smem>, !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory, mutable>
    ```

    Shapes: both buffers have the same.
    """

    name = "ttng.tmem_copy"

    src = operand_def(MemDescType)
    dst = operand_def(MemDescType)
    barrier = opt_operand_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "$src `,` $dst attr-dict `:` qualified(type(operands))",
        older=(
            (
                (3, 4),
                "$src `,` $dst `,` $barrier attr-dict `:` functional-type(operands, results)",
            ),
            ((3, 7), "$src `,` $dst (`,` $barrier^)? attr-dict `:` qualified(type(operands))"),
        ),
        since=(3, 3),
    )

    def verify_(self) -> None:
        if not _memdesc(self.src).is_shared:
            raise VerifyException("The source must be a shared memory buffer")
        source, destination = _memdesc(self.src), _memdesc(self.dst)
        if source.get_shape() != destination.get_shape() and not early_rules():
            raise VerifyException(
                f"source shape {_list(source)} must match destination shape {_list(destination)}"
            )
        if not destination.mutable:
            raise VerifyException("Cannot copy into an immutable alloc")
        if release() > _LAST_RELEASE_OF_ANY_COPY:
            _verify_copy(source, destination)


def _list(type: MemDescType) -> str:
    return ", ".join(map(str, type.get_shape()))


def _verify_copy(source: MemDescType, destination: MemDescType) -> None:
    """Check what the instruction that copies asks of both layouts."""
    encoding = source.encoding
    if isinstance(encoding, SharedLinearEncodingAttr) and encoding.alignment < _LEAST_ALIGNMENT:
        raise VerifyException(
            "Source must have at least 16-byte alignment to be representable in a matrix "
            "descriptor."
        )
    if cluster_rules():
        tensor_memory_layouts().verify_copy_ctas(source, destination)
    swizzle: int | None = None
    if isinstance(encoding, NVMMASharedEncodingAttr):
        swizzle = encoding.swizzling_byte_width
        if encoding.transposed or encoding.fp4_padded:
            raise VerifyException("The source should not be transposed or padded")
    if isinstance(destination.encoding, TensorMemoryScalesEncodingAttr):
        if swizzle:
            raise VerifyException("The source should not be swizzled for now")
        return
    if not isinstance(destination.encoding, TensorMemoryEncodingAttr):
        raise VerifyException("Incorrect tmem layout.")
    if destination.encoding.block_m != 128:
        raise VerifyException("Tmem layout must have blockM=128.")
    if swizzle == 0:
        raise VerifyException("Source layout should be swizzled.")
    if element_bits(source.element_type) != 32:
        raise VerifyException("Source element type should be 32-bit.")
    if release() > _LAST_RELEASE_OF_NARROW_COPIES:
        tensor_memory_layouts().verify_copy_width(destination)


@irdl_op_definition
class TMEMWaitOp(IRDLOperation):
    """
    Wait for loads from, or stores to, tensor memory (since Triton 3.9).

    ```mlir
    ttng.tmem_wait load
    ```
    """

    name = "ttng.tmem_wait"

    kind = prop_def(EnumValue(TMEMWaitKind))

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax("$kind attr-dict", since=(3, 9))
    ENUMS: ClassVar = {"kind": TMEMWaitKind}
