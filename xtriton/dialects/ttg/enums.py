"""
Enumerations of the `ttg` dialect. Upstream: `TritonGPUEnums.td`.
"""

from enum import IntFlag


class AddrSpace(IntFlag):
    """Which memories a `ttg.barrier` orders; a set, written `local|global_read`."""

    none = 0
    local = 1
    global_read = 2
    global_write = 4
    tensor_read = 8
    tensor_write = 16
    all = 31

    @property
    def text(self) -> str:
        """The keywords of the set as a format writes them."""
        if self in (AddrSpace.none, AddrSpace.all):
            return "all" if self else "none"
        singles = ("local", "global_read", "global_write", "tensor_read", "tensor_write")
        return "|".join(name for name in singles if self & AddrSpace[name])
