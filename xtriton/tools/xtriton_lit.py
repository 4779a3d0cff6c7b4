"""
`xtriton-lit`: run lit tests, all in one process.

    xtriton-lit tests/
    xtriton-lit triton/test/Triton/combine.mlir -v
    xtriton-lit tests/ --load-pass-plugin my_pass.py
    xtriton-lit triton/test/Triton --triton-version 3.7    # tests of an earlier release

A folder means all `.mlir` files below it, those in a folder `Inputs` left out. `triton-opt` and
its siblings in `RUN:` lines stand for `xtriton-opt`; `FileCheck` is `filecheck`, a Python package.
Ends with 1 where a test fails.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xtriton.tools.outcome import exit_code

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

# Everything else is imported where it is needed: --version and --help must be quick.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool on `arguments` (default: those of the process); return the exit code."""
    return exit_code(lambda: _run(arguments), arguments)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    from xtriton.tools.options import tool_parser

    parser = tool_parser("xtriton-lit", __doc__)
    parser.add_argument("paths", nargs="+", help="test files, and folders of them")
    parser.add_argument("-v", "--verbose", action="store_true", help="name every test")
    parser.add_argument(
        "-D",
        "--feature",
        metavar="NAME",
        action="append",
        default=[],
        help="what REQUIRES: may ask for",
    )
    parser.add_argument(
        "--load-pass-plugin",
        metavar="FILE",
        action="append",
        default=[],
        help="make the passes in a Python file known",
    )
    parser.add_argument(
        "--triton-version",
        metavar="RELEASE",
        help="the release of Triton whose rules hold (the newest)",
    )
    return parser


def _run(arguments: Sequence[str] | None) -> int:
    import tempfile
    from collections import Counter
    from importlib.util import find_spec
    from pathlib import Path

    from xtriton.errors import UserError
    from xtriton.ir.versions import NEWEST, parse_version, rules_of
    from xtriton.passes.plugins import load_plugin
    from xtriton.tools.lit import run_test

    options = parser().parse_args(arguments)
    if find_spec("filecheck") is None:
        raise UserError("this needs FileCheck: pip install filecheck")
    for plugin in options.load_pass_plugin:
        load_plugin(plugin)
    version = NEWEST if options.triton_version is None else parse_version(options.triton_version)
    features = {*options.feature, *(n for n in ("triton", "torch") if find_spec(n) is not None)}
    counts: Counter[str] = Counter()
    for test in _tests(options.paths):
        with tempfile.TemporaryDirectory(prefix="xtriton-lit-") as scratch, rules_of(version):
            outcome = run_test(test, Path(scratch), features)
        counts[outcome.status] += 1
        if options.verbose or outcome.status == "failed":
            print(f"{outcome.status}: {test}")
        if outcome.details and (options.verbose or outcome.status == "failed"):
            print("  " + outcome.details.rstrip().replace("\n", "\n  "))
    print(", ".join(f"{counts[status]} {status}" for status in ("passed", "failed", "skipped")))
    return int(counts["failed"] > 0)


def _tests(paths: Sequence[str]) -> list[Path]:
    """Return the test files; raise `UserError` where there is none."""
    from pathlib import Path

    from xtriton.errors import UserError

    found: list[Path] = []
    for name in paths:
        path = Path(name)
        if not path.exists():
            raise UserError(f"there is no '{name}'")
        below = sorted(path.rglob("*.mlir")) if path.is_dir() else [path]
        found += [test for test in below if "Inputs" not in test.parts]
    if not found:
        raise UserError(f"there is no .mlir file in '{paths[0]}'")
    return found


if __name__ == "__main__":
    sys.exit(main())
