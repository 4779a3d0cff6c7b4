"""Kernels as `@triton.jit` functions: configurations, heuristics, tuples, descriptors."""

from __future__ import annotations

import linecache
from types import ModuleType

import pytest

from xtriton import effects
from xtriton.errors import UserError

pytest.importorskip("triton")

SOURCE = """
import triton
import triton.language as tl

@triton.autotune([triton.Config({"BOTH": False}), triton.Config({"BOTH": True}, num_warps=8)], key=[])
@triton.jit
def tuned(a, b, BOTH: tl.constexpr):
    tl.store(a, 1.0)
    if BOTH:
        tl.store(b, 1.0)

@triton.heuristics({"EVEN": lambda given: given["n"] % 16 == 0})
@triton.jit
def heuristic(a, b, n, EVEN: tl.constexpr):
    if EVEN:
        tl.store(a, 1.0)
    else:
        tl.store(b, 1.0)

@triton.jit
def tuples(ps, n):
    tl.store(ps[1] + n, tl.load(ps[0]))

@triton.jit
def descriptors(d, e):
    e.store([0], d.load([0]))

@triton.jit
def reassigned(a, b, n):
    p = a
    if n > 3:
        p = b
    tl.store(p, 1.0)

@triton.jit
def broken(a):
    tl.store(a, undefined)
"""


@pytest.fixture(scope="module")
def kernels() -> ModuleType:
    # Triton asks `inspect` for the source, which finds it in `linecache`.
    name = "<kernels of test_configurations>"
    linecache.cache[name] = (len(SOURCE), None, list[str](SOURCE.splitlines(True)), name)
    module = ModuleType("kernels_of_test_configurations")
    exec(compile(SOURCE, name, "exec"), module.__dict__)
    return module


def test_union_of_configurations(kernels: ModuleType):
    found = effects.analyze_configurations(kernels.tuned, signature={"a": "*fp32", "b": "*fp32"})
    assert len(found.records) == 2
    assert found.mutated() == ["a", "b"]
    assert found.always_mutated() == ["a"]
    ((configuration,),) = (d["write"] for d in found.depends.values())
    assert configuration == "BOTH=True, num_warps=8, num_stages=3"


def test_one_record_of_all_configurations(kernels: ModuleType):
    found = effects.analyze(kernels.tuned, signature={"a": "*fp32", "b": "*fp32"})
    assert (found["a"].write, found["b"].write) == ("must", "may")
    assert any("only in BOTH=True" in n.text for n in found.notes)


@pytest.mark.parametrize("n, written", [(32, "a"), (33, "b")])
def test_heuristics_of_arguments(kernels: ModuleType, n: int, written: str):
    import numpy as np

    arguments = {"a": np.zeros(4, np.float32), "b": np.zeros(4, np.float32), "n": n}
    assert effects.analyze(kernels.heuristic, arguments=arguments).mutated() == [written]


def test_heuristics_of_constexprs(kernels: ModuleType):
    signature = {"a": "*fp32", "b": "*fp32"}
    found = effects.analyze(kernels.heuristic, signature=signature, constexprs={"n": 48})
    assert found.mutated() == ["a"]
    with pytest.raises(UserError, match="heuristic of 'EVEN' asks for 'n'"):
        effects.analyze(kernels.heuristic, signature={**signature, "n": "i32"})


def test_tuples(kernels: ModuleType):
    signature = {"ps": ("*fp32", "*fp32"), "n": "i32"}
    found = effects.analyze(kernels.tuples, signature=signature)  # pyright: ignore[reportArgumentType]
    assert (found.read(), found.mutated()) == (["ps[0]"], ["ps[1]"])
    assert found["ps[1]"].name == "ps"


def test_descriptors(kernels: ModuleType):
    kind = "tensordesc<fp32[128]>"
    found = effects.analyze(kernels.descriptors, signature={"d": kind, "e": kind})
    assert (found.read(), found.mutated()) == (["d.base"], ["e.base"])
    assert found["e.base"].kind == "descriptor"


def test_names_are_those_of_the_function(kernels: ModuleType):
    signature = {"a": "*fp32", "b": "*fp32", "n": "i32"}
    found = effects.analyze(kernels.reassigned, signature=signature)
    assert found.mutated() == ["a", "b"]
    assert found.at(1, {"n": 1})["a"].writes is None


def test_errors(kernels: ModuleType):
    with pytest.raises(UserError, match="needs a signature or arguments"):
        effects.analyze(kernels.tuples)
    with pytest.raises(UserError, match="Triton cannot compile 'broken'"):
        effects.analyze(kernels.broken, signature={"a": "*fp32"})
    with pytest.raises(UserError):
        effects.analyze(42)
