"""
Differences from the greatest element of a block, which are not above 0.

    weights = exp(x - max(x))
    shares = weights / sum(weights)

An exponential of those is not infinite, which it then need not look for. One of them is 1, so that
their sum is not less, and what they are of it is found without a division (`float_quotients`).
"""

from dataclasses import dataclass
from math import inf, prod

from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from xtriton.cpu.emitter.access import shape_of
from xtriton.cpu.emitter.combiners import simple_combiner, whole_inputs
from xtriton.cpu.emitter.generics import generic_of, generic_of_reduce
from xtriton.cpu.emitter.magnitudes import made_by
from xtriton.lowering.builder import constant_scalar

_GREATEST = ("arith.maxnumf", "arith.maximumf")
_NEUTRAL = {"arith.addf": 0.0} | dict.fromkeys(_GREATEST, -inf)
_POWERS = ("math.exp", "math.exp2")
_STARTS = ("tensor.insert", "tensor.from_elements", "linalg.fill")


@dataclass(frozen=True)
class _Total:
    """What `combiner` makes of all elements of a block, and if not `pure` of more."""

    combiner: str
    block: SSAValue
    pure: bool


def is_below_greatest(value: SSAValue) -> bool:
    """Return whether elements of a float are those of a block without its greatest, or NaN."""
    return _greatest_of(value) is not None


def is_share(quotient: Operation) -> bool:
    """Return whether exponentials of such differences are divided by the sum of all of them."""
    weight = made_by(quotient.operands[0])
    power = weight.owner if weight is not None else None
    if not isinstance(power, Operation) or power.name not in _POWERS:
        return False
    greatest, total = _greatest_of(power.operands[0]), _total(quotient.operands[1])
    if greatest is None or total is None or not (greatest.pure and total.pure):
        return False
    weights = _block_of(quotient.operands[0])
    return total.combiner == "arith.addf" and weights is not None and total.block is weights


def _greatest_of(difference: SSAValue) -> _Total | None:
    """Return the greatest element of a block, if the others lose it in `difference`."""
    made = made_by(difference)
    op = made.owner if made is not None else None
    if not isinstance(op, Operation) or op.name != "arith.subf":
        return None
    block, greatest = _block_of(op.operands[0]), _total(op.operands[1])
    if greatest is None or greatest.combiner not in _GREATEST or greatest.block is not block:
        return None
    return greatest


def _block_of(element: SSAValue) -> SSAValue | None:
    """Return the block of which a loop takes an element."""
    if not isinstance(element, BlockArgument):
        return None
    loop = element.owner.parent_op()
    if loop is None or loop.name != "linalg.generic":
        return None
    inputs, number = generic_of(loop).inputs, element.index
    return inputs[number] if number < len(inputs) else None


def _total(value: SSAValue) -> _Total | None:
    """Return what a whole block is reduced to, if `value` is that."""
    made = made_by(value)
    op = made.owner if made is not None else None
    if isinstance(op, Operation) and op.name == "tensor.extract":
        op = op.operands[0].owner
    if not isinstance(op, Operation) or op.name != "linalg.reduce":
        return None
    generic = generic_of_reduce(op)
    combiner, combining = simple_combiner(generic), generic.yielded[0].owner
    if combiner not in _NEUTRAL or not isinstance(combining, Operation):
        return None
    if set(combining.operands) != set(generic.block.args):
        return None
    whole = whole_inputs(generic)
    (block,) = whole or generic.inputs
    sizes = shape_of(block.type)
    reduced = [size for size, reduces in zip(sizes, generic.reductions, strict=True) if reduces]
    if prod(reduced) != prod(sizes):
        return None
    pure = whole is not None or _start_of(generic.outputs[0]) == _NEUTRAL[combiner]
    return _Total(combiner, block, pure)


def _start_of(initial: SSAValue) -> float | None:
    """Return the number that a reduction begins with, if it is constant."""
    op = initial.owner
    if not isinstance(op, Operation) or op.name not in _STARTS:
        return None
    number = constant_scalar(op.operands[0])
    return number.value.data if isinstance(number, FloatAttr) else None
