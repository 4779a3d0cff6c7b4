"""
Split each program of a kernel into several that store parts of its blocks.

Before:

    %pid = tt.get_program_id x : i32
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    ...
    tt.store %p, %v : tensor<64x64x!tt.ptr<f32>>

After, with `bands` = 2:

    %x = tt.get_program_id x : i32
    %pid = arith.divsi %x, %c2 : i32
    %band = arith.remsi %x, %c2 : i32
    %from = arith.muli %band, %c32 : i32
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %s = tt.splat %from : i32 -> tensor<32xi32>
    %i = arith.addi %r, %s : tensor<32xi32>
    ...
    tt.store %p, %v : tensor<32x64x!tt.ptr<f32>>

The grid has to have `bands` times as many programs along x then. Values are followed back from
what is stored: of each only those elements are computed that the band needs, in the order of before;
what is needed as a whole as well is computed both ways.

The bands of a program run in any order, unlike its ops. So a kernel stays as it is unless what it
loads it never stores to, stores through each argument once at most, and not in a loop. Whoever
launches it has to see to it that no argument that is stored to shares memory with another one.

Bands store the same bits. What a compiler may round in several ways, depending on the code around it,
keeps a kernel as it is, too: floats that are reduced, whose order is free, and products and sums in
one kernel, as in a * b + c * d, where either product may be fused with the sum. Of places for which
one store has several values nobody says which one stays, and bands may leave another one.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from xtriton.analysis.report import kernels
from xtriton.diagnostics import remark
from xtriton.errors import PassFailure
from xtriton.transforms.triton.bands.needs import first_possible
from xtriton.transforms.triton.bands.order import NotSplit, check_rounding, independent_stores
from xtriton.transforms.triton.bands.writer import Writer


@dataclass(frozen=True)
class SplitProgramsPass(ModulePass):
    """Split each program into `bands` programs that store parts of its blocks."""

    name = "xtriton-split-programs"

    bands: int = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.bands < 2:
            raise PassFailure(f"a program cannot be split into {self.bands} bands")
        for function in kernels(op):
            try:
                split_programs(function, self.bands)
            except NotSplit as reason:
                remark(function, f"not split: {reason}")


def split_programs(function: Operation, bands: int) -> None:
    """
    Split each program of a kernel into `bands` programs, beside each other along x.

    Raises `NotSplit`, and leaves the kernel as it is, where that is not possible or not safe.
    """
    stores = independent_stores(function)
    check_rounding(function)
    needs = first_possible(function, stores, bands)
    Writer(needs, bands).rewrite(function)
