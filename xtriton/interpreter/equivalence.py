"""
Does a rewritten kernel refine the original?

Both run on the same endless memory, on several draws of arguments. The rewritten kernel must
store the same bits (or within a declared tolerance) at the same addresses, and read nowhere
that the original does not read. What the original computes from undefined values, the
rewritten kernel may choose: both run with two different stand-ins for poison, and what
differs between the original's runs is free.
"""

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.errors import UserError
from xtriton.interpreter import registry
from xtriton.interpreter.api import kernel_name
from xtriton.interpreter.arguments import Endless, Parameter, parameters
from xtriton.interpreter.branches import branch_draws
from xtriton.interpreter.contents import Contents
from xtriton.interpreter.differing import Trace, settle, traces
from xtriton.interpreter.draws import Draw, draws, edge_draws, hard_draws
from xtriton.interpreter.effects import (
    Access,
    Assertions,
    Effects,
    Recorder,
    argument_of,
    execute,
    result_types,
    user_parameters,
)
from xtriton.interpreter.kernel_facts import lock_arguments
from xtriton.interpreter.launch import is_sequential
from xtriton.interpreter.machine import (
    Program,
    StepBudgetExceeded,
    describe,
    describe_location,
)
from xtriton.interpreter.memory import ByteSet, Memory, MemoryFault, region_base
from xtriton.interpreter.overflow import address_arithmetic
from xtriton.interpreter.partial import UndefinedBehaviour
from xtriton.interpreter.races import find_race
from xtriton.interpreter.signatures import Expansion, expansion
from xtriton.interpreter.undefined import FollowingMemory, certain
from xtriton.interpreter.values import NeedsSequential
from xtriton.interpreter.written import compare_bytes, varies
from xtriton.semantics import Element, element
from xtriton.semantics.elements import Array


@dataclass
class Difference:
    """One place where the kernels differ; `message` is a sentence, `details` more lines."""

    draw: Draw
    message: str
    details: list[str] = field(default_factory=list[str])

    def render(self) -> str:
        return "\n  ".join([self.message, *self.details, f"with {self.draw.describe()}"])


@dataclass
class Equivalence:
    """
    The verdict on two kernels: true where no difference was found.

    draws: on how many launches they were compared; proved: whether a solver proved that there is
    no difference on any launch; notes: what the verdict is worth less for.
    coverage: the original's accesses to memory, and whether each was made with some lane on.
    differing: the ops that differ, with what the launches showed of each; vacuous: whether
    nothing was stored that could have differed.
    """

    kernel: str
    differences: list[Difference] = field(default_factory=list[Difference])
    draws: int = 0
    proved: bool = False
    vacuous: bool = False
    notes: list[str] = field(default_factory=list[str])
    coverage: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    differing: list[Trace] = field(default_factory=list[Trace])

    def __bool__(self) -> bool:
        return not self.differences

    @property
    def confidence(self) -> str:
        """
        How sure the verdict is: "different", "proved", "reached" or "neither".

        "reached" says that every op that differs was proved to be right, or ran on inputs on
        which it gave more than one value; "neither" that some were not, or nothing was stored.
        """
        if self.differences:
            return "different"
        if self.proved:
            return "proved"
        weak = self.vacuous or any(trace.status == "neither" for trace in self.differing)
        return "neither" if weak else "reached"

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as what JSON can hold."""
        return {
            "kernel": self.kernel,
            "confidence": self.confidence,
            "draws": self.draws,
            "differences": [difference.render() for difference in self.differences],
            "differing": [
                {
                    "kernel": "rewritten" if trace.rewritten else "original",
                    "op": trace.op.name,
                    "place": describe_location(trace.op),
                    "status": trace.status,
                }
                for trace in self.differing
            ],
            "notes": self.notes,
        }

    def render(self) -> str:
        """Return the verdict as text, the first difference in full."""
        if not self.differences:
            head = f"{self.kernel}: no difference in {self.draws} draws"
        else:
            head = f"{self.kernel}: {self.differences[0].render()}"
        return "\n".join([head, *(f"  note: {n}" for n in self.notes)])

    def coverage_list(self) -> str:
        """Return a line for each access of the original to memory: was it made?"""
        made = sum(reached for _, reached in self.coverage)
        head = f"{self.kernel}: {made} of {len(self.coverage)} accesses were made"
        return "\n".join(
            [head, *(f"  {'made ' if reached else 'never'}  {op}" for op, reached in self.coverage)]
        )


@dataclass
class _Side:
    """One of the two kernels, compiled."""

    program: Program
    kernel: str
    function: Operation
    parameters: list[Parameter]
    expansion: Expansion | None = None
    """How the arguments come from those of the original, if that takes descriptors instead."""

    def launch(self, draw: Draw) -> Draw:
        """Return a launch of the original as one of this kernel."""
        return draw if self.expansion is None else self.expansion.draw(draw)

    @classmethod
    def make(cls, module: Operation | Program, kernel: str | None) -> "_Side":
        program = module if isinstance(module, Program) else Program(module)
        name = kernel_name(program, kernel)
        function = program.symbols[name]
        return cls(program, name, function, user_parameters(function, parameters(function)))


@dataclass(frozen=True)
class Options:
    """
    How strictly to compare.

    tolerance: relative error allowed in stored floats, for passes that reassociate.
    reads: whether the rewritten kernel may read nowhere else than the original.
    poison: whether undefined values are tracked, at the cost of running everything twice.
    count: draws to compare on, to which from three on come those at the edges of what the
    kernel can take; thorough: also draws with extreme integer arguments.
    budget: ops that a kernel may run in a draw.
    solver: seconds that a solver (the extra `solver`) may look for launches on which the kernels
    differ, or prove that there are none; many times as long if `thorough`.
    seconds: after which no further launch is made; a note says so.
    confidence: whether the ops that differ are followed, for `Equivalence.confidence`.
    """

    tolerance: float = 0.0
    reads: bool = True
    poison: bool = True
    count: int = 3
    thorough: bool = False
    budget: int = 100_000
    solver: float = 1.0
    seconds: float = 600.0
    confidence: bool = False


def check_equivalent(
    original: Operation | Program,
    rewritten: Operation | Program,
    *,
    kernel: str | None = None,
    given: dict[int, Any] | None = None,
    launches: Sequence[Draw] | None = None,
    options: Options | None = None,
    tolerance: float | None = None,
    reads: bool | None = None,
    poison: bool | None = None,
    count: int | None = None,
    thorough: bool | None = None,
) -> Equivalence:
    """
    Compare two kernels of the same signature, at any level each, on drawn launches.

    `given` fixes arguments by position; `launches` replaces the draws. The keyword arguments
    override `options`, see `Options`. The result is true if no difference was found.

    Raise `UserError` where a comparison is impossible: signatures that differ, ops without a
    rule, no launch that fits.
    """
    options = _options(options, tolerance, reads, poison, count, thorough)
    with np.errstate(all="ignore"):
        return _check(original, rewritten, kernel, given, launches, options)


def _check(
    original: Operation | Program,
    rewritten: Operation | Program,
    kernel: str | None,
    given: dict[int, Any] | None,
    launches: Sequence[Draw] | None,
    options: Options,
) -> Equivalence:
    registry.load()
    a = _Side.make(original, kernel)
    b = _Side.make(rewritten, kernel if kernel in _names(rewritten) else None)
    if len(a.parameters) != len(b.parameters):
        b.expansion = expansion(a.parameters, b.parameters)
        if b.expansion is None:
            raise UserError(
                f"the kernels take different arguments: {len(a.parameters)} and {len(b.parameters)}"
            )
    verdict = Equivalence(a.kernel)
    if options.confidence:
        _trace(a, b, verdict)
    comparison = _Comparison(a, b, options, verdict)
    calm = options.tolerance > 0
    chosen = draws(a.function, a.parameters, given, calm) if launches is None else launches
    for draw in chosen:
        done = comparison.verdict.draws - options.count
        if comparison.verdict.differences or done >= (0 if comparison.covered() else EXTRA_DRAWS):
            break
        comparison.on(draw)
    if not comparison.verdict.draws:
        comparison.on_racy()
    elif launches is None:
        if options.count >= HARD_FROM:
            turns = 3 if options.thorough else 1
            comparison.on_all(hard_draws(a.function, a.parameters, given, calm, turns))
        comparison.on_other_branches(set(given or {}))
        comparison.on_examples(set(given or {}))
    if options.thorough and not comparison.verdict.differences:
        comparison.on_all(draws(a.function, a.parameters, given, calm))
        comparison.on_all(edge_draws(a.function, a.parameters, given))
    comparison.finish()
    return comparison.verdict


def _trace(a: _Side, b: _Side, verdict: Equivalence) -> None:
    """Note for each op that differs what launches show of it, before any is compiled."""
    found = traces(a.function, b.function)
    verdict.proved = found is None
    verdict.differing = found or []
    for trace in verdict.differing:
        side = b if trace.rewritten else a
        side.program.traced[trace.op] = trace.see


def _names(module: Operation | Program) -> set[str]:
    return set((module if isinstance(module, Program) else Program(module)).symbols)


def _options(base: Options | None, *overrides: Any) -> Options:
    base = base or Options()
    names = ("tolerance", "reads", "poison", "count", "thorough")
    fields = {n: o for n, o in zip(names, overrides, strict=True) if o is not None}
    return Options(**{**base.__dict__, **fields})


THOROUGH_SOLVER = 20
"""How much longer a solver may take for a thorough check."""

LOWERING_COST = 50
"""How much more work than the original the rewritten kernel may take: it may use scalar loops."""

HARD_FROM = 3
"""Launches at the edges of what a kernel can take come with so many ordinary draws, or more."""

EXTRA_DRAWS = 2
"""Draws made beyond those asked for, as long as some access has not been reached."""

_ACCESSES = ("load", "store", "gather", "scatter", "rmw", "cas", "copy", "reduce")


def _accesses(side: _Side) -> dict[Operation, None]:
    """Return the ops of a kernel's own body that access global memory, in order."""
    found: dict[Operation, None] = {}
    for op in side.function.walk():
        dialect, _, name = op.name.partition(".")
        if dialect in ("tt", "tts") and name.endswith(_ACCESSES) and name != "reduce":
            found[op] = None
    return found


class _Comparison:
    """Runs both kernels draw by draw and collects the verdict."""

    def __init__(self, a: _Side, b: _Side, options: Options, verdict: Equivalence):
        self.a, self.b, self.options, self.verdict = a, b, options, verdict
        self.zeroed = lock_arguments(a.function)
        self.batched = not (_sequential(a) or _sequential(b))
        self.racy: list[Draw] = []
        self.made: list[Draw] = []
        self.accesses = _accesses(a) if options.reads else dict[Operation, None]()
        self.reached: set[Operation] = set()
        self.stores = 0
        self.varied = False
        self.failures: list[str] = []
        self.until = monotonic() + options.seconds
        self.left = 0
        """Launches for which there was no time."""
        self.watched: _Side | None = None
        """The original with an eye on its address arithmetic."""

    def _execute(
        self, side: _Side, draw: Draw, poison: int, memory: Memory | None = None
    ) -> Effects:
        key = (side.kernel, draw, poison, self.batched, self.options.reads)
        remembered = side.program.remembered
        if remembered is not None and key in remembered:
            return remembered[key]
        observer = Recorder() if self.options.reads else Assertions()
        effects = execute(
            side.program,
            side.kernel,
            side.launch(self._as_drawn(draw)),
            poison=poison,
            observer=observer,
            budget=self.options.budget * (1 if side is self.a else LOWERING_COST),
            batched=self.batched,
            memory=memory,
        )
        if remembered is not None:
            remembered[key] = effects
        return effects

    def covered(self) -> bool:
        """Whether every access of the original was made with some lane on."""
        return self.accesses.keys() <= self.reached

    def _cover(self, accesses: list[Access]) -> None:
        for access in accesses:
            if access.op not in self.reached and access.touched().size:
                self.reached.add(access.op)

    def _as_drawn(self, draw: Draw) -> Draw:
        """Return `draw` with content of the original's types, and zeros where there are locks."""
        values = [
            self._content(parameter, value) if isinstance(value, Endless) else value
            for value, parameter in zip(draw.values, self.a.parameters, strict=False)
        ]
        return replace(draw, values=(*values, *draw.values[len(values) :]))

    def _content(self, parameter: Parameter, value: Endless) -> Endless:
        if parameter.index in self.zeroed:
            return Endless(Contents(zero=True))
        return replace(value, element=parameter.stored)

    def on_all(self, launches: Iterable[Draw]) -> None:
        """Compare on launches that were not made yet, until a difference is found."""
        for draw in launches:
            if self.verdict.differences:
                return
            if draw not in self.made:
                self.on(draw)

    def on(self, draw: Draw, races_allowed: bool = False) -> None:
        """Compare on one launch, or the first like it that fits the original."""
        if monotonic() > self.until:
            self.left += 1
            return
        tried: Draw | None = self._without_overflow(draw)
        first = None
        while tried is not None and first is None:
            draw = tried
            first = self._first_run(draw)
            tried = draw.tamer()
        if first is None:
            return
        if (
            not races_allowed
            and self.options.reads
            and find_race(first.observer.accesses) is not None
        ):
            self.racy.append(draw)
            return
        self.verdict.draws += 1
        self.made.append(draw)
        if self.options.reads:
            self._cover(first.observer.accesses)
        self._compare_with(first, draw)
        if self.verdict.differences:
            self._excuse(first, draw)

    def _excuse(self, first: Effects, draw: Draw) -> None:
        """Take differences back that the original permits, because its values are undefined."""
        reason = ""
        if self._overflows(draw):
            reason = "offsets of the original overflow"
        elif (free := self._certain(first, draw)) is None:
            reason = "a branch or address of the original is undefined"
        elif free is not first:
            self.verdict.differences.clear()
            self._compare_with(first, draw, free)
        if reason:
            self.verdict.differences.clear()
            self.verdict.draws -= 1
            self.failures.append(f"draw '{draw.name}' skipped: {reason}")

    def _certain(self, first: Effects, draw: Draw) -> Effects | None:
        """
        Return what the original does whatever its undefined values are, or None if it is nothing.

        `first` is its run; it is returned if nothing can be told.
        """
        program = Program(self.a.program.module)
        program.follows = True
        following = _Side(program, self.a.kernel, self.a.function, self.a.parameters)
        memory = FollowingMemory()
        other = self._execute(self.a, draw, 1) if first.poison_used else first
        try:
            followed = self._execute(following, draw, 0, memory)
        except UndefinedBehaviour:
            return None
        except (ArithmeticError, LookupError, TypeError, ValueError, NeedsSequential):
            # A rule that does not take values of which lanes are undefined.
            return first
        return certain(first, other, followed, memory)

    def _first_run(self, draw: Draw) -> Effects | None:
        """Run the original; return None, and remember why, if the launch does not fit it."""
        try:
            first = self._execute(self.a, draw, 0)
        except (StepBudgetExceeded, MemoryFault) as error:
            self.failures.append(f"draw '{draw.name}' skipped: {error.message}")
            return None
        if first.observer.failed:
            self.failures.append(f"draw '{draw.name}' skipped: '{first.observer.failed[0]}' fails")
            return None
        return first

    def _without_overflow(self, draw: Draw) -> Draw:
        """Return the first of a launch and the smaller ones like it that does not overflow."""
        *larger, last = draw, *draw.smaller
        for tried in larger:
            with contextlib.suppress(UserError):
                if not self._overflows(tried):
                    return tried
        return last

    def _overflows(self, draw: Draw) -> bool:
        """Whether address arithmetic of the original overflows, which makes any result right."""
        if self.watched is None:
            program = Program(self.a.program.module)
            program.watched = address_arithmetic(program.module)
            self.watched = _Side(program, self.a.kernel, self.a.function, self.a.parameters)
        machine = self.watched.program.machine
        machine.overflowed = False
        self._execute(self.watched, draw, 0)
        return machine.overflowed

    def _compare_with(self, first: Effects, draw: Draw, free: Effects | None = None) -> None:
        """
        Run the rewritten kernel too, and compare its effects with the original's.

        `free` is what the original does whatever undefined values are, if that is known.
        """
        try:
            second = self._execute(self.b, draw, 0)
        except (StepBudgetExceeded, MemoryFault) as error:
            self._differ(draw, f"the rewritten kernel fails: {error.message}")
            return
        undefined = free or first
        if free is None and self.options.poison and first.poison_used:
            undefined = self._execute(self.a, draw, 1)
        self._compare(draw, first, undefined, second, 0)
        if self.verdict.differences:
            return
        if self.options.poison and second.poison_used:
            third = self._execute(self.b, draw, 1)
            self._compare(draw, first, undefined, third, 1)
        if self.options.reads and not self.verdict.differences:
            self._compare_reads(draw, first, second)

    def on_other_branches(self, fixed: set[int]) -> None:
        """Compare on launches for the sides of branches that were not taken so far."""
        if self.b.expansion is not None:
            return
        for draw in branch_draws(self.b.function, self.b.parameters, self.made, fixed):
            if self.verdict.differences:
                break
            self.on(draw)

    def on_examples(self, fixed: set[int]) -> None:
        """Compare on launches that a solver finds, if there is one."""
        if self.verdict.differences or not self.made or self.b.expansion is not None:
            return
        if self.verdict.proved:
            return
        try:
            from xtriton.interpreter import proofs
        except ImportError:
            return
        seconds = self.options.solver * (THOROUGH_SOLVER if self.options.thorough else 1)
        proof = proofs.compare(self.a.function, self.b.function, seconds)
        self.verdict.proved |= proof.equal
        settle(self.verdict.differing, proof.equal, proof.values)
        for example in proof.examples:
            if not self.verdict.differences and not fixed & example.arguments.keys():
                self.on(self._from_example(example))

    def _from_example(self, example: Any) -> Draw:
        values = [example.arguments.get(k, v) for k, v in enumerate(self.made[0].values)]
        (x, y, z), (px, py, pz) = example.grid, example.program
        program = px + x * (py + y * pz)
        return Draw("found by a solver", tuple(values), (x, y, z), (program,))

    def on_racy(self) -> None:
        """Where programs race in every launch, compare them all the same."""
        self.batched = False
        for draw in self.racy[: self.options.count]:
            self.on(draw, races_allowed=True)
            if self.verdict.differences:
                break
        if self.verdict.draws:
            self.verdict.notes.append("programs race in every draw: they ran in order")

    def _differ(self, draw: Draw, message: str, details: list[str] | None = None) -> None:
        self.verdict.differences.append(Difference(draw, message, details or []))

    def _compare(
        self, draw: Draw, first: Effects, undefined: Effects, second: Effects, poison: int
    ) -> None:
        for argument in sorted({*first.written, *second.written}):
            mine, theirs = first.written.get(argument), second.written.get(argument)
            free = undefined.written.get(argument)
            of = self._element(argument)
            found = compare_bytes(mine, free, theirs, of, self.options.tolerance)
            if mine is not None:
                self.stores += mine[0].size
                self.varied = self.varied or varies(mine[1], of)
            if found is not None:
                offset, text = found
                self._differ(
                    draw,
                    self._place(argument, offset, of) + ": " + text,
                    self._writers(draw, argument, offset, poison),
                )
                return

        for k, known in enumerate(result_types(self.a.function)):
            if k not in first.results or k not in second.results:
                continue
            mine, theirs, free = first.results[k], second.results[k], undefined.results.get(k)
            found = compare_bytes(mine, free, theirs, known.scalar, self.options.tolerance)
            self.stores += mine[0].size
            self.varied = self.varied or varies(mine[1], known.scalar)
            if found is not None:
                place = found[0] // known.scalar.size
                self._differ(
                    draw, f"result {k}, element {place} of {known.scalar.name}: {found[1]}"
                )
                return

    def _element(self, argument: int) -> Element:
        if 0 <= argument < len(self.a.parameters):
            return self.a.parameters[argument].stored or element("i8")
        return element("i8")

    def _place(self, argument: int, offset: int, of: Element) -> str:
        names = [p.name for p in self.a.parameters]
        name = names[argument] if argument < len(names) else f"memory {argument}"
        return f"argument {argument} ({name}), element {offset // of.size} of {of.name}"

    def _writers(self, draw: Draw, argument: int, offset: int, poison: int) -> list[str]:
        """Run both again to find which op and program wrote the byte last."""
        lines: list[str] = []
        for label, side in (("original", self.a), ("rewritten", self.b)):
            watch = Watch(region_base(argument + 1) + offset)
            with contextlib.suppress(UserError):
                execute(
                    side.program,
                    side.kernel,
                    side.launch(self._as_drawn(draw)),
                    poison=poison,
                    observer=watch,
                    budget=self.options.budget,
                    batched=self.batched,
                )
            lines.append(f"{label}: {watch.describe()}")
        return lines

    def _compare_reads(self, draw: Draw, first: Effects, second: Effects) -> None:
        known = first.reads()
        for access in second.observer.accesses:
            if access.kind == "store":
                continue
            for program, address in access.by_program():
                extra = known.get(program, ByteSet()).missing(address, access.size)
                if not extra.size:
                    continue
                argument, offset = argument_of(int(extra[0]))
                place = self._place(argument, offset, self._element(argument))
                self._differ(
                    draw,
                    f"program {program} of the rewritten kernel reads {place}, which the "
                    f"original does not ({extra.size} such lanes)",
                    [f"rewritten: {describe(access.op)}"],
                )
                return

    def finish(self) -> None:
        """Say what the verdict is worth."""
        notes = self.verdict.notes
        self.verdict.coverage = [(describe(op), op in self.reached) for op in self.accesses]
        if self.verdict.draws == 0:
            notes.extend(self.failures)
            raise UserError(
                f"no drawn launch fits '{self.a.kernel}', give arguments", None, self.failures
            )
        if self.left and not self.verdict.differences:
            notes.append(f"the time was up with {self.left} launches still to make")
        lost = [op for op in self.accesses if op not in self.reached]
        if lost and not self.verdict.differences:
            first = describe(lost[0])
            notes.append(
                f"{len(lost)} of {len(self.accesses)} accesses were never made, such as {first}"
            )
        self.verdict.vacuous = self.stores == 0
        if self.stores == 0 and not self.verdict.differences:
            notes.append("nothing was stored in any draw: the comparison is vacuous")
        elif not self.varied and not self.verdict.differences:
            notes.append("all values stored are equal, NaN or infinite: the comparison is weak")


def _sequential(side: _Side) -> bool:
    return is_sequential(side.program.function(side.kernel))


class Watch(Assertions):
    """Remembers who wrote one byte last."""

    def __init__(self, address: int):
        super().__init__()
        self.address = address
        self.last: tuple[Operation, int] | None = None

    def access(
        self,
        op: Operation,
        kind: str,
        address: Array,
        mask: Array | None,
        size: int,
        programs: Array,
        shape: tuple[int, ...],
        value: Array | None = None,
    ) -> None:
        if kind == "load":
            return
        access = Access(op, kind, address, mask, size, programs, shape)
        for program, touched in access.by_program():
            if ((touched <= self.address) & (touched > self.address - size)).any():
                self.last = (op, program)

    def describe(self) -> str:
        if self.last is None:
            return "nobody writes there"
        op, program = self.last
        return f"program {program} writes there by {describe(op)}"
