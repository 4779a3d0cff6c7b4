"""Stores that one loop does: the same numbers, and only where nobody can tell."""

from typing import Any

import numpy as np
import pytest

import xtriton
from tests.unit.cpu.conftest import emitted, kernel_text
from xtriton.cpu import compile_module
from xtriton.cpu.emitter import grouped_stores, staging

RNG = np.random.default_rng(11)
SIZE = 64
NAMES = "pqrs"
ARGUMENTS = ", ".join([*(f"%{name}: memref<*xf32>" for name in NAMES), "%count: i32"])
BLOCK, PLACE, PART = "tensor<64xf32>", "memref<64xf32, strided<[1], offset: ?>>", "tensor<?xf32>"
SOME = "memref<?xf32, strided<[1], offset: ?>>"
BEGIN = """
    %n = arith.index_cast %count : i32 to index
    %first = arith.constant 0 : index
    %second = arith.constant 1 : index
"""


def loaded(name: str, at: str = "%first", to: str = "") -> str:
    """Return a load of an argument's block as one of the same name, or of another one."""
    to = to or name
    return f"""
    %at_{to} = memref.reinterpret_cast %{name} to offset: [{at}], sizes: [64], strides: [1] : memref<*xf32> to {PLACE}
    %b_{to} = memref.alloc() : memref<64xf32>
    memref.copy %at_{to}, %b_{to} : {PLACE} to memref<64xf32>
    %{to}0 = bufferization.to_tensor %b_{to} restrict writable : memref<64xf32> to {BLOCK}
"""


def loaded_in_part(name: str) -> str:
    """Return a load of the first %n elements of an argument's block."""
    return f"""
    %at_{name} = memref.reinterpret_cast %{name} to offset: [%first], sizes: [64], strides: [1] : memref<*xf32> to {PLACE}
    %b_{name} = memref.alloc() : memref<64xf32>
    %from_{name} = memref.subview %at_{name}[0] [%n] [1] : {PLACE} to {SOME}
    %into_{name} = memref.subview %b_{name}[0] [%n] [1] : memref<64xf32> to memref<?xf32, strided<[1]>>
    memref.copy %from_{name}, %into_{name} : {SOME} to memref<?xf32, strided<[1]>>
    %{name}0 = bufferization.to_tensor %b_{name} restrict writable : memref<64xf32> to {BLOCK}
"""


def sum_of(result: str, a: str, b: str, map: str = "#id") -> str:
    """Return an op that makes 3 · a + b of each two elements, the first one of those of `map`."""
    return f"""
    {result} = linalg.generic {{indexing_maps = [{map}, #id, #id], iterator_types = ["parallel"]}} ins({a}, {b} : {BLOCK}, {BLOCK}) outs({b} : {BLOCK}) {{
    ^bb0(%x: f32, %y: f32, %old: f32):
      %three = arith.constant 3.0 : f32
      %t = arith.mulf %x, %three : f32
      %sum = arith.addf %t, %y : f32
      linalg.yield %sum : f32
    }} -> {BLOCK}"""


def stored(block: str, name: str) -> str:
    store = "bufferization.materialize_in_destination"
    return f"\n    {store} {block} in writable %at_{name} : ({BLOCK}, {PLACE}) -> ()"


def stored_in_part(block: str, name: str) -> str:
    store = "bufferization.materialize_in_destination"
    return f"""
    %some_{name} = tensor.extract_slice {block}[0] [%n] [1] : {BLOCK} to {PART}
    %to_{name} = memref.subview %at_{name}[0] [%n] [1] : {PLACE} to {SOME}
    {store} %some_{name} in writable %to_{name} : ({PART}, {SOME}) -> ()"""


LOADS = BEGIN + "".join(map(loaded, "pqr"))
STEP = sum_of("%p1", "%p0", "%q0")
GROUPED = {
    "read behind": LOADS + STEP + stored("%p1", "p") + sum_of("%r1", "%r0", "%p1") + stored("%r1", "r"),
    "read before": LOADS + STEP + sum_of("%r1", "%r0", "%p1") + stored("%r1", "r") + stored("%p1", "p"),
    "three": LOADS
    + STEP
    + stored("%p1", "p")
    + sum_of("%q1", "%q0", "%p1")
    + stored("%q1", "q")
    + sum_of("%r1", "%r0", "%q1")
    + stored("%r1", "r"),
    "one to another argument": LOADS
    + STEP
    + stored("%p1", "p")
    + sum_of("%q1", "%q0", "%p0")
    + stored("%q1", "r"),
    "in part": BEGIN
    + "".join(map(loaded_in_part, "pqr"))
    + STEP
    + stored_in_part("%p1", "p")
    + sum_of("%r1", "%r0", "%p1")
    + stored_in_part("%r1", "r"),
}  # fmt: skip
TURNED = "affine_map<(d0) -> (63 - d0)>"
TOTAL = f"""
    %none = arith.constant 0.0 : f32
    %start = tensor.from_elements %none : tensor<f32>
    %total = linalg.reduce {{ arith.addf }} ins(%p1 : {BLOCK}) outs(%start : tensor<f32>) dimensions = [0]
"""
APART = {
    "nothing is replaced": LOADS + STEP + stored("%p1", "r") + stored("%p0", "q"),
    "turned": LOADS
    + STEP
    + stored("%p1", "p")
    + sum_of("%r1", "%p0", "%r0", TURNED)
    + stored("%r1", "r"),
    "a load between": BEGIN
    + loaded("p")
    + loaded("q")
    + STEP
    + stored("%p1", "p")
    + loaded("r")
    + sum_of("%r1", "%r0", "%p1")
    + stored("%r1", "r"),
    "a total between": LOADS
    + STEP
    + stored("%p1", "p")
    + TOTAL
    + sum_of("%r1", "%r0", "%p1")
    + stored("%r1", "r"),
    "the same argument": LOADS
    + loaded("p", "%second", "s")
    + STEP
    + stored("%p1", "p")
    + sum_of("%s1", "%s0", "%p1")
    + stored("%s1", "s"),
    "another length": LOADS
    + STEP
    + stored("%p1", "p")
    + sum_of("%r1", "%r0", "%p1")
    + stored_in_part("%r1", "r"),
}


def values(count: int = SIZE) -> list[Any]:
    return [*(RNG.integers(-9, 9, SIZE + 1).astype(np.float32) for _ in NAMES), count]


def is_grouped(body: str) -> bool:
    """Return whether one loop stores to several places."""
    grouped: list[Any] = []
    before = grouped_stores.write_together

    def write_together(e: Any, items: Any) -> None:
        grouped.append(items)
        before(e, items)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouped_stores, "write_together", write_together)
        emitted(ARGUMENTS, body)
    return bool(grouped)


@pytest.mark.parametrize("name", GROUPED)
def test_one_loop_stores_to_all(check: Any, name: str) -> None:
    for count in (0, 1, 17, SIZE) if name == "in part" else (SIZE,):
        check(ARGUMENTS, GROUPED[name], values(count), optimization=3)
    assert is_grouped(GROUPED[name])


@pytest.mark.parametrize("name", APART)
def test_others_have_loops_of_their_own(check: Any, name: str) -> None:
    check(ARGUMENTS, APART[name], values(17), optimization=3)
    assert not is_grouped(APART[name])


@pytest.mark.parametrize("name", GROUPED)
@pytest.mark.parametrize("step", [-1, 0, 1, 3])
def test_arguments_that_overlap(name: str, step: int) -> None:
    """The first store changes what the others read only if a load was before it."""
    run = compile_module(xtriton.parse(kernel_text(ARGUMENTS, GROUPED[name])), optimization=3)
    memory = RNG.integers(-9, 9, SIZE + 9).astype(np.float32)
    expected = memory.copy()
    p, r = (slice(at, at + SIZE) for at in (4, 4 + step))
    q = RNG.integers(-9, 9, SIZE).astype(np.float32)
    made_of = [expected[p].copy(), q.copy(), expected[r].copy()]
    places = {"p": expected[p], "q": q.copy(), "r": expected[r]}
    for to, block in results(name, *made_of):
        places[to][:] = block
    arrays = [memory[p], q, memory[r], np.zeros(SIZE, np.float32), SIZE]
    run(1, arrays)
    np.testing.assert_array_equal(memory, expected)
    np.testing.assert_array_equal(q, places["q"])


def results(name: str, p: Any, q: Any, r: Any) -> list[tuple[str, Any]]:
    """Return what a kernel stores, one after the other."""
    first = 3 * p + q
    second = 3 * r + first
    if name == "read before":
        return [("r", second), ("p", first)]
    if name == "three":
        middle = 3 * q + first
        return [("p", first), ("q", middle), ("r", 3 * r + middle)]
    if name == "one to another argument":
        return [("p", first), ("r", 3 * q + p)]
    return [("p", first), ("r", second)]


@pytest.mark.parametrize("name", GROUPED)
def test_blocks_are_read_where_they_are(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    before = staging.may_read_source

    def may_read(*arguments: Any) -> str:
        told.append(before(*arguments))
        return told[-1]

    monkeypatch.setattr(staging, "may_read_source", may_read)
    emitted(ARGUMENTS, GROUPED[name])
    assert len(told) == 3
    assert "false" not in told


ROOT = f"""
    %root = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}} ins(%p1 : {BLOCK}) outs(%p1 : {BLOCK}) {{
    ^bb0(%x: f32, %old: f32):
      %a = math.absf %x : f32
      %t = math.exp %a : f32
      linalg.yield %t : f32
    }} -> {BLOCK}
"""
BOTH = LOADS + STEP + ROOT + stored("%root", "p") + sum_of("%r1", "%r0", "%root")


@pytest.mark.parametrize(
    ("more", "times"),
    [("", 3), (stored_in_part("%root", "q"), 1)],
    ids=["for a group", "for another store, too"],
)
def test_what_is_for_a_group_is_made_in_its_loop(check: Any, more: str, times: int) -> None:
    body = BOTH + stored("%r1", "r") + more
    check(ARGUMENTS, body, values(17), optimization=3, rtol=1e-6)
    assert is_grouped(body)
    # In the loop of both, or, where arguments overlap, in that of each; or before, in a buffer.
    assert emitted(ARGUMENTS, body).count("= call float @xt.exp.f32") == times


def test_few_addresses_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouped_stores, "MOST", 2)
    assert is_grouped(GROUPED["read behind"])
    monkeypatch.setattr(grouped_stores, "MOST", 1)
    assert not is_grouped(GROUPED["read behind"])
