"""Layouts of Intel's GPUs, against the expectations of the backend's own unit tests."""

import pytest

from xtriton.layouts.intel import A, B, C, Dpas, block_2d, dpas, warp
from xtriton.layouts.linear import LinearLayout

# Operand, shape, warps, ops per channel, cluster, threads of a warp, layout.
DPAS = [
    ("C", (8, 16), (1, 1), 2, (1, 1), 32, "R 2,0 4,0; L 0,1 0,2 0,4 0,8 1,0; W"),
    ("C", (8, 16), (1, 1), 1, (1, 1), 16, "R 1,0 2,0 4,0; L 0,1 0,2 0,4 0,8; W"),
    ("A", (8, 32), (1, 1), 4, (1, 1), 32, "R 0,1 2,0 4,0; L 0,2 0,4 0,8 0,16 1,0; W"),
    ("A", (8, 16), (1, 1), 2, (1, 1), 32, "R 2,0 4,0; L 0,1 0,2 0,4 0,8 1,0; W"),
    ("A", (8, 8), (1, 1), 1, (1, 1), 32, "R 4,0; L 0,1 0,2 0,4 1,0 2,0; W"),
    (
        "B",
        (32, 16),
        (1, 1),
        4,
        (1, 1),
        32,
        "R 1,0 2,0 8,0 16,0; L 0,1 0,2 0,4 0,8 4,0; W",
    ),
    ("B", (16, 16), (1, 1), 2, (1, 1), 32, "R 1,0 4,0 8,0; L 0,1 0,2 0,4 0,8 2,0; W"),
    ("B", (8, 16), (1, 1), 1, (1, 1), 32, "R 2,0 4,0; L 0,1 0,2 0,4 0,8 1,0; W"),
    (
        "C",
        (32, 32),
        (1, 1),
        2,
        (4, 2),
        16,
        "R 1,0 2,0 4,0 0,16 8,0 16,0; L 0,1 0,2 0,4 0,8; W",
    ),
    (
        "A",
        (32, 16),
        (1, 1),
        2,
        (4, 2),
        32,
        "R 2,0 4,0 8,0 16,0; L 0,1 0,2 0,4 0,8 1,0; W",
    ),
    (
        "B",
        (16, 32),
        (1, 1),
        2,
        (4, 2),
        32,
        "R 1,0 4,0 8,0 0,16; L 0,1 0,2 0,4 0,8 2,0; W",
    ),
    (
        "C",
        (32, 32),
        (1, 1),
        1,
        (4, 2),
        16,
        "R 1,0 2,0 4,0 0,16 8,0 16,0; L 0,1 0,2 0,4 0,8; W",
    ),
    (
        "C",
        (32, 32),
        (4, 1),
        2,
        (1, 2),
        16,
        "R 1,0 2,0 4,0 0,16; L 0,1 0,2 0,4 0,8; W 8,0 16,0",
    ),
    (
        "C",
        (64, 64),
        (2, 2),
        1,
        (4, 2),
        32,
        "R 2,0 4,0 0,16 8,0 16,0; L 0,1 0,2 0,4 0,8 1,0; W 0,32 32,0",
    ),
    (
        "A",
        (64, 64),
        (2, 2),
        2,
        (4, 2),
        32,
        "R 2,0 4,0 8,0 16,0 0,16 0,32; L 0,1 0,2 0,4 0,8 1,0; W 0,0 32,0",
    ),
    (
        "B",
        (64, 64),
        (2, 2),
        2,
        (4, 2),
        32,
        "R 1,0 4,0 8,0 0,16 16,0 32,0; L 0,1 0,2 0,4 0,8 2,0; W 0,32 0,0",
    ),
    (
        "C",
        (64, 64),
        (2, 1),
        2,
        (4, 2),
        32,
        "R 2,0 4,0 0,16 8,0 16,0 0,32; L 0,1 0,2 0,4 0,8 1,0; W 32,0",
    ),
    (
        "C",
        (128, 128),
        (2, 2),
        2,
        (2, 2),
        32,
        "R 2,0 4,0 0,16 8,0 0,64 32,0 64,0; L 0,1 0,2 0,4 0,8 1,0; W 0,32 16,0",
    ),
]

# Operand, shape, instruction, number of blocks, warps, layout.
BLOCK_2D = [
    (
        "A",
        (256, 32),
        (32, 8),
        2,
        (8, 4),
        "R 2,0 4,0 8,0 16,0 0,8 0,16; L 0,1 0,2 0,4 1,0; W 0,0 0,0 32,0 64,0 128,0",
    ),
    (
        "B",
        (32, 128),
        (32, 16),
        1,
        (8, 4),
        "R 1,0 2,0 4,0 8,0 16,0 0,64; L 0,1 0,2 0,4 0,8; W 0,16 0,32 0,0 0,0 0,0",
    ),
    (
        "A",
        (256, 32),
        (32, 32),
        1,
        (8, 4),
        "R 0,1 1,0 2,0 4,0 8,0 16,0; L 0,2 0,4 0,8 0,16; W 0,0 0,0 32,0 64,0 128,0",
    ),
    (
        "A",
        (256, 32),
        (32, 16),
        2,
        (8, 4),
        "R 1,0 2,0 4,0 8,0 16,0 0,16; L 0,1 0,2 0,4 0,8; W 0,0 0,0 32,0 64,0 128,0",
    ),
    (
        "B",
        (32, 256),
        (32, 16),
        2,
        (8, 4),
        "R 1,0 2,0 4,0 8,0 16,0 0,16 0,128; L 0,1 0,2 0,4 0,8; W 0,32 0,64 0,0 0,0 0,0",
    ),
    (
        "B",
        (32, 256),
        (16, 16),
        2,
        (8, 4),
        "R 1,0 2,0 4,0 8,0 0,16 16,0 0,128; L 0,1 0,2 0,4 0,8; W 0,32 0,64 0,0 0,0 0,0",
    ),
    (
        "A",
        (64, 32),
        (16, 32),
        1,
        (4, 8),
        "R 0,1 1,0 2,0 4,0 8,0; L 0,2 0,4 0,8 0,16; W 0,0 0,0 0,0 16,0 32,0",
    ),
    (
        "B",
        (32, 128),
        (32, 16),
        1,
        (4, 8),
        "R 1,0 2,0 4,0 8,0 16,0; L 0,1 0,2 0,4 0,8; W 0,16 0,32 0,64 0,0 0,0",
    ),
]


def text(layout: LinearLayout) -> str:
    """Return the bases but those of blocks, of which there are none here."""
    assert layout.bases_of["block"] == ()
    return "; ".join(
        " ".join([name[0].upper(), *(",".join(map(str, basis)) for basis in bases)])
        for name, bases in layout.bases
        if name != "block"
    )


@pytest.mark.parametrize(
    "operand, shape, warps, ops_per_channel, cluster, threads_per_warp, expected", DPAS
)
def test_dpas(
    operand: str,
    shape: tuple[int, ...],
    warps: tuple[int, ...],
    ops_per_channel: int,
    cluster: tuple[int, ...],
    threads_per_warp: int,
    expected: str,
):
    parameters = Dpas(8, 8, 16, ops_per_channel, warps, cluster, threads_per_warp)
    assert text(dpas(parameters, shape, {"A": A, "B": B, "C": C}[operand])) == expected


@pytest.mark.parametrize("operand, shape, instruction, blocks, warps, expected", BLOCK_2D)
def test_block_2d(
    operand: str,
    shape: tuple[int, ...],
    instruction: tuple[int, ...],
    blocks: int,
    warps: tuple[int, ...],
    expected: str,
):
    order = (1, 0) if operand == "A" else (0, 1)
    assert text(block_2d(shape, warps, instruction, blocks, order)) == expected


def test_batched_dpas_is_the_flat_one_for_each_batch():
    flat = dpas(Dpas(8, 8, 16, 2, (2, 1), (2, 2), 16), (64, 64), C)
    batched = dpas(Dpas(8, 8, 16, 2, (1, 2, 1), (1, 2, 2), 16), (4, 64, 64), C)
    registers = batched.bases_of["register"]
    assert [basis[1:] for basis in registers[:-2]] == list(flat.bases_of["register"])
    assert registers[-2:] == ((1, 0, 0), (2, 0, 0))


def test_one_warp():
    layout = warp((16, 64), (1, 4), (1, 16), (1, 0))
    assert text(layout) == "R 0,1 0,2 1,0 2,0 4,0 8,0; L 0,4 0,8 0,16 0,32; W"
