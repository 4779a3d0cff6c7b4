"""Rewrites that are wrong for few numbers only, on loaded data and on scalar arguments."""

import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import Options, check_equivalent

LOADED = """
tt.func @kernel(%x: !tt.ptr<IN>, %y: !tt.ptr<IN>, %out: !tt.ptr<OUT>, %n: i32) {
  %c32 = arith.constant 32 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c32 : i32
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %starts = tt.splat %start : i32 -> tensor<32xi32>
  %i = arith.addi %starts, %range : tensor<32xi32>
  %bound = tt.splat %n : i32 -> tensor<32xi32>
  %mask = arith.cmpi slt, %i, %bound : tensor<32xi32>
  %xs = tt.splat %x : !tt.ptr<IN> -> tensor<32x!tt.ptr<IN>>
  %px = tt.addptr %xs, %i : tensor<32x!tt.ptr<IN>>, tensor<32xi32>
  %v = tt.load %px, %mask : tensor<32x!tt.ptr<IN>>
  %ys = tt.splat %y : !tt.ptr<IN> -> tensor<32x!tt.ptr<IN>>
  %py = tt.addptr %ys, %i : tensor<32x!tt.ptr<IN>>, tensor<32xi32>
  %w = tt.load %py, %mask : tensor<32x!tt.ptr<IN>>
  BODY
  %outs = tt.splat %out : !tt.ptr<OUT> -> tensor<32x!tt.ptr<OUT>>
  %po = tt.addptr %outs, %i : tensor<32x!tt.ptr<OUT>>, tensor<32xi32>
  tt.store %po, %r, %mask : tensor<32x!tt.ptr<OUT>>
  tt.return
}
"""

SCALAR = """
tt.func @kernel(%v: IN, %w: IN, %out: !tt.ptr<OUT>) {
  BODY
  tt.store %out, %r : !tt.ptr<OUT>
  tt.return
}
"""

PAIRS = {
    "remainder by a power of two": ("i32", "i32", "%r = remsi(%v, 8)", "%r = andi(%v, 7)"),
    "zero extension": ("i32", "i64", "%r = extsi(%v)", "%r = extui(%v)"),
    "dropped maximum with zero": ("i32", "i32", "%r = maxsi(%v, 0)", "%r = addi(%v, 0)"),
    "shift for a division": ("i32", "i32", "%r = divsi(%v, 2)", "%r = shrui(%v, 1)"),
    "arithmetic shift for a division": ("i32", "i32", "%r = divsi(%v, 2)", "%r = shrsi(%v, 1)"),
    "unsigned comparison": ("i32", "i1", "%r = cmpi slt(%v, 8)", "%r = cmpi ult(%v, 8)"),
    "strict comparison": ("i32", "i1", "%r = cmpi sle(%v, %w)", "%r = cmpi slt(%v, %w)"),
    "dropped minimum with one": ("f32", "f32", "%r = minimumf(%v, 1.0)", "%r = addf(%v, -0.0)"),
    "maximum that drops NaN": ("f32", "f32", "%r = maximumf(%v, %w)", "%r = maxnumf(%v, %w)"),
    "ordered comparison": ("f32", "i1", "%r = cmpf ult(%v, %w)", "%r = cmpf olt(%v, %w)"),
    "equal to itself": ("f32", "i1", "%r = cmpf oeq(%v, %v)", "%r = cmpf ueq(%v, %v)"),
    "sum with zero": ("f32", "f32", "%r = addf(%v, 0.0)", "%r = mulf(%v, 1.0)"),
    "product with zero": ("f32", "f32", "%r = mulf(%v, 0.0)", "%r = subf(%v, %v)"),
    "zero less a number": ("f32", "f32", "%r = subf(0.0, %v)", "%r = negf(%v)"),
    "narrowed sum": (
        "i64",
        "i64",
        "%r = addi(%v, %w)",
        "%a = trunci(%v)\n%b = trunci(%w)\n%s = addi(%a, %b)\n%r = extsi(%s)",
    ),
    "narrow numbers": ("i64", "i64", "%r = addi(%v, 0)", "%a = trunci(%v)\n%r = extsi(%a)"),
    "mask one bit short": ("i32", "i32", "%r = andi(%v, 255)", "%r = andi(%v, 127)"),
    "constant off by one": ("i32", "i1", "%r = cmpi sgt(%v, 77777)", "%r = cmpi sge(%v, 77777)"),
    "absolute value": ("i32", "i32", "%m = subi(0, %v)\n%r = maxsi(%v, %m)", "%r = maxsi(%v, 0)"),
    "high bits": ("i32", "i32", "%r = xori(%v, %w)", "%r = ori(%v, %w)"),
}  # fmt: skip


def body(lines: str, type: str, result: str, shape: str) -> str:
    """Return the lines of a pair as arith ops, on tensors of a shape or on scalars."""
    made: list[str] = []
    types = {"%v": type, "%w": type}
    for line in lines.splitlines():
        name, call = line.split(" = ")
        op, _, rest = call.removesuffix(")").partition("(")
        operands = [o.strip() for o in rest.split(",")]
        of = next(types[o] for o in operands if o in types)
        for k, o in enumerate(operands):
            if o not in types:
                constant = f"{name}c{k}"
                value = f"dense<{o}>" if shape else o
                made.append(f"{constant} = arith.constant {value} : {shape.replace('T', of) or of}")
                operands[k] = constant
        casts = {"trunci": "i32", "extsi": result, "extui": result}
        out = "i1" if op.startswith("cmp") else casts.get(op, of)
        types[name] = out
        shaped = shape.replace("T", of) or of
        kind, _, predicate = op.partition(" ")
        wanted = f"{predicate}, " if predicate else ""
        to = f" to {shape.replace('T', out) or out}" if kind in ("extsi", "extui", "trunci") else ""
        made.append(f"{name} = arith.{kind} {wanted}{', '.join(operands)} : {shaped}{to}")
    return "\n  ".join(made)


def module(template: str, lines: str, type: str, result: str) -> ModuleOp:
    shape = "tensor<32xT>" if template is LOADED else ""
    text = template.replace("BODY", body(lines, type, result, shape))
    return parse_module(text.replace("IN", type).replace("OUT", result), universe.context())


@pytest.mark.parametrize("template", [LOADED, SCALAR], ids=["loaded", "scalar"])
@pytest.mark.parametrize("name", PAIRS)
def test_wrong_for_few_numbers(name: str, template: str) -> None:
    type, result, right, wrong = PAIRS[name]
    before, after = (module(template, lines, type, result) for lines in (right, wrong))
    assert check_equivalent(before, module(template, right, type, result))
    verdict = check_equivalent(before, after)
    assert not verdict, verdict.render()


WIDE = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i64, %stride: i32) {
  %c32 = arith.constant 32 : i64
  %pid = tt.get_program_id x : i32
  %wide = arith.extsi %pid : i32 to i64
  %s = arith.extsi %stride : i32 to i64
  %start = arith.muli %wide, STEP : i64
  NARROW
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %lanes = arith.extsi %range : tensor<32xi32> to tensor<32xi64>
  %starts = tt.splat OFFSET : i64 -> tensor<32xi64>
  %i = arith.addi %starts, %lanes : tensor<32xi64>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %px = tt.addptr %xs, %i : tensor<32x!tt.ptr<f32>>, tensor<32xi64>
  %v = tt.load %px : tensor<32x!tt.ptr<f32>>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %po = tt.addptr %outs, %lanes : tensor<32x!tt.ptr<f32>>, tensor<32xi64>
  %q = tt.addptr %out, %pid : !tt.ptr<f32>, i32
  %m = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tt.reduce.return %sum : f32
  }) : (tensor<32xf32>) -> f32
  tt.store %q, %m : !tt.ptr<f32>
  tt.return
}
"""
TRUNCATED = "%t = arith.trunci %start : i64 to i32\n  %narrow = arith.extsi %t : i32 to i64"


@pytest.mark.parametrize("row", ["%c32", "%s"])
def test_a_truncated_offset_is_seen(row: str) -> None:
    """Offsets pass 2³¹ where the kernel computes them in 64 bits, with memory as large."""
    text = WIDE.replace("STEP", row)
    before = text.replace("NARROW", "").replace("OFFSET", "%start")
    after = text.replace("NARROW", TRUNCATED).replace("OFFSET", "%narrow")
    one, other = (parse_module(t, universe.context()) for t in (before, after))
    assert check_equivalent(one, one.clone())
    options = Options(solver=0.00001, reads=False)
    verdict = check_equivalent(one, other, options=options)
    assert not verdict
    assert "far programs" in verdict.render()


FAR = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %size: i64, %stride: i64) {
  %c32 = arith.constant 32 : i32
  %bound = arith.constant dense<BOUND> : tensor<32xi32>
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %c4 = arith.constant dense<4> : tensor<32xi64>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c32 : i32
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %starts = tt.splat %start : i32 -> tensor<32xi32>
  %i = arith.addi %starts, %range : tensor<32xi32>
  %mask = arith.cmpi slt, %i, %bound : tensor<32xi32>
  %wide = arith.extsi %i : tensor<32xi32> to tensor<32xi64>
  %sizes = tt.splat %size : i64 -> tensor<32xi64>
  %row = arith.divsi %wide, %sizes : tensor<32xi64>
  %place = arith.REMAINDER : tensor<32xi64>
  %far = arith.extsi %pid : i32 to i64
  %jump = arith.muli %far, %stride : i64
  NARROW
  %jumps = tt.splat %jumped : i64 -> tensor<32xi64>
  %at = arith.addi %place, %jumps : tensor<32xi64>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %px = tt.addptr %xs, %at : tensor<32x!tt.ptr<f32>>, tensor<32xi64>
  %v = tt.load %px, %mask, %zero : tensor<32x!tt.ptr<f32>>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %po = tt.addptr %outs, %i : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  tt.store %po, %v : tensor<32x!tt.ptr<f32>>
  tt.return
}
"""
KEPT = {"BOUND": "2048", "REMAINDER": "remsi %row, %c4", "NARROW": "%jumped = arith.addi %jump, %n0 : i64"}  # fmt: skip


@pytest.mark.parametrize(
    "name, change",
    [
        ("BOUND", "2047"),
        ("REMAINDER", "andi %row, %c3"),
        ("NARROW", "%t = arith.trunci %jump : i64 to i32\n%jumped = arith.extsi %t : i32 to i64"),
    ],
)
def test_what_shows_at_bounds_and_far_away_only(name: str, change: str) -> None:
    """A bound that a program in the middle meets; a negative divisor; an offset beyond 32 bits."""

    def module(changes: dict[str, str]) -> ModuleOp:
        text = FAR
        for key, value in changes.items():
            text = text.replace(key, value)
        more = "%n0 = arith.constant 0 : i64\n%c3 = arith.constant dense<3> : tensor<32xi64>\n"
        return parse_module(
            text.replace("  %pid =", "  " + more + "  %pid =", 1), universe.context()
        )

    before, after = module(KEPT), module({**KEPT, name: change})
    assert not check_equivalent(before, after, options=Options(solver=0.0))


def test_an_assertion_that_fails_in_the_rewritten_kernel_only() -> None:
    body = "%least = arith.constant LEAST : i32\n%ok = arith.cmpi sge, %v, %least : i32\n" + (
        'tt.assert %ok, "never" : i1\n%r = arith.addi %v, %w : i32'
    )
    text = SCALAR.replace("BODY", body).replace("IN", "i32").replace("OUT", "i32")
    stricter, weaker = (
        parse_module(text.replace("LEAST", n), universe.context()) for n in ("50", "-100")
    )
    assert check_equivalent(stricter, weaker)
    verdict = check_equivalent(weaker, stricter)
    assert "assertion fails in the rewritten kernel only" in verdict.render()


def test_a_store_in_front_of_all_memory_is_named() -> None:
    text = """
tt.func @kernel(%out: !tt.ptr<i32>, %v: i32) {
  %far = arith.constant OFFSET : i64
  %p = tt.addptr %out, %far : !tt.ptr<i32>, i64
  tt.store %p, %v : !tt.ptr<i32>
  tt.return
}
"""
    mine, theirs = (
        parse_module(text.replace("OFFSET", str(n)), universe.context()) for n in (0, -(1 << 60))
    )
    verdict = check_equivalent(mine, theirs, options=Options(solver=0))
    assert "memory -" in verdict.render()
