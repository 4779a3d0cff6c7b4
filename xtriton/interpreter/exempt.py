"""
Ops that the interpreter does not execute, each with the reason.

A test holds this table and the rules together complete against the dialects.
"""

_LANES = "its meaning lies in the lanes of a warp, below whole programs"
_SPECIALISED = "partitions wait for one another, programs are executed as a whole"
_CLUSTER = "clusters and launch control: the grid is executed as given"
_PLACEHOLDER = "a placeholder of one pass, gone after it"
_NOT_EMITTED = "no lowering emits it"
_DECLARATION = "declares, does not compute"

EXEMPT: dict[str, str] = {
    "tt.func": _DECLARATION,
    "func.func": _DECLARATION,
    "builtin.unregistered": _DECLARATION,
    "tts.get_structured_state": _PLACEHOLDER,
    **dict.fromkeys(
        (
            "ttg.warp_specialize",
            "ttg.warp_specialize.partitions",
            "ttng.create_token",
            "ttng.producer_acquire",
            "ttng.producer_commit",
            "ttng.consumer_wait",
            "ttng.consumer_release",
            "ttng.get_async_task_id",
            "ttng.get_canonical_warp_id",
        ),
        _SPECIALISED,
    ),
    **dict.fromkeys(
        (
            "ttng.clc_get_program_id",
            "ttng.clc_is_canceled",
            "ttng.clc_load_result",
            "ttng.clc_try_cancel",
            "ttng.clc_try_cancel_sync",
        ),
        _CLUSTER,
    ),
    **dict.fromkeys(
        (
            "ttng.async_tma_gather",
            "ttng.async_tma_scatter",
            "ttng.packed_arith",
            "ttng.tc_gen5_mma_scaled",
        ),
        "tensor memory and packed registers of one NVIDIA generation",
    ),
    **dict.fromkeys(
        (
            "memref.dma_start",
            "memref.dma_wait",
            "memref.realloc",
            "tensor.gather",
            "tensor.scatter",
            "linalg.quantized_matmul",
            "linalg.pooling_nchw_max",
            "linalg.conv_2d_nchw_fchw",
            "linalg.conv_2d_nhwgc_gfhwc",
            "linalg.conv_2d_nhwc_hwcf",
            "linalg.conv_2d_ngchw_gfchw",
            "linalg.conv_2d_ngchw_fgchw",
            "linalg.conv_2d_nhwc_fhwc",
            "linalg.contract",
            "affine.vector_load",
            "affine.vector_store",
        ),
        _NOT_EMITTED,
    ),
}

EXEMPT_DIALECTS: dict[str, str] = {
    "triton_gen": _LANES,
    "nvvm": _LANES,
    "rocdl": _LANES,
    "llvm": "below the level of tensors; a few intrinsics have rules",
    "gpu": "launching and lanes; barriers have a rule",
    "vector": "no lowering emits vectors; a few ops have rules",
}
"""Whole dialects; single ops of theirs may have rules all the same."""
