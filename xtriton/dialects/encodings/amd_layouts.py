"""The linear layouts of AMD's matrix products (see `linear_layouts`)."""

from __future__ import annotations

from xtriton.dialects.ttg.amd_mfma import AMDMfmaEncodingAttr
from xtriton.dialects.ttg.amd_wmma import AMDWmmaEncodingAttr
from xtriton.layouts import amd
from xtriton.layouts.linear import LinearLayout

Shape = tuple[int, ...]


def _mfma(encoding: AMDMfmaEncodingAttr, shape: Shape) -> LinearLayout:
    return amd.mfma_result(
        shape,
        encoding.warps_per_cta,
        encoding.instr_shape,
        encoding.is_transposed,
        encoding.tiles_per_warp,
        encoding.element_bit_width,
        encoding.cga.block_bases,
    )


def _wmma(encoding: AMDWmmaEncodingAttr, shape: Shape) -> LinearLayout:
    return amd.wmma_result(
        shape,
        encoding.version.data,
        encoding.register_bases,
        encoding.warp_bases,
        encoding.is_transposed,
        encoding.instr_shape,
        encoding.cga.block_bases,
    )


def _mfma_operand(
    parent: AMDMfmaEncodingAttr, operand: int, k_width: int, shape: Shape
) -> LinearLayout:
    return amd.mfma_operand(
        shape,
        operand,
        k_width,
        parent.warps_per_cta,
        parent.instr_shape,
        parent.tiles_per_warp,
        parent.cga.block_bases,
    )


def _wmma_operand(
    parent: AMDWmmaEncodingAttr, operand: int, k_width: int, shape: Shape
) -> LinearLayout:
    return amd.wmma_operand(
        shape,
        operand,
        k_width,
        parent.version.data,
        parent.register_bases,
        parent.warp_bases,
        parent.instr_shape,
        parent.cga.block_bases,
    )


LAYOUTS = {"ttg.amd_mfma": _mfma, "ttg.amd_wmma": _wmma}
"""What encodings mean, by their names."""

OPERANDS = {"ttg.amd_mfma": _mfma_operand, "ttg.amd_wmma": _wmma_operand}
"""The same of operands of a product."""
