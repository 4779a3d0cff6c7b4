"""Plain pointers become the block pointers that one would have written by hand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import pytest
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import check_equivalent
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.universe import context

pytestmark = pytest.mark.filterwarnings("ignore:TRITON_DEFAULT_FP_FUSION is unset")

HERE = Path(__file__).parent
SHARED = os.environ.get("XTRITON_SHARED")
XPU = Path(SHARED, "xpu") if SHARED else None

TIDY = "inline,canonicalize,cse,symbol-dce"
RAISE = f"inline,triton-raise-block-pointer,{TIDY}"
VERSION = f"inline,xtriton-version-kernel{{unwrap=true unit-strides=true}},{RAISE}"


@dataclass(frozen=True)
class MemoryOperation:
    """A load, store or advance through a block pointer, and what that was made with."""

    name: str
    around: tuple[str, ...]
    base: str
    block: str
    shape: tuple[str, ...]
    strides: tuple[str, ...]
    checks: tuple[int, ...]
    steps: tuple[str, ...]


def memory_operations(root: Operation) -> list[MemoryOperation]:
    """Return the memory operations inside of `root`, in order; fails where one is no block's."""
    return [
        described(op, root)
        for op in root.walk()
        if op.name in ("tt.load", "tt.store", "tt.advance")
    ]


def described(op: Operation, root: Operation) -> MemoryOperation:
    made = origin(op.operands[0])
    rank = (len(made.operands) - 1) // 3
    numbers = [number(v) for v in made.operands[1 : 1 + 2 * rank]]
    checks = op.properties.get("boundaryCheck")
    return MemoryOperation(
        op.name,
        tuple(around(op, root)),
        name_of(made.operands[0]),
        str(made.results[0].type),
        tuple(numbers[:rank]),
        tuple(numbers[rank:]),
        tuple(checks.get_values()) if isinstance(checks, DenseArrayBase) else (),
        tuple(map(number, op.operands[1:])) if op.name == "tt.advance" else (),
    )


def around(op: Operation, root: Operation) -> Iterator[str]:
    parent = op.parent_op()
    while parent is not None and parent is not root:
        yield parent.name
        parent = parent.parent_op()


def origin(value: SSAValue) -> Operation:
    """Return the op that made a block pointer, before loops and advances."""
    while True:
        if isinstance(value, BlockArgument):
            loop = value.owner.parent_op()
            assert loop is not None
            value = loop.operands[2 + value.index]
            continue
        op = value.owner
        assert isinstance(op, Operation)
        if op.name == "tt.make_tensor_ptr":
            return op
        assert op.name == "tt.advance"
        value = op.operands[0]


def number(value: SSAValue) -> str:
    """Return a constant, or the name of an argument, whatever its width."""
    owner = value.owner
    while isinstance(owner, Operation) and owner.name == "arith.extsi":
        value, owner = owner.operands[0], owner.operands[0].owner
    if isinstance(owner, Operation) and owner.name == "arith.constant":
        constant = owner.properties["value"]
        assert isinstance(constant, IntegerAttr)
        return str(constant.value.data)
    return name_of(value)


def name_of(value: SSAValue) -> str:
    if isinstance(value, BlockArgument):
        return value.name_hint or f"argument {value.index}"
    return "computed"


def run_passes(text: str, pipeline: str) -> ModuleOp:
    module = parse_module(text, context())
    PassManager(context(), make_steps(parse_pipeline(pipeline))).run(module)
    verify(module)
    return module


def kernel_of(module: ModuleOp) -> Operation:
    return next(op for op in module.walk() if op.name == "tt.func")


def gemm_text(*unit_strides: str) -> str:
    """Return a grouped GEMM through plain pointers, in which these strides are the number 1."""
    from tests.e2e.raising import kernels_blocks
    from xtriton.interop.triton import ttir

    gemm = cast(Any, kernels_blocks).gemm

    numbers = ("M", "N", "K", "sam", "sak", "sbk", "sbn", "scm", "scn")
    signature = dict.fromkeys("abc", "*fp32")
    signature |= {n: "i32" for n in numbers if n not in unit_strides}
    ones: dict[str, object] = dict.fromkeys(unit_strides, 1)
    return ttir(gemm, signature, {**ones, "BM": 16, "BN": 16, "BK": 16, "G": 2})


def by_hand() -> list[MemoryOperation]:
    text = (HERE / "gemm_block_pointers.mlir").read_text()
    return memory_operations(kernel_of(run_passes(text, TIDY)))


needs_triton = pytest.mark.skipif(find_spec("triton") is None, reason="Triton is not installed")


@needs_triton
def test_gemm_with_unit_strides():
    text = gemm_text("sak", "sbn", "scn")
    raised = run_passes(text, RAISE)
    assert memory_operations(kernel_of(raised)) == by_hand()
    assert check_equivalent(parse_module(text, context()), raised)


@needs_triton
def test_gemm_with_any_strides():
    """Both versions go through block pointers; that of the guard has the same unit strides."""
    text = gemm_text()
    raised = run_passes(text, VERSION)
    (guard,) = (op for op in kernel_of(raised).walk() if op.name == "scf.if")
    found = memory_operations(guard)
    half = len(found) // 2
    assert found[:half] == by_hand()
    assert [op.strides for op in found[half : half + 2]] == [("sam", "sak"), ("sbk", "sbn")]
    assert check_equivalent(parse_module(text, context()), raised)


needs_xpu = pytest.mark.skipif(
    XPU is None or not XPU.exists(), reason="XTRITON_SHARED names no folder with kernels for XPU"
)


def shared_text(name: str) -> str:
    assert XPU is not None
    (path,) = XPU.glob(f"{name}.*.ttir")
    return path.read_text()


@needs_xpu
def test_shared_gemm_pointers():
    wanted = memory_operations(kernel_of(run_passes(shared_text("gemm_block_pointers"), TIDY)))
    raised = run_passes(shared_text("gemm_pointers"), RAISE)
    assert memory_operations(kernel_of(raised)) == wanted


@needs_xpu
def test_shared_gemm_pointers_any_strides():
    wanted = memory_operations(kernel_of(run_passes(shared_text("gemm_block_pointers"), TIDY)))
    raised = run_passes(shared_text("gemm_pointers_any_strides"), VERSION)
    (guard,) = (op for op in kernel_of(raised).walk() if op.name == "scf.if")
    assert memory_operations(guard)[: len(wanted)] == wanted


@needs_xpu
@pytest.mark.parametrize(("name", "count"), [("softmax", 2), ("transpose_copy", 2)])
def test_shared_kernels_are_raised(name: str, count: int):
    raised = run_passes(shared_text(name), RAISE)
    assert len(memory_operations(kernel_of(raised))) == count
