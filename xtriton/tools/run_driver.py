# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownVariableType=false
"""What `xtriton-run` does with its input."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from xtriton.errors import UserError
from xtriton.interpreter.api import kernel_name, run
from xtriton.interpreter.arguments import Parameter, parameters
from xtriton.interpreter.effects import user_parameters
from xtriton.interpreter.machine import Program
from xtriton.interpreter.profile import Profile
from xtriton.interpreter.sanitize import sanitize
from xtriton.tools.argument_values import (
    argument_value,
    parameter_named,
    shown,
    split_assignment,
)
from xtriton.tools.files import grid_of, located_module
from xtriton.tools.progress import Progress, progress_bar

SOON, LONG = 3.0, 10.0
"""Seconds after which one can tell how long a launch takes, and that are worth a word."""


def run_file(options: Any) -> int:
    """Run a kernel of the file that the command line names; return the exit code."""
    program = Program(located_module(options.file, allow_unregistered=False))
    kernel = kernel_name(program, options.kernel)
    function = program.symbols[kernel]
    known = user_parameters(function, parameters(function))
    values = _values(options, known)
    grid = grid_of(options.grid)
    findings = (
        sanitize(program, grid, values, kernel=kernel, budget=options.budget)
        if options.sanitize
        else []
    )
    for finding in findings:
        print(f"{finding.kind}: {finding.message}", file=sys.stderr)
    profile = Profile()
    program = Program(program.module)
    with progress_bar("programs", estimate=True) as show:
        run(
            program,
            grid,
            values,
            kernel=kernel,
            observer=profile,
            budget=options.budget,
            progress=_Watch(show),
        )
    for message in profile.prints:
        print(message)
    for message in sorted(set(profile.failed)):
        print(f"assertion failed: {message}", file=sys.stderr)
    arrays = [(p, v) for p, v in zip(known, values, strict=True) if isinstance(v, np.ndarray)]
    if not options.quiet:
        for parameter, array in arrays:
            print(f"{parameter.name} = {shown(array, parameter)}")
    if options.save is not None:
        _save(Path(options.save), {parameter.name: array for parameter, array in arrays})
    if options.profile:
        print(profile.report(program, [p.name for p in known]))
    return 1 if findings or profile.failed else 0


@dataclass
class _Watch:
    """Shows how far a launch is; where there is no bar, a sentence says once how long it takes."""

    show: Progress
    first: tuple[float, int] | None = None
    """When the first programs had run, which take longer than others, and how many."""
    said: bool = False

    def __call__(self, done: int, programs: int) -> None:
        self.show(done, programs, "")
        now = time.monotonic()
        if self.first is None:
            self.first = now, done
        start, begun = self.first
        if self.said or now - start < SOON or done == begun:
            return
        self.said = True
        left = (now - start) * (programs - done) / (done - begun)
        if left > LONG and not sys.stderr.isatty():
            time_left = f"{left / 60:.0f} minutes" if left > 100 else f"{left:.0f} seconds"
            message = (
                f"{done:,} of {programs:,} programs have run; the rest takes about {time_left}"
            )
            print(f"note: {message}, a smaller --grid less", file=sys.stderr, flush=True)


def _values(options: Any, known: list[Parameter]) -> list[Any]:
    given: dict[int, Any] = {}
    for text in options.arg:
        key, value = split_assignment(text)
        parameter = parameter_named(known, key)
        given[parameter.index] = argument_value(value, parameter)
    missing = [f"{p.index} ({p.name}: {p.type})" for p in known if p.index not in given]
    if missing:
        raise UserError("arguments are missing, give them with --arg", notes=missing)
    return [given[p.index] for p in known]


def _save(path: Path, arrays: dict[str, Any]) -> None:
    try:
        np.savez(path, **arrays)
    except OSError as error:
        raise UserError(f"cannot write '{path}': {error.strerror}") from None
