"""`python -m xtriton COMMAND ...`: the command-line tools without their scripts."""

import sys
from importlib import import_module
from importlib.util import find_spec

COMMANDS = {
    "check": "xtriton.tools.xtriton_check",
    "demo": "xtriton.tools.demo",
    "effects": "xtriton.tools.xtriton_effects",
    "explain": "xtriton.tools.xtriton_explain",
    "layout": "xtriton.tools.xtriton_layout",
    "opt": "xtriton.tools.xtriton_opt",
    "run": "xtriton.tools.xtriton_run",
}
"""Each command's module, which has a `main(arguments) -> exit code`."""


def main() -> int:
    """Run the command that the first argument names; return its exit code."""
    available = [name for name, module in COMMANDS.items() if find_spec(module) is not None]
    command, *arguments = sys.argv[1:] or ["--help"]
    if command not in available:
        print(f"usage: python -m xtriton {{{'|'.join(available)}}} ...", file=sys.stderr)
        return 0 if command in ("-h", "--help") else 1
    return import_module(COMMANDS[command]).main(arguments)


if __name__ == "__main__":
    sys.exit(main())
