"""The text of builtin types and attributes; the expected texts are `mlir-opt`'s."""

import pytest
from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BoolAttr,
    ComplexType,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    Signedness,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    VectorType,
    f32,
    f64,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap

from xtriton.ir import dense
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.attribute_text import keyword_text, string_text
from xtriton.ir.writing.printer import attribute_string, print_module

TRUE, FALSE = BoolAttr.from_bool(True), BoolAttr.from_bool(False)
u8 = IntegerType(8, Signedness.UNSIGNED)


@pytest.mark.parametrize(
    ("attribute", "text"),
    [
        (IntegerAttr(5, i64), "5 : i64"),
        (IntegerAttr(-1, i8), "-1 : i8"),
        (IntegerAttr(255, u8), "255 : ui8"),
        (TRUE, "true"),
        (IntegerAttr(0, IndexType()), "0 : index"),
        (FloatAttr(1.0, f32), "1.000000e+00 : f32"),
        (ArrayAttr([IntegerAttr(1, i64), FloatAttr(2.0, f64)]), "[1, 2.000000e+00]"),
        (ArrayAttr([IntegerAttr(1, i32)]), "[1 : i32]"),
        (DenseArrayBase.from_list(i32, [1, -2]), "array<i32: 1, -2>"),
        (DenseArrayBase.from_list(i1, [1, 0]), "array<i1: true, false>"),
        (DenseArrayBase.from_list(i64, []), "array<i64>"),
        (DictionaryAttr({"b": UnitAttr(), "a-b": i32, "a": i1}), '{a = i1, "a-b" = i32, b}'),
        (SymbolRefAttr("f", ["g h"]), '@f::@"g h"'),
        (FunctionType.from_lists([i32], [FunctionType.from_lists([], [])]), "(i32) -> (() -> ())"),
        (FunctionType.from_lists([], [i32, f32]), "() -> (i32, f32)"),
        (TensorType(f32, [2, DYNAMIC_INDEX]), "tensor<2x?xf32>"),
        (TensorType(f32, []), "tensor<f32>"),
        (ComplexType(f32), "complex<f32>"),
        (MemRefType(f32, [4], NoneAttr(), IntegerAttr(1, i64)), "memref<4xf32, 1>"),
        (MemRefType(f32, [4], NoneAttr(), IntegerAttr(1, i32)), "memref<4xf32, 1 : i32>"),
        (
            MemRefType(f32, [4, DYNAMIC_INDEX], StridedLayoutAttr([None, 1], None)),
            "memref<4x?xf32, strided<[?, 1], offset: ?>>",
        ),
        (
            MemRefType(f32, [4], builtin.AffineMapAttr(AffineMap.identity(1))),
            "memref<4xf32>",
        ),
        (VectorType(f32, [4, 2], ArrayAttr([TRUE, FALSE])), "vector<[4]x2xf32>"),
        (StringAttr('a"\\\n\té'), '"a\\22\\\\\\0A\\09\\C3\\A9"'),
    ],
    ids=str,
)
def test_text(attribute: Attribute, text: str) -> None:
    assert attribute_string(attribute) == text


@pytest.mark.parametrize(
    ("type", "values", "text"),
    [
        (TensorType(i32, [1024, 1024]), [7], "dense<7> : tensor<1024x1024xi32>"),
        (TensorType(i32, []), [7], "dense<7> : tensor<i32>"),
        (TensorType(i32, [2, 2]), [1, 2, 3, 4], "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>"),
        (TensorType(i32, [2]), [3, 3], "dense<3> : tensor<2xi32>"),
        (TensorType(i1, [3]), [1, 0, 1], "dense<[true, false, true]> : tensor<3xi1>"),
        (
            TensorType(f32, [2]),
            [1.0, float("nan")],
            "dense<[1.000000e+00, 0x7FC00000]> : tensor<2xf32>",
        ),
        (VectorType(i64, [2]), [-1, 5], "dense<[-1, 5]> : vector<2xi64>"),
    ],
    ids=str,
)
def test_dense(type: Attribute, values: list[float], text: str) -> None:
    assert attribute_string(dense.dense(type, values)) == text


def test_dense_with_many_elements_is_a_hex_string() -> None:
    numbers = dense.dense(TensorType(i8, [101]), list(range(101)))
    digits = bytes(range(101)).hex().upper()
    assert attribute_string(numbers) == f'dense<"0x{digits}"> : tensor<101xi8>'
    hundred = dense.dense(TensorType(i8, [100]), list(range(100)))
    assert attribute_string(hundred).startswith("dense<[0, 1, 2")


def test_many_booleans_are_packed_eight_to_a_byte() -> None:
    bits = dense.dense(TensorType(i1, [104]), [1, 0, 1, 0, 0, 0, 0, 0] * 13)
    assert attribute_string(bits) == f'dense<"0x{"05" * 13}"> : tensor<104xi1>'


def test_dense_without_elements() -> None:
    empty = builtin.DenseIntOrFPElementsAttr.from_list(TensorType(i32, [0]), [])
    assert attribute_string(empty) == "dense<> : tensor<0xi32>"


def test_keywords_and_strings() -> None:
    assert keyword_text("tt.divisibility") == "tt.divisibility"
    assert keyword_text("ttg.num-warps") == '"ttg.num-warps"'
    assert keyword_text("") == '""'
    assert string_text("plain") == '"plain"'


@pytest.mark.parametrize(
    "location",
    [
        "unknown",
        '"f.py":1:2',
        '"f.py":1:2 to 3:4',
        '"f.py":1:2 to :4',
        '"name"',
        'fused<"meta">[#loc1, #loc2]',
        "callsite(#loc1 at #loc2)",
    ],
)
def test_locations(location: str) -> None:
    text = (
        '"a.b"() : () -> () loc(#mine)\n'
        f'#loc1 = loc("x.py":9:9)\n#loc2 = loc("y.py":8:8)\n#mine = loc({location})\n'
    )
    module = parse_module(text, Context(allow_unregistered=True))
    printed = print_module(module, debug_info=True)
    assert f" = loc({location})\n" in printed
