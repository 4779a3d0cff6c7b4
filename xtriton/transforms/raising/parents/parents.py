"""
The tensor behind a pointer: what block pointers and descriptors want to know.

An access to a block at `base + origin + sum((offset[d] + i[d]) * stride[d])` is one into a tensor
of some shape, inside of which its mask keeps it. The mask says the shape: `i < n - start` is
`start + i < n`. Where it says nothing the tensor reaches as far as the access does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from xtriton.abi import TENSOR_FACT, tensor_fact
from xtriton.analysis.accesses import Access, Accesses, extents_of
from xtriton.analysis.classify import Dimension, Tier, attribute
from xtriton.analysis.indexing import Expr, Kind, Space
from xtriton.analysis.row_flow import SliceFlow, wrap_point
from xtriton.analysis.values import Pointer, Sort, type_facts
from xtriton.transforms.raising.parents.carried import is_total
from xtriton.transforms.raising.writing.narrowing import Narrowings


@dataclass(frozen=True)
class Parent:
    """
    A block and the tensor that it is part of; see the module.

    `checked` are the dimensions in which the block may leave the tensor, and in which the
    access must not touch what lies outside.
    """

    pointer: Pointer
    origin: Expr
    sizes: tuple[int, ...]
    shape: tuple[Expr, ...]
    strides: tuple[Expr, ...]
    offsets: tuple[Expr, ...]
    checked: tuple[int, ...]


class NoParent(Exception):
    """Why an access cannot be one into a tensor."""


class ParentFinder:
    """
    Finds the tensors behind the accesses of a function.

    `sizes` are scalars taken not to be negative, because the kernel uses them as extents.
    Extents are to fit into `extent_bits`, offsets into 32.
    """

    def __init__(self, accesses: Accesses, narrowings: Narrowings, extent_bits: int = 64):
        self.accesses = accesses
        self.narrowings = narrowings
        self.extent_bits = extent_bits
        self.space: Space = accesses.analysis.space
        self.tiles = tiles(accesses)
        self.flow = SliceFlow(accesses)
        self.sizes = extents(accesses)
        self.tensors = tensor_facts(accesses)

    def parent(self, access: Access) -> Parent:
        """Return the tensor behind an access; raise `NoParent` with the reason if there is none."""
        form, pointer, region = access.form, access.pointer, access.region
        if not isinstance(pointer, Pointer) or form.is_reshaped:
            raise NoParent("no block of plain pointers")
        if form.tier not in (Tier.BLOCK, Tier.WRAPPED_BLOCK) or form.extra is None:
            raise NoParent(form.reason or form.tier.value)
        if form.parts:
            raise NoParent("the block goes on elsewhere")
        if region.rest:
            raise NoParent("the mask is no interval")
        origin, dims = self._told_apart(access, form.extra)
        shape: list[Expr] = []
        offsets: list[Expr] = []
        checked: list[int] = []
        with self.space.assuming([*access.facts_around, *self.sizes]):
            for d, dim in enumerate(dims):
                offset, extent, check = self._dimension(access, d, dim)
                origin = origin + (dim.start - offset) * dim.stride
                offsets.append(offset)
                shape.append(extent)
                if check:
                    checked.append(d)
            if region.guards:
                origin = self._guard(access, origin, shape, offsets, checked)
        return Parent(
            pointer,
            origin,
            tuple(dim.size for dim in form.dims),
            tuple(shape),
            tuple(dim.stride for dim in form.dims),
            tuple(offsets),
            tuple(checked),
        )

    def _told_apart(self, access: Access, extra: Expr) -> tuple[Expr, list[Dimension]]:
        """
        Return the scalar part and the dimensions, with what a mask or a tile counts in its own.

        By the numbers alone `128 * pid` columns may be `pid` rows of 128 elements.
        """
        space, region = self.space, access.region
        dims = list(access.form.dims)
        total = extra
        for d, dim in enumerate(dims):
            if dim.modulus is None:
                total = total + dim.start * dim.stride
                dims[d] = replace(dim, start=space.zero)
        taken: dict[int, Expr] = {}
        for d, dim in enumerate(dims):
            if dim.modulus is not None or dim.size == 1 or not dim.stride.terms:
                continue
            bounds = (*region.upper[d], *region.lower[d])
            if bounds:
                parts = [space.make({m: -c}) for m, c in bounds[0].terms.items() if m]
                parts = [
                    p
                    for p in parts
                    if all(p.terms == {m: -e.terms.get(m, 0) for m in p.terms} for e in bounds)
                ]
            else:
                tiles = sorted(self.tiles.get(dim.size, ()), key=lambda s: -len(s.terms))
                parts = [space.make({m: c for m, c in s.terms.items() if m}) for s in tiles]
            for part in parts:
                whole = part * dim.stride
                if part.terms and whole.terms.items() <= total.terms.items():
                    taken[d] = taken.get(d, space.zero) + part
                    total = total - whole
                    if not bounds:
                        break
        extra, dims = attribute(space, total, dims)
        for d, part in taken.items():
            dims[d] = replace(dims[d], start=dims[d].start + part)
        return extra, dims

    def _guard(
        self,
        access: Access,
        origin: Expr,
        shape: list[Expr],
        offsets: list[Expr],
        checked: list[int],
    ) -> Expr:
        """Make the tensor empty where a condition on scalars fails; return the new origin."""
        space, dims = self.space, access.form.dims
        if not checked:
            d = max(range(len(dims)), key=lambda d: dims[d].size)
            if offsets[d].interval[0] < 0:
                origin = origin + offsets[d] * dims[d].stride
                offsets[d], shape[d] = space.zero, space.const(dims[d].size)
            checked.append(d)
        d = checked[0]
        guard = space.conjunction(access.region.guards)
        shape[d] = space.select(guard, shape[d], space.zero)
        return origin

    def _dimension(self, access: Access, d: int, dim: Dimension) -> tuple[Expr, Expr, bool]:
        """
        Return offset, extent and whether to check, for one dimension.

        The offset is what the mask counts, or what the program counts along this dimension, as
        far as it is proved to fit into 32 bits; what is left moves the base, in 64.
        """
        space = self.space
        ends, starts = list(access.region.upper[d]), access.region.lower[d]
        if dim.modulus is not None:
            ends.append(self._boundary(access, d, dim))
        if not ends:
            if starts:
                raise NoParent("the mask has a lower bound only")
            offset = self._counted_by_tile(access, dim)
            return offset, self._unbounded(access, dim, offset), False
        end = space.minimum(*ends)
        inside = self._not_negative(dim.start, [access])
        if starts:
            start = space.maximum(*starts)
            counted = self._common(dim.start, (*ends, *starts))
            first = start + counted
            inside = inside or dim.modulus is not None
            if first is space.zero or (inside and first.interval[1] <= 0):
                if self.fits(counted, access) and self.fits_extent(end + counted, access):
                    return counted, end + counted, True
            elif dim.modulus is not None:
                raise NoParent("the mask has a lower bound inside the tensor")
            if not (self.fits(-start, access) and self.fits_extent(end - start, access)):
                size = space.const(dim.size)
                start = space.maximum(space.minimum(start, size), space.zero)
                end = space.minimum(end, size)
            # what is read of the tensor begins where the mask does
            return -start, end - start, True
        # what wraps around was asked for its sign where the boundary was found
        sure = inside or dim.modulus is not None
        offset = self._counted_by(access, dim.start, ends, sure)
        if self.fits(offset, access) and self.fits_extent(end + offset, access):
            return offset, end + offset, True
        return space.zero, self._within(end, dim), True

    def _within(self, end: Expr, dim: Dimension) -> Expr:
        """Return how far a block that begins at its base reaches before the mask ends it."""
        space = self.space
        return space.maximum(space.minimum(end, space.const(dim.size)), space.zero)

    def _counted_by(self, access: Access, start: Expr, ends: Sequence[Expr], sure: bool) -> Expr:
        """
        Return the part of `start` that the mask counts too and that is not negative.

        With it as offset the extent is the mask's, `n` of `k + i < n`, which may not change in
        a loop where `k` does; the rest of `start` moves the base. `sure` is whether all of
        `start` is not negative.
        """
        counted = self._common(start, ends)
        if (sure and counted is start) or self._not_negative(counted, [access]):
            return counted
        parts = (self.space.make({m: c}) for m, c in counted.terms.items())
        return sum((part for part in parts if part.interval[0] >= 0), self.space.zero)

    def _common(self, start: Expr, bounds: Sequence[Expr]) -> Expr:
        """Return the terms of `start` that each bound on the position takes away."""
        terms = start.terms.items()
        common = {m: c for m, c in terms if all(e.terms.get(m) == -c for e in bounds)}
        return self.space.make(common)

    def _counted_by_tile(self, access: Access, dim: Dimension) -> Expr:
        """
        Return the part of the start that the program counts along a dimension.

        That is what it adds to the positions of a block before it multiplies by the stride, and
        what loops add; no mask says which tensor it is in.
        """
        space, start = self.space, dim.start
        terms = start.terms.items()
        known = [s for s in self.tiles.get(dim.size, ()) if s.terms.items() <= terms]
        tile = max(known, key=lambda s: len(s.terms), default=space.zero)
        moving = {m: c for m, c in terms if any(self._is_carried(u) for u in m)}
        for e in (
            start,
            tile + space.make({m: c for m, c in moving.items() if m not in tile.terms}),
            tile,
        ):
            counts = e is not start or all(not m or m in moving or m in tile.terms for m in e.terms)
            if counts and self.fits(e, access) and self.fits_extent(e + dim.size, access):
                return e
        return space.zero

    def _is_carried(self, u: int) -> bool:
        leaf = self.space.atoms[u]
        return leaf.kind is Kind.ITERATION or is_total(leaf)

    def fits(self, e: Expr, access: Access) -> bool:
        """Tell whether a number is proved to fit into 32 bits whenever an access takes place."""
        return self.narrowings.proof(e, 32, access.op) is not None

    def fits_extent(self, e: Expr, access: Access) -> bool:
        """Tell whether the extent of a tensor fits into what the tensor's op takes."""
        return self.extent_bits == 64 or self.fits(e, access)

    def _unbounded(self, access: Access, dim: Dimension, offset: Expr) -> Expr:
        """Return how far the tensor reaches where no mask says it."""
        space = self.space
        extent = offset + dim.size
        if offset is not dim.start:
            return extent
        base = access.pointer.base if isinstance(access.pointer, Pointer) else None
        for shape, stride in self.tensors.get(base, ()):
            same = space.is_zero(stride - dim.stride)
            # a tensor that the kernel reads flat may have this stride and be too small
            extent = space.maximum(extent, space.select(same, shape, space.zero))
        return extent

    def _not_negative(self, e: Expr, accesses: list[Access]) -> bool:
        """
        Tell whether `e` is at least 0 whenever all of `accesses` touch anything.

        Where one touches nothing, it does not matter where it would have gone.
        """
        space = self.space
        if e.interval[0] >= 0:
            return True
        facts = [u - 1 for a in accesses for bounds in a.region.upper for u in bounds]
        with space.assuming([space.expanded(f) for f in facts]):
            return space.expanded(e).interval[0] >= 0

    def _boundary(self, access: Access, d: int, dim: Dimension) -> Expr:
        """Return the position from which on a dimension wraps, where that does not matter."""
        if dim.step != 1 or access.kind != "load":
            raise NoParent("wraps around")
        assert dim.modulus is not None
        if dim.modulus.interval[0] < 0:
            raise NoParent("wraps around at what may be negative")
        stores = self.flow.stores_before(access.op.results[0], d, dim)
        if stores is None:
            raise NoParent("wraps around, and what is read there is used")
        if len(stores) != 1 or not self._not_negative(dim.start, stores):
            raise NoParent("wraps around from an index that may be negative")
        return wrap_point(dim)


def tiles(accesses: Accesses) -> dict[int, list[Expr]]:
    """Return what the program adds to the positions of a dimension, by the size of that."""
    analysis = accesses.analysis
    found: dict[int, dict[Expr, None]] = {}
    for value, form in list(analysis.values.items()):
        facts = type_facts(value.type)
        if facts.sort is not Sort.INTEGER or not facts.shape or not isinstance(form, Expr):
            continue
        inside, start = analysis.resolved(form).split(-1)
        position = inside.atom()
        if position is not None and position.kind is Kind.POSITION:
            found.setdefault(position.key[1], {})[start] = None
    return {size: list(starts) for size, starts in found.items()}


def tensor_facts(accesses: Accesses) -> dict[SSAValue | None, list[tuple[Expr, Expr]]]:
    """Return size and stride of each dimension of a tensor, as far as arguments say them."""
    function = accesses.function
    arguments = function.regions[0].blocks[0].args
    attributes = function.properties.get("arg_attrs")
    facts: dict[tuple[str, int, int], Expr] = {}
    if isinstance(attributes, ArrayAttr):
        data = cast("ArrayAttr[Attribute]", attributes).data
        for own, value in zip(data, arguments, strict=True):
            text = own.data.get(TENSOR_FACT) if isinstance(own, DictionaryAttr) else None
            if isinstance(text, StringAttr):
                fact = tensor_fact(text.data)
                e = accesses.analysis.expr(value)
                facts[fact.kind, fact.argument, fact.dim] = e
    found: dict[SSAValue | None, list[tuple[Expr, Expr]]] = {}
    for (kind, argument, dim), shape in facts.items():
        stride = facts.get(("stride", argument, dim))
        if kind == "shape" and stride is not None:
            found.setdefault(arguments[argument], []).append((shape, stride))
    return found


def extents(accesses: Accesses) -> list[Expr]:
    """Return the scalar arguments that masks and moduli use as extents of tensors."""
    return list(dict.fromkeys(e for access in accesses.all for _, e in extents_of(access)))


def loops_around(op: Operation) -> list[Operation]:
    """Return the loops around an op, the innermost first."""
    found: list[Operation] = []
    parent = op.parent_op()
    while parent is not None:
        if parent.name in ("scf.for", "scf.while"):
            found.append(parent)
        parent = parent.parent_op()
    return found
