"""
`xtriton-explain`: how a kernel walks through memory, for people.

    xtriton-explain kernel.ttir
    xtriton-explain kernel.ttir --json
    xtriton-explain kernel.ttir --svg picture.svg --set M=100 --set pid_x=2
    xtriton-explain kernel.ttir --device=pvc

The table has a row for each load, store and atomic: its source line, its tier, where it goes
and under which mask, and what stands in the way of a better tier. The picture shows the
addresses that one program touches; `--set` gives values to the scalars in the formulas.
With a device the table says which accesses are 2D block accesses there, which condition fails
and what would help; below it stands the shared memory that the kernel needs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from xtriton.tools.outcome import exit_code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool on `arguments` (default: those of the process); return the exit code."""
    return exit_code(lambda: _run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    import argparse
    import json

    parser = argparse.ArgumentParser(
        prog="xtriton-explain", description="How a kernel walks through memory."
    )
    parser.add_argument("file", help="Triton IR, as text; - for standard input")
    parser.add_argument("--json", action="store_true", help="print all that is known, as JSON")
    parser.add_argument("--svg", metavar="FILE", help="draw the addresses that a program touches")
    parser.add_argument(
        "--set",
        metavar="NAME=NUMBER",
        action="append",
        default=[],
        help="value of a scalar, an iteration (k0) or a program id (pid_x) for the picture",
    )
    parser.add_argument(
        "--device",
        metavar="NAME",
        help="what pvc or bmg makes of it: 2D block accesses, shared memory",
    )
    parser.add_argument(
        "--num-warps", metavar="N", type=int, default=4, help="warps of a program, for --device"
    )
    options = parser.parse_args(arguments)
    from xtriton.tools.files import located_module, read_input, settings, write_file

    module = located_module(read_input(options.file), options.file)
    if options.device:
        from xtriton.tools.device_verdicts import print_device_verdicts

        print_device_verdicts(module, options.file, options.device, options.num_warps, options.json)
    elif options.json:
        from xtriton.analysis.report import module_report

        print(json.dumps(module_report(module), indent=1))
    else:
        from xtriton.tools.access_tables import print_tables

        print_tables(module)
    if options.svg:
        from xtriton.tools.access_picture import picture

        write_file(options.svg, picture(module, settings(options.set)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
