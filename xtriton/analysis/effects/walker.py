"""
The walk over a kernel that finds what each op touches.

Values get the addresses that they may be (`env`), and every op that reaches memory an
`Event` with the places it may reach. Loops are walked until nothing new appears.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.analysis.effects import memory
from xtriton.analysis.effects.boundary import cover, first_lane_inside, is_bounded, is_covered
from xtriton.analysis.effects.indices import Indices
from xtriton.analysis.effects.memory import Log
from xtriton.analysis.effects.state import State
from xtriton.analysis.effects.summaries import (
    DESCRIPTOR_READERS,
    DESCRIPTOR_WRITERS,
    SYNCHRONIZING,
    THROUGH_MEMORY,
    TOUCHES,
    Touch,
    is_address,
    name_of,
)
from xtriton.analysis.effects.values import (
    NOTHING,
    UNKNOWN,
    Form,
    Place,
    Root,
    Value,
    address,
    content_of,
    mangled,
    moved,
    places,
    roots_of,
)
from xtriton.analysis.values import Sort, known_byte_width, type_facts

BUDGET = 100_000
"""Ops that a walk visits at most; a kernel that takes more gets the safe answer."""

SEVERAL = "it goes to one of several addresses"

TENSORMAP_BYTES = 128
"""The size of a TMA descriptor in memory."""

_OPAQUE_MASKS = ("builtin.unregistered", "triton_gen.", "ttig.")
"""Ops of which any boolean operand may say that nothing happens."""

TRACKED = (
    frozenset(("tt.int_to_ptr", "tt.ptr_to_int", "llvm.inttoptr", "llvm.ptrtoint"))
    | DESCRIPTOR_READERS
    | DESCRIPTOR_WRITERS
)
"""Ops for whose sake integers and memory are followed, which costs time."""


@dataclass
class Event:
    """
    What one op does through one operand.

    `certain`: program (0, 0, 0) surely does it. `initial`: a read may see what was there
    before the launch, `fresh`: that program has written nothing there before. `called`: the
    op belongs to a function that the kernel calls.
    """

    op: Operation
    touch: Touch
    places: set[Place] = field(default_factory=set[Place])
    certain: bool = False
    initial: bool = False
    fresh: bool = False
    called: bool = False
    ways: set[tuple[Operation, ...]] = field(default_factory=set[tuple[Operation, ...]])
    """The calls that lead to it."""

    doubt: str = ""
    """Why it is not certain."""

    @property
    def compares(self) -> bool:
        """Whether it writes only where a comparison holds."""
        return self.op.name.endswith("_cas")


@dataclass(frozen=True)
class Finding:
    """A side effect, an escape or a reason, with the op that is behind it."""

    code: str
    text: str
    op: Operation
    certain: bool = False


@dataclass
class Frame:
    """One function being walked."""

    function: Operation
    indices: Indices
    env: dict[SSAValue, Value] = field(default_factory=dict[SSAValue, Value])


class OverBudget(Exception):
    """The walk takes too long."""


class NeedsFollowing(Exception):
    """Integers and memory have to be followed, so the walk begins again."""


Rule = Callable[["Walker", Operation, State], None]


class Walker:
    """Walks a kernel; see the module. `events` and `findings` are the result."""

    def __init__(
        self,
        function: Operation,
        symbols: Mapping[str, Operation],
        indices: Indices,
        *,
        following: bool = False,
    ):
        self.symbols = symbols
        self.frame = Frame(function, indices)
        self.stack: list[Operation] = [function]
        self.calls: list[Operation] = []
        self._numbers: dict[Operation, int] = {}
        self.summaries: dict[Operation, Indices] = {function: indices}
        self.log = Log()
        self.events: dict[tuple[Operation, int], Event] = {}
        self.findings: dict[tuple[str, str, Operation], Finding] = {}
        self.escaped: dict[Root, Operation] = {}
        self.shared: Value = NOTHING
        """Addresses that lie in shared or tensor memory."""

        self.scratch: dict[Operation, int] = {}
        self.axes: set[int] = set()
        """The dimensions of the grid in which the kernel asks for its place."""

        self.steps = 0
        self.following = following
        self.rules: dict[str, Rule | None] = dict(_rules(following))

    # --- values -----------------------------------------------------------------------

    def get(self, value: SSAValue) -> Value:
        """Return the addresses that a value may be."""
        return self.frame.env.get(value, NOTHING)

    def set(self, value: SSAValue, addresses: Value) -> None:
        """Set the addresses of a result."""
        if addresses:
            self.frame.env[value] = addresses
        elif value in self.frame.env:
            self.frame.env[value] = NOTHING

    def pointer(self, value: SSAValue) -> Value:
        """Return the addresses of a value that is used as one."""
        return self.frame.env.get(value) or address(UNKNOWN, None)

    # --- noting -----------------------------------------------------------------------

    def note(self, code: str, text: str, op: Operation, *, certain: bool = False) -> None:
        self.findings.setdefault((code, text, op), Finding(code, text, op, certain))

    def number(self, op: Operation) -> int:
        """Return a number of a call, in the order in which the walk comes to them."""
        return self._numbers.setdefault(op, len(self._numbers))

    def escape(self, value: Value, op: Operation) -> None:
        """Note that addresses become known outside."""
        for root in roots_of(value):
            self.escaped.setdefault(root, op)

    def touch(
        self, op: Operation, touch: Touch, where: frozenset[Place], state: State, reason: str = ""
    ) -> None:
        """Note that an op reaches some places."""
        event = self.events.get((op, touch.operand))
        if event is None:
            event = Event(op, touch, called=len(self.stack) > 1)
            self.events[op, touch.operand] = event
        elif touch != event.touch:
            event.touch = Touch(
                touch.operand,
                touch.read or event.touch.read,
                touch.write or event.touch.write,
                touch.atomic or event.touch.atomic,
            )
        event.places |= where
        if event.called:
            event.ways.add(tuple(self.calls))
        roots = {place.root for place in where}
        event.fresh = touch.read and not any(
            r in roots or r.kind not in ("argument", "scratch") for r in state.stored
        )
        if touch.write:
            state.stored |= roots
        if reason or len(where) != 1:
            event.certain, event.doubt = False, reason or SEVERAL
            return
        lanes = touch.operand < 0 or self.lanes_run(op)
        event.certain = state.certain and lanes and not event.called
        if not event.certain:
            event.doubt = self.lane_doubt(op)
            if lanes:
                event.doubt = state.doubt or "it is in a function that the kernel calls"
        if not state.absent and lanes:
            (place,) = where
            if touch.read:
                state.read |= {place.root}
            if touch.write and not event.compares:
                state.written |= {place.root}

    # --- masks ------------------------------------------------------------------------

    def mask(self, op: Operation) -> SSAValue | None:
        """Return the operand that says which lanes an op is for."""
        return self.frame.indices.mask(op)

    def is_dead(self, op: Operation) -> bool:
        """Tell whether no lane of an op ever runs."""
        mask = self.mask(op)
        return mask is not None and self.frame.indices.truth(mask) is False

    def lanes_run(self, op: Operation) -> bool:
        """Tell whether a lane of an op surely runs where the first program comes to it."""
        mask = self.mask(op)
        if mask is not None and self.frame.indices.truth(mask, first=True) is not True:
            return False
        if op.name.startswith(_OPAQUE_MASKS):
            return not any(type_facts(v.type).sort is Sort.BOOLEAN for v in op.operands)
        if op.name.startswith("tts."):
            return False
        if op.name in THROUGH_MEMORY and not is_bounded(op.operands[0].type):
            return False
        bounded = any(is_bounded(v.type) for v in op.operands)
        return not bounded or first_lane_inside(self.frame.indices, op)

    def lane_doubt(self, op: Operation) -> str:
        """Say why it is not sure that a lane runs."""
        return "it may lie outside the tensor" if self.mask(op) is None else "its mask may be false"

    # --- walking ----------------------------------------------------------------------

    def visit(self, op: Operation, state: State) -> None:
        """Let one op, no terminator, act."""
        self.steps += 1
        if self.steps > BUDGET:
            raise OverBudget
        name = op.name
        if name == "builtin.unregistered":
            name = name_of(op)
        try:
            rule = self.rules[name]
        except KeyError:
            rule = self.rules[name] = _default_rule(op, self.following)
        if rule is not None:
            rule(self, op, state)

    def constant(self, value: SSAValue) -> int | None:
        return self.frame.indices.constant(value)


def follow(w: Walker, op: Operation, state: State) -> None:
    """An op for whose sake integers and memory have to be followed."""
    raise NeedsFollowing


def _needs_following(op: Operation) -> bool:
    """Tell whether an access takes an address from memory."""
    if op.name in THROUGH_MEMORY and type_facts(op.operands[0].type).sort is Sort.POINTER:
        return True
    return any(is_address(r.type) for r in op.results)


# --- ops on memory --------------------------------------------------------------------


def access(w: Walker, op: Operation, state: State) -> None:
    """An op of `TOUCHES`: reads or writes through its operands."""
    touches = TOUCHES[name_of(op)]
    if not w.following and _needs_following(op):
        raise NeedsFollowing
    if w.is_dead(op):
        w.note("never", "no lane of the mask is ever on", op)
        propagate(w, op, state)
        return
    if _is_volatile(op):
        w.note("side effect", "volatile", op, certain=state.certain)
    for touch in touches:
        where = places(target(w, op, op.operands[touch.operand], state))
        reached(w, op, touch, where, state)
    if w.following and op.name in SYNCHRONIZING:
        state.cells.clear()


def _is_volatile(op: Operation) -> bool:
    flag = op.properties.get("isVolatile")
    return isinstance(flag, IntegerAttr) and flag.value.data != 0  # pyright: ignore


def target(w: Walker, op: Operation, pointer: SSAValue, state: State) -> Value:
    """Return the addresses that an access through an operand goes to."""
    value = w.pointer(pointer)
    through = op.name in THROUGH_MEMORY and type_facts(pointer.type).sort is Sort.POINTER
    if not through and not any(f.indirect for f in value):
        return value
    found: set[Form] = set()
    for form in value:
        if form.indirect or through:
            found |= descriptor_at(w, op, Form(form.terms, form.offset), state)
        else:
            found.add(form)
    return frozenset(found)


def descriptor_at(w: Walker, op: Operation, at: Form, state: State) -> Value:
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
        else Form(((Root("argument", root.via.index, None, -1), 1),), None)
        for f in loaded
    )


def reached(w: Walker, op: Operation, touch: Touch, where: frozenset[Place], state: State) -> None:
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
        value = frozenset[Form]().union(*stored)
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


def holds_address(type: Attribute, width: int = 64) -> bool:
    """Tell whether a number is wide enough to be an address (with 32: half of one)."""
    facts = type_facts(type)
    if facts.sort is Sort.INTEGER:
        return facts.width >= width
    return facts.sort is Sort.OTHER and facts.element.name == "f64"


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
    w.set(op.results[0], frozenset(Form(f.terms, f.offset, True) for f in value))


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
        where = frozenset(Place(p.root, None) for p in places(value))
        where |= {Place(r, None) for r in roots_of(value)}
        reason = f"'{name}' may touch what it is handed"
        w.touch(op, touch, where, state, reason)
        w.events[op, touch.operand].initial |= touch.read
        w.escape(value, op)
        w.note("opaque", reason, op)
        if w.following:
            facts = type_facts(op.operands[touch.operand].type)
            holds = type_facts(facts.element).sort is Sort.POINTER or facts.element.name == "i64"
            if follows and holds and facts.sort is Sort.POINTER:
                inner = frozenset(Place(content_of(p), None) for p in where)
                deeper = Touch(-2 - touch.operand, touch.read, touch.write)
                w.touch(op, deeper, inner, state, reason)
            if touch.write:
                given = mangled(*(w.get(v) for v in op.operands))
                memory.store(state.cells, w.log, where, 8, given, strong=False)
    results = mangled(*(w.get(v) for v in op.operands))
    for result in op.results:
        w.set(result, results)


def propagate(w: Walker, op: Operation, state: State) -> None:
    """A result points where an operand points; its offset is not known."""
    for result in op.results:
        if w.following or is_address(result.type):
            value = frozenset[Form]().union(*(w.get(v) for v in op.operands))
            w.set(result, moved(value, None))


def _rules(following: bool) -> Mapping[str, Rule | None]:
    from xtriton.analysis.effects.rules import FOLLOWING, PLAIN

    return FOLLOWING if following else PLAIN


def _default_rule(op: Operation, following: bool) -> Rule | None:
    from xtriton.analysis.effects.rules import default_rule

    return default_rule(op, following)
