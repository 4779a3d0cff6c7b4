"""Versions of loops over descriptors: the same for every length of rows, on both ways."""

from __future__ import annotations

import pytest

from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline

KERNEL = """
tt.func public @f(%p: !tt.ptr<ELEMENT>, %q: !tt.ptr<f16>, %m: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %c256 = arith.constant 256 : i64
  %a = tt.make_tensor_descriptor %p, [%m, %k, %k], [%c256, %c64, %c1] : <ELEMENT>, <1x4x16xELEMENT>
  %b = tt.make_tensor_descriptor %q, [%m, %k], [%c64, %c1] : <f16>, <4x16xf16>
  %last = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %m : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %x = tt.descriptor_load %a[%i, %c0, %c0] : !tt.tensordesc<1x4x16xELEMENT> -> tensor<4x16xELEMENT>
    %y = CAST %x : tensor<4x16xELEMENT> to tensor<4x16xf16>
    tt.descriptor_store %b[%i, %c4], %y : !tt.tensordesc<4x16xf16>, tensor<4x16xf16>
    %j = arith.addi %i, %c4 : i32
    scf.yield %j : i32
  }
  tt.return
}
"""


@pytest.mark.parametrize(
    ("element", "cast"), [("i8", "arith.sitofp"), ("i16", "arith.sitofp"), ("f32", "arith.truncf")]
)
def test_every_length(element: str, cast: str):
    text = KERNEL.replace("ELEMENT", element).replace("CAST", cast)
    module = parse_module(text, universe.context())
    after = module.clone()
    steps = make_steps(parse_pipeline("triton-intel-descriptor-versioning"))
    PassManager(universe.context(), steps).run(after)
    assert sum(op.name == "scf.while" for op in after.walk()) == 2
    for length in (1, 2, 3, 4, 6, 7, 8, 13, 16, 18, 20):
        verdict = check_equivalent(module, after, given={2: 9, 3: length}, count=1)
        assert verdict, verdict.render()
