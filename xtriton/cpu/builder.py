"""Writes the LLVM IR text of one function: temporaries, blocks, loops, index arithmetic."""

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import reduce
from math import prod

from xtriton.cpu.module import ONE_TURN, Module as Module, functions_in
from xtriton.cpu.types import parted, suffix

Operand = int | str
"""A constant integer, or the name of a register or text of a constant."""

Body = Callable[[Operand, list[str]], Sequence[Operand]]


_NAMED = re.compile(r"%([a-z]+)(\d+)")

MOST_STRIDE = 8
"""Elements from one that a loop touches to the next, which LLVM may load with those between."""
APART = "getelementptr nusw ["
"""How the address of an element begins that is some from that of the last iteration."""
FEW = 4
"""Iterations of an innermost loop that are not worth a loop of their own."""


def _innermost_size(sizes: Sequence[Operand]) -> Operand:
    """Return how often the innermost loop of a nest runs, if loops of one iteration disappear."""
    return next((size for size in reversed(sizes) if size != 1), 1)


def _loads_neighbours(lines: Sequence[str]) -> bool:
    """Return whether a loop loads something, but nothing that lies some elements apart."""
    return any(" = load " in line for line in lines) and not any(APART in line for line in lines)


def is_flattened(sizes: Sequence[Operand]) -> bool:
    """Return whether a nest over `sizes` becomes one loop: of many, the innermost is short."""
    real = [size for size in sizes if size != 1]
    return len(real) > 2 and all(isinstance(size, int) for size in real) and int(real[-1]) <= FEW


class IRBuilder:
    """
    Appends instructions to a function.

    Names are made here and never clash. Index arithmetic is on `i64` and folds constants,
    so that static shapes leave no trace. What must stand in the entry block goes to `entry`.
    """

    def __init__(self, module: Module):
        self.module = module
        self.entry: list[str] = []
        self.lines: list[str] = []
        self.current = "body"
        self.memory_of_values: list[dict[object, Operand]] = [{}]
        """Values that need not be computed again, one table per nested block."""
        self.flat: dict[tuple[Operand, ...], tuple[Operand, tuple[int, ...]]] = {}
        """By the indices of a nest that became one loop: the position, and the sizes."""
        self._below: dict[Operand, set[Operand]] = {}
        """What indices of loops are known to be below, where they are known."""
        self.narrow: dict[Operand, tuple[str, Operand]] = {}
        """By registers of more bits: the integers that they are, with their types and signs."""
        self._is_rare = False
        """Whether what is appended hardly ever runs."""
        self._innermost = ""
        self._strided: dict[Operand, tuple[str, int, tuple[Operand, ...]]] = {}
        """Multiples of the index of an innermost loop: that, the factor, and what is added."""
        self._names = 0
        self._access_group: str | None = None

    # --- instructions -------------------------------------------------------------------

    def name(self, prefix: str = "v") -> str:
        """Return a new name, without sigil."""
        self._names += 1
        return f"{prefix}{self._names}"

    @property
    def names(self) -> int:
        """How many names there are."""
        return self._names

    def is_older(self, operand: Operand, names: int) -> bool:
        """Return whether an operand was there when there were only so many names."""
        if isinstance(operand, int):
            return True
        made = _NAMED.fullmatch(operand)
        return made is not None and (made[1] == "argument" or int(made[2]) <= names)

    def mark(self) -> tuple[int, str]:
        """Return what to go `back_to`."""
        return len(self.lines), self.current

    def back_to(self, mark: tuple[int, str]) -> None:
        """Forget the lines since a mark."""
        count, self.current = mark
        del self.lines[count:]

    def emit(self, line: str) -> None:
        self.lines.append("  " + line)

    def value(self, expression: str) -> str:
        """Append an instruction and return the register that holds its result."""
        result = f"%{self.name()}"
        self.lines.append(f"  {result} = {expression}")
        return result

    def call(
        self, result: str, name: str, arguments: Sequence[tuple[str, Operand]], flags: str = ""
    ) -> str:
        """Call an external function or intrinsic, declaring it; return the result's register."""
        self.module.declare(result, name, [type for type, _ in arguments])
        return self.call_defined(result, name, arguments, flags)

    def call_defined(
        self,
        result: str,
        name: str,
        arguments: Sequence[tuple[str, Operand]],
        flags: str = "",
        *,
        after: str = "",
    ) -> str:
        """Call a function that the module defines, its attributes `after` it; return its result."""
        text = ", ".join(f"{type} {value}" for type, value in arguments)
        parts = ("call", flags, f"{result} @{name}({text})", after)
        call = " ".join(filter(None, parts))
        if result == "void":
            self.emit(call)
            return ""
        return self.value(call)

    def broadcast(self, vector: str, value: Operand) -> str:
        """Return a vector of a type with `value` in all lanes, or that if it is no vector."""
        lanes, element = parted(vector)
        if vector == element:
            return str(value)
        first = self.value(f"insertelement {vector} poison, {element} {value}, i64 0")
        mask = f"<{lanes} x i32> zeroinitializer"
        return self.value(f"shufflevector {vector} {first}, {vector} poison, {mask}")

    def shuffled(self, vector: str, a: Operand, b: Operand, order: Sequence[int]) -> str:
        """Return lanes of two vectors of a type, those of `b` counted behind those of `a`."""
        lanes = ", ".join(f"i32 {lane}" for lane in order)
        mask = f"<{len(order)} x i32> <{lanes}>"
        return self.value(f"shufflevector {vector} {a}, {vector} {b}, {mask}")

    def first_lanes(self, count: Operand, lanes: int, start: int = 0) -> str:
        """Return which lanes of a vector that begins at `start` are among the first `count`."""
        numbers = f"<{lanes} x i32>"
        end = count if isinstance(count, int) else self.value(f"trunc i64 {count} to i32")
        places = ", ".join(f"i32 {start + lane}" for lane in range(lanes))
        return self.value(f"icmp slt {numbers} <{places}>, {self.broadcast(numbers, end)}")

    def load_part(self, vector: str, pointer: str, mask: str, align: int) -> str:
        """Load a vector, with 0 in the lanes that a mask keeps out."""
        arguments: list[tuple[str, Operand]] = [
            (f"ptr align {align}", pointer),
            (f"<{parted(vector)[0]} x i1>", mask),
            (vector, "zeroinitializer"),
        ]
        return self.call(vector, f"llvm.masked.load.{suffix(vector)}.p0", arguments)

    def store_part(self, vector: str, value: str, pointer: str, mask: str, align: int) -> None:
        """Store the lanes of a vector that a mask does not keep out."""
        arguments: list[tuple[str, Operand]] = [
            (vector, value),
            (f"ptr align {align}", pointer),
            (f"<{parted(vector)[0]} x i1>", mask),
        ]
        self.call("void", f"llvm.masked.store.{suffix(vector)}.p0", arguments)

    def load(
        self, type: str, pointer: str, align: int | None = None, *, volatile: bool = False
    ) -> str:
        kind = "load volatile" if volatile else "load"
        return self.value(f"{kind} {type}, ptr {pointer}{self._memory_suffix(align)}")

    def store(self, type: str, value: Operand, pointer: str, align: int | None = None) -> None:
        self.emit(f"store {type} {value}, ptr {pointer}{self._memory_suffix(align)}")

    def copy(self, target: str, source: str, size: Operand, align: int) -> None:
        """Copy `size` bytes between places that do not overlap."""
        name = "llvm.memcpy.p0.p0.i64"
        self.module.declare("void", name, ["ptr", "ptr", "i64", "i1"])
        places = f"ptr align {align} {target}, ptr align {align} {source}"
        self.emit(f"call void @{name}({places}, i64 {size}, i1 false)")

    def clear(self, target: str, size: Operand, align: int) -> None:
        """Set `size` bytes to zero."""
        name = "llvm.memset.p0.i64"
        self.module.declare("void", name, ["ptr", "i8", "i64", "i1"])
        self.emit(f"call void @{name}(ptr align {align} {target}, i8 0, i64 {size}, i1 false)")

    def _memory_suffix(self, align: int | None) -> str:
        suffix = "" if align is None else f", align {align}"
        return (
            suffix
            if self._access_group is None
            else f"{suffix}, !llvm.access.group {self._access_group}"
        )

    # --- index arithmetic ---------------------------------------------------------------

    def add(self, a: Operand, b: Operand) -> Operand:
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if a == 0 or b == 0:
            return b if a == 0 else a
        result = self.value(f"add nsw i64 {a}, {b}")
        for one, other in ((a, b), (b, a)):
            if one in self._strided:
                index, factor, others = self._strided[one]
                self._strided[result] = (index, factor, (*others, other))
                break
        return result

    def sub(self, a: Operand, b: Operand) -> Operand:
        if isinstance(a, int) and isinstance(b, int):
            return a - b
        return a if b == 0 else self.value(f"sub nsw i64 {a}, {b}")

    def mul(self, a: Operand, b: Operand) -> Operand:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if a == 1:
            return b
        if b == 1:
            return a
        if a == 0 or b == 0:
            return 0
        result = self.value(f"mul nsw i64 {a}, {b}")
        if a == self._innermost and isinstance(b, int) and 1 < b <= MOST_STRIDE:
            self._strided[result] = (self._innermost, b, ())
        return result

    def div(self, a: Operand, b: int) -> Operand:
        """Divide a non-negative index by a constant."""
        if isinstance(a, int):
            return a // b
        return a if b == 1 else self.value(f"udiv i64 {a}, {b}")

    def rem(self, a: Operand, b: int) -> Operand:
        """Return the remainder of a non-negative index by a constant."""
        if isinstance(a, int):
            return a % b
        return 0 if b == 1 else self.value(f"urem i64 {a}, {b}")

    def product(self, factors: Sequence[Operand]) -> Operand:
        result: Operand = 1
        for factor in factors:
            result = self.mul(result, factor)
        return result

    def equal(self, a: Operand, b: Operand) -> str:
        """Return `a == b` as an i1: "true", "false" or a register."""
        if a == b:
            return "true"
        if isinstance(a, int) and isinstance(b, int):
            return "false"
        return self.value(f"icmp eq i64 {a}, {b}")

    def less(self, a: Operand, b: Operand) -> str:
        """Return `a < b` as an i1: "true", "false" or a register."""
        if isinstance(a, int) and isinstance(b, int):
            return "true" if a < b else "false"
        return "true" if self.is_below(a, b) else self.value(f"icmp slt i64 {a}, {b}")

    def is_below(self, index: Operand, end: Operand) -> bool:
        """Return whether the index of a loop is known to be below something."""
        return end in self._below.get(index, ())

    def note_below(self, index: Operand, *ends: Operand) -> None:
        """Note what an index, which is no constant, is below wherever it is known."""
        assert isinstance(index, str)
        self._below.setdefault(index, set()).update(ends)

    def least(self, a: Operand, b: Operand) -> Operand:
        return self._extremum(min, "llvm.smin.i64", a, b)

    def most(self, a: Operand, b: Operand) -> Operand:
        return self._extremum(max, "llvm.smax.i64", a, b)

    def _extremum(
        self, known: Callable[[int, int], int], name: str, a: Operand, b: Operand
    ) -> Operand:
        if isinstance(a, int) and isinstance(b, int):
            return known(a, b)
        return self.call("i64", name, [("i64", a), ("i64", b)])

    def chosen(self, condition: str, a: Operand, b: Operand) -> Operand:
        """Return the i64 `a` if a condition holds, else `b`."""
        if condition in ("true", "false"):
            return a if condition == "true" else b
        return self.value(f"select i1 {condition}, i64 {a}, i64 {b}")

    def both(self, a: str, b: str) -> str:
        """Return the conjunction of two i1 values, folding constants."""
        if "false" in (a, b):
            return "false"
        if a == "true":
            return b
        return a if b == "true" else self.value(f"and i1 {a}, {b}")

    def either(self, a: str, b: str) -> str:
        """Return the disjunction of two i1 values, folding constants."""
        if "true" in (a, b):
            return "true"
        if a == "false":
            return b
        return a if b == "false" else self.value(f"or i1 {a}, {b}")

    # --- control flow -------------------------------------------------------------------

    def block(self, label: str) -> None:
        """Start a block; whatever came before must have ended with a branch."""
        self.lines.append(f"{label}:")
        self.current = label

    def branch(self, label: str) -> None:
        self.emit(f"br label %{label}")

    def phi(self, type: str, incoming: Sequence[tuple[Operand, str]]) -> str:
        pairs = ", ".join(f"[ {value}, %{label} ]" for value, label in incoming)
        return self.value(f"phi {type} {pairs}")

    def loop(
        self,
        low: Operand,
        high: Operand,
        step: Operand | Callable[[str], Operand],
        body: Body,
        carried: Sequence[tuple[str, Operand]] = (),
        type: str = "i64",
        annotation: str = "",
        predicate: str = "slt",
        certain: bool = False,
    ) -> list[Operand]:
        """
        Append a counted loop and return the final values of what it carries.

        `carried` gives the LLVM type and initial value of each; `body` gets the induction
        variable and their registers and returns their next values. A `certain` one is known to
        run. A function for `step` appends, behind `body`, what makes the next index of one.
        """
        if isinstance(low, int) and isinstance(high, int) and low < high and predicate == "slt":
            certain = True
        if certain:
            return self._certain_loop(low, high, step, body, carried, type, annotation)
        before = self.current
        header, inside, after = self.name("head"), self.name("loop"), self.name("done")
        induction = f"%{self.name('i')}"
        registers = [f"%{self.name('c')}" for _ in carried]
        self.branch(header)
        self.block(header)
        hole = len(self.lines)
        self.lines.append("")
        condition = self.value(f"icmp {predicate} {type} {induction}, {high}")
        self.emit(f"br i1 {condition}, label %{inside}, label %{after}")
        self.block(inside)
        with self.scope(), self._inside(induction):
            results = body(induction, registers)
        following = self._following(type, induction, step)
        latch = self.current
        self.emit(f"br label %{header}{annotation}")
        phis = [f"  {induction} = phi {type} [ {low}, %{before} ], [ {following}, %{latch} ]"]
        for register, (carried_type, initial), result in zip(
            registers, carried, results, strict=True
        ):
            pairs = f"[ {initial}, %{before} ], [ {result}, %{latch} ]"
            phis.append(f"  {register} = phi {carried_type} {pairs}")
        self.lines[hole] = "\n".join(phis)
        self.block(after)
        return list(registers)

    def _following(
        self, type: str, index: str, step: Operand | Callable[[str], Operand]
    ) -> Operand:
        if callable(step):
            return step(index)
        return self.value(f"add nsw {type} {index}, {step}")

    def index(self, type: str, value: Operand) -> Operand:
        """Return a signed integer of a type in the 64 bits of an index."""
        return value if type == "i64" else self.value(f"sext {type} {value} to i64")

    def none_of(self, count: Operand, holds: Callable[[list[Operand]], str]) -> str:
        """Append a loop, which vectorises; return whether an i1 holds for none of its indices."""
        found = self.alloca("i32", 1, 4)
        self.store("i32", 0, found)

        def look(at: list[Operand]) -> None:
            one = self.value(f"zext i1 {holds(at)} to i32")
            self.store("i32", self.value(f"or i32 {self.load('i32', found)}, {one}"), found)

        self.nest([count], look)
        return self.value(f"icmp eq i32 {self.load('i32', found)}, 0")

    def in_parts(
        self,
        size: Operand,
        write: Callable[[str, list[str]], Sequence[Operand]],
        label: str,
        carried: Sequence[tuple[str, Operand]] = (),
    ) -> None:
        """
        Append a loop over parts of 0 to `size`, of which there is one at least.

        `write` gets where a part begins and the registers of what is `carried`, as in `loop`; it
        writes the part, and returns where it ends and the next values of the others.
        """
        before, part, done = self.current, self.name(label), self.name("done")
        starts = [("i64", 0), *carried]
        registers = [f"%{self.name('start')}", *(f"%{self.name('c')}" for _ in carried)]
        self.branch(part)
        self.block(part)
        hole = len(self.lines)
        self.lines.append("")
        with self.scope():
            ends = write(registers[0], registers[1:])
        again = self.less(ends[0], size)
        phis = (
            f"  {register} = phi {type} [ {first}, %{before} ], [ {end}, %{self.current} ]"
            for register, (type, first), end in zip(registers, starts, ends, strict=True)
        )
        self.lines[hole] = "\n".join(phis)
        self.emit(f"br i1 {again}, label %{part}, label %{done}")
        self.block(done)

    def _certain_loop(
        self,
        low: Operand,
        high: Operand,
        step: Operand | Callable[[str], Operand],
        body: Body,
        carried: Sequence[tuple[str, Operand]],
        type: str,
        annotation: str,
    ) -> list[Operand]:
        """Append a loop that runs at least once: one block where its body is, for LLVM's sake."""
        before = self.current
        inside, after = self.name("loop"), self.name("done")
        induction = f"%{self.name('i')}"
        registers = [f"%{self.name('c')}" for _ in carried]
        self.branch(inside)
        self.block(inside)
        hole = len(self.lines)
        self.lines.append("")
        with self.scope(), self._inside(induction):
            results = list(body(induction, registers))
        following = self._following(type, induction, step)
        again = self.value(f"icmp slt {type} {following}, {high}")
        latch = self.current
        self.emit(f"br i1 {again}, label %{inside}, label %{after}{annotation}")
        phis = [f"  {induction} = phi {type} [ {low}, %{before} ], [ {following}, %{latch} ]"]
        for register, (carried_type, initial), result in zip(
            registers, carried, results, strict=True
        ):
            pairs = f"[ {initial}, %{before} ], [ {result}, %{latch} ]"
            phis.append(f"  {register} = phi {carried_type} {pairs}")
        self.lines[hole] = "\n".join(phis)
        self.block(after)
        return results

    def nest(
        self,
        sizes: Sequence[Operand],
        body: Callable[[list[Operand]], None],
        *,
        parallel: bool = False,
        innermost: bool = False,
        bounds: tuple[Operand, Operand] | None = None,
        vectors: int = 0,
        ends_in_part: int = 0,
    ) -> None:
        """
        Append a loop nest over `sizes`, row-major; loops of one iteration disappear.

        Many loops of few iterations become one over all positions, which `flat` knows.

        `parallel` promises that iterations do not depend on each other through memory; with
        `innermost` only those of the innermost loop do not. `bounds` are those of the part of the
        innermost loop that is wanted, which is not empty. If it is short and inside of another
        loop, `vectors` says how many it is of, or how many of a part are computed at a time. What
        is left of a part behind vectors of `ends_in_part` elements, if any, is one in part; not
        where elements are some apart, each of which LLVM would load by itself then.
        """
        if self._is_rare:
            once = self.module.add_metadata('!{!"llvm.loop.vectorize.enable", i1 false}')
            loop = self.module.add_metadata(f"distinct !{{@, {once}}}")
            self._nest(list(sizes), [], body, f", !llvm.loop {loop}", bounds)
            return
        group = self.module.add_metadata("distinct !{}") if parallel else None
        loop = annotation = ""
        if group is not None:
            within = not innermost and sum(size != 1 for size in sizes) > 1
            inside = within or (vectors > 0 and bounds is None)
            loop = self.module.add_parallel_loop(group, _innermost_size(sizes), inside=inside)
            annotation = f", !llvm.loop {loop}"
        start, state = len(self.lines), self.mark()
        with self.access_group(group):
            if is_flattened(sizes) and not innermost:
                self._flat_nest([int(size) for size in sizes], body, annotation)
            else:
                self._nest(list(sizes), [], body, annotation, bounds)
        lines = self.lines[start:]
        if loop and (functions := functions_in(lines)):
            self.module.interleave_functions(loop, _innermost_size(sizes), functions, len(lines))
        elif loop and vectors and (bounds or _innermost_size(sizes) in ONE_TURN):
            self.module.interleave(loop, vectors)
        if loop and bounds is not None and ends_in_part and _loads_neighbours(lines):
            self.back_to(state)
            self.module.ends_in_part = True
            with self.access_group(group):
                self._nest_in_whole(list(sizes), body, annotation, bounds, ends_in_part)

    def _nest_in_whole(
        self,
        sizes: list[Operand],
        body: Callable[[list[Operand]], None],
        annotation: str,
        bounds: tuple[Operand, Operand],
        lanes: int,
    ) -> None:
        """
        Append a nest whose innermost loop does whole vectors, not all of which is wanted.

        LLVM would compare indices of 64 bits for such a vector, if it was told to make one itself.
        """
        low, high = bounds
        more = self.add(self.sub(high, low), lanes - 1)
        whole = self.value(f"and i64 {more}, {-lanes}")
        last = self.value(f"trunc i64 {high} to i32")

        def inside(indices: list[Operand]) -> None:
            def wanted() -> tuple[()]:
                body(indices)
                return ()

            at = next(index for index in reversed(indices) if not isinstance(index, int))
            place = self.value(f"trunc i64 {at} to i32")
            self.if_else(self.value(f"icmp slt i32 {place}, {last}"), wanted)

        self._nest(sizes, [], inside, annotation, (low, self.add(low, whole)))

    def _flat_nest(
        self, sizes: Sequence[int], body: Callable[[list[Operand]], None], annotation: str
    ) -> None:
        def inside(position: Operand, _: list[str]) -> Sequence[Operand]:
            indices: list[Operand] = []
            rest = position
            for depth, size in enumerate(reversed(sizes)):
                outermost = depth == len(sizes) - 1
                indices.append(rest if outermost else self.rem(rest, size))
                rest = rest if outermost else self.div(rest, size)
            indices.reverse()
            self.flat[tuple(indices)] = (position, tuple(sizes))
            body(indices)
            return ()

        self.loop(0, prod(sizes), 1, inside, annotation=annotation)

    def _nest(
        self,
        sizes: list[Operand],
        indices: list[Operand],
        body: Callable[[list[Operand]], None],
        annotation: str,
        bounds: tuple[Operand, Operand] | None,
    ) -> None:
        depth = len(indices)
        if depth == len(sizes):
            body(indices)
            return
        if sizes[depth] == 1:
            self._nest(sizes, [*indices, 0], body, annotation, bounds)
            return
        innermost = all(size == 1 for size in sizes[depth + 1 :])

        def inside(index: Operand, _: list[str]) -> Sequence[Operand]:
            self.note_below(index, sizes[depth])
            self._nest(sizes, [*indices, index], body, annotation, bounds)
            return ()

        if innermost and bounds is not None:
            self.loop(*bounds, 1, inside, annotation=annotation, certain=True)
        else:
            self.loop(0, sizes[depth], 1, inside, annotation=annotation if innermost else "")

    @contextmanager
    def _inside(self, induction: str) -> Generator[None]:
        """Be inside of the loop of some index."""
        before, self._innermost = self._innermost, induction
        yield
        self._innermost = before

    @contextmanager
    def rarely(self) -> Generator[None]:
        """What is appended meanwhile hardly ever runs, and is not worth LLVM's time."""
        before, self._is_rare = self._is_rare, True
        yield
        self._is_rare = before

    @contextmanager
    def access_group(self, group: str | None):
        """Loads and stores appended meanwhile belong to `group`."""
        outer, self._access_group = self._access_group, group
        yield
        self._access_group = outer

    @property
    def in_parallel(self) -> bool:
        """Whether what is appended is in a loop whose iterations do not depend on each other."""
        return self._access_group is not None

    def if_else(
        self,
        condition: str,
        then: Callable[[], Sequence[Operand]],
        otherwise: Callable[[], Sequence[Operand]] | None = None,
        types: Sequence[str] = (),
    ) -> list[Operand]:
        """Append a conditional; both arms return values of `types`, which are merged."""
        if condition == "true":
            return list(then())
        if condition == "false":
            return list(otherwise()) if otherwise is not None else []
        yes, no, end = self.name("then"), self.name("else"), self.name("end")
        self.emit(f"br i1 {condition}, label %{yes}, label %{no if otherwise else end}")
        self.block(yes)
        with self.scope():
            values = list(then())
        from_then = self.current
        self.branch(end)
        others: list[Operand] = []
        from_else = from_then
        if otherwise is not None:
            self.block(no)
            with self.scope():
                others = list(otherwise())
            from_else = self.current
            self.branch(end)
        self.block(end)
        return [
            self.phi(type, [(a, from_then), (b, from_else)])
            for type, a, b in zip(types, values, others, strict=True)
        ]

    @contextmanager
    def scope(self):
        """What is remembered meanwhile is forgotten after: it need not dominate what follows."""
        self.memory_of_values.append({})
        yield
        self.memory_of_values.pop()

    @contextmanager
    def fresh_memory(self):
        """Nothing computed before is reused meanwhile, because memory may have changed."""
        outer, self.memory_of_values = self.memory_of_values, [{}]
        yield
        self.memory_of_values = outer

    def remembered(self, key: object, compute: Callable[[], Operand]) -> Operand:
        """Return the value known under `key` here, computing it unless an enclosing block has."""
        for table in reversed(self.memory_of_values):
            if (known := table.get(key)) is not None:
                return known
        value = compute()
        self.memory_of_values[-1][key] = value
        return value

    # --- memory -------------------------------------------------------------------------

    def alloca(self, type: str, count: int, align: int) -> str:
        """Reserve `count` elements on the stack, for the whole function."""
        result = f"%{self.name('buffer')}"
        self.entry.append(f"  {result} = alloca [{max(count, 1)} x {type}], align {align}")
        return result

    def element_pointer(self, type: str, pointer: str, offset: Operand) -> str:
        """
        Return the address of the element `offset` elements behind a pointer.

        What a multiple of the innermost loop's index is added to comes first: LLVM would put it
        there itself, and no longer know that the rest does not wrap, without which it gathers
        elements one by one that it could load together and take apart. The rest is the index
        itself, of as many elements: LLVM would take a product for a vector, of which it extracts
        the address of each element that it stores.
        """
        if offset == 0:
            return pointer
        if offset in self._strided:
            index, factor, others = self._strided[offset]
            start = reduce(self.add, others, 0)
            if start != 0:
                pointer = self.value(f"getelementptr {type}, ptr {pointer}, i64 {start}")
            return self.value(f"{APART}{factor} x {type}], ptr {pointer}, i64 {index}")
        return self.value(f"getelementptr inbounds {type}, ptr {pointer}, i64 {offset}")

    def text(self, header: str) -> str:
        """Return the whole function; `header` is everything up to the opening brace."""
        lines = (
            f"{header} {{",
            "entry:",
            *self.entry,
            "  br label %body",
            "body:",
            *self.lines,
            "}",
        )
        return "\n".join(lines) + "\n"
