"""
Barriers in shared memory (mbarriers).

Upstream: `TritonNvidiaGPUOps.td`.
"""

from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr, i1, i32
from xdsl.ir import Operation
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import I32Value, TT_Tensor, i32_attr
from xtriton.dialects.tt.hooks import Canonicalizes
from xtriton.dialects.ttg.async_copy import AnyEffects
from xtriton.dialects.ttg.constraints import GPU_TRAITS, SharedEffects, verify_mutable
from xtriton.dialects.ttg.memory import verify_same_contents
from xtriton.dialects.ttg.types import MemDescType
from xtriton.dialects.ttng.cluster_checks import (
    cluster_rules,
    num_ctas,
    verify_broadcast_order,
    verify_from_cta,
    verify_multicast_arrive,
)
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, early_rules

_ARRIVE_PATTERNS = "xtriton.transforms.cleanup.canonicalization.barriers:ARRIVE_PATTERNS"

LAST_VERSION_OF_STRIPPED_BARRIERS: Version = (3, 2)


def _older(format: str) -> tuple[tuple[Version, str], ...]:
    return ((LAST_VERSION_OF_STRIPPED_BARRIERS, format),)


def verify_barrier(op: Operation, name: str) -> None:
    """Check that an operand is an array of 64-bit words in shared memory."""
    type = getattr(op, name).type
    assert isinstance(type, MemDescType)
    is_sound = type.is_shared and str(type.element_type) == "i64" and type.rank == 1
    if not is_sound or (not early_rules() and type.get_shape()[0] > num_ctas(op)):
        wanted = "1xi64 type" if early_rules() else "Nxi64 type with N <= number of CTAs"
        raise VerifyException(
            f"barrier allocation must be a descriptor of {wanted}, but operand '{name}' is {type}"
        )
    if cluster_rules():
        verify_broadcast_order(type.encoding)


@irdl_op_definition
class InitBarrierOp(IRDLOperation):
    """
    Make a barrier that `count` arrivals complete. Upstream `TTNG_InitBarrierOp`.

    ```mlir
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ```
    """

    name = "ttng.init_barrier"

    alloc = operand_def(MemDescType)
    count = prop_def(I32Value)

    traits = traits_def(*GPU_TRAITS, SharedEffects(write="alloc"))

    SYNTAX: ClassVar = Syntax(
        "$alloc `,` $count attr-dict `:` qualified(type($alloc))",
        older=_older("$alloc `,` $count attr-dict `:` type($alloc)"),
    )

    def verify_(self) -> None:
        verify_barrier(self, "alloc")
        if self.count.value.data < 1:
            raise VerifyException("count must be greater than or equal to 1")
        if cluster_rules() and _is_in_warp_specialize(self):
            type = self.alloc.type
            assert isinstance(type, MemDescType)
            if type.get_shape()[0] != num_ctas(self):
                raise VerifyException("cannot be used inside `ttg.warp_specialize`")


def _is_in_warp_specialize(op: Operation) -> bool:
    around = op.parent_op()
    while around is not None and around.name != "ttg.warp_specialize":
        around = around.parent_op()
    return around is not None


@irdl_op_definition
class InvalBarrierOp(IRDLOperation):
    """
    End the life of a barrier, so that its memory can be used again.

    Upstream `TTNG_InvalBarrierOp`.

    ```mlir
    ttng.inval_barrier %bar : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ```
    """

    name = "ttng.inval_barrier"

    alloc = operand_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, SharedEffects(write="alloc"))

    SYNTAX: ClassVar = Syntax(
        "$alloc attr-dict `:` qualified(type($alloc))",
        older=_older("$alloc attr-dict `:` type($alloc)"),
    )

    def verify_(self) -> None:
        verify_barrier(self, "alloc")


@irdl_op_definition
class BarrierExpectOp(IRDLOperation):
    """
    Arrive and tell the barrier that `size` bytes are yet to come, if `pred` holds.

    `fromCTA` restricts this to one CTA of the cluster. Upstream `TTNG_BarrierExpectOp`.

    ```mlir
    ttng.barrier_expect %bar, 16384, %pred : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ```
    """

    name = "ttng.barrier_expect"

    alloc = operand_def(MemDescType)
    size = prop_def(I32Value)
    pred = operand_def(i1)
    fromCTA = opt_prop_def(I32Value)

    traits = traits_def(*GPU_TRAITS, SharedEffects(write="alloc"), Canonicalizes(_ARRIVE_PATTERNS))

    SYNTAX: ClassVar = Syntax(
        "$alloc `,` $size attr-dict `,` $pred `:` qualified(type($alloc))",
        older=_older("$alloc `,` $size attr-dict `,` $pred `:` type($alloc)"),
        attributes_since={"fromCTA": (3, 9)},
    )

    def verify_(self) -> None:
        verify_barrier(self, "alloc")
        verify_from_cta(self)


@irdl_op_definition
class WaitBarrierOp(IRDLOperation):
    """
    Wait until a barrier has completed phase `phase`, if `pred` holds.

    `deps` are buffers that must stay alive until then. Upstream `TTNG_WaitBarrierOp`.

    ```mlir
    ttng.wait_barrier %bar, %phase, %pred deps %a : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>
    ```
    """

    name = "ttng.wait_barrier"

    alloc = operand_def(MemDescType)
    phase = operand_def(i32)
    pred = opt_operand_def(i1)
    deps = var_operand_def(MemDescType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "$alloc `,` $phase (`,` $pred^)? (`deps` $deps^)? attr-dict `:` "
        "qualified(type($alloc)) (`,` qualified(type($deps))^)?",
        older=_older("$alloc `,` $phase attr-dict `:` type($alloc)"),
    )

    def verify_(self) -> None:
        verify_barrier(self, "alloc")


@irdl_op_definition
class ArriveBarrierOp(IRDLOperation):
    """
    Arrive `count` times at a barrier, if `pred` holds.

    `multicastCTA` is a mask of CTAs at whose barriers to arrive too; `fromCTA` the one that
    arrives. Upstream `TTNG_ArriveBarrierOp`.

    ```mlir
    ttng.arrive_barrier %bar, 2, %pred : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ```
    """

    name = "ttng.arrive_barrier"

    alloc = operand_def(MemDescType)
    count = prop_def(I32Value)
    pred = opt_operand_def(i1)
    fromCTA = opt_prop_def(I32Value)
    multicastCTA = opt_prop_def(I32Value, default_value=i32_attr(0))

    traits = traits_def(
        *GPU_TRAITS,
        SharedEffects(read="alloc", write="alloc"),
        Canonicalizes(_ARRIVE_PATTERNS),
    )

    SYNTAX: ClassVar = Syntax(
        "$alloc `,` $count (`,` $pred^)? attr-dict `:` qualified(type($alloc))",
        since=(3, 4),
        attributes_since={"fromCTA": (3, 9), "multicastCTA": (3, 9)},
    )

    def verify_(self) -> None:
        verify_barrier(self, "alloc")
        if self.count.value.data < 1:
            raise VerifyException("count must be greater than or equal to 1")
        verify_multicast_arrive(self)
        verify_from_cta(self)
        multicast = self.multicastCTA.value.data
        source = None if self.fromCTA is None else self.fromCTA.value.data
        if multicast and source not in (None, num_ctas(self) - 1):
            raise VerifyException("fromCTA cannot be combined with multicast arrive")


@irdl_op_definition
class AsyncCopyMbarrierArriveOp(IRDLOperation):
    """
    Arrive at a barrier when all copies that this thread has started are done.

    Upstream `TTNG_AsyncCopyMbarrierArriveOp`. Without `noIncrement` the number of pending
    arrivals grows by one first.

    ```mlir
    ttng.async_copy_mbarrier_arrive %bar : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ```
    """

    name = "ttng.async_copy_mbarrier_arrive"

    barrier = operand_def(MemDescType)
    noIncrement = opt_prop_def(UnitAttr)

    traits = traits_def(*GPU_TRAITS, SharedEffects(write="barrier"))

    SYNTAX: ClassVar = Syntax("$barrier attr-dict `:` qualified(type($barrier))", since=(3, 5))


@irdl_op_definition
class AsyncSharedStoreOp(IRDLOperation):
    """
    Store a tensor to the shared memory of a cluster and report the bytes to a barrier.

    Upstream `TTNG_AsyncSharedStoreOp`.

    ```mlir
    ttng.async_shared_store %x, %a, %bar : tensor<64x32xf16, #blocked> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ```

    Shapes: tensor and buffer have the same.
    """

    name = "ttng.async_shared_store"

    src = operand_def(TT_Tensor)
    dst = operand_def(MemDescType)
    mbarrier = operand_def(MemDescType)

    traits = traits_def(*GPU_TRAITS, SharedEffects(write="dst"), AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "$src `,` $dst `,` $mbarrier attr-dict `:` type($src) `->` qualified(type($dst)) `,` "
        "qualified(type($mbarrier))",
        since=(3, 8),
    )

    def verify_(self) -> None:
        if num_ctas(self) < 2:
            raise VerifyException("requires at least two CTAs in the cluster")
        verify_mutable(self.dst.type, "cannot store into immutable memory")
        verify_same_contents(self.src.type, self.dst.type)  # pyright: ignore[reportArgumentType]
        verify_barrier(self, "mbarrier")
