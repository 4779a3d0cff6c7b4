"""
A kernel on the interpreter, one source line after another.

    xtriton.debug(kernel)[grid](x, out, n, BLOCK=64)

stops behind each line of program (0, 0, 0), prints the line and the values that it made, and asks
what to do: nothing steps on, `c` runs to the end, `q` ends the launch, a name prints its value.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from linecache import getline
from typing import Any

from xdsl.dialects.builtin import CallSiteLoc, NameLoc
from xdsl.ir import Operation

from xtriton.abi import normalize_grid
from xtriton.errors import UserError
from xtriton.interop.triton import Kernel, jit_function, specialize, ttir_of
from xtriton.interpreter.api import run
from xtriton.interpreter.machine import Program
from xtriton.ir.locations import Place, file_position
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context


@dataclass(frozen=True)
class Line:
    """
    A source line that a program has run.

    `made` has the values that the line gave names to, `values` all that have one so far: NumPy
    scalars and arrays, of the shapes of the kernel's blocks.
    """

    program: tuple[int, int, int]
    file: str
    number: int
    text: str
    made: Mapping[str, Any]
    values: Mapping[str, Any]


class Quit(Exception):
    """Raised by whoever is told of a line: the launch ends there."""


Stop = Callable[[Line], None]


@dataclass
class Debugged:
    """A kernel that tells of its lines: `debugged[grid](...)`."""

    kernel: Kernel
    program: tuple[int, int, int] = (0, 0, 0)
    stop: Stop | None = None

    def __getitem__(self, grid: Any) -> Callable[..., None]:
        function = jit_function(self.kernel)

        def launch(*values: object, **named: object) -> None:
            names: list[str] = list(function.arg_names)
            if len(values) > len(names):
                raise UserError(f"kernel '{function.__name__}' takes {len(names)} arguments")
            given = dict(zip(names, values, strict=False))
            # What else there is, such as `num_warps`, is for a GPU.
            given.update({name: value for name, value in named.items() if name in names})
            how = specialize(self.kernel, given)
            text = ttir_of(self.kernel, how)
            module = parse_module(text, context(), file=f"<{function.__name__}>")
            sizes: Any = grid({**given, **how.constexprs}) if callable(grid) else grid
            program = Program(module)
            told = _Teller(self, program, function.fn.__code__.co_filename)
            program.traced = {op: told.hearer(op) for op in module.walk() if told.concerns(op)}  # pyright: ignore[reportAttributeAccessIssue]
            try:
                arguments = [given[name] for name in how.signature]
                run(program, normalize_grid(sizes), arguments, batched=False)
                told.flush()
            except Quit:
                return

        return launch


def debug(
    kernel: Kernel, *, program: Sequence[int] = (0, 0, 0), stop: Stop | None = None
) -> Debugged:
    """
    Return `kernel` for launches on the interpreter that stop behind each source line.

    `program` is the one whose lines are told; all of the grid run. `stop` is called with each
    `Line`, and may raise `Quit`; by default the line is printed and the terminal asked.
    """
    x, y, z = (*program, 0, 0, 0)[:3]
    return Debugged(kernel, (x, y, z), stop)


_COMBINING = ("tt.reduce", "tt.scan", "tt.map_elementwise")


class _Teller:
    """Gathers what the ops of a line made until an op of another one runs."""

    def __init__(self, of: Debugged, program: Program, file: str):
        self.of = of
        self.machine = program.machine
        self.file = file
        self.place: Place | None = None
        self.heard: set[Operation] = set()
        self.made: dict[str, Any] = {}
        self.values: dict[str, Any] = {}
        self.stop = of.stop or _Terminal().stop

    def concerns(self, op: Operation) -> bool:
        """Return whether an op is a step: how elements are combined is no line of its own."""
        around = op.parent_op()
        if around is not None and around.name in _COMBINING:
            return False
        return op.name not in ("arith.constant", "tt.func", "builtin.module")

    def hearer(self, op: Operation) -> Callable[[Any], None]:
        """Return what is called with the result of `op` each time that it has run."""
        place = self._place(op.location)
        name = op.results[0].name_hint if op.results else None
        stem, _, number = (name or "").rpartition("_")
        name = stem if stem and number.isdigit() else name

        def hear(value: Any) -> None:
            if place is None or self._program() != self.of.program:
                return
            if op in self.heard or (self.place is not None and place[:2] != self.place[:2]):
                self.flush()
            self.place = place
            self.heard.add(op)
            if name and hasattr(value, "dtype"):
                self.made[name] = self.values[name] = value.copy()

        return hear

    def flush(self) -> None:
        """Tell of the line so far."""
        if self.place is None:
            return
        file, number, _ = self.place
        text = getline(file, number).rstrip()
        line = Line(self.of.program, file, number, text, self.made, dict(self.values))
        self.place, self.made, self.heard = None, {}, set()
        self.stop(line)

    def _program(self) -> tuple[int, int, int]:
        x, y, z = (int(part) for part in self.machine.program_id)
        return x, y, z

    def _place(self, location: Any) -> Place | None:
        """Return the place in the kernel's file, for what a library did the place of its call."""
        if isinstance(location, NameLoc):
            return self._place(location.location)
        if isinstance(location, CallSiteLoc):
            inner = self._place(location.callee)
            return (
                inner
                if inner is not None and inner[0] == self.file
                else self._place(location.caller)
            )
        return file_position(location)


@dataclass
class _Terminal:
    """Prints lines, and asks what to do where somebody can answer."""

    goes_on: bool = False
    asks: bool = field(default_factory=lambda: sys.stdin.isatty())

    def stop(self, line: Line) -> None:
        if self.goes_on:
            return
        print(f"{line.file}:{line.number}: program {line.program}: {line.text.strip()}")
        for name, value in line.made.items():
            print(f"  {name} = {value}")
        while self.asks:
            answer = input("(xtriton) ").strip()
            if answer == "q":
                raise Quit
            if answer == "c":
                self.goes_on = True
            if answer in ("", "c", "n"):
                return
            print(line.values.get(answer, f"no value has the name '{answer}'"))
