"""What a release cannot say is an error that names the op; what it can say is written."""

import pytest

from xtriton.errors import UserError
from xtriton.ir.parser import parse_module
from xtriton.ir.printer import print_module
from xtriton.ir.versions import Version
from xtriton.universe import context

DOT = """tt.func @f(%a: tensor<16x16xf32>) {
  %0 = tt.dot %a, %a, %a, inputPrecision = PRECISION : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return
}"""
LOAD = """tt.func @f(%p: !tt.ptr<f32>) {
  %0 = tt.load %p cacheModifier = cv : !tt.ptr<f32>
  tt.return
}"""
CAST = """tt.func @f(%a: tensor<8xf32>) {
  %0 = tt.fp_to_fp %a, rounding = rtne : tensor<8xf32> -> tensor<8xf8E4M3FN>
  tt.return
}"""
MAP = """tt.func @f(%a: tensor<8xf32>) {
  %0 = "tt.map_elementwise"(%a) <{pack = 1 : i32}> ({
  ^bb0(%x: f32):
    tt.map_elementwise.return %x : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}"""
WARPS = """tt.func @f() {
  ttg.warp_specialize()
  default {
    ttg.warp_yield
  } : () -> ()
  tt.return
}"""


@pytest.mark.parametrize(
    ("text", "last", "message"),
    [
        (DOT.replace("PRECISION", "bf16x3"), (3, 5), "has no 'bf16x3' as 'inputPrecision'"),
        (LOAD, (3, 1), "has no 'cv' as 'cache' of 'tt.load'"),
        (CAST, (3, 1), "'tt.fp_to_fp' of Triton 3.1 takes no f8E4M3FN"),
        (MAP, (3, 4), "has no 'tt.map_elementwise'"),
        (WARPS, (3, 2), "has no 'ttg.warp_specialize'"),
    ],
)
@pytest.mark.parametrize("generic", [False, True])
def test_last_release_that_cannot_say_it(
    text: str, last: Version, message: str, generic: bool
) -> None:
    module = parse_module(text, context())
    with pytest.raises(UserError) as raised:
        print_module(module, version=last, generic=generic)
    assert message in raised.value.message
    print_module(module, version=(last[0], last[1] + 1), generic=generic)


def test_other_values_of_an_enum_are_written() -> None:
    module = parse_module(DOT.replace("PRECISION", "tf32x3"), context())
    assert "tf32x3" in print_module(module, version=(3, 1))


def test_shared_layout_of_rank_three_before_it_had_a_rank() -> None:
    text = """#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16, rank = 3}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @f(%a: !ttg.memdesc<1x64x64xf16, #shared, #ttg.shared_memory>) {
    tt.return
  }
}"""
    old = print_module(parse_module(text, context()), version=(3, 4))
    assert "CTAsPerCGA = [1, 1, 1], CTASplitNum = [1, 1, 1], CTAOrder = [2, 1, 0]" in old
    assert "rank = 3" in print_module(parse_module(old, context()), version=(3, 6))


def test_transpose_of_a_buffer_had_the_name_of_a_tensor_s() -> None:
    text = """#a = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#b = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @f(%a: !ttg.memdesc<64x32xf16, #a, #ttg.shared_memory>) {
    %0 = ttg.memdesc_trans %a {order = array<i32: 1, 0>} : !ttg.memdesc<64x32xf16, #a, #ttg.shared_memory> -> !ttg.memdesc<32x64xf16, #b, #ttg.shared_memory>
    tt.return
  }
}"""
    module = parse_module(text, context())
    old = print_module(module, version=(3, 2))
    assert "= tt.trans %" in old
    new = print_module(parse_module(old, context()), version=(3, 6))
    assert new == print_module(module, version=(3, 6))


def test_floats_that_early_releases_do_not_know() -> None:
    module = parse_module("func.func private @f(f8E8M0FNU)", context())
    with pytest.raises(UserError, match=r"Triton 3\.1 has no f8E8M0FNU"):
        print_module(module, version=(3, 1))
