"""What people and machines are told of a kernel's accesses."""

import json
from pathlib import Path

import pytest

from xtriton.analysis.report import module_report
from xtriton.ir.reading.parser import parse_module
from xtriton.tools.xtriton_explain import main
from xtriton.universe import context

KERNEL = """
tt.func public @rows(%a: !tt.ptr<f32>, %stride: i32, %m: i32, %n: i32) {
  %c16 = arith.constant 16 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c16 : i32
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %starts = tt.splat %start : i32 -> tensor<16xi32>
  %i = arith.addi %starts, %r : tensor<16xi32>
  %ms = tt.splat %m : i32 -> tensor<16xi32>
  %w = arith.remsi %i, %ms : tensor<16xi32>
  %w2 = tt.expand_dims %w {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ss = tt.splat %stride : i32 -> tensor<16x1xi32>
  %rows = arith.muli %w2, %ss : tensor<16x1xi32>
  %rows2 = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x16xi32>
  %j = tt.expand_dims %r {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %ns = tt.splat %n : i32 -> tensor<1x16xi32>
  %live = arith.cmpi slt, %j, %ns : tensor<1x16xi32>
  %mask = tt.broadcast %live : tensor<1x16xi1> -> tensor<16x16xi1>
  %j2 = tt.broadcast %j : tensor<1x16xi32> -> tensor<16x16xi32>
  %o = arith.addi %rows2, %j2 : tensor<16x16xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %p = tt.addptr %as, %o : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %x = tt.load %p, %mask : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rows.ttir"
    path.write_text(KERNEL)
    return path


def test_report_keeps_index_and_stride_apart():
    (kernel,) = module_report(parse_module(KERNEL, context()))["kernels"]
    (access,) = kernel["accesses"]
    assert kernel["kernel"] == "rows"
    assert access["tier"] == "wrapped block"
    assert access["base"] == "%a"
    rows, columns = access["dimensions"]
    assert rows == {"size": 16, "start": "16*pid_x", "stride": "stride", "modulus": "m"}
    assert columns == {"size": 16, "start": "0", "stride": "1"}
    assert access["order"] == [1, 0]
    assert access["mask"]["upper"] == [[], ["n"]]
    assert access["parent shape"] == ["m", "n"]
    assert access["alignment"] == 4
    assert any("arith.muli" in line for line in access["assumes"])
    assert "m is not negative, the extent of dimension 0" in access["assumes"]
    assert "n is not negative, the extent of dimension 1" in access["assumes"]


def test_alignment_comes_from_promises():
    promised = KERNEL
    for name, type in (("a", "!tt.ptr<f32>"), ("stride", "i32"), ("m", "i32")):
        promise = f"%{name}: {type} {{tt.divisibility = 16 : i32}}"
        promised = promised.replace(f"%{name}: {type}", promise)
    (kernel,) = module_report(parse_module(promised, context()))["kernels"]
    assert kernel["accesses"][0]["alignment"] == 16


def test_explain_prints_a_table(file: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(file)]) == 0
    text = capsys.readouterr().out
    assert "wrapped block" in text
    assert "where i1 < n" in text


def test_explain_prints_json(file: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kernels"][0]["kernel"] == "rows"


def test_a_missing_file_is_a_plain_sentence(capsys: pytest.CaptureFixture[str]):
    assert main(["no/such/file.ttir"]) == 1
    assert "cannot read" in capsys.readouterr().err


def test_a_bad_setting_is_a_plain_sentence(file: Path, capsys: pytest.CaptureFixture[str]):
    picture = file.with_suffix(".svg")
    assert main([str(file), "--svg", str(picture), "--set", "m"]) == 1
    assert "NAME=NUMBER" in capsys.readouterr().err
    assert not picture.exists()
