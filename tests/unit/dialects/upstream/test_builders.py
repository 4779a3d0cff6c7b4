"""Ops of the upstream dialects made in memory, where xDSL's constructors are wrong."""

from typing import Any

import pytest
from xdsl.dialects import test as placeholder
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    MemRefType,
    StringAttr,
    TensorType,
    f16,
    f32,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream import arith, linalg, llvm, math
from xtriton.dialects.upstream.types import i1_like, same_shape, with_element_type

# Constructors that are repaired: xDSL's stubs say less than they take.
ReduceOp: Any = linalg.ReduceOp
MatmulOp: Any = linalg.MatmulOp
GEPOp: Any = llvm.GEPOp

ENCODED = TensorType(i32, [4], StringAttr("encoding"))


def value(type: Attribute) -> SSAValue:
    return placeholder.TestOp(result_types=[type]).results[0]


@pytest.mark.parametrize("op", [arith.CmpiOp, arith.CmpfOp])
def test_comparison_of_tensors_keeps_shape_and_encoding(op: type):
    type = with_element_type(ENCODED, f32 if op is arith.CmpfOp else i32)
    made = op(value(type), value(type), 2)
    assert made.result.type == TensorType(i1, [4], StringAttr("encoding"))
    made.verify()


def test_comparison_by_keyword():
    made = arith.CmpiOp(value(i32), value(i32), "uge")
    assert made.predicate.value.data == 9
    assert made.result.type == i1
    with pytest.raises(VerifyException, match="unknown comparison predicate 'up'"):
        arith.CmpiOp(value(i32), value(i32), "up")


def test_fastmath_is_a_property():
    fast = arith.FastMathFlagsAttr("fast")
    for made in (
        arith.NegfOp(value(f32), fast),
        math.FmaOp(value(f32), value(f32), value(f32), fast),
        math.FPowIOp(value(f32), value(i32), fast),
    ):
        assert made.properties["fastmath"] == fast
        assert not made.attributes
        made.verify()


@pytest.mark.parametrize(
    ("a", "b", "agree"),
    [
        (i32, f32, True),
        (ENCODED, TensorType(f32, [4], StringAttr("encoding")), True),
        (ENCODED, TensorType(f32, [4]), False),
        (TensorType(i32, [-1]), TensorType(i32, [4]), True),
        (TensorType(i32, [8]), TensorType(i32, [4]), False),
        (TensorType(i32, [4]), i32, False),
        (MemRefType(i32, [4]), TensorType(i32, [4]), False),
    ],
)
def test_same_shape(a: Attribute, b: Attribute, agree: bool):
    assert same_shape(a, b) is agree
    assert same_shape(b, a) is agree


def test_i1_like_scalar():
    assert i1_like(f32) == i1


def test_reduce_of_several_operands():
    body = Block(arg_types=[f32, i32, f32, i32])
    body.add_op(linalg.YieldOp(body.args[0], body.args[1]))
    inputs = [value(TensorType(f32, [4, 8])), value(TensorType(i32, [4, 8]))]
    inits = [value(TensorType(f32, [4])), value(TensorType(i32, [4]))]
    dimensions = DenseArrayBase.from_list(i64, [1])
    made = ReduceOp(inputs, inits, dimensions, Region(body))
    made.verify()
    assert made.result_types == (TensorType(f32, [4]), TensorType(i32, [4]))
    assert list(made.inputs) == inputs
    assert list(made.inits) == inits


def test_matmul_body_widens_and_accumulates():
    a, b = value(TensorType(f16, [4, 8])), value(TensorType(f16, [8, 4]))
    made = MatmulOp([a, b], [value(TensorType(f32, [4, 4]))])
    made.verify()
    names = [op.name for op in made.body.block.ops]
    assert names == ["arith.extf", "arith.extf", "arith.mulf", "arith.addf", "linalg.yield"]
    last = list(made.body.block.ops)[3]
    assert last.operands[0] is made.body.block.args[2]


def test_unsigned_matmul_of_bytes():
    a, b = value(TensorType(i8, [4, 8])), value(TensorType(i8, [8, 4]))
    made = MatmulOp([a, b], [value(TensorType(i32, [4, 4]))], cast=linalg.UNSIGNED)
    made.verify()
    assert [op.name for op in made.body.block.ops][:2] == ["arith.extui", "arith.extui"]


def test_transposed_matmul():
    maps: Any = MatmulOp.get_irdl_definition().properties["indexing_maps"].default_value
    assert isinstance(maps, ArrayAttr)
    transposed = AffineMapAttr(AffineMap.from_callable(lambda i, j, k: (k, i)))
    a, b = value(TensorType(f32, [8, 4])), value(TensorType(f32, [8, 4]))
    made = MatmulOp(
        [a, b],
        [value(TensorType(f32, [4, 4]))],
        indexing_maps=ArrayAttr([transposed, *list(maps)[1:]]),  # pyright: ignore[reportUnknownArgumentType]
    )
    made.verify()


def test_fill_of_memory_has_no_result():
    made = linalg.FillOp([value(f32)], [value(MemRefType(f32, [4]))])
    made.verify()
    assert not made.results


def test_flags_of_getelementptr_are_one_number():
    pointer = value(llvm.LLVMPointerType())
    made = GEPOp(pointer, [1], f32, inbounds=True)
    encoded = made.encode_attributes((3, 9))
    assert encoded["noWrapFlags"].value.data == llvm.INBOUNDS
    assert "inbounds" not in encoded
