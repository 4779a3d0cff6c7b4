"""Rules of atomic updates of memory, for scalars; tensors arrive here element by element."""

from xdsl.ir import Operation

from xtriton.cpu.emitter.access import integer, single_block, string, terminator
from xtriton.cpu.emitter.core import Emitter, rule

KINDS = {
    0: ("fadd", "addf"), 1: ("add", "addi"), 2: ("xchg", "assign"), 3: ("fmaximum", "maximumf"),
    4: ("max", "maxs"), 5: ("umax", "maxu"), 6: ("fminimum", "minimumf"), 7: ("min", "mins"),
    8: ("umin", "minu"), 9: ("", "mulf"), 10: ("", "muli"), 11: ("or", "ori"),
    12: ("and", "andi"), 13: ("fmax", "maxnumf"), 14: ("fmin", "minnumf"), 15: ("xor", "xori"),
}  # fmt: skip
"""LLVM's operation for each kind of `memref.atomic_rmw`, by MLIR's code."""

ORDERS = {"relaxed": "monotonic", "acquire": "acquire", "release": "release", "acq_rel": "acq_rel"}


@rule("memref.atomic_rmw")
def _atomic_rmw(e: Emitter, op: Operation) -> None:
    value, memref, *indices = op.operands
    view = e.view(memref)
    e.note_write(view)
    kind, name = KINDS.get(integer(op, "kind"), ("", "?"))
    type = view.type
    if not kind or (type.small is not None and kind != "xchg") or type.register == "i1":
        e.unsupported(op, f"kind '{name}' on {type.name}")
    order = ORDERS.get(string(op, "sem") or string(op, "ordering"), "acq_rel")
    pointer = e.address(view, e.scalars(indices))
    old = e.builder.value(
        f"atomicrmw {kind} ptr {pointer}, {type.memory} {e.scalar(value)} {order}"
    )
    e.bind(op.results[0], old)


@rule("memref.generic_atomic_rmw")
def _generic_atomic_rmw(e: Emitter, op: Operation) -> None:
    memref, *indices = op.operands
    view = e.view(memref)
    e.note_write(view)
    builder, type = e.builder, view.type
    pointer = e.address(view, e.scalars(indices))
    integer_type = f"i{8 * type.bytes}"
    first = builder.value(
        f"load atomic {integer_type}, ptr {pointer} monotonic, align {type.bytes}"
    )
    entry = builder.current
    loop, done = builder.name("retry"), builder.name("done")
    builder.branch(loop)
    builder.block(loop)
    old_bits = f"%{builder.name('old')}"
    hole = len(builder.lines)
    builder.lines.append("")
    block = single_block(op)
    old = e.from_memory(type, _as(e, old_bits, integer_type, type.memory))
    e.bind(block.args[0], old)
    with builder.fresh_memory():
        e.run_block(block)
    new = e.to_memory(type, e.scalar(terminator(block).operands[0]))
    new_bits = _as(e, str(new), type.memory, integer_type)
    both = f"{integer_type} {old_bits}, {integer_type} {new_bits}"
    pair = builder.value(f"cmpxchg ptr {pointer}, {both} acq_rel monotonic")
    pair_type = f"{{ {integer_type}, i1 }}"
    seen = builder.value(f"extractvalue {pair_type} {pair}, 0")
    won = builder.value(f"extractvalue {pair_type} {pair}, 1")
    builder.lines[hole] = (
        f"  {old_bits} = phi {integer_type} [ {first}, %{entry} ], [ {seen}, %{builder.current} ]"
    )
    builder.emit(f"br i1 {won}, label %{done}, label %{loop}")
    builder.block(done)
    e.bind(op.results[0], old)


def _as(e: Emitter, value: str, source: str, target: str) -> str:
    return value if source == target else e.builder.value(f"bitcast {source} {value} to {target}")
