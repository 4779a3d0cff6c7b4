"""
Compute matrix products with DPAS.

Before:

    %d = tt.dot %a, %b, %c : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * ...
        -> tensor<64x128xf32, #blocked>

After:

    %c1 = ttg.convert_layout %c : ... -> tensor<64x128xf32, #mma>
    %a1 = ttg.convert_layout %a : ... -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %b1 = ttg.convert_layout %b : ... -> tensor<32x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %d1 = tt.dot %a1, %b1, %c1 : ... -> tensor<64x128xf32, #mma>
    %d = ttg.convert_layout %d1 : ... -> tensor<64x128xf32, #blocked>

with `#mma` a `#ttig.dpas`. All products of a function have to be such that DPAS computes
them. Scaled products become plain ones first, unless the device takes the scales as well.
Source: `AccelerateMatmul.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import Float16Type, IntegerType, ModuleOp, NoneAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.intel.dpas import (
    CHANNEL_BITS,
    FP8,
    REPEAT_COUNT,
    SYSTOLIC_DEPTH,
    DpasAnalysis,
    Usable,
    rep_cluster,
    repeat_count_of,
    warps_per_tile,
)
from xtriton.analysis.intel.module import (
    MIN_SUBGROUP_SIZE,
    ONE_MATRIX_PER_LOAD,
    SUPPORTS_SCALED_DPAS,
)
from xtriton.analysis.intel.rules import rules_for
from xtriton.analysis.slices import connected
from xtriton.dialects.encodings.inference import linear_encoding
from xtriton.dialects.encodings.linear_layouts import dpas_parameters
from xtriton.dialects.tt.casts import FpToFpOp
from xtriton.dialects.tt.dot import DotOp, DotScaledOp
from xtriton.dialects.tt.enums import ScaleDotElemType
from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.ttg.context import num_warps, threads_per_warp
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.ttig.encodings import DpasEncodingAttr
from xtriton.dialects.upstream.arith import ExtSIOp, TruncIOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integer
from xtriton.ir.listings import ops_of
from xtriton.ir.noted_edits import set_attribute
from xtriton.layouts.intel import A, B, dpas_scales
from xtriton.transforms.intel.layouts.chained_dots import Chained, chained_products, chained_warps
from xtriton.transforms.intel.layouts.dot_scaled import decompose_scaled_dot, transpose_scaled_dots
from xtriton.transforms.intel.layouts.scaled_products import formats, takes_scales, with_one_format
from xtriton.transforms.triton_gpu.retyping import with_encoding
from xtriton.transforms.triton_gpu.simplification import simplify


@dataclass(frozen=True)
class AccelerateMatmulPass(ModulePass):
    """Give `tt.dot` the layouts of DPAS where it can compute them."""

    name = "tritonintelgpu-accelerate-matmul"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rules = rules_for(op)
        scales = rules.scales_products and SUPPORTS_SCALED_DPAS in op.attributes
        if not scales and transpose_scaled_dots(op):
            # Constants that are transposed come before those of the decomposition.
            simplify(op, ())
        kinds = chained_products(op) if rules.chains_products_by_operand else None
        for dot in ops_of(op, DotScaledOp):
            if not scales or not _keeps_scales(dot, op, kinds):
                _decompose(dot, kinds)
        analysis = DpasAnalysis(op)
        for function in ops_of(op, FuncOp):
            if analysis.function(function) is Usable.YES:
                chains = _Chains(function, kinds)
                for dot in list(chains.order):
                    _use_dpas(dot, op, chains)
        # Upstream's rewriting folds and moves constants to the front as it goes.
        simplify(op, ())
        for dot in ops_of(op, DotOp):
            _promote_operands(dot, analysis.native_fp8)


Product = DotOp | DotScaledOp
Kinds = dict[Operation, Chained]


def _keeps_scales(dot: DotScaledOp, module: ModuleOp, kinds: Kinds | None) -> bool:
    """Give a product formats that DPAS multiplies with their scales; return whether it has them."""
    function = dot.parent_op()
    while not isinstance(function, FuncOp):
        assert function is not None
        function = function.parent_op()
    if DpasAnalysis(module).function(function) is not Usable.YES:
        return False
    if takes_scales(dot):
        return True
    new = with_one_format(dot)
    if new is None:
        return False
    if kinds is not None:
        kinds[new] = kinds[dot]
    return takes_scales(new)


def _decompose(dot: DotScaledOp, kinds: Kinds | None) -> None:
    product = decompose_scaled_dot(dot)
    if kinds is not None:
        kinds[product] = kinds[dot]


def _use_dpas(dot: Product, module: ModuleOp, chains: _Chains) -> None:
    type = _tensor(dot.results[0])
    if isinstance(type.encoding, NoneAttr | DpasEncodingAttr):
        return
    encoding = dpas_encoding(dot, module, chains)
    channels = encoding.ops_per_channel
    left = DotOperandEncodingAttr(0, encoding, max(channels // 2, 1))
    right = DotOperandEncodingAttr(1, encoding, channels)
    c = _converted(dot.c, encoding, dot)
    a = _converted(dot.a, left, dot)
    b = _converted(dot.b, right, dot)
    scales = _converted_scales(dot, encoding) if isinstance(dot, DotScaledOp) else []
    new = dot.__class__.create(
        operands=[a, b, c, *scales],
        result_types=[c.type],
        properties=dot.properties,
        attributes=dot.attributes,
    )
    back = ConvertLayoutOp(new.results[0], type)
    new.location = back.location = dot.location
    block = dot.parent
    assert block is not None
    block.insert_ops_before([new, back], dot)
    dot.results[0].replace_all_uses_with(back.result)
    chains.order[new] = chains.order[dot]
    if chains.kinds is not None:
        chains.kinds[new] = chains.kinds[dot]
    dot.detach()
    dot.erase()


def _converted_scales(dot: DotScaledOp, encoding: DpasEncodingAttr) -> list[SSAValue]:
    """Return the scales that there are, in the lanes that multiply with them."""
    parameters, per_byte = dpas_parameters(encoding), encoding.fp4_k_pack or 1
    found: list[SSAValue] = []
    for operand, scale in ((A, dot.a_scale), (B, dot.b_scale)):
        if scale is not None:
            shape = _tensor(scale).get_shape()
            layout = dpas_scales(parameters, shape, operand, per_byte)
            found.append(_converted(scale, linear_encoding(layout, encoding), dot))
    return found


def dpas_encoding(dot: Product, module: ModuleOp, chains: _Chains) -> DpasEncodingAttr:
    """Return the layout of the result that DPAS gives."""
    a, b, d = _tensor(dot.a), _tensor(dot.b), _tensor(dot.results[0])
    execution_size = integer(module, MIN_SUBGROUP_SIZE, 8)
    bits = _bits(a.element_type)
    # Without support for them, 8-bit floats are converted to 16 bits.
    is_fp8 = isinstance(a.element_type, FP8)
    converted = bits * 2 if is_fp8 else bits
    native = DpasAnalysis(module).native_fp8
    channels = CHANNEL_BITS // (bits if native else converted)
    warps = _warps(dot, d.get_shape(), execution_size, chains)
    threads = threads_per_warp(module)
    cluster = rep_cluster(
        execution_size, channels, a.get_shape(), b.get_shape(), converted, warps, threads
    )
    rows = repeat_count_of(d.get_shape()[-2], channels, threads)
    packs = native and isinstance(dot, DotScaledOp) and ScaleDotElemType.e2m1 in formats(dot)
    return DpasEncodingAttr(
        rows,
        SYSTOLIC_DEPTH,
        execution_size,
        channels,
        warps,
        cluster,
        threads,
        fp4_k_pack=2 if packs else None,
    )


def _warps(
    dot: Product, shape: Sequence[int], execution_size: int, chains: _Chains
) -> tuple[int, ...]:
    warps = num_warps(dot) or 4
    other = chains.first_other(dot)
    if other is None:
        return warps_per_tile(REPEAT_COUNT, execution_size, shape, warps)
    if other.in_loop:
        for load in (_right_load(dot), other.right_load):
            if load is not None:
                set_attribute(load, ONE_MATRIX_PER_LOAD, UnitAttr())
    if chains.kinds is not None:
        kind = chains.kinds[dot]
        if kind not in (Chained.LEFT, Chained.RIGHT):
            return warps_per_tile(REPEAT_COUNT, execution_size, shape, warps)
        return chained_warps(kind, shape, warps, REPEAT_COUNT, execution_size)
    # Products that feed each other: rows of one are rows of the next.
    return (warps, *(1,) * (len(shape) - 1))


@dataclass(frozen=True)
class _Member:
    """A product of a chain."""

    dot: Product
    right_load: Operation | None
    """The load of its right operand."""
    in_loop: bool


class _Chains:
    """Which products of a function feed each other, in its order."""

    def __init__(self, function: Operation, kinds: Kinds | None = None):
        self.kinds = kinds
        """How each product is chained, by the rules of August 2026; None for January's."""

        dots = ops_of(function, DotOp, DotScaledOp)
        self.order = {dot: i for i, dot in enumerate(dots)}
        self._first: dict[Product, list[_Member]] = {}

    def first_other(self, dot: Product) -> _Member | None:
        """Return the first product, but for `dot` itself, of those that `dot` has to do with."""
        found = self._first.get(dot)
        if found is None:
            region = dot.parent_region()
            related = connected(dot, lambda op: op.parent_region() is region)
            dots = sorted(
                (o for o in related if isinstance(o, DotOp | DotScaledOp)),
                key=self.order.__getitem__,
            )
            found = [_Member(o, _right_load(o), _in_loop(o)) for o in dots[:2]]
            # What is connected in one region is so from wherever one starts.
            for other in dots:
                if other.parent_region() is region:
                    self._first[other] = found
        return next((member for member in found if member.dot is not dot), None)


def _right_load(dot: Product) -> Operation | None:
    """Return the load of the right operand."""
    source = dot.b
    while isinstance(source, OpResult) and source.op.name == "ttg.convert_layout":
        source = source.op.operands[0]
    if isinstance(source, OpResult) and source.op.name == "tt.trans":
        source = source.op.operands[0]
    if not isinstance(source, OpResult):
        return None
    is_load = source.op.name == "tt.load"
    if source.op.name == "tt.descriptor_load":
        is_load = rules_for(source.op).has_descriptors
    return source.op if is_load else None


def _in_loop(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None:
        if parent.name == "scf.for":
            return True
        parent = parent.parent_op()
    return False


def _promote_operands(dot: DotOp, native_fp8: bool) -> None:
    """Convert operands that the product does not take as they are."""
    a, d = _tensor(dot.a), _tensor(dot.results[0])
    element = a.element_type
    if isinstance(d.encoding, DpasEncodingAttr):
        if native_fp8 or not isinstance(element, FP8):
            return
        wanted: Attribute = Float16Type()
    elif element == d.element_type:
        return
    else:
        wanted = d.element_type
    for i in (0, 1):
        dot.operands[i] = _promoted(dot.operands[i], wanted, dot)


def _promoted(value: SSAValue, element: Attribute, dot: DotOp) -> SSAValue:
    old = _tensor(value)
    type = TensorType(element, old.shape, old.encoding)
    if not isinstance(element, IntegerType):
        op: Operation = FpToFpOp.create(operands=[value], result_types=[type])
    else:
        kind = ExtSIOp if _bits(old.element_type) <= element.bitwidth else TruncIOp
        op = kind.create(operands=[value], result_types=[type])
    op.location = dot.location
    assert dot.parent is not None
    dot.parent.insert_op_before(op, dot)
    return op.results[0]


def _converted(value: SSAValue, encoding: Attribute, dot: Product) -> SSAValue:
    op = ConvertLayoutOp(value, with_encoding(_tensor(value), encoding))
    op.location = value.op.location if isinstance(value, OpResult) else dot.location
    assert dot.parent is not None
    dot.parent.insert_op_before(op, dot)
    return op.result


def _tensor(value: SSAValue) -> TensorType[Attribute]:
    type = value.type
    assert is_tensor(type)
    return type


def _bits(type: Attribute) -> int:
    return type.bitwidth  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
