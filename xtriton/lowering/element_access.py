"""
Accessing memory element by element: a `linalg.generic` whose body loads, stores or updates.

Each access is given by a function from the loop's indices and the elements of some
tensors to the index of an element of memory, so that gathers, affine blocks and blocks
with masks of any shape go the same way.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.ir import Attribute, Block, Region, SSAValue

from xtriton.dialects.tt.enums import RMWOp
from xtriton.dialects.upstream import arith, linalg, memref
from xtriton.dialects.upstream.volatile import mark_volatile
from xtriton.lowering.attributes import code_attr, element_type_of, index_dimension
from xtriton.lowering.builder import INDEX, Builder
from xtriton.lowering.linalg_rules.generic import elementwise, generic, identity_map, is_tensor
from xtriton.records import record

Values = Sequence[SSAValue]

Address = Callable[[Builder, Values], SSAValue]
"""
Returns the index of the element of memory.

It is given the elements of `Elements.places`, or the loop's indices where there are none.
"""

Inside = Callable[[Builder, Values], Values]
"""Returns what has to hold besides the mask for an access to happen; given what `Address` is."""

Order = Mapping[str, Attribute]
"""Memory order and scope of an atomic, kept as attributes of what it becomes."""


@record
class Elements:
    """Elements of one flat memory, one for each position of a tensor, or one alone."""

    memory: SSAValue
    """`memref<?xT>`."""
    address: Address
    places: Values
    """Tensors whose elements tell where; empty if the loop's indices alone do."""
    shape: tuple[int, ...] | None
    """None for one element alone."""
    mask: SSAValue | None = None
    inside: Inside | None = None
    is_volatile: bool = False
    """Whether loads are to be done each time."""

    @property
    def is_masked(self) -> bool:
        return self.mask is not None or self.inside is not None

    @property
    def element_type(self) -> Attribute:
        return element_type_of(self.memory)

    # --- loads, stores, atomics ---------------------------------------------------------

    def load(self, builder: Builder, other: SSAValue | None, result: Attribute) -> SSAValue:
        """Return what is there; `other` (or anything) where the mask is off."""

        def access(at: Builder, place: SSAValue, _: Values) -> SSAValue:
            load = at.make(memref.LoadOp, (self.memory, place), (self.element_type,))
            if self.is_volatile:
                mark_volatile(load)
            return load.results[0]

        return self._with_result(builder, (), other, result, access)

    def store(self, builder: Builder, value: SSAValue) -> None:
        """Write `value` where the mask is on."""

        def access(at: Builder, place: SSAValue, values: Values) -> None:
            at.make(memref.StoreOp, (values[0], self.memory, place))

        self._without_result(builder, (value,), access)

    def update(
        self, builder: Builder, kind: RMWOp, value: SSAValue, result: SSAValue, order: Order
    ) -> SSAValue:
        """Combine `value` with what is there atomically; return what was there."""

        def access(at: Builder, place: SSAValue, values: Values) -> SSAValue:
            return atomic(at, self.memory, place, kind, values[0], order)

        if result.first_use is None and self.shape is not None:
            self._without_result(builder, (value,), access)
            return builder.empty(result.type)
        return self._with_result(builder, (value,), None, result.type, access)

    def swap(
        self, builder: Builder, expected: SSAValue, value: SSAValue, result: Attribute, order: Order
    ) -> SSAValue:
        """Put `value` where `expected` is; return what was there."""

        def access(at: Builder, place: SSAValue, values: Values) -> SSAValue:
            return compare_and_swap(at, self.memory, place, values[0], values[1], order)

        return self._with_result(builder, (expected, value), None, result, access)

    # --- the loops ----------------------------------------------------------------------

    def _indices(self, builder: Builder) -> Values:
        """Return the loop's indices, which only the body itself may ask for."""
        return [loop_index(builder, d) for d in range(len(self.shape or ()))]

    def _with_result(
        self,
        builder: Builder,
        values: Values,
        other: SSAValue | None,
        result: Attribute,
        access: Any,
    ) -> SSAValue:
        inputs = [*self.places, *values]
        count = len(self.places)
        masks = [self.mask] if self.mask is not None else []
        extra = [*masks, *([other] if other is not None and self.is_masked else [])]

        def body(inner: Builder, elements: Values) -> Values:
            places = elements[:count] or self._indices(inner)
            operands = elements[count : len(inputs)]

            def run(at: Builder) -> SSAValue:
                return access(at, self.address(at, places), operands)

            if not self.is_masked:
                return (run(inner),)
            rest = elements[len(inputs) :]
            condition = self._condition(inner, places, rest[: len(masks)])
            otherwise = rest[-1] if len(rest) > len(masks) else None
            return (guarded(inner, condition, run, otherwise, self.element_type),)

        if self.shape is None:
            return body(builder, [*inputs, *extra])[0]
        found = elementwise(builder, [*inputs, *extra], [result], body)
        assert found is not None
        return found[0]

    def _condition(self, builder: Builder, places: Values, masks: Values) -> SSAValue:
        """Return whether the access to one element happens."""
        more = self.inside(builder, places) if self.inside is not None else ()
        found, *rest = [*masks, *more]
        for condition in rest:
            found = builder.value(arith.AndIOp, (found, condition), condition.type)
        return found

    def _without_result(self, builder: Builder, values: Values, access: Any) -> None:
        inputs = [*self.places, *values, *([self.mask] if self.mask is not None else [])]
        count = len(self.places)

        def body(inner: Builder, elements: Values) -> Values:
            places = elements[:count] or self._indices(inner)
            at = inner
            if self.is_masked:
                masks = elements[-1:] if self.mask is not None else ()
                condition = self._condition(inner, places, masks)
                at = inner.inside(inner.if_(condition).regions[0].blocks[0])
            access(at, self.address(at, places), elements[count:])
            if self.is_masked:
                at.yield_()
            return ()

        if self.shape is None:
            body(builder, inputs)
            return
        rank = len(self.shape)
        tensors = [value for value in inputs if is_tensor(value)]
        assert len(tensors) == len(inputs)
        maps = [identity_map(rank)] * len(inputs)
        generic(builder, inputs, maps, (), ["parallel"] * rank, body)


def loop_index(builder: Builder, dimension: int) -> SSAValue:
    """Return an index of the enclosing `linalg.generic`."""
    return builder.value(linalg.IndexOp, (), INDEX, index_dimension(dimension))


def guarded(
    builder: Builder, condition: SSAValue, make: Any, other: SSAValue | None, kind: Attribute
) -> SSAValue:
    """Return what `make` makes where `condition` holds, `other` (or anything) elsewhere."""
    branch = builder.if_(condition, [kind])
    then = builder.inside(branch.regions[0].blocks[0])
    then.yield_(make(then))
    otherwise = builder.inside(branch.regions[1].blocks[0])
    otherwise.yield_(other if other is not None else builder.number(0, kind))
    return branch.results[0]


# --- atomics ----------------------------------------------------------------------------

_Kind = arith.AtomicRMWKind
ATOMIC_KINDS = {
    RMWOp.and_: _Kind.andi, RMWOp.or_: _Kind.ori, RMWOp.xor: _Kind.xori, RMWOp.add: _Kind.addi,
    RMWOp.fadd: _Kind.addf, RMWOp.max: _Kind.maxs, RMWOp.min: _Kind.mins, RMWOp.umax: _Kind.maxu,
    RMWOp.umin: _Kind.minu, RMWOp.exch: _Kind.assign,
}  # fmt: skip
"""What each of Triton's atomics is called upstream."""


def atomic(
    builder: Builder,
    memory: SSAValue,
    place: SSAValue,
    kind: RMWOp,
    value: SSAValue,
    order: Order,
) -> SSAValue:
    """Combine `value` with one element atomically; return what was there."""
    code = ATOMIC_KINDS[kind]
    op = builder.make(
        memref.AtomicRMWOp,
        (value, memory, place),
        (value.type,),
        {"kind": code_attr(int(code))},
    )
    op.attributes.update({f"tt.{name}": attribute for name, attribute in order.items()})
    return op.results[0]


def compare_and_swap(
    builder: Builder,
    memory: SSAValue,
    place: SSAValue,
    expected: SSAValue,
    value: SSAValue,
    order: Order,
) -> SSAValue:
    """Put `value` where `expected` is, bit for bit; return what was there."""
    block = Block(arg_types=[value.type])
    inner = builder.inside(block)
    old = block.args[0]
    same = inner.equal_bits(old, expected)
    inner.make(memref.AtomicYieldOp, (inner.value(arith.SelectOp, (same, value, old), old.type),))
    op = builder.make(
        memref.GenericAtomicRMWOp, (memory, place), (value.type,), regions=[Region(block)]
    )
    op.attributes.update({f"tt.{name}": attribute for name, attribute in order.items()})
    return op.results[0]
