"""
The `tensor` dialect: tensors as values.

Added to xDSL's: `bitcast`, `gather`, `scatter`, `generate`, `rank`,
`parallel_insert_slice`.
"""

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    UnrankedTensorType,
    i64,
)
from xdsl.dialects.tensor import (
    CastOp as CastOp,
    CollapseShapeOp as CollapseShapeOp,
    ConcatOp as ConcatOp,
    DimOp as DimOp,
    EmptyOp as EmptyOp,
    ExpandShapeOp as ExpandShapeOp,
    ExtractOp as ExtractOp,
    ExtractSliceOp as ExtractSliceOp,
    FromElementsOp as FromElementsOp,
    InsertOp as InsertOp,
    InsertSliceOp as InsertSliceOp,
    PadOp as PadOp,
    ReshapeOp as ReshapeOp,
    SplatOp as SplatOp,
    Tensor,
    YieldOp as YieldOp,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrConstraint,
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import HasParent, Pure, RecursiveMemoryEffect, ReturnLike
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.repair import add_traits, repair
from xtriton.dialects.upstream.scf import InParallelOp
from xtriton.dialects.upstream.text import DynamicIndexList
from xtriton.dialects.upstream.types import element_of
from xtriton.dialects.utils.contents import dialect_of
from xtriton.ir.attributes import integers_of
from xtriton.ir.syntax import Syntax, TypeRule, same_type

INDEX_LISTS = {"DynamicIndexList": DynamicIndexList()}
RANKED = base(TensorType)
ANY_TENSOR: AttrConstraint = base(TensorType) | base(UnrankedTensorType)
_SLICE = (
    "`` custom<DynamicIndexList>($offsets, $static_offsets)"
    " custom<DynamicIndexList>($sizes, $static_sizes)"
    " custom<DynamicIndexList>($strides, $static_strides) attr-dict"
)
_CAST = "$source attr-dict `:` type($source) `to` type($dest)"


def element_type(t: Attribute) -> Attribute:
    """Return the element type of a tensor."""
    if isinstance(t, (TensorType, UnrankedTensorType)):
        return element_of(t)
    raise VerifyException(f"expected a tensor, got {t}")


# --- casts and shapes ------------------------------------------------------------------

repair(CastOp, syntax=_CAST)
repair(
    CollapseShapeOp,
    syntax="$src $reassociation attr-dict `:` type($src) `into` type($result)",
)
repair(
    ExpandShapeOp,
    syntax="$src $reassociation `output_shape`"
    " custom<DynamicIndexList>($dynamic_output_shape, $static_output_shape)"
    " attr-dict `:` type($src) `into` type($result)",
    directives=INDEX_LISTS,
)


def _verify_reshape(op: ReshapeOp) -> None:
    source, result, shape = op.source.type, op.result.type, op.shape.type
    if element_type(source) != element_type(result):
        raise VerifyException(f"source {source} and result {result} differ in element type")
    assert isinstance(shape, TensorType)
    if shape.get_num_dims() != 1:
        raise VerifyException("shape must have rank 1")
    if isinstance(result, TensorType):  # pyright: ignore[reportUnnecessaryIsInstance]
        extent = shape.get_shape()[0]
        if extent not in (result.get_num_dims(), DYNAMIC_INDEX):
            raise VerifyException(f"shape has {extent} elements, result {result} another rank")


repair(
    ReshapeOp,
    syntax="$source `(` $shape `)` attr-dict `:` functional-type(operands, results)",
    operands={"source": operand_def(ANY_TENSOR)},
    results={"result": result_def(ANY_TENSOR)},
    verify=_verify_reshape,
)
repair(DimOp, syntax="attr-dict $source `,` $index `:` type($source)")


def _verify_dynamic_sizes(type: Any, given: Sequence[SSAValue]) -> None:
    wanted = list(type.get_shape()).count(DYNAMIC_INDEX)
    if len(given) != wanted:
        raise VerifyException(
            f"incorrect number of dynamic sizes, has {len(given)}, expected {wanted}"
        )


repair(
    EmptyOp,
    syntax="`(` $dynamic_sizes `)` attr-dict `:` type($tensor)",
    verify=lambda op: _verify_dynamic_sizes(op.tensor.type, op.dynamic_sizes),
)
add_traits(EmptyOp, Pure())


@irdl_op_definition
class BitcastOp(IRDLOperation):
    """
    The same bits as elements of another type of equal width.

    ```mlir
    %b = tensor.bitcast %a : tensor<4xi32> to tensor<4xui32>
    ```
    """

    name = "tensor.bitcast"

    source = operand_def(ANY_TENSOR)
    dest = result_def(ANY_TENSOR)

    SYNTAX: ClassVar = Syntax(_CAST)

    traits = traits_def(Pure())


@irdl_op_definition
class RankOp(IRDLOperation):
    """
    The number of dimensions of a tensor.

    ```mlir
    %r = tensor.rank %t : tensor<*xf32>
    ```
    """

    name = "tensor.rank"

    tensor = operand_def(ANY_TENSOR)
    result = result_def(IndexType)

    SYNTAX: ClassVar = Syntax("$tensor attr-dict `:` type($tensor)")

    traits = traits_def(Pure())


# --- elements --------------------------------------------------------------------------


def _verify_indices(type: Any, indices: Sequence[SSAValue]) -> None:
    rank = type.get_num_dims() if isinstance(type, TensorType) else len(indices)
    if len(indices) != rank:
        raise VerifyException(f"indices are {len(indices)}, but the tensor has rank {rank}")


def _verify_elements(op: FromElementsOp) -> None:
    count = prod(op.result.type.get_shape())
    if len(op.elements) != count:
        raise VerifyException(
            f"number of operands and types do not match: got {len(op.elements)} operands"
            f" and {count} types"
        )


repair(
    ExtractOp,
    syntax="$tensor `[` $indices `]` attr-dict `:` type($tensor)",
    types=(TypeRule("result", "tensor", element_type),),
    verify=lambda op: _verify_indices(op.tensor.type, op.indices),
)
repair(
    InsertOp,
    syntax="$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)",
    types=(TypeRule("scalar", "dest", element_type), *same_type("dest", "result")),
    verify=lambda op: _verify_indices(op.dest.type, op.indices),
)
repair(
    FromElementsOp,
    syntax="$elements attr-dict `:` type($result)",
    types=(TypeRule("elements", "result", element_type),),
    verify=_verify_elements,
)
repair(
    SplatOp,
    syntax="$input (`[` $dynamicSizes^ `]`)? attr-dict `:` type($result)",
    types=(TypeRule("input", "result", element_type),),
)


def _verify_dimensions(dimensions: DenseArrayBase, rank: int, name: str) -> None:
    values = integers_of(dimensions)
    if not values:
        raise VerifyException(f"{name} must not be empty")
    if list(values) != sorted(set(values)) or not 0 <= values[0] <= values[-1] < rank:
        raise VerifyException(f"{name} must be increasing numbers of dimensions below {rank}")


@irdl_op_definition
class GatherOp(IRDLOperation):
    """
    Slices of `source` at the coordinates that `indices` gives along `gather_dims`.

    The last dimension of `indices` holds the coordinates; the result has its other
    dimensions, then those of `source` (the gathered ones 1 or dropped).

    ```mlir
    %r = tensor.gather %t[%i] gather_dims([0]) unique
      : (tensor<8xf32>, tensor<3x1xindex>) -> tensor<3x1xf32>
    ```
    """

    name = "tensor.gather"

    source = operand_def(RANKED)
    indices = operand_def(RANKED)
    gather_dims = prop_def(DenseArrayBase.constr(i64))
    unique = opt_prop_def(UnitAttr)
    result = result_def(RANKED)

    SYNTAX: ClassVar = Syntax(
        "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` (`unique` $unique^)?"
        " attr-dict `:` functional-type(operands, results)"
    )

    traits = traits_def(Pure())

    def verify_(self) -> None:
        source = self.source.type
        assert isinstance(source, TensorType)
        _verify_dimensions(self.gather_dims, source.get_num_dims(), "gather_dims")


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """
    `dest` with slices replaced by those of `source`, at the coordinates of `indices`.

    ```mlir
    %r = tensor.scatter %s into %t[%i] scatter_dims([0]) unique
      : (tensor<3x1xf32>, tensor<8xf32>, tensor<3x1xindex>) -> tensor<8xf32>
    ```
    """

    name = "tensor.scatter"

    source = operand_def(RANKED)
    dest = operand_def(RANKED)
    indices = operand_def(RANKED)
    scatter_dims = prop_def(DenseArrayBase.constr(i64))
    unique = opt_prop_def(UnitAttr)
    result = result_def(RANKED)

    SYNTAX: ClassVar = Syntax(
        "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)`"
        " (`unique` $unique^)? attr-dict `:` functional-type(operands, results)"
    )

    traits = traits_def(Pure())

    def verify_(self) -> None:
        dest = self.dest.type
        assert isinstance(dest, TensorType)
        _verify_dimensions(self.scatter_dims, dest.get_num_dims(), "scatter_dims")
        if self.result.type != dest:
            raise VerifyException(f"result has type {self.result.type}, dest has {dest}")
        if self.unique is None:
            raise VerifyException("scatter must be unique")


# --- slices ----------------------------------------------------------------------------

repair(
    ExtractSliceOp,
    syntax=f"$source {_SLICE} `:` type($source) `to` type($result)",
    directives=INDEX_LISTS,
)
repair(
    InsertSliceOp,
    syntax=f"$source `into` $dest {_SLICE} `:` type($source) `into` type($dest)",
    types=same_type("dest", "result"),
    directives=INDEX_LISTS,
)


@irdl_op_definition
class ParallelInsertSliceOp(IRDLOperation):
    """
    What an iteration of `scf.forall` puts into a shared output.

    ```mlir
    tensor.parallel_insert_slice %tile into %out[%i] [1] [1]
      : tensor<1xf32> into tensor<4xf32>
    ```
    """

    name = "tensor.parallel_insert_slice"

    source = operand_def(RANKED)
    dest = operand_def(RANKED)
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    static_offsets = prop_def(DenseArrayBase.constr(i64))
    static_sizes = prop_def(DenseArrayBase.constr(i64))
    static_strides = prop_def(DenseArrayBase.constr(i64))

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    SYNTAX: ClassVar = Syntax(f"$source `into` $dest {_SLICE} `:` type($source) `into` type($dest)")
    DIRECTIVES: ClassVar = INDEX_LISTS

    traits = lazy_traits_def(lambda: (HasParent(InParallelOp),))


# --- regions ---------------------------------------------------------------------------

repair(
    PadOp,
    syntax="$source (`nofold` $nofold^)?"
    " `low` `` custom<DynamicIndexList>($low, $static_low)"
    " `high` `` custom<DynamicIndexList>($high, $static_high)"
    " $region attr-dict `:` type($source) `to` type($result)",
    directives=INDEX_LISTS,
)
repair(YieldOp, syntax="attr-dict ($arguments^ `:` type($arguments))?")
add_traits(YieldOp, Pure(), ReturnLike())


@irdl_op_definition
class GenerateOp(IRDLOperation):
    """
    A tensor whose elements a region computes from their coordinates.

    ```mlir
    %t = tensor.generate %n {
    ^bb0(%i: index):
      tensor.yield %x : f32
    } : tensor<?xf32>
    ```
    """

    name = "tensor.generate"

    dynamic_extents = var_operand_def(IndexType)
    body = region_def("single_block")
    result = result_def(RANKED)

    SYNTAX: ClassVar = Syntax("$dynamic_extents $body attr-dict `:` type($result)")

    traits = traits_def(RecursiveMemoryEffect())

    def verify_(self) -> None:
        result = self.result.type
        assert isinstance(result, TensorType)
        dynamic = sum(extent == DYNAMIC_INDEX for extent in result.get_shape())
        if dynamic != len(self.dynamic_extents):
            raise VerifyException(
                f"dynamic_extents are {len(self.dynamic_extents)}, but result {result} "
                f"has {dynamic} dynamic dimensions"
            )
        if tuple(self.body.block.arg_types) != (IndexType(),) * result.get_num_dims():
            raise VerifyException("the body must have an index argument for each dimension")
        last = self.body.block.last_op
        if not isinstance(last, YieldOp) or tuple(last.operand_types) != (result.element_type,):
            raise VerifyException(f"the body must yield a {result.element_type}")


TENSOR = dialect_of(globals(), "tensor", Tensor)
