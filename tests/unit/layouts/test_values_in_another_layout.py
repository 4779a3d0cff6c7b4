"""What exists in another layout is used only where it does."""

import pytest

from xtriton.dialects.ttg.layout_ops import ConvertLayoutOp
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.transforms.triton_gpu.layout_conversions.rematerialization import Rematerialization
from xtriton.transforms.triton_gpu.layout_conversions.target import Target
from xtriton.transforms.triton_gpu.retyping import layout_of_value
from xtriton.universe import context

BLOCKED = (
    "ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"
)
OTHER = BLOCKED.replace("[1], t", "[4], t")
MODULE = f"""
#b = #{BLOCKED}
#c = #{OTHER}
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func @f() -> (tensor<128xf32, #c>, tensor<128xf32, #c>) {{
    %r = tt.make_range {{end = 128 : i32, start = 0 : i32}} : tensor<128xi32, #b>
    %v = arith.sitofp %r : tensor<128xi32, #b> to tensor<128xf32, #b>
    EARLY
    %w = math.exp2 %v : tensor<128xf32, #b>
    LATE
    %y = ttg.convert_layout %w : tensor<128xf32, #b> -> tensor<128xf32, #c>
    tt.return %x, %y : tensor<128xf32, #c>, tensor<128xf32, #c>
  }}
}}
"""
CONVERSION = "%x = ttg.convert_layout %v : tensor<128xf32, #b> -> tensor<128xf32, #c>"


@pytest.mark.parametrize(("place", "copies"), [("EARLY", 1), ("LATE", 2)])
def test_a_conversion_behind_the_use_is_not_used(place: str, copies: int):
    text = MODULE.replace(place, CONVERSION).replace("EARLY", "").replace("LATE", "")
    module = parse_module(text, context())
    function = next(op for op in module.walk() if op.name == "tt.func")
    of_v, of_w = [op for op in module.walk() if isinstance(op, ConvertLayoutOp)]
    layout = layout_of_value(of_v.result)
    owner = Rematerialization(function, Target())
    owner.remember(of_v.src, layout, of_v.result)
    found = owner.rematerialisable_slice((of_w, 0), layout)
    assert found is not None
    owner.rewrite(of_w, found, {})
    owner.cleanup()
    verify(module)
    assert sum(op.name == "arith.sitofp" for op in module.walk()) == copies
