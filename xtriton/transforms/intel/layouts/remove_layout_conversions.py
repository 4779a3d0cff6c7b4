"""
Remove layout conversions, or move them to where they cost least, on Intel's GPUs.

As `tritongpu-remove-layout-conversions`, for block pointers as well: a store takes what DPAS
gives as it is, so that it can become a 2D block store.

Before:

    %x = ttg.convert_layout %d : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    %p = tt.make_tensor_ptr ... : <tensor<64x64xf32, #blocked>>
    tt.store %p, %x : !tt.ptr<tensor<64x64xf32, #blocked>>

After:

    %p = tt.make_tensor_ptr ... : <tensor<64x64xf32, #mma>>
    tt.store %p, %d : !tt.ptr<tensor<64x64xf32, #mma>>

By the rules of August 2026 the same holds for tensor descriptors.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.analysis.intel.rules import rules_for
from xtriton.transforms.intel.layouts.descriptor_layouts import DescriptorTarget
from xtriton.transforms.intel.layouts.layout_target import IntelTarget
from xtriton.transforms.triton_gpu.layout_conversions.driver import remove_layout_conversions

SUPPORT_FOR_LOOP = "TRITON_INTEL_REMOVELAYOUTCONVERSION_SUPPORT_FOR_LOOP"
"""The environment variable of the backend that lets layouts of loops' results change."""

_TRUTH_VALUES = ("0", "1", "false", "off", "on", "true")


@dataclass(frozen=True)
class TritonIntelGPURemoveLayoutConversionsPass(ModulePass):
    """
    Remove layout conversions, with block pointers and DPAS in mind.

    With `support_for_loop`, what is converted behind a loop may be computed inside of it in
    the layout wanted. The backend has no such option but an environment variable,
    `TRITON_INTEL_REMOVELAYOUTCONVERSION_SUPPORT_FOR_LOOP`, which counts here as well; as
    there, any truth value switches it on, even "0".

    What remains is rematerialised again while something goes, but no more often than
    `max_backward_remat_iterations` (and at least once).
    """

    name = "tritonintelgpu-remove-layout-conversions"

    support_for_loop: bool = False
    max_backward_remat_iterations: int = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        wanted = os.environ.get(SUPPORT_FOR_LOOP, "").lower() in _TRUTH_VALUES
        kind = DescriptorTarget if rules_for(op).has_descriptors else IntelTarget
        target = kind(
            self.support_for_loop or wanted, most_rounds=max(self.max_backward_remat_iterations, 1)
        )
        remove_layout_conversions(op, target)
