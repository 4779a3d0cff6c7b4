"""Making ops while lowering: at a place, with a location, with integers folded as they come."""
# xDSL's types have type parameters that it does not always fill in.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import (
    AnyFloat,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xtriton.dialects.tt import PtrType
from xtriton.dialects.upstream import arith, builtin, linalg, scf, tensor
from xtriton.ir import dense
from xtriton.ir.attributes import float_attr, integer_attr
from xtriton.lowering.attributes import code_attr, i32_array, tensor_type

INDEX = IndexType()

Extent = int | SSAValue
"""A number known while compiling, or an `index` value (MLIR's `OpFoldResult`)."""


class Builder:
    """
    Inserts ops before an anchor op, or at the end of a block.

    Every op made gets `location`. Constants are made once per function, at its entry; so
    are empty tensors if splats are folded, which leaves few of them.
    """

    def __init__(
        self,
        *,
        before: Operation | None = None,
        at_end_of: Block | None = None,
        location: Attribute | None = None,
        shared: "SharedOps | None" = None,
    ):
        self.before = before
        self.block = at_end_of
        self.location: Any = (
            location if location is not None else (before.location if before is not None else None)
        )
        self.shared = shared

    def inside(self, block: Block) -> "Builder":
        """Return a builder of the same location that appends to `block`."""
        return Builder(at_end_of=block, location=self.location, shared=self.shared)

    def insert(self, op: Any) -> Any:
        """Insert `op` and return it."""
        if self.location is not None:
            op.location = self.location
        return self._place(op)

    def _place(self, op: Any) -> Any:
        if self.before is not None:
            block = self.before.parent
            assert block is not None
            block.insert_op_before(op, self.before)
        else:
            assert self.block is not None
            self.block.add_op(op)
        return op

    def make(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue],
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] | None = None,
        regions: Sequence[Region] = (),
    ) -> Any:
        """Insert an op of `cls` made without its constructor, and return it."""
        return self._place(
            cls.create(
                operands=operands,
                result_types=result_types,
                properties=properties or {},
                regions=regions,
                location=self.location,
            )
        )

    def value(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue],
        result_type: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """Insert an op with one result and return the result."""
        (result,) = self.make(cls, operands, (result_type,), properties).results
        return result

    # --- constants ----------------------------------------------------------------------

    def constant(self, attribute: Any) -> SSAValue:
        """Return the constant that a typed attribute says."""
        if self.shared is not None:
            return self.shared.constant(attribute)
        return self.value(arith.ConstantOp, (), attribute.get_type(), {"value": attribute})

    def integer(self, value: int, type: Attribute = INDEX) -> SSAValue:
        """Return an integer constant."""
        return self.constant(integer_attr(value, type))

    def number(self, value: float, type: Any) -> SSAValue:
        """Return a constant of an integer or float type."""
        if isinstance(type, IntegerType | IndexType):
            return self.constant(integer_attr(int(value), type))
        return self.constant(float_attr(value, type))

    def empty(self, type: Any) -> SSAValue:
        """Return a tensor of static shape without content."""
        type = tensor_type(type.element_type, type.get_shape())
        if self.shared is not None and self.shared.fold_splats:
            return self.shared.empty(type)
        return self.value(tensor.EmptyOp, (), type)

    def filled(self, type: Any, scalar: SSAValue) -> SSAValue:
        """Return a tensor whose every element is `scalar`."""
        return fill(self, scalar, self.empty(type))[0]

    # --- integers that may be known -----------------------------------------------------

    def materialise(self, extent: Extent) -> SSAValue:
        """Return an `index` value."""
        return self.integer(extent) if isinstance(extent, int) else extent

    def add(self, a: Extent, b: Extent) -> Extent:
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if a == 0:
            return b
        if b == 0:
            return a
        return self._binary(arith.AddiOp, a, b)

    def subtract(self, a: Extent, b: Extent) -> Extent:
        if isinstance(a, int) and isinstance(b, int):
            return a - b
        if b == 0:
            return a
        if a is b:
            return 0
        return self._binary(arith.SubiOp, a, b)

    def multiply(self, a: Extent, b: Extent) -> Extent:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if a == 0 or b == 0:
            return 0
        if a == 1:
            return b
        if b == 1:
            return a
        return self._binary(arith.MuliOp, a, b)

    def minimum(self, a: Extent, b: Extent) -> Extent:
        if isinstance(a, int) and isinstance(b, int):
            return min(a, b)
        return a if a is b else self._binary(arith.MinSIOp, a, b)

    def maximum(self, a: Extent, b: Extent) -> Extent:
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b)
        return a if a is b else self._binary(arith.MaxSIOp, a, b)

    def select(self, condition: SSAValue, a: Extent, b: Extent) -> Extent:
        if a is b or (isinstance(a, int) and isinstance(b, int) and a == b):
            return a
        operands = (condition, self.materialise(a), self.materialise(b))
        return self.value(arith.SelectOp, operands, INDEX)

    def _binary(self, cls: type[Operation], a: Extent, b: Extent) -> SSAValue:
        properties = (
            {"overflowFlags": arith.OVERFLOW_NONE}
            if cls in (arith.AddiOp, arith.SubiOp, arith.MuliOp)
            else {}
        )
        return self.value(cls, (self.materialise(a), self.materialise(b)), INDEX, properties)

    def compare(self, name: str, a: Extent, b: Extent) -> SSAValue:
        """Return `a name b` for `index` values, `name` such as "slt"."""
        operands = (self.materialise(a), self.materialise(b))
        code = arith.CmpIPredicate[name]
        return self.value(arith.CmpiOp, operands, i1, {"predicate": predicate(code)})

    def equal_bits(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Return whether two scalars of one type have the same bits."""
        kind: Any = a.type
        if isinstance(kind, AnyFloat):
            bits = IntegerType(kind.bitwidth)
            a, b = (self.value(arith.BitcastOp, (value,), bits) for value in (a, b))
        code = predicate(arith.CmpIPredicate.eq)
        return self.value(arith.CmpiOp, (a, b), i1, {"predicate": code})

    def to_index(self, value: SSAValue) -> SSAValue:
        """Return a signed integer as `index`."""
        return value if value.type == INDEX else self.value(arith.IndexCastOp, (value,), INDEX)

    def from_index(self, value: SSAValue, type: Attribute) -> SSAValue:
        """Return an `index` as an integer of `type`."""
        return value if value.type == type else self.value(arith.IndexCastOp, (value,), type)

    # --- control flow -------------------------------------------------------------------

    def if_(self, condition: SSAValue, result_types: Sequence[Attribute] = ()) -> Any:
        """Insert an `scf.if` with empty blocks and return it; yields are the caller's."""
        otherwise = Region(Block()) if result_types else Region()
        regions = [Region(Block()), otherwise]
        return self.make(scf.IfOp, (condition,), result_types, regions=regions)

    def for_(
        self, stop: Extent, carried: Sequence[SSAValue] = (), start: Extent = 0, step: Extent = 1
    ) -> Any:
        """Insert an `scf.for` over `index` and return it; its body's yield is the caller's."""
        types = [value.type for value in carried]
        bounds = [self.materialise(extent) for extent in (start, stop, step)]
        body = Region(Block(arg_types=[INDEX, *types]))
        return self.make(scf.ForOp, (*bounds, *carried), types, regions=[body])

    def yield_(self, *values: SSAValue) -> None:
        """End an scf region."""
        self.make(scf.YieldOp, values)


def predicate(member: arith.CmpIPredicate | arith.CmpFPredicate) -> IntegerAttr:
    """Return the predicate of a comparison as an attribute."""
    return code_attr(int(member))


class SharedOps:
    """Constants and empty tensors of one function, made once at its entry."""

    def __init__(self, entry: Block, fold_splats: bool = True, transpose_reductions: bool = False):
        self.entry = entry
        self.transpose_reductions = transpose_reductions and not fold_splats
        """Whether reductions are of the first dimension."""
        self.fold_splats = fold_splats
        """Whether splat operands become scalars inside loop bodies."""
        self.made: dict[Attribute, SSAValue] = {}
        self._last: Operation | None = None
        """The last of the constants at the entry, as far as `behind_constants` went."""

    def constant(self, attribute: Any) -> SSAValue:
        """Return the constant for a typed attribute."""
        found = self.made.get(attribute)
        if found is None:
            type = attribute.get_type()
            op = arith.ConstantOp.create(
                operands=(), result_types=(type,), properties={"value": attribute}
            )
            found = self._insert(op, attribute)
        return found

    def empty(self, type: Attribute) -> SSAValue:
        """Return the empty tensor of `type`."""
        found = self.made.get(type)
        if found is None:
            found = self._insert(tensor.EmptyOp.create(operands=(), result_types=(type,)), type)
        return found

    def _insert(self, op: Operation, key: Attribute) -> SSAValue:
        first = self.entry.first_op
        if is_cast_of_pointer(first):
            # Behind what is there, so that canonicalization puts the newest first, as in MLIR.
            while isinstance(first, builtin.UnrealizedConversionCastOp | arith.ConstantOp):
                first = first.next_op
        if first is None:
            self.entry.add_op(op)
        else:
            self.entry.insert_op_before(op, first)
        self.made[key] = op.results[0]
        return op.results[0]

    def behind_constants(self) -> Operation:
        """Return the first op of the function that is no constant or shared empty tensor."""
        last = self._last
        op = self.entry.first_op if last is None or last.parent is None else last.next_op
        while isinstance(op, arith.ConstantOp) or (
            isinstance(op, tensor.EmptyOp) and self.made.get(op.results[0].type) is op.results[0]
        ):
            self._last = op
            op = op.next_op
        assert op is not None
        return op

    def drop_unused(self) -> None:
        """Erase what nobody used after all."""
        for value in self.made.values():
            if value.first_use is None and isinstance(value.owner, Operation):
                value.owner.detach()
                value.owner.erase()


def is_cast_of_pointer(op: Operation | None) -> bool:
    """Return whether an op turns a pointer argument of a function that keeps it into a memref."""
    if not isinstance(op, builtin.UnrealizedConversionCastOp) or not op.operands:
        return False
    return isinstance(op.operands[0].type, PtrType)


def fill(builder: Builder, scalar: SSAValue, into: SSAValue) -> Sequence[SSAValue]:
    """Fill `into` with `scalar`; the result is the tensor, nothing for memory."""
    element = scalar.type
    body = Block(arg_types=(element, element))
    body.add_op(linalg.YieldOp.create(operands=(body.args[0],)))
    return builder.make(
        linalg.FillOp,
        (scalar, into),
        (into.type,) if isinstance(into.type, TensorType) else (),
        {"operandSegmentSizes": i32_array((1, 1))},
        [Region(body)],
    ).results


def constant_scalar(value: SSAValue) -> Attribute | None:
    """Return the element attribute of a splat or scalar constant, None if `value` is neither."""
    op = value.owner
    if not isinstance(op, arith.ConstantOp):
        return None
    attribute: Any = op.properties["value"]
    if not dense.is_splat(attribute):
        return attribute if not isinstance(value.type, TensorType) else None
    element = attribute.type.element_type
    number = dense.splat_value(attribute)
    if isinstance(element, IntegerType | IndexType):
        return integer_attr(int(number), element)
    return float_attr(number, element)


def constant_integer(value: SSAValue) -> int | None:
    """Return the integer that a constant (or a splat of one) is, None otherwise."""
    attribute = constant_scalar(value)
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None
