"""
`xtriton-corpus`: what does a pipeline do to a whole collection of kernels?

    xtriton-corpus run KERNELS... --pipeline 'triton-to-structured' --check -o result.parquet
    xtriton-corpus compare before.parquet after.parquet
    xtriton-corpus collect -o KERNELS -- python train.py
    xtriton-corpus reduce KERNELS... --result result.parquet -o small/

KERNELS are folders, files, archives (.tar.*, .zip), lists of files (@list), or caches of Triton
and Inductor. A run that is ended goes on where it was when it is called again.

Exit code 0 means that nothing is wrong, 1 a finding (a kernel that differs or fails, a change that
makes something wrong) or an error that the user can mend.
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


def _run(arguments: Sequence[str] | None) -> int:
    options = _parser().parse_args(arguments)
    from xtriton.tools import corpus_driver

    return {
        "run": corpus_driver.run_command,
        "compare": corpus_driver.compare_command,
        "collect": corpus_driver.collect_command,
        "reduce": corpus_driver.reduce_command,
    }[options.command](options)


def _parser() -> argparse.ArgumentParser:
    from xtriton.tools.options import tool_parser

    parser = tool_parser("xtriton-corpus", __doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="measure kernels")
    _add_kernels(run)
    _add_measuring(run)
    _add_workers(run)
    run.add_argument("-o", "--output", required=True, metavar="FILE", help=".parquet, .csv, .jsonl")
    run.add_argument("--html", metavar="FILE", help="write a page with distributions and findings")
    compare = commands.add_parser("compare", help="what is otherwise in a second result")
    compare.add_argument("before")
    compare.add_argument("after")
    compare.add_argument("--html", metavar="FILE", help="write a page with all changes")
    compare.add_argument("--json", action="store_true", help="print the changes as JSON lines")
    collect = commands.add_parser("collect", help="keep what a program compiles")
    collect.add_argument("-o", "--output", default="kernels", metavar="FOLDER")
    collect.add_argument("--from", dest="places", nargs="+", metavar="CACHE", help="caches to keep")
    collect.add_argument("program", nargs="*", help="the program and its arguments, after --")
    reduce = commands.add_parser("reduce", help="make a small kernel of each finding")
    _add_kernels(reduce)
    reduce.add_argument("--result", required=True, metavar="FILE", help="of `run`")
    reduce.add_argument("-o", "--output", default="reduced", metavar="FOLDER")
    reduce.add_argument("--finding", action="append", metavar="SORT", help="wrong, crashed, ...")
    reduce.add_argument("--seconds", type=float, default=60.0, help="for each kernel (60)")
    _add_measuring(reduce)
    return parser


def _add_kernels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kernels", nargs="+", help="folders, files, archives, @lists")
    parser.add_argument(
        "--level", action="append", metavar="SUFFIX", help="ttir, ttgir or mlir files only"
    )


def _add_measuring(parser: argparse.ArgumentParser) -> None:
    from xtriton.tools.options import not_negative, positive

    parser.add_argument(
        "-p",
        "--pipeline",
        action="append",
        default=[],
        metavar="PASSES",
        help="several are allowed",
    )
    parser.add_argument("--load-pass-plugin", action="append", default=[], metavar="FILE")
    parser.add_argument("--check", action="store_true", help="compare meanings, by the interpreter")
    parser.add_argument("--draws", type=positive, default=3, help="launches to compare on (3)")
    parser.add_argument("--thorough", action="store_true", help="also launches at the extremes")
    parser.add_argument("--tolerance", type=not_negative, default=0.0, metavar="X")
    parser.add_argument("--native", action="store_true", help="compile for this CPU, and compare")
    parser.add_argument("--xpu", nargs="?", const="pvc", default="", metavar="DEVICE")
    parser.add_argument("--time-limit", type=not_negative, default=60.0, metavar="SECONDS")
    parser.add_argument("--memory-limit", type=positive, default=4096, metavar="MIB")


def _add_workers(parser: argparse.ArgumentParser) -> None:
    from xtriton.tools.options import positive

    parser.add_argument("-j", "--workers", type=positive, help="processes (one for each core)")
    parser.add_argument(
        "--dask", "--scheduler", metavar="ADDRESS", help="a Dask scheduler, or how many processes"
    )
    parser.add_argument("--ray", nargs="?", const="", metavar="ADDRESS", help="use Ray")


if __name__ == "__main__":
    sys.exit(main())
