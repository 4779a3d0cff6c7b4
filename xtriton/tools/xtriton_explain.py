"""
`xtriton-explain`: how a kernel walks through memory, for people.

    xtriton-explain kernel.ttir
    xtriton-explain kernel.ttir --json
    xtriton-explain kernel.ttir --svg picture.svg --set M=100 --set pid_x=2
    xtriton-explain kernel.ttir --map page.html --grid 4,2 --set M=100
    xtriton-explain kernel.ttir --device=pvc

The table has a row for each load, store and atomic: its source line, its tier, where it goes
and under which mask, and what stands in the way of a better tier. The picture shows the
addresses that one program touches; `--set` gives values to the scalars in the formulas. The map
is a page with a step for each program of a launch: which elements it touches, what its masks cut
off, where tiles wrap around and which elements several programs touch.
With a device the table says which accesses are 2D block accesses there, which condition fails
and what would help; below it stands the shared memory that the kernel needs.
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
    from xtriton.tools.options import power_of_two, tool_parser

    parser = tool_parser("xtriton-explain", __doc__)
    parser.add_argument("file", help="Triton IR, as text; - for standard input")
    parser.add_argument("--json", action="store_true", help="print all that is known, as JSON")
    parser.add_argument("--svg", metavar="FILE", help="draw the addresses that a program touches")
    parser.add_argument("--map", metavar="FILE", help="a page: which program touches what")
    parser.add_argument(
        "--grid", metavar="X,Y,Z", default="8", help="numbers of programs for --map (8)"
    )
    parser.add_argument(
        "--set",
        metavar="NAME=NUMBER",
        action="append",
        default=[],
        help="value of a scalar, an iteration (k0) or a program id (pid_x), for what is drawn",
    )
    parser.add_argument(
        "--device",
        metavar="NAME",
        help="what pvc or bmg makes of it: 2D block accesses, shared memory",
    )
    parser.add_argument(
        "--release",
        metavar="MONTH",
        default="2026-01",
        help="of the backend, for --device: 2026-01 (default) or 2026-08",
    )
    parser.add_argument(
        "--num-warps",
        metavar="N",
        type=power_of_two,
        default=4,
        help="warps of a program, for --device (4)",
    )
    return parser


def _run(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.set and not (options.svg or options.map):
        parser.error("--set is for the picture: --svg or --map is missing")
    from xtriton.tools.files import grid_of, located_module, settings, write_file

    numbers = settings(options.set)
    module = located_module(options.file)
    if options.device:
        from xtriton.tools.device_verdicts import Target, print_device_verdicts

        target = Target(options.device, options.num_warps, options.release)
        print_device_verdicts(module, options.file, target, as_json=options.json)
    elif options.json:
        import json

        from xtriton.analysis.report import module_report

        print(json.dumps(module_report(module), indent=1))
    else:
        from xtriton.tools.access_tables import print_tables

        print_tables(module)
    if options.svg:
        from xtriton.tools.access_picture import picture

        write_file(options.svg, picture(module, numbers))
    if options.map:
        from xtriton.tools.access_map import page

        write_file(options.map, page(module, numbers, grid_of(options.grid)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
