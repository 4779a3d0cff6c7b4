"""From what the walk found to the record."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr, MemRefType, NameLoc, UnrankedMemRefType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from xtriton.analysis.effects.boundary import block_of, bounds_of, element_offset
from xtriton.analysis.effects.called import CalledShape, resolve
from xtriton.analysis.effects.indices import Indices
from xtriton.analysis.effects.kernel import KernelEffects
from xtriton.analysis.effects.names import names_in
from xtriton.analysis.effects.record import (
    AccessEffect,
    ArgumentEffects,
    AtomicEffect,
    Certainty,
    Reason,
    SideEffect,
    location_text,
)
from xtriton.analysis.effects.state import State
from xtriton.analysis.effects.summaries import is_address
from xtriton.analysis.effects.surroundings import Around, Surroundings
from xtriton.analysis.effects.texts import type_text
from xtriton.analysis.effects.trees import Converter, Tree, is_closed
from xtriton.analysis.effects.values import Root
from xtriton.analysis.effects.walker import SEVERAL, Event, Walker
from xtriton.analysis.indexing import Cond, Expr
from xtriton.analysis.values import (
    Pointer,
    Sort,
    TensorBlock,
    byte_width,
    known_byte_width,
    type_facts,
)
from xtriton.dialects.tt.enums import DescriptorReduceKind, MemSemantic, MemSyncScope, RMWOp
from xtriton.dialects.tt.types import TensorDescType

MOST_WAYS = 16
"""Accesses that more calls lead to have no formulas."""

HOST = -1
"""The offset of the root that a descriptor made by the host in an argument's memory has."""


@dataclass(frozen=True)
class Shape:
    """The expressions of an access, to be written out when somebody asks."""

    indices: Indices
    positions: Mapping[BlockArgument, int]
    """Of the kernel's arguments, as they were: a pass may change them before somebody asks."""

    pointer: Pointer | TensorBlock | None
    mask: Cond | None
    bounds: Cond | None
    around: Around
    reason: str

    def details(self) -> dict[str, Any]:
        """Return offset, mask and loops as lists and as text."""
        convert = Converter(self.positions, self.around.loops)
        reason = self.reason or self.around.reason
        offset, text, e = self._offset(convert)
        conditions = [c for c in (self.mask, self.bounds) if c is not None]
        trees: list[Tree] = []
        a = self.indices.analysis
        for c, holds in [*((c, True) for c in conditions), *self.around.conditions]:
            if c is None or a is None:
                reason = reason or "a branch whose condition has no closed form"
                continue
            c = a.resolved_condition(c)
            trees.append(convert.cond(c if holds else a.space.negation(c)))
        trees = [t for t in trees if t is not True]
        mask: Tree = True if not trees else trees[0] if len(trees) == 1 else ["and", *trees]
        loops = [None if t is None else convert.expr(t) for t in self.around.trips]
        if not reason and offset is None:
            reason = "the offset has no closed form"
        for tree in (offset, mask, *loops):
            if not reason and not is_closed(tree):
                reason = f"depends on '{_open_value(tree)}', which only the run knows"
        found: dict[str, Any] = {"offset": offset, "mask": mask, "loops": loops}
        if text:
            found["offset_text"] = text
        shown: list[Expr | Cond] = [] if e is None else [e]
        if mask is not True and a is not None:
            resolved = [a.resolved_condition(c) for c in conditions]
            found["mask_text"] = " and ".join(map(str, resolved))
            shown += resolved
        if names := names_in(shown):
            found["names"] = names
        if reason:
            found["reason"] = reason
        return found

    def _offset(self, convert: Converter) -> tuple[Tree | None, str, Expr | None]:
        a, accesses = self.indices.analysis, self.indices.accesses
        if a is None or accesses is None or self.pointer is None:
            return None, "", None
        if isinstance(self.pointer, TensorBlock):
            resolved = a.resolved_value(self.pointer)
            assert isinstance(resolved, TensorBlock)
            e = element_offset(resolved, accesses)
        else:
            e = a.resolved(self.pointer.offset)
        e = e * byte_width(self.pointer.pointee)
        return convert.expr(e), str(e), e


def _open_value(tree: Tree) -> str:
    if isinstance(tree, list):
        if tree[0] == "value":
            return str(tree[1])  # pyright: ignore[reportUnknownArgumentType]
        for t in tree:  # pyright: ignore[reportUnknownVariableType]
            if found := _open_value(t):
                return found
    return ""


class Describer:
    """Makes the record of a kernel."""

    def __init__(self, walker: Walker, function: Operation, end: State | None):
        self.walker = walker
        self.function = function
        self.end = end or State()
        self.entry = function.regions[0].blocks[0]
        self.positions = {a: a.index for a in self.entry.args}
        self.indices = walker.summaries[function]
        self.paths = distinct([argument_path(a) for a in self.entry.args])
        self.groups: dict[tuple[str, int], ArgumentEffects] = {}
        self.atomics: dict[tuple[str, int], list[AtomicEffect]] = {}
        self.seen: set[tuple[str, int]] = set()
        """Where the first program surely sees what was there before the launch."""

        self.surroundings = Surroundings(self.indices, function)

    def record(self, name: str, *, complete: bool = True) -> KernelEffects:
        for k, argument in enumerate(self.entry.args):
            if is_address(argument.type):
                self.group(Root("argument", k))
        for event in self.walker.events.values():
            self.describe(event)
        for root in self.walker.escaped:
            group = self.groups.get(self.key(root))
            if group is not None:
                group.escapes = True
        self.settle()
        groups = sorted(self.groups.items(), key=lambda kv: (kv[0][1], kv[0][0]))
        arguments = [g for _, g in groups if g.kind != "indirect"]
        indirect = [g for _, g in groups if g.kind == "indirect"]
        return KernelEffects(
            name,
            arguments,
            indirect,
            self.side_effects(),
            self.notes(),
            complete,
            scalars={path: k for k, path in enumerate(self.paths)},
            axes=tuple(sorted(self.walker.axes)),
        )

    # --- arguments --------------------------------------------------------------------

    def key(self, root: Root) -> tuple[str, int]:
        """Return path and position of what a root stands for."""
        if root.kind in ("argument", "integer"):
            name = self.paths[root.index]
            type = self.entry.args[root.index].type
            if root.offset == HOST or isinstance(type, TensorDescType):
                return f"{name}.base", root.index
            return name, root.index
        if root.kind == "content" and root.via is not None:
            path, index = self.key(root.via)
            return f"*{path}", index
        return ("*scratch", -1) if root.kind == "scratch" else ("*", -1)

    def group(self, root: Root) -> ArgumentEffects:
        key = self.key(root)
        found = self.groups.get(key)
        if found is None:
            path, index = key
            kind, type = "indirect", ""
            if root.kind in ("argument", "integer"):
                attribute = self.entry.args[root.index].type
                kind = "pointer" if root.kind == "argument" else "integer"
                if path.endswith(".base"):
                    kind = "descriptor"
                type = type_text(attribute)
            found = self.groups[key] = ArgumentEffects(path, index, kind, type)
        return found

    def describe(self, event: Event) -> None:
        """Add an event to each argument that it concerns."""
        op, touch = event.op, event.touch
        roots = dict.fromkeys(sorted((p.root for p in event.places), key=repr))
        atomic = self.atomic(event) if touch.atomic else None
        for root in roots:
            if root.kind == "scratch":
                continue
            if event.initial and event.fresh and event.certain:
                self.seen.add(self.key(root))
            group = self.group(root)
            element, size = self.element(event)
            through = self.through_calls(event)
            shapes = through.get(root, []) or [self.shape(event, root, alone=len(roots) == 1)]
            group.accesses += [
                AccessEffect(
                    op.name,
                    "atomic" if touch.atomic else "write" if touch.write else "read",
                    touch.read,
                    touch.write,
                    element,
                    size,
                    event.certain,
                    event.initial,
                    _doubt(event),
                    place=op.location,
                    source=shape,
                )
                for shape in shapes
            ]
            if atomic is not None:
                self.atomics.setdefault(self.key(root), []).append(atomic)

    def settle(self) -> None:
        """Say none, may or must of every argument."""
        read = {self.key(r) for r in self.end.read}
        written = {self.key(r) for r in self.end.written}
        for key, group in self.groups.items():
            group.atomics = tuple(dict.fromkeys(self.atomics.get(key, ())))
            group.read = _certainty(any(a.reads for a in group.accesses), key in read)
            group.write = _certainty(any(a.writes for a in group.accesses), key in written)
            initial = any(a.reads and a.initial for a in group.accesses)
            group.reads_initial = _certainty(initial, key in self.seen)

    # --- accesses ---------------------------------------------------------------------

    def element(self, event: Event) -> tuple[str, int]:
        if event.touch.operand < 0:
            return "descriptor", 128
        type = event.op.operands[event.touch.operand].type
        element = _element_of(type)
        width = known_byte_width(element)
        return (type_text(type), 0) if width is None else (type_text(element), width)

    def shape(self, event: Event, root: Root, *, alone: bool) -> Shape | None:
        op, operand, indices = event.op, event.touch.operand, self.indices
        a = indices.analysis
        if a is None:
            return None
        if event.called:
            return Shape(
                indices, self.positions, None, None, None, Around(), "in a function it calls"
            )
        around = self.surroundings.of(op.parent)
        pointer: Pointer | TensorBlock | None = None
        bounds: Cond | None = None
        reason = "" if alone else SEVERAL
        found = a.values.get(op.operands[operand]) if operand >= 0 else None
        mask = indices.mask(op)
        if found is None and operand >= 0 and isinstance(op.operands[operand], BlockArgument):
            found = a.get(op.operands[operand])
        if isinstance(found, Pointer):
            pointer = found
        elif isinstance(found, TensorBlock):
            pointer = block_of(indices, op, operand)
            bounds = bounds_of(indices, op, pointer) if pointer is not None else None
        if pointer is None:
            reason = reason or self.why_unknown(event, root)
        elif alone and not self.is_argument(pointer.base, root):
            pointer, reason = None, self.why_unknown(event, root)
        elif not alone:
            pointer = None
        condition = indices.condition(mask) if mask is not None else None
        if mask is not None and condition is None:
            reason = reason or "the mask has no closed form"
        return Shape(indices, self.positions, pointer, condition, bounds, around, reason)

    def through_calls(self, event: Event) -> dict[Root, list[Shape | CalledShape | None]]:
        """Return the shapes of an access in a called function, by root, if all are known."""
        operand = event.touch.operand
        many = event.more_ways or len(event.ways) > MOST_WAYS
        if not event.called or operand < 0 or many:
            return {}
        found: dict[Root, list[Shape | CalledShape | None]] = {}
        for calls in sorted(event.ways, key=lambda way: [self.walker.number(op) for op in way]):
            resolved = resolve(self.walker, event.op, operand, calls)
            if resolved is None:
                return {}
            argument, shape = resolved
            found.setdefault(Root("argument", argument.index), []).append(shape)
        return found if {p.root for p in event.places} == found.keys() else {}

    def is_argument(self, value: SSAValue, root: Root) -> bool:
        return (
            isinstance(value, BlockArgument)
            and value.block is self.entry
            and root.kind == "argument"
            and root.index == value.index
            and root.offset != HOST
        )

    def why_unknown(self, event: Event, root: Root) -> str:
        if event.touch.operand < 0:
            return "a descriptor in memory"
        if root.kind == "content":
            return "the address was loaded from memory"
        if root.kind == "integer":
            return "the address is an integer argument"
        if root.kind in ("unknown", "constant"):
            return "the address comes from no argument"
        if type_facts(event.op.operands[event.touch.operand].type).sort is Sort.BLOCK:
            return "the tensor of the descriptor is known to the host only"
        return "the address has no closed form"

    def atomic(self, event: Event) -> AtomicEffect:
        """Return what is special of an atomic."""
        op = event.op
        name = op.name.partition(".")[2].removeprefix("atomic_")
        rmw = _enumerated(op, "atomic_rmw_op", RMWOp) or _enumerated(
            op, "kind", DescriptorReduceKind
        )
        name = (rmw or name).rstrip("_")
        used = any(True for r in op.results for _ in r.uses)
        order = _enumerated(op, "sem", MemSemantic) or "relaxed"
        scope = _enumerated(op, "scope", MemSyncScope) or "gpu"
        element = self.element(event)[0]
        exact = element.startswith("i") or name in ("max", "min", "umax", "umin")
        commutes = name in ("add", "and", "or", "xor", "max", "min", "umax", "umin") and exact
        certainty: Certainty = "must" if event.certain else "may"
        return AtomicEffect(name, order, scope, used, certainty, commutes and not used)

    # --- the kernel -------------------------------------------------------------------

    def side_effects(self) -> tuple[SideEffect, ...]:
        found = [
            SideEffect(f.text, f.op.name, location_text(f.op.location), f.certain)
            for f in self.walker.findings.values()
            if f.code == "side effect"
        ]
        return tuple(dict.fromkeys(found))

    def notes(self) -> tuple[Reason, ...]:
        found = [
            Reason(f.code, f.text, f.op.name, location_text(f.op.location))
            for f in self.walker.findings.values()
            if f.code != "side effect"
        ]
        if self.indices.failure is not None:
            found.append(Reason("index analysis", self.indices.failure, self.function.name))
        return tuple(dict.fromkeys(found))


def _element_of(type: Attribute) -> Attribute:
    element = type_facts(type).element
    if isinstance(element, (MemRefType, UnrankedMemRefType)):
        return cast(Attribute, element.element_type)  # pyright: ignore[reportUnknownMemberType]
    return element


def _doubt(event: Event) -> str:
    if not event.certain:
        return event.doubt
    return "writes only where it finds what it compares with" if event.compares else ""


def _certainty(some: bool, sure: bool) -> Certainty:
    return "must" if sure and some else "may" if some else "none"


def _enumerated(op: Operation, name: str, kind: Any) -> str | None:
    found = op.get_attr_or_prop(name)
    if not isinstance(found, IntegerAttr):
        return None
    try:
        return kind(found.value.data).name
    except ValueError:
        return str(found.value.data)


def argument_path(argument: BlockArgument) -> str:
    """Return the name of an argument; elements of tuples as `name[0]`."""
    name = argument.name_hint
    if name is None or (name.startswith("arg") and name[3:].isdigit()):
        location = getattr(argument, "location", None)
        if isinstance(location, NameLoc):
            name = location.desc.data
    if name is None:
        return f"arg{argument.index}"
    head, *rest = name.split(".")
    return head + "".join(f"[{r}]" if r.isdigit() else f".{r}" for r in rest)


def distinct(names: list[str]) -> list[str]:
    """Return the names, with a number behind those that have been there before."""
    found: dict[str, None] = {}
    for name in names:
        number, new = 0, name
        while new in found:
            number += 1
            new = f"{name}_{number}"
        found[new] = None
    return list(found)
