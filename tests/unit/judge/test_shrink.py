"""Shrinking keeps the difference and drops the rest."""

from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.judge.shrink import shrink

TEXT = """
tt.func @f(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %c1 = arith.constant 1 : i32
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %b = tt.splat %n : i32 -> tensor<8xi32>
  %mask = arith.cmpi slt, %range, %b : tensor<8xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %px = tt.addptr %xs, %range : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %v = tt.load %px, %mask : tensor<8x!tt.ptr<f32>>
  %e = math.exp %v : tensor<8xf32>
  %w = arith.divf %e, %v : tensor<8xf32>
  %s = arith.subf %w, %v : tensor<8xf32>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %py = tt.addptr %ys, %range : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %py, %e, %mask : tensor<8x!tt.ptr<f32>>
  %far = tt.splat %n : i32 -> tensor<8xi32>
  %pz = tt.addptr %py, %far : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %pz, %s, %mask : tensor<8x!tt.ptr<f32>>
  tt.return
}
"""


def swap_subtractions(module: ModuleOp) -> ModuleOp:
    """A pass with a bug."""
    broken = module.clone()
    for op in broken.walk():
        if op.name == "arith.subf":
            op.operands[0], op.operands[1] = op.operands[1], op.operands[0]
    return broken


def test_a_small_kernel_remains() -> None:
    module = parse_module(TEXT, universe.context())

    def differs(candidate: ModuleOp) -> bool:
        return not check_equivalent(candidate, swap_subtractions(candidate), count=1)

    assert differs(module)
    small = shrink(module, differs, seconds=20)
    names = [op.name for op in small.walk()]
    assert differs(small)
    assert names.count("arith.subf") == 1
    assert names.count("tt.store") == 1
    assert "math.exp" not in names
    assert len(names) <= 12 < len(list(module.walk()))
