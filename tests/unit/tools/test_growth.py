"""What tools do for an op does not grow with the kernel: calls of functions are counted."""

import contextlib
import importlib
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import xtriton as xt
from tests.growth import calls_in
from xtriton.ir.value_flow import sources
from xtriton.tools import xtriton_effects, xtriton_explain, xtriton_run
from xtriton.transforms.raising.transcripts.loops import CarriedStates, Follower
from xtriton.universe import context, pass_class

SCRIPTS = Path(__file__).parents[3] / "scripts"
SMALL, LARGE = 250, 800
MOST_GROWTH = 1.3


def missing_argument(arguments: list[str]) -> int:
    return 0 if xtriton_run.main(arguments) == 1 else 1


TOOLS: dict[str, Callable[[list[str]], int]] = {
    "explain": xtriton_explain.main,
    "effects": xtriton_effects.main,
    "run": missing_argument,
}


@pytest.fixture(scope="module")
def bounds() -> ModuleType:
    sys.path.insert(0, str(SCRIPTS))
    try:
        return importlib.import_module("measurements.bounds")
    finally:
        sys.path.remove(str(SCRIPTS))


def calls(tool: str, text: str, file: Path) -> int:
    """Return how many calls of functions a tool needs for a module."""
    file.write_text(text)

    def run() -> None:
        assert TOOLS[tool]([str(file)]) == 0

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return calls_in(run)


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("shape", ["straight", "products", "branches", "loops", "functions"])
def test_calls_for_each_op(shape: str, tool: str, bounds: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "kernel.mlir"
    make: Callable[[int], str] = bounds.SHAPES[shape]
    # What is done once in a process is no part of it; nor is what the same text would reuse.
    calls(tool, make(SMALL // 2), file)
    small, large = (calls(tool, make(size), file) for size in (SMALL, LARGE))
    assert large / LARGE <= MOST_GROWTH * small / SMALL


def test_blocks_know_who_leads_to_them() -> None:
    def calls_of(count: int) -> int:
        lines = [
            f"^b{k}(%q{k}: !tt.ptr<f32>):\ncf.br ^b{k + 1}(%q{k} : !tt.ptr<f32>)"
            for k in range(count)
        ]
        end = f"^b{count}(%q{count}: !tt.ptr<f32>):\ntt.return"
        body = "\n".join(["cf.br ^b0(%p : !tt.ptr<f32>)", *lines, end])
        module = xt.parse(f"tt.func public @f(%p: !tt.ptr<f32>) {{\n{body}\n}}")
        blocks = list(next(iter(module.body.block.ops)).regions[0].blocks)[1:]

        def look() -> None:
            found = [sources(block.args[0]) for block in blocks]
            assert all(values is not None and len(values) == 1 for values in found)

        return calls_in(look)

    calls_of(10)
    assert calls_of(80) < 5 * calls_of(20)


class Unwalked(dict[Any, Any]):
    """What knows by key only."""

    def __iter__(self) -> Iterator[Any]:
        raise AssertionError("all is looked at for one")


def test_what_all_loops_carry_is_not_looked_through_for_each(
    bounds: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = CarriedStates.__init__

    def init(states: CarriedStates, transcript: Follower) -> None:
        made(states, transcript)
        states.solutions = Unwalked()

    monkeypatch.setattr(CarriedStates, "__init__", init)
    module = xt.parse(bounds.loops(SMALL))
    pass_class("triton-to-structured")().apply(context(), module)
    assert any(op.name == "tts.make_tptr" for op in module.walk())
