"""Where the rules of `triton-arith-to-linalg` are kept, by the name of the op."""

from collections.abc import Callable, Sequence

from xdsl.ir import Operation, SSAValue

from xtriton.lowering.builder import Builder

OpRule = Callable[[Operation, Builder], Sequence[SSAValue] | None]
"""Inserts what replaces the op and returns the new results; None leaves the op as it is."""

ScalarRule = Callable[[Operation, Builder, Sequence[SSAValue]], Sequence[SSAValue] | None]
"""
The same for one element of an elementwise op: the operands are scalars.

None if this op, with the attributes that it has, cannot be lowered.
"""

OP_RULES: dict[str, OpRule] = {}
SCALAR_RULES: dict[str, ScalarRule] = {}


def op_rule(*names: str) -> Callable[[OpRule], OpRule]:
    """Register a rule for whole ops."""

    def register(rule: OpRule) -> OpRule:
        for name in names:
            OP_RULES[name] = rule
        return rule

    return register


def scalar_rule(*names: str) -> Callable[[ScalarRule], ScalarRule]:
    """Register a rule for elementwise ops, which is used for scalars and in loop bodies."""

    def register(rule: ScalarRule) -> ScalarRule:
        for name in names:
            SCALAR_RULES[name] = rule
        return rule

    return register
