"""
The parts of the answer: arguments, accesses, reasons, plain data that goes to JSON and back.

Byte offsets and masks become lists (see `trees`) when they are first asked for; nothing of
the program is kept alive but its expressions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

from xdsl.ir import Attribute

from xtriton.analysis.effects.trees import Tree, is_closed
from xtriton.ir.locations import file_position

Certainty = Literal["none", "may", "must"]
"""`must`: every launch that has a program does it."""


Scalars = Mapping[Any, int]
"""Integer arguments by name or position."""


def location_text(location: Attribute | None) -> str:
    """Return `file:line:column`, or nothing where the location is not known."""
    position = file_position(location) if location is not None else None
    return "" if position is None else f"{position[0]}:{position[1]}:{position[2]}"


@dataclass(frozen=True)
class Reason:
    """Why an answer is not exact, or not what one would expect: `code` for programs."""

    code: str
    text: str
    op: str
    location: str = ""

    def __str__(self) -> str:
        return f"{self.location or '?'}: {self.op}: {self.text}"


@dataclass(frozen=True)
class SideEffect:
    """Something that a launch does besides reading and writing: `print`, `assert`, …"""

    kind: str
    op: str
    location: str = ""
    certain: bool = False


@dataclass(frozen=True)
class AtomicEffect:
    """An atomic on an argument: `op` such as `fadd`, order, scope, and whether it is sure."""

    op: str
    order: str
    scope: str
    result_used: bool
    certainty: Certainty
    commutes: bool
    """Whether the order of two of them cannot be noticed."""


class Source(Protocol):
    """The expressions of an access, to be written out when somebody asks."""

    def details(self) -> dict[str, Any]:
        """Return offset, mask and loops as lists and as text."""
        ...


@dataclass
class AccessEffect:
    """
    One op that reads or writes an argument's memory.

    `kind` is "read", "write" or "atomic"; `size` the bytes of an element of type `element`;
    `certain` whether the first program surely does it and `doubt` why not. `initial`: a read
    may see what was there before the launch.
    """

    op: str
    kind: str
    reads: bool
    writes: bool
    element: str
    size: int
    certain: bool
    initial: bool
    doubt: str = ""
    given: dict[str, Any] | None = field(default=None, repr=False, compare=False)
    """The details, where they come from JSON."""

    place: Attribute | None = field(default=None, repr=False, compare=False)
    source: Source | None = field(default=None, repr=False, compare=False)

    @cached_property
    def details(self) -> dict[str, Any]:
        """Offset, mask and loops as lists, and the reason for what is not known."""
        if self.given is not None:
            return self.given
        if self.source is None:
            return {"offset": None, "mask": True, "loops": [], "reason": "no index analysis"}
        return self.source.details()

    @cached_property
    def location(self) -> str:
        """`file:line:column`."""
        return self.given["location"] if self.given is not None else location_text(self.place)

    @property
    def offset(self) -> Tree | None:
        """The byte offset of an element from the argument, None if it is not known."""
        return self.details["offset"]

    @property
    def offset_text(self) -> str:
        return self.details.get("offset_text", "")

    @property
    def mask(self) -> Tree:
        """Where it happens: lanes, branches and bounds together."""
        return self.details["mask"]

    @property
    def mask_text(self) -> str:
        return self.details.get("mask_text", "")

    @property
    def names(self) -> dict[str, str]:
        """What names in the texts stand for that are neither arguments nor made by the launch."""
        return self.details.get("names", {})

    @property
    def loops(self) -> list[Tree | None]:
        """The trip count of each loop around, outermost first; None if it is not known."""
        return self.details["loops"]

    @property
    def reason(self) -> str:
        """Why the offset or the mask is not exact; empty if it is."""
        return self.details.get("reason", "")

    @property
    def is_exact(self) -> bool:
        """Whether offset, mask and loops say exactly which bytes a launch touches."""
        return (
            not self.reason
            and not self.op.endswith("_cas")
            and self.offset is not None
            and is_closed(self.offset)
            and is_closed(self.mask)
            and all(t is not None and is_closed(t) for t in self.loops)
        )

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain data."""
        return {
            "op": self.op,
            "kind": self.kind,
            "reads": self.reads,
            "writes": self.writes,
            "element": self.element,
            "size": self.size,
            "certain": self.certain,
            "initial": self.initial,
            "doubt": self.doubt,
            "location": self.location,
            **{k: v for k, v in self.details.items() if k != "location"},
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> AccessEffect:
        """Return the record that `to_json` made plain."""
        names = ("op", "kind", "reads", "writes", "element", "size", "certain", "initial", "doubt")
        rest = {k: v for k, v in data.items() if k not in names}
        return AccessEffect(**{k: data[k] for k in names}, given=rest)


@dataclass
class ArgumentEffects:
    """
    What a kernel does with one argument, or with memory that one leads to.

    `path` is `x`, `ps[1]`, `desc.base`, or `*tab` for memory whose address lies in `tab`.
    `kind`: "pointer", "descriptor", "integer" (used as an address) or "indirect".
    `commutes`: all writes are atomics whose order nobody can notice. `escapes`: the address
    is stored, compared, or handed to code that nobody has.
    """

    path: str
    index: int
    kind: str
    type: str
    read: Certainty = "none"
    write: Certainty = "none"
    reads_initial: Certainty = "none"
    escapes: bool = False
    atomics: tuple[AtomicEffect, ...] = ()
    accesses: list[AccessEffect] = field(default_factory=list[AccessEffect])

    @property
    def name(self) -> str:
        """The argument's name, without what the path adds."""
        return self.path.lstrip("*").partition("[")[0].partition(".")[0]

    @property
    def commutes(self) -> bool:
        writes = [a for a in self.accesses if a.writes]
        return (
            bool(writes)
            and all(a.kind == "atomic" for a in writes)
            and all(a.commutes for a in self.atomics)
        )

    @cached_property
    def covers(self) -> bool:
        """
        Whether a launch surely overwrites every byte that it may write.

        The bytes are then those of `kernel.KernelEffects.at`.
        """
        writes = [a for a in self.accesses if a.writes]
        return bool(writes) and all(a.is_exact and a.kind == "write" for a in writes)

    @property
    def reasons(self) -> list[Reason]:
        """Why an answer is `may`, or bytes are not known."""
        found: dict[Reason, None] = {}
        for a in self.accesses:
            if (not a.certain or a.doubt) and (
                (a.reads and self.read == "may") or (a.writes and self.write == "may")
            ):
                found[Reason("may", a.doubt or "not certain", a.op, a.location)] = None
            if a.reason:
                found[Reason("bytes", a.reason, a.op, a.location)] = None
        return list(found)

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain data."""
        return {
            "path": self.path,
            "index": self.index,
            "kind": self.kind,
            "type": self.type,
            "read": self.read,
            "write": self.write,
            "reads_initial": self.reads_initial,
            "covers": self.covers,
            "commutes": self.commutes,
            "escapes": self.escapes,
            "atomics": [vars(a) for a in self.atomics],
            "accesses": [a.to_json() for a in self.accesses],
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> ArgumentEffects:
        """Return the record that `to_json` made plain."""
        names = ("path", "index", "kind", "type", "read", "write", "reads_initial", "escapes")
        return ArgumentEffects(
            **{k: data[k] for k in names},
            atomics=tuple(AtomicEffect(**a) for a in data["atomics"]),
            accesses=[AccessEffect.from_json(a) for a in data["accesses"]],
        )


@dataclass
class KernelRecord:
    """
    What a kernel does, without the queries of `kernel.KernelEffects`.

    `unknown_read` and `unknown_write` speak of addresses that come from no argument, or
    from memory: `via` in `indirect` says from whose. `notes` are reasons that belong to no
    argument. `complete` is False where the analysis gave up: then everything is `may`.
    """

    kernel: str
    arguments: list[ArgumentEffects]
    indirect: list[ArgumentEffects] = field(default_factory=list[ArgumentEffects])
    side_effects: tuple[SideEffect, ...] = ()
    notes: tuple[Reason, ...] = ()
    complete: bool = True
    ir_hash: str = ""
    scalars: dict[str, int] = field(default_factory=dict[str, int])
    """The positions of the arguments by name."""

    axes: tuple[int, ...] = ()
    """The dimensions of the grid in which the kernel asks for its place."""

    @property
    def unknown_read(self) -> Certainty:
        return _most(a.read for a in self.indirect)

    @property
    def unknown_write(self) -> Certainty:
        return _most(a.write for a in self.indirect)

    def __getitem__(self, path: str) -> ArgumentEffects:
        """Return the argument or indirect memory with this path; raise `KeyError` if none."""
        for a in (*self.arguments, *self.indirect):
            if a.path == path:
                return a
        raise KeyError(path)


def _most(found: Any) -> Certainty:
    order: dict[Certainty, int] = {"none": 0, "may": 1, "must": 2}
    return max(found, key=order.__getitem__, default="none")
