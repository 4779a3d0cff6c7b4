"""Structured IR (linalg, memref, tensor, scf, arith, math) to LLVM IR text, one rule per op."""

from xtriton.cpu.emitter import (
    affine,
    arithmetic,
    atomics,
    calls,
    casts,
    constants,
    control,
    float_quotients,
    linalg,
    mathematics,
    matmul,
    memory,
    pointers,
    printing,
    reductions,
    structured,
    tensors,
)
from xtriton.cpu.emitter.core import RULES as RULES
from xtriton.cpu.emitter.function import emit_kernel as emit_kernel

RULE_MODULES = (
    affine,
    arithmetic,
    atomics,
    calls,
    casts,
    constants,
    control,
    float_quotients,
    linalg,
    mathematics,
    matmul,
    memory,
    pointers,
    printing,
    reductions,
    structured,
    tensors,
)
"""Importing them registers their rules."""
