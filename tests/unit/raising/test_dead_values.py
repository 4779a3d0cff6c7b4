"""What loops carry and nothing needs goes; what an effect needs stays."""

import pytest

from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module
from xtriton.transforms.raising.dead_values import remove_dead_values
from xtriton.universe import context


def swept(body: str) -> str:
    module = parse_module(
        f"tt.func @k(%p: !tt.ptr<i32>, %n: i32) {{ {body} tt.return }}", context()
    )
    function = module.body.block.first_op
    assert function is not None
    remove_dead_values(function)
    module.verify()
    return print_module(module)


LOOP = """
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %out:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c1) -> (i32, i32) : i32 {
    %next = arith.addi %a, %c1 : i32
    %other = arith.muli %b, %b : i32
    BODY
    scf.yield %next, %other : i32, i32
  }
"""


def test_a_loop_that_computes_for_itself_only_goes():
    assert "scf.for" not in swept(LOOP.replace("BODY", ""))


@pytest.mark.parametrize("used, gone", [("%a", "arith.muli"), ("%b", "arith.addi %a")])
def test_what_a_store_needs_stays(used: str, gone: str):
    text = swept(LOOP.replace("BODY", f"tt.store %p, {used} : !tt.ptr<i32>"))
    assert text.count("iter_args(") == 1
    assert "-> (i32)" in text
    assert gone.split()[0] not in text


def test_carried_values_that_swap_are_needed_together():
    swapped = LOOP.replace("%next, %other", "%b, %a").replace("BODY", "")
    text = swept(swapped + "tt.store %p, %out#0 : !tt.ptr<i32>")
    assert "-> (i32, i32)" in text


def test_results_of_a_loop_with_effects_go_without_the_loop():
    text = swept(LOOP.replace("BODY", "tt.store %p, %i : !tt.ptr<i32>"))
    assert "scf.for" in text
    assert "iter_args" not in text
