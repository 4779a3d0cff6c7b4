"""
Stores that one loop does, as each replaces what others are made of.

    m = load(p)
    n = f(m, load(g))
    store(p, n)
    store(q, h(load(q), n))

The second store is made of what the first one has replaced, which would have to be read before,
into a buffer. But where each is made of elements at the same place, and there are only operations
on elements in between, the last of them does all: it reads what they are made of, element by
element, and then stores to each. If arguments overlap, they are stored one by one.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from xdsl.ir import Block, Operation, SSAValue

from xtriton.cpu.emitter.access import BLOCK_STORE, operand_groups, shape_of, whole_shape
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.elementwise import real_uses
from xtriton.cpu.emitter.hazards import VIEWS, argument_of
from xtriton.cpu.emitter.replaced_blocks import base_of, stores_in_step, takes_same
from xtriton.cpu.emitter.together import write_together
from xtriton.cpu.emitter.values import ANY_ARGUMENT

MOST = 8
"""Stores of a loop: each has an address in a register."""

_ON_ELEMENTS = ("arith.", "math.", "tensor.")
_MAKING = ("linalg.generic", "tensor.extract_slice")
_STRUCTURED = ("linalg.generic", "linalg.fill")


def plan_grouped_stores(e: Emitter, kernel: Operation) -> None:
    """Find the stores of `kernel` that are done together; its loads are staged by then."""
    if e.checked or not (readers := _readers_of_replaced(e, kernel)):
        return
    for region in (region for op in kernel.walk() for region in op.regions):
        for block in region.blocks:
            for group in _groups(e, block):
                # One replaces what another one is made of as well.
                replaced = [of_one for store in group for of_one in readers.get(store, ())]
                if any(len(of_one.intersection(group)) > 1 for of_one in replaced):
                    e.liveness.delay(group)
                    e.grouped_stores.update(dict.fromkeys(group, group))
                    e.grouped_values |= _made_for(group)


def _readers_of_replaced(e: Emitter, kernel: Operation) -> Mapping[Operation, list[set[Operation]]]:
    """Return, by the stores that replace blocks, which ones are made of each of these in step."""
    replacing = defaultdict[SSAValue, list[Operation]](list)
    for op in kernel.walk():
        if op.name == BLOCK_STORE:
            replacing[base_of(op.operands[1])].append(op)
    found = defaultdict[Operation, list[set[Operation]]](list)
    for to_tensor, load in e.staged.items():
        stores = replacing.get(base_of(load.copy.operands[0]))
        if stores is not None and len(readers := set(stores_in_step(to_tensor))) > 1:
            for store in readers.intersection(stores):
                found[store].append(readers)
    return found


def _groups(e: Emitter, block: Block) -> Iterator[tuple[Operation, ...]]:
    """Yield stores of one shape to different arguments, between which are ops on elements alone."""
    group: list[Operation] = []
    for op in block.ops:
        if op.name == BLOCK_STORE and not op.results:
            arguments = [argument_of(e, store.operands[1]) for store in (*group, op)]
            apart = len(set(arguments)) == len(arguments) and ANY_ARGUMENT not in arguments
            if group and not (apart and len(group) < MOST and _extents(op) == _extents(group[0])):
                yield tuple(group)
                group = []
            group.append(op)
        elif group and not _is_on_elements(op):
            yield tuple(group)
            group = []
    yield tuple(group)


def _made_for(group: Sequence[Operation]) -> set[Operation]:
    """Return the ops on elements that are for nothing but the stores of a group."""
    found, waiting = set(group), list(group)
    while waiting:
        for value in waiting.pop().operands:
            op = value.owner
            if op in found or not isinstance(op, Operation) or op.name not in _MAKING:
                continue
            uses = real_uses(op)
            if all(use.operation in found for use in uses) and all(
                takes_same(use) for use in uses if use.operation not in group
            ):
                found.add(op)
                waiting.append(op)
    return found.difference(group)


def _extents(store: Operation) -> tuple[object, ...]:
    """Return how many elements a store has along each dimension."""
    place = store.operands[1].owner
    whole = whole_shape(store.operands[0])
    dynamic: Sequence[SSAValue] = ()
    if isinstance(place, Operation) and place.name == "memref.subview":
        _, _, dynamic, _ = operand_groups(place)
    return (whole, *shape_of(store.operands[1].type), *dynamic)


def _is_on_elements(op: Operation) -> bool:
    if op.name in _STRUCTURED:
        return bool(op.results) and not any(inner.name.startswith("memref.") for inner in op.walk())
    return op.name.startswith(_ON_ELEMENTS) or op.name in VIEWS


def store_group(e: Emitter, group: Sequence[Operation], alone: Callable[[Operation], None]) -> None:
    """Do all stores of a group: in one loop, or each `alone` if arguments overlap."""
    items = [(e.view(op.operands[1]), e.tensor(op.operands[0])) for op in group]

    def together() -> tuple[()]:
        write_together(e, items)
        return ()

    def one_by_one() -> tuple[()]:
        for op in group:
            alone(op)
        return ()

    for place, _ in items:
        e.note_write(place)
    e.builder.if_else("%overlap", one_by_one, together)
