"""How sure a verdict is: which ops differ, what was proved of them, and what launches reached."""

import json
from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import run_passes, universe
from xtriton.errors import UserError
from xtriton.interpreter.machine import Program
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import Options, check_equivalent, comparison, runs, shared
from xtriton.judge.equivalence import Equivalence
from xtriton.tools.xtriton_check import main

KERNEL = """
tt.func @kernel(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %c8 = arith.constant 8 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %pid = tt.get_program_id x : i32
  %p = tt.addptr %x, %pid : !tt.ptr<i32>, i32
  %v = tt.load %p : !tt.ptr<i32>
  VALUE
  %q = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  tt.store %q, %r : !tt.ptr<i32>
  tt.return
}
"""
DOUBLE = "%r = arith.addi %v, %v : i32"
SHIFTED = "%one = arith.constant 1 : i32\n%r = arith.shli %v, %one : i32"
NEVER = """%number = arith.sitofp %v : i32 to f32
  %sine = math.sin %number : f32
  %wanted = arith.constant 0.1234567 : f32
  %dead = arith.cmpf oeq, %sine, %wanted : f32
  scf.if %dead {
    WHAT
    tt.store %x, %w : !tt.ptr<i32>
  }
  %r = arith.addi %v, %v : i32"""
MULTIPLY = "%w = arith.muli %v, %c8 : i32"
SHIFT = "%w = arith.shli %v, %c3 : i32"
CONVERTED = "%f = arith.sitofp %v : i32 to f32\n%r = arith.fptosi %f : f32 to i32"
FOLDED = "%f = arith.sitofp %v : i32 to f64\n%g = arith.truncf %f : f64 to f32\n%r = arith.fptosi %g : f32 to i32"  # fmt: skip


def module(value: str) -> ModuleOp:
    return parse_module(KERNEL.replace("VALUE", value), universe.context())


def judged(one: str, other: str, **options: float) -> Equivalence:
    chosen = Options(confidence=True, **options)  # pyright: ignore[reportArgumentType]
    return check_equivalent(module(one), module(other), options=chosen)


def test_the_same_kernel_is_proved_without_a_solver() -> None:
    verdict = judged(DOUBLE, "%unused = arith.muli %v, %v : i32\n" + DOUBLE, solver=0.001)
    assert verdict.confidence == "proved"
    assert verdict.differing == []


def test_a_load_behind_a_store_is_not_the_same() -> None:
    store = "tt.store %p, %pid : !tt.ptr<i32>\n"
    again = "%v2 = tt.load %p : !tt.ptr<i32>\n%r = arith.addi %v2, %v2 : i32"
    assert judged(again + "\n" + store, again + "\n" + store).confidence == "proved"
    assert judged(again + "\n" + store, store + again).confidence == "different"


def test_what_differs_is_proved_by_a_solver() -> None:
    pytest.importorskip("z3")
    verdict = judged(DOUBLE, SHIFTED, solver=20)
    assert verdict.confidence == "proved"
    assert {t.op.name for t in verdict.differing} == {"arith.addi", "arith.shli"}
    assert {t.status for t in verdict.differing} == {"proved"}


def test_what_differs_is_reached() -> None:
    verdict = judged(CONVERTED, FOLDED)
    assert verdict.confidence == "reached", verdict.render()
    assert {(t.op.name, t.rewritten) for t in verdict.differing} >= {("arith.truncf", True)}


def test_a_branch_on_what_is_loaded_is_found() -> None:
    """The solver finds what an odd factor makes a hash of; it is put into memory."""
    hash = """%odd = arith.constant -1640531535 : i32
  %hash = arith.muli %v, %odd : i32
  %wanted = arith.constant -1567433303 : i32
  %dead = arith.cmpi eq, %hash, %wanted : i32
"""
    branch = hash + NEVER[NEVER.index("  scf.if") :]
    one, other = (
        branch.replace("WHAT", what) for what in (MULTIPLY, "%w = arith.addi %v, %c8 : i32")
    )
    assert judged(one, other).confidence == "different"


def test_what_is_never_run_is_neither() -> None:
    before, after = (NEVER.replace("WHAT", what) for what in (MULTIPLY, SHIFT))
    verdict = judged(before, after, solver=0.00001)
    assert verdict
    assert verdict.confidence == "neither"
    assert [t.status for t in verdict.differing] == ["neither", "neither"]


def test_other_stores_are_different() -> None:
    assert judged(DOUBLE, "%r = arith.muli %v, %c8 : i32").confidence == "different"


def test_time_that_is_up_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(0, 10**9, 10))
    monkeypatch.setattr(comparison, "monotonic", lambda: next(times))
    verdict = judged(DOUBLE, SHIFTED, seconds=25, solver=0.00001)
    assert verdict.draws == 2
    assert any("the time was up" in note for note in verdict.notes)
    assert not any("the time was up" in n for n in judged(DOUBLE, SHIFTED, seconds=1e6).notes)


@pytest.mark.parametrize(
    "one, other, code, confidence",
    [
        (DOUBLE, DOUBLE, 0, "proved"),
        (DOUBLE, MULTIPLY.replace("%w", "%r"), 1, "different"),
        (NEVER.replace("WHAT", "%w = arith.divsi %v, %c8 : i32"),
         NEVER.replace("WHAT", "%w = arith.shrsi %v, %c3 : i32"), 3, "neither"),
    ],
)  # fmt: skip
def test_exit_codes_and_json(
    one: str,
    other: str,
    code: int,
    confidence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = [tmp_path / "one.mlir", tmp_path / "other.mlir"]
    for file, value in zip(files, (one, other), strict=True):
        file.write_text(KERNEL.replace("VALUE", value))
    assert main(["--json", *map(str, files)]) == code
    (found,) = json.loads(capsys.readouterr().out)
    assert found["kernel"] == "kernel"
    assert found["confidence"] == confidence
    assert found["draws"] > 0
    for entry in found["differing"]:
        assert entry["status"] in ("proved", "reached", "neither")


def test_one_original_is_run_once_for_several(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdicts are those of each pair by itself, and launches of the original are kept."""
    before = module(DOUBLE)
    doubled = "%two = arith.constant 2 : i32\n%r = arith.muli %v, %two : i32"
    afters = [SHIFTED, doubled, MULTIPLY.replace("%w", "%r")]
    wanted = [judged(DOUBLE, after, solver=0.0).as_json() for after in afters]
    original = shared(before)
    of_original: list[Program] = []
    execute = runs.execute

    def counted(program: Program, *args: Any, **kwargs: Any) -> Any:
        of_original.extend([program] if program is original else [])
        return execute(program, *args, **kwargs)

    monkeypatch.setattr(runs, "execute", counted)
    counts: list[int] = []
    for after, alone in zip(afters, wanted, strict=True):
        options = Options(confidence=True, solver=0.0)
        assert check_equivalent(original, module(after), options=options).as_json() == alone
        counts.append(len(of_original))
    assert counts[0] == counts[1] > 0


def test_the_same_kernel_is_proved_where_no_launch_fits() -> None:
    """Calls of calls take 2³⁰ steps."""
    text = "tt.func @kernel(%out: !tt.ptr<i32>, %n: i32) {\n  %b = tt.call @f0(%n) : (i32) -> i32\n"
    text += "  tt.store %out, %b : !tt.ptr<i32>\n  tt.return\n}\n"
    for k in range(30):
        call = f"tt.call @f{k + 1}"
        text += f"tt.func private @f{k}(%n: i32) -> i32 {{\n  %a = {call}(%n) : (i32) -> i32\n"
        text += f"  %b = {call}(%a) : (i32) -> i32\n  tt.return %b : i32\n}}\n"
    text += "tt.func private @f30(%n: i32) -> i32 {\n  tt.return %n : i32\n}\n"
    one, same = (parse_module(text, universe.context()) for _ in range(2))
    verdict = check_equivalent(one, same, options=Options(confidence=True))
    assert verdict.confidence == "proved"
    assert check_equivalent(one, same, options=Options(budget=1000)).proved
    other = parse_module(text.replace("%out, %b", "%out, %n"), universe.context())
    with pytest.raises(UserError, match="no drawn launch fits"):
        check_equivalent(one, other, options=Options(budget=1000))


def test_more_dimensions_than_can_be_executed() -> None:
    kind = f"tensor<{'x'.join(['1'] * 10_000)}xf32>"
    text = f"tt.func @kernel(%a: {kind}, %p: !tt.ptr<f32>, %v: f32) {{\n"
    text += "  tt.store %p, %v : !tt.ptr<f32>\n  tt.return\n}\n"
    one = parse_module(text, universe.context())
    with pytest.raises(UserError, match="10000 dimensions cannot be executed"):
        check_equivalent(one, one)


CALLING = """
tt.func @kernel(%out: !tt.ptr<i32>, %n: i32) {
  %r = tt.call @changed(%n) : (i32) -> i32
  tt.store %out, %r : !tt.ptr<i32>
  tt.return
}
tt.func private @changed(%n: i32) -> i32 {
  %r = arith.OP %n, %n : i32
  tt.return %r : i32
}
"""


def test_what_is_called_is_compared_too() -> None:
    add, double = (CALLING.replace("OP", name) for name in ("addi", "muli"))
    chosen = Options(confidence=True)
    one, same, other = (parse_module(t, universe.context()) for t in (add, add, double))
    assert check_equivalent(one, same, options=chosen).confidence == "proved"
    verdict = check_equivalent(one, other, options=chosen)
    assert verdict.confidence == "different"
    assert "arith.muli" in {trace.op.name for trace in verdict.differing}


def test_an_original_that_remembers_fails_only_once() -> None:
    program = shared(parse_module(KERNEL.replace("VALUE", DOUBLE), universe.context()))
    asked: list[int] = []

    def fail() -> None:
        asked.append(1)
        raise UserError("it runs too long")

    for _ in range(2):
        with pytest.raises(UserError, match="too long"):
            program.once("key", fail)
    assert len(asked) == 1
    with pytest.raises(UserError, match="too long"):
        Program(program.module).once("key", fail)
    assert len(asked) == 2


def test_without_seconds_no_solver_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("z3")
    from xtriton.judge.proofs import proofs

    monkeypatch.setattr(proofs, "compare", None)
    pair = [
        parse_module(KERNEL.replace("VALUE", value), universe.context())
        for value in (DOUBLE, SHIFTED)
    ]
    assert check_equivalent(*pair, options=Options(solver=0, confidence=True))
    with pytest.raises(TypeError):
        check_equivalent(*pair, options=Options(confidence=True))


ADDRESSES = """
tt.func @kernel(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %s = tt.splat %x : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  %p = tt.addptr %s, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
  %v = tt.load %p : tensor<4x!tt.ptr<i32>>
  %t = tt.splat %out : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
  %q = tt.addptr %t, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
  tt.store %q, %v : tensor<4x!tt.ptr<i32>>
  tt.return
}
"""


def test_the_address_of_an_argument_has_one_value_only() -> None:
    before = parse_module(ADDRESSES, universe.context())
    after = before.clone()
    run_passes(after, "triton-to-structured,cse")
    verdict = check_equivalent(before, after, options=Options(confidence=True, solver=0.0))
    assert {t.status for t in verdict.differing if t.op.name == "tt.splat"} == {"reached"}
    assert verdict.confidence == "reached"


def test_a_weak_verdict_says_what_was_not_put_to_the_test() -> None:
    before, after = (NEVER.replace("WHAT", what) for what in (MULTIPLY, SHIFT))
    text = judged(before, after, solver=0.00001).render()
    assert "note: not put to the test: 'arith.muli' at" in text
