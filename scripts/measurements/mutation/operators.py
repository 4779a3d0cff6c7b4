"""All slips, and where they fit in a module."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from measurements.mutation import accesses, arithmetic, lowered
from measurements.mutation.editing import Edit
from xtriton.ir.versions import copied

SLIPS = (*arithmetic.SLIPS, *accesses.SLIPS, *lowered.SLIPS)


@dataclass(frozen=True)
class Mutation:
    """A slip in a kernel: at the op with that position, the edit with that number there."""

    kind: str
    what: str
    position: int
    variant: int

    def describe(self) -> str:
        """Return the mutation in a line."""
        return f"{self.kind}: {self.what} (op {self.position}, variant {self.variant})"


def edits(op: Operation) -> Iterator[Edit]:
    """Yield each slip that is possible at an op, always in the same order."""
    for slip in SLIPS:
        yield from slip(op)


def mutations(module: ModuleOp) -> list[Mutation]:
    """Return all slips that are possible in a module."""
    return [
        Mutation(edit.kind, edit.what, position, variant)
        for position, op in enumerate(module.walk())
        for variant, edit in enumerate(edits(op))
    ]


def mutated(module: ModuleOp, mutation: Mutation) -> ModuleOp:
    """Return a copy of a module with a slip in it."""
    copy = copied(module)
    op = next(o for k, o in enumerate(copy.walk()) if k == mutation.position)
    edit = next(e for k, e in enumerate(edits(op)) if k == mutation.variant)
    edit.apply()
    return copy
