"""That xDSL's core, made quicker, is what it was."""

from __future__ import annotations

import math
import struct
from abc import ABCMeta

import pytest
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    ArrayOfConstraint,
    FileLineColLoc,
    FloatData,
    IntAttr,
    StringAttr,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.ir.core import SSAValues
from xdsl.irdl import BaseAttr, InferenceContext, VerificationContext
from xdsl.utils.bitwise_casts import convert_f64_to_u64
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt import ExpandDimsOp, MakeRangeOp, MakeTensorPtrOp
from xtriton.dialects.tt.memory import LoadOp
from xtriton.dialects.upstream.scf import ForOp
from xtriton.ir.op_plan import Spelling, _make_plan
from xtriton.ir.reading.attribute_parser import _EVERYDAY_TYPES
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context

KERNEL = """
tt.func @k(%p: !tt.ptr<i32>, %n: i32) {
  %x, %y = scf.if %c -> (i32, i32) {
    %z = arith.addi %n, %n : i32
    scf.yield %z, %n : i32, i32
  } else {
    scf.yield %n, %n : i32, i32
  }
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}
""".replace("%x, %y = ", "%c = arith.cmpi eq, %n, %n : i32\n  %x:2 = ").replace(
    "%p, %x", "%p, %x#0"
)


def test_ops_and_values_are_themselves_only():
    ops = list(parse_module(KERNEL, context()).walk())
    assert len(set(ops)) == len(ops)
    assert all(op == op and (op != other or op is other) for op in ops for other in ops)
    values = [result for op in ops for result in op.results]
    assert len(set(values)) == len(values)


def test_walking_is_in_order_and_stands_changes():
    module = parse_module(KERNEL, context())
    names = [op.name for op in module.walk()]
    assert names == [op.name for op in reversed(list(module.walk(reverse=True, region_first=True)))]
    assert names.index("scf.if") < names.index("arith.addi") < names.index("tt.store")
    for op in module.walk():
        if op.name == "tt.store":
            op.detach()
            op.erase()
    assert [op.name for op in module.walk()] == [name for name in names if name != "tt.store"]


def test_slices_of_results_are_values_with_types():
    branch = next(op for op in parse_module(KERNEL, context()).walk() if op.name == "scf.if")
    assert isinstance(branch.results[:1], SSAValues)
    assert branch.results[:1].types == (branch.results[0].type,)
    assert branch.results[-1] is branch.results[1]


def test_blocks_are_found_by_their_place():
    blocks = [Block(), Block(), Block()]
    region = Region(blocks)
    assert [region.blocks[n] for n in (0, 1, 2, -1, -2, -3)] == [*blocks, *reversed(blocks)]
    for outside in (3, -4):
        with pytest.raises(IndexError):
            region.blocks[outside]
    with pytest.raises(IndexError):
        Region().blocks[0]


def test_instances_are_told_without_asking_for_virtual_ones():
    op = next(op for op in parse_module(KERNEL, context()).walk() if op.name == "arith.cmpi")
    value = op.results[0]
    assert isinstance(value, OpResult)
    assert isinstance(value, SSAValue)
    assert isinstance(value.type, Attribute)
    assert not isinstance(op, (LoadOp, ForOp, Block, Region))
    assert issubclass(LoadOp, Operation)
    assert isinstance(type(op), ABCMeta)


def test_floats_are_told_apart_by_their_bits():
    negative_nan = struct.unpack("<d", b"\1\0\0\0\0\0\xf8\xff")[0]
    for number in (0.0, -0.0, 1.5, math.inf, math.nan, negative_nan):
        bits = convert_f64_to_u64(number)
        assert hash(FloatData(number)) == hash(bits)
        for other in (0.0, -0.0, 1.5, math.inf, math.nan, negative_nan):
            equal = FloatData(number) == FloatData(other)
            assert equal == (bits == convert_f64_to_u64(other))
    assert FloatData(1.0) != 1.0


def test_contexts_of_checks_are_made_of_dictionaries_of_their_own():
    for kind in (InferenceContext, VerificationContext):
        empty = kind()
        assert vars(empty) == {"_variables": {}, "_range_variables": {}, "_int_variables": {}}
        assert vars(empty)["_variables"] is not vars(kind())["_variables"]
        names: dict[str, Attribute] = {"a": i32}
        assert vars(kind(names, {"b": ()}, {"c": 3})) == {
            "_variables": names,
            "_range_variables": {"b": ()},
            "_int_variables": {"c": 3},
        }
        assert kind(names.copy()) == kind(_variables=names)


def test_arguments_of_blocks_are_what_xdsl_makes():
    first, second = Block(arg_types=(i32, i1)).args
    assert (first.type, first.index, first.location, first.first_use) == (i32, 0, UNKNOWN_LOC, None)
    assert (second.type, second.index, second.name_hint) == (i1, 1, None)
    place = FileLineColLoc(StringAttr("a"), IntAttr(1), IntAttr(2))
    argument = BlockArgument(i1, first.block, 2, place)
    assert (argument.block, argument.location) == (first.block, place)


def test_constraints_of_arrays_refuse_what_xdsl_refuses():
    constraint = ArrayOfConstraint(BaseAttr(IntAttr))
    constraint.verify(ArrayAttr([IntAttr(1)]), VerificationContext())
    with pytest.raises(VerifyException, match="base attribute"):
        constraint.verify(ArrayAttr([i32]), VerificationContext())
    with pytest.raises(VerifyException, match="expected ArrayAttr attribute, but got '<class"):
        constraint.verify(i32, VerificationContext())


def test_what_a_property_may_be_is_worked_out_without_words(monkeypatch: pytest.MonkeyPatch):
    def refuse(self: Attribute) -> str:
        raise AssertionError("nobody reads this")

    monkeypatch.setattr(Attribute, "__str__", refuse)
    for op, name, spelling, type in (
        (ExpandDimsOp, "axis", Spelling.TYPED_INTEGER, i32),
        (MakeRangeOp, "start", Spelling.TYPED_INTEGER, i32),
        (MakeTensorPtrOp, "order", Spelling.DENSE_ARRAY, i32),
    ):
        found = _make_plan(op).properties[name]
        assert (found.spelling, found.type) == (spelling, type)


def test_everyday_types_are_what_their_texts_say():
    for text, type in _EVERYDAY_TYPES.items():
        assert str(type) == text
