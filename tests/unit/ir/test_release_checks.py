"""What a release cannot say is an error that names the op; what it can say is written."""

import pytest

from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import Version
from xtriton.ir.writing.printer import print_module
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


MEMDESC = "!ttg.memdesc<128x128xf16, #shared, #ttg.shared_memory, mutable>"
BARRIER = "!ttg.memdesc<1xi64, #shared1, #ttg.shared_memory, mutable>"
TMEM = "!ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>"
HEADER = """#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mfma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [16, 16, 16], isTransposed = true}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, unpacked = true>
#tmem1 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1, fp4Padded = true>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
"""
PARTS_OF_OPS = [
    ("%c: i1", 'tt.assert %c, "no" : i1', (3, 1), "has no scalar condition"),
    ("%x: f32", "%0 = tt.fp_to_fp %x, rounding = rtne : f32 -> f16", (3, 2), "no scalar operand"),
    (
        f"%a: {MEMDESC}, %d: tensor<128x128xf32, #mma>, %u: i1",
        f"%0 = ttng.warp_group_dot %a, %a, %d, %u {{isAsync = true}} : {MEMDESC} * {MEMDESC}"
        " -> tensor<128x128xf32, #mma>",
        (3, 1),
        "has no 'useC'",
    ),
    (
        f"%a: {MEMDESC}, %d: tensor<128x128xf32, #mma>",
        f"%0 = ttng.warp_group_dot %a, %a, %d : {MEMDESC} * {MEMDESC} -> tensor<128x128xf32, #mma>",
        (3, 1),
        "is always asynchronous",
    ),
    (
        f"%a: {MEMDESC}, %d: {TMEM}, %u: i1, %t: !ttg.async.token",
        f"%0 = ttng.tc_gen5_mma %a, %a, %d[%t], %u, %u : {MEMDESC}, {MEMDESC}, {TMEM}",
        (3, 3),
        "'ttng.tc_gen5_mma' of Triton 3.3 has no",
    ),
    (
        f"%b: {BARRIER}, %a: {MEMDESC}",
        f"ttng.tc_gen5_commit %b descs %a : {BARRIER}, {MEMDESC}",
        (3, 6),
        "has no 'descs'",
    ),
    (
        f"%d: !tt.tensordesc<128x128xf16, #shared>, %i: i32, %b: {BARRIER}, %a: {MEMDESC}, %p: i1",
        "ttng.async_tma_copy_global_to_local %d[%i, %i] %a, %b, %p : "
        f"!tt.tensordesc<128x128xf16, #shared>, {BARRIER} -> {MEMDESC}",
        (3, 3),
        "has no descriptor",
    ),
    ("%d: !tt.tensordesc<128x128xf16>", "", (3, 2), "Triton 3.2 has no !tt.tensordesc"),
    ("%x: tensor<16x16xf32, #mfma>", "", (3, 2), "#ttg.amd_mfma of version 4"),
    ("%a: " + TMEM.replace("#tmem", "#tmem1"), "", (3, 7), "fp4Padded of tensor memory"),
    (
        "%a: !ttg.memdesc<64x128xf16, #shared, #ttg.shared_memory, mutable, 128x128>",
        "",
        (3, 2),
        "a buffer that is part of another",
    ),
]


@pytest.mark.parametrize(("arguments", "line", "last", "message"), PARTS_OF_OPS)
def test_part_of_an_op(arguments: str, line: str, last: Version, message: str) -> None:
    text = f"{HEADER}tt.func @f({arguments}) {{\n{line}\ntt.return }} }}"
    module = parse_module(text, context())
    with pytest.raises(UserError) as raised:
        print_module(module, version=last)
    assert message in raised.value.message
    print_module(module, version=(last[0], last[1] + 1))


def test_products_of_blackwell_with_all_types_listed() -> None:
    text = f"""{HEADER}tt.func @f(%a: {MEMDESC}, %d: {TMEM}, %u: i1) {{
  ttng.tc_gen5_mma %a, %a, %d, %u, %u : {MEMDESC}, {MEMDESC}, {TMEM}
  tt.return
}} }}"""
    module = parse_module(text, context())
    old = print_module(module, version=(3, 3))
    assert "mutable>, i1, i1) -> ()" in old
    assert print_module(parse_module(old, context()), version=(3, 7)) == print_module(
        module, version=(3, 7)
    )


def test_copy_to_tensor_memory_lost_its_barrier() -> None:
    text = f"""{HEADER}tt.func @f(%a: {MEMDESC}, %d: {TMEM}, %b: {BARRIER}) {{
  ttng.tmem_copy %a, %d, %b : {MEMDESC}, {TMEM}, {BARRIER}
  tt.return
}} }}"""
    module = parse_module(text, context())
    print_module(module, version=(3, 7))
    with pytest.raises(UserError, match=r"'ttng\.tmem_copy' of Triton 3\.8 has no 'barrier'"):
        print_module(module, version=(3, 8))


def test_barrier_of_a_block_has_a_new_name() -> None:
    module = parse_module("nvvm.barrier0", context())
    assert "nvvm.barrier0" in print_module(module)
    assert "  nvvm.barrier\n" in print_module(module, version=(3, 8))


def test_early_releases_cannot_take_the_next_line_for_a_token() -> None:
    module = parse_module("tt.func @f() {\n%0 = ttg.async_commit_group\ntt.return }", context())
    old = print_module(module, version=(3, 2))
    assert "triton_gpu.async_commit_group {}\n" in old
    again = print_module(parse_module(old, context()), version=(3, 9))
    assert again == print_module(module, version=(3, 9))
