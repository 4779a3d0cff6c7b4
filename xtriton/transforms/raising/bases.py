"""
Pointers that take turns in a loop: the loop carries their scalar bases instead.

Before:

    scf.for ... iter_args(%p = %as, %q = %bs) { ... scf.yield %q, %p }

where `%as` and `%bs` are `%a` and `%b`, with the same offsets. After:

    scf.for ... iter_args(%a1 = %a, %b1 = %b) { %p = ... %a1 ... scf.yield %b1, %a1 }

So each of them has one base, a value that the loop carries.
"""

from collections.abc import Iterator, Sequence

from xdsl.ir import BlockArgument, Operation, SSAValue

from xtriton.analysis.forward import IndexAnalysis
from xtriton.analysis.values import Pointer, Sort, type_facts
from xtriton.ir.walking import operations
from xtriton.transforms.raising.loops import add_carried, remove_dead_values, yield_also

_SHAPING = frozenset(
    {"tt.splat", "tt.addptr", "tt.broadcast", "tt.expand_dims", "tt.reshape", "tt.trans"}
)


def carry_bases(function: Operation) -> None:
    """Let loops carry scalar bases for tensors of pointers that they exchange."""
    cycles = [
        (op, cycle)
        for op in operations(function)
        if op.name == "scf.for"
        for cycle in exchanged_pointers(op)
    ]
    if not cycles:
        return
    analysis = IndexAnalysis(function)
    for loop, cycle in cycles:
        forms = [analysis.get(loop.operands[3 + n]) for n in cycle]
        if _differ_in_base_only(forms) and all(paths := [_path(loop, n) for n in cycle]):
            _carry(loop, cycle, paths)
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


def _differ_in_base_only(forms: Sequence[object]) -> bool:
    first = forms[0]
    return isinstance(first, Pointer) and all(
        isinstance(f, Pointer) and f.offset is first.offset and f.pointee == first.pointee
        for f in forms
    )


def _path(loop: Operation, n: int) -> list[Operation]:
    """Return the ops that make an initial tensor of pointers from a scalar one, in order."""
    path: list[Operation] = []
    value: SSAValue = loop.operands[3 + n]
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
