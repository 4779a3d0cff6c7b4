"""Rules of the ops that reach memory, and of results that point where an operand points."""

from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.analysis.effects import memory
from xtriton.analysis.effects.boundary import cover, is_covered
from xtriton.analysis.effects.opaque import holds_address
from xtriton.analysis.effects.state import State
from xtriton.analysis.effects.summaries import (
    DESCRIPTOR_READERS,
    DESCRIPTOR_WRITERS,
    SYNCHRONIZING,
    THROUGH_MEMORY,
    is_address,
    name_of,
)
from xtriton.analysis.effects.values import LinearForm, MemoryLocation, Root, Value, moved, places
from xtriton.analysis.effects.walker import NeedsFollowing, Walker
from xtriton.analysis.memory_ops import MEMORY_OPS, Touch
from xtriton.analysis.values import Sort, known_byte_width, type_facts
from xtriton.ir.attributes import flag

TENSORMAP_BYTES = 128
"""The size of a TMA descriptor in memory."""

TRACKED = (
    frozenset(("tt.int_to_ptr", "tt.ptr_to_int", "llvm.inttoptr", "llvm.ptrtoint"))
    | DESCRIPTOR_READERS
    | DESCRIPTOR_WRITERS
)
"""Ops for whose sake integers and memory are followed, which costs time."""


def follow(w: Walker, op: Operation, state: State) -> None:
    """An op for whose sake integers and memory have to be followed."""
    raise NeedsFollowing


def _needs_following(op: Operation) -> bool:
    """Tell whether an access takes an address from memory."""
    if op.name in THROUGH_MEMORY and type_facts(op.operands[0].type).sort is Sort.POINTER:
        return True
    return any(is_address(r.type) for r in op.results)


def access(w: Walker, op: Operation, state: State) -> None:
    """An op of `MEMORY_OPS`: reads or writes through its operands."""
    touches = MEMORY_OPS[name_of(op)].touches
    if not w.following and _needs_following(op):
        raise NeedsFollowing
    if w.is_dead(op):
        w.note("never", "no lane of the mask is ever on", op)
        propagate(w, op, state)
        return
    if flag(op, "isVolatile"):
        w.note("side effect", "volatile", op, certain=state.certain)
    for touch in touches:
        where = places(target(w, op, op.operands[touch.operand], state))
        reached(w, op, touch, where, state)
    if w.following and op.name in SYNCHRONIZING:
        state.cells.clear()


def target(w: Walker, op: Operation, pointer: SSAValue, state: State) -> Value:
    """Return the addresses that an access through an operand goes to."""
    value = w.pointer(pointer)
    through = op.name in THROUGH_MEMORY and type_facts(pointer.type).sort is Sort.POINTER
    if not through and not any(f.indirect for f in value):
        return value
    found: set[LinearForm] = set()
    for form in value:
        if form.indirect or through:
            found |= descriptor_at(w, op, LinearForm(form.terms, form.offset), state)
        else:
            found.add(form)
    return frozenset(found)


def descriptor_at(w: Walker, op: Operation, at: LinearForm, state: State) -> Value:
    """Return the bases of the descriptors that may lie at an address."""
    where = places(frozenset((at,)))
    known = all(p.offset is not None and (p.root, p.offset) in state.cells for p in where)
    w.touch(op, Touch(-1, read=True), where, state)
    w.events[op, -1].initial |= not known
    loaded = memory.load(state.cells, w.log, where, TENSORMAP_BYTES)
    # A descriptor that the host has put there describes the argument itself.
    return frozenset(
        f
        if not (
            len(f.terms) == 1
            and (root := f.terms[0][0]).kind == "content"
            and root.via is not None
            and root.via.kind == "argument"
        )
        else LinearForm(((Root("argument", root.via.index, None, -1), 1),), None)
        for f in loaded
    )


def reached(
    w: Walker, op: Operation, touch: Touch, where: frozenset[MemoryLocation], state: State
) -> None:
    """Note an access and let it act on memory."""
    indices = w.frame.indices
    covered = touch.read and is_covered(indices, op, touch, state)
    w.touch(op, touch, where, state)
    w.events[op, touch.operand].initial |= touch.read and not covered
    if touch.write and not touch.atomic:
        cover(indices, op, touch, state)
    if not w.following:
        if touch.write:
            for operand in op.operands:
                if operand is not op.operands[touch.operand] and is_address(operand.type):
                    w.escape(w.get(operand), op)
        return
    size = byte_width_of(op, touch)
    if touch.write:
        stored = [w.get(v) for i, v in enumerate(op.operands) if i != touch.operand]
        value = frozenset[LinearForm]().union(*stored)
        w.escape(value, op)
        strong = w.mask(op) is None and not touch.atomic
        memory.store(state.cells, w.log, where, size, value, strong=strong)
    if touch.read and op.results and _may_be_address(op.results[0].type):
        value = memory.load(state.cells, w.log, where, size)
        for i, v in enumerate(op.operands):
            if i != touch.operand:
                value |= w.get(v)
        w.set(op.results[0], value)


def byte_width_of(op: Operation, touch: Touch) -> int:
    return known_byte_width(type_facts(op.operands[touch.operand].type).element) or 1


def _may_be_address(type: Attribute) -> bool:
    return is_address(type) or holds_address(type, 32)


def create_descriptor(w: Walker, op: Operation, state: State) -> None:
    """`tensormap_create`: the descriptor of the second operand goes where the first points."""
    slot, base = op.operands[0], op.operands[1]
    where = places(w.pointer(slot))
    w.touch(op, Touch(0, write=True), where, state)
    w.escape(w.get(base), op)
    memory.store(
        state.cells, w.log, where, TENSORMAP_BYTES, moved(w.pointer(base), None), strong=True
    )


def read_descriptor(w: Walker, op: Operation, state: State) -> None:
    """`reinterpret_tensor_descriptor`: the descriptor at an address, read where it is used."""
    value = w.pointer(op.operands[0])
    w.set(op.results[0], frozenset(LinearForm(f.terms, f.offset, True) for f in value))


def propagate(w: Walker, op: Operation, state: State) -> None:
    """A result points where an operand points; its offset is not known."""
    for result in op.results:
        if w.following or is_address(result.type):
            value = frozenset[LinearForm]().union(*(w.get(v) for v in op.operands))
            w.set(result, moved(value, None))
