"""xtriton-run and xtriton-check as a user calls them."""

import re
from pathlib import Path

import numpy as np
import pytest

from xtriton.interpreter.api import PROGRAM_BUDGET
from xtriton.interpreter.arguments import parameters
from xtriton.interpreter.machine import Program
from xtriton.ir.reading.parser import parse_module
from xtriton.tools import run_driver, xtriton_check, xtriton_run
from xtriton.tools.argument_values import argument_value
from xtriton.universe import context

KERNEL = """
tt.func @scale(%x: !tt.ptr<f16>, %y: !tt.ptr<f32>, %n: i32) {
  %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %b = tt.splat %n : i32 -> tensor<8xi32>
  %mask = arith.cmpi slt, %i, %b : tensor<8xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<8x!tt.ptr<f16>>
  %px = tt.addptr %xs, %i : tensor<8x!tt.ptr<f16>>, tensor<8xi32>
  %v = tt.load %px, %mask : tensor<8x!tt.ptr<f16>>
  %w = arith.extf %v : tensor<8xf16> to tensor<8xf32>
  %s = arith.addf %w, %w : tensor<8xf32>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %py = tt.addptr %ys, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %py, %s, %mask : tensor<8x!tt.ptr<f32>>
  tt.return
}
"""


@pytest.fixture
def kernel(tmp_path: Path) -> str:
    path = tmp_path / "kernel.ttir"
    path.write_text(KERNEL)
    return str(path)


def test_run_prints_and_saves(
    kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "out.npz"
    arguments = ["--arg", "0=arange(8)", "--arg", "y=zeros(8,f32)", "--arg", "n=6"]
    assert xtriton_run.main([kernel, *arguments, "--save", str(saved), "--profile"]) == 0
    out = capsys.readouterr().out
    assert "y = [ 0.  2.  4.  6.  8. 10.  0.  0.]" in out
    assert "bytes read: 12" in out
    assert "bytes written: 24" in out
    assert "store of y by 'tt.store'" in out
    assert "strides [1]" in out
    with np.load(saved) as found:
        assert found["x"].dtype == np.float16
        np.testing.assert_array_equal(found["y"], [0, 2, 4, 6, 8, 10, 0, 0])


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--arg", "x=zeros(8)"], "arguments are missing"),
        (["--arg", "z=1"], "no argument 'z'"),
        (["--arg", "x"], "must have the form"),
        (["--arg", "x=cat(3)"], "no array is made by 'cat'"),
        (["--arg", "n=many"], "neither a number nor an array"),
        (["--arg", "x=zeros(8,f99)"], "'f99' is no element type"),
        (["--arg", "x=zeros(8)", "--arg", "y=zeros(8)", "--arg", "n=8", "--grid", "1,2,3,4"],
         "is no grid"),
        (["--arg", "x=zeros(4)", "--arg", "y=zeros(8)", "--arg", "n=8"], "load out of bounds"),
    ],
)  # fmt: skip
def test_run_says_what_is_wrong(
    kernel: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert xtriton_run.main([kernel, *arguments]) == 1
    assert message in capsys.readouterr().err


def test_run_sanitizes(kernel: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--arg", "x=zeros(8)", "--arg", "y=zeros(8)", "--arg", "n=8"]
    assert xtriton_run.main([kernel, *arguments, "--grid", "2", "--sanitize"]) == 0
    text = KERNEL.replace("tt.store %py, %s, %mask", "tt.store %py, %s")
    Path(kernel).write_text(text)
    arguments[-1] = "n=6"
    assert xtriton_run.main([kernel, *arguments, "--sanitize"]) == 1
    assert "undefined: element 6 of argument 1 (y)" in capsys.readouterr().err


def test_check_compares(kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.mlir"
    other.write_text(KERNEL.replace("arith.addf %w, %w", "arith.mulf %w, %w"))
    assert xtriton_check.main([kernel, kernel]) == 0
    assert "scale: no difference in 1 draw\n" in capsys.readouterr().out
    assert xtriton_check.main([kernel, str(other)]) == 1
    assert "argument 1 (y), element 0 of f32" in capsys.readouterr().out
    # With nothing in range nothing is stored, and the verdict says how little it is worth.
    assert xtriton_check.main([kernel, str(other), "--arg", "n=0"]) == 3
    assert "vacuous" in capsys.readouterr().out


def test_check_says_what_is_wrong(
    kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert xtriton_check.main([kernel, str(tmp_path / "none.mlir")]) == 1
    assert "cannot read" in capsys.readouterr().err
    assert xtriton_check.main([kernel, kernel, "--kernel", "f"]) == 1
    assert "no function 'f'" in capsys.readouterr().err
    assert xtriton_check.main([kernel, kernel, "--arg", "x=1"]) == 1
    assert "only numbers can be given" in capsys.readouterr().err
    assert xtriton_check.main([kernel]) == 1
    assert "holds 1 module; two are compared" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        xtriton_check.main([kernel, kernel, kernel])
    other = tmp_path / "other.mlir"
    other.write_text(KERNEL.replace("arith.addf %w, %w", "arith.mulf %w, %w"))
    assert xtriton_check.main([kernel, str(other), "--budget", "3", "--arg", "n=5"]) == 1
    assert "step budget of 3" in capsys.readouterr().err


def test_check_takes_one_file_and_lists_coverage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = tmp_path / "both.mlir"
    both.write_text(KERNEL + "\n// -----\n" + KERNEL)
    assert xtriton_check.main([str(both), "--coverage"]) == 0
    assert "accesses were made\n  made   'tt.load'" in capsys.readouterr().out
    assert xtriton_check.main([str(both), "--coverage", "--arg", "n=0"]) == 0
    assert "never  'tt.load'" in capsys.readouterr().out


def test_check_finds_the_pass(
    kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module = "module {" + KERNEL + "}\n"
    dump = tmp_path / "dump.txt"
    dump.write_text(
        f"// -----// IR Dump After CSE (cse) //----- //\n{module}\n"
        "// -----// IR Dump After TritonCombineOps (triton-combine) //----- //\n"
        + module.replace("slt", "sle")
    )
    assert xtriton_check.main(["--pass-dump", str(dump)]) == 1
    assert "the first pass to break a kernel is triton-combine" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text, type, value",
    [
        ("5", "i32", 5),
        ("-0x10", "i32", -16),
        ("4294967295", "i32", 4294967295),
        ("true", "i1", True),
        ("-1.5", "f32", -1.5),
        ("3", "f32", 3),
        ("nan", "f64", None),
    ],
)
def test_numbers(text: str, type: str, value: float | None) -> None:
    module = parse_module(f"tt.func @f(%a: {type}) {{ tt.return }}", context())
    (parameter,) = parameters(Program(module).symbols["f"])
    found = argument_value(text, parameter)
    assert found == value or (value is None and found != found)


def test_a_failed_assertion_and_what_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kernel.ttir"
    file.write_text(
        """tt.func @f(%n: i32) {
  %c5 = arith.constant 5 : i32
  %small = arith.cmpi slt, %n, %c5 : i32
  %t = tt.splat %small : i1 -> tensor<2xi1>
  tt.print " n =" {hex = false, isSigned = array<i32: 1>} : %n : i32
  tt.assert %t, "small" : tensor<2xi1>
  tt.return
}
"""
    )
    assert xtriton_run.main([str(file), "--arg", "n=4"]) == 0
    captured = capsys.readouterr()
    assert "n = 4" in captured.out
    assert captured.err == ""
    assert xtriton_run.main([str(file), "--arg", "n=7"]) == 1
    assert "assertion failed: small" in capsys.readouterr().err


@pytest.mark.parametrize(
    "old, new, option",
    [
        ("tt.load %px, %mask :", "tt.load %px :", "--any-reads"),
        ("%s = arith.addf %w, %w", "%e = arith.constant dense<2.00001> : tensor<8xf32>\n"
         "  %s = arith.mulf %w, %e", "--tolerance=1e-4"),
    ],
)  # fmt: skip
def test_options_that_allow_more(
    kernel: str, tmp_path: Path, old: str, new: str, option: str
) -> None:
    other = tmp_path / "other.mlir"
    assert old in KERNEL
    other.write_text(KERNEL.replace(old, new))
    assert xtriton_check.main([kernel, str(other), "--arg=n=5"]) == 1
    assert xtriton_check.main([kernel, str(other), "--arg=n=5", option]) == 0


def test_thorough_draws_more(
    kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unless the first launches and the solver have proved that nothing differs."""
    other = tmp_path / "other.mlir"
    draws: dict[str, list[int]] = {}
    for factor in ("2.0", "2.00001"):
        two = f"%two = arith.constant dense<{factor}> : tensor<8xf32>"
        text = KERNEL.replace("%s = arith.addf %w, %w", f"{two}\n%s = arith.mulf %w, %two")
        other.write_text(text)
        for options in ([], ["--thorough"]):
            assert xtriton_check.main([kernel, str(other), "--tolerance=1e-4", *options]) == 0
            counted = capsys.readouterr().out.split("no difference in ")[1].split()[0]
            draws.setdefault(factor, []).append(int(counted))
    assert draws["2.0"][1] == draws["2.0"][0] > 1
    assert draws["2.00001"][1] > draws["2.00001"][0] > 1


def test_integers_that_are_too_wide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "kernel.ttir"
    file.write_text("tt.func @f(%a: i128) { tt.return }")
    assert xtriton_run.main([str(file), "--arg", "a=5"]) == 1
    assert "error: integers of 128 bits are not supported" in capsys.readouterr().err
    assert xtriton_check.main([str(file), str(file)]) == 1
    assert "error: integers of 128 bits are not supported" in capsys.readouterr().err


ENDLESS = """tt.func public @wait(%p: !tt.ptr<i32>) {
  %true = arith.constant true
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    scf.yield
  }
  tt.return
}
"""


@pytest.mark.parametrize("more", [[], ["--sanitize"], ["--grid", "64"]])
def test_run_stops_a_loop_without_end(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kernel = tmp_path / "wait.mlir"
    kernel.write_text(ENDLESS)
    arguments = [str(kernel), "--arg", "p=zeros(4)", "--budget", "1000", *more]
    assert xtriton_run.main(arguments) == 1
    said = capsys.readouterr().err
    assert "error: the kernel ran longer than its step budget of 1000 allows" in said
    assert "either a loop does not end, or more steps must be allowed: --budget=N" in said
    assert f"in 'scf.while' at {kernel}:3:3" in said


def test_budget_of_a_run_does_not_shrink_with_the_grid(kernel: str) -> None:
    """It is for the programs of a batch, of which there are several here."""
    arguments = ["--arg", "x=zeros(8)", "--arg", "y=zeros(8)", "--arg", "n=8", "--budget", "30"]
    assert xtriton_run.main([kernel, "--grid", "32768", *arguments]) == 0


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--budget", "many"], "'many' is no whole number"),
        (["--budget", "0"], "0 is not above 0"),
        (["--tolerance", "some"], "'some' is no number"),
        (["--tolerance", "-1"], "-1 is not 0 or more"),
    ],
)
def test_numbers_on_the_command_line(
    arguments: list[str], message: str, kernel: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        xtriton_check.main([kernel, kernel, *arguments])
    assert message in capsys.readouterr().err


def test_default_budget_is_that_of_run(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        xtriton_run.main(["--help"])
    assert f"(default {PROGRAM_BUDGET})" in " ".join(capsys.readouterr().out.split())


def test_a_long_launch_says_how_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_driver, "SOON", 0.0)
    monkeypatch.setattr(run_driver, "LONG", 0.0)
    arrays = [f"--arg={name}_ptr=ones(8)" for name in ("x", "y", "output")]
    grid = ["--grid=1000", "--arg=n_elements=8", "--quiet"]
    example = Path(__file__).parents[3] / "examples" / "vector_add.ttir"
    assert xtriton_run.main([str(example), *arrays, *grid]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert re.fullmatch(
        r"note: \d+ of 1,000 programs have run; the rest takes about \d+ seconds, "
        r"a smaller --grid less",
        line,
    )
