"""
Matrix multiplications of warp groups (Hopper) and of tensor memory (Blackwell).

Upstream: `TritonNvidiaGPUOps.td`, `Ops.cpp`.
"""

from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType, UnitAttr, i1
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
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
from xtriton.dialects.tt.enums import InputPrecision, ScaleDotElemType
from xtriton.dialects.ttg.async_copy import AnyEffects
from xtriton.dialects.ttg.constraints import GPU_TRAITS
from xtriton.dialects.ttg.mma import NvidiaMmaEncodingAttr
from xtriton.dialects.ttg.parameters import read_only_in
from xtriton.dialects.ttg.types import AsyncTokenType, MemDescType, element_bits
from xtriton.dialects.ttng.accumulators import verify_element_types
from xtriton.dialects.ttng.barriers import verify_barrier
from xtriton.dialects.ttng.cluster_checks import cluster_rules, verify_completion_barrier
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.errors import UserError
from xtriton.ir.syntax import Syntax, TypeRule
from xtriton.ir.versions import Version, early_rules

TensorOrMemDesc = TypeClass(
    "ranked tensor or memory descriptor", lambda t: isinstance(t, TensorType | MemDescType)
)


def _same(type: Attribute) -> Attribute:
    return type


def _parse_as(cls: type[Operation], parser: Any) -> Operation:
    """Read what Triton 3.1 had another name for by the format of `cls`."""
    # Here, since the parser imports the dialects' base.
    from xtriton.ir.format_parser import parse_by_format
    from xtriton.ir.op_plan import plan_of

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


@irdl_op_definition
class WarpGroupDotOp(IRDLOperation):
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

    a = operand_def(TensorOrMemDesc)
    b = operand_def(TensorOrMemDesc)
    c = operand_def(TT_FpIntTensor)
    useC = opt_operand_def(i1)
    inputPrecision = prop_def(
        EnumValue(InputPrecision), default_value=i32_attr(InputPrecision.ieee)
    )
    maxNumImpreciseAcc = prop_def(I32Value, default_value=i32_attr(0))
    isAsync = prop_def(BoolValue, default_value=FALSE)
    d = result_def(TT_FpIntTensor)

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        _DOT + "attr-dict" + _DOT_TYPES,
        # Triton 3.1 had no defaults here, and no condition.
        older=(
            ((3, 1), "$a `,` $b `,` $c " + "custom<WithDefaults>($inputPrecision)" + _DOT_TYPES),
        ),
    )
    TYPES: ClassVar = (TypeRule("c", "d", _same), TypeRule("d", "c", _same))
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
        assert is_tensor(self.d.type)
        encoding = self.d.type.encoding
        if not isinstance(encoding, NvidiaMmaEncodingAttr) or encoding.version_major != 3:
            raise VerifyException("WGMMA result layout must be Hopper NVMMA")
        if len(self.d.type.get_shape()) != 2:
            raise VerifyException("WGMMA result shape must be 2D")
        if is_tensor(self.a.type) and not early_rules():
            wanted = 32 // max(element_bits(self.a.type.element_type), 1)
            width = getattr(self.a.type.encoding, "k_width", wanted)
            if width != wanted:
                raise VerifyException(
                    f"in-register LHS operand must have a kWidth of {wanted} but got {width}"
                )


@irdl_op_definition
class DotAsyncOp(IRDLOperation):
    """
    `triton_nvidia_gpu.dot_async` of Triton 3.1; read as `ttng.warp_group_dot`.

    ```mlir
    %d = triton_nvidia_gpu.dot_async %a, %b, %c {inputPrecision = 0 : i32} : !tt.memdesc<64x32xf16, #shared> * !tt.memdesc<32x64xf16, #shared1> -> tensor<64x64xf32, #mma>
    ```
    """

    name = "ttng.dot_async"
    UNTIL: ClassVar[Version] = (3, 1)

    a = operand_def(TensorOrMemDesc)
    b = operand_def(TensorOrMemDesc)
    c = operand_def(TT_FpIntTensor)
    useC = opt_operand_def(i1)
    inputPrecision = prop_def(
        EnumValue(InputPrecision), default_value=i32_attr(InputPrecision.ieee)
    )
    maxNumImpreciseAcc = prop_def(I32Value, default_value=i32_attr(0))
    d = result_def(TT_FpIntTensor)

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


class TokenDirective:
    """`custom<Token>($dep, type($token))`: `[]` for a token, `[%dep]` with a dependency."""

    def parse(self, parser: Any, state: Any, dep: str, token: str) -> None:
        result = token.removeprefix("type:")
        if parser.parse_optional_punctuation("[") is None:
            state.types[result] = []
            return
        state.types[result] = [AsyncTokenType()]
        if parser.parse_optional_punctuation("]") is None:
            state.operands[dep] = [parser.parse_unresolved_operand()]
            parser.parse_punctuation("]")

    def print(self, printer: Any, op: Operation, dep: str, token: str) -> None:
        if getattr(op, token.removeprefix("type:")) is None:
            return
        printer.print_string("[")
        if (value := getattr(op, dep)) is not None:
            printer.print_operand(value)
        printer.print_string("]")


class BarriersAndPredsDirective:
    """`custom<BarriersAndPreds>($barriers, $preds)`: `, %barrier[%pred]`, repeated."""

    def parse(self, parser: Any, state: Any, barriers: str, preds: str) -> None:
        found: tuple[list[Any], list[Any]] = ([], [])
        while parser.parse_optional_punctuation(",") is not None:
            found[0].append(parser.parse_unresolved_operand())
            parser.parse_punctuation("[")
            found[1].append(parser.parse_unresolved_operand())
            parser.parse_punctuation("]")
        state.operands[barriers], state.operands[preds] = found

    def print(self, printer: Any, op: Operation, barriers: str, preds: str) -> None:
        for barrier, pred in zip(getattr(op, barriers), getattr(op, preds), strict=True):
            printer.print_string(", ")
            printer.print_operand(barrier)
            printer.print_string("[")
            printer.print_operand(pred)
            printer.print_string("]")


LAST_VERSION_OF_LISTED_OPERANDS: Version = (3, 3)
"""Up to here the products of Blackwell are written with the types of all operands."""


def _unsayable_in(op: Any, version: Version) -> str | None:
    if version <= LAST_VERSION_OF_LISTED_OPERANDS:
        return "token" if op.token is not None else None
    # Text of 3.3 gives a barrier no predicate; a value to stand for it would have to be made.
    return "barrier without predicate" if len(op.barriers) != len(op.barrier_preds) else None


_DIRECTIVES = {"Token": TokenDirective(), "BarriersAndPreds": BarriersAndPredsDirective()}
_BARRIERS = "`` custom<BarriersAndPreds>($barriers, $barrier_preds) attr-dict `:` "


def _verify_completion(op: Any) -> None:
    # Up to Triton 3.4 barriers alone make the op asynchronous.
    if op.barriers and op.is_async is None and cluster_rules():
        raise VerifyException("The op is synchronous but a barrier is present.")
    for barrier in op.barriers:
        if not isinstance(barrier.type, MemDescType):
            raise VerifyException("'barriers' must be barrier allocations")
        verify_completion_barrier(op, barrier)


@irdl_op_definition
class TCGen5MMAOp(IRDLOperation):
    """
    `d = a · b + d` in tensor memory, `a` and `b` in shared memory (`a` also in tensor memory).

    `useD` false takes d as zero; nothing happens unless `pred`. `barriers` are told of the
    end where their predicate holds. Upstream `TTNG_TCGen5MMAOp`.

    ```mlir
    %t = ttng.tc_gen5_mma %a, %b, %d[%dep], %useD, %pred, %bar[%p] {is_async} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ```

    Shapes: M×K times K×N, d M×N.
    """

    name = "ttng.tc_gen5_mma"

    a = operand_def(MemDescType)
    b = operand_def(MemDescType)
    d = operand_def(MemDescType)
    acc_dep = opt_operand_def(AsyncTokenType())
    useD = operand_def(i1)
    pred = operand_def(i1)
    barriers = var_operand_def(MemDescType)
    barrier_preds = var_operand_def(i1)
    is_async = opt_prop_def(UnitAttr)
    two_ctas = opt_prop_def(UnitAttr)
    multicast = opt_prop_def(UnitAttr)
    is_unsigned = opt_prop_def(UnitAttr)
    token = opt_result_def(AsyncTokenType())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "$a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $useD `,` $pred "
        + _BARRIERS
        + "qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d)) "
        "(`,` qualified(type($barriers))^)?",
        older=(
            (
                LAST_VERSION_OF_LISTED_OPERANDS,
                "$a `,` $b `,` $d `,` $useD `,` $pred (`,` $barriers^)? attr-dict `:` "
                "functional-type(operands, results)",
            ),
        ),
        since=(3, 3),
        attributes_since={"is_async": (3, 5), "multicast": (3, 7), "is_unsigned": (3, 8)},
    )
    DIRECTIVES: ClassVar = _DIRECTIVES

    def unsayable_in(self, version: Version) -> str | None:
        """Triton 3.3 has no tokens, and a barrier always hears of the end."""
        return _unsayable_in(self, version)

    def verify_(self) -> None:
        _verify_completion(self)
        for name in ("a", "b", "d"):
            type = getattr(self, name).type
            if type.rank != 2:
                raise VerifyException(f"operand '{name}' must have rank 2")
        if early_rules():
            return
        verify_element_types(*(getattr(self, name).type.element_type for name in "abd"))


@irdl_op_definition
class TCGen5MMAScaledOp(IRDLOperation):
    """
    `d = (a times a_scale) · (b times b_scale) + d` in tensor memory.

    `a_type` and `b_type` say what the packed elements are; see `ttng.tc_gen5_mma`.
    Upstream `TTNG_TCGen5MMAScaledOp`.

    ```mlir
    ttng.tc_gen5_mma_scaled %a, %b, %d, %sa, %sb, %useD, %pred lhs = e5m2 rhs = e5m2 : !ttg.memdesc<128x64xf8E5M2, #shared, #smem>, !ttg.memdesc<64x128xf8E5M2, #shared1, #smem>, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory>, !ttg.memdesc<128x2xi8, #tmem_scales, #ttng.tensor_memory>
    ```

    Shapes: M×K times K×N, d M×N; a scale for each 32 (or 16) elements along K.
    """

    name = "ttng.tc_gen5_mma_scaled"

    a = operand_def(MemDescType)
    b = operand_def(MemDescType)
    d = operand_def(MemDescType)
    acc_dep = opt_operand_def(AsyncTokenType())
    a_scale = operand_def(MemDescType)
    b_scale = operand_def(MemDescType)
    a_type = prop_def(EnumValue(ScaleDotElemType))
    b_type = prop_def(EnumValue(ScaleDotElemType))
    useD = operand_def(i1)
    pred = operand_def(i1)
    barriers = var_operand_def(MemDescType)
    barrier_preds = var_operand_def(i1)
    two_ctas = opt_prop_def(UnitAttr)
    multicast = opt_prop_def(UnitAttr)
    is_async = opt_prop_def(UnitAttr)
    token = opt_result_def(AsyncTokenType())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "$a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $a_scale `,` $b_scale "
        "`,` $useD `,` $pred `lhs` `=` $a_type `rhs` `=` $b_type "
        + _BARRIERS
        + "qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d)) `,` "
        "qualified(type($a_scale)) `,` qualified(type($b_scale)) "
        "(`,` qualified(type($barriers))^)?",
        older=(
            (
                LAST_VERSION_OF_LISTED_OPERANDS,
                "$a `,` $b `,` $d `,` $a_scale `,` $b_scale `,` $useD `,` $pred `lhs` `=` $a_type "
                "`rhs` `=` $b_type (`,` $barriers^)? attr-dict `:` "
                "functional-type(operands, results)",
            ),
        ),
        since=(3, 3),
        attributes_since={"is_async": (3, 5), "multicast": (3, 8), "two_ctas": (3, 8)},
    )
    ENUMS: ClassVar = {"a_type": ScaleDotElemType, "b_type": ScaleDotElemType}
    DIRECTIVES: ClassVar = _DIRECTIVES

    def unsayable_in(self, version: Version) -> str | None:
        """Triton 3.3 has no tokens, and a barrier always hears of the end."""
        return _unsayable_in(self, version)

    def verify_(self) -> None:
        _verify_completion(self)


@irdl_op_definition
class TCGen5CommitOp(IRDLOperation):
    """
    Let a barrier hear of the end of all tensor-core work started so far, if `pred` holds.

    With `descs`, the barriers of all CTAs that share these buffers.
    Upstream `TTNG_TCGen5CommitOp`.

    ```mlir
    ttng.tc_gen5_commit %bar, %pred : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ```
    """

    name = "ttng.tc_gen5_commit"

    barrier = operand_def(MemDescType)
    pred = opt_operand_def(i1)
    descs = var_operand_def(MemDescType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "$barrier (`,` $pred^)? (`descs` $descs^)? attr-dict `:` qualified(type($barrier)) "
        "(`,` qualified(type($descs))^)?",
        older=(((3, 6), "$barrier (`,` $pred^)? attr-dict `:` qualified(type($barrier))"),),
        since=(3, 5),
    )

    def verify_(self) -> None:
        verify_barrier(self, "barrier")
        if len(self.descs) > 4:
            raise VerifyException(f"expected 0 to 4 descriptors, got {len(self.descs)}")
        verify_completion_barrier(self, self.barrier)
