"""`xtriton-corpus`: runs that go on, passes that are slow, wrong and crash, what a change did."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton.corpus import jobs, native, tables
from xtriton.corpus.columns import COLUMNS, Row
from xtriton.corpus.compare import compare
from xtriton.corpus.executors import local
from xtriton.corpus.findings import finding
from xtriton.corpus.jobs import Job, Settings, fingerprint
from xtriton.corpus.keeper import Keeper, Limits
from xtriton.corpus.page import comparison_page, result_page
from xtriton.corpus.reduce import reduced
from xtriton.corpus.run import Plan, run
from xtriton.corpus.sources import Kernel
from xtriton.cpu import compile_module
from xtriton.errors import UserError
from xtriton.interpreter.machine import Program
from xtriton.ir.reading.parser import parse_module
from xtriton.tools.xtriton_corpus import main
from xtriton.universe import context

PASSES = '''
import os
import time
from dataclasses import dataclass

from xdsl.passes import ModulePass


def ops(module, name):
    return [op for op in module.walk() if op.name == name]


@dataclass(frozen=True)
class Wrong(ModulePass):
    """Adds a number to itself instead of to another."""

    name = "planted-wrong"

    def apply(self, ctx, module):
        for op in ops(module, "arith.addf"):
            op.operands[1] = op.operands[0]


@dataclass(frozen=True)
class Reordered(ModulePass):
    """Makes `(x * y) * x` to `(x * x) * y`."""

    name = "planted-reordered"
    tolerance = 1e-4

    def apply(self, ctx, module):
        first, second = ops(module, "arith.mulf")
        first.operands[1], second.operands[1] = first.operands[0], first.operands[1]


@dataclass(frozen=True)
class Slow(ModulePass):
    name = "planted-slow"

    def apply(self, ctx, module):
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass


@dataclass(frozen=True)
class Endless(ModulePass):
    name = "planted-endless"

    def apply(self, ctx, module):
        while True:
            time.sleep(1)


@dataclass(frozen=True)
class Greedy(ModulePass):
    name = "planted-greedy"

    def apply(self, ctx, module):
        kept = []
        while True:
            kept.append(bytearray(b"x" * (1 << 24)))


@dataclass(frozen=True)
class Bug(ModulePass):
    name = "planted-bug"

    def apply(self, ctx, module):
        if ops(module, "math.exp"):
            raise KeyError("exp")


@dataclass(frozen=True)
class Death(ModulePass):
    name = "planted-death"

    def apply(self, ctx, module):
        os.kill(os.getpid(), 9)
'''

SETTINGS = Settings(check=2, plugins=(PASSES,))


def kernel(name: str, op: str) -> Kernel:
    text = f"""
tt.func public @k(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {{
  %i = tt.make_range {{end = 16 : i32, start = 0 : i32}} : tensor<16xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %a = tt.addptr %ps, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %b = tt.addptr %qs, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %x = tt.load %a : tensor<16x!tt.ptr<f32>>
  %y = tt.load %b : tensor<16x!tt.ptr<f32>>
  %z = {op} : tensor<16xf32>
  tt.store %b, %z : tensor<16x!tt.ptr<f32>>
  tt.return
}}
"""
    return Kernel(name, text, 4)


ADD = kernel("add.ttir", "arith.addf %x, %y")
EXP = kernel("exp.ttir", "math.exp %x")
MULTIPLY = kernel("mul.ttir", "arith.mulf %x, %y")
KERNELS = (ADD, EXP, MULTIPLY, Kernel("bad.ttir", "what is this?", 4))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the kernels and the file of planted passes."""
    path = tmp_path_factory.mktemp("kernels")
    for one in KERNELS:
        (path / one.name).write_text(one.text)
    (path / "planted.py").write_text(PASSES)
    return path


@pytest.fixture(scope="module")
def keeper():
    made = Keeper(Limits(seconds=20, memory=600))
    yield made
    made.end()


def row(keeper: Keeper, kernel: Kernel, pipeline: str) -> Row:
    (found,) = keeper.measure(Job.of(kernel, [pipeline], SETTINGS))
    return found


def test_a_row_says_what_a_pipeline_did(keeper: Keeper):
    found = row(keeper, ADD, "triton-to-structured")
    assert found["status"] == "ok"
    assert (found["accesses"], found["block"], found["verdict"]) == (3, 3, "same")
    assert found["pointer_accesses"] == 0
    assert json.loads(str(found["pass_seconds"])).keys() == {"triton-to-structured"}


def test_what_only_earlier_releases_can_say_is_written_as_they_do(keeper: Keeper):
    text = """
tt.func public @k(%p: !tt.ptr<f32>, %n: i64) {
  %o = arith.constant 1 : i64
  %z = arith.constant 0 : i32
  %b = tt.make_tensor_ptr %p, [%n], [%o], [%z] {order = array<i32: 0>} : <tensor<16xf32>>
  %x = tt.load %b {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16xf32>>
  tt.store %b, %x {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16xf32>>
  tt.return
}
"""
    found = row(keeper, Kernel("old.ttir", text, 4), "cse")
    assert (found["status"], found.get("message"), found.get("verdict")) == ("ok", None, "same")


@pytest.mark.parametrize(
    "pipeline, wanted",
    [
        ("planted-wrong", "wrong"),
        ("planted-death", "crashed"),
        ("no-such-pass", "failed"),
        ("planted-greedy", "memory"),
    ],
)
def test_what_goes_wrong_costs_one_row(keeper: Keeper, pipeline: str, wanted: str):
    assert finding(row(keeper, ADD, pipeline)) == wanted
    assert finding(row(keeper, ADD, "cse")) is None


def test_sums_in_another_order_are_the_same_within_what_the_pass_declares(keeper: Keeper):
    text = kernel("product.ttir", "arith.mulf %xy, %x").text.replace(
        "  %z =", "  %xy = arith.mulf %x, %y : tensor<16xf32>\n  %z ="
    )
    product = Kernel("product.ttir", text, 4)
    found = row(keeper, product, "planted-reordered")
    assert found["verdict"] == "same"
    assert str(found["finding"]).startswith("sums in another order, within 0.0001: argument 1")
    assert row(keeper, product, "cse").get("finding") is None


def test_what_changes_nothing_is_not_run_and_equal_results_are_judged_once(
    monkeypatch: pytest.MonkeyPatch,
):
    judged: list[object] = []
    check = jobs._check

    def counted(settings: Settings, before: object, after: ModuleOp) -> Row:
        judged.append(after)
        return check(settings, before, after)

    monkeypatch.setattr(jobs, "_check", counted)
    passes = ("cse", "triton-to-structured", "triton-to-structured,cse", "planted-wrong")
    rows = list(jobs.measure(Job.of(ADD, passes, SETTINGS)))
    assert [(r["verdict"], r.get("confidence"), r["draws"] == 0) for r in rows] == [
        ("same", "proved", True),
        ("same", rows[1]["confidence"], False),
        ("same", rows[1]["confidence"], False),
        ("different", None, False),
    ]
    assert len(judged) == 2


def test_a_bug_names_its_pass(keeper: Keeper):
    found = row(keeper, EXP, "cse,planted-bug")
    assert (found["status"], found["failed_pass"]) == ("crashed", "planted-bug")


def test_a_worker_that_dies_loses_one_pipeline(keeper: Keeper):
    rows = keeper.measure(Job.of(ADD, ["cse", "planted-death", "canonicalize"], SETTINGS))
    assert [r["status"] for r in rows] == ["ok", "crashed", "ok"]
    assert [r["pipeline"] for r in rows] == ["cse", "planted-death", "canonicalize"]


def test_what_takes_too_long_is_ended():
    keeper = Keeper(Limits(seconds=3))
    found = row(keeper, ADD, "planted-endless")
    assert (found["status"], found["message"]) == ("time", "took more than 3 seconds")


def test_a_worker_with_other_code_refuses(keeper: Keeper):
    job = Job.of(ADD, ["cse"], SETTINGS)
    other = replace(job, code="0" * 64)
    assert job.code == fingerprint()
    with pytest.raises(UserError, match="another version of xtriton"):
        keeper.measure(other)


def test_a_finding_is_reduced(keeper: Keeper):
    found = reduced(Job.of(EXP, ["planted-bug"], SETTINGS), Limits(), seconds=20)
    assert found is not None
    assert "math.exp" in found[0]
    assert "tt.store" not in found[0]


def test_a_run_goes_on_where_it_was(tmp_path: Path):
    class Stopped(Exception):
        pass

    def stop(done: int, total: int, name: str) -> None:
        if done == 2:
            raise Stopped

    plan = Plan(("cse", "planted-wrong"), tmp_path / "r.jsonl", SETTINGS)
    with local(1) as (pool, workers):
        with pytest.raises(Stopped):
            run(plan, KERNELS, pool, workers, stop)
        assert not plan.output.exists()
        outcome = run(plan, KERNELS, pool, workers)
        again = run(Plan(plan.pipelines, tmp_path / "s.jsonl", SETTINGS), KERNELS, pool, workers)
    assert (outcome.rows, outcome.known >= 2) == (8, True)
    assert again.known == 0
    assert plan.output.read_bytes() == (tmp_path / "s.jsonl").read_bytes()
    assert not plan.journal.exists()


def test_kernels_of_one_content_are_measured_once(tmp_path: Path):
    twice = (ADD, Kernel("copy.ttir", ADD.text, 4))
    with local(1) as (pool, workers):
        outcome = run(Plan(("cse",), tmp_path / "r.csv", SETTINGS), twice, pool, workers)
    rows = list(tables.read(tmp_path / "r.csv"))
    assert outcome.known == 1
    assert [r["kernel"] for r in rows] == ["add.ttir", "copy.ttir"]
    assert rows[0]["ops"] == rows[1]["ops"]


def test_tables_hold_what_was_written(tmp_path: Path):
    pytest.importorskip("pyarrow")
    rows: list[Row] = [{"kernel": "a", "pipeline": "p", "status": "ok", "ops": 3, "seconds": 0.5}]
    for suffix in tables.SUFFIXES:
        path = tmp_path / f"r{suffix}"
        tables.write(path, lambda: rows)
        (found,) = tables.read(path)
        assert {k: v for k, v in found.items() if v is not None} == rows[0]


def test_planted_passes_show_in_a_comparison(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    page = tmp_path / "page.html"
    common = [str(folder), "--check", "-j", "1", "--load-pass-plugin", str(folder / "planted.py")]
    assert main(["run", *common, "-p", "cse", "-o", str(before)]) == 1  # bad.ttir
    passes = "cse,planted-wrong,planted-slow,planted-bug"
    assert main(["run", *common, "-p", passes, "-o", str(after), "--html", str(page)]) == 1
    found = compare(tables.read(before), tables.read(after))
    assert {(c.kernel, c.sort) for c in found.changes} == {
        ("add.ttir", "wrong"),
        ("add.ttir", "slower"),
        ("exp.ttir", "broken"),
        ("exp.ttir", "slower"),
        ("mul.ttir", "slower"),
    }
    for name in ("add.ttir", "exp.ttir", "bad.ttir"):
        assert name in page.read_text()
    capfd.readouterr()
    assert main(["compare", str(before), str(after), "--html", str(page)]) == 1
    assert "wrong: 1" in capfd.readouterr().out
    assert "planted-bug" in page.read_text()
    assert main(["compare", str(before), str(before)]) == 0


def test_pages_escape_what_they_show():
    rows: list[Row] = [
        {"kernel": "<b>.ttir", "pipeline": "p", "status": "failed", "message": "<i>"}
    ]
    assert "<b>.ttir" not in result_page(rows, [])
    after: list[Row] = [{**rows[0], "status": "ok"}]
    assert "&lt;b&gt;.ttir" in comparison_page(compare(rows, after))


def test_errors_say_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for arguments, message in (
        (["run", str(tmp_path), "-o", str(tmp_path / "r.xls")], "ends in none of"),
        (["run", str(tmp_path), "-o", str(tmp_path / "r.csv")], "there are no kernels there"),
        (["run", str(tmp_path), "-p", "cse,", "-o", str(tmp_path / "r.csv")], "pass"),
        (["compare", "no.csv", "no.csv"], "there is no file"),
        (["collect"], "name a program"),
    ):
        assert main(arguments) == 1
        assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_documentation_has_all_columns():
    page = (Path(__file__).parents[3] / "docs/corpus.md").read_text(encoding="utf-8")
    for column in COLUMNS:
        assert f"| `{column.name}` | {column.meaning}" in page


def test_native_code_is_compared_with_the_interpreter():
    before, other = (parse_module(one.text, context()) for one in (ADD, MULTIPLY))
    assert native.native_agreement(before)["native"] == "agrees"
    wrong = compile_module(native.lowered(other))
    row = native.compared(Program(before), "k", wrong)
    assert row["native"] == "differs"
    assert "argument 1" in str(row["native_finding"])
