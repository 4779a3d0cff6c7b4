"""Ranges of integers: rules against all small numbers, flow against execution."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

import numpy as np
import pytest

from xtriton import universe
from xtriton.analysis.integer_ranges import integer_ranges
from xtriton.analysis.interval_rules import RULES, Interval, decided, full
from xtriton.ir.reading.parser import parse_module
from xtriton.judge import check_equivalent
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.semantics import element
from xtriton.semantics.integers import CMPI_PREDICATES, comparison, integer_function

WIDTH = 3
LEAST, MOST = full(WIDTH)
INTERVALS = list(combinations_with_replacement(range(LEAST, MOST + 1), 2))
OF = element(f"i{WIDTH}")


def table(function) -> np.ndarray:  # pyright: ignore[reportMissingParameterType, reportUnknownParameterType]
    """What a function of two numbers gives for all of a width, by rows of the first."""
    numbers = np.arange(LEAST, MOST + 1, dtype=OF.carrier)
    a, b = np.meshgrid(numbers, numbers, indexing="ij")
    with np.errstate(all="ignore"):
        return function(a.copy(), b.copy())  # pyright: ignore[reportUnknownVariableType]


def part(of: np.ndarray, a: Interval, b: Interval) -> np.ndarray:
    return of[a[0] - LEAST : a[1] - LEAST + 1, b[0] - LEAST : b[1] - LEAST + 1]


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_rule_misses_no_result(name: str):
    results = table(integer_function(name.removeprefix("arith."), OF))
    exact = 0
    for a in INTERVALS:
        for b in INTERVALS:
            low, high = RULES[name]([a, b], WIDTH)
            if low < LEAST or high > MOST:
                low, high = LEAST, MOST
            true = part(results, a, b)
            assert low <= true.min(), (a, b)
            assert true.max() <= high, (a, b)
            exact += (low, high) == (true.min(), true.max())
    # A rule that says nothing of anything is none.
    assert exact > len(INTERVALS) ** 2 // 3


@pytest.mark.parametrize("number", range(len(CMPI_PREDICATES)), ids=CMPI_PREDICATES)
def test_a_comparison_is_decided_where_all_numbers_agree(number: int):
    results = table(comparison(number, OF))
    for a in INTERVALS:
        for b in INTERVALS:
            true = part(results, a, b)
            expected = True if true.all() else False if not true.any() else None
            found = decided(number, a, b, WIDTH)
            assert found in (expected, None), (a, b)
            if number < 6 or (min(a[0], b[0]) >= 0):
                assert found == expected, (a, b)


def random_kernel(seed: int) -> str:
    """A kernel of small numbers that wrap, in loops and branches, which are then compared."""
    rng = random.Random(seed)
    names = ["%x", "%y", *(f"%k{i}" for i in range(4))]
    lines = [f"%k{i} = arith.constant {rng.randint(-128, 127)} : i8" for i in range(4)]
    ops = sorted(RULES)
    count = 0

    def fresh() -> str:
        nonlocal count
        count += 1
        return f"%v{count}"

    def body(known: list[str], depth: int) -> None:
        for _ in range(rng.randint(2, 5)):
            kind = rng.random()
            name = fresh()
            if kind < 0.6 or depth > 1:
                a, b = rng.choice(known), rng.choice(known)
                lines.append(f"{name} = {rng.choice(ops)} {a}, {b} : i8")
            elif kind < 0.8:
                a, b, inner = rng.choice(known), rng.choice(known), fresh()
                i, end = fresh(), fresh()
                lines.append(f"{end} = arith.minsi {b}, %five : i8")
                bounds = f"%low to {end} step %one"
                lines.append(
                    f"{name} = scf.for {i} = {bounds} iter_args({inner} = {a}) -> (i8) : i8 {{"
                )
                nested = [*known, inner, i]
                body(nested, depth + 1)
                lines.append(f"scf.yield {nested[-1]} : i8\n}}")
            else:
                condition, a = fresh(), rng.choice(known)
                lines.append(f"{condition} = arith.cmpi slt, {a}, {rng.choice(known)} : i8")
                lines.append(f"{name} = scf.if {condition} -> (i8) {{")
                for end in ("} else {", "}"):
                    nested = list(known)
                    body(nested, depth + 1)
                    lines.append(f"scf.yield {nested[-1]} : i8\n{end}")
            known.append(name)
            if rng.random() < 0.5:
                truth, place = fresh(), fresh()
                predicate = rng.choice(CMPI_PREDICATES)
                lines.append(f"{truth} = arith.cmpi {predicate}, {name}, {rng.choice(known)} : i8")
                lines.append(f"{place} = tt.addptr %p, %c{count % 32} : !tt.ptr<i1>, i32")
                lines.append(f"tt.store {place}, {truth} : !tt.ptr<i1>")

    body(names, 0)
    places = "\n".join(f"%c{i} = arith.constant {i} : i32" for i in range(32))
    text = "\n".join(lines)
    arguments = "%p: !tt.ptr<i1>, %x: i8, %y: i8"
    numbers = {"low": rng.randint(-3, 3), "one": 1, "five": 5}
    start = "\n".join(f"%{name} = arith.constant {n} : i8" for name, n in numbers.items())
    return f"tt.func public @f({arguments}) {{\n{start}\n{places}\n{text}\ntt.return\n}}"


@pytest.mark.parametrize(
    "name", ["triton-intel-fold-true-cmpi", "triton-intel-simplify-signed-arithmetic{proof=true}"]
)
def test_what_rests_on_ranges_keeps_what_random_kernels_compute(name: str):
    changes = 0
    for seed in range(60):
        module = parse_module(random_kernel(seed), universe.context())
        after = module.clone()
        PassManager(universe.context(), make_steps(parse_pipeline(name))).run(after)
        if not after.is_structurally_equivalent(module):
            changes += 1
            verdict = check_equivalent(module, after, count=4)
            assert verdict, f"seed {seed}: {verdict.render()}"
    assert changes > 10


def test_time_is_linear_where_bounds_keep_moving():
    # Each loop moves its number by one; bounds are not followed step by step.
    def visits(loops: int) -> int:
        lines = ["%c0 = arith.constant 0 : i32", "%c1 = arith.constant 1 : i32"]
        for i in range(loops):
            lines.append(
                f"%r{i} = scf.for %i{i} = %c0 to %n step %c1 iter_args(%x{i} = %c0) -> (i32) : i32 {{"
                f" %y{i} = arith.addi %x{i}, %c1 : i32 scf.yield %y{i} : i32 }}"
            )
        text = "\n".join(lines)
        module = parse_module(f"tt.func @f(%n: i32) {{\n{text}\ntt.return\n}}", universe.context())
        ranges = integer_ranges(module)
        moves = ranges._steps.values()
        assert moves
        return sum(moves)

    assert visits(20) == 2 * visits(10) < 20 * 20
