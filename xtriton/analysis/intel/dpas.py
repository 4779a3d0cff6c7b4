"""
Which matrix products DPAS computes, and how warps and instructions are spread over them.

Source: `DPAS.tpp`, `calculateWarpsPerTile` and `calculateRepCluster` of the Intel XPU
backend, January 2026.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float8E4M3FNType,
    Float8E5M2Type,
    Float16Type,
    Float32Type,
    IntegerAttr,
    IntegerType,
    ModuleOp,
)
from xdsl.ir import Attribute, Operation

from xtriton.analysis.intel.module import (
    MIN_SUBGROUP_SIZE,
    SUPPORTS_DPAS,
    SUPPORTS_DPAS_BF8,
)
from xtriton.analysis.intel.rules import rules_for
from xtriton.dialects.tt.dot import DotOp, DotScaledOp
from xtriton.dialects.tt.enums import InputPrecision
from xtriton.dialects.ttg.context import THREADS_PER_WARP
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integer
from xtriton.ir.listings import ops_of
from xtriton.layouts.intel import A, B, Dpas

SYSTOLIC_DEPTH = 8
REPEAT_COUNT = 8
CHANNEL_BITS = 32
_ROWS_OF_A_2D_LOAD = 32
_BYTES_OF_A_2D_LOAD = 64

FP8 = (Float8E4M3FNType, Float8E5M2Type)


class Usable(Enum):
    """Whether a function's products can be computed by DPAS."""

    NO = 0
    WITH_OTHER_WARPS = 1
    """Yes, if the module gets the subgroup size that DPAS needs."""
    YES = 2


def operands(op: Operation) -> tuple[Attribute, Attribute, Attribute]:
    """Return the element types of A, B and the result of a product."""
    a, b, d = op.operands[0].type, op.operands[1].type, op.results[0].type
    assert is_tensor(a) and is_tensor(b) and is_tensor(d)
    return a.element_type, b.element_type, d.element_type


def _is_fp8(type: Attribute) -> bool:
    return isinstance(type, FP8)


def dot_is_native(op: Operation, native_fp8: bool) -> bool:
    """Return whether DPAS takes the element types of a `tt.dot` or `tt.dot_scaled`."""
    a, b, d = operands(op)
    if isinstance(op, DotScaledOp):
        both = rules_for(op).scales_products
        return isinstance(d, Float32Type) and _scaled_is_native(a, b, of_16_bits=both)
    if a != b:
        return False
    match d:
        case IntegerType():
            return d.bitwidth == 32 and isinstance(a, IntegerType) and a.bitwidth == 8
        case Float32Type():
            if isinstance(a, Float32Type):
                return op.properties["inputPrecision"] == _TF32
            return isinstance(a, Float16Type | BFloat16Type) or _is_fp8(a)
        case Float16Type():
            return isinstance(a, Float16Type)
        case BFloat16Type():
            return isinstance(a, BFloat16Type) or (native_fp8 and _is_fp8(a))
        case _:
            return False


_TF32 = IntegerAttr(int(InputPrecision.tf32), 32)


def _scaled_is_native(a: Attribute, b: Attribute, *, of_16_bits: bool) -> bool:
    kinds = (_kind(a), _kind(b))
    if kinds == ("16", "16"):
        return of_16_bits and a == b
    return None not in kinds


def _kind(type: Attribute) -> str | None:
    if isinstance(type, BFloat16Type | Float16Type):
        return "16"
    if _is_fp8(type):
        return "8"
    return "4" if isinstance(type, IntegerType) and type.bitwidth == 8 else None


def allows_32_threads() -> bool:
    """Return whether warps of 32 threads may use DPAS, which the backend asks the environment."""
    return os.environ.get(_ENABLE_32_THREADS, "").lower() in ("1", "on", "true")


_ENABLE_32_THREADS = "TRITON_INTEL_ENABLE_DPAS_FOR_WARP_SIZE_32"


@dataclass
class DpasAnalysis:
    """Which functions of a module compute all of their products with DPAS."""

    module: ModuleOp
    _functions: dict[Operation, bool] = field(default_factory=dict[Operation, bool])
    _any_dot: bool | None = None

    @property
    def native_fp8(self) -> bool:
        """Whether DPAS takes 8-bit floats."""
        return SUPPORTS_DPAS_BF8 in self.module.attributes

    def native(self, op: Operation) -> bool:
        """Return whether the device computes this product with DPAS."""
        return SUPPORTS_DPAS in self.module.attributes and dot_is_native(op, self.native_fp8)

    def function(self, function: Operation) -> Usable:
        """Return whether all products of a function can be computed by DPAS."""
        if function not in self._functions:
            dots = ops_of(function, DotOp, DotScaledOp)
            self._functions[function] = all(map(self.native, dots))
        if not self._functions[function] or not self._has_dots():
            return Usable.NO
        if THREADS_PER_WARP not in self.module.attributes:
            return Usable.WITH_OTHER_WARPS
        threads = integer(self.module, THREADS_PER_WARP, 0)
        least = integer(self.module, MIN_SUBGROUP_SIZE, 0)
        either = (allows_32_threads() or rules_for(self.module).dpas_of_32_lanes) and least != 8
        fits = threads in (16, 32) if either else threads == least
        return Usable.YES if fits else Usable.NO

    def _has_dots(self) -> bool:
        if self._any_dot is None:
            self._any_dot = bool(ops_of(self.module, DotOp, DotScaledOp))
        return self._any_dot


def warps_per_tile(
    repeat_count: int, execution_size: int, shape: Sequence[int], num_warps: int
) -> tuple[int, ...]:
    """
    Spread warps over the result of a product so that little of its operands is copied.

    Rows or columns get twice the warps, whichever has more of the tile left per warp.
    """
    rank = len(shape)
    result = [1] * rank
    if rank == 3:
        batch = num_warps
        while batch > shape[0]:
            batch //= 2
        result[0] = batch
        num_warps //= batch
    row, column = rank - 2, rank - 1
    row_step = repeat_count * -(-execution_size // repeat_count)
    column_step = execution_size * -(-repeat_count // execution_size)
    while result[row] * result[column] < num_warps:
        rows_left = shape[row] // row_step // result[row]
        columns_left = shape[column] // column_step // result[column]
        if rows_left >= columns_left and result[row] < shape[row] // repeat_count:
            result[row] *= 2
        else:
            result[column] *= 2
    return tuple(result)


def repeat_count_of(rows: int, ops_per_channel: int, threads_per_warp: int) -> int:
    """Return how many rows of the result an instruction computes."""
    # Elements of A narrower than 16 bits are packed to 16.
    packed = SYSTOLIC_DEPTH if ops_per_channel == 1 else SYSTOLIC_DEPTH * 2
    return max(min(REPEAT_COUNT, rows), -(-threads_per_warp // packed))


def rep_cluster(
    execution_size: int,
    ops_per_channel: int,
    a_shape: Sequence[int],
    b_shape: Sequence[int],
    element_bits: int,
    warps: Sequence[int],
    threads_per_warp: int,
) -> tuple[int, ...]:
    """
    Return how many instructions stand side by side, so that one 2D load feeds them all.

    `element_bits` are those that DPAS sees (16 for 8-bit floats that are converted first).
    """
    rank = len(a_shape)
    ones = (1,) * rank
    if execution_size != 16:
        return ones
    count = repeat_count_of(a_shape[-2], ops_per_channel, threads_per_warp)
    single = Dpas(
        count,
        SYSTOLIC_DEPTH,
        execution_size,
        ops_per_channel,
        tuple(warps),
        ones,
        threads_per_warp,
    )
    most_rows = _ROWS_OF_A_2D_LOAD // REPEAT_COUNT
    most_columns = _BYTES_OF_A_2D_LOAD // (element_bits // 8 * execution_size)
    rows = min(most_rows, single.repetitions(a_shape, A)[1])
    columns = min(most_columns, single.repetitions(b_shape, B)[2])
    return (*ones[2:], rows, columns)
