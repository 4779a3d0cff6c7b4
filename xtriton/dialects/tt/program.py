"""
Ops that ask for the program's place in the grid, make ranges, and talk to the outside.

Upstream: "SPMD Ops", "Make Range Op", "Print Op", "Assert Op" and the two grid dependency
ops of `TritonOps.td`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import (
    StringAttr,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    BoolValue,
    EnumValue,
    I32Array,
    I32Value,
    TT_BoolLike,
    TT_IntTensor,
    TT_Type,
    i32_attr,
)
from xtriton.dialects.tt.enums import ProgramIDDim
from xtriton.dialects.tt.hooks import Folds
from xtriton.dialects.tt.traits import TENSOR_TRAITS, GlobalEffects
from xtriton.dialects.utils.constants import filled
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, early_rules

if TYPE_CHECKING:
    from xtriton.ir.reading.format_parser import OpState

LAST_VERSION_OF_ASSERTED_LINES: Version = (3, 1)

_NOWHERE = StringAttr("")


class _OfGrid(IRDLOperation):
    """A number of the launch grid along an axis."""

    axis = prop_def(EnumValue(ProgramIDDim))
    result = result_def(i32)

    traits = traits_def(*TENSOR_TRAITS, Pure())
    SYNTAX: ClassVar = Syntax("$axis attr-dict `:` type($result)")
    ENUMS: ClassVar = {"axis": ProgramIDDim}

    def __init__(self, axis: ProgramIDDim | int = ProgramIDDim.x):
        super().__init__(result_types=[i32], properties={"axis": i32_attr(axis)})


@irdl_op_definition
class GetProgramIdOp(_OfGrid):
    """
    The position of this program in the launch grid along an axis.

    Upstream `TT_GetProgramIdOp`.

    ```mlir
    %pid = tt.get_program_id x : i32
    ```
    """

    name = "tt.get_program_id"


@irdl_op_definition
class GetNumProgramsOp(_OfGrid):
    """
    The size of the launch grid along an axis.

    Upstream `TT_GetNumProgramsOp`.

    ```mlir
    %n = tt.get_num_programs x : i32
    ```
    """

    name = "tt.get_num_programs"


@irdl_op_definition
class MakeRangeOp(IRDLOperation):
    """
    The integers from `start` up to, not including, `end`.

    Upstream `TT_MakeRangeOp`.

    ```mlir
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    ```

    Shapes: one dimension of size `end - start`.
    """

    name = "tt.make_range"

    start = prop_def(I32Value)
    end = prop_def(I32Value)
    result = result_def(TT_IntTensor)

    traits = traits_def(*TENSOR_TRAITS, Pure(), Folds())
    SYNTAX: ClassVar = Syntax("attr-dict `:` type($result)")

    def __init__(self, start: int, end: int, encoding: Attribute | None = None):
        encodings = () if encoding is None else (encoding,)
        super().__init__(
            result_types=[TensorType(i32, [end - start], *encodings)],
            properties={"start": i32_attr(start), "end": i32_attr(end)},
        )

    def fold(self) -> Sequence[SSAValue | Attribute] | None:
        """A range of one element is a constant."""
        start = self.start.value.data
        if start + 1 != self.end.value.data:
            return None
        return (filled(self.result.type, start),)

    def verify_(self) -> None:
        start, end = self.start.value.data, self.end.value.data
        type = self.result.type
        assert is_tensor(type)
        if start > end or (start == end and not early_rules()):
            or_equal = "or equal to " if early_rules() else ""
            raise VerifyException(f"start must be less than {or_equal}end")
        if type.get_num_dims() != 1:
            raise VerifyException("return type must be a 1D tensor")
        if end - start != type.get_shape()[0]:
            raise VerifyException(
                f"number of elements in returned tensor, {type.get_shape()[0]}, must match "
                f"size of range [{start}, {end}), which has {end - start} elements"
            )
        if type.element_type != i32:
            raise VerifyException("returned tensor must have i32 elements")


@irdl_op_definition
class PrintOp(IRDLOperation):
    """
    Print a prefix and any number of values from each program.

    `hex` prints integers in hexadecimal; `isSigned` says for each value whether it is
    (1) or not (0). Upstream `TT_PrintOp`.

    ```mlir
    tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %x : tensor<8xi32>
    ```
    """

    name = "tt.print"

    prefix = prop_def(StringAttr)
    hex = prop_def(BoolValue)
    args = var_operand_def(TT_Type)
    isSigned = prop_def(I32Array)

    traits = traits_def(*TENSOR_TRAITS, GlobalEffects(write=""))
    SYNTAX: ClassVar = Syntax("$prefix attr-dict (`:` $args^ `:` type($args))?")


class SourceLine:
    """Where a `tt.assert` stands, as Triton 3.1 writes it: `"file", "function", line`."""

    def parse(self, parser: Parser, state: "OpState", *arguments: str) -> None:
        file, function, line = arguments
        state.attributes[file] = StringAttr(parser.parse_str_literal())
        parser.parse_punctuation(",")
        state.attributes[function] = StringAttr(parser.parse_str_literal())
        parser.parse_punctuation(",")
        state.attributes[line] = i32_attr(parser.parse_integer())

    def print(self, printer: Printer, op: "AssertOp", *arguments: str) -> None:
        for value in (op.file, op.func):
            printer.print_string_literal("" if value is None else value.data)
            printer.print_string(", ")
        printer.print_string(str(0 if op.line is None else op.line.value.data))


@irdl_op_definition
class AssertOp(IRDLOperation):
    """
    Print a message and stop the program where a condition is false.

    `file`, `func` and `line` are Triton 3.1's; later releases take them from the location.
    Upstream `TT_AssertOp`.

    ```mlir
    tt.assert %cond, "index out of bounds" : tensor<8xi1>
    ```
    """

    name = "tt.assert"

    condition = operand_def(TT_BoolLike)
    message = prop_def(StringAttr)
    file = opt_prop_def(StringAttr)
    func = opt_prop_def(StringAttr)
    line = opt_prop_def(I32Value)

    traits = traits_def(*TENSOR_TRAITS, GlobalEffects(write=""))
    SYNTAX: ClassVar = Syntax(
        "$condition `,` $message attr-dict `:` type($condition)",
        older=(
            (
                LAST_VERSION_OF_ASSERTED_LINES,
                "$condition `,` $message `,` custom<SourceLine>($file, $func, $line) "
                "attr-dict `:` type($condition)",
            ),
        ),
    )
    DIRECTIVES: ClassVar = {"SourceLine": SourceLine()}

    def unsayable_in(self, version: Version) -> str | None:
        """Triton 3.1 asserts tensors of conditions only."""
        scalar = not is_tensor(self.condition.type)
        return "scalar condition" if scalar and version <= LAST_VERSION_OF_ASSERTED_LINES else None

    def encode_attributes(self, version: Version) -> dict[str, Attribute]:
        """Return the attributes as `version` writes them."""
        encoded = self.properties | self.attributes
        if version > LAST_VERSION_OF_ASSERTED_LINES:
            for name in ("file", "func", "line"):
                encoded.pop(name, None)
        else:
            encoded = {"file": _NOWHERE, "func": _NOWHERE, "line": i32_attr(0), **encoded}
        return encoded


@irdl_op_definition
class GridDependencyWaitOp(IRDLOperation):
    """
    Wait for the grids that this one depends on and see what they wrote.

    Upstream `TT_GridDependencyWaitOp`, since Triton 3.9.

    ```mlir
    tt.grid_dependency_wait
    ```
    """

    name = "tt.grid_dependency_wait"

    traits = traits_def(*TENSOR_TRAITS, GlobalEffects(read="", write=""))
    SYNTAX: ClassVar = Syntax("attr-dict", since=(3, 9))


@irdl_op_definition
class GridDependencyLaunchDependentsOp(IRDLOperation):
    """
    Let the grids that depend on this one begin.

    Upstream `TT_GridDependencyLaunchDependentsOp`, since Triton 3.9.

    ```mlir
    tt.grid_dependency_launch_dependents
    ```
    """

    name = "tt.grid_dependency_launch_dependents"

    traits = traits_def(*TENSOR_TRAITS, GlobalEffects(write=""))
    SYNTAX: ClassVar = Syntax("attr-dict", since=(3, 9))
