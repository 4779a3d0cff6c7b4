"""
Stretches of a block of indices, in which each is one more than the one before it.

Whoever adds up rows by their numbers has a row's number and a column in each index:

    index = numbers[place // width] * width + place % width

What a quotient makes of an index, such as a number that is loaded, stays the same between two of
its multiples, where the remainder goes up by one. (`steps` knows less, of whole blocks: whether
they are one stretch, once their first and last index say so.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import is_shaped, shape_of, single_block, terminator
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import Generic, generic_of, is_identity
from xtriton.cpu.emitter.values import Lazy
from xtriton.ir.attributes import integer, integers

SHORTEST = 16
"""Elements of a stretch that is worth it."""
CASTS = ("arith.extsi", "arith.index_cast")
PURE = ("arith.", "math.")
READS = ("memref.load", "tensor.extract")


@dataclass(frozen=True)
class Cut:
    """
    Where stretches end: at multiples of `width`, of what goes up by one along the block.

    That is a block, a number that it begins with, or None for the places themselves. Or they end
    `at` one place.
    """

    dividend: SSAValue | None
    width: int
    at: Operand | None = None


@dataclass(frozen=True)
class Form:
    """How elements change inside a stretch: by `slope`, 0 or 1; and where such stretches end."""

    slope: int
    cuts: tuple[Cut, ...] = ()


STEADY = Form(0)


def joined(forms: Iterable[Form]) -> tuple[Cut, ...]:
    """Return the cuts of forms, each once and in their order, which is that of the code."""
    return tuple(dict.fromkeys(cut for form in forms for cut in form.cuts))


@dataclass
class _Forms:
    """The forms of blocks of one dimension, and of values in the loops that make them."""

    e: Emitter
    known: dict[SSAValue, Form | None] = field(default_factory=dict[SSAValue, Form | None])
    """By what the code is now: ops that get theirs later may change that."""

    def _once(self, value: SSAValue, find: Callable[[], Form | None]) -> Form | None:
        if (lasting := self.e.forms.get(value)) is not None:
            return lasting
        if value not in self.known:
            form = self.known[value] = find()
            if form is not None and all(cut.at is None for cut in form.cuts):
                self.e.forms[value] = form
        return self.known[value]

    def form(self, block: SSAValue) -> Form | None:
        """Return the form of a block; None for what is not known to have one."""
        if not is_shaped(block.type):
            return STEADY
        return self._once(block, lambda: self._of_block(block))

    def _of_block(self, block: SSAValue) -> Form | None:
        op, shape = block.owner, shape_of(block.type)
        if all(size == 1 for size in shape):
            return STEADY
        meaning = self.e.environment.get(block)
        if isinstance(meaning, Lazy) and (pieces := meaning.pieces) is not None:
            if pieces.is_uniform:
                return STEADY
            return Form(0, (Cut(None, SHORTEST, pieces.end),))
        if not isinstance(op, Operation) or len(op.results) != 1:
            return None
        if op.name == "linalg.fill":
            return STEADY
        if op.name == "tensor.collapse_shape" and len(shape) == 1:
            return self._of_rows(op.operands[0])
        if op.name == "scf.for" and (cut := _filled_by_rows(self.e, op)) is not None:
            return Form(0, (cut,))
        if op.name != "linalg.generic" or len(shape) != 1:
            return None
        generic = generic_of(op)
        if generic.reductions != [False] or not is_identity(generic.output_maps[0]):
            return None
        return self._inside(generic, generic.yielded[0])

    def _of_rows(self, block: SSAValue) -> Form | None:
        """Return the form of rows one after the other, if each is the same number everywhere."""
        op, width = block.owner, shape_of(block.type)[-1]
        if not isinstance(op, Operation) or op.name != "linalg.generic" or width < 2:
            return None
        generic = generic_of(op)
        last = len(generic.reductions) - 1
        of_last = [
            inner
            for inner in generic.block.ops
            if inner.name == "linalg.index" and integer(inner, "dim") == last
        ]
        used = zip(generic.block.args, generic.maps, strict=True)
        depends = any(last in map.used_dims() for argument, map in used if any(argument.uses))
        if of_last or depends or any(generic.reductions) or len(op.results) != 1:
            return None
        if not is_identity(generic.output_maps[0]) or not all(map(_is_pure, generic.block.ops)):
            return None
        return Form(0, (Cut(None, width),))

    def _inside(self, generic: Generic, value: SSAValue) -> Form | None:
        """Return the form of a value of a generic's body."""
        op = value.owner
        if op is generic.block:
            number = list(generic.block.args).index(value)
            map = generic.maps[number]
            if number >= len(generic.inputs):
                return None
            if is_identity(map):
                return self.form(generic.inputs[number])
            return None if map.used_dims() else STEADY
        if not isinstance(op, Operation) or op.parent_block() is not generic.block:
            return STEADY
        return self._once(value, lambda: self._of_op(generic, op))

    def _of_op(self, generic: Generic, op: Operation) -> Form | None:
        if op.name == "linalg.index":
            return Form(1)
        if not _is_pure(op):
            return None
        if op.name == "tensor.extract" and _name(op.operands[-1]) == "linalg.index":
            return self.form(op.operands[0])
        found = [self._inside(generic, operand) for operand in op.operands]
        parts = [part for part in found if part is not None]
        if len(parts) != len(found):
            return None
        cuts = joined(parts)
        slopes = [part.slope for part in parts]
        if not any(slopes):
            return Form(0, cuts)
        if op.name in CASTS or (op.name == "arith.addi" and sum(slopes) == 1):
            return Form(1, cuts)
        if op.name == "arith.subi" and slopes == [1, 0]:
            return Form(1, cuts)
        return self._divided(generic, op, parts[0])

    def _divided(self, generic: Generic, op: Operation, dividend: Form) -> Form | None:
        if op.name not in ("arith.divsi", "arith.remsi") or dividend != Form(1):
            return None
        width, block = self.e.environment.get(op.operands[1]), op.operands[0]
        if not isinstance(width, int) or width < SHORTEST or block.owner is not generic.block:
            return None
        of = generic.inputs[list(generic.block.args).index(block)]
        return Form(int(op.name == "arith.remsi"), (Cut(of, width),))


def _is_pure(op: Operation) -> bool:
    """Return whether an op makes the same of the same, as long as nothing is stored."""
    return op.name.startswith(PURE) or op.name in (*READS, "linalg.yield", "linalg.index")


def _filled_by_rows(e: Emitter, loop: Operation) -> Cut | None:
    """Return where the rows end that a loop fills one after the other, each with one number."""
    block = single_block(loop)
    insert = terminator(block).operands[0].owner
    if len(loop.operands) != 4 or not isinstance(insert, Operation):
        return None
    if insert.name != "tensor.insert_slice" or len(insert.operands) != 4:
        return None
    filled, into, offset, length = insert.operands
    if _name(filled) != "linalg.fill" or _name(loop.operands[3]) != "tensor.empty":
        return None
    if into is not block.args[1] or integers(insert, "static_strides") != (1,):
        return None
    (size,) = shape_of(loop.results[0].type)
    return _row_at(e, block.args[0], offset, length, size)


def _name(value: SSAValue) -> str:
    return value.owner.name if isinstance(value.owner, Operation) else ""


def _row_at(e: Emitter, row: SSAValue, offset: SSAValue, length: SSAValue, size: int) -> Cut | None:
    """Return the cut if the row of a number is from `offset` on in a block of some `size`."""

    def parts(value: SSAValue, name: str) -> tuple[SSAValue, SSAValue] | None:
        op = value.owner
        if not isinstance(op, Operation) or op.name != name:
            return None
        return op.operands[0], op.operands[1]

    def number(value: SSAValue) -> object:
        return e.environment.get(value)

    if (most := parts(offset, "arith.maxsi")) is None or number(most[1]) != 0:
        return None
    if (begin := parts(most[0], "arith.subi")) is None:
        return None
    product, rest = parts(begin[0], "arith.muli"), parts(length, "arith.subi")
    least = None if rest is None or rest[1] is not offset else parts(rest[0], "arith.minsi")
    end = None if least is None or number(least[1]) != size else parts(least[0], "arith.addi")
    if product is None or end is None or product[0] is not row or end[0] is not most[0]:
        return None
    base, width = begin[1], number(product[1])
    own = isinstance(base.owner, Operation) and base.owner.parent_block() is row.owner
    if own or not isinstance(width, int) or number(end[1]) != width:
        return None
    return Cut(base, width)


def form_of(e: Emitter, block: SSAValue) -> Form | None:
    """Return the form of a block that has stretches worth it."""
    form = _Forms(e).form(block)
    if form is None or not form.cuts or any(cut.width < SHORTEST for cut in form.cuts):
        return None
    return form


def cuts_of(e: Emitter, block: SSAValue) -> tuple[Cut, ...] | None:
    """Return where the stretches of a block end, in which each is one more; None if none do."""
    form = form_of(e, block)
    return form.cuts if form is not None and form.slope else None


def asserted_cuts(e: Emitter, op: Operation) -> tuple[Cut, ...] | None:
    """Return the cuts between which a structured op asserts the same of all elements."""
    # Elsewhere such blocks are in memory, where asking of all takes no longer.
    if not e.may_be_alone or op.name != "linalg.generic" or op.results:
        return None
    generic = generic_of(op)
    names = [inner.name for inner in generic.block.ops]
    if "linalg.index" in names or "cf.assert" not in names or len(generic.reductions) != 1:
        return None
    forms = [form_of(e, value) for value in generic.inputs]
    known = [form for form in forms if form is not None and not form.slope]
    if len(known) != len(forms) or not all(map(is_identity, generic.maps)):
        return None
    return joined(known)


def are_usual(e: Emitter, cuts: tuple[Cut, ...], count: int) -> str:
    """Return, as an i1, whether no dividend is negative or overflows in a block of `count`."""
    b, usual = e.builder, "true"
    for dividend in dividends(cuts):
        first, bits = first_of(e, dividend)
        # Of unsigned numbers those below zero are the largest.
        last = (1 << (bits - 1)) - count
        usual = b.both(usual, b.value(f"icmp ult i{bits} {first}, {last}"))
    return usual


def dividends(cuts: tuple[Cut, ...]) -> list[SSAValue]:
    """Return what is divided, each once."""
    return [*dict.fromkeys(cut.dividend for cut in cuts if cut.dividend is not None)]


def first_of(e: Emitter, block: SSAValue) -> tuple[Operand, int]:
    """Return what goes up by one from where a block of its elements begins, and its bits."""
    if not is_shaped(block.type):
        return e.scalar(block), 64
    tensor = e.tensor(block)
    return e.element(tensor, [0]), int(tensor.type.register[1:])


def in_stretches(
    e: Emitter, cuts: tuple[Cut, ...], count: int, write: Callable[[Operand, Operand], None]
) -> None:
    """Have `write` write what is done from the start of a stretch up to its end, for each."""
    firsts = {cut: _dividend_at_zero(e, cut) for cut in cuts}

    def stretch(start: str, _: list[str]) -> Sequence[Operand]:
        end: Operand = count
        for cut, first in firsts.items():
            end = e.builder.least(end, _behind(e, cut, first, start, count))
        write(start, end)
        return (end,)

    e.builder.in_parts(count, stretch, "stretch")


def _behind(e: Emitter, cut: Cut, first: Operand, start: str, count: int) -> Operand:
    """Return where a stretch from `start` on ends by a cut."""
    b = e.builder
    if cut.at is not None:
        return b.chosen(b.less(start, cut.at), cut.at, count)
    rest = b.value(f"urem i64 {b.add(first, start)}, {cut.width}")
    return b.add(start, b.sub(cut.width, rest))


def _dividend_at_zero(e: Emitter, cut: Cut) -> Operand:
    if cut.dividend is None:
        return 0
    first, bits = first_of(e, cut.dividend)
    return e.builder.index(f"i{bits}", first)
