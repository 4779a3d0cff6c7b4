"""Memory of kernels lies in large pages where there is enough of it."""

import ctypes
import mmap
from typing import Any

import pytest

from xtriton.cpu import arenas
from xtriton.cpu.arenas import LARGE_PAGE, Pages


@pytest.mark.parametrize("size", [2, LARGE_PAGE - 1, LARGE_PAGE, 3 * LARGE_PAGE + 1])
def test_pages(size: int, monkeypatch: pytest.MonkeyPatch):
    """All of it is there, also the rest of the last large page, and nothing before the first."""
    mapped: list[Any] = []

    def page_behind(size: int) -> Any:
        """Return memory that begins with no large page, as the system may have it otherwise."""
        memory = mmap.mmap(-1, -(-(size + mmap.PAGESIZE) // LARGE_PAGE) * LARGE_PAGE)
        mapped.append((ctypes.c_char * size).from_buffer(memory, mmap.PAGESIZE))
        return mapped[-1]

    monkeypatch.setattr(arenas, "_mapped", page_behind)
    pages = Pages(size)
    start, large = ctypes.addressof(mapped[0]), size >= LARGE_PAGE
    whole = -(-size // LARGE_PAGE) * LARGE_PAGE if large else size
    assert pages.address % (LARGE_PAGE if large else mmap.PAGESIZE) == 0
    assert start <= pages.address
    assert pages.address + whole <= start + len(mapped[0])


def test_memory_is_there():
    pages = Pages(3 * LARGE_PAGE)
    memory = (ctypes.c_char * (3 * LARGE_PAGE)).from_address(pages.address)
    memory[0], memory[3 * LARGE_PAGE - 1] = b"a", b"z"
    assert memory[0] + memory[3 * LARGE_PAGE - 1] == b"az"
