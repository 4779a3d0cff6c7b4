"""
`xtriton-effects`: what a kernel reads and writes, for people.

    xtriton-effects kernel.ttir
    xtriton-effects kernel.ttir --grid 4,2 --set n=1000
    xtriton-effects kernel.ttir --json

A table of the arguments, then each access with its source line, bytes and mask ("?": not sure
to happen), then the reason for every answer that is not exact. `--grid` and `--set` add the bytes
that a launch touches.
Exit code 0; with `--check NAMES`, 1 if the kernel may write an argument that is not named.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from xtriton.errors import UserError
from xtriton.tools.outcome import exit_code

if TYPE_CHECKING:
    import argparse

    from xtriton.analysis.effects import KernelEffects


# Everything else is imported where it is needed: --version and --help must be quick.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool on `arguments` (default: those of the process); return the exit code."""
    return exit_code(lambda: _run(arguments), arguments)


def _parser() -> argparse.ArgumentParser:
    from xtriton.tools.options import tool_parser

    parser = tool_parser("xtriton-effects", __doc__)
    parser.add_argument("file", help="Triton IR, as text; - for standard input")
    parser.add_argument("--json", action="store_true", help="print the records as JSON")
    parser.add_argument("--kernel", metavar="NAME", help="only this one of several kernels")
    parser.add_argument("--no-inline", action="store_true", help="leave calls as they are")
    parser.add_argument("--grid", metavar="X,Y,Z", help="tell the bytes of a launch of this size")
    parser.add_argument(
        "--set", metavar="NAME=NUMBER", action="append", default=[], help="value of a scalar"
    )
    parser.add_argument(
        "--check", metavar="NAMES", help="fail if anything but these arguments may be written"
    )
    return parser


def _run(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.set and options.grid is None:
        parser.error("--set is for the bytes of a launch: --grid is missing")
    from xtriton import effects
    from xtriton.tools.files import grid_of, located_module, settings

    grid = None if options.grid is None else grid_of(options.grid)
    scalars = settings(options.set)
    module = located_module(options.file)
    inline = not options.no_inline
    if options.kernel is not None:
        record = effects.analyze(module, kernel=options.kernel, inline=inline, remember=True)
        records = {options.kernel: record}
    else:
        records = effects.analyze_all(module, inline=inline, remember=True)
    _check_names(records, scalars)
    if options.json:
        import json

        print(json.dumps([r.to_json() for r in records.values()], indent=1))
    elif not records:
        raise UserError("there is no kernel in this: no function with a body")
    else:
        from xtriton.tools.effects_tables import print_record

        for record in records.values():
            print_record(record, grid, scalars)
    return _check(records, options.check) if options.check is not None else 0


def _check_names(records: Mapping[str, KernelEffects], scalars: Mapping[str, int]) -> None:
    known = {name for record in records.values() for name in record.scalars}
    for name in scalars:
        if name not in known:
            listed = f"it has: {', '.join(sorted(known)) or 'none'}"
            raise UserError(f"the kernel has no scalar '{name}'", notes=[listed])


def _check(records: Mapping[str, KernelEffects], names: str) -> int:
    """Return 1, and say why, if a kernel may write what is not named."""
    allowed = {name.strip() for name in names.split(",")}
    code = 0
    for record in records.values():
        for argument in record.arguments:
            if argument.write != "none" and not allowed & {argument.path, argument.name}:
                code = 1
                where = next((a.location for a in argument.accesses if a.writes), "") or "?"
                print(f"{where}: {record.kernel} may write '{argument.path}'", file=sys.stderr)
        if record.unknown_write != "none":
            code = 1
            print(f"{record.kernel} writes through addresses in memory", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
