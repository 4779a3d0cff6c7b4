"""
Software pipelining of `scf.for` by a given schedule, without an epilogue.

Each op of the body has a stage. Iteration `i` of the new loop runs stage `s` of iteration
`i + last - s` of the old one; what runs too far ahead at the end is masked by a predicate.
What the first iterations need is computed in front of the loop.
Source: `LoopPipelining.cpp` of MLIR's `scf` dialect (`pipelineForLoop`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue

from xtriton.dialects.upstream.arith import AddiOp, CmpiOp, MuliOp, SelectOp, SubiOp
from xtriton.dialects.upstream.scf import ForOp, YieldOp
from xtriton.dialects.utils.constants import constant_int, constant_op

Schedule = Sequence[tuple[Operation, int]]
"""The ops of a loop's body in the order in which they are to stand, each with its stage."""

Predicate = Callable[[Operation, SSAValue], bool]
"""Masks an op, which stands where it will be; returns False if it cannot be masked."""

_SIGNED_LESS = "slt"


def pipeline_loop(
    loop: ForOp,
    schedule: Schedule,
    predicate: Predicate,
    may_predicate: Callable[[Operation], bool],
) -> ForOp | None:
    """
    Replace `loop` by its pipelined form; return that, or None if it has to stay as it is.

    `may_predicate` says in advance which ops `predicate` can mask.
    """
    pipeliner = _Pipeliner(loop, schedule, predicate)
    if not pipeliner.is_possible(may_predicate):
        return None
    return pipeliner.run()


@dataclass
class _Range:
    """From which stage a value comes and in which it is used last."""

    made: int
    used: int = 0


@dataclass
class _Pipeliner:
    loop: ForOp
    schedule: Schedule
    predicate: Predicate
    versions: dict[SSAValue, dict[int, SSAValue]] = field(
        default_factory=dict[SSAValue, dict[int, SSAValue]]
    )

    def __post_init__(self) -> None:
        self.stages = dict(self.schedule)
        self.last = max(self.stages.values())
        self.body = self.loop.body.block
        end = self.body.last_op
        assert end is not None
        self.end: Operation = end
        self.is_dynamic = not self._runs_long_enough()
        self._place: tuple[Block, Operation | None] = (self.body, None)
        """Where ops are emitted: in a block, before an op or at the end."""

    def _runs_long_enough(self) -> bool:
        bounds = [constant_int(v) for v in (self.loop.lb, self.loop.ub, self.loop.step)]
        lower, upper, step = bounds
        if lower is None or upper is None or not step:
            return False
        return -(-(upper - lower) // step) > self.last

    def is_possible(self, may_predicate: Callable[[Operation], bool]) -> bool:
        """Return whether all ops have a stage, and values are carried over one iteration."""
        if any(op not in self.stages for op in self.body.ops if op is not self.end):
            return False
        if not all(isinstance(v, OpResult) and not self._is_nested(v) for v in self.end.operands):
            return False
        return all(may_predicate(op) for op, stage in self.schedule if stage < self.last)

    def _is_nested(self, value: OpResult) -> bool:
        """Return whether a value is of the loop, but of an op without a stage."""
        return value.op.parent is self.body and value.op not in self.stages

    def run(self) -> ForOp:
        """Emit prologue and loop; return the loop."""
        home = self.loop.parent
        assert home is not None
        self._place = (home, self.loop)
        self._prologue()
        crossing = self._crossing_values()
        arguments: dict[tuple[SSAValue, int], int] = {}
        initial = self._initial_values(crossing, arguments)
        types = [value.type for value in initial]
        block = Block(arg_types=[self.body.args[0].type, *types])
        for old, new in zip(self.body.args, block.args, strict=False):
            new.location, new.name_hint = old.location, old.name_hint
        for new in block.args[len(self.body.args) :]:
            new.location = self.loop.location
        result = ForOp.create(
            operands=[self.loop.lb, self.loop.ub, self.loop.step, *initial],
            result_types=types,
            regions=[Region(block)],
            properties=self.loop.properties,
            attributes=self.loop.attributes,
        )
        self._emit(result)
        self._place = (block, None)
        self._kernel(result, crossing, arguments)
        for old, new in zip(self.loop.results, result.results, strict=False):
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        self.loop.detach()
        self.loop.erase()
        return result

    def _emit(self, op: Operation) -> None:
        block, before = self._place
        if before is None:
            block.add_op(op)
        else:
            block.insert_op_before(op, before)

    # --- small pieces of arithmetic -----------------------------------------------------------

    def _build(self, op: Operation) -> SSAValue:
        op.location = self.loop.location
        self._emit(op)
        return op.results[0]

    def _constant(self, value: int, type: Attribute) -> SSAValue:
        return self._build(constant_op(type, value))

    def _steps(self, count: int) -> SSAValue:
        """Return how far `count` iterations are."""
        number = self._constant(count, self.loop.step.type)
        return self._build(MuliOp(self.loop.step, number))

    def _induction_variable(self, iteration: int) -> SSAValue:
        return self._build(AddiOp(self.loop.lb, self._steps(iteration)))

    def _less(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self._build(CmpiOp(a, b, _SIGNED_LESS))

    # --- prologue -----------------------------------------------------------------------------

    def _set(self, value: SSAValue, version: int, new: SSAValue) -> None:
        self.versions.setdefault(value, {})[version] = new

    def _prologue(self) -> None:
        """Emit the stages of the first iterations that the loop does not run."""
        for argument, initial in zip(self.body.args[1:], self.loop.iter_args, strict=True):
            self._set(argument, 0, initial)
        predicates: list[SSAValue | None] = [None] * self.last
        for i in range(self.last):
            if self.is_dynamic:
                predicates[i] = self._less(self._induction_variable(i), self.loop.ub)
            self._set(self.body.args[0], i, self._induction_variable(i))
            for op, stage in self.schedule:
                if stage <= i:
                    self._emit_early(op, i - stage, predicates[i - stage])

    def _emit_early(self, op: Operation, version: int, predicate: SSAValue | None) -> None:
        def version_of(value: SSAValue) -> SSAValue:
            found = self.versions.get(value)
            return value if found is None else found[version]

        new = _cloned(op, version_of)
        self._emit(new)
        if predicate is not None:
            self.predicate(new, predicate)
        for result, value in zip(op.results, new.results, strict=True):
            for i, operand in enumerate(self.end.operands):
                if operand is result:
                    self._carry(i, version, value, predicate)
            self._set(result, version, value)

    def _carry(self, i: int, version: int, value: SSAValue, predicate: SSAValue | None) -> None:
        argument = self.body.args[i + 1]
        if predicate is not None and self.loop.results[i].first_use is not None:
            previous = self.versions[argument][version]
            value = self._build(SelectOp(predicate, value, previous))
        self._set(argument, version + 1, value)

    # --- the loop -----------------------------------------------------------------------------

    def _definition(self, value: SSAValue) -> tuple[Operation | None, int]:
        """Return the op of the loop that a value comes from, and how many iterations ago."""
        if isinstance(value, OpResult):
            return value.op, 0
        assert isinstance(value, BlockArgument)
        if value.block is not self.body or value.index == 0:
            return None, 0
        source = self.end.operands[value.index - 1]
        return (source.op, 1) if isinstance(source, OpResult) else (None, 0)

    def _crossing_values(self) -> dict[SSAValue, _Range]:
        """Return the values that are used in a later stage than the one that makes them."""
        result: dict[SSAValue, _Range] = {}
        for op, stage in self.schedule:
            for operand in _operands_from_outside(op):
                source, distance = self._definition(operand)
                made = None if source is None else self.stages.get(source)
                if made is None or made == stage or made == stage + distance:
                    continue
                found = result.setdefault(operand, _Range(made))
                found.used = max(found.used, stage)
        return result

    def _initial_values(
        self, crossing: dict[SSAValue, _Range], arguments: dict[tuple[SSAValue, int], int]
    ) -> list[SSAValue]:
        result: list[SSAValue] = []
        for i, operand in enumerate(self.end.operands):
            assert isinstance(operand, OpResult)
            stage = self.stages.get(operand.op)
            if stage is None:
                result.append(self.loop.iter_args[i])
            else:
                result.append(self.versions[self.body.args[i + 1]][self.last - stage])
        for value, lives in crossing.items():
            distance = lives.used - lives.made
            for i in range(distance):
                arguments[value, distance - i] = len(result)
                result.append(self.versions[value][self.last - lives.used + i])
        return result

    def _kernel(
        self,
        loop: ForOp,
        crossing: dict[SSAValue, _Range],
        arguments: dict[tuple[SSAValue, int], int],
    ) -> None:
        block = loop.body.block
        mapping: dict[SSAValue, SSAValue] = dict(zip(self.body.args, block.args, strict=False))
        predicates: list[SSAValue | None] = []
        for i in range(self.last):
            limit = self._build(SubiOp(self.loop.ub, self._steps(self.last - i)))
            predicates.append(self._less(block.args[0], limit))
        predicates.append(None)
        for op, stage in self.schedule:

            def renamed(value: SSAValue, stage: int = stage) -> SSAValue:
                return self._in_kernel(value, stage, mapping, block, arguments)

            new = _cloned(op, renamed)
            self._emit(new)
            predicate = predicates[stage]
            if predicate is not None:
                self.predicate(new, predicate)
            mapping.update(zip(op.results, new.results, strict=True))
        values = [
            self._yielded(i, mapping, predicates, block) for i in range(len(self.end.operands))
        ]
        for value, lives in crossing.items():
            for _ in range(1, lives.used - lives.made):
                values.append(block.args[len(values) + 2])
            values.append(mapping.get(value, value))
        end = YieldOp(*values)
        end.location = self.loop.location
        self._emit(end)

    def _in_kernel(
        self,
        value: SSAValue,
        stage: int,
        mapping: dict[SSAValue, SSAValue],
        block: Block,
        arguments: dict[tuple[SSAValue, int], int],
    ) -> SSAValue:
        """Return what an op of `stage` uses in the new loop for a value of the old one."""
        if value is self.body.args[0]:
            return self._build(AddiOp(block.args[0], self._steps(self.last - stage)))
        source, distance = self._definition(value)
        made = None if source is None else self.stages.get(source)
        if made is None or made == stage:
            return mapping.get(value, value)
        if distance and made == stage + 1:
            # The iteration before, one stage further: it has just been computed.
            assert isinstance(value, BlockArgument)
            carried = self.end.operands[value.index - 1]
            return mapping.get(carried, carried)
        return block.args[1 + arguments[value, stage - made]]

    def _yielded(
        self,
        i: int,
        mapping: dict[SSAValue, SSAValue],
        predicates: list[SSAValue | None],
        block: Block,
    ) -> SSAValue:
        operand = self.end.operands[i]
        value = mapping.get(operand, operand)
        source, _ = self._definition(operand)
        stage = self.last if source is None else self.stages.get(source, self.last)
        predicate = predicates[stage]
        if predicate is None or self.loop.results[i].first_use is None:
            return value
        # The loop's result is of the last iteration, not of those that run ahead.
        return self._build(SelectOp(predicate, value, block.args[i + 1]))


def _operands_from_outside(op: Operation) -> list[SSAValue]:
    """Return the operands of `op` and what the ops inside it take from around it."""
    result = list(op.operands)
    if op.regions:
        inside = {value for nested in op.walk() for value in nested.results}
        inside |= {a for n in op.walk() for r in n.regions for b in r.blocks for a in b.args}
        for nested in op.walk():
            if nested is not op:
                result += [operand for operand in nested.operands if operand not in inside]
    return result


def _cloned(op: Operation, renamed: Callable[[SSAValue], SSAValue]) -> Operation:
    """Return a copy of `op` that uses `renamed` values, each asked for by itself as upstream does."""
    new = op.clone()
    outside = set(_operands_from_outside(op))
    # What an op of a region makes has a copy already.
    for old, copy in zip(op.walk(), new.walk(), strict=True):
        for i, operand in enumerate(old.operands):
            if operand in outside:
                copy.operands[i] = renamed(operand)
    new.location = op.location
    return new
