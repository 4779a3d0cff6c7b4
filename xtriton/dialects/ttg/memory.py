"""
Buffers of shared memory: allocation, loads and stores.

Upstream: `TritonGPUOps.td`.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import I32Value, TT_Tensor, i32_attr
from xtriton.dialects.tt.hooks import Folds
from xtriton.dialects.ttg.constraints import (
    GPU_TRAITS,
    AllocEffects,
    SharedEffects,
    SharedMemory,
    verify_mutable,
)
from xtriton.dialects.ttg.interfaces import LayoutEncoding
from xtriton.dialects.ttg.types import AsyncTokenType, MemDescType, element_bits
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import early_rules


def verify_same_contents(
    source: TensorType | MemDescType, destination: TensorType | MemDescType
) -> None:
    """Check that what is copied has one element type and one shape."""
    if source.element_type != destination.element_type:
        raise VerifyException(
            f"source element type {source} must match destination element type "
            f"{destination.element_type}"
        )
    if source.get_shape() != destination.get_shape() and not early_rules():
        raise VerifyException(
            f"source shape [{_list(source.get_shape())}] must match [destination shape "
            f"{_list(destination.get_shape())}]"
        )


def verify_encoding_rank(type: Attribute, buffer: MemDescType, what: str) -> None:
    """Check that a tensor in registers has the rank of the buffer's layout."""
    assert is_tensor(type)
    encoding = buffer.encoding
    rank = len(type.get_shape())
    if early_rules():
        return
    # Releases up to 3.4 left layouts of a higher rank on parts of a buffer.
    if isinstance(encoding, LayoutEncoding) and rank > encoding.rank:
        raise VerifyException(
            f"{what} has rank {rank} but memdesc encoding has rank {encoding.rank}"
        )


@irdl_op_definition
class LocalAllocOp(IRDLOperation):
    """
    Allocate a buffer, in shared memory, and initialize it if a tensor is given.

    A buffer without initial value must be mutable. Upstream `TTG_LocalAllocOp`.

    ```mlir
    %a = ttg.local_alloc : () -> !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>
    %b = ttg.local_alloc %x : (tensor<64x32xf16, #blocked>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
    ```
    """

    name = "ttg.local_alloc"

    src = opt_operand_def(TT_Tensor)
    alignment = opt_prop_def(I32Value)
    result = result_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, AllocEffects(SharedMemory()), Folds())

    SYNTAX: ClassVar = Syntax(
        "($src^)? attr-dict `:` functional-type(operands, results)",
        older=(((3, 3), "$src attr-dict `:` functional-type(operands, results)"),),
        attributes_since={"alignment": (3, 2)},
    )

    def __init__(
        self,
        result_type: MemDescType,
        src: SSAValue | Operation | None = None,
        alignment: int | None = None,
    ):
        super().__init__(
            operands=[src],
            result_types=[result_type],
            properties={"alignment": None if alignment is None else i32_attr(alignment)},
        )

    def verify_(self) -> None:
        type = self.result.type
        assert isinstance(type, MemDescType)
        if not type.is_shared:
            raise VerifyException("should create a buffer of shared memory")
        if element_bits(type.element_type) % 8:
            raise VerifyException("element type bit width must be a multiple of 8")
        if type.get_shape() != type.alloc_shape:
            raise VerifyException("result shape and its alloc shape must match")
        if self.src is None:
            if not type.mutable:
                raise VerifyException("uninitialized alloc must have a mutable memdesc type")
            return
        assert is_tensor(self.src.type)
        verify_encoding_rank(self.src.type, type, "source")
        verify_same_contents(self.src.type, type)

    def fold(self) -> Sequence[SSAValue] | None:
        """An immutable copy of a buffer is the buffer, where its type is the same."""
        load = self.src.owner if self.src is not None else None
        if not isinstance(load, LocalLoadOp) or self.result.type.mutable:
            return None
        return (load.src,) if load.src.type == self.result.type else None


@irdl_op_definition
class LocalDeallocOp(IRDLOperation):
    """
    Free a buffer; otherwise it is freed after its last use. Upstream `TTG_LocalDeallocOp`.

    ```mlir
    ttg.local_dealloc %a : !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    ```
    """

    name = "ttg.local_dealloc"

    src = operand_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, SharedEffects(free="src"))

    SYNTAX: ClassVar = Syntax("$src attr-dict `:` qualified(type($src))")


@irdl_op_definition
class LocalLoadOp(IRDLOperation):
    """
    Load a buffer into registers, after `token`'s copies if one is given.

    Upstream `TTG_LocalLoadOp`.

    ```mlir
    %x = ttg.local_load %a token %t : !ttg.memdesc<64x32xf16, #shared, #smem> -> tensor<64x32xf16, #blocked>
    ```

    Shapes: buffer and result have the same.
    """

    name = "ttg.local_load"

    src = operand_def(MemDescType)
    token = opt_operand_def(AsyncTokenType())
    result = result_def(TT_Tensor)

    traits = traits_def(*GPU_TRAITS, SharedEffects(read="src"))

    SYNTAX: ClassVar = Syntax(
        "$src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)"
    )

    def __init__(
        self,
        src: SSAValue | Operation,
        result_type: Attribute,
        token: SSAValue | Operation | None = None,
    ):
        super().__init__(operands=[src, token], result_types=[result_type])

    def verify_(self) -> None:
        source, result = self.src.type, self.result.type
        assert isinstance(source, MemDescType) and is_tensor(result)
        verify_encoding_rank(result, source, "result")
        verify_same_contents(source, result)


@irdl_op_definition
class LocalStoreOp(IRDLOperation):
    """
    Store a tensor into a buffer. Upstream `TTG_LocalStoreOp`.

    ```mlir
    ttg.local_store %x, %a : tensor<64x32xf16, #blocked> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    ```

    Shapes: tensor and buffer have the same.
    """

    name = "ttg.local_store"

    src = operand_def(TT_Tensor)
    dst = operand_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, SharedEffects(write="dst"))

    SYNTAX: ClassVar = Syntax("$src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))")

    def verify_(self) -> None:
        source, destination = self.src.type, self.dst.type
        assert is_tensor(source) and isinstance(destination, MemDescType)
        verify_mutable(destination)
        verify_encoding_rank(source, destination, "source")
        verify_same_contents(source, destination)


def _list(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))
