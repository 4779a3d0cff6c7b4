"""The fast path of generic form reads what the careful path reads, and gives up in time."""

import pytest
from xdsl.ir import Operation

from xtriton.errors import ParseFailure
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import version_read
from xtriton.ir.writing.printer import print_module
from xtriton.universe import context

KERNEL = """tt.func @kernel(%x: !tt.ptr<f32>, %n: i32) {
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %c = arith.constant dense<1.000000e+00> : tensor<8xf32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %a = tt.addptr %p, %r : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %s = tt.splat %n : i32 -> tensor<8xi32>
  %m = arith.cmpi slt, %r, %s : tensor<8xi32>
  %v = tt.load %a, %m, %c {note = "{a \\22 b}"} : tensor<8x!tt.ptr<f32>>
  %e:2 = tt.elementwise_inline_asm "f" {constraints = "=r,=r,r", packed_element = 1 : i32, pure = true} %r : tensor<8xi32> -> tensor<8xi32>, tensor<8xi32>
  tt.store %a, %v, %m : tensor<8x!tt.ptr<f32>>
  tt.return
}
"""


@pytest.mark.parametrize("debug_info", [False, True])
def test_round_trip(debug_info: bool) -> None:
    module = parse_module(KERNEL, context())
    generic = print_module(module, generic=True, debug_info=debug_info)
    again = parse_module(generic, context())
    verify(again)
    assert print_module(again, debug_info=debug_info) == print_module(module, debug_info=debug_info)
    assert print_module(again, generic=True, debug_info=debug_info) == generic


def test_ops_are_whole() -> None:
    generic = print_module(parse_module(KERNEL, context()), generic=True)
    ops = list(parse_module(generic, context()).walk())
    load = next(op for op in ops if op.name == "tt.load")
    splat = load.operands[0].owner
    assert isinstance(splat, Operation)
    assert {use.operation for use in splat.results[0].uses} >= {load}
    assert load.parent_op() is not None
    assert str(load.properties["operandSegmentSizes"]) == "array<i32: 1, 1, 1>"


def test_equal_dictionaries_are_not_shared() -> None:
    line = '"tt.make_range"() <{end = 8 : i32, start = 0 : i32}> {a} : () -> tensor<8xi32>'
    module = parse_module(f"tt.func @f() {{\n%0 = {line}\n%1 = {line}\ntt.return }}", context())
    first, second = [op for op in module.walk() if op.name == "tt.make_range"]
    del first.properties["end"], first.attributes["a"]
    assert "end" in second.properties
    assert "a" in second.attributes


def test_old_names_of_dialects_tell_the_release() -> None:
    text = """#blocked = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
tt.func @f(%t: tensor<8xf32, #blocked>) {
  %0 = "triton_gpu.convert_layout"(%t) : (tensor<8xf32, #blocked>) -> tensor<8xf32, #blocked>
  tt.return
}"""
    assert version_read(parse_module(text, context())) <= (3, 2)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('%0 = "tt.splat"(%z) : (i32) -> tensor<8xi32>', "undeclared SSA value"),
        ('%0 = "tt.splat"(%n) : (i64) -> tensor<8xi32>', "different type than prior uses"),
        ('%0 = "tt.splat"(%n) : () -> tensor<8xi32>', "expected 0 operand types but had 1"),
        ('%0:2 = "tt.splat"(%n) : (i32) -> tensor<8xi32>', "provided 2 to bind"),
        ('%n = "tt.splat"(%n) : (i32) -> tensor<8xi32>', "redefinition of SSA value"),
        ('%0 = "tt.splat"(%n) : (i32) -> tensor<8xi33x>', "Expected shape type"),
        ('%0 = "tt.splatt"(%n) : (i32) -> tensor<8xi32>', "unregistered operation"),
    ],
)
def test_errors_have_a_place(line: str, message: str) -> None:
    text = f"tt.func @f(%n: i32) {{\n  {line}\n  tt.return\n}}"
    with pytest.raises(ParseFailure, match=message) as raised:
        parse_module(text, context())
    assert raised.value.position is not None
    assert raised.value.position.line == 2
