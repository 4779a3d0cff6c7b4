"""Rules of `scf` and `cf.assert`: control flow that carries scalars and tensors."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import (
    element_type_of,
    is_shaped,
    shape_of,
    single_block,
    terminator,
)
from xtriton.cpu.emitter.block_totals import block_totals
from xtriton.cpu.emitter.checks import check_holds
from xtriton.cpu.emitter.choices import choose_by_element
from xtriton.cpu.emitter.conditions import FEWEST
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.emitter.destinations import begin_sums, sums_from_zero
from xtriton.cpu.emitter.either_way import store_either_way
from xtriton.cpu.emitter.elementwise import is_free
from xtriton.cpu.emitter.job import FAILED_BEHIND_STATUS
from xtriton.cpu.emitter.kept_operands import kept_operands
from xtriton.cpu.emitter.leaps import plan_leap
from xtriton.cpu.emitter.liveness import ancestor_in
from xtriton.cpu.emitter.matmul import prepare_before
from xtriton.cpu.emitter.panels import panels_of
from xtriton.cpu.emitter.row_totals import row_totals
from xtriton.cpu.emitter.scans import run_scan, scan_of
from xtriton.cpu.emitter.tiles import padded
from xtriton.cpu.emitter.together import write_together
from xtriton.cpu.emitter.values import Lazy, Storage, View, condition_text
from xtriton.ir.attributes import attribute, string
from xtriton.ir.locations import file_position

NARROW_MASKS = "avx512bw"
"""With which vectors of 8 and 16 bits are loaded in part as well."""


def in_memory_before(e: Emitter, op: Operation) -> None:
    """Put into memory what `op` uses in its regions and what would be computed there each time."""
    for inner in op.walk():
        if inner is op:
            continue
        for value in inner.operands:
            meaning = e.environment.get(value)
            if isinstance(meaning, Lazy) and not is_free(
                element_type_of(value.type), meaning.cost, meaning.reads
            ):
                owner = value.owner
                if isinstance(owner, Operation) and ancestor_in(owner, single_block(op)) is None:
                    e.view(value)


def carried_buffers(
    e: Emitter,
    op: Operation,
    initial: Sequence[SSAValue],
    unwritten: Collection[int] = (),
    known: Mapping[int, View] = MappingProxyType({}),
) -> dict[int, View]:
    """
    Return the buffers that carry tensors through a loop by their number; others have none.

    They hold the initial values, but for sums that stay `unwritten`, whose rows do not fall on each
    other in the cache. Some are `known` before.
    """
    places: dict[int, View] = {}
    taken: set[str] = set()
    for number, value in enumerate(initial):
        if number in known:
            places[number] = known[number]
        elif number in unwritten:
            places[number] = _sum_buffer(e, value)
        elif is_shaped(value.type):
            places[number] = _carried_buffer(e, op, value, taken)
            taken.add(places[number].storage.pointer)
    return places


def _sum_buffer(e: Emitter, initial: SSAValue) -> View:
    """Return a buffer for the sum of products that begins with `initial`."""
    rows, columns = shape_of(initial.type)
    place = padded((rows, columns), e.type(initial.type))
    extent = e.builder.mul(rows, place.strides[0])
    return replace(place, storage=e.allocate((extent,), place.type).storage)


def _carried_buffer(e: Emitter, op: Operation, initial: SSAValue, taken: Collection[str]) -> View:
    """Return a buffer that holds the initial value: its own, if nobody else carries in it."""
    tensor = e.tensor(initial)
    if (
        isinstance(tensor, View)
        and tensor.is_whole
        and tensor.offset == 0
        and tensor.storage.pointer not in taken
        and e.liveness.dead_after(tensor.storage, op)
    ):
        # A new identity: what the values before the loop were is of no concern inside it.
        return View(Storage(tensor.storage.pointer), tensor.type, 0, tensor.sizes, tensor.strides)
    place = e.allocate(tensor.sizes, tensor.type, op)
    e.write(tensor, place)
    return place


def assign_carried(e: Emitter, places: Sequence[View], values: Sequence[SSAValue]) -> None:
    """Write tensors to the buffers that carry them, as if at once."""
    pending = [
        (place, value)
        for place, value in zip(places, values, strict=True)
        if not _is_in(e, value, place)
    ]
    if len(together := _in_step(e, pending)) > 1:
        write_together(e, [(place, e.tensor(value)) for place, value in together])
        pending = [item for item in pending if item not in together]
    while pending:
        ready = next((item for item in pending if not _awaited(e, item, pending)), None)
        if ready is None:
            # Each is still read by another: move one out of the way.
            place, value = pending[0]
            e.environment[value] = e.materialized(e.tensor(value))
            continue
        place, value = ready
        e.write(e.tensor(value), place)
        pending.remove(ready)


def _in_step(e: Emitter, pending: Sequence[tuple[View, SSAValue]]) -> list[tuple[View, SSAValue]]:
    """Return what one loop may write: blocks of one shape that are computed of the same blocks."""
    lazies = [item for item in pending if isinstance(e.tensor(item[1]), Lazy)]
    together = [item for item in lazies if item[0].sizes == lazies[0][0].sizes]
    reads = [e.reads_of(e.tensor(value)) for _, value in together]
    targets = {place.storage.pointer for place, _ in together}
    if any(r.storage.pointer in targets and not r.aligned for of_one in reads for r in of_one):
        return []
    others = [value for item in pending if item not in together for value in item[1:]]
    if any(r.storage.pointer in targets for value in others for r in e.reads_of(e.tensor(value))):
        return []
    pointers = [{r.storage.pointer for r in of_one} for of_one in reads]
    return together if _is_connected(pointers) else []


def _is_connected(sets: Sequence[set[str]]) -> bool:
    """Return whether one gets from each set to all others by way of common members."""
    if not sets:
        return False
    found, rest = sets[0], list(sets[1:])
    while near := [one for one in rest if one & found]:
        found = found.union(*near)
        rest = [one for one in rest if one not in near]
    return not rest


def _is_in(e: Emitter, value: SSAValue, place: View) -> bool:
    tensor = e.tensor(value)
    return isinstance(tensor, View) and tensor.same_place(place)


def _awaited(
    e: Emitter, item: tuple[View, SSAValue], pending: Sequence[tuple[View, SSAValue]]
) -> bool:
    """True if writing now would destroy what is still to be read."""
    pointer = item[0].storage.pointer
    for other in pending:
        tensor = e.tensor(other[1])
        if other is item and isinstance(tensor, Lazy):
            if any(r.storage.pointer == pointer and not r.aligned for r in tensor.reads):
                return True
        elif any(read.storage.pointer == pointer for read in e.reads_of(tensor)):
            return True
    return False


@rule("scf.for")
def _for(e: Emitter, op: Operation) -> None:
    low, high, step, *initial = op.operands
    block = single_block(op)
    induction, *arguments = block.args
    if (scan := scan_of(e, op)) is not None:
        places = carried_buffers(e, op, initial[:1])
        run_scan(e, scan, places[0])
        e.bind(op.results[0], places[0])
        return
    in_memory_before(e, op)
    zeros = sums_from_zero(e, op, initial)
    totals = row_totals(e, op, initial) or block_totals(e, op, initial)
    places = carried_buffers(e, op, initial, zeros, totals)
    panels = panels_of(e, op, places)
    begin_sums(e, op, panels, places, zeros)
    summed = [] if panels is None else [each.op for each in panels.products]
    prepare_before(e, op, summed)
    kept = kept_operands(e, op, summed)
    scalars: list[tuple[str, Operand]] = []
    for number, (argument, value) in enumerate(zip(arguments, initial, strict=True)):
        if number in places:
            e.bind(argument, places[number])
        else:
            scalars.append((e.register(argument.type), e.scalar(value)))
    carried_scalars = [a for n, a in enumerate(arguments) if n not in places]
    unsigned = attribute(op, "unsignedCmp") is not None
    type, predicate = e.type(low.type).register, "ult" if unsigned else "slt"
    if panels is not None:
        scalars += [("i64", 0)] * panels.carried

    leap = plan_leap(e, op, panels)

    def is_last(index: Operand) -> str:
        following = e.builder.value(f"add nsw {type} {index}, {e.scalar(step)}")
        again = e.builder.value(f"icmp {predicate} {type} {following}, {e.scalar(high)}")
        return e.builder.value(f"xor i1 {again}, true")

    def body(index: Operand, registers: list[str]) -> Sequence[Operand]:
        e.bind(induction, index)
        if panels is not None:
            panels.begin(e, registers[len(carried_scalars) :])
        for each in kept:
            each.begin(e)
        for argument, register in zip(carried_scalars, registers, strict=False):
            e.bind(argument, register)
        e.run_block(block)
        last, turns = (index, 0) if leap is None else leap.take(e, index)
        of_panels = [] if panels is None else panels.end(e, is_last(last), turns)
        yielded = terminator(block).operands
        assign_carried(e, list(places.values()), [yielded[n] for n in places])
        scalars = [e.scalar(value) for n, value in enumerate(yielded) if n not in places]
        if leap is not None:
            pairs = zip(carried_scalars, scalars, strict=True)
            scalars = [leap.behind(e, argument, scalar) for argument, scalar in pairs]
        return scalars + of_panels

    with e.nested():
        final = e.builder.loop(
            e.scalar(low),
            e.scalar(high),
            e.scalar(step) if leap is None else partial(leap.following, e),
            body,
            scalars,
            type=type,
            predicate=predicate,
        )
    if panels is not None:
        panels.finish(e, final[len(carried_scalars) :])
    remaining = iter(final)
    for number, result in enumerate(op.results):
        e.bind(result, places[number] if number in places else next(remaining))


@rule("scf.if")
def _if(e: Emitter, op: Operation) -> None:
    condition = condition_text(e.scalar(op.operands[0]))
    if choose_by_element(e, op, condition):
        return
    if op in e.either_way:
        store_either_way(e, op, condition)
        return
    condition = _known_of_part(e, op, condition)
    in_branches = [region for region in op.regions if region.blocks]
    for value_op in _lazy_operands(e, op):
        e.view(value_op)
    places = {
        n: e.allocate(_static_shape(e, op, r), e.type(r.type), op)
        for n, r in enumerate(op.results)
        if is_shaped(r.type)
    }
    scalars = [r for n, r in enumerate(op.results) if n not in places]

    def arm(number: int) -> list[Operand]:
        block: Any = op.regions[number].blocks[0]
        with e.nested():
            e.run_block(block)
            yielded = terminator(block).operands
            for n, place in places.items():
                e.write(e.tensor(yielded[n]), place)
            return [e.scalar(v) for n, v in enumerate(yielded) if n not in places]

    types = [e.register(r.type) for r in scalars]
    otherwise = (lambda: arm(1)) if len(in_branches) > 1 else None
    merged = iter(e.builder.if_else(condition, lambda: arm(0), otherwise, types))
    for n, result in enumerate(op.results):
        e.bind(result, places[n] if n in places else next(merged))


def _known_of_part(e: Emitter, op: Operation, condition: str) -> str:
    """Return by what a branch chooses in the part of a loop that is being written, see `rows`."""
    if e.rows is None:
        return condition
    bytes = min((e.type(result.type).bytes for result in op.results), default=4)
    makes_vectors = e.target.masks and bytes >= 4
    e.rows.loads_one_by_one |= not (makes_vectors or NARROW_MASKS in e.target.units)
    holds = e.rows.conditions.holds(condition, 1 if makes_vectors else FEWEST)
    return condition if holds is None else condition_text(int(holds))


def _lazy_operands(e: Emitter, op: Operation) -> list[SSAValue]:
    """Costly lazy tensors used in both arms would be computed twice in text; keep that rare."""
    found: list[SSAValue] = []
    for inner in op.walk():
        if inner is not op:
            for value in inner.operands:
                meaning = e.environment.get(value)
                if isinstance(meaning, Lazy) and meaning.cost > 8 and value not in found:
                    found.append(value)
    return found


def _static_shape(e: Emitter, op: Operation, value: SSAValue) -> tuple[int, ...]:
    shape = e.static_sizes(value.type)
    if any(extent < 0 for extent in shape):
        e.unsupported(op, "a tensor of dynamic shape")
    return shape


@rule("scf.while")
def _while(e: Emitter, op: Operation) -> None:
    before, after = op.regions[0].blocks[0], op.regions[1].blocks[0]
    in_memory_before(e, op)
    builder = e.builder
    places = carried_buffers(e, op, op.operands)
    for n, place in places.items():
        e.bind(before.args[n], place)
    results = {
        n: e.allocate(_static_shape(e, op, r), e.type(r.type), op)
        for n, r in enumerate(op.results)
        if is_shaped(r.type)
    }
    scalar_positions = [n for n in range(len(op.operands)) if n not in places]
    entry = builder.current
    header, inside, done = builder.name("while"), builder.name("do"), builder.name("end")
    builder.branch(header)
    builder.block(header)
    holes: list[tuple[int, str, str]] = []
    initial = [e.scalar(op.operands[n]) for n in scalar_positions]
    for n in scalar_positions:
        register = f"%{builder.name('c')}"
        holes.append((len(builder.lines), register, e.register(before.args[n].type)))
        builder.lines.append("")
        e.bind(before.args[n], register)
    with e.nested():
        e.run_block(before)
        condition, *forwarded = terminator(before).operands
        for n, place in results.items():
            e.write(e.tensor(forwarded[n]), place)
        known = [results[n] if n in results else e.scalar(v) for n, v in enumerate(forwarded)]
        builder.emit(f"br i1 {condition_text(e.scalar(condition))}, label %{inside}, label %{done}")
        builder.block(inside)
        for argument, value in zip(after.args, known, strict=True):
            e.bind(argument, value)
        with builder.scope():
            e.run_block(after)
            yielded = terminator(after).operands
            assign_carried(e, list(places.values()), [yielded[n] for n in places])
        following = [e.scalar(yielded[n]) for n in scalar_positions]
    latch = builder.current
    builder.branch(header)
    for (line, register, type), first, next_value in zip(holes, initial, following, strict=True):
        pairs = f"[ {first}, %{entry} ], [ {next_value}, %{latch} ]"
        builder.lines[line] = f"  {register} = phi {type} {pairs}"
    builder.block(done)
    for result, value in zip(op.results, known, strict=True):
        e.bind(result, value)


@rule("scf.index_switch")
def _index_switch(e: Emitter, op: Operation) -> None:
    e.unsupported(op)


def assert_in_loop(e: Emitter, asserts: Sequence[Operation], loop: Callable[[], None]) -> None:
    """
    Append a loop and report once, behind it, which of the assertions in it failed.

    Which iteration failed is not told, and without branches in it the loop vectorises.
    """
    b = e.builder
    for op in asserts:
        e.failures[op] = b.alloca("i32", 1, 4)
        b.store("i32", 0, e.failures[op])
    first = len(e.assertions)
    loop()
    for number, op in enumerate(asserts, first + 1):
        failed = b.value(f"icmp ne i32 {b.load('i32', e.failures.pop(op))}, 0")
        b.if_else(failed, lambda number=number: _report(e, number))


@rule("cf.assert")
def _assert(e: Emitter, op: Operation) -> None:
    place = file_position(op.location)
    where = f"{place[0]}:{place[1]}:{place[2]}: " if place is not None else ""
    e.assertions.append(where + string(op, "msg"))
    number = len(e.assertions)
    failed = e.builder.value(f"xor i1 {condition_text(e.scalar(op.operands[0]))}, true")
    place = e.failures.get(op)
    if place is None:
        e.builder.if_else(failed, lambda: _report(e, number))
        return
    b = e.builder
    noted = b.value(f"or i32 {b.load('i32', place)}, {b.value(f'zext i1 {failed} to i32')}")
    b.store("i32", noted, place)


def _report(e: Emitter, number: int) -> Sequence[Operand]:
    """Note the assertion and the program of the first failure."""
    b = e.builder
    swap = f"cmpxchg ptr %status, i32 0, i32 {number} monotonic monotonic"
    first = b.value(f"extractvalue {{ i32, i1 }} {b.value(swap)}, 1")
    b.if_else(first, lambda: _name_program(e))
    return ()


def _name_program(e: Emitter) -> Sequence[Operand]:
    b = e.builder
    x, y, z = (b.value(f"zext i32 {program} to i64") for program in e.program)
    x_size, y_size = (b.value(f"zext i32 {size} to i64") for size in e.programs[:2])
    rows = b.value(f"mul i64 {z}, {y_size}")
    row = b.value(f"add i64 {rows}, {y}")
    before = b.value(f"mul i64 {row}, {x_size}")
    index = b.value(f"add i64 {before}, {x}")
    place = b.element_pointer("i8", "%status", FAILED_BEHIND_STATUS)
    b.emit(f"store i64 {index}, ptr {place}, align 8")
    return ()


@rule("llvm.intr.assume")
def _assume(e: Emitter, op: Operation) -> None:
    check_holds(e, op, condition_text(e.scalar(op.operands[0])), "broken tl.assume")


@rule("gpu.barrier", "memref.assume_alignment")
def _nothing(e: Emitter, op: Operation) -> None:
    """Hints, and barriers between threads that there are not."""
    for result, operand in zip(op.results, op.operands, strict=False):
        e.bind(result, e.environment[operand])
