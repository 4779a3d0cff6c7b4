"""
Tensors of pointers with several bases: which one it is becomes a matter of scalars.

Pointers that take turns in a loop. Before:

    scf.for ... iter_args(%p = %as, %q = %bs) { ... scf.yield %q, %p }

where `%as` and `%bs` are `%a` and `%b`, with the same offsets. After:

    scf.for ... iter_args(%a1 = %a, %b1 = %b) { %p = ... %a1 ... scf.yield %b1, %a1 }

Pointers between which a condition on scalars chooses, by `arith.select` or `scf.if`: it
chooses between their bases. So each of them has one base, a value of the program.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from xtriton.analysis.forward import IndexAnalysis
from xtriton.analysis.index_analysis import index_analysis
from xtriton.analysis.indexing import Expr
from xtriton.analysis.values import Pointer, Sort, type_facts
from xtriton.dialects.upstream.arith import SelectOp
from xtriton.ir.value_flow import initial_values
from xtriton.ir.walking import ops_in
from xtriton.transforms.loop_rewriting import add_carried, yield_also
from xtriton.transforms.raising.dead_values import remove_dead_values

_SHAPING = frozenset(
    {"tt.splat", "tt.addptr", "tt.broadcast", "tt.expand_dims", "tt.reshape", "tt.trans"}
)


def make_bases_scalars(function: Operation) -> None:
    """Let loops exchange and branches choose scalar bases instead of tensors of pointers."""
    cycles: list[tuple[Operation, tuple[int, ...]]] = []
    choices: list[Choice] = []
    for op in ops_in(function, ("scf.for", "scf.if", "arith.select")):
        if op.name == "scf.for":
            cycles += [(op, cycle) for cycle in exchanged_pointers(op)]
        else:
            choices += chosen_pointers(op)
    if not cycles and not choices:
        return
    analysis = index_analysis(function)
    changed = [_choose(analysis, choice) for choice in choices]
    for loop, cycle in cycles:
        starts = [initial_values(loop)[n] for n in cycle]
        paths = [_path(start) for start in starts]
        if _differ_in_base_only(analysis, starts, paths):
            _carry(loop, cycle, paths)
            changed.append(True)
    if any(changed):
        remove_dead_values(function)


def exchanged_pointers(loop: Operation) -> Iterator[tuple[int, ...]]:
    """Yield the places of pointers to tensors of which each becomes the next, round and round."""
    body = loop.regions[0].blocks[0]
    last = body.ops.last
    assert last is not None
    following: dict[int, int] = {}
    for n, value in enumerate(last.operands):
        facts = type_facts(value.type)
        if facts.sort is not Sort.POINTER or facts.shape is None:
            continue
        if isinstance(value, BlockArgument) and value.owner is body and value.index:
            following[n] = value.index - 1
    seen: set[int] = set()
    for start in following:
        cycle: list[int] = []
        place = start
        while place in following and place not in seen:
            seen.add(place)
            cycle.append(place)
            place = following[place]
        if len(cycle) > 1 and place == start:
            yield tuple(cycle)


@dataclass(frozen=True)
class Choice:
    """A tensor of pointers that is one of two, as a condition on scalars says."""

    result: SSAValue
    condition: SSAValue
    yes: SSAValue
    no: SSAValue


def chosen_pointers(op: Operation) -> Iterator[Choice]:
    """Yield the tensors of pointers between which an op chooses for all lanes at once."""
    condition = op.operands[0]
    splat = condition.owner
    if isinstance(splat, Operation) and splat.name == "tt.splat":
        condition = splat.operands[0]
    if type_facts(condition.type).shape is not None:
        return
    sides: list[Sequence[SSAValue]] = [(value,) for value in op.operands[1:]]
    if op.name == "scf.if":
        lasts = [block.ops.last for region in op.regions for block in region.blocks]
        sides = [last.operands for last in lasts if last is not None]
    if len(sides) != 2:
        return
    for result, yes, no in zip(op.results, *sides, strict=True):
        facts = type_facts(result.type)
        if facts.sort is Sort.POINTER and facts.shape is not None:
            yield Choice(result, condition, yes, no)


def _choose(analysis: IndexAnalysis, choice: Choice) -> bool:
    """Choose between the bases of two tensors of pointers, if nothing else tells them apart."""
    op = choice.result.owner
    assert isinstance(op, Operation)
    sides = (choice.yes, choice.no)
    paths = [_path(side) for side in sides]
    if not _differ_in_base_only(analysis, sides, paths) or op.next_op is None:
        return False
    bases = [path[0].operands[0] for path in paths]
    used = [v for step in paths[0] for v in step.operands[1:]]
    if any(_is_inside(v, op) for v in (*bases, *used)):
        return False
    following = op.next_op
    base = SelectOp(choice.condition, *bases)
    base.location = op.location
    assert op.parent is not None
    op.parent.insert_op_before(base, following)
    choice.result.replace_all_uses_with(_again(paths[0], base.result, following))
    return True


def _is_inside(value: SSAValue, op: Operation) -> bool:
    """Tell whether a value is made in a region of an op."""
    parent: Operation | None = value.owner.parent_op()
    while parent is not None and parent is not op:
        parent = parent.parent_op()
    return parent is op


def _differ_in_base_only(
    analysis: IndexAnalysis, values: Sequence[SSAValue], paths: Sequence[list[Operation]]
) -> bool:
    """Tell whether paths lead equally far from the scalar pointers that they begin with."""
    if not all(paths):
        return False
    moved = [
        _moved(analysis.get(path[0].operands[0]), analysis.get(value))
        for path, value in zip(paths, values, strict=True)
    ]
    return moved[0] is not None and all(by == moved[0] for by in moved)


def _moved(start: object, end: object) -> tuple[Expr, Attribute] | None:
    """Return how far one pointer is from another, in elements of a type."""
    if not isinstance(start, Pointer) or not isinstance(end, Pointer):
        return None
    if start.base is not end.base or start.pointee != end.pointee:
        return None
    return end.offset - start.offset, end.pointee


def _path(value: SSAValue) -> list[Operation]:
    """Return the ops that make a tensor of pointers from a scalar one, in order."""
    path: list[Operation] = []
    while type_facts(value.type).shape is not None:
        op = value.owner
        if not isinstance(op, Operation) or op.name not in _SHAPING:
            return []
        path.append(op)
        value = op.operands[0]
    return path[::-1]


def _carry(loop: Operation, cycle: tuple[int, ...], paths: list[list[Operation]]) -> None:
    body = loop.regions[0].blocks[0]
    bases = {
        n: add_carried(loop, path[0].operands[0].type, path[0].operands[0])
        for n, path in zip(cycle, paths, strict=True)
    }
    results = {n: loop.results[argument.index - 1] for n, argument in bases.items()}
    last = body.ops.last
    assert last is not None
    for n in cycle:
        following = last.operands[n]
        assert isinstance(following, BlockArgument)
        yield_also(loop, bases[following.index - 1])
    for n, path in zip(cycle, paths, strict=True):
        first = body.ops.first
        assert first is not None
        assert loop.next_op is not None
        argument, result = body.args[1 + n], loop.results[n]
        inside = _again(path, bases[n], first)
        argument.replace_uses_with_if(inside, lambda use: use.operation is not last)
        if any(True for _ in result.uses):
            result.replace_all_uses_with(_again(path, results[n], loop.next_op))


def _again(path: list[Operation], base: SSAValue, anchor: Operation) -> SSAValue:
    """Repeat the ops of a path on another base, before `anchor`; return the pointers."""
    block = anchor.parent
    assert block is not None
    value = base
    for op in path:
        copy = op.clone({op.operands[0]: value})
        copy.location = op.location
        block.insert_op_before(copy, anchor)
        value = copy.results[0]
    return value
