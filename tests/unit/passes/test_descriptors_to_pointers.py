"""In which modules descriptors are rewritten: where there are some, wherever they come from."""

from __future__ import annotations

import pytest

from xtriton.ir.reading.parser import parse_module
from xtriton.transforms.triton.descriptor_rewriting import can_rewrite_descriptors
from xtriton.universe import context

NONE = """
tt.func @k(%p: !tt.ptr<f32>) {
  %x = tt.load %p : !tt.ptr<f32>
  tt.store %p, %x : !tt.ptr<f32>
  tt.return
}
"""
MADE = """
tt.func @k(%p: !tt.ptr<f32>, %n: i32, %i: i32) {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n], [%c1] : <f32>, <16xf32>
  %x = tt.descriptor_load %d[%i] : !tt.tensordesc<16xf32> -> tensor<16xf32>
  tt.return
}
"""
HANDED_IN = """
tt.func @k(%d: !tt.tensordesc<16xf32>, %i: i32) {
  %x = tt.descriptor_load %d[%i] : !tt.tensordesc<16xf32> -> tensor<16xf32>
  tt.return
}
"""
USED_OTHERWISE = """
tt.func @k(%d: !tt.tensordesc<16xf32>) {
  "test.uses"(%d) : (!tt.tensordesc<16xf32>) -> ()
  tt.return
}
"""


@pytest.mark.parametrize(
    ("text", "can"),
    [(NONE, False), (MADE, True), (HANDED_IN, True), (USED_OTHERWISE, False)],
    ids=["none", "made", "handed in", "used otherwise"],
)
def test_which_modules_are_rewritten(text: str, can: bool) -> None:
    module = parse_module(text, context(allow_unregistered=True))
    assert can_rewrite_descriptors(module) is can
