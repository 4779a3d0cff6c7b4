"""
How a conversion passes through shared memory: where each element goes, and in how many rounds.

The best arrangement for plain loads and stores of 32 banks with 32 bits each. Elements that
threads have and want side by side make a vector of at most 128 bits; vectors fill the banks;
what no round of stores and loads needs to see at once is done in rounds one after the other
(`reps`), so that memory is needed for one round only.

Source: `optimalSwizzlingLdSt` and `bankConflictsLdSt` in Triton's
`lib/Tools/GenericSwizzling.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xtriton.layouts.algebra import invert_and_compose
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shaping import LANE, REGISTER, WARP

BANK_BITS = 32
BANKS = 32
MAX_VECTOR_BITS = 128


@dataclass(frozen=True)
class Swizzle:
    """An arrangement in shared memory: bases of the flattened tensor for each part."""

    vector: tuple[int, ...]
    bank: tuple[int, ...]
    segment: tuple[int, ...]
    reps: tuple[int, ...]

    @property
    def elements(self) -> int:
        """How many elements are in shared memory at once."""
        return 1 << (len(self.vector) + len(self.bank) + len(self.segment))

    @property
    def rounds(self) -> int:
        return 1 << len(self.reps)


class _Side:
    """The bases of the source or of the target, of the flattened tensor."""

    def __init__(self, layout: LinearLayout):
        flat = layout.flatten_outs().bases_of
        self.registers = _without_zeros(basis[0] for basis in flat.get(REGISTER, ()))
        self.lanes = [basis[0] for basis in flat.get(LANE, ())]
        self.warps = _without_zeros(basis[0] for basis in flat.get(WARP, ()))


def _without_zeros(bases: Iterable[int]) -> list[int]:
    return [basis for basis in bases if basis]


def _log2(value: int) -> int:
    return value.bit_length() - 1


def optimal_swizzle(source: LinearLayout, target: LinearLayout, bits: int) -> Swizzle:
    """Return where to put elements of `bits` bits between `source` and `target`."""
    a, b = _Side(source), _Side(target)
    total = source.total_out_bits
    vector = intersection(a.registers, b.registers, total)[: _log2(MAX_VECTOR_BITS // bits)]
    source_fills_bank: bool | None = None
    if (bits << len(vector)) < BANK_BITS:
        source_fills_bank = _fill_bank(vector, a, b, bits, total)
    wide = _log2(max(1, (bits << len(vector)) // BANK_BITS))
    found = _arrange(a, b, vector, wide, bits, total)
    if wide >= 2:
        return found
    return _with_vectors_first(found, a.registers, b.registers, source_fills_bank)


def _fill_bank(vector: list[int], a: _Side, b: _Side, bits: int, total: int) -> bool:
    """
    Add bases to a vector of less than 32 bits, those that cost nothing on one side first.

    Return whether that side is the source.
    """
    needed = _log2(BANK_BITS // bits)
    from_a = intersection([r for r in a.registers if r not in vector], b.warps, total)
    from_b = intersection([r for r in b.registers if r not in vector], a.warps, total)
    if from_a and len(from_a) == len(from_b):
        source_fills = min(from_a) < min(from_b)
    else:
        source_fills = len(from_a) > len(from_b)
    vector += from_a if source_fills else from_b
    if len(vector) < needed:
        vector += intersection(a.warps, b.warps, total)
    for i in range(max(len(a.warps), len(b.warps))):
        for warps in (a.warps, b.warps):
            if len(vector) < needed and i < len(warps) and warps[i] not in vector:
                vector.append(warps[i])
    del vector[needed:]
    return source_fills


def _arrange(a: _Side, b: _Side, vector: list[int], wide: int, bits: int, total: int) -> Swizzle:
    tile_a = a.lanes[: len(a.lanes) - wide]
    tile_b = b.lanes[: len(b.lanes) - wide]
    in_bank = min(_log2(BANK_BITS * BANKS // (bits << len(vector))), total - len(vector))
    segment = _segment({*vector, *tile_a}, {*vector, *tile_b}, total, total - in_bank - len(vector))
    bank = _complement([*vector, *segment], total)
    in_registers = set(a.registers) & set(b.registers)
    reps = [basis for basis in segment if basis in in_registers]
    segment = [basis for basis in segment if basis not in in_registers]
    return Swizzle(tuple(vector), tuple(bank), tuple(segment), tuple(reps))


def _segment(source: set[int], target: set[int], total: int, length: int) -> list[int]:
    """Return bases that select the row of banks, such that few accesses share a bank."""
    segment = [1 << i for i in range(total) if 1 << i not in source and 1 << i not in target]
    if len(segment) >= length:
        return segment[:length]
    few, many = sorted(source - target - {0}), sorted(target - source - {0})
    if len(few) > len(many):
        few, many = many, few
    conflicts = min(max(0, length - len(few) - len(segment)), len(few))
    segment += [few[i] ^ many[i] for i in range(conflicts, len(few))]
    segment += few[:conflicts]
    segment += many[:conflicts]
    return segment[:length]


def _with_vectors_first(
    found: Swizzle,
    source: Sequence[int],
    target: Sequence[int],
    source_fills_bank: bool | None,
) -> Swizzle:
    """Put banks that lie in one thread's registers first: broadcasts can be vectors, too."""
    in_source = [basis for basis in found.bank if basis in source]
    in_target = [basis for basis in found.bank if basis in target]
    if source_fills_bank is None:
        source_fills_bank = len(in_source) > len(in_target)
    first = in_source if source_fills_bank else in_target
    bank = (*first, *(basis for basis in found.bank if basis not in first))
    return Swizzle(found.vector, bank, found.segment, found.reps)


def bank_conflicts(
    source: LinearLayout, target: LinearLayout, swizzle: Swizzle, bits: int
) -> tuple[int, int]:
    """Return by how many further accesses each store and each load of a round is delayed."""
    wide = _log2(max((bits << len(swizzle.vector)) // BANK_BITS, 1))
    total = source.total_out_bits

    def conflicts(lanes: list[int]) -> int:
        tile = lanes[: len(lanes) - wide]
        return (1 << len(intersection(swizzle.segment, tile, total))) - 1

    return conflicts(_Side(source).lanes), conflicts(_Side(target).lanes)


def access_conflicts(registers: LinearLayout, memory: LinearLayout, bits: int) -> int:
    """
    Return by how many further accesses each access of a warp to shared memory is delayed.

    `registers` is how the warp holds a tensor with elements of `bits` bits, `memory` where in
    shared memory it lies; accesses are vectors as wide as both allow.
    Source: `bankConflictsMemDesc` in Triton's `lib/Tools/GenericSwizzling.cpp`.
    """
    side = registers.remove_zero_bases(REGISTER)
    places = invert_and_compose(side, memory).bases_of
    width = _widest_vector(places, bits)
    memory_bases = [basis[0] for _, bases in memory.flatten_outs().bases for basis in bases]
    bank = min(BANKS * BANK_BITS // (width * bits), 1 << len(memory_bases))
    segment = memory_bases[_log2(width) + _log2(bank) :]
    lanes = _Side(side).lanes
    tile = lanes[: len(lanes) - _log2(max(width * bits // BANK_BITS, 1))]
    return (1 << len(intersection(segment, tile, memory.total_out_bits))) - 1


def _widest_vector(places: dict[str, tuple[tuple[int, ...], ...]], bits: int) -> int:
    """Return how many elements next to each other in memory a thread holds, all aligned."""
    own = [basis[0] for basis in places.get(REGISTER, ()) if not any(basis[1:])]
    all_of_them = [basis[0] for bases in places.values() for basis in bases]
    width = MAX_VECTOR_BITS // bits
    while width > 1:
        wanted = [1 << i for i in range(_log2(width))]
        others = list(all_of_them)
        if all(step in own for step in wanted):
            for step in wanted:
                others.remove(step)
            if not any(other & (width - 1) for other in others):
                break
        width //= 2
    return max(width, 1)


def intersection(a: Sequence[int], b: Sequence[int], total: int) -> list[int]:
    """Return bases of what both span; in the order of `a` if all are powers of two."""
    if all(value & (value - 1) == 0 and value for value in (*a, *b)):
        return [basis for basis in a if basis in b]
    joint = [*_null_space(a, total), *_null_space(b, total)]
    return _null_space(joint, total)


def _reduced(vectors: Iterable[int]) -> dict[int, int]:
    """Return the reduced echelon form: rows by their lowest bit."""
    rows: dict[int, int] = {}
    for vector in vectors:
        rest = vector
        for pivot, row in rows.items():
            if rest >> pivot & 1:
                rest ^= row
        if rest:
            pivot = _log2(rest & -rest)
            rows = {p: row ^ rest if row >> pivot & 1 else row for p, row in rows.items()}
            rows[pivot] = rest
    return rows


def _null_space(vectors: Sequence[int], total: int) -> list[int]:
    """Return bases of all x that have an even number of bits in common with each vector."""
    rows = _reduced(vectors)
    basis: list[int] = []
    for free in range(total):
        if free not in rows:
            found = 1 << free
            for pivot, row in rows.items():
                if row >> free & 1:
                    found |= 1 << pivot
            basis.append(found)
    return basis


def _complement(vectors: Sequence[int], total: int) -> list[int]:
    rows = _reduced(vectors)
    return [1 << i for i in range(total) if i not in rows]
