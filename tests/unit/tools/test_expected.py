import pytest

from xtriton.diagnostics import Diagnostic, Severity
from xtriton.errors import Position
from xtriton.tools.expected import compare, find_expected


def diagnostic(line: int | None, message: str, severity: Severity = "error") -> Diagnostic:
    return Diagnostic(severity, message, None if line is None else Position("f", line, 1))


@pytest.mark.parametrize(
    "comment, line",
    [
        ("expected-error {{bad}}", 3),
        ("expected-error@+1 {{bad}}", 4),
        ("expected-error @-2 {{bad}}", 1),
        ("expected-error@below {{bad}}", 4),
        ("expected-error@above {{bad}}", 2),
        ("expected-error@unknown {{bad}}", None),
    ],
)
def test_places(comment: str, line: int | None):
    expected = find_expected(f"one\ntwo\n// {comment}\nfour", "f")
    assert [e.line for e in expected] == [line]
    assert compare(expected, [diagnostic(line, "a bad thing")]) == []
    assert len(compare(expected, [diagnostic(7, "a bad thing")])) == 2


def test_below_and_above_skip_other_comments():
    text = "op\n// expected-error@below {{a}}\n// expected-error@above {{b}}\nop"
    assert [e.line for e in find_expected(text, "f")] == [4, 1]


def test_regular_expression():
    expected = find_expected("// expected-remark-re {{got {{[0-9]+}} (items)}}", "f")
    assert compare(expected, [diagnostic(1, "got 12 (items)", "remark")]) == []
    assert compare(expected, [diagnostic(1, "got x (items)", "remark")]) != []


def test_missing_and_unexpected_are_told():
    expected = find_expected("// expected-error {{bad}}", "f")
    assert compare(expected, []) == ['f:1:4: error: expected error "bad" was not produced']
    assert compare([], [diagnostic(2, "worse")]) == ["f:2:1: error: unexpected error: worse"]


def test_lines_of_other_files_are_others():
    expected = find_expected("// expected-error {{bad}}", "g")
    assert len(compare(expected, [diagnostic(1, "bad")])) == 2


def test_severity_counts():
    expected = find_expected("// expected-warning {{bad}}", "f")
    assert len(compare(expected, [diagnostic(1, "bad")])) == 2


def test_each_comment_takes_one_diagnostic():
    expected = find_expected("// expected-error {{bad}}", "f")
    assert len(compare(expected, [diagnostic(1, "bad"), diagnostic(1, "bad")])) == 1


def test_notes_are_compared_only_on_demand():
    note = diagnostic(1, "see here", "note")
    assert compare([], [note]) == []
    assert compare(find_expected("// expected-note {{see}}", "f"), [note]) == []
    assert compare(find_expected("// expected-note {{other}}", "f"), [note]) != []


def test_only_expected():
    expected = find_expected("// expected-error {{bad}}", "f")
    found = [diagnostic(1, "bad"), diagnostic(2, "as well")]
    assert len(compare(expected, found)) == 1
    assert compare(expected, found, only_expected=True) == []
    assert len(compare(expected, found[1:], only_expected=True)) == 1
