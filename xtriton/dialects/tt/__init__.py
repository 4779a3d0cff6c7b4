"""
The `tt` dialect: Triton's portable IR, of all releases since 3.1.

Upstream: `include/triton/Dialect/Triton/IR/`.
"""

from xdsl.ir import Dialect

from xtriton.dialects.tt.arithmetic import (
    ApproxDivFOp,
    ClampFOp,
    MulhiUIOp,
    PreciseDivFOp,
    PreciseSqrtOp,
)
from xtriton.dialects.tt.atomics import (
    AtomicCASOp,
    AtomicLoadOp,
    AtomicPollOp,
    AtomicRMWOp,
    AtomicStoreOp,
)
from xtriton.dialects.tt.cache_policy import CachePolicyAttr
from xtriton.dialects.tt.casts import BitcastOp, FpToFpOp, IntToPtrOp, PtrToIntOp
from xtriton.dialects.tt.descriptors import (
    DescriptorGatherOp,
    DescriptorLoadOp,
    DescriptorReduceOp,
    DescriptorScatterOp,
    DescriptorStoreOp,
    MakeTensorDescOp,
)
from xtriton.dialects.tt.dot import DotOp, DotScaledOp
from xtriton.dialects.tt.elementwise import (
    ElementwiseInlineAsmOp,
    ExternElementwiseOp,
    GatherOp,
    HistogramOp,
)
from xtriton.dialects.tt.enums import (
    CacheModifier,
    DescriptorReduceKind,
    EvictionPolicy,
    InputPrecision,
    MemSemantic,
    MemSyncScope,
    PaddingOption,
    ProgramIDDim,
    PropagateNan,
    RMWOp,
    RoundingMode,
    ScaleDotElemType,
)
from xtriton.dialects.tt.functions import CallOp, FuncOp, ReturnOp
from xtriton.dialects.tt.interfaces import TensorLayout
from xtriton.dialects.tt.legacy import (
    ExperimentalDescriptorLoadOp,
    ExperimentalDescriptorStoreOp,
    ExperimentalTensormapCreateOp,
    ExperimentalTensormapFenceproxyAcquireOp,
    ReinterpretTensorDescOp,
)
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.tt.pointers import AddPtrOp, AdvanceOp, MakeTensorPtrOp
from xtriton.dialects.tt.program import (
    AssertOp,
    GetNumProgramsOp,
    GetProgramIdOp,
    GridDependencyLaunchDependentsOp,
    GridDependencyWaitOp,
    MakeRangeOp,
    PrintOp,
)
from xtriton.dialects.tt.reductions import (
    MapElementwiseOp,
    MapElementwiseReturnOp,
    ReduceOp,
    ReduceReturnOp,
    ScanOp,
    ScanReturnOp,
)
from xtriton.dialects.tt.shapes import (
    BroadcastOp,
    CatOp,
    ExpandDimsOp,
    JoinOp,
    ReshapeOp,
    SplatOp,
    SplitOp,
    TransOp,
    UnsplatOp,
)
from xtriton.dialects.tt.types import PtrType, TensorDescType

TT = Dialect(
    "tt",
    [
        AddPtrOp,
        AdvanceOp,
        ApproxDivFOp,
        AssertOp,
        AtomicCASOp,
        AtomicLoadOp,
        AtomicPollOp,
        AtomicRMWOp,
        AtomicStoreOp,
        BitcastOp,
        BroadcastOp,
        CallOp,
        CatOp,
        ClampFOp,
        DescriptorGatherOp,
        DescriptorLoadOp,
        DescriptorReduceOp,
        DescriptorScatterOp,
        DescriptorStoreOp,
        DotOp,
        DotScaledOp,
        ElementwiseInlineAsmOp,
        ExpandDimsOp,
        ExperimentalDescriptorLoadOp,
        ExperimentalDescriptorStoreOp,
        ExperimentalTensormapCreateOp,
        ExperimentalTensormapFenceproxyAcquireOp,
        ExternElementwiseOp,
        FpToFpOp,
        FuncOp,
        GatherOp,
        GetNumProgramsOp,
        GetProgramIdOp,
        GridDependencyLaunchDependentsOp,
        GridDependencyWaitOp,
        HistogramOp,
        IntToPtrOp,
        JoinOp,
        LoadOp,
        MakeRangeOp,
        MakeTensorDescOp,
        MakeTensorPtrOp,
        MapElementwiseOp,
        MapElementwiseReturnOp,
        MulhiUIOp,
        PreciseDivFOp,
        PreciseSqrtOp,
        PrintOp,
        PtrToIntOp,
        ReduceOp,
        ReduceReturnOp,
        ReinterpretTensorDescOp,
        ReshapeOp,
        ReturnOp,
        ScanOp,
        ScanReturnOp,
        SplatOp,
        SplitOp,
        StoreOp,
        TransOp,
        UnsplatOp,
    ],
    [CachePolicyAttr, PtrType, TensorDescType],
)
