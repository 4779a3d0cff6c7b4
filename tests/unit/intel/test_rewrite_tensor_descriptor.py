"""Descriptors to pointers for Intel: rows in runs, rounding to tf32."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.dialects.tt.memory import StoreOp
from xtriton.interpreter import run
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.transforms.triton.pointer_tensors import InsertionPoint
from xtriton.transforms.triton.tf32_rounding import rounded

ROWS = """
tt.func public @f(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %m: i32, %k: i32, %i: i32, %j: i32) {
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %k], [%c64, %c1] {padding = 2 : i32} : <f16>, <1x16xf16>
  %e = tt.make_tensor_descriptor %q, [%m, %k], [%c64, %c1] : <f16>, <1x16xf16>
  MAKE
  %x = tt.descriptor_gather %d[%rows, %j] : (!tt.tensordesc<1x16xf16>, tensor<8xi32>, i32) -> tensor<8x16xf16>
  tt.descriptor_scatter %e[%rows, %j], %x : !tt.tensordesc<1x16xf16>, tensor<8xi32>, i32, tensor<8x16xf16>
  tt.return
}
"""
RANGE = """
  %range = tt.make_range {start = 3 : i32, end = 11 : i32} : tensor<8xi32>
  %is = tt.splat %i : i32 -> tensor<8xi32>
  %rows = arith.addi %is, %range : tensor<8xi32>
"""
RUNS = ([8, 9, 10, 11, 3, 4, 5, 6], [6, 7, 8, 9, 1, 2, 3, 4], [-2, -1, 9, 10, 4, 5, 0, 1],
        list(range(2, 10)))  # fmt: skip


def rewritten(module: ModuleOp) -> ModuleOp:
    copy = module.clone()
    steps = make_steps(parse_pipeline("triton-intel-rewrite-tensor-descriptor-to-pointer"))
    PassManager(universe.context(), steps).run(copy)
    return copy


def constant(rows: list[int]) -> str:
    return f"%rows = arith.constant dense<{rows}> : tensor<8xi32>"


@pytest.mark.parametrize("make", [RANGE, *map(constant, RUNS)])
def test_rows_in_runs(make: str):
    module = parse_module(ROWS.replace("MAKE", make), universe.context())
    after = rewritten(module)
    names = {op.name for op in after.walk()}
    assert {"tt.descriptor_load", "tt.descriptor_store"} <= names
    assert not names & {"tt.descriptor_gather", "tt.descriptor_scatter"}
    # Blocks that are inside, and that stick out on each side.
    for first, column in product((0, -5, 7), (0, -3, 9)):
        given = {2: 12, 3: 20, 4: first, 5: column}
        verdict = check_equivalent(module, after, given=given, count=1)
        assert verdict, verdict.render()


COPY = """
tt.func public @f(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %pi = tt.addptr %ps, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %qi = tt.addptr %qs, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %x = tt.load %pi : tensor<1024x!tt.ptr<f32>>
  tt.store %qi, %x : tensor<1024x!tt.ptr<f32>>
  tt.return
}
"""


def test_rounding_to_tf32():
    module = parse_module(COPY, universe.context())
    (store,) = [op for op in module.walk() if isinstance(op, StoreOp)]
    store.operands[1] = rounded(store.operands[1], InsertionPoint(store).add)
    low = np.array([0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF, 0x2000, 0x2FFF, 0x3000, 0x3001], np.uint32)
    high = np.arange(0, 1 << 32, 1 << 26, dtype=np.uint64).astype(np.uint32)
    special = np.array([0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00001, 0x007FFFFF], np.uint32)
    bits = np.resize(np.concatenate([special, np.add.outer(high, low).ravel()]), 1024)
    kept, dropped = bits & np.uint32(0xFFFFE000), bits & np.uint32(0x1FFF)
    is_odd = (bits >> np.uint32(13)) & np.uint32(1) == 1
    up = (dropped > 0x1000) | ((dropped == 0x1000) & is_odd)
    finite = bits & np.uint32(0x7F800000) != 0x7F800000
    expected = np.where(finite, kept + np.where(up, np.uint32(0x2000), np.uint32(0)), bits)
    result = np.zeros(1024, np.float32)
    run(module, 1, [bits.view(np.float32), result])
    assert (result.view(np.uint32) == expected).all()
