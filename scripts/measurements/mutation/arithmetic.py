"""Slips in what is computed: operands, ops, predicates, constants, widths and rounding."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from xdsl.dialects.builtin import bf16, f16, f32, i32
from xdsl.ir import Operation

from measurements.mutation.editing import (
    Edit,
    build,
    constant,
    element_type,
    instead,
    integer,
    is_argument,
    is_float,
    number,
    operand,
    replace,
    set_integer,
    width,
    with_elements,
)

ORDERED = frozenset(
    ("arith.subi", "arith.subf", "arith.divsi", "arith.divui", "arith.divf", "arith.remsi",
     "arith.remui", "arith.remf", "arith.shli", "arith.shrsi", "arith.shrui", "arith.ceildivsi",
     "arith.floordivsi", "math.powf", "math.atan2", "math.copysign", "tt.dot", "tt.cat",
     "tt.join", "tt.precise_divf", "arith.select")
)  # fmt: skip
"""Ops of which two operands may be swapped by mistake."""

SIBLINGS: dict[str, tuple[str, ...]] = {
    "arith.addi": ("arith.subi", "arith.ori"),
    "arith.subi": ("arith.addi",),
    "arith.muli": ("arith.addi",),
    "arith.divsi": ("arith.divui", "arith.ceildivsi", "arith.floordivsi", "arith.remsi"),
    "arith.divui": ("arith.divsi",),
    "arith.remsi": ("arith.remui", "arith.divsi"),
    "arith.remui": ("arith.remsi",),
    "arith.shrsi": ("arith.shrui",),
    "arith.shrui": ("arith.shrsi",),
    "arith.shli": ("arith.shrui",),
    "arith.andi": ("arith.ori", "arith.xori"),
    "arith.ori": ("arith.andi", "arith.xori", "arith.addi"),
    "arith.xori": ("arith.ori", "arith.andi"),
    "arith.maxsi": ("arith.minsi", "arith.maxui"),
    "arith.minsi": ("arith.maxsi", "arith.minui"),
    "arith.maxui": ("arith.minui", "arith.maxsi"),
    "arith.minui": ("arith.maxui", "arith.minsi"),
    "arith.addf": ("arith.subf",),
    "arith.subf": ("arith.addf",),
    "arith.mulf": ("arith.addf", "arith.divf"),
    "arith.divf": ("arith.mulf",),
    "arith.maximumf": ("arith.maxnumf", "arith.minimumf"),
    "arith.minimumf": ("arith.minnumf", "arith.maximumf"),
    "arith.maxnumf": ("arith.maximumf", "arith.minnumf"),
    "arith.minnumf": ("arith.minimumf", "arith.maxnumf"),
    "arith.extsi": ("arith.extui",),
    "arith.extui": ("arith.extsi",),
    "arith.sitofp": ("arith.uitofp",),
    "arith.uitofp": ("arith.sitofp",),
    "arith.fptosi": ("arith.fptoui",),
    "arith.fptoui": ("arith.fptosi",),
    "math.exp": ("math.exp2",),
    "math.exp2": ("math.exp",),
    "math.log": ("math.log2",),
    "math.log2": ("math.log",),
    "math.sin": ("math.cos",),
    "math.cos": ("math.sin",),
    "math.sqrt": ("math.rsqrt",),
    "math.rsqrt": ("math.sqrt",),
    "math.floor": ("math.ceil",),
    "math.ceil": ("math.floor",),
    "math.absf": ("arith.negf",),
}
"""What is easily written for an op, with the same operands and result."""

CMPI = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
CMPI_TURNS: dict[str, tuple[str, ...]] = {
    "eq": ("ne", "sle", "sge"),
    "ne": ("eq", "slt", "sgt"),
    "slt": ("sle", "ult", "sge", "ne"),
    "sle": ("slt", "ule", "sgt"),
    "sgt": ("sge", "ugt", "sle", "ne"),
    "sge": ("sgt", "uge", "slt"),
    "ult": ("ule", "slt", "uge"),
    "ule": ("ult", "sle", "ugt"),
    "ugt": ("uge", "sgt", "ule"),
    "uge": ("ugt", "sge", "ult"),
}
CMPF = ("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult",
        "ule", "une", "uno", "true")  # fmt: skip
CMPF_TURNS: dict[str, tuple[str, ...]] = {
    "oeq": ("ueq", "one"),
    "ogt": ("oge", "ugt", "ole"),
    "oge": ("ogt", "uge", "olt"),
    "olt": ("ole", "ult", "oge"),
    "ole": ("olt", "ule", "ogt"),
    "one": ("une", "oeq"),
    "ord": ("uno", "true"),
    "ueq": ("oeq",),
    "ugt": ("ogt", "uge"),
    "uge": ("oge", "ugt"),
    "ult": ("olt", "ule"),
    "ule": ("ole", "ult"),
    "une": ("one", "ueq", "false"),
    "uno": ("ord", "false"),
}


def swapped(op: Operation) -> Iterator[Edit]:
    """Swap two operands of an op that does not commute."""
    if op.name in ORDERED and len(op.operands) >= 2:
        i, j = (1, 2) if op.name == "arith.select" else (0, 1)
        a, b = op.operands[i], op.operands[j]
        if a is not b and a.type == b.type:

            def swap() -> None:
                op.operands[i], op.operands[j] = b, a

            yield Edit("operand swapped", op.name, swap)


def sibling(op: Operation) -> Iterator[Edit]:
    """Put another op in place of one, with the same operands."""
    kinds = {"extsi": "extension", "extui": "extension", "sitofp": "extension",
             "uitofp": "extension", "shrsi": "extension", "shrui": "extension"}  # fmt: skip
    for other in SIBLINGS.get(op.name, ()):
        kind = "sign or zero " + kinds.get(op.name.split(".")[1], "")
        named = kind if kind.endswith("extension") else "op mistaken for another"
        new = partial(build, other, list(op.operands), op.results[0].type, _numbers(op, other))
        yield Edit(named, f"{op.name} as {other}", lambda new=new: instead(op, new()))


def _numbers(op: Operation, other: str) -> Any:
    """Return the properties that the other op takes too."""
    return {k: v for k, v in op.properties.items() if k in ("fastmath",)} if "f" in other else {}


def dropped(op: Operation) -> Iterator[Edit]:
    """Let users take an operand instead of the result."""
    if len(op.results) != 1 or op.regions:
        return
    result = op.results[0]
    for k, value in enumerate(op.operands):
        if value.type == result.type and op.name not in ("tt.load",) and result.uses:
            edit = partial(replace, result, value, (op,))
            yield Edit("op dropped", f"{op.name} is its operand {k}", edit)


def turned(op: Operation) -> Iterator[Edit]:
    """Take another predicate."""
    if op.name not in ("arith.cmpi", "arith.cmpf"):
        return
    names, turns = (CMPI, CMPI_TURNS) if op.name.endswith("i") else (CMPF, CMPF_TURNS)
    name = names[integer(op, "predicate") or 0]
    for other in turns.get(name, ()):
        edit = partial(set_integer, op, "predicate", names.index(other))
        yield Edit("predicate turned", f"{name} as {other}", edit)


def off_by_one(op: Operation) -> Iterator[Edit]:
    """Change a constant a little: by one, by an ulp, or its sign."""
    if op.name != "arith.constant":
        return
    value: Any = number(op)
    kind = op.results[0].type
    if value is None:
        return
    if width(kind) == 1:
        others: list[Any] = [0 if value else 1]
    elif not is_float(kind):
        others = [value + 1, value - 1]
    elif abs(value) == float("inf"):
        others = [-value, 1e30 if value > 0 else -1e30]
    else:
        others = [value + 1.0, -value] if value else [1.0, -0.0]
    for other in others:
        edit = partial(_set_constant, op, other)
        yield Edit("constant off by one", f"{value} as {other}", edit)


def _set_constant(op: Operation, value: float) -> None:
    op.properties["value"] = constant(op.results[0].type, value).properties["value"]


def narrowed(op: Operation) -> Iterator[Edit]:
    """Compute an integer with one bit less, or in half of the bits."""
    if len(op.results) != 1 or op.name.startswith(("tt.make_range", "arith.constant")):
        return
    result = op.results[0]
    bits = width(result.type)
    if bits < 8 or not result.uses:
        return

    def one_bit() -> None:
        one = constant(result.type, 1)
        up = build("arith.shli", [result, one.results[0]], result.type)
        down = build("arith.shrsi", [up.results[0], one.results[0]], result.type)
        instead(op, one, up, down)

    yield Edit("one bit narrower", op.name, one_bit)
    if bits == 64 and element_type(result.type) != i32 and "index" not in str(result.type):

        def half() -> None:
            low = build("arith.trunci", [result], with_elements(result.type, i32))
            instead(op, low, build("arith.extsi", [low.results[0]], result.type))

        yield Edit("offset truncated", op.name, half)


def rounded(op: Operation) -> Iterator[Edit]:
    """Round a float to fewer bits, otherwise, or not at all."""
    if len(op.results) != 1 or not op.operands:
        return
    result = op.results[0]
    if op.name.startswith(("arith.", "math.")) and element_type(result.type) == f32:
        for narrow in (f16, bf16):

            def lose(narrow: Any = narrow) -> None:
                low = build("arith.truncf", [result], with_elements(result.type, narrow))
                instead(op, low, build("arith.extf", [low.results[0]], result.type))

            yield Edit("rounding", f"{op.name} in {narrow}", lose)
    if op.name == "arith.extf":
        source = op.operands[0].owner
        if isinstance(source, Operation) and source.name == "arith.truncf":
            original = source.operands[0]
            if original.type == result.type:
                edit = partial(replace, result, original, (op,))
                yield Edit("rounding", "extf(truncf(x)) as x", edit)
    if op.name == "arith.truncf" and element_type(op.operands[0].type) == f32:
        new = partial(build, "tt.fp_to_fp", list(op.operands), result.type, _rounding_to_zero())
        yield Edit("rounding", "truncf towards zero", lambda: instead(op, new()))


def _rounding_to_zero() -> Any:
    from xdsl.dialects.builtin import IntegerAttr

    return {"rounding": IntegerAttr(0, i32)}


def reassociated(op: Operation) -> Iterator[Edit]:
    """Compute sums, products and quotients of floats in another way."""
    if op.name in ("arith.addf", "arith.mulf"):
        left: Any = op.operands[0].owner
        if isinstance(left, Operation) and left.name == op.name and left.parent is op.parent:

            def other_way() -> None:
                tail = build(op.name, [left.operands[1], op.operands[1]], op.results[0].type)
                head = build(op.name, [left.operands[0], tail.results[0]], op.results[0].type)
                instead(op, tail, head)

            yield Edit("reassociation", op.name, other_way)
    if op.name == "arith.addf":
        left = op.operands[0].owner
        if isinstance(left, Operation) and left.name == "arith.mulf":
            new = partial(build, "math.fma", [*left.operands, op.operands[1]], op.results[0].type)
            yield Edit("fast-math", "addf(mulf) as fma", lambda: instead(op, new()))
    if op.name == "arith.divf":

        def by_reciprocal() -> None:
            one = constant(op.results[0].type, 1.0)
            inverse = build("arith.divf", [one.results[0], op.operands[1]], op.results[0].type)
            product = build("arith.mulf", [op.operands[0], inverse.results[0]], op.results[0].type)
            instead(op, one, inverse, product)

        yield Edit("fast-math", "a / b as a * (1 / b)", by_reciprocal)


FAST_MATH = {
    ("arith.mulf", 0.0): "x * 0 as 0",
    ("arith.addf", 0.0): "x + 0 as x",
    ("arith.subf", -0.0): "x - -0 as x",
    ("arith.divf", 0.0): "0 / x as 0",
}


def fast_math(op: Operation) -> Iterator[Edit]:
    """Simplify as if there were no NaN, infinity or zero with a sign."""
    if op.name in ("arith.mulf", "arith.addf", "arith.divf"):
        for k, value in enumerate(op.operands):
            if number(value) != 0.0 or not is_float(value.type):
                continue
            kept = value if op.name != "arith.addf" else op.operands[1 - k]
            edit = partial(replace, op.results[0], kept, (op,))
            yield Edit("fast-math", FAST_MATH[op.name, 0.0], edit)
    if op.name == "arith.cmpf":
        false = partial(constant, op.results[0].type, 0)
        name = CMPF[integer(op, "predicate") or 0]
        if name in ("uno", "une") and op.operands[0] is op.operands[1]:
            yield Edit("fast-math", "x is no NaN", lambda: instead(op, false()))
    if op.name == "arith.select":
        compared = op.operands[0].owner
        if not isinstance(compared, Operation) or compared.name != "arith.cmpf":
            return
        if set(op.operands[1:]) == set(compared.operands) and op.operands[1] is not op.operands[2]:
            for name in ("arith.maxnumf", "arith.maximumf"):
                new = partial(build, name, list(op.operands[1:]), op.results[0].type)
                yield Edit("fast-math", f"select as {name}", lambda new=new: instead(op, new()))


def strength(op: Operation) -> Iterator[Edit]:
    """Write the bit operation that is right only where nothing is negative, or exact."""
    if op.name not in ("arith.divsi", "arith.remsi", "arith.divui", "arith.remui"):
        return
    divisor = number(op.operands[1])
    if not isinstance(divisor, int) or divisor < 2 or divisor & (divisor - 1):
        return
    kind = op.results[0].type
    if op.name.startswith("arith.rem"):
        name, value = "arith.andi", divisor - 1
    else:
        name, value = "arith.shrsi", divisor.bit_length() - 1
    if op.name == "arith.remui":
        return

    def bits() -> None:
        other = constant(kind, value)
        instead(op, other, build(name, [op.operands[0], other.results[0]], kind))

    yield Edit("sign or zero extension", f"{op.name} by {divisor} as {name}", bits)


def other_argument(op: Operation) -> Iterator[Edit]:
    """Take another argument of the function of the same type, such as another stride."""
    for k, value in enumerate(op.operands):
        if not is_argument(value) or op.name in ("tt.call", "tt.return"):
            continue
        arguments: Any = value.owner
        rest = [a for a in arguments.args if a is not value and a.type == value.type]
        for other in rest[:2]:
            edit = partial(op.operands.__setitem__, k, other)
            named = "stride swapped" if width(value.type) else "argument swapped"
            yield Edit(named, f"{op.name}, operand {k}", edit)


def shifted_operand(op: Operation) -> Iterator[Edit]:
    """Add one to an integer operand of an op on addresses or in a comparison."""
    places = {"tt.addptr": (1,), "arith.cmpi": (0,), "tt.splat": (0,), "tt.advance": (1,)}
    for k in places.get(op.name, ()):
        value = op.operands[k] if k < len(op.operands) else None
        if value is None or width(value.type) < 8:
            continue

        def shift(k: int = k, value: Any = value) -> None:
            one = constant(value.type, 1)
            operand(op, k, one, build("arith.addi", [value, one.results[0]], value.type))

        yield Edit("constant off by one", f"operand {k} of {op.name} plus 1", shift)


SLIPS = (
    swapped, sibling, dropped, turned, off_by_one, narrowed, rounded, reassociated, fast_math,
    strength, other_argument, shifted_operand,
)  # fmt: skip
