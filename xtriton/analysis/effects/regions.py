"""Control flow: loops until nothing new appears, branches, blocks, calls, other regions."""

from collections.abc import Sequence
from fractions import Fraction

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.analysis.effects import memory
from xtriton.analysis.effects.contracts import contract_of
from xtriton.analysis.effects.indices import Indices
from xtriton.analysis.effects.opaque import external, touches_operands
from xtriton.analysis.effects.state import Covers, State, join
from xtriton.analysis.effects.summaries import is_address
from xtriton.analysis.effects.values import (
    NOTHING,
    UNKNOWN,
    LinearForm,
    Value,
    address,
    limited,
    mangled,
    moved,
    roots_of,
    widened,
)
from xtriton.analysis.effects.walker import Frame, Walker
from xtriton.analysis.memory_ops import Touch
from xtriton.ir.value_flow import handed_on, initial_values, passed_on

ROUNDS = 12
"""How often a loop is walked before what it carries is given up."""

WIDEN_AFTER = 3

BRANCHES = "branches lead around it"
"""Why it is not sure that a block is reached."""

MOST_CALLS = 24
"""How deep calls may nest."""

Exit = tuple[Operation, State]
"""A terminator that leaves a region, and the state before it."""


def walk_block(w: Walker, block: Block, state: State) -> Operation | None:
    """Walk the ops of a block but the last, which is returned."""
    last = block.last_op
    for op in block.ops:
        if op is last and _is_terminator(op):
            return op
        w.visit(op, state)
    return None


def _is_terminator(op: Operation) -> bool:
    name = op.name
    return (
        name.endswith(("yield", "return", ".condition", ".terminator", "unreachable"))
        or name.startswith("cf.")
        or bool(op.successors)
    )


def grow(w: Walker, value: SSAValue, addresses: Value, *, widen: bool = False) -> bool:
    """Add addresses to those that a block argument may be; tell whether any was new."""
    old = w.frame.env.get(value, NOTHING)
    if addresses <= old:
        return False
    new = widened(old, addresses) if widen else limited(old | addresses)
    if new == old:
        return False
    w.frame.env[value] = new
    return True


def give_up(w: Walker, values: Sequence[SSAValue]) -> None:
    """Let values be anything that the loop has carried so far, and more."""
    everything = mangled(*(w.get(v) for v in values))
    for v in values:
        if w.get(v):
            w.frame.env[v] = everything | address(UNKNOWN, None)


def walk_region(w: Walker, region: Region, state: State) -> list[Exit]:
    """Walk the blocks of a region and return how it is left."""
    blocks = region.blocks
    first = region.block if len(blocks) == 1 else None
    if first is not None:
        last = walk_block(w, first, state)
        return [(last, state)] if last is not None else []
    return _walk_graph(w, list(blocks), state) if blocks else []


# --- blocks ---------------------------------------------------------------------------


def _walk_graph(w: Walker, blocks: list[Block], state: State) -> list[Exit]:
    order = _reverse_postorder(blocks[0])
    number = {block: k for k, block in enumerate(order)}
    arriving: dict[Block, dict[tuple[Block, int], tuple[State, Fraction]]] = {b: {} for b in order}
    outside = blocks[-1]
    arriving[blocks[0]][outside, -1] = state, Fraction(1)
    cells: dict[Block, memory.Cells] = {}
    exits: list[Exit] = []
    for attempt in range(ROUNDS + 1):
        exits = []
        changed = False
        for block in order:
            incoming = arriving[block]
            entry = join([s for s, _ in incoming.values()])
            if entry is None:
                continue
            weight = sum((f for _, f in incoming.values()), Fraction(0))
            entry.certain = state.certain and weight == 1
            entry.comes_if(weight == 1, entry.doubt or state.doubt or BRANCHES)
            changed |= cells.get(block) != entry.cells
            cells[block] = dict(entry.cells)
            last = walk_block(w, block, entry)
            if last is None:
                continue
            if not last.successors:
                exits.append((last, entry))
                continue
            for k, (target, operands, alive, first) in enumerate(_edges(w, last)):
                if not alive:
                    continue
                for argument, operand in zip(target.args, operands, strict=False):
                    widen = attempt >= WIDEN_AFTER
                    changed |= grow(w, argument, w.get(operand), widen=widen)
                back = number[target] <= number[block]
                out = entry.copy()
                out.absent |= not first
                share = Fraction(0) if back or not first else weight / _ways(w, last)
                arriving[target][block, k] = out, share
        if not changed or not _has_cycle(order, number):
            return exits
        if attempt == ROUNDS - 1:
            give_up(w, [a for b in order for a in b.args])
    return exits


def _ways(w: Walker, last: Operation) -> int:
    return max(1, sum(alive and first for _, _, alive, first in _edges(w, last)))


def _reverse_postorder(entry: Block) -> list[Block]:
    found: list[Block] = []
    seen = {entry}
    stack: list[tuple[Block, int]] = [(entry, 0)]
    while stack:
        block, k = stack.pop()
        successors = block.last_op.successors if block.last_op is not None else ()
        if k < len(successors):
            stack.append((block, k + 1))
            if successors[k] not in seen:
                seen.add(successors[k])
                stack.append((successors[k], 0))
        else:
            found.append(block)
    return found[::-1]


def _has_cycle(order: list[Block], number: dict[Block, int]) -> bool:
    return any(
        number[target] <= number[block]
        for block in order
        if block.last_op is not None
        for target in block.last_op.successors
    )


def _edges(w: Walker, last: Operation) -> list[tuple[Block, Sequence[SSAValue], bool, bool]]:
    """Return target, operands, whether ever taken, whether the first program may take it."""
    if last.name == "cf.cond_br":
        yes, no = last.successors
        given = passed_on(last) or ((), ())
        always = w.frame.indices.truth(last.operands[0])
        first = w.frame.indices.truth(last.operands[0], first=True)
        return [
            (yes, given[0], always is not False, first is not False),
            (no, given[1], always is not True, first is not True),
        ]
    if len(last.successors) == 1:
        return [(last.successors[0], last.operands, True, True)]
    # `cf.switch` and the like: any operand may become any argument
    everything = mangled(*(w.get(v) for v in last.operands))
    for target in last.successors:
        for argument in target.args:
            grow(w, argument, everything)
    return [(target, (), True, True) for target in last.successors]


# --- scf ------------------------------------------------------------------------------


def for_loop(w: Walker, op: Operation, state: State) -> None:
    """`scf.for`: what is carried joins what comes in and what is yielded."""
    runs, never = w.frame.indices.trips(op)
    initial = initial_values(op)
    if never:
        w.note("never", "the loop never runs", op)
        for result, value in zip(op.results, initial, strict=True):
            w.set(result, w.get(value))
        return
    body = op.regions[0].block
    arguments = body.args[1:]
    out = _iterate(w, body, arguments, initial, state, certain=runs)
    yielded = body.last_op.operands if body.last_op is not None else ()
    for result, value, last in zip(op.results, initial, yielded, strict=False):
        w.set(result, limited(w.get(value) | w.get(last)))
    state.cells = memory.joined(state.cells, out.cells)
    state.stored |= out.stored
    if runs:
        state.read, state.written = out.read, out.written


def _iterate(
    w: Walker,
    body: Block,
    arguments: Sequence[SSAValue],
    initial: Sequence[SSAValue],
    state: State,
    *,
    certain: bool,
) -> State:
    """Walk the body of a loop until nothing new appears; return the state at its end."""
    for argument, value in zip(arguments, initial, strict=False):
        grow(w, argument, w.get(value))
    cells = dict(state.cells)
    s = state.copy()
    for attempt in range(ROUNDS + 2):
        s = state.copy()
        s.cells = dict(cells)
        s.comes_if(certain, "the loop around it may not run")
        last = walk_block(w, body, s)
        grew = False
        if last is not None:
            for argument, value in zip(arguments, last.operands, strict=False):
                grew |= grow(w, argument, w.get(value), widen=attempt >= WIDEN_AFTER)
        met = memory.joined(cells, s.cells)
        grew |= met != cells
        cells = met
        if not grew:
            return s
        if attempt == ROUNDS:
            give_up(w, arguments)
    return s


def while_loop(w: Walker, op: Operation, state: State) -> None:
    """`scf.while`: the first region runs at least once, the second as long as it says."""
    before, after = (region.block for region in op.regions)
    for argument, value in zip(before.args, op.operands, strict=True):
        grow(w, argument, w.get(value))
    cells = dict(state.cells)
    out = state
    inside = state.stored
    for attempt in range(ROUNDS + 2):
        s = state.copy()
        s.cells = dict(cells)
        condition = walk_block(w, before, s)
        out = s.copy()
        grew = False
        if condition is not None:
            widen = attempt >= WIDEN_AFTER
            for argument, value in zip(after.args, handed_on(condition), strict=False):
                grew |= grow(w, argument, w.get(value), widen=widen)
            always = w.frame.indices.truth(condition.operands[0])
            first = w.frame.indices.truth(condition.operands[0], first=True)
            if always is not False:
                s.comes_if(first is True, "the loop around it may not run")
                s.absent = s.absent or first is False
                last = walk_block(w, after, s)
                for argument, value in zip(
                    before.args, last.operands if last is not None else (), strict=False
                ):
                    grew |= grow(w, argument, w.get(value), widen=widen)
        inside |= s.stored
        met = memory.joined(cells, s.cells)
        grew |= met != cells
        cells = met
        if not grew:
            break
        if attempt == ROUNDS:
            give_up(w, [*before.args, *after.args])
    passed = handed_on(before.last_op) if before.last_op is not None else ()
    for result, value in zip(op.results, passed, strict=False):
        w.set(result, w.get(value))
    state.cells = memory.joined(cells, out.cells)
    state.stored |= out.stored | inside
    state.read, state.written = out.read, out.written


def if_op(w: Walker, op: Operation, state: State) -> None:
    """`scf.if`: both branches, unless the condition is known."""
    always = w.frame.indices.truth(op.operands[0])
    first = always if always is not None else w.frame.indices.truth(op.operands[0], first=True)
    states: list[State] = []
    results: list[Value] = [NOTHING] * len(op.results)
    for region, taken in zip(op.regions, (True, False), strict=True):
        if always is not None and always is not taken:
            if region.blocks:
                w.note("never", "the branch is never taken", op)
            continue
        s = state.copy()
        s.absent = state.absent or (first is not None and first is not taken)
        s.comes_if(first is taken, "it is in a branch that may not be taken")
        if region.blocks:
            last = walk_block(w, region.block, s)
            for k, value in enumerate(last.operands[: len(results)] if last is not None else ()):
                results[k] = limited(results[k] | w.get(value))
        states.append(s)
    for result, value in zip(op.results, results, strict=True):
        w.set(result, value)
    _become(state, join(states))


def _become(state: State, other: State | None) -> None:
    """Go on with another state; whether this point is reached stays what it was."""
    if other is not None:
        state.cells, state.covered, state.stored = other.cells, other.covered, other.stored
        state.read, state.written = other.read, other.written


def select(w: Walker, op: Operation, state: State) -> None:
    """`arith.select`: either, unless the condition is known."""
    result = op.results[0]
    if not w.following and not is_address(result.type):
        return
    yes, no = w.get(op.operands[1]), w.get(op.operands[2])
    if not yes and not no:
        return
    chosen = w.frame.indices.truth(op.operands[0])
    if chosen is None:
        w.set(result, limited(yes | no))
    else:
        w.set(result, yes if chosen else no)


# --- other regions --------------------------------------------------------------------


def combine(w: Walker, op: Operation, state: State) -> None:
    """`tt.reduce`, `tt.scan`, `tt.map_elementwise` and regions that nobody knows."""
    w.steps += 1
    operands = [w.get(v) for v in op.operands]
    given = frozenset[LinearForm]().union(*operands)
    given = moved(given, None)
    for region in op.regions:
        for block in list(region.blocks)[:1]:
            for argument in block.args:
                grow(w, argument, given)
        for _ in range(ROUNDS):
            s = state.copy()
            s.comes_if(False, f"the region of '{op.name}' may not run")
            exits = walk_region(w, region, s)
            out = join([s for _, s in exits])
            settled = True
            if out is not None:
                cells = memory.joined(state.cells, out.cells)
                settled = cells == state.cells
                state.cells = cells
                state.stored |= out.stored
            returned = frozenset[LinearForm]().union(
                *(w.get(v) for last, _ in exits for v in last.operands)
            )
            if returned <= given and settled:
                break
            given = limited(given | moved(returned, None))
            for block in list(region.blocks)[:1]:
                for argument in block.args:
                    grow(w, argument, given, widen=True)
    for result in op.results:
        if w.following or is_address(result.type):
            w.set(result, given)


def warp_specialize(w: Walker, op: Operation, state: State) -> None:
    """`ttg.warp_specialize`: all its regions run, at the same time."""
    states: list[State] = []
    for region in op.regions:
        for inner in region.blocks[0].ops if region.blocks else ():
            if inner.name == "ttg.warp_specialize.partitions":
                for partition in (r for r in inner.regions if r.blocks):
                    for argument, value in zip(
                        partition.blocks[0].args, inner.operands, strict=False
                    ):
                        grow(w, argument, w.get(value))
                    states += _partition(w, partition, state)[1]
                break
        else:
            exits, ends = _partition(w, region, state)
            states += ends
            for last, _ in exits:
                for result, value in zip(op.results, last.operands, strict=False):
                    w.set(result, limited(w.get(result) | w.get(value)))
    for s in states:
        state.cells = memory.joined(state.cells, s.cells)
        state.read |= s.read
        state.written |= s.written
        state.stored |= s.stored


def _partition(w: Walker, region: Region, state: State) -> tuple[list[Exit], list[State]]:
    exits = walk_region(w, region, state.copy())
    end = join([s for _, s in exits])
    return exits, [end] if end is not None else []


# --- calls ----------------------------------------------------------------------------


def call(w: Walker, op: Operation, state: State) -> None:
    """`tt.call`: the callee, walked with what it is given."""
    name = op.properties.get("callee")
    symbol = name.string_value() if isinstance(name, SymbolRefAttr) else ""
    callee = w.symbols.get(symbol)
    if callee is None or not callee.regions or not callee.regions[0].blocks:
        external(w, op, state, symbol, contract_of(symbol), pure=False)
        return
    if callee in w.stack or len(w.stack) > MOST_CALLS:
        opaque_call(w, op, state, "recursive call")
        return
    given = [w.get(v) for v in op.operands]
    entered = callee, tuple(given), state.key()
    known = w.summary(entered)
    if known is not None:
        _return_from_call(w, op, state, *known)
        return
    w.begin_call()
    frame, w.frame = w.frame, Frame(callee, _indices(w, callee))
    w.stack.append(callee)
    w.calls.append(op)
    w.number(op)
    try:
        for argument, value in zip(callee.regions[0].blocks[0].args, given, strict=False):
            w.set(argument, value)
        inner = state.copy()
        inner.covered = Covers()
        exits = walk_region(w, callee.regions[0], inner)
        returned = [[w.get(v) for v in last.operands] for last, _ in exits]
    finally:
        w.stack.pop()
        w.calls.pop()
        w.frame = frame
    end = join([s for _, s in exits])
    results = [
        limited(frozenset[LinearForm]().union(*(r[k] for r in returned if k < len(r))))
        for k in range(len(op.results))
    ]
    w.end_call(entered, end, results)
    _return_from_call(w, op, state, end, results)


def _return_from_call(
    w: Walker, op: Operation, state: State, end: State | None, results: Sequence[Value]
) -> None:
    """Go on after a call that ends in a state and returns values."""
    if end is not None:
        covered = state.covered
        _become(state, end)
        state.covered = covered
    for result, value in zip(op.results, results, strict=True):
        w.set(result, value)


def _indices(w: Walker, callee: Operation) -> Indices:
    if callee not in w.summaries:
        w.summaries[callee] = Indices(callee)
    return w.summaries[callee]


def opaque_call(w: Walker, op: Operation, state: State, why: str) -> None:
    """A call that is not followed may read and write all that it is handed."""
    w.note("call", f"{why}: may touch all that it is handed", op)
    w.note("side effect", "call", op, certain=state.certain)
    touches = [Touch(k, read=True, write=True) for k in range(len(op.operands))]
    touches_operands(w, op, state, touches)
    values = mangled(*(w.get(v) for v in op.operands))
    for result in op.results:
        if is_address(result.type) or w.following:
            direct = frozenset(LinearForm(((r, 1),), None) for r in roots_of(values))
            w.set(result, direct)
