"""
Pointers through control flow: what carries them carries offsets, and memory where it differs.

For every value that may stand for several pointers (an iter arg, the result of a branch, a
block argument) it is found out first where the pointers come from. If all come from one
memory, an `index` in the place of the pointer is enough. Otherwise a memref goes along, as
one more value behind the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from xtriton.dialects.upstream import builtin, cf
from xtriton.ir.noted_edits import set_attribute, set_property, set_value_type
from xtriton.ir.value_flow import bounds_of, handed_on, initial_values, origins
from xtriton.ir.walking import ops_in
from xtriton.lowering.builder import INDEX, Builder
from xtriton.lowering.pointers import (
    BRANCHING,
    FLOW,
    OFFSET_PLACES,
    MemRefPointer,
    insert_first,
    is_pointer,
    memory_type,
    offset_places,
)
from xtriton.lowering.signatures import set_signature

if TYPE_CHECKING:
    from xtriton.lowering.pointers import Pointers


# --- where pointers come from -----------------------------------------------------------


_MOVES = ("tt.addptr",)


def roots(pointers: Pointers, value: SSAValue) -> set[SSAValue | None]:
    """
    Return the memories that a pointer may point into; None among them where unknown.

    A pointer that an op makes of something else stands for the memory that it will be the
    beginning of.
    """
    found: set[SSAValue | None] = set()
    seen: set[SSAValue] = set()
    todo = [value]
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        pair = pointers.get(here)
        if pair is not None:
            found.add(pair.memory)
            continue
        made_from = origins(here, _MOVES)
        if made_from is None:
            found.add(here if isinstance(here, OpResult) else None)
        else:
            todo.extend(made_from)
    return found


# --- places -----------------------------------------------------------------------------


class _Plan:
    """Which of a list of pointers become offsets, and which of them take their memory along."""

    def __init__(self, pointers: Pointers, values: Sequence[SSAValue]):
        self.pointers = pointers
        self.kinds: dict[int, Attribute] = {}
        self.memory: dict[int, SSAValue | None] = {}
        """The one memory of a place; None where it has to be carried."""
        for place, value in enumerate(values):
            if not is_pointer(value.type):
                continue
            found = roots(pointers, value)
            if None in found or not found:
                continue
            made = [memory for memory in found if memory is not None and is_pointer(memory.type)]
            types = {memory.type for memory in found if memory is not None and memory not in made}
            types |= {memory_type(memory.type) for memory in made}
            if len(types) != 1:
                continue
            self.kinds[place] = value.type
            # What is made inside a region is not known around it.
            self.memory[place] = next(iter(found)) if len(found) == 1 and not made else None

    def __bool__(self) -> bool:
        return bool(self.kinds)

    @property
    def carried(self) -> list[int]:
        """The places whose memory goes along, in the order in which it does."""
        return [place for place, memory in self.memory.items() if memory is None]

    @property
    def extra_types(self) -> list[Attribute]:
        return [memory_type(self.kinds[place]) for place in self.carried]

    def operands(self, builder: Builder, values: Sequence[SSAValue]) -> list[SSAValue]:
        """Return what is handed over instead of `values`."""
        result = list(values)
        extra: list[SSAValue] = []
        for place in self.kinds:
            pair = self.pointers.get(values[place])
            assert pair is not None
            result[place] = builder.materialise(pair.offset)
            if self.memory[place] is None:
                extra.append(pair.memory)
        return [*result, *extra]

    def arrive(
        self, values: Sequence[Any], extra: Sequence[SSAValue], insert: Callable[[Operation], None]
    ) -> None:
        """Let `values` be the offsets that arrive; casts stand for the pointers they were."""
        memories = dict(zip(self.carried, extra, strict=True))
        for place, kind in self.kinds.items():
            value = values[place]
            memory = self.memory[place] or memories[place]
            if value.first_use is None:
                set_value_type(value, INDEX)
                continue
            cast = builtin.UnrealizedConversionCastOp.create(operands=(), result_types=(kind,))
            value.replace_all_uses_with(cast.results[0])
            set_value_type(value, INDEX)
            cast.operands = (memory, value)
            insert(cast)
            self.pointers.pairs[cast.results[0]] = MemRefPointer(memory, value)


def _with_results(op: Any, operands: Sequence[SSAValue], extra: Sequence[Attribute]) -> Any:
    """Return `op` with other operands and results added; a new op only if it has to be."""
    if not extra:
        op.operands = operands
        return op
    types = [result.type for result in op.results]
    regions = [op.detach_region(region) for region in list(op.regions)]
    new: Any = op.__class__.create(
        operands=operands,
        result_types=[*types, *extra],
        properties=op.properties,
        attributes=op.attributes,
        regions=regions,
    )
    new.location = op.location
    op.parent.insert_op_before(new, op)
    for before, after in zip(op.results, new.results, strict=False):
        before.replace_all_uses_with(after)
    op.detach()
    op.erase()
    return new


def _add_arguments(block: Block, types: Sequence[Attribute]) -> list[BlockArgument]:
    return [block.insert_arg(kind, len(block.args)) for kind in types]


def _arrive_in_block(plan: _Plan, block: Block, first: int, extra: Sequence[BlockArgument]) -> None:
    arguments = list(block.args)[first:]
    plan.arrive(arguments, extra, lambda cast: insert_first(block, cast))


def _arrive_as_results(plan: _Plan, op: Any) -> None:
    count = len(plan.carried)
    values = list(op.results)
    extra = values[len(values) - count :] if count else []
    plan.arrive(values, extra, lambda cast: op.parent.insert_op_after(cast, op))


# --- structured control flow ------------------------------------------------------------


def lower_if(pointers: Pointers, op: Any) -> None:
    """Yield offsets from both branches."""
    for region in op.regions:
        pointers.lower_blocks(list(region.blocks))
    plan = _Plan(pointers, op.results)
    if not plan:
        return
    for region in op.regions:
        last = region.blocks[0].last_op
        last.operands = plan.operands(Builder(before=last), last.operands)
    _arrive_as_results(plan, _with_results(op, op.operands, plan.extra_types))


def lower_for(pointers: Pointers, op: Any) -> None:
    """Carry the offset of every pointer among the iter args."""
    body = op.regions[0].blocks[0]
    plan = _Plan(pointers, list(body.args)[1:])
    if plan:
        inits = plan.operands(Builder(before=op), initial_values(op))
        extra = _add_arguments(body, plan.extra_types)
        _arrive_in_block(plan, body, 1, extra)
        op = _with_results(op, [*bounds_of(op), *inits], plan.extra_types)
    pointers.lower_block(body)
    if plan:
        last = body.last_op
        last.operands = plan.operands(Builder(before=last), last.operands)
        _arrive_as_results(plan, op)


def lower_while(pointers: Pointers, op: Any) -> None:
    """Carry offsets into the condition, from there into the body and to the results."""
    before, after = (region.blocks[0] for region in op.regions)
    into, out = _Plan(pointers, before.args), _Plan(pointers, after.args)
    if into:
        operands = into.operands(Builder(before=op), op.operands)
        _arrive_in_block(into, before, 0, _add_arguments(before, into.extra_types))
        op.operands = operands
    pointers.lower_block(before)
    if out:
        condition = before.last_op
        forwarded = out.operands(Builder(before=condition), handed_on(condition))
        condition.operands = [condition.operands[0], *forwarded]
        _arrive_in_block(out, after, 0, _add_arguments(after, out.extra_types))
        op = _with_results(op, op.operands, out.extra_types)
    pointers.lower_block(after)
    if into:
        last = after.last_op
        last.operands = into.operands(Builder(before=last), last.operands)
    if out:
        _arrive_as_results(out, op)


# --- branches ---------------------------------------------------------------------------


def lower_branching_blocks(pointers: Pointers, blocks: Sequence[Block]) -> None:
    """Hand offsets over from block to block."""
    plans: dict[Block, _Plan] = {}
    for block in blocks[1:]:
        plan = _Plan(pointers, block.args)
        if plan:
            plans[block] = plan
    for block, plan in plans.items():
        _arrive_in_block(plan, block, 0, _add_arguments(block, plan.extra_types))
    for block in blocks:
        pointers.lower_block(block)
    if not plans:
        return
    for block in blocks:
        branch: Any = block.last_op
        if isinstance(branch, cf.BranchOp):
            plan = plans.get(branch.successors[0])
            if plan is not None:
                branch.operands = plan.operands(Builder(before=branch), branch.operands)
        elif isinstance(branch, cf.ConditionalBranchOp):
            _rewrite_conditional(branch, plans)


def _rewrite_conditional(branch: Any, plans: dict[Block, _Plan]) -> None:
    builder = Builder(before=branch)
    edges = [
        (branch.then_block, list(branch.then_arguments)),
        (branch.else_block, list(branch.else_arguments)),
    ]
    handed = [
        plans[block].operands(builder, values) if block in plans else values
        for block, values in edges
    ]
    condition = branch.operands[0]
    branch.operands = [condition, *handed[0], *handed[1]]
    sizes = DenseArrayBase.from_list(i32, [1, len(handed[0]), len(handed[1])])
    set_property(branch, "operandSegmentSizes", sizes)


# --- calls ------------------------------------------------------------------------------


def lower_call(pointers: Pointers, op: Any) -> None:
    """Pass memory, and behind all other arguments the offsets that the callee wants."""
    callee = _function(op, op.callee.string_value())
    builder = Builder(before=op)
    operands = list(op.operands)
    offsets: list[SSAValue] = []
    wanted = offset_places(callee) if callee is not None else []
    for place, operand in enumerate(operands):
        if not is_pointer(operand.type):
            continue
        pair = pointers.get(operand)
        if pair is None:
            return
        operands[place] = pair.memory
        if place in wanted:
            offsets.append(builder.materialise(pair.offset))
        elif pair.offset != 0:
            return
    op.operands = [*operands, *offsets]


def _function(op: Operation, name: str) -> Operation | None:
    module = op
    while (above := module.parent_op()) is not None and module.name != "builtin.module":
        module = above
    for function in module.regions[0].block.ops:
        symbol: Any = function.properties.get("sym_name")
        if symbol is not None and symbol.data == name:
            return function
    return None


def plan_calls(module: Operation) -> None:
    """
    Give functions one more `index` argument for each pointer that some call moved before.

    A view of memory forgets where the memory it is a view of begins, so an offset must be
    passed beside it. To be called before any function of the module is lowered.
    """
    functions = list(module.regions[0].block.ops)
    if len(functions) < 2:
        return
    places: dict[str, set[int]] = {}
    calls: list[Any] = [*ops_in(module, ("func.call",))]
    for op in calls:
        for place, operand in enumerate(op.operands):
            if is_pointer(operand.type) and not _is_whole_argument(operand):
                places.setdefault(op.callee.string_value(), set()).add(place)
    for function in functions:
        symbol: Any = function.properties.get("sym_name")
        if symbol is not None and symbol.data in places and function.name == "func.func":
            _add_offset_arguments(function, sorted(places[symbol.data]))


def _is_whole_argument(value: SSAValue) -> bool:
    return (
        isinstance(value, BlockArgument)
        and value.owner.parent_op() is not None
        and (
            value.owner.parent_op().name == "func.func"  # pyright: ignore[reportOptionalMemberAccess]
            and not value.owner.prev_block
        )
    )


def _add_offset_arguments(function: Operation, places: Sequence[int]) -> None:
    kind: Any = function.properties["function_type"]
    set_signature(function, [*kind.inputs.data, *[INDEX] * len(places)])
    set_attribute(function, OFFSET_PLACES, DenseArrayBase.from_list(i32, list(places)))
    if function.regions[0].blocks:
        _add_arguments(function.regions[0].blocks[0], [INDEX] * len(places))


FLOW.update(
    {
        "scf.if": lower_if,
        "scf.for": lower_for,
        "scf.while": lower_while,
        "func.call": lower_call,
        BRANCHING: lower_branching_blocks,
    }
)
