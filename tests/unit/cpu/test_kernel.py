"""Compiled kernels: arguments, grids, threads, the cache of objects, errors."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import xtriton
from xtriton.cpu import Kernel, claims, compile_module, jit
from xtriton.cpu.job import CLAIM
from xtriton.cpu.target import Target, host
from xtriton.errors import UnsupportedOp, UserError

COUNT = """
    %c0 = arith.constant 0 : index
    %at = arith.index_cast %program_x : i32 to index
    %o_view = memref.reinterpret_cast %o to offset: [%at], sizes: [1], strides: [1] : memref<*xi64> to memref<1xi64, strided<[1], offset: ?>>
    %old = memref.load %o_view[%c0] : memref<1xi64, strided<[1], offset: ?>>
    %new = arith.addi %old, %k : i64
    memref.store %new, %o_view[%c0] : memref<1xi64, strided<[1], offset: ?>>
"""
Build = Callable[..., Kernel]


@pytest.fixture
def count(build: Build) -> Kernel:
    """A kernel that adds %k to the element of each program."""
    return build("%o: memref<*xi64>, %k: i64", COUNT)


@pytest.mark.parametrize("threads", [1, 2, 3, 16])
@pytest.mark.parametrize("programs", [1, 2, 7, 1000])
def test_each_program_runs_once(count: Kernel, programs: int, threads: int):
    o = np.zeros(programs, np.int64)
    count(programs, [o, 3], threads=threads)
    np.testing.assert_array_equal(o, 3)


def test_kernels_have_what_takes_programs_in_common(count: Kernel):
    """LLVM would take as long for it as for many a kernel."""
    assert "atomicrmw" in claims.text(host())
    assert "atomicrmw" not in count.code.text
    assert f"@{CLAIM}(" in count.code.text


def test_empty_grid(count: Kernel):
    o = np.zeros(1, np.int64)
    count(0, [o, 3])
    assert o[0] == 0


def test_large_scalars(count: Kernel):
    o = np.zeros(1, np.int64)
    count(1, [o, -(2**63)])
    assert o[0] == -(2**63)


@pytest.mark.parametrize("kind", ["f16", "f32", "f64", "i1", "i8"])
def test_scalar_types(native: Any, kind: str):
    dtype = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i1": np.bool_, "i8": np.int8}
    value = {"i1": True, "i8": -3}.get(kind, -2.5)
    body = f"""
    %c0 = arith.constant 0 : index
    %v = memref.reinterpret_cast %o to offset: [0], sizes: [1], strides: [1] : memref<*x{kind}> to memref<1x{kind}, strided<[1]>>
    memref.store %k, %v[%c0] : memref<1x{kind}, strided<[1]>>
"""
    arguments = f"%o: memref<*x{kind}>, %k: {kind}"
    found = native(arguments, body, [np.zeros(1, dtype[kind]), value])
    assert found[0][0] == value


def test_torch_tensors(count: Kernel):
    torch = pytest.importorskip("torch")
    o = torch.zeros(4, dtype=torch.int64)
    count(4, [o, 5])
    assert o.tolist() == [5, 5, 5, 5]


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "takes 2 arguments, got 0"),
        (["text", 1], "argument 0 of kernel 'kernel' must be an array, got 'text'"),
        ([np.zeros(1, np.int64), "one"], "argument 1 of kernel 'kernel' must be a number"),
    ],
)
def test_wrong_arguments(count: Kernel, arguments: list[object], message: str):
    with pytest.raises(UserError, match=message):
        count(1, arguments)


@pytest.mark.parametrize("grid", [(), (1, 2, 3, 4), (-1,)])
def test_wrong_grids(count: Kernel, grid: tuple[int, ...]):
    with pytest.raises(ValueError, match="a grid has"):
        count(grid, [np.zeros(1, np.int64), 1])


def test_objects_come_from_the_cache(build: Build, object_cache: Path):
    body = COUNT.replace("%old, %k", "%k, %old")
    first = build("%o: memref<*xi64>, %k: i64", body)
    second = build("%o: memref<*xi64>, %k: i64", body)
    assert not first.from_cache
    assert second.from_cache
    assert second.seconds.llvm == 0
    assert list((object_cache / "objects").glob("*.o"))
    o = np.zeros(1, np.int64)
    second(1, [o, 2])
    assert o[0] == 2


def test_cache_can_be_turned_off(build: Build, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XTRITON_CACHE_DIR", "")
    for _ in range(2):
        assert not build("%o: memref<*xi64>, %k: i64", COUNT).from_cache


def test_cache_that_cannot_be_written_is_none(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XTRITON_CACHE_DIR", str(tmp_path / "file"))
    assert not build("%o: memref<*xi64>, %k: i64", COUNT).from_cache


def test_failed_writes_leave_nothing_behind(
    build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setenv("XTRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(os, "replace", fail)
    assert not build("%o: memref<*xi64>, %k: i64", COUNT).from_cache
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_without_a_home_there_is_no_cache(build: Build, monkeypatch: pytest.MonkeyPatch):
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XTRITON_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    assert not build("%o: memref<*xi64>, %k: i64", COUNT).from_cache


UNKNOWN = """
module {
  func.func @k(%a: memref<*xf32>, %nx: i32, %ny: i32, %nz: i32, %x: i32, %y: i32, %z: i32) {
    %0 = arith.constant 1 : i32
    gpu.barrier loc("kernel.py":7:3)
    %1 = vector.broadcast %0 : i32 to vector<4xi32> loc("kernel.py":8:5)
    return
  }
}
"""


def test_an_op_without_rule_is_named_with_its_place():
    with pytest.raises(UnsupportedOp) as caught:
        compile_module(xtriton.parse(UNKNOWN))
    assert "the CPU back end cannot run 'vector.broadcast'" in caught.value.render()
    assert "kernel.py:8:5" in caught.value.render()


def test_module_without_kernel():
    with pytest.raises(UserError, match="expected one public function in the module, found 0"):
        compile_module(xtriton.parse("module {\n}\n"))


def test_symbol_that_is_missing_is_an_error():
    text = "declare void @xtriton_no_such_symbol()\ndefine void @f() {\n  call void @xtriton_no_such_symbol()\n  ret void\n}\n"
    with pytest.raises(RuntimeError, match="Failed to materialize symbols"):
        jit.load(text, ["f"])


def test_constants_are_operands_of_instructions():
    """Beside addresses of 64 bits each would take two more, in every iteration."""
    text = "define float @f(float %x) {\n %y = fmul float %x, 3.0\n ret float %y\n}\n"
    target = Target("x86_64-unknown-linux-gnu", "haswell", 256, 16, fma=True, half=True)
    assert re.search(r"mulss\s+\S+\(%rip\)", jit.assembly(text, target=target))
