"""
One of Triton's own tutorials on the CPU: the part in front of its benchmarks, and its comparisons.

    python -m measurements.programs.tutorials FOLDER NAME

runs it from the folder of a checkout, and ends with a message and 1 if a comparison does not hold.
Nothing in the tutorials is changed but the word that names the device, and an assertion that a
tensor `is_cuda`; what they ask torch about a GPU is answered here.
"""

from __future__ import annotations

import itertools
import linecache
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import torch

BENCHMARK = "\n@triton.testing.perf_report"
"""Where a tutorial's benchmarks begin."""
CHANGED = {
    'device="cuda"': 'device="cpu"',
    'device = "cuda"': 'device = "cpu"',
    "assert x.is_cuda and output_triton.is_cuda": "",
}
CUSTOM_LIBRARY = "\n#  Customize the libdevice library path"
"""Where a tutorial begins to call files for GPUs."""


def main(folder: Path, name: str) -> None:
    """Run a tutorial and its comparisons."""
    _answer_for_a_device()
    text = (folder / f"{name}.py").read_text()
    for end in (BENCHMARK, CUSTOM_LIBRARY):
        text = text.split(end)[0]
    for old, new in CHANGED.items():
        text = text.replace(old, new)
    module = ModuleType(name)
    module.__file__ = str(folder / f"{name}.py")
    sys.modules[name] = module
    # Where Triton reads a kernel's source.
    linecache.cache[module.__file__] = len(text), None, text.splitlines(True), module.__file__
    exec(compile(text, module.__file__, "exec"), vars(module))
    CHECKS[name](module)
    print(f"{name}: as it should be")


def _answer_for_a_device() -> None:
    """Let torch say what the tutorials ask about a GPU, and let go what prints tables."""
    cuda: Any = torch.cuda
    cuda.get_device_capability = _capability
    cuda.get_device_properties = _properties
    os.environ.setdefault("PYTEST_VERSION", "one configuration, for tests")
    with suppress(ImportError):
        import_module("tabulate")
        return
    tabulate: Any = ModuleType("tabulate")
    tabulate.tabulate = list
    sys.modules["tabulate"] = tabulate


def _capability(*_: object) -> tuple[int, int]:
    return 0, 0


def _tensor_memory(*_: object) -> tuple[int, int]:
    return 10, 0


def _properties(*_: object) -> SimpleNamespace:
    return SimpleNamespace(multi_processor_count=os.cpu_count())


def _vector_add(own: Any) -> None:
    assert torch.equal(own.output_triton, own.output_torch)


def _softmax(own: Any) -> None:
    """The tutorial asserts it itself."""


def _matmul(own: Any) -> None:
    assert torch.allclose(own.triton_output, own.torch_output, atol=1e-2, rtol=0)
    # What the tutorial does on NVIDIA's GPUs only.
    own.torch.manual_seed(0)
    a, b = (torch.randn((512, 512), dtype=torch.float16) for _ in range(2))
    a, b = a.to(torch.float8_e5m2), b.T.to(torch.float8_e5m2)
    expected = torch.matmul(a.to(torch.float16), b.to(torch.float16))
    assert torch.allclose(own.matmul(a, b), expected, atol=0.125, rtol=0)


def _dropout(own: Any) -> None:
    x = torch.randn(10_000)
    keep = (torch.rand(10_000) > 0.5).to(torch.int32)
    assert torch.equal(own.dropout(x, keep, 0.5), torch.where(keep != 0, x / 0.5, 0.0))
    first, again, other = (own.seeded_dropout(x, 0.5, seed) for seed in (123, 123, 512))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert torch.equal(first[first != 0], (x / 0.5)[first != 0])
    assert 4_700 < (first == 0).sum() < 5_300


def _layer_norm(own: Any) -> None:
    """Compare as the tutorial does, but with float64: torch sums up columns in float16 on a CPU."""
    for rows, columns, dtype in ((1151, 8192, torch.float16), (67, 1000, torch.float32)):
        weight, bias = (torch.rand(columns, dtype=dtype) for _ in range(2))
        x = -2.3 + 0.5 * torch.randn(rows, columns, dtype=dtype)
        dy = 0.1 * torch.randn_like(x)
        found = _gradients(own.layer_norm, dy, x, weight, bias)
        exact = (tensor.double() for tensor in (dy, x, weight, bias))
        for one, wanted in zip(
            found, _gradients(torch.nn.functional.layer_norm, *exact), strict=True
        ):
            assert torch.allclose(one.double(), wanted, atol=1e-2, rtol=0)


def _gradients(
    norm: Callable[..., torch.Tensor], dy: torch.Tensor, *tensors: torch.Tensor
) -> list[torch.Tensor]:
    """Return a layer norm and its gradients."""
    x, weight, bias = (tensor.clone().requires_grad_() for tensor in tensors)
    y: Any = norm(x, weight.shape, weight, bias, 1e-5)
    y.backward(dy)
    return [y.detach(), *(tensor.grad for tensor in (x, weight, bias) if tensor.grad is not None)]


def _attention(own: Any) -> None:
    for length, width, causal in itertools.product((128, 512), (64, 128), (False, True)):
        own.test_op(1, 2, length, width, causal, False, "bwd", "triton-fp16")
        own.test_op(1, 2, length, width, causal, False, "fwd", "triton-fp8")


def _library(own: Any) -> None:
    assert torch.allclose(own.output_triton, own.output_torch, atol=1e-6, rtol=0)


def _grouped(own: Any) -> None:
    """Do what the tutorial does on GPUs with tensor memory only; it asserts the rest itself."""
    own.supports_tma = lambda: True
    found = own.group_gemm_tma_fn(own.group_A, own.group_B_T)
    for one, wanted in zip(found, own.ref_out, strict=True):
        assert torch.allclose(one, wanted, atol=1e-2, rtol=1e-2)


def _persistent(own: Any) -> None:
    """Run what the tutorial has for all devices, and descriptors and their hints besides."""
    own.HAS_TENSOR_DESC = own.HAS_HOST_TENSOR_DESC = True
    own.HAS_WARP_SPECIALIZE = own.HAS_TMA_CLC = True
    kernels: list[Any] = list(own.__dict__.values())
    for tuner in kernels:
        if isinstance(tuner, own.triton.runtime.Autotuner):
            # All of them, for each size and each kernel, take minutes.
            tuner.configs = tuner.configs[:: len(tuner.configs) - 1]
    held: list[bool] = []

    def run_test(
        expect: torch.Tensor, fn: Any, a: Any, b: Any, label: str, enabled: bool = True
    ) -> None:
        if enabled:
            held.append(torch.allclose(expect, fn(a, b).to(expect.dtype), atol=1.0))
            print(label, held[-1])

    own.run_test = run_test
    own.validate(32, 32, 32, torch.float8_e4m3fn)
    own.validate(300, 520, 264, torch.float16)
    assert all(held)


def _scaled(own: Any) -> None:
    own.torch.cuda.get_device_capability = _tensor_memory
    for kind in ("mxfp4", "mxfp8", "mixed", "nvfp4"):
        own.validate_block_scaled(256, 512, 512, kind)
    own.validate_block_scaled_amd(256, 256, 512)


def _dependent(own: Any) -> None:
    x, y = (torch.rand(10_000) for _ in range(2))
    assert torch.equal(own.add(x, y, launch_pdl=False), x + y)


CHECKS: dict[str, Callable[[Any], None]] = {
    "01-vector-add": _vector_add,
    "02-fused-softmax": _softmax,
    "03-matrix-multiplication": _matmul,
    "04-low-memory-dropout": _dropout,
    "05-layer-norm": _layer_norm,
    "06-fused-attention": _attention,
    "07-extern-functions": _library,
    "08-grouped-gemm": _grouped,
    "09-persistent-matmul": _persistent,
    "10-block-scaled-matmul": _scaled,
    "11-programmatic-dependent-launch": _dependent,
}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
