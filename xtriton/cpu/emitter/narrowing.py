"""
Stores of f32 blocks that are rounded to bf16.

Where the CPU has an instruction for it, it rounds 32 numbers at once. That takes denormal numbers
for 0 and keeps bits of a NaN; so where there is any such, the numbers are rounded one by one.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import terminator
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.extents import takes_first
from xtriton.cpu.emitter.generics import generic_of, is_pointwise
from xtriton.cpu.emitter.values import Lazy, View
from xtriton.cpu.types import BF16, F32
from xtriton.ir.attributes import integer

LANES = 32
"""Numbers that are rounded at once, from two vectors."""
MOST = 4096
"""Numbers that are near by still when they are rounded, all of a block having been computed."""
_SPECIAL = 0x01 | 0x20 | 0x80
"""Quiet NaNs, denormal numbers and signalling NaNs, as VFPCLASSPS names them."""


def stored_rounded(e: Emitter, value: SSAValue, place: View) -> bool:
    """Store a block that is a rounded one to `place`, if that is best done here."""
    if place.type != BF16 or not place.strides or place.strides[-1] != 1:
        return False
    source = rounded_block(e, value) or _computed_block(e, value, place)
    if source is None:
        return False
    store_rounded(e, source, place)
    return True


def _computed_block(e: Emitter, value: SSAValue, place: View) -> View | None:
    """Return the f32 of which `value` has the first, rounded, computed into memory near by."""
    source = _source(value) if e.target.rounds_bf16 and not e.checked else None
    block = None if source is None else e.environment.get(source)
    if not isinstance(block, Lazy) or block.type != F32 or block.undefined:
        return None
    sizes = [size for size in block.sizes if isinstance(size, int)]
    if len(sizes) != len(block.sizes) or sizes[-1] < LANES or prod(sizes) > MOST:
        return None
    buffer = replace(e.allocate(sizes, F32, by_rows=True), sizes=place.sizes)
    e.write(replace(block, sizes=place.sizes), buffer)
    return buffer


def rounded_block(e: Emitter, value: SSAValue) -> View | None:
    """Return the f32 block of which `value` has the first elements, rounded, if it has rows."""
    if not e.target.rounds_bf16 or not isinstance(e.tensor(value), Lazy):
        return None
    source = _rounded(e, value)
    return source if source is not None and source.strides and source.strides[-1] == 1 else None


def _rounded(e: Emitter, value: SSAValue) -> View | None:
    source = _source(value)
    block = None if source is None else e.environment.get(source)
    return block if isinstance(block, View) and block.type == F32 else None


def _source(value: SSAValue) -> SSAValue | None:
    """Return the block of which `value` has the first elements, rounded, if that is what it is."""
    op = value.owner
    if isinstance(op, Operation) and op.name == "tensor.extract_slice" and takes_first(op):
        op = op.operands[0].owner
    return rounded_by(op) if isinstance(op, Operation) else None


def rounded_by(op: Operation) -> SSAValue | None:
    """Return the block of which an op rounds each element, if that is what it does."""
    if op.name != "linalg.generic":
        return None
    generic = generic_of(op)
    rounds = generic.block.first_op
    if (
        not is_pointwise(generic, 1)
        or rounds.name != "arith.truncf"
        or rounds.next_op is not terminator(generic.block)
        or rounds.operands[0] is not generic.block.args[0]
        or integer(rounds, "roundingmode", 0) != 0
    ):
        return None
    return generic.inputs[0]


def store_rounded(e: Emitter, source: View, place: View) -> None:
    """Store f32 in rows as bf16 in rows."""
    e.note_write(place)
    with e.builder.fresh_memory():
        _store(e, source, place)


def _store(e: Emitter, source: View, place: View) -> None:
    b = e.builder
    *outer, columns = place.sizes
    chunks = b.div(columns, LANES)
    done = b.mul(chunks, LANES)

    def one(at: list[Operand]) -> None:
        _store_one(e, source, place, at)

    def chunk(at: list[Operand]) -> None:
        start = b.mul(at[-1], LANES)
        halves = [
            b.load("<16 x float>", e.address(source, [*at[:-1], b.add(start, n)]), F32.bytes)
            for n in (0, LANES // 2)
        ]

        def together() -> Sequence[Operand]:
            _store_pair(e, halves, place, [*at[:-1], start])
            return ()

        def apart() -> Sequence[Operand]:
            b.nest([LANES], lambda n: one([*at[:-1], b.add(start, n[0])]), parallel=True)
            return ()

        b.if_else(_are_plain(e, halves), together, apart)

    b.nest([*outer, chunks], chunk)
    if done != columns:
        rest = [*outer, b.sub(columns, done)]
        b.nest(rest, lambda at: one([*at[:-1], b.add(done, at[-1])]), parallel=True)


def store_tile_rounded(
    e: Emitter,
    pairs: Sequence[tuple[Sequence[str], Sequence[Operand]]],
    place: View,
    one_by_one: Callable[[], Sequence[Operand]],
) -> None:
    """
    Store pairs of vectors of f32 as bf16, each from an element of `place` on.

    Where any number is special, `one_by_one` has to do it.
    """

    def together() -> Sequence[Operand]:
        for halves, at in pairs:
            _store_pair(e, halves, place, at)
        return ()

    vectors = [half for halves, _ in pairs for half in halves]
    e.builder.if_else(_are_plain(e, vectors), together, one_by_one)


def store_one_by_one(
    e: Emitter, source: View, place: View, starts: Sequence[Operand], sizes: Sequence[int]
) -> None:
    """Store f32 as bf16 at the same places from `starts` on, so many along each dimension."""
    b = e.builder

    def one(at: list[Operand]) -> None:
        _store_one(e, source, place, [b.add(*pair) for pair in zip(starts, at, strict=True)])

    b.nest(sizes, one, parallel=True)


def _store_one(e: Emitter, source: View, place: View, at: Sequence[Operand]) -> None:
    e.store(place, at, e.narrow(BF16, e.load(source, at)))


def _store_pair(e: Emitter, halves: Sequence[str], place: View, at: Sequence[Operand]) -> None:
    """Store two vectors of f32, rounded, from an element of `place` on."""
    name = "llvm.x86.avx512bf16.cvtne2ps2bf16.512"
    upper_first = [("<16 x float>", half) for half in reversed(halves)]
    rounded = e.builder.call("<32 x bfloat>", name, upper_first)
    e.builder.store("<32 x bfloat>", rounded, e.address(place, at), BF16.bytes)


def _are_plain(e: Emitter, vectors: Sequence[str]) -> str:
    """Return, as an i1, whether no number is special."""
    b = e.builder
    name = "llvm.x86.avx512.fpclass.ps.512"
    special = [
        b.call("<16 x i1>", name, [("<16 x float>", vector), ("i32", _SPECIAL)])
        for vector in vectors
    ]
    any = special[0]
    for other in special[1:]:
        any = b.value(f"or <16 x i1> {any}, {other}")
    return b.equal(b.value(f"zext i16 {b.value(f'bitcast <16 x i1> {any} to i16')} to i64"), 0)
