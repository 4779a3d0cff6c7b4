"""Rules of atomic updates of memory, for scalars; tensors arrive here element by element."""

import sys
from collections.abc import Callable

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import single_block, terminator
from xtriton.cpu.emitter.arithmetic import binary
from xtriton.cpu.emitter.checks import ATOMIC, check_element
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.types import Type
from xtriton.dialects.upstream.arith import AtomicRMWKind
from xtriton.ir.attributes import integer

OPERATIONS = {
    "addf": "fadd",
    "addi": "add",
    "andi": "and",
    "assign": "xchg",
    "maximumf": "fmaximum",
    "maxnumf": "fmax",
    "maxs": "max",
    "maxu": "umax",
    "minimumf": "fminimum",
    "minnumf": "fmin",
    "mins": "min",
    "minu": "umin",
    "ori": "or",
    "xori": "xor",
}
"""LLVM's operation for the kinds of `memref.atomic_rmw` that it has."""

COMBINERS = {"maxs": "maxsi", "maxu": "maxui", "mins": "minsi", "minu": "minui"}
"""The op of `arith` that computes a kind, where the names differ."""

ORDERS = ("acq_rel", "monotonic", "acquire", "release", "acq_rel")
"""LLVM's memory order for each of Triton's by its code; the first where none is recorded."""


def order_of(op: Operation) -> str:
    """Return the memory order of an atomic op, of `tt` or of what it became."""
    return ORDERS[integer(op, "tt.sem", integer(op, "sem", 0))]


@rule("memref.atomic_rmw")
def _atomic_rmw(e: Emitter, op: Operation) -> None:
    value, memref, *indices = op.operands
    view = e.view(memref)
    e.note_write(view)
    kind = AtomicRMWKind(integer(op, "kind"))
    check_element(e, op, view, e.scalars(indices), ATOMIC)
    pointer = e.address(view, e.scalars(indices))
    e.bind(op.results[0], update(e, op, view.type, pointer, kind, e.scalar(value)))


def update(
    e: Emitter, op: Operation, type: Type, pointer: str, kind: AtomicRMWKind, operand: Operand
) -> Operand:
    """
    Combine `operand` with what is at `pointer`; return what was there.

    Atomically, unless the code is alone.
    """
    name = kind.name
    if e.is_alone:
        return _update_plainly(e, type, pointer, name, operand)
    plain = type.register == type.memory and (type.small is None or name == "assign")
    if name in OPERATIONS and plain:
        rmw = f"atomicrmw {OPERATIONS[name]} ptr {pointer}, {type.memory} {operand}"
        return e.builder.value(f"{rmw} {order_of(op)}")
    if name == "assign":
        return compare_and_swap(e, op, type, pointer, lambda _: operand)
    return compare_and_swap(
        e, op, type, pointer, lambda old: _combined(e, name, type, old, operand)
    )


def _update_plainly(e: Emitter, type: Type, pointer: str, name: str, operand: Operand) -> Operand:
    old = e.from_memory(type, e.builder.load(type.memory, pointer))
    if name == "assign":
        new = operand
    elif name == "addf" and type.small is None:
        # What an atomic op adds is rounded before, so that this is no part of an FMA either.
        new = e.builder.value(f"fadd {type.register} {old}, {operand}")
    else:
        new = _combined(e, name, type, old, operand)
    e.builder.store(type.memory, e.to_memory(type, new), pointer)
    return old


def _combined(e: Emitter, name: str, type: Type, old: Operand, operand: Operand) -> Operand:
    return binary(e, f"arith.{COMBINERS.get(name, name)}", type, old, operand)


@rule("memref.generic_atomic_rmw")
def _generic_atomic_rmw(e: Emitter, op: Operation) -> None:
    memref, *indices = op.operands
    view = e.view(memref)
    e.note_write(view)
    block = single_block(op)

    def body(old: Operand) -> Operand:
        e.bind(block.args[0], old)
        e.run_block(block)
        return e.scalar(terminator(block).operands[0])

    check_element(e, op, view, e.scalars(indices), ATOMIC)
    pointer = e.address(view, e.scalars(indices))
    e.bind(op.results[0], compare_and_swap(e, op, view.type, pointer, body))


def compare_and_swap(
    e: Emitter, op: Operation, type: Type, pointer: str, body: Callable[[Operand], Operand]
) -> Operand:
    """Replace what is at `pointer` by `body` of it, again until nobody interfered; return it."""
    builder = e.builder
    width = f"i{8 * type.bytes}"
    first = builder.value(f"load atomic {width}, ptr {pointer} monotonic, align {type.bytes}")
    entry = builder.current
    loop, done = builder.name("retry"), builder.name("done")
    builder.branch(loop)
    builder.block(loop)
    old_bits = f"%{builder.name('old')}"
    hole = len(builder.lines)
    builder.lines.append("")
    old = e.from_memory(type, _as(e, old_bits, width, type.memory))
    with builder.fresh_memory():
        new = e.to_memory(type, body(old))
    new_bits = _as(e, str(new), type.memory, width)
    swap = f"cmpxchg ptr {pointer}, {width} {old_bits}, {width} {new_bits}"
    pair = builder.value(f"{swap} {order_of(op)} monotonic")
    seen = builder.value(f"extractvalue {{ {width}, i1 }} {pair}, 0")
    won = builder.value(f"extractvalue {{ {width}, i1 }} {pair}, 1")
    incoming = f"[ {first}, %{entry} ], [ {seen}, %{builder.current} ]"
    builder.lines[hole] = f"  {old_bits} = phi {width} {incoming}"
    builder.emit(f"br i1 {won}, label %{done}, label %{loop}")
    builder.block(done)
    return old


def _as(e: Emitter, value: str, source: str, target: str) -> str:
    return value if source == target else e.builder.value(f"bitcast {source} {value} to {target}")


def compare_and_swap_at(
    e: Emitter, op: Operation, type: Type, pointer: str, expected: Operand, value: Operand
) -> Operand:
    """Put `value` at `pointer` if `expected` is there, bit for bit; return what was there."""
    width = f"i{8 * type.bytes}"
    bits = [_as(e, str(e.to_memory(type, x)), type.memory, width) for x in (expected, value)]
    swap = f"cmpxchg ptr {pointer}, {width} {bits[0]}, {width} {bits[1]} {order_of(op)} monotonic"
    pair = e.builder.value(swap)
    old = e.builder.value(f"extractvalue {{ {width}, i1 }} {pair}, 0")
    return e.from_memory(type, _as(e, old, width, type.memory))


NANOSECONDS = 10**9
_MONOTONIC_CLOCK = 6 if sys.platform == "darwin" else 1


def poll(
    e: Emitter, op: Operation, type: Type, pointer: str, expected: Operand, timeout: Operand | None
) -> str:
    """
    Read an integer until it is `expected` or `timeout` nanoseconds are over.

    Returns, as an i1, whether it was seen. Between two readings the thread lets others run:
    who is to write may be waiting for this core.
    """
    builder, width = e.builder, type.memory
    start = _now(e) if timeout is not None else None
    loop, wait, done = builder.name("poll"), builder.name("wait"), builder.name("polled")
    builder.branch(loop)
    builder.block(loop)
    order = "acquire" if "acq" in order_of(op) else "monotonic"
    value = builder.value(f"load atomic {width}, ptr {pointer} {order}, align {type.bytes}")
    seen = builder.value(f"icmp eq {width} {value}, {e.to_memory(type, expected)}")
    if start is None:
        builder.emit(f"br i1 {seen}, label %{done}, label %{wait}")
    else:
        elapsed = builder.value(f"sub i64 {_now(e)}, {start}")
        over = builder.value(f"icmp sge i64 {elapsed}, {timeout}")
        ends = builder.value(f"or i1 {seen}, {over}")
        builder.emit(f"br i1 {ends}, label %{done}, label %{wait}")
    builder.block(wait)
    builder.call("i32", "sched_yield", [])
    builder.branch(loop)
    builder.block(done)
    return seen


def _now(e: Emitter) -> str:
    """Return nanoseconds on a clock that only goes forward."""
    builder = e.builder
    clock = builder.alloca("i64", 2, 8)
    builder.call("i32", "clock_gettime", [("i32", _MONOTONIC_CLOCK), ("ptr", clock)])
    seconds = builder.value(f"load i64, ptr {clock}")
    rest = builder.value(f"load i64, ptr {builder.element_pointer('i64', clock, 1)}")
    return builder.value(f"add i64 {builder.mul(seconds, NANOSECONDS)}, {rest}")
