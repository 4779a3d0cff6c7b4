"""Rules of `tt` and `tts` that need more than one changed token to be broken."""

from collections.abc import Callable

import pytest

Check = Callable[..., None]

BLOCKED = (
    "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"
)
OTHER = "#ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>"
PLANE = (
    "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], "
    "order = [1, 0]}>"
)
MMA = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>"


def function(arguments: str, line: str) -> str:
    return f"module {{\ntt.func @f({arguments}) {{\n{line}\ntt.return\n}}\n}}"


def generic(op: str, operands: dict[str, str], result: str, properties: str = "") -> str:
    """Return a function with one op in generic form; `operands` has types by name."""
    names = ", ".join(f"%{name}" for name in operands)
    types = ", ".join(operands.values())
    given = f" <{{{properties}}}>" if properties else ""
    left = "%r = " if result != "()" else ""
    arguments = ", ".join(f"%{name}: {type}" for name, type in operands.items())
    return function(arguments, f'{left}"{op}"({names}){given} : ({types}) -> {result}')


DESCRIPTOR = "!tt.tensordesc<1x64xf16>"
ROWS = [
    ("!tt.tensordesc<1x8x8xf16>", "tensor<8x64xf16>", "descriptor block must be a 2D tensor"),
    (DESCRIPTOR, "tensor<8xf16>", "result must be a 2D tensor"),
    (DESCRIPTOR, "tensor<8x32xf16>", "result tensor number of columns must match block (64)"),
    (DESCRIPTOR, "tensor<8x64xf32>", "result tensor element type must match block ('f16')"),
    ("!tt.tensordesc<1x64xf64>", "tensor<8x64xf64>", "TMA dtype cannot be greater than 32 bits"),
]


@pytest.mark.parametrize(("descriptor", "result", "message"), ROWS)
def test_gathered_rows(refuse: Check, descriptor: str, result: str, message: str) -> None:
    operands = {"d": descriptor, "x": "tensor<8xi32>", "y": "i32"}
    refuse(generic("tt.descriptor_gather", operands, result), message)


def test_sound_gathered_rows(accept: Check) -> None:
    operands = {"d": DESCRIPTOR, "x": "tensor<8xi32>", "y": "i32"}
    accept(generic("tt.descriptor_gather", operands, "tensor<8x64xf16>"))


DOT = '"tt.dot"(%a, %b, %c) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}>'


def dot(a: str, b: str, c: str) -> str:
    types = [f"tensor<16x16xf32{', ' + encoding if encoding else ''}>" for encoding in (a, b, c)]
    arguments = ", ".join(f"%{n}: {t}" for n, t in zip("abc", types, strict=True))
    return function(arguments, f"%0 = {DOT} : ({', '.join(types)}) -> {types[2]}")


def operand(index: int) -> str:
    return f"#ttg.dot_op<{{opIdx = {index}, parent = {MMA}, kWidth = 1}}>"


def test_dot_encodings(refuse: Check, accept: Check) -> None:
    refuse(dot(operand(0), "", MMA), "mismatching encoding between A and B operands")
    refuse(dot(operand(0), operand(1), ""), "miss encoding of C operand")
    accept(dot(operand(0), operand(1), MMA))


def scaled(a: str, b: str, scale: str, c: str) -> str:
    types = [f"tensor<{shape}>" for shape in (a, b, c, scale)]
    arguments = ", ".join(f"%{n}: {t}" for n, t in zip("abcs", types, strict=True))
    return function(
        arguments,
        '%0 = "tt.dot_scaled"(%a, %b, %c, %s) <{a_elem_type = 0 : i32, b_elem_type = 0 : i32, '
        "fastMath = false, lhs_k_pack = true, rhs_k_pack = true, "
        f"operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}}> : ({', '.join(types)}) -> {types[2]}",
    )


def test_scaled_dot(refuse: Check, accept: Check) -> None:
    accept(scaled("16x64xi8", "64x16xi8", "16x2xi8", "16x16xf32"))
    refuse(scaled("64xi8", "64xi8", "2xi8", "1xf32"), "operands must be at least 2D")
    wrong = "scale factor must be 16 or 32. Got 64"
    refuse(scaled("16x64xi8", "64x16xi8", "16x1xi8", "16x16xf32"), wrong)


FUNCTIONS = [
    (
        'tt.func private @g(i32)\ntt.func @f(%x: i32) {\n"tt.call"() <{callee = @g}> : () -> ()\n'
        "tt.return\n}",
        "incorrect number of operands for callee",
    ),
    (
        'tt.func private @g(i32)\ntt.func @f(%x: i64) {\n"tt.call"(%x) <{callee = @g}> : (i64) -> '
        "()\ntt.return\n}",
        "operand type mismatch: expected operand type 'i32', but provided 'i64'",
    ),
    (
        'tt.func private @g() -> i32\ntt.func @f() {\n"tt.call"() <{callee = @g}> : () -> ()\n'
        "tt.return\n}",
        "incorrect number of results for callee",
    ),
    (
        'tt.func private @g() -> i32\ntt.func @f() {\n%0 = "tt.call"() <{callee = @g}> : () -> i64\n'
        "tt.return\n}",
        "result type mismatch at index 0",
    ),
    (
        '"tt.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({\n  tt.return\n}) : () -> ()',
        "entry block must have 1 arguments to match function signature",
    ),
    (
        '"tt.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({\n^bb0(%x: i64):\n'
        "  tt.return\n}) : () -> ()",
        "type of entry block argument #0('i64') must match",
    ),
    (
        '"tt.func"() <{function_type = (i32) -> (), sym_name = "f", arg_attrs = []}> ({\n'
        "^bb0(%x: i32):\n  tt.return\n}) : () -> ()",
        "expects argument attribute array to have the same number of elements",
    ),
    (
        "tt.func @f(%x: i32) -> i64 {\n  tt.return %x : i32\n}",
        "type of return operand 0 ('i32') doesn't match function result type ('i64')",
    ),
]


@pytest.mark.parametrize(("text", "message"), FUNCTIONS)
def test_functions(refuse: Check, text: str, message: str) -> None:
    refuse(f"module {{\n{text}\n}}", message)


def reduction(operands: list[str], body: str, results: str, op: str = "reduce") -> str:
    names = ", ".join(f"%x{i}" for i in range(len(operands)))
    arguments = ", ".join(f"%x{i}: {type}" for i, type in enumerate(operands))
    properties = "axis = 0 : i32" + (", reverse = false" if op == "scan" else "")
    if op == "map_elementwise":
        properties = "pack = 1 : i32"
    left = "%r = " if results != "()" else ""
    return function(
        arguments,
        f'{left}"tt.{op}"({names}) <{{{properties}}}> ({{\n{body}\n}}) : '
        f"({', '.join(operands)}) -> {results}",
    )


ADD = "^bb0(%a: f32, %b: f32):\n  %s = arith.addf %a, %b : f32\n  tt.reduce.return %s : f32"
NO_END = "^bb0(%a: f32, %b: f32):\n  llvm.unreachable"
STORES = (
    "^bb0(%a: !tt.ptr<f32>):\n  %c = arith.constant 0.0 : f32\n"
    "  tt.store %a, %c : !tt.ptr<f32>\n  tt.map_elementwise.return %a : !tt.ptr<f32>"
)


def test_reductions(refuse: Check, accept: Check) -> None:
    accept(reduction(["tensor<8xf32>"], ADD, "f32"))
    refuse(
        reduction([], '^bb0:\n  "tt.reduce.return"() : () -> ()', "()"),
        "must have at least 1 operand",
    )
    refuse(reduction(["tensor<8xf32>"], NO_END, "f32"), "combine operation must be terminated")
    two = "^bb0(%a: f32, %b: f32, %c: f32, %d: f32):\n  tt.reduce.return %a, %b : f32, f32"
    text = reduction(["tensor<8xf32>", "tensor<8x8xf32>"], two, "(f32, f32)")
    refuse(text.replace("%r = ", "%r:2 = "), "requires the same shape for all operands")


def test_mapped_elements(refuse: Check) -> None:
    nothing = reduction([], "^bb0:\n  tt.map_elementwise.return", "()", "map_elementwise")
    refuse(nothing, "must have at least 1 operand")
    empty = reduction(["tensor<8xf32>"], "", "tensor<8xf32>", "map_elementwise")
    refuse(empty, "region must have at least one block")
    pointers = "tensor<8x!tt.ptr<f32>>"
    stores = reduction([pointers], STORES, pointers, "map_elementwise")
    refuse(stores, "Stores are not supported inside map_elementwise")


def on(shape: str, encoding: str = "") -> str:
    return f"tensor<{shape}{', ' + encoding if encoding else ''}>"


ENCODINGS = [
    (
        "tt.reshape",
        {"x": on("128xf32", BLOCKED)},
        on("128x1xf32"),
        "either (a) src and dst both have encodings, or (b) neither does",
    ),
    (
        "tt.trans",
        {"x": on("32x4xf32", PLANE)},
        on("4x32xf32", PLANE),
        "are incompatible with return type(s) of operation",
    ),
    (
        "tt.gather",
        {"x": on("128xf32", BLOCKED), "i": on("128xi32", BLOCKED)},
        on("128xf32", OTHER),
        "indices and output encodings must match",
    ),
    (
        "tt.addptr",
        {"p": on("128x!tt.ptr<f32>", BLOCKED), "o": on("128xi32", OTHER)},
        on("128x!tt.ptr<f32>", BLOCKED),
        "requires the same encoding for",
    ),
    (
        "tt.broadcast",
        {"x": on("128xf32", BLOCKED)},
        on("128xf32", OTHER),
        "requires the same encoding for",
    ),
    (
        "tt.extern_elementwise",
        {"x": on("128xf32")},
        "f32",
        "there must be at least one non-scalar result",
    ),
    (
        "tt.extern_elementwise",
        {"x": "f32"},
        on("128xf32"),
        "at least one operand must be non-scalar",
    ),
    ("tt.clampf", {"x": "f32", "a": "f32", "b": "f16"}, "f32", "requires the same type for all"),
    ("tt.mulhiui", {"x": "i32", "y": "i64"}, "i32", "requires the same type for all"),
    ("tt.expand_dims", {"x": on("128xf32")}, on("128x1xf32"), "axis 7 is out of bounds"),
]
PROPERTIES = {
    "tt.trans": "order = array<i32: 1, 0>",
    "tt.gather": "axis = 0 : i32",
    "tt.extern_elementwise": 'libname = "", libpath = "", symbol = "f", pure = true',
    "tt.clampf": "propagateNan = 0 : i32",
    "tt.expand_dims": "axis = 7 : i32",
}


@pytest.mark.parametrize(("op", "operands", "result", "message"), ENCODINGS)
def test_encodings_and_types(
    refuse: Check, op: str, operands: dict[str, str], result: str, message: str
) -> None:
    refuse(generic(op, operands, result, PROPERTIES.get(op, "")), message)


OTHERS = [
    (
        "%x: tensor<8xi32>",
        '%0 = "tt.elementwise_inline_asm"(%x) <{asm_string = "", constraints = "", '
        "packed_element = 0 : i32, pure = true}> : (tensor<8xi32>) -> tensor<8xi32>",
        "packed_element must be positive, got 0",
    ),
    ("%x: !tt.ptr<vector<8xi32>>", "", "pointer types must point to integer or floating-point"),
    ("%x: !tt.tensordesc<4xtensor<8xi32>>", "", "must not wrap tensor types"),
    (
        "%p: !tt.ptr<f32>, %i: i32",
        '%0 = "tt.advance"(%p, %i) : (!tt.ptr<f32>, i32) -> !tt.ptr<f32>',
        "operand 'ptr' must be ptr to a block",
    ),
    (
        "%p: !tt.ptr<f32>, %i: i64, %j: i32",
        '%0 = "tt.make_tensor_ptr"(%p, %i, %i, %j) <{order = array<i32: 0>}> : '
        "(!tt.ptr<f32>, i64, i64, i32) -> !tt.ptr<f32>",
        "expected a pointer to a block",
    ),
]


@pytest.mark.parametrize(("arguments", "line", "message"), OTHERS)
def test_other_rules(refuse: Check, arguments: str, line: str, message: str) -> None:
    refuse(function(arguments, line), message)
