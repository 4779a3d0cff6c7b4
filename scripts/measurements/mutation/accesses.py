"""Slips in what is accessed and in which order: masks, `other`, stores, atomics, loops, shapes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, NoneAttr, TensorType, i32
from xdsl.ir import Block, Operation, SSAValue

from measurements.mutation.editing import (
    Edit,
    before,
    build,
    constant,
    instead,
    integer,
    is_float,
    number,
    op_class,
    operand,
    replace,
    set_integer,
    width,
    with_elements,
)
from xtriton.dialects.utils.tensors import is_tensor

_MASKS = {"tt.load": 1, "tt.store": 2, "tt.atomic_rmw": 2}
"""Which operand of an access is its mask, if it has one."""


def _mask(op: Operation) -> SSAValue | None:
    found: Any = getattr(op, "mask", None) if op.name in _MASKS else None
    return found


def mask_dropped(op: Operation) -> Iterator[Edit]:
    """Access all lanes; and load without `other`, or with another one."""
    mask = _mask(op)
    if mask is None:
        return
    yield Edit("mask dropped", op.name, partial(operand, op, _MASKS[op.name], *_all(mask)))
    if op.name == "tt.load" and len(op.operands) == 3:
        yield Edit("other dropped", "tt.load", partial(_without_other, op))
        other, kind = op.operands[2], op.operands[2].type
        value = number(other)
        if value is not None and (is_float(kind) or width(kind)):
            edit = partial(operand, op, 2, constant(kind, 0 if value else 1))
            yield Edit("other dropped", "another other", edit)


def _all(mask: SSAValue) -> tuple[Operation, ...]:
    return (constant(mask.type, 1),)


def _without_other(op: Operation) -> None:
    pointer, mask, _ = op.operands
    sizes = DenseArrayBase.from_list(i32, [1, 1, 0])
    properties = {**op.properties, "operandSegmentSizes": sizes}
    instead(op, build("tt.load", [pointer, mask], op.results[0].type, properties))
    op.detach()
    op.erase()


def mask_moved(op: Operation) -> Iterator[Edit]:
    """Let a lane more or a lane less take part: at a place, or at the bound."""
    mask = _mask(op)
    if mask is None or not is_tensor(mask.type):
        return
    kind: Any = mask.type
    sizes = kind.get_shape()
    if len(sizes) == 1:
        for lane in sorted({0, sizes[0] - 1}):
            for name, keeps in (("narrowed", True), ("widened", False)):
                edit = partial(_lane, op, mask, sizes[0], lane, keeps)
                yield Edit(f"mask {name} by one lane", f"{op.name}, lane {lane}", edit)
    for compared in _comparisons(mask):
        for by in (1, -1):
            edit = partial(_bound, op, mask, compared, by)
            named = "widened" if by > 0 else "narrowed"
            yield Edit(f"mask {named} by one lane", f"{op.name}, bound {by:+}", edit)


def _lane(op: Operation, mask: SSAValue, size: int, lane: int, keeps: bool) -> None:
    kind = with_elements(mask.type, i32)
    span = {"start": IntegerAttr(0, i32), "end": IntegerAttr(size, i32)}
    index, place = build("tt.make_range", [], kind, span), constant(kind, lane)
    predicate = {"predicate": IntegerAttr(1 if keeps else 0, 64)}
    here = build("arith.cmpi", [index.results[0], place.results[0]], mask.type, predicate)
    name = "arith.andi" if keeps else "arith.ori"
    new = build(name, [mask, here.results[0]], mask.type)
    operand(op, _MASKS[op.name], index, place, here, new)


def _comparisons(mask: SSAValue, depth: int = 0) -> Iterator[Operation]:
    """Yield the comparisons with a bound that a mask is made of."""
    op = mask.owner
    if not isinstance(op, Operation) or depth > 4:
        return
    if (
        op.name == "arith.cmpi"
        and integer(op, "predicate") in (2, 6)
        and width(op.operands[1].type) > 8
    ):
        yield op
    elif op.name in ("arith.andi", "tt.broadcast", "tt.expand_dims", "arith.ori"):
        for value in op.operands:
            yield from _comparisons(value, depth + 1)


def _bound(op: Operation, mask: SSAValue, compared: Operation, by: int) -> None:
    """Move the bound of a comparison for one access only: its mask is computed anew."""
    made: dict[SSAValue, SSAValue] = {}

    def again(value: SSAValue) -> SSAValue:
        owner = value.owner
        if value in made or not isinstance(owner, Operation):
            return made.get(value, value)
        if owner is compared:
            kind = compared.operands[1].type
            step = constant(kind, by)
            bound = build("arith.addi", [compared.operands[1], step.results[0]], kind)
            new = build(
                "arith.cmpi",
                [compared.operands[0], bound.results[0]],
                value.type,
                compared.properties,
            )
            before(op, step, bound, new)
        elif owner.name in ("arith.andi", "tt.broadcast", "tt.expand_dims", "arith.ori"):
            new = type(owner).create(
                operands=[again(v) for v in owner.operands],
                result_types=[value.type],
                properties=dict(owner.properties),
                attributes=dict(owner.attributes),
            )
            before(op, new)
        else:
            return value
        made[value] = new.results[0]
        return made[value]

    op.operands[_MASKS[op.name]] = again(mask)


def _base(op: Operation) -> Any:
    """Return the argument behind the pointer of an access, or what it comes from."""
    value: Any = op.operands[0]
    while isinstance(value.owner, Operation) and value.owner.operands:
        value = value.owner.operands[0]
    return value


def reordered(op: Operation) -> Iterator[Edit]:
    """Put a store in front of the access of the same memory that it follows."""
    if op.name != "tt.store" or op.parent is None:
        return
    earlier = op.prev_op
    needed: set[Operation] = {v.owner for v in op.operands if isinstance(v.owner, Operation)}
    while earlier is not None:
        if earlier in needed:
            return
        if earlier.name in ("tt.load", "tt.store") and _base(earlier) is _base(op):

            def move(earlier: Operation = earlier) -> None:
                op.detach()
                before(earlier, op)

            yield Edit("order of two accesses", f"{op.name} before {earlier.name}", move)
            return
        if earlier.regions:
            return
        earlier = earlier.prev_op


RMW = {1: "arith.andi", 2: "arith.ori", 3: "arith.xori", 4: "arith.addi", 5: "arith.addf",
       6: "arith.maxsi", 7: "arith.minsi", 8: "arith.maxui", 9: "arith.minui"}  # fmt: skip


def plain_atomic(op: Operation) -> Iterator[Edit]:
    """Load, compute and store in place of an atomic; or do another one, or only store."""
    if op.name != "tt.atomic_rmw":
        return
    code = integer(op, "atomic_rmw_op") or 0
    name, kind = RMW.get(code), op.results[0].type
    pointer, value, *rest = op.operands
    if name is not None:

        def plain() -> None:
            sizes = DenseArrayBase.from_list(i32, [1, len(rest), 0])
            old = build(
                "tt.load",
                [pointer, *rest],
                kind,
                {"operandSegmentSizes": sizes, **_hints("tt.load")},
            )
            new = build(name, [old.results[0], value], kind)
            store = op_class("tt.store").create(
                operands=[pointer, new.results[0], *rest], properties=_hints("tt.store")
            )
            before(op, old, new, store)
            replace(op.results[0], old.results[0])
            op.detach()
            op.erase()

        yield Edit("atomic made plain", name, plain)
    others = {4: (6, 10), 5: (10,), 6: (7, 8), 7: (6,), 8: (9,), 9: (8,), 10: (4,), 1: (2,)}
    for other in others.get(code, ()):
        if other != 4 or width(kind):
            edit = partial(set_integer, op, "atomic_rmw_op", other)
            yield Edit("op mistaken for another", f"atomic {code} as {other}", edit)


def _hints(name: str) -> dict[str, Any]:
    from xdsl.dialects.builtin import IntegerType

    none = IntegerAttr(1, i32)
    common: dict[str, Any] = {
        "boundaryCheck": DenseArrayBase.from_list(i32, []), "cache": none, "evict": none
    }  # fmt: skip
    if name == "tt.load":
        common["isVolatile"] = IntegerAttr(0, IntegerType(1))
    return common


def loops(op: Operation) -> Iterator[Edit]:
    """Begin or end a loop one off, step by another number, carry a stale value."""
    if op.name == "scf.for":
        for k, what in enumerate(("lower bound", "upper bound", "step")):
            for by in (1,) if k == 2 else (1, -1):
                edit = partial(_plus, op, k, by)
                yield Edit("loop off by one", f"{what} {by:+}", edit)
        arguments, last = op.regions[0].blocks[0].args[1:], op.regions[0].blocks[0].last_op
        if last is None:
            return
        for k, argument in enumerate(arguments):
            if last.operands[k] is not argument:
                edit = partial(last.operands.__setitem__, k, argument)
                yield Edit("carried value stale", f"argument {k} is yielded", edit)
            yield Edit("carried value stale", f"initial value {k}", partial(_initial, op, k))
            edit = partial(replace, op.results[k], op.operands[3 + k])
            if op.results[k].uses:
                yield Edit("carried value stale", f"result {k} is the initial value", edit)
    if op.name == "scf.if" and len(op.results):
        for k, result in enumerate(op.results):
            values = [_yielded(region.blocks[0], k) for region in op.regions if region.blocks]
            for which in (0, 1):
                if len(values) == 2 and values[0] is not values[1] and result.uses:
                    outer = values[which].owner
                    if outer is not op and _is_outside(values[which], op):
                        edit = partial(replace, result, values[which], (op,))
                        yield Edit("branch forgotten", f"result {k}", edit)
        yield Edit("branch forgotten", "the condition turned", partial(_negate, op))


def _yielded(block: Block, k: int) -> SSAValue:
    last = block.last_op
    assert last is not None
    return last.operands[k]


def _is_outside(value: SSAValue, op: Operation) -> bool:
    owner: Any = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    while block is not None:
        if block.parent_op() is op:
            return False
        parent = block.parent_op()
        block = parent.parent if parent is not None else None
    return True


def _negate(op: Operation) -> None:
    true = constant(op.operands[0].type, 1)
    operand(
        op, 0, true, build("arith.xori", [op.operands[0], true.results[0]], op.operands[0].type)
    )


def _plus(op: Operation, k: int, by: int) -> None:
    value = op.operands[k]
    step = constant(value.type, by)
    operand(op, k, step, build("arith.addi", [value, step.results[0]], value.type))


def _initial(op: Operation, k: int) -> None:
    """Let the body use the initial value of what is carried."""
    replace(op.regions[0].blocks[0].args[1 + k], op.operands[3 + k])


def shapes(op: Operation) -> Iterator[Edit]:
    """Take another axis, order, span or direction."""
    match op.name:
        case "tt.get_program_id" | "tt.get_num_programs":
            axis = integer(op, "axis") or 0
            edit = partial(set_integer, op, "axis", (axis + 1) % 3)
            yield Edit("axis mistaken", op.name, edit)
        case "tt.make_range":
            start, end = integer(op, "start") or 0, integer(op, "end") or 0

            def shift() -> None:
                set_integer(op, "start", start + 1)
                set_integer(op, "end", end + 1)

            yield Edit("constant off by one", "tt.make_range", shift)
        case "tt.scan":
            turned = 1 - (integer(op, "reverse") or 0)
            yield Edit(
                "axis mistaken", "tt.scan reversed", partial(set_integer, op, "reverse", turned)
            )
        case "tt.reduce" | "tt.scan":
            pass
        case "tt.dot":
            if integer(op, "inputPrecision") != 0 and is_float(op.operands[0].type):
                edit = partial(set_integer, op, "inputPrecision", 0)
                yield Edit("rounding", "tt.dot in tf32", edit)
        case "tt.trans":
            order = op.properties.get("order")
            kind: Any = op.results[0].type
            if order is not None and len(set(kind.get_shape())) == 1:
                edit = partial(replace, op.results[0], op.operands[0], (op,))
                yield Edit("axis mistaken", "tt.trans dropped", edit)
        case "tt.expand_dims":
            yield from _square(op)
        case "tt.split":

            def swap() -> None:
                first = list(op.results[0].uses)
                replace(op.results[1], op.results[0])
                for use in first:
                    use.operation.operands[use.index] = op.results[1]

            yield Edit("operand swapped", "tt.split", swap)
        case _:
            pass


def _square(op: Operation) -> Iterator[Edit]:
    """Expand and broadcast along the other axis where the result is square."""
    users = [use.operation for use in op.results[0].uses]
    kind: Any = op.results[0].type
    axis = integer(op, "axis") or 0
    if len(kind.get_shape()) != 2 or len(users) != 1 or users[0].name != "tt.broadcast":
        return
    wide: Any = users[0].results[0].type
    if len(set(wide.get_shape())) != 1 or not isinstance(kind.encoding, NoneAttr):
        return

    def turn() -> None:
        shape = list(reversed(kind.get_shape()))
        other = TensorType(kind.element_type, shape, kind.encoding)
        new = build("tt.expand_dims", [op.operands[0]], other, {"axis": IntegerAttr(1 - axis, i32)})
        spread = build("tt.broadcast", [new.results[0]], wide)
        instead(users[0], new, spread)

    yield Edit("axis mistaken", "rows for columns", turn)


def listed(op: Operation) -> Iterator[Edit]:
    """Forget one dimension of the boundary check of a block pointer's access."""
    check: Any = op.properties.get("boundaryCheck")
    if check is not None and len(check):
        values = [int(v) for v in check.get_values()]
        rest = DenseArrayBase.from_list(i32, values[1:])
        edit = partial(op.properties.__setitem__, "boundaryCheck", rest)
        yield Edit("mask dropped", f"{op.name}, a dimension", edit)


def stored(op: Operation) -> Iterator[Edit]:
    """Forget a store."""
    if op.name in ("tt.store", "tt.atomic_rmw") and not any(r.uses for r in op.results):

        def erase() -> None:
            op.detach()
            op.erase()

        yield Edit("op dropped", op.name, erase)


SLIPS = (mask_dropped, mask_moved, reordered, plain_atomic, loops, shapes, listed, stored)
