"""Reductions and scans of random kernels that move blocks."""

from __future__ import annotations

from math import prod

from tests.e2e.lowering.random_memory import NARROW, MemoryWriter
from tests.e2e.lowering.random_numbers import LIMITS, NAMES, Number
from tests.e2e.lowering.random_places import Axis
from tests.e2e.lowering.random_writer import FLOATS, Shape, type_of


class ReductionWriter(MemoryWriter):
    """Writes reductions and scans."""

    def masked(self, value: Number) -> Number:
        """Return a value with zeros where there is none along an axis."""
        mask = self.all_of(self.masks())
        return value if mask is None else self.select(mask, value, self.number(0, value))

    def combiner(self, element: str, kind: str = "") -> tuple[str, str]:
        kind = kind or self.draw.choice(("add", "add", "max", "min"))
        name = NAMES[kind][element in FLOATS]
        if element in FLOATS and self.chance(0.3):
            name = {"max": "maxnumf", "min": "minnumf", "add": "addf"}[kind]
        return kind, name

    def summable(self, value: Number, count: int) -> Number:
        """Return a value of which so many can be added."""
        if LIMITS[value.element] < 3 * count:
            value = self.converted(value, "f32" if value.element in FLOATS else "i32")
        return self.at_most(value, max(3, LIMITS[value.element] // count))

    def reduced(self, value: Number, axis: int, kind: str = "") -> Number:
        """Return the reduction along an axis, which stays with extent 1."""
        kind, name = self.combiner(value.element, kind)
        shape, count = (*value.shape[:axis], *value.shape[axis + 1 :]), value.shape[axis]
        value = self.summable(value, count) if kind == "add" else value
        result = self.name()
        self.line(f'{result} = "tt.reduce"({value.name}) <{{axis = {axis} : i32}}> ({{')
        self.region("reduce", name, value.element)
        self.line(f"}}) : ({value.type}) -> {type_of(shape, value.element)}")
        more = count if kind == "add" else 1
        low, high = min(value.low, value.low * more), max(value.high, value.high * more)
        return self.expanded_or_filled(Number(result, shape, value.element, low, high), axis)

    def expanded_or_filled(self, value: Number, axis: int) -> Number:
        return self.expanded(value, axis) if value.shape else self.to(value, (1,))

    def region(self, kind: str, name: str, element: str) -> None:
        a, b, c = self.name(), self.name(), self.name()
        self.line(f"^bb0({a}: {element}, {b}: {element}):")
        self.line(f"  {c} = arith.{name} {a}, {b} : {element}")
        self.line(f"  tt.{kind}.return {c} : {element}")

    def reduce(self) -> None:
        """Reduce along one axis, or two; or look for the largest and its place."""
        value, axis = self.full(self.any()), self.draw.randrange(len(self.axes))
        value = self.masked(value) if self.chance(0.7) else value
        if self.chance(0.3):
            self.extreme(value, axis)
            return
        value = self.reduced(value, axis)
        if len(self.axes) > 1 and self.chance(0.15):
            value = self.reduced(
                value, self.draw.choice([k for k in range(len(self.axes)) if k != axis])
            )
        self.values.append(value)

    def scan(self) -> None:
        self.values.append(self.scanned(self.full(self.any()), self.draw.randrange(len(self.axes))))

    def scanned(self, value: Number, axis: int) -> Number:
        kind, name = self.combiner(value.element)
        value = self.summable(value, value.shape[axis]) if kind == "add" else value
        result, reverse = self.name(), self.draw.choice(("true", "false"))
        attributes = f"<{{axis = {axis} : i32, reverse = {reverse}}}>"
        self.line(f'{result} = "tt.scan"({value.name}) {attributes} ({{')
        self.region("scan", name, value.element)
        self.line(f"}}) : ({value.type}) -> {value.type}")
        more = value.shape[axis] if kind == "add" else 1
        low, high = min(value.low, value.low * more), max(value.high, value.high * more)
        return Number(result, value.shape, value.element, low, high)

    # --- several operands ---------------------------------------------------------------

    def several(
        self, kind: str, operands: list[Number], axis: int, lines: str, outs: str
    ) -> list[Number]:
        """
        Write a reduction or scan of several operands; return its results.

        `lines` are the body, of arguments %a0, %b0 ..., and ops %t; `outs` is what it returns.
        """
        names = [self.name() for _ in operands]
        base, count = self.name(), len(operands)
        reverse = ", reverse = false" if kind == "scan" else ""
        shape = operands[0].shape
        rest = shape if kind == "scan" else (*shape[:axis], *shape[axis + 1 :])
        given = ", ".join(v.name for v in operands)
        self.line(f'{base}:{count} = "tt.{kind}"({given}) <{{axis = {axis} : i32{reverse}}}> ({{')
        heads = [f"%{side}{k}: {v.element}" for side in "ab" for k, v in enumerate(operands)]
        body = [
            f"^bb0({', '.join(heads)}):",
            *(f"  {t.strip()}" for t in lines.strip().split("\n")),
        ]
        elements = ", ".join(v.element for v in operands)
        body.append(f"  tt.{kind}.return {outs} : {elements}")
        own = names[0][1:]
        for text in body:
            for letter in "abt":
                text = text.replace(f"%{letter}", f"%{letter}_{own}_")
            self.line(text)
        kinds = ", ".join(type_of(rest, v.element) for v in operands)
        self.line(f"}}) : ({', '.join(v.type for v in operands)}) -> ({kinds})")
        found = [
            Number(f"{base}#{k}", rest, v.element, v.low, v.high) for k, v in enumerate(operands)
        ]
        return found if kind == "scan" else [self.expanded_or_filled(v, axis) for v in found]

    def extreme(self, value: Number, axis: int) -> None:
        """Reduce to the largest or least and its place, of equal ones the first, as Inductor does."""
        element, index = value.element, self.draw.choice(("i32", "i32", "i64"))
        floats = element in FLOATS
        place = self.to(self.thin_range(value.shape, axis), value.shape)
        place = self.converted(place, index)
        way = self.draw.choice(("gt", "lt"))
        cmp, first = ("cmpf", f"o{way}") if floats else ("cmpi", f"s{way}")
        equal = "oeq" if floats else "eq"
        lines = f"""
            %t0 = arith.{cmp} {first}, %a0, %b0 : {element}
            %t1 = arith.{cmp} {equal}, %a0, %b0 : {element}
        """
        if floats and (self.special or self.chance(0.4)):
            lines += f"""%t2 = arith.cmpf une, %a0, %a0 : {element}
            %t3 = arith.cmpf une, %b0, %b0 : {element}
            %t4 = arith.cmpf oeq, %b0, %b0 : {element}
            %t5 = arith.andi %t2, %t4 : i1
            %t6 = arith.ori %t0, %t5 : i1
            %t7 = arith.andi %t2, %t3 : i1
            %t8 = arith.ori %t1, %t7 : i1
            """
        better, same = ("%t6", "%t8") if "%t6" in lines else ("%t0", "%t1")
        lines += f"""%t9 = arith.cmpi slt, %a1, %b1 : {index}
            %t10 = arith.andi {same}, %t9 : i1
            %t11 = arith.ori {better}, %t10 : i1
            %t12 = arith.select %t11, %a0, %b0 : {element}
            %t13 = arith.select %t11, %a1, %b1 : {index}
        """
        kind = "scan" if self.chance(0.2) else "reduce"
        lines = "\n".join(t for t in lines.split("\n") if t.strip())
        self.values += self.several(kind, [value, place], axis, lines, "%t12, %t13")

    def thin_range(self, shape: Shape, axis: int) -> Number:
        numbers = self.range(shape[axis])
        for other in range(len(shape)):
            numbers = numbers if other == axis else self.expanded(numbers, other)
        return numbers

    # --- results of their own -----------------------------------------------------------

    def aside(self) -> None:
        """Store something of another shape: a histogram, or a block folded and reduced."""
        value = self.full(self.any())
        flat = prod(value.shape)
        if self.chance(0.4) and (value.is_integer or not self.special):
            whole = self.converted(self.at_most(value, 100), "i32")
            whole = self.reshaped(self.plain("andi", whole, self.number(15, whole), 0, 15), (flat,))
            kinds = f"{whole.type} -> tensor<16xi32>"
            self.side("out", self.op(f"tt.histogram {whole.name} : {kinds}", (16,), "i32", 0, flat))
            return
        inner = min(self.draw.choice((2, 4, 16)), flat // 2)
        folded = self.reshaped(value, (flat // inner, inner))
        axis = self.draw.choice((0, 1))
        result = self.reduced(folded, axis)
        self.side("out", self.reshaped(result, (max(result.shape),)))

    def nearly(self) -> None:
        """Store what rounding makes inexact: a softmax, or mean and variance."""
        axes = [k for k, axis in enumerate(self.axes) if axis.width > 1]
        if self.special or not axes:
            self.store(self.any())
            return
        axis = self.draw.choice(axes)
        value = self.kept_small(self.converted(self.full(self.any()), "f32"))
        (self.softmax if self.chance(0.5) else self.moments)(value, axis)

    def near_store(self, value: Number, axes: list[Axis]) -> None:
        element = self.draw.choice(NARROW)
        place, masks = self.own_place(axes)
        kind = type_of(value.shape, element)
        if element != "f32":
            text = f"arith.truncf {value.name} : {value.type} to {kind}"
            value = self.op(text, value.shape, element)
        self.write("tt.store", self.buffer("near", element), place, value, masks)

    def softmax(self, value: Number, axis: int) -> None:
        mask = self.all_of(self.masks())
        if mask is not None:
            text = f"arith.constant dense<0xFF800000> : {type_of(value.shape, 'f32')}"
            value = self.select(mask, value, self.op(text, value.shape, "f32", -3, 3))
        moved = self.arith("sub", value, self.reduced(value, axis, "max"))
        if mask is not None and self.chance(0.5):
            moved = self.select(mask, moved, self.number(-50, moved))
        name = self.draw.choice(("exp", "exp2"))
        power = self.op(f"math.{name} {moved.name} : {moved.type}", moved.shape, "f32", 0, 1)
        total, power = self.alike(self.reduced(power, axis, "add"), power)
        text = f"arith.divf {power.name}, {total.name} : {power.type}"
        self.near_store(self.op(text, power.shape, "f32"), self.here())

    def moments(self, value: Number, axis: int) -> None:
        """Combine means, sums of squares and weights, as Inductor does."""
        lines = """
            %t0 = arith.subf %b0, %a0 : f32
            %t1 = arith.addf %a2, %b2 : f32
            %t2 = arith.cmpf oeq, %t1, %tz : f32
            %t3 = arith.divf %b2, %t1 : f32
            %t4 = arith.select %t2, %tz, %t3 : f32
            %t5 = arith.mulf %t0, %t4 : f32
            %t6 = arith.addf %a0, %t5 : f32
            %t7 = arith.addf %a1, %b1 : f32
            %t8 = arith.mulf %t0, %t0 : f32
            %t9 = arith.mulf %t8, %a2 : f32
            %t10 = arith.mulf %t9, %t4 : f32
            %t11 = arith.addf %t7, %t10 : f32
        """
        lines = "%tz = arith.constant 0.0 : f32\n" + lines.strip()
        mask = self.all_of(self.masks())
        squares, weights = self.number(0, value), self.number(1, value)
        if mask is not None:
            value, weights = (self.select(mask, v, squares) for v in (value, weights))
        found = self.several("reduce", [value, squares, weights], axis, lines, "%t6, %t11, %t1")
        if self.axes[axis].by == "":
            axes = [a for a in self.here() if a is not self.axes[axis]] or self.here()
        else:
            axes = self.here()
        for part in found:
            place, _ = self.own_place(axes)
            self.near_store(self.alike(part, place)[0], axes)
