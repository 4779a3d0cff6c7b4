"""Rules of tensor memory, of products into it and of transfers, one broken at a time."""

from collections.abc import Callable

import pytest

Check = Callable[..., None]

HEADER = """#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#wide = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, rank = 3}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#old = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#rows = #ttg.blocked<{sizePerThread = [1, 128], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
"""
SMEM = "#ttg.shared_memory"
TMEM = "#ttng.tensor_memory"


def function(arguments: str, line: str) -> str:
    attributes = (
        '"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32'
    )
    return f"{HEADER}module attributes {{{attributes}}} {{\ntt.func @f({arguments}) {{\n{line}\ntt.return\n}}\n}}"


def attribute(text: str) -> str:
    return f"module attributes {{test.layout = {text}}} {{}}"


def shared(shape: str, encoding: str = "#nvmma", mutable: bool = True) -> str:
    return f"!ttg.memdesc<{shape}, {encoding}, {SMEM}{', mutable' if mutable else ''}>"


def tensor_memory(
    shape: str, encoding: str = "#tmem", mutable: bool = True, alloc: str = ""
) -> str:
    rest = (", mutable" if mutable else "") + (f", {alloc}" if alloc else "")
    return f"!ttg.memdesc<{shape}, {encoding}, {TMEM}{rest}>"


def encoding(block_m: int = 128, block_n: int = 128, stride: int = 1, rest: str = "") -> str:
    return (
        f"#ttng.tensor_memory_encoding<blockM = {block_m}, blockN = {block_n}, "
        f"colStride = {stride}{rest}>"
    )


ENCODINGS = [
    (encoding(block_m=32), "blockM must be 64 or 128 but got 32"),
    (encoding(block_n=48), "blockN must be a power of 2 but got 48"),
    (encoding(block_n=1024), "blockN must be less than or equal to 512 but got 1024"),
    (encoding(stride=3), "colStride must be 1, 2, or 4 but got 3"),
    (encoding(stride=2, rest=", fp4Padded = true"), "requires colStride 1 but got 2"),
    ("#ttng.redOp<sum>", "expected redOp to be one of: min, max"),
]


@pytest.mark.parametrize(("text", "message"), ENCODINGS)
def test_encodings(refuse: Check, text: str, message: str) -> None:
    refuse(attribute(text), message)


BUFFERS = [
    (tensor_memory("2x2x128x128xf32"), "rank must be 2 or 3"),
    (f"!ttg.memdesc<128x128xf32, #tmem, {SMEM}>", "memorySpace must be TensorMemorySpace"),
    (tensor_memory("128x128xi1"), "element type bit width must be at least 8; got 1"),
    (
        tensor_memory("128x128xf32", encoding(stride=2)),
        "bitwidth * colStride must be less than or equal to 32. Got 32 and 2",
    ),
    (f"!ttg.memdesc<128x4xi8, #scales, {SMEM}>", "memorySpace must be TensorMemorySpace"),
    (tensor_memory("2x128x4xi8", "#scales"), "scale descriptors must have rank 2; got 3"),
    (
        tensor_memory("128x4xi8", "#scales", alloc="2x128x4"),
        "Scales don't currently support multibuffering",
    ),
    (tensor_memory("128x4xi16", "#scales"), "bitwidth must be 8"),
]


@pytest.mark.parametrize(("type", "message"), BUFFERS)
def test_types_of_buffers(refuse: Check, type: str, message: str) -> None:
    refuse(function(f"%a: {type}", ""), message)


def product(result: str, encoding: str = "#mma") -> str:
    d = f"tensor<{result}xf32, {encoding}>"
    a = shared("64x64xf16")
    line = f"%0 = ttng.warp_group_dot %a, %a, %d : {a} * {a} -> {d}"
    return function(f"%a: {a}, %d: {d}", line)


def test_products_of_a_warp_group(refuse: Check, accept: Check) -> None:
    accept(product("64x64"))
    refuse(product("64x64", "#old"), "WGMMA result layout must be Hopper NVMMA")
    nothing = '"ttng.warp_group_dot_wait"() <{pendings = 0 : i32}> : () -> ()'
    refuse(function("", nothing), "expected to be waiting on at least one dependency")


A, D, BARRIER = shared("128x128xf16"), tensor_memory("128x128xf32"), shared("1xi64", "#line")
BARRIERS = [
    (
        f"ttng.tc_gen5_mma %a, %a, %d, %p, %p, %b[%p] : {A}, {A}, {D}, {BARRIER}",
        "The op is synchronous but a barrier is present.",
    ),
    (
        f"ttng.tc_gen5_commit %b descs %a, %a, %a, %a, %a : {BARRIER}, {A}, {A}, {A}, {A}, {A}",
        "expected 0 to 4 descriptors, got 5",
    ),
    (
        f"ttng.arrive_barrier %b, 1 {{fromCTA = 0 : i32, multicastCTA = 3 : i32}} : {BARRIER}",
        "multicast",
    ),
]


@pytest.mark.parametrize(("line", "message"), BARRIERS)
def test_completion(refuse: Check, line: str, message: str) -> None:
    refuse(function(f"%a: {A}, %d: {D}, %p: i1, %b: {BARRIER}", line), message)


def test_sound_product(accept: Check) -> None:
    line = f"ttng.tc_gen5_mma %a, %a, %d, %p, %p, %b[%p] {{is_async}} : {A}, {A}, {D}, {BARRIER}"
    accept(function(f"%a: {A}, %d: {D}, %p: i1, %b: {BARRIER}", line))


def copy(coordinates: int, descriptor: str, result: str, offsets: str = "") -> str:
    indices = ", ".join(["%i"] * coordinates)
    between = f" offsets = [{offsets}]" if offsets else ""
    line = (
        f"ttng.async_tma_copy_global_to_local %d[{indices}]{between} %a, %b, %p : {descriptor}, "
        f"{BARRIER} -> {result}"
    )
    arguments = f"%d: {descriptor}, %i: i32, %o: i16, %a: {result}, %b: {BARRIER}, %p: i1"
    return function(arguments, line)


TILE, BUFFER = "!tt.tensordesc<64x64xf16, #nvmma>", shared("64x64xf16")
IMAGE = "!ttng.tensordesc_im2col<64x64xf16, #nvmma>"
COPIES = [
    (copy(0, TILE, BUFFER), "TMA copies must have between 1 and 5 coordinates"),
    (copy(2, TILE, BUFFER, "%o"), "TILED mode does not support offsets"),
    (copy(6, IMAGE, BUFFER, "%o, %o, %o, %o"), "IM2COL mode supports at most 5D coordinates"),
    (copy(4, IMAGE, BUFFER, "%o"), "IM2COL mode with 4D coordinates requires 2 offsets, but got 1"),
    (
        copy(2, "!tt.tensordesc<64x64xf16, #turned>", shared("64x64xf16", "#turned")),
        "TMA descriptor layout must not be transposed",
    ),
]


@pytest.mark.parametrize(("text", "message"), COPIES)
def test_copies(refuse: Check, text: str, message: str) -> None:
    refuse(text, message)


def test_sound_copies(accept: Check) -> None:
    accept(copy(2, TILE, BUFFER))
    accept(copy(4, IMAGE, BUFFER, "%o, %o"))


ROWS = "tensor<128x128xf32, #rows>"
MEMORY = [
    (
        f"%d: {tensor_memory('128x128xf32', mutable=False)}, %x: {ROWS}, %p: i1",
        f"ttng.tmem_store %x, %d, %p : {ROWS} -> {tensor_memory('128x128xf32', mutable=False)}",
        "Cannot store into an immutable alloc",
    ),
    (
        f"%d: {D}",
        f"%0 = ttng.tmem_load %d {{redOp = #ttng.redOp<min>}} : {D} -> {ROWS}",
        "redOp is set but 'red' result is not present",
    ),
    (
        f"%d: {D}",
        f"%0 = ttng.tmem_load %d {{abs = true}} : {D} -> {ROWS}",
        "'abs' requires 'redOp' to be set",
    ),
]


@pytest.mark.parametrize(("arguments", "line", "message"), MEMORY)
def test_accesses(refuse: Check, arguments: str, line: str, message: str) -> None:
    refuse(function(arguments, line), message)


def packed(kind: str, operands: list[str], result: str) -> str:
    names = ", ".join(f"%x{i}" for i in range(len(operands)))
    arguments = ", ".join(f"%x{i}: {type}" for i, type in enumerate(operands))
    line = f"%0 = ttng.packed_arith {kind} {names} : ({', '.join(operands)}) -> {result}"
    return function(arguments, line)


def on_rows(element: str, shape: str = "128x128", encoding: str = "#rows") -> str:
    return f"tensor<{shape}x{element}, {encoding}>"


PACKED = [
    (packed("add", [on_rows("bf16")] * 2, on_rows("i64")), "result #0 must be ranked tensor of"),
    (packed("add", [on_rows("bf16"), on_rows("i64")], on_rows("bf16")), "operand #1 must be"),
    (packed("max", ["tensor<128xbf16>"] * 2, "tensor<128xbf16>"), "a distributed tensor layout"),
]


@pytest.mark.parametrize(("text", "message"), PACKED)
def test_packed_arithmetic(refuse: Check, text: str, message: str) -> None:
    refuse(text, message)
