"""Wrong rewrites of one kernel, one for each classic mistake: all are caught."""

import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent

KERNEL = """
tt.func @kernel(%x: !tt.ptr<f16>, %out: !tt.ptr<f32>, %n: i32, %m: i32,
                %stride: i32, %other_stride: i32, %count: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %one = arith.constant dense<1> : tensor<32xi32>
  %true = arith.constant true
  %fill = arith.constant dense<1.0> : tensor<32xf16>
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %c32 = arith.constant 32 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c32 : i32
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %starts = tt.splat %start : i32 -> tensor<32xi32>
  %i = arith.addi %starts, %range : tensor<32xi32>
  %bound = tt.splat %n : i32 -> tensor<32xi32>
  %mask = arith.cmpi slt, %i, %bound : tensor<32xi32>
  %twenty = arith.constant dense<20> : tensor<32xi32>
  %wrapped = arith.remsi %i, %twenty : tensor<32xi32>
  %bound1 = arith.addi %bound, %one : tensor<32xi32>
  %wider = arith.cmpi sle, %i, %bound1 : tensor<32xi32>
  %strides = tt.splat %stride : i32 -> tensor<32xi32>
  %row = arith.muli %wrapped, %strides : tensor<32xi32>
  %base = tt.splat %x : !tt.ptr<f16> -> tensor<32x!tt.ptr<f16>>
  %p0 = tt.addptr %base, %row : tensor<32x!tt.ptr<f16>>, tensor<32xi32>
  %steps = tt.splat %c1 : i32 -> tensor<32xi32>
  %sum, %last = scf.for %k = %c0 to %m step %c1 iter_args(%acc = %zero, %p = %p0)
      -> (tensor<32xf32>, tensor<32x!tt.ptr<f16>>) : i32 {
    %v = tt.load %p, %mask, %fill : tensor<32x!tt.ptr<f16>>
    %w = arith.mulf %v, %v : tensor<32xf16>
    %wide = arith.extf %w : tensor<32xf16> to tensor<32xf32>
    %next = arith.addf %acc, %wide : tensor<32xf32>
    %q = tt.addptr %p, %steps : tensor<32x!tt.ptr<f16>>, tensor<32xi32>
    scf.yield %next, %q : tensor<32xf32>, tensor<32x!tt.ptr<f16>>
  }
  %big = arith.extsi %i : tensor<32xi32> to tensor<32xi64>
  %far = arith.constant dense<1073741824> : tensor<32xi64>
  %offset = arith.muli %big, %far : tensor<32xi64>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %places = tt.addptr %outs, %offset : tensor<32x!tt.ptr<f32>>, tensor<32xi64>
  tt.store %places, %zero : tensor<32x!tt.ptr<f32>>
  tt.store %places, %sum, %wider : tensor<32x!tt.ptr<f32>>
  %old = tt.atomic_rmw add, acq_rel, gpu, %count, %c2, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}
"""

HARMLESS = {
    "swapped operands of a sum": ("arith.addi %starts, %range", "arith.addi %range, %starts"),
    "an unused load": (
        "%big = arith.extsi",
        "%u = tt.load %p0, %mask, %fill : tensor<32x!tt.ptr<f16>>\n  %big = arith.extsi",
    ),
}  # fmt: skip

WRONG = {
    "off-by-one mask": ("cmpi slt, %i, %bound ", "cmpi sle, %i, %bound "),
    "dropped other": ("tt.load %p, %mask, %fill", "tt.load %p, %mask"),
    "swapped stride": ("tt.splat %stride", "tt.splat %other_stride"),
    "lost wrap-around": ("%row = arith.muli %wrapped", "%row = arith.muli %i"),
    "lost mask of a load": ("tt.load %p, %mask, %fill", "tt.load %p"),
    "sign of a step": (
        "tt.splat %c1 : i32 -> tensor<32xi32>",
        "arith.subi %one, %twos : tensor<32xi32>",
    ),
    "32-bit overflow of an offset": (
        "%offset = arith.muli %big, %far : tensor<32xi64>",
        "%far32 = arith.trunci %far : tensor<32xi64> to tensor<32xi32>\n"
        "  %product = arith.muli %i, %far32 : tensor<32xi32>\n"
        "  %offset = arith.extsi %product : tensor<32xi32> to tensor<32xi64>",
    ),
    "reordered store": (
        "  tt.store %places, %zero : tensor<32x!tt.ptr<f32>>\n"
        "  tt.store %places, %sum, %wider : tensor<32x!tt.ptr<f32>>",
        "  tt.store %places, %sum, %wider : tensor<32x!tt.ptr<f32>>\n"
        "  tt.store %places, %zero : tensor<32x!tt.ptr<f32>>",
    ),
    "wrong rounding": (
        "%w = arith.mulf %v, %v : tensor<32xf16>\n"
        "    %wide = arith.extf %w : tensor<32xf16> to tensor<32xf32>",
        "%e = arith.extf %v : tensor<32xf16> to tensor<32xf32>\n"
        "    %wide = arith.mulf %e, %e : tensor<32xf32>",
    ),
    "missing atomic": (
        "%old = tt.atomic_rmw add, acq_rel, gpu, %count, %c2, %true : "
        "(!tt.ptr<i32>, i32, i1) -> i32",
        "%before = tt.load %count : !tt.ptr<i32>\n"
        "  tt.store %count, %c2 : !tt.ptr<i32>",
    ),
    "broken loop-carried value": (
        "scf.yield %next, %q",
        "scf.yield %wide, %q",
    ),
    "loop-carried pointer not advanced": ("scf.yield %next, %q", "scf.yield %next, %p"),
    "one iteration too many": ("scf.for %k = %c0", "scf.for %k = %minus"),
    "dropped store": ("  tt.store %places, %zero : tensor<32x!tt.ptr<f32>>\n", ""),
}  # fmt: skip

EXTRA = """  %twos = arith.constant dense<2> : tensor<32xi32>
  %minus = arith.constant -1 : i32
"""


def parse(text: str) -> ModuleOp:
    return parse_module(text, universe.context())


def rewritten(change: tuple[str, str]) -> ModuleOp:
    old, new = change
    assert KERNEL.count(old) == 1
    return parse(KERNEL.replace(old, new).replace("  %c0 =", EXTRA + "  %c0 =", 1))


@pytest.mark.parametrize("name", WRONG)
def test_wrong_rewrite_is_caught(name: str) -> None:
    verdict = check_equivalent(parse(KERNEL), rewritten(WRONG[name]))
    assert not verdict, verdict.render()
    assert "original" in verdict.render() or "rewritten" in verdict.render()


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_rewrite_passes(name: str) -> None:
    verdict = check_equivalent(parse(KERNEL), rewritten(HARMLESS[name]))
    assert verdict, verdict.render()
    # What is left out unused is no difference: its kernel runs once.
    assert verdict.draws == (1 if name == "an unused load" else 16)
    assert verdict.notes == []


def test_defining_what_was_undefined_is_a_refinement() -> None:
    """A masked-off lane without `other` may become anything, but not the other way round."""
    undefined = KERNEL.replace("tt.load %p, %mask, %fill", "tt.load %p, %mask")
    assert check_equivalent(parse(undefined), parse(KERNEL))
    assert not check_equivalent(parse(KERNEL), parse(undefined))


def test_difference_names_argument_element_values_ops_and_programs() -> None:
    verdict = check_equivalent(parse(KERNEL), rewritten(WRONG["broken loop-carried value"]))
    text = verdict.render()
    assert "argument 1 (out), element " in text
    assert "of f32: original " in text
    assert "program 0 writes there by 'tt.store'" in text


def test_tolerance() -> None:
    product = "%wide = arith.extf %w : tensor<32xf16> to tensor<32xf32>"
    change = WRONG["wrong rounding"]
    assert product in change[0]
    assert check_equivalent(parse(KERNEL), rewritten(change), tolerance=1e-2)
    assert not check_equivalent(parse(KERNEL), rewritten(change), tolerance=1e-7)


def test_overflow_of_offsets_in_the_original_proves_nothing() -> None:
    """Offsets may be computed in more bits, unless the original already did."""
    narrow = WRONG["32-bit overflow of an offset"]
    original = KERNEL.replace(*narrow)
    with pytest.raises(UserError, match="no drawn launch fits") as caught:
        check_equivalent(parse(original), parse(KERNEL))
    assert any("offsets of the original overflow" in note for note in caught.value.notes)
    fits = original.replace("dense<1073741824>", "dense<1024>")
    wide = KERNEL.replace("dense<1073741824>", "dense<1024>")
    assert check_equivalent(parse(fits), parse(wide))
