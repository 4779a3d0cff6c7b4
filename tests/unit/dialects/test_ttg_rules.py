"""Rules of layouts, buffers and warp groups, one broken at a time."""

from collections.abc import Callable

import pytest

Check = Callable[..., None]
EARLY = (3, 2)


def attribute(text: str) -> str:
    return f"module attributes {{test.layout = {text}}} {{}}"


def function(arguments: str, line: str, attributes: str = '"ttg.num-warps" = 4 : i32') -> str:
    return f"module attributes {{{attributes}}} {{\ntt.func @f({arguments}) {{\n{line}\ntt.return\n}}\n}}"


BLOCKED = (
    "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], "
    "order = [1, 0]"
)
LINE = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"
SWIZZLED = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]"
FLAT = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>"
MFMA = "#ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [SHAPE], isTransposed = true"
WMMA = (
    "#ttg.amd_wmma<{version = VERSION, isTranspose = false, ctaLayout = {warp = [[1, 0], [2, 0]]}}>"
)
WMMA3 = (
    "#ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {warp = [[1, 0], [2, 0]]}, "
    "instrShape = [16, 16, 32]}>"
)
MMA = "#ttg.nvidia_mma<{versionMajor = VERSION, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>"
SMEM = "#ttg.shared_memory"


def mma(version: int) -> str:
    return MMA.replace("VERSION", str(version))


def dot_operand(parent: str, index: int = 0, k_width: int | None = None) -> str:
    width = "" if k_width is None else f", kWidth = {k_width}"
    return f"#ttg.dot_op<{{opIdx = {index}, parent = {parent}{width}}}>"


def split(per_cga: str, split_num: str, order: str) -> str:
    lists = f"CTAsPerCGA = [{per_cga}], CTASplitNum = [{split_num}], CTAOrder = [{order}]"
    return f"{SWIZZLED}, {lists}}}>"


LAYOUTS = [
    (f"{BLOCKED}, CGALayout = 1}}>", "expected array value for 'CGALayout'"),
    (
        split("1", "1, 1", "1, 0"),
        "CTAsPerCGA, CTASplitNum, and CTAOrder must all have the same rank",
    ),
    (split("1, 1", "1, 1", "0, 0"), "CTAOrder must be a permutation of 0..(rank-1)"),
    (split("0, 1", "1, 1", "1, 0"), "Every element in CTAsPerCGA must be greater than 0."),
    (split("3, 1", "1, 1", "1, 0"), "every element in CTAsPerCGA must be a power of two"),
    (split("1", "1", "0"), "must match CGALayout rank"),
    (
        BLOCKED.replace("order = [1, 0]", "order = [1, 0, 2]") + "}>",
        "must all have the same rank",
    ),
    (
        f"{BLOCKED}, CTAsPerCGA = [1], CTASplitNum = [1], CTAOrder = [0]}}>",
        "BlockedEncodingAttr and CGALayout's fields must have the same rank.",
    ),
    (f"#ttg.slice<{{dim = 0, parent = {FLAT}}}>", "expected a distributed encoding trait"),
    (f"#ttg.slice<{{dim = 0, parent = {LINE}}}>", "parent layout must have at least rank >= 2"),
    (dot_operand(FLAT), "ttg.dot_op unexpected parent layout"),
    (dot_operand(LINE, 0, 2), "kWidth parameter is not supported when the parent is a blocked"),
    (dot_operand(mma(2)), "kWidth parameter is mandatory for Ampere or Hopper MMA parent"),
    (dot_operand(mma(1), 0, 2), "kWidth parameter can only be non-zero for Ampere or Hopper MMA"),
    (dot_operand(mma(3), 1, 2), "opIdx parameter must be 0 for Hopper MMA parent"),
    (
        dot_operand(MFMA.replace("SHAPE", "32, 32, 8") + "}>"),
        "kWidth parameter is mandatory for MFMA",
    ),
    (dot_operand(WMMA.replace("VERSION", "1"), 0, 4), "kWidth parameter must be 8/16 for WMMA v1"),
    (
        dot_operand(WMMA.replace("VERSION", "2"), 0, 2),
        "kWidth parameter must be 4/8/16 for WMMA v2",
    ),
    (dot_operand(WMMA3), "kWidth parameter is mandatory for WMMA v3"),
    (
        MFMA.replace("SHAPE", "16, 16, 16") + ", elementBitWidth = 16}>",
        "elementBitWidth must be 32 or 64",
    ),
    (MFMA.replace("SHAPE", "16, 8, 16") + "}>", "invalid (mDim, nDim) combination: (16, 8)"),
    (
        "#ttg.padded_shared<[32:+3] {order = [1, 0], shape = [64, 64]}>",
        "padding values must all be",
    ),
    (
        "#ttg.padded_shared<[32:+4, 32:+8] {order = [1, 0], shape = [64, 64]}>",
        "interval values cannot have duplicates",
    ),
    (
        "#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64], foo = 1}>",
        'Unexpected attribute "foo" found',
    ),
    (
        "#ttg.shared_linear<{offset = [[0, 1], [1, 0]]}, alignment = 3>",
        "alignment must be a positive",
    ),
    (
        f"#ttg.partitioned_shared<{{numPartitions = 3, numGroups = 4, partitionDim = 0, partitionLayout = {FLAT}}}>",
        "numPartitions must be a power of 2 and at least 2",
    ),
    (
        f"#ttg.partitioned_shared<{{numPartitions = 2, numGroups = 3, partitionDim = 0, partitionLayout = {FLAT}}}>",
        "numGroups must be a power of 2 and greater than 0",
    ),
    (
        f"#ttg.partitioned_shared<{{numPartitions = 2, numGroups = 4, partitionDim = 0, partitionLayout = {LINE}}}>",
        "partitionLayout must be a SharedEncodingTrait",
    ),
    (
        f"#ttg.partitioned_shared<{{numPartitions = 2, numGroups = 4, partitionDim = 1, partitionLayout = {FLAT}}}>",
        "partitionDim (1) must be less than the layout rank (1)",
    ),
    (
        "#ttg.shared<{vec = 3, perPhase = 1, maxPhase = 8, order = [1, 0], hasLeadingOffset = true}>",
        "has a leading offset",
    ),
    (
        "#ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = 3, elementBitWidth = 16}>",
        "expected a bool type in transposed",
    ),
    ("#ttg.linear<{register = 1, lane = [], warp = [], block = []}>", "Expected array of arrays"),
    (
        "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 4, "
        "threadsPerWarp = 16, warpsPerCTA = [4, 2], repCluster = [1, 1], fp4KPack = 3}>",
        "fp4KPack must be 2 but was:3",
    ),
]


@pytest.mark.parametrize(("text", "message"), LAYOUTS)
def test_layouts(refuse: Check, text: str, message: str) -> None:
    refuse(attribute(text), message)


def memdesc(shape: str, encoding: str = SWIZZLED + "}>", space: str = SMEM, rest: str = "") -> str:
    return f"!ttg.memdesc<{shape}, {encoding}, {space}{rest}>"


PADDED = "#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>"
TMEM = "#ttng.tensor_memory"
BUFFERS = [
    (memdesc("4x64x64xf16", rest=", 64x64"), "alloc shape must have at least as many dimensions"),
    (memdesc("0x64xf16"), "has 0 dimension"),
    (memdesc("64x64xf16", rest=", 0x64"), "alloc shape"),
    (memdesc("64x64xi4"), "element type bit width must be 1 or at least 8; got 4"),
    (memdesc("64x48xf16"), "shape must have power-of-2 and non-zero dimensions; got 64, 48"),
    (memdesc("64x64xf16", rest=", 64x96"), "alloc shape must have power-of-2"),
    (memdesc("64x64xf16", space=TMEM), "memorySpace must be SharedMemorySpace for shared encoding"),
    (memdesc("64xf16"), "rank must be equal to or one less than the shape size. Got 2 and 1"),
    (memdesc("64x64xf16", encoding=SMEM), "is not a valid encoding"),
    (memdesc("32x64xf16", encoding=PADDED), "Mismatch in expected shape for dimension 0"),
]


@pytest.mark.parametrize(("type", "message"), BUFFERS)
def test_types_of_buffers(refuse: Check, type: str, message: str) -> None:
    refuse(function(f"%a: {type}", ""), message)


@pytest.mark.parametrize(
    ("encoding", "version", "message"),
    [
        (LINE, (3, 9), "Layout has rank 1, but the tensor it's attached to has rank 2."),
        (SWIZZLED + "}>", (3, 9), "Non-distributed layout is not allowed in tensor type."),
        (SWIZZLED + "}>", EARLY, "Shared layout is not allowed on tensor type."),
    ],
)
def test_layouts_of_tensors(
    refuse: Check, encoding: str, version: tuple[int, int], message: str
) -> None:
    type = f"tensor<64x64xf16, {encoding}>"
    text = function(f"%x: {type}", f"%0 = tt.bitcast %x : {type} -> {type}")
    refuse(text, message, version)


def fp4(source: str, result: str, axis: int = 1) -> str:
    operand, target = (f"tensor<{shape}>" for shape in (source, result))
    line = f'%0 = "ttg.fp4_to_fp"(%x) <{{axis = {axis} : i32}}> : ({operand}) -> {target}'
    return function(f"%x: {operand}", line)


FP4 = [
    (fp4("64x32xi8", "64x64xf32"), "only bf16 or f16 is supported for now, got f32"),
    (fp4("64xi8", "64x64xf16"), "source rank 1 != result rank 2"),
    (fp4("64x32xi8", "64x64xf16", 2), "axis 2 out of range for rank 2"),
    (fp4("64x32xi8", "64x32xf16"), "axis 1 dimension must be 2x source dimension (src=32, dst=32)"),
    (fp4("64x32xi8", "32x64xf16"), "dimension 0 mismatch (src=64, dst=32, axis=1)"),
]


@pytest.mark.parametrize(("text", "message"), FP4)
def test_four_bit_floats(refuse: Check, text: str, message: str) -> None:
    refuse(text, message)


def warp_groups(body: str, holder: str, warps: str = "4", starts: str = "") -> str:
    properties = f"partitionNumWarps = array<i32: {warps}>"
    if starts:
        properties += f", warpGroupStartIds = array<i32: {starts}>"
    return function(
        "%x: i32, %y: i64",
        f'"ttg.warp_specialize"() <{{{properties}}}> ({{\n{body}\n}}, {{\n{holder}\n}}) : () -> ()',
    )


YIELD = '"ttg.warp_yield"() : () -> ()'
PARTITION = '"ttg.warp_specialize.partitions"() ({\n  ttg.warp_return\n}) : () -> ()'
CAPTURE = (
    '"ttg.warp_specialize.partitions"(%x) ({\n^bb0(ARGUMENTS):\n  ttg.warp_return\n}) : (i32) -> ()'
)
NESTED = f'"ttg.warp_specialize"() <{{partitionNumWarps = array<i32>}}> ({{\n{YIELD}\n}}, {{\n' + (
    '"ttg.warp_specialize.partitions"() : () -> ()\n}) : () -> ()\n'
)
WARP_GROUPS = [
    (
        warp_groups(YIELD, "llvm.unreachable"),
        "expected to find only a `ttg.warp_specialize.partitions`",
    ),
    (
        warp_groups(YIELD, PARTITION, "4, 4"),
        "has 1 partitions but `partitionNumWarps` has 2 elements",
    ),
    (warp_groups(YIELD, PARTITION, "3"), "partition #0 number of warps (3) must be a power of 2"),
    (warp_groups(YIELD, PARTITION, "4", "4, 8"), "has 2 warp group start IDs but expected 1"),
    (
        warp_groups(NESTED + YIELD, PARTITION),
        "cannot be nested inside another `ttg.warp_specialize`",
    ),
    (
        warp_groups('"ttg.warp_yield"(%x) : (i32) -> ()', PARTITION),
        "has 1 operands but parent op expected 0",
    ),
    (
        warp_groups(YIELD, PARTITION.replace("  ttg.warp_return\n", "")),
        "region with at least 1 blocks",
    ),
    (
        warp_groups(YIELD, CAPTURE.replace("ARGUMENTS", "%a: i32, %b: i32")),
        "partition region #0 has 2 arguments but expected 1",
    ),
    (
        warp_groups(YIELD, CAPTURE.replace("ARGUMENTS", "%a: i64")),
        "partition region #0 argument #0 has type 'i64' but corresponding capture has type 'i32'",
    ),
]


@pytest.mark.parametrize(("text", "message"), WARP_GROUPS)
def test_warp_groups(refuse: Check, text: str, message: str) -> None:
    refuse(text, message)


def test_sound_warp_group(accept: Check) -> None:
    accept(warp_groups(YIELD, CAPTURE.replace("ARGUMENTS", "%a: i32"), "4", "4"))


def intel(op: str, operands: list[str], result: str, properties: str = "") -> str:
    names = ", ".join(f"%x{i}" for i in range(len(operands)))
    arguments = ", ".join(f"%x{i}: {type}" for i, type in enumerate(operands))
    given = f" <{{{properties}}}>" if properties else ""
    line = f'%r = "ttig.{op}"({names}){given} : ({", ".join(operands)}) -> {result}'
    return function(arguments, line)


INTEL = [
    (
        intel("glue", ["tensor<8xf16>", "tensor<8xf32>"], "tensor<16xf16>"),
        "must have the same type",
    ),
    (intel("glue", ["tensor<32xf16>"], "tensor<16xf16>"), "operands cannot exceed result size"),
    (
        intel("extract", ["tensor<8xf16>"], "tensor<8xf32>", "index = 0 : i32"),
        "element type must match",
    ),
    (
        intel("extract", ["tensor<8xf16>"], "tensor<8x1xf16>", "index = 0 : i32"),
        "result rank cannot be greater than operand rank",
    ),
    (
        intel("extract", ["tensor<8xf16>"], "tensor<16xf16>", "index = 0 : i32"),
        "operand shape cannot be smaller than result shape along dimension 0",
    ),
    (
        intel("extract", ["tensor<16xf16>"], "tensor<8xf16>", "index = 2 : i32"),
        "index must be less than 2",
    ),
]


@pytest.mark.parametrize(("text", "message"), INTEL)
def test_glued_tiles(refuse: Check, text: str, message: str) -> None:
    refuse(text, message, (3, 4))


TENSOR_MEMORY = (
    "!ttg.memdesc<64x64xi32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, "
    f"colStride = 1>, {TMEM}, mutable>"
)
INDICES = f"tensor<64x64xi32, {BLOCKED}}}>>"
FLOATS = f"tensor<16x16xf32, {mma(2)}>"
SCALED = f"tensor<16x16xf32, {dot_operand(mma(2), 0, 1)}>"
SCALED_B = SCALED.replace("opIdx = 0", "opIdx = 1")
OPS = [
    (
        f"%a: {TENSOR_MEMORY}, %i: {INDICES}",
        f'%0 = "ttg.local_gather"(%a, %i) <{{axis = 0 : i32}}> : ({TENSOR_MEMORY}, {INDICES}) -> '
        f"{INDICES}",
        "must have shared memory encoding",
    ),
    ("", f'%0 = "ttg.local_alloc"() : () -> {TENSOR_MEMORY}', "should create a buffer of shared"),
    (
        "",
        f'%0 = "ttg.local_alloc"() : () -> {memdesc("64x64xi1", rest=", mutable")}',
        "element type bit width must be a multiple of 8",
    ),
    (
        f"%a: {memdesc('64x64xi32', rest=', mutable')}",
        f'%0 = "ttg.memdesc_reinterpret"(%a) : ({memdesc("64x64xi32", rest=", mutable")}) -> '
        f"{TENSOR_MEMORY}",
        "source and result must have the same memory space",
    ),
    (
        f"%a: {SCALED}, %b: {SCALED_B}, %c: {FLOATS}",
        '%0 = "tt.dot"(%a, %b, %c) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : '
        f"({SCALED}, {SCALED_B}, {FLOATS}) -> {FLOATS}",
        "unsupported MMA version",
    ),
]


@pytest.mark.parametrize(("arguments", "line", "message"), OPS)
def test_ops(refuse: Check, arguments: str, line: str, message: str) -> None:
    refuse(function(arguments, line), message)


def test_early_wmma(refuse: Check) -> None:
    text = "#triton_gpu.amd_wmma<{version = 1, isTranspose = true, warpsPerCTA = [2, 2]}>"
    refuse(attribute(text), "Transposed WMMA is supported only for version 2", EARLY)


GATHER = "!tt.tensordesc<1x32xf16>"


@pytest.mark.parametrize(
    ("descriptor", "offsets", "result", "message"),
    [
        ("!tt.tensordesc<1x1x32xf16>", "8xi32", "8x32xf16", "descriptor block must be a 2D tensor"),
        (GATHER, "8xi32", "16x32xf16", "result tensor must have as many rows as indices (8)"),
        (GATHER, "8xi32", "8x32xbf16", "result tensor element type must match block"),
    ],
)
def test_intel_rows(
    refuse: Check, descriptor: str, offsets: str, result: str, message: str
) -> None:
    operands = [descriptor, f"tensor<{offsets}>", "i32"]
    refuse(intel("descriptor_gather", operands, f"tensor<{result}>"), message)
