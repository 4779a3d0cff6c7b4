"""What transcripts know of a value, and what loops ask of whoever follows values."""

from typing import NamedTuple, Protocol

from xdsl.ir import Operation, Region, SSAValue

from xtriton.analysis.indexing import Expr
from xtriton.transforms.raising.writing.emitter import ExprEmitter
from xtriton.transforms.raising.writing.terms import Term


class NoTranscript(Exception):
    """The arithmetic of a pointer is not dimension by dimension."""


class PointerState(NamedTuple):
    """
    An integer or a pointer, taken apart by dimension.

    The element at i is `base + scalar + sum(offsets[d] + i[d] * strides[d])`, for a tensor
    with `scalar` among the offsets already: it then tells that all elements are equal. A bound
    that is not 0 is where a dimension wraps around, multiplied by what multiplied it.
    `places` is what no rule takes apart.
    """

    base: SSAValue | None = None
    scalar: Term | None = None
    sizes: tuple[int, ...] = ()
    offsets: tuple[Term, ...] = ()
    strides: tuple[Term, ...] = ()
    bounds: tuple[Term, ...] = ()
    places: SSAValue | None = None
    """A tensor that is to be added in dimension `along`, multiplied by the stride there."""

    along: int = -1

    @property
    def wraps(self) -> bool:
        return bool([b for b in self.bounds if b.value != 0])


class Follower(Protocol):
    """What finds the states of values; see `Transcript`."""

    emitter: ExprEmitter
    known: dict[SSAValue, PointerState | None]

    def follow(self, region: Region) -> None:
        """Find the states of the pointers that a region computes."""
        ...

    def visit(self, value: SSAValue, anchor: Operation) -> PointerState:
        """Return the state of a value, computed before `anchor`; raise `NoTranscript`."""
        ...

    def equal(self, x: Expr, y: Expr) -> bool:
        """Tell whether two forms are the same once what loops carry is put in."""
        ...
