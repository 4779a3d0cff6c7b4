"""Attributes of the `gpu` dialect that xDSL lacks or has incomplete."""

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from xtriton.dialects.upstream.text import InBrackets


class AddressSpace(StrEnum):
    """Who sees a piece of memory."""

    GLOBAL = "global"
    WORKGROUP = "workgroup"
    PRIVATE = "private"
    CONSTANT = "constant"


class BarrierScope(StrEnum):
    """Whom a barrier holds up."""

    WORKGROUP = "workgroup"
    CLUSTER = "cluster"
    SUBGROUP = "subgroup"


class ReduceOperation(StrEnum):
    """What a reduction across work items computes."""

    ADD = "add"
    MUL = "mul"
    MINUI = "minui"
    MINSI = "minsi"
    MINNUMF = "minnumf"
    MAXUI = "maxui"
    MAXSI = "maxsi"
    MAXNUMF = "maxnumf"
    AND = "and"
    OR = "or"
    XOR = "xor"
    MINIMUMF = "minimumf"
    MAXIMUMF = "maximumf"


class ShuffleMode(StrEnum):
    """Whose value a lane gets from `gpu.shuffle`."""

    XOR = "xor"
    DOWN = "down"
    UP = "up"
    IDX = "idx"


class BroadcastKind(StrEnum):
    """Whose value all lanes get from `gpu.subgroup_broadcast`."""

    FIRST_ACTIVE_LANE = "first_active_lane"
    SPECIFIC_LANE = "specific_lane"


class MappingId(StrEnum):
    """A dimension of the grid, or one of those that are counted linearly."""

    X = "x"
    Y = "y"
    Z = "z"
    LINEAR_DIM_0 = "linear_dim_0"
    LINEAR_DIM_1 = "linear_dim_1"
    LINEAR_DIM_2 = "linear_dim_2"
    LINEAR_DIM_3 = "linear_dim_3"
    LINEAR_DIM_4 = "linear_dim_4"
    LINEAR_DIM_5 = "linear_dim_5"
    LINEAR_DIM_6 = "linear_dim_6"
    LINEAR_DIM_7 = "linear_dim_7"
    LINEAR_DIM_8 = "linear_dim_8"
    LINEAR_DIM_9 = "linear_dim_9"


@irdl_attr_definition
class ReduceOperationAttr(EnumAttribute[ReduceOperation], SpacedOpaqueSyntaxAttribute):
    """`#gpu<all_reduce_op add>`; xDSL knows fewer operations."""

    name = "gpu.all_reduce_op"


@irdl_attr_definition
class ShuffleModeAttr(EnumAttribute[ShuffleMode], SpacedOpaqueSyntaxAttribute):
    """`#gpu<shuffle_mode xor>`."""

    name = "gpu.shuffle_mode"


@irdl_attr_definition
class BroadcastKindAttr(EnumAttribute[BroadcastKind], SpacedOpaqueSyntaxAttribute):
    """`#gpu<broadcast first_active_lane>`."""

    name = "gpu.broadcast"


@irdl_attr_definition
class AddressSpaceAttr(InBrackets, EnumAttribute[AddressSpace]):
    """`#gpu.address_space<workgroup>`."""

    name = "gpu.address_space"


@irdl_attr_definition
class BarrierScopeAttr(InBrackets, EnumAttribute[BarrierScope]):
    """`#gpu.barrier_scope<cluster>`."""

    name = "gpu.barrier_scope"


@irdl_attr_definition
class BlockMappingAttr(InBrackets, EnumAttribute[MappingId]):
    """`#gpu.block<x>`."""

    name = "gpu.block"


@irdl_attr_definition
class WarpgroupMappingAttr(InBrackets, EnumAttribute[MappingId]):
    """`#gpu.warpgroup<x>`."""

    name = "gpu.warpgroup"


@irdl_attr_definition
class WarpMappingAttr(InBrackets, EnumAttribute[MappingId]):
    """`#gpu.warp<x>`."""

    name = "gpu.warp"


@irdl_attr_definition
class ThreadMappingAttr(InBrackets, EnumAttribute[MappingId]):
    """`#gpu.thread<x>`."""

    name = "gpu.thread"


@irdl_attr_definition
class LaneMappingAttr(InBrackets, EnumAttribute[MappingId]):
    """`#gpu.lane<x>`."""

    name = "gpu.lane"


ATTRIBUTES = (
    AddressSpaceAttr,
    BarrierScopeAttr,
    BlockMappingAttr,
    BroadcastKindAttr,
    LaneMappingAttr,
    ReduceOperationAttr,
    ShuffleModeAttr,
    ThreadMappingAttr,
    WarpMappingAttr,
    WarpgroupMappingAttr,
)
