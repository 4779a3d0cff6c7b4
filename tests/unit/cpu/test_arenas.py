"""Memory of kernels lies in large pages where there is enough of it."""

import ctypes
import mmap

import pytest

from xtriton.cpu.arenas import LARGE_PAGE, Pages


@pytest.mark.parametrize("size", [2, LARGE_PAGE - 1, LARGE_PAGE, 3 * LARGE_PAGE + 1])
def test_pages(size: int):
    """All of it is there, also the rest of the last large page, and nothing before the first."""
    pages = Pages(size)
    large = size >= LARGE_PAGE
    assert pages.address % (LARGE_PAGE if large else mmap.PAGESIZE) == 0
    whole = -(-size // LARGE_PAGE) * LARGE_PAGE if large else size
    memory = (ctypes.c_char * whole).from_address(pages.address)
    memory[0], memory[whole - 1] = b"a", b"z"
    assert memory[0] == b"a"
    assert memory[whole - 1] == b"z"
