"""What FileCheck cannot see of `xtriton-opt`: exit codes, files, odd input."""

import gc
import io
import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from xtriton.tools import opt_driver
from xtriton.tools.xtriton_opt import main

GOOD = "func.func @f(%a: i32) -> i32 {\n  return %a : i32\n}\n"
BAD = "func.func @f(%a: i32) -> i32 {\n  return %b : i32\n}\n"


@pytest.fixture(autouse=True)
def _in_scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> str:
    Path(name).write_text(text)
    return name


@pytest.mark.parametrize(
    "text, code", [(GOOD, 0), (BAD, 1), ("", 1), ("  \n", 1), ("// only\n", 0)]
)
def test_exit_code(text: str, code: int):
    assert main([write("f.mlir", text)]) == code


def test_no_output_file_after_an_error():
    assert main([write("f.mlir", BAD), "-o", "out.mlir"]) == 1
    assert not Path("out.mlir").exists()
    assert main([write("f.mlir", GOOD), "-o", "out.mlir"]) == 0
    assert "func.func @f" in Path("out.mlir").read_text()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["missing.mlir"], "cannot read 'missing.mlir': No such file or directory"),
        (["."], "cannot read '.': Is a directory"),
        (["f.mlir", "-o", "no/such/folder"], "cannot write 'no/such/folder'"),
        (["f.mlir", "--mlir-version=7"], "cannot write for MLIR '7'"),
        (["f.mlir", "--run-reproducer"], "'f.mlir' holds no mlir_reproducer resource"),
    ],
)
def test_errors_of_files(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    write("f.mlir", GOOD)
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith(f"error: {message}")
    assert captured.out == "" or "func.func" in captured.out


def test_a_bug_of_ours(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def broken(*_: object, **__: object) -> str:
        raise KeyError("x")

    with monkeypatch.context() as patch:
        patch.setattr(opt_driver, "print_module", broken)
        assert main([write("f.mlir", GOOD), "--cse"]) == opt_driver.OUR_BUG
    errors = capsys.readouterr().err
    assert "error: internal error: KeyError: 'x'" in errors
    assert "This is a bug of xtriton, not of your input." in errors
    assert "Traceback" not in errors
    reproducer = Path("f.xtriton.reproducer.mlir").read_text()
    assert 'pipeline: "builtin.module(cse)"' in reproducer
    assert "// KeyError: 'x'" in reproducer
    assert main(["--run-reproducer", "f.xtriton.reproducer.mlir"]) == 0


def test_traceback_on_demand(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def broken(*_: object, **__: object) -> str:
        raise KeyError("x")

    monkeypatch.setattr(opt_driver, "print_module", broken)
    main([write("f.mlir", GOOD), "--traceback"])
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_report_is_json():
    assert main([write("f.mlir", GOOD), "--xtriton-report=report.json"]) == 0
    assert json.loads(Path("report.json").read_text()) == {
        "kernels": [{"kernel": "f", "accesses": []}]
    }


def test_garbage_collector_is_left_as_it_was():
    assert gc.isenabled()
    main([write("f.mlir", GOOD)])
    assert gc.isenabled()


def test_version_is_quick():
    asks = [sys.executable, "-m", "xtriton.tools.xtriton_opt", "--version"]
    assert subprocess.run(asks, capture_output=True, text=True).stdout.startswith("xtriton-opt ")
    whole = min(cpu_seconds(asks) for _ in range(5))
    bare = min(cpu_seconds([sys.executable, "-c", ""]) for _ in range(5))
    # 20 ms on an idle machine, of which Python itself takes most.
    assert whole < bare + 0.06


def cpu_seconds(command: list[str]) -> float:
    """Return what a process takes, whoever else is at work."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize(
    "arguments, code",
    [(["--help"], 0), (["nothing"], 2), (["--version"], 0), (["opt", "--version"], 0)],
)
def test_python_m_xtriton(arguments: list[str], code: int):
    done = subprocess.run(
        [sys.executable, "-m", "xtriton", *arguments], capture_output=True, text=True
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "place, shown", [("2:5", "two and a half\n    ^\n"), ("7:5", ""), ("0:1", "")]
)
def test_errors_show_the_line_of_the_program(
    place: str, shown: str, capsys: pytest.CaptureFixture[str]
):
    write("k.py", "one\ntwo and a half\n")
    op = f'"arith.addi"(%a) : (i32) -> i32 loc("k.py":{place})'
    assert main([write("f.mlir", f"func.func @f(%a: i32) {{\n  {op}\n  return\n}}\n")]) == 1
    message = f"k.py:{place}: error: 'arith.addi' op expected 2 operands, but found 1\n"
    assert capsys.readouterr().err == message + shown


def test_how_to_is_told_to_whoever_calls_it_bare(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    assert main([]) == 1
    assert "usage: xtriton-opt" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", io.StringIO("module {}"))
    assert main([]) == 0
    assert capsys.readouterr().out == "module {\n}\n"
