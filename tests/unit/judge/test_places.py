"""Kernels that do the same with what they read are compared by their places, on most launches."""

from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.equivalence import Equivalence, Options, check_equivalent, shared
from xtriton.judge.launches.draws import Draw, Launches
from xtriton.judge.places import place_runs
from xtriton.judge.places.pairing import paired
from xtriton.judge.places.place_runs import PlaceRuns
from xtriton.judge.places.places import PlacesUnknown
from xtriton.judge.runs import Runs, Side
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline

KERNEL = """
tt.func public @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %at = tt.splat %start : i32 -> tensor<64xi32>
  %i = arith.addi %at, %lane : tensor<64xi32>
  %most = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %i, %most : tensor<64xi32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %from = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %from, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %p, %mask, %zero : tensor<64x!tt.ptr<f32>>
  %square = arith.mulf %v, %v : tensor<64xf32>
  %sum = "tt.reduce"(%square) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %both = arith.addf %a, %b : f32
    tt.reduce.return %both : f32
  }) : (tensor<64xf32>) -> f32
  %all = tt.splat %sum : f32 -> tensor<64xf32>
  %w = arith.divf %v, %all : tensor<64xf32>
  %to = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %to, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %q, %w, %mask : tensor<64x!tt.ptr<f32>>
  tt.return
}
"""
LOOP = """
tt.func public @kernel(%x: !tt.ptr<f32>, %index: !tt.ptr<i32>, %out: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %from = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%before = %zero) -> (tensor<16xf32>) : i32 {
    %p = tt.addptr %index, %k : !tt.ptr<i32>, i32
    %row = tt.load %p : !tt.ptr<i32>
    %rows = tt.splat %row : i32 -> tensor<16xi32>
    %i = arith.addi %rows, %lane : tensor<16xi32>
    %q = tt.addptr %from, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %v = tt.load %q : tensor<16x!tt.ptr<f32>>
    %after = arith.addf %before, %v : tensor<16xf32>
    scf.yield %after : tensor<16xf32>
  }
  %to = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %r = tt.addptr %to, %lane : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %r, %sum : tensor<16x!tt.ptr<f32>>
  tt.return
}
"""
AGAIN = """
tt.func public @kernel(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  tt.store %x, %n : !tt.ptr<i32>
  %i = tt.load %x : !tt.ptr<i32>
  %p = tt.addptr %out, %i : !tt.ptr<i32>, i32
  tt.store %p, %n : !tt.ptr<i32>
  tt.return
}
"""
ATOMIC = """
tt.func public @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %most = tt.splat %n : i32 -> tensor<16xi32>
  %mask = arith.cmpi slt, %lane, %most : tensor<16xi32>
  %from = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %p = tt.addptr %from, %lane : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %v = tt.load %p, %mask : tensor<16x!tt.ptr<f32>>
  %to = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %q = tt.addptr %to, %lane : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %old = tt.atomic_rmw fadd, acq_rel, gpu, %q, %v, %mask : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>, tensor<16xi1>) -> tensor<16xf32>
  tt.return
}
"""
KERNELS = {"kernel": KERNEL, "loop": LOOP, "again": AGAIN, "atomic": ATOMIC}


def parse(text: str) -> ModuleOp:
    return parse_module(text, universe.context())


def structured(text: str) -> ModuleOp:
    module = parse(text)
    steps = make_steps(parse_pipeline("triton-to-structured"))
    PassManager(universe.context(), steps, True).run(module)
    return module


def function(module: ModuleOp) -> Operation:
    return next(op for op in module.walk() if op.name == "tt.func")


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that names each launch on which all of a kernel runs."""
    names: list[str] = []
    executed: Any = Runs.execute

    def counting(runs: Runs, side: Side, draw: Draw, *rest: Any) -> Any:
        names.append(draw.name)
        return executed(runs, side, draw, *rest)

    monkeypatch.setattr(Runs, "execute", counting)
    return names


def same_verdict_without(
    monkeypatch: pytest.MonkeyPatch, original: ModuleOp, rewritten: ModuleOp
) -> Equivalence:
    """Return the verdict on a pair, which must not depend on runs for places."""
    options = Options(confidence=True, solver=0.0)
    found = check_equivalent(shared(original), rewritten, options=options)

    def none_of(runs: Runs, traces: object) -> None:
        return None

    with monkeypatch.context() as patch:
        patch.setattr(PlaceRuns, "of", none_of)
        plain = check_equivalent(shared(original), rewritten, options=options)
    assert found.as_json() == plain.as_json()
    return found


@pytest.mark.parametrize("name", ["kernel", "loop", "atomic"])
def test_most_launches_run_for_places_only(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    original, rewritten = parse(KERNELS[name]), structured(KERNELS[name])
    assert paired(function(original), function(rewritten)) is not None
    names = counted(monkeypatch)
    verdict = check_equivalent(original, rewritten, options=Options(solver=0.0))
    assert verdict
    assert len({*names}) < verdict.draws / 2


@pytest.mark.parametrize("name", KERNELS)
def test_verdicts_are_those_of_whole_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    original, rewritten = parse(KERNELS[name]), structured(KERNELS[name])
    assert same_verdict_without(monkeypatch, original, rewritten)


@pytest.mark.parametrize(
    "name, old, new",
    [
        ("kernel", "arith.addf %a, %b", "arith.subf %a, %b"),
        ("kernel", "arith.mulf %v, %v", "arith.addf %v, %v"),
        ("kernel", "arith.divf %v, %all", "arith.divf %all, %v"),
        ("kernel", "%p = tt.addptr %from, %i", "%p = tt.addptr %from, %lane"),
        ("kernel", "dense<0.0>", "dense<1.0>"),
        ("kernel", "tt.load %p, %mask, %zero", "tt.load %p, %mask"),
        ("kernel", "tt.store %q, %w, %mask", "tt.store %q, %w"),
        ("kernel", "slt, %i", "sle, %i"),
        ("kernel", "slt, %i", "ult, %i"),
        ("loop", "iter_args(%before = %zero)", "iter_args(%before = %one)"),
        ("loop", "arith.addf %before, %v", "arith.subf %before, %v"),
        ("loop", "scf.yield %after", "scf.yield %v"),
        ("loop", "tt.addptr %index, %k", "tt.addptr %index, %n"),
        ("loop", "%c0 to %n", "%c1 to %n"),
        ("again", "tt.addptr %out, %i", "tt.addptr %out, %more"),
        ("atomic", "fadd", "exch"),
        ("atomic", "%v, %mask :", "%v, %on :"),
        ("atomic", "slt, %lane", "sle, %lane"),
    ],
)
def test_differences_are_found_all_the_same(
    name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = KERNELS[name]
    assert old in text
    extra = {
        "%one": "%one = arith.constant dense<1.0> : tensor<16xf32>\n  %sum = scf.for",
        "%on ": "%on = arith.constant dense<true> : tensor<16xi1>\n  %old =",
        "%more": "%more = arith.addi %i, %i : i32\n  %p =",
    }
    rewritten = text.replace(old, new)
    for word, defined in extra.items():
        if word in new:
            head = defined.split("\n  ")[1]
            rewritten = rewritten.replace(f"  {head}", f"  {defined}", 1)
    assert not same_verdict_without(monkeypatch, parse(text), parse(rewritten))


@pytest.mark.parametrize("name", KERNELS)
def test_a_run_for_places_takes_what_a_whole_run_takes(name: str) -> None:
    """A launch that is too long for the one is too long for the other."""
    module = parse(KERNELS[name])
    side = Side.make(module, None)
    runs = Runs(side, Side.make(parse(KERNELS[name]), None), Options())
    places = PlaceRuns.of(runs, [])
    assert places is not None
    for draw in Launches(side.function, side.parameters).usual():
        if name != "again":
            assert places.first(draw).work == runs.execute(side, draw, 0).work


def test_what_was_written_before_is_unknown() -> None:
    module = parse(AGAIN)
    side = Side.make(module, None)
    runs = Runs(side, Side.make(parse(AGAIN), None), Options())
    places = PlaceRuns.of(runs, [])
    assert places is not None
    with pytest.raises(PlacesUnknown):
        places.first(next(Launches(side.function, side.parameters).usual()))


def test_launches_that_differ_in_nothing_for_places_are_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a kernel with one number most launches differ in what memory holds."""
    run: list[str] = []
    executed: Any = place_runs.execute

    def counting(program: Any, kernel: str, draw: Draw, **options: Any) -> Any:
        run.append(draw.name)
        return executed(program, kernel, draw, **options)

    monkeypatch.setattr(place_runs, "execute", counting)
    verdict = check_equivalent(parse(KERNEL), structured(KERNEL), options=Options(solver=0.0))
    assert verdict.draws > 20
    assert 0 < len({*run}) < verdict.draws * 0.7


def test_a_program_does_not_hold_what_its_last_run_recorded() -> None:
    side = Side.make(parse(KERNEL), None)
    runs = Runs(side, Side.make(parse(KERNEL), None), Options())
    effects = runs.execute(side, next(Launches(side.function, side.parameters).usual()), 0)
    assert effects.observer.accesses
    assert side.program.machine.observer is None
    assert not side.program.machine.memory.regions
