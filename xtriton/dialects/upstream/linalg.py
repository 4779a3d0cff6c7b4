"""
The `linalg` dialect: structured operations on tensors and memory.

Repaired: reductions of several operands, generics with several results, indexing maps
and casts of `matmul`, bodies and text as MLIR has them, effects. Added: `map`,
`batch_matmul`, `matvec`, `vecmat`, `dot`, `contract` and the elementwise named ops.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, ClassVar, Self

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    MemRefType,
    TensorType,
    UnrankedTensorType,
)
from xdsl.dialects.linalg import Linalg
from xdsl.dialects.linalg.abstract_ops import (
    ElementwiseOperation,
    LinalgStructuredOperation,
    NamedOperation,
)
from xdsl.dialects.linalg.attrs import (
    IteratorType,
    IteratorTypeAttr as IteratorTypeAttr,
)
from xdsl.dialects.linalg.ops import (
    AddOp as AddOp,
    BroadcastOp as BroadcastOp,
    Conv2DNchwFchwOp as Conv2DNchwFchwOp,
    Conv2DNgchwFgchwOp as Conv2DNgchwFgchwOp,
    Conv2DNgchwGfchwOp as Conv2DNgchwGfchwOp,
    Conv2DNhwc_FhwcOp as Conv2DNhwc_FhwcOp,
    Conv2DNhwc_HwcfOp as Conv2DNhwc_HwcfOp,
    Conv2DNhwgcGfhwcOp as Conv2DNhwgcGfhwcOp,
    CopyOp as CopyOp,
    ExpOp as ExpOp,
    FillOp as FillOp,
    GenericOp as GenericOp,
    IndexOp as IndexOp,
    LogOp as LogOp,
    MatmulOp as MatmulOp,
    MaxOp as MaxOp,
    MinOp as MinOp,
    MulOp as MulOp,
    PoolingNchwMaxOp as PoolingNchwMaxOp,
    QuantizedMatmulOp as QuantizedMatmulOp,
    ReduceOp as ReduceOp,
    SelectOp as SelectOp,
    SqrtOp as SqrtOp,
    SubOp as SubOp,
    TransposeOp as TransposeOp,
    YieldOp as YieldOp,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    IRDLOperation,
    SameVariadicOperandSize,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure, ReturnLike
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xtriton.dialects.upstream import arith, linalg_bodies as bodies, linalg_text as text, math
from xtriton.dialects.upstream.effects import BufferEffects
from xtriton.dialects.upstream.repair import add_traits, repair
from xtriton.dialects.upstream.text import InBrackets, print_attributes
from xtriton.dialects.upstream.types import element_or_self, same_dimensions
from xtriton.dialects.utils.contents import dialect_of
from xtriton.late_definitions import when_defined

SHAPED = base(TensorType) | base(MemRefType)
STRUCTURED_EFFECTS = BufferEffects(reads=lambda op: op.operands, writes=lambda op: op.outputs)

# --- attributes ------------------------------------------------------------------------


class TypeFn(StrEnum):
    """How a named op converts its inputs to the type of its accumulator."""

    CAST_SIGNED = "cast_signed"
    CAST_UNSIGNED = "cast_unsigned"


@irdl_attr_definition
class TypeFnAttr(InBrackets, EnumAttribute[TypeFn]):
    """`#linalg.type_fn<cast_unsigned>`."""

    name = "linalg.type_fn"


SIGNED = TypeFnAttr(TypeFn.CAST_SIGNED)
UNSIGNED = TypeFnAttr(TypeFn.CAST_UNSIGNED)

# --- generic ---------------------------------------------------------------------------


def _verify_structured(op: Any, verify_more: Callable[[Any], None] | None = None) -> None:
    """Check a named op, which depends on its signature, and on that of its body, alone."""
    signature = _signature(op)
    if signature in _sound:
        return
    if verify_more is not None:
        verify_more(op)
    LinalgStructuredOperation.verify_(op)
    _verify_results(op, op.outputs)
    _verify_yield(op, op.body, op.outputs)
    if len(_sound) >= _MOST_SOUND:
        _sound.clear()
    _sound.add(signature)


def _signature(op: Any) -> Hashable:
    body: Block = op.body.block
    last = body.last_op
    given = () if last is None else last._operands
    values = (op._operands, op.results, body._args, given)
    return (
        op.__class__,
        last.__class__,
        *[tuple([value._type for value in each]) for each in values],
        *op.properties.items(),
        *op.attributes.items(),
    )


_sound: set[Hashable] = set()
_MOST_SOUND = 1000
"""Signatures of named ops that are remembered; then all are forgotten."""


def _verify_results(op: Any, outputs: Sequence[SSAValue]) -> None:
    if list(op.result_types) != text.tensor_types(outputs):
        raise VerifyException("results must have the types of the outputs that are tensors")


def _verify_yield(op: Any, body: Region, outputs: Sequence[SSAValue]) -> None:
    last = body.block.last_op
    if not isinstance(last, YieldOp):
        raise VerifyException("the body must end with linalg.yield")
    expected = [element_or_self(output.type) for output in outputs]
    if list(last.operand_types) != expected:
        raise VerifyException("linalg.yield gives other types than the elements of the outputs")


repair(
    GenericOp,
    parse=classmethod(text.parse_generic),
    print=text.print_generic,
    traits=(STRUCTURED_EFFECTS,),
    verify=lambda op: (_verify_results(op, op.outputs), _verify_yield(op, op.body, op.outputs))[0],
)
repair(YieldOp, syntax="attr-dict ($arguments^ `:` type($arguments))?")
add_traits(YieldOp, Pure(), ReturnLike())
repair(IndexOp, syntax="$dim attr-dict `:` type($result)", traits=(Pure(),))

# --- named ops of xDSL -----------------------------------------------------------------


def _default_init(
    self: NamedOperation,
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue] = (),
    res: Sequence[Attribute] | None = None,
    attributes: dict[str, Attribute] | None = None,
) -> None:
    IRDLOperation.__init__(
        self,
        operands=[inputs, outputs],
        result_types=[text.tensor_types(outputs) if res is None else res],
        attributes=attributes,
        regions=[type(self).hidden_region(inputs, outputs, {})],  # pyright: ignore[reportAttributeAccessIssue, reportUnknownArgumentType, reportUnknownMemberType]
    )


def _hidden_region(payload: bodies.Payload) -> Any:
    def hidden_region(
        cls: type, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue], properties: Any = None
    ) -> Region:
        return bodies.body(inputs, outputs, payload)

    return classmethod(hidden_region)  # pyright: ignore[reportUnknownVariableType]


_BODIES: dict[type[NamedOperation], bodies.Payload] = {
    AddOp: bodies.elementwise(arith.AddfOp, arith.AddiOp, arith.OrIOp),
    SubOp: bodies.elementwise(arith.SubfOp, arith.SubiOp),
    MulOp: bodies.elementwise(arith.MulfOp, arith.MuliOp, arith.AndIOp),
    MaxOp: bodies.elementwise(arith.MaximumfOp, arith.MaxSIOp),
    MinOp: bodies.elementwise(arith.MinimumfOp, arith.MinSIOp),
    ExpOp: bodies.elementwise(math.ExpOp),
    LogOp: bodies.elementwise(math.LogOp),
    SqrtOp: bodies.elementwise(math.SqrtOp),
    SelectOp: bodies.elementwise(arith.SelectOp, arith.SelectOp, arith.SelectOp),
    CopyOp: bodies.first,
    FillOp: bodies.first,
}
for _op, _payload in _BODIES.items():
    _region = _hidden_region(_payload)
    repair(
        _op,
        init=_default_init,
        hidden_region=_region,
        get_hidden_region=_region,
        parse=classmethod(text.parse_named),
        print=text.print_named,
        traits=(STRUCTURED_EFFECTS,),
    )
repair(CopyOp, properties={"cast": opt_prop_def(TypeFnAttr, default_value=SIGNED)})


def _verify_input(op: FillOp) -> None:
    if len(op.inputs) != 1 or len(op.outputs) != 1:
        raise VerifyException("fill has one input and one output")
    if isinstance(op.inputs[0].type, (TensorType, MemRefType)):
        raise VerifyException(f"input must be a scalar, got {op.inputs[0].type}")  # pyright: ignore[reportUnknownMemberType]


repair(FillOp, verify=lambda op: _verify_structured(op, _verify_input))

# --- contractions ----------------------------------------------------------------------


def _maps(rank: int, *operands: tuple[int, ...]) -> ArrayAttr[AffineMapAttr]:
    """Return indexing maps over `rank` loops; each operand is given by its loops."""
    dimensions = AffineMap.identity(rank).results
    return ArrayAttr(
        AffineMapAttr(AffineMap(rank, 0, tuple(dimensions[i] for i in loops))) for loops in operands
    )


def _contraction_region(
    cls: type, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue], properties: Any = None
) -> Region:
    unsigned = (properties or {}).get("cast") == UNSIGNED  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]

    def payload(block: Block, values: Sequence[SSAValue]) -> SSAValue:
        return bodies.multiply_and_add(block, values, unsigned=unsigned)  # pyright: ignore[reportUnknownArgumentType]

    return bodies.body(inputs, outputs, payload)


def _init_contraction(
    self: NamedOperation,
    inputs: Sequence[SSAValue],
    outputs: Sequence[SSAValue] = (),
    res: Sequence[Attribute] | None = None,
    attributes: dict[str, Attribute] | None = None,
    *,
    indexing_maps: ArrayAttr[AffineMapAttr] | None = None,
    cast: TypeFnAttr | None = None,
) -> None:
    properties: dict[str, Attribute | None] = {}
    if indexing_maps is not None:
        properties["indexing_maps"] = indexing_maps
    if cast is not None:
        properties["cast"] = cast
    IRDLOperation.__init__(
        self,
        operands=[inputs, outputs],
        result_types=[text.tensor_types(outputs) if res is None else res],
        properties=properties,
        attributes=attributes,
        regions=[_contraction_region(type(self), inputs, outputs, properties)],
    )


_CAST = opt_prop_def(TypeFnAttr, default_value=SIGNED)

repair(
    MatmulOp,
    properties={"cast": _CAST},
    init=_init_contraction,
    hidden_region=classmethod(_contraction_region),
    get_hidden_region=classmethod(_contraction_region),
    parse=classmethod(text.parse_named),
    print=text.print_named,
    traits=(STRUCTURED_EFFECTS,),
    verify=_verify_structured,
)


class ContractionOp(NamedOperation):
    """A sum of products over those loops that the output does not have."""

    ITERATORS: ClassVar[str] = ""
    """For each loop `p` for parallel or `r` for reduction."""
    MAPS: ClassVar[ArrayAttr[AffineMapAttr]] = ArrayAttr([])

    traits = traits_def(STRUCTURED_EFFECTS)

    __init__ = _init_contraction  # pyright: ignore[reportAssignmentType]

    hidden_region = classmethod(_contraction_region)  # pyright: ignore[reportUnknownVariableType]
    get_hidden_region = classmethod(_contraction_region)  # pyright: ignore[reportAssignmentType, reportUnknownVariableType]
    parse = classmethod(text.parse_named)  # pyright: ignore[reportAssignmentType]
    print = text.print_named

    def get_default_indexing_maps(self) -> Sequence[AffineMap]:
        return [m.data for m in self.get_indexing_maps()]

    def get_indexing_maps(self) -> ArrayAttr[AffineMapAttr]:
        found: Any = self.properties.get("indexing_maps")
        return self.MAPS if found is None else found

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        kinds = {"p": IteratorTypeAttr.parallel(), "r": IteratorTypeAttr.reduction()}
        return ArrayAttr(kinds[c] for c in self.ITERATORS)

    def verify_(self) -> None:
        _verify_structured(self)


@irdl_op_definition
class BatchMatmulOp(ContractionOp):
    """
    Matrix products of batches, `(B, M, K) x (B, K, N) -> (B, M, N)`, added to the output.

    ```mlir
    %r = linalg.batch_matmul ins(%a, %b : tensor<2x4x8xf32>, tensor<2x8x4xf32>)
      outs(%c : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    ```
    """

    name = "linalg.batch_matmul"

    MAPS: ClassVar = _maps(4, (0, 1, 3), (0, 3, 2), (0, 1, 2))
    ITERATORS: ClassVar = "pppr"

    indexing_maps = prop_def(ArrayAttr[AffineMapAttr], default_value=MAPS)
    cast = opt_prop_def(TypeFnAttr, default_value=SIGNED)


@irdl_op_definition
class MatvecOp(ContractionOp):
    """
    Matrix times vector, `(M, N) x (N) -> (M)`, added to the output.

    ```mlir
    %r = linalg.matvec ins(%a, %x : tensor<4x8xf32>, tensor<8xf32>)
      outs(%y : tensor<4xf32>) -> tensor<4xf32>
    ```
    """

    name = "linalg.matvec"

    MAPS: ClassVar = _maps(2, (0, 1), (1,), (0,))
    ITERATORS: ClassVar = "pr"


@irdl_op_definition
class VecmatOp(ContractionOp):
    """
    Vector times matrix, `(N) x (N, M) -> (M)`, added to the output.

    ```mlir
    %r = linalg.vecmat ins(%x, %a : tensor<8xf32>, tensor<8x4xf32>)
      outs(%y : tensor<4xf32>) -> tensor<4xf32>
    ```
    """

    name = "linalg.vecmat"

    MAPS: ClassVar = _maps(2, (1,), (1, 0), (0,))
    ITERATORS: ClassVar = "pr"


@irdl_op_definition
class DotOp(ContractionOp):
    """
    Inner product of two vectors, added to the output of rank 0.

    ```mlir
    %r = linalg.dot ins(%x, %y : tensor<8xf32>, tensor<8xf32>)
      outs(%s : tensor<f32>) -> tensor<f32>
    ```
    """

    name = "linalg.dot"

    MAPS: ClassVar = _maps(1, (0,), (0,), ())
    ITERATORS: ClassVar = "r"


@irdl_op_definition
class ContractOp(ContractionOp):
    """
    A contraction that its indexing maps define.

    ```mlir
    %r = linalg.contract indexing_maps = [#a, #b, #c]
      ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>)
      -> tensor<4x4xf32>
    ```
    """

    name = "linalg.contract"

    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    cast = opt_prop_def(TypeFnAttr, default_value=SIGNED)

    def get_iterator_types(self) -> ArrayAttr[IteratorTypeAttr]:
        *_, output = (m.data for m in self.indexing_maps)
        kept = {str(result) for result in output.results}
        return ArrayAttr(
            IteratorTypeAttr(IteratorType.PARALLEL if f"d{i}" in kept else IteratorType.REDUCTION)
            for i in range(output.num_dims)
        )


# --- elementwise named ops -------------------------------------------------------------


class NamedElementwiseOp(ElementwiseOperation):
    """The same scalar op on all elements of operands of one shape."""

    traits = traits_def(STRUCTURED_EFFECTS)

    __init__ = _default_init  # pyright: ignore[reportAssignmentType]

    parse = classmethod(text.parse_named)  # pyright: ignore[reportAssignmentType]
    print = text.print_named

    PAYLOAD: ClassVar[Any] = None

    @classmethod
    def hidden_region(
        cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue], properties: Any = None
    ) -> Region:
        return bodies.body(inputs, outputs, cls.PAYLOAD)

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        return cls.hidden_region(inputs, outputs)

    def verify_(self) -> None:
        _verify_structured(self)


def _elementwise(mnemonic: str, meaning: str, payload: bodies.Payload) -> type[NamedElementwiseOp]:
    title = "".join(part.capitalize() for part in mnemonic.split("_"))
    example = f"```mlir\n    linalg.{mnemonic} ins(...) outs(...)\n    ```"
    members: dict[str, Any] = {
        "name": f"linalg.{mnemonic}",
        "PAYLOAD": staticmethod(payload),
        "__doc__": f"{meaning}\n\n    {example}",
        "__module__": __name__,
        "__annotations__": {"PAYLOAD": ClassVar[Any]},
    }
    return irdl_op_definition(type(f"{title}Op", (NamedElementwiseOp,), members))


DivOp = _elementwise(
    "div", "Quotient, signed on integers.", bodies.elementwise(arith.DivfOp, arith.DivSIOp)
)
DivUnsignedOp = _elementwise(
    "div_unsigned", "Quotient of unsigned integers.", bodies.elementwise(None, arith.DivUIOp)
)
PowfOp = _elementwise(
    "powf", "First input to the power of the second.", bodies.elementwise(math.PowFOp)
)
AbsOp = _elementwise("abs", "Absolute value.", bodies.elementwise(math.AbsFOp))
CeilOp = _elementwise("ceil", "Rounded up.", bodies.elementwise(math.CeilOp))
FloorOp = _elementwise("floor", "Rounded down.", bodies.elementwise(math.FloorOp))
RoundOp = _elementwise("round", "Rounded, halves away from zero.", bodies.elementwise(math.RoundOp))
NegfOp = _elementwise("negf", "With the opposite sign.", bodies.elementwise(arith.NegfOp))
RsqrtOp = _elementwise("rsqrt", "One over the square root.", bodies.elementwise(math.RsqrtOp))
TanhOp = _elementwise("tanh", "Hyperbolic tangent.", bodies.elementwise(math.TanhOp))
ErfOp = _elementwise("erf", "Error function.", bodies.elementwise(math.ErfOp))
ReciprocalOp = _elementwise("reciprocal", "One over the input.", bodies.reciprocal)
SquareOp = _elementwise("square", "The input times itself.", bodies.square)

# --- reduce ----------------------------------------------------------------------------


def _sequence(values: SSAValue | Sequence[SSAValue]) -> Sequence[SSAValue]:
    return [values] if isinstance(values, SSAValue) else values


def _init_reduce(
    self: ReduceOp,
    inputs: SSAValue | Sequence[SSAValue],
    inits: SSAValue | Sequence[SSAValue],
    dimensions: Attribute,
    region: Region,
) -> None:
    inputs, inits = _sequence(inputs), _sequence(inits)
    IRDLOperation.__init__(
        self,
        operands=[inputs, inits],
        result_types=[text.tensor_types(inits)],
        properties={"dimensions": dimensions},
        regions=[region],
    )


def _parse_reduce(cls: type[ReduceOp], parser: Parser) -> ReduceOp:
    payload = text.parse_payload(parser)
    inputs, inits = text.parse_ins_and_outs(parser)
    dimensions = text.parse_dense(parser, "dimensions")
    attributes = parser.parse_optional_attr_dict()
    if payload is None:
        body = text.parse_body(parser)
    else:
        operands = [*inputs, *inits]
        body = text.body_of_payload(
            parser, payload, operands, YieldOp, init_first=True, maps_init=True
        )
    return cls.create(
        operands=[*inputs, *inits],
        result_types=text.tensor_types(inits),
        properties={"dimensions": dimensions},
        attributes=attributes,
        regions=[body],
    )


def _print_reduce(self: Any, printer: Printer) -> None:
    payload = text.payload_of(self.region.block, init_first=True, maps_init=True)
    if payload is not None:
        text.print_payload(printer, payload)
    text.print_ins_and_outs(printer, self.inputs, self.inits)
    text.print_dense(printer, "dimensions", self.dimensions)
    print_attributes(printer, self)
    if payload is None:
        text.print_body(printer, self.region)


def _verify_reduce(op: Any) -> None:
    if not op.inputs:
        raise VerifyException("reduce needs an input")
    shape = op.inputs[0].type.get_shape()
    dimensions: Sequence[int] = op.dimensions.get_values()
    if list(dimensions) != sorted(set(dimensions)):
        raise VerifyException("dimensions must be increasing")
    if any(not 0 <= d < len(shape) for d in dimensions):
        raise VerifyException(f"dimensions must be numbers of dimensions below {len(shape)}")
    kept = [extent for d, extent in enumerate(shape) if d not in dimensions]
    for index, (input, init) in enumerate(zip(op.inputs, op.inits, strict=True)):
        if tuple(input.type.get_shape()) != tuple(shape):
            raise VerifyException(f"inputs differ in shape: number {index} is {input.type}")
        if not same_dimensions(init.type.get_shape(), kept):
            raise VerifyException(
                f"init {index} of type {init.type} must have the dimensions that are left"
            )
    arguments = [element_or_self(v.type) for v in op.operands]
    if list(op.region.block.arg_types) != arguments:
        raise VerifyException("arguments of the body must be the elements of inputs and inits")
    _verify_results(op, op.inits)
    _verify_yield(op, op.region, op.inits)


def _redeclare_reduce() -> None:
    """One variadic input and init each, instead of one value each."""
    when_defined(ReduceOp, (), lambda: ReduceOp.get_irdl_definition().operands.clear())
    repair(
        ReduceOp,
        operands={"inputs": var_operand_def(SHAPED), "inits": var_operand_def(SHAPED)},
        options=(SameVariadicOperandSize(),),
        init=_init_reduce,
        parse=classmethod(_parse_reduce),
        print=_print_reduce,
        verify=_verify_reduce,
        traits=(BufferEffects(lambda op: op.operands, lambda op: op.inits),),
    )
    # What xDSL calls the operands of a reduction with one input.
    ReduceOp.input = property(lambda self: self.inputs[0])  # pyright: ignore[reportAttributeAccessIssue]
    ReduceOp.init = property(lambda self: self.inits[0])  # pyright: ignore[reportAttributeAccessIssue]


_redeclare_reduce()

# --- map, transpose, broadcast ---------------------------------------------------------


@irdl_op_definition
class MapOp(IRDLOperation):
    """
    A scalar computation on all elements of inputs and init of one shape.

    ```mlir
    %r = linalg.map { arith.addf } ins(%a, %b : tensor<4xf32>, tensor<4xf32>)
      outs(%i : tensor<4xf32>)
    ```
    """

    name = "linalg.map"

    inputs = var_operand_def(SHAPED)
    init = operand_def(SHAPED)
    res = var_result_def(base(TensorType) | base(UnrankedTensorType))
    mapper = region_def("single_block")

    traits = traits_def(BufferEffects(lambda op: op.inputs, lambda op: (op.init,)))

    def verify_(self) -> None:
        arguments = [element_or_self(v.type) for v in self.operands]
        if list(self.mapper.block.arg_types) != arguments:
            raise VerifyException("arguments of the mapper must be the elements of the operands")
        _verify_results(self, [self.init])
        _verify_yield(self, self.mapper, [self.init])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        payload = text.parse_payload(parser)
        inputs, outputs = text.parse_ins_and_outs(parser)
        attributes = parser.parse_optional_attr_dict()
        operands = [*inputs, *outputs]
        if payload is None:
            mapper = text.parse_body(parser)
            block = mapper.block
            if len(block.args) == len(inputs):
                # Up to LLVM 21 the mapper does not get the element of init.
                block.insert_arg(element_or_self(outputs[0].type), len(block.args))
        else:
            mapper = text.body_of_payload(
                parser, payload, operands, YieldOp, init_first=False, maps_init=False
            )
        return cls.create(
            operands=operands,
            result_types=text.tensor_types(outputs),
            attributes=attributes,
            regions=[mapper],
        )

    def print(self, printer: Printer) -> None:
        payload = text.payload_of(self.mapper.block, init_first=False, maps_init=False)
        if payload is not None:
            text.print_payload(printer, payload)
        text.print_ins_and_outs(printer, self.inputs, [self.init])
        print_attributes(printer, self)
        if payload is None:
            text.print_body(printer, self.mapper)


def _add_transposition_text(op: type[IRDLOperation], name: str, outputs: str) -> None:
    def parse(cls: type[IRDLOperation], parser: Parser) -> IRDLOperation:
        return text.parse_transposition(cls, parser, name)

    def print(self: IRDLOperation, printer: Printer) -> None:
        text.print_transposition(self, printer, name)

    repair(
        op,
        parse=classmethod(parse),
        print=print,
        traits=(BufferEffects(lambda op: op.operands[:1], lambda op: op.operands[1:]),),
    )


def _verify_transpose(op: TransposeOp) -> None:
    source: Any = op.inputs[0].type
    init: Any = op.outputs[0].type
    shape, target = source.get_shape(), init.get_shape()
    permutation = op.permutation.get_values()
    if sorted(permutation) != list(range(len(shape))):
        raise VerifyException(f"permutation must be one of {len(shape)} dimensions")
    if not same_dimensions([shape[p] for p in permutation], target):
        raise VerifyException(f"init {init} is not input {source} permuted")
    _verify_results(op, op.outputs)


def _verify_broadcast(op: BroadcastOp) -> None:
    source: Any = op.input.type
    init: Any = op.init.type
    added: Sequence[int] = op.dimensions.get_values()
    target = init.get_shape()
    if any(not 0 <= d < len(target) for d in added):
        raise VerifyException(f"dimensions must be numbers of dimensions below {len(target)}")
    kept = [extent for d, extent in enumerate(target) if d not in added]
    if not same_dimensions(source.get_shape(), kept):
        raise VerifyException(f"init {init} is not input {source} with dimensions added")
    _verify_results(op, [op.init])


_add_transposition_text(TransposeOp, "permutation", "outputs")
_add_transposition_text(BroadcastOp, "dimensions", "init")
repair(TransposeOp, verify=_verify_transpose)
repair(BroadcastOp, verify=_verify_broadcast)

LINALG = dialect_of(globals(), "linalg", Linalg)
