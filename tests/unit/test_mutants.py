"""The slips that the judge is measured with: each is possible somewhere, and changes a kernel."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xtriton import interpreter, universe
from xtriton.interpreter.memory import MemoryFault
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.writing.printer import print_module

SCRIPTS = Path(__file__).parents[2] / "scripts"

KERNEL = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %count: !tt.ptr<i32>, %y: !tt.ptr<i64>,
                %n: i32, %stride: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant dense<4> : tensor<16xi32>
  %c8 = arith.constant dense<9> : tensor<16xi32>
  %c16 = arith.constant dense<16> : tensor<16xi32>
  %three = arith.constant dense<3.0> : tensor<16xf32>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  %true = arith.constant true
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ns = tt.splat %n : i32 -> tensor<16xi32>
  %on = arith.cmpi slt, %i, %ns : tensor<16xi32>
  %pid = tt.get_program_id x : i32
  %base = arith.muli %pid, %stride : i32
  %bases = tt.splat %base : i32 -> tensor<16xi32>
  %at = arith.addi %bases, %i : tensor<16xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %px = tt.addptr %xs, %at : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %v = tt.load %px, %on, %three : tensor<16x!tt.ptr<f32>>
  %up = arith.addf %v, %zero : tensor<16xf32>
  %sum = scf.for %k = %c1 to %c4s step %c1 iter_args(%a = %up) -> (tensor<16xf32>) : i32 {
    %b = arith.mulf %a, %v : tensor<16xf32>
    %c = arith.addf %b, %three : tensor<16xf32>
    %d = arith.addf %c, %v : tensor<16xf32>
    %e = arith.divf %d, %three : tensor<16xf32>
    scf.yield %e : tensor<16xf32>
  }
  %less = arith.subi %i, %c8 : tensor<16xi32>
  %q = arith.divsi %less, %c4 : tensor<16xi32>
  %wide = arith.extsi %q : tensor<16xi32> to tensor<16xi64>
  %many = arith.muli %wide, %big : tensor<16xi64>
  %ys = tt.splat %y : !tt.ptr<i64> -> tensor<16x!tt.ptr<i64>>
  %py = tt.addptr %ys, %i : tensor<16x!tt.ptr<i64>>, tensor<16xi32>
  tt.store %py, %many, %on : tensor<16x!tt.ptr<i64>>
  %some = arith.cmpi sgt, %n, %c2 : i32
  %r = scf.if %some -> (tensor<16xf32>) {
    scf.yield %sum : tensor<16xf32>
  } else {
    scf.yield %three : tensor<16xf32>
  }
  %low = arith.truncf %r : tensor<16xf32> to tensor<16xf16>
  %back = arith.extf %low : tensor<16xf16> to tensor<16xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %po = tt.addptr %os, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %po, %up : tensor<16x!tt.ptr<f32>>
  tt.store %po, %back, %on : tensor<16x!tt.ptr<f32>>
  %pr = tt.addptr %po, %c16 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %pr, %sum : tensor<16x!tt.ptr<f32>>
  %counts = tt.splat %count : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %old = tt.atomic_rmw add, acq_rel, gpu, %counts, %i, %on
    : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi1>) -> tensor<16xi32>
  tt.return
}
""".replace("%c0 = ", "%c4s = arith.constant 4 : i32\n  %big = arith.constant dense<1073741825> "
            ": tensor<16xi64>\n  %c0 = ", 1)  # fmt: skip

KINDS = {
    "atomic made plain", "axis mistaken", "branch forgotten", "carried value stale",
    "constant off by one", "fast-math", "loop off by one", "mask dropped",
    "mask narrowed by one lane", "mask widened by one lane", "offset truncated", "one bit narrower",
    "op dropped", "op mistaken for another", "operand swapped", "order of two accesses",
    "other dropped", "predicate turned", "reassociation", "rounding",
    "sign or zero extension", "stride swapped",
}  # fmt: skip


@pytest.fixture
def operators(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    return import_module("measurements.mutation.operators")


def run(module: Any, n: int) -> list[bytes] | str:
    rng = np.random.default_rng(n)
    arrays = [rng.standard_normal(64).astype(np.float32), np.full(64, 7, np.float32),
              np.zeros(4, np.int32), np.zeros(64, np.int64)]  # fmt: skip
    arrays[0][1] = -0.0
    try:
        interpreter.run(module, 2, [*arrays, n, 5], budget=20_000)
    except MemoryFault as fault:
        return str(fault)
    return [a.tobytes() for a in arrays]


def test_every_slip_of_the_list_is_possible_and_changes_what_a_kernel_does(operators: Any):
    """At one place at least; at others it may be equivalent, or show on other arguments."""
    module = parse_module(KERNEL, universe.context())
    text = print_module(module)
    expected = {n: run(module, n) for n in (9, 16)}
    seen: dict[str, bool] = {}
    for mutation in operators.mutations(module):
        if not seen.get(mutation.kind):
            changed = operators.mutated(module, mutation)
            changed.verify()
            assert print_module(changed) != text, mutation.describe()
            seen[mutation.kind] = any(run(changed, n) != expected[n] for n in expected)
    assert print_module(module) == text
    assert {kind for kind in KINDS if not seen.get(kind)} == {"one bit narrower"}


def test_slips_of_lowered_forms(operators: Any):
    """In what a pass makes of a kernel; the judge holds them against the kernel itself."""
    score = import_module("measurements.mutation.score")
    module = parse_module(KERNEL, universe.context())
    lowered = score._lowered(module, "triton-to-structured")
    found = [m for m in operators.mutations(lowered) if m.kind.startswith("place ")]
    assert {m.kind for m in found} == {"place off by one"}
    assert any("tts.make_tptr" in m.what for m in found)
    subject = score.Subject("own/kernel", module, lowered)
    verdicts = [subject.judged(m) for m in found[::9]]
    known = [r.verdict for r in verdicts if r is not None]
    assert known.count(score.CAUGHT) >= 0.8 * (len(known) - known.count(score.REFUSED)) > 0


def test_one_bit_less_shows_on_large_numbers(operators: Any):
    module = parse_module(KERNEL, universe.context())
    change = next(
        m for m in operators.mutations(module) if m.kind == "one bit narrower" and "divsi" in m.what
    )
    changed = operators.mutated(module, change)
    assert "arith.shli" in print_module(changed)
    assert "arith.shrsi" in print_module(changed)


def test_the_judge_sees_the_slips_of_this_kernel(operators: Any):
    """A sample: what it does not see is proved to be the same."""
    score = import_module("measurements.mutation.score")
    module = parse_module(KERNEL, universe.context())
    mutations = operators.mutations(module)[::25]
    subject = score.Subject("own/kernel", module, module)
    found = [subject.judged(m) for m in mutations]
    assert sum(r.verdict == score.CAUGHT for r in found) >= 0.8 * len(found)


def test_a_look_that_takes_too_long_is_a_miss(operators: Any, monkeypatch: pytest.MonkeyPatch):
    score = import_module("measurements.mutation.score")
    module = parse_module(KERNEL, universe.context())
    subject = score.Subject("own/kernel", module, module)
    mutation = operators.mutations(module)[0]

    def endless(*_: Any, **__: Any) -> None:
        while True:
            pass

    monkeypatch.setattr(score, "check_equivalent", endless)
    monkeypatch.setattr(score, "FIRST_SECONDS", 0.05)
    found = subject.at_first(mutation)
    assert found.verdict == score.MISSED
    assert found.note == "no verdict in 0.05 seconds"


def test_results_are_kept_and_the_last_word_counts(operators: Any, tmp_path: Path):
    score = import_module("measurements.mutation.score")
    kernel = tmp_path / "own" / "kernel.ttir"
    kernel.parent.mkdir()
    kernel.write_text(KERNEL)
    record = tmp_path / "record.jsonl"
    found = list(score.results([kernel], 3, "1", record))
    assert list(score.read(record).values()) == found
    assert list(score.results([kernel], 3, "1", record)) == found
    score.write(record, score.replace(found[0], verdict=score.SURVIVED))
    assert next(r.verdict for r in score.read(record).values()) == score.SURVIVED


def test_what_is_read_to_be_equal_is_not_wrong(operators: Any):
    score = import_module("measurements.mutation.score")
    readings = import_module("measurements.mutation.readings")
    one = operators.Mutation("rounding", "arith.extf in f16", 3, 1)
    text = f"""
| kernel | form | mutation | verdict | reason |
| --- | --- | --- | --- | --- |
| `a/b.1` | structured | {one.describe()} | equal | all values are 0 |
| `a/b.1` | front end | {one.describe()} | wrong | 1.1 is rounded |
"""
    known = readings.readings(text)
    lowered = "a/b.1 after triton-to-structured"
    assert known == {(lowered, one.describe()): "equal", ("a/b.1", one.describe()): "wrong"}
    equal = {key for key, verdict in known.items() if verdict == "equal"}
    found = [
        score.Result(lowered, one, score.SURVIVED),
        score.Result("a/b.1", one, score.SURVIVED),
        score.Result("c/d.2", one, score.CAUGHT),
    ]
    assert score.score(found, (score.CAUGHT,)) == pytest.approx(100 / 3)
    assert score.score(found, (score.CAUGHT,), equal) == 50
    with pytest.raises(ValueError, match="no reason"):
        readings.readings("| a/b.1 | front end | rounding | equal |  |")
    assert readings.equal_by_reading()
