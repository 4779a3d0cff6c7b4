"""
Loads and stores whose addresses have structure become accesses to blocks.

Before:

    %off = tt.splat %start : i32 -> tensor<64xi32>
    %i = arith.addi %off, %range : tensor<64xi32>
    %p = tt.addptr %base, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %m = arith.cmpi slt, %i, %n : tensor<64xi32>
    %x = tt.load %p, %m, %zeros : tensor<64x!tt.ptr<f32>>

After:

    %o = arith.index_cast %start : i32 to index
    %p = tts.make_tptr %arg0 to sizes: [64], strides: [1], offsets: [%o], shape: [0], ...
    %x = "tts.load"(%p, %count, %zero) ...

Every access is analysed before any is rewritten, each stands for itself, and what does not
qualify stays as it was, and a remark says why. What exactly is written is in
`docs/structured_form.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.analysis.accesses import Accesses
from xtriton.analysis.report import kernels
from xtriton.ir.limits import without_garbage_collection
from xtriton.transforms.layout_free import refuse_layouts
from xtriton.transforms.raising.structured.bases import make_bases_scalars
from xtriton.transforms.raising.structured.structured import StructuredRewriter
from xtriton.transforms.raising.structured.structured_states import StructuredStates


@dataclass(frozen=True)
class TritonToStructuredPass(ModulePass):
    """Loads and stores whose addresses have structure become accesses to blocks."""

    name = "triton-to-structured"

    enable_make_gather_scatter: bool = True
    run_prepass_only: bool = False
    """Only let loops carry `tts.get_structured_state`, as the first step of upstream's pass does."""

    skip_prepass: bool = False
    use_unsafe_mask: bool = False
    affine: bool = True
    """Whether affine accesses that are no block go through `tts.make_affine_tptr`."""

    assume_no_overflow: bool = True
    """Whether address arithmetic is taken not to overflow; else an access stays without proof."""

    rows_by_element: int = 0
    """
    Load a row whose parts lie apart, and have so many elements or more, by its elements; 0: by parts.

    Whoever knows where such a place goes up by one, as native code does, reads it where it lies.
    """

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        refuse_layouts(op, self.name)
        # what is made here lives on: looking for garbage would take a quarter of the time
        with without_garbage_collection():
            for function in list(kernels(op)):
                if self.run_prepass_only:
                    StructuredStates(function).run()
                    continue
                make_bases_scalars(function)
                gathers = self.enable_make_gather_scatter
                rewriter = StructuredRewriter(Accesses(function), gathers, self.affine)
                rewriter.demands_proof = not self.assume_no_overflow
                rewriter.rows_by_element = self.rows_by_element
                rewriter.rewrite()
                rewriter.forget()
