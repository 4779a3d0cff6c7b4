"""
Convert operands of products in front of the loop, as far as registers are there for them.

Before:

    scf.for ... {
      %y = ttg.convert_layout %x : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<...>>
      ... tt.dot %y, ...
    }

After, if `%x` is not of the loop:

    %y = ttg.convert_layout %x : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<...>>
    scf.for ... {
      ... tt.dot %y, ...
    }

A conversion for which there are no registers stays and is marked with `tt.no_licm`, so that
`triton-licm` leaves it there too. Source: `HoistLayoutConversions.cpp` of the Intel XPU
backend.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import OpResult
from xdsl.passes import ModulePass

from xtriton.analysis.intel.registers import bytes_per_thread, live_bytes
from xtriton.diagnostics import remark
from xtriton.dialects.encodings.linear_layouts import NoLinearLayout
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of
from xtriton.ir.noted_edits import set_attribute
from xtriton.ir.value_flow import is_inside
from xtriton.transforms.triton.licm import STAYS
from xtriton.transforms.triton_gpu.reorder_instructions import move_after
from xtriton.transforms.triton_gpu.retyping import encoding_of

_BYTES_OF_REGISTERS = {"128": 4096, "256": 8192, "512": 16384}
"""What a thread has in each mode; where the driver chooses it may be the least."""
_LEAST_BYTES = 4096

_STATISTICS = "TRITON_INTEL_HLC_STATS"
"""The environment variable of the backend with which the pass tells what it did."""


@dataclass(frozen=True)
class HoistLayoutConversionsPass(ModulePass):
    """
    Move conversions to operands of products out of loops.

    `grf_mode` is how many registers a thread has: `128`, `256`, `512`, or what the driver
    chooses with `default` and `auto`.
    """

    name = "tritonintelgpu-hoist-layout-conversions"

    grf_mode: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        conversions = ops_of(op, ConvertLayoutOp)
        leaving = [(c, loop) for c in conversions if (loop := _loop_to_leave(c)) is not None]
        # What leaves one loop lives into others: the sizes are those from before.
        sizes = {loop: _live_bytes(loop) for loop in {loop for _, loop in leaving}}
        budget = _BYTES_OF_REGISTERS.get(self.grf_mode, _LEAST_BYTES) * 4 // 5
        done: Counter[bool] = Counter()
        for conversion, loop in leaving:
            if (size := sizes[loop]) is None:
                continue
            sizes[loop] = new_size = size + _bytes_of_result(conversion)
            if fits := new_size < budget:
                _hoist(conversion, loop)
            else:
                sizes[loop] = size
                set_attribute(conversion, STAYS, UnitAttr())
                remark(conversion, f"not hoisted: {new_size} bytes a thread, {budget} are there")
            done[fits] += 1
        if os.environ.get(_STATISTICS, "").lower() in ("1", "on", "true"):
            _print_statistics(len(conversions), done[True], done[False])


def _loop_to_leave(conversion: ConvertLayoutOp) -> ForOp | None:
    """Return the loop that makes an operand of a product of something from outside."""
    loop = conversion.parent_op()
    if not isinstance(loop, ForOp) or is_inside(conversion.src, loop):
        return None
    target = encoding_of(conversion.result.type)
    return loop if isinstance(target, DotOperandEncodingAttr) else None


def _live_bytes(loop: ForOp) -> int | None:
    """Return what a thread needs for all that lives into a loop; None if that is unknown."""
    try:
        return live_bytes(loop.body.block, bytes_per_thread)
    except NoLinearLayout:
        return None


def _bytes_of_result(conversion: ConvertLayoutOp) -> int:
    type = conversion.result.type
    assert is_tensor(type)
    return bytes_per_thread(type)


def _hoist(conversion: ConvertLayoutOp, loop: ForOp) -> None:
    """Move a conversion right behind what it converts, or in front of the loop."""
    source = conversion.src
    if isinstance(source, OpResult):
        move_after(conversion, source.op)
        return
    assert loop.parent is not None
    conversion.detach()
    loop.parent.insert_op_before(conversion, loop)


def _print_statistics(considered: int, hoisted: int, rejected: int) -> None:
    """Print what upstream does where its environment variable is set."""
    print(
        f"[HoistLayoutConversions] considered={considered} hoisted={hoisted}"
        f" rejected_pressure={rejected} skipped_other={considered - hoisted - rejected}",
        file=sys.stderr,
    )
