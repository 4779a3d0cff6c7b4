import re
from pathlib import Path

import pytest

from xtriton.errors import UserError
from xtriton.tools.command_line import OPTIONS, PassArgument, parse_command_line, usage


def test_passes_keep_their_order_and_options():
    line = parse_command_line(["-a", "f.mlir", "--b=x=1", "--c=x=1 y=2", "-a"])
    assert line.input == "f.mlir"
    assert line.passes == [
        PassArgument("a", ""),
        PassArgument("b", "x=1"),
        PassArgument("c", "x=1 y=2"),
        PassArgument("a", ""),
    ]


@pytest.mark.parametrize("dashes", ["-", "--"])
def test_one_dash_or_two(dashes: str):
    line = parse_command_line([f"{dashes}split-input-file", f"{dashes}o", "x", f"{dashes}cse"])
    assert line.values == {"split-input-file": "true", "o": "x"}
    assert [p.name for p in line.passes] == ["cse"]


def test_values_with_and_without_equals():
    for arguments in (["--pass-pipeline=a,b{x=1}"], ["--pass-pipeline", "a,b{x=1}"]):
        assert parse_command_line(arguments).values["pass-pipeline"] == "a,b{x=1}"


def test_flags():
    assert parse_command_line([]).flag("verify-each", default=True)
    assert not parse_command_line(["--verify-each=false"]).flag("verify-each", default=True)
    with pytest.raises(UserError, match="'true' or 'false', not 'maybe'"):
        parse_command_line(["--verify-each=maybe"]).flag("verify-each")


def test_plugins_may_be_several():
    line = parse_command_line(["--load-pass-plugin=a.py", "--load-pass-plugin", "b.py"])
    assert line.plugins == ["a.py", "b.py"]


def test_standard_input_is_the_default():
    assert parse_command_line([]).input == "-"
    assert parse_command_line(["-"]).input == "-"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["a.mlir", "b.mlir"], "expected one input file, got 'a.mlir' and 'b.mlir'"),
        (["-o"], "-o needs a value"),
        (["-o", "a", "-o", "b"], "-o is given twice"),
        (["--triton-version=3.6", "--triton-version=3.7"], "--triton-version is given twice"),
    ],
)
def test_errors(arguments: list[str], message: str):
    with pytest.raises(UserError, match=f"^{message}$"):
        parse_command_line(arguments)


def test_usage_fits_a_terminal():
    assert all(len(text) <= 110 for text in usage().splitlines())
    assert "--verify-diagnostics" in usage()
    assert "threading" not in usage()


def test_every_option_is_tried():
    root = Path(__file__).parents[3]
    tests = [*(root / "tests" / "filecheck").rglob("*.mlir"), *Path(__file__).parent.glob("*.py")]
    texts = [p.read_text(encoding="utf-8") for p in (*tests, root / "docs" / "interpreter.md")]
    options = [option for option in OPTIONS.values() if option.kind != "ignored"]
    tried = "\n".join(texts)
    assert [o.name for o in options if not re.search(rf"-{o.name}(?![-\w])", tried)] == []
