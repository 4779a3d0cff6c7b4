"""The exit codes of tools, and what they say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from xtriton.errors import UserError
from xtriton.tools.outcome import OBJECTS, exit_code

EXAMPLE = Path(__file__).parents[3] / "examples" / "vector_add.ttir"
NO_MEMORY = (
    "error: this needs more memory than there is; end other programs, or give less at a time\n"
)


@pytest.mark.parametrize(
    "error, code, told",
    [
        (UserError("no such thing"), 1, "error: no such thing\n"),
        (BrokenPipeError(), 0, ""),
        (KeyboardInterrupt(), 130, ""),
        (OSError(28, "No space left on device"), 1, "error: No space left on device\n"),
        (FileNotFoundError(2, "No such file", "a"), 1, "error: 'a': No such file\n"),
        (MemoryError(), 1, NO_MEMORY),
        (OSError(12, "Cannot allocate memory"), 1, NO_MEMORY),
        (ImportError("x.so: failed to map segment: Cannot allocate memory"), 1, NO_MEMORY),
        (ImportError("x.so: failed to map segment from shared object"), 1, NO_MEMORY),
    ],
)
def test_errors(
    error: BaseException, code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> int:
        raise error

    assert exit_code(fail, []) == code
    assert capsys.readouterr().err == told


COLLECTING = """
import gc, sys
from xtriton.tools.outcome import exit_code
exit_code(lambda: print(gc.get_threshold()[0], "typing" in sys.modules) or 0, [])
import xdsl
gc.set_threshold(900)
exit_code(lambda: print(gc.get_threshold()[0]) or 0, [])
"""


def test_objects_are_collected_seldom_while_a_tool_starts() -> None:
    command = [sys.executable, "-S", "-c", f"import sys; sys.path += {sys.path!r}\n{COLLECTING}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(OBJECTS), "False", "900"]


@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
def test_a_limit_of_memory_says_how_to_lift_it(tmp_path: Path) -> None:
    file = tmp_path / "large.mlir"
    count = 30_000_000
    constant = f'arith.constant dense<"0x{"ab" * count}"> : tensor<{count}xi8>'
    file.write_text(f"func.func @f() {{\n  %c = {constant}\n  return\n}}\n")
    for limit in (150_000, 250_000):
        done = shell(f"ulimit -v {limit} ; xtriton opt --canonicalize {file}")
        assert done.returncode == 1
        mebibytes = (limit << 10) >> 20
        assert done.stderr.startswith(f"error: this needs more than the {mebibytes} MiB of memory")
        assert "`ulimit -v unlimited`" in done.stderr


def test_bugs_say_that_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> int:
        raise ZeroDivisionError("nothing left")

    assert exit_code(fail, []) == 2
    lines = capsys.readouterr().err.splitlines()
    line = fail.__code__.co_firstlineno + 1
    assert lines == [
        "error: internal error: ZeroDivisionError: nothing left",
        f"raised at {__file__}:{line}; --traceback shows more",
        "This is a bug of xtriton, not of your input.",
    ]
    assert exit_code(fail, ["--traceback"]) == 2
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_the_code_is_that_of_the_tool() -> None:
    assert exit_code(lambda: 2, []) == 2


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in which `xtriton` is ours and `IR` a file."""
    words = {"xtriton": f"{sys.executable} -m xtriton", "IR": str(EXAMPLE)}
    text = " ".join(words.get(word, word) for word in command.split())
    return subprocess.run(
        ["bash", "-c", text],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )


@pytest.mark.parametrize(
    "command", ["opt --help", "opt IR", "explain IR", "effects IR", "layout --help"]
)
def test_nobody_reads_the_output(command: str) -> None:
    done = shell(f"xtriton {command} | true ; echo ${{PIPESTATUS[0]}}")
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.parametrize("command", ["opt --version", "opt IR", "explain IR"])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_output_that_cannot_be_written(command: str) -> None:
    done = shell(f"xtriton {command} >/dev/full")
    assert (done.returncode, done.stderr) == (1, "error: No space left on device\n")


def test_closed_streams() -> None:
    done = shell("xtriton opt <&-")
    assert (done.returncode, done.stderr) == (
        1,
        "error: cannot read standard input: it is closed\n",
    )
    done = shell("xtriton opt IR >&-")
    assert (done.returncode, done.stderr) == (1, "error: not writable\n")
    done = shell("xtriton opt missing 2>&-")
    assert (done.returncode, done.stdout) == (1, "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_terminals_without_unicode(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "xtriton", "effects", str(EXAMPLE), "--grid", "1"],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=True,
    )
    sign = b"\\u2013" if encoding == "latin-1" else "\u2013".encode()
    assert b"0" + sign + b"4095" in done.stdout
