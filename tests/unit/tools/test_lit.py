"""The in-process lit: it must fail where lit fails."""

from pathlib import Path

import pytest

from xtriton.tools.lit import read_script, run_test
from xtriton.tools.lit.shell import parse_shell


def run(tmp_path: Path, text: str, **named: str):
    test = tmp_path / "t.mlir"
    test.write_text(text)
    return run_test(test, tmp_path, {"present"}, named)


@pytest.mark.parametrize(
    "text, status",
    [
        ("// RUN: cat %s | filecheck %s\n// CHECK: hello\nhello", "passed"),
        ("// RUN: cat %s | FileCheck %s\n// CHECK: {{^}}bye\nhello", "failed"),
        ("// RUN: echo a && not echo a", "failed"),
        ("// RUN: not not echo a", "passed"),
        ("// RUN: true; false", "failed"),
        ("// RUN: false || true", "passed"),
        ("// RUN: false | true", "failed"),
        ("// RUN: no-such-command", "failed"),
        ("// RUN: echo 'a", "failed"),
        ("nothing", "failed"),
        ("// REQUIRES: absent\n// RUN: false", "skipped"),
        ("// REQUIRES: present\n// RUN: false", "failed"),
        ("// UNSUPPORTED: present\n// RUN: false", "skipped"),
        ("// XFAIL: *\n// RUN: false", "passed"),
        ("// XFAIL: *\n// RUN: true", "failed"),
        ("// RUN: echo a \\\n// RUN: b | filecheck %s\n// CHECK: a b", "passed"),
        ("// RUN: echo x > %t && cat %t | filecheck %s\n// CHECK: {{^}}x", "passed"),
        ("// RUN: echo x > %t; cat < %t | filecheck %s\n// CHECK: {{^}}x", "passed"),
        ("// RUN: env A=hidden printenv A | filecheck %s\n// CHECK: hidden", "passed"),
    ],
)
def test_outcomes(tmp_path: Path, text: str, status: str):
    assert run(tmp_path, text).status == status


def test_failure_shows_command_and_reason(tmp_path: Path):
    outcome = run(tmp_path, "// RUN: cat %s | filecheck %s\n// CHECK: {{^}}bye\nhello")
    assert f"RUN: cat {tmp_path}/t.mlir" in outcome.details
    assert "bye" in outcome.details


def test_our_tools_are_called_in_process(tmp_path: Path):
    text = "// RUN: xtriton-opt --version | filecheck %s\n// CHECK: xtriton-opt {{[0-9]}}"
    assert run(tmp_path, text).status == "passed"


def test_errors_can_be_piped(tmp_path: Path):
    text = (
        "// RUN: not xtriton-opt --no-such-pass %s 2>&1 | filecheck %s\n"
        "// CHECK: error: unknown pass or option '--no-such-pass'"
    )
    assert run(tmp_path, text).status == "passed"


def test_named_run_lines(tmp_path: Path):
    text = "// RUN: SHOW\n// CHECK: shown"
    assert run(tmp_path, text, SHOW="cat %s | filecheck %s").status == "passed"


def test_variables_end_at_labels(tmp_path: Path):
    checks = "// CHECK-LABEL: first\n// CHECK: [[X:x.]]\n// CHECK-LABEL: second\n// CHECK: [[X]]\n"
    body = "RUNfirst\nx1\nsecond\nx1\n"
    (tmp_path / "input").write_text(body)
    line = "// RUN: cat input | filecheck %s"
    assert run(tmp_path, f"{line}\n{checks}").status == "passed"
    assert run(tmp_path, f"{line} --enable-var-scope\n{checks}").status == "failed"


def test_keywords():
    script = read_script("// REQUIRES: a, b\n// UNSUPPORTED: c\n// RUN: x\n# RUN: y")
    assert script.requires == ["a", "b"]
    assert script.unsupported == ["c"]
    assert script.commands == ["x", "y"]


def test_shell_quotes():
    (line,) = parse_shell("""a 'b c' "d \\"e" --p="x=1 y=2" --q='z{a=1}' 2>&1 | f""")
    assert line.commands[0].words == ["a", "b c", 'd "e', "--p=x=1 y=2", "--q=z{a=1}"]
    assert line.commands[0].errors_to_output
    assert line.commands[1].words == ["f"]


@pytest.mark.parametrize(
    "options, checks, text, holds",
    [
        # What is excluded may be part of the next match, but not come before it.
        ("", "// CHECK-NOT: b\n// CHECK: a b", "x\na b", True),
        ("", "// CHECK-NOT: b\n// CHECK: a b", "b\na b", False),
        ("", "// CHECK-NOT: b\n// CHECK-COUNT-2: a b", "a b\na b", True),
        # The first match counts.
        ("", "// CHECK: x\n// CHECK-NEXT: y", "x\ny", True),
        ("", "// CHECK: x\n// CHECK-NEXT: y", "x y\ny", False),
        ("", "// CHECK: x\n// CHECK-NEXT: [[V:y.]]\n// CHECK: [[V]]", "x\ny1 y2\ny1", True),
        ("--implicit-check-not=z", "// CHECK: x\n// CHECK: y", "x\ny", True),
        ("--implicit-check-not=z", "// CHECK: x\n// CHECK: y", "x\nz\ny", False),
        ("--implicit-check-not z", "// CHECK: x", "z\nx", False),
        ("--implicit-check-not=z", "// CHECK: x", "x\nz", False),
        ("--implicit-check-not='z{{[0-9]}}'", "// CHECK: x", "x\nz", True),
        ("--dump-input-context=50 -v --dump-input help", "// CHECK: x", "x", True),
    ],
)
def test_checks_are_those_of_llvm(
    tmp_path: Path, options: str, checks: str, text: str, holds: bool
):
    (tmp_path / "input").write_text(text + "\n")
    line = f"// RUN: cat input | FileCheck {options} %s\n"
    assert run(tmp_path, line + checks).status == ("passed" if holds else "failed")


@pytest.mark.parametrize(
    "text, before", [("a 2>&1 > x", True), ("a > x 2>&1", False), ("a 2>&1", True)]
)
def test_where_errors_go(text: str, before: bool):
    (line,) = parse_shell(text)
    assert line.commands[0].errors_to_output
    assert line.commands[0].errors_before_output == before


def test_run_lines_go_on():
    script = read_script("// RUN: a \\\n// RUN:   b\n// RUN: c\n")
    assert [command.split() for command in script.commands] == [["a", "b"], ["c"]]
