"""
Makes valid modules that nobody would write: ops at random, each on what came last.

    python scripts/adversarial_random.py SEED SIZE > module.mlir

An op takes the newest values of its types more often than others, twice where it can, so that
formulas, masks and pointers build on each other; loops and branches carry them on.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from random import Random

TYPES = {
    "i": "i32",
    "l": "i64",
    "b": "i1",
    "f": "f32",
    "p": "!tt.ptr<f32>",
    "I": "tensor<16xi32>",
    "B": "tensor<16xi1>",
    "F": "tensor<16xf32>",
    "P": "tensor<16x!tt.ptr<f32>>",
    "J": "tensor<16x16xi32>",
    "C": "tensor<16x16xi1>",
    "G": "tensor<16x16xf32>",
    "Q": "tensor<16x16x!tt.ptr<f32>>",
    "H": "tensor<16x16xf16>",
    "T": "!tt.ptr<tensor<16x16xf32>>",
    "D": "!tt.tensordesc<tensor<16x16xf32>>",
}
"""Types by a letter: of a scalar, of a block, and of one of two dimensions."""

MASKS = {"I": "B", "F": "B", "P": "B", "J": "C", "G": "C", "Q": "C"}
BLOCKS = {"I": "i", "B": "b", "F": "f", "P": "p", "J": "i", "C": "b", "G": "f", "Q": "p"}
PARAMETERS = {"%p": "p", "%q": "p", "%x": "i", "%y": "i", "%n": "l", "%c": "b", "%z": "f"}
NUMBERS = (0, 1, -1, 2, 3, 7, 16, 64, 255, 1 << 16, (1 << 31) - 1, -(1 << 31))
INTEGER_OPS = (
    *("addi", "subi", "muli", "muli", "andi", "ori", "xori", "shli", "shrsi", "shrui"),
    *("divsi", "remsi", "divui", "remui", "floordivsi", "ceildivsi"),
    *("maxsi", "minsi", "maxui", "minui"),
)
CARRIED = "ilpIFPJGQT"


def _operations() -> list[tuple[str, str]]:
    """Return the type of a result, "" for none, and the op; `{i}` is a value of type `i`."""
    found: list[tuple[str, str]] = []
    for key in "ilIJ":
        same = f"{{{key}}}, {{{key}}} : {TYPES[key]}"
        found += [(key, f"arith.{op} {same}") for op in INTEGER_OPS]
    for key, mask in (("i", "b"), ("I", "B"), ("J", "C"), ("l", "b")):
        for predicate in ("slt", "sge", "eq", "ne", "ult", "ugt"):
            found.append((mask, f"arith.cmpi {predicate}, {{{key}}}, {{{key}}} : {TYPES[key]}"))
    for key in "bBC":
        for op in ("andi", "ori", "xori"):
            found.append((key, f"arith.{op} {{{key}}}, {{{key}}} : {TYPES[key]}"))
    for key in "fFG":
        for op in ("addf", "subf", "mulf", "divf", "maximumf", "minnumf"):
            found.append((key, f"arith.{op} {{{key}}}, {{{key}}} : {TYPES[key]}"))
        found.append((key, f"math.exp {{{key}}} : {TYPES[key]}"))
    for key, mask in MASKS.items():
        choice = f"arith.select {{{mask}}}, {{{key}}}, {{{key}}} : {TYPES[mask]}, {TYPES[key]}"
        found.append((key, choice))
    for key in "ilfpTD":
        found.append((key, f"arith.select {{b}}, {{{key}}}, {{{key}}} : {TYPES[key]}"))
    for key, scalar in BLOCKS.items():
        found.append((key, f"tt.splat {{{scalar}}} : {TYPES[scalar]} -> {TYPES[key]}"))
    for pointer, offset in (("p", "i"), ("p", "l"), ("P", "I"), ("Q", "J")):
        types = f"{TYPES[pointer]}, {TYPES[offset]}"
        found += [(pointer, f"tt.addptr {{{pointer}}}, {{{offset}}} : {types}")] * 3
    for pointer, value, mask in (("p", "f", "b"), ("P", "F", "B"), ("Q", "G", "C")):
        kind = TYPES[pointer]
        found += [
            (value, f"tt.load {{{pointer}}} : {kind}"),
            (value, f"tt.load {{{pointer}}}, {{{mask}}}, {{{value}}} : {kind}"),
            ("", f"tt.store {{{pointer}}}, {{{value}}} : {kind}"),
            ("", f"tt.store {{{pointer}}}, {{{value}}}, {{{mask}}} : {kind}"),
            (
                value,
                f"tt.atomic_rmw fadd, acq_rel, gpu, {{{pointer}}}, {{{value}}}, {{{mask}}} : "
                f"({kind}, {TYPES[value]}, {TYPES[mask]}) -> {TYPES[value]}",
            ),
        ]
    for small, large in (("I", "J"), ("F", "G"), ("P", "Q")):
        element = TYPES[small].removeprefix("tensor<16x").removesuffix(">")
        for axis, shape in ((0, "1x16"), (1, "16x1")):
            row = f"tensor<{shape}x{element}>"
            found.append(
                (
                    large,
                    f"tt.expand_dims {{{small}}} {{axis = {axis} : i32}} : "
                    f"{TYPES[small]} -> {row}\n"
                    f"{{new}} = tt.broadcast {{old}} : {row} -> {TYPES[large]}",
                )
            )
        order = "{order = array<i32: 1, 0>}"
        found.append((large, f"tt.trans {{{large}}} {order} : {TYPES[large]} -> {TYPES[large]}"))
    for op, axis, block, row in (
        ("addf", 1, "G", "F"),
        ("maxnumf", 0, "G", "F"),
        ("addi", 0, "J", "I"),
        ("minsi", 0, "I", "i"),
    ):
        element = "f32" if op.endswith("f") else "i32"
        body = (
            f'"tt.reduce"({{{block}}}) <{{axis = {axis} : i32}}> ({{\n'
            f"^bb0(%l: {element}, %r: {element}):\n"
            f"%s = arith.{op} %l, %r : {element}\ntt.reduce.return %s : {element}\n"
            f"}}) : ({TYPES[block]}) -> {TYPES[row]}"
        )
        found.append((row, body))
    return [*found, *_OTHERS]


_SCAN = (
    '"tt.scan"({I}) <{axis = 0 : i32, reverse = false}> ({\n'
    "^bb0(%l: i32, %r: i32):\n%s = arith.addi %l, %r : i32\ntt.scan.return %s : i32\n"
    "}) : (tensor<16xi32>) -> tensor<16xi32>"
)
_OTHERS = [
    ("i", "tt.get_program_id x : i32"),
    ("i", "tt.get_program_id y : i32"),
    ("i", "tt.get_num_programs x : i32"),
    ("I", "tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>"),
    ("I", "tt.make_range {end = 32 : i32, start = 16 : i32} : tensor<16xi32>"),
    ("I", _SCAN),
    ("I", "arith.fptosi {F} : tensor<16xf32> to tensor<16xi32>"),
    ("F", "arith.sitofp {I} : tensor<16xi32> to tensor<16xf32>"),
    ("i", "arith.trunci {l} : i64 to i32"),
    ("l", "arith.extsi {i} : i32 to i64"),
    ("l", "arith.extui {i} : i32 to i64"),
    ("l", "tt.ptr_to_int {p} : !tt.ptr<f32> -> i64"),
    ("p", "tt.int_to_ptr {l} : i64 -> !tt.ptr<f32>"),
    ("i", "arith.extui {b} : i1 to i32"),
    ("I", "arith.extui {B} : tensor<16xi1> to tensor<16xi32>"),
    ("H", "arith.truncf {G} : tensor<16x16xf32> to tensor<16x16xf16>"),
    ("G", "arith.extf {H} : tensor<16x16xf16> to tensor<16x16xf32>"),
    ("G", f"tt.dot {{H}}, {{H}}, {{G}} : {TYPES['H']} * {TYPES['H']} -> {TYPES['G']}"),
    (
        "T",
        "tt.make_tensor_ptr {p}, [{l}, {l}], [{l}, {l}], [{i}, {i}] "
        "{order = array<i32: 1, 0>} : <tensor<16x16xf32>>",
    ),
    ("T", "tt.advance {T}, [{i}, {i}] : <tensor<16x16xf32>>"),
    ("G", "tt.load {T} : !tt.ptr<tensor<16x16xf32>>"),
    ("G", "tt.load {T} {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf32>>"),
    ("", "tt.store {T}, {G} {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<16x16xf32>>"),
    ("D", "tt.make_tensor_descriptor {p}, [{i}, {i}], [{l}, {l}] : <f32>, <tensor<16x16xf32>>"),
    ("G", f"tt.descriptor_load {{D}}[{{i}}, {{i}}] : {TYPES['D']} -> {TYPES['G']}"),
    ("", f"tt.descriptor_store {{D}}[{{i}}, {{i}}], {{G}} : {TYPES['D']}, {TYPES['G']}"),
]
OPERATIONS = _operations()


@dataclass
class _Writer:
    random: Random
    pointers: str
    """Which of tensor pointers and descriptors there are: no release has both for long."""
    lines: list[str] = field(default_factory=list[str])
    values: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    names: int = 0
    callees: list[str] = field(default_factory=list[str])

    def function(self, name: str, size: int, visibility: str) -> None:
        """Write a function of about `size` ops."""
        self.values = {}
        for parameter, key in PARAMETERS.items():
            self.values.setdefault(key, []).append(parameter)
        types = ", ".join(f"{name}: {TYPES[key]}" for name, key in PARAMETERS.items())
        self.lines.append(f"tt.func {visibility} @{name}({types}) {{")
        self.block(size, 0)
        value = self.value("f")
        self.lines += [f"tt.store %q, {value} : !tt.ptr<f32>", "tt.return", "}"]
        self.callees.append(name)

    def block(self, size: int, depth: int) -> None:
        """Write about `size` ops into the block at hand."""
        end = len(self.lines) + size
        while len(self.lines) < end:
            chance = self.random.random()
            left = end - len(self.lines)
            if chance < 0.03 and left > 3 and depth < 12:
                self.loop(self.random.randrange(1, left), depth)
            elif chance < 0.06 and left > 3 and depth < 12:
                self.branch(self.random.randrange(1, left), depth)
            elif chance < 0.07 and self.callees:
                self.call()
            elif chance < 0.15:
                self.constant()
            else:
                self.operation(*self.random.choice(OPERATIONS))

    def operation(self, key: str, text: str) -> None:
        """Write an op, unless it is of the kind of pointers that this module has not."""
        unwanted = "D" if self.pointers == "T" else "T"
        if key == unwanted or f"{{{unwanted}}}" in text:
            return
        for wanted in TYPES:
            while f"{{{wanted}}}" in text:
                text = text.replace(f"{{{wanted}}}", self.value(wanted), 1)
        first, _, second = text.partition("\n{new}")
        if not key:
            self.lines.append(text)
        elif second:
            old = self.name()
            self.lines.append(f"{old} = {first}")
            self.result(key, second.replace("{old}", old).removeprefix(" = "))
        else:
            self.result(key, text)

    def constant(self) -> None:
        """Write a constant of integers, scalar or dense."""
        key = self.random.choice("iilIJ")
        number = self.random.choice(NUMBERS)
        dense = f"dense<{number}>" if key in "IJ" else str(number)
        self.result(key, f"arith.constant {dense} : {TYPES[key]}")

    def call(self) -> None:
        """Write a call of a function that was written before."""
        values = ", ".join(self.value(key) for key in PARAMETERS.values())
        types = ", ".join(TYPES[key] for key in PARAMETERS.values())
        self.lines.append(
            f"tt.call @{self.random.choice(self.callees)}({values}) : ({types}) -> ()"
        )

    def loop(self, size: int, depth: int) -> None:
        """Write a loop that carries some values."""
        bounds = [self.value("i") for _ in range(2)]
        step = self.result("i", f"arith.constant {self.random.choice((1, 1, 1, 2, 16))} : i32")
        keys = self.carried()
        starts = [self.value(key) for key in keys]
        outside = {key: list(values) for key, values in self.values.items()}
        index, names = self.name(), [self.name() for _ in keys]
        carried = ", ".join(f"{n} = {s}" for n, s in zip(names, starts, strict=True))
        types = ", ".join(TYPES[key] for key in keys)
        self.values["i"].append(index)
        for key, name in zip(keys, names, strict=True):
            self.values[key].append(name)
        result = self.name()
        self.lines.append(
            f"{result}:{len(keys)} = scf.for {index} = {bounds[0]} to {bounds[1]} step {step} "
            f"iter_args({carried}) -> ({types}) : i32 {{"
        )
        self.block(size, depth + 1)
        self.lines += [f"scf.yield {', '.join(map(self.value, keys))} : {types}", "}"]
        self.after(outside, result, keys)

    def branch(self, size: int, depth: int) -> None:
        """Write a branch of two sides that give some values."""
        condition, keys = self.value("b"), self.carried()
        types = ", ".join(TYPES[key] for key in keys)
        for key in keys:
            self.value(key)
        outside = {key: list(values) for key, values in self.values.items()}
        result = self.name()
        self.lines.append(f"{result}:{len(keys)} = scf.if {condition} -> ({types}) {{")
        for end in ("} else {", "}"):
            self.values = {key: list(values) for key, values in outside.items()}
            self.block(size // 2, depth + 1)
            self.lines += [f"scf.yield {', '.join(map(self.value, keys))} : {types}", end]
        self.after(outside, result, keys)

    def carried(self) -> list[str]:
        """Return the types of values that a loop or branch carries."""
        keys = CARRIED.replace("T", self.pointers)
        return [self.random.choice(keys) for _ in range(self.random.randrange(1, 5))]

    def after(self, outside: dict[str, list[str]], result: str, keys: list[str]) -> None:
        """Go on behind a region, whose results are known from here."""
        self.values = outside
        for number, key in enumerate(keys):
            self.values.setdefault(key, []).append(f"{result}#{number}")

    def value(self, key: str) -> str:
        """Return a value of a type, most often the newest; makes one where there is none."""
        known = self.values.get(key)
        if not known:
            makers = [text for result, text in OPERATIONS if result == key and "\n" not in text]
            text = next((t for t in makers if f"{{{key}}}" not in t), makers[0])
            self.operation(key, text)
            known = self.values[key]
        if self.random.random() < 0.6:
            return known[-1]
        return self.random.choice(known)

    def result(self, key: str, text: str) -> str:
        name = self.name()
        self.lines.append(f"{name} = {text}")
        self.values.setdefault(key, []).append(name)
        return name

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"


def module(random: Random, size: int) -> str:
    """Return the text of a module of about `size` ops, up to four functions."""
    writer = _Writer(random, random.choice("TD"))
    functions = random.randrange(1, 5)
    writer.lines.append("module {")
    for number in range(functions):
        last = number == functions - 1
        visibility = "public" if last or random.random() < 0.3 else "private"
        writer.function(f"f{number}", max(1, size // functions), visibility)
    return "\n".join((*writer.lines, "}", ""))


if __name__ == "__main__":
    sys.stdout.write(module(Random(int(sys.argv[1])), int(sys.argv[2])))
