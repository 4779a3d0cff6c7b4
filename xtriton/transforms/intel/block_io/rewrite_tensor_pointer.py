"""
Turn block pointers that cannot become 2D block accesses into tensors of pointers.

Before:

    %p = tt.make_tensor_ptr %base, [%m, %k], [%s, %c1_i64], [%i, %j] : <tensor<64x32xf16, #blocked>>
    %x = tt.load %p {boundaryCheck = array<i32: 0, 1>}

After, unless the rule keeps the block pointer:

    %p = ... : tensor<64x32x!tt.ptr<f16>, #blocked>
    %x = tt.load %p, %mask

Part of the backend's pipeline in 2024.
Source: `RewriteTensorPointer.cpp` of the Intel XPU backend, at 978fe24 (`store`), 62c07a7
(`load-or-store`) and 734e33c (`block-io`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from xtriton.analysis.axis_facts import element_bits
from xtriton.analysis.intel.accesses import tensor_type
from xtriton.analysis.intel.module import BLOCK_IO, supports_2d_block_io
from xtriton.analysis.intel.values import is_divisible, is_one
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.tt.pointers import MakeTensorPtrOp
from xtriton.dialects.ttg.distributed import DotOperandEncodingAttr
from xtriton.dialects.ttig.encodings import DpasEncodingAttr
from xtriton.dialects.upstream.scf import ForOp
from xtriton.errors import PassFailure
from xtriton.transforms.triton.pointer_tensors import rewrite_block_pointers

_PITCH_BITS = 128
_RULES = ("block-io", "load-or-store", "store")


@dataclass(frozen=True)
class IntelRewriteTensorPointerPass(ModulePass):
    """
    Turn block pointers into tensors of pointers where the backend of 2024 did.

    `rule` says which of them stay:

    - `block-io` (since 10 October 2024): those that a load marked `ttig.block_io` uses, and
      those with the layout of a DPAS result that a store uses;
    - `load-or-store` (since 2 October): those with the layout of a DPAS operand, and those
      with that of a result that a load or store uses, if they are fit for 2D block access;
    - `store` (before that): as the former, but of results only those that a store uses. What
      is loaded in the layout of a result becomes a tensor of pointers.
    """

    name = "tritonintelgpu-rewrite-tensor-pointer"

    rule: str = "block-io"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.rule not in _RULES:
            raise PassFailure(
                f"'{self.name}' has no rule '{self.rule}'; there are {', '.join(_RULES)}"
            )
        has_blocks = supports_2d_block_io(op)

        def keep(maker: MakeTensorPtrOp, users: Sequence[Operation]) -> bool:
            if not has_blocks:
                return False
            if self.rule == "block-io":
                return _is_block_access(maker, users)
            kinds = (StoreOp,) if self.rule == "store" else (LoadOp, StoreOp)
            return _has_dpas_layout(maker, users, kinds) and _is_fit(maker)

        rewrite_block_pointers(op, keep)


def _encoding(maker: MakeTensorPtrOp) -> object:
    type = tensor_type(maker.result.type)
    return None if type is None else type.encoding


def _is_block_access(maker: MakeTensorPtrOp, users: Sequence[Operation]) -> bool:
    is_result = isinstance(_encoding(maker), DpasEncodingAttr)
    return any(
        (isinstance(op, LoadOp) and BLOCK_IO in op.attributes)
        or (isinstance(op, StoreOp) and is_result)
        for op in users
    )


def _has_dpas_layout(
    maker: MakeTensorPtrOp, users: Sequence[Operation], kinds: tuple[type, ...]
) -> bool:
    encoding = _encoding(maker)
    if isinstance(encoding, DotOperandEncodingAttr):
        return isinstance(encoding.parent, DpasEncodingAttr)
    if not isinstance(encoding, DpasEncodingAttr):
        return False
    # Those that loops carry were always rewritten.
    return any(isinstance(op, kinds) for op in users) and not any(
        isinstance(op, ForOp) for op in users
    )


def _is_fit(maker: MakeTensorPtrOp) -> bool:
    """Return whether the rows are contiguous and far enough apart for a 2D block access."""
    strides = list(maker.strides)
    rank = len(strides)
    dim = next((d for d, stride in enumerate(strides) if is_one(stride)), None)
    if dim is None or dim < rank - 2:
        return False
    bits = element_bits(maker.result.type)
    if dim == rank - 2 and bits == 8:
        return False
    pitch = strides[rank - 2 if dim == rank - 1 else rank - 1]
    return is_divisible(pitch, _PITCH_BITS // bits)
