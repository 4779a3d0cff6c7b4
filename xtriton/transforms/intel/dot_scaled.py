"""
Products of scaled operands as plain products.

Source: `transposeDots` in `AccelerateMatmul.cpp`, `DecomposeScaledBlocked.cpp` of the Intel
XPU backend.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp


def transpose_scaled_dots(module: ModuleOp) -> None:
    """Let products whose right operand alone is scaled have the scale at the left."""


def decompose_scaled_dots(module: ModuleOp) -> None:
    """Multiply operands by their scales in 16 bits, then multiply matrices."""
