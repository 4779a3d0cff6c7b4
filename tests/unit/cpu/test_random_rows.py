"""Loops by rows and parts of kernels that are put together by chance, beside the interpreter."""

import random
from typing import Any

import numpy as np
import pytest

from tests.unit.cpu.conftest import integers_of_places, of_some
from xtriton.cpu.emitter import rows

SIZE, SEEDS = 100, 30
ARGUMENTS = "%o: memref<*xi32>, %base: i32, %k: i32, %limit: i32, %flag: i1, %count: i32"
PREDICATES = ("slt", "sge", "sle", "sgt", "eq", "ne")


class Chance:
    """Puts together what a kernel makes of each place."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.numbers, self.conditions = ["%sum"], ["%flag"]
        self.constants: dict[str, str] = {}

    def constant(self, value: int, type: str = "i32") -> str:
        name = f"%c{value}{type}".replace("-", "m")
        self.constants[name] = f"    {name} = arith.constant {value} : {type}"
        return name

    def made(self, text: str) -> str:
        name = f"%x{len(self.lines)}"
        self.lines.append(f"      {name} = {text}")
        return name

    def number(self) -> str:
        return self.random.choice(["%sum", *self.numbers[-6:]])

    def divide(self) -> str:
        op, divisor = (
            self.random.choice(("divsi", "remsi")),
            self.random.choice((16, 28, 40, 56, 3)),
        )
        return self.made(f"arith.{op} {self.number()}, {self.constant(divisor)} : i32")

    def add(self) -> str:
        other = self.random.choice((self.constant(self.random.randint(-5, 5)), "%k", self.number()))
        return self.made(f"arith.addi {self.number()}, {other} : i32")

    def multiply(self) -> str:
        other = self.random.choice((self.constant(self.random.randint(-2, 3)), self.number()))
        return self.made(f"arith.muli {self.number()}, {other} : i32")

    def compare(self) -> str:
        predicate, limit = self.random.choice(PREDICATES), self.random.randint(-3, 60)
        if self.random.random() < 0.3:
            wide = self.made(f"arith.extsi {self.number()} : i32 to i64")
            return self.made(f"arith.cmpi {predicate}, {wide}, {self.constant(limit, 'i64')} : i64")
        other = self.random.choice((self.constant(limit), "%k", "%limit", self.number()))
        return self.made(f"arith.cmpi {predicate}, {self.number()}, {other} : i32")

    def both(self) -> str:
        pair = (self.random.choice(self.conditions) for _ in range(2))
        return self.made(f"arith.andi {', '.join(pair)} : i1")

    def clamp(self) -> str:
        if self.random.random() < 0.3:
            return self.made(f"math.absi {self.number()} : i32")
        bound = self.random.choice((self.constant(self.random.randint(-3, 60)), "%k", "%limit"))
        op = self.random.choice(("minsi", "maxsi"))
        return self.made(f"arith.{op} {self.number()}, {bound} : i32")

    def choose(self) -> str:
        condition = self.random.choice(self.conditions)
        return self.made(f"arith.select {condition}, {self.number()}, {self.number()} : i32")

    def branch(self) -> str:
        condition = self.random.choice(self.conditions)
        short = [self.made(f"arith.trunci {self.number()} : i32 to i16") for _ in range(2)]
        arms = [f"{{\n      scf.yield {one} : i16\n      }}" for one in short]
        found = self.made(f"scf.if {condition} -> (i16) {' else '.join(arms)}")
        return self.made(f"arith.extsi {found} : i16 to i32")

    def kernel(self) -> str:
        """Return a kernel whose results tell of all that is made."""
        of_numbers = (
            *(self.divide, self.divide, self.add, self.multiply),
            *(self.clamp, self.choose, self.branch),
        )
        for _ in range(self.random.randint(8, 22)):
            if self.random.random() < 0.3:
                self.conditions.append(self.random.choice((self.compare, self.both))())
            else:
                self.numbers.append(self.random.choice(of_numbers)())
        total = "%sum"
        for condition in self.conditions:
            total = self.made(f"arith.muli {total}, {self.constant(3)} : i32")
            bit = self.made(f"arith.extui {condition} : i1 to i32")
            total = self.made(f"arith.addi {total}, {bit} : i32")
        for number in self.numbers:
            total = self.made(f"arith.xori {total}, {number} : i32")
        constants = "\n".join(self.constants.values())
        return integers_of_places(SIZE, constants, "\n".join(self.lines), total)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_as_in_the_interpreter(check: Any, monkeypatch: pytest.MonkeyPatch, seed: int):
    chance = Chance(seed)
    kernel, values = chance.kernel(), chance.random
    if seed % 3 == 0:
        kernel = of_some(kernel, SIZE)
    if seed % 2 == 0:
        monkeypatch.setattr(rows, "LONG", rows.SHORTEST)
    for base in (0, -37, values.randint(0, 5000), (1 << 31) - 60, -(1 << 31)):
        limit = values.choice((0, 20, values.randint(-50, 5050)))
        flag, count = bool(values.getrandbits(1)), values.choice((0, 1, 37, SIZE))
        array = np.full(SIZE, -7, np.int32)
        check(ARGUMENTS, kernel, [array, base, values.randint(-4, 9), limit, flag, count])
