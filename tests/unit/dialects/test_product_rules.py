"""Rules of products on Hopper and Blackwell, one broken at a time."""

from collections.abc import Callable
from typing import Any

import pytest

Check = Callable[..., None]

SMEM = "#ttg.shared_memory"
TMEM = "#ttng.tensor_memory"


def nvmma(bits: int = 16, cga: str = "", transposed: bool = False) -> str:
    rest = f", CGALayout = {cga}" if cga else ""
    return (
        f"#ttg.nvmma_shared<{{swizzlingByteWidth = 32, transposed = {str(transposed).lower()}, "
        f"elementBitWidth = {bits}{rest}}}>"
    )


def tmem(
    block_m: int = 128, block_n: int = 128, stride: int = 1, cga: str = "", rest: str = ""
) -> str:
    cta = f", CGALayout = {cga}" if cga else ""
    return (
        f"#ttng.tensor_memory_encoding<blockM = {block_m}, blockN = {block_n}, "
        f"colStride = {stride}{cta}{rest}>"
    )


SWIZZLED = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"
PADDED, TWO = ", fp4Padded = true", ", twoCTAs = true"


def in_shared(shape: str, encoding: str) -> str:
    return f"!ttg.memdesc<{shape}, {encoding}, {SMEM}, mutable>"


def in_tensor(shape: str, encoding: str) -> str:
    return f"!ttg.memdesc<{shape}, {encoding}, {TMEM}, mutable>"


def function(
    arguments: str, line: str, ctas: int = 1, target: str = "cuda:100", warps: int = 4
) -> str:
    attributes = (
        f'"ttg.num-ctas" = {ctas} : i32, "ttg.num-warps" = {warps} : i32, '
        f'ttg.target = "{target}", "ttg.threads-per-warp" = 32 : i32'
    )
    return f"module attributes {{{attributes}}} {{\ntt.func @f({arguments}) {{\n{line}\ntt.return\n}}\n}}"


# --- ttng.tc_gen5_mma ----------------------------------------------------------------------

A, B = in_shared("128x64xf16", nvmma()), in_shared("64x128xf16", nvmma())
D = in_tensor("128x128xf32", tmem())


def product(a: str = A, b: str = B, d: str = D, ctas: int = 1, two: bool = False) -> str:
    line = f"ttng.tc_gen5_mma %a, %b, %d, %p, %p {'{two_ctas}' if two else ''} : {a}, {b}, {d}"
    return function(f"%a: {a}, %b: {b}, %d: {d}, %p: i1", line, ctas)


ROWS, COLUMNS, COPIES = "[[1, 0]]", "[[0, 1]]", "[[0, 0]]"
PRODUCTS = [
    (
        product(in_shared("128x64xi64", SWIZZLED)),
        "unsupported LHS operand dtype: 'i64'",
    ),
    (product(b=in_shared("64x128xi64", SWIZZLED)), "unsupported RHS operand dtype: 'i64'"),
    (
        product(
            in_shared("2x128x64xf16", nvmma()),
            in_shared("2x64x128xf16", nvmma()),
            in_tensor("2x128x128xf32", tmem()),
        ),
        "LHS operand must have a rank-2 tensor",
    ),
    (product(in_shared("128x64xf16", SWIZZLED)), "LHS operand must have a NVMMAShared or Tensor"),
    (product(b=in_shared("64x128xf16", SWIZZLED)), "RHS operand must have a NVMMAShared encoding"),
    (
        product(d=in_shared("128x128xf32", nvmma(32))),
        "Return operand must have a TensorMemory encoding",
    ),
    (product(d=in_tensor("128x128xf32", tmem(rest=PADDED))), "Accumulator must not be fp4_padded"),
    (
        product(in_tensor("128x64xf16", tmem(block_n=64, stride=2))),
        "The col stride of the LHS operand must be 1",
    ),
    (
        product(in_tensor("128x64xf16", tmem(block_n=64, rest=PADDED))),
        "fp4_padded tensor memory LHS is only supported by scaled MMA",
    ),
    (
        product(d=in_tensor("128x128xf16", tmem())),
        "The col stride of the return operand must be 32 / 16 but got 1",
    ),
    (
        product(b=in_shared("64x512xf16", nvmma()), d=in_tensor("128x512xf32", tmem(block_n=512))),
        "The block size of the return operand must be less than or equal to 256",
    ),
    (
        product(
            in_tensor("256x64xf16", tmem(64, 64)),
            in_shared("64x128xf16", nvmma()),
            in_tensor("256x128xf32", tmem(64, 64)),
        ),
        "does not support blockM=64 with interleaved blocks in TMEM layout",
    ),
    (
        product(
            in_shared("128x64xf16", nvmma(cga=COLUMNS)),
            in_shared("64x128xf16", nvmma(cga=COPIES)),
            in_tensor("128x128xf32", tmem(cga=COPIES)),
            2,
        ),
        "LHS CTASplit along K should be 1, but got 2",
    ),
    (
        product(
            in_shared("128x64xf16", nvmma(cga=COPIES)),
            in_shared("64x128xf16", nvmma(cga=ROWS)),
            in_tensor("128x128xf32", tmem(cga=COPIES)),
            2,
        ),
        "RHS CTASplit along K should be 1, but got 2",
    ),
    (
        product(
            in_shared("256x64xf16", nvmma(cga=ROWS)),
            in_shared("64x128xf16", nvmma(cga=COPIES)),
            in_tensor("256x128xf32", tmem(cga=ROWS, rest=TWO)),
            2,
            True,
        ),
        "twoCTA mode expects the first basis of the cga_layout of the RHS to be [0, 1]",
    ),
    (
        product(
            in_shared("256x64xf16", nvmma(cga=ROWS)),
            in_shared("64x512xf16", nvmma(cga=COLUMNS)),
            in_tensor("256x512xf32", tmem(block_n=256, cga=ROWS, rest=TWO)),
            2,
            True,
        ),
        "We don't allow to emit more than one mma instruction along N.",
    ),
    (
        product(
            in_shared("256x64xf16", nvmma(cga=ROWS)),
            in_shared("64x128xf16", nvmma(cga=COLUMNS)),
            in_tensor("256x128xf32", tmem(cga=ROWS)),
            2,
            True,
        ),
        "The returned value's encoding must have twoCTA=1 to be used in a twoCTA kernel",
    ),
    (
        product(
            in_tensor("256x64xf16", tmem(block_n=64, cga=ROWS)),
            in_shared("64x128xf16", nvmma(cga=COLUMNS)),
            in_tensor("256x128xf32", tmem(cga=ROWS, rest=TWO)),
            2,
            True,
        ),
        "The LHS operand's encoding must have twoCTA=1",
    ),
    (
        product(
            in_shared("256x64xf16", nvmma(cga=ROWS)),
            in_shared("64x256xf16", nvmma(cga=COPIES)),
            in_tensor("256x256xf32", tmem(cga=COLUMNS)),
            2,
        ),
        "expected block basis [128, 0] at result index 0, but got [0, 128]",
    ),
    (
        product(
            in_shared("256x64xf16", nvmma(cga=ROWS)),
            in_shared("64x256xf16", nvmma(cga=COLUMNS)),
            in_tensor("256x256xf32", tmem(cga=ROWS)),
            2,
        ),
        "expected block basis [128, 128] at result index 0, but got [128, 0]",
    ),
]


@pytest.mark.parametrize(("text", "message"), PRODUCTS)
def test_products(refuse: Check, text: str, message: str) -> None:
    refuse(text, message)


def test_sound_products(accept: Check) -> None:
    accept(product())
    accept(product(in_tensor("128x64xf16", tmem(block_n=64))))
    pair = in_tensor("256x128xf32", tmem(cga=ROWS, rest=TWO))
    operands = in_shared("256x64xf16", nvmma(cga=ROWS)), in_shared("64x128xf16", nvmma(cga=COLUMNS))
    accept(product(*operands, pair, 2, True))


# --- ttng.tc_gen5_mma_scaled ---------------------------------------------------------------

SCALES = "#ttng.tensor_memory_scales_encoding<>"
K_FIRST = "#ttng.tensor_memory_scales_encoding<blockRepOrder = kThenMn>"


def scales(
    encoding: str = SCALES, shape: str = "128x4", space: Callable[[str, str], str] = in_tensor
) -> str:
    return space(f"{shape}xf8E4M3FN", encoding)


def scaled(
    a: str = in_shared("128x64xf8E5M2", nvmma(8)),
    b: str = in_shared("64x128xf8E5M2", nvmma(8)),
    d: str = D,
    a_scale: str = scales(),
    b_scale: str = scales(),
    formats: tuple[str, str] = ("e5m2", "e5m2"),
    target: str = "cuda:100",
) -> str:
    line = (
        f"ttng.tc_gen5_mma_scaled %a, %b, %d, %sa, %sb, %p, %p lhs = {formats[0]} rhs = "
        f"{formats[1]} : {a}, {b}, {d}, {a_scale}, {b_scale}"
    )
    arguments = f"%a: {a}, %b: {b}, %d: {d}, %sa: {a_scale}, %sb: {b_scale}, %p: i1"
    return function(arguments, line, target=target)


PACKED: dict[str, Any] = {
    "a": in_shared("256x64xi8", nvmma(8)),
    "b": in_shared("64x256xi8", nvmma(8, transposed=True)),
    "d": in_tensor("256x256xf32", tmem()),
    "formats": ("e2m1", "e2m1"),
}
BIG = "256x8"
MIXED = ("e2m1", "e5m2")
WIDE = in_shared("128x128xf8E5M2", nvmma(8))
SCALED = [
    (
        scaled(d=in_shared("128x128xf32", nvmma(32))),
        "expected accumulator layout to be a TensorMemoryLayout",
    ),
    (scaled(d=in_tensor("128x128xf32", tmem(rest=PADDED))), "accumulator layout must not be fp4"),
    (
        scaled(in_shared("64x64xf8E5M2", nvmma(8)), d=in_tensor("64x128xf32", tmem(64))),
        "only supports instruction shape blockM=128",
    ),
    (
        scaled(in_tensor("128x64xf8E5M2", tmem(block_n=64)), formats=MIXED, b=WIDE),
        "expected e2m1 LHS operand to have i8 storage",
    ),
    (
        scaled(
            in_tensor("128x64xi8", tmem(block_n=64, rest=PADDED)),
            in_shared("64x128xi8", nvmma(8, transposed=True)),
            formats=("e2m1", "e2m1"),
        ),
        "can only use fp4_padded LHS when RHS is float8",
    ),
    (
        scaled(in_tensor("128x64xi8", tmem(block_n=64)), WIDE, formats=MIXED),
        "expected e2m1 LHS operand to be fp4_padded when RHS is float8",
    ),
    (
        scaled(
            in_tensor("128x64xf16", tmem(block_n=64)),
            in_shared("64x128xf16", nvmma()),
            formats=("fp16", "fp16"),
        ),
        "unsupported LHS operand type for scaled MMA",
    ),
    (
        scaled(in_tensor("128x64xf8E5M2", tmem(block_n=64)), formats=("e2m3", "e5m2")),
        "expected float8 LHS operand to have e4m3 or e5m2 format",
    ),
    (
        scaled(**PACKED, a_scale=scales(K_FIRST, BIG), b_scale=scales(SCALES, BIG)),
        "A scales in tensor memory must use #ttng.tensor_memory_scales_encoding<blockRepOrder = "
        "mnThenK>",
    ),
    (
        scaled(
            **PACKED,
            a_scale=scales(SCALES, BIG),
            b_scale=scales(SCALES, BIG),
            target="cuda:107",
        ),
        "A scales in tensor memory must use #ttng.tensor_memory_scales_encoding<blockRepOrder = "
        "kThenMn>",
    ),
    (
        scaled(**PACKED, a_scale=scales(tmem(block_n=8), BIG), b_scale=scales(SCALES, BIG)),
        "A scales in tensor memory must use #ttng.tensor_memory_scales_encoding",
    ),
]


@pytest.mark.parametrize(("text", "message"), SCALED)
def test_scaled_products(refuse: Check, text: str, message: str) -> None:
    refuse(text, message)


def test_sound_scaled_products(accept: Check) -> None:
    accept(scaled())
    accept(scaled(a_scale=scales(SWIZZLED, space=in_shared)))
    accept(scaled(in_tensor("128x64xi8", tmem(block_n=64, rest=PADDED)), WIDE, formats=MIXED))
    rubin = scaled(
        **PACKED, a_scale=scales(K_FIRST, BIG), b_scale=scales(SCALES, BIG), target="cuda:107"
    )
    accept(rubin)


# --- ttng.warp_group_dot -------------------------------------------------------------------

MMA = "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>"
HALF = "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>"


def dot_operand(width: int) -> str:
    return f"tensor<64x64xf16, #ttg.dot_op<{{opIdx = 0, parent = {MMA}, kWidth = {width}}}>>"


def group(
    a: str = in_shared("64x64xf16", nvmma()),
    b: str = in_shared("64x64xf16", nvmma()),
    shape: str = "64x64",
    rest: str = "",
    mma: str = MMA,
    warps: int = 4,
) -> str:
    d = f"tensor<{shape}xf32, {mma}>"
    line = f"%0 = ttng.warp_group_dot %a, %b, %d {rest} : {a} * {b} -> {d}"
    return function(f"%a: {a}, %b: {b}, %d: {d}", line, warps=warps)


BATCH = in_shared("2x64x64xf16", nvmma().replace("}>", ", rank = 3}>"))
GROUPS = [
    (group(mma=MMA.replace("4, 1", "2, 1"), warps=2), "num_warps to be divisible by 4"),
    (
        group(BATCH, BATCH, "2x64x64", mma=MMA.replace("4, 1", "1, 4, 1").replace("[16", "[1, 16")),
        "WGMMA result shape must be 2D",
    ),
    (group(in_shared("64x64xf16", SWIZZLED)), "WGMMA A operand must have NVMMA shared or dot"),
    (group(b=in_shared("64x64xf16", SWIZZLED)), "WGMMA B operand must have NVMMA shared layout"),
    (group(in_shared("32x64xf16", nvmma()), shape="32x64"), "M dimension must be divisible by 64"),
    (group(b=in_shared("64x4xf16", nvmma(transposed=True)), shape="64x4"), "N dimension must be"),
    (
        group(in_shared("64x64xf8E5M2", nvmma(8)), in_shared("64x64xf8E5M2", nvmma(8))),
        "Cannot use F32 as the accumulator element type when the max_num_imprecise_acc",
    ),
    (group(dot_operand(4)), "in-register LHS operand must have a kWidth of 2 but got 4"),
    (
        group(in_shared("64x32xf16", nvmma())),
        "expected the last dimension of the first operand to be equal to the",
    ),
]


@pytest.mark.parametrize(("text", "message"), GROUPS)
def test_products_of_a_warp_group(refuse: Check, text: str, message: str) -> None:
    refuse(text, message)


def test_sound_products_of_a_warp_group(accept: Check) -> None:
    accept(group())
    accept(group(dot_operand(2)))
    accept(
        group(
            in_shared("64x64xf8E5M2", nvmma(8)),
            in_shared("64x64xf8E5M2", nvmma(8)),
            rest="{maxNumImpreciseAcc = 32 : i32}",
        )
    )
