"""What MLIR refuses is refused, with its words, and what is at the limit is read."""

import re
import subprocess

import pytest

from xtriton.errors import UserError
from xtriton.interop import mlir
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.universe import context

REFUSED_TYPES = {
    "i16777216": "integer bitwidth is limited to 16777215 bits",
    "i18446744073709551617": "integer bitwidth is limited to 16777215 bits",
    "si16777216": "integer bitwidth is limited to 16777215 bits",
    "tensor<4xi16777216>": "integer bitwidth is limited to 16777215 bits",
    "tensor<9223372036854775808xi32>": "invalid dimension",
    "memref<9223372036854775808xi32>": "invalid dimension",
    "vector<9223372036854775808xi32>": "invalid dimension",
    "tensor<*xtensor<*xi32>>": "invalid tensor element type",
    "tensor<4xtensor<4xi32>>": "invalid tensor element type",
    "tensor<4xmemref<4xi32>>": "invalid tensor element type",
    "tensor<4xnone>": "invalid tensor element type",
    "tensor<4xtuple<>>": "invalid tensor element type",
    "tensor<4x() -> ()>": "invalid tensor element type",
    "vector<0xi32>": "vector types must have positive constant sizes but got 0",
    "vector<[0]xi32>": "vector types must have positive constant sizes but got 0",
    "vector<4xvector<4xi32>>": "vector elements must be int/index/float type",
    "vector<4xtensor<4xi32>>": "vector elements must be int/index/float type",
    "vector<4xcomplex<f32>>": "vector elements must be int/index/float type",
    "memref<4xnone>": "invalid memref element type",
    "memref<4xtensor<4xi32>>": "invalid memref element type",
    "memref<4xtuple<>>": "invalid memref element type",
    "memref<4x!x.y>": "invalid memref element type",
    "memref<4xi32, affine_map<(d0, d1) -> (d0)>>": "memref layout mismatch",
    "memref<4xi32, strided<[1, 2]>>": "expected the number of strides to match the rank",
    "memref<4xi32, strided<[9223372036854775808]>>": "expected a 64-bit signed integer",
    "memref<4xi32, strided<[1], offset: 9223372036854775808>>": "expected a 64-bit signed",
    "!llvm.ptr<4294967296>": "integer value too large",
}

REFUSED_ATTRIBUTES = {
    "9223372036854775808 : index": "integer constant out of range",
    "-9223372036854775809 : index": "integer constant out of range",
    "256 : i8": "integer constant out of range",
    "-129 : i8": "integer constant out of range",
    "128 : si8": "integer constant out of range",
    "-1 : ui8": None,
    "2 : i1": "integer constant out of range",
    "1 : i0": "integer constant out of range",
    "-0": "integer constant out of range",
    "1.0 : i32": "floating point value not valid",
    "1 : tensor<2xi32>": "integer literal not valid",
    "1 : f32": "unexpected decimal integer literal for a floating point value",
    "-1 : f64": "unexpected decimal integer literal for a floating point value",
    "-0x1 : f32": "hexadecimal float literal should not have a leading minus",
    "0x10000 : f16": "hexadecimal float constant out of range for type",
    "dense<1> : tensor<2xf32>": "unexpected decimal integer literal for a floating point value",
    "dense<[1.0, 2]> : tensor<2xf32>": "unexpected decimal integer literal",
    "dense<true> : tensor<2xf32>": None,
    "dense<-0x1> : tensor<2xf32>": "hexadecimal float literal should not have a leading minus",
    "dense<0x1FFFFFFFF> : tensor<2xf32>": "hexadecimal float constant out of range for type",
    'dense<"01000000"> : tensor<1xi32>': "starting with `0x`",
    "array<i1: 1>": "expected 'true' or 'false' values for i1 type",
    "array<i32: true>": "expected i1 type for 'true' or 'false' values",
    "array<i8: 256>": None,
    "affine_map<(d0, d0) -> (d0)>": "redefinition of identifier 'd0'",
    "affine_map<(d0)[d0] -> (d0)>": "redefinition of identifier 'd0'",
    "affine_map<(d0) -> (9223372036854775808)>": "constant too large for index",
    "affine_map<(d0) -> (-9223372036854775808)>": None,
}

ACCEPTED_TYPES = (
    "i16777215",
    "i0",
    "tensor<9223372036854775807xi32>",
    "tensor<4 x 4 x i32>",
    "tensor<? x 4xi32>",
    "tensor<0x4xi32>",
    "tensor<4xvector<4xi32>>",
    "tensor<4xcomplex<f32>>",
    "tensor<4x!x.y>",
    "vector<i32>",
    "vector<[4]xindex>",
    "vector<4x!llvm.ptr>",
    "memref<4xmemref<4xi32>>",
    "memref<4xi32, strided<[-1], offset: ?>>",
    "!llvm.ptr<4294967295>",
    "tensor<" + "1x" * 200 + "i32>",
)

ACCEPTED_ATTRIBUTES = (
    "9223372036854775807 : index",
    "-9223372036854775808 : index",
    "9223372036854775808",
    "18446744073709551615 : i64",
    "255 : i8",
    "-128 : i8",
    "-1 : i1",
    "0x7FC00000 : f32",
    "1.0e39 : f32",
    "-1.0e39 : f32",
    "65520.0 : f16",
    "65519.9 : f16",
    "3.4e38 : bf16",
    "465.0 : f8E4M3FN",
    "dense<1.0e99> : tensor<2xf32>",
    "dense<[1.0e39, -1.0e39]> : tensor<2xf32>",
    "dense<[0x7FC00001, 0xFF800000]> : tensor<2xf32>",
    "array<i1: true, false>",
    "affine_map<(d0)[s0] -> (d0 + 9223372036854775807)>",
)


REFUSED_TEXTS = {
    "module attributes {a} {}\n": "dialect-prefixed names, found: 'a'",
    '"builtin.module"() ({^bb0(%a: i32):}) : () -> ()\n': "region should have no arguments",
    "module {\f}\n": "unexpected character",
    '"" () : () -> ()\n': "empty operation name is invalid",
    "func.func @f()\n": "symbol declaration cannot have public visibility",
    "func.func private @f(i32 {x})\n": "may only have dialect attributes",
    "func.func private @f() -> (i32 {x})\n": "may only have dialect attributes",
    '"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "x"}> ({})'
    " : () -> ()\n": "visibility expected to be one of",
    '"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private",'
    " arg_attrs = [{}]}> ({}) : () -> ()\n": "got 1, expected 0",
    "func.func @f() { %t = tensor.empty() : tensor<?xi32> return }\n": "dynamic sizes, has 0",
    "func.func @f(%x: index) { %t = tensor.empty(%x) : tensor<4xi32> return }\n": "has 1, exp",
    "func.func @f(%t: tensor<4xi32>) { %a = tensor.extract %t[] : tensor<4xi32> return }\n": (
        "indices are 0, but the tensor has rank 1"
    ),
    "func.func @f(%t: tensor<i32>, %i: i32, %x: index) {"
    " %a = tensor.insert %i into %t[%x] : tensor<i32> return }\n": "indices are 1",
    "func.func @f(%i: i32) { %t = tensor.from_elements %i : tensor<2xi32> return }\n": (
        "got 1 operands and 2 types"
    ),
    "func.func @f(%i: i32) { %a = arith.addi %i, %i overflow<> : i32 return }\n": (
        "expected valid keyword"
    ),
    "func.func @f(%x: f32) { %a = arith.addf %x, %x fastmath<> : f32 return }\n": (
        "expected valid keyword"
    ),
}


def of_type(type: str) -> str:
    return f"func.func private @f({type})\n"


def of_attribute(attribute: str) -> str:
    return f"module attributes {{t.a = {attribute}}} {{}}\n"


REFUSED = {
    **{of_type(t): m for t, m in REFUSED_TYPES.items()},
    **{of_attribute(a): m for a, m in REFUSED_ATTRIBUTES.items()},
    **REFUSED_TEXTS,
}
ACCEPTED = [*map(of_type, ACCEPTED_TYPES), *map(of_attribute, ACCEPTED_ATTRIBUTES)]


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str):
    with pytest.raises(UserError) as caught:
        verify(parse_module(text, context(allow_unregistered=True)))
    assert (REFUSED[text] or "") in caught.value.message


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str):
    ctx = context(allow_unregistered=True)
    once = print_module(parse_module(text, ctx))
    assert print_module(parse_module(once, ctx)) == once


def test_mlir_agrees():
    mlir_opt = mlir.find("mlir-opt-22")
    if mlir_opt is None:
        pytest.skip("mlir-opt-22 is not installed")
    texts = [*REFUSED, *ACCEPTED]
    run = subprocess.run(
        [mlir_opt.path, "--allow-unregistered-dialect", "--split-input-file"],
        input="// -----\n".join(texts),
        capture_output=True,
        text=True,
        check=False,
    )
    # Each text is one line, with the marker on the next.
    lines = re.findall(r"^\S+:(\d+):\d+: error", run.stderr, re.MULTILINE)
    assert {texts[(int(line) - 1) // 2] for line in lines} == set(REFUSED)


READ_QUICKLY = "".join(
    f"%c{i} = arith.constant {i} : i32\n%f{i} = arith.constant {i}.0 : f32\n"
    f"%s{i} = arith.addf %f{i}, %f{i} : f32\n"
    for i in range(8)
)


@pytest.mark.parametrize(
    "line",
    [
        "%a = arith.constant 1_0 : i32",
        "%a = arith.constant 1e5 : f32",
        "%a = arith.constant 0x : i32",
        "%a = arith.constant true : i32",
        "%a = arith.addf %f1, %f2 : f32<4>",
    ],
)
def test_lines_are_read_to_their_end_on_the_fast_path_too(line: str):
    """After so many ops of a kind that lines are read by a pattern: no part is left out."""
    text = "func.func @f() {\n" + READ_QUICKLY + line + "\nreturn\n}\n"
    with pytest.raises(UserError):
        parse_module(text, context())
