"""Raised kernels read and write what they did before beyond 2^31 and 2^32 elements, too."""

from __future__ import annotations

import mmap
import sys
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton.diagnostics import collect
from xtriton.interop.native import Launcher
from xtriton.interop.triton import Specialization, ttir_of
from xtriton.interpreter.arguments import Endless
from xtriton.interpreter.contents import Contents
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import check_equivalent
from xtriton.judge.launches.draws import Draw
from xtriton.universe import context, pass_class

pytest.importorskip("triton")
pytestmark = pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION is unset")

FAR = 40_000_000


@dataclass(frozen=True)
class Case:
    """A kernel, its scalars with their types, its constants, and programs (x, y) far out."""

    kernel: str
    scalars: dict[str, tuple[str, int]]
    constants: dict[str, int]
    programs: tuple[tuple[int, int], ...]
    pointers: dict[str, str] = field(default_factory=lambda: {"k": "*fp32", "out": "*fp32"})
    memory: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    """What stands in the memory of those pointers where that matters."""


CASES = (
    Case(
        "scaled_dot",
        {"T": ("i32", FAR)},
        {"H": 4, "D": 64, "B": 16},
        # the second batch begins behind 2^33 elements
        ((0, 4), (500_000, 7), (3, 1)),
        {"k": "*fp32", "beta": "*fp32", "out": "*fp32"},
    ),
    Case(
        "rows_in_64_bits",
        {"T": ("i64", 1 << 33)},
        {"D": 16, "B": 16},
        (((1 << 29) - 1, 0), (1 << 28, 0)),
    ),
    Case("flat", {"n": ("i64", (1 << 33) + 5)}, {"B": 64}, ((1 << 27, 0), (1 << 25, 0), (7, 0))),
    Case(
        "window",
        {"n": ("i64", (1 << 33) + 5), "first": ("i64", (1 << 32) + 7)},
        {"B": 64},
        ((1 << 26, 0), (1 << 27, 0), ((1 << 26) + 1, 0), (1, 0)),
    ),
    Case(
        "far_steps", {"steps": ("i32", 3), "stride": ("i32", (1 << 31) - 1)}, {"B": 16}, ((0, 0),)
    ),
    Case(
        "far_tiles",
        {"M": ("i32", 1 << 20), "N": ("i32", 100), "stride": ("i64", 1 << 14)},
        {"B": 16},
        (((1 << 16) - 1, 0), ((1 << 16) - 1, 6), (1, 1)),
    ),
    Case(
        "packed",
        {},
        {"B": 16, "D": 16},
        ((0, 1), (FAR // 16, 1), (0, 2), (1, 2), (2, 0)),
        {"k": "*fp32", "out": "*fp32", "starts": "*i64"},
        {"starts": (7, 1 << 29, (1 << 29) + FAR + 3, (1 << 30) + FAR + 24)},
    ),
    Case(
        "unmasked", {"stride": ("i64", 5 << 30)}, {"B": 16, "D": 16}, ((0, 1), (3, 7), (1 << 20, 2))
    ),
)

PASSES: dict[str, dict[str, Any]] = {
    "triton-raise-block-pointer": {},
    "triton-raise-tensor-descriptor": {},
    "triton-to-structured": {},
    "xtriton-version-kernel": {"unwrap": True, "unit_strides": True},
}


def module_of(case: Case, multiple: int = 16) -> ModuleOp:
    from tests.e2e.raising import kernels_far

    signature = case.pointers | {name: type for name, (type, _) in case.scalars.items()}
    divisible = (*case.pointers, *(n for n, (_, v) in case.scalars.items() if v % multiple == 0))
    text = ttir_of(
        getattr(kernels_far, case.kernel), Specialization(signature, case.constants, divisible)
    )
    return parse_module(text, context())


def draws_of(case: Case) -> list[Draw]:
    """Return one launch for each program."""
    pointers = [
        np.array(case.memory[name]) if name in case.memory else Endless(Contents(n))
        for n, name in enumerate(case.pointers)
    ]
    values = (*pointers, *(value for _, value in case.scalars.values()))
    return [
        Draw(f"far {x}, {y}", values, (x + 2, y + 1, 1), (x + (x + 2) * y,))
        for x, y in case.programs
    ]


def apply(name: str, module: ModuleOp) -> None:
    pass_class(name)(**PASSES[name]).apply(context(), module)


@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel)
def test_far_places_are_the_same(case: Case, name: str):
    before, after = module_of(case), module_of(case)
    apply(name, after)
    verify(after)
    for draw in draws_of(case):
        verdict = check_equivalent(before, after, launches=[draw], poison=False, tolerance=1e-6)
        assert verdict, verdict.render()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel)
def test_what_is_narrowed_has_a_proof(case: Case):
    module = module_of(case)
    with collect() as collected:
        apply("triton-raise-block-pointer", module)
    before = {op.location for op in module_of(case).walk() if op.name == "arith.trunci"}
    made = [op for op in module.walk() if op.name == "arith.trunci" and op.location not in before]
    told = collected.report.get("narrowings", [])
    assert len(made) <= len(told)
    assert all(fact["proof"] and fact["bits"] == 32 for fact in told)


def sparse(elements: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    """Return zeros that take memory only where they are touched."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    return np.frombuffer(mmap.mmap(-1, elements, flags=flags), np.int8)


@pytest.mark.skipif(sys.platform != "linux", reason="needs memory that takes no room")
def test_native_code_reaches_far():
    from tests.e2e.raising import kernels_far

    kernels: Any = kernels_far
    stride, count, rows, columns = (3 << 30) + 64, 3, 32, 16
    source, target = sparse(stride * count), sparse(stride * count)
    for batch in range(count):
        source[batch * stride : batch * stride + rows * columns] = 5 + batch
    launch = Launcher()
    launch(kernels.unmasked, (2, count))(source, target, stride, B=16, D=columns)
    limit = stride * (count - 1) + 300
    launch(kernels.spread, (count,))(source, target, limit, stride, B=512)
    for batch in range(count):
        part = target[batch * stride : batch * stride + rows * columns]
        ends = max(0, min(limit - batch * stride, 512))
        assert (part[:ends] == 6 + batch + 1).all()
        assert (part[ends:] == 6 + batch).all()
