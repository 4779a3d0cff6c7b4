"""Blocks made of the places of their elements, which nothing but loads chooses by."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import emitted, kernel_text, loops_in_rows
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import host

SIZE, WIDTH, PADDED, HEIGHT = 128, 30, 40, 7
ARGUMENTS = "%x: memref<*xi16>, %o: memref<*xi16>, %base: i32"


def padded(width: str = f"arith.constant {PADDED} : i32", more: str = "") -> str:
    """
    Return a kernel that stores a block of an image with 3 columns of zeros before it, and 7 behind.

    There is a row of them above it too, and all below it. `more` comes behind the store.
    """

    def block(name: str, inputs: str, type: str, each: str) -> str:
        values = [value.strip() for value in inputs.split(",")]
        types = ", ".join("tensor<128xi1>" if "in_" in v else "tensor<128xi32>" for v in values)
        arguments = ", ".join(
            f"%a{n}: {'i1' if 'in_' in v else 'i32'}" for n, v in enumerate(values)
        )
        maps = ", ".join(["#id"] * (len(values) + 1))
        return f"""
    %{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} ins({inputs} : {types}) outs(%e_{type} : tensor<128x{type}>) {{
    ^bb0({arguments}, %old: {type}):
{each}
      linalg.yield %v : {type}
    }} -> tensor<128x{type}>"""

    masks = "".join(
        block(f"{name}_at", f"%{name}", "i32", f"      %v = arith.addi %a0, %{shift} : i32")
        + block(f"in_{name}_0", f"%{name}_at", "i1", "      %v = arith.cmpi sge, %a0, %zero : i32")
        + block(
            f"in_{name}_1", f"%{name}_at", "i1", f"      %v = arith.cmpi slt, %a0, %{name}s : i32"
        )
        for name, shift in (("row", "minus_one"), ("column", "minus_three"))
    )
    both = "      %v = arith.andi %a0, %a1 : i1"
    return f"""
    %zero = arith.constant 0 : i32
    %minus_one = arith.constant -1 : i32
    %minus_three = arith.constant -3 : i32
    %rows = arith.constant {HEIGHT} : i32
    %columns = arith.constant {WIDTH} : i32
    %width = {width}
    %nothing = arith.constant 0 : i16
    %from = memref.cast %x : memref<*xi16> to memref<?xi16>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [128], strides: [1] : memref<*xi16> to memref<128xi16, strided<[1]>>
    %e_i32 = tensor.empty() : tensor<128xi32>
    %e_i1 = tensor.empty() : tensor<128xi1>
    %e_i16 = tensor.empty() : tensor<128xi16>
    %place = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%e_i32 : tensor<128xi32>) {{
    ^bb0(%old: i32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      %v = arith.addi %base, %n : i32
      linalg.yield %v : i32
    }} -> tensor<128xi32>
{block("row", "%place", "i32", "      %v = arith.divsi %a0, %width : i32")}
{block("column", "%place", "i32", "      %v = arith.remsi %a0, %width : i32")}
{masks}
{block("in_row", "%in_row_0, %in_row_1", "i1", both)}
{block("in_column", "%in_column_0, %in_column_1", "i1", both)}
{block("in_both", "%in_row, %in_column", "i1", both)}
    %b = linalg.generic {{indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}} ins(%in_both, %row_at, %column_at : tensor<128xi1>, tensor<128xi32>, tensor<128xi32>) outs(%e_i16 : tensor<128xi16>) {{
    ^bb0(%in: i1, %r: i32, %c: i32, %old: i16):
      %v = scf.if %in -> (i16) {{
        %start = arith.muli %r, %columns : i32
        %sum = arith.addi %start, %c : i32
        %at = arith.index_cast %sum : i32 to index
        %found = memref.load %from[%at] : memref<?xi16>
        scf.yield %found : i16
      }} else {{
        scf.yield %nothing : i16
      }}
      linalg.yield %v : i16
    }} -> tensor<128xi16>
    bufferization.materialize_in_destination %b in writable %to : (tensor<128xi16>, memref<128xi16, strided<[1]>>) -> ()
{more}
"""


@pytest.mark.parametrize("base", [0, 40, 41, 83, 200, 290, 1000, -50])
@pytest.mark.parametrize("width", [PADDED, 33, 61])
@pytest.mark.parametrize("optimization", [1, 3])
def test_padding(check: Any, base: int, width: int, optimization: int):
    x = np.arange(1, WIDTH * HEIGHT + 1, dtype=np.int16).reshape(HEIGHT, WIDTH)
    image = np.zeros((40, width), np.int16)
    image[1 : 1 + HEIGHT, 3 : 3 + WIDTH] = x
    values = [x.reshape(-1), np.zeros(SIZE, np.int16), base]
    kernel = padded(f"arith.constant {width} : i32")
    found = check(ARGUMENTS, kernel, values, optimization=optimization)[1]
    before = np.zeros(max(-base, 0), np.int16)
    assert found.tolist() == np.r_[before, image.reshape(-1)][max(base, 0) :][:SIZE].tolist()


STORED = """
    %width_of = memref.reinterpret_cast %x to offset: [0], sizes: [128], strides: [1] : memref<*xi16> to memref<128xi16, strided<[1]>>
    %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%column_at : tensor<128xi32>) outs(%e_i16 : tensor<128xi16>) {
    ^bb0(%c: i32, %old: i16):
      %short = arith.trunci %c : i32 to i16
      linalg.yield %short : i16
    } -> tensor<128xi16>
    bufferization.materialize_in_destination %wide in writable %width_of : (tensor<128xi16>, memref<128xi16, strided<[1]>>) -> ()
"""


@pytest.mark.parametrize(
    ("kernel", "masks"),
    [
        (padded(), 0),
        (padded("arith.constant 7 : i32"), 1),
        (padded("arith.addi %base, %zero : i32"), 1),
    ],
    ids=["rows", "short rows", "unknown rows"],
)
def test_masks_in_memory(kernel: str, masks: int):
    """There are none where rows are known and long enough for loops."""
    text = emitted(ARGUMENTS, kernel)
    assert text.count("= alloca [128 x i8]") == masks


@pytest.mark.parametrize(("unit", "branches"), [("avxvnni", [1, 1]), ("avx512bw", [2])])
def test_branches(unit: str, branches: list[int]):
    """Each part of a row is copied or filled as a whole, but where vectors are loaded in part."""
    target = replace(
        host(), vector_bits=512, memory_bits=256, in_halves=True, units=frozenset((unit,))
    )
    module = xtriton.parse(kernel_text(ARGUMENTS, padded()))
    loops = loops_in_rows(emit_kernel(module, target).text)
    assert [loop.count("br i1") for loop in loops] == branches


@pytest.mark.parametrize(
    ("width", "ends"), [(PADDED, False), (48, False), (61, True), (131, False)]
)
def test_what_is_left_of_a_short_row_is_a_vector_in_part(width: int, ends: bool):
    """Where vectors of 512 bits leave something, and few of them are before it."""
    target = replace(
        host(), vector_bits=512, memory_bits=256, in_halves=True, units=frozenset(("avx512bw",))
    )
    module = xtriton.parse(kernel_text(ARGUMENTS, padded(f"arith.constant {width} : i32")))
    text = emit_kernel(module, target).text
    assert bool(re.search(r"and i64 %\w+, -16", text)) == ends
    assert ('"prefer-vector-width"="512"' in text) == ends


def test_what_is_stored_too():
    """What somebody else uses is made once, for all of them."""
    text = emitted(ARGUMENTS, padded(more=STORED))
    assert text.count("= alloca [128 x i32]") == 1
