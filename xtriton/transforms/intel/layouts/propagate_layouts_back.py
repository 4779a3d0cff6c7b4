"""
Compute values in the layout in which they are wanted, back to the loads they come from.

Before:

    %q = ttg.convert_layout %p : tensor<64x64x!tt.ptr<f32>, #mma> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %x = tt.load %q : tensor<64x64x!tt.ptr<f32>, #blocked>
    %y = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    %z = arith.addf %d, %y : tensor<64x64xf32, #mma>

After:

    %y = tt.load %p : tensor<64x64x!tt.ptr<f32>, #mma>
    %z = arith.addf %d, %y : tensor<64x64xf32, #mma>

Coalesced layouts win where they are cheaper: each conversion is compared with its
alternative by the bytes that move (`xtriton.analysis.intel.costs`), and a remark says what
was compared. With `raise_pointers`, tensors of pointers become block pointers of the same
layout first, where that can be proved, so that a load may be a 2D block load again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.analysis.axis_info.dataflow import AxisAnalysis
from xtriton.analysis.intel.costs import Cost, conversion_cost, cost_of_load
from xtriton.analysis.intel.module import supports_2d_block_io
from xtriton.diagnostics import remark
from xtriton.dialects.encodings.inference import has_one_encoding, infer_operand
from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.listings import ops_of
from xtriton.transforms.intel.block_io.materialize_block_pointer import MaterializeBlockPointerPass
from xtriton.transforms.raising.triton_raise_block_pointer import TritonRaiseBlockPointerPass
from xtriton.transforms.triton_gpu.retyping import set_encoding, with_encoding

_VIEWS = frozenset(("tt.broadcast", "tt.expand_dims"))
_SOURCES = frozenset(("arith.constant", "tt.make_range", "tt.splat"))
_MOST_OPS = 256


@dataclass(frozen=True)
class PropagateLayoutsBackPass(ModulePass):
    """Carry layouts that consumers want back to where they are free."""

    name = "xtriton-propagate-layouts-back"

    raise_pointers: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        facts = axis_analysis(op, "intel")
        for conversion in ops_of(op, ConvertLayoutOp):
            if conversion.parent is not None:
                _propagate(conversion, facts)
        _remove_dead(op)
        if self.raise_pointers:
            TritonRaiseBlockPointerPass().apply(ctx, op)
            if supports_2d_block_io(op):
                MaterializeBlockPointerPass().apply(ctx, op)


@dataclass
class _Plan:
    """What has to be computed anew, in which layouts, for a value to have another one."""

    facts: AxisAnalysis
    ops: dict[Operation, Attribute] = field(default_factory=dict[Operation, Attribute])
    """In an order in which what is used comes first."""
    existing: dict[tuple[SSAValue, Attribute], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, Attribute], SSAValue]
    )
    converted: set[tuple[SSAValue, Attribute]] = field(
        default_factory=set[tuple[SSAValue, Attribute]]
    )
    cost: Cost = field(default_factory=Cost)

    def want(self, value: SSAValue, encoding: Attribute) -> bool:
        """Plan to have `value` in `encoding`; return False if that is not possible."""
        type = value.type
        key = (value, encoding)
        if not is_tensor(type) or type.encoding == encoding:
            return True
        if key in self.existing or key in self.converted:
            return True
        op = value.op if isinstance(value, OpResult) else None
        if isinstance(op, ConvertLayoutOp):
            source = op.src.type
            if is_tensor(source) and source.encoding == encoding:
                self.existing[key] = op.src
                return True
        if op is None or not _can_be_repeated(op):
            self.converted.add(key)
            self.cost += conversion_cost(type, TensorType(type.element_type, type.shape, encoding))
            return True
        if self.ops.get(op, encoding) != encoding or len(self.ops) > _MOST_OPS:
            return False
        if op not in self.ops:
            return self._repeat(op, encoding)
        return True

    def _repeat(self, op: Operation, encoding: Attribute) -> bool:
        inner = encoding if op.name in _SOURCES else infer_operand(op, encoding)
        if inner is None or not all(self.want(operand, inner) for operand in op.operands):
            return False
        self.ops[op] = encoding
        if isinstance(op, LoadOp):
            self.cost += cost_of_load(op, encoding, self.facts)
        return True


def _can_be_repeated(op: Operation) -> bool:
    if isinstance(op, LoadOp):
        return is_tensor(op.ptr.type) and not op.isVolatile.value.data
    if op.regions or len(op.results) != 1 or not is_side_effect_free(op):
        return False
    return op.name in _SOURCES or op.name in _VIEWS or has_one_encoding(op)


def _propagate(conversion: ConvertLayoutOp, facts: AxisAnalysis) -> None:
    source, target = conversion.src.type, conversion.result.type
    assert is_tensor(source) and is_tensor(target)
    now = conversion_cost(source, target)
    if now.total == 0:
        return
    plan = _Plan(facts)
    if not plan.want(conversion.src, target.encoding) or not plan.ops:
        return
    if not any(isinstance(op, LoadOp) for op in plan.ops):
        return
    now += _freed(conversion, plan)
    what = f"layout {target.encoding} carried back to "
    loads = sum(isinstance(op, LoadOp) for op in plan.ops)
    what += f"{loads} load{'s' if loads > 1 else ''}"
    if plan.cost.total >= now.total:
        remark(conversion, f"not {what}: {plan.cost} instead of {now}")
        return
    remark(conversion, f"{what}: {plan.cost} instead of {now}")
    value = _execute(plan, conversion.src, target.encoding)
    value.name_hint = conversion.result.name_hint
    conversion.result.replace_all_uses_with(value)
    conversion.detach()
    conversion.erase()


def _freed(conversion: ConvertLayoutOp, plan: _Plan) -> Cost:
    """Return the cost of what is needed no more if `plan` replaces `conversion`."""
    cost = Cost()
    gone: set[Operation] = {conversion}
    # Users come before what they use.
    for op in reversed(plan.ops):
        users = {use.operation for result in op.results for use in result.uses}
        if not users <= gone:
            continue
        gone.add(op)
        if isinstance(op, LoadOp):
            type = op.ptr.type
            assert is_tensor(type)
            cost += cost_of_load(op, type.encoding, plan.facts)
        for operand in dict.fromkeys(op.operands):
            source = operand.op if isinstance(operand, OpResult) else None
            if not isinstance(source, ConvertLayoutOp) or source in plan.ops:
                continue
            if {use.operation for use in source.result.uses} <= gone:
                cost += conversion_cost(source.src.type, source.result.type)  # pyright: ignore[reportArgumentType]
    return cost


def _execute(plan: _Plan, root: SSAValue, encoding: Attribute) -> SSAValue:
    """Emit what is planned; return `root` in its new layout."""
    values: dict[tuple[SSAValue, Attribute], SSAValue] = dict(plan.existing)

    def value_in(value: SSAValue, wanted: Attribute, place: Operation) -> SSAValue:
        type = value.type
        if not is_tensor(type) or type.encoding == wanted:
            return value
        found = values.get((value, wanted))
        if found is None:
            conversion = ConvertLayoutOp(value, with_encoding(type, wanted))
            conversion.location = place.location
            assert place.parent is not None
            place.parent.insert_op_before(conversion, place)
            found = values[value, wanted] = conversion.result
        return found

    for op, wanted in plan.ops.items():
        new = op.clone()
        new.location = op.location
        assert op.parent is not None
        inner = wanted if op.name in _SOURCES else infer_operand(op, wanted)
        assert inner is not None
        new.operands = [value_in(operand, inner, op) for operand in op.operands]
        op.parent.insert_op_before(new, op)
        set_encoding(new.results[0], wanted)
        values[op.results[0], wanted] = new.results[0]
    return values[root, encoding]


def _remove_dead(module: ModuleOp) -> None:
    """Erase what nobody needs any more, loads too."""
    for function in ops_of(module, FuncOp):
        for op in reversed(list(function.walk())):
            used = any(result.first_use is not None for result in op.results)
            if used or not op.results or op.regions or op.parent is None:
                continue
            if is_side_effect_free(op) or (isinstance(op, LoadOp) and not op.isVolatile.value.data):
                op.detach()
                op.erase()
