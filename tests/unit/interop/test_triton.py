"""TTIR from kernels with stock Triton and no GPU."""

import linecache
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import xtriton
from xtriton.errors import UserError
from xtriton.interop.triton import Specialization, address_of, specialize, ttir, ttir_of

pytest.importorskip("triton")

SOURCE = """
import triton
import triton.language as tl

@triton.jit
def scale(x, out, n, factor, BLOCK: tl.constexpr, FLIP: tl.constexpr = False):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    if FLIP:
        v = -v
    tl.store(out + i, v * factor, mask=i < n)

@triton.autotune(configs=[triton.Config({"BLOCK": 64})], key=["n"])
@triton.jit
def tuned(x, n, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 0.0)

@triton.jit
def broken(x, n):
    tl.store(x, undefined_name)
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """A module of kernels, in a file of its own: Triton reads sources."""
    file = tmp_path_factory.mktemp("kernels") / "kernels_for_test.py"
    file.write_text(SOURCE)
    module = ModuleType("kernels_for_test")
    module.__file__ = str(file)
    linecache.checkcache(str(file))
    exec(compile(SOURCE, str(file), "exec"), module.__dict__)
    return module


SIGNATURE = {"x": "*fp32", "out": "*fp32", "n": "i32", "factor": "fp32"}


def test_ttir_has_arguments_and_locations(kernels: ModuleType):
    text = ttir(kernels.scale, SIGNATURE, {"BLOCK": 128, "FLIP": False}, divisible=("x",))
    assert "tt.func public @scale" in text
    assert "!tt.ptr<f32> {tt.divisibility = 16 : i32}" in text
    assert "tensor<128xf32>" in text
    assert 'kernels_for_test.py":7:' in text
    xtriton.parse(text)


def test_public_name():
    assert xtriton.ttir is ttir


def test_constants_choose_code(kernels: ModuleType):
    text = ttir(kernels.scale, SIGNATURE, {"BLOCK": 16, "FLIP": True})
    assert "arith.negf" in text or "arith.subf" in text


def test_autotuned_kernels(kernels: ModuleType):
    assert "tensor<64x" in ttir(kernels.tuned, {"x": "*fp32", "n": "i32"}, {"BLOCK": 64})


def test_precision_of_dot_products_is_put_back():
    from importlib import import_module

    knobs: Any = import_module("triton.knobs")
    before = knobs.language.fp32_default
    with pytest.raises(UserError):
        ttir(_not_a_kernel, {}, {}, options={"default_dot_input_precision": "ieee"})
    assert knobs.language.fp32_default == before


def _not_a_kernel() -> None:
    pass


def test_what_is_no_kernel():
    with pytest.raises(UserError, match=r"'_not_a_kernel' is not a @triton.jit kernel"):
        ttir(_not_a_kernel, {})


def test_unknown_argument(kernels: ModuleType):
    with pytest.raises(UserError, match="kernel 'scale' has no argument 'y'"):
        ttir(kernels.scale, {**SIGNATURE, "y": "i32"}, {"BLOCK": 16})


def test_missing_argument(kernels: ModuleType):
    with pytest.raises(UserError, match="argument 'BLOCK' of kernel 'scale' has neither type"):
        ttir(kernels.scale, SIGNATURE)


def test_kernel_that_does_not_compile(kernels: ModuleType):
    with pytest.raises(UserError, match="Triton cannot compile 'broken'") as caught:
        ttir(kernels.broken, {"x": "*fp32", "n": "i32"})
    assert "undefined_name" in caught.value.render()


def test_specialization_of_arrays_and_numbers(kernels: ModuleType):
    x = np.zeros(64, np.float32)
    found = specialize(kernels.scale, {"x": x, "out": x, "n": 64, "factor": 2.0, "BLOCK": 32})
    assert found.signature == SIGNATURE
    assert found.constexprs == {"BLOCK": 32, "FLIP": False}
    address = address_of(x)
    assert address is not None
    aligned = address % 16 == 0
    assert found.divisible == (("x", "out", "n") if aligned else ("n",))


def test_one_is_a_constant_and_large_numbers_are_wide(kernels: ModuleType):
    x = np.zeros(4, np.float16)
    given = {"x": x, "out": None, "n": 1, "factor": 2**40, "BLOCK": 32}
    found = specialize(kernels.scale, given)
    assert found.constexprs == {"out": None, "n": 1, "BLOCK": 32, "FLIP": False}
    assert found.signature == {"x": "*fp16", "factor": "i64"}


def test_missing_and_strange_values(kernels: ModuleType):
    with pytest.raises(UserError, match="argument 'x' of kernel 'scale' is missing"):
        specialize(kernels.scale, {})
    with pytest.raises(UserError, match="argument 'x' has a type unknown to Triton"):
        specialize(kernels.scale, {"x": "text", "out": 0, "n": 0, "factor": 0.0, "BLOCK": 1})


def test_specialization_gives_ttir(kernels: ModuleType):
    specialization = Specialization(SIGNATURE, {"BLOCK": 32, "FLIP": False}, ("n",))
    assert "tensor<32xf32>" in ttir_of(kernels.scale, specialization)
