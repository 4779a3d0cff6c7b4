"""
Notices when the address arithmetic of a kernel overflows.

Signed overflow of offsets counts as undefined, as Triton's own analyses take it: a pass may
compute them in 64 bits. Where the original overflows, a difference proves nothing.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from xtriton.interpreter.types import info
from xtriton.ir.value_flow import deciding, sources
from xtriton.semantics.elements import Array

_WIDE: dict[str, Callable[[Array, Array], Array]] = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.shli": np.left_shift,
}
_OFFSETS = {
    "tt.addptr": slice(1, None),
    "tt.advance": slice(1, None),
    "tt.make_tensor_ptr": slice(1, None),
    "tt.make_tensor_descriptor": slice(1, None),
    "tt.descriptor_load": slice(1, None),
    "tt.descriptor_store": slice(2, None),
    "tt.descriptor_reduce": slice(2, None),
    "tt.descriptor_gather": slice(1, 3),
    "tt.descriptor_scatter": slice(1, 3),
    "tts.make_tptr": slice(1, None),
    "tts.make_gather_scatter_tptr": slice(1, None),
    "tts.make_affine_tptr": slice(1, None),
    "tts.gather": slice(1, 2),
    "tts.scatter": slice(1, 2),
}
"""The operands of an op that say where it reaches memory."""
_MASKED = ("load", "store", "gather", "scatter", "rmw")
_MASKS = ("mask", "mask_dims", "starts", "ends")
"""A mask compares offsets with extents: `i < n` is `i - n < 0` where nothing overflows."""
_FAR_OFF = 2.0**62
_MIXES = frozenset(("arith.xori", "tt.mulhiui", "arith.remui", "arith.divui"))
"""Ops on numbers without a sign, such as random ones: they may wrap. Of truths it is just `not`."""
_CONTROL = ("scf.for", "scf.if", "scf.while")
_STOPS = ("load", "gather", "rmw", "cas", "reduce", "scan", "dot")


def address_arithmetic(module: Operation) -> set[Operation]:
    """Return the integer ops of a module whose results go into offsets of pointers or masks."""
    work: list[SSAValue] = []
    for op in module.walk():
        work.extend(op.operands[_OFFSETS.get(op.name, slice(0))])
        if op.name.startswith(("tt.", "tts.")) and op.name.endswith(_MASKED):
            for name in _MASKS:
                masks: Any = getattr(op, name, None)
                if isinstance(masks, SSAValue):
                    masks = (masks,)
                work.extend(masks or ())
        if op.name == "tt.return":
            # A kernel returns nothing; what a function gives to others may be an offset there.
            work.extend(op.operands)
    found: set[Operation] = set()
    seen: set[SSAValue] = set()
    while work:
        value: Any = work.pop()
        if value in seen:
            continue
        seen.add(value)
        owner: Any = value.owner
        if not isinstance(owner, Operation):
            parent = owner.parent_op()
            if parent is not None and parent.name.startswith("scf."):
                work.extend(_handed_on(parent, value))
            continue
        if owner.name in _WIDE:
            found.add(owner)
        if owner.name.endswith(_STOPS) or (owner.name in _MIXES and _width(owner) > 1):
            continue
        if owner.name in _CONTROL:
            work.extend(_handed_on(owner, value))
            continue
        work.extend(owner.operands)
        for region in owner.regions:
            for block in region.blocks:
                work.extend(block.last_op.operands if block.last_op is not None else ())
    return found


def _handed_on(op: Operation, value: SSAValue) -> list[SSAValue]:
    """Return what a result of `scf`, or an argument of its block, is made of, and what decides."""
    return [*deciding(op), *(sources(value) or ())]


def _width(op: Operation) -> int:
    return info(op.results[0].type).scalar.width


def _as_floats(op: Operation, a: Array, b: Array) -> Array:
    """Return what an op on numbers of 64 bits computes, without their limits."""
    x, y = np.asarray(a, np.float64), np.asarray(b, np.float64)
    return x * np.exp2(y) if op.name == "arith.shli" else _WIDE[op.name](x, y)


def lost_bits(op: Operation) -> Callable[[Array, Array, Array], Any]:
    """Return what tells, of operands and the result of an op, where its type has too few bits."""
    wide = _WIDE[op.name]
    if info(op.results[0].type).scalar.width <= 32:
        return lambda a, b, result: wide(a.astype(np.int64), b.astype(np.int64)) != result
    # The float is off by little: a sum or product that overflows is off by 2^64.
    return lambda a, b, result: np.abs(_as_floats(op, a, b) - result) > _FAR_OFF


def watched(
    op: Operation, compute: Callable[..., Any], overflowed: Callable[[], None]
) -> Callable[..., Any]:
    """Return `compute` of an op, which calls `overflowed` where its type has too few bits."""
    if info(op.results[0].type).scalar.width == 1:
        return compute
    lost = lost_bits(op)

    def run(a: Array, b: Array) -> Array:
        result = compute(a, b)
        if lost(a, b, result).any():
            overflowed()
        return result

    return run
