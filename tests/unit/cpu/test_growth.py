"""Generating code takes time that grows with the kernel's length, no faster."""

import sys
from types import FrameType
from typing import Any

import xtriton
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import host


def calls_to_emit(body: str) -> int:
    """Return how many functions are called while the code of a kernel is generated."""
    module = xtriton.parse(kernel_text("%x: memref<*xf32>, %o: memref<*xf32>", body))
    count = 0

    def observe(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(observe)
    try:
        emit_kernel(module, host())
    finally:
        sys.setprofile(None)
    return count


LAYOUT = "memref<64xf32, strided<[1], offset: ?>>"


def loads_then_stores(number: int) -> str:
    """Return ops that load from `x` so many times and then store as often to `o`."""
    loads = [
        f"""
    %k{k} = arith.constant {64 * k} : index
    %x{k} = memref.reinterpret_cast %x to offset: [%k{k}], sizes: [64], strides: [1] : memref<*xf32> to {LAYOUT}
    %a{k} = memref.alloc() : memref<64xf32>
    memref.copy %x{k}, %a{k} : {LAYOUT} to memref<64xf32>
    %t{k} = bufferization.to_tensor %a{k} restrict writable : memref<64xf32> to tensor<64xf32>
"""
        for k in range(number)
    ]
    stores = [
        f"""
    %o{k} = memref.reinterpret_cast %o to offset: [%k{k}], sizes: [64], strides: [1] : memref<*xf32> to {LAYOUT}
    bufferization.materialize_in_destination %t{k} in writable %o{k} : (tensor<64xf32>, {LAYOUT}) -> ()
"""
        for k in range(number)
    ]
    return "".join(loads + stores)


def test_loads_before_stores():
    few, many = calls_to_emit(loads_then_stores(20)), calls_to_emit(loads_then_stores(80))
    assert many < 5 * few, (few, many)
