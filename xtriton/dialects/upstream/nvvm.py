"""
The `nvvm` dialect: NVIDIA's instructions, those that surround Triton's kernels.

xDSL has no such dialect. Matrix, tensor memory and bulk copy instructions are not
modelled; in kernels they stand behind `ttng`.
"""

from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import IntegerAttr, UnitAttr, f32, i1, i32
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.str_enum import StrEnum

from xtriton.dialects.upstream.repair import op_family
from xtriton.dialects.upstream.text import InBrackets
from xtriton.dialects.utils.contents import dialect_of
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version

if TYPE_CHECKING:
    from xtriton.ir.reading.format_parser import OpState


class ShuffleKind(StrEnum):
    """Whose value a lane gets from `nvvm.shfl.sync`."""

    BFLY = "bfly"
    UP = "up"
    DOWN = "down"
    IDX = "idx"


@irdl_attr_definition
class ShuffleKindAttr(EnumAttribute[ShuffleKind], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<shfl_kind bfly>`."""

    name = "nvvm.shfl_kind"


class BarrierReduction(StrEnum):
    """How `nvvm.barrier` combines the threads' predicates."""

    POPC = "popc"
    AND = "and"
    OR = "or"


@irdl_attr_definition
class BarrierReductionAttr(InBrackets, EnumAttribute[BarrierReduction]):
    """`#nvvm.reduction<popc>`."""

    name = "nvvm.reduction"


class SpecialRegisterOp(IRDLOperation):
    """The content of a special register."""

    range = opt_prop_def()
    res = result_def()

    SYNTAX: ClassVar = Syntax("(`range` $range^)? attr-dict `:` type($res)")

    traits = traits_def(Pure())


class SynchronizationOp(IRDLOperation):
    """An instruction that orders or waits for others."""

    SYNTAX: ClassVar = Syntax("attr-dict")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


class ClusterOp(IRDLOperation):
    """A part of the barrier of a cluster."""

    aligned = opt_prop_def(UnitAttr)

    SYNTAX: ClassVar = Syntax("attr-dict")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


REGISTERS = op_family(
    SpecialRegisterOp,
    "nvvm",
    {
        **{
            f"{name}{axis.upper()}Op": f"read.ptx.sreg.{register}.{axis}: {meaning} ({axis})."
            for name, register, meaning in (
                ("ThreadId", "tid", "The thread's place in its block"),
                ("BlockDim", "ntid", "The number of threads of a block"),
                ("BlockId", "ctaid", "The block's place in the grid"),
                ("GridDim", "nctaid", "The number of blocks"),
                ("ClusterId", "clusterid", "The cluster's place in the grid"),
                ("ClusterDim", "nclusterid", "The number of clusters"),
                ("BlockInClusterId", "cluster.ctaid", "The block's place in its cluster"),
                ("ClusterDimBlocks", "cluster.nctaid", "The number of blocks of a cluster"),
            )
            for axis in "xyz"
        },
        "LaneIdOp": "read.ptx.sreg.laneid: The thread's lane of its warp.",
        "WarpIdOp": "read.ptx.sreg.warpid: The number of the warp.",
        "WarpSizeOp": "read.ptx.sreg.warpsize: The number of lanes of a warp.",
        "SmIdOp": "read.ptx.sreg.smid: The number of the multiprocessor.",
        "ClusterRankOp": "read.ptx.sreg.cluster.ctarank: The block's number in its cluster.",
    },
)

SYNCHRONIZATION = op_family(
    SynchronizationOp,
    "nvvm",
    {
        "FenceScClusterOp": "fence.sc.cluster: Order accesses for the cluster.",
        "FenceMbarrierInitOp": "fence.mbarrier.init: Make new barriers visible.",
        "CpAsyncCommitGroupOp": "cp.async.commit.group: End a group of copies.",
    },
)


@irdl_op_definition
class Barrier0Op(SynchronizationOp):
    """
    All threads of the block reach this point, accesses done; now `nvvm.barrier`.

    ```mlir
    nvvm.barrier0
    ```
    """

    name = "nvvm.barrier0"
    UNTIL: ClassVar[Version] = (3, 7)

    def text_name(self, version: Version) -> str:
        """Return the name that the MLIR of `version` has for this."""
        return self.name if version <= self.UNTIL else "nvvm.barrier"


CLUSTER = op_family(
    ClusterOp,
    "nvvm",
    {
        "ClusterArriveOp": "cluster.arrive: Tell that this thread has arrived.",
        "ClusterArriveRelaxedOp": "cluster.arrive.relaxed: Arrive without ordering accesses.",
        "ClusterWaitOp": "cluster.wait: Wait until all threads of the cluster have arrived.",
    },
)


class Reduction:
    """`#nvvm.reduction<and> %predicate`."""

    @staticmethod
    def starts(parser: Parser) -> bool:
        return parser._current_token.text.startswith("#")

    def parse(self, parser: Parser, state: "OpState", *arguments: str) -> None:
        state.attributes["reductionOp"] = parser.parse_attribute()
        state.operands["reduction_predicate"] = [parser.parse_unresolved_operand()]

    def print(self, printer: Printer, op: "BarrierOp", *arguments: str) -> None:
        if op.reduction_op is not None and op.reduction_predicate is not None:
            printer.print_attribute(op.reduction_op)
            printer.print_string(" ")
            printer.print_ssa_value(op.reduction_predicate)


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """
    A barrier by number, for some of the block's threads.

    ```mlir
    nvvm.barrier id = %id number_of_threads = %n
    ```
    """

    name = "nvvm.barrier"

    barrier_id = opt_operand_def(i32)
    number_of_threads = opt_operand_def(i32)
    reduction_predicate = opt_operand_def(i32)
    reduction_op = opt_prop_def(prop_name="reductionOp")
    res = opt_result_def(i32)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    SYNTAX: ClassVar = Syntax(
        "(`id` `=` $barrier_id^)? (`number_of_threads` `=` $number_of_threads^)?"
        " (custom<Reduction>($reductionOp, $reduction_predicate)^)? (`->` type($res)^)? attr-dict"
    )
    DIRECTIVES: ClassVar = {"Reduction": Reduction()}

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class CpAsyncWaitGroupOp(IRDLOperation):
    """
    Wait until no more than `n` groups of copies are on their way.

    ```mlir
    nvvm.cp.async.wait.group 0
    ```
    """

    name = "nvvm.cp.async.wait.group"

    n = prop_def(IntegerAttr.constr(i32))

    SYNTAX: ClassVar = Syntax("$n attr-dict")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class SyncWarpOp(IRDLOperation):
    """
    The lanes of the mask reach this point.

    ```mlir
    nvvm.bar.warp.sync %mask : i32
    ```
    """

    name = "nvvm.bar.warp.sync"

    mask = operand_def(i32)

    SYNTAX: ClassVar = Syntax("$mask attr-dict `:` type($mask)")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class ShflOp(IRDLOperation):
    """
    The value of another lane, with whether there is one if asked for.

    ```mlir
    %v = nvvm.shfl.sync bfly %mask, %x, %offset, %clamp : f32 -> f32
    ```
    """

    name = "nvvm.shfl.sync"

    thread_mask = operand_def(i32)
    val = operand_def()
    offset = operand_def(i32)
    mask_and_clamp = operand_def(i32)
    kind = prop_def(ShuffleKindAttr)
    return_value_and_is_valid = opt_prop_def(UnitAttr)
    res = result_def()

    SYNTAX: ClassVar = Syntax(
        "$kind $thread_mask `,` $val `,` $offset `,` $mask_and_clamp attr-dict"
        " `:` type($val) `->` type($res)",
        older=(
            (
                (3, 7),
                "` ` $kind $thread_mask `,` $val `,` $offset `,` $mask_and_clamp attr-dict"
                " `:` type($val) `->` type($res)",
            ),
        ),
    )


@irdl_op_definition
class ElectSyncOp(IRDLOperation):
    """
    True in one lane of the warp.

    ```mlir
    %p = nvvm.elect.sync -> i1
    ```
    """

    name = "nvvm.elect.sync"

    membermask = opt_operand_def(i32)
    pred = result_def(i1)

    SYNTAX: ClassVar = Syntax("($membermask^)? attr-dict `->` type($pred)")


@irdl_op_definition
class RcpApproxFtzF32Op(IRDLOperation):
    """
    One over the operand, approximately.

    ```mlir
    %y = nvvm.rcp.approx.ftz.f %x : f32
    ```
    """

    name = "nvvm.rcp.approx.ftz.f"

    arg = operand_def(f32)
    res = result_def(f32)

    SYNTAX: ClassVar = Syntax("$arg attr-dict `:` type($res)")

    traits = traits_def(Pure())


NVVM = dialect_of({**globals(), **REGISTERS, **SYNCHRONIZATION, **CLUSTER}, "nvvm")
