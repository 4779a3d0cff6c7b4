"""Loads, stores and atomics of random kernels that move blocks."""

from __future__ import annotations

from tests.e2e.lowering.random_numbers import Number
from tests.e2e.lowering.random_places import SIZE, PlaceWriter
from tests.e2e.lowering.random_writer import FLOATS, WIDTHS, type_of

LOADED = ("f32", "f32", "f32", "f32", "bf16", "f16", "i8", "i32", "i64", "i16", "f64", "i1")
NARROW = ("f32", "f32", "bf16", "f16")


class MemoryWriter(PlaceWriter):
    """Writes loads, stores and atomics."""

    special: bool
    alone: bool

    def __init__(self, seed: int):
        super().__init__(seed)
        self.values: list[Number] = []
        self.shared: dict[str, tuple[str, int]] = {}
        """Buffers in the memory of others, from some element of those on."""

    def any(self) -> Number:
        return self.draw.choice(self.values[-5:])

    def full(self, value: Number) -> Number:
        return self.to(value, self.shape)

    def buffer(self, kind: str, element: str) -> str:
        name = f"{kind}_{len(self.parameters)}_{element}"
        self.parameters[name] = element
        return name

    def overlap(self) -> None:
        """Give some buffers memory in common with others, where one program does all."""
        names = [n for n in self.parameters if n.startswith(("in_", "out_", "sum_"))]
        for k, name in enumerate(names):
            same = [n for n in names[:k] if self.parameters[n] == self.parameters[name]]
            same = [n for n in same if n not in self.shared]
            if same and self.alone and self.chance(0.4):
                self.shared[name] = self.draw.choice(same), self.draw.choice((0, 0, 1, 16, 100))

    def some_buffer(self, kind: str, element: str) -> str:
        """Return a new buffer, or one there is where that makes no race."""
        kinds = ("in_", "out_", "sum_") if self.alone else ("in_",) if kind == "in" else ("-",)
        known = [n for n, e in self.parameters.items() if n.startswith(kinds) and e == element]
        if known and self.chance(0.7 if self.alone else 0.5):
            return self.draw.choice(known)
        return self.buffer(kind, element)

    def pointers(self, buffer: str, place: Number) -> tuple[str, str]:
        """Return pointers and their type; Booleans are bytes, as Triton has them."""
        element = self.parameters[buffer]
        if place.element == "i32" and self.chance(0.15):
            place = self.converted(place, "i64")
        kind = type_of(place.shape, f"!tt.ptr<{element}>")
        name = f"%{buffer}"
        if place.shape:
            text = f"tt.splat %{buffer} : !tt.ptr<{element}> -> {kind}"
            name = self.op(text, place.shape, "").name
        text = f"tt.addptr {name}, {place.name} : {kind}, {place.type}"
        moved = self.op(text, place.shape, "").name
        if element != "i1":
            return moved, kind
        octets = type_of(place.shape, "!tt.ptr<i8>")
        text = f"tt.bitcast {moved} : {kind} -> {octets}"
        return self.op(text, place.shape, "").name, octets

    # --- loads --------------------------------------------------------------------------

    def some_place(self) -> tuple[Number, list[Number]]:
        """
        Return a place to load from or to store to, and masks that keep it inside.

        Products have places of their own, and none of these.
        """
        raise NotImplementedError

    def loaded(self) -> Number:
        place, masks = self.some_place()
        element = self.draw.choice(LOADED)
        buffer = self.some_buffer("in", element)
        other = self.draw.choice((0, 0, 1, -2)) if element != "i1" else 0
        return self.widened(self.load(buffer, place, masks, other))

    def load(self, buffer: str, place: Number, masks: list[Number], other: int) -> Number:
        if self.chance(0.8):
            masks = [*self.masks(), *masks]
        element = self.parameters[buffer]
        read = "i8" if element == "i1" else element
        total = self.all_of(masks)
        if total is not None:
            place, total = self.alike(place, total)
        pointers, kind = self.pointers(buffer, place)
        operands = pointers
        if total is not None:
            operands += f", {total.name}, {self.constant(other, place.shape, read).name}"
        value = self.op(f"tt.load {operands} : {kind}", place.shape, read, -3, 3)
        if element != "i1":
            return value if buffer.startswith("index") else self.read(value)
        return self.compare("ne", value.within(0, 1), self.constant(0, place.shape, "i8"))

    def read(self, value: Number) -> Number:
        """Return what was read from where something may have been stored before."""
        return self.kept_small(value) if self.alone else value

    def widened(self, value: Number) -> Number:
        """Return what is computed with: mostly f32."""
        if value.element == "i1":
            return self.converted(value, self.draw.choice(("f32", "i32", "i8")))
        if value.element == "i8" and self.chance(0.2):
            kind = type_of(value.shape, "i32")
            text = f"arith.extui {value.name} : {value.type} to {kind}"
            value = self.op(text, value.shape, "i32", 0, 255)
        return self.converted(value, "f32") if self.chance(0.75) else value

    # --- stores -------------------------------------------------------------------------

    def store(self, value: Number) -> None:
        """Store to places of one's own; elements that are equal may have one together."""
        axes, thin = self.here(), False
        for axis, extent in zip(self.axes, value.shape, strict=True):
            if extent == 1 and axis.width > 1 and axis.by in ("", "loop") and self.chance(0.8):
                axes = [a for a in axes if a is not axis]
                thin = True
        if not axes:
            axes = self.here()
        place, masks = self.own_place(axes)
        element = self.stored(value)
        value = self.flags(value) if element == "i1" else self.converted(value, element)
        place, value = self.alike(place, value)
        if thin and self.chance(0.2):
            place, value = self.to(place, self.shape), self.to(value, self.shape)
        self.write("tt.store", self.some_buffer("out", element), place, value, masks)

    def stored(self, value: Number) -> str:
        """Return the type in which a value is stored."""
        if self.chance(0.08):
            return "i1"
        if value.element in FLOATS:
            return value.element if self.chance(0.3) else self.draw.choice(NARROW)
        return value.element if self.chance(0.5) else self.draw.choice(("i64", "i32", "f32", "i8"))

    def flags(self, value: Number) -> Number:
        """Return which elements are positive, as bytes."""
        return self.converted(self.compare("gt", value, self.number(0, value)), "i8")

    def write(
        self, op: str, buffer: str, place: Number, value: Number, masks: list[Number]
    ) -> Number | None:
        """Write a store or an atomic, and return what that returns."""
        mask = self.all_of(masks)
        if mask is None and op != "tt.store":
            mask = self.constant(1, place.shape, "i1")
        if mask is not None:
            place, value, mask = self.alike(place, value, mask)
        place, value = self.alike(place, value)
        pointers, kind = self.pointers(buffer, place)
        if op == "tt.store":
            shown = f", {mask.name}" if mask is not None else ""
            self.line(f"tt.store {pointers}, {value.name}{shown} : {kind}")
            return None
        assert mask is not None
        kinds = f"({kind}, {value.type}, {mask.type}) -> {value.type}"
        text = f"{op}, acq_rel, gpu, {pointers}, {value.name}, {mask.name} : {kinds}"
        return self.op(text, value.shape, value.element)

    def add_to_places(self) -> None:
        """Add to places that others add to."""
        place, masks = self.some_place()
        element = "f32" if self.special else self.draw.choice(("f32", "i32", "i64", "f16"))
        value = self.at_most(self.converted(self.full(self.any()), element), 64)
        masks = [*self.masks(), *masks]
        if element == "f16":
            # Sums stay exact only where each place has few addends.
            place, masks = self.own_place(self.here())
        op = self.draw.choice(("add", "add", "max", "umin", "or", "xor"))
        op = op if element in ("i32", "i64") else "fadd"
        place, value = self.alike(place, value)
        self.write(f"tt.atomic_rmw {op}", self.buffer("sum", element), place, value, masks)

    def exchange(self) -> None:
        """Have what was at places of one's own before something was added or put there."""
        element = self.draw.choice(("i32", "i64", "f32"))
        if self.special and element != "f32":
            return
        value = self.converted(self.full(self.any()), element)
        place, masks = self.own_place(self.here())
        buffer = self.buffer("old", element)
        if not masks and element != "f32" and self.chance(0.5):
            self.values.append(self.swapped(buffer, self.full(place), value))
            return
        op = "fadd" if element == "f32" else self.draw.choice(("add", "exch", "max", "and"))
        old = self.write(f"tt.atomic_rmw {op}", buffer, self.full(place), value, masks)
        assert old is not None
        mask = self.all_of(masks)
        old = old.within(-3, 3)
        # Where nothing is done, nobody says what comes out.
        self.values.append(old if mask is None else self.select(mask, old, self.number(0, old)))

    def swapped(self, buffer: str, place: Number, value: Number) -> Number:
        """Put something where there is a certain number; return what there was."""
        pointers, kind = self.pointers(buffer, place)
        wanted = self.constant(self.draw.choice((0, 1)), value.shape, value.element)
        kinds = f"({kind}, {value.type}, {value.type}) -> {value.type}"
        text = f"tt.atomic_cas acq_rel, gpu, {pointers}, {wanted.name}, {value.name} : {kinds}"
        return self.op(text, value.shape, value.element, -3, 3)

    # --- descriptors --------------------------------------------------------------------

    def described(self) -> None:
        """Load by a descriptor what lies in rows, and perhaps store it by another."""
        element = self.draw.choice(("f32", "f16", "bf16", "i32"))
        if len(self.axes) != 2 or self.shape[1] * WIDTHS[element] < 128:
            return
        if self.axes[0].whole * (self.axes[1].whole + 32) > SIZE:
            return
        descriptor = self.descriptor(self.buffer("in", element))
        kind = f"!tt.tensordesc<{type_of(self.shape, element)}>"
        text = f"tt.descriptor_load {descriptor} : {kind} -> {type_of(self.shape, element)}"
        value = self.read(self.op(text, self.shape, element, -3, 3))
        if self.chance(0.3):
            doubled = self.arith("add", value, value)
            other = self.descriptor(self.buffer("out", element))
            self.line(f"tt.descriptor_store {other}, {doubled.name} : {kind}, {doubled.type}")
        self.values.append(self.widened(value))

    def descriptor(self, buffer: str) -> str:
        """Return a descriptor of a buffer, with the place of the block in it."""
        rows, columns = self.axes
        pitch = columns.whole + -columns.whole % 16 + self.draw.choice((0, 0, 16))
        stride, one = (self.constant(n, (), "i64") for n in (pitch, 1))
        sizes = ", ".join(self.size(axis.whole).name for axis in self.axes)
        starts = [axis.start or self.constant(0, (), "i32") for axis in (rows, columns)]
        element, name = self.parameters[buffer], self.name()
        kind = f"!tt.tensordesc<{type_of(self.shape, element)}>"
        self.line(f"{name} = tt.make_tensor_descriptor %{buffer}, [{sizes}], "
                  f"[{stride.name}, {one.name}] : !tt.ptr<{element}>, {kind}")  # fmt: skip
        return f"{name}[{', '.join(s.name for s in starts)}]"

    # --- rows of results ----------------------------------------------------------------

    def side(self, kind: str, value: Number) -> None:
        """Store a row of results behind those of the programs in front."""
        count = value.shape[0]
        number = self.constant(0, (), "i32")
        for name, extent in zip("yx", (self.grid[1], self.grid[0]), strict=True):
            program = self.op(f"tt.get_program_id {name} : i32", (), "i32", 0, extent - 1)
            number = self.arith("mul", number, self.constant(extent, (), "i32"))
            number = self.arith("add", number, program)
        place = self.arith("mul", number, self.constant(count, (), "i32"))
        place = self.arith("add", place, self.range(count))
        self.write("tt.store", self.buffer(kind, value.element), place, value, [])
