"""
Access memory through block pointers instead of tensor descriptors.

Before:

    %d = tt.make_tensor_descriptor %base, [%m, %k], [%s, %c1_i64] : <f16>, <tensor<64x32xf16>>
    %a = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>

After:

    %p = tt.make_tensor_ptr %base, [%m64, %k64], [%s, %c1_i64], [%c0, %c0] : <tensor<64x32xf16>>
    %q = tt.advance %p, [%i, %j] : <tensor<64x32xf16>>
    %a = tt.load %q {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}

A module that gathers, scatters or reduces through descriptors, or loads through one that it
does not make itself, stays as it is.
Source: `TensorDescToBlockPointer.cpp` of the Intel XPU backend.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass

from xtriton.analysis.intel.values import DESCRIPTOR, makers_of
from xtriton.dialects.tt.descriptors import (
    DescriptorLoadOp,
    DescriptorStoreOp,
    MakeTensorDescOp,
)
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.tt.pointers import AdvanceOp, MakeTensorPtrOp
from xtriton.dialects.tt.types import PtrType, TensorDescType
from xtriton.dialects.upstream.arith import ConstantOp, ExtSIOp, SelectOp
from xtriton.dialects.upstream.scf import ForOp, IfOp, WhileOp, YieldOp
from xtriton.dialects.utils.tensors import is_integer
from xtriton.ir.listings import ops_of
from xtriton.transforms.intel.building import constant, insert_before
from xtriton.transforms.triton_gpu.retyping import set_type

_UNSUPPORTED = frozenset(("tt.descriptor_gather", "tt.descriptor_reduce", "tt.descriptor_scatter"))


@dataclass(frozen=True)
class TensorDescToBlockPointerPass(ModulePass):
    """Turn tensor descriptors into block pointers."""

    name = "triton-intel-tdesc-to-block-pointer"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not ops_of(op, MakeTensorDescOp, DescriptorLoadOp, DescriptorStoreOp):
            return
        paddings: dict[Operation, Attribute] = {}
        for nested in op.walk():
            if nested.name in _UNSUPPORTED:
                return
            if isinstance(nested, DescriptorLoadOp):
                makers = makers_of(nested.desc, DESCRIPTOR)
                found = {maker.properties["padding"] for maker in makers}
                if len(found) != 1 or not _gives_the_block(nested):
                    return
                paddings[nested] = found.pop()
        rewriting = _Rewriting(paddings)
        for nested in list(op.walk()):
            rewriting.visit(nested)


def _gives_the_block(op: DescriptorLoadOp) -> bool:
    """Return whether a load gives the descriptor's block and not a reshaped one."""
    type = op.desc.type
    return isinstance(type, TensorDescType) and type.signless_block_type == op.result.type


@dataclass
class _Rewriting:
    paddings: dict[Operation, Attribute]
    _known: dict[tuple[object, ...], SSAValue] = field(
        default_factory=dict[tuple[object, ...], SSAValue]
    )
    """Conversions, zeros and block pointers by block: what is there is used again."""

    def visit(self, op: Operation) -> None:
        """Rewrite an op, or remember what it makes."""
        match op:
            case MakeTensorDescOp():
                self._make(op)
            case DescriptorLoadOp():
                self._load(op)
            case DescriptorStoreOp():
                self._store(op)
            case SelectOp():
                _take_type(op.results[0], op.operands[1])
            case YieldOp() if isinstance(branch := op.parent_op(), IfOp):
                for result, value in zip(branch.results, op.operands, strict=True):
                    _take_type(result, value)
            case ExtSIOp() | ConstantOp() | MakeTensorPtrOp():
                self._known.setdefault(self._key(op), op.results[0])
            case _:
                pass

    def _key(self, op: Operation) -> tuple[object, ...]:
        kept = op.properties.get("value")
        return (op.parent, op.name, tuple(op.operands), op.results[0].type, kept)

    def _find_or_insert(self, op: Operation, place: Operation) -> SSAValue:
        key = (place.parent, *self._key(op)[1:])
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = insert_before(op, place, place.location)
        else:
            op.erase()
        return found

    def _extended(self, value: SSAValue, place: Operation) -> SSAValue:
        return value if value.type == i64 else self._find_or_insert(ExtSIOp(value, i64), place)

    def _make(self, op: MakeTensorDescOp) -> None:
        type = op.result.type
        shape: list[SSAValue] = []
        strides: list[SSAValue] = []
        zeros: list[SSAValue] = []
        for size, stride in zip(op.shape, op.strides, strict=True):
            shape.append(self._extended(size, op))
            strides.append(self._extended(stride, op))
            zeros.append(self._zero(op))
        base = op.base.type
        assert isinstance(base, PtrType)
        block = TensorType(_signless(type.element_type), type.get_shape())
        order = DenseArrayBase.from_list(i32, tuple(reversed(range(len(shape)))))
        new = MakeTensorPtrOp.create(
            operands=[op.base, *shape, *strides, *zeros],
            result_types=[PtrType(block, base.address_space)],
            properties={"order": order},
        )
        pointer = self._find_or_insert(new, op)
        pointer.name_hint = op.result.name_hint
        users = [use.operation for use in op.result.uses]
        op.result.replace_all_uses_with(pointer)
        op.detach()
        op.erase()
        for user in dict.fromkeys(users):
            _carry(user)

    def _zero(self, place: Operation) -> SSAValue:
        key = (place.parent, "arith.constant", (), i32, IntegerAttr(0, i32))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = constant(0, i32, place, place.location)
        return found

    def _advanced(self, op: DescriptorLoadOp | DescriptorStoreOp) -> SSAValue | None:
        if isinstance(op.desc.type, TensorDescType):
            return None
        return insert_before(AdvanceOp(op.desc, op.indices), op, op.location)

    def _load(self, op: DescriptorLoadOp) -> None:
        pointer = self._advanced(op)
        if pointer is None:
            return
        new = LoadOp(pointer, boundary_check=range(len(op.indices)))
        new.properties["padding"] = self.paddings[op]
        for name in ("cache", "evict"):
            new.properties[name] = op.properties[name]
        value = insert_before(new, op, op.location)
        value.name_hint = op.result.name_hint
        op.result.replace_all_uses_with(value)
        op.detach()
        op.erase()

    def _store(self, op: DescriptorStoreOp) -> None:
        pointer = self._advanced(op)
        if pointer is None:
            return
        new = StoreOp(pointer, op.src, boundary_check=range(len(op.indices)))
        new.location = op.location
        assert op.parent is not None
        op.parent.insert_op_before(new, op)
        op.detach()
        op.erase()


def _take_type(result: SSAValue, value: SSAValue) -> None:
    """Let a descriptor that one of block pointers is chosen for be a block pointer."""
    if isinstance(result.type, TensorDescType) and isinstance(value.type, PtrType):
        set_type(result, value.type)
        _carry_from(result)


def _signless(type: Attribute) -> Attribute:
    return IntegerType(type.bitwidth) if is_integer(type) else type


def _carry(user: Operation) -> None:
    """Let a loop carry block pointers where it carried descriptors, and loops that it feeds."""
    if not isinstance(user, ForOp | WhileOp):
        return
    blocks = [block for region in user.regions for block in region.blocks]
    initial = user.iter_args if isinstance(user, ForOp) else user.arguments
    first = 1 if isinstance(user, ForOp) else 0
    changed: list[SSAValue] = []
    for i, value in enumerate(initial):
        argument = blocks[0].args[first + i]
        if argument.type == value.type:
            continue
        for target in (argument, *_others(blocks, i), user.results[i]):
            set_type(target, value.type)
            changed.append(target)
    for value in changed:
        _carry_from(value)


def _carry_from(value: SSAValue) -> None:
    for user in dict.fromkeys(use.operation for use in value.uses):
        _carry(user)


def _others(blocks: list[Block], i: int) -> list[SSAValue]:
    """Return the other arguments of a while loop that stand for the value carried at `i`."""
    return [block.args[i] for block in blocks[1:]]
