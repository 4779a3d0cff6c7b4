"""
Divide as unsigned numbers what is not negative.

Before:

    %pid = tt.get_program_id x : i32
    %row = arith.divsi %pid, %c128_i32 : i32
    %column = arith.remsi %pid, %c128_i32 : i32

After, since no backend has to care for the sign:

    %pid = tt.get_program_id x : i32
    %row = arith.divui %pid, %c128_i32 : i32
    %column = arith.remui %pid, %c128_i32 : i32

The dividend must not be negative and the divisor must be positive. Signed sums and products
are taken not to overflow, as in the backend; where they may, the option `proof` demands that
they cannot.
Source: `SimplifySignedArithmetic.cpp` of the Intel XPU backend. Other than there, quotients and
remainders of unsigned numbers may be negative as signed ones; hints are kept, and what loops and
branches make of numbers is followed, unless `as_backend` asks for what the backend does.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.integer_ranges import integer_ranges
from xtriton.dialects.tt.program import GetNumProgramsOp, GetProgramIdOp, MakeRangeOp
from xtriton.dialects.tt.shapes import BroadcastOp, ExpandDimsOp, SplatOp
from xtriton.dialects.upstream.arith import (
    AddiOp,
    AndIOp,
    CeilDivSIOp,
    CeilDivUIOp,
    ConstantOp,
    DivSIOp,
    DivUIOp,
    ExtSIOp,
    ExtUIOp,
    MaxSIOp,
    MinSIOp,
    MuliOp,
    RemSIOp,
    RemUIOp,
    SelectOp,
    ShRSIOp,
)
from xtriton.passes.rewriting import replace
from xtriton.transforms.intel.building import insert_before

_UNSIGNED: dict[type[Operation], type[Operation]] = {
    CeilDivSIOp: CeilDivUIOp,
    DivSIOp: DivUIOp,
    RemSIOp: RemUIOp,
}


@dataclass(frozen=True)
class SimplifySignedArithmeticPass(ModulePass):
    """
    Turn signed quotients and remainders of numbers that are not negative into unsigned ones.

    `proof` demands that sums and products are known not to leave their width; else they are
    taken not to.
    """

    name = "triton-intel-simplify-signed-arithmetic"

    proof: bool = False
    as_backend: bool = False
    """Whether values of block arguments stay unknown, and new ops lose hints, as in the backend."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        divisions = [o for o in op.walk() if type(o) in _UNSIGNED]
        if not divisions:
            return
        followed = _followed_by_backend(op) if self.as_backend else set[SSAValue]()
        ranges = integer_ranges(op, without_overflow=not self.proof)

        def is_unsigned(division: Operation) -> bool:
            if self.as_backend and not followed.issuperset(division.operands):
                return False
            dividend, divisor = map(ranges.range, division.operands)
            return dividend is not None and divisor is not None and _fits(dividend, divisor)

        for division in list(filter(is_unsigned, divisions)):
            new = _UNSIGNED[type(division)].create(
                operands=division.operands,
                result_types=[division.results[0].type],
                attributes={} if self.as_backend else dict(division.attributes),
            )
            value = insert_before(new, division, division.location)
            value.name_hint = division.results[0].name_hint
            replace(division, [value])


_FIRST = (BroadcastOp, ExpandDimsOp, ExtSIOp, RemSIOp, ShRSIOp, SplatOp)
_KNOWN = (
    ConstantOp,
    DivUIOp,
    ExtUIOp,
    GetNumProgramsOp,
    GetProgramIdOp,
    MakeRangeOp,
    RemUIOp,
)


def _followed_by_backend(module: ModuleOp) -> set[SSAValue]:
    """Return the values that the backend follows back to numbers that it knows."""
    followed: set[SSAValue] = set()
    for op in module.walk():
        known = [operand in followed for operand in op.operands]
        match op:
            case AndIOp() | MaxSIOp():
                follows = any(known)
            case SelectOp():
                follows = all(known[1:])
            case AddiOp() | DivSIOp() | MinSIOp() | MuliOp():
                follows = all(known)
            case _:
                follows = isinstance(op, _KNOWN) or (isinstance(op, _FIRST) and known[0])
        if follows:
            followed.update(op.results)
    return followed


def _fits(dividend: tuple[int, int], divisor: tuple[int, int]) -> bool:
    return dividend[0] >= 0 and divisor[0] > 0
