"""Rules of ops whose inside nobody has: functions of other libraries, assembly."""

from collections.abc import Iterable

from xdsl.ir import Attribute, Operation

from xtriton.analysis.effects import memory
from xtriton.analysis.effects.contracts import (
    PURE,
    Contract,
    assembly_may_load,
    assembly_may_store,
    contract_of,
)
from xtriton.analysis.effects.state import State
from xtriton.analysis.effects.summaries import is_address, name_of
from xtriton.analysis.effects.values import (
    NOTHING,
    UNKNOWN,
    MemoryLocation,
    address,
    content_of,
    mangled,
    moved,
    places,
    roots_of,
)
from xtriton.analysis.effects.walker import NeedsFollowing, Walker
from xtriton.analysis.memory_ops import Touch
from xtriton.analysis.values import Sort, type_facts
from xtriton.ir.attributes import flag, string


def holds_address(type: Attribute, width: int = 64) -> bool:
    """Tell whether a number is wide enough to be an address (with 32: half of one)."""
    facts = type_facts(type)
    if facts.sort is Sort.INTEGER:
        return facts.width >= width
    return facts.sort is Sort.OTHER and facts.element.name == "f64"


def touches_operands(
    w: Walker, op: Operation, state: State, touches: Iterable[Touch], *, follows: bool = True
) -> None:
    """
    Let an op that nobody knows well read and write what its operands point to.

    It `follows` the addresses that lie there, where the operand's type says that some do.
    """
    name = name_of(op)
    touches = list(touches)
    if not w.following and any(holds_address(op.operands[t.operand].type) for t in touches):
        raise NeedsFollowing
    for touch in touches:
        value = w.get(op.operands[touch.operand])
        type = op.operands[touch.operand].type
        if not is_address(type) and not (value and holds_address(type)):
            continue
        value = value or address(UNKNOWN, None)
        where = frozenset(MemoryLocation(p.root, None) for p in places(value))
        where |= {MemoryLocation(r, None) for r in roots_of(value)}
        reason = f"'{name}' may touch what it is handed"
        w.touch(op, touch, where, state, reason)
        w.events[op, touch.operand].initial |= touch.read
        w.escape(value, op)
        w.note("opaque", reason, op)
        if w.following:
            facts = type_facts(op.operands[touch.operand].type)
            holds = type_facts(facts.element).sort is Sort.POINTER or facts.element.name == "i64"
            if follows and holds and facts.sort is Sort.POINTER:
                inner = frozenset(MemoryLocation(content_of(p), None) for p in where)
                deeper = Touch(-2 - touch.operand, touch.read, touch.write)
                w.touch(op, deeper, inner, state, reason)
            if touch.write:
                given = mangled(*(w.get(v) for v in op.operands))
                memory.store(state.cells, w.log, where, 8, given, strong=False)
    results = mangled(*(w.get(v) for v in op.operands))
    for result in op.results:
        w.set(result, results)


def inline_asm(w: Walker, op: Operation, state: State) -> None:
    """
    Assembly: what is pure by its attribute and stores nothing by its text leaves memory alone.

    Assembly without an instruction on memory can only be noticed as a side effect.
    """
    text = string(op, "asm_string") + string(op, "asm")
    pure = flag(op, "pure")
    stores, loads = assembly_may_store(text), assembly_may_load(text)
    if not pure:
        w.note("side effect", "inline asm", op, certain=state.certain)
        loads = stores = loads or stores or not text
    elif stores:
        w.note("asm", "declared pure, but its text stores to memory", op)
    touches: list[Touch] = []
    if stores or loads:
        touches = [Touch(k, read=True, write=stores) for k in range(len(op.operands))]
    touches_operands(w, op, state, touches, follows=False)
    for result in op.results:
        # what it makes of an address may also be quite another one
        if w.get(result) and (is_address(result.type) or holds_address(result.type)):
            w.set(result, w.get(result) | address(UNKNOWN, None))
    if w.following and not pure:
        state.cells.clear()


def extern(w: Walker, op: Operation, state: State) -> None:
    """`tt.extern_elementwise`: by the contract of the function."""
    symbol = string(op, "symbol")
    external(w, op, state, symbol, contract_of(symbol), pure=flag(op, "pure"))


def external(
    w: Walker, op: Operation, state: State, symbol: str, contract: Contract | None, *, pure: bool
) -> None:
    """A function whose body nobody has."""
    if contract is None:
        if not pure:
            w.note("side effect", "external call", op, certain=state.certain)
            w.note("extern", f"nothing is known of '{symbol}'", op)
        touches_operands(
            w,
            op,
            state,
            [Touch(k, read=True, write=not pure) for k in range(len(op.operands))],
        )
        return
    if contract.effect is not None:
        w.note("side effect", contract.effect, op, certain=state.certain)
        state.cells.clear()
    count = len(op.operands)
    touches = [Touch(k, read=True) for k in contract.reads if k < count]
    touches += [Touch(k, write=True) for k in contract.writes if k < count]
    touches += [Touch(k, read=True, write=True, atomic=True) for k in contract.atomics if k < count]
    touches_operands(w, op, state, touches, follows=False)
    if contract is PURE and not w.following:
        return
    for result in op.results:
        if contract.result is not None and contract.result < count:
            value = w.get(op.operands[contract.result])
            w.set(result, moved(value, None))
        elif contract is not PURE:
            w.set(result, NOTHING)
