"""The printer: formats, aliases, dialect elision, generic form, versions."""

from typing import ClassVar

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import IntAttr, IntegerAttr, ModuleOp, TensorType, UnitAttr, f32, i32
from xdsl.ir import Block, Dialect, Operation, ParametrizedAttribute, Region, TypeAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    var_operand_def,
)
from xdsl.printer import Printer as XDSLPrinter

from xtriton import universe
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.syntax import I32Enum, Syntax
from xtriton.ir.versions import Version
from xtriton.ir.writing.printer import print_module


class Level(I32Enum):
    low = 1
    in_ = 2


@irdl_attr_definition
class LayoutAttr(ParametrizedAttribute):
    name = "t.layout"
    order: IntAttr
    ALIAS: ClassVar[str] = "layout"

    def print_parameters(self, printer: XDSLPrinter) -> None:
        printer.print_string(f"<{self.order.data}>")


@irdl_attr_definition
class BoxType(ParametrizedAttribute, TypeAttribute):
    name = "t.box"
    size: IntAttr

    def print_parameters(self, printer: XDSLPrinter) -> None:
        printer.print_string(f"<{self.size.data}>")


@irdl_op_definition
class LoadOp(IRDLOperation):
    name = "t.load"
    ptr = operand_def(BoxType)
    mask = opt_operand_def()
    rest = var_operand_def()
    level = prop_def(IntegerAttr, default_value=IntegerAttr(1, i32))
    hint = opt_prop_def(IntegerAttr)
    flag = opt_prop_def(UnitAttr)
    result = result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    ENUMS: ClassVar = {"level": Level}
    SYNTAX: ClassVar = Syntax(
        "$ptr (`,` $mask^)? (`[` $rest^ `]`)? (`volatile` $flag^)?"
        " oilist(`level` `=` $level) attr-dict `:` type($ptr) `->` type($result)",
        since=(3, 4),
        attributes_since={"hint": (3, 6)},
    )


@irdl_op_definition
class WrapOp(IRDLOperation):
    name = "t.wrap"
    body = region_def()
    SYNTAX: ClassVar = Syntax("attr-dict-with-keyword `` `x` $body")


def box(size: int) -> BoxType:
    return BoxType(IntAttr(size))


def load(mask: bool = False, rest: int = 0, **properties: object) -> Operation:
    source = universe_op("t.source", box(1), i32, i32)
    operands = source.results
    op = LoadOp.build(
        operands=[operands[0], [operands[1]] if mask else [], [operands[2]] * rest],
        result_types=[f32],
        properties=properties,  # pyright: ignore[reportArgumentType]
    )
    Block([source, op])
    return op


def universe_op(name: str, *types: object) -> Operation:
    cls = Context(allow_unregistered=True).get_op(name)
    return cls.create(result_types=types)  # pyright: ignore[reportArgumentType]


def line(op: Operation, version: Version = (3, 9)) -> str:
    block = op.parent_block()
    if block is None:
        block = Block([op])
    module = ModuleOp(Region(block))
    return print_module(module, version=version).splitlines()[-2].strip()


def test_optional_groups_and_spaces() -> None:
    assert line(load()) == "%1 = t.load %0#0 : <1> -> f32"
    assert line(load(mask=True)) == "%1 = t.load %0#0, %0#1 : <1> -> f32"
    assert line(load(rest=2)) == "%1 = t.load %0#0[%0#2, %0#2] : <1> -> f32"
    assert line(load(flag=UnitAttr())) == "%1 = t.load %0#0 volatile : <1> -> f32"


def test_oilist_and_defaults() -> None:
    assert line(load(level=IntegerAttr(1, i32))) == "%1 = t.load %0#0 : <1> -> f32"
    expected = "%1 = t.load %0#0 level = in : <1> -> f32"
    assert line(load(level=IntegerAttr(2, i32))) == expected


def test_dictionary_merges_and_sorts() -> None:
    op = load(hint=IntegerAttr(7, i32))
    op.attributes["a.b"] = UnitAttr()
    op.attributes["x-y"] = i32
    expected = '%1 = t.load %0#0 {a.b, hint = 7 : i32, "x-y" = i32} : <1> -> f32'
    assert line(op) == expected


def test_versions_that_lack_an_op_or_attribute() -> None:
    with pytest.raises(UserError, match=r"Triton 3\.3 has no 't\.load'"):
        line(load(), (3, 3))
    with pytest.raises(UserError, match=r"no attribute 'hint' of 't\.load'"):
        line(load(hint=IntegerAttr(7, i32)), (3, 5))
    assert "hint = 7" in line(load(hint=IntegerAttr(7, i32)), (3, 6))


def test_literals_that_steer_spaces() -> None:
    op = WrapOp.create(regions=[Region(Block([universe_op("a.b")]))], attributes={"k": i32})
    text = print_module(ModuleOp([op]))
    assert text == 'module {\n  t.wrap attributes {k = i32}x {\n    "a.b"() : () -> ()\n  }\n}\n'


def test_aliases_are_numbered_in_order_and_shared_by_value() -> None:
    ops = [universe_op("a.b", TensorType(f32, [4], LayoutAttr(IntAttr(n)))) for n in (5, 7, 5)]
    text = print_module(ModuleOp(ops))
    assert text.splitlines()[:2] == ["#layout = #t.layout<5>", "#layout1 = #t.layout<7>"]
    assert text.count("tensor<4xf32, #layout>") == 2
    assert text.count("tensor<4xf32, #layout1>") == 1


def test_locations_are_defined_where_mlir_defines_them() -> None:
    text = """
#loc = loc("f.py":1:0)
#loc3 = loc("x"(#loc))
module {
  func.func @f(%x: i32 loc("x"(#loc))) {
    %y = arith.addi %x, %x : i32 loc(#loc4)
    return loc(#loc2)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("f.py":2:4)
#loc2 = loc("f.py":3:4)
#loc4 = loc("y"(#loc1))
""".lstrip()
    assert print_module(parse_module(text, universe.context()), debug_info=True) == text


def test_default_dialects_are_elided() -> None:
    text = """
module {
  module @inner attributes {a.b} {
  }
  func.func private @g()
  func.func @f() {
    call @g() : () -> ()
    builtin.module {
    }
    return
  }
}
""".lstrip()
    assert print_module(parse_module(text, universe.context())) == text


def test_generic_form() -> None:
    text = """
"builtin.module"() ({
  "func.func"() <{function_type = (i1) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: i1):
    %0 = "arith.addi"(%arg0, %arg0) <{overflowFlags = #arith.overflow<none>}> {z} : (i1, i1) -> i1
    "cf.br"()[^bb1] : () -> ()
  ^bb1:  // pred: ^bb0
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
""".lstrip()
    assert print_module(parse_module(text, universe.context()), generic=True) == text


def test_old_dialect_names() -> None:
    text = 'module attributes {"ttg.num-warps" = 4 : i32} {\n}\n'
    module = parse_module(text, universe.context())
    assert '"triton_gpu.num-warps"' in print_module(module, version=(3, 1))
    assert '"triton_gpu.num-warps"' in print_module(module, version=(3, 2))
    assert '"ttg.num-warps"' in print_module(module, version=(3, 3))


def nested(depth: int) -> ModuleOp:
    ops = [universe_op("a.b")]
    cls = Context(allow_unregistered=True).get_op("a.region")
    for _ in range(depth):
        ops = [cls.create(regions=[Region(Block(ops))])]
    return ModuleOp(ops)


def test_deep_nesting() -> None:
    text = print_module(nested(600))
    assert text.count('"a.region"') == 600
    assert text.splitlines()[601] == " " * 2 * 601 + '"a.b"() : () -> ()'


def test_nesting_without_end_is_an_error_of_the_user() -> None:
    with pytest.raises(UserError, match="nested too deeply"):
        print_module(nested(20_000))


def test_ops_of_xdsl_print_through_its_interface() -> None:
    @irdl_op_definition
    class OwnOp(IRDLOperation):
        name = "t.own"
        value = operand_def()
        body = region_def()

        def print(self, printer: XDSLPrinter) -> None:
            printer.print_string(" ")
            printer.print_ssa_value(self.value)
            printer.print_string(" : ")
            printer.print_attribute(self.value.type)
            printer.print_string(" ")
            with printer.in_parens():
                printer.print_list([1, 2], lambda n: printer.print_string(str(n)))
            printer.print_string("\n  more")
            printer.print_region(self.body, print_entry_block_args=False)
            printer.print_op_attributes(self.attributes)

    source = universe_op("a.b", TensorType(f32, [2], LayoutAttr(IntAttr(1))))
    own = OwnOp.create(
        operands=source.results,
        regions=[Region(Block(arg_types=[i32]))],
        attributes={"k": UnitAttr()},
    )
    expected = """
#layout = #t.layout<1>
module {
  %0 = "a.b"() : () -> tensor<2xf32, #layout>
  t.own %0 : tensor<2xf32, #layout> (1, 2)
    more{
  ^bb0(%arg0: i32):
  } {k}
}
""".lstrip()
    assert print_module(ModuleOp([source, own])) == expected


T = Dialect("t", [LoadOp, WrapOp], [LayoutAttr, BoxType])
