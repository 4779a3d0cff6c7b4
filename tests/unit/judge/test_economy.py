"""What a comparison does not run, because it would decide nothing."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.interpreter import Program, run
from xtriton.interpreter.contents import Contents
from xtriton.interpreter.launch import is_sequential
from xtriton.interpreter.memory import EndlessRegion, Memory, region_base
from xtriton.interpreter.read_places import ReadPlaces
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import Options, check_equivalent, shared
from xtriton.judge.runs import Runs
from xtriton.semantics import element

F32 = element("f32")

CALLS = """
tt.func public @kernel(%out: !tt.ptr<i32>) {
  %pid = tt.get_program_id x : i32
  %twice = tt.call @twice(%pid) : (i32) -> i32
  %at = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  tt.store %at, %twice : !tt.ptr<i32>
  tt.return
}
tt.func private @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  tt.return %y : i32
}
"""
RACY = """
tt.func @kernel(%out: !tt.ptr<i32>) {
  %pid = tt.get_program_id x : i32
  tt.store %out, %pid : !tt.ptr<i32>
  tt.return
}
"""


def parse(text: str) -> ModuleOp:
    return parse_module(text, universe.context())


def test_programs_that_call_a_function_for_its_result_run_together() -> None:
    program = Program(parse(CALLS))
    assert not is_sequential(program.function("kernel"))
    assert is_sequential(program.function("twice"))
    out = np.zeros(5, np.int32)
    run(program, 5, [out])
    np.testing.assert_array_equal(out, 2 * np.arange(5))


def endless(poison: int) -> Memory:
    memory = Memory(poison)
    memory.add(1, EndlessRegion(1, F32, Contents(seed=3, free=True)))
    return memory


def test_only_lanes_that_are_off_are_undefined() -> None:
    address = np.arange(8, dtype=np.int64) * 4 + region_base(1)
    memory = endless(1)
    full = memory.load(address, np.ones(8, np.bool_), None, F32)
    assert not memory.poison_used
    np.testing.assert_array_equal(full, memory.load(address, None, None, F32))
    cut = memory.load(address, np.arange(8) < 5, None, F32)
    assert memory.poison_used
    np.testing.assert_array_equal(full[:5], cut[:5])
    again = endless(1).load(address, np.arange(8) < 5, None, F32)
    np.testing.assert_array_equal(cut, again)


def test_loads_see_what_was_stored_after_an_earlier_load() -> None:
    address = np.arange(8, dtype=np.int64) * 4 + region_base(1)
    memory = endless(0)
    before = memory.load(address, None, None, F32).copy()
    memory.store(address[2:4], np.array([7, 9], np.float32), None, F32)
    after = memory.load(address, None, None, F32)
    np.testing.assert_array_equal(after[2:4], [7, 9])
    np.testing.assert_array_equal(after[4:], before[4:])


def test_addresses_in_several_regions_are_told_apart() -> None:
    memory = endless(0)
    memory.add(2, EndlessRegion(2, F32, Contents(seed=3, free=True)))
    address = np.array([region_base(1), region_base(2), region_base(1) + 4], np.int64)
    alone = [memory.load(address[k : k + 1], None, None, F32)[0] for k in range(3)]
    np.testing.assert_array_equal(memory.load(address, None, None, F32), np.stack(alone))


def test_launches_that_are_known_to_race_are_not_run_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    original, ran = shared(parse(RACY)), list[str]()
    execute = Runs.execute

    def counted(self: Runs, side: Any, draw: Any, poison: int, *rest: Any) -> Any:
        if side is self.a and self.batched:
            ran.append(draw.name)
        return execute(self, side, draw, poison, *rest)

    monkeypatch.setattr(Runs, "execute", counted)
    rewritten = RACY.replace("tt.store", "%zero = arith.constant 0 : i32\n  tt.store")
    rewritten = rewritten.replace(
        "tt.store %out, %pid", "%v = arith.addi %pid, %zero : i32\n  tt.store %out, %v"
    )
    for known in (False, True):
        ran.clear()
        verdict = check_equivalent(original, parse(rewritten), options=Options(solver=0))
        assert verdict
        assert any("race" in note for note in verdict.notes)
        assert bool(ran) is not known


def drawn(rng: np.random.Generator, span: int) -> tuple[np.ndarray[Any, Any], int]:
    """Return addresses within `span`, most of them multiples of the size beside them."""
    size = int(rng.choice([1, 2, 4, 8]))
    address = rng.integers(0, span, rng.integers(1, 40))
    return (address // size * size if rng.random() < 0.8 else address), size


@pytest.mark.parametrize("seed", range(40))
def test_places_that_were_read_are_a_set_of_bytes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    span = int(rng.choice([64, 500, 1 << 28]))
    places, known = ReadPlaces(), set[int]()
    for _ in range(rng.integers(0, 4)):
        address, size = drawn(rng, span)
        places.add(address, size)
        known |= {a + k for a in address.tolist() for k in range(size)}
    for _ in range(4):
        address, size = drawn(rng, span)
        lost = set(places.missing(address, size).tolist())
        octets = {a + k for a in address.tolist() for k in range(size)} - known
        if (address % size).any():
            assert lost == octets
        else:
            assert lost == {
                a for a in address.tolist() if not octets.isdisjoint(range(a, a + size))
            }


def test_places_far_apart_take_little_memory() -> None:
    """A page of memory for each place would be 256 MiB."""
    address = np.arange(1 << 16, dtype=np.int64) << 12
    tracemalloc.start()
    places = ReadPlaces()
    places.add(address, 4)
    assert not places.missing(address[::-1], 4).size
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 16 << 20
