"""
Triton IR to upstream MLIR in one step: the passes of this package in their order.

Before:

    tt.func public @f(%p: !tt.ptr<f32>, %n: i32) {
      ...
      %x = tt.load %pointers, %mask : tensor<64x!tt.ptr<f32>>

After:

    func.func @f(%p: memref<*xf32>, %n: i32, %nx: i32, ..., %z: i32) {
      ...
      %view = memref.reinterpret_cast %p to offset: [%o], sizes: [64], strides: [1] : ...
      %alloc = memref.alloc() : memref<64xf32>
      memref.copy %part, %part_of_alloc : ...
      %x = bufferization.to_tensor %alloc restrict writable : ...

What could not be lowered stays and is named in a warning each; inline assembly is an error.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.ir.limits import without_garbage_collection
from xtriton.ir.listings import holds_class
from xtriton.ir.noted_edits import edits_are_noted
from xtriton.lowering.leftovers import report_leftovers
from xtriton.lowering.ptr_casts import ReconcilePtrCastsPass
from xtriton.lowering.structured_to_memref import StructuredToMemrefPass
from xtriton.lowering.triton_arith_to_linalg import TritonArithToLinalgPass
from xtriton.lowering.triton_ptr_to_memref import TritonPtrToMemrefPass
from xtriton.lowering.triton_to_unstructured import TritonToUnstructuredPass
from xtriton.lowering.unstructured_to_memref import UnstructuredToMemrefPass
from xtriton.semantics.tolerance import SUM_TOLERANCE
from xtriton.transforms.cleanup.canonicalize import CanonicalizePass
from xtriton.transforms.cleanup.cse import CSEPass
from xtriton.transforms.layout_free import refuse_layouts
from xtriton.transforms.raising.triton_to_structured import TritonToStructuredPass
from xtriton.universe import pass_class


@dataclass(frozen=True)
class TritonToLinalgExperimentalPass(ModulePass):
    """Lower Triton IR to linalg, memref, tensor, bufferization, scf, cf, arith and math."""

    name = "triton-to-linalg-experimental"
    tolerance = SUM_TOLERANCE

    enable_make_gather_scatter: bool = True
    """Accepted for compatibility: accesses to rows that an index tensor names."""
    enable_collapse_shape: bool = False
    """Run `collapse-shape` at the end."""
    fold_splats: bool = False
    """Use splat operands as scalars inside loop bodies instead of filling tensors with them."""
    ranked_arguments: bool = False
    """Let pointer arguments be `memref<?xT>` instead of `memref<*xT>`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        refuse_layouts(op, self.name)
        with without_garbage_collection(), edits_are_noted():
            for step in self.steps(op):
                step.apply(ctx, op)
        report_leftovers(op)

    def steps(self, op: ModuleOp) -> Iterator[ModulePass]:
        """Yield the passes that `op` needs; each is to be applied before the next is asked for."""
        structured = TritonToStructuredPass(
            enable_make_gather_scatter=self.enable_make_gather_scatter
        )
        yield structured
        if has_descriptors(op):
            yield pass_class("triton-rewrite-tensor-descriptor-to-pointer")()
            yield structured
        yield CSEPass()
        yield CanonicalizePass()
        yield TritonToUnstructuredPass()
        yield TritonArithToLinalgPass(
            addptr_to_linalg=False,
            transpose_reduce_to_rank0=False,
            fold_splats=self.fold_splats,
        )
        yield StructuredToMemrefPass()
        yield UnstructuredToMemrefPass()
        yield TritonPtrToMemrefPass(ranked_arguments=self.ranked_arguments)
        yield ReconcilePtrCastsPass()
        yield CSEPass()
        yield CanonicalizePass()
        if self.enable_collapse_shape:
            yield pass_class("collapse-shape")()


def has_descriptors(module: ModuleOp) -> bool:
    """Return whether tensor descriptors are left that no block was made of."""
    return holds_class(module, lambda kind: kind.name.startswith("tt.descriptor_"))
