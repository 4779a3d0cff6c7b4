"""
Say in the module what the device can do.

Before:

    module {
      ... tt.dot ...
    }

After:

    module attributes {ttig.min_sg_size = 16 : i32, ttig.support_2d_block_io,
                       ttig.target_arch = "spir64", "ttg.threads-per-warp" = 16 : i32} {
      ... tt.dot ...
    }

Since August 2026 `ttig.2d_block_io_base_alignment` says as well how base addresses of 2D block
accesses are to be aligned.

Source: `TritonAnnotateModule.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, UnitAttr, i32
from xdsl.passes import ModulePass

from xtriton.analysis.intel.dpas import DpasAnalysis, Usable, allows_32_threads
from xtriton.analysis.intel.module import (
    MIN_SUBGROUP_SIZE,
    SUPPORTS_2D_BLOCK_IO,
    SUPPORTS_DPAS,
    SUPPORTS_DPAS_BF8,
    SUPPORTS_SCALED_DPAS,
)
from xtriton.analysis.intel.rules import rules_for
from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.ttg.context import THREADS_PER_WARP
from xtriton.ir.listings import ops_of
from xtriton.ir.noted_edits import set_attribute

_SUBGROUP_SIZE_OF_DPAS = 16


@dataclass(frozen=True)
class AnnotateModulePass(ModulePass):
    """
    Attach the device's abilities to the module, and the subgroup size.

    The latter is `threads_per_warp`, but what DPAS asks for where a function can use it; with
    `sub_32_dpas` DPAS takes it as it is.
    """

    name = "triton-annotate-module"

    min_sg_size: int = 32
    support_2d_block_io: bool = False
    support_dpas: bool = False
    support_dpas_bf8: bool = False
    support_block_scale_dpas: bool = False
    support_bf16_conversion: bool = False
    support_f4_conversion: bool = False
    support_f8_conversion: bool = False
    support_16bit_atomics: bool = False
    support_bfloat16_arithmetic: bool = False
    threads_per_warp: int = 32
    target_arch: str = "spir64"
    support_prefetch_256b: bool = False
    support_sigmoid: bool = False
    support_predicated_io: bool = False
    is_lts: bool = False
    support_256b_load_store: bool = False
    support_rounded_divide_sqrt: bool = False
    use_cl_rounded_divide_sqrt: bool = False
    is_fast_math: bool = False
    sub_32_dpas: bool = False
    block_io_base_alignment: int = field(
        default=64, metadata={"option": "2d-block-io-base-alignment"}
    )
    """In bytes."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        set_attribute(op, MIN_SUBGROUP_SIZE, IntegerAttr(self.min_sg_size, i32))
        set_attribute(op, "ttig.target_arch", StringAttr(self.target_arch))
        abilities = {
            SUPPORTS_2D_BLOCK_IO: self.support_2d_block_io,
            SUPPORTS_DPAS: self.support_dpas,
            SUPPORTS_DPAS_BF8: self.support_dpas_bf8,
            SUPPORTS_SCALED_DPAS: (self.support_block_scale_dpas),
            "ttig.support_bfloat16_conversion": self.support_bf16_conversion,
            "ttig.support_f4_conversion": self.support_f4_conversion,
            "ttig.support_f8_conversion": self.support_f8_conversion,
            "ttig.support_16bit_atomics": self.support_16bit_atomics,
            "ttig.support_bfloat16_arithmetic": self.support_bfloat16_arithmetic,
            "ttig.support_prefetch_256b": self.support_prefetch_256b,
            "ttig.support_sigmoid": self.support_sigmoid,
            "ttig.support_predicated_io": self.support_predicated_io,
            "ttig.is_lts": self.is_lts,
            "ttig.support_256b_load_store": self.support_256b_load_store,
            "ttig.support_rounded_divide_sqrt": self.support_rounded_divide_sqrt,
            "ttig.use_cl_rounded_divide_sqrt": self.use_cl_rounded_divide_sqrt,
            "ttig.fast_math": self.is_fast_math,
        }
        for name, has_it in abilities.items():
            if has_it:
                set_attribute(op, name, UnitAttr())
        if rules_for(op).notes_base_alignment:
            alignment = IntegerAttr(self.block_io_base_alignment, i32)
            set_attribute(op, "ttig.2d_block_io_base_alignment", alignment)
        if self._needs_dpas_warps(op):
            set_attribute(op, THREADS_PER_WARP, IntegerAttr(self.min_sg_size, i32))
        if THREADS_PER_WARP not in op.attributes:
            set_attribute(op, THREADS_PER_WARP, IntegerAttr(self.threads_per_warp, i32))

    def _needs_dpas_warps(self, module: ModuleOp) -> bool:
        any_warps = self.sub_32_dpas or allows_32_threads()
        if self.min_sg_size != _SUBGROUP_SIZE_OF_DPAS or any_warps:
            return False
        analysis = DpasAnalysis(module)
        functions = ops_of(module, FuncOp)
        return any(analysis.function(f) is Usable.WITH_OTHER_WARPS for f in functions)
