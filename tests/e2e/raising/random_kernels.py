"""
Random kernels with pointer arithmetic, as Triton IR, and launches for them.

A kernel loads from random addresses under random masks and stores what it read at places of
its own, so that nothing hides which lane reads where; or it stores offsets at random
addresses. Around that are loops and branches that move pointers along.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from xtriton.interpreter.arguments import Endless
from xtriton.interpreter.contents import Contents
from xtriton.judge.launches.draws import Draw

Shape = tuple[int, ...]

P = "!tt.ptr<f32>"
POINTERS = ("a", "b", "dst", "out")
NUMBERS = ("n", "m", "s", "d")
"""The last is divided by, and never 0."""

SHAPES: tuple[Shape, ...] = ((16,), (32,), (4, 8), (8, 4), (1, 16), (16, 1), (2, 4, 8), (4, 1, 4))
CONSTANTS = (0, 1, 2, 3, 5, 8, 16, -1, -4)
DIVISORS = (2, 3, 4, 7, 8, 16)
WIDTHS = (5, 6, 7, 11, 13)
"""Of rows, of which some blocks reach two, some three or four, and some more."""
PREDICATES = ("slt", "sle", "sgt", "sge", "eq", "ne", "ult")


def tensor_type(shape: Shape, element: str) -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


class RandomKernel:
    """Writes one kernel; equal seeds write equal kernels."""

    def __init__(self, seed: int):
        self.draw = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.places = 0
        self.numbers = [f"%{name}" for name in NUMBERS[:-1]] + ["%pid"]
        """Scalars that may be used here, as the two lists below."""

        self.pointers = ["%a", "%b"]
        self.blocks: list[tuple[Shape, str]] = []
        """Tensors of pointers."""

        self.iterations: list[str] = []

    def text(self) -> str:
        """Return the kernel."""
        for _ in range(self.draw.randint(1, 2)):
            self.statement(0)
        pointers = [f"%{p}: {P} {{tt.divisibility = 16 : i32}}" for p in POINTERS]
        numbers = [f"%{n}: i32" for n in NUMBERS]
        body = "\n".join(self.lines)
        return (
            f"tt.func public @kernel({', '.join([*pointers, *numbers])}) {{\n"
            f"%pid = tt.get_program_id x : i32\n{body}\ntt.return\n}}\n"
        )

    def new(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def op(self, text: str) -> str:
        name = self.new()
        self.lines.append(f"{name} = {text}")
        return name

    def chance(self, probability: float) -> bool:
        return self.draw.random() < probability

    # --- scalars and tensors of integers ------------------------------------------------

    def constant(self, number: int, shape: Shape | None = None) -> str:
        if shape is None:
            return self.op(f"arith.constant {number} : i32")
        return self.op(f"arith.constant dense<{number}> : {tensor_type(shape, 'i32')}")

    def scalar(self, depth: int = 0) -> str:
        if depth > 1 or self.chance(0.5):
            if self.chance(0.3):
                return self.constant(self.draw.choice(CONSTANTS))
            return self.draw.choice(self.numbers)
        kind = self.draw.choice(("addi", "subi", "muli", "minsi", "maxsi", "divsi", "remsi", "if"))
        x = self.scalar(depth + 1)
        if kind == "if":
            return self.op(f"arith.select {self.condition()}, {x}, {self.scalar(depth + 1)} : i32")
        if kind == "muli":
            y = self.constant(self.draw.choice(CONSTANTS))
        else:
            y = self.divisor() if kind in ("divsi", "remsi") else self.scalar(depth + 1)
        return self.op(f"arith.{kind} {x}, {y} : i32")

    def divisor(self) -> str:
        return self.constant(self.draw.choice(DIVISORS)) if self.chance(0.7) else "%d"

    def condition(self) -> str:
        x, y = self.scalar(2), self.scalar(2)
        return self.op(f"arith.cmpi {self.draw.choice(PREDICATES)}, {x}, {y} : i32")

    def splat(self, value: str, shape: Shape, element: str = "i32") -> str:
        return self.op(f"tt.splat {value} : {element} -> {tensor_type(shape, element)}")

    def vector(self, size: int) -> str:
        """Return numbers that walk along one dimension, more or less evenly."""
        value = self.op(
            f"tt.make_range {{end = {size} : i32, start = 0 : i32}} : {tensor_type((size,), 'i32')}"
        )
        if self.chance(0.2):
            return self.rows(value, (size,))
        for _ in range(self.draw.choice((0, 1, 1, 2, 3))):
            value = self.moved(value, (size,))
        return value

    def rows(self, value: str, shape: Shape) -> str:
        """Return a linear index taken apart by the width of rows, forwards or backwards."""
        type, size = tensor_type(shape, "i32"), self.constant(shape[0])
        start = self.splat(self.op(f"arith.muli %pid, {size} : i32"), shape)
        value = self.op(f"arith.addi {start}, {value} : {type}")
        if self.chance(0.3):
            value = self.op(f"arith.subi {self.constant(1 << 16, shape)}, {value} : {type}")
        width = self.constant(self.draw.choice(WIDTHS), shape)
        row = self.op(f"arith.divsi {value}, {width} : {type}")
        total = self.op(
            f"arith.muli {row}, {self.constant(self.draw.choice(CONSTANTS), shape)} : {type}"
        )
        if self.chance(0.3):
            return total
        column = self.op(f"arith.remsi {value}, {width} : {type}")
        return self.op(f"arith.addi {total}, {column} : {type}")

    def moved(self, value: str, shape: Shape) -> str:
        """Return a tensor after one op with something that is the same in all lanes."""
        kind = self.draw.choice(
            (
                "addi",
                "addi",
                "addi",
                "back",
                "muli",
                "muli",
                "xori",
                "divsi",
                "remsi",
                "minsi",
                "split",
            )
        )
        if kind == "split":
            return self.split(value, shape)
        other = self.splat(self.scalar(1), shape)
        if kind in ("divsi", "remsi"):
            other = self.splat(self.divisor(), shape)
        elif kind == "muli":
            other = self.constant(self.draw.choice(CONSTANTS), shape)
        elif kind == "xori":
            other = self.constant(self.draw.choice((1, 3, 7, 15)), shape)
        elif kind == "back":
            kind, value, other = "subi", other, value
        return self.op(f"arith.{kind} {value}, {other} : {tensor_type(shape, 'i32')}")

    def split(self, value: str, shape: Shape) -> str:
        """Return quotient and remainder by one number, each times a number of its own."""
        type, divisor = tensor_type(shape, "i32"), self.splat(self.divisor(), shape)
        total = None
        for kind in ("divsi", "remsi"):
            part = self.op(f"arith.{kind} {value}, {divisor} : {type}")
            factor = self.constant(self.draw.choice(CONSTANTS), shape)
            part = self.op(f"arith.muli {part}, {factor} : {type}")
            total = part if total is None else self.op(f"arith.addi {total}, {part} : {type}")
        assert total is not None
        return total

    def along(self, shape: Shape, dim: int) -> str:
        """Return a tensor of a shape that changes in one dimension."""
        value, own = self.vector(shape[dim]), (shape[dim],)
        for axis in range(len(shape)):
            if axis != dim:
                wider = (*own[:axis], 1, *own[axis:])
                types = f"{tensor_type(own, 'i32')} -> {tensor_type(wider, 'i32')}"
                value = self.op(f"tt.expand_dims {value} {{axis = {axis} : i32}} : {types}")
                own = wider
        if own == shape:
            return value
        types = f"{tensor_type(own, 'i32')} -> {tensor_type(shape, 'i32')}"
        return self.op(f"tt.broadcast {value} : {types}")

    def tensor(self, shape: Shape, depth: int = 0) -> str:
        kind = self.draw.random() if depth < 2 and len(shape) > 1 else 1.0
        if kind < 0.12:
            order = self.draw.sample(range(len(shape)), len(shape))
            source = tuple(shape[order.index(d)] for d in range(len(shape)))
            types = f"{tensor_type(source, 'i32')} -> {tensor_type(shape, 'i32')}"
            text = ", ".join(map(str, order))
            value = self.tensor(source, depth + 1)
            return self.op(f"tt.trans {value} {{order = array<i32: {text}>}} : {types}")
        if kind < 0.25:
            size = 1
            for n in shape:
                size *= n
            types = f"{tensor_type((size,), 'i32')} -> {tensor_type(shape, 'i32')}"
            return self.op(f"tt.reshape {self.vector(size)} : {types}")
        total = self.along(shape, 0)
        for dim in range(1, len(shape)):
            other = self.along(shape, dim)
            total = self.op(f"arith.addi {total}, {other} : {tensor_type(shape, 'i32')}")
        return self.moved(total, shape) if self.chance(0.2) else total

    def mask(self, shape: Shape, offsets: str, depth: int = 0) -> str:
        kind, type = self.draw.random(), tensor_type(shape, "i1")
        if depth < 2 and kind < 0.4:
            x, y = (self.mask(shape, offsets, depth + 1) for _ in range(2))
            return self.op(f"arith.{'andi' if kind < 0.35 else 'ori'} {x}, {y} : {type}")
        if kind < 0.5:
            return self.splat(self.condition(), shape, "i1")
        dim = self.draw.randrange(len(shape))
        value = offsets if self.chance(0.3) else self.along(shape, dim)
        if self.chance(0.2):
            remainder = self.constant(self.draw.choice(DIVISORS), shape)
            value = self.op(f"arith.remsi {value}, {remainder} : {tensor_type(shape, 'i32')}")
        bound, predicate = self.splat(self.scalar(1), shape), self.draw.choice(PREDICATES)
        compared = f"{value}, {bound} : {tensor_type(shape, 'i32')}"
        return self.op(f"arith.cmpi {predicate}, {compared}")

    # --- memory -------------------------------------------------------------------------

    def pointer(self) -> str:
        base = self.draw.choice(self.pointers)
        if self.chance(0.5):
            return base
        return self.op(f"tt.addptr {base}, {self.scalar(1)} : {P}, i32")

    def pointing(self, base: str, offsets: str, shape: Shape) -> str:
        """Return the tensor of pointers at some offsets from a scalar one."""
        type = tensor_type(shape, P)
        bases = self.splat(base, shape, P)
        return self.op(f"tt.addptr {bases}, {offsets} : {type}, {tensor_type(shape, 'i32')}")

    def addresses(self) -> tuple[Shape, str, str]:
        """Return a shape, pointers and the last offsets they were moved by."""
        if self.blocks and self.chance(0.6):
            shape, pointers = self.draw.choice(self.blocks)
            offsets = self.tensor(shape)
            if self.chance(0.5):
                types = f"{tensor_type(shape, P)}, {tensor_type(shape, 'i32')}"
                pointers = self.op(f"tt.addptr {pointers}, {offsets} : {types}")
            return shape, pointers, offsets
        shape = self.draw.choice(SHAPES)
        offsets = self.tensor(shape)
        return shape, self.pointing(self.pointer(), offsets, shape), offsets

    def own_place(self, base: str, size: int) -> str:
        """Return a pointer to `size` elements that no other op, program or iteration uses."""
        self.places += 1
        at = self.op(f"arith.muli %pid, {self.constant(1 << 18)} : i32")
        at = self.op(f"arith.addi {at}, {self.constant(self.places << 12)} : i32")
        for k, iteration in enumerate(self.iterations):
            step = self.op(f"arith.muli {iteration}, {self.constant(size << 3 * k)} : i32")
            at = self.op(f"arith.addi {at}, {step} : i32")
        return self.op(f"tt.addptr {base}, {at} : {P}, i32")

    def load(self, _: int) -> None:
        shape, pointers, offsets = self.addresses()
        type = tensor_type(shape, P)
        operands = [pointers]
        if self.chance(0.7):
            operands.append(self.mask(shape, offsets))
            if self.chance(0.4):
                other = f"dense<2.5> : {tensor_type(shape, 'f32')}"
                operands.append(self.op(f"arith.constant {other}"))
            elif self.chance(0.4):
                operands.append(self.as_floats(offsets, shape))
        loaded = self.op(f"tt.load {', '.join(operands)} : {type}")
        size = 1
        for n in shape:
            size *= n
        flat = f"tensor<{size}xi32>"
        lanes = self.op(f"tt.make_range {{end = {size} : i32, start = 0 : i32}} : {flat}")
        lanes = self.op(f"tt.reshape {lanes} : {flat} -> {tensor_type(shape, 'i32')}")
        to = self.pointing(self.own_place("%out", size), lanes, shape)
        self.lines.append(f"tt.store {to}, {loaded} : {type}")

    def store(self, _: int) -> None:
        shape = self.draw.choice(SHAPES)
        offsets = self.tensor(shape)
        to = self.pointing(self.own_place("%dst", 0), offsets, shape)
        # lanes of one address store one value, all others different ones
        value, mask = self.as_floats(offsets, shape), self.mask(shape, offsets)
        self.lines.append(f"tt.store {to}, {value}, {mask} : {tensor_type(shape, P)}")

    def as_floats(self, value: str, shape: Shape) -> str:
        types = f"{tensor_type(shape, 'i32')} to {tensor_type(shape, 'f32')}"
        return self.op(f"arith.sitofp {value} : {types}")

    # --- control flow -------------------------------------------------------------------

    def statement(self, depth: int) -> None:
        choices: list[Callable[[int], None]] = [self.load, self.load, self.store]
        if depth < 2:
            choices += [self.for_loop, self.while_loop, self.branch]
        self.draw.choice(choices)(depth)

    def body(self, depth: int) -> None:
        known = list(self.numbers), list(self.pointers), list(self.blocks)
        for _ in range(self.draw.randint(1, 2)):
            self.statement(depth + 1)
        self.numbers, self.pointers, self.blocks = known

    def branch(self, depth: int) -> None:
        self.lines.append(f"scf.if {self.condition()} {{")
        self.body(depth)
        self.lines.append("} else {")
        self.body(depth)
        self.lines.append("}")

    def for_loop(self, depth: int) -> None:
        names, carried = [self.new() for _ in range(4)], self.new()
        shape, types, starts = self.carried()
        first, step = self.constant(0), self.constant(self.draw.choice((1, 2, 16)))
        trips = self.op(f"arith.minsi {self.scalar(1)}, {self.constant(4)} : i32")
        end = self.op(f"arith.muli {trips}, {step} : i32")
        arguments = ", ".join(f"{x} = {y}" for x, y in zip(names[1:], starts, strict=True))
        self.lines.append(
            f"{carried}:3 = scf.for {names[0]} = {first} to {end} step {step} "
            f"iter_args({arguments}) -> ({types}) : i32 {{"
        )
        self.iterations.append(self.op(f"arith.divsi {names[0]}, {step} : i32"))
        following = self.iteration(depth, names, shape)
        self.iterations.pop()
        self.lines += [f"scf.yield {following} : {types}", "}"]
        self.after_loop(carried, 0, shape)

    def while_loop(self, depth: int) -> None:
        names, carried = [self.new() for _ in range(4)], self.new()
        inner = [self.new() for _ in range(4)]
        shape, types, starts = self.carried()
        types = f"i32, {types}"
        trips = self.op(f"arith.minsi {self.scalar(1)}, {self.constant(4)} : i32")
        starts = [self.constant(0), *starts]
        arguments = ", ".join(f"{x} = {y}" for x, y in zip(names, starts, strict=True))
        self.lines.append(f"{carried}:4 = scf.while ({arguments}) : ({types}) -> ({types}) {{")
        goes_on = self.op(f"arith.cmpi slt, {names[0]}, {trips} : i32")
        self.lines += [f"scf.condition({goes_on}) {', '.join(names)} : {types}", "} do {"]
        typed = zip(inner, types.split(", "), strict=True)
        self.lines.append(f"^bb0({', '.join(f'{x}: {t}' for x, t in typed)}):")
        self.iterations.append(inner[0])
        following = self.iteration(depth, inner, shape)
        self.iterations.pop()
        count = self.op(f"arith.addi {inner[0]}, {self.constant(1)} : i32")
        self.lines += [f"scf.yield {count}, {following} : {types}", "}"]
        self.after_loop(carried, 1, shape)

    def carried(self) -> tuple[Shape, str, list[str]]:
        """Return a shape, types and first values: of a number, a pointer and a tensor of those."""
        shape = self.draw.choice(SHAPES)
        block = self.pointing(self.pointer(), self.tensor(shape), shape)
        types = f"i32, {P}, {tensor_type(shape, P)}"
        return shape, types, [self.scalar(), self.pointer(), block]

    def iteration(self, depth: int, names: list[str], shape: Shape) -> str:
        """Write the body of a loop; return what it hands to the next iteration."""
        outside = list(self.numbers), list(self.pointers), list(self.blocks)
        self.numbers += names[:2]
        self.pointers.append(names[2])
        self.blocks.append((shape, names[3]))
        self.body(depth)
        number = self.op(f"arith.addi {names[1]}, {self.scalar(1)} : i32")
        pointer = self.op(f"tt.addptr {names[2]}, {self.scalar(1)} : {P}, i32")
        if self.chance(0.2):
            pointer = self.draw.choice(self.pointers)
        step = self.splat(self.scalar(1), shape) if self.chance(0.8) else self.tensor(shape)
        types = f"{tensor_type(shape, P)}, {tensor_type(shape, 'i32')}"
        block = self.op(f"tt.addptr {names[3]}, {step} : {types}")
        self.numbers, self.pointers, self.blocks = outside
        return f"{number}, {pointer}, {block}"

    def after_loop(self, results: str, first: int, shape: Shape) -> None:
        self.numbers.append(f"{results}#{first}")
        self.pointers.append(f"{results}#{first + 1}")
        self.blocks.append((shape, f"{results}#{first + 2}"))


def launches(seed: int) -> Iterator[Draw]:
    """Yield launches of a kernel: small numbers, many multiples of 16, some not positive."""
    draw = random.Random(seed)
    for k in range(6):
        least = 1 if k % 2 else -20
        memory = [Endless(Contents(seed=draw.randrange(1000))) for _ in POINTERS]
        numbers = [
            draw.choice((draw.randint(least, 40), draw.randint(1, 5), 16 * draw.randint(1, 6)))
            for _ in NUMBERS
        ]
        numbers[-1] = draw.choice((1, 3, 16, draw.randint(1, 40)))
        yield Draw(f"random {k}", (*memory, *numbers), (3, 1, 1), (0, 1, 2))
