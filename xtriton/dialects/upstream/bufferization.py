"""
The `bufferization` dialect: where tensors become memory.

Repaired: destinations and tensors of any layout, `memory_space` of `alloc_tensor`,
effects; `dealloc` and `dealloc_tensor` are added.
"""

from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.bufferization import (
    AllocTensorOp as AllocTensorOp,
    Bufferization,
    CloneOp as CloneOp,
    MaterializeInDestinationOp as MaterializeInDestinationOp,
    ToBufferOp as ToBufferOp,
    ToTensorOp as ToTensorOp,
)
from xdsl.dialects.builtin import (
    MemRefType,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    i1,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrConstraint,
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, MemoryReadEffect, Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.effects import BufferEffects
from xtriton.dialects.upstream.memref import ANY_MEMREF
from xtriton.dialects.upstream.repair import repair
from xtriton.dialects.upstream.tensor import ANY_TENSOR
from xtriton.dialects.upstream.text import (
    parse_operands_in,
    print_values,
    segments,
)
from xtriton.dialects.upstream.types import element_of
from xtriton.dialects.utils.contents import dialect_of
from xtriton.ir.syntax import Syntax, TypeRule

if TYPE_CHECKING:
    from xtriton.ir.reading.format_parser import OpState

_UP_TO_LLVM_19 = (3, 1)
"""The last release of Triton whose MLIR wrote these ops without the result's type."""


def tensor_of(t: Attribute) -> Attribute:
    """Return the tensor type of a memref's content; its layout and memory space are lost."""
    match t:
        case MemRefType():
            return TensorType(t.element_type, t.shape)
        case UnrankedMemRefType():
            return UnrankedTensorType(t.element_type)
        case _:
            raise VerifyException(f"expected a memref, got {t}")


def _agree(a: Attribute, b: Attribute) -> bool:
    """Return whether a tensor or memref has the shape and element type of another."""
    shaped = (TensorType, MemRefType)
    if isinstance(a, shaped) and isinstance(b, shaped):
        pairs = zip(a.get_shape(), b.get_shape(), strict=False)
        if a.get_num_dims() != b.get_num_dims() or any(
            m != n and m >= 0 and n >= 0 for m, n in pairs
        ):
            return False
    return element_of(a) == element_of(b)


def _verify_to_buffer(op: ToBufferOp) -> None:
    if not _agree(op.memref.type, op.tensor.type):
        raise VerifyException(f"tensor {op.tensor.type} and memref {op.memref.type} do not agree")


def _verify_materialize(op: MaterializeInDestinationOp) -> None:
    source, dest = op.source.type, op.dest.type
    if not _agree(source, dest):
        raise VerifyException(f"source {source} and dest {dest} do not agree")
    in_memory = isinstance(dest, (MemRefType, UnrankedMemRefType))
    if in_memory != (op.result is None):
        raise VerifyException(f"there is a result exactly if dest is a tensor, dest is {dest}")
    if in_memory != (op.writable is not None):
        raise VerifyException("writable must be said of a memref, and of no tensor")
    if op.restrict is not None and not in_memory:
        raise VerifyException("restrict can only be said of a memref")


repair(
    ToTensorOp,
    syntax=Syntax(
        "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict"
        " `:` type($memref) `to` type($tensor)",
        older=(
            (
                _UP_TO_LLVM_19,
                "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict"
                " `:` type($memref)",
            ),
        ),
    ),
    types=(TypeRule("tensor", "memref", tensor_of),),
    operands={"memref": operand_def(ANY_MEMREF)},
    results={"tensor": result_def(ANY_TENSOR)},
)
repair(
    ToBufferOp,
    syntax="$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($memref)",
    operands={"tensor": operand_def(ANY_TENSOR)},
    results={"memref": result_def(ANY_MEMREF)},
    verify=_verify_to_buffer,
    traits=(Pure(),),
)
repair(
    MaterializeInDestinationOp,
    syntax="$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict"
    " `:` functional-type(operands, results)",
    operands={"source": operand_def(ANY_TENSOR), "dest": operand_def(ANY_TENSOR | ANY_MEMREF)},
    results={"result": opt_result_def(ANY_TENSOR)},
    verify=_verify_materialize,
    traits=(BufferEffects(reads=lambda op: (), writes=lambda op: (op.dest,)),),
)
repair(CloneOp, syntax="$input attr-dict `:` type($input) `to` type($output)")
repair(
    CloneOp,
    operands={"input": operand_def(ANY_MEMREF)},
    results={"output": result_def(ANY_MEMREF)},
    traits=(MemoryReadEffect(), MemoryAllocEffect()),
)

# --- alloc_tensor ----------------------------------------------------------------------


def _parse_alloc_tensor(cls: type[AllocTensorOp], parser: Parser) -> AllocTensorOp:
    from xdsl.dialects.builtin import IndexType

    sizes = parse_operands_in(parser, parser.Delimiter.PAREN)
    copy: UnresolvedOperand | None = None
    hint: UnresolvedOperand | None = None
    if parser.parse_optional_keyword("copy"):
        parser.parse_punctuation("(")
        copy = parser.parse_unresolved_operand()
        parser.parse_punctuation(")")
    if parser.parse_optional_keyword("size_hint"):
        parser.parse_punctuation("=")
        hint = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type = parser.parse_type()
    operands: list[SSAValue] = [parser.resolve_operand(size, IndexType()) for size in sizes]
    operands += [parser.resolve_operand(copy, type)] if copy is not None else []
    operands += [parser.resolve_operand(hint, IndexType())] if hint is not None else []
    properties = segments(len(sizes), copy is not None, hint is not None)
    if (space := attributes.pop("memory_space", None)) is not None:
        properties["memory_space"] = space
    return cls.create(
        operands=operands, result_types=[type], properties=properties, attributes=attributes
    )


def _print_alloc_tensor(self: AllocTensorOp, printer: Printer) -> None:
    printer.print_string("(")
    print_values(printer, self.dynamic_sizes)
    printer.print_string(")")
    if self.copy is not None:
        printer.print_string(" copy(")
        printer.print_ssa_value(self.copy)
        printer.print_string(")")
    if self.size_hint is not None:
        printer.print_string(" size_hint=")
        printer.print_ssa_value(self.size_hint)
    space = self.properties.get("memory_space")
    attributes = {**self.attributes, **({"memory_space": space} if space is not None else {})}
    if attributes:
        printer.print_op_attributes(attributes)
    printer.print_string(" : ")
    printer.print_attribute(self.tensor.type)


repair(
    AllocTensorOp,
    properties={"memory_space": opt_prop_def()},
    parse=classmethod(_parse_alloc_tensor),
    print=_print_alloc_tensor,
)

# --- dealloc ---------------------------------------------------------------------------

_MEMREFS: AttrConstraint = base(MemRefType) | base(UnrankedMemRefType)


class Retained:
    """The types of the retained buffers, for each of which there is a result."""

    def parse(self, parser: Parser, state: "OpState", *arguments: str) -> None:
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        state.types["retained"] = list(types)
        state.types["updated_conditions"] = [i1] * len(types)

    def print(self, printer: Printer, op: "DeallocOp", *arguments: str) -> None:
        printer.print_list(op.retained.types, printer.print_attribute)


@irdl_op_definition
class DeallocOp(IRDLOperation):
    """
    Free those buffers whose condition holds and that are not among the retained.

    The results say which of the retained buffers the caller now owns.

    ```mlir
    %owned = bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%b : memref<4xf32>)
    ```
    """

    name = "bufferization.dealloc"

    memrefs = var_operand_def(_MEMREFS)
    conditions = var_operand_def(i1)
    retained = var_operand_def(_MEMREFS)
    updated_conditions = var_result_def(i1)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    SYNTAX: ClassVar = Syntax(
        "(` ` `(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)?"
        " (`retain` ` ` `(` $retained^ `:` custom<Retained>(type($retained)) `)`)? attr-dict"
    )
    DIRECTIVES: ClassVar = {"Retained": Retained()}

    def verify_(self) -> None:
        if len(self.memrefs) != len(self.conditions):
            raise VerifyException("memrefs and conditions differ in number")
        if len(self.retained) != len(self.results):
            raise VerifyException("retained and updated_conditions differ in number")


@irdl_op_definition
class DeallocTensorOp(IRDLOperation):
    """
    Free the buffer that a tensor became.

    ```mlir
    bufferization.dealloc_tensor %t : tensor<4xf32>
    ```
    """

    name = "bufferization.dealloc_tensor"

    tensor = operand_def(ANY_TENSOR)

    SYNTAX: ClassVar = Syntax("$tensor attr-dict `:` type($tensor)")


BUFFERIZATION = dialect_of(globals(), "bufferization", Bufferization)
