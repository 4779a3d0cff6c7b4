"""
`python -m xtriton demo`: unmodified Triton kernels, run on this CPU and checked.

For each kernel of `examples/`: its IR after every stage goes to `build/demo/KERNEL/`,
xtriton's interpreter runs each stage on a small size, native code runs on several sizes,
odd ones included, and everything is compared with torch. Tables show errors, times against
torch and against `TRITON_INTERPRET=1`, and what each stage of compiling took.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from xtriton.errors import UserError
from xtriton.tools.outcome import exit_code

if TYPE_CHECKING:
    import argparse


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo; return 0 if every result was right, 1 otherwise."""
    return exit_code(lambda: _run(arguments), arguments)


def _parser() -> argparse.ArgumentParser:
    from xtriton.tools.options import positive, tool_parser

    parser = tool_parser("python -m xtriton demo", __doc__)
    parser.add_argument("kernel", nargs="*", help="vector_add, fused_softmax, matmul; all if none")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("build/demo"),
        metavar="FOLDER",
        help="where IR goes (%(default)s)",
    )
    parser.add_argument(
        "--threads", type=positive, metavar="N", help="threads to use; all if not said"
    )
    return parser


def _run(arguments: Sequence[str] | None) -> int:
    options = _parser().parse_args(arguments)
    for package in ("triton", "torch"):
        if find_spec(package) is None:
            raise UserError(f"the demo needs {package}: pip install {package}")
    from xtriton.tools.demo.run import run_demo

    return run_demo(options.kernel, options.output, threads=options.threads)
