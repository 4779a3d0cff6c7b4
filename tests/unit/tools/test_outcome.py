"""The exit codes of tools, and what they say."""

import io
import sys

import pytest

from xtriton.errors import UserError
from xtriton.tools.outcome import exit_code


@pytest.mark.parametrize(
    "error, code, told",
    [
        (UserError("no such thing"), 1, "error: no such thing\n"),
        (BrokenPipeError(), 0, ""),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_errors(
    error: BaseException, code: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stream(io.StringIO):
        def close(self) -> None:
            """Keep the text."""

    def fail() -> int:
        raise error

    stream = Stream()
    monkeypatch.setattr(sys, "stderr", stream)
    assert exit_code(fail) == code
    assert stream.getvalue() == told


def test_bugs_are_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        exit_code(lambda: 1 // 0)


def test_the_code_is_that_of_the_tool() -> None:
    assert exit_code(lambda: 2) == 2
