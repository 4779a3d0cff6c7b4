"""What each op without regions does to forms, by op name."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue

from xtriton.analysis.forward import IndexAnalysis, Rule
from xtriton.analysis.indexing import Cond, Expr, Space, positions_to
from xtriton.analysis.values import (
    Pointer,
    Sort,
    TensorBlock,
    Unknown,
    Value,
    byte_width,
    type_facts,
)
from xtriton.ir.attributes import attribute, integer, integers
from xtriton.ir.dense import is_splat, splat_value

GRID: tuple[int, int] = (0, (1 << 31) - 2)
"""A launch has at most 2**31 - 1 programs in a dimension."""


ZERO_PADDING = 1
"""`PaddingOption.pad_zero`."""


def is_boolean(op: Operation) -> bool:
    (result,) = op.results
    return type_facts(result.type).sort is Sort.BOOLEAN


def is_integer(op: Operation) -> bool:
    return type_facts(op.results[0].type).sort is Sort.INTEGER


def width_of(value: SSAValue) -> int:
    return type_facts(value.type).width


# --- arith ----------------------------------------------------------------------------


def constant(a: IndexAnalysis, op: Operation) -> None:
    (result,) = op.results
    value, facts = op.properties["value"], type_facts(result.type)
    if isinstance(value, IntegerAttr):
        found = value.value.data
    elif facts.sort in (Sort.INTEGER, Sort.BOOLEAN) and is_splat(value):
        found = splat_value(cast(DenseIntOrFPElementsAttr, value))
    else:
        return
    if facts.sort is Sort.BOOLEAN:
        a.values[result] = a.space.true if found else a.space.false
    else:
        a.values[result] = a.space.const(int(found))


def integer_rule(function: Callable[[IndexAnalysis, Expr, Expr], Expr | None]) -> Rule:
    """Return the rule of a binary op on integers that are no booleans."""

    def rule(a: IndexAnalysis, op: Operation) -> None:
        (result,) = op.results
        if type_facts(result.type).sort is Sort.BOOLEAN:
            return
        x, y = op._operands
        found = function(a, a.expr(x), a.expr(y))
        if found is not None:
            a.define(result, found)

    return rule


def unsigned(function: Callable[[IndexAnalysis, Expr, Expr], Expr | None]):
    """Apply a rule of signed numbers where no operand can be negative."""

    def guarded(a: IndexAnalysis, x: Expr, y: Expr) -> Expr | None:
        if x.interval[0] >= 0 and y.interval[0] >= 0:
            return function(a, x, y)
        return None

    return guarded


def unsigned_division(function: Callable[[IndexAnalysis, Expr, Expr], Expr | None]) -> Rule:
    """Return the rule of an unsigned division of what is not negative, by any scalar."""

    def rule(a: IndexAnalysis, op: Operation) -> None:
        x, y = (a.expr(v) for v in op._operands)
        width = type_facts(op.results[0].type).width
        if is_boolean(op) or x.interval[0] < 0:
            return
        if y.interval[0] < 0:
            if y.dims or width > 32:
                return
            y = a.space.select(a.space.nonnegative(y), y, y + (1 << width))
        found = function(a, x, y)
        if found is not None:
            a.define(op.results[0], found)

    return rule


def shift_left(a: IndexAnalysis, x: Expr, y: Expr) -> Expr | None:
    amount = y.constant
    return x * (1 << amount) if amount is not None and 0 <= amount < 63 else None


def shift_right(a: IndexAnalysis, x: Expr, y: Expr) -> Expr | None:
    amount = y.constant
    return a.space.floordiv(x, 1 << amount) if amount is not None and 0 <= amount < 63 else None


def bitwise(a: IndexAnalysis, op: Operation) -> None:
    """`and`, `or` and `xor` with numbers pick fields; `or` of disjoint bits is a sum."""
    x, y = op._operands
    if is_boolean(op):
        found: Value | None = _boolean_operation(a, op.name, a.cond(x), a.cond(y))
    else:
        found = _bits(a, op.name, a.expr(x), a.expr(y))
    if isinstance(found, Expr):
        a.define(op.results[0], found)
    elif found is not None:
        a.values[op.results[0]] = found


def _boolean_operation(a: IndexAnalysis, name: str, x: Cond, y: Cond) -> Cond:
    space = a.space
    if name == "arith.andi":
        return space.conjunction((x, y))
    if name == "arith.ori":
        return space.disjunction((x, y))
    if y is space.true:
        return space.negation(x)
    if x is space.true:
        return space.negation(y)
    either = space.disjunction((x, y))
    return space.conjunction((either, space.negation(space.conjunction((x, y)))))


def magnitude(a: IndexAnalysis, op: Operation) -> None:
    x = a.expr(op._operands[0])
    a.define(op.results[0], a.space.maximum(x, -x))


MOST_RUNS = 4
"""A constant with more runs of ones is no mask of fields."""


def _bits(a: IndexAnalysis, name: str, x: Expr, y: Expr) -> Expr | None:
    for u, v in ((x, y), (y, x)):
        number = v.constant
        if number is not None:
            common = common_bits(a.space, u, number)
            if common is None:
                continue
            if name == "arith.andi":
                return common
            return u + v - common * (1 if name == "arith.ori" else 2)
        if name != "arith.andi" and u.interval[0] >= 0:
            bits = u.interval[1].bit_length()
            if a.space.mod(v, 1 << bits) is a.space.zero:
                return u + v
    return None


def common_bits(space: Space, x: Expr, mask: int) -> Expr | None:
    """
    Return `x & mask`: the sum of the fields of `x` where the mask has ones.

    Floor divisions take the fields of negative numbers, too, and what a negative mask takes is
    all but what its complement does.
    """
    if mask < 0:
        rest = common_bits(space, x, ~mask)
        return None if rest is None else x - rest
    total, low, runs = space.zero, 0, 0
    while mask >> low:
        if not mask >> low & 1:
            low += 1
            continue
        high = low
        while mask >> high & 1:
            high += 1
        field = space.mod(space.floordiv(x, 1 << low), 1 << (high - low))
        total = total + field * (1 << low)
        low, runs = high, runs + 1
    return total if runs <= MOST_RUNS else None


_SIGNED: dict[str, Callable[[Space, Expr, Expr], Cond]] = {
    "eq": lambda a, x, y: a.is_zero(x - y),
    "ne": lambda a, x, y: a.negation(a.is_zero(x - y)),
    "slt": lambda a, x, y: a.less(x, y),
    "sle": lambda a, x, y: a.nonnegative(y - x),
    "sgt": lambda a, x, y: a.less(y, x),
    "sge": lambda a, x, y: a.nonnegative(x - y),
}
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def compare(a: IndexAnalysis, op: Operation) -> None:
    predicate = _PREDICATES[integer(op, "predicate")]
    x, y = op._operands
    facts = type_facts(x.type)
    if facts.sort is Sort.BOOLEAN:
        if predicate in ("eq", "ne"):
            different = _boolean_operation(a, "arith.xori", a.cond(x), a.cond(y))
            same = a.space.negation(different)
            a.values[op.results[0]] = same if predicate == "eq" else different
    elif facts.sort is Sort.INTEGER:
        found = compared(a, predicate, a.expr(x), a.expr(y))
        if found is not None:
            a.values[op.results[0]] = found


def compared(a: IndexAnalysis, predicate: str, x: Expr, y: Expr) -> Cond | None:
    """Return the comparison as a proposition; an unsigned one needs a side known not negative."""
    space = a.space
    if predicate in _SIGNED:
        return _SIGNED[predicate](space, x, y)
    signed = "s" + predicate[1:]
    if predicate[1:] in ("gt", "ge"):
        x, y, signed = y, x, "slt" if predicate == "ugt" else "sle"
    if y.interval[0] < 0:
        return None
    result = _SIGNED[signed](space, x, y)
    return result if x.interval[0] >= 0 else space.conjunction((space.nonnegative(x), result))


def select(a: IndexAnalysis, op: Operation) -> None:
    c, x, y = op._operands
    found = chosen(a, a.cond(c), a.get(x), a.get(y))
    if isinstance(found, Expr):
        a.define(op.results[0], found)
    elif found is not None:
        a.values[op.results[0]] = found


def chosen(a: IndexAnalysis, c: Cond, x: Value | None, y: Value | None) -> Value | None:
    """Return the form of `x if c else y`, or None where the two have no common form."""
    space = a.space
    match x, y:
        case (None, _) | (_, None):
            return None
        case Expr(), Expr():
            return space.select(c, x, y)
        case Cond(), Cond():
            yes = space.conjunction((c, x))
            no = space.conjunction((space.negation(c), y))
            return space.disjunction((yes, no))
        case Pointer(), Pointer() if x.base is y.base and x.pointee == y.pointee:
            return Pointer(x.base, space.select(c, x.offset, y.offset), x.pointee)
        case TensorBlock(), TensorBlock() if y == replace(x, offsets=y.offsets):
            pairs = zip(x.offsets, y.offsets, strict=True)
            return replace(x, offsets=tuple(space.select(c, p, q) for p, q in pairs))
        case _ if x == y:
            return x
        case _ if c is space.true or c is space.false:
            return x if c is space.true else y
        case _:
            return None


def same(a: IndexAnalysis, op: Operation) -> None:
    """A conversion that keeps the number."""
    found = a.get(op._operands[0])
    if found is not None and type(found) is type(a.get(op.results[0])):
        a.values[op.results[0]] = found


def extend(a: IndexAnalysis, op: Operation) -> None:
    found = a.get(op._operands[0])
    if isinstance(found, Cond):
        value = a.space.const(-1 if op.name == "arith.extsi" else 1)
        a.values[op.results[0]] = a.space.select(found, value, a.space.zero)
    elif isinstance(found, Expr) and (op.name != "arith.extui" or found.interval[0] >= 0):
        a.values[op.results[0]] = found


def truncate(a: IndexAnalysis, op: Operation) -> None:
    if is_boolean(op):
        return
    e = a.expr(op._operands[0])
    low, high = type_facts(op.results[0].type).interval
    if low <= e.interval[0] and e.interval[1] <= high:
        a.values[op.results[0]] = e


# --- tt: shapes -----------------------------------------------------------------------


def moved(
    a: IndexAnalysis, op: Operation, arguments: Sequence[Expr], operand: SSAValue | None = None
) -> None:
    """Set the result: the operand with position d replaced by `arguments[d]`."""
    value = a.get(operand or op._operands[0])
    space = a.space
    match value:
        case Expr():
            found = space.substitute(value, positions_to(space, value, arguments))
        case Cond():
            found = space.substitute_condition(value, positions_to(space, value, arguments))
        case Pointer(base, offset, pointee):
            offset = space.substitute(offset, positions_to(space, offset, arguments))
            found = Pointer(base, offset, pointee)
        case Unknown(reason, culprit):
            found = Unknown(reason, culprit)
        case _:
            return
    (result,) = op.results
    a.values[result] = found


def result_positions(a: IndexAnalysis, op: Operation) -> list[Expr]:
    (result,) = op.results
    return a.positions(type_facts(result.type).shape or ())


def make_range(a: IndexAnalysis, op: Operation) -> None:
    start, end = integer(op, "start"), integer(op, "end")
    a.values[op.results[0]] = a.space.position(0, end - start) + start


def splat(a: IndexAnalysis, op: Operation) -> None:
    found = a.get(op._operands[0])
    if found is not None:
        (result,) = op.results
        a.values[result] = found


def unsplat(a: IndexAnalysis, op: Operation) -> None:
    moved(a, op, [a.space.zero] * len(type_facts(op._operands[0].type).shape or ()))


def expand_dims(a: IndexAnalysis, op: Operation) -> None:
    axis = integer(op, "axis")
    positions = result_positions(a, op)
    moved(a, op, positions[:axis] + positions[axis + 1 :])


def broadcast(a: IndexAnalysis, op: Operation) -> None:
    # a dimension of size 1 has no position symbol, so nothing moves
    if a.get(op._operands[0]) is not None:
        splat(a, op)


def trans(a: IndexAnalysis, op: Operation) -> None:
    order = integers(op, "order")
    positions = result_positions(a, op)
    if len(positions) != len(order):  # of a buffer in shared memory, which has no elements here
        return
    arguments = [a.space.zero] * len(order)
    for d, source in enumerate(order):
        arguments[source] = positions[d]
    moved(a, op, arguments)


def reshape(a: IndexAnalysis, op: Operation) -> None:
    if attribute(op, "allow_reorder") is not None:
        # the order of the elements is the compiler's choice, or what the layouts make it
        return
    old = type_facts(op._operands[0].type).shape or ()
    new = type_facts(op.results[0].type).shape or ()
    moved(a, op, delinearized(a, linearized(a, result_positions(a, op), new), old))


def linearized(a: IndexAnalysis, positions: Sequence[Expr], shape: Sequence[int]) -> Expr:
    """Return the row-major number of an element."""
    total = a.space.zero
    for position, size in zip(positions, shape, strict=True):
        total = total * size + position
    return total


def delinearized(a: IndexAnalysis, e: Expr, shape: Sequence[int]) -> list[Expr]:
    """Return the positions of the element with row-major number `e`."""
    positions: list[Expr] = []
    for d, size in reversed(list(enumerate(shape))):
        positions.append(a.space.mod(e, size) if d else e)
        e = a.space.floordiv(e, size)
    return positions[::-1]


def join(a: IndexAnalysis, op: Operation) -> None:
    x, y = (a.get(v) for v in op._operands)
    last = result_positions(a, op)[-1]
    if isinstance(x, Expr) and isinstance(y, Expr):
        # 0 or 1 times the difference stays linear where the difference is a number
        difference = y - x
        if difference.constant is not None:
            a.values[op.results[0]] = x + difference * last
            return
    found = chosen(a, a.space.is_zero(last), x, y)
    if found is not None:
        a.values[op.results[0]] = found


def split(a: IndexAnalysis, op: Operation) -> None:
    shape = type_facts(op._operands[0].type).shape or ()
    for which, result in enumerate(op.results):
        facts = type_facts(result.type)
        if facts.sort is Sort.OTHER:
            return
        positions = [*a.positions(shape[:-1]), a.space.const(which)]
        value = a.get(op._operands[0])
        if isinstance(value, Expr):
            a.values[result] = a.space.substitute(value, positions_to(a.space, value, positions))


# --- tt: the grid, pointers -----------------------------------------------------------


def program_id(a: IndexAnalysis, op: Operation) -> None:
    axis = integer(op, "axis")
    a.values[op.results[0]] = a.space.scalar(("program_id", axis), f"pid_{'xyz'[axis]}", GRID)


def num_programs(a: IndexAnalysis, op: Operation) -> None:
    axis = integer(op, "axis")
    interval = (1, GRID[1] + 1)
    a.values[op.results[0]] = a.space.scalar(
        ("num_programs", axis), f"grid_{'xyz'[axis]}", interval
    )


def addptr(a: IndexAnalysis, op: Operation) -> None:
    pointer = a.get(op._operands[0])
    if isinstance(pointer, Pointer):
        by = a.expr(op._operands[1])
        if type_facts(op._operands[1].type).sort is Sort.BOOLEAN:
            by = -by  # offsets have a sign, and a boolean has nothing else
        a.values[op.results[0]] = Pointer(pointer.base, pointer.offset + by, pointer.pointee)
    elif isinstance(pointer, Unknown):
        a.values[op.results[0]] = Unknown(pointer.reason, pointer.value)


def pointer_to_integer(a: IndexAnalysis, op: Operation) -> None:
    """An address is that of the base, which no expression explains, and bytes from there."""
    pointer, result = a.get(op._operands[0]), op.results[0]
    if not isinstance(pointer, Pointer):
        return
    if type_facts(result.type).shape is None:
        address = a.symbol(result)
        a.addresses[a.space.leaf_of(address).uid] = pointer
        a.values[result] = address
        return
    address = a.space.scalar(("address", pointer.base), f"address_of_{a.name_of(pointer.base)}")
    a.addresses[a.space.leaf_of(address).uid] = Pointer(pointer.base, a.space.zero, pointer.pointee)
    a.values[result] = address + pointer.offset * byte_width(pointer.pointee)


def integer_to_pointer(a: IndexAnalysis, op: Operation) -> None:
    """A whole number of elements from a known address is a pointer with its base."""
    found = a.get(op._operands[0])
    pointee = type_facts(op.results[0].type).element
    if not isinstance(found, Expr):
        return
    width = a.space.const(byte_width(pointee))
    for atom in found.atoms():
        origin = a.addresses.get(atom.uid)
        if origin is None or found.coefficient(atom) is not a.space.one:
            continue
        start = origin.offset * byte_width(origin.pointee)
        offset = (found - a.space.wrap(atom) + start).divided(width)
        if offset is not None:
            a.values[op.results[0]] = Pointer(origin.base, offset, pointee)
            return


def bitcast(a: IndexAnalysis, op: Operation) -> None:
    found = a.get(op._operands[0])
    facts = type_facts(op.results[0].type)
    if isinstance(found, Pointer) and facts.sort is Sort.POINTER:
        offset = found.offset * byte_width(found.pointee)
        new = offset.divided(a.space.const(byte_width(facts.element)))
        if new is not None:
            a.values[op.results[0]] = Pointer(found.base, new, facts.element)
        elif facts.shape is not None:
            a.values[op.results[0]] = Unknown("bitcast of unaligned pointers", op.results[0])
    elif isinstance(found, Expr) and is_integer(op) and width_of(op._operands[0]) == facts.width:
        a.values[op.results[0]] = found


def make_tensor_ptr(a: IndexAnalysis, op: Operation) -> None:
    """`tt.make_tensor_ptr base, shape..., strides..., offsets...`, and the descriptor."""
    base = a.get(op._operands[0])
    facts = type_facts(op.results[0].type)
    rank = len(facts.shape or ())
    numbers = [a.expr(v) for v in op._operands[1:]]
    descriptor = op.name != "tt.make_tensor_ptr"
    offsets = (a.space.zero,) * rank if descriptor else tuple(numbers[2 * rank : 3 * rank])
    order = integers(op, "order")
    if not isinstance(base, Pointer):
        return
    a.values[op.results[0]] = TensorBlock(
        base.base,
        base.offset,
        tuple(numbers[:rank]),
        tuple(numbers[rank : 2 * rank]),
        offsets,
        facts.shape or (),
        order or tuple(reversed(range(rank))),
        base.pointee,
        padding_of(op) if descriptor else None,
    )


def padding_of(op: Operation) -> int:
    """Return what a descriptor reads beyond the tensor; zeros unless it says otherwise."""
    return integer(op, "padding", ZERO_PADDING)


def advance(a: IndexAnalysis, op: Operation) -> None:
    block = a.get(op._operands[0])
    if isinstance(block, TensorBlock):
        steps = [a.expr(v) for v in op._operands[1:]]
        moved = tuple(x + y for x, y in zip(block.offsets, steps, strict=False))
        offsets = (*moved, *block.offsets[len(moved) :])
        a.values[op.results[0]] = replace(block, offsets=offsets)
    elif isinstance(block, Unknown):
        a.values[op.results[0]] = Unknown(block.reason, block.value)


def assume(a: IndexAnalysis, op: Operation) -> None:
    a.assume(a.cond(op._operands[0]), op)


RULES: dict[str, Rule] = {
    "arith.constant": constant,
    "arith.addi": integer_rule(lambda a, x, y: x + y),
    "arith.subi": integer_rule(lambda a, x, y: x - y),
    "arith.muli": integer_rule(lambda a, x, y: x * y),
    "arith.divsi": integer_rule(lambda a, x, y: a.space.truncdiv(x, y)),
    "arith.remsi": integer_rule(lambda a, x, y: a.space.truncrem(x, y)),
    "arith.divui": unsigned_division(lambda a, x, y: a.space.truncdiv(x, y)),
    "arith.remui": unsigned_division(lambda a, x, y: a.space.truncrem(x, y)),
    "arith.floordivsi": integer_rule(
        lambda a, x, y: a.space.floordiv(x, y) if y.interval[0] > 0 else None
    ),
    "arith.ceildivsi": integer_rule(
        lambda a, x, y: a.space.ceildiv(x, y) if y.interval[0] > 0 else None
    ),
    "arith.ceildivui": integer_rule(
        unsigned(lambda a, x, y: a.space.ceildiv(x, y) if y.interval[0] > 0 else None)
    ),
    "arith.minsi": integer_rule(lambda a, x, y: a.space.minimum(x, y)),
    "arith.maxsi": integer_rule(lambda a, x, y: a.space.maximum(x, y)),
    "arith.minui": integer_rule(unsigned(lambda a, x, y: a.space.minimum(x, y))),
    "arith.maxui": integer_rule(unsigned(lambda a, x, y: a.space.maximum(x, y))),
    "arith.shli": integer_rule(shift_left),
    "arith.shrsi": integer_rule(shift_right),
    "arith.shrui": integer_rule(unsigned(shift_right)),
    "arith.andi": bitwise,
    "arith.ori": bitwise,
    "arith.xori": bitwise,
    "math.absi": magnitude,
    "arith.cmpi": compare,
    "arith.select": select,
    "arith.extsi": extend,
    "arith.extui": extend,
    "arith.trunci": truncate,
    "arith.index_cast": same,
    "arith.index_castui": extend,
    "arith.bitcast": same,
    "tt.make_range": make_range,
    "tt.splat": splat,
    "tt.unsplat": unsplat,
    "tt.expand_dims": expand_dims,
    "tt.broadcast": broadcast,
    "tt.trans": trans,
    "tt.reshape": reshape,
    "tt.join": join,
    "tt.split": split,
    "tt.get_program_id": program_id,
    "tt.get_num_programs": num_programs,
    "tt.addptr": addptr,
    "tt.bitcast": bitcast,
    "tt.make_tensor_ptr": make_tensor_ptr,
    "tt.make_tensor_descriptor": make_tensor_ptr,
    "tt.advance": advance,
    "tt.assert": assume,
    "tt.ptr_to_int": pointer_to_integer,
    "tt.int_to_ptr": integer_to_pointer,
    "llvm.intr.assume": assume,
}
"""By the name of the op; ops with regions and calls have theirs in `control_flow`."""
