"""A GEMM that asks for the shapes of its tensors, raised, lowered, compiled and run."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, cast

import numpy as np
import pytest

from xtriton import universe
from xtriton.cpu import compile_module
from xtriton.ir.reading.parser import parse_module
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline

pytestmark = [
    pytest.mark.skipif(find_spec("triton") is None, reason="Triton is not installed"),
    pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION is unset"),
]

RAISING = "xtriton-add-shape-arguments,triton-raise-block-pointer"
LOWERING = (
    "triton-to-structured,canonicalize,cse,triton-to-unstructured,triton-arith-to-linalg,"
    "structured-to-memref,unstructured-to-memref,canonicalize,cse"
)


def unmasked_gemm_text() -> str:
    from tests.e2e.raising import kernels_shapes
    from xtriton.interop.triton import ttir

    kernel: Any = cast(Any, kernels_shapes).unmasked_gemm

    types = {**dict.fromkeys("abc", "*fp32"), "K": "i32", "sa": "i32", "sb": "i32", "sc": "i32"}
    options = {"default_dot_input_precision": "ieee"}
    return ttir(kernel, types, {"BM": 16, "BN": 16, "BK": 8}, options=options)


def run_passes(text: str, pipeline: str) -> Any:
    ctx = universe.context()
    module = parse_module(text, ctx)
    PassManager(ctx, make_steps(parse_pipeline(pipeline))).run(module)
    return module


def test_gemm_with_shape_arguments():
    module = run_passes(unmasked_gemm_text(), f"{RAISING},{LOWERING}")
    kernel = compile_module(module)
    assert len(kernel.code.filled) == 12
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=(32, 32)).astype(np.float32) for _ in range(2))
    c = np.zeros((32, 32), np.float32)
    kernel((2, 2), [a, b, c, 24, 32, 32, 32])
    np.testing.assert_allclose(c, a[:, :24] @ b[:24], rtol=1e-5, atol=1e-5)


def test_shape_arguments_take_the_place_of_guards():
    """All tensors go through block pointers, in one version of the kernel."""
    module = run_passes(unmasked_gemm_text(), RAISING)
    assert not any(op.name == "scf.if" for op in module.walk())
    accesses = [op for op in module.walk() if op.name in ("tt.load", "tt.store")]
    assert len(accesses) == 3
    assert all(op.operands[0].type.is_block_pointer for op in accesses)


def test_shape_arguments_are_the_parent_shape():
    module = run_passes(unmasked_gemm_text(), RAISING)
    function = next(op for op in module.walk() if op.name == "tt.func")
    sizes = function.regions[0].blocks[0].args[-12::2]
    assert all(list(v.uses) for v in sizes)
