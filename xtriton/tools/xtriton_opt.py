"""
`xtriton-opt`: read Triton IR, run passes over it, write it.

Exit code 0 means success, 1 an error that the user can mend, 2 a bug of xtriton.
"""

from __future__ import annotations

import sys

from xtriton.tools import version_text
from xtriton.tools.outcome import USER_ERROR, exit_code

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from xtriton.tools.command_line import CommandLine

# Everything else is imported where it is needed: --version and --help must be quick.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool on `arguments` (default: those of the process); return the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    return exit_code(lambda: _run(arguments), arguments)


def _run(arguments: Sequence[str]) -> int:
    if "--version" in arguments or "-version" in arguments:
        print(version_text("xtriton-opt"))
        return 0
    from xtriton.tools.quick_modules import load_late

    load_late()
    from xtriton.tools.quick_start import quick_start

    with quick_start() as begin_work:
        from xtriton.tools.command_line import parse_command_line

        if not arguments and sys.stdin is not None and sys.stdin.isatty():
            # Nobody types IR: whoever waits here for something to happen wants to know how.
            return _show_usage(sys.stderr, USER_ERROR)
        line = parse_command_line(arguments)
        if line.flag("help"):
            return _show_usage(sys.stdout, 0)
        begin_work()
        if line.flag("show-passes") or line.flag("show-dialects"):
            return _list(line)
        from xtriton.tools.opt_driver import Driver

        return Driver(line).run()


def _show_usage(stream: TextIO, code: int) -> int:
    from xtriton.tools.command_line import usage

    print(usage(), file=stream)
    return code


def _list(line: CommandLine) -> int:
    from xtriton.passes.plugins import load_plugin
    from xtriton.tools.listing import dialect_list, pass_list

    for plugin in line.plugins:
        load_plugin(plugin)
    print(pass_list() if line.flag("show-passes") else dialect_list())
    return 0


if __name__ == "__main__":
    sys.exit(main())
