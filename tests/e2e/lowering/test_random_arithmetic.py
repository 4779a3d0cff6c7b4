"""Kernels that nobody thought of: lowered, interpreted and run natively, they store the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from tests.e2e.lowering.random_arithmetic import STORED, RandomArithmetic, arguments
from tests.e2e.lowering.random_writer import is_nan
from xtriton.cpu import compile_module
from xtriton.interop import native
from xtriton.interpreter.api import run
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.lowering.leftovers import leftovers
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.universe import context

NATIVE = ",".join(passes for _, passes in native.PIPELINE)
LOWERINGS = (
    "triton-to-linalg-experimental",
    "triton-to-linalg-experimental{enable-collapse-shape=true fold-splats=true}",
)


def lowered(text: str, passes: str) -> ModuleOp:
    module = parse_module(text, context())
    PassManager(context(), make_steps(parse_pipeline(passes)), False).run(module)
    verify(module)
    assert [op.name for op in leftovers(module)] == []
    return module


def copied(values: list[Any]) -> list[Any]:
    return [v.copy() if hasattr(v, "copy") else v for v in values]


def assert_same(found: list[Any], wanted: list[Any], what: str) -> None:
    """Compare the buffers of two launches bit for bit, but any NaN for any other."""
    for number, (a, b) in enumerate(zip(found[:-2], wanted[:-2], strict=True)):
        element = STORED[number // 3]
        differ = (a != b) & ~(is_nan(a, element) & is_nan(b, element))
        places = np.nonzero(differ)[0]
        assert not places.size, f"{what}: {element}, buffer {number % 3}, at {places}"


@pytest.mark.parametrize("seed", [*range(5), 27, 79, 110, 119])
def test_random_arithmetic(seed: int) -> None:
    text = RandomArithmetic(seed).text()
    original = parse_module(text, context())
    verify(original)
    modules = {passes: lowered(text, passes) for passes in (NATIVE, *LOWERINGS)}
    code = compile_module(modules[NATIVE], optimization=1)
    for launch in range(2):
        given = arguments(2 * seed + launch)
        wanted = copied(given)
        with np.errstate(all="ignore"):
            run(original, 1, wanted)
            for passes, module in modules.items():
                values = copied(given)
                run(module, 1, values)
                assert_same(values, wanted, passes)
        code(1, given)
        assert_same(given, wanted, "native code")
