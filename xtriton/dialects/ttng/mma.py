"""
Products into tensor memory (Blackwell).

Upstream: `TritonNvidiaGPUOps.td`, `Ops.cpp`.
"""

from typing import Any, ClassVar

from xdsl.dialects.builtin import UnitAttr, i1
from xdsl.ir import Operation
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import (
    EnumValue,
)
from xtriton.dialects.tt.enums import ScaleDotElemType
from xtriton.dialects.ttg.async_copy import AnyEffects
from xtriton.dialects.ttg.constraints import GPU_TRAITS
from xtriton.dialects.ttg.types import AsyncTokenType, MemDescType
from xtriton.dialects.ttng.accumulators import verify_element_types
from xtriton.dialects.ttng.barriers import verify_barrier
from xtriton.dialects.ttng.cluster_checks import cluster_rules, verify_completion_barrier
from xtriton.dialects.ttng.mma_checks import (
    verify_not_interleaved,
    verify_product,
    verify_scaled_product,
)
from xtriton.ir.syntax import Syntax
from xtriton.ir.versions import Version, early_rules


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
        if cluster_rules():
            verify_not_interleaved(self)
        _verify_completion(self)
        if cluster_rules():
            verify_product(self)
        elif not early_rules():
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
        if cluster_rules():
            verify_not_interleaved(self)
        _verify_completion(self)
        if cluster_rules():
            verify_scaled_product(self)


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
