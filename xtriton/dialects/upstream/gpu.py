"""
The `gpu` dialect: what a work item knows about its place, barriers, exchange of values.

xDSL reads all of it in generic form only. Ops that run on the host (allocation, copies,
launches) stay so here.
"""

from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    UnitAttr,
    i1,
    i32,
)
from xdsl.dialects.gpu import (
    GPU as XDSL_GPU,
    AllocOp as AllocOp,
    AllReduceOp as AllReduceOp,
    AllReduceOpAttr,
    AsyncTokenType as AsyncTokenType,
    BarrierOp as BarrierOp,
    BlockDimOp as BlockDimOp,
    BlockIdOp as BlockIdOp,
    DeallocOp as DeallocOp,
    DimensionAttr as DimensionAttr,
    FuncOp as FuncOp,
    GlobalIdOp as GlobalIdOp,
    GridDimOp as GridDimOp,
    HostRegisterOp as HostRegisterOp,
    HostUnregisterOp as HostUnregisterOp,
    LaneIdOp as LaneIdOp,
    LaunchFuncOp as LaunchFuncOp,
    LaunchOp as LaunchOp,
    LoopDimMapAttr as LoopDimMapAttr,
    MemcpyOp as MemcpyOp,
    ModuleOp as ModuleOp,
    NumSubgroupsOp as NumSubgroupsOp,
    ProcessorAttr as ProcessorAttr,
    ReturnOp as ReturnOp,
    SetDefaultDeviceOp as SetDefaultDeviceOp,
    SubgroupIdOp as SubgroupIdOp,
    SubgroupSizeOp as SubgroupSizeOp,
    TerminatorOp as TerminatorOp,
    ThreadIdOp as ThreadIdOp,
    WaitOp as WaitOp,
    YieldOp as YieldOp,
)
from xdsl.ir import Block, Dialect, Operation
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.traits import MemoryWriteEffect, Pure, ReturnLike

from xtriton.dialects.upstream.gpu_attributes import (
    ATTRIBUTES,
    AddressSpaceAttr as AddressSpaceAttr,
    BarrierScope,
    BarrierScopeAttr as BarrierScopeAttr,
    BlockMappingAttr as BlockMappingAttr,
    BroadcastKindAttr as BroadcastKindAttr,
    LaneMappingAttr as LaneMappingAttr,
    ReduceOperation,
    ReduceOperationAttr as ReduceOperationAttr,
    ShuffleModeAttr as ShuffleModeAttr,
    ThreadMappingAttr as ThreadMappingAttr,
    WarpgroupMappingAttr as WarpgroupMappingAttr,
    WarpMappingAttr as WarpMappingAttr,
)
from xtriton.dialects.upstream.repair import add_traits, repair
from xtriton.ir.syntax import Syntax, same_type

if TYPE_CHECKING:
    from xtriton.ir.reading.format_parser import OpState
    from xtriton.ir.writing.printer import Printer

_UPPER_BOUND = opt_prop_def(IntegerAttr[IndexType])
_BOUND = "(`upper_bound` $upper_bound^)? attr-dict"


def _with_wide_space(before: str, after: str) -> Syntax:
    """Return a format between whose halves there were two spaces up to Triton 3.7."""
    return Syntax(f"{before} {after}", older=(((3, 7), f"{before} ` ` {after}"),))


# --- barrier ---------------------------------------------------------------------------

_WORKGROUP_SCOPE = BarrierScopeAttr(BarrierScope.WORKGROUP)

repair(
    BarrierOp,
    syntax=Syntax(
        "(`scope` $scope^)? (`memfence` $address_spaces^)? attr-dict",
        attributes_since={"address_spaces": (3, 7), "scope": (3, 8)},
    ),
    properties={
        "address_spaces": opt_prop_def(ArrayAttr[AddressSpaceAttr]),
        "scope": opt_prop_def(BarrierScopeAttr, default_value=_WORKGROUP_SCOPE),
    },
)

# --- places ----------------------------------------------------------------------------


class DimensionOp(IRDLOperation):
    """A number that each dimension of the grid has."""

    dimension = prop_def(DimensionAttr)
    upper_bound = opt_prop_def(IntegerAttr[IndexType])
    result = result_def(IndexType)

    SYNTAX: ClassVar = _with_wide_space("", f"$dimension {_BOUND}")

    traits = traits_def(Pure())

    def __init__(self, dimension: DimensionAttr):
        super().__init__(result_types=[IndexType()], properties={"dimension": dimension})


@irdl_op_definition
class ClusterIdOp(DimensionOp):
    """
    The cluster's place in the grid.

    ```mlir
    %i = gpu.cluster_id x
    ```
    """

    name = "gpu.cluster_id"


@irdl_op_definition
class ClusterDimOp(DimensionOp):
    """
    The number of clusters in the grid.

    ```mlir
    %n = gpu.cluster_dim x
    ```
    """

    name = "gpu.cluster_dim"


@irdl_op_definition
class ClusterDimBlocksOp(DimensionOp):
    """
    The number of blocks in a cluster.

    ```mlir
    %n = gpu.cluster_dim_blocks x
    ```
    """

    name = "gpu.cluster_dim_blocks"


@irdl_op_definition
class ClusterBlockIdOp(DimensionOp):
    """
    The block's place in its cluster.

    ```mlir
    %i = gpu.cluster_block_id x
    ```
    """

    name = "gpu.cluster_block_id"


for _op in (BlockDimOp, BlockIdOp, GlobalIdOp, GridDimOp, ThreadIdOp):
    repair(
        _op,
        syntax=DimensionOp.SYNTAX,
        properties={"upper_bound": _UPPER_BOUND},
        traits=(Pure(),),
    )
repair(LaneIdOp, syntax=_BOUND, properties={"upper_bound": _UPPER_BOUND}, traits=(Pure(),))
for _op in (SubgroupIdOp, NumSubgroupsOp, SubgroupSizeOp):
    repair(
        _op,
        syntax=f"{_BOUND} `:` type($result)",
        properties={"upper_bound": _UPPER_BOUND},
        traits=(Pure(),),
    )

# --- exchange of values ----------------------------------------------------------------


@irdl_op_definition
class ShuffleOp(IRDLOperation):
    """
    The value of another lane of the subgroup, and whether there is one.

    ```mlir
    %v, %valid = gpu.shuffle xor %x, %offset, %width : f32
    ```
    """

    name = "gpu.shuffle"

    value = operand_def()
    offset = operand_def(i32)
    width = operand_def(i32)
    mode = prop_def(ShuffleModeAttr)
    shuffle_result = result_def()
    valid = result_def(i1)

    SYNTAX: ClassVar = _with_wide_space(
        "", "$mode $value `,` $offset `,` $width attr-dict `:` type($value)"
    )
    TYPES: ClassVar = same_type("value", "shuffle_result")
    RESULT_NAMES: ClassVar = ("shuffleResult", "valid")

    traits = traits_def(Pure())


@irdl_op_definition
class RotateOp(IRDLOperation):
    """
    The value of the lane `offset` further on, counted around in groups of `width`.

    ```mlir
    %v, %valid = gpu.rotate %x, 1, 16 : f32
    ```
    """

    name = "gpu.rotate"

    value = operand_def()
    offset = prop_def(IntegerAttr.constr(i32))
    width = prop_def(IntegerAttr.constr(i32))
    rotate_result = result_def()
    valid = result_def(i1)

    SYNTAX: ClassVar = Syntax("$value `,` $offset `,` $width attr-dict `:` type($value)")
    TYPES: ClassVar = same_type("value", "rotate_result")
    RESULT_NAMES: ClassVar = ("rotateResult", "valid")

    traits = traits_def(Pure())


@irdl_op_definition
class SubgroupBroadcastOp(IRDLOperation):
    """
    The value of one lane, for all lanes of the subgroup.

    ```mlir
    %v = gpu.subgroup_broadcast %x, specific_lane %lane : f32
    ```
    """

    name = "gpu.subgroup_broadcast"

    src = operand_def()
    lane = opt_operand_def(i32)
    broadcast_type = prop_def(BroadcastKindAttr)
    result = result_def()

    SYNTAX: ClassVar = _with_wide_space(
        "$src `,`", "$broadcast_type ($lane^)? attr-dict `:` type($result)"
    )
    TYPES: ClassVar = same_type("src", "result")

    traits = traits_def(Pure())


@irdl_op_definition
class BallotOp(IRDLOperation):
    """
    A bit for each lane of the subgroup, set where `predicate` holds.

    ```mlir
    %bits = gpu.ballot %p : i32
    ```
    """

    name = "gpu.ballot"

    predicate = operand_def(i1)
    result = result_def()

    SYNTAX: ClassVar = Syntax("$predicate attr-dict `:` type($result)", since=(3, 8))

    traits = traits_def(Pure())


@irdl_op_definition
class SubgroupReduceOp(IRDLOperation):
    """
    The values of a subgroup, or of clusters of its lanes, combined.

    ```mlir
    %s = gpu.subgroup_reduce add %x cluster(size = 4, stride = 2) : (f32) -> f32
    ```
    """

    name = "gpu.subgroup_reduce"

    value = operand_def()
    op = prop_def(ReduceOperationAttr)
    uniform = opt_prop_def(UnitAttr)
    cluster_size = opt_prop_def(IntegerAttr.constr(i32))
    cluster_stride = prop_def(IntegerAttr.constr(i32), default_value=IntegerAttr(1, i32))
    result = result_def()

    SYNTAX: ClassVar = _with_wide_space(
        "",
        "$op $value (`uniform` $uniform^)?"
        " (`cluster` `(` `size` `=` $cluster_size^ (`,` `stride` `=` $cluster_stride^)? `)`)?"
        " attr-dict `:` functional-type(operands, results)",
    )

    traits = traits_def(Pure())


class AllReduceOperation:
    """The operation, followed by a space; where there is none, the space alone stays."""

    def parse(self, parser: Parser, state: "OpState", *arguments: str) -> None:
        name = parser.parse_optional_identifier()
        if name is not None:
            state.attributes["op"] = ReduceOperationAttr(ReduceOperation(name))

    def print(self, printer: "Printer", op: Operation, *arguments: str) -> None:
        found = op.properties.get("op")
        if isinstance(found, ReduceOperationAttr):
            printer.print_string((" " if printer.version <= (3, 7) else "") + found.data.value)


repair(
    AllReduceOp,
    syntax="custom<AllReduceOperation>($op) $operand (`uniform` $uniform^)? $body attr-dict"
    " `:` functional-type(operands, results)",
    directives={"AllReduceOperation": AllReduceOperation()},
    properties={"op": opt_prop_def(ReduceOperationAttr)},
)

# --- others ----------------------------------------------------------------------------


@irdl_op_definition
class PrintfOp(IRDLOperation):
    """
    Write a line from the device, in the manner of C's `printf`.

    ```mlir
    gpu.printf "x %d", %x : i32
    ```
    """

    name = "gpu.printf"

    format = prop_def(StringAttr)
    args = var_operand_def()

    SYNTAX: ClassVar = Syntax("$format attr-dict (`,` $args^ `:` type($args))?")

    traits = traits_def(MemoryWriteEffect())


@irdl_op_definition
class DynamicSharedMemoryOp(IRDLOperation):
    """
    The shared memory whose size the launch gives.

    ```mlir
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    ```
    """

    name = "gpu.dynamic_shared_memory"

    result_memref = result_def(MemRefType)

    SYNTAX: ClassVar = Syntax("attr-dict `:` type($result_memref)")

    traits = traits_def(Pure())


repair(ReturnOp, syntax="attr-dict ($args^ `:` type($args))?")
add_traits(ReturnOp, Pure(), ReturnLike())
repair(YieldOp, syntax="attr-dict ($values^ `:` type($values))?")
add_traits(YieldOp, Pure(), ReturnLike())
repair(TerminatorOp, syntax="attr-dict")
add_traits(TerminatorOp, Pure())
repair(HostRegisterOp, syntax="$value attr-dict `:` type($value)")
repair(HostUnregisterOp, syntax="$value attr-dict `:` type($value)")
repair(SetDefaultDeviceOp, syntax="attr-dict $devIndex")


def _parse_module(cls: type[ModuleOp], parser: Parser) -> ModuleOp:
    name = parser.parse_symbol_name()
    attributes = parser.parse_optional_attr_dict_with_keyword()
    body = parser.parse_region()
    if not body.blocks:
        body.add_block(Block())
    return cls.create(
        properties={"sym_name": name},
        attributes=dict(attributes.data) if attributes is not None else {},
        regions=[body],
    )


def _print_module(self: ModuleOp, printer: "Printer") -> None:
    printer.print_string(" ")
    printer.print_symbol_name(self.sym_name.data)
    if self.attributes:
        printer.print_op_attributes(self.attributes, print_keyword=True)
    printer.print_string(" ")
    printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


repair(ModuleOp, parse=classmethod(_parse_module), print=_print_module)

GPU = Dialect(
    "gpu",
    [
        *XDSL_GPU.operations,
        BallotOp,
        ClusterBlockIdOp,
        ClusterDimBlocksOp,
        ClusterDimOp,
        ClusterIdOp,
        DynamicSharedMemoryOp,
        PrintfOp,
        RotateOp,
        ShuffleOp,
        SubgroupBroadcastOp,
        SubgroupReduceOp,
    ],
    [*(a for a in XDSL_GPU.attributes if a is not AllReduceOpAttr), *ATTRIBUTES],
)
