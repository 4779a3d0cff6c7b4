"""What a kernel's ops say about launches that make sense for it."""

from collections.abc import Iterator
from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue

from xtriton.interpreter.types import info, integer, plain
from xtriton.ir import dense

_MOST_CONSTANTS = 24

_POINTERS = frozenset(
    ("tt.addptr", "tt.splat", "tt.broadcast", "tt.expand_dims", "tt.reshape", "tt.trans",
     "tt.bitcast", "tt.unsplat", "tt.make_tensor_ptr", "tt.advance", "ttg.convert_layout",
     "tts.make_tptr", "tts.make_gather_scatter_tptr", "tts.make_affine_tptr")
)  # fmt: skip
"""Ops that give pointers to where their first operand points, or not far from it."""


def axes_used(function: Operation) -> set[int]:
    """Return the axes whose program id the kernel asks for, through calls too."""
    module: Any = function
    while module.parent_op() is not None:
        module = module.parent_op()
    return {integer(op, "axis") for op in module.walk() if op.name == "tt.get_program_id"}


_LAUNCHES: dict[int, tuple[tuple[int, int, int], tuple[int, ...]]] = {
    0: ((1, 1, 1), (0,)),
    1: ((4, 1, 1), (0, 1, 2, 3)),
    2: ((2, 3, 1), (0, 1, 2, 5)),
    3: ((2, 3, 4), (0, 3, 7, 22)),
}
_WAITING = {1: (4, 1, 1), 2: (4, 3, 1), 3: (4, 3, 2)}
"""Grids of kernels whose programs wait for each other: one that looks back sees two before it."""


def default_launch(function: Operation) -> tuple[tuple[int, int, int], tuple[int, ...]]:
    """
    Return a small grid over the axes that the kernel uses, and four of its programs.

    A kernel whose programs wait for each other gets all programs of its grid.
    """
    axes = axes_used(function) if function.name == "tt.func" else {0, 1, 2}
    most = max(axes) + 1 if axes else 0
    if most and lock_arguments(function):
        grid = _WAITING[most]
        return grid, tuple(range(grid[0] * grid[1] * grid[2]))
    return _LAUNCHES[most]


def lock_arguments(function: Operation) -> set[int]:
    """
    Return the positions of arguments whose old values atomics hand out.

    They are locks, tickets and counters, and start from zero.
    """
    found: set[int] = set()
    block = function.regions[0].blocks[0]
    for op in function.walk():
        if op.name == "tt.atomic_cas" or (
            op.name == "tt.atomic_rmw" and any(True for _ in op.results[0].uses)
        ):
            value: Any = op.operands[0]
            while isinstance(value.owner, Operation) and value.owner.operands:
                value = value.owner.operands[0]
            if value.owner is block:
                found.add(value.index)
    return found


def argument_behind(pointer: SSAValue, function: Operation) -> int | None:
    """Return the position of the function's argument that a pointer leads to, if one sees it."""
    value: Any = pointer
    while isinstance(value.owner, Operation):
        if value.owner.name not in _POINTERS:
            return None
        value = value.owner.operands[0]
    parent = value.owner.parent_op()
    if parent is not None and parent.name == "scf.for":
        return argument_behind(parent.operands[2 + value.index], function) if value.index else None
    is_entry = parent is function and value.owner is function.regions[0].blocks[0]
    return value.index if is_entry else None


def loop_arguments(function: Operation) -> dict[int, int]:
    """Return the arguments that bound loops, each with the largest constant step of those."""
    found: dict[int, int] = {}
    block = function.regions[0].blocks[0]
    for op in function.walk():
        if op.name != "scf.for":
            continue
        by: Any = op.operands[2].owner
        constant: Any = getattr(by, "properties", {}).get("value") if by is not None else None
        step = constant.value.data if isinstance(constant, IntegerAttr) else 1
        work, seen = [op.operands[0], op.operands[1]], set[int]()
        while work:
            value: Any = work.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value.owner, Operation):
                if value.owner.name.startswith("arith."):
                    work.extend(value.owner.operands)
            elif value.owner is block:
                found[value.index] = max(found.get(value.index, 1), int(step))
    return found


def block_extent(function: Operation) -> int:
    """Return the longest dimension of a tensor in the kernel, at least 8."""
    longest = 8
    for op in function.walk():
        for result in op.results:
            known = info(result.type)
            if known.kind in ("tensor", "block_pointer"):
                longest = max(longest, *known.shape, 8)
    return min(longest, 4096)


def constants_of(function: Operation) -> tuple[float, ...]:
    """Return the numbers that a kernel's ops take, the usual ones left out."""
    found: set[float] = set()
    for op in function.walk():
        attribute: Any = op.properties.get("value") if op.name == "arith.constant" else None
        is_dense: bool = isinstance(attribute, DenseIntOrFPElementsAttr)
        if is_dense and not dense.is_splat(cast(Any, attribute)):
            continue
        value: Any = dense.splat_value(cast(Any, attribute)) if is_dense else plain(attribute)
        if isinstance(value, int | float) and abs(value) < 1 << 62 and value not in (0, 1, -1):
            found.add(value)
    return tuple(sorted(found, key=lambda c: (abs(c), c))[:_MOST_CONSTANTS])


_TELLING = ("cmpi", "div", "rem", "min", "max")
"""Ops of arith that compare or divide."""

_MOST_EDGES = 4
"""Constants that a grid's axis is looked at, at the edges of."""


def edges_of_blocks(function: Operation) -> dict[int, list[int]]:
    """
    Return for each axis of the grid the programs whose block ends, or begins, at a constant.

    So are those at a constant that the place in the grid is compared with or divided by. Constants
    are those that some op compares or divides with; a block is as long as what the place in
    the grid is multiplied by.
    """
    constants: set[int] = set()
    blocks: dict[int, set[int]] = {}
    ends: dict[int, set[int]] = {}
    for op in function.walk():
        dialect, _, name = op.name.partition(".")
        if dialect == "arith" and name.startswith(_TELLING):
            found = (constant_number(o) for o in op.operands)
            constants |= {c for c in found if c is not None and 1 < c < 1 << 24}
        elif op.name == "tt.get_program_id":
            lengths = blocks.setdefault(integer(op, "axis"), set[int]())
            for use in _uses_in_all_lanes(op.results[0]):
                if use.name == "arith.muli":
                    factors = (constant_number(o) for o in use.operands)
                    lengths |= {c for c in factors if c is not None and c > 0}
                elif use.name.partition(".")[2].startswith(_TELLING):
                    bounds = (constant_number(o) for o in use.operands)
                    ends.setdefault(integer(op, "axis"), set[int]()).update(
                        c - back for c in bounds if c is not None for back in (0, 1)
                    )
    edges: dict[int, list[int]] = {}
    for axis, lengths in blocks.items():
        known = sorted(constants)[-_MOST_EDGES:]
        places = {(c - back) // n for n in lengths or {1} for c in known for back in (0, 1)}
        places |= ends.get(axis, set[int]())
        edges[axis] = sorted(p for p in places if 0 < p < (1 << 16))
    return edges


def _uses_in_all_lanes(value: SSAValue) -> Iterator[Operation]:
    """Yield the users of a value, and those of the same one, or a sum with it, in other types."""
    for use in value.uses:
        yield use.operation
        if use.operation.name in ("tt.splat", "arith.addi", "arith.extsi"):
            yield from _uses_in_all_lanes(use.operation.results[0])


def constant_number(value: Any) -> int | None:
    """Return the integer that a value is in all lanes, if it is a constant."""
    owner = value.owner
    while isinstance(owner, Operation) and owner.name in ("tt.splat", "arith.extsi"):
        owner = owner.operands[0].owner
    if not isinstance(owner, Operation) or owner.name != "arith.constant":
        return None
    attribute: Any = owner.properties.get("value")
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        known = cast(Any, attribute)
        found: Any = dense.splat_value(known) if dense.is_splat(known) else None
    else:
        found = plain(attribute)
    return found if isinstance(found, int) else None
