"""The index analysis of a function, asked in ways that cannot fail."""

from functools import cached_property

from xdsl.ir import Operation, SSAValue

from xtriton.analysis.accesses import Accesses
from xtriton.analysis.forward import IndexAnalysis
from xtriton.analysis.indexing import Cond, Expr, Kind, Space


class Indices:
    """
    Closed forms, conditions and trip counts of one function.

    Without an analysis (`failure` says why) every answer is "not known".
    """

    def __init__(self, function: Operation):
        self.failure: str | None = None
        self.accesses: Accesses | None = None
        self._masks: dict[Operation, SSAValue | None] = {}
        self._decided: dict[tuple[Cond, bool], bool | None] = {}
        try:
            self.accesses = Accesses(function)
        except Exception as error:  # an analysis that fails must cost precision only
            self.failure = f"{type(error).__name__}: {error}"

    @property
    def analysis(self) -> IndexAnalysis | None:
        return self.accesses.analysis if self.accesses is not None else None

    @cached_property
    def space(self) -> Space | None:
        return self.analysis.space if self.analysis is not None else None

    def mask(self, op: Operation) -> SSAValue | None:
        """Return the operand that says which lanes an op is for."""
        try:
            return self._masks[op]
        except KeyError:
            found = self._masks[op] = _operand(op, "mask") or _operand(op, "pred")
            return found

    def constant(self, value: SSAValue) -> int | None:
        """Return the number that an integer is."""
        a = self.analysis
        found = a.values.get(value) if a is not None else None
        return found.constant if isinstance(found, Expr) else None

    def condition(self, value: SSAValue) -> Cond | None:
        """Return a boolean, or tensor of them, as a proposition."""
        a = self.analysis
        if a is None:
            return None
        return a.resolved_condition(a.cond(value))

    def truth(self, value: SSAValue, *, first: bool = False) -> bool | None:
        """
        Tell whether a boolean is always true or always false.

        With `first`, in the first program and iteration, and at the first lane of a tensor.
        """
        condition = self.condition(value)
        return self.decided(condition, first=first)

    def decided(self, condition: Cond | None, *, first: bool = False) -> bool | None:
        """Tell whether a condition is always true or always false; see `truth`."""
        if condition is None:
            return None
        key = condition, first
        if key not in self._decided:
            self._decided[key] = self._decide(condition, first=first)
        return self._decided[key]

    def _decide(self, condition: Cond, *, first: bool) -> bool | None:
        space = condition.space
        if first and condition is not space.true and condition is not space.false:
            condition = space.substitute_condition(condition, self.origin(condition))
        if condition is space.true:
            return True
        return False if condition is space.false else None

    def origin(self, value: Cond | Expr) -> dict[int, Expr]:
        """Return the substitution of the first program, iteration and lane."""
        space = value.space
        mapping: dict[int, Expr] = {}
        for uid in value.leaves:
            atom = space.atoms[uid]
            key = atom.key
            if atom.kind in (Kind.POSITION, Kind.ITERATION) or (
                isinstance(key, tuple) and key[0] == "program_id"
            ):
                mapping[uid] = space.zero
        return mapping

    def trips(self, loop: Operation) -> tuple[bool, bool]:
        """Tell whether a loop surely runs in the first program, and whether it never runs."""
        a = self.analysis
        count = a.trip_counts.get(loop) if a is not None else None
        if a is None or count is None or "unsignedCmp" in loop.properties:
            return False, False
        count = a.resolved(count)
        low, high = count.interval
        if high <= 0:
            return False, True
        if low < 1:
            low = a.space.substitute(count, self.origin(count)).interval[0]
        return low >= 1, False


def _operand(op: Operation, name: str) -> SSAValue | None:
    """Return the operand with a name, None where an op has none."""
    if len(op.operands) < 2:
        return None
    found: object = getattr(op, name, None)
    return found if isinstance(found, SSAValue) else None  # pyright: ignore[reportUnknownVariableType]
