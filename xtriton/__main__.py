"""`xtriton COMMAND ...`, also `python -m xtriton COMMAND ...`: all command-line tools."""

import sys
from importlib import import_module
from importlib.util import find_spec

from xtriton.tools import version_text

COMMANDS = {
    "check": "xtriton.tools.xtriton_check",
    "corpus": "xtriton.tools.xtriton_corpus",
    "demo": "xtriton.tools.demo",
    "effects": "xtriton.tools.xtriton_effects",
    "explain": "xtriton.tools.xtriton_explain",
    "layout": "xtriton.tools.xtriton_layout",
    "lit": "xtriton.tools.xtriton_lit",
    "new-pass": "xtriton.tools.new_pass",
    "opt": "xtriton.tools.xtriton_opt",
    "report": "xtriton.tools.xtriton_report",
    "run": "xtriton.tools.xtriton_run",
}
"""Each command's module, which has a `main(arguments) -> exit code`."""


def main() -> int:
    """Run the command that the first argument names; return its exit code."""
    available = [name for name, module in COMMANDS.items() if find_spec(module) is not None]
    command, *arguments = sys.argv[1:] or ["--help"]
    if command == "--version":
        print(version_text("xtriton"))
        return 0
    if command not in available:
        asked = command in ("-h", "--help")
        usage = f"usage: xtriton {{{'|'.join(available)}}} ..."
        print(usage, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    return import_module(COMMANDS[command]).main(arguments)


if __name__ == "__main__":
    sys.exit(main())
