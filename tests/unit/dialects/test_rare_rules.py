"""Rules that upstream's tests do not break: a text for each, and what is said of it."""

from collections.abc import Callable

import pytest

from tests.unit.dialects.kernel_text import kernel
from xtriton.ir.versions import NEWEST, Version

Check = Callable[..., None]

HEADER = """#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#other = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#single = #ttg.linear<{register = [[1], [2], [0]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], block = []}>
#cube = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [1, 1, 32], warpsPerCTA = [1, 1, 4], order = [2, 1, 0]}>
#turned = #ttg.linear<{register = [[1, 0], [0, 1], [0, 2]], lane = [[0, 4], [0, 8], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#row = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#rows = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#copies = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#row_numbers = #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = [[0, 0]]}>}>
#padded = #ttg.padded_shared<[4:+4] {order = [0], shape = [64]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#nvmma_rows = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
"""
SMEM = "#ttg.shared_memory"


def attribute(text: str) -> str:
    return f"module attributes {{t.a = {text}}} {{}}"


def function(arguments: str, line: str, ctas: int = 1, rest: str = "") -> str:
    return kernel(HEADER, arguments, line, ctas, rest)


def shared(shape: str, encoding: str = "#flat", alloc: str = "") -> str:
    return f"!ttg.memdesc<{shape}, {encoding}, {SMEM}, mutable{', ' if alloc else ''}{alloc}>"


def unary(op: str, source: str, result: str, rest: str = "") -> str:
    return function(f"%x: {source}", f"%0 = {op} %x {rest} : {source} -> {result}")


Rule = tuple[str, str, Version]


def rule(text: str, message: str, version: Version = NEWEST) -> Rule:
    return text, message, version


M = "tensor<32x16xf16, #blocked>"
SHAPES: list[Rule] = [
    rule(unary("tt.reshape", M, "tensor<512xf16, #line>"), "Expected result encoding"),
    rule(
        unary("tt.reshape", M, "tensor<512xf16, #single>", "allow_reorder"),
        "Expected result encoding",
    ),
    rule(
        unary(
            "tt.trans",
            "tensor<64x8xf16, #blocked>",
            "tensor<8x64xf16, #blocked>",
            "{order = array<i32: 1, 0>}",
        ),
        "incompatible with return type(s)",
    ),
    rule(
        unary("tt.expand_dims", M, "tensor<1x32x16xf16, #cube>", "{axis = 0 : i32}"),
        "ExpandDimsOp operand encoding must be SliceEncodingAttr",
    ),
    rule(
        function(f"%x: {M}", f"%0 = tt.join %x, %x : {M} -> tensor<32x16x2xf16>"),
        "result encoding must be specified",
    ),
    rule(
        function("%x: tensor<8xf16>", "%0 = tt.join %x, %x : tensor<8xf16> -> tensor<8x4xf16>"),
        "inferred type(s) 'tensor<8x2xf16>' are incompatible with return type(s)",
        (3, 2),
    ),
    rule(
        function(
            "%x: tensor<64x2xf16, #turned>",
            "%0, %1 = tt.split %x : tensor<64x2xf16, #turned> -> tensor<64xf16, #line>",
        ),
        "incompatible",
    ),
    rule(
        function(
            "%x: tensor<4x2xf16, #other>",
            "%0, %1 = tt.split %x : tensor<4x2xf16, #other> -> tensor<4xf16, #line>",
        ),
        "SplitOp requires at least 2 elements per thread in the axis/last dimension",
    ),
]

REDUCE = """%0{more} = "tt.reduce"({values}) <{{axis = {axis} : i32}}> ({{
^bb0({arguments}):
  tt.reduce.return {returned}
}}) : ({types}) -> ({results})"""


def reduce(types: list[str], results: list[str], axis: int) -> str:
    names = [f"%x{i}" for i in range(len(types))]
    both = [f"%{side}{i}: f32" for side in "ab" for i in range(len(types))]
    line = REDUCE.format(
        more=f":{len(types)}" if len(types) > 1 else "",
        values=", ".join(names),
        axis=axis,
        arguments=", ".join(both),
        returned=f"{', '.join(f'%a{i}' for i in range(len(types)))} : {', '.join(['f32'] * len(types))}",
        types=", ".join(types),
        results=", ".join(results),
    )
    return function(", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True)), line)


REDUCTIONS: list[Rule] = [
    rule(reduce(["tensor<8xf32>"], ["f32"], 3), "axis out of bounds for operand rank 1", (3, 4)),
]

P, V = "!tt.ptr<f32>", "tensor<8xf32>"
DOT = "tt.dot %a, %b, %c : tensor<64x16xf16, #a> * tensor<16x64xf16, #b> -> tensor<64x64xf32, #mma>"
SCALED = (
    "tt.dot_scaled %a scale %s, %a, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : "
    "tensor<64x64xf8E5M2>, tensor<64x4xi8> * tensor<64x64xf8E5M2> -> tensor<64x64xf32>"
)
PRODUCTS: list[Rule] = [
    rule(
        function(
            "%a: tensor<64x16xf16, #a>, %b: tensor<16x64xf16, #b>, %c: tensor<64x64xf32, #mma>",
            f"%0 = {DOT}",
        ),
        "mismatching kWidth between A and B operands",
    ),
    rule(
        function(
            "%a: tensor<64x64xf8E5M2>, %s: tensor<64x4xi8>, %c: tensor<64x64xf32>", f"%0 = {SCALED}"
        ),
        "scales K dimension must match the operand K divided by the scale factor",
        (3, 7),
    ),
]

HALVES = "tensor<32x16xi8, #blocked>"
CONVERSIONS: list[Rule] = [
    rule(
        unary("ttg.fp4_to_fp", HALVES, "tensor<32x32xf16>", "{axis = 1 : i32}"),
        "source and result must both have an encoding, or neither",
    ),
    rule(
        unary("ttg.fp4_to_fp", HALVES, "tensor<32x32xf16, #other>", "{axis = 1 : i32}"),
        "failed to infer encoding",
    ),
    rule(
        unary("ttg.fp4_to_fp", HALVES, "tensor<32x32xf16, #blocked>", "{axis = 1 : i32}"),
        "Src and Dst encodings are not compatible",
    ),
    rule(
        unary("ttg.convert_layout", M, "tensor<32x16xf16, #other>", "{force_warp_shuffle}"),
        "force_warp_shuffle requires a conversion within one warp",
    ),
    rule(
        unary(
            "gluon.set_auto_layout", "tensor<32x16xf16, #gluon.auto_encoding>", "tensor<32x16xf16>"
        ),
        "result tensor must have an encoding",
    ),
]


def linear(register: str) -> str:
    lanes = "[[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]"
    return f"#ttg.linear<{{register = {register}, lane = {lanes}, warp = [[32, 0], [64, 0]], block = []}}>"


MFMA = "#ttg.amd_mfma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8], isTransposed = false}>"
WMMA = "#ttg.amd_wmma<{version = 1, isTranspose = false, warpsPerCTA = [4, 1]}>"
ATTRIBUTES: list[Rule] = [
    rule(attribute(linear("[[1, 1]]")), "each base must move in at most one dimension.", (3, 7)),
    rule(attribute(linear("[[0, 2]]")), "the layout must be bijective", (3, 7)),
    rule(attribute(MFMA), "(M, N) cases other than (32, 32) or (16, 16) unimplemented", (3, 4)),
    rule(
        attribute(f"#ttg.dot_op<{{opIdx = 0, parent = {WMMA}, kWidth = 4}}>"),
        "ttg.dot_op kWidth parameter must be 16 for gfx11",
        (3, 4),
    ),
    rule(attribute("#ttg.padded_shared<[4:+4] {offset = [], block = []}>"), "Empty Layout not"),
    rule(
        attribute("#ttg.padded_shared<[4:+4] {offset = [[1]], block = [], order = [0]}>"),
        'Unexpected attribute "order" found',
    ),
    rule(
        attribute("#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = 3}>"),
        "expected an array for order",
    ),
    rule(
        attribute("#ttg.swizzled_shared<{vec = 1, perPhase = 1.0, maxPhase = 1, order = [0]}>"),
        "expected an integer type in perPhase",
    ),
    rule(attribute("#ttg.nvmma_shared<{transposed = false}>"), "expected 'swizzlingByteWidth'"),
    rule(attribute("#ttng.cache_policy<l1 = sometimes>"), "expected l1 to be one of"),
    rule(
        function("%a: !ttng.tensordesc_im2col<64xf16, #nvmma>", ""),
        "TensorDescIm2ColType requires rank-2 shape, got rank 1",
    ),
    rule(function("%a: !ttg.memdesc<f16, #flat, #ttg.shared_memory>", ""), "rank 0 memdesc"),
]

POINTERS = "tensor<16x32x!tt.ptr<f32>, #blocked>"
BUFFERS: list[Rule] = [
    rule(
        function(
            f"%a: {shared('64x32xi64')}, %i: tensor<16x32xi32, #blocked>",
            f"%0 = ttg.local_gather %a[%i] {{axis = 0 : i32}} : {shared('64x32xi64')}, "
            f"tensor<16x32xi32, #blocked> -> {POINTERS}",
        ),
        "result must have integer or floating element type",
    ),
    rule(
        function(
            "%a: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>",
            "%0 = ttg.memdesc_subslice %a[0, 0] : !ttg.memdesc<128x64xf32, #tmem, "
            "#ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem, "
            "#ttng.tensor_memory, mutable>",
        ),
        "src and dst must both be of shared memory encoding",
    ),
    rule(
        function(
            f"%a: {shared('2x64xf32', '#padded')}",
            f"%0 = ttg.memdesc_subslice %a[0, 0] : {shared('2x64xf32', '#padded')} -> "
            f"{shared('1x64xf32', '#padded', '2x64')}",
        ),
        "SubSlice of low rank PaddedSharedEncoding from higher rank tensors is not supported",
    ),
    rule(
        function(
            "%x: tensor<8x64xf32, #blocked>",
            f"%0 = ttg.local_alloc %x : (tensor<8x64xf32, #blocked>) -> {shared('8x64xf32', '#row')}",
        ),
        "has rank 2 but memdesc encoding has rank 1",
    ),
    rule(
        function(
            "%a: !ttg.memdesc<2x128x64xf32, #tmem, #ttng.tensor_memory, mutable>",
            "%0 = ttng.tmem_subslice %a {offset = 0 : i32} : !ttg.memdesc<2x128x64xf32, #tmem, "
            "#ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #tmem, "
            "#ttng.tensor_memory, mutable, 2x128x64>",
        ),
        "The source and result must both be 2D or 3D tensor memory buffers.",
    ),
]

ALL_BARRIERS = shared("2xi64", "#rows")
ARRIVE = f"ttng.arrive_barrier %b, 1 {{{{fromCTA = {{source}} : i32, multicastCTA = {{to}} : i32}}}} : {ALL_BARRIERS}"
STORE = "ttng.async_shared_store %x, %a, %b : {x} -> {a}, {b}"
CLUSTERS: list[Rule] = [
    rule(
        function(f"%b: {ALL_BARRIERS}", ARRIVE.format(source=0, to=1), 2),
        "fromCTA cannot be combined with multicast arrive",
    ),
    rule(
        function(f"%b: {ALL_BARRIERS}", ARRIVE.format(source=0, to=2), 2),
        "multicastCTA exceeds numCTAs - 1",
    ),
    rule(
        function(
            f"%x: {M}, %a: {shared('32x16xf16')}, %b: {shared('1xi64', '#row')}",
            STORE.format(x=M, a=shared("32x16xf16"), b=shared("1xi64", "#row")),
        ),
        "requires at least two CTAs in the cluster",
    ),
]


NVMMA = "!tt.tensordesc<64x64xf16, #nvmma_rows>"
TILE = shared("64x64xf16", "#nvmma_rows")


def copy(barrier: str, rest: str = "", attributes: str = "") -> str:
    line = (
        f"ttng.async_tma_copy_global_to_local %d[%i, %i] %a, %b, %p {rest} : {NVMMA}, {barrier} "
        f"-> {TILE}"
    )
    arguments = f"%d: {NVMMA}, %i: i32, %a: {TILE}, %b: {barrier}, %p: i1"
    return function(arguments, line, 2, attributes)


def store(descriptor: str, source: str, coordinates: str, ctas: int) -> str:
    line = f"ttng.async_tma_copy_local_to_global %d[{coordinates}] %a : {descriptor}, {source}"
    return function(f"%d: {descriptor}, %i: i32, %a: {source}", line, ctas)


def packed(kind: str, operands: list[str], result: str) -> str:
    names = ", ".join(f"%x{i}" for i in range(len(operands)))
    arguments = ", ".join(f"%x{i}: {type}" for i, type in enumerate(operands))
    line = f"%0 = ttng.packed_arith {kind} {names} : ({', '.join(operands)}) -> {result}"
    return function(arguments, line)


ONE_BARRIER = shared("1xi64", "#copies")
INSIDE = f"""ttg.warp_specialize(%b)
default {{ ttg.warp_yield }}
partition0(%c: {ONE_BARRIER}) num_warps(4) {{
  ttng.init_barrier %c, 1 : {ONE_BARRIER}
  ttg.warp_return
}} : ({ONE_BARRIER}) -> ()"""
WIDER = shared("32x64xf16", "#nvmma_rows", "64x64")
GATHER = (
    "ttng.async_tma_gather %d[%x, %i] %a, %b, %p : !tt.tensordesc<1x64xf16, #nvmma_rows>, "
    f"tensor<32xi32, #row_numbers>, i32, {ALL_BARRIERS}, {shared('32x64xf16', '#nvmma_rows')}, i1"
)
GATHERED = (
    "%d: !tt.tensordesc<1x64xf16, #nvmma_rows>, %i: i32, %x: tensor<32xi32, #row_numbers>, "
    f"%a: {shared('32x64xf16', '#nvmma_rows')}, %b: {ALL_BARRIERS}, %p: i1"
)
BF16 = "tensor<32x32xbf16, #blocked>"
FP8 = "tensor<32x32xf8E4M3FN, #blocked>"
TRANSFERS: list[Rule] = [
    rule(function(f"%b: {ONE_BARRIER}", INSIDE, 2), "cannot be used inside `ttg.warp_specialize`"),
    rule(
        copy(ONE_BARRIER, attributes=', "ttng.two-ctas" = false'),
        "TMA barrier cga_layout must be [[1]], got [[0]]",
    ),
    rule(copy(ALL_BARRIERS, "{multicast}"), "multicast requires the shared layout to broadcast"),
    rule(
        store("!tt.tensordesc<32x64xf16, #nvmma_rows>", WIDER, "%i, %i", 2),
        "source subview may have an origin in another CTA",
    ),
    rule(
        store(
            "!tt.tensordesc<2x64x64xf16, #nvmma>", shared("2x64x64xf16", "#nvmma"), "%i, %i, %i", 1
        ),
        "TMA shared memory and layout ranks must match",
    ),
    rule(function(GATHERED, GATHER, 2), "x offsets must have the same row CGA layout"),
    rule(
        packed("add", ["tensor<16x64xi8, #blocked>", FP8], FP8),
        "requires every fp4 operand to have the result shape with the same single dimension",
    ),
    rule(
        packed("add", [BF16, "tensor<16x32xbf16, #blocked>"], BF16),
        "operand 1 must have the result shape 32, 32, but got 16, 32",
    ),
    rule(
        packed("add", [BF16, "tensor<32x32xbf16, #other>"], BF16),
        "operand 1 must have a layout equivalent to the result",
    ),
    rule(
        packed("add", ["tensor<32x16xi8, #other>", FP8], FP8),
        "fp4 operand 0 must have a layout compatible with the result",
    ),
]

YIELD = """%r = ttg.warp_specialize(%a)
default { ttg.warp_yield %a : f32 }
partition0(%b: f32) num_warps(4) { ttg.warp_return } : (f32) -> i32"""
BLOCK_LOAD = (
    '%0 = "ttig.2d_block_load_from_ptr"(%p, %s, %m) <{base_height = 16 : i32, base_width = 32 : '
    "i32, memory_layout = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : "
    "(tensor<16x16x!tt.ptr<f16>>, i32, tensor<16x16xi1>) -> tensor<16x16xf16>"
)
OTHERS: list[Rule] = [
    rule(
        function(
            "%d: !tt.tensordesc<tensor<8x8xf16>>, %i: i32",
            "%0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<8x8xf16>> -> "
            "tensor<8x4xf16>",
        ),
        "tensor descriptor block and tensor types must match",
        (3, 4),
    ),
    rule(function("%a: f32", YIELD), "operand #0 has type 'f32' but parent op expected 'i32'"),
    rule(
        function(
            "%x: tensor<6x4xf32>",
            "%0 = ttig.glue %x, %x : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<8x6xf32>",
        ),
        "operands cannot be glued along axis 0",
        (3, 6),
    ),
    rule(
        function("%x: tensor<8xf32>", "%0 = ttig.extract %x[0] : tensor<8xf32> -> tensor<3xf32>"),
        "operands shape is not divisible by result shape along dimension 0",
        (3, 6),
    ),
    rule(
        function("%p: tensor<16x16x!tt.ptr<f16>>, %s: i32, %m: tensor<16x16xi1>", BLOCK_LOAD),
        "'other' must be present when 'mask' is present",
    ),
]


def structured(properties: str, operands: str, result: str, after: str = "") -> str:
    names = ", ".join(f"%x{i}" for i in range(len(operands.split(", "))))
    arguments = ", ".join(f"%x{i}: {t}" for i, t in enumerate(operands.split(", ")))
    op = "affine" if "map" in properties else "gather_scatter"
    line = f'%0 = "tts.make_{op}_tptr"({names}) <{{{properties}}}> : ({operands}) -> {result}'
    return f"tt.func @f({arguments}) {{\n{line}\n{after}\ntt.return\n}}"


def gather(mask: str = "", result: str = "!tt.ptr<tensor<8x4xf32>>", after: str = "") -> str:
    properties = (
        "gather_scatter_dim = 0 : i32, sizes = array<i64: 8, 4>, static_offsets = array<i64: 0, "
        "0>, static_strides = array<i64: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0, "
        f"{int(bool(mask))}>"
    )
    operands = "!tt.ptr<f32>, tensor<8xi32>" + (f", {mask}" if mask else "")
    return structured(properties, operands, result, after)


STRUCTURED: list[Rule] = [
    rule(
        structured(
            "map = affine_map<(d0) -> (d0)>, sizes = array<i64: 8>",
            "!tt.ptr<f32>",
            "tensor<4x!tt.ptr<f32>>",
        ),
        "result must be 'tensor<8x!tt.ptr<f32>>', but got 'tensor<4x!tt.ptr<f32>>'",
    ),
    rule(
        gather(result="!tt.ptr<tensor<8x8xf32>>"),
        "result must be '!tt.ptr<tensor<8x4xf32>>', but got",
    ),
    rule(gather("tensor<8x8xi1>"), "gatherScatterMask must be a 1D tensor of boolean type"),
    rule(
        gather("tensor<8xi1>", after="%1 = tt.load %0 : !tt.ptr<tensor<8x4xf32>>"),
        "can only be used in tts.load or tts.store operations",
    ),
]


@pytest.mark.parametrize(
    ("text", "message", "version"),
    [
        *SHAPES,
        *REDUCTIONS,
        *PRODUCTS,
        *CONVERSIONS,
        *ATTRIBUTES,
        *BUFFERS,
        *CLUSTERS,
        *TRANSFERS,
        *OTHERS,
        *STRUCTURED,
    ],
)
def test_refused(refuse: Check, text: str, message: str, version: Version) -> None:
    refuse(text, message, version)


def test_bases_that_a_small_tensor_makes_equal(accept: Check) -> None:
    source = (
        "#ttg.generic_linear<{register = [[1, 0], [0, 1]], lane = [[2, 0], [4, 0], [8, 0], [0, 2], "
        "[0, 4]], warp = [[16, 8], [0, 8]], block = []}>"
    )
    target = (
        "#ttg.generic_linear<{register = [[1]], lane = [[2], [4], [8], [0], [0]], "
        "warp = [[16], [0]], block = []}>"
    )
    accept(unary("tt.reshape", f"tensor<32x1xi32, {source}>", f"tensor<32xi32, {target}>"))


def test_the_nearest_module_says_how_many_ctas_there_are(accept: Check) -> None:
    line = f"ttng.arrive_barrier %b, 1 : {ALL_BARRIERS}"
    pair = function(f"%b: {ALL_BARRIERS}", line, 2)
    accept(pair + '\nmodule attributes {"ttg.num-ctas" = 1 : i32} {}')
