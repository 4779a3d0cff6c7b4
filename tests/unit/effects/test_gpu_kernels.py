"""Effects of kernels below TTIR: asynchronous copies, TMA, partitions, shared memory, AMD."""

from __future__ import annotations

import pytest

from tests.unit.effects.test_kernels import said
from xtriton import effects

HEAD = """
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #blocked}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(ARGUMENTS) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %yes = arith.constant true
    %f1 = arith.constant 1.0 : f32
BODY
    tt.return
  }
}
"""

P = "!tt.ptr<f32>"
D = "!tt.tensordesc<128x64xf16, #shared>"
M = "!ttg.memdesc<128x64xf16, #shared, #smem, mutable>"
B = "!ttg.memdesc<1xi64, #bar, #smem, mutable>"
BUFFERS = f"""
    %m = ttg.local_alloc : () -> {M}
    %b = ttg.local_alloc : () -> {B}
"""

CASES = {
    "copy in": (
        f"%d: {D}",
        BUFFERS
        + f"    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %b, %yes : {D}, {B} -> {M}",
        "d?",
        "",
    ),
    "copy out": (
        f"%d: {D}, %e: {D}",
        BUFFERS + f"    ttng.async_tma_copy_local_to_global %e[%c0, %c0] %m : {D}, {M}",
        "",
        "e?",
    ),
    "reduce": (
        f"%d: {D}",
        BUFFERS + f"    ttng.async_tma_reduce add, %d[%c0, %c0] %m : {D}, {M}",
        "d?",
        "d?",
    ),
    "asynchronous copy": (
        "%p: tensor<128x64x!tt.ptr<f16>, #blocked>, %q: !tt.ptr<f16>",
        f"""
    %m = ttg.local_alloc : () -> {M}
    %s = tt.splat %q : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %t = ttg.async_copy_global_to_local %s, %m : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    %w = ttg.async_wait %g {{num = 0 : i32}}""",
        "q",
        "",
    ),
    "tensormap": (
        "%p: !tt.ptr<f16>, %w: !tt.ptr<i8>",
        BUFFERS
        + f"""    %l = arith.constant 128 : i64
    ttng.tensormap_create %w, %p, [%c1, %c1], [%c1, %c1], [%l], [%c1, %c1] {{elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32}} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %w : !tt.ptr<i8>
    %d = ttng.reinterpret_tensor_descriptor %w : !tt.ptr<i8> to {D}
    ttng.async_tma_copy_local_to_global %d[%c0, %c0] %m : {D}, {M}""",
        "w",
        "p? w",
    ),
    "partitions": (
        f"%p: {P}, %q: {P}, %s: {P}",
        f"""
    ttg.warp_specialize(%p, %q)
    default {{
      tt.store %s, %f1 : {P}
      ttg.warp_yield
    }}
    partition0(%a: {P}, %b: {P}) num_warps(4) {{
      %v = tt.load %a : {P}
      tt.store %b, %v : {P}
      ttg.warp_return
    }} : ({P}, {P}) -> ()""",
        "p",
        "q s",
    ),
    "addresses in shared memory": (
        f"%p: {P}, %q: {P}",
        f"""
    %i = tt.ptr_to_int %p : {P} -> i64
    %t = tt.splat %i : i64 -> tensor<128xi64, #one>
    %m = ttg.local_alloc : () -> !ttg.memdesc<128xi64, #flat, #smem, mutable>
    ttg.local_store %t, %m : tensor<128xi64, #one> -> !ttg.memdesc<128xi64, #flat, #smem, mutable>
    ttg.barrier local
    %u = ttg.local_load %m : !ttg.memdesc<128xi64, #flat, #smem, mutable> -> tensor<128xi64, #one>
    %x = tt.int_to_ptr %u : tensor<128xi64, #one> -> tensor<128x!tt.ptr<f32>, #one>
    %z = arith.constant dense<1.0> : tensor<128xf32, #one>
    tt.store %x, %z : tensor<128x!tt.ptr<f32>, #one>""",
        "",
        "p",
    ),
    "buffers of AMD": (
        f"%p: {P}, %q: {P}",
        f"""
    %v = "amdg.buffer_load"(%p, %c0) : ({P}, i32) -> f32
    "amdg.buffer_store"(%v, %q, %c0) : (f32, {P}, i32) -> ()""",
        "p",
        "q",
    ),
    "masked buffers of AMD": (
        f"%p: {P}, %q: {P}, %n: i1",
        f"""
    %v = "amdg.buffer_load"(%p, %c0, %n) : ({P}, i32, i1) -> f32
    "amdg.buffer_store"(%v, %q, %c0, %n) : (f32, {P}, i32, i1) -> ()""",
        "p?",
        "q?",
    ),
    "predicated copy": (
        "%p: !tt.ptr<f16>, %n: i1",
        BUFFERS
        + f"""    %k = arith.constant 128 : i32
    %l = arith.constant 128 : i64
    %u = arith.constant 1 : i64
    %d = tt.make_tensor_descriptor %p, [%k, %k], [%l, %u] : !tt.ptr<f16>, {D}
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %b, %n : {D}, {B} -> {M}""",
        "p?",
        "",
    ),
    "atomic of AMD": (
        f"%p: {P}, %q: {P}",
        f"""
    %v = "amdgpu.buffer_atomic_rmw"(%f1, %q, %c0) : (f32, {P}, i32) -> f32""",
        "q",
        "q",
    ),
    "layout conversions": (
        f"%p: {P}, %q: {P}",
        f"""
    %a = tt.splat %p : {P} -> tensor<128x!tt.ptr<f32>, #one>
    %c = ttg.convert_layout %a : tensor<128x!tt.ptr<f32>, #one> -> tensor<128x!tt.ptr<f32>, #rows>
    %v = tt.load %c : tensor<128x!tt.ptr<f32>, #rows>""",
        "p",
        "",
    ),
}


@pytest.mark.parametrize("name", list(CASES))
def test_record(name: str):
    arguments, body, read, write = CASES[name]
    text = HEAD.replace("ARGUMENTS", arguments).replace("BODY", body)
    record = effects.analyze(text)
    assert record.complete, record.notes
    assert (said(record, "read"), said(record, "write")) == (read, write), record.reasons
    assert record.indirect == []
    assert {s.kind for s in record.side_effects} <= {"barrier"}
