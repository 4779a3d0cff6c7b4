"""A fault in one version of a kernel is found, whichever arguments lead there."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from tests.e2e.raising.test_raised_kernels import VERSIONED, kernels, ttir_of
from xtriton.dialects.upstream.arith import AddfOp
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import check_equivalent
from xtriton.transforms.raising.xtriton_version_kernel import VersionKernelPass
from xtriton.transforms.raising.xtriton_version_loops import VersionLoopsPass
from xtriton.universe import context

pytestmark = pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION is unset")

CASES = [
    pytest.param(name, kernel, side, id=f"{name}-{'else' if side else 'then'}")
    for name, kernel in kernels()
    if name in VERSIONED
    for side in (0, 1)
]


def plant_fault(branch: Operation, side: int) -> None:
    """Double what the first load of a tensor in one side of a branch returns."""
    load = next(
        op
        for op in branch.regions[side].walk()
        if op.name == "tt.load" and isinstance(op.results[0].type, TensorType)
    )
    double = AddfOp(load.results[0], load.results[0])
    assert load.parent is not None
    load.parent.insert_op_after(double, load)
    load.results[0].replace_uses_with_if(double.result, lambda use: use.operation is not double)


@pytest.mark.parametrize(("name", "kernel", "side"), CASES)
def test_fault_in_one_version_is_found(name: str, kernel: Any, side: int):
    text = ttir_of(name, kernel)
    before, after = parse_module(text, context()), parse_module(text, context())
    VersionKernelPass(unit_strides=True, unwrap=True).apply(context(), after)
    VersionLoopsPass().apply(context(), after)
    branch = next(op for op in after.walk() if op.name == "scf.if")
    assert check_equivalent(before, after)
    plant_fault(branch, side)
    assert not check_equivalent(before, after)
