"""What makes real kernels hard: addresses as integers, descriptors, locks, transposed operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Same = Callable[..., str]

ADDRESSES = """
tt.func public @kernel(%p: !tt.ptr<f16>, %q: !tt.ptr<i64>, %n: i32) {
  %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %moved = tt.addptr %p, %n : !tt.ptr<f16>, i32
  %ps = tt.splat %moved : !tt.ptr<f16> -> tensor<4x!tt.ptr<f16>>
  %a = tt.addptr %ps, %i : tensor<4x!tt.ptr<f16>>, tensor<4xi32>
  %one = tt.ptr_to_int %p : !tt.ptr<f16> -> i64
  %all = tt.ptr_to_int %a : tensor<4x!tt.ptr<f16>> -> tensor<4xi64>
  %ones = tt.splat %one : i64 -> tensor<4xi64>
  %v = arith.subi %all, %ones : tensor<4xi64>
  %qs = tt.splat %q : !tt.ptr<i64> -> tensor<4x!tt.ptr<i64>>
  %b = tt.addptr %qs, %i : tensor<4x!tt.ptr<i64>>, tensor<4xi32>
  tt.store %b, %v : tensor<4x!tt.ptr<i64>>
  tt.return
}
"""


def test_addresses_are_where_memory_begins_and_offsets_in_bytes(same: Same) -> None:
    assert "memref.extract_aligned_pointer_as_index" in same(ADDRESSES)


DESCRIPTORS = {
    "load and store": """
  %x = tt.descriptor_load %d[%o, %o] : !tt.tensordesc<tensor<8x16xf32>> -> tensor<8x16xf32>
  tt.descriptor_store %e[%o, %o], %x : !tt.tensordesc<tensor<8x16xf32>>, tensor<8x16xf32>""",
    "reduce": """
  %x = tt.descriptor_load %d[%o, %o] : !tt.tensordesc<tensor<8x16xf32>> -> tensor<8x16xf32>
  tt.descriptor_reduce add, %e[%o, %o], %x : !tt.tensordesc<tensor<8x16xf32>>, tensor<8x16xf32>""",
    "gather and scatter": """
  %rows = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %x = tt.descriptor_gather %d[%rows, %o]
      : (!tt.tensordesc<tensor<1x16xf32>>, tensor<8xi32>, i32) -> tensor<8x16xf32>
  tt.descriptor_scatter %e[%rows, %o], %x
      : !tt.tensordesc<tensor<1x16xf32>>, tensor<8xi32>, i32, tensor<8x16xf32>""",
}


@pytest.mark.parametrize("name", DESCRIPTORS)
def test_descriptors(name: str, same: Same) -> None:
    rows = 1 if "gather" in name else 8
    same(
        f"""
tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %m: i32, %n: i32, %s: i64, %o: i32) {{
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %n], [%s, %c1] : <f32>, <tensor<{rows}x16xf32>>
  %e = tt.make_tensor_descriptor %q, [%m, %n], [%s, %c1] : <f32>, <tensor<{rows}x16xf32>>
{DESCRIPTORS[name]}
  tt.return
}}
""",
        given={2: 12, 3: 40, 4: 48, 5: 3},
    )


def test_a_descriptor_argument_becomes_what_it_is_made_of(lower: Callable[..., str]) -> None:
    lowered = lower("""
tt.func public @kernel(%d: !tt.tensordesc<tensor<8x16xf32>>, %e: !tt.tensordesc<tensor<8x16xf32>>,
                       %o: i32) {
  %x = tt.descriptor_load %d[%o, %o] : !tt.tensordesc<tensor<8x16xf32>> -> tensor<8x16xf32>
  tt.descriptor_store %e[%o, %o], %x : !tt.tensordesc<tensor<8x16xf32>>, tensor<8x16xf32>
  tt.return
}
""")
    assert lowered.count("memref<*xf32>,") == 2
    assert "bufferization.materialize_in_destination" in lowered


SPIN = {
    "branches": """
  cf.br ^spin
^spin:
  %old = tt.atomic_cas acq_rel, gpu, %l, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
  %busy = arith.cmpi eq, %old, %c1 : i32
  cf.cond_br %busy, ^spin, ^go
^go:""",
    "while": """
  scf.while : () -> () {
    %old = tt.atomic_cas acq_rel, gpu, %l, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
    %busy = arith.cmpi eq, %old, %c1 : i32
    scf.condition(%busy)
  } do {
    scf.yield
  }""",
}


@pytest.mark.parametrize("name", SPIN)
def test_spin_locks(name: str, same: Same) -> None:
    lowered = same(
        f"""
tt.func public @kernel(%l: !tt.ptr<i32>, %p: !tt.ptr<f32>) {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1.0 : f32
{SPIN[name]}
  %x = tt.load %p : !tt.ptr<f32>
  %y = arith.addf %x, %one : f32
  tt.store %p, %y : !tt.ptr<f32>
  %z = tt.atomic_rmw exch, release, gpu, %l, %c0 : (!tt.ptr<i32>, i32) -> i32
  tt.return
}}
"""
    )
    assert "memref.generic_atomic_rmw" in lowered
    assert "memref.atomic_rmw assign" in lowered
    assert lowered.index("generic_atomic_rmw") < lowered.index("affine.load")


def matmul(mask: str, uses: str = "") -> str:
    """Return a kernel whose second operand is stored the other way round."""
    return f"""
tt.func public @kernel(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {{
  %i = tt.make_range {{end = 8 : i32, start = 0 : i32}} : tensor<8xi32>
  %r = tt.expand_dims %i {{axis = 1 : i32}} : tensor<8xi32> -> tensor<8x1xi32>
  %c = tt.expand_dims %i {{axis = 0 : i32}} : tensor<8xi32> -> tensor<1x8xi32>
  %c40 = arith.constant dense<40> : tensor<8x1xi32>
  %far = arith.muli %r, %c40 : tensor<8x1xi32>
  %rows = tt.broadcast %far : tensor<8x1xi32> -> tensor<8x8xi32>
  %columns = tt.broadcast %c : tensor<1x8xi32> -> tensor<8x8xi32>
  %at = arith.addi %rows, %columns : tensor<8x8xi32>
  %sn = tt.splat %n : i32 -> tensor<8x1xi32>
  %some = arith.cmpi slt, %r, %sn : tensor<8x1xi32>
  %m = tt.broadcast %some : tensor<8x1xi1> -> tensor<8x8xi1>
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x8x!tt.ptr<f32>>
  %in = tt.addptr %ps, %at : tensor<8x8x!tt.ptr<f32>>, tensor<8x8xi32>
  %x = tt.load %in{mask} : tensor<8x8x!tt.ptr<f32>>
  %t = tt.trans %x {{order = array<i32: 1, 0>}} : tensor<8x8xf32> -> tensor<8x8xf32>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<8x8x!tt.ptr<f32>>
  %out = tt.addptr %qs, %at : tensor<8x8x!tt.ptr<f32>>, tensor<8x8xi32>
  %y = tt.load %out : tensor<8x8x!tt.ptr<f32>>
  %v = tt.dot %y, %t, %zero : tensor<8x8xf32> * tensor<8x8xf32> -> tensor<8x8xf32>
  {uses}
  tt.store %out, %v : tensor<8x8x!tt.ptr<f32>>
  tt.return
}}
"""


@pytest.mark.parametrize("mask", ["", ", %m, %zero"])
def test_a_transposed_operand_is_loaded_transposed(mask: str, same: Same) -> None:
    lowered = same(matmul(mask), given={2: 5}, tolerance=1e-5)
    assert "linalg.transpose" not in lowered
    assert "sizes: [8, 8], strides: [1, 40]" in lowered
    assert "linalg.matmul" in lowered


def test_an_operand_that_somebody_else_uses_is_transposed(same: Same) -> None:
    far = "%far_out = tt.addptr %out, %k : tensor<8x8x!tt.ptr<f32>>, tensor<8x8xi32>"
    uses = f"%k = arith.constant dense<4096> : tensor<8x8xi32>\n  {far}\n"
    uses += "  tt.store %far_out, %x : tensor<8x8x!tt.ptr<f32>>"
    assert "linalg.transpose" in same(matmul("", uses), given={2: 5}, tolerance=1e-5)


def test_the_accumulator_of_a_product_is_its_destination(same: Same) -> None:
    """No fill and no sum: `%y` is the third operand of the product and its result's place."""
    text = matmul("").replace("tt.dot %y, %t, %zero", "tt.dot %t, %t, %y")
    lowered = same(text, given={2: 5}, tolerance=1e-5)
    assert "linalg.fill" not in lowered
    assert "arith.addf" not in lowered.partition("linalg.matmul")[2]


@pytest.mark.parametrize("version", [19, 20, 21, 22])
def test_text_for_older_mlir(version: int, lower_kernel: Callable[..., Any]) -> None:
    from xtriton.interop import mlir
    from xtriton.ir.versions import parse_mlir_version
    from xtriton.ir.writing.printer import print_module

    _, rewritten = lower_kernel(matmul(", %m, %zero"))
    text = print_module(rewritten, version=parse_mlir_version(str(version)))
    assert (" restrict writable : memref<8x8xf32> to tensor<8x8xf32>" in text) is (version > 19)
    judge = mlir.find(f"mlir-opt-{version}")
    if judge is not None:
        judge.verify(text)
