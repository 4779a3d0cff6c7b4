"""Several specialisations of a kernel together: what all of them do, and what depends on which."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from xtriton.analysis.effects.kernel import KernelEffects
from xtriton.analysis.effects.record import AccessEffect, ArgumentEffects, Certainty, Reason

_DONE = {"read": "read", "write": "written"}

Variants = tuple[str, ...]
"""Names of configurations."""


@dataclass
class Union:
    """
    The records of a kernel by configuration, taken together.

    An access is `must` if every configuration does it for sure, and `may` if one may.
    """

    records: dict[str, KernelEffects]
    paths: list[str] = field(default_factory=list[str])

    def read_of(self, path: str) -> Certainty:
        """Return whether all, some or no configurations read a path."""
        return self._together(path, lambda a: a.read)

    def write_of(self, path: str) -> Certainty:
        """Return whether all, some or no configurations write a path."""
        return self._together(path, lambda a: a.write)

    def mutated(self, *, strict: bool = False) -> list[str]:
        """Return what any configuration may write."""
        return self._any(lambda r: r.mutated(strict=strict))

    def read(self, *, strict: bool = False) -> list[str]:
        """Return what any configuration may read."""
        return self._any(lambda r: r.read(strict=strict))

    def always_mutated(self) -> list[str]:
        """Return what every configuration writes for sure."""
        return [p for p in self.paths if self.write_of(p) == "must"]

    @property
    def must_keep(self) -> bool:
        return any(r.must_keep for r in self.records.values())

    @property
    def pure(self) -> bool:
        return all(r.pure for r in self.records.values())

    @property
    def depends(self) -> dict[str, dict[str, Variants]]:
        """
        Return what is not the same in all configurations.

        By path: "read" and "write", each with the configurations that may do it.
        """
        found: dict[str, dict[str, Variants]] = {}
        for path in self.paths:
            for what in ("read", "write"):
                doing = tuple(
                    name
                    for name, record in self.records.items()
                    if (a := _argument(record, path)) is not None and getattr(a, what) != "none"
                )
                if doing and len(doing) < len(self.records):
                    found.setdefault(path, {})[what] = doing
        return found

    def merged(self) -> KernelEffects:
        """Return one record for all configurations; its notes say what depends on which."""
        records = list(self.records.values())
        if len(records) == 1:
            return records[0]
        arguments = [self._merged(path) for path in self.paths]
        notes = [n for r in records for n in r.notes]
        for path, doing in self.depends.items():
            for what, names in doing.items():
                text = f"'{path}' is {_DONE[what]} only in {', '.join(names)}"
                notes.append(Reason("configuration", text, "tt.func"))
        return KernelEffects(
            records[0].kernel,
            [a for a in arguments if a.kind != "indirect"],
            [a for a in arguments if a.kind == "indirect"],
            tuple(dict.fromkeys(s for r in records for s in r.side_effects)),
            tuple(dict.fromkeys(notes)),
            all(r.complete for r in records),
            scalars=records[0].scalars,
            axes=tuple(sorted({axis for r in records for axis in r.axes})),
        )

    def _merged(self, path: str) -> ArgumentEffects:
        known = [a for r in self.records.values() if (a := _argument(r, path)) is not None]
        accesses: dict[str, AccessEffect] = {}
        for access in (x for a in known for x in a.accesses):
            accesses.setdefault(repr(access.to_json()), access)
        return ArgumentEffects(
            path,
            known[0].index,
            known[0].kind,
            known[0].type,
            self.read_of(path),
            self.write_of(path),
            self._together(path, lambda a: a.reads_initial),
            any(a.escapes for a in known),
            tuple(dict.fromkeys(x for a in known for x in a.atomics)),
            list(accesses.values()),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the records and what they are together as plain data."""
        return {
            "arguments": [
                {"path": p, "read": self.read_of(p), "write": self.write_of(p)} for p in self.paths
            ],
            "depends": self.depends,
            "must_keep": self.must_keep,
            "records": {name: r.to_json() for name, r in self.records.items()},
        }

    def _any(self, query: Callable[[KernelEffects], list[str]]) -> list[str]:
        found = {p for record in self.records.values() for p in query(record)}
        return [p for p in self.paths if p in found]

    def _together(self, path: str, what: Callable[[ArgumentEffects], Certainty]) -> Certainty:
        arguments = [_argument(r, path) for r in self.records.values()]
        answers = ["none" if a is None else what(a) for a in arguments]
        if all(a == "must" for a in answers):
            return "must"
        return "none" if all(a == "none" for a in answers) else "may"


def _argument(record: KernelEffects, path: str) -> ArgumentEffects | None:
    try:
        return record[path]
    except KeyError:
        return None


def union(records: Mapping[str, KernelEffects]) -> Union:
    """Return what the configurations of a kernel do together; `records` by configuration."""
    paths = dict.fromkeys(a.path for r in records.values() for a in (*r.arguments, *r.indirect))
    return Union(dict(records), list(paths))
