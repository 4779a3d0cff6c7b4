"""
Quotients of floats: what weights are of their total is found without a division.

    weights = exp(x - max(x))
    shares = weights / sum(weights)

With the reciprocal r of the total t, rounded, and s, what r lacks of 1 / t,

    w / t = w·r + w·s

in which r and s are the same for all weights. No weight is beyond 1 and the total is not below it,
so that nothing overflows. The sum is rounded once, and of f32 w·s is 2⁻²⁴ of it at most: it is the
float that a division gives, but where a quotient is as near as 2⁻⁴⁸ to the middle of two, or to 0.
"""

from xdsl.ir import Operation

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.arithmetic import binary
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.differences import is_share
from xtriton.cpu.emitter.elementwise import scalar_rule
from xtriton.cpu.types import suffix


@scalar_rule("arith.divf")
def _quotient(e: Emitter, op: Operation) -> None:
    a, b = e.scalars(op.operands)
    type = e.type(op.results[0].type)
    if e.target.fma and type.small is None and is_share(op):
        e.bind(op.results[0], _share(e.builder, type.register, a, b))
    else:
        e.bind(op.results[0], binary(e, op.name, type, a, b))


def _share(b: IRBuilder, t: str, weight: Operand, total: Operand) -> str:
    """Append the quotient of a weight and the total, of which LLVM has loops do the rest once."""
    one = "1.0"
    reciprocal = b.value(f"fdiv {t} {one}, {total}")
    opposite = b.value(f"fneg {t} {total}")
    left = b.call(t, f"llvm.fma.{suffix(t)}", [(t, opposite), (t, reciprocal), (t, one)])
    lacking = b.value(f"fmul {t} {left}, {reciprocal}")
    less = b.value(f"fmul {t} {weight}, {lacking}")
    return b.call(t, f"llvm.fma.{suffix(t)}", [(t, weight), (t, reciprocal), (t, less)])
