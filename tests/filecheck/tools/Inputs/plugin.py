"""A pass plug-in of a dozen lines."""

from xdsl.dialects.builtin import ModuleOp

import xtriton as xt
from xtriton.diagnostics import position_of
from xtriton.dialects.upstream.arith import AddiOp, MuliOp


@xt.rewrite_pattern
def add_to_mul(op: AddiOp, rewriter: xt.PatternRewriter) -> None:
    rewriter.replace(op, MuliOp(op.lhs, op.rhs))


@xt.module_pass("plugin-add-to-mul")
def add_to_mul_pass(module: ModuleOp, limit: int = 2) -> None:
    """Turn additions into multiplications."""
    if limit > 1:
        xt.apply_patterns(module, add_to_mul)


@xt.module_pass("plugin-remark")
def remark_on_additions(module: ModuleOp) -> None:
    """Tell of every addition, and refuse multiplications."""
    for op in module.walk():
        if op.name == "arith.addi":
            xt.remark(op, "an addition")
        elif op.name == "arith.muli":
            raise xt.UserError("cannot multiply", position_of(op))


@xt.module_pass("plugin-crash")
def crash(module: ModuleOp) -> None:
    """Divide by zero."""
    raise ZeroDivisionError("nothing left")


@xt.module_pass("plugin-break")
def break_module(module: ModuleOp) -> None:
    """Leave a function without its terminator."""
    function = next(iter(module.body.block.ops))
    terminator = function.regions[0].block.last_op
    assert terminator is not None
    terminator.detach()
