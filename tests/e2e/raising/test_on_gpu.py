"""
The kernels where raising is hard, on a real GPU: raised inside Triton they store the same bits.

Skipped where there is no GPU of NVIDIA's.
"""

from __future__ import annotations

import inspect
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from tests.e2e.raising import test_raised_kernels as raised

if shutil.which("nvidia-smi") is None:
    pytest.skip("there is no GPU of NVIDIA's", allow_module_level=True)

VERSIONS = "xtriton-version-kernel{unit-strides=true unwrap=true},xtriton-version-loops,"
FORMS = {
    "block pointers": "triton-raise-block-pointer",
    "block pointers, versioned": VERSIONS + "triton-raise-block-pointer",
    "descriptors": "triton-raise-tensor-descriptor",
    "descriptors, versioned": VERSIONS + "triton-raise-tensor-descriptor",
    "layouts": "",
}
LAST_WITH_BLOCK_POINTERS = (3, 7)

SIZES = {"aligned": (48, 64), "odd": (37, 67)}
"""What numbers and strides are: multiples of 16, for which Triton makes other code, or not."""

SPECIAL_NUMBERS = {
    "s": 2,
    **dict.fromkeys(("sak", "sbn", "scn"), 1),
    **dict.fromkeys(("sz", "ba", "bb", "bc"), 1 << 14),
}
"""A shift; strides between columns and matrices, so that no two elements share a place."""

NOT_RUN = ("call_with_pointer", "pointer_table")
"""Triton compiles no function that returns a tensor; what is in memory here is no pointer."""

GRIDS = {"bytes_of_words": (1, 1, 1)}
"""Grids of kernels whose programs write to the same place."""

ELEMENTS = 1 << 22
"""In each buffer; kernels get the address of the middle."""

TYPES = {"*fp32": "float32", "*i32": "int32", "*i64": "int64", "*i8": "int8", "*i1": "bool"}


@pytest.fixture(scope="module", autouse=True)
def gpu() -> None:
    """Skip unless there is one; give kernels memory for descriptors."""
    if find_spec("triton") is None or find_spec("torch") is None:
        pytest.skip("Triton or torch is not installed")
    import torch
    import triton

    if not torch.cuda.is_available():
        pytest.skip("there is no GPU of NVIDIA's")

    def allocate(size: int, alignment: int, stream: object) -> Any:
        return torch.empty(size, dtype=torch.int8, device="cuda")

    triton.set_allocator(allocate)


def buffer(kind: str, seed: int) -> Any:
    """Return memory of a type, with content that is the same each time."""
    import torch

    generator = torch.Generator(device="cuda").manual_seed(seed)
    if kind.startswith("*fp"):
        return torch.randn(ELEMENTS, device="cuda", generator=generator)
    whole = torch.randint(0, 8, (ELEMENTS,), device="cuda", generator=generator)
    return whole.to(getattr(torch, TYPES[kind]))


def launch(name: str, kernel: Any, sizes: str) -> list[Any]:
    """Run a kernel; return what its buffers hold afterwards."""
    number, stride = SIZES[sizes]
    arguments: dict[str, Any] = {}
    buffers: list[Any] = []
    for parameter in inspect.signature(kernel.fn).parameters:
        kind = raised.SPECIAL.get(name, {}).get(parameter) or raised.TYPES.get(parameter, "i32")
        if parameter in raised.SIZES and parameter.isupper() and parameter not in ("M", "N", "K"):
            table = raised.OTHER_SIZES.get(name, {})
            arguments[parameter] = table.get(parameter, raised.SIZES[parameter])
        elif kind.startswith("*"):
            buffers.append(buffer(kind, len(buffers)))
            arguments[parameter] = buffers[-1][ELEMENTS // 2 :]
        elif kind == "fp32":
            arguments[parameter] = 0.5
        else:
            usual = stride if parameter.startswith("s") else number
            arguments[parameter] = SPECIAL_NUMBERS.get(parameter, usual)
    kernel[GRIDS.get(name, (2, 2, 1))](**arguments)
    return buffers


def same(first: list[Any], second: list[Any]) -> bool:
    import torch

    return all(
        torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))
        for a, b in zip(first, second, strict=True)
    )


def forms() -> Iterator[tuple[str, str, bool]]:
    """Yield name and passes of each form that this Triton has, and whether they give layouts."""
    from xtriton.interop.triton import release
    from xtriton.interop.triton_pipeline import LAYOUT_PIPELINE
    from xtriton.ir.versions import parse_version

    has_block_pointers = parse_version(release()) <= LAST_WITH_BLOCK_POINTERS
    for name, passes in FORMS.items():
        if has_block_pointers or not name.startswith("block pointers"):
            yield name, passes or LAYOUT_PIPELINE, not passes


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize(
    ("name", "kernel"),
    [pytest.param(*k, id=k[0]) for k in raised.kernels() if k[0] not in NOT_RUN],
)
def test_same_bits_on_gpu(name: str, kernel: Any, sizes: str):
    from xtriton.interop.triton_pipeline import fresh, inside_triton

    expected = launch(name, kernel, sizes)
    different: list[str] = []
    for form, passes, layouts in forms():
        with inside_triton(passes, layouts=layouts):
            if not same(expected, launch(name, fresh(kernel), sizes)):
                different.append(form)
    assert not different
