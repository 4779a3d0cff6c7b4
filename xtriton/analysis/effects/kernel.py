"""The answer: one record per kernel, with what can be asked of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from xtriton.analysis.effects.footprint import Footprint, Overlap, disjoint, footprints, overlaps
from xtriton.analysis.effects.record import (
    ArgumentEffects,
    KernelRecord,
    Reason,
    Scalars,
    SideEffect,
)
from xtriton.analysis.effects.summaries import KEEPING
from xtriton.showing import Shown


@dataclass
class KernelEffects(KernelRecord, Shown):
    """What a kernel does: its arguments, memory reached through them, and side effects."""

    # --- the kernel -------------------------------------------------------------------

    @property
    def must_keep(self) -> bool:
        """Whether a launch may do something that no argument shows, so it must not go away."""
        hidden = any(a.kind == "integer" and a.write != "none" for a in self.arguments)
        effects = any(s.kind in KEEPING for s in self.side_effects)
        return hidden or effects or self.unknown_write != "none"

    @property
    def pure(self) -> bool:
        """Whether a launch changes nothing that anybody can notice."""
        return not self.must_keep and all(a.write == "none" for a in self.arguments)

    @property
    def deterministic(self) -> bool:
        """
        Whether equal memory before a launch gives equal memory after it.

        Plain stores of different programs to one place are taken to store the same.
        """
        paths = (*self.arguments, *self.indirect)
        atomics = [a for p in paths for a in p.atomics]
        odd = {"inline asm", "external call", "network", "unknown op", "call"}
        return (
            self.complete
            and all(a.commutes for a in atomics)
            and not any(s.kind in odd for s in self.side_effects)
        )

    @property
    def reasons(self) -> list[Reason]:
        """Why answers are not exact, in the order of the arguments."""
        found = [r for a in (*self.arguments, *self.indirect) for r in a.reasons]
        return list(dict.fromkeys((*found, *self.notes)))

    # --- queries ----------------------------------------------------------------------

    def mutated(self, *, strict: bool = False) -> list[str]:
        """
        Return the paths of arguments that a launch may write, in their order.

        With `strict`, all pointers where a write goes to an address of unknown origin, which
        may be that of any argument.
        """
        everything = strict and self.unknown_write != "none"
        return [a.path for a in self.arguments if a.write != "none" or everything]

    def read(self, *, strict: bool = False) -> list[str]:
        """Return the paths of arguments that a launch may read; `strict` as in `mutated`."""
        everything = strict and self.unknown_read != "none"
        return [a.path for a in self.arguments if a.read != "none" or everything]

    def at(self, grid: int | Sequence[int], scalars: Scalars | None = None) -> dict[str, Footprint]:
        """
        Return the bytes that a launch may touch, by path, counted from each argument's address.

        `scalars` gives integer arguments by name or position.
        """
        return footprints(self, grid, scalars or {})

    def on(
        self,
        tensors: Mapping[str, Any],
        grid: int | Sequence[int] | None = None,
        scalars: Scalars | None = None,
    ) -> list[Overlap]:
        """
        Return what happens to each storage behind `tensors` (NumPy or torch), by argument path.

        Arguments whose bytes overlap come together; see `footprint.Overlap`.
        """
        return overlaps(self, tensors, grid, scalars or {})

    def disjoint_over_programs(
        self,
        path: str | None = None,
        grid: int | Sequence[int] | None = None,
        scalars: Scalars | None = None,
    ) -> bool | None:
        """
        Tell whether no two programs of a launch write, or write and read, the same byte.

        For one argument or all that are written; None where it cannot be told. Without a
        grid for every launch.
        """
        return disjoint(self, path, grid, scalars or {})

    def named(self, names: Sequence[str]) -> KernelEffects:
        """Return the record with other argument names, by position; itself if they do not fit."""
        old = list(self.scalars)
        if len(names) != len(old) or list(names) == old:
            return self
        groups = [
            [
                replace(a, path=_renamed(a.path, old[a.index], names[a.index]))
                if a.index >= 0
                else a
                for a in group
            ]
            for group in (self.arguments, self.indirect)
        ]
        scalars = {name: k for k, name in enumerate(names)}
        return replace(self, arguments=groups[0], indirect=groups[1], scalars=scalars)

    # --- JSON -------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain data, the same for the same kernel."""
        return {
            "kernel": self.kernel,
            "ir_hash": self.ir_hash,
            "complete": self.complete,
            "scalars": self.scalars,
            "axes": list(self.axes),
            "arguments": [a.to_json() for a in self.arguments],
            "indirect": [a.to_json() for a in self.indirect],
            "unknown_read": self.unknown_read,
            "unknown_write": self.unknown_write,
            "side_effects": [vars(s) for s in self.side_effects],
            "pure": self.pure,
            "must_keep": self.must_keep,
            "deterministic": self.deterministic,
            "reasons": [vars(r) for r in self.reasons],
            "notes": [vars(r) for r in self.notes],
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> KernelEffects:
        """Return the record that `to_json` made plain."""
        return KernelEffects(
            data["kernel"],
            [ArgumentEffects.from_json(a) for a in data["arguments"]],
            [ArgumentEffects.from_json(a) for a in data["indirect"]],
            tuple(SideEffect(**s) for s in data["side_effects"]),
            tuple(Reason(**r) for r in data["notes"]),
            data["complete"],
            data["ir_hash"],
            data["scalars"],
            tuple(data["axes"]),
        )


def _renamed(path: str, old: str, new: str) -> str:
    stars = len(path) - len(path.lstrip("*"))
    return path[:stars] + new + path[stars + len(old) :]
