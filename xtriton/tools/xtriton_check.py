"""
`xtriton-check`: does a rewritten kernel still do the same?

    xtriton-check before.mlir after.mlir
    xtriton-check both.mlir
    xtriton-check --pass-dump dump.txt

The second form compares two modules with `// -----` between them, such as the file that
`xtriton-opt --xtriton-check-semantics` leaves. The third takes what `MLIR_ENABLE_DUMP=1` or
`--mlir-print-ir-after-all` printed, and names the first pass that changed a kernel's meaning.

Exit code 0 means no difference, 1 a difference or an error that the user can mend.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from xtriton import universe
from xtriton.errors import UserError
from xtriton.interpreter.arguments import parameters
from xtriton.interpreter.effects import user_parameters
from xtriton.interpreter.equivalence import Equivalence, Options, check_equivalent
from xtriton.interpreter.machine import Program
from xtriton.interpreter.pass_dump import check_dumps, first_broken, report
from xtriton.ir.parser import parse_module
from xtriton.tools import chunks, reproducer
from xtriton.tools.argument_values import argument_value, parameter_named, split_assignment
from xtriton.tools.files import read_input, read_module
from xtriton.tools.outcome import exit_code
from xtriton.tools.progress import progress_bar


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool on `arguments` (default: those of the process); return the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if (options.pass_dump is None) == (len(options.files) not in (1, 2)):
        parser.error("give one or two files, or --pass-dump FILE")
    work = _pair if options.pass_dump is None else _dumps
    return exit_code(lambda: work(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("xtriton-check", description="Compare what kernels do.")
    parser.add_argument("files", nargs="*", help="the original and the rewritten module")
    parser.add_argument("--pass-dump", metavar="FILE", help="a compiler's IR dumps")
    parser.add_argument("--kernel", help="which function to compare, by default all")
    parser.add_argument(
        "--arg", action="append", default=[], metavar="NAME=VALUE", help="fix a number"
    )
    parser.add_argument("--draws", type=int, default=3, help="launches to compare on")
    parser.add_argument(
        "--thorough", action="store_true", help="also numbers that are 0, 1, negative or huge"
    )
    parser.add_argument(
        "--tolerance", type=float, default=0.0, help="relative error allowed in stored floats"
    )
    parser.add_argument(
        "--any-reads", action="store_true", help="let the rewritten kernel read anywhere"
    )
    parser.add_argument(
        "--coverage", action="store_true", help="list the accesses and whether they were made"
    )
    parser.add_argument(
        "--budget",
        type=int,
        default=Options().budget,
        metavar="N",
        help="steps that a kernel may run in a launch (default %(default)s)",
    )
    return parser


def _options(options: Any) -> Options:
    return Options(
        tolerance=options.tolerance,
        reads=not options.any_reads,
        count=options.draws,
        thorough=options.thorough,
        budget=options.budget,
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
    if len(files) == 2:
        first, second = (read_module(file, allow_unregistered=False) for file in files)
        return Program(first), Program(second)
    parts = chunks.split(reproducer.without_pipeline(read_input(files[0])))
    if len(parts) != 2:
        raise UserError(
            f"'{files[0]}' holds {len(parts)} module{'s' * (len(parts) > 1)}; two are compared"
        )
    first, second = (parse_module(part, universe.context(), file=files[0]) for part in parts)
    return Program(first), Program(second)


def _pair(options: Any) -> int:
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
    for verdict in verdicts:
        print(verdict.render())
        if options.coverage:
            print(verdict.coverage_list())
    return 0 if all(verdicts) else 1


def _dumps(options: Any) -> int:
    text = read_input(options.pass_dump)
    context = universe.context()

    with progress_bar(options.pass_dump) as progress:
        stages = check_dumps(
            text,
            lambda ir: parse_module(ir, context, file=options.pass_dump),
            _options(options),
            progress,
        )
    print(report(stages))
    return 0 if first_broken(stages) is None else 1


if __name__ == "__main__":
    sys.exit(main())
