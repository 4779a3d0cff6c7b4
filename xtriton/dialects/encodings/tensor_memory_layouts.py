"""The linear layouts of tensor memory (see `linear_layouts`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xtriton.dialects.ttng.tensor_memory import (
    TensorMemoryEncodingAttr,
    TensorMemoryScalesEncodingAttr,
)
from xtriton.layouts import tensor_memory
from xtriton.layouts.linear import LinearLayout

Shape = tuple[int, ...]


def _matrix(encoding: TensorMemoryEncodingAttr, shape: Shape) -> LinearLayout:
    blocks = tensor_memory.Blocks(
        encoding.block_m,
        encoding.block_n,
        encoding.col_stride,
        encoding.cga.block_bases,
        encoding.two_ctas,
        encoding.fp4_padded,
    )
    return tensor_memory.matrix(shape, blocks)


def _scales(encoding: TensorMemoryScalesEncodingAttr, shape: Shape) -> LinearLayout:
    return tensor_memory.scales(shape, encoding.cga.block_bases, encoding.k_then_mn)


LAYOUTS = {
    "ttng.tensor_memory_encoding": _matrix,
    "ttng.tensor_memory_scales_encoding": _scales,
}
"""What encodings mean, by their names."""

OPERANDS: dict[str, Callable[..., Any]] = {}
"""No product has its operands in such a layout."""
