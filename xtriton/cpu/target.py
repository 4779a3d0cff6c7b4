"""What the machine offers, as far as code generation depends on it."""

import ctypes
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

IN_HALVES = ("znver4",)
"""
CPUs that do vectors of 512 bits in halves.

They store vectors of 256 bits faster, and keep up with memory better if rows are asked for into the
first cache.
"""
IN_ORDER = ("znver5",)
"""CPUs that keep up with it so if rows are asked for line by line."""
PAGE = 4096
"""Bytes that a CPU finds the place of at once."""

TILE_UNITS = frozenset(("amx-bf16", "amx-int8"))
"""Units that multiply tiles, as LLVM names them."""
WIDE_UNITS, NARROW_UNITS = ("avx512bf16", "avx512vnni", "avx512bw"), ("avxvnni", "avx2")
"""Those that multiply vectors of 512 bits, and of 256."""
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
"""Where Linux tells of the caches of a core."""
_ARCH_PRCTL, _REQUEST_STATE, _TILE_DATA = 158, 0x1023, 18
"""Linux's system call on x86-64, its ARCH_REQ_XCOMP_PERM, and the number of the state."""


@dataclass(frozen=True)
class Target:
    """
    A CPU as LLVM names it and the properties that shape the code.

    `vector_bits` is the width of the vectors worth using, `vector_registers` how many there
    are; `fma` tells of fused multiply-add, `half` of conversions between f16 and f32.
    `tile_vectors`, a power of two, says how many vectors wide a register tile of a product is.
    `memory_bits` is the width of what best goes to memory and back, 0 for that of the vectors, and
    `in_halves` says that these are done so;
    `last_cache` is the size in bytes of the cache that all cores share, 0 if that is not known;
    `asks_near` says that what the next program reads is best asked for into the first cache, and
    `asks_in_order` line by line, not from page to page; `asks_for_rows` that a loop had better ask
    for the block of rows of its next turn.
    Products read rows of a matrix where they are that are `near_bytes` apart at most, or that
    run along K and are `near_bytes_along` apart, of B whole lines only unless it
    `loads_across_lines` as quickly; unless `packing_pays` they do so however many programs read
    them; `asks_in_place` says that they ask for the rows that come next, which the last cache is
    slow to bring. Panels that may be read so are `depth_in_place` times as deep as others.
    `masks` tells of vectors that are loaded in part at no cost, `looked_up` how many numbers of
    a register an instruction looks up others by (8 with AVX2, 16 with AVX-512, which also scales
    by powers of two; 0 with others), `rounds_bf16` of an instruction that rounds 32 f32 to bf16;
    `units` are those for products that code may use, by LLVM's names
    of features.
    """

    triple: str
    cpu: str
    vector_bits: int
    vector_registers: int
    fma: bool
    half: bool
    tile_vectors: int = 2
    memory_bits: int = 0
    in_halves: bool = False
    last_cache: int = 0
    asks_near: bool = False
    asks_in_order: bool = False
    asks_for_rows: bool = True
    near_bytes: int = 512
    near_bytes_along: int = 512
    loads_across_lines: bool = False
    depth_in_place: int = 1
    packing_pays: bool = True
    asks_in_place: bool = False
    masks: bool = False
    looked_up: int = 0
    rounds_bf16: bool = False
    units: frozenset[str] = frozenset()

    @property
    def least_bits(self) -> int:
        """The width of vectors that narrower ones are no quicker than."""
        return self.vector_bits // 2 if self.in_halves else self.vector_bits

    @property
    def holds_two_rows_near(self) -> bool:
        """
        Whether the first cache is best left to two rows of 32 KB at a time.

        That of Zen 5, of 48 KB, was measured so, and that of Zen 4, of 32 KB, otherwise.
        """
        return self.asks_in_order

    @property
    def has_few_registers(self) -> bool:
        """Whether it has 16 registers for vectors, or fewer."""
        return self.vector_registers <= 16

    @property
    def least_masked(self) -> int:
        """The bytes of the narrowest elements that vectors are loaded of in part, or 16."""
        if not self.masks:
            return 16
        return 1 if self.vector_bits == 512 else 4

    @property
    def chains(self) -> int:
        """
        How many vectors a loop of long chains of operations computes at a time.

        Two do not wait for each other. Of 16 registers the constants of such a chain leave few, so
        that they are loaded again in each turn, which more vectors share.
        """
        return 4 if self.has_few_registers else 2

    def lanes(self, element_bytes: int) -> int:
        """Return how many elements of `element_bytes` one vector holds."""
        return self.vector_bits // (8 * element_bytes)


def llvm() -> Any:
    """Return `llvmlite.binding`, which has no types."""
    return import_module("llvmlite.binding")


@cache
def host() -> Target:
    """Return the machine that this process runs on."""
    return replace(_core(), last_cache=last_cache())


def last_cache() -> int:
    """Return the bytes of the largest cache that the first core uses, or 0 if that is not known."""
    return _caches()[-1]


def own_cache() -> int:
    """Return the bytes of the largest one but that, which is a core's own, or 0."""
    return _caches()[-2]


@cache
def _caches() -> list[int]:
    """Return the bytes of the caches that the first core uses, as Linux tells, after two of 0."""
    sizes: list[int] = []
    with suppress(OSError):
        for file in CACHES.glob("index*/size"):
            number, _, rest = file.read_text().strip().partition("K")
            sizes += [int(number) << 10] if number.isdigit() and not rest else []
    return [0, 0, *sorted(sizes)]


def _core() -> Target:
    """Return what a core of this machine has."""
    binding = llvm()
    features: dict[str, bool] = binding.get_host_cpu_features()
    triple: str = binding.get_process_triple()
    cpu: str = binding.get_host_cpu_name()

    def has(feature: str) -> bool:
        return bool(features.get(feature))

    if triple.startswith(("aarch64", "arm64")):
        return Target(triple, cpu, 128, 32, fma=True, half=True)
    if has("avx512f") and has("avx512vl"):
        tiles = TILE_UNITS if _may_use_tiles(triple) else ()
        units = frozenset(filter(has, (*WIDE_UNITS, *tiles)))
        wide = Target(triple, cpu, 512, 32, fma=True, half=True, masks=True, looked_up=16)
        # Tiles with so many registers read rows less than a page apart as quickly as panels.
        wide = replace(wide, near_bytes=PAGE - 1, near_bytes_along=PAGE - 1, packing_pays=False)
        if cpu in (*IN_HALVES, *IN_ORDER):
            wide = replace(wide, asks_near=True, memory_bits=256)
        else:
            # Two multiply-adds a cycle, and as many loads: wider tiles leave more of these.
            wide = replace(wide, tile_vectors=4, asks_in_place=True)
        if cpu in IN_HALVES:
            wide = replace(wide, in_halves=True)
        if cpu in IN_ORDER:
            wide = replace(wide, asks_in_order=True, loads_across_lines=True)
            # Sums gain more by staying in registers than B does by staying in the first cache.
            wide = replace(wide, near_bytes_along=PAGE, depth_in_place=4)
        rounds = has("avx512bf16") and has("avx512dq")
        return replace(wide, rounds_bf16=rounds, units=units)
    if has("avx2"):
        units = frozenset(filter(has, NARROW_UNITS))
        narrow = Target(triple, cpu, 256, 16, fma=has("fma"), half=has("f16c"), units=units)
        # Their second caches lose lines of rows that lie as far from each other as pages do.
        narrow = replace(narrow, asks_for_rows=False)
        # These multiply slowly enough to read rows where they lie, if those are near, and six at a
        # time, which leave room in the first cache even if they fall on the same lines.
        narrow = replace(narrow, masks=True, looked_up=8 if narrow.fma else 0)
        return replace(narrow, packing_pays=False, near_bytes_along=PAGE - 1)
    return Target(triple, cpu, 128, 16, fma=has("fma"), half=has("f16c"))


def _may_use_tiles(triple: str) -> bool:
    """
    Return whether this process may use tiles, having asked for it.

    Linux grants them to a process for good, with all threads that it has and will have, and to
    what it forks.
    Source: "Using XSTATE features in user space applications" of Linux's documentation.
    """
    if not (sys.platform == "linux" and triple.startswith("x86_64")):
        return False
    with suppress(OSError, AttributeError):
        return ctypes.CDLL(None).syscall(_ARCH_PRCTL, _REQUEST_STATE, _TILE_DATA) == 0
    return False
