"""Kernels that nobody thought of, of blocks and products: natively they store the same."""

from __future__ import annotations

import pytest

from tests.e2e.lowering.random_blocks import RandomBlocks
from tests.e2e.lowering.random_launches import verdict
from tests.e2e.lowering.random_products import RandomProducts


@pytest.mark.parametrize("seed", [1, 14, 50, 61, 96, 238, 1567])
def test_random_blocks(seed: int) -> None:
    assert verdict(RandomBlocks(seed), seed, optimization=1) == "right"


@pytest.mark.parametrize("seed", [1, 4, 12, 50, 94])
def test_random_products(seed: int) -> None:
    assert verdict(RandomProducts(seed), seed, optimization=1) == "right"
