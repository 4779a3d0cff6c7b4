"""Memory for the large buffers of a kernel, of which each thread has its own."""

import ctypes
import mmap
import threading
from contextlib import suppress

LARGE_PAGE = 1 << 21
"""Bytes of a large page, which is looked up once where small ones are 512 times."""


class Pages:
    """
    Memory of whole pages, at `address`; none is there before it is touched.

    What takes a large page or more begins and ends with one, as only whole ones are large.
    """

    __slots__ = ("_memory", "address")

    def __init__(self, size: int):
        large = size >= LARGE_PAGE
        self._memory = _mapped(-(-size // LARGE_PAGE) * LARGE_PAGE + LARGE_PAGE if large else size)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self.address = start + (-start % LARGE_PAGE if large else 0)


def _mapped(size: int) -> mmap.mmap:
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


class _Arenas(threading.local):
    """The memory of each thread."""

    held: tuple[int, int | None, Pages | None] = (0, None, None)
    """Its size, its address, and what keeps it; looked up once, as each launch asks for it."""


_arenas = _Arenas()
_of_main = (ctypes.c_uint64 * 3)()


def arena_of_main() -> int:
    """
    Return where machine code finds the arena of the main thread: its identity, size and address.

    Others may end, and one that begins later may have the identity that theirs was.
    """
    return ctypes.addressof(_of_main)


def arena(size: int) -> int | None:
    """Return memory for the large buffers of this thread, aligned to 64 bytes."""
    # The largest arena so far is kept: fresh memory costs a page fault every 4096 bytes.
    held, address, _ = _arenas.held
    if size > held:
        pages = Pages(size)
        address = pages.address
        _arenas.held = (size, address, pages)
        if threading.current_thread() is threading.main_thread():
            _of_main[:] = (threading.get_ident(), size, address)
    return address
