"""
Atomic ops on blocks where no others run meanwhile.

A kernel that never waits for others asks when it is launched whether it is alone, as
`xtriton.cpu.exclusion` tells, and has both ways to update each block: with atomic ops, and without
them. Then also neighbours that follow each other are updated as vectors, all being different.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue, Use

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import shape_of
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.elementwise import is_in_step, real_uses
from xtriton.cpu.emitter.generics import Generic, generic_of, is_identity
from xtriton.cpu.emitter.runs import FEWEST, run_of
from xtriton.cpu.emitter.stretches import (
    are_usual,
    asserted_cuts,
    cuts_of,
    form_of,
    in_stretches,
)
from xtriton.cpu.emitter.values import Lazy, View, condition_text
from xtriton.ir.attributes import integer

UPDATE = "memref.atomic_rmw"
SYSTEM = 3
"""The scope of ops that others than this process see as well."""
WAITING = ("scf.while", "tt.atomic_poll", "cf.br", "cf.cond_br")
"""What may go on until another launch has done something."""


def may_be_alone(e: Emitter) -> bool:
    """Return whether a kernel has atomic ops on blocks, and ends whatever others do."""
    if e.checked or not e.atomics:
        return False
    every = [op for function in e.functions.values() for op in function.walk()]
    if any(op.name in WAITING or integer(op, "tt.scope", 0) == SYSTEM for op in every):
        return False
    return any(op.name == UPDATE and _is_of_block(op) for op in every)


def _is_of_block(update: Operation) -> bool:
    loop = update.parent_op()
    while loop is not None and loop.name == "scf.if":
        loop = loop.parent_op()
    return loop is not None and loop.name == "linalg.generic"


def leads_to_update(e: Emitter, op: Operation) -> bool:
    """
    Return whether all that is done with a block is to update what is at such indices.

    Or at indices that are made of it, and to assert what they are, all in stretches.
    """
    if not e.may_be_alone or len(op.results) != 1:
        return False
    if len(shape_of(op.results[0].type)) == 1 and form_of(e, op.results[0]) is None:
        return _is_index(real_uses(op))
    return _leads(e, op, {})


def _is_index(uses: Sequence[Use]) -> bool:
    """Return whether a block has one use, as the indices of an update."""
    if len(uses) != 1 or uses[0].operation.name != "linalg.generic":
        return False
    update = _update_of(generic_of(uses[0].operation))
    return update is not None and uses[0].operation.operands[uses[0].index] is update.indices


def _leads(e: Emitter, op: Operation, known: dict[Operation, bool]) -> bool:
    if op not in known:
        uses, block = real_uses(op), op.parent_block()
        known[op] = bool(uses) and all(
            use.operation.parent_block() is block and _leads_by(e, use, known) for use in uses
        )
    return known[op]


def _leads_by(e: Emitter, use: Use, known: dict[Operation, bool]) -> bool:
    user = use.operation
    if len(user.results) == 1:
        in_step = user.name == "tensor.collapse_shape" or is_in_step(use)
        return in_step and form_of(e, user.results[0]) is not None and _leads(e, user, known)
    return _is_index([use]) or asserted_cuts(e, user) is not None


@dataclass(frozen=True)
class _Update:
    """A structured op that does nothing but to update elements of memory."""

    memory: SSAValue
    indices: SSAValue
    """A block of them."""
    mask: SSAValue | None
    """A block that tells which are updated, or a condition for all; None if all are."""


def _update_of(generic: Generic) -> _Update | None:
    ops, condition = list(generic.block.ops)[:-1], None
    if len(ops) == 1 and ops[0].name == "scf.if" and not ops[0].regions[1].blocks:
        condition = ops[0].operands[0]
        ops = list(ops[0].regions[0].block.ops)[:-1]
    in_step = not any(generic.reductions) and all(map(is_identity, generic.maps))
    if not in_step or generic.outputs or [op.name for op in ops] != ["arith.index_cast", UPDATE]:
        return None
    cast, update = ops
    operands = dict(zip(generic.block.args, generic.inputs, strict=True))
    indices = operands.get(cast.operands[0])
    if indices is None or [*update.operands[2:]] != [*cast.results] or any(update.results[0].uses):
        return None
    mask = None if condition is None else operands.get(condition, condition)
    return _Update(update.operands[1], indices, mask)


Body = Callable[[list[Operand]], None]


def update_alone(e: Emitter, generic: Generic, sizes: Sequence[Operand], body: Body) -> None:
    """
    Write how a structured op with atomic ops runs, alone and among others.

    `body` writes what it does for the elements at some indices.
    """
    update = _update_of(generic)
    if update is not None and _may_have_runs(e, update, sizes):
        e.nest(sizes[:-1], _Row(e, update, sizes, body).update)
    else:
        _both_ways(e, lambda: e.nest(sizes, body))


def _both_ways(e: Emitter, loop: Callable[[], None]) -> None:
    """Write a loop with atomic ops, and without them."""

    def alone() -> tuple[()]:
        e.is_alone = True
        others()
        e.is_alone = False
        return ()

    def others() -> tuple[()]:
        with e.nested():
            loop()
        return ()

    e.builder.if_else("%alone", alone, others)


def _may_have_runs(e: Emitter, update: _Update, sizes: Sequence[Operand]) -> bool:
    by_rows = len(sizes) == 1 or tuple(sizes) not in e.in_columns
    long = isinstance(sizes[-1], int) and sizes[-1] >= FEWEST
    return by_rows and long and e.view(update.memory).strides in ((), (1,))


@dataclass(frozen=True)
class _Row:
    """What a row of a block updates, which may be neighbours that follow each other."""

    e: Emitter
    made: _Update
    sizes: Sequence[Operand]
    body: Body

    def update(self, outer: Sequence[Operand]) -> None:
        """Update a row as vectors if its indices follow each other, or else one by one."""
        e = self.e
        cuts = None if outer else cuts_of(e, self.made.indices)

        def row(*, parallel: bool) -> None:
            e.nest([self.count], lambda at: self.body([*outer, *at]), parallel=parallel)

        def as_vectors() -> tuple[()]:
            e.is_alone = True
            if cuts is not None:
                in_stretches(e, cuts, self.count, self._update_stretch)
            else:
                with e.nested():
                    self._bind_run(outer)
                    row(parallel=True)
            e.is_alone = False
            return ()

        def runs() -> list[Operand]:
            if cuts is None:
                follow = run_of(e, self.made.indices, self.count, outer)
            else:
                follow = are_usual(e, cuts, self.count)
            return [self._with_all(follow, outer)]

        def one_by_one() -> tuple[()]:
            with e.nested():
                if not outer:
                    e.view(self.made.indices)
                _both_ways(e, lambda: row(parallel=False))
            return ()

        are_runs = e.builder.if_else("%alone", runs, lambda: ["false"], ["i1"])
        e.builder.if_else(str(are_runs[0]), as_vectors, one_by_one)

    @property
    def count(self) -> int:
        return int(self.sizes[-1])

    def _update_stretch(self, start: Operand, end: Operand) -> None:
        """Update elements as vectors from the start of a stretch up to its end."""
        e = self.e
        with e.nested():
            self._bind_run([], start)
            e.nest([e.builder.sub(end, start)], self._at(start), parallel=True)

    def _at(self, start: Operand) -> Body:
        return lambda at: self.body([self.e.builder.add(start, at[0])])

    def _with_all(self, follow: str, outer: Sequence[Operand]) -> str:
        """Return, as an i1, whether a condition holds, and all elements of a row are updated."""
        mask = self.made.mask
        if mask is None:
            return follow
        b = self.e.builder
        every = b.if_else(follow, lambda: [self._are_all(mask, outer)], lambda: ["false"], ["i1"])
        return str(every[0])

    def _bind_run(self, outer: Sequence[Operand], start: Operand = 0) -> None:
        """Have the indices of a row follow each other from `start`, and all of them updated."""
        e, b, mask, sizes = self.e, self.e.builder, self.made.mask, tuple(self.sizes)
        block = e.tensor(self.made.indices)
        kind, first = block.type, e.element(block, [*outer, start])
        t = kind.register

        def index(at: Sequence[Operand]) -> Operand:
            step = b.sub(at[-1], start)
            if t == "i64":
                return b.add(first, step)
            return b.value(f"add nsw {t} {first}, {b.value(f'trunc i64 {step} to {t}')}")

        e.bind(self.made.indices, Lazy(kind, sizes, index, (), 0))
        if mask is not None and isinstance(known := e.environment[mask], View | Lazy):
            e.bind(mask, Lazy(known.type, sizes, lambda _: 1, (), 0))

    def _are_all(self, mask: SSAValue, outer: Sequence[Operand]) -> str:
        """Return, as an i1, whether a condition holds for all elements of the row."""
        e, b, block = self.e, self.e.builder, self.e.environment[mask]
        if isinstance(block, int | str):
            return condition_text(block)
        if isinstance(block, Lazy) and block.pieces is not None and block.pieces.is_uniform:
            return condition_text(e.element(block, [0] * len(self.sizes)))

        def is_left_out(at: list[Operand]) -> str:
            holds = condition_text(e.element(e.tensor(mask), [*outer, *at]))
            return b.value(f"xor i1 {holds}, true")

        return b.none_of(self.count, is_left_out)
