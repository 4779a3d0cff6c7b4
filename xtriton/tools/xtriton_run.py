# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
"""
`xtriton-run`: execute a kernel on arrays, and show or save what it stores.

    xtriton-run kernel.ttir --grid 4,2 --arg x=randn(128,64,f16) --arg n=64

Exit code 0 means success, 1 an error that the user can mend or a finding of `--sanitize`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from xtriton import abi
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
from xtriton.tools.files import read_module
from xtriton.tools.outcome import exit_code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool on `arguments` (default: those of the process); return the exit code."""
    options = _parser().parse_args(arguments)
    return exit_code(lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("xtriton-run", description="Execute a Triton kernel.")
    parser.add_argument("file", help="IR of any level, or - for standard input")
    parser.add_argument("--kernel", help="which function to run, if there are several")
    parser.add_argument("--grid", default="1", help="numbers of programs: x, x,y or x,y,z")
    parser.add_argument(
        "--arg",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a number, @file.npy, or randn(…), rand, randint, zeros, ones, full, arange",
    )
    parser.add_argument("--save", type=Path, help="write all arrays to this .npz afterwards")
    parser.add_argument("--quiet", action="store_true", help="do not print the arrays")
    parser.add_argument(
        "--budget",
        type=int,
        default=1_000_000_000,
        metavar="N",
        help="steps after which the run is stopped (default %(default)s)",
    )
    parser.add_argument("--profile", action="store_true", help="count ops, bytes and accesses")
    parser.add_argument(
        "--sanitize",
        action="store_true",
        help="look for races, undefined values and accesses out of bounds",
    )
    return parser


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


def _run(options: Any) -> int:
    program = Program(read_module(options.file, allow_unregistered=False))
    kernel = kernel_name(program, options.kernel)
    function = program.symbols[kernel]
    known = user_parameters(function, parameters(function))
    values = _values(options, known)
    try:
        grid = abi.normalize_grid([int(n) for n in options.grid.split(",")])
    except ValueError as error:
        raise UserError(f"'{options.grid}' is no grid: {error}") from None
    findings = sanitize(program, grid, values, kernel=kernel) if options.sanitize else []
    for finding in findings:
        print(f"{finding.kind}: {finding.message}", file=sys.stderr)
    profile = Profile()
    program = Program(program.module)
    run(program, grid, values, kernel=kernel, observer=profile, budget=options.budget)
    for message in profile.prints:
        print(message)
    for message in sorted(set(profile.failed)):
        print(f"assertion failed: {message}", file=sys.stderr)
    arrays = {p.name: v for p, v in zip(known, values, strict=True) if isinstance(v, np.ndarray)}
    if not options.quiet:
        for parameter, value in zip(known, values, strict=True):
            if isinstance(value, np.ndarray):
                print(f"{parameter.name} = {shown(value, parameter)}")
    if options.save is not None:
        np.savez(options.save, **arrays)  # pyright: ignore[reportArgumentType]
    if options.profile:
        print(profile.report(program, [p.name for p in known]))
    return 1 if findings or profile.failed else 0


if __name__ == "__main__":
    sys.exit(main())
