"""Errors as people see them: a place, and never more text than fits a screen."""

import pytest

import xtriton as xt
from xtriton.errors import LONGEST, WINDOW, ParseFailure, Position, UserError


def test_text_of_an_error_has_its_position() -> None:
    with pytest.raises(ParseFailure) as caught:
        xt.parse("module {\n  foo\n}", file="a.ttir")
    assert str(caught.value).startswith("a.ttir:2:")
    assert str(UserError("no place")) == "no place"


@pytest.mark.parametrize("at", [0, 5, WINDOW, 5_000_000, 9_999_999])
def test_a_long_line_is_clipped_around_the_column(at: int) -> None:
    text = "a" * at + "X" + "b" * (10_000_000 - at - 1)
    message, line, caret = UserError("wrong", Position.in_text(text, at, "f")).render().split("\n")
    assert message == f"f:1:{at + 1}: error: wrong"
    assert line[caret.index("^")] == "X"
    assert len(line) <= 2 * WINDOW + 2


def test_a_short_line_is_shown_whole() -> None:
    text = "a" * 2 * WINDOW
    rendered = UserError("wrong", Position.in_text(text, 150, "f")).render()
    assert rendered.split("\n")[1:] == [text, " " * 150 + "^"]


def test_a_long_message_is_clipped() -> None:
    error = UserError("m" * 10_000, notes=["n" * 10_000, "short"])
    first, second, third = error.render().split("\n")
    assert first.startswith("error: mmm")
    assert first.endswith("… (10,007 characters)")
    assert max(len(first), len(second)) < LONGEST + 30
    assert third == "short"
