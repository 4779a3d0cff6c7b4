"""The verifier; where MLIR checks the same, the expected messages are `mlir-opt`'s."""

from collections.abc import Hashable
from typing import ClassVar

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i32, i64
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from xtriton import universe
from xtriton.errors import Position, VerifyFailure
from xtriton.ir.checking import sound_ops
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module

VALID = {
    "a block uses what dominating blocks define": """
      func.func @f(%c: i1, %x: i32) -> i32 {
        %0 = arith.addi %x, %x : i32
        cf.cond_br %c, ^bb1, ^bb2
      ^bb1:
        cf.br ^bb3(%0 : i32)
      ^bb2:
        cf.br ^bb3(%x : i32)
      ^bb3(%1: i32):
        %2 = arith.addi %0, %1 : i32
        return %2 : i32
      }
    """,
    "blocks in any order": """
      func.func @f(%x: i32) -> i32 {
        cf.br ^bb2
      ^bb1:
        return %0 : i32
      ^bb2:
        %0 = arith.addi %x, %x : i32
        cf.br ^bb1
      }
    """,
    "what is never reached may use anything": """
      func.func @f(%x: i32) -> i32 {
        return %x : i32
      ^bb1:
        %0 = arith.addi %1, %x : i32
        %1 = arith.addi %0, %x : i32
        cf.br ^bb1
      }
    """,
    "regions see what is defined outside": """
      func.func @f(%c: i1, %x: i32) -> i32 {
        %0 = scf.if %c -> (i32) {
          scf.yield %x : i32
        } else {
          %1 = arith.addi %x, %x : i32
          scf.yield %1 : i32
        }
        return %0 : i32
      }
    """,
    "a module is a graph": """
      %0 = "a.b"(%1) : (i32) -> i32
      %1 = "a.b"(%0) : (i32) -> i32
    """,
    "the regions of an unknown op are graphs": """
      func.func @f() {
        "a.region"() ({
          %0 = "a.b"(%1) : (i32) -> i32
          %1 = "a.b"(%0) : (i32) -> i32
        }) : () -> ()
        return
      }
    """,
    "loops and while": """
      func.func @f(%n: index, %c: i1, %x: i32) -> i32 {
        %0 = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (i32) {
          scf.yield %a : i32
        }
        %1 = scf.while (%a = %0) : (i32) -> i32 {
          scf.condition(%c) %a : i32
        } do {
        ^bb0(%a: i32):
          scf.yield %a : i32
        }
        return %1 : i32
      }
    """,
}

INVALID = {
    "operand #0 does not dominate this use": """
      func.func @f(%x: i32) {
        %0 = arith.addi %1, %x : i32
        %1 = arith.addi %x, %x : i32
        return
      }
    """,
    "operand #1 does not dominate this use": """
      func.func @f(%c: i1, %x: i32) {
        cf.cond_br %c, ^bb1, ^bb2
      ^bb1:
        %0 = arith.addi %x, %x : i32
        cf.br ^bb2
      ^bb2:
        %1 = arith.addi %x, %0 : i32
        return
      }
    """,
    "operand #2 does not dominate this use": """
      func.func @f(%c: i1, %x: i32) {
        %0 = scf.if %c -> (i32) {
          %1 = arith.select %c, %x, %0 : i32
          scf.yield %1 : i32
        } else {
          scf.yield %x : i32
        }
        return
      }
    """,
    "'func.return' op must be the last operation in the parent block": """
      func.func @f(%x: i32) {
        "func.return"() : () -> ()
        %0 = arith.addi %x, %x : i32
        "func.return"() : () -> ()
      }
    """,
    'block with no terminator, has %0 = "arith.addi"(%arg0, %arg0) '
    "<{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32": """
      func.func @f(%x: i32) {
        %0 = arith.addi %x, %x : i32
      }
    """,
    "empty block: expect at least a terminator": """
      "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
      ^bb0:
      }) : () -> ()
    """,
    "entry block of region may not have predecessors": """
      "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
      ^bb0:
        "cf.br"()[^bb0] : () -> ()
      }) : () -> ()
    """,
    "branch has 0 operands for successor #0, but target block has 1": """
      func.func @f(%x: i32) {
        cf.br ^bb1
      ^bb1(%y: i32):
        return
      }
    """,
    "type mismatch for bb argument #0 of successor #1": """
      func.func @f(%c: i1, %x: i64) {
        cf.cond_br %c, ^bb2, ^bb1(%x : i64)
      ^bb1(%y: i32):
        return
      ^bb2:
        return
      }
    """,
    "'scf.if' op along control flow edge from Operation scf.yield to parent: successor "
    "operand type #0 'f32' should match successor input type #0 'i32'": """
      func.func @f(%c: i1, %x: i32, %y: f32) {
        %0 = "scf.if"(%c) ({
          "scf.yield"(%y) : (f32) -> ()
        }, {
          "scf.yield"(%x) : (i32) -> ()
        }) : (i1) -> i32
        return
      }
    """,
    "'scf.if' op must have an else block if defining values": """
      func.func @f(%c: i1, %x: i32) {
        %0 = "scf.if"(%c) ({
          "scf.yield"(%x) : (i32) -> ()
        }, {}) : (i1) -> i32
        return
      }
    """,
    "'scf.for' op 0-th region iter_arg and 0-th yielded value have different type: "
    "'i32' != 'f32'": """
      func.func @f(%n: index, %x: i32, %y: f32) {
        %0 = "scf.for"(%n, %n, %n, %x) ({
        ^bb0(%i: index, %a: i32):
          "scf.yield"(%y) : (f32) -> ()
        }) : (index, index, index, i32) -> i32
        return
      }
    """,
    "'scf.for' op different number of inits and region iter_args: 1 != 0": """
      func.func @f(%n: index, %x: i32) {
        %0 = "scf.for"(%n, %n, %n, %x) ({
        ^bb0(%i: index):
          "scf.yield"(%x) : (i32) -> ()
        }) : (index, index, index, i32) -> i32
        return
      }
    """,
    "'scf.while' op along control flow edge from Operation scf.yield to Region #0": """
      func.func @f(%c: i1, %x: i32, %y: f32) {
        %0 = "scf.while"(%x) ({
        ^bb0(%a: i32):
          "scf.condition"(%c, %a) : (i1, i32) -> ()
        }, {
        ^bb0(%a: i32):
          "scf.yield"(%y) : (f32) -> ()
        }) : (i32) -> i32
        return
      }
    """,
    "'arith.addi' op requires the same type for all operands and results": """
      func.func @f(%x: i32, %y: i64) {
        %0 = "arith.addi"(%x, %y) : (i32, i64) -> i32
        return
      }
    """,
    "'arith.addi' op operand #0 ": """
      func.func @f(%x: f32) {
        %0 = "arith.addi"(%x, %x) : (f32, f32) -> f32
        return
      }
    """,
    "'arith.addi' op expected 2 operands, but found 1": """
      func.func @f(%x: i32) {
        %0 = "arith.addi"(%x) : (i32) -> i32
        return
      }
    """,
    "'scf.if' op expected 2 regions, but found 1": """
      func.func @f(%c: i1) {
        "scf.if"(%c) ({
          "scf.yield"() : () -> ()
        }) : (i1) -> ()
        return
      }
    """,
    "'arith.cmpi' op requires attribute 'predicate'": """
      func.func @f(%x: i32) {
        %0 = "arith.cmpi"(%x, %x) : (i32, i32) -> i1
        return
      }
    """,
    "'arith.cmpi' op attribute 'predicate' failed to satisfy constraint: allowed 64-bit "
    "signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9": """
      func.func @f(%x: i32) {
        %0 = "arith.cmpi"(%x, %x) <{predicate = 55 : i64}> : (i32, i32) -> i1
        return
      }
    """,
    "redefinition of symbol named 'f'": """
      func.func private @f()
      func.func private @f()
    """,
    "'scf.yield' op expects parent op to be one of 'scf.": """
      func.func @f() {
        "scf.yield"() : () -> ()
      }
    """,
}


def module(text: str) -> ModuleOp:
    return parse_module(text, universe.context(allow_unregistered=True))


@pytest.mark.parametrize("what", VALID)
def test_valid(what: str) -> None:
    verify(module(VALID[what]))


@pytest.mark.parametrize("message", INVALID)
def test_invalid(message: str) -> None:
    with pytest.raises(VerifyFailure) as failure:
        verify(module(INVALID[message]))
    assert message in failure.value.message


def test_values_from_outside_an_isolated_op() -> None:
    outer = AnyOp(result_types=[i32])
    body = Block([AnyOp(operands=outer.results)])
    inner = ModuleOp(Region(body))
    with pytest.raises(VerifyFailure, match="op using value defined outside the region"):
        verify(ModuleOp([outer, inner]))


def test_the_second_op_of_a_kind_is_checked_if_its_types_differ() -> None:
    text = """
      func.func @f(%x: i32, %y: i64) {
        %0 = "arith.addi"(%x, %x) : (i32, i32) -> i32
        %1 = "arith.addi"(%y, %y) : (i64, i64) -> i32
        return
      }
    """
    with pytest.raises(VerifyFailure, match="requires the same type"):
        verify(module(text))


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        ("^bb0(%s: f32, %d: f32):\n linalg.yield %d, %d : f32, f32", "linalg.yield gives other"),
        ("^bb0(%s: f32):\n linalg.yield %s : f32", "region arguments"),
        ("^bb0(%s: f32, %d: i32):\n linalg.yield %s : f32", "bb argument #1"),
        ("^bb0(%s: f32, %d: f32):\n linalg.yield %s : f32\n^bb1:\n linalg.yield %x : f32", "block"),
        ("", "expected a single block, but got 0"),
    ],
)
def test_regions_are_checked_where_the_signature_is_known(damaged: str, message: str) -> None:
    sound = "^bb0(%s: f32, %d: f32):\n linalg.yield %s : f32"

    def fill(name: str, body: str) -> str:
        return f"""
          {name} = "linalg.fill"(%x, %t) <{{operandSegmentSizes = array<i32: 1, 1>}}> ({{
          {body}
          }}) : (f32, tensor<4xf32>) -> tensor<4xf32>
        """

    def function(*ops: str) -> ModuleOp:
        text = "\n".join(ops)
        return module(f"func.func @f(%x: f32, %t: tensor<4xf32>) {{\n {text}\n return\n }}")

    verify(function(fill("%0", sound), fill("%1", sound)))
    with pytest.raises(VerifyFailure, match=message):
        verify(function(fill("%0", sound), fill("%1", damaged)))


def test_classes_that_look_further_are_checked_each_time() -> None:
    seen: list[Operation] = []

    @irdl_op_definition
    class LooksAroundOp(IRDLOperation):
        name = "t.looks_around"
        result = result_def()
        VERIFY_EACH: ClassVar = True

        def verify_(self) -> None:
            seen.append(self)

    @irdl_op_definition
    class LooksAtTypesOp(IRDLOperation):
        name = "t.looks_at_types"
        result = result_def()

        def verify_(self) -> None:
            seen.append(self)

    for cls, times in ((LooksAroundOp, 3), (LooksAtTypesOp, 1)):
        seen.clear()
        verify(ModuleOp([cls.build(result_types=[i32]) for _ in range(3)]))
        assert len(seen) == times


@pytest.mark.parametrize(
    ("value", "type"), [("2 : i64", "i32"), ("f32", "f32"), ("dense<2> : tensor<2xi32>", "i32")]
)
def test_constants_of_one_signature_differ_by_their_numbers_only(value: str, type: str) -> None:
    def block(constants: str) -> ModuleOp:
        return parse_module(constants, universe.context())

    sound = '"arith.constant"() <{value = 1 : i32}> : () -> i32\n'
    sound += '"arith.constant"() <{value = 1.0 : f32}> : () -> f32\n'
    verify(block(sound))
    with pytest.raises(VerifyFailure, match=r"'arith\.constant' op "):
        verify(block(f'{sound}"arith.constant"() <{{value = {value}}}> : () -> {type}'))


def test_constants_of_one_type_are_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Hashable] = []
    is_known_already = sound_ops.SoundOps.is_known

    def is_known(self: sound_ops.SoundOps, kind: Hashable) -> bool:
        asked.append(kind)
        return is_known_already(self, kind)

    monkeypatch.setattr(sound_ops.SoundOps, "is_known", is_known)
    numbers = "\n".join(f"%{i} = arith.constant {i} : i32" for i in range(50))
    blocks = "\n".join(f"%b{i} = arith.constant dense<{i}> : tensor<4xi32>" for i in range(50))
    verify(parse_module(f"{numbers}\n{blocks}", universe.context()))
    assert len(asked) == 2


def test_a_check_that_stumbles_blames_the_op() -> None:
    @irdl_op_definition
    class StumblesOp(IRDLOperation):
        name = "t.stumbles"
        value = operand_def()

        def verify_(self) -> None:
            raise IndexError("list index out of range")

    source = AnyOp(result_types=[i64])
    with pytest.raises(VerifyFailure, match=r"'t.stumbles' op does not verify \(IndexError"):
        verify(ModuleOp([source, StumblesOp.build(operands=[source.results[0]])]))


def test_own_messages_are_not_prefixed_twice() -> None:
    @irdl_op_definition
    class ComplainsOp(IRDLOperation):
        name = "t.complains"

        def verify_(self) -> None:
            raise VerifyException("'t.complains' op wants more")

    with pytest.raises(VerifyFailure) as failure:
        verify(ModuleOp([ComplainsOp.build()]))
    assert failure.value.message == "'t.complains' op wants more"


def test_positions() -> None:
    text = """
      func.func @f(%x: i32) {
        %0 = arith.addi %1, %x : i32 LOCATION
        %1 = arith.addi %x, %x : i32
        return
      }
    """
    with pytest.raises(VerifyFailure) as failure:
        verify(module(text.replace("LOCATION", 'loc("x"("f.py":3:4))')))
    assert str(failure.value.position) == "f.py:3:4"

    place = Position("f.mlir", 3, 9)
    with pytest.raises(VerifyFailure) as failure:
        verify(module(text.replace("LOCATION", "")), lambda op: place)
    assert failure.value.position is place


def test_deep_nesting() -> None:
    cls = Context(allow_unregistered=True).get_op("a.b")
    region = Region(Block([cls.create()]))
    for _ in range(600):
        region = Region(Block([cls.create(regions=[region])]))
    verify(ModuleOp(region))
