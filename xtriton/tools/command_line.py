"""
The command line of `xtriton-opt`, in the manner of `mlir-opt`.

One dash or two; `--option=value` or `--option value`; passes are options too, take their
own options as a value, and run in the order in which they are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from xtriton.errors import UserError

Kind = Literal["flag", "value", "optional", "ignored"]
"""`flag` is on or off, `value` needs a value, `optional` may have one after `=`."""


@dataclass(frozen=True)
class OptionInfo:
    """An option of the tool, for parsing and for `--help`."""

    name: str
    kind: Kind
    help: str
    value_name: str = ""


OPTIONS = {
    option.name: option
    for option in (
        OptionInfo("o", "value", "write to FILE instead of standard output", "FILE"),
        OptionInfo("pass-pipeline", "value", "run 'builtin.module(a,b{x=1},tt.func(c))'", "TEXT"),
        OptionInfo("load-pass-plugin", "value", "make the passes in a Python file known", "FILE"),
        OptionInfo("show-passes", "flag", "list the passes and their options"),
        OptionInfo("show-dialects", "flag", "list the dialects"),
        OptionInfo("triton-version", "value", "write the syntax of this Triton release", "3.6"),
        OptionInfo("mlir-version", "value", "write for this MLIR release, 19 to 22", "22"),
        OptionInfo(
            "split-input-file", "optional", "handle the parts between '// -----' apart", "MARKER"
        ),
        OptionInfo(
            "verify-diagnostics", "optional", "compare with expected-error {{...}} comments"
        ),
        OptionInfo("allow-unregistered-dialect", "flag", "accept ops of unknown dialects"),
        OptionInfo("verify-each", "flag", "verify after each pass (on; =false turns it off)"),
        OptionInfo("mlir-print-debuginfo", "flag", "print locations"),
        OptionInfo("mlir-print-op-generic", "flag", "print the generic form"),
        OptionInfo("mlir-print-ir-before-all", "flag", "print the IR before each pass"),
        OptionInfo("mlir-print-ir-after-all", "flag", "print the IR after each pass"),
        OptionInfo("mlir-print-ir-before", "value", "print the IR before these passes", "PASS,..."),
        OptionInfo("mlir-print-ir-after", "value", "print the IR after these passes", "PASS,..."),
        OptionInfo(
            "mlir-print-ir-after-change", "flag", "print after passes that change something"
        ),
        OptionInfo("mlir-print-ir-after-failure", "flag", "print the IR when a pass fails"),
        OptionInfo("mlir-timing", "flag", "print the time of each pass"),
        OptionInfo("dump-pass-pipeline", "flag", "print the pipeline that runs"),
        OptionInfo("run-reproducer", "flag", "run the pipeline that a reproducer file names"),
        OptionInfo(
            "mlir-pass-pipeline-crash-reproducer", "value", "where a reproducer goes", "FILE"
        ),
        OptionInfo(
            "xtriton-check-semantics", "flag", "execute before and after each pass, compare"
        ),
        OptionInfo("xtriton-report", "value", "write what was found out, as JSON", "FILE"),
        OptionInfo("traceback", "flag", "show the Python traceback of a bug"),
        OptionInfo("version", "flag", "print the version"),
        OptionInfo("help", "flag", "print this text"),
        # Options of mlir-opt and triton-opt that test files use and that change nothing here.
        OptionInfo("mlir-disable-threading", "ignored", ""),
        OptionInfo("mlir-print-local-scope", "ignored", ""),
        OptionInfo("mlir-pretty-debuginfo", "ignored", ""),
        OptionInfo("mlir-print-ir-module-scope", "ignored", ""),
        OptionInfo("mlir-elide-elementsattrs-if-larger", "ignored", ""),
    )
}

ABBREVIATIONS = {"h": "help", "p": "pass-pipeline"}


@dataclass(frozen=True)
class PassArgument:
    """`--name` or `--name="options"`, not looked up yet."""

    name: str
    options: str


@dataclass
class CommandLine:
    """What was asked for. `values` holds options by name; a flag's value is "true"."""

    input: str = "-"
    values: dict[str, str] = field(default_factory=dict[str, str])
    passes: list[PassArgument] = field(default_factory=list[PassArgument])
    plugins: list[str] = field(default_factory=list[str])

    def flag(self, name: str, default: bool = False) -> bool:
        """Return whether a flag is on; raise `UserError` if its value is no truth value."""
        text = self.values.get(name, str(default)).lower()
        if text not in ("true", "false", "1", "0"):
            raise UserError(f"--{name} is 'true' or 'false', not '{text}'")
        return text in ("true", "1")

    def names(self, name: str) -> list[str]:
        """Return the elements of a comma-separated value."""
        return [part for part in self.values.get(name, "").split(",") if part]


def parse_command_line(arguments: Sequence[str]) -> CommandLine:
    """Return what `arguments` ask for; raise `UserError` where they make no sense."""
    result = CommandLine()
    inputs: list[str] = []
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument == "-" or not argument.startswith("-"):
            inputs.append(argument)
        elif argument == "--":
            inputs += rest
            break
        else:
            _add_option(result, argument, rest)
    if len(inputs) > 1:
        raise UserError(f"expected one input file, got '{inputs[0]}' and '{inputs[1]}'")
    if inputs:
        result.input = inputs[0]
    return result


def _add_option(result: CommandLine, argument: str, rest: list[str]) -> None:
    text = argument[2:] if argument.startswith("--") else argument[1:]
    name, equals, value = text.partition("=")
    name = ABBREVIATIONS.get(name, name)
    option = OPTIONS.get(name)
    if option is None:
        result.passes.append(PassArgument(name, value))
        return
    if option.kind == "value" and not equals:
        if not rest:
            raise UserError(f"{_dashed(name)} needs a value")
        value = rest.pop(0)
    if name == "load-pass-plugin":
        result.plugins.append(value)
    elif option.kind == "value" and name in result.values:
        raise UserError(f"{_dashed(name)} is given twice")
    result.values[name] = value if option.kind == "value" or equals else "true"


def _dashed(name: str) -> str:
    return ("-" if len(name) == 1 else "--") + name


def usage() -> str:
    """Return the text of `--help`."""
    lines = [
        "xtriton-opt: read Triton IR, run passes over it, write it",
        "",
        "usage: xtriton-opt [options] [--pass | --pass=option=value | --pass='a=1 b=2']... [FILE]",
        "",
        "FILE is read from standard input if it is '-' or missing. Passes run in the order",
        "given; --show-passes lists them.",
        "",
        "options:",
    ]
    for option in OPTIONS.values():
        if option.kind == "ignored":
            continue
        separator = " " if len(option.name) == 1 else "="
        value = separator + option.value_name if option.value_name else ""
        if option.kind == "optional" and value:
            value = f"[{value}]"
        left = f"  {_dashed(option.name)}{value}"
        # A long option has its explanation on the next line.
        lines.append(f"{left:<38} {option.help}" if len(left) < 38 else left)
        if len(left) >= 38:
            lines.append(f"{'':39}{option.help}")
    return "\n".join(lines)
