"""What the original computes from undefined values is free, and nothing else is."""

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.errors import UserError
from xtriton.interpreter.partial import UndefinedBehaviour, lanes, partial
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent

HEAD = """
tt.func @kernel(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %zero = arith.constant dense<0> : tensor<16xi32>
  %one = arith.constant dense<1> : tensor<16xi32>
  %least = arith.constant dense<-1> : tensor<16xi32>
  %wide = arith.constant dense<32> : tensor<16xi32>
  %true = arith.constant dense<true> : tensor<16xi1>
  %false = arith.constant dense<false> : tensor<16xi1>
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %seven = arith.constant dense<7> : tensor<16xi32>
  %on = arith.cmpi slt, %i, %seven : tensor<16xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %px = tt.addptr %xs, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %py = tt.addptr %ys, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %outs = tt.splat %out : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %po = tt.addptr %outs, %i : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %a = tt.load %px, %on : tensor<16x!tt.ptr<i32>>
  %b = tt.load %py, %on : tensor<16x!tt.ptr<i32>>
  %full = tt.load %py : tensor<16x!tt.ptr<i32>>
"""
TAIL = """
  tt.store %po, %r : tensor<16x!tt.ptr<i32>>
  tt.return
}
"""


def module(body: str, head: str = HEAD) -> ModuleOp:
    return parse_module(head + body + TAIL, universe.context())


def number(flag: str) -> str:
    return f"%r = arith.extui {flag} : tensor<16xi1> to tensor<16xi32>"


NOT_EQUAL = "%f = arith.cmpi ne, %a, %b : tensor<16xi32>\n"
SAME = "%f = arith.cmpi ne, %a, %a : tensor<16xi32>\n"
FROZEN = "%z = llvm.freeze %a : tensor<16xi32>\n"

RIGHT = {
    "undefined lanes compared": (
        NOT_EQUAL + number("%f"),
        "%g = tt.load %py, %on, %one : tensor<16x!tt.ptr<i32>>\n"
        "%f = arith.cmpi ne, %a, %g : tensor<16xi32>\n" + number("%f"),
    ),
    "each use may see another value": (
        SAME + number("%f"),
        "%c = tt.load %px, %on, %one : tensor<16x!tt.ptr<i32>>\n"
        "%d = tt.load %px, %on, %zero : tensor<16x!tt.ptr<i32>>\n"
        "%f = arith.cmpi ne, %c, %d : tensor<16xi32>\n" + number("%f"),
    ),
    "a quotient by zero": (
        "%r = arith.divsi %full, %full : tensor<16xi32>",
        "%r = arith.addi %zero, %one : tensor<16xi32>",
    ),
    "a remainder by zero": (
        "%r = arith.remui %i, %i : tensor<16xi32>",
        "%m = arith.remui %i, %i : tensor<16xi32>\n%h = arith.cmpi eq, %i, %zero : tensor<16xi32>\n"
        "%r = arith.select %h, %one, %m : tensor<16xi1>, tensor<16xi32>",
    ),
    "a shift by the width": (
        "%r = arith.shli %i, %wide : tensor<16xi32>",
        "%r = arith.shrsi %i, %zero : tensor<16xi32>",
    ),
    "a frozen value is some value": (FROZEN + "%r = arith.addi %z, %one : tensor<16xi32>",
        "%q = tt.load %px, %on, %seven : tensor<16x!tt.ptr<i32>>\n"
        "%r = arith.addi %q, %one : tensor<16xi32>"),
    "what is read back is undefined too": (
        "tt.store %py, %a : tensor<16x!tt.ptr<i32>>\n"
        "%back = tt.load %py : tensor<16x!tt.ptr<i32>>\n"
        "%f = arith.cmpi ne, %back, %back : tensor<16xi32>\n" + number("%f"),
        "tt.store %py, %a : tensor<16x!tt.ptr<i32>>\n"
        "%f = arith.cmpi sge, %i, %seven : tensor<16xi32>\n" + number("%f"),
    ),
    "a sum of which a summand is undefined": (
        '%s = "tt.reduce"(%a) <{axis = 0 : i32}> ({\n^bb0(%p: i32, %q: i32):\n'
        "%e = arith.ori %p, %q : i32\ntt.reduce.return %e : i32\n}) : (tensor<16xi32>) -> i32\n"
        "%r = tt.splat %s : i32 -> tensor<16xi32>",
        "%r = arith.addi %zero, %least : tensor<16xi32>",
    ),
}  # fmt: skip

WRONG = {
    "a select of the defined operand": (
        "%r = arith.select %on, %a, %one : tensor<16xi1>, tensor<16xi32>",
        "%r = arith.select %on, %a, %zero : tensor<16xi1>, tensor<16xi32>",
    ),
    "an operand that decides": (
        NOT_EQUAL + "%g = arith.andi %f, %on : tensor<16xi1>\n" + number("%g"),
        NOT_EQUAL + "%g = arith.ori %f, %true : tensor<16xi1>\n" + number("%g"),
    ),
    "a frozen value is the same everywhere": (
        FROZEN + "%f = arith.cmpi ne, %z, %z : tensor<16xi32>\n" + number("%f"),
        number("%true"),
    ),
    "undefined lanes where there were none": (
        "%c = tt.load %px, %on, %zero : tensor<16x!tt.ptr<i32>>\n"
        "%d = tt.load %py, %on, %zero : tensor<16x!tt.ptr<i32>>\n"
        "%f = arith.cmpi ne, %c, %d : tensor<16xi32>\n" + number("%f"),
        NOT_EQUAL + number("%f"),
    ),
    "lanes that do not divide by zero": (
        "%r = arith.divsi %i, %i : tensor<16xi32>",
        "%r = arith.addi %zero, %least : tensor<16xi32>",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_undefined_is_free(name: str):
    original, rewritten = RIGHT[name]
    verdict = check_equivalent(module(original), module(rewritten))
    assert verdict, verdict.render()


@pytest.mark.parametrize("name", WRONG)
def test_what_is_defined_is_not(name: str):
    original, rewritten = WRONG[name]
    assert not check_equivalent(module(original), module(rewritten))


def test_what_is_undefined_need_not_be_stored():
    body = "%r = arith.addi %a, %one : tensor<16xi32>"
    only = module(
        body + "\ntt.store %po, %r, %on : tensor<16x!tt.ptr<i32>>\n%dead = tt.splat %n"
        " : i32 -> tensor<16xi32>"
    ).clone()
    store = [op for op in only.walk() if op.name == "tt.store"][-1]
    store.detach()
    assert check_equivalent(module(body), only)
    assert not check_equivalent(module(body.replace("%a", "%full")), only)


def test_a_branch_on_an_undefined_value_permits_everything():
    """No launch is left to compare on."""
    branch = (
        "%p = ub.poison : i32\n%c0 = arith.constant 77777 : i32\n"
        "%c = arith.cmpi eq, %p, %c0 : i32\n"
        "%r = scf.if %c -> (tensor<16xi32>) {\nscf.yield %one : tensor<16xi32>\n} else {\n"
        "scf.yield %zero : tensor<16xi32>\n}"
    )
    other = module("%r = arith.addi %i, %i : tensor<16xi32>")
    with pytest.raises(UserError, match="no drawn launch fits"):
        check_equivalent(module(branch), other)


def test_arrays_know_their_undefined_lanes():
    x = partial(np.arange(6).reshape(2, 3), np.array([[True, False, False], [False] * 3]))
    assert lanes(x.reshape(3, 2)).tolist() == [[True, False], [False, False], [False, False]]
    assert lanes(x + 1).tolist() == lanes(x).tolist()
    assert lanes(x * 0).sum() == 0
    assert lanes(x @ np.ones((3, 2))).tolist() == [[True, True], [False, False]]
    assert lanes(np.add.reduce(x, axis=0)).tolist() == [True, False, False]
    assert lanes(np.where(x > 2, x, 7)).tolist() == lanes(x).tolist()
    assert lanes(np.concatenate([x, x], axis=1)).sum() == 2
    assert int(x[1, 2]) == 5
    with pytest.raises(UndefinedBehaviour):
        bool(x[0, 0] == 0)
