"""
The `rocdl` dialect: AMD's instructions, those that surround Triton's kernels.

xDSL has no such dialect. Buffer, matrix and DPP instructions are not modelled.
"""

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i1, i16, i32
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure

from xtriton.dialects.upstream.repair import op_family
from xtriton.dialects.utils.contents import dialect_of
from xtriton.ir.syntax import Syntax, same_type


class RegisterOp(IRDLOperation):
    """A number that says where the work item is, or how many there are."""

    range = opt_prop_def()
    res = result_def()

    SYNTAX: ClassVar = Syntax("(`range` $range^)? attr-dict `:` type($res)")

    traits = traits_def(Pure())


class SynchronizationOp(IRDLOperation):
    """An instruction that orders or waits for others."""

    SYNTAX: ClassVar = Syntax("attr-dict")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


class CountOp(IRDLOperation):
    """Wait until no more than `count` accesses of a kind are on their way."""

    count = prop_def(IntegerAttr.constr(i16))

    SYNTAX: ClassVar = Syntax("$count attr-dict")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


REGISTERS = op_family(
    RegisterOp,
    "rocdl",
    {
        **{
            f"{name}{axis.upper()}Op": f"{mnemonic}.{axis}: {meaning} in dimension {axis}."
            for name, mnemonic, meaning in (
                ("ThreadId", "workitem.id", "The work item's place in its group"),
                ("BlockId", "workgroup.id", "The group's place in the grid"),
                ("BlockDim", "workgroup.dim", "The number of work items of a group"),
                ("GridDim", "grid.dim", "The number of groups"),
            )
            for axis in "xyz"
        },
        "WavefrontSizeOp": "wavefrontsize: The number of lanes of a wave.",
    },
)

SYNCHRONIZATION = op_family(
    SynchronizationOp,
    "rocdl",
    {
        "BarrierOp": "barrier: All waves of the group reach this point, accesses done.",
        "SBarrierOp": "s.barrier: All waves of the group reach this point.",
    },
)

COUNTS = op_family(
    CountOp,
    "rocdl",
    {
        "WaitDscntOp": "s.wait.dscnt: Wait for accesses to shared memory.",
        "WaitLoadcntOp": "s.wait.loadcnt: Wait for loads.",
        "WaitStorecntOp": "s.wait.storecnt: Wait for stores.",
        "WaitExpcntOp": "s.wait.expcnt: Wait for exports.",
    },
)


@irdl_op_definition
class SWaitcntOp(IRDLOperation):
    """
    Wait until the counters are no greater than the bit field says.

    ```mlir
    rocdl.s.waitcnt -7937
    ```
    """

    name = "rocdl.s.waitcnt"

    bitfield = prop_def(IntegerAttr.constr(i32))

    SYNTAX: ClassVar = Syntax("attr-dict $bitfield")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class SchedBarrierOp(IRDLOperation):
    """
    The scheduler moves only what the mask allows across this point.

    ```mlir
    rocdl.sched.barrier 0
    ```
    """

    name = "rocdl.sched.barrier"

    mask = prop_def(IntegerAttr.constr(i32))

    SYNTAX: ClassVar = Syntax("$mask attr-dict")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class SchedGroupBarrierOp(IRDLOperation):
    """
    The scheduler puts `size` instructions of the mask's kinds here.

    ```mlir
    rocdl.sched.group.barrier 8, 1, 0
    ```
    """

    name = "rocdl.sched.group.barrier"

    mask = prop_def(IntegerAttr.constr(i32))
    size = prop_def(IntegerAttr.constr(i32))
    group_id = prop_def(IntegerAttr.constr(i32), prop_name="groupId")

    SYNTAX: ClassVar = Syntax("$mask `,` $size `,` $groupId attr-dict")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class IglpOptOp(IRDLOperation):
    """
    Ask for one of the scheduler's strategies.

    ```mlir
    rocdl.iglp.opt 0
    ```
    """

    name = "rocdl.iglp.opt"

    variant = prop_def(IntegerAttr.constr(i32))

    SYNTAX: ClassVar = Syntax("$variant attr-dict")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class SetPrioOp(IRDLOperation):
    """
    Set the wave's priority.

    ```mlir
    rocdl.s.setprio 1
    ```
    """

    name = "rocdl.s.setprio"

    priority = prop_def(IntegerAttr.constr(i16))

    SYNTAX: ClassVar = Syntax("$priority attr-dict")

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class BallotOp(IRDLOperation):
    """
    A bit for each lane, set where `pred` holds.

    ```mlir
    %b = rocdl.ballot %p : i64
    ```
    """

    name = "rocdl.ballot"

    pred = operand_def(i1)
    res = result_def()

    SYNTAX: ClassVar = Syntax("$pred attr-dict `:` type($res)")

    traits = traits_def(Pure())


@irdl_op_definition
class ReadfirstlaneOp(IRDLOperation):
    """
    The value of the first active lane.

    ```mlir
    %v = rocdl.readfirstlane %x : i32
    ```
    """

    name = "rocdl.readfirstlane"

    src = operand_def()
    res = result_def()

    SYNTAX: ClassVar = Syntax("$src attr-dict `:` type($res)")
    TYPES: ClassVar = same_type("src", "res")

    traits = traits_def(Pure())


@irdl_op_definition
class DsBpermuteOp(IRDLOperation):
    """
    The value of the lane that `index` over 4 names.

    ```mlir
    %v = rocdl.ds_bpermute %index, %x : (i32, i32) -> i32
    ```
    """

    name = "rocdl.ds_bpermute"

    index = operand_def(i32)
    src = operand_def(i32)
    res = result_def(i32)

    SYNTAX: ClassVar = Syntax(
        "$index `,` $src attr-dict `:` `(` type($index) `,` type($src) `)` `->` type($res)"
    )

    traits = traits_def(Pure())


@irdl_op_definition
class Exp2Op(IRDLOperation):
    """
    Two to the power of the operand, by the hardware.

    ```mlir
    %y = rocdl.exp2 %x f32 -> f32
    ```
    """

    name = "rocdl.exp2"

    arg = operand_def()
    res = result_def()

    SYNTAX: ClassVar = Syntax("$arg qualified(type($arg)) attr-dict `->` qualified(type($res))")

    traits = traits_def(Pure())


ROCDL = dialect_of({**globals(), **REGISTERS, **SYNCHRONIZATION, **COUNTS}, "rocdl")
