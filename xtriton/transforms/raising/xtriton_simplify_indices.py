"""
Divisions and remainders that index expressions prove redundant disappear.

Before:

    %x = arith.addi %pid_times_512, %range : tensor<512xi32>
    %r = arith.remsi %x, %c512 : tensor<512xi32>

After:

    %r = %range

The result of a division is replaced where its closed form has no division left, or fewer than
the program makes for it. Facts of the loops and branches around it count.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from xtriton.analysis.index_analysis import index_analysis
from xtriton.analysis.indexing import Expr, Kind, atoms_within
from xtriton.analysis.report import kernels
from xtriton.analysis.values import integer_type, type_facts
from xtriton.transforms.raising.dead_values import remove_dead_values
from xtriton.transforms.raising.writing.emitter import CannotEmit, ExprEmitter
from xtriton.transforms.raising.writing.tensor_emitter import TensorEmitter, has_wide_tensors

DIVISIONS = frozenset(
    {"arith.divsi", "arith.remsi", "arith.divui", "arith.remui", "arith.floordivsi"}
)

COMPUTED = "the program computes it in so many bits"


@dataclass(frozen=True)
class SimplifyIndicesPass(ModulePass):
    """Divisions and remainders that index expressions prove redundant disappear."""

    name = "xtriton-simplify-indices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in kernels(op):
            IndexSimplifier(function).run()


class IndexSimplifier:
    """Simplifies the divisions of one function."""

    def __init__(self, function: Operation):
        self.function = function
        self.analysis = index_analysis(function)
        self.emitter = ExprEmitter(self.analysis)

    def run(self) -> bool:
        """Replace what can be replaced; return whether anything was."""
        found = [op for op in self.function.walk() if op.name in DIVISIONS]
        changed = False
        for op in found:
            form = self.simpler(op)
            if form is not None:
                changed |= self.replace(op, form)
        if changed:
            remove_dead_values(self.function)
        return changed

    def simpler(self, op: Operation) -> Expr | None:
        """Return the closed form of a division if it needs fewer divisions."""
        a = self.analysis
        form = a.get(op.results[0])
        if not isinstance(form, Expr) or not isinstance(result_type(op), IntegerType):
            return None
        with a.space.assuming(a.facts_at(op)):
            form = a.space.expanded(a.resolved(form))
        before = 1 + sum(
            count_divisions(a.resolved(e)) for v in op.operands if isinstance(e := a.get(v), Expr)
        )
        return form if count_divisions(form) < before else None

    def replace(self, op: Operation, form: Expr) -> bool:
        result = op.results[0]
        facts = type_facts(result.type)
        element = integer_type(facts.element)
        try:
            if facts.shape is None:
                value = self.emitter.typed(form, element, op, COMPUTED)
            elif not self.is_computed_in(facts.width, op):
                return False
            else:
                tensors = TensorEmitter(self.emitter, facts.shape, op, facts.width)
                value = tensors.tensor(form)
        except CannotEmit:
            return False
        if value.type != result.type or value is result:
            return False
        result.replace_all_uses_with(value)
        return True

    def is_computed_in(self, width: int, op: Operation) -> bool:
        """Tell whether numbers of so many bits hold all that a division depends on."""
        if width == 64:
            return True
        return width == 32 and not has_wide_tensors(op, self.emitter.narrow_ops)


def result_type(op: Operation) -> Attribute:
    """Return the element type of what an op computes."""
    return type_facts(op.results[0].type).element


def count_divisions(e: Expr) -> int:
    """Return how many different divisions a value needs; a remainder is one."""
    kinds = (Kind.FLOORDIV, Kind.TRUNCDIV)
    return sum(atom.kind in kinds for atom in atoms_within(e, moving=False))
