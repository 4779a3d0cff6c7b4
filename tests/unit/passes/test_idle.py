"""What is said to be left alone by simplification is left alone by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest
from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern

from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.passes.rewriting import GreedyRewriter, IdleCheck, LatePatterns
from xtriton.transforms.cleanup import settling
from xtriton.transforms.cleanup.canonicalization.arith import FOLDS
from xtriton.transforms.cleanup.canonicalization.tables import (
    ConversionPatterns,
    fold_of,
    patterns_of,
)
from xtriton.transforms.cleanup.canonicalization.where import OWN_FOLDS, where_of
from xtriton.transforms.cleanup.canonicalize import canonicalize
from xtriton.transforms.cleanup.idle import idle_check_of
from xtriton.transforms.triton_gpu import optimize_dot_operands
from xtriton.universe import context

FILES = Path(__file__).parents[2] / "filecheck" / "transforms"

_PREDICATES = ("eq", "ne", "slt", "sge", "ult")
_INTEGERS = [
    *[
        "addi",
        "andi",
        "divsi",
        "divui",
        "maxsi",
        "minui",
        "muli",
        "ori",
        "remsi",
        "shli",
        "shrsi",
        "subi",
        "xori",
    ],
    *(f"cmpi {predicate}," for predicate in _PREDICATES),
]
_FLOATS = ["addf", "divf", "maximumf", "maxnumf", "minimumf", "minnumf", "mulf", "subf"]
_ENDS = {
    "i1": ("extsi", "i1 to i32"),
    "i32": ("index_cast", "i32 to index"),
    "f32": ("extf", "f32 to f64"),
}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Operation]:
    """The ops that were said to be idle; each is looked at all the same."""
    said: list[Operation] = []
    now: set[Operation] = set()
    rewrite = GreedyRewriter._rewrite

    def check_of(op_type: type[Operation], patterns: Sequence[RewritePattern]) -> IdleCheck | None:
        check = idle_check_of(op_type, patterns)
        if check is None:
            return None

        def never(op: Operation) -> bool:
            if check(op):
                said.append(op)
                now.add(op)
            return False

        return never

    def checked(self: GreedyRewriter, op: Operation, *rest: object) -> bool:
        is_idle, shown = op in now, str(op)
        now.clear()
        done = rewrite(self, op, *rest)  # pyright: ignore[reportArgumentType]
        assert not (is_idle and done), f"said to be idle: {shown}"
        return done

    monkeypatch.setattr(settling, "idle_check_of", check_of)
    monkeypatch.setattr(GreedyRewriter, "_rewrite", checked)
    return said


def _inner(type: str, names: Sequence[str], numbers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return lines that define a value of a type, with its name."""
    for i, number in enumerate(numbers):
        yield f"%c{i} = arith.constant {number} : {type}", f"%c{i}"
    for i, (name, (a, b)) in enumerate(
        product(names, (("%a", "%b"), ("%a", "%c1"), ("%c2", "%a")))
    ):
        if not name.startswith("cmpi"):
            yield f"%i{i} = arith.{name} {a}, {b} : {type}", f"%i{i}"


def _kernel(type: str, name: str, inner: Sequence[tuple[str, str]]) -> str:
    """Return a kernel with an op on each two values, each of whose results is used."""
    lines = [line for line, _ in inner]
    values = ["%a", "%b", *(value for _, value in inner)]
    cast, types = _ENDS["i1" if name.startswith("cmpi") else type]
    for n, (a, b) in enumerate(product(values, values)):
        lines.append(f"%o{n} = arith.{name} {a}, {b} : {type}")
        lines.append(f"%u{n} = arith.{cast} %o{n} : {types}")
        lines.append(f'"test.op"(%u{n}) : ({types.rpartition(" ")[2]}) -> ()')
    body = "\n".join(lines)
    return f"func.func @k(%a: {type}, %b: {type}) {{\n{body}\nfunc.return\n}}"


@pytest.mark.parametrize("name", _INTEGERS)
def test_integers(told: list[Operation], name: str) -> None:
    inner = [*_inner("i32", ("addi", "subi", "muli", "andi", "xori"), ("0", "1", "-1", "7"))]
    module = parse_module(_kernel("i32", name, inner), context(allow_unregistered=True))
    assert canonicalize(module)
    assert told


@pytest.mark.parametrize("name", _FLOATS)
def test_floats(told: list[Operation], name: str) -> None:
    numbers = ("0.0", "-0.0", "1.0", "0x7F800000", "0x7FC00000")
    inner = [*_inner("f32", ("addf", "mulf"), numbers)]
    assert canonicalize(parse_module(_kernel("f32", name, inner), context(allow_unregistered=True)))
    assert told


CHOICES = """
func.func @k(%c: i1, %d: i1, %a: i32, %b: i32, %n: i64, %x: f64, %i: index) {
  %true = arith.constant true
  %false = arith.constant false
  %c7 = arith.constant 7 : i32
  %not = arith.xori %c, %true : i1
  %lt = arith.cmpi slt, %a, %b : i32
  %ge = arith.xori %lt, %true : i1
  %inner = arith.select %c, %a, %b : i32
  %0 = arith.select %not, %a, %b : i32
  %1 = arith.select %c, %inner, %b : i32
  %2 = arith.select %d, %c7, %inner : i32
  %3 = arith.select %c, %true, %false : i1
  %4 = arith.select %true, %a, %b : i32
  %5 = arith.select %c, %a, %a : i32
  %e = arith.extsi %a : i32 to i64
  %e2 = arith.extui %c : i1 to i32
  %6 = arith.extsi %e2 : i32 to i64
  %7 = arith.trunci %e : i64 to i32
  %8 = arith.index_cast %e : i64 to index
  %w = arith.index_cast %n : i64 to index
  %9 = arith.index_cast %w : index to i64
  %c0 = arith.constant 0 : i32
  %10 = arith.cmpi ne, %e2, %c0 : i32
  %f = arith.truncf %x : f64 to f32
  %11 = arith.extf %f : f32 to f64
  %12 = arith.bitcast %f : f32 to i32
  %13 = arith.bitcast %12 : i32 to f32
  "test.op"(%0, %1, %2, %3, %4, %5, %6) : (i32, i32, i32, i1, i32, i32, i64) -> ()
  "test.op"(%7, %8, %9, %10, %11, %13, %ge) : (i32, index, i64, i1, f64, f32, i1) -> ()
  func.return
}
"""


def test_choices_and_casts(told: list[Operation]) -> None:
    assert canonicalize(parse_module(CHOICES, context(allow_unregistered=True)))
    assert told


@pytest.mark.parametrize("path", sorted(FILES.glob("*/*.mlir")), ids=lambda path: path.stem)
def test_files_of_other_tests(told: list[Operation], path: Path) -> None:
    for part in path.read_text().split("// -----"):
        try:
            module = parse_module(part, context(allow_unregistered=True))
        except UserError:
            continue
        canonicalize(module)


def test_folds_of_arithmetic_say_where_they_apply() -> None:
    assert [name for name, fold in FOLDS.items() if where_of(fold) is None] == []


def test_what_folds_itself_is_said_of_ops_that_do() -> None:
    for name in OWN_FOLDS:
        dialect, _, _ = name.partition(".")
        (op_type,) = (op for op in context().get_dialect(dialect).operations if op.name == name)
        assert where_of(fold_of(op_type)) is OWN_FOLDS[name]
        if name != "tt.trans":
            assert idle_check_of(op_type, patterns_of(op_type)) is not None


@pytest.mark.parametrize("late", [ConversionPatterns, optimize_dot_operands.LateScales])
def test_late_patterns_are_where_the_table_says(late: type[LatePatterns]):
    homes = {
        op_type.name: module
        for module in set(late.HOMES.values())
        for pattern in import_module(module).PATTERNS
        for op_type in pattern.op_types
    }
    assert homes == late.HOMES
