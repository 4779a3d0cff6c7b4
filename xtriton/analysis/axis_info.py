"""
Axis information: along each dimension of a tensor, how its elements relate to each other.

For each integer or pointer, scalars being tensors of one element:

- contiguity: the elements come in runs of so many, each one more than the one before (in
  elements, for pointers);
- divisibility: the first element of each run is divisible by it (in bytes, for pointers), a
  power of two;
- constancy: the elements come in runs of so many equal ones;
- the value, where it is one and known.

A forward dataflow analysis, optimistic about loops; facts about arguments and ops come as
`tt.contiguity`, `tt.divisibility` and `tt.constancy`. The Intel backend has an analysis of
its own with other rules (`axis_info_intel`).
Source: `AxisInfo` in Triton's `lib/Analysis/AxisInfo.cpp`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import gcd as _gcd

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.utils.constants import constant_int
from xtriton.ir.dense import values as dense_values

MAX_DIVISOR = 1 << 62
"""The divisibility of 0, and what divisibilities are cut to."""

Ints = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AxisInfo:
    """What is known along each dimension; `stride` is -1 where the distance is not known."""

    contiguity: Ints
    divisibility: Ints
    constancy: Ints
    value: int | None = None
    stride: Ints = field(default=(), compare=False)

    @property
    def rank(self) -> int:
        return len(self.contiguity)

    def stride_of(self, dim: int) -> int:
        """Return the distance of neighbours along `dim`; -1 if it is not known."""
        if self.stride:
            return self.stride[dim]
        return 1 if self.contiguity[dim] > 1 else -1

    def __str__(self) -> str:
        value = "<none>" if self.value is None else str(self.value)
        return (
            f"contiguity = {list(self.contiguity)}, divisibility = {list(self.divisibility)}, "
            f"constancy = {list(self.constancy)}, constant_value = {value}"
        )


Infos = Sequence[AxisInfo]
Rule = Callable[[Operation, Infos], "AxisInfo | None"]


def gcd(*numbers: int) -> int:
    """Return the greatest common divisor; 0 stands for no restriction."""
    return _gcd(*numbers)


def power_of_two_divisor(value: int) -> int:
    """Return the greatest power of two that divides `value`."""
    return min(value & -value, MAX_DIVISOR) if value else MAX_DIVISOR


def multiply_divisors(a: int, b: int) -> int:
    """Return the divisibility of a product."""
    return MAX_DIVISOR if a > MAX_DIVISOR // b else a * b


def rank_of(type: Attribute) -> int:
    """Return the rank of a tensor, or of what a block pointer points to; 1 for a scalar."""
    shape = shape_of(type)
    return 1 if shape is None else len(shape)


def shape_of(type: Attribute) -> tuple[int, ...] | None:
    """Return the shape of a tensor, or of what a block pointer points to; None for a scalar."""
    if isinstance(type, PtrType):
        type = type.pointee_type
    return type.get_shape() if isinstance(type, TensorType) else None


def hint(attribute: Attribute | None) -> Ints | None:
    """Return what an attribute like `tt.divisibility` says: a number for each dimension."""
    match attribute:
        case IntegerAttr():
            return (attribute.value.data,)
        case DenseIntOrFPElementsAttr():
            return tuple(map(int, dense_values(attribute)))
        case _:
            return None


def with_hints(info: AxisInfo, facts: dict[str, Attribute]) -> AxisInfo:
    """Return `info` with what is said explicitly instead of what was found."""
    contiguity = hint(facts.get("tt.contiguity"))
    divisibility = hint(facts.get("tt.divisibility"))
    constancy = hint(facts.get("tt.constancy"))
    if contiguity is None and divisibility is None and constancy is None:
        return info
    return AxisInfo(
        contiguity or info.contiguity,
        divisibility or info.divisibility,
        constancy or info.constancy,
        info.value,
        info.stride,
    )


def pessimistic(value: SSAValue) -> AxisInfo:
    """Return what is known of a value without looking at what computes it."""
    ones = (1,) * rank_of(value.type)
    info = AxisInfo(ones, ones, ones)
    if isinstance(value, OpResult):
        return with_hints(info, value.op.attributes)
    if isinstance(value, BlockArgument):
        function = value.block.parent_op()
        is_entry = value.block.prev_block is None
        if isinstance(function, FuncOp) and is_entry and function.arg_attrs is not None:
            return with_hints(info, dict(function.arg_attrs.data[value.index].data))
    return info


def join(a: AxisInfo, b: AxisInfo) -> AxisInfo:
    """Return what holds for a value that is one or the other."""
    if a == b:
        return a
    dims = range(a.rank)
    return AxisInfo(
        tuple(gcd(a.contiguity[d], b.contiguity[d]) for d in dims),
        tuple(joint_divisibility(a, b, d) for d in dims),
        tuple(gcd(a.constancy[d], b.constancy[d]) for d in dims),
        a.value if a.value == b.value else None,
    )


def joint_divisibility(a: AxisInfo, b: AxisInfo, d: int) -> int:
    """Return the divisibility along `d` of runs that come from `a` or from `b`."""
    common = gcd(a.divisibility[d], b.divisibility[d])
    x, y = a.contiguity[d], b.contiguity[d]
    if x == y or MAX_DIVISOR in (x, y):
        return common
    # Shorter runs begin within the longer ones.
    return gcd(common, x, y)


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

    def run(self, module: Operation) -> AxisAnalysis:
        """Analyse all functions; return self."""
        for op in _reachable(module):
            self._order[op] = len(self._order)
            if op.name in _FUNCTIONS:
                self._functions[_symbol(op, "sym_name")] = op
            elif op.name == "tt.call":
                self._called.add(_symbol(op, "callee"))
        for name, function in self._functions.items():
            for argument in _arguments(function.regions[0].blocks.first):
                self.infos[argument] = self._entry_info(argument, name in self._called)
        for op in self._order:
            self._push(op)
        while self._queue:
            _, op = heappop(self._queue)
            self._waiting.discard(op)
            self._visit(op)
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
        if op not in self._waiting and op in self._order:
            self._waiting.add(op)
            heappush(self._queue, (self._order[op], op))  # pyright: ignore

    def _update(self, value: SSAValue, info: AxisInfo | None) -> None:
        if info is None:
            return
        old = self.infos.get(value)
        new = info if old is None else join(old, info)
        if new == old:
            return
        self.infos[value] = new
        for use in value.uses:
            self._push(use.operation)

    def _visit(self, op: Operation) -> None:
        flow = _CONTROL_FLOW.get(op.name)
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
        operands = [self.infos[operand] for operand in op.operands if operand in self.infos]
        if len(operands) != len(op.operands):
            # Values that a loop brings back have not been reached yet.
            return
        info = rule(op, operands)
        for result in op.results:
            found = pessimistic(result) if info is None else with_hints(info, op.attributes)
            self._update(result, found)

    # --- control flow -------------------------------------------------------------------

    def _flow(self, values: Sequence[SSAValue], targets: Sequence[SSAValue]) -> None:
        for value, target in zip(values, targets, strict=True):
            self._update(target, self.infos.get(value))

    def visit_for(self, op: Operation) -> None:
        """Initial values reach the iteration arguments and, if it never runs, the results."""
        body = op.regions[0].blocks.first
        assert body is not None
        self._flow(op.operands[3:], body.args[1:])
        self._flow(op.operands[3:], op.results)
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


def _reachable(op: Operation) -> Iterator[Operation]:
    """Yield an op and those inside of it, but for branches of `if` that are never taken."""
    stack = [op]
    while stack:
        current = stack.pop()
        yield current
        regions = list(current.regions)
        if current.name == "scf.if":
            condition = constant_int(current.operands[0])
            if condition is not None:
                # 0 takes the second region; the constant may be -1 as well as 1.
                regions = regions[1:] if condition == 0 else regions[:1]
        nested = [o for region in regions for block in region.blocks for o in block.ops]
        stack.extend(reversed(nested))


def _symbol(op: Operation, name: str) -> str:
    attribute = op.get_attr_or_prop(name)
    if isinstance(attribute, SymbolRefAttr):
        return attribute.string_value()
    return attribute.data if isinstance(attribute, StringAttr) else ""


def _arguments(block: Block | None) -> Sequence[BlockArgument]:
    return () if block is None else block.args


_FUNCTIONS = frozenset(("tt.func", "func.func"))
_TRANSPARENT = _FUNCTIONS | {"builtin.module"}

_CONTROL_FLOW: dict[str, Callable[[AxisAnalysis, Operation], None]] = {
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


def axis_analysis(module: ModuleOp, backend: str = "") -> AxisAnalysis:
    """Return the axis information of a module, by Triton's rules or those of `intel`."""
    if backend == "intel":
        from xtriton.analysis.axis_info_intel import IntelAxisAnalysis

        return IntelAxisAnalysis.of(module)
    from xtriton.analysis.axis_info_rules import RULES

    return AxisAnalysis(RULES).run(module)
