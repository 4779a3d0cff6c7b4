"""What each op does to the addresses that values may be: the rules of the walk, by op name."""

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from xtriton.analysis.effects.accessing import (
    TRACKED,
    access,
    create_descriptor,
    follow,
    propagate,
    read_descriptor,
)
from xtriton.analysis.effects.opaque import extern, holds_address, inline_asm, touches_operands
from xtriton.analysis.effects.regions import (
    call,
    combine,
    for_loop,
    if_op,
    select,
    warp_specialize,
    while_loop,
)
from xtriton.analysis.effects.state import State
from xtriton.analysis.effects.summaries import (
    DESCRIPTOR_READERS,
    DESCRIPTOR_WRITERS,
    SIDE_EFFECTS,
    declared_touches,
    is_address,
    is_pure,
    is_quiet,
    name_of,
)
from xtriton.analysis.effects.values import (
    NOTHING,
    LinearForm,
    Root,
    added,
    address,
    limited,
    mangled,
    moved,
    scaled,
)
from xtriton.analysis.effects.walker import NeedsFollowing, Rule, Rules, Walker
from xtriton.analysis.memory_ops import MEMORY_OPS
from xtriton.analysis.values import Sort, byte_width, type_facts


def base(w: Walker, op: Operation, state: State) -> None:
    """The result points where the first operand points, its offset unknown."""
    w.set(op.results[0], moved(w.get(op.operands[0]), None))


def same(w: Walker, op: Operation, state: State) -> None:
    """The result is the first operand, reshaped or retyped."""
    w.set(op.results[0], w.get(op.operands[0]))


def same_offset(w: Walker, op: Operation, state: State) -> None:
    """`tt.addptr` where only roots matter."""
    w.set(op.results[0], w.get(op.operands[0]))


def add_pointer(w: Walker, op: Operation, state: State) -> None:
    """`tt.addptr`: the base moves, the offset never taints."""
    step = w.constant(op.operands[1])
    by = None if step is None else step * byte_width(type_facts(op.operands[0].type).element)
    w.set(op.results[0], moved(w.get(op.operands[0]), by))


def either(w: Walker, op: Operation, state: State) -> None:
    """The result has elements of all operands."""
    for result in op.results:
        if w.following or is_address(result.type):
            value = limited(frozenset[LinearForm]().union(*(w.get(v) for v in op.operands)))
            w.set(result, value)


def add(w: Walker, op: Operation, state: State) -> None:
    _linear(w, op, 1)


def subtract(w: Walker, op: Operation, state: State) -> None:
    _linear(w, op, -1)


def _linear(w: Walker, op: Operation, sign: int) -> None:
    x, y = op.operands
    a, b = w.get(x), w.get(y)
    if not a and not b:
        return
    m, n = w.constant(x) if not a else None, w.constant(y) if not b else None
    if not b and n is not None:
        w.set(op.results[0], moved(a, sign * n))
    elif not a and m is not None:
        w.set(op.results[0], moved(scaled(b, sign), m))
    else:
        w.set(op.results[0], added(a, b, sign))


def multiply(w: Walker, op: Operation, state: State) -> None:
    x, y = op.operands
    a, b = w.get(x), w.get(y)
    if not a and not b:
        return
    factor = w.constant(y) if not b else (w.constant(x) if not a else None)
    w.set(op.results[0], mangled(a, b) if factor is None else scaled(a or b, factor))


def extend(w: Walker, op: Operation, state: State) -> None:
    """A conversion that keeps the number."""
    value = w.get(op.operands[0])
    if value:
        w.set(op.results[0], value)


def mangle(w: Walker, op: Operation, state: State) -> None:
    """The result may hold what the operands hold, in some form."""
    value = mangled(*(w.get(v) for v in op.operands))
    if value or any(r in w.frame.env for r in op.results):
        for result in op.results:
            if type_facts(result.type).sort is not Sort.BOOLEAN:
                w.set(result, value)


def compare(w: Walker, op: Operation, state: State) -> None:
    """Comparing addresses tells something about them."""
    for operand in op.operands:
        value = w.get(operand)
        if any(r.kind == "argument" for f in value for r, _ in f.terms):
            w.escape(value, op)


def make_descriptor(w: Walker, op: Operation, state: State) -> None:
    """`tt.make_tensor_ptr`, `tt.make_tensor_descriptor`: the base only."""
    w.set(op.results[0], moved(w.get(op.operands[0]), None))


def scratch(w: Walker, op: Operation, state: State) -> None:
    """Memory of the launch, or of one program."""
    number = w.scratch.setdefault(op, len(w.scratch))
    w.set(op.results[0], address(Root("scratch", number)))


def constant(w: Walker, op: Operation, state: State) -> None:
    """A number, which is an address only once somebody makes a pointer of it."""


def program_id(w: Walker, op: Operation, state: State) -> None:
    """The place of the program in one dimension of the grid."""
    axis = op.get_attr_or_prop("axis")
    w.axes |= {axis.value.data} if isinstance(axis, IntegerAttr) else {0, 1, 2}


def block_id(w: Walker, op: Operation, state: State) -> None:
    """The same, in another dialect."""
    w.axes |= {0, 1, 2}


def int_to_ptr(w: Walker, op: Operation, state: State) -> None:
    value = w.get(op.operands[0])
    w.set(op.results[0], value or address(Root("constant"), w.constant(op.operands[0])))


def effect(w: Walker, op: Operation, state: State) -> None:
    """An op that does something else than reading and writing memory."""
    w.note("side effect", SIDE_EFFECTS[name_of(op)], op, certain=state.certain)
    for operand in op.operands:
        w.escape(w.get(operand), op)
    if w.following:
        state.cells.clear()
    for result in op.results:
        w.set(result, NOTHING)


def barrier(w: Walker, op: Operation, state: State) -> None:
    """The threads of a program wait for each other; nobody outside of it can tell."""
    w.note("side effect", "barrier", op, certain=state.certain)


def unknown(w: Walker, op: Operation, state: State) -> None:
    """An op without a rule: by its declared effects, and else it may touch what it is handed."""
    touches = declared_touches(op)
    if not w.following and not is_quiet(op) and any(holds_address(v.type) for v in op.operands):
        raise NeedsFollowing
    reaching = [
        t
        for t in touches
        if w.get(op.operands[t.operand]) or is_address(op.operands[t.operand].type)
    ]
    if reaching:
        touches_operands(w, op, state, reaching)
    elif not is_quiet(op):
        w.note("side effect", "unknown op", op, certain=state.certain)
        w.note("unknown op", f"nothing is known of '{name_of(op)}'", op)
    if op.regions:
        combine(w, op, state)
    elif not reaching:
        propagate(w, op, state)


def skip(w: Walker, op: Operation, state: State) -> None:
    """Nothing happens."""


def shared_store(w: Walker, op: Operation, state: State) -> None:
    """Addresses kept in memory of the program's own: any load from there may find them."""
    for operand in op.operands:
        value = w.get(operand)
        if not value <= w.shared:
            w.shared = limited(w.shared | value)
            w.log.grew = True


def shared_load(w: Walker, op: Operation, state: State) -> None:
    """Loads what `shared_store` may have put there."""
    for result in op.results:
        w.set(result, w.shared)


_SHARED_STORES = (
    "ttg.local_store",
    "ttg.local_scatter",
    "ttng.async_shared_store",
    "ttng.tmem_store",
    "ttng.tmem_copy",
    "ttg.local_alloc",
    "ttng.tmem_alloc",
)
_SHARED_LOADS = ("ttg.local_load", "ttg.local_gather", "ttng.tmem_load")

_SHAPES = (
    "tt.splat",
    "tt.broadcast",
    "tt.expand_dims",
    "tt.trans",
    "tt.reshape",
    "tt.unsplat",
    "tt.bitcast",
    "tt.split",
    "ttg.convert_layout",
    "gluon.set_auto_layout",
    "arith.bitcast",
)

_LLVM_ARITHMETIC = tuple(
    f"llvm.{name}"
    for name in (
        *("add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "and", "or", "xor"),
        *("shl", "lshr", "ashr", "icmp", "fcmp", "select", "sext", "zext", "trunc"),
        *("fadd", "fsub", "fmul", "fdiv", "fneg", "sitofp", "uitofp", "fptosi", "fptoui"),
        *("fpext", "fptrunc", "bitcast", "addrspacecast", "getelementptr"),
        *("extractvalue", "insertvalue", "extractelement", "insertelement"),
    )
)

_ALWAYS: dict[str, Rule | None] = {
    **dict.fromkeys(MEMORY_OPS, access),
    **dict.fromkeys(SIDE_EFFECTS, effect),
    **dict.fromkeys(DESCRIPTOR_WRITERS, create_descriptor),
    **dict.fromkeys(DESCRIPTOR_READERS, read_descriptor),
    **dict.fromkeys(("tt.cat", "tt.join", "tt.gather"), either),
    "tt.split": either,
    "tt.advance": base,
    "tt.make_tensor_ptr": make_descriptor,
    "tt.make_tensor_descriptor": make_descriptor,
    "ttng.tensor_desc_to_tma_ptr": base,
    "tt.experimental_tensormap_fenceproxy_acquire": skip,
    "ttng.tensormap_fenceproxy_acquire": skip,
    **dict.fromkeys(("ttg.global_scratch_alloc", "memref.alloc", "memref.alloca"), scratch),
    "memref.dealloc": None,
    "tt.int_to_ptr": int_to_ptr,
    "tt.elementwise_inline_asm": inline_asm,
    "ttg.inline_asm": inline_asm,
    "tt.extern_elementwise": extern,
    "arith.select": select,
    "scf.for": for_loop,
    "scf.while": while_loop,
    "scf.if": if_op,
    "tt.reduce": combine,
    "tt.scan": combine,
    "tt.map_elementwise": combine,
    "ttg.mask": combine,
    "scf.execute_region": combine,
    "ttg.warp_specialize": warp_specialize,
    "tt.call": call,
    "func.call": call,
    "arith.constant": None,
    "tt.make_range": None,
    "tt.get_program_id": program_id,
    "gpu.block_id": block_id,
    "tt.get_num_programs": None,
    "llvm.intr.assume": None,
    **dict.fromkeys(("llvm.mlir.constant", "llvm.mlir.undef", "llvm.mlir.poison"), None),
    "llvm.mlir.zero": None,
    **dict.fromkeys(_LLVM_ARITHMETIC, propagate),
    "builtin.unrealized_conversion_cast": propagate,
    **dict.fromkeys(("gpu.barrier", "ttg.barrier", "ttg.local_barrier"), barrier),
}

_PLAIN: dict[str, Rule | None] = {
    **_ALWAYS,
    **dict.fromkeys(_SHAPES, same),
    "tt.split": either,
    "tt.addptr": same_offset,
    **dict.fromkeys(TRACKED, follow),
    "arith.cmpi": None,
}

FOLLOWED: dict[str, Rule | None] = {
    **_ALWAYS,
    **dict.fromkeys(_SHAPES, same),
    "tt.split": either,
    "tt.addptr": add_pointer,
    **dict.fromkeys(_SHARED_STORES, shared_store),
    **dict.fromkeys(_SHARED_LOADS, shared_load),
    "tt.ptr_to_int": same,
    "arith.addi": add,
    "arith.subi": subtract,
    "arith.muli": multiply,
    "arith.extsi": extend,
    "arith.extui": extend,
    "arith.index_cast": extend,
    "arith.index_castui": extend,
    "arith.cmpi": compare,
    "arith.minsi": either,
    "arith.maxsi": either,
    "arith.minui": either,
    "arith.maxui": either,
}


def _arithmetic_or(op: Operation, arithmetic: Rule | None) -> Rule | None:
    if name_of(op).partition(".")[0] in ("arith", "math", "index"):
        return arithmetic
    return propagate if not op.regions and is_pure(op) else unknown


PLAIN = Rules(_PLAIN, lambda op: _arithmetic_or(op, None), following=False)
"""Where no integer is an address and no address comes from memory."""

FOLLOWING = Rules(FOLLOWED, lambda op: _arithmetic_or(op, mangle), following=True)
"""Where integers and memory are followed."""
