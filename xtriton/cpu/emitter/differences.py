"""
Differences from the greatest element of a block, which are not above 0.

    weights = exp(x - max(x))

An exponential of those is not infinite, which it then need not look for.
"""

from math import prod

from xdsl.ir import BlockArgument, Operation, SSAValue

from xtriton.cpu.emitter.access import shape_of
from xtriton.cpu.emitter.combiners import simple_combiner, whole_inputs
from xtriton.cpu.emitter.generics import generic_of, generic_of_reduce
from xtriton.cpu.emitter.magnitudes import made_by

_GREATEST = ("arith.maxnumf", "arith.maximumf")


def is_below_greatest(value: SSAValue) -> bool:
    """Return whether elements of a float are those of a block without its greatest, or NaN."""
    made = made_by(value)
    op = made.owner if made is not None else None
    if not isinstance(op, Operation) or op.name != "arith.subf":
        return False
    block, greatest = _block_of(op.operands[0]), made_by(op.operands[1])
    return block is not None and greatest is not None and _greatest_of(greatest) is block


def _block_of(element: SSAValue) -> SSAValue | None:
    """Return the block of which a loop takes an element."""
    if not isinstance(element, BlockArgument):
        return None
    loop = element.owner.parent_op()
    if loop is None or loop.name != "linalg.generic":
        return None
    inputs, number = generic_of(loop).inputs, element.index
    return inputs[number] if number < len(inputs) else None


def _greatest_of(value: SSAValue) -> SSAValue | None:
    """Return the block of all of whose elements `value` is the greatest one, if it is that."""
    op = value.owner
    if isinstance(op, Operation) and op.name == "tensor.extract":
        op = op.operands[0].owner
    if not isinstance(op, Operation) or op.name != "linalg.reduce":
        return None
    generic = generic_of_reduce(op)
    combining = generic.yielded[0].owner
    if simple_combiner(generic) not in _GREATEST or not isinstance(combining, Operation):
        return None
    if set(combining.operands) != set(generic.block.args):
        return None
    (block,) = whole_inputs(generic) or generic.inputs
    sizes = shape_of(block.type)
    reduced = [size for size, reduces in zip(sizes, generic.reductions, strict=True) if reduces]
    return block if prod(reduced) == prod(sizes) else None
