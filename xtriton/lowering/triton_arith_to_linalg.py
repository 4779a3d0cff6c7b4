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
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects import tt
from xtriton.dialects.upstream import arith
from xtriton.ir import dense
from xtriton.ir.making import erase, replace
from xtriton.ir.walking import ops_in
from xtriton.lowering.builder import Builder, SharedOps, constant_scalar
from xtriton.lowering.linalg_rules import (
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
from xtriton.lowering.linalg_rules.generic import elementwise, is_tensor
from xtriton.lowering.linalg_rules.pointer_tensors import CASTS, holds_pointers, wrapped
from xtriton.lowering.linalg_rules.registry import OP_RULES
from xtriton.lowering.modules import modules
from xtriton.semantics.tolerance import SUM_TOLERANCE

_RULES_REGISTER_THEMSELVES = (combine, indexing, matmul, regions, scaled, shapes)


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
    tensor_ptr_to_linalg: bool = False
    """Wrap the other ops on tensors of pointers too."""
    transpose_reduce_to_rank0: bool = True
    """Transpose what is reduced so that its first dimension goes; not with `fold-splats`."""
    fold_splats: bool = False
    """Use splat operands as scalars inside loop bodies instead of filling tensors with them."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
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
        return frozenset(names)


_KEPT = frozenset(("tt.reduce", "tt.scan", "tt.map_elementwise", "linalg.generic", "linalg.reduce"))
"""Ops whose regions are lowered together with them, or have been."""


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
        self.splats: list[Operation] = []

    def run(self) -> None:
        select_extremes(self.function)
        for op in ops_in(self.function):
            if op.parent is not None and op.parent_op().name not in _KEPT:  # pyright: ignore
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
        builder = Builder(before=op, shared=self.shared)
        if self.is_wrapped(op):
            replace(op, wrapped(op, builder) or ())
            return
        _constant_last(op)
        rule = OP_RULES.get(name)
        results = rule(op, builder) if rule is not None else self.lower_elementwise(op, builder)
        if results is not None:
            replace(op, results)

    def lower_elementwise(self, op: Operation, builder: Builder) -> Sequence[SSAValue] | None:
        if not op.results or op.regions or not is_elementwise(op):
            return None
        types: list[Any] = [result.type for result in op.results]
        if not all(isinstance(kind, TensorType) for kind in types):
            if op.name.startswith("tt."):
                return lower_element(op, builder, list(op.operands))
            return None
        if any(isinstance(kind.element_type, tt.PtrType) for kind in types):
            return None

        def body(inner: Builder, operands: Sequence[SSAValue]) -> Sequence[SSAValue] | None:
            return lower_element(op, inner, operands)

        return elementwise(builder, list(op.operands), types, body)

    def is_wrapped(self, op: Operation) -> bool:
        """Return whether an op on tensors of pointers goes into a `linalg.generic` as it is."""
        if self.shared.fold_splats or not op.operands:
            return False
        if op.name == "tt.addptr":
            return self.options.addptr_to_linalg and holds_pointers(op.operands[0])
        if op.name not in CASTS or not self.options.tensor_ptr_to_linalg:
            return False
        return holds_pointers((*op.results, *op.operands)[0]) or holds_pointers(op.operands[0])

    def materialise(self, op: Operation) -> None:
        """Fill a tensor with a splat that somebody needs as one; drop one that nobody does."""
        result: Any = op.results[0]
        if result.first_use is None:
            erase(op)
            return
        if holds_pointers(result) and (
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
            erase(source)


def _constant_last(op: Operation) -> None:
    """Put the operands of a commutative op in order: constants come second."""
    if op.name in _COMMUTATIVE and is_tensor(op.results[0]):
        left, right = op.operands
        if _is_constant(left) and not _is_constant(right):
            op.operands = (right, left)


_COMMUTATIVE = frozenset(
    f"arith.{name}" for name in ("addi", "muli", "andi", "ori", "xori", "addf", "mulf")
)


def _is_constant(value: SSAValue) -> bool:
    owner = value.owner
    if isinstance(owner, tt.SplatOp):
        owner = owner.operands[0].owner
    return isinstance(owner, arith.ConstantOp)
