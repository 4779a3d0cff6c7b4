"""
Forms across loops, branches and calls.

A value that a loop carries is a symbol while the body is read. What the body yields then
says how it develops (`recurrence`), and the symbol gets its solution.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import SymbolTable

from xtriton.analysis.forward import IndexAnalysis, Recurrence, Rule
from xtriton.analysis.indexing import MACHINE, Atom, Cond, Expr, facts_of
from xtriton.analysis.pointer_roots import common_root
from xtriton.analysis.transfer import chosen
from xtriton.analysis.transplant import transplant
from xtriton.analysis.values import Pointer, Sort, TensorBlock, Unknown, Value, type_facts
from xtriton.ir.value_flow import bounds_of, handed_on, initial_values


@dataclass
class Carried:
    """A value carried by a loop: its symbol(s) while the body is read."""

    argument: BlockArgument
    initial: Value | None
    result: SSAValue | None
    symbols: tuple[Expr, ...] = ()
    """One leaf or element for an integer or a pointer's offset; per dimension for a block."""

    solved: tuple[Expr, ...] = ()


def for_loop(a: IndexAnalysis, op: Operation) -> None:
    """`scf.for`: the induction variable is lower bound + iterations * step."""
    space = a.space
    lower, upper, step = (a.expr(v) for v in bounds_of(op))
    body = op.regions[0].blocks[0]
    trips = trip_count(a, op, lower, upper, step)
    a.trip_counts[op] = trips
    most = max(1, trips.interval[1])
    induction, *arguments = body.args
    iteration = space.iteration(op, f"k{_depth(op)}", most)
    if len(step.terms) == 1 and trips.interval[1] > 0:
        a.values[induction] = lower + iteration * step
    iv = a.expr(induction)
    carried = [
        enter(a, argument, a.get(initial), result)
        for argument, initial, result in zip(arguments, initial_values(op), op.results, strict=True)
    ]
    facts = (upper - iv - 1, iv - lower) if step.interval[0] > 0 and not may_cross(op, a) else ()
    _check_pointers(a, carried, body)
    a.walk(body, tuple(f for f in facts if f.constant is None))
    yielded = body.ops.last
    assert yielded is not None
    _solve(a, op, carried, yielded.operands, iteration)
    for c in carried:
        _set_result(a, op, c, iteration, trips)


def trip_count(a: IndexAnalysis, op: Operation, lower: Expr, upper: Expr, step: Expr) -> Expr:
    """Return how many iterations an `scf.for` has."""
    space = a.space
    if may_cross(op, a):
        width = type_facts(op.operands[0].type).width
        if width > 32:  # no form has numbers of more than 64 bits
            return space.scalar(("trips", op), "trips", (0, MACHINE[1]))
        lower, upper = (
            space.select(space.nonnegative(e), e, e + (1 << width)) for e in (lower, upper)
        )
    return space.maximum(space.ceildiv(upper - lower, step), space.zero)


def may_cross(op: Operation, a: IndexAnalysis) -> bool:
    """Tell whether an `scf.for` counts without sign between numbers that may be negative."""
    bounds = (a.expr(v) for v in op.operands[:2])
    return "unsignedCmp" in op.properties and any(e.interval[0] < 0 for e in bounds)


def _depth(op: Operation) -> int:
    depth = 0
    parent = op.parent_op()
    while parent is not None:
        depth += parent.name in ("scf.for", "scf.while")
        parent = parent.parent_op()
    return depth


def enter(
    a: IndexAnalysis, argument: BlockArgument, initial: Value | None, result: SSAValue | None
) -> Carried:
    """Give a carried value its symbol."""
    carried = Carried(argument, initial, result)
    facts = type_facts(argument.type)
    match initial:
        case Expr():
            e = a.symbol(argument)
            carried.symbols = (e,)
            a.values[argument] = e
        case Pointer():
            e = _offset_symbol(a, ("offset", argument), argument, facts.shape)
            carried.symbols = (e,)
            a.values[argument] = Pointer(initial.base, e, initial.pointee)
        case TensorBlock():
            carried.symbols = tuple(
                _offset_symbol(a, ("offset", argument, d), argument, None)
                for d in range(len(initial.offsets))
            )
            a.values[argument] = replace(initial, offsets=carried.symbols)
        case _:
            a.get(argument)
    return carried


def _offset_symbol(
    a: IndexAnalysis, key: tuple[object, ...], value: SSAValue, shape: tuple[int, ...] | None
) -> Expr:
    name = f"{a.name_of(value)}_offset"
    if shape is None:
        return a.space.scalar(key, name)
    return a.space.element(key, name, a.positions(shape))


def _check_pointers(a: IndexAnalysis, carried: list[Carried], body: Block) -> None:
    """Let go of the base of each carried pointer that the body may replace by another."""
    last = body.ops.last
    assert last is not None
    for c, value in zip(carried, last.operands, strict=True):
        if isinstance(c.initial, Pointer | TensorBlock) and not common_root(
            value, c.argument, c.initial.base
        ):
            forget(a, c, "loop carries pointers with several bases")


def forget(a: IndexAnalysis, c: Carried, reason: str) -> None:
    """Make a carried value opaque."""
    c.initial, c.symbols = None, ()
    a.values.pop(c.argument, None)
    value = a.opaque(c.argument)
    if isinstance(value, Unknown):
        value = Unknown(reason, c.argument)
    if value is not None:
        a.values[c.argument] = value


# --- recurrences ----------------------------------------------------------------------


def _parts(value: Value | None, like: Carried) -> tuple[Expr, ...] | None:
    """Return the expressions of a yielded value that stand against the symbols."""
    match value, like.initial:
        case Expr(), Expr():
            return (value,)
        case Cond(), Expr():
            return None
        case Pointer(), Pointer() if value.base is like.initial.base:
            return (value.offset,) if value.pointee == like.initial.pointee else None
        case TensorBlock(), TensorBlock() if value.base is like.initial.base:
            same = value.strides == like.initial.strides and value.origin is like.initial.origin
            return value.offsets if same else None
        case _:
            return None


def _initial_parts(value: Value | None) -> tuple[Expr, ...]:
    match value:
        case Expr():
            return (value,)
        case Pointer():
            return (value.offset,)
        case TensorBlock():
            return value.offsets
        case _:
            return ()


def _solve(
    a: IndexAnalysis,
    op: Operation,
    carried: list[Carried],
    yielded: Sequence[SSAValue],
    iteration: Expr | None,
) -> None:
    """Solve what is carried; those that depend on others wait for them."""
    open_: list[tuple[Carried, int, Expr, Expr]] = []
    for c, value in zip(carried, yielded, strict=True):
        if not c.symbols:
            continue
        parts = _parts(a.get(value), c)
        if parts is None:
            continue
        c.solved = c.symbols
        for index, (initial, part) in enumerate(zip(_initial_parts(c.initial), parts, strict=True)):
            open_.append((c, index, initial, part))
    known: dict[int, Expr] = {}
    for last_chance in (False, False, False, True):
        waiting: list[tuple[Carried, int, Expr, Expr]] = []
        for c, index, initial, part in open_:
            symbol = c.symbols[index]
            if known:
                part = a.space.substitute(part, known)
            solution = recurrence(a, op, c, symbol, initial, part, iteration, last_chance)
            if solution is None or a.exceeds(c.argument, solution):
                waiting.append((c, index, initial, part))
                continue
            leaf = a.space.leaf_of(symbol)
            known[leaf.uid] = solution
            a.solve(leaf, solution)
            c.solved = (*c.solved[:index], solution, *c.solved[index + 1 :])
        if not waiting:
            return
        open_ = waiting


def recurrence(
    a: IndexAnalysis,
    op: Operation,
    c: Carried,
    symbol: Expr,
    initial: Expr,
    following: Expr,
    iteration: Expr | None,
    last_chance: bool,
) -> Expr | None:
    """
    Return the value before an iteration of what starts as `initial` and becomes
    `following`, an expression over `symbol`; None if it has no form (yet).
    """
    space = a.space
    leaf = space.leaf_of(symbol)
    increment = following - symbol
    if leaf.uid not in increment.leaves:
        varying = [u for u in increment.leaves if _varies(a, space.atoms[u], op)]
        total: Expr | None = None
        if not increment.terms:
            return initial
        if iteration is not None and iteration.terms:
            if not varying:
                total = iteration * increment
            elif varying == [space.leaf_of(iteration).uid]:
                total = _summed(a, increment, iteration)
        if total is None and last_chance and not increment.dims:
            total = _accumulated(a, c, symbol)
        if total is not None:
            if total.dims == 0:
                a.recurrences[leaf.key] = Recurrence(op, c.argument, increment, total)
            return initial + total
        return None
    if leaf.uid not in following.leaves and iteration is not None and iteration.terms:
        uid = space.leaf_of(iteration).uid
        if all(u == uid for u in following.leaves if _varies(a, space.atoms[u], op)):
            before = space.substitute(following, {uid: iteration - 1})
            if space.substitute(before, {uid: space.zero}) is initial:
                return before
            return space.select(space.is_zero(iteration), initial, before)
    return None


def _accumulated(a: IndexAnalysis, c: Carried, symbol: Expr) -> Expr | None:
    """
    Return a symbol for all that was added so far.

    Integers of rank 0 need none, they are values of the program themselves.
    """
    if isinstance(c.initial, Expr) and type_facts(c.argument.type).shape is None:
        return None
    if isinstance(c.initial, Pointer) and type_facts(c.argument.type).shape is None:
        return None
    key = a.space.leaf_of(symbol).key
    return a.space.scalar(("accumulated", c.argument, key), f"{a.name_of(c.argument)}_total")


def _varies(a: IndexAnalysis, leaf: Atom, op: Operation) -> bool:
    """Tell whether a leaf may differ between iterations of `op`."""
    if isinstance(leaf.key, Operation):
        inner: Operation | None = leaf.key
        while inner is not None and inner is not op:
            inner = inner.parent_op()
        return inner is op
    return a.defined_inside(leaf, op)


def _summed(a: IndexAnalysis, increment: Expr, iteration: Expr) -> Expr | None:
    """Return the sum of an increment that is linear in the iterations before this one."""
    slope = increment.coefficient(a.space.leaf_of(iteration))
    rest = increment - slope * iteration
    uid = a.space.leaf_of(iteration).uid
    if uid in slope.leaves or uid in rest.leaves:
        return None
    triangle = a.space.floordiv(iteration * (iteration - 1), 2)
    return rest * iteration + slope * triangle


def _set_result(a: IndexAnalysis, op: Operation, c: Carried, iteration: Expr, trips: Expr) -> None:
    """Give the loop's result the form that the carried value has after the last iteration."""
    if c.result is None:
        return
    if not c.solved:
        return
    finals: list[Expr] = []
    for symbol, solution in zip(c.symbols, c.solved, strict=True):
        if solution is symbol:
            return
        if iteration.terms:
            solution = a.space.substitute(solution, {a.space.leaf_of(iteration).uid: trips})
        for u in solution.leaves:
            if _varies(a, a.space.atoms[u], op):
                return
        finals.append(solution)
    match c.initial:
        case Expr():
            a.values[c.result] = finals[0]
        case Pointer(base, _, pointee):
            a.values[c.result] = Pointer(base, finals[0], pointee)
        case TensorBlock() as block:
            a.values[c.result] = replace(block, offsets=tuple(finals))
        case _:
            pass


# --- while, if ------------------------------------------------------------------------


def while_loop(a: IndexAnalysis, op: Operation) -> None:
    """`scf.while`: what does not change, or only grows, keeps its form."""
    before, after = (region.blocks[0] for region in op.regions)
    carried = [
        enter(a, argument, a.get(initial), None)
        for argument, initial in zip(before.args, op.operands, strict=True)
    ]
    _check_pointers(a, carried, after)
    a.walk(before, ())
    condition = before.ops.last
    assert condition is not None
    names = dict(zip(handed_on(condition), after.args, strict=True))
    for argument, value in zip(after.args, handed_on(condition), strict=True):
        found = a.get(value)
        if isinstance(found, Pointer | TensorBlock) and _is_made_in(found.base, before):
            # the body knows a pointer of the condition by another name, or not at all
            name = names.get(found.base)
            found = a.opaque(argument) if name is None else replace(found, base=name)
        if found is not None:
            a.values[argument] = found
    facts = facts_of(a.cond(condition.operands[0]))
    a.walk(after, tuple(facts))
    yielded = after.ops.last
    assert yielded is not None
    _solve(a, op, carried, yielded.operands, None)
    for result, value in zip(op.results, handed_on(condition), strict=True):
        found = a.get(value)
        if isinstance(found, Expr) and not any(
            _varies(a, a.space.atoms[u], op) for u in found.leaves
        ):
            a.values[result] = found


def _is_made_in(value: SSAValue, block: Block) -> bool:
    """Tell whether a value is an argument of a block, or made in it or in the regions inside."""
    around = value.owner if isinstance(value, BlockArgument) else value.owner.parent_block()
    while around is not None and around is not block:
        parent = around.parent_op()
        around = parent.parent_block() if parent is not None else None
    return around is block


def if_op(a: IndexAnalysis, op: Operation) -> None:
    """`scf.if`: each branch knows its condition; results join what agrees."""
    condition = a.cond(op.operands[0])
    conditions = (condition, a.space.negation(condition))
    yields: list[Sequence[SSAValue]] = []
    for region, fact in zip(op.regions, conditions, strict=True):
        if region.blocks:
            a.walk(region.blocks[0], tuple(facts_of(fact)))
            last = region.blocks[0].ops.last
            yields.append(last.operands if last is not None else ())
    if len(yields) != 2:
        return
    for result, yes, no in zip(op.results, *yields, strict=True):
        x, y = a.get(yes), a.get(no)
        if x is None or y is None:
            continue
        if x == y:
            a.values[result] = x
            continue
        if type_facts(result.type).shape is None and type_facts(result.type).sort in (
            Sort.INTEGER,
            Sort.POINTER,
        ):
            if isinstance(x, Expr) and isinstance(y, Expr):
                # a scalar of the program says it best; what is known are its bounds
                low = min(x.interval[0], y.interval[0])
                high = max(x.interval[1], y.interval[1])
                a.values[result] = a.symbol(result, _clipped(result, low, high))
            continue
        found = chosen(a, condition, x, y)
        if found is not None and not _any_inside(a, found, op):
            a.values[result] = found


def _clipped(value: SSAValue, low: int, high: int) -> tuple[int, int]:
    least, most = type_facts(value.type).interval
    return max(low, least), min(high, most)


def _any_inside(a: IndexAnalysis, value: Value, op: Operation) -> bool:
    match value:
        case Expr() | Cond():
            leaves = value.leaves
        case Pointer():
            leaves = value.offset.leaves
        case TensorBlock():
            leaves = frozenset[int]().union(*(e.leaves for e in value.offsets))
        case _:
            return False
    return any(a.defined_inside(a.space.atoms[u], op) for u in leaves)


# --- calls ----------------------------------------------------------------------------


def call(a: IndexAnalysis, op: Operation) -> None:
    """`tt.call`: the callee's results over its arguments, where it is a single block."""
    callee = _callee(op)
    last = callee.regions[0].blocks[0].ops.last if callee is not None else None
    if callee is None or last is None or last.name != "tt.return":
        return
    if not any(type_facts(r.type).sort in (Sort.INTEGER, Sort.POINTER) for r in op.results):
        return
    if callee not in a.summaries:
        a.summaries[callee] = None
        a.summaries[callee] = IndexAnalysis(callee, a.rules, a.summaries)
    inner = a.summaries[callee]
    if inner is None:
        return
    mapping: dict[int, Expr] = {}
    for argument, operand in zip(last.parent.args, op.operands, strict=True):  # pyright: ignore[reportOptionalMemberAccess]
        form, value = inner.values.get(argument), a.get(operand)
        if isinstance(form, Expr) and isinstance(value, Expr):
            mapping[inner.space.leaf_of(form).uid] = value
    for result, returned in zip(op.results, last.operands, strict=True):
        value = inner.get(returned)
        if isinstance(value, Expr):
            found = transplant(a.space, inner.space, inner.resolved(value), mapping)
            if found is not None:
                a.define(result, found)
        elif isinstance(value, Pointer) and isinstance(value.base, BlockArgument):
            origin = a.get(op.operands[value.base.index])
            found = transplant(a.space, inner.space, inner.resolved(value.offset), mapping)
            if found is None or not isinstance(origin, Pointer):
                continue
            if origin.pointee == value.pointee and value.base.owner is last.parent:
                a.values[result] = replace(origin, offset=origin.offset + found)


def _callee(op: Operation) -> Operation | None:
    name = op.properties.get("callee")
    if not isinstance(name, SymbolRefAttr):
        return None
    found = SymbolTable.lookup_symbol(op, name)
    has_body = found is not None and found.regions and found.regions[0].first_block is not None
    return found if has_body else None


RULES: dict[str, Rule] = {
    "scf.for": for_loop,
    "scf.if": if_op,
    "scf.while": while_loop,
    "tt.call": call,
}
"""By the name of the op."""
