"""The Python API: places of errors, and sentences for arguments of the wrong type."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import xtriton as xt
from xtriton import effects
from xtriton.interpreter.api import run

TEXT = "module {\n  tt.func @f(%n: i32) {\n    tt.return\n  }\n}\n"
INVALID = (
    'module {\n  tt.func @f(%a: i32) {\n    "arith.addi"(%a) : (i32) -> i32\n    tt.return\n  }\n}'
)

module: Any = xt.parse(TEXT)
anything: Any = xt


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: anything.parse(b"module {}"), "parse takes the text of a module, not bytes"),
        (lambda: anything.parse(Path("kernel.ttir")), "parse takes the text of a module, not"),
        (lambda: anything.parse(TEXT, context=1), "'context' is what .* returns, not int"),
        (lambda: anything.print(TEXT), "print takes a module, as parse returns it, not str"),
        (lambda: anything.print(module, triton_version=3.6), "a text such as '3.6', not float"),
        (lambda: anything.verify(TEXT), "verify takes a module, as parse returns it, not str"),
        (lambda: anything.run_passes(TEXT, "cse"), "run_passes takes a module, .* not str"),
        (lambda: anything.run_passes(module, ["cse"]), "a text such as .*, not list"),
        (lambda: anything.run_passes(module, "cse", context=1), "'context' is what .*, not int"),
        (lambda: anything.module_pass(print), "is given the name of the pass"),
        (lambda: anything.apply_patterns(module, print), "is no pattern"),
        (lambda: anything.effects.analyze(TEXT).at("4"), "a grid is a number .* not the text '4'"),
        (lambda: run(anything.effects, 1, []), "run takes a module, .* not module"),
    ],
)  # fmt: skip
def test_types(call: Callable[[], object], message: str):
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: xt.parse("nonsense", file="k.ttir"), "^k.ttir:1:1: error: custom op"),
        (lambda: xt.parse(INVALID), "^<string>:3:5: error: 'arith.addi' op expected 2 operands"),
        (lambda: xt.print(module, triton_version="9"), "unknown Triton version '9'"),
        (lambda: xt.module_pass("My Pass"), "'My Pass' cannot be the name of a pass"),
        (lambda: effects.analyze(5), "'int' is not a @triton.jit kernel"),
        (lambda: effects.analyze_all(5), "neither IR nor a module: 5"),
        (lambda: effects.analyze("nonsense"), "^<string>:1:1: error"),
        (lambda: run(module, 1, []), "the kernel takes 1 arguments, got 0"),
    ],
)
def test_values(call: Callable[[], object], message: str):
    with pytest.raises(xt.UserError) as caught:
        call()
    assert re.search(message, caught.value.render())


@pytest.mark.parametrize("grid", [(1, 1, 1, 1), (), -1])
def test_grids(grid: Any):
    with pytest.raises(ValueError, match="a grid has"):
        effects.analyze(TEXT).at(grid)
