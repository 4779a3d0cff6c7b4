"""Random kernels over tensors of addresses: masks, index arithmetic, loops, atomics, calls."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.unit.effects.observe import check
from xtriton import effects, universe
from xtriton.analysis.effects import footprint
from xtriton.ir.reading.parser import parse_module

CONTEXT = universe.context()
ARGUMENTS = {"a": "f32", "b": "f32", "c": "i32", "d": "i8"}
"""Pointers, by what they point to."""

LAUNCHES = [{4: n, 5: m} for n, m in ((0, 1), (1, 0), (3, 5), (-2, 7))]
HEAD = """    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    %pid = tt.get_program_id x : i32
    %pidy = PIDY : i32
    %programs = tt.get_num_programs x : i32
    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
"""
I32, I64 = "tensor<8xi32>", "tensor<8xi64>"
PIDY = ("arith.constant 2", "tt.get_program_id y")
SCALARS = ("c0", "c1", "c2", "c3", "c5", "n", "m", "pid", "pidy", "programs")
ARITHMETIC = ("addi", "subi", "muli", "minsi", "maxsi", "andi")
DIVISIONS = ("divsi", "remsi", "divui", "remui", "floordivsi")


class Writer:
    """Writes one random kernel; what may be used where is kept in lists by type."""

    def __init__(self, seed: int):
        self.draw = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.functions: list[str] = []

    def say(self, text: str) -> None:
        self.lines.append(f"    {text}")

    def new(self, prefix: str) -> str:
        self.count += 1
        return f"%{prefix}{self.count}"

    # --- numbers ----------------------------------------------------------------------

    def scalar(self, scope: list[str], depth: int = 0) -> str:
        """Return a 32-bit integer."""
        choice = self.draw.random()
        if depth > 2 or choice < 0.5:
            return self.draw.choice(scope)
        x, name = self.scalar(scope, depth + 1), self.new("s")
        if choice < 0.85:
            y = self.scalar(scope, depth + 1)
            op = self.draw.choice(ARITHMETIC)
            self.say(f"{name} = arith.{op} {x}, {y} : i32")
        elif choice < 0.95:
            op, y = self.draw.choice(DIVISIONS), self.draw.choice(("%c2", "%c3", "%c8"))
            self.say(f"{name} = arith.{op} {x}, {y} : i32")
        else:
            y, z = self.scalar(scope, depth + 1), self.scalar(scope, depth + 1)
            self.say(f"{name} = arith.select {self.condition(scope)}, {y}, {z} : i32")
        return name

    def condition(self, scope: list[str]) -> str:
        x, y, name = self.scalar(scope, 2), self.scalar(scope, 2), self.new("b")
        kind = self.draw.choice(("slt", "sge", "eq", "ne", "ult"))
        self.say(f"{name} = arith.cmpi {kind}, {x}, {y} : i32")
        return name

    def splat(self, scalar: str) -> str:
        name = self.new("t")
        self.say(f"{name} = tt.splat {scalar} : i32 -> {I32}")
        return name

    def offsets(self, scope: list[str], depth: int = 0) -> str:
        """Return a tensor of offsets."""
        choice = self.draw.random()
        if depth > 2 or choice < 0.2:
            return "%r"
        if choice < 0.3:
            return self.splat(self.scalar(scope))
        x, name = self.offsets(scope, depth + 1), self.new("t")
        if choice < 0.8:
            other = self.splat(self.scalar(scope))
            op = self.draw.choice((*ARITHMETIC, "addi", "addi"))
            self.say(f"{name} = arith.{op} {x}, {other} : {I32}")
        elif choice < 0.92:
            op, by = self.draw.choice(DIVISIONS), self.splat(self.draw.choice(("%c2", "%c3")))
            self.say(f"{name} = arith.{op} {x}, {by} : {I32}")
        else:
            loaded, p = self.new("t"), self.pointers("c", scope, depth + 1)
            self.say(f"{loaded} = tt.load {p} : tensor<8x!tt.ptr<i32>>")
            small = self.splat("%c8")
            self.say(f"{name} = arith.andi {loaded}, {small} : {I32}")
        return name

    def mask(self, scope: list[str]) -> str:
        x, y = self.offsets(scope, 2), self.splat(self.scalar(scope, 1))
        name = self.new("m")
        kind = self.draw.choice(("slt", "sge", "eq", "ult"))
        self.say(f"{name} = arith.cmpi {kind}, {x}, {y} : {I32}")
        if self.draw.random() < 0.3:
            other, both = self.mask(scope), self.new("m")
            op = self.draw.choice(("andi", "ori", "xori"))
            self.say(f"{both} = arith.{op} {name}, {other} : tensor<8xi1>")
            return both
        return name

    # --- memory -----------------------------------------------------------------------

    def pointers(self, argument: str, scope: list[str], depth: int = 0) -> str:
        element = ARGUMENTS[argument]
        type = f"tensor<8x!tt.ptr<{element}>>"
        base = f"%{argument}"
        if self.draw.random() < 0.3:
            moved = self.new("p")
            self.say(f"{moved} = tt.addptr {base}, {self.scalar(scope)} : !tt.ptr<{element}>, i32")
            base = moved
        first, name = self.new("p"), self.new("p")
        self.say(f"{first} = tt.splat {base} : !tt.ptr<{element}> -> {type}")
        by = self.offsets(scope, depth)
        self.say(f"{name} = tt.addptr {first}, {by} : {type}, {I32}")
        return name

    def values(self, element: str) -> str:
        name = self.new("v")
        zero = "0.0" if element == "f32" else "0"
        self.say(f"{name} = arith.constant dense<{zero}> : tensor<8x{element}>")
        return name

    def load(self, scope: list[str], level: int) -> None:
        argument = self.draw.choice("abcd")
        p = self.pointers(argument, scope)
        masked = f", {self.mask(scope)}" if self.draw.random() < 0.6 else ""
        self.say(
            f"{self.new('v')} = tt.load {p}{masked} : tensor<8x!tt.ptr<{ARGUMENTS[argument]}>>"
        )

    def store(self, scope: list[str], level: int) -> None:
        argument = self.draw.choice("abcd")
        element = ARGUMENTS[argument]
        p, v = self.pointers(argument, scope), self.values(element)
        masked = f", {self.mask(scope)}" if self.draw.random() < 0.6 else ""
        self.say(f"tt.store {p}, {v}{masked} : tensor<8x!tt.ptr<{element}>>")

    def again(self, scope: list[str], level: int) -> None:
        """Store to a place and read it back, or read it before."""
        p, v = self.pointers("a", scope), self.values("f32")
        ops = [
            f"tt.store {p}, {v} : tensor<8x!tt.ptr<f32>>",
            f"{self.new('v')} = tt.load {p} : tensor<8x!tt.ptr<f32>>",
        ]
        for op in self.draw.sample(ops, 2):
            self.say(op)

    def atomic(self, scope: list[str], level: int) -> None:
        p, v = self.pointers("c", scope), self.values("i32")
        m, name = self.mask(scope), self.new("v")
        op = self.draw.choice(("add", "max", "exch", "or"))
        self.say(
            f"{name} = tt.atomic_rmw {op}, acq_rel, gpu, {p}, {v}, {m} : "
            f"(tensor<8x!tt.ptr<i32>>, {I32}, tensor<8xi1>) -> {I32}"
        )

    def narrow(self, scope: list[str], level: int) -> None:
        """Look at memory of floats as bytes."""
        p, q, moved = self.pointers("b", scope), self.new("p"), self.new("p")
        type = "tensor<8x!tt.ptr<i8>>"
        self.say(f"{q} = tt.bitcast {p} : tensor<8x!tt.ptr<f32>> -> {type}")
        self.say(f"{moved} = tt.addptr {q}, {self.offsets(scope, 1)} : {type}, {I32}")
        self.say(f"tt.store {moved}, {self.values('i8')} : {type}")

    def wide(self, scope: list[str], level: int) -> None:
        """Count bytes in 64 bits."""
        x, y, z, p, q = (self.new(k) for k in "xyzpq")
        extend = self.draw.choice(("extsi", "extui"))
        self.say(f"{x} = arith.{extend} {self.offsets(scope, 1)} : {I32} to {I64}")
        self.say(f"{y} = arith.constant dense<{self.draw.choice((1, 2, 3))}> : {I64}")
        self.say(f"{z} = arith.{self.draw.choice(('muli', 'subi', 'maxsi'))} {x}, {y} : {I64}")
        self.say(f"{p} = tt.splat %b : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>")
        self.say(f"{q} = tt.addptr {p}, {z} : tensor<8x!tt.ptr<f32>>, {I64}")
        masked = f", {self.mask(scope)}" if self.draw.random() < 0.5 else ""
        self.say(f"tt.store {q}, {self.values('f32')}{masked} : tensor<8x!tt.ptr<f32>>")

    def number(self, scope: list[str], level: int) -> None:
        """Take an address for a number, move it, and make an address of it again."""
        x, y, z, w, p, v = (self.new(k) for k in "xyzwpv")
        first = self.draw.choice("ab")
        self.say(f"{x} = tt.ptr_to_int %{first} : !tt.ptr<f32> -> i64")
        self.say(f"{y} = arith.extsi {self.scalar(scope, 1)} : i32 to i64")
        self.say(f"{z} = arith.{self.draw.choice(('addi', 'subi'))} {x}, {y} : i64")
        if self.draw.random() < 0.5:  # the distance of the other one, once there and once back
            self.say(f"{w} = tt.ptr_to_int %{'b' if first == 'a' else 'a'} : !tt.ptr<f32> -> i64")
            away, back = self.new("z"), self.new("z")
            self.say(f"{away} = arith.subi {z}, {w} : i64")
            self.say(f"{back} = arith.addi {away}, {w} : i64")
            z = back
        self.say(f"{p} = tt.int_to_ptr {z} : i64 -> !tt.ptr<i8>")
        self.say(f"{v} = tt.load {p} : !tt.ptr<i8>")
        if self.draw.random() < 0.5:
            self.say(f"tt.store {p}, {v} : !tt.ptr<i8>")

    def choose(self, scope: list[str], level: int) -> None:
        """Access one of two tensors of addresses."""
        p, q, name = self.pointers("a", scope, 1), self.pointers("b", scope, 1), self.new("p")
        type = "tensor<8x!tt.ptr<f32>>"
        self.say(f"{name} = arith.select {self.condition(scope)}, {p}, {q} : {type}")
        if self.draw.random() < 0.5:
            self.say(f"tt.store {name}, {self.values('f32')} : {type}")
        else:
            self.say(f"{self.new('v')} = tt.load {name} : {type}")

    def descriptor(self, scope: list[str], level: int) -> None:
        """Access a matrix through a descriptor, partly outside of it."""
        rows, row, column = (self.scalar(scope, 2) for _ in range(3))
        d, stride, one = self.new("d"), self.new("x"), self.new("x")
        pointer = self.draw.choice("ab")
        gathers = self.draw.random() < 0.3
        type = f"!tt.tensordesc<{1 if gathers else 2}x8xf32>"
        self.say(f"{stride} = arith.constant {self.draw.choice((8, 16))} : i64")
        self.say(f"{one} = arith.constant 1 : i64")
        self.say(
            f"{d} = tt.make_tensor_descriptor %{pointer}, [{rows}, %c8], [{stride}, {one}] : "
            f"!tt.ptr<f32>, {type}"
        )
        v = self.new("v")
        if gathers:
            x, wide = self.offsets(scope, 2), "tensor<8x8xf32>"
            self.say(
                f"{v} = tt.descriptor_gather {d}[{x}, {column}] : ({type}, {I32}, i32) -> {wide}"
            )
            if self.draw.random() < 0.5:
                at = f"{d}[{x}, {column}], {v} : {type}, {I32}, i32, {wide}"
                self.say(f"tt.descriptor_scatter {at}")
            return
        at, tile = f"{d}[{row}, {column}]", "tensor<2x8xf32>"
        self.say(f"{v} = tt.descriptor_load {at} : {type} -> {tile}")
        kind = self.draw.choice(("load", "store", "reduce"))
        if kind == "store":
            self.say(f"tt.descriptor_store {at}, {v} : {type}, {tile}")
        if kind == "reduce":
            self.say(f"tt.descriptor_reduce add, {at}, {v} : {type}, {tile}")

    def swap(self, scope: list[str], level: int) -> None:
        """Compare and swap one element."""
        p, name = self.new("p"), self.new("v")
        self.say(f"{p} = tt.addptr %c, {self.scalar(scope)} : !tt.ptr<i32>, i32")
        order = "acq_rel, gpu"
        self.say(f"{name} = tt.atomic_cas {order}, {p}, %c1, %c2 : (!tt.ptr<i32>, i32, i32) -> i32")

    # --- control ----------------------------------------------------------------------

    def body(self, scope: list[str], level: int) -> None:
        for _ in range(self.draw.randint(1, 2)):
            self.statement(scope, level + 1)

    def branch(self, scope: list[str], level: int) -> None:
        self.say(f"scf.if {self.condition(scope)} {{")
        self.body(list(scope), level)
        if self.draw.random() < 0.4:
            self.say("} else {")
            self.body(list(scope), level)
        self.say("}")

    def loop(self, scope: list[str], level: int) -> None:
        i, carried, result = self.new("i"), self.new("k"), self.new("l")
        begin = self.draw.choice(("%c0", "%c1", "%pid", "%n"))
        end = self.draw.choice(("%c2", "%c3", "%n", "%m"))
        step = self.draw.choice(("%c1", "%c2"))
        unsigned = "unsigned " if self.draw.random() < 0.1 and begin != "%n" and end != "%n" else ""
        self.say(
            f"{result} = scf.for {unsigned}{i} = {begin} to {end} step {step} "
            f"iter_args({carried} = {self.scalar(scope, 1)}) -> (i32) : i32 {{"
        )
        inner = [*scope, i, carried]
        self.body(inner, level)
        self.say(f"scf.yield {self.scalar(inner, 1)} : i32")
        self.say("}")
        scope.append(result)

    def repeat(self, scope: list[str], level: int) -> None:
        i, j, b, k, result = (self.new(x) for x in "ijbkw")
        self.say(f"{result} = scf.while ({i} = %c0) : (i32) -> i32 {{")
        if self.draw.random() < 0.3:
            self.statement([*scope, i], level + 1)
        self.say(f"{b} = arith.cmpi slt, {i}, %m : i32")
        self.say(f"scf.condition({b}) {i} : i32")
        self.say("} do {")
        self.say(f"^bb0({j}: i32):")
        self.body([*scope, j], level)
        self.say(f"{k} = arith.addi {j}, %c2 : i32")
        self.say(f"scf.yield {k} : i32")
        self.say("}")
        scope.append(result)

    def call(self, scope: list[str], level: int) -> None:
        """Call a function that is not to be inlined and may return early."""
        name = f"f{len(self.functions)}"
        inner = Writer(self.draw.randrange(1 << 30))
        inner.count = 1000 * (len(self.functions) + 1)
        known = [f"%{s}" for s in SCALARS]
        inner.statement(known, 3)
        early = self.draw.random() < 0.4 and level == 0
        arguments = ", ".join(f"%{a}: !tt.ptr<{e}>" for a, e in ARGUMENTS.items())
        body = "\n".join(inner.lines) + "\n"
        if early:
            body = (
                "    %early = arith.cmpi slt, %n, %m : i32\n    cf.cond_br %early, ^bb1, ^bb2\n"
                f"  ^bb1:\n    tt.return\n  ^bb2:\n{body}"
            )
        self.functions.append(
            f"  tt.func private @{name}({arguments}, %n: i32, %m: i32) attributes {{noinline = true}}"
            f" {{\n{HEAD.replace('PIDY', PIDY[0])}{body}    tt.return\n  }}\n"
        )
        types = ", ".join(f"!tt.ptr<{e}>" for e in ARGUMENTS.values())
        x, y = self.scalar(scope, 1), self.scalar(scope, 1)
        pointers = ("%b", "%a") if self.draw.random() < 0.5 else ("%a", "%b")
        self.say(
            f"tt.call @{name}({', '.join(pointers)}, %c, %d, {x}, {y}) : ({types}, i32, i32) -> ()"
        )

    def leave(self, scope: list[str], level: int) -> None:
        """Return early, here and there."""
        condition, out, on = self.condition(scope), self.new("r")[1:], self.new("r")[1:]
        self.say(f"cf.cond_br {condition}, ^{out}, ^{on}")
        self.lines.append(f"  ^{out}:")
        if self.draw.random() < 0.3:
            self.store(list(scope), 3)
        self.say("tt.return")
        self.lines.append(f"  ^{on}:")

    def statement(self, scope: list[str], level: int) -> None:
        choices: list[Callable[[list[str], int], None]] = [
            self.load,
            self.store,
            self.store,
            self.again,
            self.atomic,
            self.narrow,
            self.wide,
            self.number,
            self.choose,
            self.descriptor,
            self.swap,
        ]
        if level < 2:
            choices += [self.loop, self.loop, self.branch, self.repeat, self.call]
        if level == 0:
            choices.append(self.leave)
        self.draw.choice(choices)(scope, level)

    def text(self, *, calls: bool = False) -> str:
        """Return a kernel, over one dimension of the grid or two; with `calls` one that calls."""
        head = HEAD.replace("PIDY", self.draw.choice(PIDY))
        scope = [f"%{s}" for s in SCALARS]
        for _ in range(self.draw.randint(1, 2 if calls else 4)):
            self.statement(scope, 0)
        if calls:
            self.call(scope, 0)
        arguments = ", ".join(f"%{a}: !tt.ptr<{e}>" for a, e in ARGUMENTS.items())
        return (
            f"module {{\n  tt.func public @k({arguments}, %n: i32, %m: i32) {{\n{head}"
            + "\n".join(self.lines)
            + "\n    tt.return\n  }\n"
            + "".join(self.functions)
            + "}\n"
        )


def contradictions(seed: int, *, calls: bool = False) -> tuple[int, list[str]]:
    """Return how many launches of a random kernel ran, and how they contradict its records."""
    text = Writer(seed).text(calls=calls)
    ran, wrong = 0, list[str]()
    for inline in (True, False):
        module = parse_module(text, CONTEXT)
        record = effects.analyze(module, inline=inline)
        assert record.complete, (seed, record.notes)
        times, found = check(module, record, given=LAUNCHES)
        ran += times
        wrong += found
    return ran, wrong


@pytest.mark.parametrize("first", range(0, 48, 8))
def test_running_agrees(first: int):
    ran = 0
    for seed in range(first, first + 8):
        times, wrong = contradictions(seed)
        assert wrong == [], f"seed {seed}\n{Writer(seed).text()}"
        ran += times > 0
    assert ran >= 6


def test_running_calls_agrees():
    ran = 0
    for seed in range(200, 212):
        times, wrong = contradictions(seed, calls=True)
        assert wrong == [], f"seed {seed}\n{Writer(seed).text(calls=True)}"
        ran += times > 0
    assert ran >= 10


def test_bounds_of_large_launches(monkeypatch: pytest.MonkeyPatch):
    """The same where nothing is enumerated."""
    monkeypatch.setattr(footprint, "ENUMERATED", 1)
    for seed in range(100, 112):
        times, wrong = contradictions(seed)
        assert times > 0
        assert wrong == [], f"seed {seed}\n{Writer(seed).text()}"
