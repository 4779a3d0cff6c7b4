"""A version for 2D block accesses does what the kernel does, whichever version runs."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.analysis.axis_info.dataflow import AxisAnalysis
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import check_equivalent
from xtriton.transforms.intel.block_io import version_for_block_io
from xtriton.transforms.intel.block_io.version_for_block_io import VersionForBlockIOPass
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.universe import context

COPY = """
tt.func public @copy(%p: !tt.ptr<TYPE> {tt.divisibility = 16 : i32},
    %o: !tt.ptr<TYPE> {tt.divisibility = 16 : i32},
    %m: i32, %n: i32, %row: i32, %column: i32) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %x = tt.get_program_id x : i32
  %i = arith.muli %x, %c16 : i32
  %h = arith.extsi %m : i32 to i64
  %w = arith.extsi %n : i32 to i64
  %s = arith.extsi %row : i32 to i64
  %t = arith.extsi %column : i32 to i64
  %q = tt.make_tensor_ptr %p, [%h, %w], [%s, %t], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xTYPE>>
  %v = tt.load %q {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x32xTYPE>>
  %r = tt.make_tensor_ptr %o, [%h, %w], [%s, %t], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xTYPE>>
  tt.store %r, %v {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x32xTYPE>>
  tt.return
}
"""


@pytest.mark.parametrize("type", ["f16", "f32"])
def test_same_results(type: str):
    text = COPY.replace("TYPE", type)
    before, after = parse_module(text, context()), parse_module(text, context())
    VersionForBlockIOPass().apply(context(), after)
    verify(after)
    assert sum(op.name == "scf.if" for op in after.walk()) == 1
    assert check_equivalent(before, after, count=3)


def test_only_one_version_has_block_accesses():
    module = parse_module(COPY.replace("TYPE", "f32"), context())
    IntelTTGIRPipelinePass(version_for_block_io=True).apply(context(), module)
    verify(module)
    (branch,) = (op for op in module.walk() if op.name == "scf.if")
    for region, expected in zip(branch.regions, (True, False), strict=True):
        accesses = [op for op in region.walk() if op.name in ("tt.load", "tt.store")]
        assert len(accesses) == 2
        assert all(("ttig.block_io" in op.attributes) is expected for op in accesses)
    assert check_equivalent(parse_module(COPY.replace("TYPE", "f32"), context()), module, count=2)


def test_a_module_is_analysed_once(monkeypatch: pytest.MonkeyPatch):
    analysed: list[ModuleOp] = []

    def counted(module: ModuleOp, backend: str = "") -> AxisAnalysis:
        analysed.append(module)
        return axis_analysis(module, backend)

    monkeypatch.setattr(version_for_block_io, "axis_analysis", counted)
    aligned = COPY.replace("TYPE", "f32").replace("%t]", "%one]")
    aligned = aligned.replace("%c0 =", "%one = arith.constant 1 : i64\n  %c0 =")
    aligned = aligned.replace(
        "%n: i32, %row: i32",
        "%n: i32 {tt.divisibility = 16 : i32}, %row: i32 {tt.divisibility = 16 : i32}",
    )
    text = "".join(aligned.replace("@copy", f"@copy{k}") for k in range(5))
    VersionForBlockIOPass().apply(context(), parse_module(text, context()))
    assert len(analysed) == 1
    other = "".join(f"tt.func @f{k}() {{\n  tt.return\n}}\n" for k in range(5))
    VersionForBlockIOPass().apply(context(), parse_module(other, context()))
    assert len(analysed) == 1
