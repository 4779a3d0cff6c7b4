"""
Linear layouts: maps over GF(2) between named coordinates.

A layout maps a point of its input dimensions (say register, lane, warp) to a point of its
output dimensions (the indices of a tensor). Sizes are powers of two. The map is linear with
exclusive or as addition, so it is given by its bases, the images of 1, 2, 4, ... of each
input dimension: `L(5) = L(1) ^ L(4)`.

Source: Triton's `lib/Tools/LinearLayout.cpp`; "Linear Layouts: Robust Code Generation of
Efficient Tensor Computation Using F2", arXiv:2505.23819.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from xtriton.showing import Shown

Basis = tuple[int, ...]
"""The image of a power of two: one number for each output dimension."""

Bases = tuple[tuple[str, tuple[Basis, ...]], ...]
"""The bases of every input dimension, in the order of the dimensions."""

Sizes = tuple[tuple[str, int], ...]
"""Names and sizes of dimensions, the fastest first."""


@dataclass(frozen=True)
class LinearLayout(Shown):
    """
    A linear map from input dimensions to output dimensions.

    Both are ordered; the order matters where dimensions are flattened into one (the first
    is then the fastest) and where layouts are multiplied.
    """

    bases: Bases = ()
    out_dims: Sizes = ()

    @classmethod
    def of(
        cls,
        bases: Mapping[str, Iterable[Sequence[int]]],
        out_dims: Sequence[str] | Mapping[str, int],
    ) -> LinearLayout:
        """
        Make a layout of `bases`; sizes not given are the least ones that hold the images.

        Raises `ValueError` for a basis with the wrong number of components or one that does
        not fit.
        """
        pairs = tuple((name, tuple(tuple(b) for b in images)) for name, images in bases.items())
        if isinstance(out_dims, Mapping):
            sizes = tuple(out_dims.items())
        else:
            sizes = tuple((name, _least_size(pairs, i)) for i, name in enumerate(out_dims))
        for basis in chain.from_iterable(images for _, images in pairs):
            if len(basis) != len(sizes):
                raise ValueError(f"the basis {list(basis)} does not have {len(sizes)} components")
            if any(not 0 <= value < size for value, (_, size) in zip(basis, sizes, strict=True)):
                raise ValueError(f"the basis {list(basis)} is out of range")
        return cls(pairs, sizes)

    @classmethod
    def identity(cls, size: int, in_dim: str, out_dim: str) -> LinearLayout:
        """Map `in_dim` to `out_dim` one to one; of size 0, return the empty layout."""
        return cls.strided(size, 1, in_dim, out_dim)

    @classmethod
    def strided(cls, size: int, stride: int, in_dim: str, out_dim: str) -> LinearLayout:
        """Map `x` of `in_dim` to `x * stride` of `out_dim`."""
        if size == 0:
            return EMPTY
        images = tuple((stride << i,) for i in range(_log2(size)))
        return cls(((in_dim, images),), ((out_dim, stride * size),))

    @classmethod
    def zeros(cls, size: int, in_dim: str, out_dim: str, out_size: int = 1) -> LinearLayout:
        """Map all of `in_dim` to 0 of `out_dim`: a broadcast."""
        if size == 0:
            return EMPTY
        return cls(((in_dim, ((0,),) * _log2(size)),), ((out_dim, out_size),))

    # --- what there is ------------------------------------------------------------------

    @cached_property
    def bases_of(self) -> dict[str, tuple[Basis, ...]]:
        """The bases of each input dimension."""
        return dict(self.bases)

    @cached_property
    def out_sizes(self) -> dict[str, int]:
        """The size of each output dimension."""
        return dict(self.out_dims)

    @cached_property
    def in_names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.bases)

    @cached_property
    def out_names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.out_dims)

    @cached_property
    def out_shape(self) -> tuple[int, ...]:
        """The sizes of the output dimensions."""
        return tuple(size for _, size in self.out_dims)

    def in_bits(self, name: str) -> int:
        """How many bits an index of an input dimension has; 0 for one that is not there."""
        return len(self.bases_of.get(name, ()))

    def in_size(self, name: str) -> int:
        """The size of an input dimension; 1 for one that is not there."""
        return 1 << self.in_bits(name)

    def out_size(self, name: str) -> int:
        """The size of an output dimension; 1 for one that is not there."""
        return self.out_sizes.get(name, 1)

    @cached_property
    def total_in_bits(self) -> int:
        return sum(len(images) for _, images in self.bases)

    @cached_property
    def total_out_bits(self) -> int:
        return sum(_log2(size) for _, size in self.out_dims)

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """Every basis as one number, the output dimensions side by side, the first lowest."""
        shifts = self._shifts
        return tuple(
            sum(value << shift for value, shift in zip(basis, shifts, strict=True))
            for _, images in self.bases
            for basis in images
        )

    @cached_property
    def _shifts(self) -> tuple[int, ...]:
        shifts: list[int] = []
        total = 0
        for _, size in self.out_dims:
            shifts.append(total)
            total += _log2(size)
        return tuple(shifts)

    # --- evaluation ---------------------------------------------------------------------

    def apply(self, point: Mapping[str, int]) -> dict[str, int]:
        """Return the image of `point`, which names every input dimension."""
        image = [0] * len(self.out_dims)
        for name, images in self.bases:
            value = point[name]
            for i, basis in enumerate(images):
                if value >> i & 1:
                    image = [a ^ b for a, b in zip(image, basis, strict=True)]
        return dict(zip(self.out_names, image, strict=True))

    # --- reshaping ----------------------------------------------------------------------

    def transpose_ins(self, names: Sequence[str]) -> LinearLayout:
        """Return the same map with its input dimensions in another order."""
        _check_same(names, self.in_names)
        return LinearLayout(tuple((n, self.bases_of[n]) for n in names), self.out_dims)

    def transpose_outs(self, names: Sequence[str]) -> LinearLayout:
        """Return the same map with its output dimensions in another order."""
        _check_same(names, self.out_names)
        if tuple(names) == self.out_names:
            return self
        positions = [self.out_names.index(name) for name in names]
        return LinearLayout(
            _map_bases(self.bases, lambda basis: tuple(basis[i] for i in positions)),
            tuple((name, self.out_sizes[name]) for name in names),
        )

    def reshape_ins(self, dims: Sizes) -> LinearLayout:
        """Flatten the input dimensions and split them up anew."""
        flat = [basis for _, images in self.bases for basis in images]
        if sum(_log2(size) for _, size in dims) != len(flat):
            raise ValueError(f"{self.in_names} cannot be reshaped to {dims}")
        result: list[tuple[str, tuple[Basis, ...]]] = []
        for name, size in dims:
            count = _log2(size)
            result.append((name, tuple(flat[:count])))
            flat = flat[count:]
        return LinearLayout(tuple(result), self.out_dims)

    def reshape_outs(self, dims: Sizes) -> LinearLayout:
        """Flatten the output dimensions and split them up anew."""
        if sum(_log2(size) for _, size in dims) != self.total_out_bits:
            raise ValueError(f"{self.out_dims} cannot be reshaped to {dims}")
        columns = iter(self.columns)

        def split(_basis: Basis) -> Basis:
            value = next(columns)
            parts: list[int] = []
            for _, size in dims:
                parts.append(value & (size - 1))
                value >>= _log2(size)
            return tuple(parts)

        return LinearLayout(_map_bases(self.bases, split), tuple(dims))

    def flatten_ins(self) -> LinearLayout:
        """Return the map from one dimension, named as the first one."""
        return self.reshape_ins(((self.in_names[0], 1 << self.total_in_bits),))

    def flatten_outs(self) -> LinearLayout:
        """Return the map to one dimension, named as the first one."""
        return self.reshape_outs(((self.out_names[0], 1 << self.total_out_bits),))

    def rename_outs(self, names: Sequence[str]) -> LinearLayout:
        """Return the same map with other names of its output dimensions."""
        sizes = zip(names, self.out_shape, strict=True)
        return LinearLayout(self.bases, tuple(sizes))

    def with_out_sizes(self, sizes: Mapping[str, int]) -> LinearLayout:
        """Return the same map with other sizes of its output dimensions."""
        return LinearLayout(self.bases, tuple((name, sizes[name]) for name in self.out_names))

    def with_bases(self, name: str, images: Iterable[Sequence[int]]) -> LinearLayout:
        """Return the map with other bases of one input dimension."""
        new = tuple(tuple(basis) for basis in images)
        return LinearLayout(
            tuple((n, new if n == name else old) for n, old in self.bases), self.out_dims
        )

    def remove_zero_bases(self, name: str) -> LinearLayout:
        """Return the map without the bits of `name` that change nothing."""
        return self.with_bases(name, (basis for basis in self.bases_of[name] if any(basis)))

    def resize_in(self, name: str, size: int) -> LinearLayout:
        """Return the map with another size of an input; bits that are added change nothing."""
        bits, images = _log2(size), self.bases_of[name]
        zero = (0,) * len(self.out_dims)
        return self.with_bases(name, (*images[:bits], *[zero] * (bits - len(images))))

    def resize_out(self, name: str, size: int) -> LinearLayout:
        """Return the map to the first `size` points of an output; what leads beyond is 0."""
        at = self.out_names.index(name)
        cut = _map_bases(
            self.bases, lambda b: (*b[:at], b[at] if b[at] < size else 0, *b[at + 1 :])
        )
        sizes = tuple((n, size if n == name else old) for n, old in self.out_dims)
        return LinearLayout(cut, sizes)

    # --- parts --------------------------------------------------------------------------

    def sublayout(self, ins: Iterable[str], outs: Iterable[str]) -> LinearLayout:
        """Return the map restricted to some dimensions: the others are 0 or not looked at."""
        wanted_ins, wanted_outs = set(ins), set(outs)
        positions = [i for i, name in enumerate(self.out_names) if name in wanted_outs]
        kept = tuple((name, images) for name, images in self.bases if name in wanted_ins)
        return LinearLayout(
            _map_bases(kept, lambda basis: tuple(basis[i] for i in positions)),
            tuple(self.out_dims[i] for i in positions),
        )

    def sublayout_is_zero(self, ins: Iterable[str], outs: Iterable[str]) -> bool:
        """Return whether the inputs `ins` have no effect on the outputs `outs`."""
        return not any(self.sublayout(ins, outs).columns)

    def is_identity_over(self, names: Sequence[str]) -> bool:
        """Return whether `names`, as inputs, are mapped to themselves, as outputs."""
        if any(self.in_size(name) != self.out_size(name) for name in names):
            return False
        part = self.sublayout(names, names)
        part = part.transpose_outs(part.in_names) if len(names) > 1 else part
        return all(column == 1 << i for i, column in enumerate(part.columns))

    def is_trivial_over(self, names: Sequence[str]) -> bool:
        """Return whether the map is the identity on `names` and keeps them apart."""
        if any(name not in self.bases_of or name not in self.out_sizes for name in names):
            return False
        other_ins = [name for name in self.in_names if name not in names]
        other_outs = [name for name in self.out_names if name not in names]
        return (
            self.is_identity_over(names)
            and self.sublayout_is_zero(other_ins, names)
            and self.sublayout_is_zero(names, other_outs)
        )

    def quotient(self, names: Sequence[str]) -> LinearLayout | None:
        """Return the map without `names`, on which it is the identity; None if it is not."""
        if not self.is_trivial_over(names):
            return None
        return self.sublayout(
            [name for name in self.in_names if name not in names],
            [name for name in self.out_names if name not in names],
        )

    # --- combination --------------------------------------------------------------------

    def __mul__(self, outer: LinearLayout) -> LinearLayout:
        """
        Return the direct sum: `self` in the low bits of each dimension, `outer` above.

        Dimensions of both have to be in the same relative order.
        """
        if not self.bases and not self.out_dims:
            return outer
        ins = _merge_orders(self.in_names, outer.in_names)
        outs = _merge_orders(self.out_names, outer.out_names)
        inner_at = _positions(outs, self.out_names)
        outer_at = _positions(outs, outer.out_names)
        shifts = [_log2(self.out_size(name)) for name in outs]
        bases: list[tuple[str, tuple[Basis, ...]]] = []
        for name in ins:
            low = [_spread(b, inner_at, None) for b in self.bases_of.get(name, ())]
            high = [_spread(b, outer_at, shifts) for b in outer.bases_of.get(name, ())]
            bases.append((name, (*low, *high)))
        sizes = tuple((name, self.out_size(name) * outer.out_size(name)) for name in outs)
        return LinearLayout(tuple(bases), sizes)

    def compose(self, outer: LinearLayout) -> LinearLayout:
        """Return the map that applies `self` first, then `outer`."""
        _check_same(self.out_names, outer.in_names)
        names = self.out_names

        def through(basis: Basis) -> Basis:
            image = outer.apply(dict(zip(names, basis, strict=True)))
            return tuple(image.values())

        return LinearLayout(_map_bases(self.bases, through), outer.out_dims)

    def __str__(self) -> str:
        if not self.bases:
            return "(empty layout)"
        lines = [f"- {name} is a size 1 dimension" for name, images in self.bases if not images]
        for name, images in self.bases:
            for i, basis in enumerate(images):
                lines.append(f"- {name}={1 << i} -> ({', '.join(map(str, basis))})")
        outs = ", ".join(f"{name} (size {size})" for name, size in self.out_dims)
        return "\n".join((*lines, f"where out dims are: [{outs}]"))


EMPTY = LinearLayout()
"""The map from nothing to nothing, neutral in products."""


def product(layouts: Iterable[LinearLayout]) -> LinearLayout:
    """Return the product of `layouts`, the fastest first."""
    result = EMPTY
    for layout in layouts:
        result *= layout
    return result


def _log2(size: int) -> int:
    if size <= 0 or size & (size - 1):
        raise ValueError(f"{size} is not a power of two")
    return size.bit_length() - 1


def _least_size(bases: Bases, i: int) -> int:
    return 1 << max((basis[i].bit_length() for _, images in bases for basis in images), default=0)


def _map_bases(bases: Bases, function: Callable[[Basis], Basis]) -> Bases:
    return tuple((name, tuple(function(basis) for basis in images)) for name, images in bases)


def _positions(names: Sequence[str], part: Sequence[str]) -> tuple[int | None, ...]:
    """For each of `names`, where it is in `part`."""
    return tuple(part.index(name) if name in part else None for name in names)


def _spread(basis: Basis, at: Sequence[int | None], shifts: Sequence[int] | None) -> Basis:
    values = [0 if i is None else basis[i] for i in at]
    if shifts is None:
        return tuple(values)
    return tuple(value << shift for value, shift in zip(values, shifts, strict=True))


def _check_same(names: Sequence[str], others: Sequence[str]) -> None:
    if sorted(names) != sorted(others):
        raise ValueError(f"the dimensions {tuple(names)} are not {tuple(others)}")


def _merge_orders(x: Sequence[str], y: Sequence[str]) -> tuple[str, ...]:
    """
    Return the names of both, each in its order.

    Names of `x` come first where the orders leave it open. Raises `ValueError` if the
    orders contradict each other.
    """
    result: list[str] = []
    rest = list(y)
    for name in x:
        if name in rest:
            before = rest[: rest.index(name)]
            if any(other in x for other in before):
                raise ValueError(f"the dimensions {tuple(x)} and {tuple(y)} have no common order")
            result += before
            rest = rest[len(before) + 1 :]
        result.append(name)
    return (*result, *rest)
