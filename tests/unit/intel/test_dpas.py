"""How products are spread over warps and DPAS instructions."""

from __future__ import annotations

import pytest

from xtriton.analysis.intel.dpas import rep_cluster, repeat_count_of, warps_per_tile


@pytest.mark.parametrize(
    ("shape", "warps", "expected"),
    [
        ((128, 128), 16, (4, 4)),
        ((256, 256), 32, (8, 4)),
        ((64, 128), 4, (2, 2)),
        ((16, 256), 8, (1, 8)),
        ((256, 16), 8, (8, 1)),
        # The batch takes as many warps as it has matrices.
        ((4, 64, 64), 8, (4, 2, 1)),
        ((16, 64, 64), 8, (8, 1, 1)),
    ],
)
def test_warps_per_tile(shape: tuple[int, ...], warps: int, expected: tuple[int, ...]):
    assert warps_per_tile(8, 16, shape, warps) == expected


def test_repeat_count():
    assert repeat_count_of(128, 2, 16) == 8
    assert repeat_count_of(4, 2, 16) == 4
    # A warp of 16 threads takes two rows of A where elements have 32 bits.
    assert repeat_count_of(1, 1, 16) == 2
    assert repeat_count_of(1, 2, 16) == 1


@pytest.mark.parametrize(
    ("a", "b", "bits", "channels", "warps", "expected"),
    [
        ((256, 32), (32, 256), 16, 2, (8, 4), (4, 2)),
        ((16, 32), (32, 256), 16, 2, (1, 1), (2, 2)),
        ((128, 128), (128, 16), 16, 2, (1, 1), (4, 1)),
        # 64 bytes of a row are 4 times 16 elements of 8 bits, but once 16 of 32.
        ((128, 64), (64, 128), 8, 4, (1, 1), (4, 4)),
        ((128, 64), (64, 128), 32, 1, (1, 1), (4, 1)),
    ],
)
def test_rep_cluster(
    a: tuple[int, ...],
    b: tuple[int, ...],
    bits: int,
    channels: int,
    warps: tuple[int, ...],
    expected: tuple[int, ...],
):
    assert rep_cluster(16, channels, a, b, bits, warps, 16) == expected


def test_no_clusters_for_narrow_instructions():
    assert rep_cluster(8, 2, (64, 32), (32, 64), 16, (1, 1), 8) == (1, 1)
