"""Blocks that a loop carries and of which a mask leaves a part as it was."""

import re
from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu import jit
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import Target

ROWS, COLUMNS, STEPS = 8, 32, 3
ZEN3 = Target("x86_64-unknown-linux-gnu", "znver3", 256, 16, fma=True, half=True, masks=True)
ARGUMENTS = "%x: memref<*xf32>, %o: memref<*xf32>, %base: i32, %n: i32"
MEMORY = f"memref<{ROWS}x{COLUMNS}xf32, strided<[{COLUMNS}, 1]>>"
BLOCK = f"tensor<{ROWS}x{COLUMNS}xf32>"
VIEW = (
    f"offset: [0], sizes: [{ROWS}, {COLUMNS}], strides: [{COLUMNS}, 1] : memref<*xf32> to {MEMORY}"
)
BODY = f"""
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %steps = arith.constant {STEPS} : i32
    %from = memref.reinterpret_cast %x to {VIEW}
    %to = memref.reinterpret_cast %o to {VIEW}
    %first = bufferization.to_tensor %from restrict : {MEMORY} to {BLOCK}
    %masks = tensor.empty() : tensor<{ROWS}x{COLUMNS}xi1>
    %mask = linalg.generic {{indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]}} outs(%masks : tensor<{ROWS}x{COLUMNS}xi1>) {{
    ^bb0(%old: i1):
      %j = linalg.index 1 : index
      %column = arith.index_cast %j : index to i32
      %place = arith.addi %base, %column : i32
      %below = arith.cmpi slt, %place, %n : i32
      linalg.yield %below : i1
    }} -> tensor<{ROWS}x{COLUMNS}xi1>
    %r = scf.for %k = %c0 to %steps step %c1 iter_args(%sum = %first) -> ({BLOCK}) : i32 {{
      %next = linalg.generic {{indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}} ins(%sum, %mask : {BLOCK}, tensor<{ROWS}x{COLUMNS}xi1>) outs(%sum : {BLOCK}) {{
      ^bb0(%s: f32, %m: i1, %out: f32):
        %twice = arith.addf %s, %s : f32
        %chosen = arith.select %m, %twice, %s : f32
        linalg.yield %chosen : f32
      }} -> {BLOCK}
      scf.yield %next : {BLOCK}
    }}
    bufferization.materialize_in_destination %r in writable %to : ({BLOCK}, {MEMORY}) -> ()
"""
LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1


@pytest.mark.parametrize(
    ("base", "n"), [(0, 32), (0, 31), (0, 1), (0, 0), (40, 32), (-5, 12), (5, 5), (LOWEST, HIGHEST)]
)
def test_masked_steps(check: Any, base: int, n: int):
    x = np.arange(ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS)
    _, found = check(ARGUMENTS, BODY, [x, np.zeros_like(x), base, n])
    doubled = base + np.arange(COLUMNS) < n
    assert np.array_equal(found.reshape(ROWS, COLUMNS), np.where(doubled, x * 2**STEPS, x))


def native_text() -> str:
    return emit_kernel(xtriton.parse(kernel_text(ARGUMENTS, BODY)), ZEN3, None).text


def test_conditions_of_places_are_not_kept_in_memory():
    """A byte for each would have to be widened to the lanes of what it chooses."""
    assert not re.search(r"alloca \[\d+ x i8\]", native_text())


def test_nests_are_written_in_parts():
    """Each part of the columns has one answer to whether they are below the limit."""
    parts, _, nest = native_text().partition("\nrow")[2].partition("\nloop")
    assert re.search(r"icmp slt i32 %v\d+, %argument3", parts)
    assert not re.search(r"icmp slt i32 %v\d+, %argument3", nest.partition("\ndone")[0])


def test_what_a_mask_leaves_is_no_masked_store():
    """Which CPUs of AMD before those with AVX-512 take dozens of other stores' time for."""
    assert "vmaskmov" not in jit.assembly(native_text(), target=ZEN3)
