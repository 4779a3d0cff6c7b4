"""Through shared memory: every element arrives, few accesses wait, and how many bytes it takes."""

import random

import pytest

from xtriton.layouts.conversion import mixed_transpositions, needs_shared_memory, scratch_bytes
from xtriton.layouts.distributed import blocked
from xtriton.layouts.intel import is_shuffle, is_transpose
from xtriton.layouts.linear import LinearLayout
from xtriton.layouts.shared import swizzled
from xtriton.layouts.swizzling import (
    access_conflicts,
    bank_conflicts,
    intersection,
    optimal_swizzle,
)


def spread(rng: random.Random, total: int) -> tuple[int, int]:
    first = 1 << rng.randint(0, total.bit_length() - 1)
    return first, total // first


def random_blocked(rng: random.Random, shape: tuple[int, int]) -> LinearLayout:
    order = rng.choice([(0, 1), (1, 0)])
    return blocked(shape, spread(rng, 4), spread(rng, 32), spread(rng, 4), order)


def span(bases: tuple[int, ...]) -> set[int]:
    found = {0}
    for basis in bases:
        found |= {value ^ basis for value in found}
    return found


@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_every_element_has_its_place(seed: int, bits: int):
    rng = random.Random(seed)
    shape = (64, 32)
    a, b = (random_blocked(rng, shape).remove_zero_bases("register") for _ in range(2))
    swizzle = optimal_swizzle(a, b, bits)
    everything = (*swizzle.vector, *swizzle.bank, *swizzle.segment, *swizzle.reps)
    assert span(everything) == set(range(64 * 32))
    assert swizzle.elements * swizzle.rounds == 64 * 32
    # A vector has at least the width of a bank, and no more than one access.
    assert bits <= bits << len(swizzle.vector) <= max(bits, 128)
    # A round keeps to registers that the thread has anyway.
    registers = {
        basis for layout in (a, b) for (basis,) in layout.flatten_outs().bases_of["register"]
    }
    assert set(swizzle.reps) <= registers
    assert min(bank_conflicts(a, b, swizzle, bits)) >= 0


def test_a_transposition_has_no_conflicts():
    rows = blocked((64, 64), (1, 1), (1, 32), (4, 1), (1, 0))
    columns = blocked((64, 64), (1, 1), (32, 1), (1, 4), (0, 1))
    swizzle = optimal_swizzle(rows, columns, 32)
    assert bank_conflicts(rows, columns, swizzle, 32) == (0, 0)
    assert needs_shared_memory(rows, columns)
    # Registers that both sides have can take turns.
    assert scratch_bytes(rows, columns, 32) == 64 * 64 * 4 // swizzle.rounds


def test_intersections():
    assert intersection([4, 1, 2], [1, 4, 8], 4) == [4, 1]
    assert span(tuple(intersection([3, 4], [1, 2], 3))) == {0, 3}
    assert intersection([1], [2], 2) == []


def test_one_exchange_of_bits_is_a_shuffle():
    rows = blocked((2, 32), (1, 2), (2, 16), (1, 1), (1, 0))
    columns = blocked((2, 32), (2, 1), (1, 32), (1, 1), (1, 0))
    assert mixed_transpositions(rows, columns) == 1
    assert not needs_shared_memory(rows, columns)
    assert scratch_bytes(rows, columns, 32) == 0


def test_conversions_within_warps_of_intel():
    rows = blocked((16, 16), (1, 16), (16, 1), (1, 1), (1, 0))
    columns = blocked((16, 16), (16, 1), (1, 16), (1, 1), (1, 0))
    assert is_transpose(rows, columns)
    assert not is_shuffle(rows, columns)
    one_each = blocked((16,), (1,), (16,), (1,), (0,))
    all_of_it = blocked((16,), (16,), (1,), (1,), (0,))
    assert not is_transpose(one_each, all_of_it)


@pytest.mark.parametrize("phases, conflicts", [(1, 31), (2, 15), (8, 3), (32, 0)])
def test_columns_of_a_matrix_conflict_unless_it_is_swizzled(phases: int, conflicts: int):
    # Each lane has a row of one element: without a swizzle all 32 meet in one bank.
    registers = blocked((32, 32), [1, 1], [32, 1], [1, 32], [1, 0])
    memory = swizzled((32, 32), 1, 1, phases, [1, 0])
    assert access_conflicts(registers, memory, 32) == conflicts


def test_vectors_of_rows_do_not_conflict():
    registers = blocked((32, 32), [1, 4], [4, 8], [1, 1], [1, 0])
    memory = swizzled((32, 32), 1, 1, 1, [1, 0])
    assert access_conflicts(registers, memory, 32) == 0
