"""
Everything that is not memory access: Triton to linalg, tensor, arith and math.

Before:

    tt.func public @f(%p: !tt.ptr<f32>, %x: tensor<8xf32>, %y: f32) {
      %0 = tt.splat %y : f32 -> tensor<8xf32>
      %1 = arith.addf %x, %0 : tensor<8xf32>
      ...

After:

    func.func @f(%p: !tt.ptr<f32>, %x: tensor<8xf32>, %y: f32, %nx: i32, ..., %z: i32) {
      %0 = tensor.empty() : tensor<8xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
             ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %2 = arith.addf %in, %y : f32
        linalg.yield %2 : f32
      } -> tensor<8xf32>
      ...

An op without a rule stays as it is. One walk from the top: operands have been lowered
when their users come, except splats, which fold into whatever takes a scalar and are
filled into tensors only where somebody needs one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from xtriton.dialects import tt
from xtriton.dialects.upstream import arith
from xtriton.ir import dense
from xtriton.ir.walking import ops_in
from xtriton.lowering.builder import Builder, SharedOps, constant_scalar
from xtriton.lowering.linalg_rules import (
    assembly,
    combine,
    indexing,
    matmul,
    program,
    regions,
    scaled,
    shapes,
)
from xtriton.lowering.linalg_rules.elementwise import is_elementwise, lower_element
from xtriton.lowering.linalg_rules.extremes import select_extremes
from xtriton.lowering.linalg_rules.generic import elementwise, holds_pointers, is_tensor
from xtriton.lowering.linalg_rules.pointer_tensors import CASTS, wrapped
from xtriton.lowering.linalg_rules.registry import OP_RULES, OpRule
from xtriton.lowering.modules import modules
from xtriton.passes.rewriting import replace
from xtriton.semantics.tolerance import SUM_TOLERANCE
from xtriton.transforms.layout_free import refuse_layouts

_RULES_REGISTER_THEMSELVES = (assembly, combine, indexing, matmul, regions, scaled, shapes)


@dataclass(frozen=True)
class TritonArithToLinalgPass(ModulePass):
    """Lower all of Triton that is not memory access to linalg, tensor, arith and math."""

    name = "triton-arith-to-linalg"
    tolerance = SUM_TOLERANCE

    pids_to_func_args: bool = True
    """Replace program ids by six trailing i32 arguments of every function."""
    tt_to_func_func: bool = True
    """Turn `tt.func`, `tt.return` and `tt.call` into those of `func`."""
    addptr_to_linalg: bool = True
    """Wrap `tt.addptr` of tensors in `linalg.generic`."""
    assert_to_cf: bool = True
    """Turn `tt.assert` into `cf.assert`."""
    print_to_vector: bool = True
    """Turn `tt.print` into `vector.print`, which tells neither program nor index."""
    tensor_ptr_to_linalg: bool = False
    """Wrap the other ops on tensors of pointers too."""
    transpose_reduce_to_rank0: bool = True
    """Transpose what is reduced so that its first dimension goes; not with `fold-splats`."""
    fold_splats: bool = False
    """Use splat operands as scalars inside loop bodies instead of filling tensors with them."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        refuse_layouts(op, self.name)
        for module in modules(op):
            self._lower(module)

    def _lower(self, op: ModuleOp) -> None:
        skipped = self._skipped()
        functions = [f for f in op.ops if isinstance(f, tt.FuncOp)]
        for function in functions:
            if self.pids_to_func_args:
                program.add_program_arguments(function)
        for function in functions:
            if function.regions[0].blocks:
                _FunctionLowering(function, skipped, self).run()
            if self.tt_to_func_func:
                program.to_func(function)
        program.declare_called(op)

    def _skipped(self) -> frozenset[str]:
        names: set[str] = set()
        if not self.pids_to_func_args:
            names |= {"tt.get_program_id", "tt.get_num_programs", "tt.call"}
        if not self.tt_to_func_func:
            names |= {"tt.return", "tt.call"}
        if not self.assert_to_cf:
            names.add("tt.assert")
        if not self.print_to_vector:
            names.add("tt.print")
        return frozenset(names)

    def wrapped(self) -> frozenset[str]:
        """Return the names of the ops that are wrapped on tensors of pointers."""
        moves = frozenset(("tt.addptr",)) if self.addptr_to_linalg else frozenset[str]()
        return moves | CASTS if self.tensor_ptr_to_linalg else moves


_KEPT = frozenset(("tt.reduce", "tt.scan", "tt.map_elementwise", "linalg.generic", "linalg.reduce"))
"""Ops whose regions are lowered together with them, or have been."""
_COMMUTATIVE = frozenset(
    f"arith.{name}" for name in ("addi", "muli", "andi", "ori", "xori", "addf", "mulf")
)


class _FunctionLowering:
    """Lowers the body of one function."""

    def __init__(
        self, function: Operation, skipped: frozenset[str], options: TritonArithToLinalgPass
    ):
        self.function = function
        self.options = options
        self.skipped = skipped
        self.shared = SharedOps(
            function.regions[0].blocks[0], options.fold_splats, options.transpose_reduce_to_rank0
        )
        self.wrapped = frozenset[str]() if options.fold_splats else options.wrapped()
        """Ops that on tensors of pointers go into a `linalg.generic` as they are."""
        self.splats: list[Operation] = []

    def run(self) -> None:
        select_extremes(self.function)
        for op in ops_in(self.function, but_not_inside=_KEPT):
            if op.parent is not None:
                self.lower(op)
        for op in reversed(self.splats):
            self.materialise(op)
        self.shared.drop_unused()

    def lower(self, op: Operation) -> None:
        name = op.name
        if name in self.skipped:
            return
        if name == "tt.splat" or (name == "arith.constant" and is_tensor(op.results[0])):
            self.splats.append(op)
            return
        rule = self.rule_for(op)
        if rule is None:
            return
        results = rule(op, Builder(before=op, shared=self.shared))
        if results is not None:
            replace(op, results)

    def rule_for(self, op: Operation) -> OpRule | None:
        """Return what lowers an op; None if it stays as it is."""
        name = op.name
        if name in self.wrapped and _begins_with_pointers(op):
            return wrapped
        rule = OP_RULES.get(name)
        if rule is not None:
            return rule
        if op.regions or not op.results or not is_elementwise(op):
            return None
        if not all(is_tensor(result) for result in op.results):
            return lower_scalar if name.startswith("tt.") else None
        if any(holds_pointers(result.type) for result in op.results):
            return None
        return lower_elementwise

    def materialise(self, op: Operation) -> None:
        """Fill a tensor with a splat that somebody needs as one; drop one that nobody does."""
        result: Any = op.results[0]
        if result.first_use is None:
            Rewriter.erase_op(op)
            return
        if holds_pointers(result.type) and (
            self.shared.fold_splats or not self.options.addptr_to_linalg
        ):
            return
        builder = Builder(before=op, shared=self.shared)
        if isinstance(op, tt.SplatOp):
            scalar = op.operands[0]
            if isinstance(scalar.owner, arith.ConstantOp):
                scalar = builder.constant(scalar.owner.properties["value"])
                builder.before = self.shared.behind_constants()
        else:
            attribute = constant_scalar(result)
            if attribute is None or not dense.is_splat(op.properties["value"]):
                return
            scalar = builder.constant(attribute)
            builder.before = self.shared.behind_constants()
        source = op.operands[0].owner if op.operands else None
        replace(op, (builder.filled(result.type, scalar),))
        if isinstance(source, arith.ConstantOp) and source.results[0].first_use is None:
            Rewriter.erase_op(source)


def _begins_with_pointers(op: Operation) -> bool:
    """Return whether the first operand or result is a tensor of pointers."""
    return any(holds_pointers(value.type) for value in (*op.operands[:1], *op.results[:1]))


def lower_scalar(op: Operation, builder: Builder) -> Sequence[SSAValue] | None:
    """Lower an elementwise op on scalars."""
    return lower_element(op, builder, list(op.operands))


def lower_elementwise(op: Operation, builder: Builder) -> Sequence[SSAValue] | None:
    """Lower an elementwise op on tensors."""

    def body(inner: Builder, operands: Sequence[SSAValue]) -> Sequence[SSAValue] | None:
        return lower_element(op, inner, operands)

    operands = list(op.operands)
    if op.name in _COMMUTATIVE and _is_constant(operands[0]) and not _is_constant(operands[1]):
        operands.reverse()
    return elementwise(builder, operands, [result.type for result in op.results], body)


def _is_constant(value: SSAValue) -> bool:
    owner = value.owner
    if isinstance(owner, tt.SplatOp):
        owner = owner.operands[0].owner
    return isinstance(owner, arith.ConstantOp)
