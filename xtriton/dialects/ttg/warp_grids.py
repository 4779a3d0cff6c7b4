"""
What encodings of tensors in registers have in common: how warps and threads are laid out.

Each class here gives the parameters of one kind as tuples; an encoding declares them.
"""

from abc import ABC
from math import prod
from typing import TYPE_CHECKING

from xtriton.dialects.ttg.interfaces import DistributedEncoding, MmaEncoding
from xtriton.dialects.ttg.parameters import Ints, values_of


class MmaOfWarpGrid(MmaEncoding, ABC):
    """What matrix instructions of warps in a grid, `warpsPerCTA`, leave in registers."""

    if TYPE_CHECKING:
        warpsPerCTA: Ints

    @property
    def rank(self) -> int:
        return len(self.warpsPerCTA)

    @property
    def warps_per_cta(self) -> tuple[int, ...]:
        """Warps along each dimension."""
        return values_of(self.warpsPerCTA)

    @property
    def num_warps(self) -> int:
        return prod(self.warps_per_cta)


class OfInstruction:
    """An encoding that follows an instruction of shape `instrShape`."""

    if TYPE_CHECKING:
        instrShape: Ints

    @property
    def instr_shape(self) -> tuple[int, ...]:
        """What one instruction handles, along each dimension."""
        return values_of(self.instrShape)


class ThreadGrid(DistributedEncoding, ABC):
    """An encoding of threads in a grid, `threadsPerWarp`, each with a box of elements."""

    if TYPE_CHECKING:
        sizePerThread: Ints
        threadsPerWarp: Ints
        orderOfDims: Ints

    @property
    def rank(self) -> int:
        return len(self.orderOfDims)

    @property
    def size_per_thread(self) -> tuple[int, ...]:
        """Adjacent elements of a thread along each dimension."""
        return values_of(self.sizePerThread)

    @property
    def threads_per_warp(self) -> tuple[int, ...]:
        """Threads of a warp along each dimension."""
        return values_of(self.threadsPerWarp)

    @property
    def order(self) -> tuple[int, ...]:
        """The dimensions, from the one that varies fastest."""
        return values_of(self.orderOfDims)
