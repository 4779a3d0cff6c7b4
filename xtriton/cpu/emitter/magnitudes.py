"""
How large floats can be that are made of integers and constants.

An image is resized by making places of places: an integer becomes a float, is scaled, shifted and
limited, and becomes an integer again. Where it certainly fits, the conversion needs no care of what
is out of range or no number, which takes several times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, isnan

from xdsl.dialects.builtin import BFloat16Type, Float32Type, Float64Type, FloatAttr
from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.emitter.generics import generic_of
from xtriton.lowering.builder import constant_integer, constant_scalar

ROUNDED = 1 + 2**-7
"""How much greater the result of an operation may be for being rounded, to bf16 at worst."""
GREATEST = 2.0**127
"""What floats hold: a result beyond may be infinite, and what is made of that no number."""
DEEPEST = 12
"""Operations that a float is followed back: what makes places has fewer."""

_WIDE = (Float32Type, Float64Type, BFloat16Type)
"""Floats that hold all integers of up to 64 bits, rounded."""
_OF_MAGNITUDES: dict[str, Callable[[Sequence[float]], float]] = {
    "arith.addf": sum,
    "arith.subf": sum,
    "arith.mulf": lambda sizes: sizes[0] * sizes[1],
    "arith.negf": max,
    "arith.extf": max,
    "arith.truncf": max,
    "math.absf": max,
    "arith.maximumf": max,
    "arith.minimumf": max,
    "arith.maxnumf": max,
    "arith.minnumf": max,
    "arith.select": max,
}
"""What operations make of bounds of the magnitudes of numbers that are finite."""


def greatest_magnitude(value: SSAValue) -> float:
    """Return what no element of a float is beyond; infinity if it may be anything, or no number."""
    return _of_float(value, DEEPEST, {})


def _of_float(value: SSAValue, depth: int, known: dict[SSAValue, float]) -> float:
    """Return it, where operations are followed back `depth` times; `known` has what others took."""
    made = made_by(value)
    if made is None or depth == 0:
        return inf
    if made not in known:
        known[made] = _made_float(made, depth, known)
    return known[made]


def _made_float(made: SSAValue, depth: int, known: dict[SSAValue, float]) -> float:
    constant, op = constant_scalar(made), made.owner
    if isinstance(constant, FloatAttr):
        number = abs(constant.value.data)
        return inf if isnan(number) else number
    if not isinstance(op, Operation) or not isinstance(made.type, _WIDE):
        return inf
    if op.name == "arith.sitofp":
        return _of_integer(op.operands[0]) * ROUNDED
    rule = _OF_MAGNITUDES.get(op.name)
    if rule is None:
        return inf
    # Whatever chooses.
    floats = op.operands[1:] if op.name == "arith.select" else op.operands
    sizes = [_of_float(operand, depth - 1, known) for operand in floats]
    greatest = inf if inf in sizes else rule(sizes) * ROUNDED
    return greatest if greatest < GREATEST else inf


def _of_integer(value: SSAValue) -> float:
    """Return what no element of a signed integer is beyond."""
    made = made_by(value) or value
    op, bits = made.owner, getattr(made.type, "width", None)
    if isinstance(op, Operation) and op.name == "arith.remsi":
        divisor = constant_integer(op.operands[1])
        if divisor is not None:
            return abs(divisor)
    return inf if bits is None else 2.0 ** (bits.data - 1)


def made_by(value: SSAValue) -> SSAValue | None:
    """Return what computes each element of a value; None for what a loop carries or memory has."""
    owner = value.owner
    while isinstance(owner, Block):
        op = owner.parent_op()
        if op is None or op.name != "linalg.generic":
            return None
        inputs = generic_of(op).inputs
        number = owner.args.index(value)
        if number >= len(inputs):
            return None
        value = inputs[number]
        owner = value.owner
    if owner.name == "linalg.generic":
        generic = generic_of(owner)
        number = owner.results.index(value)
        return None if any(generic.reductions) else made_by(generic.yielded[number])
    return made_by(owner.operands[0]) if owner.name == "linalg.fill" else value
