"""
Checks a launch on real arrays for what a GPU would not tell.

Accesses out of bounds, programs that race, results that depend on undefined values, promises
of alignment that do not hold, assertions that fail.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.ir import Operation

from xtriton import abi
from xtriton.errors import UserError
from xtriton.interpreter.api import PROGRAM_BUDGET, kernel_name
from xtriton.interpreter.arguments import Endless, Parameter, flat_bytes, parameters
from xtriton.interpreter.effects import Recorder, Watch, argument_of, user_parameters
from xtriton.interpreter.launch import launch
from xtriton.interpreter.machine import Program, describe
from xtriton.interpreter.memory import Memory, MemoryFault, region_base
from xtriton.interpreter.races import find_race
from xtriton.semantics import element


@dataclass(frozen=True)
class Finding:
    """
    Something wrong with a launch.

    kind: "bounds", "race", "undefined", "alignment" or "assertion".
    """

    kind: str
    message: str


@dataclass
class _Launch:
    program: Program
    kernel: str
    grid: tuple[int, int, int]
    parameters: list[Parameter]
    args: list[Any]
    budget: int
    found: list[Finding] = field(default_factory=list[Finding])

    def run(self, poison: int, observer: Any) -> list[Any] | None:
        """Run on copies of the arrays and return them; None if memory was violated."""
        copies = [_copy(a) for a in self.args]
        try:
            launch(
                self.program,
                self.kernel,
                self.grid,
                copies,
                Memory(poison),
                observer=observer,
                budget=self.budget,
                budget_of_each=True,
            )
        except MemoryFault as fault:
            self.found.append(Finding("bounds", "; ".join((fault.message, *fault.notes))))
            return None
        return copies

    def place(self, address: int) -> str:
        position, offset = argument_of(address)
        parameter = self.parameters[position]
        size = (parameter.stored or element("i8")).size
        return f"element {offset // size} of argument {position} ({parameter.name})"


def _copy(value: Any) -> Any:
    if hasattr(value, "detach"):
        return value.detach().clone()
    return value.copy() if isinstance(value, np.ndarray) else value  # pyright: ignore[reportUnknownVariableType]


def sanitize(
    module: Operation | Program,
    grid: int | Sequence[int],
    args: Sequence[Any],
    *,
    kernel: str | None = None,
    budget: int = PROGRAM_BUDGET,
) -> list[Finding]:
    """
    Return what is wrong with a launch; the arrays stay as they are.

    `args` and `budget` are as for `run`. The kernel runs twice, with two stand-ins for
    undefined values.
    """
    program = module if isinstance(module, Program) else Program(module)
    name = kernel_name(program, kernel)
    function = program.symbols[name]
    known = user_parameters(function, parameters(function))
    if len(known) != len(args):
        raise UserError(f"kernel '{name}' takes {len(known)} arguments, got {len(args)}")
    state = _Launch(program, name, abi.normalize_grid(grid), known, list(args), budget)
    state.found += [f for p, a in zip(known, args, strict=True) if (f := _promise(p, a))]
    recorder = Recorder()
    first = state.run(0, recorder)
    state.found += [Finding("assertion", f"'{m}' does not hold") for m in recorder.failed[:1]]
    race = find_race(recorder.accesses)
    if race is not None:
        state.found.append(
            Finding(
                "race",
                f"program {race.writer} writes {state.place(race.address)} by "
                f"{describe(race.writing_op)}, which program {race.other} {race.kind} by "
                f"{describe(race.other_op)}",
            )
        )
    if first is not None:
        _undefined(state, first)
    return state.found


def _promise(parameter: Parameter, value: Any) -> Finding | None:
    """Check that `tt.divisibility` is true of an argument."""
    divisor = int(parameter.attributes.get("tt.divisibility") or 1)
    if divisor <= 1 or isinstance(value, Endless) or value is None:
        return None
    number = value
    if parameter.is_memory:
        _, number = flat_bytes(value, parameter.name)
    if isinstance(number, int) and number % divisor:
        what = "address of the array" if parameter.is_memory else f"value {number}"
        return Finding(
            "alignment",
            f"argument '{parameter.name}' is promised to be divisible by {divisor}, "
            f"but the {what} is not",
        )
    return None


def _undefined(state: _Launch, first: list[Any]) -> None:
    """Run with another stand-in for undefined values; results must stay the same."""
    second = state.run(1, None)
    if second is None:
        return
    for position, (a, b) in enumerate(zip(first, second, strict=True)):
        if not (isinstance(a, np.ndarray) or hasattr(a, "detach")):
            continue
        x, y = flat_bytes(a, "")[0], flat_bytes(b, "")[0]
        differs = np.flatnonzero(x != y)
        if not differs.size:
            continue
        address = region_base(position + 1) + int(differs[0])
        watch = Watch(address)
        state.run(0, watch)
        state.found.append(
            Finding(
                "undefined",
                f"{state.place(address)} depends on an undefined value; {watch.describe()}",
            )
        )
        return
