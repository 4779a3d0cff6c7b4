"""
Comparisons of floats that hold for NaN as well, which processors have as one.

Inductor keeps NaN by `where((x > c) | (x != x), x, c)`. Two comparisons, a disjunction and a choice
are one comparison and a choice where `c` is known to be a number, and one instruction where that is
not 0.
"""

import math
import re
import struct
from dataclasses import dataclass

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter

OR_NAN = {"ogt": "ugt", "oge": "uge", "olt": "ult", "ole": "ule"}
"""What holds where a comparison does, and for NaN."""
_CONSTANT = re.compile(r"0x([0-9A-F]{16})")


@dataclass(frozen=True)
class Comparison:
    """A comparison of two floats of LLVM's `type`."""

    predicate: str
    type: str
    a: Operand
    b: Operand


def compared(e: Emitter, predicate: str, type: str, a: Operand, b: Operand) -> str:
    """Compare two floats; return an i1."""
    result = e.builder.value(f"fcmp {predicate} {type} {a}, {b}")
    e.comparisons[result] = Comparison(predicate, type, a, b)
    return result


def holds_or_nan(e: Emitter, a: Operand, b: Operand) -> str | None:
    """Return the disjunction of two i1 as one comparison; None if it is none."""
    for one, other in ((a, b), (b, a)):
        comparison, nan = e.comparisons.get(one), e.comparisons.get(other)
        if comparison is None or nan is None or nan.predicate not in ("une", "uno"):
            continue
        left, right = comparison.a, comparison.b
        is_of_it = nan.a == nan.b and nan.a in (left, right) and nan.type == comparison.type
        number = right if nan.a == left else left
        if is_of_it and comparison.predicate in OR_NAN and _is_number(number):
            return compared(e, OR_NAN[comparison.predicate], nan.type, left, right)
    return None


def _is_number(operand: Operand) -> bool:
    """Return whether an operand is a constant other than NaN, as LLVM writes it."""
    bits = _CONSTANT.fullmatch(str(operand))
    return bits is not None and not math.isnan(*struct.unpack(">d", bytes.fromhex(bits[1])))
