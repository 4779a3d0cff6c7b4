"""
What tensor descriptors stand for in the place of descriptors, for passes that turn them into it.

Source: `RewriteTensorDescriptorToPointer.cpp` of Triton.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    LocationAttr,
    ModuleOp,
    NameLoc,
    NoneAttr,
    Signedness,
    StringAttr,
    TensorType,
    UnknownLoc,
    f32,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

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
from xtriton.dialects.upstream.arith import ExtSIOp, SelectOp
from xtriton.dialects.utils.constants import constant_op
from xtriton.dialects.utils.tensors import is_integer, is_tensor
from xtriton.ir.listings import nested_ops
from xtriton.ir.noted_edits import set_property
from xtriton.ir.versions import Version, release
from xtriton.transforms.triton.descriptor_values import (
    holds_descriptors,
    is_descriptor,
    touches_descriptors,
)
from xtriton.transforms.triton.pointer_tensors import InsertionPoint, PointerBlock, PointerInfo
from xtriton.transforms.triton.tf32_rounding import rounded_if

Pack = tuple[SSAValue, ...]
"""Base, sizes, strides, whether padding is NaN and, in some releases, what is loaded rounded."""

_FIRST_RELEASE_THAT_NAMES: Version = (3, 8)
"""Since then the parts of a function's descriptors have names."""

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


def can_rewrite_descriptors(module: ModuleOp) -> bool:
    """Return whether there are descriptors in `module`, and only ops known here use them."""
    return holds_descriptors(module) and all(
        _is_known(op) for op in nested_ops(module) if touches_descriptors(op)
    )


def _is_known(op: Operation) -> bool:
    if isinstance(op, DescriptorReduceOp):
        return _atomic_of(op) is not None
    if op.name in _HANDED_ON_BY:
        # Blocks behind the first are reached by branches.
        return all(
            not any(is_descriptor(a.type) for a in block.args)
            for region in op.regions
            for block in list(region.blocks)[1:]
        )
    return isinstance(op, _ACCESSES)


@dataclass
class DescriptorRewriting:
    """
    Rewrites what is inside an op; `erase` has to follow.

    `kept` are descriptors to leave alone: no function takes or returns them, nor do they meet
    others in branches or loops. `rounds` says that a descriptor also tells whether f32 is
    rounded to tf32 when it is loaded, `reshapes` that offsets are reshaped and not expanded.
    """

    kept: set[SSAValue] = field(default_factory=set[SSAValue])
    rounds: bool = False
    reshapes: bool = False
    _packs: dict[SSAValue, Pack] = field(default_factory=dict[SSAValue, Pack])
    _obsolete: list[Operation] = field(default_factory=list[Operation])
    _arguments: list[tuple[Block, BlockArgument]] = field(
        default_factory=list[tuple[Block, BlockArgument]]
    )

    def _is_rewritten(self, value: SSAValue) -> bool:
        return is_descriptor(value.type) and value not in self.kept

    def _parts_of(self, type: Attribute) -> tuple[Attribute, ...]:
        """Return the types of what a descriptor becomes; other types are as they are."""
        if not isinstance(type, TensorDescType):
            return (type,)
        element = type.signless_block_type.element_type
        flags = (i1,) * (1 + self.rounds)
        return (PtrType(element), *(i64,) * (2 * len(type.get_shape())), *flags)

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
        touched = any(map(self._is_rewritten, (*op.operands, *op.results)))
        match op:
            case FuncOp():
                self._function(op)
            case _ if not touched:
                self.inside(op)
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
            case SelectOp():
                self._select(op)
            case _:
                self._hand_on(op)

    # --- what hands descriptors on --------------------------------------------------------

    def _expand_arguments(self, block: Block) -> None:
        names = isinstance(block.parent_op(), FuncOp) and release() >= _FIRST_RELEASE_THAT_NAMES
        for number, argument in enumerate(list(block.args)):
            if not self._is_rewritten(argument):
                continue
            pack: list[SSAValue] = []
            suffixes = _names_of_parts(argument)
            for i, type in enumerate(self._parts_of(argument.type)):
                new = block.insert_arg(type, argument.index + 1 + i)
                new.location = argument.location
                if names and i:
                    new.location = _named(argument.location, number, suffixes[i])
                pack.append(new)
            self._packs[argument] = tuple(pack)
            self._arguments.append((block, argument))

    def _expanded(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        return [part for value in values for part in self._packs.get(value, (value,))]

    def _function(self, op: FuncOp) -> None:
        type = op.function_type
        facts = op.arg_attrs
        inputs = [self._parts_of(t) for t in type.inputs]
        outputs = [part for t in type.outputs for part in self._parts_of(t)]
        if facts is not None:
            # What is said of a descriptor is not said of its parts.
            kept = [
                attribute if len(parts) == 1 else DictionaryAttr({})
                for attribute, parts in zip(facts.data, inputs, strict=True)
                for _ in parts
            ]
            set_property(op, "arg_attrs", ArrayAttr(kept))
        op.function_type = FunctionType.from_lists([p for parts in inputs for p in parts], outputs)
        self.inside(op)

    def _hand_on(self, op: Operation) -> None:
        regions = [op.detach_region(region) for region in list(op.regions)]
        for _ in regions:
            op.add_region(Region(Block()))
        new = type(op).create(
            operands=self._expanded(op.operands),
            result_types=[part for r in op.results for part in self._parts_of_result(r)],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            regions=regions,
        )
        self._insert(new, op)
        rest = list(new.results)
        for result in op.results:
            count = len(self._parts_of_result(result))
            parts, rest = rest[:count], rest[count:]
            if self._is_rewritten(result):
                self._packs[result] = tuple(parts)
            else:
                if result in self.kept:
                    self.kept.add(parts[0])
                parts[0].name_hint = result.name_hint
                result.replace_all_uses_with(parts[0])
        self.inside(new)

    def _parts_of_result(self, result: SSAValue) -> tuple[Attribute, ...]:
        return self._parts_of(result.type) if self._is_rewritten(result) else (result.type,)

    def _select(self, op: SelectOp) -> None:
        condition, a, b = op.operands
        build = InsertionPoint(op)
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
        build = InsertionPoint(op)
        sizes = [build.add(ExtSIOp(size, i64)) for size in op.shape]
        padding = op.properties["padding"]
        is_nan = isinstance(padding, IntegerAttr) and padding.value.data == PaddingOption.nan
        pads = build.add(constant_op(i1, int(is_nan)))
        flags = (pads, build.add(constant_op(i1, 0))) if self.rounds else (pads,)
        self._packs[op.result] = (op.base, *sizes, *op.strides, *flags)
        self._obsolete.append(op)

    def _block(
        self, op: Operation, descriptor: SSAValue, shape: Sequence[int], offsets: list[SSAValue]
    ) -> PointerBlock:
        pack, rank = self._packs[descriptor], _rank(descriptor)
        sizes, strides = pack[1 : 1 + rank], pack[1 + rank : 1 + 2 * rank]
        info = PointerInfo(pack[0], sizes, strides, offsets, shape)
        return PointerBlock(info, NoneAttr(), InsertionPoint(op), reshapes=self.reshapes)

    def _at(self, op: Operation, descriptor: SSAValue, indices: Sequence[SSAValue]) -> PointerBlock:
        """Return the block of a descriptor that begins at `indices`."""
        type = descriptor.type
        assert isinstance(type, TensorDescType)
        build = InsertionPoint(op)
        offsets = [build.add(ExtSIOp(index, i64)) for index in indices]
        return self._block(op, descriptor, type.get_shape(), offsets)

    def _rows(self, op: DescriptorGatherOp | DescriptorScatterOp, value: SSAValue) -> PointerBlock:
        """Return the block of the rows that a gather or scatter names."""
        type = value.type
        assert is_tensor(type)
        build = InsertionPoint(op)
        column = build.add(ExtSIOp(op.y_offset, i64))
        block = self._block(op, op.desc, type.get_shape(), [column, column])
        count = type.get_shape()[0]
        if block.reshapes:
            rows = build.add(ReshapeOp(op.x_offsets, (count, 1)))
        else:
            rows = build.add(ExpandDimsOp(op.x_offsets, 1))
        wide = ExtSIOp.create(operands=[rows], result_types=[TensorType(i64, [count, 1])])
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
        flags = self._packs[descriptor][1 + 2 * _rank(descriptor) :]
        other = self._other(op, block, flags[0])
        new = LoadOp(pointers, mask, other)
        _take_hints(new, op)
        self._insert(new, op)
        new.result.name_hint = op.result.name_hint
        value: SSAValue = new.result
        if self.rounds and block.info.base.type == PtrType(f32):
            value = rounded_if(flags[1], value, InsertionPoint(op).add)
        op.result.replace_all_uses_with(_reshaped(value, op.result, op))

    def _other(self, op: Operation, block: PointerBlock, pads_nan: SSAValue) -> SSAValue:
        """Return what elements outside read: zero, or NaN if the descriptor says so."""
        base = block.info.base.type
        assert isinstance(base, PtrType)
        type = TensorType(base.pointee_type, block.info.block_shape)
        build = InsertionPoint(op)
        zero = build.add(constant_op(type, 0))
        if not isinstance(base.pointee_type, AnyFloat):
            return zero
        nan = build.add(constant_op(type, float("nan")))
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


def _names_of_parts(descriptor: SSAValue) -> list[str]:
    dims = range(_rank(descriptor))
    sizes, strides = ([f"{kind}.{d}" for d in dims] for kind in ("shape", "stride"))
    return ["", *sizes, *strides, "padding", "roundF32ToTF32"]


def _named(location: LocationAttr | None, number: int, name: str) -> NameLoc:
    """Return the location of a part of an argument that has a location, maybe with a name."""
    base = location.desc.data if isinstance(location, NameLoc) else f"arg_{number}"
    return NameLoc(StringAttr(f"{base}.{name}"), location or UnknownLoc())


def _rank(descriptor: SSAValue) -> int:
    assert isinstance(descriptor.type, TensorDescType)
    return len(descriptor.type.get_shape())


def _reshaped(value: SSAValue, like: SSAValue, op: Operation) -> SSAValue:
    """Return a tensor with the dimensions of size 1 that `like` has; most have them."""
    assert is_tensor(value.type)
    assert is_tensor(like.type)
    shape = like.type.get_shape()
    return (
        value
        if value.type.get_shape() == shape
        else InsertionPoint(op).add(ReshapeOp(value, shape))
    )


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
