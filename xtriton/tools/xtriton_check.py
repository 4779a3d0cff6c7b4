"""
`xtriton-check`: does a rewritten kernel still do the same?

    xtriton-check before.mlir after.mlir
    xtriton-check both.mlir
    xtriton-check --pass-dump dump.txt

The second form compares two modules with `// -----` between them, such as the file that
`xtriton-opt --xtriton-check-semantics` leaves. The third takes what `MLIR_ENABLE_DUMP=1` or
`--mlir-print-ir-after-all` printed, and names the first pass that changed a kernel's meaning.

Exit code 0 means no difference, 1 a difference or an error that the user can mend, and 3 that
no difference was found, but some op that differs neither was proved to be right nor ran on inputs
that tell anything (not with --pass-dump).
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
    from xtriton.tools.options import not_negative, positive, tool_parser

    parser = tool_parser("xtriton-check", __doc__)
    parser.add_argument("files", nargs="*", help="the original and the rewritten module")
    parser.add_argument("--pass-dump", metavar="FILE", help="a compiler's IR dumps")
    parser.add_argument("--kernel", metavar="NAME", help="which function to compare, not all")
    parser.add_argument(
        "--arg", action="append", default=[], metavar="NAME=VALUE", help="fix a number"
    )
    parser.add_argument(
        "--draws", type=positive, default=3, metavar="N", help="launches to compare on (3)"
    )
    parser.add_argument(
        "--thorough", action="store_true", help="also numbers that are 0, 1, negative or huge"
    )
    parser.add_argument(
        "--tolerance",
        type=not_negative,
        default=0.0,
        metavar="X",
        help="relative error allowed in stored floats (0)",
    )
    parser.add_argument(
        "--any-reads", action="store_true", help="let the rewritten kernel read anywhere"
    )
    parser.add_argument(
        "--coverage", action="store_true", help="list the accesses and whether they were made"
    )
    parser.add_argument(
        "--json", action="store_true", help="print the verdicts, and how sure they are, as JSON"
    )
    parser.add_argument(
        "--seconds",
        type=positive,
        default=600,
        metavar="N",
        help="make no more launches after that time (default %(default)s)",
    )
    parser.add_argument(
        "--budget",
        type=positive,
        default=100_000,
        metavar="N",
        help="steps that a kernel may run in a launch (default %(default)s)",
    )
    return parser


def _run(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if (options.pass_dump is None) == (len(options.files) not in (1, 2)):
        parser.error("give one or two files, or --pass-dump FILE")
    from xtriton.tools.quick_modules import load_late

    load_late()
    from xtriton.tools.quick_start import quick_start

    with quick_start() as begin_work:
        begin_work()
        from xtriton.tools.check_driver import compare_dumps, compare_files

        return compare_files(options) if options.pass_dump is None else compare_dumps(options)


if __name__ == "__main__":
    sys.exit(main())
