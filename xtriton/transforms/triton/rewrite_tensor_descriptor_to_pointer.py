"""
Turn accesses through tensor descriptors into ones by tensors of pointers.

Before:

    %d = tt.make_tensor_descriptor %base, [%m, %k], [%s, %c1_i64] : <f16>, <tensor<64x32xf16>>
    %x = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>

After:

    %rows = ... %i + [0 .. 63], %columns = ... %j + [0 .. 31]
    %p = %base + %rows * %s + %columns : tensor<64x32x!tt.ptr<f16>>
    %x = tt.load %p, 0 <= %rows < %m & 0 <= %columns < %k, %zero_or_nan

A descriptor becomes its base, sizes, strides and whether it pads with NaN, wherever functions,
loops and branches hand it on. Descriptors that other ops hand on keep the module as it is.
Source: `RewriteTensorDescriptorToPointer.cpp` of Triton.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    NoneAttr,
    Signedness,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from xtriton.dialects.tt.atomics import AtomicRMWOp
from xtriton.dialects.tt.descriptor_rows import DescriptorGatherOp, DescriptorScatterOp
from xtriton.dialects.tt.descriptors import (
    DescriptorLoadOp,
    DescriptorReduceOp,
    DescriptorStoreOp,
    MakeTensorDescOp,
)
from xtriton.dialects.tt.enums import (
    DescriptorReduceKind,
    MemSemantic,
    MemSyncScope,
    PaddingOption,
    RMWOp,
)
from xtriton.dialects.tt.functions import FuncOp
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.tt.shapes import ExpandDimsOp, ReshapeOp
from xtriton.dialects.tt.types import PtrType, TensorDescType
from xtriton.dialects.upstream.arith import ConstantOp, ExtSIOp, SelectOp
from xtriton.dialects.utils.constants import filled
from xtriton.dialects.utils.tensors import is_integer, is_tensor
from xtriton.transforms.triton.pointer_tensors import Builder, PointerBlock, PointerInfo

Pack = tuple[SSAValue, ...]
"""Base, sizes, strides, whether padding is NaN."""

_HANDED_ON_BY = frozenset(
    ("arith.select", "scf.condition", "scf.for", "scf.if", "scf.while", "scf.yield", "tt.call",
     "tt.func", "tt.return")
)  # fmt: skip

_ACCESSES = (
    DescriptorGatherOp,
    DescriptorLoadOp,
    DescriptorReduceOp,
    DescriptorScatterOp,
    DescriptorStoreOp,
    MakeTensorDescOp,
)


@dataclass(frozen=True)
class RewriteTensorDescriptorToPointerPass(ModulePass):
    """Turn tensor descriptors into what they stand for, accesses into ones by pointers."""

    name = "triton-rewrite-tensor-descriptor-to-pointer"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        touched = [nested for nested in op.walk() if _touches_descriptors(nested)]
        if touched and all(map(_is_known, touched)):
            rewriting = _Rewriting()
            rewriting.inside(op)
            rewriting.erase()


def _touches_descriptors(op: Operation) -> bool:
    arguments = (a for region in op.regions for block in region.blocks for a in block.args)
    return any(_is_descriptor(value.type) for value in (*op.operands, *op.results, *arguments))


def _is_descriptor(type: Attribute) -> bool:
    return isinstance(type, TensorDescType)


def _is_known(op: Operation) -> bool:
    if isinstance(op, DescriptorReduceOp):
        return _atomic_of(op) is not None
    if op.name in _HANDED_ON_BY:
        # Blocks behind the first are reached by branches.
        return all(
            not any(_is_descriptor(a.type) for a in block.args)
            for region in op.regions
            for block in list(region.blocks)[1:]
        )
    return isinstance(op, _ACCESSES)


def _unpacked_types(type: Attribute) -> tuple[Attribute, ...]:
    if not isinstance(type, TensorDescType):
        return (type,)
    element = type.signless_block_type.element_type
    return (PtrType(element), *(i64,) * (2 * len(type.get_shape())), i1)


@dataclass
class _Rewriting:
    _packs: dict[SSAValue, Pack] = field(default_factory=dict[SSAValue, Pack])
    _obsolete: list[Operation] = field(default_factory=list[Operation])
    _arguments: list[tuple[Block, BlockArgument]] = field(
        default_factory=list[tuple[Block, BlockArgument]]
    )

    def inside(self, root: Operation) -> None:
        """Rewrite all inside `root`, definitions before uses."""
        for region in root.regions:
            for block in region.blocks:
                self._expand_arguments(block)
                for op in list(block.ops):
                    self._op(op)

    def erase(self) -> None:
        """Erase what has been replaced."""
        for op in reversed(self._obsolete):
            op.detach()
            op.erase()
        for block, argument in self._arguments:
            block.erase_arg(argument)

    def _op(self, op: Operation) -> None:
        match op:
            case MakeTensorDescOp():
                self._make(op)
            case DescriptorLoadOp():
                self._load(op)
            case DescriptorStoreOp():
                self._store(op)
            case DescriptorReduceOp():
                self._reduce(op)
            case DescriptorGatherOp():
                self._gather(op)
            case DescriptorScatterOp():
                self._scatter(op)
            case SelectOp() if _is_descriptor(op.results[0].type):
                self._select(op)
            case FuncOp():
                self._function(op)
            case _ if any(_is_descriptor(v.type) for v in (*op.operands, *op.results)):
                self._hand_on(op)
            case _:
                self.inside(op)

    # --- what hands descriptors on --------------------------------------------------------

    def _expand_arguments(self, block: Block) -> None:
        for argument in list(block.args):
            if not _is_descriptor(argument.type):
                continue
            pack: list[SSAValue] = []
            for i, type in enumerate(_unpacked_types(argument.type)):
                new = block.insert_arg(type, argument.index + 1 + i)
                new.location = argument.location
                pack.append(new)
            self._packs[argument] = tuple(pack)
            self._arguments.append((block, argument))

    def _expanded(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        return [part for value in values for part in self._packs.get(value, (value,))]

    def _function(self, op: FuncOp) -> None:
        type = op.function_type
        facts = op.arg_attrs
        inputs = [_unpacked_types(t) for t in type.inputs]
        outputs = [part for t in type.outputs for part in _unpacked_types(t)]
        if facts is not None:
            # What is said of a descriptor is not said of its parts.
            kept = [
                attribute if len(parts) == 1 else DictionaryAttr({})
                for attribute, parts in zip(facts.data, inputs, strict=True)
                for _ in parts
            ]
            op.properties["arg_attrs"] = ArrayAttr(kept)
        op.function_type = FunctionType.from_lists([p for parts in inputs for p in parts], outputs)
        self.inside(op)

    def _hand_on(self, op: Operation) -> None:
        regions = [op.detach_region(region) for region in list(op.regions)]
        for _ in regions:
            op.add_region(Region(Block()))
        new = type(op).create(
            operands=self._expanded(op.operands),
            result_types=[part for r in op.results for part in _unpacked_types(r.type)],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            regions=regions,
        )
        self._insert(new, op)
        rest = list(new.results)
        for result in op.results:
            count = len(_unpacked_types(result.type))
            parts, rest = rest[:count], rest[count:]
            if _is_descriptor(result.type):
                self._packs[result] = tuple(parts)
            else:
                parts[0].name_hint = result.name_hint
                result.replace_all_uses_with(parts[0])
        self.inside(new)

    def _select(self, op: SelectOp) -> None:
        condition, a, b = op.operands
        build = Builder(op)
        pairs = zip(self._packs[a], self._packs[b], strict=True)
        self._packs[op.results[0]] = tuple(build.add(SelectOp(condition, x, y)) for x, y in pairs)
        self._obsolete.append(op)

    def _insert(self, new: Operation, old: Operation) -> None:
        new.location = old.location
        assert old.parent is not None
        old.parent.insert_op_before(new, old)
        self._obsolete.append(old)

    # --- descriptors and accesses ---------------------------------------------------------

    def _make(self, op: MakeTensorDescOp) -> None:
        build = Builder(op)
        sizes = [build.add(ExtSIOp(size, i64)) for size in op.shape]
        padding = op.properties["padding"]
        is_nan = isinstance(padding, IntegerAttr) and padding.value.data == PaddingOption.nan
        pads = build.add(ConstantOp(IntegerAttr(int(is_nan), i1)))
        self._packs[op.result] = (op.base, *sizes, *op.strides, pads)
        self._obsolete.append(op)

    def _block(
        self, op: Operation, descriptor: SSAValue, shape: Sequence[int], offsets: list[SSAValue]
    ) -> PointerBlock:
        pack = self._packs[descriptor]
        rank = (len(pack) - 2) // 2
        info = PointerInfo(pack[0], pack[1 : 1 + rank], pack[1 + rank : -1], offsets, shape)
        return PointerBlock(info, NoneAttr(), Builder(op))

    def _at(self, op: Operation, descriptor: SSAValue, indices: Sequence[SSAValue]) -> PointerBlock:
        """Return the block of a descriptor that begins at `indices`."""
        type = descriptor.type
        assert isinstance(type, TensorDescType)
        build = Builder(op)
        offsets = [build.add(ExtSIOp(index, i64)) for index in indices]
        return self._block(op, descriptor, type.get_shape(), offsets)

    def _rows(self, op: DescriptorGatherOp | DescriptorScatterOp, value: SSAValue) -> PointerBlock:
        """Return the block of the rows that a gather or scatter names."""
        type = value.type
        assert is_tensor(type)
        build = Builder(op)
        column = build.add(ExtSIOp(op.y_offset, i64))
        block = self._block(op, op.desc, type.get_shape(), [column, column])
        rows = build.add(ExpandDimsOp(op.x_offsets, 1))
        wide = ExtSIOp.create(
            operands=[rows], result_types=[TensorType(i64, [type.get_shape()[0], 1])]
        )
        block.positions[0] = build.add(wide)
        return block

    def _load(self, op: DescriptorLoadOp) -> None:
        block = self._at(op, op.desc, op.indices)
        self._replace_load(op, block, op.desc)

    def _gather(self, op: DescriptorGatherOp) -> None:
        self._replace_load(op, self._rows(op, op.result), op.desc)

    def _replace_load(
        self, op: DescriptorLoadOp | DescriptorGatherOp, block: PointerBlock, descriptor: SSAValue
    ) -> None:
        pointers = block.pointers()
        mask = block.mask(range(len(block.info.block_shape)))
        other = self._other(op, block, self._packs[descriptor][-1])
        new = LoadOp(pointers, mask, other)
        _take_hints(new, op)
        self._insert(new, op)
        new.result.name_hint = op.result.name_hint
        op.result.replace_all_uses_with(_reshaped(new.result, op.result, op))

    def _other(self, op: Operation, block: PointerBlock, pads_nan: SSAValue) -> SSAValue:
        """Return what elements outside read: zero, or NaN if the descriptor says so."""
        base = block.info.base.type
        assert isinstance(base, PtrType)
        type = TensorType(base.pointee_type, block.info.block_shape)
        build = Builder(op)
        zero = build.add(ConstantOp(filled(type, 0)))  # pyright: ignore
        if not isinstance(base.pointee_type, AnyFloat):
            return zero
        nan = build.add(ConstantOp(filled(type, float("nan"))))  # pyright: ignore
        return build.add(SelectOp(pads_nan, nan, zero))

    def _store(self, op: DescriptorStoreOp) -> None:
        block = self._at(op, op.desc, op.indices)
        self._replace_store(op, block, op.src)

    def _scatter(self, op: DescriptorScatterOp) -> None:
        self._replace_store(op, self._rows(op, op.src), op.src)

    def _replace_store(self, op: Operation, block: PointerBlock, value: SSAValue) -> None:
        pointers = block.pointers()
        mask = block.mask(range(len(block.info.block_shape)))
        new = StoreOp(pointers, _reshaped(value, pointers, op), mask)
        _take_hints(new, op)
        self._insert(new, op)

    def _reduce(self, op: DescriptorReduceOp) -> None:
        block = self._at(op, op.desc, op.indices)
        pointers = block.pointers()
        mask = block.mask(range(len(block.info.block_shape)))
        kind = _atomic_of(op)
        assert kind is not None
        new = AtomicRMWOp(
            kind,
            pointers,
            _reshaped(op.src, pointers, op),
            mask,
            sem=MemSemantic.release,
            scope=MemSyncScope.gpu,
        )
        self._insert(new, op)


def _reshaped(value: SSAValue, like: SSAValue, op: Operation) -> SSAValue:
    """Return a tensor with the dimensions of size 1 that `like` has; most have them."""
    assert is_tensor(value.type)
    assert is_tensor(like.type)
    shape = like.type.get_shape()
    return value if value.type.get_shape() == shape else Builder(op).add(ReshapeOp(value, shape))


def _take_hints(new: LoadOp | StoreOp, op: Operation) -> None:
    new.attributes.update(op.attributes)
    for name in ("cache", "evict"):
        if name in op.properties:
            new.properties[name] = op.properties[name]


def _atomic_of(op: DescriptorReduceOp) -> RMWOp | None:
    """Return the atomic that adds to memory what a reducing store does; None without one."""
    type = op.desc.type
    assert isinstance(type, TensorDescType)
    element = type.element_type
    kind = DescriptorReduceKind(op.kind.value.data)
    if kind is DescriptorReduceKind.add:
        return RMWOp.add if is_integer(element) else RMWOp.fadd
    bitwise = {
        DescriptorReduceKind.and_: RMWOp.and_,
        DescriptorReduceKind.or_: RMWOp.or_,
        DescriptorReduceKind.xor: RMWOp.xor,
    }
    if kind in bitwise:
        return bitwise[kind]
    if not is_integer(element):
        return None
    signedness = element.signedness.data
    extrema = {
        (DescriptorReduceKind.min, Signedness.SIGNED): RMWOp.min,
        (DescriptorReduceKind.max, Signedness.SIGNED): RMWOp.max,
        (DescriptorReduceKind.min, Signedness.UNSIGNED): RMWOp.umin,
        (DescriptorReduceKind.max, Signedness.UNSIGNED): RMWOp.umax,
    }
    return extrema.get((kind, signedness))
