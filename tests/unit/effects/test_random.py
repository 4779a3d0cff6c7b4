"""Random programs that move pointers about: running one never contradicts its record."""

from __future__ import annotations

import random

import pytest

from tests.unit.effects.kernels import CONSTANTS, P
from tests.unit.effects.observe import check
from xtriton import universe
from xtriton.analysis.effects import analyze_module
from xtriton.ir.reading.parser import parse_module

CONTEXT = universe.context()
POINTERS: tuple[str, ...] = ("a", "b", "c", "d")
LAUNCHES = [{4: n, 5: m} for n, m in ((0, 1), (1, 0), (3, 2))]
PP = "!tt.ptr<!tt.ptr<f32>>"


class Program:
    """Writes a random kernel over four pointers, two integers and a table of pointers."""

    def __init__(self, seed: int):
        self.draw = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}x{self.count}"

    def say(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def condition(self, depth: int) -> str:
        name = self.new("b")
        x = self.draw.choice(("n", "m", "pid"))
        y = self.draw.choice(("c0", "c1", "c2", "c4"))
        kind = self.draw.choice(("slt", "sgt", "eq"))
        self.say(depth, f"%{name} = arith.cmpi {kind}, %{x}, %{y} : i32")
        return name

    def statement(self, depth: int, pointers: list[str], level: int) -> None:
        """Write one statement; new pointers are appended to those that may be used."""
        choices = [self.move, self.move, self.write, self.read, self.choose, self.spill]
        if level < 3:
            choices += [self.loop, self.branch, self.repeat]
        self.draw.choice(choices)(depth, pointers, level)

    def move(self, depth: int, pointers: list[str], level: int) -> None:
        name = self.new("p")
        by = self.draw.choice(("c1", "c4", "n", "pid"))
        self.say(depth, f"%{name} = tt.addptr %{self.draw.choice(pointers)}, %{by} : {P}, i32")
        pointers.append(name)

    def write(self, depth: int, pointers: list[str], level: int) -> None:
        masked = f", %{self.condition(depth)}" if self.draw.random() < 0.3 else ""
        self.say(depth, f"tt.store %{self.draw.choice(pointers)}, %f1{masked} : {P}")

    def read(self, depth: int, pointers: list[str], level: int) -> None:
        self.say(depth, f"%{self.new('v')} = tt.load %{self.draw.choice(pointers)} : {P}")

    def choose(self, depth: int, pointers: list[str], level: int) -> None:
        condition = self.condition(depth)
        name = self.new("p")
        x, y = self.draw.choice(pointers), self.draw.choice(pointers)
        self.say(depth, f"%{name} = arith.select %{condition}, %{x}, %{y} : {P}")
        pointers.append(name)

    def spill(self, depth: int, pointers: list[str], level: int) -> None:
        slot, name = self.new("s"), self.new("p")
        at = self.draw.choice(("c0", "c1", "c2"))
        self.say(depth, f"%{slot} = tt.addptr %tab, %{at} : {PP}, i32")
        self.say(depth, f"tt.store %{slot}, %{self.draw.choice(pointers)} : {PP}")
        if self.draw.random() < 0.5:
            other = self.new("s")
            self.say(depth, f"%{other} = tt.addptr %tab, %{at} : {PP}, i32")
            self.say(depth, f"%{name} = tt.load %{other} : {PP}")
            pointers.append(name)

    def block(self, depth: int, pointers: list[str], level: int) -> list[str]:
        inner = list(pointers)
        for _ in range(self.draw.randint(1, 4)):
            self.statement(depth, inner, level + 1)
        return inner

    def loop(self, depth: int, pointers: list[str], level: int) -> None:
        result, one, two, i = (self.new(k) for k in ("l", "q", "q", "i"))
        x, y = self.draw.choice(pointers), self.draw.choice(pointers)
        end = self.draw.choice(("n", "m", "c0", "c1", "c2"))
        self.say(
            depth,
            f"%{result}:2 = scf.for %{i} = %c0 to %{end} step %c1 "
            f"iter_args(%{one} = %{x}, %{two} = %{y}) -> ({P}, {P}) : i32 {{",
        )
        inner = self.block(depth + 1, [*pointers, one, two], level)
        x, y = self.draw.choice(inner), self.draw.choice((one, two))
        self.say(depth + 1, f"scf.yield %{x}, %{y} : {P}, {P}")
        self.say(depth, "}")
        self.name_results(depth, result, pointers)

    def repeat(self, depth: int, pointers: list[str], level: int) -> None:
        result, one, i, j, two = (self.new(k) for k in ("w", "q", "i", "j", "q"))
        condition, following = self.new("b"), self.new("k")
        self.say(
            depth,
            f"%{result}:2 = scf.while (%{one} = %{self.draw.choice(pointers)}, %{i} = %c0) : "
            f"({P}, i32) -> ({P}, i32) {{",
        )
        self.say(depth + 1, f"%{condition} = arith.cmpi slt, %{i}, %m : i32")
        self.say(depth + 1, f"scf.condition(%{condition}) %{one}, %{i} : {P}, i32")
        self.say(depth, "} do {")
        self.say(depth, f"^bb0(%{two}: {P}, %{j}: i32):")
        inner = self.block(depth + 1, [*pointers, two], level)
        self.say(depth + 1, f"%{following} = arith.addi %{j}, %c1 : i32")
        self.say(depth + 1, f"scf.yield %{self.draw.choice(inner)}, %{following} : {P}, i32")
        self.say(depth, "}")
        name = self.new("p")
        self.say(depth, f"%{name} = tt.addptr %{result}#0, %c0 : {P}, i32")
        pointers.append(name)

    def branch(self, depth: int, pointers: list[str], level: int) -> None:
        condition, result = self.condition(depth), self.new("f")
        self.say(depth, f"%{result}:2 = scf.if %{condition} -> ({P}, {P}) {{")
        for last in (False, True):
            inner = self.block(depth + 1, pointers, level)
            x, y = self.draw.choice(inner), self.draw.choice(inner)
            self.say(depth + 1, f"scf.yield %{x}, %{y} : {P}, {P}")
            self.say(depth, "}" if last else "} else {")
        self.name_results(depth, result, pointers)

    def name_results(self, depth: int, result: str, pointers: list[str]) -> None:
        for k in (0, 1):
            name = self.new("p")
            self.say(depth, f"%{name} = tt.addptr %{result}#{k}, %c0 : {P}, i32")
            pointers.append(name)

    def text(self) -> str:
        pointers = list[str](POINTERS)
        for _ in range(self.draw.randint(3, 7)):
            self.statement(2, pointers, 0)
        arguments = ", ".join(f"%{p}: {P}" for p in POINTERS)
        return (
            f"module {{\n  tt.func public @k({arguments}, %n: i32, %m: i32, %tab: {PP}) {{\n"
            f"{CONSTANTS}" + "\n".join(self.lines) + "\n    tt.return\n  }\n}\n"
        )


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_running_agrees(first: int):
    ran = 0
    for seed in range(first, first + 10):
        text = Program(seed).text()
        module = parse_module(text, CONTEXT)
        (record,) = analyze_module(module).values()
        assert record.complete, (seed, record.notes)
        times, wrong = check(module, record, given=LAUNCHES)
        assert wrong == [], f"seed {seed}\n{text}"
        ran += times > 0
    assert ran >= 8
