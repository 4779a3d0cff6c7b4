# z3 has no types of its own: pyright cannot follow it.
# pyright: basic
"""Proves that what a loop does beyond the end of another one is nothing: all is masked off."""

from __future__ import annotations

import z3
from xdsl.ir import Operation

from xtriton.interpreter.types import info
from xtriton.judge.proofs.formulas import NoFormula, Term, given, holds, number, symbol, with_facts
from xtriton.judge.proofs.reached import kind_of
from xtriton.judge.proofs.walk import Walk, has_effect
from xtriton.judge.proofs.zeros import never_negative_zero


def idle_beyond(walk: Walk, one: Operation, other: Operation) -> bool:
    """
    Whether two loops from the same start by the same step differ in idle iterations only.

    An iteration that one of them makes and the other does not is idle if it accesses no memory
    and hands on what it was given.
    """
    ends = [walk.terms[loop.operands[1]] for loop in (one, other)]
    kept, offsets, answers = dict(walk.terms), walk.offsets, dict(walk.answers)
    # Beyond the original's end nothing was promised of its offsets.
    walk.offsets = type(offsets)()
    try:
        return all(
            _is_idle(walk, loop, _facts(walk, loop, end, less, loop is one))
            for loop, end, less in ((one, *ends), (other, *reversed(ends)))
        )
    except NoFormula:
        return False
    finally:
        walk.terms, walk.offsets, walk.answers = kept, offsets, answers


def _facts(walk: Walk, loop: Operation, end: Term, less: Term, original: bool) -> Term:
    """Return the index of a loop in an iteration at or behind an end that it does not have."""
    low, step = (walk.terms[loop.operands[k]] for k in (0, 2))
    walk.fresh += 1
    index = symbol(f"beyond {walk.fresh}", loop.operands[0].type)
    reached = [low.formula <= index, index < end.formula, z3.Not(index < less.formula)]
    if z3.is_bv_value(step.formula):
        reached.append(z3.URem(index - low.formula, step.formula) == 0)
        if original:
            # A loop whose index overflows does not end: the last one leaves room for a step.
            last = symbol(f"last {walk.fresh}", loop.operands[0].type)
            most = number((1 << (last.size() - 1)) - 1, last.size())
            reached += [index <= last, last < end.formula, last <= most - step.formula]
            reached += [last + step.formula >= end.formula]
            reached += [z3.URem(last - low.formula, step.formula) == 0]
    return with_facts(Term(index), *reached, *given(low, step, end, less))


def _is_idle(walk: Walk, loop: Operation, index: Term) -> bool:
    if walk.always(z3.Not(z3.And(*index.given)), (), (), hint=True):
        # There is no such iteration, as where both loops end before they start.
        return True
    body = loop.regions[0].block
    walk.terms[body.args[0]] = index
    for carried in body.args[1:]:
        walk.terms[carried] = walk.any_value(carried)
    for op in body.ops:
        if op is body.last_op:
            break
        if kind_of(op) in ("load", "store"):
            access = walk.accessed(op)
            off = z3.Not(holds(access.mask.formula))
            if not walk.always(off, (access.mask, index), access.shape):
                return False
            if op.results:
                read = access.other or walk.any_value(op.results[0])
                walk.terms[op.results[0]] = read
        elif op.name == "tt.dot" and _adds_nothing(walk, op, index):
            walk.terms[op.results[0]] = walk.terms[op.operands[2]]
        elif op.name in ("tt.reduce", "tt.scan", "tt.dot"):
            for result in op.results:
                walk.terms[result] = walk.any_value(result)
        elif has_effect(op):
            return False
        else:
            walk.pure(op)
    assert body.last_op is not None
    for before, after in zip(body.args[1:], body.last_op.operands, strict=True):
        a, b = walk.terms[before], walk.terms[after]
        if not walk.always(a.formula == b.formula, (a, b, index), info(before.type).shape):
            return False
    return True


def _adds_nothing(walk: Walk, dot: Operation, index: Term) -> bool:
    """Whether both factors are zero and the sum that they are added to is no -0."""
    known = info(dot.operands[0].type)
    for factor in dot.operands[:2]:
        term, known = walk.terms[factor], info(factor.type)
        of = term.formula.sort()
        zero = z3.Const(f"{of} 0.0", of) if known.scalar.is_float else number(0, of.size())
        if not walk.always(term.formula == zero, (term, index), known.shape):
            return False
    return not known.scalar.is_float or never_negative_zero(dot.operands[2])
