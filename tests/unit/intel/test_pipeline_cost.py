"""What the pipeline to Intel's TTGIR does is in proportion to the kernel: calls are counted."""

from __future__ import annotations

import pytest
from xdsl.ir import Attribute, SSAValue

from tests.growth import calls_in
from xtriton.ir.reading.parser import parse_module
from xtriton.transforms.intel.ttgir_pipeline import IntelTTGIRPipelinePass
from xtriton.transforms.triton_gpu.layout_conversions.backward_slice import OpOperand, SliceWalker
from xtriton.universe import context, pass_class


def kernel(loads: int) -> str:
    """Return a kernel that adds up so many blocks."""
    pointers = "tensor<1024x!tt.ptr<f32>>"
    lines = [
        "%r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>",
        f"%q = tt.splat %p : !tt.ptr<f32> -> {pointers}",
        "%y0 = arith.constant dense<0.0> : tensor<1024xf32>",
    ]
    for i in range(1, loads + 1):
        lines += [
            f"%c{i} = arith.constant {1024 * i} : i32",
            f"%s{i} = tt.splat %c{i} : i32 -> tensor<1024xi32>",
            f"%o{i} = arith.addi %r, %s{i} : tensor<1024xi32>",
            f"%a{i} = tt.addptr %q, %o{i} : {pointers}, tensor<1024xi32>",
            f"%x{i} = tt.load %a{i} : {pointers}",
            f"%y{i} = arith.addf %x{i}, %y{i - 1} : tensor<1024xf32>",
        ]
    lines.append(f"tt.store %q, %y{loads} : {pointers}")
    body = "\n".join(lines)
    return (
        "tt.func public @sum(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {\n"
        f"{body}\ntt.return\n}}"
    )


def calls(loads: int) -> int:
    module = parse_module(kernel(loads), context())
    return calls_in(lambda: IntelTTGIRPipelinePass().apply(context(), module))


def test_linear():
    # All accesses share one splat and one range, and each has its own conversions.
    calls(5)
    small, large = calls(50), calls(200)
    # Four times the kernel; quadratic would be sixteen times the calls.
    assert large < 4.5 * small


def products(count: int) -> str:
    """Return a kernel of so many products, each of which adds to the one before."""
    halves, sums = "tensor<32x32xf16>", "tensor<32x32xf32>"
    lines = [f"%d0 = arith.constant dense<0.0> : {sums}"]
    for i in range(1, count + 1):
        lines += [
            f"%s{i} = arith.addf %a, %a : {halves}",
            f"%d{i} = tt.dot %s{i}, %a, %d{i - 1} : {halves} * {halves} -> {sums}",
        ]
    body = "\n".join(lines)
    return f"tt.func public @chain(%a: {halves}) -> {sums} {{\n{body}\ntt.return %d{count} : {sums}\n}}"


def calls_of_products(count: int) -> int:
    module = parse_module(products(count), context())
    pipeline = IntelTTGIRPipelinePass()
    pipeline.run_up_to(context(), module, "tritonintelgpu-accelerate-matmul")
    last = pass_class("tritonintelgpu-accelerate-matmul")()
    return calls_in(lambda: last.apply(context(), module))


def test_linear_in_products_that_feed_each_other():
    calls_of_products(5)
    small, large = calls_of_products(40), calls_of_products(320)
    # Eight times the products; each looking at all others would be 64 times the calls.
    assert large < 9 * small


def sums(steps: int) -> str:
    """Return a kernel that loads, weighs and adds up so many rows, masked alike, one by one."""
    row, matrix = "tensor<32xf32>", "tensor<32x16xf32>"
    lines = [
        "%r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>",
        "%q = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>",
        "%size = tt.splat %n : i32 -> tensor<32xi32>",
        "%in = arith.cmpi slt, %r, %size : tensor<32xi32>",
        f"%zero = arith.constant dense<0.0> : {row}",
    ]
    for i in range(1, steps + 1):
        lines += [
            f"%c{i} = arith.constant {32 * i} : i32",
            f"%s{i} = tt.splat %c{i} : i32 -> tensor<32xi32>",
            f"%o{i} = arith.addi %r, %s{i} : tensor<32xi32>",
            f"%a{i} = tt.addptr %q, %o{i} : tensor<32x!tt.ptr<f32>>, tensor<32xi32>",
            f"%x{i} = tt.load %a{i}, %in, %zero : tensor<32x!tt.ptr<f32>>",
            f"%e{i} = tt.expand_dims %x{i} {{axis = 1 : i32}} : {row} -> tensor<32x1xf32>",
            f"%b{i} = tt.broadcast %e{i} : tensor<32x1xf32> -> {matrix}",
            f"%h{i} = arith.mulf %b{i}, %w : {matrix}",
            f'%y{i} = "tt.reduce"(%h{i}) <{{axis = 1 : i32}}> ({{',
            f"^bb0(%u{i}: f32, %v{i}: f32):",
            f"%z{i} = arith.addf %u{i}, %v{i} : f32",
            f"tt.reduce.return %z{i} : f32",
            f"}}) : ({matrix}) -> {row}",
            f"tt.store %a{i}, %y{i}, %in : tensor<32x!tt.ptr<f32>>",
        ]
    body = "\n".join(lines)
    return (
        "tt.func public @sums(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %w: tensor<32x16xf32>) {\n"
        f"{body}\ntt.return\n}}"
    )


def visits_of_sums(steps: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many values all backward slices together look at."""
    count = 0
    visit = SliceWalker.visit

    def counted(walker: SliceWalker, use: OpOperand, value: SSAValue, encoding: Attribute) -> bool:
        nonlocal count
        count += 1
        return visit(walker, use, value, encoding)

    with monkeypatch.context() as patch:
        patch.setattr(SliceWalker, "visit", counted)
        module = parse_module(sums(steps), context())
        IntelTTGIRPipelinePass().run_up_to(
            context(), module, "tritonintelgpu-materialize-block-pointer"
        )
    return count


def test_slices_that_share_constants(monkeypatch: pytest.MonkeyPatch):
    small, large = visits_of_sums(5, monkeypatch), visits_of_sums(20, monkeypatch)
    assert 0 < large < 4.5 * small
