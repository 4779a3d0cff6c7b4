"""
Mathematics without a maths library: functions in LLVM IR that inline and vectorise.

A scalar call into libm for each element costs five times what these polynomials do. Each
function is written once, on f32, becomes a definition of the module that first calls it, and
is inlined by LLVM before its vectoriser runs. `f64` goes to LLVM's intrinsics, hence to libm.
"""

from xtriton.cpu.mathlib import (
    conversions as conversions,
    exponentials as exponentials,
    trigonometry as trigonometry,
    wide as wide,
)
from xtriton.cpu.mathlib.core import FUNCTIONS as FUNCTIONS, call_f32 as call_f32
