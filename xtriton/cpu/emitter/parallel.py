"""Structured ops whose loops are all parallel become lazy tensors, or loops."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import shape_of, terminator
from xtriton.cpu.emitter.affine import evaluate
from xtriton.cpu.emitter.alone import (
    UPDATE,
    Body,
    leads_to_update,
    update_alone,
)
from xtriton.cpu.emitter.control import assert_in_loop
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.destinations import part_stored, stored_at_once
from xtriton.cpu.emitter.either_way import note_stores_either_way
from xtriton.cpu.emitter.elementwise import (
    CHEAP,
    FREE,
    FUNCTION_COST,
    cost_of,
    element_users,
    op_cost,
    worth_delaying,
)
from xtriton.cpu.emitter.float_places import keep_float_places
from xtriton.cpu.emitter.gathered_rows import gathered_rows, load_rows
from xtriton.cpu.emitter.generics import (
    Generic,
    indexed,
    is_identity,
    loop_sizes,
    operand_value,
    run_body,
)
from xtriton.cpu.emitter.late_loads import late_reads
from xtriton.cpu.emitter.late_panels import made_with
from xtriton.cpu.emitter.matmul import panel_of
from xtriton.cpu.emitter.near_places import loads_at_computed_places
from xtriton.cpu.emitter.pieces import lazy_of, pieces_of
from xtriton.cpu.emitter.places import is_asked_of_parts
from xtriton.cpu.emitter.row_loads import bind_rows, is_mask_of_rows, row_load_of
from xtriton.cpu.emitter.runs import gather_of, load_run
from xtriton.cpu.emitter.scans import is_scanned_in_columns
from xtriton.cpu.emitter.stretches import are_usual, asserted_cuts, in_stretches
from xtriton.cpu.emitter.summed_blocks import leave_to_sum, sum_behind
from xtriton.cpu.emitter.together import write_together
from xtriton.cpu.emitter.values import Lazy, Read, Tensor, View
from xtriton.dialects.upstream.volatile import is_volatile

EFFECTS = ("memref.store", UPDATE, "memref.generic_atomic_rmw", "cf.assert")
MEMORY_READS = ("memref.load", "tensor.extract")

FEWEST_TIMES = 4
"""How often a number is repeated that is worth a place in memory."""
EXTENSIONS = ("arith.extsi", "arith.extui", "arith.extf")


def parallel_generic(e: Emitter, generic: Generic) -> None:
    """Bind the results of a generic without reductions."""
    in_memory = any(isinstance(output.type, MemRefType) for output in generic.outputs)
    effects = any(inner.name in EFFECTS for inner in generic.op.walk())
    regular = all(is_identity(map) for map in generic.output_maps)
    if in_memory or effects or not regular or not generic.outputs:
        _loop(e, generic)
    else:
        _bind_lazily(e, generic)


def _loop(e: Emitter, generic: Generic) -> None:
    """Run the loops at once, storing each result."""
    sizes = loop_sizes(e, generic)
    outputs = [_output_place(e, generic, number) for number in range(len(generic.outputs))]
    for place in outputs:
        e.note_write(place)
    effects = [inner for inner in generic.op.walk() if inner.name in EFFECTS]

    def body(indices: list[Operand]) -> None:
        # What a block is may change until then: `update_alone` binds some for a part of it.
        operands = [operand_value(e, value) for value in generic.inputs]
        _bind_arguments(e, generic, [*operands, *outputs], indices)
        for value, place, map in zip(
            run_body(e, generic, indices), outputs, generic.output_maps, strict=True
        ):
            e.store(place, [evaluate(e, result, indices) for result in map.results], value)

    with e.builder.fresh_memory():
        if effects and all(op.name == "cf.assert" for op in effects) and not outputs:
            places = [1] * len(sizes) if _is_alike(e, generic) else sizes
            assert_in_loop(e, effects, lambda: _nest_of_asserts(e, generic, places, body))
        elif e.may_be_alone and any(op.name == UPDATE for op in effects):
            update_alone(e, generic, sizes, body)
        elif effects and all(op.name == "memref.store" for op in effects):
            _compute_before(e, generic)
            note_stores_either_way(e, generic.op)
            e.nest_in_order(sizes, body)
        else:
            e.nest(sizes, body, parallel=not effects)
    for result, place in zip(generic.op.results, outputs, strict=True):
        e.bind(result, place)


def _compute_before(e: Emitter, generic: Generic) -> None:
    """
    Put into memory what a loop that stores in order would compute one by one.

    That is functions, and anything of narrow floats, which vectors of are converted at once.
    """
    for value, map in zip(generic.inputs, generic.input_maps, strict=True):
        block = operand_value(e, value)
        if isinstance(block, Lazy) and is_identity(map):
            is_narrow = block.type.small is not None and block.cost > FREE
            if is_narrow or block.cost >= FUNCTION_COST:
                e.view(value)


def _nest_of_asserts(e: Emitter, generic: Generic, sizes: Sequence[Operand], body: Body) -> None:
    """Append the loops that assert something of all elements, or of one of each stretch."""
    cuts, count = asserted_cuts(e, generic.op), sizes[0]

    def of_all() -> tuple[()]:
        e.nest(sizes, body)
        return ()

    def of_stretches() -> tuple[()]:
        assert cuts is not None
        in_stretches(e, cuts, int(count), lambda start, _: body([start]))
        return ()

    if cuts is None or count == 1 or not isinstance(count, int):
        of_all()
    else:
        e.builder.if_else(are_usual(e, cuts, count), of_stretches, of_all)


def _is_alike(e: Emitter, generic: Generic) -> bool:
    """Return whether the body of a generic does the same everywhere."""
    operands = [operand_value(e, value) for value in generic.inputs]
    uniform = (
        isinstance(operand, int | str)
        or (isinstance(operand, Lazy) and operand.pieces is not None and operand.pieces.is_uniform)
        for operand in operands
    )
    return all(uniform) and all(op.name != "linalg.index" for op in generic.op.walk())


def _output_place(e: Emitter, generic: Generic, number: int) -> View:
    value = generic.outputs[number]
    if isinstance(value.type, MemRefType):
        return e.view(value)
    place = e.allocate(e.tensor(value).sizes, e.type(value.type), generic.op)
    if any(True for _ in generic.output_arguments[number].uses) or not is_identity(
        generic.output_maps[number]
    ):
        e.write(e.tensor(value), place)
    return place


def _bind_arguments(
    e: Emitter, generic: Generic, operands: Sequence[Tensor | Operand], indices: Sequence[Operand]
) -> None:
    for argument, operand, map in zip(generic.block.args, operands, generic.maps, strict=True):
        if any(True for _ in argument.uses):
            e.environment[argument] = indexed(e, operand, map, indices)


def _bind_lazily(e: Emitter, generic: Generic) -> None:
    op = generic.op
    if (rows := row_load_of(e, generic)) is not None:
        bind_rows(e, rows)
        return
    if _repeats_dearly(e, generic):
        e.view(generic.inputs[0])
    values = (*generic.inputs, *generic.outputs)
    used = [any(True for _ in argument.uses) for argument in generic.block.args]
    operands = [operand_value(e, value) for value in values]
    sizes = tuple(loop_sizes(e, generic))
    if (pieces := pieces_of(e, generic, operands)) is not None:
        for result, of_one in zip(op.results, pieces, strict=True):
            e.bind(result, lazy_of(e, e.type(result.type), sizes, of_one))
        return
    reads: list[Read] = []
    cost = sum(op_cost(inner) for inner in op.walk() if inner is not op)
    for operand, map, is_used in zip(operands, generic.maps, used, strict=True):
        if is_used and not isinstance(operand, int | str):
            reads += e.reads_of(operand, aligned=is_identity(map))
            cost += cost_of(operand)

    def compute_all(indices: Sequence[Operand]) -> list[Operand]:
        _bind_arguments(e, generic, operands, indices)
        return run_body(e, generic, indices)

    def compute(number: int, indices: Sequence[Operand]) -> Operand:
        if len(op.results) == 1:
            return compute_all(indices)[0]
        key = (generic.block, *indices)
        for other, value in enumerate(compute_all_once(key, indices)):
            if other == number:
                return value
        raise AssertionError

    def compute_all_once(key: tuple[object, ...], indices: Sequence[Operand]) -> list[Operand]:
        first = e.builder.remembered((*key, 0), lambda: _remember_all(e, key, compute_all(indices)))
        rest = [
            e.builder.remembered((*key, i), lambda: "poison") for i in range(1, len(op.results))
        ]
        return [first, *rest]

    reads_memory = any(inner.name in MEMORY_READS for inner in op.walk())
    if reads_memory:
        if _finds_places(e, generic, operands):
            e.module.finds_places = True
            e.windowed.update(loads_at_computed_places(op))
        late = late_reads(e, generic)
        delayed = late is not None and worth_delaying(op, cost, [*reads, *late])
        reads += late or []
    else:
        delayed = (
            e.delaying
            or worth_delaying(op, cost, reads)
            or op in e.grouped_values
            or is_mask_of_rows(e, op)
            or is_asked_of_parts(e, op, cost)
            or leads_to_update(e, op)
            or (len(op.results) == 1 and is_scanned_in_columns(e, op))
            or _is_made_later(e, op)
        )
    if not delayed and isinstance(operands[0], Lazy) and _is_cheaper_before(generic):
        e.view(generic.inputs[0])
        _bind_lazily(e, generic)
        return
    if not delayed and keep_float_places(e, generic):
        _bind_lazily(e, generic)
        return
    lazies = [
        Lazy(e.type(result.type), sizes, lambda i, n=n: compute(n, i), tuple(reads), cost)
        for n, result in enumerate(op.results)
    ]
    if reads_memory and (rows := gathered_rows(e, generic)) is not None:
        e.bind(op.results[0], load_rows(e, op, rows, lazies[0]))
        return
    if delayed:
        for result, lazy in zip(op.results, lazies, strict=True):
            e.bind(result, lazy)
    else:
        _materialize_together(e, generic, lazies, reads)


def _is_made_later(e: Emitter, op: Operation) -> bool:
    """
    Return whether a panel gets the result of `op` with what is made of it; note it if so.

    Both are gathered by products of the same loop; see `late_panels`.
    """
    place = panel_of(e, op)
    if place is None or len(op.results) != 1:
        return False
    others = element_users(op)
    if len(others) != 1 or panel_of(e, others[0]) is None:
        return False
    e.late_panels[op.results[0]] = others[0], place
    return True


def _finds_places(e: Emitter, generic: Generic, operands: Sequence[Tensor | Operand]) -> bool:
    """Return whether a generic loads from places that are made of numbers in memory."""
    arguments = {
        argument
        for argument, operand in zip(generic.block.args, operands, strict=True)
        if not isinstance(operand, int | str) and e.reads_of(operand)
    }
    loads = [inner for inner in generic.op.walk() if inner.name == "memref.load"]
    waiting, known = [index for load in loads for index in load.operands[1:]], set[SSAValue]()
    while waiting:
        value = waiting.pop()
        if value in arguments or (
            isinstance(value.owner, Operation) and value.owner.name in MEMORY_READS
        ):
            return True
        if value not in known and isinstance(value.owner, Operation):
            known.add(value)
            waiting += value.owner.operands
    return False


def _repeats_dearly(e: Emitter, generic: Generic) -> bool:
    """
    Return whether each number that a generic repeats is better computed once.

    One that all of a row has LLVM computes once for that.
    """
    if not _repeats(generic) or len(generic.inputs) != 1:
        return False
    tensor, shape = e.tensor(generic.inputs[0]), shape_of(generic.inputs[0].type)
    if isinstance(tensor, View) or not tensor.type.is_float or tensor.cost <= CHEAP:
        return False
    return (
        shape[-1:] != (1,)
        and 1 < prod(shape) <= prod(shape_of(generic.op.results[0].type)) // FEWEST_TIMES
    )


def _repeats(generic: Generic) -> bool:
    """Return whether all that a generic does is to repeat numbers along some dimension."""
    first = generic.block.first_op
    return (
        first is terminator(generic.block)
        and not is_identity(generic.maps[0])
        and first.operands[0] is generic.block.args[0]
    )


def _is_cheaper_before(generic: Generic) -> bool:
    """
    Return whether what a generic is made of takes less memory than its result.

    Vectors hold more of narrow numbers, and widening them again costs little; and what is
    repeated along rows or columns is less before.
    """
    return generic.block.first_op.name in EXTENSIONS or _repeats(generic)


def _remember_all(e: Emitter, key: tuple[object, ...], values: list[Operand]) -> Operand:
    for number, value in enumerate(values[1:], start=1):
        e.builder.memory_of_values[-1][(*key, number)] = value
    return values[0]


def _materialize_together(
    e: Emitter, generic: Generic, lazies: Sequence[Lazy], reads: Sequence[Read]
) -> None:
    """Compute all results in one loop, over a dead operand's memory where possible."""
    first = panel_of(e, generic.op)
    reused = _reusable(e, generic, lazies[0], reads) if first is None else None
    if reused is not None:
        first = replace(reused, type=lazies[0].type)
    places = [
        first
        if number == 0 and first is not None
        else e.allocate(lazy.sizes, lazy.type, generic.op)
        for number, lazy in enumerate(lazies)
    ]
    selects = getattr(generic.yielded[0].owner, "name", None) == "arith.select"

    def body(indices: list[Operand]) -> None:
        if reused is not None and selects:
            e.replaced_element(reused, indices)
        values = [e.element(lazy, indices) for lazy in lazies]
        for value, place in zip(values, places, strict=True):
            e.store(place, indices, value)

    if first is not None and (late := made_with(e, generic.op)):
        write_together(e, [*late, *zip(places, lazies, strict=True)])
        for result, place in zip(generic.op.results, places, strict=True):
            e.bind(result, place)
        return
    # LLVM takes no volatile load in a loop that is said to be parallel.
    parallel = not any(is_volatile(inner) for inner in generic.op.walk())
    sizes = lazies[0].sizes

    def loop() -> None:
        e.nest(sizes, body, parallel=parallel)

    gather = gather_of(generic)
    if gather is None and first is None and len(places) == 1:
        if len(sizes) == 2:
            sizes = part_stored(e, generic.op, sizes)
        places[0] = stored_at_once(e, generic.op, places[0], sizes)
    if parallel and gather is None and not selects and (sum := sum_behind(e, generic)) is not None:
        leave_to_sum(e, sum, lazies[0], places[0])
        return
    with e.builder.fresh_memory():
        if gather is None:
            loop()
        else:
            places[0] = load_run(e, gather, places[0], loop)
    for result, place in zip(generic.op.results, places, strict=True):
        e.bind(result, place)


def _reusable(e: Emitter, generic: Generic, lazy: Lazy, reads: Sequence[Read]) -> View | None:
    """Return the operand that the result may overwrite, being read in step and then dead."""
    for value in generic.inputs:
        view = e.environment[value]
        if (
            isinstance(view, View)
            and view.type.bytes == lazy.type.bytes
            and view.sizes == lazy.sizes
            and view.is_whole
            and view.offset == 0
            and all(read.aligned for read in reads if read.storage.pointer == view.storage.pointer)
            and e.liveness.dead_after(view.storage, generic.op)
        ):
            return view
    return None
