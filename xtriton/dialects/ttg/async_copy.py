"""
Asynchronous copies from global to shared memory and the waits for them.

Upstream: `TritonGPUOps.td`.
"""

from typing import Any, ClassVar

from xdsl.ir import Operation
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import EffectInstance, MemoryEffect
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.cache_policy import (
    LAST_VERSION_WITHOUT_CACHE_POLICY,
    CachePolicyOp,
)
from xtriton.dialects.tt.constraints import (
    FALSE,
    BoolValue,
    I32Value,
    TT_AnyPtr,
    TT_Type,
    i32_attr,
)
from xtriton.dialects.tt.traits import ANY_READ_WRITE, GlobalEffects
from xtriton.dialects.tt.type_relations import pointee_type
from xtriton.dialects.ttg.constraints import (
    GPU_TRAITS,
    I1Tensor,
    SharedEffects,
    mask_like,
    shape_of_any,
    verify_mutable,
)
from xtriton.dialects.ttg.types import AsyncTokenType, MemDescType
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.syntax import Syntax, TypeRule
from xtriton.ir.versions import Version

LAST_VERSION_OF_BARE_TOKENS: Version = (3, 4)


class AnyEffects(MemoryEffect):
    """Orders everything around it: counts as a read and a write of all memory."""

    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance]:
        return ANY_READ_WRITE


_COPY = "$src `,` $dst (`mask` $mask^)? (`other` $other^)? "
_COPY_TYPES = "attr-dict `:` type($src) `->` type($dst)"


@irdl_op_definition
class AsyncCopyGlobalToLocalOp(CachePolicyOp):
    """
    Start a copy from each pointer of a tensor into a buffer of shared memory.

    The data is there after an `ttg.async_wait` for the group that the copy was put into by
    `ttg.async_commit_group`. Masked-off elements get `other`, or are undefined. `contiguity`
    promises how many elements can be copied at once.
    Upstream `TTG_AsyncCopyGlobalToLocalOp`, whose operand `result` is `dst` here.

    ```mlir
    %t = ttg.async_copy_global_to_local %ptr, %buffer mask %m other %o : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    ```

    Shapes: pointers, buffer, mask and other have the same.
    """

    name = "ttg.async_copy_global_to_local"

    src = operand_def(TT_AnyPtr)
    dst = operand_def(MemDescType)
    mask = opt_operand_def(I1Tensor)
    other = opt_operand_def(TT_Type)
    isVolatile = prop_def(BoolValue, default_value=FALSE)
    contiguity = prop_def(I32Value, default_value=i32_attr(1))
    token = result_def(AsyncTokenType())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(*GPU_TRAITS, GlobalEffects(read="src"), SharedEffects(write="dst"))

    SYNTAX: ClassVar = Syntax(
        _COPY + _COPY_TYPES,
        older=(
            (
                LAST_VERSION_WITHOUT_CACHE_POLICY,
                _COPY
                + "oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) "
                + _COPY_TYPES,
            ),
        ),
        attributes_since={"contiguity": (3, 6)},
    )
    TYPES: ClassVar = (
        TypeRule("mask", "src", mask_like),
        TypeRule("other", "src", pointee_type),
    )

    def verify_(self) -> None:
        verify_mutable(self.dst.type)
        if is_tensor(self.src.type) and shape_of_any(self.src.type) != shape_of_any(self.dst.type):
            raise VerifyException("expected 'src' and 'result' to have the same shape")


class BareTokensDirective:
    """
    `custom<BareTokens>($tokens)`: nothing in front of the operands.

    Without operands and attributes, early releases take the result of the next line for an
    operand; an empty dictionary, which they do not write, keeps them from that.
    """

    def parse(self, parser: Any, state: Any, tokens: str) -> None:
        state.operands[tokens] = (
            parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
            )
            or []
        )

    def print(self, printer: Any, op: Operation, tokens: str) -> None:
        if op.operands:
            printer.print_values(op.operands)
        elif not op.attributes:
            printer.print_string("{}")


@irdl_op_definition
class AsyncCommitGroupOp(IRDLOperation):
    """
    Close the group of asynchronous copies started so far, so that it can be waited for.

    Upstream `TTG_AsyncCommitGroupOp`.

    ```mlir
    %group = ttg.async_commit_group tokens %t0, %t1
    ```
    """

    name = "ttg.async_commit_group"

    inputTokens = var_operand_def(AsyncTokenType())
    asyncToken = result_def(AsyncTokenType())

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "(`tokens` $inputTokens^)? attr-dict",
        older=((LAST_VERSION_OF_BARE_TOKENS, "custom<BareTokens>($inputTokens) attr-dict"),),
    )
    DIRECTIVES: ClassVar = {"BareTokens": BareTokensDirective()}


@irdl_op_definition
class AsyncWaitOp(IRDLOperation):
    """
    Wait until at most `num` groups of asynchronous copies are under way.

    This synchronizes no threads. Upstream `TTG_AsyncWaitOp`.

    ```mlir
    %done = ttg.async_wait %group {num = 0 : i32}
    ```
    """

    name = "ttg.async_wait"

    asyncToken = var_operand_def(AsyncTokenType())
    num = prop_def(I32Value)
    retToken = result_def(AsyncTokenType())

    traits = traits_def(*GPU_TRAITS, AnyEffects())

    SYNTAX: ClassVar = Syntax(
        "($asyncToken^)? attr-dict",
        older=((LAST_VERSION_OF_BARE_TOKENS, "$asyncToken attr-dict"),),
    )
