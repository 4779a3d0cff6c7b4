"""
Rules of Triton's pointers where no memref was made of them: addresses in registers.

Tables of pointers, pointers made of integers or chosen element by element come here; so do
casts that see the same memory as elements of another type. Nothing is known of such memory
but its address, so every store is taken to touch whatever it could.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import is_shaped, shape_of
from xtriton.cpu.emitter.atomics import compare_and_swap_at, poll, update
from xtriton.cpu.emitter.casts import resize_integer
from xtriton.cpu.emitter.checks import ATOMIC, LOAD, STORE, check_element
from xtriton.cpu.emitter.core import Emitter, Rule, rule
from xtriton.cpu.emitter.elementwise import scalar_rule
from xtriton.cpu.emitter.values import (
    ANY_ARGUMENT,
    UNKNOWN_SIZE,
    Lazy,
    Storage,
    View,
    condition_text,
)
from xtriton.cpu.types import INDEX, Type
from xtriton.dialects.tt.enums import RMWOp
from xtriton.lowering.element_access import ATOMIC_KINDS


def pointee(e: Emitter, kind: Attribute) -> Type:
    """Return the type of what a pointer, or each pointer of a tensor, points to."""
    scalar = cast(Any, kind).element_type if is_shaped(kind) else kind
    return e.type(cast(Any, scalar).pointee_type)


# --- casts and arithmetic ---------------------------------------------------------------


@rule("builtin.unrealized_conversion_cast")
def _cast(e: Emitter, op: Operation) -> None:
    """Between memory and its address, or memory seen as elements of another type."""
    source, *offset = op.operands
    target: Any = op.results[0].type
    if is_shaped(source.type) != is_shaped(target) and is_shaped(op.operands[0].type):
        e.unsupported(op)
    if not hasattr(source.type, "element_type"):
        storage = Storage(str(e.scalar(source)), ANY_ARGUMENT, writable=False)
    else:
        view = e.view(source)
        index = e.builder.add(view.offset, e.scalar(offset[0]) if offset else 0)
        start = e.builder.element_pointer(view.type.memory, view.storage.pointer, index)
        storage = Storage(start, view.storage.argument, writable=False)
    if not hasattr(target, "element_type"):
        e.bind(op.results[0], storage.pointer)
        return
    rank = len(shape_of(target)) if hasattr(target, "get_shape") else 0
    e.bind(
        op.results[0],
        View(storage, e.type(target), 0, (UNKNOWN_SIZE,) * rank, (1,) * rank),
    )


@rule("memref.extract_aligned_pointer_as_index")
def _address(e: Emitter, op: Operation) -> None:
    start = e.view(op.operands[0]).storage.pointer
    e.bind(op.results[0], e.builder.value(f"ptrtoint ptr {start} to i64"))


@scalar_rule("tt.int_to_ptr")
def _int_to_ptr(e: Emitter, op: Operation) -> None:
    type = e.type(op.operands[0].type)
    address = resize_integer(e, e.scalar(op.operands[0]), type, INDEX, signed=False)
    e.bind(op.results[0], e.builder.value(f"inttoptr i64 {address} to ptr"))


@scalar_rule("tt.ptr_to_int")
def _ptr_to_int(e: Emitter, op: Operation) -> None:
    pointer, target = e.scalar(op.operands[0]), e.type(op.results[0].type)
    e.bind(op.results[0], e.builder.value(f"ptrtoint ptr {pointer} to {target.register}"))


@scalar_rule("tt.addptr")
def _addptr(e: Emitter, op: Operation) -> None:
    pointer, offset = e.scalars(op.operands)
    type = e.type(op.operands[1].type)
    count = resize_integer(e, offset, type, INDEX, signed=True)
    element = pointee(e, op.operands[0].type).memory
    e.bind(op.results[0], e.builder.value(f"getelementptr {element}, ptr {pointer}, i64 {count}"))


@rule("tt.splat")
def _splat(e: Emitter, op: Operation) -> None:
    value, type = e.scalar(op.operands[0]), e.type(op.results[0].type)
    e.bind(op.results[0], Lazy(type, shape_of(op.results[0].type), lambda _: value))


# --- accesses ---------------------------------------------------------------------------


def access_rule(name: str, *, parallel: bool = False) -> Callable[[Rule], Rule]:
    """Register a rule on scalars that touches memory; on tensors it runs for each element now."""

    def register(function: Rule) -> Rule:
        def apply(e: Emitter, op: Operation) -> None:
            if any(is_shaped(value.type) for value in op.operands):
                _for_each(e, op, function, parallel)
            else:
                function(e, op)

        return rule(name)(apply) and function

    return register


def _for_each(e: Emitter, op: Operation, function: Rule, parallel: bool) -> None:
    tensors = {value: e.tensor(value) for value in op.operands if is_shaped(value.type)}
    shape = shape_of(op.operands[0].type)
    result = op.results[0] if op.results else None
    place = None if result is None else e.allocate(shape, e.type(result.type), op)

    def body(indices: list[Operand]) -> None:
        saved = {value: e.environment[value] for value in tensors}
        for value, tensor in tensors.items():
            e.environment[value] = e.element(tensor, indices)
        function(e, op)
        if place is not None and result is not None:
            e.store(place, indices, e.scalar(result))
        e.environment.update(saved)

    with e.builder.fresh_memory():
        e.nest(shape, body, parallel=parallel)
    if place is not None and result is not None:
        e.bind(result, place)


def _guarded(
    e: Emitter,
    mask: SSAValue | None,
    access: Callable[[], Operand],
    type: Type,
    other: Operand | None = None,
) -> Operand:
    """Return what `access` gives where the mask holds, `other` elsewhere."""
    if mask is None:
        return access()
    otherwise = type.zero if other is None else other
    return e.builder.if_else(
        condition_text(e.scalar(mask)), lambda: [access()], lambda: [otherwise], [type.register]
    )[0]


@access_rule("tt.load", parallel=True)
def _load(e: Emitter, op: Operation) -> None:
    load: Any = op
    type = e.type(op.results[0].type)
    pointer = e.scalar(load.ptr)

    def access() -> Operand:
        _check(e, op, type, str(pointer), LOAD)
        return e.from_memory(type, e.builder.load(type.memory, str(pointer)))

    other = None if load.other is None else e.scalar(load.other)
    e.bind(op.results[0], _guarded(e, load.mask, access, type, other))


@access_rule("tt.store")
def _store(e: Emitter, op: Operation) -> None:
    store: Any = op
    type = pointee(e, store.ptr.type)
    pointer, value = e.scalar(store.ptr), e.scalar(store.value)
    _note_unknown_write(e)

    def access() -> Sequence[Operand]:
        _check(e, op, type, str(pointer), STORE)
        e.builder.store(type.memory, e.to_memory(type, value), str(pointer))
        return ()

    if store.mask is None:
        access()
    else:
        e.builder.if_else(condition_text(e.scalar(store.mask)), access)


def _check(e: Emitter, op: Operation, type: Type, pointer: str, what: str) -> None:
    view = View(Storage(pointer, ANY_ARGUMENT, writable=False), type, 0, (), ())
    check_element(e, op, view, (), what)


def _note_unknown_write(e: Emitter) -> None:
    e.written_arguments |= e.pointer_arguments


@access_rule("tt.atomic_rmw")
def _atomic_rmw(e: Emitter, op: Operation) -> None:
    atomic: Any = op
    type = pointee(e, atomic.ptr.type)
    pointer, value = str(e.scalar(atomic.ptr)), e.scalar(atomic.val)
    kind = ATOMIC_KINDS[RMWOp(op.properties["atomic_rmw_op"].value.data)]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    _note_unknown_write(e)

    def access() -> Operand:
        _check(e, op, type, pointer, ATOMIC)
        return update(e, op, type, pointer, kind, value)

    e.bind(op.results[0], _guarded(e, atomic.mask, access, type))


@access_rule("tt.atomic_cas")
def _atomic_cas(e: Emitter, op: Operation) -> None:
    pointer, expected, value = e.scalars(op.operands)
    _note_unknown_write(e)
    type = pointee(e, op.operands[0].type)
    _check(e, op, type, str(pointer), ATOMIC)
    e.bind(op.results[0], compare_and_swap_at(e, op, type, str(pointer), expected, value))


@access_rule("tt.atomic_poll")
def _atomic_poll(e: Emitter, op: Operation) -> None:
    atomic: Any = op
    type = pointee(e, atomic.ptr.type)
    timeout = None if atomic.timeout is None else e.scalar(atomic.timeout)
    e.bind(
        op.results[0],
        poll(e, op, type, str(e.scalar(atomic.ptr)), e.scalar(atomic.expected), timeout),
    )
