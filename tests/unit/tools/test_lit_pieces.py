"""A lit test by functions: which hold, and which do not although others do."""

from pathlib import Path

from xtriton.tools.lit.pieces import Piece, run_lines, run_pieces

HEADER = "// RUN: triton-opt %s -split-input-file -canonicalize | FileCheck %s\n"
ADD = """
// CHECK-LABEL: @{0}
// CHECK: arith.addi
// CHECK-NEXT: {1}
tt.func @{0}(%a: i32) -> i32 {{
  %0 = arith.addi %a, %a : i32
  tt.return %0 : i32
}}
"""


def pieces(tmp_path: Path, text: str) -> list[Piece]:
    test = tmp_path / "t.mlir"
    test.write_text(text)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return list(run_pieces(test, scratch))


def test_functions_fail_by_themselves(tmp_path: Path):
    text = HEADER + ADD.format("a", "tt.return") + ADD.format("b", "no") + ADD.format("c", "tt.re")
    found = pieces(tmp_path, text)
    assert [(p.name, p.expectations, p.held) for p in found] == [
        ("a", 3, 3),
        ("b", 3, 2),
        ("c", 3, 3),
    ]
    assert [bool(p.problem) for p in found] == [False, True, False]


def test_chunks_run_by_themselves(tmp_path: Path):
    text = HEADER + ADD.format("a", "tt.return") + "// -----\n// CHECK-LABEL: @b\nnonsense"
    first, second = pieces(tmp_path, text)
    assert not first.problem
    assert "nonsense" in second.problem or "expected" in second.problem
    assert second.line == 11
    assert not second.crashed


def test_diagnostics_are_expectations(tmp_path: Path):
    text = (
        "// RUN: triton-opt %s -split-input-file -verify-diagnostics\n"
        "// expected-error @below {{wrong text}}\n"
        'tt.func @a() {\n  "tt.return"() : () -> i32\n}\n'
        "// -----\ntt.func @b() {\n  tt.return\n}\n"
    )
    first, second = pieces(tmp_path, text)
    assert (first.expectations, first.held) == (1, 0)
    assert (second.expectations, second.held) == (1, 1)


def test_every_run_line_counts(tmp_path: Path):
    text = (
        "// RUN: triton-opt %s | FileCheck %s --check-prefix=ONE\n"
        "// RUN: env X=1 triton-opt %s -canonicalize | FileCheck %s --check-prefixes=ONE,TWO\n"
        "// ONE-LABEL: @a\n// TWO: arith\n"
        "tt.func @a() {\n  %c = arith.constant 0 : i32\n  tt.return\n}\n"
    )
    test = tmp_path / "t.mlir"
    test.write_text(text)
    assert [line.passes for line in run_lines(test, tmp_path)] == [[], ["canonicalize"]]
    one, two = pieces(tmp_path, text)
    assert (one.command, one.expectations, one.problem) == (0, 1, "")
    assert (two.command, two.expectations, two.held) == (1, 2, 1)
