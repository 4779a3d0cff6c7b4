"""
The walk that carries axis information through a module, given a rule for each op.

Ops wait in the order of the text and are looked at again when an operand changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xtriton.analysis.axis_info.lattice import (
    MAX_DIVISOR,
    AxisInfo,
    Infos,
    gcd,
    join,
    pessimistic,
    with_hints,
)
from xtriton.dialects.utils.constants import constant_int
from xtriton.ir.listings import has_branches, nested_ops, ops_named, those_named
from xtriton.ir.value_flow import initial_values

Rule = Callable[[Operation, Infos], AxisInfo | None]


@dataclass
class AxisAnalysis:
    """The axis information of the values of a module; ask with `info`."""

    rules: dict[str, Rule]
    infos: dict[SSAValue, AxisInfo] = field(default_factory=dict[SSAValue, AxisInfo])
    _functions: dict[str, Operation] = field(default_factory=dict[str, Operation])
    _called: set[str] = field(default_factory=set[str])
    _order: dict[Operation, int] = field(default_factory=dict[Operation, int])
    _queue: list[tuple[int, Operation]] = field(default_factory=list[tuple[int, Operation]])
    _waiting: set[Operation] = field(default_factory=set[Operation])
    _users_wait: bool = False
    """Whether what uses results of the op that is visited follows, and its turn is to come."""

    def run(self, module: Operation, wanted: Iterable[SSAValue] | None = None) -> AxisAnalysis:
        """Analyse all functions, or what is behind the values `wanted` in them; return self."""
        ops = _reachable(module)
        calls = those_named(ops, ("tt.call",))
        needed = None if wanted is None else _behind(wanted, ops, calls)
        to_visit = ops if needed is None else [op for op in ops if op in needed]
        self._order = {op: place for place, op in enumerate(to_visit)}
        self._functions = {_symbol(op, "sym_name"): op for op in those_named(ops, _FUNCTIONS)}
        self._called = {_symbol(call, "callee") for call in calls}
        for name, function in self._functions.items():
            for argument in _arguments(function.regions[0].blocks.first):
                self.infos[argument] = self._entry_info(argument, name in self._called)
        self._waiting = set(self._order)
        is_plain = not has_branches(module)
        for op in self._order:
            self._waiting.discard(op)
            self._users_wait = is_plain
            self._visit(op)
            self._users_wait = False
            # Ops before this one of which more is known come first.
            while self._queue:
                _, earlier = heappop(self._queue)
                self._waiting.discard(earlier)
                self._visit(earlier)
        return self

    def _entry_info(self, argument: BlockArgument, called: bool) -> AxisInfo:
        """Return what is said of an argument; of a called function, calls say the rest."""
        said = pessimistic(argument)
        if not called or said.rank != 1:
            return said
        most = (MAX_DIVISOR,)
        return AxisInfo(
            said.contiguity if said.contiguity != (1,) else most,
            said.divisibility if said.divisibility != (1,) else most,
            said.constancy if said.constancy != (1,) else most,
        )

    def info(self, value: SSAValue) -> AxisInfo:
        """Return what is known of a value."""
        found = self.infos.get(value)
        return pessimistic(value) if found is None else found

    def _push(self, op: Operation) -> None:
        if op not in self._waiting and (place := self._order.get(op)) is not None:
            self._waiting.add(op)
            heappush(self._queue, (place, op))

    def _update(self, value: SSAValue, info: AxisInfo | None) -> None:
        if info is None:
            return
        old = self.infos.get(value)
        if old is not None:
            info = join(old, info)
            if info == old:
                return
        self.infos[value] = info
        for use in value.uses:
            self._push(use.operation)

    def _visit(self, op: Operation) -> None:
        flow = CONTROL_FLOW.get(op.name)
        if flow is not None:
            flow(self, op)
            return
        for region in op.regions:
            # What an op like tt.reduce gives to its region is not known.
            for argument in () if op.name in _TRANSPARENT else _arguments(region.blocks.first):
                self._update(argument, pessimistic(argument))
        if not op.results:
            return
        rule = self.rules.get(op.name)
        if rule is None:
            for result in op.results:
                self._update(result, pessimistic(result))
            return
        infos = self.infos
        operands = [infos[operand] for operand in op._operands if operand in infos]
        if len(operands) != len(op._operands):
            # Values that a loop brings back have not been reached yet.
            return
        info = rule(op, operands)
        for result in op.results:
            found = pessimistic(result) if info is None else self.hinted(info, result)
            if self._users_wait and result not in infos:
                infos[result] = found
            else:
                self._update(result, found)

    def hinted(self, info: AxisInfo, result: OpResult) -> AxisInfo:
        """Return what holds of a result by its rule and by what its op says explicitly."""
        return with_hints(info, result.op.attributes)

    # --- control flow -------------------------------------------------------------------

    def _flow(self, values: Sequence[SSAValue], targets: Sequence[SSAValue]) -> None:
        for value, target in zip(values, targets, strict=True):
            self._update(target, self.infos.get(value))

    def visit_for(self, op: Operation) -> None:
        """Initial values reach the iteration arguments and, if it never runs, the results."""
        body = op.regions[0].blocks.first
        assert body is not None
        self._flow(initial_values(op), body.args[1:])
        self._flow(initial_values(op), op.results)
        lower, step = self.infos.get(op.operands[0]), self.infos.get(op.operands[2])
        if lower is not None and step is not None:
            divisibility = gcd(lower.divisibility[0], step.divisibility[0])
            self._update(body.args[0], AxisInfo((1,), (divisibility,), (1,)))

    def visit_while(self, op: Operation) -> None:
        """Initial values reach the arguments of the condition."""
        self._flow(op.operands, _arguments(op.regions[0].blocks.first))

    def visit_yield(self, op: Operation) -> None:
        """What is yielded reaches the results and, in a loop, the next iteration."""
        parent = op.parent_op()
        if parent is None:
            return
        if parent.name == "scf.while":
            self._flow(op.operands, _arguments(parent.regions[0].blocks.first))
            return
        if parent.name == "scf.for":
            self._flow(op.operands, _arguments(parent.regions[0].blocks.first)[1:])
        if len(op.operands) == len(parent.results):
            self._flow(op.operands, parent.results)

    def visit_condition(self, op: Operation) -> None:
        """What passes the condition of `while` reaches its body and its results."""
        parent = op.parent_op()
        assert parent is not None
        self._flow(op.operands[1:], _arguments(parent.regions[1].blocks.first))
        self._flow(op.operands[1:], parent.results)

    def visit_branch(self, op: Operation) -> None:
        """Operands of a branch reach the arguments of its successors."""
        operands = list(op.operands[1:] if op.name == "cf.cond_br" else op.operands)
        for successor in op.successors:
            count = len(successor.args)
            self._flow(operands[:count], successor.args)
            operands = operands[count:]

    def visit_call(self, op: Operation) -> None:
        """Operands reach the arguments of the function; of results nothing is known."""
        function = self._functions.get(_symbol(op, "callee"))
        if function is not None and function.regions[0].blocks.first is not None:
            self._flow(op.operands, _arguments(function.regions[0].blocks.first))
        for result in op.results:
            self._update(result, pessimistic(result))

    def visit_warp_specialize(self, op: Operation) -> None:
        """What partitions capture reaches the arguments of each."""
        for inner in (op, *(o for region in op.regions for b in region.blocks for o in b.ops)):
            if inner.name == "ttg.warp_specialize.partitions":
                captures = inner.operands or op.operands
                for region in inner.regions:
                    self._flow(captures, _arguments(region.blocks.first))
        for result in op.results:
            self._update(result, pessimistic(result))

    def visit_nothing(self, op: Operation) -> None:
        """Results of these ops are set by what is inside."""


def _reachable(root: Operation) -> Sequence[Operation]:
    """Return an op and those inside of it, but for branches of `if` that are never taken."""
    skipped = {
        op
        for branch in ops_named(root, ("scf.if",))
        for region in _never_taken(branch)
        for op in region.walk()
    }
    ops = nested_ops(root)
    return [op for op in ops if op not in skipped] if skipped else ops


def _never_taken(branch: Operation) -> Sequence[Region]:
    condition = constant_int(branch.operands[0])
    if condition is None:
        return ()
    # 0 takes the second region; the constant may be -1 as well as 1.
    return branch.regions[:1] if condition == 0 else branch.regions[1:]


def _behind(
    wanted: Iterable[SSAValue], ops: Sequence[Operation], calls: Iterable[Operation]
) -> set[Operation] | None:
    """Return the ops on which values depend, and all calls with theirs; None: that is not told."""
    if those_named(ops, _CAPTURING):
        return None
    pending = [*calls, *(op for value in wanted for op in _makers(value))]
    found: set[Operation] = set()
    while pending:
        op = pending.pop()
        if op in found:
            continue
        found.add(op)
        for operand in op._operands:
            pending += _makers(operand)
        # What a loop or a branch gives is what ends its blocks.
        ends = [b.last_op for r in op.regions for b in r.blocks if op.name not in _FUNCTIONS]
        pending += (end for end in ends if end is not None)
    return found


def _makers(value: SSAValue) -> list[Operation]:
    """Return the ops that give a value: its own, or those around or in front of its block."""
    owner = value.owner
    if isinstance(owner, Operation):
        return [owner]
    around, region = owner.parent_op(), owner.parent
    if around is None or region is None:
        return []
    if region.first_block is region.last_block:
        return [around]
    return [around, *(block.last_op for block in region.blocks if block.last_op is not None)]


def _symbol(op: Operation, name: str) -> str:
    attribute = op.get_attr_or_prop(name)
    if isinstance(attribute, SymbolRefAttr):
        return attribute.string_value()
    return attribute.data if isinstance(attribute, StringAttr) else ""


def _arguments(block: Block | None) -> Sequence[BlockArgument]:
    return () if block is None else block.args


_FUNCTIONS = frozenset(("tt.func", "func.func"))
_CAPTURING = ("ttg.warp_specialize", "ttg.warp_specialize.partitions")
_TRANSPARENT = _FUNCTIONS | {"builtin.module"}

CONTROL_FLOW: dict[str, Callable[[AxisAnalysis, Operation], None]] = {
    "scf.for": AxisAnalysis.visit_for,
    "scf.while": AxisAnalysis.visit_while,
    "scf.yield": AxisAnalysis.visit_yield,
    "scf.condition": AxisAnalysis.visit_condition,
    "scf.if": AxisAnalysis.visit_nothing,
    "tt.call": AxisAnalysis.visit_call,
    "ttg.warp_specialize": AxisAnalysis.visit_warp_specialize,
    "ttg.warp_specialize.partitions": AxisAnalysis.visit_nothing,
    "cf.br": AxisAnalysis.visit_branch,
    "cf.cond_br": AxisAnalysis.visit_branch,
}
