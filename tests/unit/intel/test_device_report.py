"""What `xtriton-explain --device` says: verdicts, what would help, shared memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from xtriton.analysis.intel.device import PVC
from xtriton.ir.reading.parser import parse_module
from xtriton.tools import device_verdicts
from xtriton.tools.xtriton_explain import main
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.transforms.intel.verdicts import device_report
from xtriton.transforms.triton_gpu.allocate_shared_memory import IntelAllocateSharedMemoryPass
from xtriton.universe import context

HEAD = """
#at_load = loc("kernel.py":7:20)
#library = loc("/x/triton/language/standard.py":291:36)
#call = loc("kernel.py":8:9)
#at_sum = loc(callsite(#library at #call))
#at_store = loc("kernel.py":9:4)
"""

MATRIX = (
    HEAD
    + """
tt.func public @square(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32},
    %o: !tt.ptr<f32> {tt.divisibility = 16 : i32},
    %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
  %c16 = arith.constant 16 : i32
  %x = tt.get_program_id x : i32
  %first = arith.muli %x, %c16 : i32
  %r16 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %s = tt.splat %first : i32 -> tensor<16xi32>
  %i = arith.addi %s, %r16 : tensor<16xi32>
  %i1 = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %j1 = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %ns = tt.splat %n : i32 -> tensor<16x1xi32>
  %nt = tt.splat %n : i32 -> tensor<1x32xi32>
  %below = arith.cmpi slt, %i1, %ms : tensor<16x1xi32>
  %left = arith.cmpi slt, %j1, %nt : tensor<1x32xi32>
  %b = tt.broadcast %below : tensor<16x1xi1> -> tensor<16x32xi1>
  %l = tt.broadcast %left : tensor<1x32xi1> -> tensor<16x32xi1>
  %mask = arith.andi %b, %l : tensor<16x32xi1>
  %rows = arith.muli %i1, %ns : tensor<16x1xi32>
  %rb = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x32xi32>
  %jb = tt.broadcast %j1 : tensor<1x32xi32> -> tensor<16x32xi32>
  %off = arith.addi %rb, %jb : tensor<16x32xi32>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  %pp = tt.addptr %ps, %off : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
  %v = tt.load %pp, %mask : tensor<16x32x!tt.ptr<f16>> loc(#at_load)
  %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<16x32xf16> -> tensor<32x16xf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %d = tt.dot %v, %t, %zero : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %os = tt.splat %o : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %k1 = tt.expand_dims %r16 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %rk = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x16xi32>
  %kb = tt.broadcast %k1 : tensor<1x16xi32> -> tensor<16x16xi32>
  %place = arith.addi %rk, %kb : tensor<16x16xi32>
  %oo = tt.addptr %os, %place : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %bk = tt.broadcast %below : tensor<16x1xi1> -> tensor<16x16xi1>
  tt.store %oo, %d, %bk : tensor<16x16x!tt.ptr<f32>> loc(#at_store)
  tt.return
}
"""
)

SUM = (
    HEAD
    + """
tt.func public @sum(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32>) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %a = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %a : tensor<1024x!tt.ptr<f32>> loc(#at_load)
  %t = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tt.reduce.return %z : f32
  }) : (tensor<1024xf32>) -> f32 loc(#at_sum)
  tt.store %o, %t : !tt.ptr<f32>
  tt.return
}
"""
)

HELPER_SUM = SUM.replace(
    "#at_sum =",
    '#helper = loc("kernel.py":3:2)\n#at_helper = loc(callsite(#helper at #call))\n#at_sum =',
).replace("loc(#at_load)", "loc(#at_helper)")


def explained(text: str, path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    file = path / "kernel.ttir"
    file.write_text(text)
    assert main([str(file), "--device=pvc", *options]) == 0
    return capsys.readouterr().out


def test_what_raising_would_make_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = explained(MATRIX, tmp_path, capsys, "--num-warps=2")
    assert "7:20" in out
    assert "no, mask: the load has a mask" in out
    assert "with raise-pointers: yes, row-major" in out
    assert "With raise-pointers, 2 of them are:" in out
    assert "--xtriton-intel-ttgir-pipeline='num-warps=2 device=pvc raise-pointers'" in out


def test_help_is_true(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    report: dict[str, Any] = json.loads(explained(MATRIX, tmp_path, capsys, "--json"))
    raised = device_report(parse_module(MATRIX, context()), context(), PVC, raise_pointers=True)
    assert all(found.is_block for found in raised.accesses)
    load, store = report["accesses"]
    assert (load["kind"], load["shape"], load["element"]) == ("load", [16, 32], "f16")
    assert load["location"] == "kernel.py:7:20"
    assert load["versions"][0]["condition"] == "mask"
    for access in (load, store):
        assert access["with"] == {"raise-pointers": {"block": True, "mode": "row_major"}}


def test_shared_memory(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    report: dict[str, Any] = json.loads(explained(SUM, tmp_path, capsys, "--json"))
    # Four warps have a sum each. The line is where the program calls Triton's library.
    assert report["shared memory"] == {
        "bytes": 16,
        "available": PVC.shared_memory,
        "buffers": [
            {
                "for": "reduction across warps 1024xf32",
                "location": "kernel.py:8:9",
                "offset": 0,
                "bytes": 16,
            }
        ],
    }
    out = explained(SUM, tmp_path, capsys)
    assert "It needs 16 bytes of shared memory, 0.012 % of the 131,072" in out
    assert "8:9" in out
    assert "rank: nothing to do" in out


def test_shared_memory_is_what_the_pass_allocates():
    file = Path(__file__).parents[2] / "e2e" / "intel" / "gemm_add.mlir"
    module = parse_module(file.read_text(), context())
    report = device_report(module, context(), PVC, 8).shared_memory
    IntelTTGIRPipelinePass(num_warps=8).apply(context(), module)
    IntelAllocateSharedMemoryPass().apply(context(), module)
    assert module.attributes["ttg.shared"].value.data == report.size  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    ends = [buffer.offset + buffer.size for buffer in report.buffers]
    assert max(ends, default=0) == report.size


def test_loads_of_a_helper_are_told_apart_by_their_calls():
    (load,) = device_report(parse_module(HELPER_SUM, context()), context(), PVC).accesses
    assert load.position == ("kernel.py", 3, 2)
    assert load.caller == ("kernel.py", 8, 9)


def test_calls_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    report: dict[str, Any] = json.loads(explained(HELPER_SUM, tmp_path, capsys, "--json"))
    (load,) = report["accesses"]
    assert (load["location"], load["called at"]) == ("kernel.py:3:2", "kernel.py:8:9")
    assert "3:2, from 8:9" in explained(HELPER_SUM, tmp_path, capsys)


def test_versions_are_told():
    loads = [
        device_report(
            parse_module(MATRIX, context()), context(), PVC, raise_pointers=raised
        ).accesses[0]
        for raised in (False, True)
    ]
    row = device_verdicts._Row(loads[0], loads)
    no, yes = (device_verdicts._sentence(found, count, row) for found, count in row.distinct)
    assert "no[/], [bold]mask[/]: the load has a mask" in no
    assert no.endswith("(in 1 of 2 versions)[/]")
    assert yes == "[green]yes, row-major[/] [dim](in 1 of 2 versions)[/]"


def test_august_takes_descriptors():
    module = parse_module(MATRIX, context())
    plain = device_report(module, context(), PVC, release="2026-08")
    raised = device_report(module, context(), PVC, raise_pointers=True, release="2026-08")
    assert {found.kind for found in raised.accesses} == {"load", "store"}
    assert not any(found.is_block for found in plain.accesses)
    assert all(found.is_block for found in raised.accesses)
