"""Each rule of DPAS, of 2D blocks and of sub-groups refuses something, and only that."""

from collections.abc import Callable

import pytest

Check = Callable[..., None]

EARLY = (3, 2)
THREADS = '"ttg.threads-per-warp" = 16 : i32'


def function(arguments: str, line: str, attributes: str = "") -> str:
    around = f"module attributes {{{attributes}}}" if attributes else "module"
    return f"{around} {{\ntt.func @f({arguments}) {{\n{line}\ntt.return\n}}\n}}"


def dpas(pa: str, rc: int, c: str, a: str, b: str, d: str = "", name: str = "dpas") -> str:
    d = d or c
    line = f"%0 = triton_gen.{name} %c, %a, %b {{pa = {pa}, pb = {pa}, rc = {rc}}}"
    if name == "bdpas":
        line += " {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}"
    types = f"(vector<{c}>, vector<{a}>, vector<{b}>) -> vector<{d}>"
    return function(f"%c: vector<{c}>, %a: vector<{a}>, %b: vector<{b}>", f"{line} : {types}")


DPAS = [
    (dpas("u4", 8, "8xf32", "8xi16", "8xi32"), "expecting precision type to be tf32, bf16, fp16"),
    (dpas("f16", 8, "8xf32", "8xi16", "8xi32", "8xf16"), "(C) and result (D) should have the same"),
    (dpas("f16", 8, "2xf32", "8xi16", "8xi32"), "(C) and result (D) should match repeat count"),
    (dpas("f16", 8, "8xf32", "8xi16", "2xi32"), "(B) should match the systolic depth"),
    (dpas("f16", 8, "8xi32", "8xi16", "8xi32"), "(C) and the result should be f16 or f32"),
    (dpas("i8", 8, "8xi64", "8xi16", "8xi32"), "(C) and the result should be i32"),
    (dpas("bf16", 8, "8xf16", "8xi16", "8xi32"), "(C) and the result should be bf16 or f32"),
    (dpas("tf32", 8, "8xf16", "4xf32", "8xf32"), "(C) and the result should be f32"),
    (dpas("f16", 8, "8xf32", "2xi16", "8xi32"), "(A) should match the repeat count"),
    (dpas("tf32", 8, "8xf32", "4xi16", "8xf32"), "(A) element type should be f32 or i32"),
    (dpas("tf32", 8, "8xf32", "4xf32", "8xi16"), "(B) element type should be f32 or i32"),
    (dpas("f16", 8, "8xf32", "8xi32", "8xi32"), "(A) element type should be i16"),
    (dpas("f16", 8, "8xf32", "8xi16", "8xi16"), "(B) element type should be i32"),
    (dpas("f16", 4, "4xf32", "4xi16", "8xi32", name="bdpas"), "expecting repeat count to be 8"),
]


@pytest.mark.parametrize(("text", "message"), DPAS)
def test_dpas(text: str, message: str, refuse: Check) -> None:
    refuse(text, message)


def test_sound_dpas(accept: Check) -> None:
    accept(dpas("f16", 8, "8xf32", "8xi16", "8xi32"))
    accept(dpas("tf32", 8, "8xf32", "4xf32", "8xf32"))
    accept(dpas("f16", 8, "8xf32", "8xi16", "8xi32", name="bdpas"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (dpas("bf8", 8, "8xf32", "8xi16", "8xi32"), "to be tf32, bf16, fp16, u8, or s8"),
        (dpas("f16", 8, "8xf32", "4xi16", "8xi32"), "same number of elements as repeat count"),
        (dpas("tf32", 8, "8xf32", "8xf32", "8xf32"), "equal to half of the repeat count"),
        (dpas("f16", 8, "8xf32", "8xi16", "4xi32"), "match the systolic depth of 8"),
    ],
)
def test_early_dpas(text: str, message: str, refuse: Check) -> None:
    refuse(text, message, EARLY)


@pytest.mark.parametrize(
    ("precision", "scale", "message"),
    [("e2m1", "i8", "should be 2xi8 when"), ("f16", "vector<2xi8>", "should be i8 when")],
)
@pytest.mark.parametrize(("sizes", "name"), [("1, 0", "4th operand"), ("0, 1", "5th operand")])
def test_scales(
    precision: str, scale: str, message: str, sizes: str, name: str, refuse: Check
) -> None:
    types = f"vector<8xf32>, vector<8xi16>, vector<8xi32>, {scale}"
    line = (
        f"%0 = triton_gen.bdpas %c, %a, %b, %s {{pa = {precision}, pb = {precision}, rc = 8}} "
        f"{{operandSegmentSizes = array<i32: 1, 1, 1, {sizes}>}} : ({types}) -> vector<8xf32>"
    )
    arguments = f"%c: vector<8xf32>, %a: vector<8xi16>, %b: vector<8xi32>, %s: {scale}"
    refuse(function(arguments, line), message)
    refuse(function(arguments, line), name)


def block(
    what: str,
    bits: int,
    tile: tuple[int, int, int],
    *,
    flags: str = "",
    vector: str = "8xi16",
    surface: dict[str, int] | None = None,
    attributes: str = "",
) -> str:
    """Return an access of a tile of width, height and blocks; `surface` has what is constant."""
    constants = "\n".join(f"%{k} = arith.constant {v} : i32" for k, v in (surface or {}).items())
    names = [f"%{n}" if n in (surface or {}) else "%i" for n in ("w", "h", "pitch", "x")]
    operands, types = f"%p, {', '.join(names)}, %i", "!llvm.ptr, i32, i32, i32, i32, i32"
    width, height, blocks = tile
    options = (
        f"elem_size_in_bits = {bits}, tile_width = {width}, tile_height = {height}, "
        f"v_blocks = {blocks}, "
    )
    result = ""
    if what == "load":
        given = {"transpose": "transpose" in flags, "vnni_transform": "vnni" in flags}
        options += "".join(f"{k} = {str(v).lower()}, " for k, v in given.items())
        result = f" -> vector<{vector}>"
    elif what == "store":
        operands, types = f"{operands}, %v", f"{types}, vector<{vector}>"
    line = f"triton_gen.2Dblock{what} {operands} {{{options}cache_control = Default}} : ({types})"
    line = f"{constants}\n{'%0 = ' if result else ''}{line}{result}"
    return function(f"%p: !llvm.ptr, %i: i32, %v: vector<{vector}>", line, attributes)


SURFACE = [
    ({"w": 1 << 25}, "(base width) should be <= 24 bits"),
    ({"w": 32}, "(base width) should be >= 64"),
    ({"w": 66}, "(base width) should be aligned to MAX(4, element_size)"),
    ({"h": 1 << 25}, "(base height) should be <= 24 bits"),
    ({"pitch": 1 << 25}, "(base pitch) should be <= 24 bits"),
    ({"pitch": 32}, "(base pitch) should be >= 64"),
    ({"pitch": 72}, "(base pitch) should be a multiple of 16 bytes"),
    ({"w": 128, "pitch": 64}, "(base pitch) should be >= 2nd operand (base width)"),
    ({"x": 3}, "5th operand (x) should be a multiple of 2 for 16 bit elements"),
]


@pytest.mark.parametrize("what", ["load", "store", "prefetch"])
@pytest.mark.parametrize(("surface", "message"), SURFACE)
def test_surface(what: str, surface: dict[str, int], message: str, refuse: Check) -> None:
    refuse(block(what, 16, (16, 8, 1), surface=surface), message)


TILES = [
    (block("load", 16, (128, 8, 1)), "expecting tile_width to be between 1 and 64"),
    (block("load", 16, (16, 64, 1)), "expecting tile_height to be between 1 and 32"),
    (block("load", 16, (16, 8, 8)), "expecting v_blocks to be between 1 and 4"),
    (block("load", 128, (16, 8, 1)), "expecting 'elem_size_in_bits' to be 8, 16, 32, or 64"),
    (block("load", 16, (16, 8, 4)), "expecting elem_size_in_bits * tile_width * v_blocks <= 512"),
    (block("load", 32, (4, 8, 4), vector="8xi32"), "v_blocks for 32 bit elements should be 1 or 2"),
    (block("load", 64, (2, 8, 2), vector="8xi64"), "v_blocks for 64 bit elements should be 1"),
    (block("load", 8, (2, 8, 1)), "expecting tile_width to be between 4 and 64"),
    (block("load", 16, (16, 8, 1), vector="4xi16", attributes=THREADS), "result size of 64 bits"),
    (
        block("load", 32, (8, 8, 2), flags="transpose", vector="8xi32"),
        "expecting v_blocks to be 1",
    ),
    (
        block("load", 32, (16, 8, 1), flags="transpose", vector="8xi32"),
        "expecting tile_width to be between 1 and 8",
    ),
    (
        block("load", 64, (4, 4, 1), flags="transpose", vector="8xi64"),
        "expecting tile_height to be 8 for 64 bit elements",
    ),
    (
        block("load", 64, (8, 8, 1), flags="transpose", vector="8xi64"),
        "expecting tile_width to be 1, 2, or 4",
    ),
    (block("load", 16, (16, 8, 1), flags="transpose"), "only supported for 32 and 64 bit elements"),
    (
        block("load", 32, (16, 8, 1), flags="vnni", vector="8xi32"),
        "vnni_transform is only supported for 8 and 16 bit elements",
    ),
    (block("load", 8, (16, 2, 1), flags="vnni"), "expecting tile_height to be between 4 and 32"),
    (block("load", 16, (16, 8, 1), flags="vnni"), "expecting result element type to be 32 bits"),
    (block("store", 16, (16, 16, 1)), "expecting tile_height to be between 1 and 8"),
    (block("store", 16, (16, 8, 2)), "expecting v_blocks to be 1"),
]


@pytest.mark.parametrize(("text", "message"), TILES)
def test_tiles(text: str, message: str, refuse: Check) -> None:
    refuse(text, message)


def test_sound_tiles(accept: Check) -> None:
    accept(block("load", 16, (16, 8, 1), attributes=THREADS))
    accept(block("load", 32, (8, 16, 1), flags="transpose", vector="8xi32"))
    accept(block("load", 16, (16, 16, 1), flags="vnni", vector="8xi32"))
    accept(block("store", 16, (16, 8, 1), surface={"w": 128, "h": 8, "pitch": 128, "x": 2}))
    accept(block("prefetch", 16, (16, 8, 1)))


EARLY_TILES = [
    (block("load", 16, (16, 8, 1), vector="4xi16"), "result size of 64 bits does not match"),
    (block("load", 16, (16, 8, 1), flags="transpose vnni"), "are mutually exclusive"),
    (block("load", 32, (16, 8, 1), vector="16xi16"), "result element type to be 32 bits"),
    (block("load", 16, (8, 16, 1), flags="vnni", vector="4xi32"), "equal to subgroup size"),
    (block("load", 16, (16, 64, 1), vector="64xi16"), "expecting tile_height to be between 1 and"),
    (block("store", 16, (16, 8, 2)), "expecting v_blocks to be 1"),
    (block("store", 128, (16, 8, 1)), "expecting elem_size_in_bits to be 8, 16, 32, or 64"),
    (block("load", 16, (32, 8, 2), vector="32xi16"), "tile_width * v_blocks should be less than"),
    (block("load", 16, (16, 8, 1), flags="transpose"), "only supported for 32 and 64 bit elements"),
    (
        block("load", 64, (4, 4, 1), flags="transpose", vector="1xi64"),
        "expecting tile_height to be 8 for 64 bit elements",
    ),
    (block("load", 32, (16, 8, 1), flags="vnni", vector="8xi32"), "only supported for 8 and 16"),
    (
        block("load", 16, (16, 8, 1), surface={"w": 128, "pitch": 64}),
        "(base pitch) should be >= 2nd operand (base width)",
    ),
    (block("prefetch", 64, (8, 8, 1)), "expecting 'elem_size_in_bits' to be 8, 16, or 32"),
    (block("prefetch", 16, (32, 8, 1)), "for 16 bit elements should be equal to 16"),
]


@pytest.mark.parametrize(("text", "message"), EARLY_TILES)
def test_early_tiles(text: str, message: str, refuse: Check) -> None:
    refuse(text, message, EARLY)


@pytest.mark.parametrize(
    ("arguments", "line", "attributes", "message"),
    [
        (
            "%v: vector<8xi16>",
            "%0 = triton_gen.sub_group_bitcast_shuffle %v : vector<8xi16> -> vector<2xi32>",
            "",
            "the same total number of bits",
        ),
        (
            "%p: !llvm.ptr<3>",
            "%0 = triton_gen.simdblockread %p : (!llvm.ptr<3>) -> vector<3xi16>",
            "",
            "unsupported vector type",
        ),
        (
            "%x: i32",
            "%0 = triton_gen.sub_group_reduce add %x {size = 16} : i32",
            "",
            "expecting valid target env attribute",
        ),
        (
            "%x: i32",
            "%0 = triton_gen.sub_group_reduce add %x {size = 12} : i32",
            'spirv.target_env = "any"',
            "expecting size to be a power of 2",
        ),
    ],
)
def test_sub_groups(
    arguments: str, line: str, attributes: str, message: str, refuse: Check
) -> None:
    early = "simd" in line or "reduce" in line
    text = function(arguments, line, attributes)
    if early:
        refuse(text, message, EARLY)
    else:
        refuse(text, message)


def test_decorations(refuse: Check) -> None:
    refuse(
        "module attributes {a.b = #triton_gen.decoration_cache_control<1 : i32>} {}",
        "only accepts LoadCacheControlDecorationAttr and StoreCacheControlDecorationAttr",
    )


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ("4xi4", "expects result element bit width to be 8, 16, 32, or 64"),
        ("1xi8", "expects result_bits * subgroup_size to be divisible by 256"),
        ("8xi64", "expects each gather address to load at most 8 bytes"),
    ],
)
def test_gathered_vectors(refuse: Check, result: str, message: str) -> None:
    line = (
        "%0 = triton_gen.sub_group_gather_load %a, %m : (vector<32xi64>, vector<32xi1>) -> "
        f"vector<{result}>"
    )
    refuse(function("%a: vector<32xi64>, %m: vector<32xi1>", line, THREADS), message)
