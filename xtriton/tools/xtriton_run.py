"""
`xtriton-run`: execute a kernel on arrays, and show or save what it stores.

    xtriton-run kernel.ttir --grid 4,2 --arg 'x=randn(128,64,f16)' --arg n=64

Exit code 0 means success, 1 an error that the user can mend or a finding of `--sanitize`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xtriton.tools.outcome import exit_code

if TYPE_CHECKING:
    import argparse

# Everything else is imported where it is needed: --version and --help must be quick.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool on `arguments` (default: those of the process); return the exit code."""
    return exit_code(lambda: _run(arguments), arguments)


def _parser() -> argparse.ArgumentParser:
    from xtriton.tools.options import positive, tool_parser

    parser = tool_parser("xtriton-run", __doc__)
    parser.add_argument("file", help="IR of any level, or - for standard input")
    parser.add_argument("--kernel", metavar="NAME", help="which function to run, of several")
    parser.add_argument("--grid", metavar="X,Y,Z", default="1", help="numbers of programs")
    parser.add_argument(
        "--arg",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a number, @file.npy, or randn(…), rand, randint, zeros, ones, full, arange",
    )
    parser.add_argument("--save", metavar="FILE", help="write all arrays to this .npz afterwards")
    parser.add_argument("--quiet", action="store_true", help="do not print the arrays")
    parser.add_argument(
        "--budget",
        type=positive,
        default=5_000_000,
        metavar="N",
        help="steps after which a program is taken to be without end (default %(default)s)",
    )
    parser.add_argument("--profile", action="store_true", help="count ops, bytes and accesses")
    parser.add_argument(
        "--sanitize",
        action="store_true",
        help="look for races, undefined values and accesses out of bounds",
    )
    return parser


def _run(arguments: Sequence[str] | None) -> int:
    options = _parser().parse_args(arguments)
    from xtriton.tools.quick_modules import load_late

    load_late()
    from xtriton.tools.quick_start import quick_start

    with quick_start() as begin_work:
        begin_work()
        from xtriton.tools.run_driver import run_file

        return run_file(options)


if __name__ == "__main__":
    sys.exit(main())
