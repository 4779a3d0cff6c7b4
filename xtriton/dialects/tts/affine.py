"""
Affine accesses: what `tts.make_tptr` and prefix masks cannot say. Ours, not triton-shared's.

`tts.make_affine_tptr` makes pointers of any affine form, with `floordiv` and `mod`, so that
general wrap-around and split indices stay visible. `tts.masked_load` and
`tts.masked_store` access a window of a block, and within it the lanes of a mask.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineMap
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
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.constraints import TT_AnyPtr, TT_BoolLike, TT_Tensor
from xtriton.dialects.tt.type_relations import i1_like
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.tts.lists import (
    INDEX_LISTS,
    I64Array,
    MixedList,
    integers,
    split,
)
from xtriton.dialects.tts.memory import accessed_type
from xtriton.dialects.tts.pointers import pointer_type
from xtriton.dialects.tts.windows import WINDOW_SYNTAX, WindowedOp
from xtriton.ir.syntax import Syntax, TypeRule, same_type

_DIVISIONS = (
    AffineBinaryOpKind.FloorDiv,
    AffineBinaryOpKind.CeilDiv,
    AffineBinaryOpKind.Mod,
)


@irdl_op_definition
class MakeAffineTensorPtrOp(IRDLOperation):
    """
    A block of pointers: element `i` is at `base + map(i)[symbols]`, in elements.

    The map has one result. `floordiv` rounds down and `mod` has the sign of its divisor,
    which must be positive; a divisor that is a symbol is taken to be. A block that wraps
    around at `n` rows of `s` elements is `((d0 + s0) mod s1) * s2 + d1`.

    ```mlir
    #wrap = affine_map<(d0, d1)[s0, s1, s2] -> (((d0 + s0) mod s1) * s2 + d1)>
    %p = tts.make_affine_tptr %base[%row, %n, %s] to sizes: [16, 64], map: #wrap
        : <f32> to tensor<16x64x!tt.ptr<f32>>
    ```

    Shapes: the map has a dimension for each of `sizes`, a symbol for each of `symbols`.
    """

    name = "tts.make_affine_tptr"

    base = operand_def(PtrType)
    symbols = var_operand_def(IndexType())
    sizes = prop_def(I64Array)
    map = prop_def(AffineMapAttr)
    result = result_def(TT_AnyPtr)

    traits = traits_def(Pure())
    SYNTAX: ClassVar = Syntax(
        "$base `` `[` $symbols `]` `to` `sizes` `` `:` $sizes `` `,` `map` `` `:` $map "
        "attr-dict `:` type($base) `to` type($result)"
    )

    def __init__(
        self,
        base: SSAValue | Operation,
        symbols: Sequence[SSAValue | Operation],
        sizes: Sequence[int],
        map: AffineMap | AffineMapAttr,
    ):
        base = SSAValue.get(base)
        pointer = pointer_type(base, "base")
        super().__init__(
            operands=[base, symbols],
            result_types=[TensorType(pointer, sizes)],
            properties={
                "sizes": DenseArrayBase.from_list(i64, sizes),
                "map": AffineMapAttr(map) if isinstance(map, AffineMap) else map,
            },
        )

    def verify_(self) -> None:
        sizes, map = integers(self.sizes), self.map.data
        if map.num_dims != len(sizes):
            raise VerifyException(
                f"'map' must have a dimension for each of the {len(sizes)} sizes, "
                f"but has {map.num_dims}"
            )
        if map.num_symbols != len(self.symbols):
            raise VerifyException(
                f"'map' must have a symbol for each of the {len(self.symbols)} values of "
                f"operand 'symbols', but has {map.num_symbols}"
            )
        if len(map.results) != 1:
            raise VerifyException(f"'map' must have one result, but has {len(map.results)}")
        _verify_divisors(map)
        expected = TensorType(pointer_type(self.base, "base"), sizes)
        if self.result.type != expected:
            raise VerifyException(f"result must be '{expected}', but got '{self.result.type}'")


def _verify_divisors(map: AffineMap) -> None:
    for expression in map.results[0].dfs():
        if not isinstance(expression, AffineBinaryOpExpr) or expression.kind not in _DIVISIONS:
            continue
        divisor = expression.rhs
        if isinstance(divisor, AffineConstantExpr) and divisor.value <= 0:
            raise VerifyException(f"'map' divides by {divisor.value}, which is not positive")


@irdl_op_definition
class MaskedLoadOp(WindowedOp):
    """
    Load the elements of a block that lie in a window and where `mask` is true.

    The window is `[starts, ends)` in each dimension, empty where an end is not after its
    start; without entries it is the whole block. Outside nothing is read; the value there
    is that of `other`, or undefined. A window that says `nonempty` never is, and lies in
    the block, so that no consumer has to ask.

    ```mlir
    %v = tts.masked_load %p from [0, %lo] to [16, %hi] mask = %m default = %o
        : tensor<16x64x!tt.ptr<f32>> -> tensor<16x64xf32>
    ```

    Shapes: mask, other and result have that of the block.
    """

    name = "tts.masked_load"

    ptr = operand_def(TT_AnyPtr)
    starts = var_operand_def(IndexType())
    ends = var_operand_def(IndexType())
    static_starts = prop_def(I64Array)
    static_ends = prop_def(I64Array)
    mask = opt_operand_def(TT_BoolLike)
    other = opt_operand_def(TT_Tensor)
    result = result_def(TT_Tensor)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect())
    SYNTAX: ClassVar = Syntax(
        f"$ptr {WINDOW_SYNTAX}(`mask` `=` $mask^)? (`default` `=` $other^)? attr-dict "
        "`:` type($ptr) `->` type($result)"
    )
    TYPES: ClassVar = (
        TypeRule("result", "ptr", accessed_type),
        TypeRule("mask", "result", i1_like),
        *same_type("result", "other"),
    )
    DIRECTIVES: ClassVar = INDEX_LISTS

    def __init__(
        self,
        ptr: SSAValue | Operation,
        starts: MixedList = (),
        ends: MixedList = (),
        mask: SSAValue | Operation | None = None,
        other: SSAValue | Operation | None = None,
        *,
        nonempty: bool = False,
    ):
        ptr = SSAValue.get(ptr)
        static_starts, dynamic_starts = split(starts)
        static_ends, dynamic_ends = split(ends)
        super().__init__(
            operands=[ptr, dynamic_starts, dynamic_ends, mask, other],
            result_types=[accessed_type(ptr.type)],
            properties={
                "static_starts": static_starts,
                "static_ends": static_ends,
                "nonempty": UnitAttr() if nonempty else None,
            },
        )


@irdl_op_definition
class MaskedStoreOp(WindowedOp):
    """
    Store the elements of a block that lie in a window and where `mask` is true.

    The window is that of `tts.masked_load`.

    ```mlir
    tts.masked_store %p, %v from [0, %lo] to [16, %hi] mask = %m : tensor<16x64x!tt.ptr<f32>>
    ```

    Shapes: value and mask have that of the block.
    """

    name = "tts.masked_store"

    ptr = operand_def(TT_AnyPtr)
    value = operand_def(TT_Tensor)
    starts = var_operand_def(IndexType())
    ends = var_operand_def(IndexType())
    static_starts = prop_def(I64Array)
    static_ends = prop_def(I64Array)
    mask = opt_operand_def(TT_BoolLike)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryWriteEffect())
    SYNTAX: ClassVar = Syntax(
        f"$ptr `,` $value {WINDOW_SYNTAX}(`mask` `=` $mask^)? attr-dict `:` type($ptr)"
    )
    TYPES: ClassVar = (
        TypeRule("value", "ptr", accessed_type),
        TypeRule("mask", "value", i1_like),
    )
    DIRECTIVES: ClassVar = INDEX_LISTS

    def __init__(
        self,
        ptr: SSAValue | Operation,
        value: SSAValue | Operation,
        starts: MixedList = (),
        ends: MixedList = (),
        mask: SSAValue | Operation | None = None,
        *,
        nonempty: bool = False,
    ):
        static_starts, dynamic_starts = split(starts)
        static_ends, dynamic_ends = split(ends)
        super().__init__(
            operands=[ptr, value, dynamic_starts, dynamic_ends, mask],
            properties={
                "static_starts": static_starts,
                "static_ends": static_ends,
                "nonempty": UnitAttr() if nonempty else None,
            },
        )
