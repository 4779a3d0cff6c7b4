"""That what changes xDSL's ops quicker changes them as xDSL does."""

from __future__ import annotations

import pytest
from xdsl.builder import ImplicitBuilder
from xdsl.dialects.builtin import IntAttr, IntegerAttr, TensorType, f32, i32
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Block, ParametrizedAttribute, Region, SSAValue
from xdsl.ir.core import ErasedSSAValue, SSAValues
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    param_def,
    prop_def,
    traits_def,
)
from xdsl.traits import Commutative, Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import i32_attr
from xtriton.dialects.tt.pointers import AddPtrOp
from xtriton.dialects.upstream.arith import AddiOp, ConstantOp
from xtriton.ir.locations import UNKNOWN


def values(count: int) -> list[SSAValue]:
    return list(AnyOp(result_types=[i32] * count).results)


def users(value: SSAValue) -> list[tuple[object, int]]:
    """The uses of a value, both ways through their list."""
    found = list(value.uses)
    back = found[-1:]
    while back and back[-1]._prev_use is not None:
        back.append(back[-1]._prev_use)
    assert back[::-1] == found
    return [(use.operation, use.index) for use in found]


def test_the_last_use_comes_first():
    (x,) = values(1)
    one, two = AnyOp(operands=[x, x]), AnyOp(operands=[x])
    assert users(x) == [(two, 0), (one, 1), (one, 0)]
    assert one.location == UNKNOWN
    assert not one.regions
    assert not one.successors


def test_operands_are_exchanged_one_by_one_and_all_at_once():
    x, y = values(2)
    op = AnyOp(operands=[x, y, x])
    op.operands[2] = y
    assert list(op.operands) == [x, y, y]
    assert users(x) == [(op, 0)]
    assert users(y) == [(op, 2), (op, 1)]
    op.operands = [y, x]
    assert users(x) == [(op, 1)]
    assert users(y) == [(op, 0)]


def test_a_value_takes_over_uses_and_a_name():
    x, y = values(2)
    x.name_hint = "x"
    one, two = AnyOp(operands=[x, y]), AnyOp(operands=[y, x])
    x.replace_all_uses_with(y)
    assert users(y) == [(one, 0), (two, 1), (two, 0), (one, 1)]
    assert not users(x)
    assert y.name_hint == "x"
    y.replace_all_uses_with(y)
    assert len(users(y)) == 4


def test_an_op_in_use_is_not_erased():
    op = AnyOp(result_types=[i32])
    user = AnyOp(operands=[op.results[0]])
    with pytest.raises(ValueError, match="still has uses"):
        op.erase()
    op.erase(safe_erase=False)
    assert isinstance(user.operands[0], ErasedSSAValue)
    block = Block([user])
    with pytest.raises(AssertionError, match="detached"):
        user.erase()
    block.erase_op(user)
    assert block.is_empty


def test_what_is_erased_uses_nothing():
    (x,) = values(1)
    inner = AnyOp(operands=[x])
    outer = AnyOp(operands=[x], regions=[Region(Block([inner]))])
    assert inner.parent_op() is outer
    outer.erase()
    assert not users(x)
    assert outer.parent_op() is None


def test_an_op_stands_in_one_block_and_not_in_itself():
    op = AnyOp(regions=[Region(Block())])
    with pytest.raises(ValueError, match="contained in the operation"):
        op.regions[0].block.add_op(op)
    Block([op])
    with pytest.raises(ValueError, match="already attached"):
        Block([op])


def test_copies_have_names_locations_and_mapped_operands():
    x, y = values(2)
    op = AddiOp(x, x)
    op.results[0].name_hint = "sum"
    op.attributes["note"] = i32_attr(1)
    mapping = {x: y}
    copy = op.clone(mapping)
    assert list(copy.operands) == [y, y]
    assert mapping[op.results[0]] is copy.results[0]
    assert copy.results[0].name_hint == "sum"
    assert copy.attributes == op.attributes
    assert copy.attributes is not op.attributes
    assert op.clone(clone_name_hints=False).results[0].name_hint is None
    assert not op.clone(clone_operands=False).operands


@irdl_op_definition
class WithDefault(IRDLOperation):
    name = "test.with_default"
    size = prop_def(IntegerAttr, default_value=i32_attr(4))

    traits = traits_def(Pure())


def test_properties_have_their_default_unless_they_are_given():
    assert WithDefault().size == i32_attr(4)
    assert WithDefault(properties={"size": i32_attr(2)}).size == i32_attr(2)
    assert WithDefault(properties={"size": None}).size == i32_attr(4)
    assert WithDefault.create().size == i32_attr(4)
    assert WithDefault.create(properties={"size": i32_attr(2)}).size == i32_attr(2)


def test_an_implicit_builder_takes_what_is_made():
    block = Block()
    with ImplicitBuilder(block):
        made = WithDefault(), AnyOp(), WithDefault.create(), AnyOp.create()
    assert tuple(block.ops) == made


def test_traits_may_be_added():
    assert WithDefault.get_trait(Commutative) is None
    assert WithDefault.get_traits_of_type(Pure)
    WithDefault.traits.add_trait(Commutative())
    assert WithDefault.get_trait(Commutative) is not None
    assert WithDefault.get_trait(Pure()) is not None


def test_ops_are_taken_for_their_result_and_counted():
    (x,) = values(1)
    constant = ConstantOp(i32_attr(1))
    assert AddPtrOp(x, constant).operands[1] is constant.results[0]
    with pytest.raises(ValueError, match="Expected 0 operand"):
        WithDefault(operands=[x])


def test_parameters_of_attributes_are_verified():
    with pytest.raises(VerifyException, match="does not verify"):
        TensorType.new([f32, f32, f32])
    assert TensorType(f32, [2]) == TensorType(f32, [2])
    with pytest.raises(ValueError, match="argument"):
        TypedAttribute(f32)  # pyright: ignore[reportCallIssue]


@irdl_attr_definition
class TypedAttribute(ParametrizedAttribute):
    name = "test.typed"
    first: IntAttr = param_def(converter=IntAttr.get)
    second: IntAttr


def test_parameters_of_attributes_are_converted():
    assert TypedAttribute(1, IntAttr(2)).first == IntAttr(1)
    with pytest.raises(VerifyException, match="second"):
        TypedAttribute(1, 2)  # pyright: ignore[reportArgumentType]


def test_parts_of_operands_know_their_types():
    x, y = values(2)
    op = AnyOp(operands=[x, y])

    def types(first: int) -> object:
        part = op.operands[first:]
        assert isinstance(part, SSAValues)
        return part.types

    assert types(1) == (i32,)
    op.operands[0] = y
    assert types(1) == (i32,)
    y.replace_all_uses_with(x)
    assert types(0) == (i32, i32)
    op.operands = [x]
    assert types(0) == (i32,)
