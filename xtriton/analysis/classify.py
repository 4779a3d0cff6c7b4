"""
The tier of an access: how its offsets depend on the positions in the block.

An offset of the form

    extra + sum over d of stride[d] * ((start[d] + step[d] * i[d]) mod modulus[d])

is a *block* where no dimension has a modulus and a *wrapped block* where some have. Where
`//` and `%` by constants split a dimension, `i[d]` is first written in a mixed radix, which
makes a block of higher rank (`radices`). A block that goes on elsewhere at a few places, as at
the end of a row, counts as wrapped too (`parts`). What depends on loaded values is a *gather*,
the other closed forms are *affine*.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum

from xtriton.analysis.indexing import Atom, Expr, Kind, Rebuilder, Space, atoms_within
from xtriton.analysis.indexing.division import polynomial_multiples
from xtriton.analysis.obstacles import CROSSES, NoForm
from xtriton.analysis.parts import Pieces, Window, split_into_parts
from xtriton.analysis.radices import Radices, split_radices, with_split_positions
from xtriton.records import record


class Tier(Enum):
    """How much structure an access has; from the best to the worst."""

    BLOCK = "block"
    WRAPPED_BLOCK = "wrapped block"
    AFFINE = "affine"
    GATHER = "gather"
    OPAQUE = "opaque"


@record
class Dimension:
    """
    What one dimension adds to an offset: `stride * ((start + step * i) mod modulus)`.

    Without a modulus `step` is 1. The remainder has the sign of the dividend where
    `truncated`, and else is not negative.
    """

    size: int
    start: Expr
    stride: Expr
    modulus: Expr | None = None
    step: int = 1
    truncated: bool = False

    def offset(self, i: Expr) -> Expr:
        """Return what this dimension adds at position `i`."""
        place = self.start + i * self.step
        if self.modulus is not None:
            space = place.space
            rem = space.truncrem if self.truncated else space.mod
            place = rem(place, self.modulus)
        return place * self.stride


@record
class SubBlock:
    """A block within some windows of an access; windows count split dimensions."""

    windows: tuple[Window, ...]
    dims: tuple[Dimension, ...]
    extra: Expr

    def offset(self, positions: Sequence[Expr]) -> Expr:
        """Return the offset at some positions that are within the windows."""
        return self.extra + sum(
            (dim.offset(i) for dim, i in zip(self.dims, positions, strict=True)),
            self.extra.space.zero,
        )


@record
class Form:
    """
    The offsets of an access, as far as they have structure.

    `radices[d]` are the sizes that dimension d of the access is split into, outermost
    first; `dims` has one entry for each of them. Where there are `parts`, `dims` and `extra` are
    those of the first. `gathered` lists the dimensions that loaded values depend on.
    """

    tier: Tier
    offset: Expr
    radices: Radices
    dims: tuple[Dimension, ...] = ()
    extra: Expr | None = None
    gathered: tuple[int, ...] = ()
    reason: str = ""
    parts: tuple[SubBlock, ...] = ()

    @property
    def is_reshaped(self) -> bool:
        return any(len(r) > 1 for r in self.radices)

    def rebuilt(self, space: Space) -> Expr:
        """Return the offset put together again from the parts, over the split positions."""
        assert self.extra is not None
        positions = [space.position(d, dim.size) for d, dim in enumerate(self.dims)]
        total = SubBlock((), self.dims, self.extra).offset(positions)
        for part in self.parts[1:]:
            inside = space.conjunction(w.condition(positions[w.dim]) for w in part.windows)
            total = space.select(inside, part.offset(positions), total)
        return total


def classify(
    space: Space,
    offset: Expr,
    shape: tuple[int, ...],
    facts: Sequence[Expr],
    is_loaded: Callable[[Atom], bool],
) -> Form:
    """
    Return the form of an offset over a block of this shape, where `facts` are at least 0.

    `is_loaded` tells whether the value of a tensor leaf comes from memory.
    """
    whole = tuple((n,) for n in shape)
    elements = element_atoms(space, offset)
    if elements:
        loaded = [e for e in elements if is_loaded(e.args[0])]
        dims = 0
        for e in loaded:
            dims |= e.dims
        gathered = tuple(d for d in range(len(shape)) if dims >> d & 1)
        if loaded:
            return Form(Tier.GATHER, offset, whole, gathered=gathered, reason=_names(loaded))
        return Form(Tier.OPAQUE, offset, whole, reason=_names(elements))
    try:
        return _without_needless_moduli(space, block_form(space, offset, whole), facts)
    except NoForm as failure:
        obstacle = failure, whole
    candidates = _candidates(space, offset, shape, facts)
    for candidate in candidates:
        for e in candidate.whole:
            try:
                form = block_form(space, e, candidate.radices)
            except NoForm as failure:
                obstacle = failure, candidate.radices
            else:
                return replace(form, offset=offset) if candidate.radices != whole else form
    found = _form_in_parts(space, offset, candidates)
    if found is not None:
        return found
    failure, radices = obstacle
    return Form(Tier.AFFINE, offset, whole, reason=failure.reason(radices))


@record
class _Candidate:
    """What an offset is where facts hold, over split positions: whole, and in pieces."""

    radices: Radices
    whole: tuple[Expr, ...]
    pieces: Pieces


def _candidates(
    space: Space, offset: Expr, shape: tuple[int, ...], facts: Sequence[Expr]
) -> list[_Candidate]:
    """Return the offset as it stands, and over split positions where divisions split them."""
    whole = tuple((n,) for n in shape)

    def candidate(e: Expr, radices: Radices) -> _Candidate:
        return _Candidate(
            radices, (e, with_uniform_quotients(space, e)), split_into_parts(space, e)
        )

    expanded = [space.expanded(f) for f in facts]
    with space.assuming(expanded):
        simpler = space.expanded(offset)
        found = [candidate(simpler, whole)]
    radices = split_radices(space, simpler, shape)
    if radices != whole:
        renamed = with_split_positions(space, simpler, radices)
        with space.assuming([with_split_positions(space, f, radices) for f in expanded]):
            found.append(candidate(space.simplified(renamed), radices))
    return found


def _form_in_parts(space: Space, offset: Expr, candidates: Sequence[_Candidate]) -> Form | None:
    """Return the form of the first that is several blocks."""
    for candidate in candidates:
        if len(candidate.pieces) == 1:
            continue
        try:
            forms = [(w, block_form(space, e, candidate.radices)) for w, e in candidate.pieces]
        except NoForm:
            continue
        if all(form.tier is Tier.BLOCK for _, form in forms):
            first = forms[0][1]
            parts = tuple(SubBlock(w, form.dims, form.extra or space.zero) for w, form in forms)
            return replace(first, tier=Tier.WRAPPED_BLOCK, offset=offset, parts=parts)
    return None


def _without_needless_moduli(space: Space, form: Form, facts: Sequence[Expr]) -> Form:
    """Return the form without wrap-around, where facts say that none takes place."""
    if form.tier is not Tier.WRAPPED_BLOCK or not _may_tell_of(form.offset, facts):
        return form
    with space.assuming([space.expanded(f) for f in facts]):
        simpler = space.expanded(form.offset)
        try:
            better = block_form(space, simpler, form.radices)
        except NoForm:
            return form
    return better if better.tier is Tier.BLOCK else form


def _may_tell_of(offset: Expr, facts: Sequence[Expr]) -> bool:
    """Tell whether facts may say more of the operations in an offset than their operands do."""
    if not facts:
        return False
    leaves = {u for fact in (*offset.space.facts, *facts) for u in fact.leaves}
    return any(
        atom.kind is not Kind.TRUNCDIV or atom.depth > 1 or not leaves.isdisjoint(atom.leaves)
        for atom in offset.atoms()
        if atom.depth
    )


def _names(elements: Sequence[Atom]) -> str:
    return "depends on " + ", ".join(dict.fromkeys(e.args[0].name for e in elements))


def element_atoms(space: Space, e: Expr) -> list[Atom]:
    """Return the elements of tensors, at positions that vary, that occur in `e`."""
    if not e.depth or not e.dims:
        return []
    return [atom for atom in atoms_within(e) if atom.kind is Kind.ELEMENT]


def block_form(space: Space, offset: Expr, radices: Radices) -> Form:
    """Return the form of an offset over the split positions; raise `NoForm` if it has none."""
    sizes = [n for r in radices for n in r]
    inside, extra = with_uniform_choices(space, offset).split(-1)
    strides = [space.zero] * len(sizes)
    quotients: dict[Atom, Expr] = {}
    for mono, c in inside.terms.items():
        moving = [u for u in mono if space.atoms[u].dims]
        rest = space.make({tuple(u for u in mono if u != moving[0]): c})
        atom = space.atoms[moving[0]]
        if len(moving) > 1:
            raise NoForm("is a product of positions", space.make({mono: 1}))
        if atom.kind is Kind.POSITION:
            dim: int = atom.key[0]
            strides[dim] = strides[dim] + rest
        elif atom.kind in (Kind.FLOORDIV, Kind.TRUNCDIV):
            quotients[atom] = quotients.get(atom, space.zero) + rest
        else:
            raise NoForm(CROSSES, space.wrap(atom))
    wrapped: dict[int, Dimension] = {}
    for quotient, coefficient in quotients.items():
        place, around = _wrap(space, quotient, coefficient, strides, sizes)
        if place in wrapped:
            raise NoForm("is the second remainder of a dimension", space.wrap(quotient))
        wrapped[place] = around
        extra = extra - around.start * around.stride
    dims = [wrapped.get(d) or Dimension(n, space.zero, strides[d]) for d, n in enumerate(sizes)]
    extra, dims = attribute(space, extra, dims)
    tier = Tier.WRAPPED_BLOCK if wrapped else Tier.BLOCK
    return Form(tier, offset, radices, tuple(dims), extra)


def with_uniform_choices(space: Space, e: Expr) -> Expr:
    """Return `a if c else b` as `b + (a - b) * (1 if c else 0)` where `c` is one for all lanes."""
    for atom in e.atoms():
        if atom.kind is Kind.SELECT and atom.dims and not atom.args[0].dims:
            condition, a, b = atom.args
            bit = space.select(condition, space.one, space.zero)
            coefficient = e.coefficient(atom)
            rest = e - space.wrap(atom) * coefficient
            if atom.uid not in rest.leaves and atom not in set(rest.atoms()):
                return with_uniform_choices(space, rest + coefficient * (b + bit * (a - b)))
    return e


def _wrap(
    space: Space, quotient: Atom, coefficient: Expr, strides: list[Expr], sizes: list[int]
) -> tuple[int, Dimension]:
    """Return the dimension that `coefficient * quotient` makes wrap around."""
    numerator, divisor = quotient.fraction
    whole = space.wrap(quotient)
    if divisor.dims:
        raise NoForm("has a divisor that changes inside the block", whole)
    inside, start = numerator.split(-1)
    if len(inside.terms) != 1:
        raise NoForm("divides a sum over several dimensions", whole)
    ((mono, step),) = inside.terms.items()
    position = space.atoms[mono[0]]
    if len(mono) != 1 or position.kind is not Kind.POSITION:
        raise NoForm("divides what is no sum of positions", whole)
    stride = (-coefficient).divided(divisor)
    d: int = position.key[0]
    if stride is None or not stride.terms or strides[d] is not stride * step:
        raise NoForm(CROSSES, whole)
    truncated = quotient.kind is Kind.TRUNCDIV
    if step != 1:
        # every step-th place of a longer round is every place of a shorter one
        number = space.const(step)
        begin, around = start.divided(number), divisor.divided(number)
        if begin is not None and around is not None:
            return d, Dimension(sizes[d], begin, stride * step, around, 1, truncated)
    return d, Dimension(sizes[d], start, stride, divisor, step, truncated)


def attribute(space: Space, extra: Expr, dims: list[Dimension]) -> tuple[Expr, list[Dimension]]:
    """
    Give each part of the scalar offset that is a multiple of a stride to that dimension.

    Larger strides come first. The sum stays what it is, so this says nothing about the
    tensor behind the pointer; only a mask does.
    """

    def weight(dim: Dimension) -> tuple[int, int]:
        ((mono, c),) = dim.stride.terms.items()
        return len(mono), abs(c)

    order = [
        d
        for d, dim in enumerate(dims)
        if len(dim.stride.terms) == 1 and dim.modulus is None and dim.size > 1
    ]
    result = list(dims)
    for d in sorted(order, key=lambda d: weight(dims[d]), reverse=True):
        whole, extra = polynomial_multiples(space, extra, dims[d].stride)
        if whole.terms:
            result[d] = Dimension(dims[d].size, whole, dims[d].stride)
    return extra, result


def with_uniform_quotients(space: Space, e: Expr) -> Expr:
    """
    Return `e` with each quotient that is one number in all lanes that are on as that number.

    A block of `span` places that only uses remainders up to `d - 1 - span` uses only places
    of the period that its last place is in; one that only uses remainders from `span` on,
    only of that of its first.
    """
    if not space.facts:
        return e
    rebuilder = Rebuilder(space, None)
    for atom in e.atoms():
        if atom.kind is Kind.FLOORDIV and atom.dims:
            quotient = _uniform_quotient(space, atom)
            if quotient is not None:
                rebuilder.replace(atom, quotient)
    return rebuilder.expr(e)


def _uniform_quotient(space: Space, quotient: Atom) -> Expr | None:
    numerator, divisor = quotient.fraction
    inside, start = numerator.split(-1)
    if divisor.dims or len(inside.terms) != 1:
        return None
    ((mono, step),) = inside.terms.items()
    position = space.atoms[mono[0]]
    if len(mono) != 1 or position.kind is not Kind.POSITION or step < 0:
        return None
    span = step * position.interval[1]
    remainder = numerator - divisor * space.wrap(quotient)
    if space.interval(divisor - remainder - (span + 1))[0] >= 0:
        return space.floordiv(start + span, divisor)
    if space.interval(remainder - span)[0] >= 0:
        return space.floordiv(start, divisor)
    return None
