"""
`xtriton-opt`: read Triton IR, run passes over it, write it.

Exit code 0 means success, 1 an error that the user can mend, 2 a bug of xtriton.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from xtriton.tools import version_text
from xtriton.tools.outcome import USER_ERROR, exit_code

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
    from xtriton.tools.command_line import parse_command_line, usage
    from xtriton.tools.quick_start import quick_start

    if not arguments and sys.stdin is not None and sys.stdin.isatty():
        # Nobody types IR: whoever waits here for something to happen wants to know how.
        print(usage(), file=sys.stderr)
        return USER_ERROR
    line = parse_command_line(arguments)
    if line.flag("help"):
        print(usage())
        return 0
    if line.flag("show-passes") or line.flag("show-dialects"):
        from xtriton.passes.plugins import load_plugin
        from xtriton.tools.listing import dialect_list, pass_list

        for plugin in line.plugins:
            load_plugin(plugin)
        print(pass_list() if line.flag("show-passes") else dialect_list())
        return 0
    with quick_start():
        from xtriton.tools.opt_driver import Driver

        return Driver(line).run()


if __name__ == "__main__":
    sys.exit(main())
