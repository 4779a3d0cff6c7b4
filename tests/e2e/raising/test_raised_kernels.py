"""Kernels where raising is hard: each is raised, and does what it did before."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from tests.e2e.raising.formulas import compute_from_formulas
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.tts.windows import WindowedOp
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import check_equivalent
from xtriton.transforms.raising.triton_raise_block_pointer import TritonRaiseBlockPointerPass
from xtriton.transforms.raising.triton_raise_tensor_descriptor import (
    TritonRaiseTensorDescriptorPass,
)
from xtriton.transforms.raising.triton_to_structured import TritonToStructuredPass
from xtriton.transforms.raising.xtriton_version_kernel import VersionKernelPass
from xtriton.transforms.raising.xtriton_version_loops import VersionLoopsPass
from xtriton.universe import context

pytestmark = pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION is unset")

FILES = (
    "kernels_wrap",
    "kernels_pointers",
    "kernels_masks",
    "kernels_blocks",
    "kernels_divisions",
    "kernels_loops",
    "kernels_odd",
)

POINTERS = dict.fromkeys(("src", "dst", "a", "b", "c", "q", "v", "out", "weight"), "*fp32")
INTEGERS = {**dict.fromkeys(("steps", "rows", "index", "flags"), "*i32"), "table": "*i64"}
FLOATS = dict.fromkeys(("eps", "scale", "value"), "fp32")
TYPES = {**POINTERS, **INTEGERS, **FLOATS}
SPECIAL = {
    "attention": {"k": "*fp32"},
    "flags": {"src": "*i1", "dst": "*i1"},
    "bytes_of_words": {"dst": "*i8"},
    "words_as_bytes": {"src": "*i32", "dst": "*i32"},
}
SIZES = {
    "A": 2,
    "B": 16,
    "C": 8,
    "BM": 16,
    "BN": 16,
    "BK": 16,
    "D": 16,
    "G": 2,
    "S": 2,
    "R": 3,
    "BH": 4,
    "BW": 8,
}
OTHER_SIZES = {
    "shifted_bits": {"B": 32},
    "quotient_and_remainder": {"B": 64},
    "split_with_wrap": {"B": 32},
    "split_crosses": {"B": 64},
    "masked_within_one_period": {"B": 64},
}

LEFT = {
    # a factor that is no value of the program, a square: no closed form of positions
    "shift_by_argument": 1,
    "quadratic_lanes": 1,
}
"""How many accesses to tensors keep their `tt` op, where not all are raised."""

VERSIONED = frozenset(
    {
        "rows_of_any_width",
        "quotient_of_any_width",
        "columns_of_any_width",
        "rows_of_a_thousand",
        "image_of_any_size",
        "pairs_of_any_width",
        "pooling",
        "repeated_heads",
        "divisor_from_memory",
        "linear_of_three",
        "both_wrap",
        "rows_wrap",
        "vector_wraps",
    }
)
"""Kernels in which a guard helps."""


def kernels() -> Iterator[tuple[str, Any]]:
    if find_spec("triton") is None:
        return
    for name in FILES:
        spec = spec_from_file_location(name, Path(__file__).parent / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        for key, value in vars(module).items():
            if hasattr(value, "fn") and not key.startswith("_"):
                yield key, value


def ttir_of(name: str, kernel: Any, *, aligned: bool = False) -> str:
    """Return a kernel's TTIR; `aligned` says that all arguments are multiples of 16."""
    from xtriton.interop.triton import ttir

    signature: dict[str, str] = {}
    constants: dict[str, object] = {}
    for parameter in inspect.signature(kernel.fn).parameters:
        if parameter in SIZES and parameter.isupper() and parameter not in ("M", "N", "K"):
            constants[parameter] = OTHER_SIZES.get(name, {}).get(parameter, SIZES[parameter])
        else:
            special = SPECIAL.get(name, {})
            signature[parameter] = special.get(parameter) or TYPES.get(parameter, "i32")
    names = [n for n, t in signature.items() if not t.startswith("fp")]
    return ttir(kernel, signature, constants, divisible=names if aligned else ())


TEXTS = sorted(Path(__file__).parent.glob("*.mlir"))
"""Kernels that Triton at hand does not write: those of older ones, and unsigned arithmetic."""


def raised(text: str, to: ModulePass) -> tuple[ModuleOp, ModuleOp]:
    ctx = context()
    before, after = parse_module(text, ctx), parse_module(text, ctx)
    to.apply(ctx, after)
    verify(after)
    return before, after


def unraised(module: ModuleOp) -> list[Operation]:
    names = ("tt.load", "tt.store", "tt.atomic_rmw", "tt.descriptor_load", "tt.descriptor_store")
    found = [op for op in module.walk() if op.name in names]
    return [op for op in found if not is_scalar(op)]


def is_scalar(op: Operation) -> bool:
    pointer = op.operands[0].type
    return isinstance(pointer, PtrType) and not pointer.is_block_pointer


@pytest.mark.parametrize(("name", "kernel"), [pytest.param(*k, id=k[0]) for k in kernels()])
def test_raised_kernel(name: str, kernel: Any):
    before, after = raised(ttir_of(name, kernel), TritonToStructuredPass())
    assert len(unraised(after)) == LEFT.get(name, 0)
    verdict = check_equivalent(before, after)
    assert verdict, str(verdict)


BY_ROWS = {
    "crossing_store": 1,
    "few_rows": 1,
    "few_elements": 1,
    "rows_from_the_middle": 2,
    "rows_backwards": 1,
    "rows_beside_columns": 1,
    "rows_in_loop": 1,
}
"""Kernels and how many of their accesses become loops over rows."""


@pytest.mark.parametrize(
    ("name", "kernel"), [pytest.param(*k, id=k[0]) for k in kernels() if k[0] in BY_ROWS]
)
def test_loops_over_rows(name: str, kernel: Any):
    _, after = raised(ttir_of(name, kernel), TritonToStructuredPass())
    windows = [op for op in after.walk() if isinstance(op, WindowedOp)]
    assert sum(op.nonempty is not None for op in windows) == BY_ROWS[name]


@pytest.mark.parametrize(("name", "kernel"), [pytest.param(*k, id=k[0]) for k in kernels()])
def test_formulas_are_the_addresses(name: str, kernel: Any):
    text = ttir_of(name, kernel)
    before, after = parse_module(text, context()), parse_module(text, context())
    compute_from_formulas(after)
    verify(after)
    verdict = check_equivalent(before, after)
    assert verdict, str(verdict)


@pytest.mark.parametrize(("name", "kernel"), [pytest.param(*k, id=k[0]) for k in kernels()])
def test_versioned_kernel(name: str, kernel: Any):
    before, after = raised(ttir_of(name, kernel), VersionKernelPass(unit_strides=True, unwrap=True))
    VersionLoopsPass().apply(context(), after)
    verify(after)
    versions = sum(op.name == "scf.if" for op in after.walk())
    assert versions > sum(op.name == "scf.if" for op in before.walk()) or name not in VERSIONED
    TritonToStructuredPass().apply(context(), after)
    verify(after)
    verdict = check_equivalent(before, after)
    assert verdict, str(verdict)


THROUGH_BLOCK_POINTERS = {
    "attention": 0,
    "batched_gemm": 0,
    "copy": 0,
    "gemm": 0,
    "increment_depends_on_outer": 0,
    "layer_norm": 0,
    "mask_carried_by_loop": 0,
    "nested_loops": 0,
    "padded_window": 0,
    "persistent_gemm": 0,
    "transpose": 0,
    "wrap_in_loop": 1,
}
"""Kernels and how many accesses to tensors do not become accesses through block pointers."""

THROUGH_DESCRIPTORS = {"batched_gemm": 3, "copy": 2, "layer_norm": 4, "persistent_gemm": 3}
"""Kernels and how many accesses at least become accesses through descriptors."""


@pytest.mark.parametrize(("name", "kernel"), [pytest.param(*k, id=k[0]) for k in kernels()])
def test_through_block_pointers(name: str, kernel: Any):
    before, after = raised(ttir_of(name, kernel), TritonRaiseBlockPointerPass())
    if name in THROUGH_BLOCK_POINTERS:
        plain = [op for op in unraised(after) if not isinstance(op.operands[0].type, PtrType)]
        assert len(plain) == THROUGH_BLOCK_POINTERS[name]
    verdict = check_equivalent(before, after)
    assert verdict, str(verdict)


@pytest.mark.parametrize(("name", "kernel"), [pytest.param(*k, id=k[0]) for k in kernels()])
def test_through_descriptors(name: str, kernel: Any):
    text = ttir_of(name, kernel, aligned=True)
    before, after = raised(text, TritonRaiseTensorDescriptorPass())
    descriptors = [op for op in after.walk() if op.name.startswith("tt.descriptor_")]
    assert len(descriptors) >= THROUGH_DESCRIPTORS.get(name, 0)
    verdict = check_equivalent(before, after)
    assert verdict, str(verdict)


MANY = (Path(__file__).parent / "texts" / "pointers_of_all_sorts.mlir").read_text()


@pytest.mark.parametrize("text", MANY.split("// -----"))
def test_pointers_of_all_sorts(text: str):
    """The last function of each text is its kernel."""
    before, after = raised(text, TritonToStructuredPass())
    assert not unraised(after)
    name = [op.properties["sym_name"] for op in before.walk() if op.name == "tt.func"][-1]
    assert isinstance(name, StringAttr)
    verdict = check_equivalent(before, after, kernel=name.data)
    assert verdict, str(verdict)


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in TEXTS])
def test_raised_text(path: Path):
    before, after = raised(path.read_text(), TritonToStructuredPass())
    assert not unraised(after)
    verdict = check_equivalent(before, after)
    assert verdict, str(verdict)


@pytest.mark.parametrize("to", [TritonRaiseBlockPointerPass(), TritonRaiseTensorDescriptorPass()])
@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in TEXTS])
def test_text_through_blocks(path: Path, to: ModulePass):
    """What cannot be said so stays; what is, is the same."""
    verdict = check_equivalent(*raised(path.read_text(), to))
    assert verdict, str(verdict)
