"""
What each release of Triton writes for the layouts, types and ops of `ttg` and `ttng`.

The texts are those that the releases' own printers produce.
"""

from __future__ import annotations

import pytest

from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import Version
from xtriton.ir.writing.printer import print_module
from xtriton.universe import context

BLOCKED = "sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]"

LAYOUTS: list[dict[Version, str]] = [
    {
        (3, 2): f"#triton_gpu.blocked<{{{BLOCKED}}}>",
        (3, 9): f"#ttg.blocked<{{{BLOCKED}}}>",
    },
    {
        (3, 5): f"#ttg.blocked<{{{BLOCKED}, CTAsPerCGA = [1, 2], CTASplitNum = [1, 2], "
        "CTAOrder = [1, 0]}>",
        (3, 6): f"#ttg.blocked<{{{BLOCKED}, CGALayout = [[0, 1]]}}>",
    },
    {
        (3, 4): "#ttg.amd_mfma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [2, 2], "
        "instrShape = [16, 16], isTransposed = true}>",
        (3, 5): "#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, 16], "
        "isTransposed = true}>",
    },
    {
        (3, 5): "#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], tilesPerWarp = [1, 2], "
        "instrShape = [16, 16], isTransposed = true, elementType = f64}>",
        (3, 6): "#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, 16], "
        "isTransposed = true, tilesPerWarp = [1, 2], elementBitWidth = 64}>",
    },
    {
        (3, 5): "#ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, 2]}>",
        (3, 7): "#ttg.amd_wmma<{version = 2, isTranspose = true, "
        "ctaLayout = {warp = [[0, 1], [1, 0]]}}>",
    },
    {
        (3, 6): "#ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, 2], "
        "tilesPerWarp = [2, 2], instrShape = [16, 16, 32]}>",
        (3, 7): "#ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {register = "
        "[[0, 1], [1, 0]], warp = [[0, 2], [2, 0]]}, instrShape = [16, 16, 32]}>",
    },
    {
        (3, 2): "#triton_gpu.shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0], "
        "hasLeadingOffset = false}>",
        (3, 3): "#ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>",
    },
    {
        (3, 2): "#triton_gpu.shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [0, 1], "
        "hasLeadingOffset = true}>",
        (3, 3): "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, "
        "elementBitWidth = 16}>",
    },
    {
        (3, 7): "#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, "
        "CTASplitM = 2, twoCTAs = true>",
        (3, 8): "#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, "
        "CGALayout = [[1, 0]], twoCTAs = true>",
    },
]


def reprint(text: str, version: Version) -> str:
    return print_module(parse_module(text, context()), version=version)


@pytest.mark.parametrize("texts", LAYOUTS, ids=[next(iter(t.values()))[:24] for t in LAYOUTS])
def test_layout_of_each_release_reads_as_the_others(texts: dict[Version, str]):
    for written in texts.values():
        module = f"module attributes {{ttg.x = {written}}} {{\n}}"
        for version, expected in texts.items():
            assert expected in reprint(module, version)


def test_dot_async_of_3_1_is_warp_group_dot():
    text = """
#m = #triton_gpu.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#s = #triton_gpu.shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = true}>
tt.func @f(%a: !tt.memdesc<64x64xf16, #s>, %c: tensor<64x64xf32, #m>) {
  %0 = triton_nvidia_gpu.dot_async %a, %a, %c {inputPrecision = 0 : i32} : !tt.memdesc<64x64xf16, #s> * !tt.memdesc<64x64xf16, #s> -> tensor<64x64xf32, #m>
  %1 = triton_nvidia_gpu.dot_wait %0 {pendings = 0 : i32} : tensor<64x64xf32, #m>
  tt.return
}"""
    new = reprint(text, (3, 6))
    assert "%0 = ttng.warp_group_dot %arg0, %arg0, %arg1 {inputPrecision = 0 : i32, isAsync" in new
    assert "%1 = ttng.warp_group_dot_wait %0 {pendings = 0 : i32} : tensor<64x64xf32" in new
    assert "!ttg.memdesc<64x64xf16, #shared, #smem>" in new
    old = reprint(text, (3, 1))
    assert "triton_nvidia_gpu.dot_async %arg0, %arg0, %arg1" in old
    assert "triton_nvidia_gpu.dot_wait %0 {pendings = 0 : i32}" in old
    assert "!tt.memdesc<64x64xf16, #shared>" in old


OPS: list[tuple[str, str, dict[Version, str]]] = [
    ("%b: !tt.ptr<f16>", "ttg.barrier all", {(3, 6): "gpu.barrier", (3, 7): "ttg.barrier all"}),
    (
        "",
        "ttg.local_barrier",
        {
            (3, 5): "gpu.barrier",
            (3, 6): "ttg.local_barrier",
            (3, 9): "ttg.barrier local",
        },
    ),
    (
        "%t: !ttg.async.token",
        "%0 = ttg.async_commit_group tokens %t",
        {
            (3, 4): "ttg.async_commit_group %arg0",
            (3, 5): "ttg.async_commit_group tokens %arg0",
        },
    ),
    (
        "%b: !ttg.memdesc<1xi64, #s, #ttg.shared_memory, mutable>",
        "ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #s, #ttg.shared_memory, mutable>",
        {
            (3, 1): "triton_nvidia_gpu.init_barrier %arg0, 1 : <1xi64, #shared, mutable>",
            (3, 2): "triton_nvidia_gpu.init_barrier %arg0, 1 : <1xi64, #shared, ",
            (3, 9): "ttng.init_barrier %arg0, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>",
        },
    ),
    (
        "%p: tensor<64x!tt.ptr<f16>>, %b: !ttg.memdesc<64xf16, #s, #ttg.shared_memory, mutable>",
        "%0 = ttg.async_copy_global_to_local %p, %b cacheModifier = ca : "
        "tensor<64x!tt.ptr<f16>> -> <64xf16, #s, #ttg.shared_memory, mutable>",
        {
            (3, 8): "%arg0, %arg1 cacheModifier = ca : tensor<",
            (3, 9): "%arg0, %arg1 {cachePolicy = #tt.cache_policy<cache_modifier = ca, "
            "eviction_policy = evict_normal>} : tensor<",
        },
    ),
]

SHARED = "#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>\n"


@pytest.mark.parametrize(("arguments", "op", "texts"), OPS, ids=[op[:24] for _, op, _ in OPS])
def test_op_is_written_as_each_release_does(arguments: str, op: str, texts: dict[Version, str]):
    arguments = arguments.replace("%t", "%arg0").replace("%b", "%arg1", 1)
    if not arguments.startswith("%arg0") and "%p" not in arguments:
        arguments = arguments.replace("%arg1", "%arg0")
    names = {"%t": "%arg0", "%b": "%arg1" if "%p" in arguments else "%arg0", "%p": "%arg0"}
    arguments = arguments.replace("%p:", "%arg0:")
    for name, new in names.items():
        op = op.replace(name, new)
    module = f"{SHARED}tt.func @f({arguments}) {{\n  {op}\n  tt.return\n}}"
    for version, expected in texts.items():
        assert expected in reprint(module, version)


@pytest.mark.parametrize(
    ("attribute", "version"),
    [
        (
            "#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, 16, 16], "
            "isTransposed = true, tilesPerWarp = [1, 2]}>",
            (3, 4),
        ),
        (
            "#ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>",
            (3, 2),
        ),
        ("#ttg.padded_shared<[32:+4] {order = [1, 0]}>", (3, 9)),
    ],
)
def test_what_a_release_cannot_say_is_an_error(attribute: str, version: Version):
    module = parse_module(f"module attributes {{ttg.x = {attribute}}} {{\n}}", context())
    with pytest.raises(UserError, match="cannot be written in the syntax of Triton"):
        print_module(module, version=version)


def test_old_descriptors_need_no_other_sign_of_their_release() -> None:
    module = parse_module("tt.func @f(%a: !tt.memdesc<8x16xf32>) {\n  tt.return\n}", context())
    assert "!tt.memdesc<8x16xf32, #smem>" in print_module(module)
