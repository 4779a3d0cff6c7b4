"""
What the products of Blackwell ask of their operands.

Upstream: `verifyMMAv5Op` in `TritonNvidiaGPU/IR/Dialect.cpp`; `TCGen5MMAOp::verify` and
`TCGen5MMAScaledOp::verify` in `Ops.cpp`.
"""

from typing import Any

from xdsl.dialects.builtin import Float8E4M3FNType, Float8E5M2Type, IntegerType, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.tt.dot import verify_dot_shapes
from xtriton.dialects.tt.enums import ScaleDotElemType
from xtriton.dialects.ttg.context import TARGET, module_of
from xtriton.dialects.ttg.linear_shared import SharedLinearEncodingAttr
from xtriton.dialects.ttg.shared import NVMMASharedEncodingAttr
from xtriton.dialects.ttg.types import MemDescType, element_bits
from xtriton.dialects.ttng.accumulators import verify_element_types
from xtriton.dialects.ttng.cluster_checks import cga_bases
from xtriton.dialects.ttng.tensor_memory import (
    TensorMemoryEncodingAttr,
    TensorMemoryScalesEncodingAttr,
    TensorMemorySpaceAttr,
    tensor_memory_layouts,
)
from xtriton.layouts.shaping import shape_per_cta

_LARGEST_N = 256
_SHARED = (NVMMASharedEncodingAttr, SharedLinearEncodingAttr)
_FP8 = (ScaleDotElemType.e4m3, ScaleDotElemType.e5m2)

_ELEMENTS: dict[ScaleDotElemType, str] = {
    ScaleDotElemType.e4m3: "f8E4M3FN",
    ScaleDotElemType.e5m2: "f8E5M2",
    ScaleDotElemType.e2m3: "f6E2M3FN",
    ScaleDotElemType.e3m2: "f6E3M2FN",
    ScaleDotElemType.e2m1: "f4E2M1FN",
    ScaleDotElemType.bf16: "bf16",
    ScaleDotElemType.fp16: "f16",
}
"""What the integers of a packed operand are."""

_RUBIN = "cuda:107"

_SCALES_OF_A_BLOCK = (128, 4)
"""Rows and columns of scales beyond which the order of blocks matters."""


def verify_not_interleaved(op: Any) -> None:
    """Check that not both `a` and `d` put blocks of 64 rows between each other."""
    if _is_interleaved(op.a.type) and _is_interleaved(op.d.type):
        raise VerifyException("does not support blockM=64 with interleaved blocks in TMEM layout")


def _is_interleaved(type: MemDescType) -> bool:
    encoding = type.encoding
    if not isinstance(encoding, TensorMemoryEncodingAttr) or encoding.block_m != 64:
        return False
    return tensor_memory_layouts().rows_of(type) != 64


# --- ttng.tc_gen5_mma ----------------------------------------------------------------------


def verify_product(op: Any) -> None:
    """Check the operands of `ttng.tc_gen5_mma`."""
    a, b, d = (value.type for value in (op.a, op.b, op.d))
    verify_dot_shapes(a.get_shape(), b.get_shape(), d.get_shape())
    verify_element_types(*(type.element_type for type in (a, b, d)))
    for type, what in ((a, "LHS"), (b, "RHS"), (d, "Return")):
        if type.rank != 2:
            raise VerifyException(f"{what} operand must have a rank-2 tensor")
    if not isinstance(a.encoding, (*_SHARED, TensorMemoryEncodingAttr)):
        raise VerifyException("LHS operand must have a NVMMAShared or TensorMemory encoding")
    if not isinstance(b.encoding, _SHARED):
        raise VerifyException("RHS operand must have a NVMMAShared encoding")
    if not isinstance(d.encoding, TensorMemoryEncodingAttr):
        raise VerifyException("Return operand must have a TensorMemory encoding")
    _verify_columns(a.encoding, d, d.encoding)
    if shape_per_cta(cga_bases(a.encoding), a.get_shape())[1] != a.get_shape()[1]:
        raise VerifyException(f"LHS CTASplit along K should be 1, but got {_split(a, 1)}")
    if shape_per_cta(cga_bases(b.encoding), b.get_shape())[0] != b.get_shape()[0]:
        raise VerifyException(f"RHS CTASplit along K should be 1, but got {_split(b, 0)}")
    two_ctas = op.two_ctas is not None
    if two_ctas:
        _verify_pairs(b, d)
    for encoding, what in ((d.encoding, "returned value"), (a.encoding, "LHS operand")):
        if isinstance(encoding, TensorMemoryEncodingAttr) and encoding.two_ctas != two_ctas:
            raise VerifyException(
                f"The {what}'s encoding must have twoCTA={int(two_ctas)} to be used in a "
                f"{'twoCTA' if two_ctas else 'non-twoCTA'} kernel"
            )
    tensor_memory_layouts().verify_product_ctas(a, b, d, two_ctas)


def _split(type: MemDescType, dim: int) -> int:
    return type.get_shape()[dim] // shape_per_cta(cga_bases(type.encoding), type.get_shape())[dim]


def _verify_columns(a: Attribute, d: MemDescType, encoding: TensorMemoryEncodingAttr) -> None:
    if encoding.fp4_padded:
        raise VerifyException("Accumulator must not be fp4_padded")
    if isinstance(a, TensorMemoryEncodingAttr):
        if a.col_stride != 1:
            raise VerifyException("The col stride of the LHS operand must be 1")
        if a.fp4_padded:
            raise VerifyException("fp4_padded tensor memory LHS is only supported by scaled MMA")
    bits = element_bits(d.element_type)
    if encoding.col_stride != 32 // bits:
        raise VerifyException(
            f"The col stride of the return operand must be 32 / {bits} but got "
            f"{encoding.col_stride}"
        )
    part = shape_per_cta(encoding.cga.block_bases, d.get_shape())
    if min(encoding.block_n, part[1]) > _LARGEST_N:
        raise VerifyException(
            f"The block size of the return operand must be less than or equal to {_LARGEST_N}"
        )


def _verify_pairs(b: MemDescType, d: MemDescType) -> None:
    if cga_bases(b.encoding)[:1] != ((0, 1),):
        raise VerifyException(
            "twoCTA mode expects the first basis of the cga_layout of the RHS to be [0, 1]"
        )
    if shape_per_cta(cga_bases(d.encoding), d.get_shape())[1] > _LARGEST_N:
        raise VerifyException(
            "We don't allow to emit more than one mma instruction along N. Reduce the block or "
            "increase the number of warps or CTAs along N"
        )


# --- ttng.tc_gen5_mma_scaled ---------------------------------------------------------------


def verify_scaled_product(op: Any) -> None:
    """Check the operands of `ttng.tc_gen5_mma_scaled`."""
    formats = [ScaleDotElemType(p.value.data) for p in (op.a_type, op.b_type)]
    a, b, d = (value.type for value in (op.a, op.b, op.d))
    factors = (_factors(a, formats[0], True), _factors(b, formats[1], False))
    verify_dot_shapes(a.get_shape(), b.get_shape(), d.get_shape(), factors)
    elements = [_element(t.element_type, f) for t, f in zip((a, b), formats, strict=True)]
    verify_element_types(elements[0], elements[1], d.element_type)
    if not isinstance(d.encoding, TensorMemoryEncodingAttr):
        raise VerifyException("expected accumulator layout to be a TensorMemoryLayout")
    if d.encoding.fp4_padded:
        raise VerifyException("accumulator layout must not be fp4_padded")
    if d.encoding.block_m != 128:
        raise VerifyException("only supports instruction shape blockM=128")
    if isinstance(a.encoding, TensorMemoryEncodingAttr):
        _verify_stored_operand(a, a.encoding, formats)
    for scale, operand in ((op.a_scale.type, "A"), (op.b_scale.type, "B")):
        _verify_scales(op, scale, operand, formats)


def _factors(type: MemDescType, format: ScaleDotElemType, columns_are_k: bool) -> tuple[int, int]:
    """Return how many elements an element of an operand holds along rows and columns."""
    if format is not ScaleDotElemType.e2m1:
        return (1, 1)
    encoding = type.encoding
    # Shared memory is packed along what is contiguous in it, tensor memory along K.
    if isinstance(encoding, NVMMASharedEncodingAttr):
        along_columns = not encoding.transposed
    else:
        along_columns = columns_are_k
    return (1, 2) if along_columns else (2, 1)


def _element(type: Attribute, format: ScaleDotElemType) -> Attribute | str:
    return _ELEMENTS[format] if isinstance(type, IntegerType) else type


def _verify_stored_operand(
    a: MemDescType, encoding: TensorMemoryEncodingAttr, formats: list[ScaleDotElemType]
) -> None:
    """Check how tensor memory holds the left operand."""
    if formats[0] is ScaleDotElemType.e2m1:
        if a.element_type != IntegerType(8):
            raise VerifyException("expected e2m1 LHS operand to have i8 storage")
        if encoding.fp4_padded and formats[1] not in _FP8:
            raise VerifyException("can only use fp4_padded LHS when RHS is float8")
        if formats[1] in _FP8 and not encoding.fp4_padded:
            raise VerifyException("expected e2m1 LHS operand to be fp4_padded when RHS is float8")
        return
    if not isinstance(a.element_type, Float8E4M3FNType | Float8E5M2Type):
        raise VerifyException("unsupported LHS operand type for scaled MMA")
    if formats[0] not in _FP8:
        raise VerifyException("expected float8 LHS operand to have e4m3 or e5m2 format")


def _verify_scales(
    op: Any, scale: MemDescType, operand: str, formats: list[ScaleDotElemType]
) -> None:
    """Check that blocks of scales in tensor memory are in the order the hardware reads them."""
    if not isinstance(scale.memory_space, TensorMemorySpaceAttr):
        return
    part = shape_per_cta(cga_bases(scale.encoding), scale.get_shape())[-2:]
    matters = all(size > limit for size, limit in zip(part, _SCALES_OF_A_BLOCK, strict=True))
    encoding = scale.encoding
    if not isinstance(encoding, TensorMemoryScalesEncodingAttr):
        if matters:
            raise VerifyException(
                f"{operand} scales in tensor memory must use #ttng.tensor_memory_scales_encoding"
            )
        return
    if not matters and not encoding.k_then_mn:
        return
    k_then_mn = operand == "A" and _is_nvfp4_of_rubin(op, formats)
    if encoding.k_then_mn != k_then_mn:
        raise VerifyException(
            f"{operand} scales in tensor memory must use "
            f"#ttng.tensor_memory_scales_encoding<blockRepOrder = "
            f"{'kThenMn' if k_then_mn else 'mnThenK'}>"
        )


def _is_nvfp4_of_rubin(op: Any, formats: list[ScaleDotElemType]) -> bool:
    scales = (op.a_scale.type.element_type, op.b_scale.type.element_type)
    return (
        _target(op) == _RUBIN
        and all(format is ScaleDotElemType.e2m1 for format in formats)
        and all(isinstance(element, Float8E4M3FNType) for element in scales)
    )


def _target(op: Operation) -> str | None:
    target = module_of(op).attributes.get(TARGET)
    return target.data if isinstance(target, StringAttr) else None
