"""Loops and branches with more values, and fewer."""

from xdsl.dialects.builtin import ModuleOp, i32

from xtriton.dialects.upstream.scf import ForOp
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.transforms.loop_rewriting import (
    add_carried,
    is_iteration_argument,
    with_carried,
    with_more_results,
    without_carried,
    yield_also,
)
from xtriton.universe import context

TEXT = """
tt.func @k(%n: i32, %c: i1) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %out:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c1) -> (i32, i32) : i32 {
    %x = arith.addi %a, %i : i32
    %y = arith.muli %b, %b : i32
    scf.yield %x, %y : i32, i32
  }
  %chosen = scf.if %c -> i32 {
    scf.yield %out#0 : i32
  } else {
    scf.yield %n : i32
  }
  tt.return %chosen : i32
}
"""


def loop_of(module: ModuleOp) -> ForOp:
    return next(op for op in module.walk() if isinstance(op, ForOp))


def test_without_carried_takes_what_depends_on_it_along():
    module = parse_module(TEXT, context())
    new = without_carried(loop_of(module), [1])
    module.verify()
    assert [r.type for r in new.results] == [i32]
    assert "arith.muli" not in print_module(module)


def test_with_carried_then_yielded():
    module = parse_module(TEXT, context())
    loop = loop_of(module)
    new = with_carried(loop, [loop.ub])
    yield_also(new, new.body.block.args[-1])
    module.verify()
    assert len(new.results) == 3
    assert is_iteration_argument(new.body.block.args[-1])
    assert not is_iteration_argument(new.body.block.args[0])


def test_add_carried_keeps_the_loop():
    module = parse_module(TEXT, context())
    loop = loop_of(module)
    argument = add_carried(loop, i32, loop.lb)
    yield_also(loop, argument)
    module.verify()
    assert loop_of(module) is loop
    assert len(loop.results) == 3


def test_a_branch_with_more_results_takes_the_regions():
    module = parse_module(TEXT, context())
    branch = next(op for op in module.walk() if op.name == "scf.if")
    new = with_more_results(branch, [i32])
    for region in new.regions:
        end = region.block.last_op
        assert end is not None
        end.operands = [*end.operands, end.operands[0]]
    branch.results[0].replace_all_uses_with(new.results[1])
    branch.detach()
    branch.erase()
    module.verify()
    assert len(new.results) == 2
