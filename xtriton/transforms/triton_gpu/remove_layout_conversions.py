"""
Remove layout conversions, or move them to where they cost least.

Before:

    %0 = tt.load %p : tensor<64x!tt.ptr<f32>, #blocked1>
    %1 = ttg.convert_layout %0 : tensor<64xf32, #blocked1> -> tensor<64xf32, #blocked>
    %2 = arith.addf %1, %1 : tensor<64xf32, #blocked>
    %3 = ttg.convert_layout %2 : tensor<64xf32, #blocked> -> tensor<64xf32, #blocked1>
    tt.store %q, %3 : tensor<64x!tt.ptr<f32>, #blocked1>

After:

    %0 = tt.load %p : tensor<64x!tt.ptr<f32>, #blocked1>
    %2 = arith.addf %0, %0 : tensor<64xf32, #blocked1>
    tt.store %q, %2 : tensor<64x!tt.ptr<f32>, #blocked1>

Layouts of expensive accesses and of dots are carried forward to all that depends on these;
where a conversion remains, what it converts is computed once more in the layout wanted if
that is cheaper; what still remains is moved to where there is less to convert.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.ir.versions import Version, release
from xtriton.transforms.triton_gpu.layout_conversions.core_3_9 import CoreTarget
from xtriton.transforms.triton_gpu.layout_conversions.driver import remove_layout_conversions
from xtriton.transforms.triton_gpu.layout_conversions.target import CORE

_FIRST_RELEASE_TO_WEIGH_WORK: Version = (3, 9)


@dataclass(frozen=True)
class RemoveLayoutConversionsPass(ModulePass):
    """Remove layout conversions by propagation, rematerialisation and hoisting."""

    name = "tritongpu-remove-layout-conversions"

    disable_remat_splitting: bool = False
    """Whether nothing is computed once more that is needed as it is as well (since 3.9)."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        sharing = release() >= _FIRST_RELEASE_TO_WEIGH_WORK or self.disable_remat_splitting
        target = CoreTarget(self.disable_remat_splitting) if sharing else CORE
        remove_layout_conversions(op, target)
