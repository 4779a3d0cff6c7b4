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

from xtriton.tools.outcome import exit_code

if TYPE_CHECKING:
    from xtriton.analysis.effects import KernelEffects


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool on `arguments` (default: those of the process); return the exit code."""
    return exit_code(lambda: _run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    import argparse
    import json

    from xtriton import effects
    from xtriton.tools.effects_tables import print_record

    parser = argparse.ArgumentParser(
        prog="xtriton-effects", description="What a kernel reads and writes."
    )
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
    options = parser.parse_args(arguments)
    inline = not options.no_inline
    from xtriton.tools.files import located_module, read_input, settings

    text = read_input(options.file)
    # A text with locations is remembered by the analysis.
    source = text if "loc(" in text else located_module(text, options.file)
    if options.kernel is not None:
        records = {options.kernel: effects.analyze(source, kernel=options.kernel, inline=inline)}
    else:
        records = effects.analyze_all(source, inline=inline)
    if options.json:
        print(json.dumps([r.to_json() for r in records.values()], indent=1))
    else:
        grid = tuple(_number(n) for n in options.grid.split(",")) if options.grid else None
        scalars = settings(options.set)
        for record in records.values():
            print_record(record, grid, scalars)
    return _check(records, options.check) if options.check is not None else 0


def _number(text: str) -> int:
    from xtriton.errors import UserError

    try:
        return int(text)
    except ValueError as error:
        raise UserError(f"'{text}' is not a number") from error


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
    raise SystemExit(main())
