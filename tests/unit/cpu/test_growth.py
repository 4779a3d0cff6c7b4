"""What generating code does grows with the kernel's length, no faster: calls are counted."""

import xtriton
from tests.growth import calls_in
from tests.unit.cpu.conftest import kernel_text
from xtriton.cpu.emitter import emit_kernel
from xtriton.cpu.target import host


def calls_to_emit(body: str) -> int:
    """Return how many functions are called while the code of a kernel is generated."""
    module = xtriton.parse(kernel_text("%x: memref<*xf32>, %o: memref<*xf32>", body))
    return calls_in(lambda: emit_kernel(module, host()))


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


def sum_of_places(number: int) -> str:
    """Return an op that adds a block of places to itself."""
    of = "tensor<64xi32>"
    return f"""
    %p{number + 1} = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}} ins(%p{number}, %p{number} : {of}, {of}) outs(%p : {of}) {{
    ^bb0(%a: i32, %b: i32, %old: i32):
      %s = arith.addi %a, %b : i32
      linalg.yield %s : i32
    }} -> {of}
"""


def gathered(number: int) -> str:
    """Return ops that load by places which are added to themselves so many times."""
    return f"""
    %p = tensor.empty() : tensor<64xi32>
    %p0 = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%p : tensor<64xi32>) {{
    ^bb0(%old: i32):
      %i = linalg.index 0 : index
      %s = arith.index_cast %i : index to i32
      linalg.yield %s : i32
    }} -> tensor<64xi32>
    {"".join(map(sum_of_places, range(number)))}
    %from = memref.cast %x : memref<*xf32> to memref<?xf32>
    %e = tensor.empty() : tensor<64xf32>
    %r = linalg.generic {{indexing_maps = [#id], iterator_types = ["parallel"]}} outs(%e : tensor<64xf32>) {{
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %n = tensor.extract %p{number}[%i] : tensor<64xi32>
      %at = arith.index_cast %n : i32 to index
      %v = memref.load %from[%at] : memref<?xf32>
      linalg.yield %v : f32
    }} -> tensor<64xf32>
    %to = memref.reinterpret_cast %o to offset: [0], sizes: [64], strides: [1] : memref<*xf32> to memref<64xf32, strided<[1]>>
    bufferization.materialize_in_destination %r in writable %to : (tensor<64xf32>, memref<64xf32, strided<[1]>>) -> ()
"""


def test_places_that_share_their_parts():
    few, many = calls_to_emit(gathered(4)), calls_to_emit(gathered(12))
    assert many < 4 * few, (few, many)
