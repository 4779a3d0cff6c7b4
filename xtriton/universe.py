"""
The one registry of xtriton: which dialects and passes there are, and where.

Everything is named as "module:object" and imported when it is first needed, so that a
tool starts without importing the house. Command line, documentation and completeness
tests all read these tables. Other packages add passes by an entry point of the group
`xtriton.passes` (its name is the pass' name), programs by `register_pass`.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from xtriton.errors import UserError

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Dialect
    from xdsl.passes import ModulePass

TRITON_DIALECTS = {
    "gluon": "xtriton.dialects.gluon:GLUON",
    "triton_gen": "xtriton.dialects.triton_gen:TRITON_GEN",
    "tt": "xtriton.dialects.tt:TT",
    "ttg": "xtriton.dialects.ttg:TTG",
    "ttig": "xtriton.dialects.ttig:TTIG",
    "ttng": "xtriton.dialects.ttng:TTNG",
    "tts": "xtriton.dialects.tts:TTS",
}
"""The dialects of Triton, its backends and triton-shared."""

_UPSTREAM_NAMES = (
    "affine",
    "arith",
    "bufferization",
    "builtin",
    "cf",
    "func",
    "gpu",
    "index",
    "linalg",
    "llvm",
    "math",
    "memref",
    "nvvm",
    "rocdl",
    "scf",
    "tensor",
    "ub",
    "vector",
)

UPSTREAM_DIALECTS = {
    name: f"xtriton.dialects.upstream.{name}:{name.upper()}" for name in _UPSTREAM_NAMES
}
"""MLIR's own dialects: xDSL's classes, repaired."""

DIALECTS = {**TRITON_DIALECTS, **UPSTREAM_DIALECTS}

PASSES: dict[str, str] = {
    "arith-emulate-unsupported-floats": (
        "xtriton.transforms.triton.arith_emulate_unsupported_floats"
        ":ArithEmulateUnsupportedFloatsPass"
    ),
    "canonicalize": "xtriton.transforms.cleanup.canonicalize:CanonicalizePass",
    "collapse-shape": "xtriton.lowering.collapse_shape:CollapseShapePass",
    "convert-triton-to-tritongpu": (
        "xtriton.transforms.triton_gpu.convert_triton_to_tritongpu:ConvertTritonToTritonGPUPass"
    ),
    "cse": "xtriton.transforms.cleanup.cse:CSEPass",
    "dce": "xtriton.transforms.cleanup.dce:DCEPass",
    "inline": "xtriton.transforms.cleanup.inline:InlinePass",
    "loop-invariant-code-motion": "xtriton.transforms.cleanup.licm:LoopInvariantCodeMotionPass",
    "reconcile-ptr-casts": "xtriton.lowering.ptr_casts:ReconcilePtrCastsPass",
    "remove-dead-values": "xtriton.transforms.cleanup.remove_dead_values:RemoveDeadValuesPass",
    "sccp": "xtriton.transforms.cleanup.sccp:SCCPPass",
    "structured-to-memref": "xtriton.lowering.structured_to_memref:StructuredToMemrefPass",
    "symbol-dce": "xtriton.transforms.cleanup.symbol_dce:SymbolDCEPass",
    "test-print-alignment": "xtriton.transforms.triton_gpu.test_axis_info:PrintAlignmentPass",
    "test-print-axis-info": "xtriton.transforms.triton_gpu.test_axis_info:PrintAxisInfoPass",
    "test-xtriton-accesses": "xtriton.transforms.raising.test_accesses:TestAccessesPass",
    "triton-annotate-module": "xtriton.transforms.intel.annotate_module:AnnotateModulePass",
    "triton-arith-to-linalg": "xtriton.lowering.triton_arith_to_linalg:TritonArithToLinalgPass",
    "triton-intel-block-pointer-to-tdesc": (
        "xtriton.transforms.intel.descriptors.block_pointer_to_tdesc:BlockPointerToTensorDescPass"
    ),
    "triton-intel-descriptor-versioning": (
        "xtriton.transforms.intel.descriptors.descriptor_versioning:DescriptorVersioningPass"
    ),
    "triton-intel-fold-true-cmpi": (
        "xtriton.transforms.intel.arithmetic.fold_true_cmpi:FoldTrueCmpiPass"
    ),
    "triton-intel-fuse-reshape": "xtriton.transforms.intel.block_io.fuse_reshape:FuseReshapePass",
    "triton-intel-prepare-if-combining": (
        "xtriton.transforms.intel.loops.prepare_if_combining:PrepareIfCombiningPass"
    ),
    "triton-intel-reassociate-dot-scale": (
        "xtriton.transforms.intel.arithmetic.reassociate_dot_scale:ReassociateDotScalePass"
    ),
    "triton-intel-remove-boundary-checks": (
        "xtriton.transforms.intel.block_io.remove_boundary_checks:RemoveBoundaryChecksPass"
    ),
    "triton-intel-remove-masks": "xtriton.transforms.intel.loops.remove_masks:RemoveMasksPass",
    "triton-intel-rewrite-tensor-descriptor-to-pointer": (
        "xtriton.transforms.intel.descriptors.rewrite_tensor_descriptor_to_pointer"
        ":IntelRewriteTensorDescriptorToPointerPass"
    ),
    "triton-intel-simplify-signed-arithmetic": (
        "xtriton.transforms.intel.arithmetic.simplify_signed_arithmetic:SimplifySignedArithmeticPass"
    ),
    "triton-intel-stride-versioning": (
        "xtriton.transforms.intel.block_io.stride_versioning:StrideVersioningPass"
    ),
    "triton-intel-tdesc-to-block-pointer": (
        "xtriton.transforms.intel.descriptors.tdesc_to_block_pointer:TensorDescToBlockPointerPass"
    ),
    "triton-ptr-to-memref": "xtriton.lowering.triton_ptr_to_memref:TritonPtrToMemrefPass",
    "triton-raise-block-pointer": (
        "xtriton.transforms.raising.triton_raise_block_pointer:TritonRaiseBlockPointerPass"
    ),
    "triton-raise-tensor-descriptor": (
        "xtriton.transforms.raising.triton_raise_tensor_descriptor:TritonRaiseTensorDescriptorPass"
    ),
    "triton-rewrite-tensor-descriptor-to-pointer": (
        "xtriton.transforms.triton.rewrite_tensor_descriptor_to_pointer:RewriteTensorDescriptorToPointerPass"
    ),
    "triton-rewrite-tensor-pointer": (
        "xtriton.transforms.triton.rewrite_tensor_pointer:RewriteTensorPointerPass"
    ),
    "triton-to-linalg-experimental": (
        "xtriton.lowering.triton_to_linalg:TritonToLinalgExperimentalPass"
    ),
    "triton-combine": "xtriton.transforms.triton.combine:TritonCombineOpsPass",
    "triton-licm": "xtriton.transforms.triton.licm:TritonLoopInvariantCodeMotionPass",
    "triton-loop-aware-cse": "xtriton.transforms.triton.loop_aware_cse:TritonLoopAwareCSEPass",
    "triton-loop-unroll": "xtriton.transforms.triton.loop_unroll:TritonLoopUnrollPass",
    "triton-reorder-broadcast": (
        "xtriton.transforms.triton.reorder_broadcast:TritonReorderBroadcastPass"
    ),
    "triton-to-structured": (
        "xtriton.transforms.raising.triton_to_structured:TritonToStructuredPass"
    ),
    "triton-to-unstructured": "xtriton.lowering.triton_to_unstructured:TritonToUnstructuredPass",
    "tritongpu-coalesce": "xtriton.transforms.triton_gpu.coalesce:CoalescePass",
    "tritongpu-remove-layout-conversions": (
        "xtriton.transforms.triton_gpu.remove_layout_conversions:RemoveLayoutConversionsPass"
    ),
    "tritongpu-combine-tensor-select-and-if": (
        "xtriton.transforms.triton_gpu.combine_tensor_select_and_if:CombineTensorSelectAndIfPass"
    ),
    "tritongpu-optimize-thread-locality": (
        "xtriton.transforms.triton_gpu.optimize_thread_locality:TritonGPUOptimizeThreadLocalityPass"
    ),
    "allocate-shared-memory": (
        "xtriton.transforms.triton_gpu.allocate_shared_memory:AllocateSharedMemoryPass"
    ),
    "intel-allocate-shared-memory": (
        "xtriton.transforms.triton_gpu.allocate_shared_memory:IntelAllocateSharedMemoryPass"
    ),
    "test-print-allocation": (
        "xtriton.transforms.triton_gpu.allocate_shared_memory:PrintAllocationPass"
    ),
    "tritongpu-fuse-nested-loops": (
        "xtriton.transforms.triton_gpu.fuse_nested_loops:TritonGPUFuseNestedLoopsPass"
    ),
    "tritongpu-prefetch": "xtriton.transforms.triton_gpu.prefetch:TritonGPUPrefetchPass",
    "tritongpu-optimize-dot-operands": (
        "xtriton.transforms.triton_gpu.optimize_dot_operands:TritonGPUOptimizeDotOperandsPass"
    ),
    "tritongpu-reduce-data-duplication": (
        "xtriton.transforms.triton_gpu.reduce_data_duplication:TritonGPUReduceDataDuplicationPass"
    ),
    "tritongpu-reorder-instructions": (
        "xtriton.transforms.triton_gpu.reorder_instructions:TritonGPUReorderInstructionsPass"
    ),
    "tritonintelgpu-accelerate-matmul": (
        "xtriton.transforms.intel.layouts.accelerate_matmul:AccelerateMatmulPass"
    ),
    "tritonintelgpu-annotate-cache-control": (
        "xtriton.transforms.intel.annotate_cache_control:AnnotateCacheControlPass"
    ),
    "tritonintelgpu-coalesce": (
        "xtriton.transforms.intel.layouts.coalesce:TritonIntelGPUCoalescePass"
    ),
    "tritonintelgpu-code-sinking": "xtriton.transforms.intel.loops.code_sinking:CodeSinkingPass",
    "tritonintelgpu-fold-fp-to-fp": (
        "xtriton.transforms.intel.arithmetic.fold_fp_to_fp:FoldFpToFpPass"
    ),
    "tritonintelgpu-hoist-layout-conversions": (
        "xtriton.transforms.intel.layouts.hoist_layout_conversions:HoistLayoutConversionsPass"
    ),
    "tritonintelgpu-loop-distribute": (
        "xtriton.transforms.intel.loops.loop_distribute:LoopDistributePass"
    ),
    "tritonintelgpu-materialize-block-pointer": (
        "xtriton.transforms.intel.block_io.materialize_block_pointer:MaterializeBlockPointerPass"
    ),
    "tritonintelgpu-optimize-dot-operands": (
        "xtriton.transforms.intel.layouts.optimize_dot_operands:IntelOptimizeDotOperandsPass"
    ),
    "tritonintelgpu-optimize-reduction-locality": (
        "xtriton.transforms.intel.layouts.optimize_reduction_locality:OptimizeReductionLocalityPass"
    ),
    "tritonintelgpu-pipeline": "xtriton.transforms.intel.loops.pipeline:PipelinePass",
    "tritonintelgpu-reduce-data-duplication": (
        "xtriton.transforms.intel.layouts.reduce_data_duplication:ReduceDataDuplicationPass"
    ),
    "tritonintelgpu-reduce-variable-liveness": (
        "xtriton.transforms.intel.loops.reduce_variable_liveness:ReduceVariableLivenessPass"
    ),
    "tritonintelgpu-remove-layout-conversions": (
        "xtriton.transforms.intel.layouts.remove_layout_conversions"
        ":TritonIntelGPURemoveLayoutConversionsPass"
    ),
    "tritonintelgpu-rewrite-tensor-pointer": (
        "xtriton.transforms.intel.block_io.rewrite_tensor_pointer:IntelRewriteTensorPointerPass"
    ),
    "tritonintelgpu-stage-large-fma-dots-via-slm": (
        "xtriton.transforms.intel.layouts.stage_large_fma_dots:StageLargeFMADotsViaSLMPass"
    ),
    "tritonintelgpu-widen-load-store-encoding": (
        "xtriton.transforms.intel.layouts.widen_load_store_encoding:WidenLoadStoreEncodingPass"
    ),
    "unstructured-to-memref": "xtriton.lowering.unstructured_to_memref:UnstructuredToMemrefPass",
    "xtriton-intel-ttgir-pipeline": (
        "xtriton.transforms.intel.ttgir_pipeline:IntelTTGIRPipelinePass"
    ),
    "xtriton-add-shape-arguments": (
        "xtriton.transforms.raising.xtriton_add_shape_arguments:AddShapeArgumentsPass"
    ),
    "xtriton-fold-clamps": "xtriton.transforms.triton.fold_clamps:FoldClampsPass",
    "xtriton-fold-picks": "xtriton.transforms.triton.fold_picks:FoldPicksPass",
    "xtriton-propagate-layouts-back": (
        "xtriton.transforms.intel.layouts.propagate_layouts_back:PropagateLayoutsBackPass"
    ),
    "xtriton-split-programs": "xtriton.transforms.triton.split_programs:SplitProgramsPass",
    "xtriton-simplify-indices": (
        "xtriton.transforms.raising.xtriton_simplify_indices:SimplifyIndicesPass"
    ),
    "xtriton-raise-for-block-io": (
        "xtriton.transforms.intel.block_io.raise_for_block_io:RaiseForBlockIOPass"
    ),
    "xtriton-pad-unused-strides": (
        "xtriton.transforms.intel.block_io.pad_unused_strides:PadUnusedStridesPass"
    ),
    "xtriton-version-for-block-io": (
        "xtriton.transforms.intel.block_io.version_for_block_io:VersionForBlockIOPass"
    ),
    "xtriton-version-kernel": (
        "xtriton.transforms.raising.xtriton_version_kernel:VersionKernelPass"
    ),
    "xtriton-version-loops": "xtriton.transforms.raising.xtriton_version_loops:VersionLoopsPass",
}
"""Every pass by its name on the command line."""

ENTRY_POINT_GROUP = "xtriton.passes"

_registered: dict[str, type[ModulePass]] = {}


def load(reference: str) -> Any:
    """Return the object that "module:object" names."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


def dialect(name: str) -> Dialect:
    """Return the dialect called `name`; raise `KeyError` if there is none."""
    return load(DIALECTS[name])


def context(allow_unregistered: bool = False) -> Context:
    """
    Return a context that knows every dialect and loads each when its first op is seen.

    With `allow_unregistered`, ops, types and attributes of unknown dialects are kept as
    they are read instead of being refused.
    """
    from xtriton.ir.contexts import LateContext

    result = LateContext(allow_unregistered=allow_unregistered)
    for name, reference in DIALECTS.items():
        result.register_dialect(name, partial(load, reference))
    # Modules are made before the text of one is seen, and their class is put right by then.
    result.load_registered_dialect("builtin")
    return result


def register_pass(cls: type[ModulePass]) -> None:
    """
    Make a pass known under its `name` for this process.

    The last registration of a name wins, so that a cell of a notebook can be run again;
    the name of one of xtriton's own passes is refused with `UserError`.
    """
    if cls.name in PASSES:
        raise UserError(f"'{cls.name}' is the name of a pass of xtriton's own")
    _registered[cls.name] = cls


def pass_class(name: str) -> type[ModulePass]:
    """Return the class of a pass; raise `UserError`, with the nearest name, if none has it."""
    if name in PASSES:
        return load(PASSES[name])
    if name in _registered:
        return _registered[name]
    entry_points = _entry_points()
    if name in entry_points:
        return load(entry_points[name])
    raise UserError(f"unknown pass '{name}'" + suggestion(name, pass_names()))


def is_pass(name: str) -> bool:
    """Return whether there is a pass called `name`."""
    return name in PASSES or name in _registered or name in _entry_points()


def pass_names() -> list[str]:
    """Return the names of all passes, sorted: ours, registered ones and entry points."""
    return sorted({*PASSES, *_registered, *_entry_points()})


def suggestion(word: str, choices: list[str]) -> str:
    """Return "; did you mean 'x'?" for the choice nearest to `word`, or "" if none is near."""
    from difflib import get_close_matches

    near = get_close_matches(word, choices, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def _entry_points() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {e.name: e.value for e in entry_points(group=ENTRY_POINT_GROUP)}
