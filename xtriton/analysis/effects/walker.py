"""
The walk over a kernel that finds what each op touches.

Values get the addresses that they may be (`env`), and every op that reaches memory an
`Event` with the places it may reach. Loops are walked until nothing new appears.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from xtriton.analysis.effects.boundary import first_lane_inside, is_bounded
from xtriton.analysis.effects.indices import Indices
from xtriton.analysis.effects.memory import Log
from xtriton.analysis.effects.state import State
from xtriton.analysis.effects.summaries import THROUGH_MEMORY, name_of
from xtriton.analysis.effects.values import (
    NOTHING,
    UNKNOWN,
    MemoryLocation,
    Root,
    Value,
    address,
    roots_of,
)
from xtriton.analysis.memory_ops import Touch
from xtriton.analysis.values import Sort, type_facts
from xtriton.budget import current
from xtriton.ir.walking import ops_in

EVERYDAY_OPS = 5_000
"""A kernel of more ops has so much more of the budget for visits."""

SUMMARIES_AFTER = 5_000
"""Visits after which a call is not walked again if it was walked from such a state before."""

SEVERAL = "it goes to one of several addresses"

_OPAQUE_MASKS = ("builtin.unregistered", "triton_gen.", "ttig.")
"""Ops of which any boolean operand may say that nothing happens."""


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
    places: set[MemoryLocation] = field(default_factory=set[MemoryLocation])
    certain: bool = False
    initial: bool = False
    fresh: bool = False
    called: bool = False
    ways: set[tuple[Operation, ...]] = field(default_factory=set[tuple[Operation, ...]])
    """The calls that lead to it."""

    more_ways: bool = False
    """Whether other calls lead to it as well, which were not walked."""

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
    """The walk takes too long: the kernel gets the safe answer."""


@dataclass
class _Call:
    """What a call did: the state behind it, what it returned, and what it touched."""

    end: State | None
    results: list[Value]
    events: list["Event"]


class NeedsFollowing(Exception):
    """Integers and memory have to be followed, so the walk begins again."""


Rule = Callable[["Walker", Operation, State], None]
"""What an op does to the addresses that values may be, and to memory."""


@dataclass(frozen=True)
class Rules:
    """
    The rules of a walk by op name; None: nothing happens.

    `default` gives that of an op which `table` does not name; it serves all ops of the name.
    `following`: integers and memory are followed too, which costs time.
    """

    table: Mapping[str, Rule | None]
    default: Callable[[Operation], Rule | None]
    following: bool


class Walker:
    """Walks a kernel; see the module. `events` and `findings` are the result."""

    def __init__(
        self,
        function: Operation,
        symbols: Mapping[str, Operation],
        indices: Indices,
        rules: Rules,
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
        self.most_steps = current().visits * (1 + len(ops_in(function)) // EVERYDAY_OPS)
        self._calls: dict[Hashable, _Call] = {}
        self._touched: list[dict[int, Event]] = []
        """Of each call being walked the events, by identity."""
        self.following = rules.following
        self.rules = dict(rules.table)
        self._default = rules.default

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
        self,
        op: Operation,
        touch: Touch,
        where: frozenset[MemoryLocation],
        state: State,
        reason: str = "",
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
        if self._touched:
            self._touched[-1][id(event)] = event
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
        if self.steps > self.most_steps:
            raise OverBudget(f"more than {self.most_steps} steps to follow it")
        name = op.name
        if name == "builtin.unregistered":
            name = name_of(op)
        try:
            rule = self.rules[name]
        except KeyError:
            rule = self.rules[name] = self._default(op)
        if rule is not None:
            rule(self, op, state)

    # --- calls ------------------------------------------------------------------------

    def begin_pass(self) -> None:
        """Forget what calls did: memory may now hold more."""
        self._calls.clear()

    def begin_call(self) -> None:
        """Note what is touched from now on, for `end_call`."""
        self._touched.append({})

    def end_call(self, entered: Hashable, end: State | None, results: list[Value]) -> None:
        """Remember what the call did that began last; `entered` says what it was given."""
        touched = self._touched.pop()
        if self._touched:
            self._touched[-1] |= touched
        self._calls[entered] = _Call(
            end.copy() if end is not None else None, results, [*touched.values()]
        )

    def summary(self, entered: Hashable) -> tuple[State | None, list[Value]] | None:
        """Return the state behind a call and what it returns, if it need not be walked again."""
        if self.steps <= SUMMARIES_AFTER:
            return None
        found = self._calls.get(entered)
        if found is None:
            return None
        for event in found.events:
            event.more_ways = True
        if self._touched:
            self._touched[-1] |= {id(event): event for event in found.events}
        return found.end.copy() if found.end is not None else None, found.results

    def constant(self, value: SSAValue) -> int | None:
        return self.frame.indices.constant(value)
