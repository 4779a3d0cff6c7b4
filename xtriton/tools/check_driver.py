"""What `xtriton-check` does with its input."""

from __future__ import annotations

import json
from typing import Any

from xtriton import universe
from xtriton.api import parse
from xtriton.errors import UserError
from xtriton.interpreter.arguments import parameters
from xtriton.interpreter.effects import user_parameters
from xtriton.interpreter.machine import Program
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import Equivalence, Options, check_equivalent
from xtriton.judge.pass_dump import check_dumps, first_broken, report
from xtriton.tools import chunks, reproducer
from xtriton.tools.argument_values import argument_value, parameter_named, split_assignment
from xtriton.tools.files import STDIN, read_input, read_module, shown_name
from xtriton.tools.progress import progress_bar

UNSURE = 3
"""Exit code where no difference was found, but not everything that differs was put to the test."""


def compare_files(options: Any) -> int:
    """Compare the kernels of two modules; return the exit code."""
    before, after = _programs(options.files)
    kernels = [options.kernel] if options.kernel else before.kernels()
    if not kernels:
        raise UserError(f"'{options.files[0]}' has no kernel")
    verdicts: list[Equivalence] = []
    with progress_bar(options.files[0]) as progress:
        for k, kernel in enumerate(kernels):
            progress(k, len(kernels), kernel)
            if kernel not in before.symbols:
                raise UserError(f"'{options.files[0]}' has no function '{kernel}'")
            given = _given(options, before, kernel)
            verdicts.append(
                check_equivalent(
                    before, after, kernel=kernel, given=given, options=_options(options)
                )
            )
    if options.json:
        print(json.dumps([verdict.as_json() for verdict in verdicts], indent=2))
    for verdict in verdicts if not options.json else ():
        print(verdict.render())
        if options.coverage:
            print(verdict.coverage_list())
    if not all(verdicts):
        return 1
    return UNSURE if any(verdict.confidence == "neither" for verdict in verdicts) else 0


def compare_dumps(options: Any) -> int:
    """Compare the kernels of each dump with those before it; return the exit code."""
    text = read_input(options.pass_dump)
    context = universe.context()

    with progress_bar(options.pass_dump) as progress:
        stages = check_dumps(
            text,
            lambda ir: parse_module(ir, context, file=shown_name(options.pass_dump)),
            _options(options),
            progress,
        )
    print(report(stages))
    return 0 if first_broken(stages) is None else 1


def _options(options: Any) -> Options:
    return Options(
        tolerance=options.tolerance,
        reads=not options.any_reads,
        count=options.draws,
        thorough=options.thorough,
        budget=options.budget,
        seconds=options.seconds,
        confidence=True,
    )


def _given(options: Any, program: Program, kernel: str) -> dict[int, Any]:
    function = program.symbols[kernel]
    known = user_parameters(function, parameters(function))
    given: dict[int, Any] = {}
    for text in options.arg:
        key, value = split_assignment(text)
        parameter = parameter_named(known, key)
        if parameter.is_memory:
            raise UserError(f"argument '{parameter.name}' is memory, only numbers can be given")
        given[parameter.index] = argument_value(value, parameter)
    return given


def _programs(files: list[str]) -> tuple[Program, Program]:
    """Return the programs in two files, or in one with `// -----` in between."""
    if files == [STDIN, STDIN]:
        raise UserError("standard input can be read only once")
    if len(files) == 2:
        first, second = (read_module(file, allow_unregistered=False) for file in files)
        return Program(first), Program(second)
    parts = chunks.split(reproducer.without_pipeline(read_input(files[0])))
    if len(parts) != 2:
        raise UserError(
            f"'{files[0]}' holds {len(parts)} module{'s' * (len(parts) > 1)}; two are compared"
        )
    first, second = (parse(part, file=shown_name(files[0])) for part in parts)
    return Program(first), Program(second)
