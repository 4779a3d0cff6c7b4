"""The kernels of the demo: how to make inputs, call them, and what torch says."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import torch

import xtriton
from xtriton.errors import UserError

Launch = Callable[..., Any]
Size = tuple[int, ...]


@dataclass(frozen=True)
class Case:
    """
    One kernel: `inputs` of a size; `call` them with an output and a launcher.

    `reference` is what torch computes, into the output. `judged` is a small size that the
    interpreter can run at every stage. `tolerance` is relative to the largest result.
    """

    name: str
    sizes: tuple[Size, ...]
    judged: Size
    inputs: Callable[[Size], list[torch.Tensor]]
    output: Callable[[Size], torch.Tensor]
    call: Callable[[list[torch.Tensor], torch.Tensor, Launch], Any]
    reference: Callable[[list[torch.Tensor], torch.Tensor], object]
    tolerance: float

    def largest_error(self, inputs: list[torch.Tensor], output: torch.Tensor) -> float:
        """Return the largest absolute difference from torch's result."""
        expected = torch.empty_like(output)
        self.reference(inputs, expected)
        return float((output - expected).abs().max())

    def is_right(self, inputs: list[torch.Tensor], output: torch.Tensor) -> bool:
        """True if no element is off by more than the tolerance."""
        expected = torch.empty_like(output)
        self.reference(inputs, expected)
        limit = self.tolerance * max(1.0, float(expected.abs().max()))
        return bool(((output - expected).abs() <= limit).all())


def examples_folder() -> Path:
    """Return the folder `examples` of the checkout that xtriton runs from, or of this folder."""
    for base in (Path(xtriton.__file__).parents[1], Path.cwd()):
        if (base / "examples" / "vector_add.py").exists():
            return base / "examples"
    raise UserError("the demo needs the folder 'examples' of xtriton's repository: run it there")


def _example(name: str) -> Any:
    folder = str(examples_folder())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return import_module(name)


def _call_add(inputs: list[torch.Tensor], output: torch.Tensor, launch: Launch) -> None:
    _example("vector_add").add(*inputs, output, launch=launch)


def _call_softmax(inputs: list[torch.Tensor], output: torch.Tensor, launch: Launch) -> None:
    _example("fused_softmax").softmax(*inputs, output, launch=launch)


def _call_matmul(inputs: list[torch.Tensor], output: torch.Tensor, launch: Launch) -> None:
    _example("matmul").matmul(*inputs, output, launch=launch)


def _matrices(size: Size) -> list[torch.Tensor]:
    m, n, k = size
    return [torch.randn(m, k), torch.randn(k, n)]


CASES = (
    Case(
        "vector_add",
        sizes=((1,), (1000,), (1023,), (98432,), (1 << 20,)),
        judged=(1500,),
        inputs=lambda size: [torch.randn(size), torch.randn(size)],
        output=torch.empty,
        call=_call_add,
        reference=lambda inputs, out: torch.add(inputs[0], inputs[1], out=out),
        tolerance=0.0,
    ),
    Case(
        "fused_softmax",
        sizes=((1, 1), (3, 17), (64, 781), (1024, 1000), (4096, 1024)),
        judged=(3, 37),
        inputs=lambda size: [4 * torch.randn(size)],
        output=torch.empty,
        call=_call_softmax,
        reference=lambda inputs, out: torch.softmax(inputs[0], 1, out=out),
        tolerance=1e-6,
    ),
    Case(
        "matmul",
        sizes=((1, 1, 1), (33, 65, 17), (100, 90, 70), (257, 129, 300), (512, 512, 512)),
        judged=(70, 65, 40),
        inputs=_matrices,
        output=lambda size: torch.empty(size[0], size[1]),
        call=_call_matmul,
        reference=lambda inputs, out: torch.mm(inputs[0], inputs[1], out=out),
        tolerance=1e-5,
    ),
)
"""Sizes are n; rows x columns; and m x n x k."""


def case_named(name: str) -> Case:
    """Return the case called `name`; raise `UserError` if there is none."""
    for case in CASES:
        if case.name == name:
            return case
    raise UserError(
        f"the demo has no kernel '{name}', only {', '.join(case.name for case in CASES)}"
    )
