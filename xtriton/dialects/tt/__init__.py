"""
The `tt` dialect: Triton's portable IR, of all releases since 3.1.

Upstream: `include/triton/Dialect/Triton/IR/`.
"""

from xtriton.dialects.tt.arithmetic import (
    ApproxDivFOp as ApproxDivFOp,
    ClampFOp as ClampFOp,
    MulhiUIOp as MulhiUIOp,
    PreciseDivFOp as PreciseDivFOp,
    PreciseSqrtOp as PreciseSqrtOp,
)
from xtriton.dialects.tt.atomics import (
    AtomicCASOp as AtomicCASOp,
    AtomicLoadOp as AtomicLoadOp,
    AtomicPollOp as AtomicPollOp,
    AtomicRMWOp as AtomicRMWOp,
    AtomicStoreOp as AtomicStoreOp,
)
from xtriton.dialects.tt.cache_policy import (
    CachePolicyAttr as CachePolicyAttr,
)
from xtriton.dialects.tt.casts import (
    BitcastOp as BitcastOp,
    FpToFpOp as FpToFpOp,
    IntToPtrOp as IntToPtrOp,
    PtrToIntOp as PtrToIntOp,
)
from xtriton.dialects.tt.descriptor_rows import (
    DescriptorGatherOp as DescriptorGatherOp,
    DescriptorScatterOp as DescriptorScatterOp,
)
from xtriton.dialects.tt.descriptors import (
    DescriptorLoadOp as DescriptorLoadOp,
    DescriptorReduceOp as DescriptorReduceOp,
    DescriptorStoreOp as DescriptorStoreOp,
    MakeTensorDescOp as MakeTensorDescOp,
)
from xtriton.dialects.tt.dot import (
    DotOp as DotOp,
    DotScaledOp as DotScaledOp,
)
from xtriton.dialects.tt.elementwise import (
    ElementwiseInlineAsmOp as ElementwiseInlineAsmOp,
    ExternElementwiseOp as ExternElementwiseOp,
    GatherOp as GatherOp,
    HistogramOp as HistogramOp,
)
from xtriton.dialects.tt.enums import (
    CacheModifier as CacheModifier,
    DescriptorReduceKind as DescriptorReduceKind,
    EvictionPolicy as EvictionPolicy,
    InputPrecision as InputPrecision,
    MemSemantic as MemSemantic,
    MemSyncScope as MemSyncScope,
    PaddingOption as PaddingOption,
    ProgramIDDim as ProgramIDDim,
    PropagateNan as PropagateNan,
    RMWOp as RMWOp,
    RoundingMode as RoundingMode,
    ScaleDotElemType as ScaleDotElemType,
)
from xtriton.dialects.tt.functions import (
    CallOp as CallOp,
    FuncOp as FuncOp,
    ReturnOp as ReturnOp,
)
from xtriton.dialects.tt.interfaces import (
    TensorLayout as TensorLayout,
)
from xtriton.dialects.tt.joins import (
    CatOp as CatOp,
    JoinOp as JoinOp,
    SplitOp as SplitOp,
)
from xtriton.dialects.tt.legacy import (
    ExperimentalDescriptorGatherOp as ExperimentalDescriptorGatherOp,
    ExperimentalDescriptorLoadOp as ExperimentalDescriptorLoadOp,
    ExperimentalDescriptorScatterOp as ExperimentalDescriptorScatterOp,
    ExperimentalDescriptorStoreOp as ExperimentalDescriptorStoreOp,
    ExperimentalTensormapCreateOp as ExperimentalTensormapCreateOp,
    ExperimentalTensormapFenceproxyAcquireOp as ExperimentalTensormapFenceproxyAcquireOp,
    ReinterpretTensorDescOp as ReinterpretTensorDescOp,
)
from xtriton.dialects.tt.memory import (
    LoadOp as LoadOp,
    StoreOp as StoreOp,
)
from xtriton.dialects.tt.pointers import (
    AddPtrOp as AddPtrOp,
    AdvanceOp as AdvanceOp,
    MakeTensorPtrOp as MakeTensorPtrOp,
)
from xtriton.dialects.tt.program import (
    AssertOp as AssertOp,
    GetNumProgramsOp as GetNumProgramsOp,
    GetProgramIdOp as GetProgramIdOp,
    GridDependencyLaunchDependentsOp as GridDependencyLaunchDependentsOp,
    GridDependencyWaitOp as GridDependencyWaitOp,
    MakeRangeOp as MakeRangeOp,
    PrintOp as PrintOp,
)
from xtriton.dialects.tt.reductions import (
    MapElementwiseOp as MapElementwiseOp,
    MapElementwiseReturnOp as MapElementwiseReturnOp,
    ReduceOp as ReduceOp,
    ReduceReturnOp as ReduceReturnOp,
    ScanOp as ScanOp,
    ScanReturnOp as ScanReturnOp,
)
from xtriton.dialects.tt.shapes import (
    BroadcastOp as BroadcastOp,
    ExpandDimsOp as ExpandDimsOp,
    ReshapeOp as ReshapeOp,
    SplatOp as SplatOp,
    TransOp as TransOp,
    UnsplatOp as UnsplatOp,
)
from xtriton.dialects.tt.types import (
    PtrType as PtrType,
    TensorDescType as TensorDescType,
)
from xtriton.dialects.utils.contents import dialect_of

TT = dialect_of(globals(), "tt")
