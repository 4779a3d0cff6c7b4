"""
Axis information by the rules of the Intel XPU backend, which tracks strides as well.

Where they differ from Triton's own (`rules`), those here are older or less careful; they
are kept as they are since the layouts that the backend chooses follow from them.
`stride` is the distance of neighbours along a dimension, -1 if it is not known.
Source: `third_party/intel/lib/Analysis/AxisInfo.cpp`, January 2026.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from xtriton.analysis.axis_info import rules as core
from xtriton.analysis.axis_info.dataflow import AxisAnalysis, Rule
from xtriton.analysis.axis_info.lattice import (
    AxisInfo,
    Infos,
    gcd,
    pessimistic,
    power_of_two_divisor,
    shape_of,
)
from xtriton.analysis.axis_info.rules import Along, both
from xtriton.ir.listings import ops_named
from xtriton.ir.versions import Version, release

_UNKNOWN_STRIDE = -1
_FIRST_RELEASE_OF_STRIDE_ANALYSIS: Version = (3, 9)
"""With this release the backend follows strides by themselves, over remainders as well."""

_POISON_DIVISOR = 1 << 32


class IntelAxisAnalysis(AxisAnalysis):
    """The analysis of the Intel backend."""

    @classmethod
    def of(cls, module: Operation, wanted: Sequence[SSAValue] | None = None) -> AxisAnalysis:
        """Analyse a module, or what is behind some values in it."""
        analysis = cls(RULES if release() < _FIRST_RELEASE_OF_STRIDE_ANALYSIS else RULES_3_9)
        analysis.give_up_on_regions(module)
        return analysis.run(module, wanted)

    def give_up_on_regions(self, module: Operation) -> None:
        """
        Take nothing for known of results of `for`, `if`, `while` that an op next to them uses.

        The backend's solver meets such an op before it has been inside the region, and
        falls back to the entry state there instead of waiting.
        """
        for op in ops_named(module, _REGION_OPS):
            for result in op.results:
                if any(_looks_at(use.operation, op) for use in result.uses):
                    self.infos[result] = pessimistic(result)


_REGION_OPS = frozenset(("scf.for", "scf.if", "scf.while"))


def _looks_at(user: Operation, op: Operation) -> bool:
    return user.parent is op.parent and bool(user.results) and user.name not in _REGION_OPS


@dataclass(frozen=True)
class Binary(core.Binary):
    """The rule of an op on two tensors, with the distance of neighbours."""

    stride: Along | None = None

    def __call__(self, op: Operation, operands: Infos) -> AxisInfo:
        a, b = operands[0], operands[1]
        value = self.value(op, a, b)
        if value is None:
            return self.unknown(op, a, b)
        value = core.in_64_bits(value)
        return AxisInfo(
            (1,) * a.rank,
            (power_of_two_divisor(value),) * a.rank,
            tuple(max(a.constancy[d], b.constancy[d]) for d in range(a.rank)),
            value,
            (0,) * a.rank,
        )

    def unknown(self, op: Operation, a: AxisInfo, b: AxisInfo) -> AxisInfo:
        found = super().unknown(op, a, b)
        stride = self.stride
        if stride is None:
            return found
        distances = tuple([stride(op, a, b, d) for d in range(a.rank)])
        return AxisInfo(
            found.contiguity, found.divisibility, found.constancy, found.value, distances
        )


def _sum_stride(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    left, right = a.stride_of(d), b.stride_of(d)
    if left < 0 or right < 0:
        return _UNKNOWN_STRIDE
    return max(left - right, _UNKNOWN_STRIDE) if op.name == "arith.subi" else left + right


def _product_stride(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    if a.stride_of(d) > 0 and b.value is not None:
        return a.stride_of(d) * b.value
    if b.stride_of(d) > 0 and a.value is not None:
        return b.stride_of(d) * a.value
    scalar = shape_of(op.results[0].type) is None

    def stays(info: AxisInfo) -> bool:
        return info.value is not None or info.stride_of(d) == 0 or scalar

    return 0 if stays(a) and stays(b) else _UNKNOWN_STRIDE


def _quotient_stride(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    if core.quotient_contiguity(op, a, b, d) > 1:
        return 1
    stride = a.stride_of(d)
    if stride > 0 and b.value and stride % b.value == 0:
        return stride // b.value
    divisor = b.stride_of(d)
    if divisor > 0 and a.value is not None and a.value % divisor == 0:
        return a.value // divisor
    return 0 if stride == 0 else _UNKNOWN_STRIDE


def _remainder_stride(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    """Neighbours stay as far apart as they are, where no multiple comes between them."""
    stride, shape = a.stride_of(d), shape_of(op.results[0].type)
    if stride == 0 and b.stride_of(d) == 0:
        return 0
    if stride <= 0 or shape is None or b.value is None or b.value <= 0:
        return _UNKNOWN_STRIDE
    period = gcd(a.divisibility[d], b.value)
    return stride if stride * (shape[d] - 1) < period else _UNKNOWN_STRIDE


def _quotient_constancy(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    if shape_of(op.results[0].type) is None:
        return 1
    return core.quotient_constancy(op, a, b, d)


def _quotient_divisibility(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    return a.divisibility[d] if a.value == 0 or b.value == 1 else 1


def _remainder_divisibility(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    return gcd(a.divisibility[d], b.divisibility[d])


def _remainder_constancy(op: Operation, a: AxisInfo, b: AxisInfo, d: int) -> int:
    if shape_of(op.results[0].type) is None:
        return 1
    return core.remainder_constancy(op, a, b, d)


def _comparison(op: Operation, operands: Infos) -> AxisInfo | None:
    found = core.comparison(op, operands)
    if found is None or found.value is None:
        return found
    return replace(found, constancy=operands[0].constancy)


def _least(a: AxisInfo, b: AxisInfo, value: int | None = None) -> AxisInfo:
    """Return the smaller number of each kind and dimension."""
    dims = range(a.rank)
    return AxisInfo(
        tuple(min(a.contiguity[d], b.contiguity[d]) for d in dims),
        tuple(min(a.divisibility[d], b.divisibility[d]) for d in dims),
        tuple(min(a.constancy[d], b.constancy[d]) for d in dims),
        value,
    )


def _select(op: Operation, operands: Infos) -> AxisInfo:
    condition, a, b = operands
    if condition.value is not None:
        return replace(b if condition.value == 0 else a, stride=())
    value = a.value if a.value == b.value else None
    if isinstance(op.operands[0].type, IntegerType):
        return _least(a, b, value)
    dims = range(a.rank)
    cuts = condition.constancy
    contiguity = tuple(
        min(gcd(a.contiguity[d], cuts[d]), gcd(b.contiguity[d], cuts[d])) for d in dims
    )
    constancy = tuple(min(gcd(a.constancy[d], cuts[d]), gcd(b.constancy[d], cuts[d])) for d in dims)
    divisibility = tuple(_chosen_divisibility(a, b, d, contiguity[d]) for d in dims)
    return AxisInfo(contiguity, divisibility, constancy, value)


def _chosen_divisibility(a: AxisInfo, b: AxisInfo, d: int, contiguity: int) -> int:
    if contiguity == a.contiguity[d] == b.contiguity[d]:
        return gcd(a.divisibility[d], b.divisibility[d])
    return min(gcd(a.divisibility[d], contiguity), gcd(b.divisibility[d], contiguity))


def _extremum(function: Callable[[int, int], int]) -> Rule:
    def rule(op: Operation, operands: Infos) -> AxisInfo:
        a, b = operands[0], operands[1]
        ones = (1,) * a.rank
        if a.value is not None and b.value is not None:
            return AxisInfo(ones, ones, ones, function(a.value, b.value))
        return _least(a, b)

    return rule


def _constant(op: Operation, operands: Infos) -> AxisInfo | None:
    found = core.RULES["arith.constant"](op, operands)
    if found is None:
        return None
    return AxisInfo(
        found.contiguity, found.divisibility, found.constancy, found.value, (0,) * found.rank
    )


def _poison(op: Operation, operands: Infos) -> AxisInfo:
    shape = shape_of(op.results[0].type)
    if shape is None:
        return AxisInfo((1,), (_POISON_DIVISOR,), (1,))
    most = (_POISON_DIVISOR,) * len(shape)
    return AxisInfo(most, most, shape)


def _make_tensor_ptr(op: Operation, operands: Infos) -> AxisInfo | None:
    """Along a dimension with stride 1 a block pointer is contiguous."""
    shape = shape_of(op.results[0].type) or ()
    rank = len(shape)
    if rank > 2:
        return None
    base = operands[0]
    strides = operands[rank + 1 : 2 * rank + 1]
    contiguity = tuple(shape[d] if strides[d].value == 1 else 1 for d in range(rank))
    divisibility = tuple(
        min(base.divisibility[0], strides[1 - d if rank == 2 else d].divisibility[0])
        if contiguity[d] > 1
        else 1
        for d in range(rank)
    )
    known = tuple(_UNKNOWN_STRIDE if s.value is None else s.value for s in strides)
    return AxisInfo(contiguity, divisibility, (1,) * rank, None, known)


def _logical(function: Callable[[int, int], int]) -> Binary:
    return Binary(value=both(function))


_SUM = Binary(core.sum_contiguity, core.sum_divisibility, value=core.sum_value, stride=_sum_stride)
_RIGHT_SHIFT = Binary(
    core.shift_contiguity,
    core.right_shift_divisibility,
    value=both(lambda a, b: a >> min(max(b, 0), 63)),
)

RULES: dict[str, Rule] = {
    **dict.fromkeys(
        (
            "arith.extsi",
            "arith.extui",
            "arith.trunci",
            "arith.index_cast",
            "builtin.unrealized_conversion_cast",
            "tt.advance",
            "tt.bitcast",
            "ttg.convert_layout",
        ),
        core.same,
    ),
    "tt.make_range": core.make_range,
    "ub.poison": _poison,
    "arith.constant": _constant,
    **dict.fromkeys(("tt.addptr", "arith.addi", "arith.subi"), _SUM),
    "arith.muli": Binary(
        core.product_contiguity,
        core.product_divisibility,
        value=both(lambda a, b: a * b),
        stride=_product_stride,
    ),
    **dict.fromkeys(
        ("arith.divsi", "arith.divui"),
        Binary(
            core.quotient_contiguity,
            _quotient_divisibility,
            _quotient_constancy,
            both(core.quotient),  # pyright: ignore[reportArgumentType]
            _quotient_stride,
        ),
    ),
    **dict.fromkeys(
        ("arith.remsi", "arith.remui"),
        Binary(
            core.remainder_contiguity,
            _remainder_divisibility,
            _remainder_constancy,
            core.remainder_value,
        ),
    ),
    "tt.broadcast": core.broadcast,
    "tt.splat": core.splat,
    "tt.expand_dims": core.expand_dims,
    "arith.cmpi": _comparison,
    "arith.andi": _logical(lambda a, b: a & b),
    "arith.ori": _logical(lambda a, b: a | b),
    "arith.xori": _logical(lambda a, b: a ^ b),
    "arith.select": _select,
    "arith.shli": Binary(
        core.shift_contiguity,
        core.left_shift_divisibility,
        value=both(lambda a, b: a << min(max(b, 0), 63)),
    ),
    **dict.fromkeys(("arith.shrui", "arith.shrsi"), _RIGHT_SHIFT),
    **dict.fromkeys(("arith.maxsi", "arith.maxui"), _extremum(max)),
    **dict.fromkeys(("arith.minsi", "arith.minui"), _extremum(min)),
    "tt.load": core.load,
    "tt.make_tensor_ptr": _make_tensor_ptr,
}
"""By the name of the op; of ops without a rule nothing is known."""

RULES_3_9: dict[str, Rule] = {
    **RULES,
    **dict.fromkeys(
        ("arith.remsi", "arith.remui"),
        Binary(
            core.remainder_contiguity,
            _remainder_divisibility,
            _remainder_constancy,
            core.remainder_value,
            _remainder_stride,
        ),
    ),
}
"""Those that go with Triton 3.9. Source: `StrideInfo.cpp` of the backend, August 2026."""

__all__ = ["RULES", "IntelAxisAnalysis"]
