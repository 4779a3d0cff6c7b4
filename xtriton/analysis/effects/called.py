"""
Accesses in functions that a kernel calls: byte offsets through the calls that lead there.

The offset of the callee is that from its argument; what the caller hands over for that
argument has an offset itself, and so on up to the kernel. All of it is put together from
the trees of each function, in which arguments are replaced by what they are handed.
"""

from dataclasses import dataclass
from typing import Any, cast

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from xtriton.analysis.effects.indices import Indices
from xtriton.analysis.effects.surroundings import Around, Surroundings
from xtriton.analysis.effects.trees import Converter, Tree, is_closed, lanes_in
from xtriton.analysis.effects.walker import Walker
from xtriton.analysis.indexing import Expr
from xtriton.analysis.values import Pointer, byte_width


@dataclass(frozen=True)
class Level:
    """One function on the way: where it is left or memory is accessed, and the bytes to add."""

    indices: Indices
    positions: dict[BlockArgument, int]
    around: Around
    offset: Expr
    leaves: Operation
    """The call to the next function, or the access."""


@dataclass(frozen=True)
class CalledShape:
    """An access through some calls, from the kernel inwards."""

    levels: tuple[Level, ...]

    def details(self) -> dict[str, Any]:
        """Return offset, mask and loops as lists; see `describe.Shape`."""
        offsets: list[Tree] = []
        masks: list[Tree] = []
        loops: list[Tree | None] = []
        reason = ""
        given: list[Tree] | None = None
        for level in self.levels:
            a = level.indices.analysis
            assert a is not None
            convert = Converter(level.positions, level.around.loops)
            inwards = _Inwards(given, len(loops))
            loops += [
                None if t is None else inwards.tree(convert.expr(t)) for t in level.around.trips
            ]
            reason = reason or level.around.reason
            conditions = list(level.around.conditions)
            mask = level.indices.mask(level.leaves)
            if mask is not None and level is self.levels[-1]:
                conditions.append((level.indices.condition(mask), True))
            for c, holds in conditions:
                if c is None:
                    reason = reason or "a condition that has no closed form"
                    continue
                c = a.resolved_condition(c)
                masks.append(inwards.tree(convert.cond(c if holds else a.space.negation(c))))
            offsets.append(inwards.tree(convert.expr(a.resolved(level.offset))))
            if level is not self.levels[-1]:
                given = [
                    inwards.tree(convert.expr(a.resolved(e))) if e is not None else None
                    for e in (_number(level.indices, v) for v in level.leaves.operands)
                ]
        offset = total([[1, o] for o in offsets])
        if any(lanes_in(o) for o in offsets[:-1]) or _has_none(offset) or _has_none(masks):
            return {"offset": None, "mask": True, "loops": [], "reason": "in a function it calls"}
        loops = [None if _has_none(t) else t for t in loops]
        masks = [m for m in masks if m is not True]
        mask_tree: Tree = True if not masks else masks[0] if len(masks) == 1 else ["and", *masks]
        if not reason and not all(is_closed(t) for t in (offset, mask_tree, *loops)):
            reason = "depends on what only the run knows"
        found: dict[str, Any] = {"offset": offset, "mask": mask_tree, "loops": loops}
        if reason:
            found["reason"] = reason
        return found


@dataclass(frozen=True)
class _Inwards:
    """Puts a callee's tree into the caller's terms; `given` is what it is handed, if it is one."""

    given: list[Tree] | None
    loops_outside: int

    def tree(self, tree: Tree) -> Tree:
        if not isinstance(tree, list) or self.given is None:
            return cast(Any, tree)
        parts = cast(list[Any], tree)
        if parts[0] == "arg":
            return self.given[parts[1]]
        if parts[0] == "loop":
            return ["loop", parts[1] + self.loops_outside]
        if parts[0] == "sum":
            return total([[c, *map(self.tree, atoms)] for c, *atoms in parts[1:]])
        return [self.tree(t) for t in parts]


def total(rows: list[list[Any]]) -> Tree:
    """Return a sum of products in which factors may be sums themselves, multiplied out."""
    terms: dict[str, tuple[int, list[Tree]]] = {}
    for c, *factors in rows:
        products: list[tuple[int, list[Tree]]] = [(c, [])]
        for factor in factors:
            products = [
                (x * y, [*atoms, *more])
                for x, atoms in products
                for y, more in _products_of(factor)
            ]
        for x, atoms in products:
            atoms = sorted(atoms, key=repr)
            old = terms.get(repr(atoms), (0, atoms))[0]
            terms[repr(atoms)] = old + x, atoms
    kept = [[c, *atoms] for c, atoms in terms.values() if c]
    if not kept:
        return 0
    if len(kept) == 1 and len(kept[0]) == 1:
        return kept[0][0]
    return ["sum", *sorted(kept, key=repr)]


def _products_of(tree: Tree) -> list[tuple[int, list[Tree]]]:
    if not isinstance(tree, list):
        return [(1, [None])] if tree is None else [(int(tree), [])]
    parts = cast(list[Any], tree)
    if parts[0] == "sum":
        return [(c, list(atoms)) for c, *atoms in parts[1:]]
    return [(1, [parts])]


def _has_none(tree: Tree) -> bool:
    """Tell whether something handed over has no form."""
    return tree is None or (
        isinstance(tree, list) and any(_has_none(t) for t in cast(list[Any], tree))
    )


def _number(indices: Indices, value: SSAValue) -> Expr | None:
    a = indices.analysis
    found = a.get(value) if a is not None else None
    return found if isinstance(found, Expr) else None


def resolve(
    walker: Walker, op: Operation, operand: int, calls: tuple[Operation, ...]
) -> tuple[BlockArgument, CalledShape] | None:
    """Return the kernel's argument that an access through calls goes to, and its shape."""
    levels: list[Level] = []
    value, leaves = op.operands[operand], op
    for call in (*reversed(calls), None):
        entry = _entry_of(leaves)
        indices = walker.summaries.get(entry.parent_op()) if entry is not None else None  # pyright: ignore[reportArgumentType]
        a = indices.analysis if indices is not None else None
        if entry is None or indices is None or a is None:
            return None
        pointer = a.get(value)
        if not isinstance(pointer, Pointer) or not isinstance(pointer.base, BlockArgument):
            return None
        if pointer.base.block is not entry:
            return None
        function = entry.parent_op()
        assert function is not None
        around = Surroundings(indices, function).of(leaves.parent)
        positions = {x: x.index for x in entry.args}
        offset = pointer.offset * byte_width(pointer.pointee)
        levels.append(Level(indices, positions, around, offset, leaves))
        if call is None:
            return pointer.base, CalledShape(tuple(reversed(levels)))
        value, leaves = call.operands[pointer.base.index], call
    return None


def _entry_of(op: Operation) -> Block | None:
    """Return the first block of the function around an op."""
    function = op.parent_op()
    while function is not None and function.name not in ("tt.func", "func.func"):
        function = function.parent_op()
    return None if function is None else function.regions[0].blocks[0]
