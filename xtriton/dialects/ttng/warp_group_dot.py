"""
Products of a warp group (Hopper), and waiting for them.

Upstream: `TritonNvidiaGPUOps.td`.
"""

from typing import Any, ClassVar

from xdsl.dialects.builtin import (
    Float8E4M3FNType,
    Float8E5M2Type,
    TensorType,
    UnitAttr,
    f32,
    i1,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    FALSE,
    TRUE,
    BoolValue,
    EnumValue,
    I32Value,
    TT_FpIntTensor,
    TypeClass,
    i32_attr,
)
from xtriton.dialects.tt.dot import verify_dot_shapes
from xtriton.dialects.tt.enums import InputPrecision
from xtriton.dialects.ttg.async_copy import AnyEffects
from xtriton.dialects.ttg.constraints import GPU_TRAITS, shape_of_any
from xtriton.dialects.ttg.context import launch_context
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttg.linear_shared import SharedLinearEncodingAttr
from xtriton.dialects.ttg.mma import NvidiaMmaEncodingAttr
from xtriton.dialects.ttg.parameters import read_only_in
from xtriton.dialects.ttg.shared import NVMMASharedEncodingAttr
from xtriton.dialects.ttg.types import MemDescType, element_bits
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.errors import UserError
from xtriton.ir.syntax import Syntax, same_type
from xtriton.ir.versions import Version, early_rules, release
from xtriton.layouts.shaping import shape_per_cta

TensorOrMemDesc = TypeClass(
    "ranked tensor or memory descriptor", lambda t: isinstance(t, TensorType | MemDescType)
)


_LAST_RELEASE_OF_ANY_OPERANDS: Version = (3, 5)


def _parse_as(cls: type[Operation], parser: Any) -> Operation:
    """Read what Triton 3.1 had another name for by the format of `cls`."""
    # Here, since the parser imports the dialects' base.
    from xtriton.ir.op_plan import plan_of
    from xtriton.ir.reading.format_parser import parse_by_format

    plan = plan_of(cls)
    assert plan is not None
    op = parse_by_format(parser, plan, parser._current_token.span)
    read_only_in(parser, (3, 1))
    return op


_DOT = "$a `,` $b `,` $c (`,` $useC^)? "

_DOT_TYPES = " `:` type($a) `*` type($b) `->` type($d)"


class WithDefaultsDirective:
    """`custom<WithDefaults>(...)`: the attributes of `dot_async`, defaults written out."""

    def parse(self, parser: Any, state: Any, _: str) -> None:
        state.attributes.update(parser.parse_optional_attr_dict())

    def print(self, printer: Any, op: Operation, _: str) -> None:
        assert isinstance(op, WarpGroupDotOp)
        encoded = op.encode_attributes(printer.version)
        encoded.pop("operandSegmentSizes", None)
        printer.print_attr_dict(encoded)


class _Product(IRDLOperation):
    """Operands and result of a product, whatever a release calls it."""

    a = operand_def(TensorOrMemDesc)
    b = operand_def(TensorOrMemDesc)
    c = operand_def(TT_FpIntTensor)
    useC = opt_operand_def(i1)
    inputPrecision = prop_def(
        EnumValue(InputPrecision), default_value=i32_attr(InputPrecision.ieee)
    )
    maxNumImpreciseAcc = prop_def(I32Value, default_value=i32_attr(0))
    d = result_def(TT_FpIntTensor)


@irdl_op_definition
class WarpGroupDotOp(_Product):
    """
    `d = a · b + c` by the warps of warp groups together, `a` and `b` in shared memory.

    `a` may be in registers. `useC` false takes c as zero. With `isAsync` the result is there
    after `ttng.warp_group_dot_wait`. Upstream `TTNG_WarpGroupDotOp`; in Triton 3.1 it was
    called `triton_nvidia_gpu.dot_async`.

    ```mlir
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x32xf16, #shared, #smem> * !ttg.memdesc<32x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
    ```

    Shapes: M×K times K×N, c and result M×N.
    """

    name = "ttng.warp_group_dot"

    isAsync = prop_def(BoolValue, default_value=FALSE)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        _DOT + "attr-dict" + _DOT_TYPES,
        # Triton 3.1 had no defaults here, and no condition.
        older=(
            ((3, 1), "$a `,` $b `,` $c " + "custom<WithDefaults>($inputPrecision)" + _DOT_TYPES),
        ),
    )
    TYPES: ClassVar = same_type("c", "d")
    DIRECTIVES: ClassVar = {"WithDefaults": WithDefaultsDirective()}

    def text_name(self, version: Version) -> str:
        """Return the name that `version` has for this."""
        return "ttng.dot_async" if version == (3, 1) else self.name

    def encode_attributes(self, version: Version) -> dict[str, Attribute]:
        """Return the attributes as `version` writes them: in 3.1 all were asynchronous."""
        encoded = self.properties | self.attributes
        if version <= (3, 1) and encoded.pop("isAsync") != TRUE:
            raise UserError(f"'{self.name}' of Triton 3.1 is always asynchronous")
        return encoded

    def verify_(self) -> None:
        if not early_rules():
            a, b, c = (shape_of_any(value.type) for value in (self.a, self.b, self.c))
            verify_dot_shapes(a, b, c)
        assert is_tensor(self.d.type)
        encoding = self.d.type.encoding
        if not isinstance(encoding, NvidiaMmaEncodingAttr) or encoding.version_major != 3:
            raise VerifyException("WGMMA result layout must be Hopper NVMMA")
        if release() > _LAST_RELEASE_OF_ANY_OPERANDS:
            self._verify_operands(shape_per_cta(encoding.cga.block_bases, self.d.type.get_shape()))
        if is_tensor(self.a.type) and not early_rules():
            wanted = 32 // max(element_bits(self.a.type.element_type), 1)
            width = getattr(self.a.type.encoding, "k_width", wanted)
            if width != wanted:
                raise VerifyException(
                    f"in-register LHS operand must have a kWidth of {wanted} but got {width}"
                )

    def _verify_operands(self, part: tuple[int, ...]) -> None:
        """Check the operands' layouts, and the shape that a CTA has of the result."""
        shared = NVMMASharedEncodingAttr | SharedLinearEncodingAttr
        a: Any = self.a.type
        b: Any = self.b.type
        d: Any = self.d.type
        if not isinstance(a.encoding, shared | DotOperandEncodingAttr):
            raise VerifyException("WGMMA A operand must have NVMMA shared or dot layout")
        if not isinstance(b.encoding, shared):
            raise VerifyException("WGMMA B operand must have NVMMA shared layout")
        if (launch_context(self).num_warps or 4) % 4:
            raise VerifyException("WGMMA requires num_warps to be divisible by 4")
        if len(part) != 2:
            raise VerifyException("WGMMA result shape must be 2D")
        if part[0] % 64:
            raise VerifyException("WGMMA result M dimension must be divisible by 64")
        if part[1] % 8:
            raise VerifyException("WGMMA result N dimension must be divisible by 8")
        is_fp8 = isinstance(a.element_type, Float8E5M2Type | Float8E4M3FNType)
        imprecise = self.maxNumImpreciseAcc.value.data < 32
        if is_fp8 and imprecise and d.element_type == f32:
            raise VerifyException(
                "Cannot use F32 as the accumulator element type when the max_num_imprecise_acc is "
                "less than 32"
            )


@irdl_op_definition
class DotAsyncOp(_Product):
    """
    `triton_nvidia_gpu.dot_async` of Triton 3.1; read as `ttng.warp_group_dot`.

    ```mlir
    %d = triton_nvidia_gpu.dot_async %a, %b, %c {inputPrecision = 0 : i32} : !tt.memdesc<64x32xf16, #shared> * !tt.memdesc<32x64xf16, #shared1> -> tensor<64x64xf32, #mma>
    ```
    """

    name = "ttng.dot_async"
    UNTIL: ClassVar[Version] = (3, 1)

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        op = _parse_as(WarpGroupDotOp, parser)
        op.properties["isAsync"] = TRUE
        return op

    @classmethod
    def create(cls, *args: Any, **kwargs: Any) -> Any:
        """Return the op of today; 3.1 knew no synchronous one."""
        properties = {**kwargs.get("properties", {}), "isAsync": TRUE}
        return WarpGroupDotOp.create(*args, **{**kwargs, "properties": properties})


class PassThroughDirective:
    """`custom<PassThrough>(type($inputs), type($outputs))`: types, written once for both."""

    def parse(self, parser: Any, state: Any, inputs: str, outputs: str) -> None:
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        state.types[inputs.removeprefix("type:")] = types
        state.types[outputs.removeprefix("type:")] = list(types)

    def print(self, printer: Any, op: Operation, inputs: str, outputs: str) -> None:
        values = getattr(op, inputs.removeprefix("type:"))
        printer.print_list([value.type for value in values], printer.print_attribute)


@irdl_op_definition
class WarpGroupDotWaitOp(IRDLOperation):
    """
    Wait until at most `pendings` warp-group multiplications are under way.

    The inputs are passed through: results that are ready then, and buffers that must live
    until then. Upstream `TTNG_WarpGroupDotWaitOp`; `dot_wait` in Triton 3.1.

    ```mlir
    %d:2 = ttng.warp_group_dot_wait %c, %a {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x32xf16, #shared, #smem>
    ```
    """

    name = "ttng.warp_group_dot_wait"

    inputs = var_operand_def(TensorOrMemDesc)
    pendings = prop_def(I32Value)
    warpGroupLocal = opt_prop_def(UnitAttr)
    outputs = var_result_def(TensorOrMemDesc)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "$inputs attr-dict `:` custom<PassThrough>(type($inputs), type($outputs))",
        attributes_since={"warpGroupLocal": (3, 9)},
    )
    DIRECTIVES: ClassVar = {"PassThrough": PassThroughDirective()}

    def text_name(self, version: Version) -> str:
        """Return the name that `version` has for this."""
        return "ttng.dot_wait" if version == (3, 1) else self.name

    def verify_(self) -> None:
        if not self.operands:
            raise VerifyException("expected to be waiting on at least one dependency")
        if list(self.operand_types) != list(self.result_types):
            raise VerifyException("'inputs' and 'outputs' must have the same types")


@irdl_op_definition
class DotWaitOp(IRDLOperation):
    """
    `triton_nvidia_gpu.dot_wait` of Triton 3.1; read as `ttng.warp_group_dot_wait`.

    ```mlir
    %d = triton_nvidia_gpu.dot_wait %c {pendings = 0 : i32} : tensor<64x64xf32, #mma>
    ```
    """

    name = "ttng.dot_wait"
    UNTIL: ClassVar[Version] = (3, 1)

    inputs = var_operand_def(TensorOrMemDesc)
    pendings = prop_def(I32Value)
    outputs = var_result_def(TensorOrMemDesc)

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        return _parse_as(WarpGroupDotWaitOp, parser)

    @classmethod
    def create(cls, *args: Any, **kwargs: Any) -> Any:
        """Return the op of today."""
        return WarpGroupDotWaitOp.create(*args, **kwargs)
