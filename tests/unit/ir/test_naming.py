"""Names of values and blocks, as `mlir-opt` and Triton give them."""

import re

import pytest

from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.naming import sanitized
from xtriton.ir.writing.printer import print_module


def printed(text: str, *, debug_info: bool = False, generic: bool = False) -> str:
    module = parse_module(text, universe.context(allow_unregistered=True))
    return print_module(module, debug_info=debug_info, generic=generic)


def names(text: str, *, debug_info: bool = False, generic: bool = False) -> list[str]:
    """Return what stands before each `=` of the printed text, in order."""
    return re.findall(
        r"^ *(%.*?) = ", printed(text, debug_info=debug_info, generic=generic), re.MULTILINE
    )


def test_constants_suggest_names() -> None:
    text = """
      %a = arith.constant 0 : i32
      %b = arith.constant -3 : i64
      %c = arith.constant 4 : index
      %d = arith.constant true
      %e = arith.constant false
      %f = arith.constant 1.0 : f32
      %g = arith.constant dense<1> : tensor<4xi32>
      %h = arith.constant 0 : i32
    """
    expected = ["%c0_i32", "%c-3_i64", "%c4", "%true", "%false", "%cst", "%cst_0", "%c0_i32_1"]
    assert names(text) == expected


def test_source_names_are_forgotten() -> None:
    assert names('%x = "a.b"() : () -> i32\n%y_1 = "a.b"() : () -> i32') == ["%0", "%1"]


def test_nested_regions_go_on_counting_where_the_parent_stopped() -> None:
    text = """
      func.func @f(%c: i1) -> i32 {
        %x = scf.if %c -> (i32) {
          %y = "a.b"() : () -> i32
          scf.yield %y : i32
        } else {
          %z = "a.b"() : () -> i32
          scf.yield %z : i32
        }
        %w = "a.b"() : () -> i32
        return %x : i32
      }
    """
    assert names(text) == ["%0", "%2", "%2", "%1"]


def test_generic_form_uses_a_number_once() -> None:
    text = """
      "a.region"() ({ %y = "a.b"() : () -> i32 }) : () -> ()
      "a.region"() ({ %z = "a.b"() : () -> i32 }) : () -> ()
      %c = arith.constant 1 : i32
    """
    assert names(text, generic=True) == ["%2", "%1", "%0"]


def test_several_results() -> None:
    text = '%x:3 = "a.b"() : () -> (i32, i32, i32)\n"a.c"(%x#1, %x#0) : (i32, i32) -> ()'
    assert '%0:3 = "a.b"()' in printed(text)
    assert '"a.c"(%0#1, %0#0)' in printed(text)


def test_groups_of_results() -> None:
    text = """
      func.func @f(%m: memref<4x4xf32>, %x: i32) {
        %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m
          : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
        "a.c"(%b, %o, %s#1, %t#0) : (memref<f32>, index, index, index) -> ()
        return
      }
    """
    assert "%base_buffer, %offset, %sizes:2, %strides:2 = memref" in printed(text)
    assert '"a.c"(%base_buffer, %offset, %sizes#1, %strides#0)' in printed(text)


def test_names_from_locations() -> None:
    text = """
      %0 = "a.b"() : () -> i32 loc("x")
      %1 = "a.b"() : () -> i32 loc("x"("f.py":1:2))
      %2 = "a.b"() : () -> i32 loc(callsite("f.py":1:2 at "y"))
      %3 = "a.b"() : () -> i32 loc(fused["f.py":1:2, "two words"])
      %4 = "a.b"() : () -> i32 loc("f.py":1:2)
      %5 = "a.b"() : () -> i32 loc("x_0")
    """
    assert names(text, debug_info=True) == ["%x", "%x_0", "%y", "%two_words", "%0", "%x_0_1"]
    assert names(text) == ["%0", "%1", "%2", "%3", "%4", "%5"]


def test_arguments_and_blocks() -> None:
    text = """
      func.func @f(%c: i1) {
        cf.cond_br %c, ^one(%c : i1), ^two
      ^one(%x: i1):
        cf.br ^two
      ^two:
        return
      ^three:
        cf.br ^two
      }
    """
    lines = printed(text).splitlines()
    assert "  func.func @f(%arg0: i1) {" in lines
    assert "    cf.cond_br %arg0, ^bb1(%arg0 : i1), ^bb2" in lines
    assert "  ^bb1(%0: i1):  // pred: ^bb0" in lines
    assert "  ^bb2:  // 3 preds: ^bb0, ^bb1, ^bb3" in lines
    assert "  ^bb3:  // no predecessors" in lines


@pytest.mark.parametrize(
    ("name", "clean"),
    [("x", "x"), ("1x", "_1x"), ("a b", "a_b"), ("a+b", "a2Bb"), ("+", "_2B"), ("é", "_C3A9")],
)
def test_sanitized(name: str, clean: str) -> None:
    assert sanitized(name) == clean
