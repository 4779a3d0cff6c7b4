"""Short rows of elements some apart, and blocks of which a part is loaded and stored."""

import ctypes
import mmap
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import emitted, kernel_text
from xtriton.cpu import compile_module
from xtriton.cpu.emitter import late_loads, tensors
from xtriton.cpu.emitter.apart_rows import moved_apart
from xtriton.cpu.target import host

ROWS, COLUMNS, PITCH = 3, 40, 500
ARGUMENTS = "%x: memref<*xT>, %o: memref<*xT>, %m: i32, %n: i32"
TYPES = {"f32": np.float32, "i32": np.int32, "i16": np.int16, "f16": np.float16, "i8": np.int8}
LOOP = '{indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}'


def body(apart: int, type: str = "f32", twice: bool = False, between: str = "") -> str:
    """
    Return a kernel that loads %m rows of %n elements, %x[500 * i + apart * j], and 7 around them.

    It stores of their sum with 1, or with themselves if they are used `twice`, as many.
    """
    shape, strided = f"{ROWS}x{COLUMNS}x{type}", f"strided<[{PITCH}, {apart}]>"
    add, one = ("arith.addf", "1.0") if type.startswith("f") else ("arith.addi", "1")
    seven = "7.0" if type.startswith("f") else "7"
    other = "%block" if twice else "%ones"
    out = f"strided<[{COLUMNS}, 1]>"
    return f"""
    %seven = arith.constant {seven} : {type}
    %one = arith.constant {one} : {type}
    %rows = arith.index_cast %m : i32 to index
    %columns = arith.index_cast %n : i32 to index
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [{ROWS}, {COLUMNS}], strides: [{PITCH}, {apart}] : memref<*x{type}> to memref<{shape}, {strided}>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [{ROWS}, {COLUMNS}], strides: [{COLUMNS}, 1] : memref<*x{type}> to memref<{shape}, {out}>
    %buffer = memref.alloc() : memref<{shape}>
    linalg.fill ins(%seven : {type}) outs(%buffer : memref<{shape}>)
    %from = memref.subview %view[0, 0] [%rows, %columns] [1, 1] : memref<{shape}, {strided}> to memref<?x?x{type}, {strided}>
    %into = memref.subview %buffer[0, 0] [%rows, %columns] [1, 1] : memref<{shape}> to memref<?x?x{type}, {out}>
    memref.copy %from, %into : memref<?x?x{type}, {strided}> to memref<?x?x{type}, {out}>
    %block = bufferization.to_tensor %buffer restrict writable : memref<{shape}> to tensor<{shape}>
    %e = tensor.empty() : tensor<{shape}>
    %ones = linalg.fill ins(%one : {type}) outs(%e : tensor<{shape}>) -> tensor<{shape}>
{between}
    %sum = linalg.generic {{indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%block, {other} : tensor<{shape}>, tensor<{shape}>) outs(%e : tensor<{shape}>) {{
    ^bb0(%a: {type}, %b: {type}, %old: {type}):
      %s = {add} %a, %b : {type}
      linalg.yield %s : {type}
    }} -> tensor<{shape}>
STORE
"""


ALL = """
    bufferization.materialize_in_destination %sum in writable %to : (tensor<SHAPE>, memref<SHAPE, OUT>) -> ()"""
PART = """
    %part = tensor.extract_slice %sum[0, 0] [%rows, %columns] [1, 1] : tensor<SHAPE> to tensor<?x?xT>
    %place = memref.subview %to[0, 0] [%rows, %columns] [1, 1] : memref<SHAPE, OUT> to memref<?x?xT, OUT>
    bufferization.materialize_in_destination %part in writable %place : (tensor<?x?xT>, memref<?x?xT, OUT>) -> ()"""


def kernel(*, stored: str = ALL, **changed: Any) -> str:
    """Return that kernel, of which all or a part is stored."""
    type = changed.get("type", "f32")
    text = body(**changed).replace("STORE", stored).replace("OUT", f"strided<[{COLUMNS}, 1]>")
    return (
        text.replace("SHAPE", f"{ROWS}x{COLUMNS}x{type}")
        .replace("xT>", f"x{type}>")
        .replace("xT,", f"x{type},")
    )


@pytest.mark.parametrize("stored", [ALL, PART], ids=["all", "a part"])
@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("apart", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("part", [(ROWS, COLUMNS), (2, 33), (1, 16), (3, 1), (0, 5), (2, 0)])
def test_elements(
    check: Callable[..., Any],
    part: tuple[int, int],
    apart: int,
    type: str,
    twice: bool,
    stored: str,
) -> None:
    m, n = part
    x = np.arange(PITCH * ROWS).astype(TYPES[type]) % 50
    out = np.zeros((ROWS, COLUMNS), TYPES[type])
    text = kernel(apart=apart, type=type, twice=twice, stored=stored)
    values = [x, out.reshape(-1), np.int32(m), np.int32(n)]
    (_, found) = check(ARGUMENTS.replace("T", type), text, values)
    block = np.full((ROWS, COLUMNS), 7, TYPES[type])
    rows = x.reshape(ROWS, PITCH)[:, : apart * COLUMNS : apart]
    block[:m, :n] = rows[:m, :n]
    result = block + (block if twice else 1)
    if stored is ALL:
        out[:] = result
    else:
        out[:m, :n] = result[:m, :n]
    np.testing.assert_array_equal(found.reshape(out.shape), out)


@pytest.mark.skipif(sys.platform != "linux", reason="pages are protected as Linux does it")
@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize("apart", [2, 3, 4])
@pytest.mark.parametrize("count", [1, 5, 16, 17, COLUMNS])
def test_nothing_behind_the_last_element_is_loaded(apart: int, twice: bool, count: int) -> None:
    """Which is the last one of a page, where another one may not be read."""
    page = mmap.PAGESIZE
    pages = mmap.mmap(-1, 3 * page)
    memory = np.frombuffer(pages, np.float32)
    start = memory.ctypes.data
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    assert protect(ctypes.c_void_p(start + 2 * page), ctypes.c_size_t(page), 0) == 0
    last = PITCH * (ROWS - 1) + apart * (count - 1)
    first = start + 2 * page - 4 * (last + 1)
    out = np.zeros(ROWS * COLUMNS, np.float32)
    text = kernel_text(ARGUMENTS.replace("T", "f32"), kernel(apart=apart, twice=twice, stored=PART))
    compile_module(xtriton.parse(text))(1, [first, out, np.int32(ROWS), np.int32(count)])
    found = out.reshape(ROWS, COLUMNS)
    assert (found[:, :count] == (0 if twice else 1)).all()
    assert (found[:, count:] == 0).all()


STORED = f"""
    bufferization.materialize_in_destination %ones in writable %to : (tensor<{ROWS}x{COLUMNS}xf32>, memref<{ROWS}x{COLUMNS}xf32, strided<[{COLUMNS}, 1]>>) -> ()"""


@pytest.mark.parametrize(
    ("changed", "late"),
    [
        ({}, True),
        ({"apart": 1}, False),
        ({"apart": 5}, False),
        ({"twice": True}, False),
        ({"between": STORED}, False),
    ],
    ids=["plainly", "next to each other", "far apart", "used twice", "stored to before"],
)
def test_blocks_loaded_where_they_are_used(
    monkeypatch: pytest.MonkeyPatch, changed: dict[str, Any], late: bool
) -> None:
    found: list[object] = []

    def watched(e: Any, load: Any) -> Any:
        found.append(late_loads.late_block(e, load))
        return found[-1]

    monkeypatch.setattr(tensors, "late_block", watched)
    arguments: dict[str, Any] = {"apart": 2, **changed}
    emitted(ARGUMENTS.replace("T", "f32"), kernel(**arguments))
    assert [one is not None for one in found] == [late]


@pytest.mark.skipif("avx512bw" not in host().units, reason="these vectors are of AVX-512")
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("apart", [1, 2, 4, 5])
def test_vectors_in_part(type: str, apart: int) -> None:
    text = emitted(ARGUMENTS.replace("T", type), kernel(apart=apart, type=type, twice=True))
    assert ("llvm.masked.load" in text) == (1 < apart < 5 and type != "i8")


LOADED = f"""
    %rows = arith.index_cast %m : i32 to index
    %columns = arith.index_cast %n : i32 to index
    %zero = arith.constant 0.0 : f32
    %pitch = arith.constant {PITCH} : index
    %three = arith.constant 3 : index
    %sixteen = arith.constant 16 : index
    %all = memref.cast %x : memref<*xf32> to memref<?xf32>
    %e = tensor.empty() : tensor<8x64xf32>
    %r = linalg.generic {{indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]}} outs(%e : tensor<8x64xf32>) {{
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %in_rows = arith.cmpi slt, %i, %rows : index
      %in_columns = arith.cmpi slt, %j, %columns : index
      %in = arith.andi %in_rows, %in_columns : i1
      %v = scf.if %in -> (f32) {{
        %row = arith.muli %i, %pitch : index
        %q = arith.floordivsi %j, %sixteen : index
        %parts = arith.muli %q, %sixteen : index
        %step = arith.muli %j, %three : index
        %one = arith.addi %row, %step : index
        %place = arith.addi %one, %parts : index
        %loaded = memref.load %all[%place] : memref<?xf32>
        scf.yield %loaded : f32
      }} else {{
        scf.yield %zero : f32
      }}
      linalg.yield %v : f32
    }} -> tensor<8x64xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [8, 64], strides: [80, 1] : memref<*xf32> to memref<8x64xf32, strided<[80, 1]>>
    %part = tensor.extract_slice %r[0, 0] [%rows, %columns] [1, 1] : tensor<8x64xf32> to tensor<?x?xf32>
    %place = memref.subview %to[0, 0] [%rows, %columns] [1, 1] : memref<8x64xf32, strided<[80, 1]>> to memref<?x?xf32, strided<[80, 1]>>
    bufferization.materialize_in_destination %part in writable %place : (tensor<?x?xf32>, memref<?x?xf32, strided<[80, 1]>>) -> ()
"""
"""A kernel that loads a block element by element, three apart in rows of 16, and stores a part."""


@pytest.mark.parametrize("part", [(8, 64), (5, 64), (8, 63), (1, 17), (3, 0), (0, 3)])
def test_what_is_not_stored_is_not_made(check: Callable[..., Any], part: tuple[int, int]) -> None:
    m, n = part
    x = np.arange(8 * PITCH, dtype=np.float32)
    out = np.full((8, 80), -1, np.float32)
    values = [x, out.reshape(-1), np.int32(m), np.int32(n)]
    (_, found) = check(ARGUMENTS.replace("T", "f32"), LOADED, values)
    columns = np.arange(n)
    out[:m, :n] = PITCH * np.arange(m)[:, None] + 3 * columns + columns // 16 * 16
    np.testing.assert_array_equal(found.reshape(out.shape), out)


def test_it_is_stored_where_it_is_made_unless_arguments_overlap() -> None:
    """The rows are moved by one here, from below."""
    memory = np.arange(8 * PITCH, dtype=np.float32)
    before = memory.copy()
    text = kernel_text(ARGUMENTS.replace("T", "f32"), LOADED)
    whole = np.int32(8), np.int32(64)
    compile_module(xtriton.parse(text))(1, [memory, memory, *whole])
    columns = np.arange(64)
    places = PITCH * np.arange(8)[:, None] + 3 * columns + columns // 16 * 16
    np.testing.assert_array_equal(memory[: 8 * 80].reshape(8, 80)[:, :64], before[places])


MOVE = """\
loop1:
  %i2 = phi i64 [ %start, %row ], [ %v9, %loop1 ]
  %v3 = getelementptr float, ptr %x, i64 %base
  %v4 = getelementptr nusw [3 x float], ptr %v3, i64 %i2
  %v5 = load float, ptr %v4, !llvm.access.group !1
  %v6 = mul nsw i64 %row, 64
  %v7 = add nsw i64 %v6, %i2
  %v8 = getelementptr inbounds float, ptr %buffer, i64 %v7
  store float %v5, ptr %v8, !llvm.access.group !1
  %v9 = add nsw i64 %i2, 1
"""


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("", "", ("float", 3)),
        ("add nsw i64 %v6, %i2", "add nsw i64 %i2, 8", ("float", 3)),
        ("i64 %v7", "i64 %i2", ("float", 3)),
        ("[3 x", "[5 x", None),
        ("add nsw i64 %v6, %i2", "add nsw i64 %i2, %i2", None),
        ("add nsw i64 %v6, %i2", "mul nsw i64 %i2, 2", None),
        ("%row, 64", "%i2, 64", None),
        ("%buffer, i64", "%v4, i64", None),
        ("ptr %v3, i64 %i2", "ptr %v3, i64 %row", None),
        ("%x, i64 %base", "%x, i64 %i2", None),
        ("float %v5, ptr", "float %other, ptr", None),
        ("  %v6 =", "  %more = load float, ptr %x\n  %v6 =", None),
        ("mul nsw i64 %row, 64", "call i64 @llvm.smin.i64(i64 %row, i64 64)", None),
    ],
)
def test_moves(before: str, after: str, found: tuple[str, int] | None) -> None:
    """Nothing but elements some apart goes to places that follow each other."""
    assert moved_apart(MOVE.replace(before, after).splitlines()) == found
