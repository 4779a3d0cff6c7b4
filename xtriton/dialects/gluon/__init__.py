"""
The `gluon` dialect: tensors whose layout is still to be inferred.

Upstream: `include/triton/Dialect/Gluon/IR`. Since Triton 3.5.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import NoneAttr, TensorType
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import TT_Tensor
from xtriton.dialects.tt.interfaces import TensorLayout
from xtriton.dialects.tt.traits import (
    SameOperandsAndResultElementType,
    SameOperandsAndResultShape,
)
from xtriton.dialects.utils.contents import dialect_of
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version


class _OpenEncoding(ParametrizedAttribute, TensorLayout):
    """An encoding without parameters that stands for one to be found."""

    def infer_trans(self, shape: Sequence[int], order: Sequence[int]) -> Attribute:
        return self

    def infer_reduce(self, axis: int) -> Attribute:
        return self

    def infer_expand_dims(self, axis: int) -> Attribute:
        return self

    def infer_reshape(
        self, source: Sequence[int], target: Sequence[int], allow_reorder: bool
    ) -> Attribute:
        return self

    def infer_join(self, shape: Sequence[int]) -> Attribute:
        return self

    def infer_split(self, shape: Sequence[int]) -> Attribute:
        return self

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return ()

    def print_parameters(self, printer: Printer) -> None:
        return


@irdl_attr_definition
class AutoEncodingAttr(_OpenEncoding):
    """
    A layout that is inferred from the uses. Upstream `AutoEncodingAttr`.

    ```mlir
    #gluon.auto_encoding
    ```
    """

    name = "gluon.auto_encoding"
    SINCE: ClassVar[Version] = (3, 5)


@irdl_attr_definition
class CoalescedEncodingAttr(_OpenEncoding):
    """
    A layout that is chosen for coalesced accesses. Upstream `CoalescedEncodingAttr`.

    ```mlir
    #gluon.coalesced_encoding
    ```
    """

    name = "gluon.coalesced_encoding"
    SINCE: ClassVar[Version] = (3, 6)


@irdl_op_definition
class SetAutoLayoutOp(IRDLOperation):
    """
    Give a tensor whose layout was left open the layout of the result.

    Upstream `Gluon_SetAutoLayoutOp`.

    ```mlir
    %y = gluon.set_auto_layout %x : tensor<64xf32, #gluon.auto_encoding> -> tensor<64xf32, #blocked>
    ```

    Shapes: operand and result have the same.
    """

    name = "gluon.set_auto_layout"

    src = operand_def(TT_Tensor)
    result = result_def(TT_Tensor)

    traits = traits_def(SameOperandsAndResultShape(), SameOperandsAndResultElementType())

    SYNTAX: ClassVar = Syntax("$src attr-dict `:` type($src) `->` type($result)", since=(3, 5))

    def verify_(self) -> None:
        source, result = self.src.type, self.result.type
        assert isinstance(source, TensorType) and isinstance(result, TensorType)
        if not isinstance(source.encoding, AutoEncodingAttr):
            raise VerifyException("input tensor must have an auto layout type")
        if isinstance(result.encoding, NoneAttr):
            raise VerifyException("result tensor must have an encoding")
        if isinstance(result.encoding, AutoEncodingAttr):
            raise VerifyException("result type must not be auto layout")


GLUON = dialect_of(globals(), "gluon")
