"""
Reductions, scans and maps with a combining region; these print in generic form.

Upstream: "Reduce Op", "Scan Op" and "Map Elementwise op" of `TritonOps.td`.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import (
    HasParent,
    IsTerminator,
    MemoryEffectKind,
    Pure,
    RecursiveMemoryEffect,
    ReturnLike,
    has_effects,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    BoolValue,
    I32Value,
    TT_Tensor,
    TT_Type,
    i32_attr,
)
from xtriton.dialects.tt.shape_inference import reduced_type, tensor_type
from xtriton.dialects.tt.traits import (
    TENSOR_TRAITS,
    SameOperandsAndResultEncoding,
    SameOperandsAndResultShape,
    SameOperandsEncoding,
    SameOperandsShape,
)
from xtriton.dialects.tt.type_relations import element_type
from xtriton.ir.checking.blame import OtherOpIsWrong
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, early_rules

_RETURN_TRAITS = (*TENSOR_TRAITS, Pure(), IsTerminator(), ReturnLike())


def combine_block(types: Sequence[Attribute]) -> Block:
    """Return an empty block that combines values of tensors of `types`: (a, b, …, a', b', …)."""
    elements = [element_type(type) for type in types]
    return Block(arg_types=[*elements, *elements])


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """
    Reduce tensors along an axis with an associative combination of element tuples.

    The region takes the elements of both tuples, left before right, and returns the
    combined tuple. Upstream `TT_ReduceOp`.

    ```mlir
    %s = "tt.reduce"(%t) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<8x4xf32>) -> tensor<8xf32>
    ```

    Shapes: results are the operands without dimension `axis`; scalars where none is left.
    """

    name = "tt.reduce"

    srcs = var_operand_def(TT_Tensor)
    axis = prop_def(I32Value)
    result = var_result_def(TT_Type)
    combineOp = region_def("single_block")

    traits = traits_def(*TENSOR_TRAITS, Pure(), SameOperandsShape(), SameOperandsEncoding())

    def __init__(
        self,
        srcs: Sequence[SSAValue | Operation],
        axis: int,
        combine: Region | Block | None = None,
    ):
        """Without `combine` the region gets an empty block of the right arguments."""
        values = [SSAValue.get(src) for src in srcs]
        super().__init__(
            operands=[values],
            result_types=[[reduced_type(v.type, axis) for v in values]],
            properties={"axis": i32_attr(axis)},
            regions=[_region(combine, [v.type for v in values])],
        )

    @property
    def single_combiner(self) -> Operation | None:
        """The op that the region consists of, applied to its arguments in order, if so."""
        block = self.combineOp.block
        if len(self.operands) != 1 or block.last_op is None:
            return None
        value = block.last_op.operands[0]
        owner = value.owner
        if not isinstance(owner, Operation) or owner.parent is not block:
            return None
        if len(owner.results) != 1 or len(owner.operands) != 2:
            return None
        in_order = tuple(owner.operands) == tuple(block.args)
        swapped = tuple(owner.operands) == tuple(reversed(block.args))
        return owner if in_order or (swapped and _is_commutative(owner)) else None

    def verify_(self) -> None:
        _verify_operands_and_results(self, self.axis)
        for i, (source, result) in enumerate(zip(self.operands, self.results, strict=True)):
            inferred = reduced_type(source.type, self.axis.value.data)
            if inferred != result.type:
                raise VerifyException(
                    f"inferred type(s) '{inferred}' are incompatible with return type(s) "
                    f"of operation '{result.type}' (result {i})"
                )
        _verify_combine_region(self, self.combineOp, ReduceReturnOp)


@irdl_op_definition
class ReduceReturnOp(IRDLOperation):
    """
    End the region of a `tt.reduce` with the combined elements.

    Upstream `TT_ReduceReturnOp`.

    ```mlir
    tt.reduce.return %c : f32
    ```
    """

    name = "tt.reduce.return"

    result = var_operand_def()

    traits = lazy_traits_def(lambda: (*_RETURN_TRAITS, HasParent(ReduceOp)))
    SYNTAX: ClassVar = Syntax("$result attr-dict `:` type($result)")

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[values])


@irdl_op_definition
class ScanOp(IRDLOperation):
    """
    Inclusive prefix scan of tensors along an axis, from the end with `reverse`.

    The region is as in `tt.reduce`. Upstream `TT_ScanOp`.

    ```mlir
    %s = "tt.scan"(%t) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.scan.return %c : f32
    }) : (tensor<8xf32>) -> tensor<8xf32>
    ```

    Shapes: results have the types of the operands.
    """

    name = "tt.scan"

    srcs = var_operand_def(TT_Tensor)
    axis = prop_def(I32Value)
    reverse = prop_def(BoolValue)
    result = var_result_def(TT_Tensor)
    combineOp = region_def("single_block")

    traits = traits_def(
        *TENSOR_TRAITS,
        Pure(),
        SameOperandsAndResultShape(),
        SameOperandsAndResultEncoding(),
    )

    def verify_(self) -> None:
        _verify_operands_and_results(self, self.axis)
        _verify_combine_region(self, self.combineOp, ScanReturnOp)


@irdl_op_definition
class ScanReturnOp(IRDLOperation):
    """
    End the region of a `tt.scan` with the combined elements.

    Upstream `TT_ScanReturnOp`.

    ```mlir
    tt.scan.return %c : f32
    ```
    """

    name = "tt.scan.return"

    result = var_operand_def()

    traits = lazy_traits_def(lambda: (*_RETURN_TRAITS, HasParent(ScanOp)))
    SYNTAX: ClassVar = Syntax("$result attr-dict `:` type($result)")


@irdl_op_definition
class MapElementwiseOp(IRDLOperation):
    """
    Apply a region of scalar code to each element, or to `pack` neighbouring elements at once.

    The region takes `pack` elements of each operand and returns as many of each result; it
    may have control flow but no stores. Upstream `TT_MapElementwiseOp`, since Triton 3.5.

    ```mlir
    %r = "tt.map_elementwise"(%t) <{pack = 1 : i32}> ({
    ^bb0(%a: f32):
      tt.map_elementwise.return %a : f32
    }) : (tensor<8xf32>) -> tensor<8xf32>
    ```
    """

    name = "tt.map_elementwise"
    SINCE: ClassVar[Version] = (3, 5)

    srcs = var_operand_def(TT_Tensor)
    pack = prop_def(I32Value)
    result = var_result_def(TT_Tensor)
    scalarOp = region_def()

    traits = traits_def(
        *TENSOR_TRAITS,
        SameOperandsAndResultShape(),
        SameOperandsAndResultEncoding(),
        RecursiveMemoryEffect(),
    )

    def verify_(self) -> None:
        pack = self.pack.value.data
        if not self.operands:
            raise VerifyException("MapElementwiseOp must have at least 1 operand")
        if pack <= 0 or pack & (pack - 1):
            raise VerifyException("Pack must be a power of 2")
        if (entry := self.scalarOp.first_block) is None:
            raise VerifyException("region must have at least one block")
        if len(entry.args) != len(self.operands) * pack:
            raise VerifyException("region has wrong number of arguments")
        if [arg.type for arg in entry.args] != _packed(self.operands, pack):
            raise VerifyException("argument types did not match")
        returned = _packed(self.results, pack)
        for op in self.scalarOp.walk():
            if has_effects(op, MemoryEffectKind.WRITE):
                raise OtherOpIsWrong(op, "Stores are not supported inside map_elementwise")
            if isinstance(op, MapElementwiseReturnOp) and returned != [
                operand.type for operand in op.operands
            ]:
                raise OtherOpIsWrong(op, "region return does not match map_elementwise result")


@irdl_op_definition
class MapElementwiseReturnOp(IRDLOperation):
    """
    End a path through the region of a `tt.map_elementwise`.

    Upstream `TT_MapElementwiseReturnOp`, since Triton 3.5.

    ```mlir
    tt.map_elementwise.return %a : f32
    ```
    """

    name = "tt.map_elementwise.return"

    result = var_operand_def()

    traits = lazy_traits_def(lambda: (*_RETURN_TRAITS, HasParent(MapElementwiseOp)))
    SYNTAX: ClassVar = Syntax("attr-dict ($result^ `:` type($result))?", since=(3, 5))


def _region(combine: Region | Block | None, types: Sequence[Attribute]) -> Region:
    if isinstance(combine, Region):
        return combine
    return Region(combine_block(types) if combine is None else combine)


def _packed(values: Sequence[SSAValue], pack: int) -> list[Attribute]:
    """Return the element type of each value `pack` times."""
    return [element_type(value.type) for value in values for _ in range(pack)]


def _is_commutative(op: Operation) -> bool:
    from xdsl.traits import Commutative

    return op.has_trait(Commutative, value_if_unregistered=False)


def _verify_operands_and_results(op: ReduceOp | ScanOp, axis: IntegerAttr) -> None:
    if not op.operands:
        raise VerifyException("must have at least 1 operand")
    if len(op.operands) != len(op.results):
        raise VerifyException("must have the same number of inputs as outputs")
    for operand in op.operands:
        rank = tensor_type(operand.type).get_num_dims()
        if not 0 <= axis.value.data < rank and not early_rules():
            raise VerifyException(f"axis out of bounds for operand rank {rank}")
    for operand, result in zip(op.operands, op.results, strict=True):
        if element_type(operand.type) != element_type(result.type):
            raise VerifyException("operand types and result types must agree")


def _verify_combine_region(
    op: ReduceOp | ScanOp,
    region: Region,
    terminator: type[ReduceReturnOp] | type[ScanReturnOp],
) -> None:
    block = region.block
    elements = [element_type(operand.type) for operand in op.operands]
    if len(block.args) != 2 * len(elements):
        raise VerifyException(
            f"nested block must take {2 * len(elements)} arguments, but given block with "
            f"{len(block.args)} arguments"
        )
    _verify_combined([arg.type for arg in block.args], [*elements, *elements])
    last = block.last_op
    if not isinstance(last, terminator):
        raise VerifyException(
            f"combine operation must be terminated with a {terminator.__name__} but got "
            f"{None if last is None else last.name}"
        )
    if len(last.operands) != len(elements):
        raise VerifyException(
            f"expected combine operation to return {len(elements)} values but got "
            f"{len(last.operands)}"
        )
    _verify_combined([operand.type for operand in last.operands], elements)


def _verify_combined(types: Sequence[Attribute], expected: Sequence[Attribute]) -> None:
    for i, (type, wanted) in enumerate(zip(types, expected, strict=True)):
        if type != wanted:
            raise VerifyException(
                f"type mismatch on combine operation. Expected argument {i} to have type "
                f"'{wanted}' but got '{type}'"
            )
