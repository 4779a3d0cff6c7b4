"""The functions that take the place of PyTorch's, on stubs with the signatures of each release."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from xtriton.errors import UserError
from xtriton.interop import torch as ours

# `scale` is what the kernel's text calls an argument that it assigns to
TTIR = """
module {
  tt.func public @k(%x: !tt.ptr<f32>, %n: i32, %scaled: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %more = arith.cmpi sgt, %n, %c0 : i32
    %v = tt.load %x : !tt.ptr<f32>
    scf.if %more {
      tt.store %scaled, %v : !tt.ptr<f32>
    }
    tt.return
  }
}
"""
FOLDED = TTIR.replace("%n: i32, ", "").replace("%c0 = ", "%n = arith.constant 2 : i32\n    %c0 = ")

RELEASES = ("2.9", "2.10", "2.11", "2.12", "2.13")
OLD = RELEASES[:3]
"""Releases with `identify_mutated_tensors`; in them `generate_ttir` names tensors only."""


class Tensor:
    """Has what is asked of a tensor."""

    dtype = "float32"

    def data_ptr(self) -> int:
        return 64


class SymInt:
    """Stands for a number that nobody knows."""


class Source:
    """Triton's `ASTSource`, of which only the constants matter."""

    def __init__(self, fn: Any, signature: Any, constexprs: Any = None, attrs: Any = None):
        self.constants = constexprs


def generate_old_ttir(
    kernel: Any, kwargs: dict[str, Any], tma_descriptor_metadata: Any
) -> tuple[str, list[str]]:
    constants = {k: v for k, v in kwargs.items() if not isinstance(v, Tensor)}
    compiler: Any = sys.modules["triton.compiler.compiler"]
    source = compiler.ASTSource(kernel, {}, constants, {})
    return (FOLDED if "n" in source.constants else TTIR), ["x", "out"]


def generate_new_ttir(
    kernel: Any, kwargs: dict[str, Any], tma_descriptor_metadata: Any
) -> tuple[str, list[str]]:
    return TTIR, ["x", "n", "out"]


def generate_ttir_of_another(
    kernel: Any, kwargs: dict[str, Any], tma_descriptor_metadata: Any
) -> tuple[str, list[str]]:
    return TTIR, ["x", "y", "z", "out"]


@dataclass
class TensorAccesses:
    """The result type of PyTorch 2.12 and 2.13."""

    read_writes: Any
    can_fuse_epilogue: bool


@dataclass(frozen=True)
class StarDep:
    """A tensor by name."""

    name: str


def identify_mutated_tensors(
    kernel: Any, kwargs: dict[str, Any], tma_descriptor_metadata: Any
) -> list[str]:
    return ["PyTorch's own"]


def identify_accessed_tensors(
    kernel: Any, kwargs: dict[str, Any], tma_descriptor_metadata: Any
) -> TensorAccesses:
    return TensorAccesses(None, False)


class JITFunction:
    """A kernel."""

    cache_key = "key"
    params = (SimpleNamespace(name="n", is_constexpr=False),)

    def fn(self) -> None: ...


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Put a stub of this release in PyTorch's place."""
    wrapper: Any = ModuleType(ours.WRAPPER)
    if request.param in OLD:
        wrapper.generate_ttir = generate_old_ttir
        wrapper.identify_mutated_tensors = identify_mutated_tensors
    else:
        wrapper.generate_ttir = generate_new_ttir
        wrapper.identify_accessed_tensors = identify_accessed_tensors
        wrapper.TensorAccesses = TensorAccesses
    dependencies = SimpleNamespace(StarDep=StarDep, ReadWrites=SimpleNamespace)
    stubs = {
        ours.WRAPPER: wrapper,
        "torch._inductor.dependencies": dependencies,
        "torch.utils._ordered_set": SimpleNamespace(OrderedSet=list),
        "triton.compiler.compiler": SimpleNamespace(ASTSource=Source),
    }
    for name, module in stubs.items():
        monkeypatch.setitem(sys.modules, name, module)
    ours._remembered.clear()
    yield request.param
    ours._remembered.clear()


def wrapper() -> Any:
    return sys.modules[ours.WRAPPER]


def answer(release: str, **arguments: object) -> tuple[list[str] | None, list[str]]:
    """Return the tensors read, where the release tells, and those written."""
    if release in OLD:
        return None, wrapper().identify_mutated_tensors(JITFunction(), arguments, {})
    found = wrapper().identify_accessed_tensors(JITFunction(), arguments, {})
    assert isinstance(found, TensorAccesses)
    both = found.read_writes
    return [d.name for d in both.reads], [d.name for d in both.writes]


def test_functions_are_replaced_and_come_back(release: str):
    name = "identify_mutated_tensors" if release in OLD else "identify_accessed_tensors"
    original = getattr(wrapper(), name)
    with ours.installed():
        replaced = getattr(wrapper(), name)
        assert replaced is getattr(ours, name)
        assert list(inspect.signature(replaced).parameters) == list(
            inspect.signature(original).parameters
        )
        assert not hasattr(wrapper(), "identify_mutated_tensors") or release in OLD
    assert getattr(wrapper(), name) is original


def test_answers(release: str):
    with ours.installed():
        reads, writes = answer(release, x=Tensor(), n=2, out=Tensor())
    assert reads in (None, ["x"])
    assert writes == ["out"], "by position: the kernel's own names are not the launch's"


def test_symbolic_numbers_are_no_constants(release: str):
    records: list[Any] = []
    for n in (2, SymInt()):
        found = ours.accesses(JITFunction(), {"x": Tensor(), "n": n, "out": Tensor()}, {})
        assert found.writes == ("out",)
        records.append(found.records[0])
    compiler: Any = sys.modules["triton.compiler.compiler"]
    assert compiler.ASTSource is Source, "what was changed is as it was"
    sure = [r.arguments[-1].write for r in records]
    assert sure == (["must", "may"] if release in OLD else ["may", "may"])


def test_arguments_that_do_not_fit_are_all_taken(
    release: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(wrapper(), "generate_ttir", generate_ttir_of_another)
    tensors = {name: Tensor() for name in ("x", "y", "z", "out")}
    found = ours.accesses(JITFunction(), tensors, {})
    assert found.writes == ("x", "y", "z", "out")
    assert "2 pointers, the launch 4 tensors" in caplog.text


def test_a_pytorch_with_neither_is_an_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, ours.WRAPPER, ModuleType(ours.WRAPPER))
    with pytest.raises(UserError, match="neither of the functions"):
        ours.install()
