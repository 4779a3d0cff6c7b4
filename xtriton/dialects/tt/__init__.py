"""
The `tt` dialect: Triton's portable IR, of all releases since 3.1.

Upstream: `include/triton/Dialect/Triton/IR/`.

A kernel uses a few of the ops, so a module of them is imported when one of its names is used, here
or by a text that is read.
"""

from typing import TYPE_CHECKING

from xtriton.ir.contexts import Homes, LateDialect, late_member

if TYPE_CHECKING:
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

_HOMES: Homes = {
    "arithmetic": {
        "ApproxDivFOp": "approx_divf",
        "ClampFOp": "clampf",
        "MulhiUIOp": "mulhiui",
        "PreciseDivFOp": "precise_divf",
        "PreciseSqrtOp": "precise_sqrt",
    },
    "atomics": {
        "AtomicCASOp": "atomic_cas",
        "AtomicLoadOp": "atomic_load",
        "AtomicPollOp": "atomic_poll",
        "AtomicRMWOp": "atomic_rmw",
        "AtomicStoreOp": "atomic_store",
    },
    "cache_policy": dict.fromkeys(("CachePolicyAttr",)),
    "casts": {
        "BitcastOp": "bitcast",
        "FpToFpOp": "fp_to_fp",
        "IntToPtrOp": "int_to_ptr",
        "PtrToIntOp": "ptr_to_int",
    },
    "descriptor_rows": {
        "DescriptorGatherOp": "descriptor_gather",
        "DescriptorScatterOp": "descriptor_scatter",
    },
    "descriptors": {
        "DescriptorLoadOp": "descriptor_load",
        "DescriptorReduceOp": "descriptor_reduce",
        "DescriptorStoreOp": "descriptor_store",
        "MakeTensorDescOp": "make_tensor_descriptor",
    },
    "dot": {
        "DotOp": "dot",
        "DotScaledOp": "dot_scaled",
    },
    "elementwise": {
        "ElementwiseInlineAsmOp": "elementwise_inline_asm",
        "ExternElementwiseOp": "extern_elementwise",
        "GatherOp": "gather",
        "HistogramOp": "histogram",
    },
    "enums": dict.fromkeys(
        (
            "CacheModifier",
            "DescriptorReduceKind",
            "EvictionPolicy",
            "InputPrecision",
            "MemSemantic",
            "MemSyncScope",
            "PaddingOption",
            "ProgramIDDim",
            "PropagateNan",
            "RMWOp",
            "RoundingMode",
            "ScaleDotElemType",
        )
    ),
    "functions": {
        "CallOp": "call",
        "FuncOp": "func",
        "ReturnOp": "return",
    },
    "interfaces": dict.fromkeys(("TensorLayout",)),
    "joins": {
        "CatOp": "cat",
        "JoinOp": "join",
        "SplitOp": "split",
    },
    "legacy": {
        "ExperimentalDescriptorGatherOp": "experimental_descriptor_gather",
        "ExperimentalDescriptorLoadOp": "experimental_descriptor_load",
        "ExperimentalDescriptorScatterOp": "experimental_descriptor_scatter",
        "ExperimentalDescriptorStoreOp": "experimental_descriptor_store",
        "ExperimentalTensormapCreateOp": "experimental_tensormap_create",
        "ExperimentalTensormapFenceproxyAcquireOp": "experimental_tensormap_fenceproxy_acquire",
        "ReinterpretTensorDescOp": "reinterpret_tensor_descriptor",
    },
    "memory": {
        "LoadOp": "load",
        "StoreOp": "store",
    },
    "pointers": {
        "AddPtrOp": "addptr",
        "AdvanceOp": "advance",
        "MakeTensorPtrOp": "make_tensor_ptr",
    },
    "program": {
        "AssertOp": "assert",
        "GetNumProgramsOp": "get_num_programs",
        "GetProgramIdOp": "get_program_id",
        "GridDependencyLaunchDependentsOp": "grid_dependency_launch_dependents",
        "GridDependencyWaitOp": "grid_dependency_wait",
        "MakeRangeOp": "make_range",
        "PrintOp": "print",
    },
    "reductions": {
        "MapElementwiseOp": "map_elementwise",
        "MapElementwiseReturnOp": "map_elementwise.return",
        "ReduceOp": "reduce",
        "ReduceReturnOp": "reduce.return",
        "ScanOp": "scan",
        "ScanReturnOp": "scan.return",
    },
    "shapes": {
        "BroadcastOp": "broadcast",
        "ExpandDimsOp": "expand_dims",
        "ReshapeOp": "reshape",
        "SplatOp": "splat",
        "TransOp": "trans",
        "UnsplatOp": "unsplat",
    },
    "types": dict.fromkeys(
        (
            "PtrType",
            "TensorDescType",
        )
    ),
}
"""Names by their modules; those of ops with the names that ops have in a text."""

_ATTRIBUTES = (
    "CachePolicyAttr",
    "PtrType",
    "TensorDescType",
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        return late_member(__name__, _HOMES, name)


TT = LateDialect("tt", __name__, _HOMES, _ATTRIBUTES)
