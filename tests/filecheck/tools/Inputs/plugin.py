"""A pass plug-in of a dozen lines."""

import xtriton as xt
from xtriton.dialects.upstream.arith import AddiOp, MuliOp


@xt.rewrite_pattern
def add_to_mul(op: AddiOp, rewriter: xt.PatternRewriter) -> None:
    rewriter.replace(op, MuliOp(op.lhs, op.rhs))


@xt.module_pass("plugin-add-to-mul")
def add_to_mul_pass(module, limit: int = 2):
    """Turn additions into multiplications."""
    if limit > 1:
        xt.apply_patterns(module, add_to_mul)


@xt.module_pass("plugin-crash")
def crash(module):
    """Divide by zero."""
    return 1 // 0


@xt.module_pass("plugin-break")
def break_module(module):
    """Leave a function without its terminator."""
    function = next(iter(module.body.block.ops))
    function.regions[0].block.last_op.detach()
