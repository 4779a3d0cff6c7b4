"""
Does a rewritten kernel refine the original?

Both run on the same endless memory, on several draws of arguments. The rewritten kernel must
store the same bits (or within a declared tolerance) at the same addresses, and read nowhere
that the original does not read. What the original computes from undefined values, the
rewritten kernel may choose: both run with two different stand-ins for poison, and what
differs between the original's runs is free.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton.errors import UserError
from xtriton.interpreter import registry
from xtriton.interpreter.machine import Program, Seen
from xtriton.judge.comparison import Comparison
from xtriton.judge.differing import traces
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.phases import Phases
from xtriton.judge.runs import Side
from xtriton.judge.signatures import expansion
from xtriton.judge.verdicts import Difference, Equivalence, Options

__all__ = ["Difference", "Equivalence", "Options", "check_equivalent", "shared"]


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
    a = Side.make(original, kernel)
    b = Side.make(rewritten, kernel if kernel in _names(rewritten) else None)
    if len(a.parameters) != len(b.parameters):
        b.expansion = expansion(a.parameters, b.parameters)
        if b.expansion is None:
            raise UserError(
                f"the kernels take different arguments: {len(a.parameters)} and {len(b.parameters)}"
            )
    verdict = Equivalence(a.kernel)
    _trace(a, b, verdict, options.confidence)
    comparison = Comparison(a, b, options, verdict)
    drawn = _launches(a, given, options.tolerance > 0)
    phases = Phases(comparison, drawn, given or {})
    phases.usual(drawn.usual() if launches is None else launches)
    if launches is None:
        phases.roomy()
    if not verdict.draws:
        comparison.on_racy()
    if verdict.draws and launches is None and not verdict.proved:
        phases.all_others()
    comparison.finish()
    return verdict


def _launches(side: Side, given: dict[int, Any] | None, calm: bool) -> Launches:
    """Return what draws launches of a kernel, one for all comparisons of a shared original."""

    def made() -> Launches:
        return Launches(side.function, side.parameters, given, calm)

    return made() if given else side.program.once(("launches", side.kernel, calm), made)


def shared(module: Operation) -> Program:
    """
    Return a module as the original of many comparisons: it runs once on each launch.

    What its launches did is kept until the result is dropped, some megabytes for a kernel.

        original = shared(before)
        verdicts = [check_equivalent(original, after) for after in rewritten]
    """
    program = Program(module)
    program.remembered = {}
    program.traced = {op: Seen() for op in module.walk()}
    return program


def _trace(a: Side, b: Side, verdict: Equivalence, follow: bool) -> None:
    """Note whether both are the same ops; if not, `follow` the ops that differ in launches."""
    found = traces(a.function, b.function)
    verdict.proved = found is None
    if not follow:
        return
    verdict.differing = found or []
    # Before any is compiled.
    for trace in verdict.differing:
        side = b if trace.rewritten else a
        trace.seen = side.program.traced.setdefault(trace.op, trace.seen)


def _names(module: Operation | Program) -> set[str]:
    return set((module if isinstance(module, Program) else Program(module)).symbols)


def _options(base: Options | None, *overrides: Any) -> Options:
    base = base or Options()
    names = ("tolerance", "reads", "poison", "count", "thorough")
    fields = {n: o for n, o in zip(names, overrides, strict=True) if o is not None}
    return Options(**{**base.__dict__, **fields})
