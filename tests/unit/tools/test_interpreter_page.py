"""The examples of docs/interpreter.md do what the page says."""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr
from pathlib import Path

import pytest

from xtriton.tools import xtriton_check, xtriton_opt, xtriton_run

PAGE = (Path(__file__).parents[3] / "docs" / "interpreter.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOOLS: dict[str, Callable[[Sequence[str]], int]] = {
    "xtriton-check": xtriton_check.main,
    "xtriton-opt": xtriton_opt.main,
    "xtriton-run": xtriton_run.main,
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the page's modules where the examples look for them."""
    monkeypatch.chdir(tmp_path)
    for kind, text in BLOCK.findall(PAGE):
        if kind == "mlir":
            name = text.splitlines()[0].removeprefix("// ")
            (tmp_path / name).write_text(text)


def commands() -> Iterator[tuple[str, str]]:
    """Give each command with what it prints."""
    for kind, text in BLOCK.findall(PAGE):
        if kind == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield command, output


def run(command: str) -> None:
    command, _, errors = command.partition(" 2> ")
    tool, *arguments = shlex.split(command)
    if errors:
        with Path(errors).open("w") as file, redirect_stderr(file):
            TOOLS[tool](arguments)
    else:
        TOOLS[tool](arguments)


def test_commands_print_what_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    found = list(commands())
    assert len(found) >= 6
    for command, expected in found:
        run(command)
        printed = capsys.readouterr().out
        start, dots, end = expected.partition("...\n")
        if dots:
            assert printed.startswith(start)
            assert printed.endswith(end)
        else:
            assert printed == expected


def test_python_runs() -> None:
    examples = [text for kind, text in BLOCK.findall(PAGE) if kind == "python"]
    assert examples
    for text in examples:
        exec(text, {})
