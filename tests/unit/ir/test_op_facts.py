"""What is dead and what ops read, also where that depends on the types of their operands."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.transforms.dead_code_elimination import would_be_trivially_dead

from xtriton.ir.op_facts import is_dead, reads_of, would_be_dead
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context

KERNEL = """
func.func @f(%c: i1, %x: f32, %m: memref<4xf32>, %t: tensor<4xf32>) {
  %used = arith.addf %x, %x : f32
  %unused = arith.addf %used, %x : f32
  %filled = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  scf.if %c {
    linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  }
  scf.if %c {
    %inside = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  }
  return
}
"""


@pytest.fixture
def ops() -> list[Operation]:
    module: ModuleOp = parse_module(KERNEL, context())
    return list(next(iter(module.body.block.ops)).regions[0].block.ops)


def test_ops_would_be_dead_as_in_xdsl(ops: list[Operation]) -> None:
    assert [would_be_dead(op) for op in ops] == [would_be_trivially_dead(op) for op in ops]
    assert [op.name for op in ops if not would_be_dead(op)] == [
        "linalg.fill",
        "memref.copy",
        "scf.if",
        "func.return",
    ]


def test_only_ops_that_nobody_uses_are_dead(ops: list[Operation]) -> None:
    used, unused = ops[:2]
    assert would_be_dead(used)
    assert not is_dead(used)
    assert is_dead(unused)


def test_what_writes_does_not_read_alone(ops: list[Operation]) -> None:
    for op in ops[:-1]:
        assert (reads_of(op) is None) == (not would_be_dead(op))
    assert reads_of(ops[0]) == frozenset()
