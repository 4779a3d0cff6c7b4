"""Every layout and the algebra, against the installed Triton's own linear layouts."""

from __future__ import annotations

import atexit
import os
import random
from collections.abc import Sequence
from typing import Any

import pytest

from xtriton.layouts import amd, distributed, nvidia, shared, tensor_memory
from xtriton.layouts.algebra import (
    invert,
    invert_and_compose,
    is_injective,
    is_invertible,
    is_surjective,
    pseudo_invert,
)
from xtriton.layouts.linear import LinearLayout

triton = pytest.importorskip("triton")
VERSION = tuple(int(part) for part in triton.__version__.split(".")[:2])
if VERSION < (3, 7):
    pytest.skip("Triton before 3.7 crashes on shared layouts", allow_module_level=True)

layouts: Any = pytest.importorskip("triton.experimental.gluon.language._layouts")
amd_layouts: Any = pytest.importorskip("triton.experimental.gluon.language.amd._layouts")
libtriton: Any = pytest.importorskip("triton._C.libtriton")

Images = dict[str, list[list[int]]]


@atexit.register
def _say_nothing_of_leaks() -> None:
    """`to_linear_layout` keeps objects for ever, of which nanobind prints pages at the very end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


class Triton:
    """Triton's answers."""

    def __init__(self) -> None:
        self.context = libtriton.ir.context()
        libtriton.ir.load_dialects(self.context)
        if hasattr(libtriton.gluon_ir, "load_dialects"):
            libtriton.gluon_ir.load_dialects(self.context)
        self.builder = libtriton.gluon_ir.GluonOpBuilder(self.context)

    def layout(self, encoding: Any, shape: Sequence[int]) -> Images:
        """Return the bases of an encoding."""
        found = self.builder.to_linear_layout(encoding._to_ir(self.builder), list(shape))
        if hasattr(found, "reg_bases"):
            return {
                "register": found.reg_bases,
                "lane": found.lane_bases,
                "warp": found.warp_bases,
                "block": found.block_bases,
            }
        if hasattr(found, "rows"):
            return {"row": found.rows, "col": found.cols}
        return {"offset": found.offset_bases, "block": found.block_bases}


@pytest.fixture(scope="module")
def reference() -> Triton:
    return Triton()


def images(layout: LinearLayout) -> Images:
    return {name: [list(basis) for basis in bases] for name, bases in layout.bases}


class Chooser(random.Random):
    """Random parameters of layouts."""

    def power(self, low: int, high: int) -> int:
        """Return a power of two; the bounds are exponents."""
        return 1 << self.randint(low, high)

    def spread(self, total: int, rank: int) -> list[int]:
        """Return powers of two with this product."""
        result = [1] * rank
        while total > 1:
            result[self.randrange(rank)] *= 2
            total //= 2
        return result

    def order(self, rank: int) -> list[int]:
        return self.sample(range(rank), rank)

    def cga(self, rank: int) -> list[list[int]]:
        if self.random() < 0.7:
            return []
        dim = self.randrange(rank)
        return [[int(i == dim) for i in range(rank)]]


@pytest.fixture(params=range(100))
def rng(request: pytest.FixtureRequest) -> Chooser:
    return Chooser(request.param)


def without_zeros(found: Images) -> Images:
    """Leave out registers that hold copies: Triton 3.9 does so for blocked layouts."""
    return {**found, "register": [basis for basis in found["register"] if any(basis)]}


def test_blocked(rng: Chooser, reference: Triton):
    rank = rng.randint(1, 3)
    shape = [rng.power(0, 6) for _ in range(rank)]
    registers, lanes = rng.spread(rng.power(0, 4), rank), rng.spread(32, rank)
    warps, order, cga = rng.spread(rng.power(0, 3), rank), rng.order(rank), rng.cga(rank)
    encoding = layouts.BlockedLayout(registers, lanes, warps, order, cga)

    def blocked(shape: Sequence[int]) -> LinearLayout:
        return distributed.blocked(shape, registers, lanes, warps, order, cga)

    expected, found = reference.layout(encoding, shape), images(blocked(shape))
    if VERSION >= (3, 8):
        expected, found = without_zeros(expected), without_zeros(found)
    assert found == expected
    if rank == 1:
        return
    dim = rng.randrange(rank)
    parent = blocked([*shape[:dim], 1, *shape[dim + 1 :]])
    sliced = reference.layout(layouts.SliceLayout(dim, encoding), shape[:dim] + shape[dim + 1 :])
    assert images(distributed.slice_of(parent, dim)) == sliced
    operand = rng.randint(0, 1)
    found = distributed.fma_operand(shape, operand, registers, lanes, warps, order, cga)
    assert images(found) == reference.layout(layouts.DotOperandLayout(operand, encoding, 0), shape)


def test_nvidia(rng: Chooser, reference: Triton):
    version, cga = rng.choice([2, 3]), rng.cga(2)
    if version == 2:
        warps, instruction = rng.spread(rng.power(2, 3), 2), [16, 8]
        operand = rng.randint(0, 1)
    else:
        warps, instruction = [4 * rng.power(0, 1), rng.power(0, 1)], [16, rng.power(3, 7), 16]
        operand = 0
    mma = layouts.NVMMADistributedLayout([version, 0], warps, instruction, cga)
    shape = [rng.power(4, 8), rng.power(3, 8)]
    assert images(nvidia.mma_result(shape, version, warps, instruction, cga)) == (
        reference.layout(mma, shape)
    )
    width, shape = rng.power(0, 2), [rng.power(4, 7), rng.power(4, 7)]
    assert images(nvidia.mma_operand(shape, operand, width, version, warps, cga)) == (
        reference.layout(layouts.DotOperandLayout(operand, mma, width), shape)
    )


def test_amd_mfma(rng: Chooser, reference: Triton):
    instruction, transposed = rng.choice([[32, 32], [16, 16]]), rng.random() < 0.5
    warps, tiles = rng.spread(rng.power(0, 3), 2), rng.spread(rng.power(0, 1), 2)
    bits = rng.choice([32, 64])
    shape = [rng.power(4, 8), rng.power(4, 8)]
    encoding = amd_layouts.AMDMFMALayout(
        rng.randint(1, 4), [*instruction, 16], transposed, warps, bits, tiles
    )
    assert images(amd.mfma_result(shape, warps, instruction, transposed, tiles, bits)) == (
        reference.layout(encoding, shape)
    )
    operand, width = rng.randint(0, 1), rng.power(2, 3)
    assert images(amd.mfma_operand(shape, operand, width, warps, instruction, tiles)) == (
        reference.layout(layouts.DotOperandLayout(operand, encoding, width), shape)
    )


def test_amd_wmma(rng: Chooser, reference: Triton):
    version, transposed = rng.randint(1, 3), rng.random() < 0.5
    extent: list[int] = [1, 1]
    registers: list[list[int]] = []
    warps: list[list[int]] = []
    for _ in range(rng.randint(0, 3)):
        dim = rng.randint(0, 1)
        basis = [0, 0]
        basis[dim] = extent[dim]
        extent[dim] *= 2
        (warps if rng.random() < 0.7 or registers else registers).append(basis)
    instruction = [16, 16, 16] if version < 3 else [16, 16, rng.choice([32, 64])]
    shape = [rng.power(4, 8), rng.power(4, 8)]
    encoding = amd_layouts.AMDWMMALayout(version, transposed, warps, registers, instruction)
    assert images(
        amd.wmma_result(shape, version, registers, warps, transposed, instruction)
    ) == reference.layout(encoding, shape)
    if VERSION >= (3, 8) and registers:
        return  # The order of repetitions of operands changed.
    operand = rng.randint(0, 1)
    width = rng.choice([8, 16]) if version == 1 else rng.choice([4, 8])
    assert images(
        amd.wmma_operand(shape, operand, width, version, registers, warps, instruction)
    ) == reference.layout(layouts.DotOperandLayout(operand, encoding, width), shape)


def test_shared(rng: Chooser, reference: Triton):
    rank = rng.randint(1, 3)
    shape = [rng.power(1, 6) for _ in range(rank)]
    vec, per_phase, phases = rng.power(0, 3), rng.power(0, 2), rng.power(0, 3)
    order, cga = rng.order(rank), rng.cga(rank)
    encoding = layouts.SwizzledSharedLayout(vec, per_phase, phases, order, cga)
    if any(size > 2 for size in shape):  # Of a single element Triton refuses to tell.
        assert images(shared.swizzled(shape, vec, per_phase, phases, order, cga)) == (
            reference.layout(encoding, shape)
        )


def test_shared_memory_of_nvidia(rng: Chooser, reference: Triton):
    swizzle, transposed = rng.choice([0, 32, 64, 128]), rng.random() < 0.5
    bits, shape, cga = rng.choice([8, 16, 32]), [rng.power(3, 8), rng.power(3, 8)], rng.cga(2)
    if VERSION < (3, 8) and not swizzle and transposed:
        return  # It was not transposed then.
    encoding = layouts.NVMMASharedLayout(swizzle, bits, 2, transposed, False, cga)
    try:
        found = shared.nvmma(shape, swizzle, transposed, bits, False, cga)
    except ValueError:
        return  # The tensor is smaller than what is swizzled.
    assert images(found) == reference.layout(encoding, shape)


def test_tensor_memory(rng: Chooser, reference: Triton):
    blackwell: Any = pytest.importorskip("triton.experimental.gluon.language.nvidia.blackwell")
    if VERSION < (3, 8):
        pytest.skip("Triton before 3.8 writes CTA splits")
    cga = rng.cga(2)
    split = [max([1, *(2 * basis[d] for basis in cga)]) for d in (0, 1)]
    if rng.random() < 0.3:
        shape = [rng.power(0, 9) * split[0], rng.power(0, 6) * split[1]]
        encoding, found = blackwell.TensorMemoryScalesLayout(cga), tensor_memory.scales(shape, cga)
    else:
        block = (rng.choice([64, 128]), rng.power(1, 9))
        stride = rng.power(0, 2)
        pair = cga[:1] == [[1, 0]] and rng.random() < 0.5
        shape = [size * s * rng.power(0, 2) for size, s in zip(block, split, strict=True)]
        encoding = blackwell.TensorMemoryLayout(block, stride, cga, pair)
        blocks = tensor_memory.Blocks(*block, stride, cga, pair)
        found = tensor_memory.matrix(shape, blocks)
    kept = {name: bases for name, bases in images(found).items() if name != "block"}
    assert kept == reference.layout(encoding, shape)


def ours(layout: Any) -> LinearLayout:
    return LinearLayout.of(dict(layout.bases), dict(layout.out_dims))


def test_algebra(rng: Chooser):
    theirs: Any = libtriton.linear_layout.LinearLayout

    def layout(ins: dict[str, int], outs: dict[str, int]) -> Any:
        bases = [
            (name, [[rng.randrange(1 << size) for size in outs.values()] for _ in range(bits)])
            for name, bits in ins.items()
        ]
        return theirs.from_bases(bases, list(outs), [1 << bits for bits in outs.values()], False)

    a = layout({"x": 2, "y": 3}, {"u": 2, "v": 2})
    b = layout({"u": 2, "v": 2}, {"w": 3})
    c = layout({"z": 2, "x": 1}, {"u": 2, "v": 2})
    assert ours(a).compose(ours(b)) == ours(a.compose(b))
    assert ours(a) * ours(c) == ours(a * c)
    assert is_surjective(ours(a)) == a.is_surjective()
    assert is_injective(ours(c)) == c.is_injective()
    square = layout({"x": 2, "y": 2}, {"u": 1, "v": 3})
    assert is_invertible(ours(square)) == square.is_invertible()
    if square.is_invertible():
        assert invert(ours(square)) == ours(square.invert())
    if a.is_surjective():
        assert pseudo_invert(ours(a)) == ours(a.pseudoinvert())
        assert invert_and_compose(ours(c), ours(a)) == ours(c.invert_and_compose(a))
