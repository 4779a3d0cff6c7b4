"""Kernels on real arrays: batches, divergence, bounds, locks, calls, printing."""

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton import universe
from xtriton.errors import UserError
from xtriton.interpreter import Observer, Program, run
from xtriton.interpreter.machine import StepBudgetExceeded
from xtriton.interpreter.memory import MemoryFault
from xtriton.interpreter.sanitize import sanitize
from xtriton.ir.reading.parser import parse_module


def parse(text: str) -> ModuleOp:
    return parse_module(text, universe.context())


ADD = """
tt.func @add(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32>, %n: i32) {
  %c8 = arith.constant 8 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c8 : i32
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %s = tt.splat %start : i32 -> tensor<8xi32>
  %i = arith.addi %s, %range : tensor<8xi32>
  %b = tt.splat %n : i32 -> tensor<8xi32>
  %mask = arith.cmpi slt, %i, %b : tensor<8xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %px = tt.addptr %xs, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %v = tt.load %px, %mask : tensor<8x!tt.ptr<f32>>
  %w = arith.addf %v, %v : tensor<8xf32>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %py = tt.addptr %ys, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %py, %w, %mask : tensor<8x!tt.ptr<f32>>
  tt.return
}
"""


@pytest.mark.parametrize("batched", [True, False])
def test_masked_vector(batched: bool) -> None:
    x, y = np.arange(30, dtype=np.float32), np.zeros(30, np.float32)
    run(parse(ADD), 4, [x, y, 30], batched=batched)
    np.testing.assert_array_equal(y, 2 * x)


def test_a_program_runs_again_on_other_arrays() -> None:
    program = Program(parse(ADD))
    for n in (3, 17):
        x, y = np.arange(n, dtype=np.float32), np.zeros(n, np.float32)
        run(program, 3, [x, y, n])
        np.testing.assert_array_equal(y, 2 * x)


def test_out_of_bounds_names_argument_element_and_op() -> None:
    x, y = np.zeros(30, np.float32), np.zeros(29, np.float32)
    with pytest.raises(
        MemoryFault, match=r"store out of bounds of argument 'y'.*element 29 of 29"
    ) as e:
        run(parse(ADD), 4, [x, y, 30])
    assert "tt.store" in e.value.notes[-1]


def test_wrong_arguments() -> None:
    with pytest.raises(UserError, match="must be an array"):
        run(parse(ADD), 1, [3, np.zeros(8, np.float32), 8])
    with pytest.raises(UserError, match="must be a number"):
        run(parse(ADD), 1, [np.zeros(8, np.float32)] * 3)
    with pytest.raises(UserError, match="no function 'sub'"):
        run(parse(ADD), 1, [], kernel="sub")


DIVERGING = """
tt.func @f(%out: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c100 = arith.constant 100 : i32
  %pid = tt.get_program_id x : i32
  %n = tt.get_num_programs x : i32
  %sum = scf.for %i = %pid to %n step %c1 iter_args(%a = %c0) -> (i32) : i32 {
    %odd = arith.remsi %i, %c2 : i32
    %is = arith.cmpi eq, %odd, %c1 : i32
    %b = scf.if %is -> (i32) {
      %t = arith.addi %a, %i : i32
      scf.yield %t : i32
    } else {
      %t = arith.subi %a, %pid : i32
      scf.yield %t : i32
    }
    scf.yield %b : i32
  }
  %halved:2 = scf.while (%v = %sum, %steps = %c0) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi sgt, %v, %c2 : i32
    scf.condition(%more) %v, %steps : i32, i32
  } do {
  ^bb0(%v: i32, %steps: i32):
    %h = arith.divsi %v, %c2 : i32
    %s = arith.addi %steps, %c1 : i32
    scf.yield %h, %s : i32, i32
  }
  %early = arith.cmpi eq, %pid, %c2 : i32
  cf.cond_br %early, ^done, ^go
^done:
  tt.return
^go:
  %scaled = arith.muli %halved#1, %c100 : i32
  %r = arith.addi %scaled, %halved#0 : i32
  %p = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  tt.store %p, %r : !tt.ptr<i32>
  tt.return
}
"""


def expected_of_diverging(count: int) -> list[int]:
    results: list[int] = []
    for pid in range(count):
        a = 0
        for i in range(pid, count):
            a = a + i if i % 2 == 1 else a - pid
        steps = 0
        while a > 2:
            a, steps = a // 2, steps + 1
        results.append(-1 if pid == 2 else steps * 100 + a)
    return results


@pytest.mark.parametrize("batched", [True, False])
def test_programs_that_part(batched: bool) -> None:
    out = np.full(9, -1, np.int32)
    run(parse(DIVERGING), 9, [out], batched=batched)
    assert out.tolist() == expected_of_diverging(9)


LOCK = """
tt.func @f(%lock: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %w = scf.while (%x = %c1) : (i32) -> i32 {
    %old = tt.atomic_cas acquire, gpu, %lock, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
    %busy = arith.cmpi ne, %old, %c0 : i32
    scf.condition(%busy) %old : i32
  } do {
  ^bb0(%x: i32):
    scf.yield %x : i32
  }
  %v = tt.load %out : !tt.ptr<i32>
  %n = arith.addi %v, %c1 : i32
  tt.store %out, %n : !tt.ptr<i32>
  %r = tt.atomic_rmw exch, release, gpu, %lock, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}
"""


def test_locks_run_in_order() -> None:
    lock, out = np.zeros(1, np.int32), np.zeros(1, np.int32)
    run(parse(LOCK), 5, [lock, out])
    assert (lock[0], out[0]) == (0, 5)


def test_a_kernel_that_never_ends_is_stopped() -> None:
    lock, out = np.ones(1, np.int32), np.zeros(1, np.int32)
    with pytest.raises(StepBudgetExceeded, match="step budget"):
        run(parse(LOCK), 1, [lock, out], budget=1000)


def test_printing_and_assertions() -> None:
    class Listener(Observer):
        def __init__(self) -> None:
            self.heard: list[str] = []

        def printed(self, op: Operation, message: str) -> None:
            self.heard.append(message)

        def asserted(self, op: Operation, message: str, holds: bool) -> None:
            self.heard.append(f"{message}: {holds}")

    text = """
    tt.func @f(%n: i32) {
      tt.print " n =" {hex = false, isSigned = array<i32: 1>} : %n : i32
      %c = arith.constant 5 : i32
      %ok = arith.cmpi slt, %n, %c : i32
      %t = tt.splat %ok : i1 -> tensor<2xi1>
      tt.assert %t, "small" : tensor<2xi1>
      tt.return
    }
    """
    listener = Listener()
    run(parse(text), 1, [7], observer=listener)
    assert listener.heard == [" n = 7", "small: False"]


class TestSanitizer:
    def kinds(self, text: str, grid: int, args: list[Any]) -> list[str]:
        return [f.kind for f in sanitize(parse(text), grid, args)]

    def test_nothing_to_find(self) -> None:
        x, y = aligned(32), np.zeros(32, np.float32)
        assert sanitize(parse(ADD), 4, [x, y, 32]) == []
        assert not y.any(), "the arrays stay as they are"

    def test_bounds(self) -> None:
        x, y = aligned(32), np.zeros(31, np.float32)
        assert self.kinds(ADD, 4, [x, y, 32]) == ["bounds"]

    def test_alignment(self) -> None:
        x, y = aligned(33)[1:], np.zeros(32, np.float32)
        assert self.kinds(ADD, 4, [x, y, 32]) == ["alignment"]

    def test_race(self) -> None:
        racing = ADD.replace("%start = arith.muli %pid, %c8", "%start = arith.addi %pid, %pid")
        x, y = aligned(64), np.zeros(64, np.float32)
        found = sanitize(parse(racing), 4, [x, x.copy(), 64])
        assert found == [], "the same value written twice is no race"
        different = racing.replace("%w = arith.addf %v, %v", "%w = arith.addf %v, %q").replace(
            "%w =",
            "%f = arith.sitofp %s : tensor<8xi32> to tensor<8xf32>\n"
            "  %q = arith.addf %f, %f : tensor<8xf32>\n  %w =",
        )
        assert self.kinds(different, 4, [x, y, 64]) == ["race"]
        (finding,) = sanitize(parse(different), 4, [x, y, 64])
        assert "element 2 of argument 1 (y)" in finding.message

    def test_race_of_a_reader_that_writes_the_same(self) -> None:
        text = """
tt.func @flag(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %pid = tt.get_program_id x : i32
  %first = arith.cmpi eq, %pid, %c0 : i32
  %v = tt.load %p, %first, %zero : !tt.ptr<f32>
  tt.store %p, %one : !tt.ptr<f32>
  %place = tt.addptr %q, %pid : !tt.ptr<f32>, i32
  tt.store %place, %v : !tt.ptr<f32>
  tt.return
}
"""
        x, y = np.zeros(1, np.float32), np.zeros(2, np.float32)
        (finding,) = sanitize(parse(text), 2, [x, y])
        assert finding.kind == "race"
        assert "program 1 writes element 0 of argument 0 (p)" in finding.message
        assert sanitize(parse(text), 1, [x, y]) == []

    def test_undefined(self) -> None:
        undefined = ADD.replace("tt.store %py, %w, %mask", "tt.store %py, %w")
        x, y = aligned(32), np.zeros(32, np.float32)
        (finding,) = sanitize(parse(undefined), 4, [x, y, 30])
        assert finding.kind == "undefined"
        assert "element 30 of argument 1 (y)" in finding.message
        assert "program 3 writes there by 'tt.store'" in finding.message


def aligned(n: int) -> np.ndarray[Any, Any]:
    """An array whose address 16 divides."""
    spare = np.arange(n + 4, dtype=np.float32)
    skip = (-spare.__array_interface__["data"][0] % 16) // 4
    return spare[skip : skip + n]


def test_endless_bytes_are_seen_alike_through_all_types() -> None:
    """What is stored as i8 is read as i64, and untouched bytes around it stay."""
    from xtriton.interpreter.contents import Contents
    from xtriton.interpreter.memory import EndlessRegion
    from xtriton.semantics import element

    region = EndlessRegion(3, element("i32"), Contents(seed=1))
    places = np.arange(0, 64, 8)
    before = region.load(places, None, element("i64"))
    octets = region.load(np.arange(64), None, element("i8")).view(np.uint8).copy()
    np.testing.assert_array_equal(octets.view(np.int64), before)
    region.store(np.array([5, 17]), np.array([1, 2], np.int8), element("i8"))
    octets[[5, 17]] = [1, 2]
    np.testing.assert_array_equal(region.load(places, None, element("i64")), octets.view(np.int64))
    odd = region.load(np.array([3]), None, element("i32"))
    assert odd[0] == octets[3:7].copy().view(np.int32)[0]
    offsets, values = region.written()
    assert offsets.tolist() == [5, 17]
    assert values.tolist() == [1, 2]


def test_structured_level() -> None:
    """The calling convention of lowered kernels: sizes and program ids come last."""
    text = """
    func.func @add(%x: memref<*xf32>, %y: memref<*xf32>, %n: i32, %g0: i32, %g1: i32, %g2: i32,
                   %p0: i32, %p1: i32, %p2: i32) {
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %pid = arith.index_cast %p0 : i32 to index
      %size = arith.index_cast %n : i32 to index
      %start = arith.muli %pid, %c8 : index
      %left = arith.subi %size, %start : index
      %k = arith.minsi %left, %c8 : index
      %vx = memref.reinterpret_cast %x to offset: [%start], sizes: [8], strides: [1]
        : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
      %buffer = memref.alloc() : memref<8xf32>
      linalg.fill ins(%zero : f32) outs(%buffer : memref<8xf32>)
      %sx = memref.subview %vx[0] [%k] [1]
        : memref<8xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
      %sb = memref.subview %buffer[0] [%k] [1]
        : memref<8xf32> to memref<?xf32, strided<[1]>>
      memref.copy %sx, %sb
        : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
      %t = bufferization.to_tensor %buffer restrict : memref<8xf32> to tensor<8xf32>
      %e = tensor.empty() : tensor<8xf32>
      %d = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]} ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%a: f32, %o: f32):
        %s = arith.addf %a, %a : f32
        linalg.yield %s : f32
      } -> tensor<8xf32>
      %vy = memref.reinterpret_cast %y to offset: [%start], sizes: [8], strides: [1]
        : memref<*xf32> to memref<8xf32, strided<[1], offset: ?>>
      %part = tensor.extract_slice %d[0] [%k] [1] : tensor<8xf32> to tensor<?xf32>
      %sy = memref.subview %vy[0] [%k] [1]
        : memref<8xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
      bufferization.materialize_in_destination %part in writable %sy
        : (tensor<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
      return
    }
    """
    from xtriton.judge import check_equivalent

    x, y = np.arange(30, dtype=np.float32), np.zeros(30, np.float32)
    run(parse(text), 4, [x, y, 30])
    np.testing.assert_array_equal(y, 2 * x)
    # The structured form must not be run for programs past the end, so n is given.
    assert check_equivalent(parse(ADD), parse(text), given={2: 30})
    wrong = text.replace("arith.addf %a, %a", "arith.mulf %a, %a")
    assert not check_equivalent(parse(ADD), parse(wrong), given={2: 30})


@pytest.mark.parametrize("length", [0, 3])
def test_the_body_of_an_empty_loop_reads_nothing(length: int):
    """Not what is the same at every point of it either, which is computed once."""
    text = """
    func.func @f(%x: memref<*xf32>, %y: memref<*xf32>, %n: index) {
      %c0 = arith.constant 0 : index
      %vx = memref.cast %x : memref<*xf32> to memref<?xf32>
      %vy = memref.cast %y : memref<*xf32> to memref<?xf32>
      %part = memref.subview %vy[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        outs(%part : memref<?xf32, strided<[1]>>) {
      ^bb0(%o: f32):
        %v = memref.load %vx[%c0] : memref<?xf32>
        linalg.yield %v : f32
      }
      return
    }
    """
    x, y = np.ones(length, np.float32), np.zeros(4, np.float32)
    run(parse(text), 1, [x, y, length])
    np.testing.assert_array_equal(y, [1.0] * length + [0.0] * (4 - length))


def test_stores_of_several_sizes_leave_the_last_bytes() -> None:
    """What was written is the same whether or not loads came between."""
    from xtriton.interpreter.contents import Contents
    from xtriton.interpreter.memory import EndlessRegion
    from xtriton.semantics import element

    stores = (
        ([8, 0, 8, 4], [1, 2, 3, 4], "i32"),
        ([6], [-1], "i16"),
        ([1 << 31, 4], [7, 9], "i32"),
        ([3], [5], "i16"),
    )
    found: list[list[Any]] = []
    for loads_between in (False, True):
        region = EndlessRegion(3, element("i32"), Contents(seed=1))
        for offsets, values, name in stores:
            of = element(name)
            region.store(np.array(offsets), np.array(values, of.carrier), of)
            if loads_between:
                region.load(np.arange(0, 16, 4), None, element("i32"))
        found.append([part.tolist() for part in region.written()])
    expected = bytearray(12)
    for offset, value, size in ((8, 3, 4), (0, 2, 4), (4, 9, 4), (3, 5, 2)):
        expected[offset : offset + size] = value.to_bytes(size, "little")
    assert found[0] == found[1]
    assert found[0] == [[*range(12), *range(1 << 31, (1 << 31) + 4)], [*expected, 7, 0, 0, 0]]


def test_atomics_on_one_address_take_turns() -> None:
    """Also where elements overlap without being the same."""
    from xtriton.interpreter.contents import Contents
    from xtriton.interpreter.memory import EndlessRegion, Memory
    from xtriton.interpreter.rules.tt_atomic import in_turns
    from xtriton.semantics import element

    of = element("i16")
    for places, old, left in (
        ([0, 4, 0, 0, 4], [0, 0, 1, 4, 2], [8, 0, 7, 0]),
        ([0, 1, 0, 1], None, None),
    ):
        memory = Memory()
        base = memory.add(1, region := EndlessRegion(1, of, Contents(zero=True)))
        address, more = base + np.array(places), np.arange(1, len(places) + 1, dtype=np.int16)
        found = in_turns(memory, address, lambda was, lanes, more=more: was + more[lanes], of)
        one_by_one = Memory()
        one_by_one.add(1, again := EndlessRegion(1, of, Contents(zero=True)))
        for k, place in enumerate(address):
            was = one_by_one.load(place, None, None, of)
            one_by_one.store(place, was + more[k], None, of)
        assert [p.tolist() for p in region.written()] == [p.tolist() for p in again.written()]
        if left is not None:
            assert (found.tolist(), region.written()[1].tolist()) == (old, left)


def test_what_was_computed_lately_is_told_by_bits() -> None:
    """Zeros of both signs are not the same, a NaN is the same as itself; results are shared."""
    from xtriton.interpreter.recent import Recent

    calls: list[Any] = []
    known = Recent(1 << 12)

    def asked(key: str, *values: float, dtype: Any = np.float32) -> Any:
        array = np.array([1, *values, 1], dtype)
        return known.get((key,), (array,), lambda: calls.append(values) or array + 1)

    first = asked("a", float("nan"), 0.0)
    assert asked("a", float("nan"), 0.0) is first
    assert len(calls) == 1
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0
    for again in (("a", float("nan"), -0.0), ("b", float("nan"), -0.0)):
        asked(*again)
    asked("b", 2, 3, dtype=np.int32)
    assert len(calls) == 4
    for k in range(100):
        asked(f"many {k}", k)
    assert asked("b", 2, 3, dtype=np.int32) is not None
    assert len(calls) == 105, "what was asked long ago is forgotten"


def test_reads_are_like_others_of_the_same_lanes() -> None:
    from xtriton.interpreter.effects import AccessRecord

    address, programs = np.arange(0, 32, 4), np.array([0])
    on = np.arange(8) < 5
    op: Any = None

    def access(mask: Any, of: Any = programs, at: Any = address) -> AccessRecord:
        return AccessRecord(op, "load", at, mask, 4, of, (8,))

    assert access(on).is_like(access(on.copy()))
    assert access(None).is_like(access(None))
    assert not access(on).is_like(access(None))
    assert not access(on).is_like(access(~on))
    assert not access(on).is_like(access(on, np.array([1])))
    other = address.copy()
    other[3] += 4
    assert access(None).place() == access(None, at=other).place()
    assert not access(None).is_like(access(None, at=other))


def test_a_program_remembers_what_there_is_room_for() -> None:
    program = Program(ModuleOp([]))
    program.remembered, program.room = {}, 10
    calls: list[str] = []

    def asked(key: str, size: int) -> str:
        return program.once(key, lambda: calls.append(key) or key, lambda _: size)

    for _ in range(2):
        assert [asked("a", 6), asked("b", 6), asked("c", 4)] == ["a", "b", "c"]
    assert calls == ["a", "b", "c", "b"]
