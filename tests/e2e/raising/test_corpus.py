"""Real kernels: figures of the analysis, formulas against traced addresses, raised kernels."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tests.e2e.raising.formulas import compute_from_formulas
from xtriton.analysis.accesses import Accesses
from xtriton.analysis.classify import Tier
from xtriton.analysis.report import kernels
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import check_equivalent
from xtriton.transforms.raising.triton_to_structured import TritonToStructuredPass
from xtriton.transforms.raising.xtriton_version_kernel import (
    VersionKernelPass,
    is_simple,
    version_kernel,
)
from xtriton.universe import context

SHARED = os.environ.get("XTRITON_SHARED")
FILES = sorted(Path(SHARED, "corpus").glob("*/*.ttir")) if SHARED else []
SAMPLE = FILES[4::40]
VERSIONED_SAMPLE = FILES[7::50]

pytestmark = pytest.mark.skipif(not FILES, reason="XTRITON_SHARED names no folder with a corpus")


def read(path: Path) -> ModuleOp:
    return parse_module(path.read_text(), context(), file=str(path))


@pytest.mark.slow
def test_tiers_of_real_kernels():
    tiers: Counter[Tier] = Counter()
    for path in FILES:
        for function in kernels(read(path)):
            for access in Accesses(function).all:
                if access.shape and access.kind != "atomic":
                    tiers[access.tier] += 1
    total = sum(tiers.values())
    assert tiers[Tier.OPAQUE] == 0
    assert tiers[Tier.GATHER] <= 90
    assert tiers[Tier.BLOCK] + tiers[Tier.WRAPPED_BLOCK] >= 0.9 * total


@pytest.mark.slow
def test_tiers_with_guards():
    """Each access counts once, by what it is in the version that a guard allows."""
    good = total = 0
    for path in FILES:
        for function in kernels(read(path)):
            guards = version_kernel(function) if is_simple(function) else None
            for access in Accesses(function).all:
                if not access.shape or access.kind == "atomic":
                    continue
                if guards is None or is_in_fast_version(access.op, function):
                    total += 1
                    good += access.tier in (Tier.BLOCK, Tier.WRAPPED_BLOCK)
    assert total > 3600
    assert good >= 0.95 * total


def is_in_fast_version(op: Operation, function: Operation) -> bool:
    region, parent = op.parent_region(), op.parent_op()
    while parent is not None and parent.parent_op() is not function:
        region, parent = parent.parent_region(), parent.parent_op()
    return parent is not None and parent.name == "scf.if" and region is parent.regions[0]


@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in VERSIONED_SAMPLE])
def test_versioned_real_kernel(path: Path):
    before, after = read(path), read(path)
    VersionKernelPass(unwrap=True).apply(context(), after)
    verify(after)
    verdict = check_equivalent(before, after)
    assert verdict, str(verdict)


@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in SAMPLE])
def test_formulas_are_the_addresses(path: Path):
    before, after = read(path), read(path)
    compute_from_formulas(after)
    verify(after)
    verdict = check_equivalent(before, after)
    assert verdict, str(verdict)


@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in SAMPLE])
def test_raised_real_kernel(path: Path):
    before, after = read(path), read(path)
    TritonToStructuredPass().apply(context(), after)
    verify(after)
    verdict = check_equivalent(before, after)
    assert verdict, str(verdict)
