"""Rules of atomic updates of memory, for scalars; tensors arrive here element by element."""

from collections.abc import Callable

from xdsl.ir import Operation

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import integer, single_block, terminator
from xtriton.cpu.emitter.arithmetic import binary
from xtriton.cpu.emitter.core import Emitter, rule
from xtriton.cpu.emitter.values import View
from xtriton.dialects.upstream.arith import AtomicRMWKind

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
    return ORDERS[integer(op, "tt.sem")]


@rule("memref.atomic_rmw")
def _atomic_rmw(e: Emitter, op: Operation) -> None:
    value, memref, *indices = op.operands
    view = e.view(memref)
    e.note_write(view)
    name = AtomicRMWKind(integer(op, "kind")).name
    type, operand = view.type, e.scalar(value)
    pointer = e.address(view, e.scalars(indices))
    plain = type.register == type.memory and (type.small is None or name == "assign")
    if name in OPERATIONS and plain:
        update = f"atomicrmw {OPERATIONS[name]} ptr {pointer}, {type.memory} {operand}"
        e.bind(op.results[0], e.builder.value(f"{update} {order_of(op)}"))
    elif name == "assign":
        e.bind(op.results[0], compare_and_swap(e, op, view, pointer, lambda _: operand))
    else:
        combiner = f"arith.{COMBINERS.get(name, name)}"
        old = compare_and_swap(
            e, op, view, pointer, lambda old: binary(e, combiner, type, old, operand)
        )
        e.bind(op.results[0], old)


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

    pointer = e.address(view, e.scalars(indices))
    e.bind(op.results[0], compare_and_swap(e, op, view, pointer, body))


def compare_and_swap(
    e: Emitter, op: Operation, view: View, pointer: str, body: Callable[[Operand], Operand]
) -> Operand:
    """Replace what is at `pointer` by `body` of it, again until nobody interfered; return it."""
    builder, type = e.builder, view.type
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
