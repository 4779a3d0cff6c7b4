"""What the command lines of the tools have in common, except that of `xtriton-opt`."""

from __future__ import annotations

import argparse
import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from xtriton.tools import version_text


def tool_parser(name: str, description: str | None) -> argparse.ArgumentParser:
    """Return a parser with `--version` and `--traceback`; its help begins with `description`."""
    parser = _Parser(
        name,
        description=(description or "").strip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=version_text(name))
    parser.add_argument("--traceback", action="store_true", help="show where a bug of xtriton is")
    return parser


class _Parser(argparse.ArgumentParser):
    """A parser that a shell can ask for completions, where `argcomplete` is installed."""

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        if "_ARGCOMPLETE" in os.environ and find_spec("argcomplete") is not None:
            import_module("argcomplete").autocomplete(self)
        return super().parse_args(args, namespace)


def positive(text: str) -> int:
    """Return a number above 0, for `type=`."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text:.40}' is no whole number") from None
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not above 0")
    return number


def power_of_two(text: str) -> int:
    """Return a power of two, for `type=`."""
    number = positive(text)
    if number & (number - 1):
        raise argparse.ArgumentTypeError(f"{number} is no power of two")
    return number


def not_negative(text: str) -> float:
    """Return a number that is 0 or more, for `type=`."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text:.40}' is no number") from None
    if not number >= 0:
        raise argparse.ArgumentTypeError(f"{text} is not 0 or more")
    return number
