# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""Proves that what a loop does beyond the end of another one is nothing: all is masked off."""

from __future__ import annotations

from typing import Any

import z3
from xdsl.ir import Operation, SSAValue

from xtriton.interpreter.formulas import LANES, NoFormula, Term, given, holds, symbol, with_facts
from xtriton.interpreter.reached import is_access, kind_of
from xtriton.interpreter.types import info
from xtriton.interpreter.zeros import never_negative_zero

_EFFECTS = frozenset(
    ("tt.assert", "tt.reduce", "tt.scan", "tt.dot", "tt.atomic_cas", "llvm.intr.assume",
     "gpu.barrier", "tt.print", "ttg.barrier", "tt.cat", "tt.join", "tt.split", "tt.gather",
     "tt.histogram")
)  # fmt: skip


def has_effect(op: Operation) -> bool:
    """Whether an op touches memory, takes decisions or sees all lanes."""
    if op.name == "scf.if" and len(op.results):
        inner = [o for r in op.regions for o in r.block.ops]
        return any(has_effect(o) for o in inner)
    if op.name == "tt.reshape" and op.properties.get("allow_reorder"):
        return True
    return op.name in _EFFECTS or is_access(op) or bool(op.regions)


def idle_beyond(pair: Any, one: Operation, other: Operation) -> bool:
    """
    Whether two loops from the same start by the same step differ in idle iterations only.

    An iteration that one of them makes and the other does not is idle if it accesses no memory
    and hands on what it was given.
    """
    ends = [pair.terms[loop.operands[1]] for loop in (one, other)]
    kept, offsets, answers = dict(pair.terms), pair.offsets, dict(pair.answers)
    # Beyond the original's end nothing was promised of its offsets.
    pair.offsets = type(offsets)()
    try:
        return all(
            _is_idle(pair, loop, _facts(pair, loop, end, less, loop is one))
            for loop, end, less in ((one, *ends), (other, *reversed(ends)))
        )
    except NoFormula:
        return False
    finally:
        pair.terms, pair.offsets, pair.answers = kept, offsets, answers


def _facts(pair: Any, loop: Operation, end: Term, less: Term, original: bool) -> Term:
    """Return the index of a loop in an iteration at or behind an end that it does not have."""
    low, step = (pair.terms[loop.operands[k]] for k in (0, 2))
    pair.fresh += 1
    index = symbol(f"beyond {pair.fresh}", loop.operands[0].type)
    reached = [low.formula <= index, index < end.formula, z3.Not(index < less.formula)]
    if z3.is_bv_value(step.formula):
        reached.append(z3.URem(index - low.formula, step.formula) == 0)
        if original:
            # A loop whose index overflows does not end: the last one leaves room for a step.
            last = symbol(f"last {pair.fresh}", loop.operands[0].type)
            most = z3.BitVecVal((1 << (last.size() - 1)) - 1, last.size())
            reached += [index <= last, last < end.formula, last <= most - step.formula]
            reached += [last + step.formula >= end.formula]
            reached += [z3.URem(last - low.formula, step.formula) == 0]
    return with_facts(Term(index), *reached, *given(low, step, end, less))


def _is_idle(pair: Any, loop: Operation, index: Term) -> bool:
    body = loop.regions[0].block
    pair.terms[body.args[0]] = index
    for carried in body.args[1:]:
        pair.terms[carried] = _unknown(pair, carried)
    for op in body.ops:
        if op is body.last_op:
            break
        if kind_of(op) in ("load", "store"):
            access = pair.accessed(op)
            off = z3.Not(holds(access.mask.formula))
            if not pair.always(off, (access.mask, index), access.shape):
                return False
            if op.results:
                read = access.other or _unknown(pair, op.results[0])
                pair.terms[op.results[0]] = read
        elif op.name == "tt.dot" and _adds_nothing(pair, op, index):
            pair.terms[op.results[0]] = pair.terms[op.operands[2]]
        elif op.name in ("tt.reduce", "tt.scan", "tt.dot"):
            for result in op.results:
                pair.terms[result] = _unknown(pair, result)
        elif has_effect(op):
            return False
        else:
            pair.pure(op)
    assert body.last_op is not None
    for before, after in zip(body.args[1:], body.last_op.operands, strict=True):
        a, b = pair.terms[before], pair.terms[after]
        if not pair.always(a.formula == b.formula, (a, b, index), info(before.type).shape):
            return False
    return True


def _adds_nothing(pair: Any, dot: Operation, index: Term) -> bool:
    """Whether both factors are zero and the sum that they are added to is no -0."""
    known = info(dot.operands[0].type)
    for factor in dot.operands[:2]:
        term, known = pair.terms[factor], info(factor.type)
        of = term.formula.sort()
        zero = z3.Const(f"{of} 0.0", of) if known.scalar.is_float else z3.BitVecVal(0, of.size())
        if not pair.always(term.formula == zero, (term, index), known.shape):
            return False
    return not known.scalar.is_float or never_negative_zero(dot.operands[2])


def _unknown(pair: Any, value: SSAValue) -> Term:
    pair.fresh += 1
    lanes = LANES[: len(info(value.type).shape)]
    return Term(symbol(f"unknown {pair.fresh}", value.type, *lanes))
