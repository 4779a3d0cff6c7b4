"""
Every load, store and atomic of a function: where it goes, under which mask, how regular.

    for access in Accesses(function).all:
        print(access.op.name, access.form.tier, access.form.offset)
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xtriton.analysis.classify import Dimension, Form, Tier, classify, element_atoms
from xtriton.analysis.index_analysis import index_analysis
from xtriton.analysis.indexing import Atom, Cond, Expr, Kind, Space, facts_of
from xtriton.analysis.masks import MaskRegion, mask_region
from xtriton.analysis.memory_ops import (
    MEMORY_OPS,
    READING,
    TRITON_ACCESSES,
    mask_of,
    pointer_operand,
)
from xtriton.analysis.values import Pointer, Sort, TensorBlock, Unknown, type_facts
from xtriton.ir.attributes import integers
from xtriton.ir.value_flow import bounds_of, sources
from xtriton.ir.walking import ops_in
from xtriton.showing import Shown


@dataclass(frozen=True, repr=False)
class Access(Shown):
    """
    One memory operation.

    `pointer` is what it accesses; `mask` the lanes that it may touch, boundary checks
    included, and `region` the same as intervals; `shape` is empty for a scalar.
    """

    op: Operation
    kind: str
    pointer: Pointer | TensorBlock | Unknown
    shape: tuple[int, ...]
    mask: Cond
    region: MaskRegion
    facts_around: tuple[Expr, ...]
    """What the loops and branches around it say: expressions that are at least 0."""

    form: Form

    @property
    def tier(self) -> Tier:
        return self.form.tier

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape)) or "scalar"
        return f"<{self.op.name} {shape}: {self.tier.value}>"


class AccessList(list[Access], Shown):
    """Accesses in the order of the program; a notebook draws them in one picture."""


class Accesses:
    """The memory operations of a function, analysed."""

    def __init__(self, function: Operation):
        self.function = function
        self.analysis = index_analysis(function)
        self._loads: dict[SSAValue, frozenset[Operation]] = {}

    @cached_property
    def all(self) -> list[Access]:
        """The accesses in the order of the program."""
        return [self.describe(op) for op in ops_in(self.function, TRITON_ACCESSES)]

    def describe(self, op: Operation) -> Access:
        """Return what is known of one memory operation."""
        a = self.analysis
        space = a.space
        pointer = a.get(pointer_operand(op))
        facts = type_facts(pointer_operand(op).type)
        shape = facts.shape or ()
        around = a.facts_at(op)
        mask = space.true
        operand = mask_of(op)
        if operand is not None:
            mask = a.resolved_condition(a.cond(operand))
        elif isinstance(pointer, TensorBlock):
            pointer = self.block_of(op, pointer)
            mask = inside(space, pointer, checked_dims(op, len(shape)))
        with space.assuming(around):
            mask = space.simplified_condition(mask)
        region = mask_region(space, mask, shape)
        known = (*around, *facts_of(mask))
        if isinstance(pointer, Pointer):
            pointer = Pointer(pointer.base, a.resolved(pointer.offset), pointer.pointee)
            form = classify(space, pointer.offset, shape, known, self.is_loaded)
            if form.tier is Tier.OPAQUE:
                form = replace(form, reason=self.unknowns_of(form.offset))
        elif isinstance(pointer, TensorBlock):
            form = block_access_form(space, pointer)
        else:
            reason = pointer.reason if isinstance(pointer, Unknown) else "no pointer"
            pointer = Unknown(reason, op.operands[0])
            form = Form(Tier.OPAQUE, space.zero, (), reason=reason)
        return Access(op, MEMORY_OPS[op.name].kind, pointer, shape, mask, region, around, form)

    def block_of(self, op: Operation, block: TensorBlock) -> TensorBlock:
        """Return the block that an op accesses; a descriptor's begins at the op's indices."""
        if op.name in ("tt.descriptor_load", "tt.descriptor_store"):
            first = 1 if op.name == "tt.descriptor_load" else 2
            offsets = tuple(self.analysis.expr(v) for v in op.operands[first:])
            block = replace(block, offsets=offsets)
        resolved = self.analysis.resolved_value(block)
        assert isinstance(resolved, TensorBlock)
        return resolved

    def unknowns_of(self, offset: Expr) -> str:
        """Return which tensors an offset depends on that no formula explains, and what they are."""
        leaves: list[Atom] = [e.args[0] for e in element_atoms(self.analysis.space, offset)]
        return "depends on " + ", ".join(dict.fromkeys(map(self._described, leaves)))

    def _described(self, leaf: Atom) -> str:
        value = self.analysis.leaf_values.get(leaf.uid)
        if isinstance(value, OpResult):
            return f"{leaf.name}, made by {value.op.name}"
        loop = value.owner.parent_op() if isinstance(value, BlockArgument) else None
        carried = loop is None or loop.name in ("scf.for", "scf.while")
        return f"{leaf.name}, which a loop changes" if carried else leaf.name

    def is_loaded(self, leaf: Atom) -> bool:
        """Tell whether the value that a leaf stands for depends on loaded data."""
        value = self.analysis.leaf_values.get(leaf.uid)
        return value is not None and bool(self.loads_of(value))

    def loads_of(self, value: SSAValue) -> frozenset[Operation]:
        """Return the memory operations that a value is computed from."""
        found = self._loads.get(value)
        if found is None:
            found = self._loads[value] = frozenset(loads_behind(value))
        return found


def extents_of(access: Access) -> Iterator[tuple[int, Expr]]:
    """Yield (dimension, scalar) where a mask or a modulus uses a scalar as extent of a tensor."""
    if access.form.is_reshaped:
        return
    for d, dim in enumerate(access.form.dims):
        candidates = [end + dim.start for end in access.region.upper[d]]
        if dim.modulus is not None:
            candidates.append(dim.modulus)
        for e in candidates:
            atom = e.atom()
            if atom is not None and atom.kind is Kind.SCALAR:
                yield d, e


def checked_dims(op: Operation, rank: int) -> tuple[int, ...]:
    """Return the dimensions in which an access through a block stays inside the tensor."""
    if op.name in ("tt.descriptor_load", "tt.descriptor_store"):
        return tuple(range(rank))
    return integers(op, "boundaryCheck")


def inside(space: Space, block: TensorBlock, dims: tuple[int, ...]) -> Cond:
    """Return where the elements of a block lie inside the tensor in some dimensions."""
    conditions: list[Cond] = []
    for d in dims:
        index = block.offsets[d] + space.position(d, block.sizes[d])
        conditions += (space.nonnegative(index), space.less(index, block.shape[d]))
    return space.conjunction(conditions)


def block_access_form(space: Space, block: TensorBlock) -> Form:
    """Return the form of an access through a block pointer or descriptor."""
    dims = tuple(
        Dimension(size, start, stride)
        for size, start, stride in zip(block.sizes, block.offsets, block.strides, strict=True)
    )
    whole = tuple((n,) for n in block.sizes)
    form = Form(Tier.BLOCK, space.zero, whole, dims, block.origin)
    return replace(form, offset=form.rebuilt(space))


def loads_behind(value: SSAValue) -> list[Operation]:
    """Return the loads that a value depends on, through arithmetic, loops and branches."""
    loads: list[Operation] = []
    seen: set[SSAValue] = set()
    worklist = [value]
    while worklist:
        v = worklist.pop()
        if v in seen:
            continue
        seen.add(v)
        if isinstance(v, BlockArgument):
            worklist += incoming(v)
            continue
        op = v.owner
        assert isinstance(op, Operation)
        if op.name in READING:
            loads.append(op)
            continue
        worklist += [x for x in op.operands if type_facts(x.type).sort is not Sort.POINTER]
        for region in op.regions:
            for block in region.blocks:
                if block.ops.last is not None:
                    worklist += block.ops.last.operands
    return loads


def incoming(v: BlockArgument) -> list[SSAValue]:
    """Return what a block argument depends on: what it may be, or what a loop counts with."""
    parent = v.owner.parent_op()
    if parent is not None and parent.name == "scf.for" and not v.index:
        return list(bounds_of(parent))
    return sources(v) or []
