"""What the command lines of the tools have in common, except that of `xtriton-opt`."""

from __future__ import annotations

import argparse

from xtriton.tools import version_text


def tool_parser(name: str, description: str | None) -> argparse.ArgumentParser:
    """Return a parser with `--version` and `--traceback`; its help begins with `description`."""
    parser = argparse.ArgumentParser(
        name,
        description=(description or "").strip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=version_text(name))
    parser.add_argument("--traceback", action="store_true", help="show where a bug of xtriton is")
    return parser


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
