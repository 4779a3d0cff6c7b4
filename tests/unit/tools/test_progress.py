"""The bar is for terminals only."""

import io
import sys

import pytest

from xtriton.tools.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [Terminal(), io.StringIO()])
def test_a_bar_is_shown_on_a_terminal(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_bar("dump.txt") as show:
        show(1, 3, "canonicalize")
    if stream.isatty():
        assert "dump.txt" in stream.getvalue()
        assert "1/3" in stream.getvalue()
        assert "canonicalize" in stream.getvalue()
    else:
        assert stream.getvalue() == ""
