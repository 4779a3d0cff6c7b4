"""
Block pointers as what they stand for: tensors of pointers, and masks.

A block pointer is its base, shape and strides, which never change, and its offsets, which
`tt.advance` moves. Where control flow carries a block pointer it carries the offsets.
Source: `RewriteTensorPointer.cpp` of Triton and of the Intel XPU backend.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    NoneAttr,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from xtriton.analysis.intel.accesses import tensor_type
from xtriton.analysis.intel.values import maker_of
from xtriton.dialects.tt.enums import PaddingOption
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.tt.pointers import AddPtrOp, AdvanceOp, MakeTensorPtrOp
from xtriton.dialects.tt.program import MakeRangeOp
from xtriton.dialects.tt.shapes import BroadcastOp, ExpandDimsOp, ReshapeOp, SplatOp
from xtriton.dialects.tt.types import PtrType
from xtriton.dialects.ttg.distributed import SliceEncodingAttr
from xtriton.dialects.upstream.arith import AddiOp, AndIOp, CmpiOp, ConstantOp, ExtSIOp, MuliOp
from xtriton.dialects.upstream.scf import ForOp, IfOp, YieldOp
from xtriton.dialects.utils.constants import constant_op
from xtriton.dialects.utils.tensors import is_integer, is_tensor
from xtriton.transforms.triton_gpu.retyping import set_type

Keep = Callable[[MakeTensorPtrOp, Sequence[Operation]], bool]
"""Whether a block pointer stays one; given all ops that use it, advanced or carried or not."""


def rewrite_block_pointers(root: Operation, keep: Keep) -> None:
    """
    Turn the block pointers made inside `root` into tensors of pointers.

    Those that `keep` holds for stay; so do those that anything but loads, stores, advances,
    `scf.for` and `scf.if` uses, and those that meet others on their way.
    """
    rewriting = _Rewriting()
    for maker in [op for op in root.walk() if isinstance(op, MakeTensorPtrOp)]:
        reach = _reach(maker)
        if reach is not None and not keep(maker, reach.users):
            rewriting.values |= dict.fromkeys(reach.values, maker)
    rewriting.block_by_block(root)
    rewriting.erase()


@dataclass
class _Reach:
    """All that a block pointer reaches: values that are it, moved or not, and their users."""

    values: set[SSAValue] = field(default_factory=set[SSAValue])
    users: list[Operation] = field(default_factory=list[Operation])


def _reach(maker: MakeTensorPtrOp) -> _Reach | None:
    reach = _Reach()
    pending: list[SSAValue] = [maker.result]
    while pending:
        value = pending.pop()
        if value in reach.values:
            continue
        if maker_of(value) is not maker:
            return None
        reach.values.add(value)
        for use in value.uses:
            following = _carried_on(use.operation, use.index)
            if following is None:
                return None
            reach.users.append(use.operation)
            pending += following
    return reach


def _carried_on(user: Operation, index: int) -> list[SSAValue] | None:
    """Return the values that a use makes block pointers too; None if that is not known."""
    match user:
        case LoadOp() | StoreOp():
            return []
        case AdvanceOp():
            return [user.results[0]]
        case ForOp():
            return [user.body.block.args[index - 2], user.results[index - 3]]
        case YieldOp():
            parent = user.parent_op()
            if isinstance(parent, ForOp):
                return [parent.body.block.args[index + 1], parent.results[index]]
            return [parent.results[index]] if isinstance(parent, IfOp) else None
        case _:
            return None


@dataclass
class PointerInfo:
    """What a block pointer is; `offsets` as numbers of 64 bits."""

    base: SSAValue
    shape: Sequence[SSAValue]
    strides: Sequence[SSAValue]
    offsets: Sequence[SSAValue]
    block_shape: Sequence[int]

    def at(self, offsets: Sequence[SSAValue]) -> PointerInfo:
        return replace(self, offsets=list(offsets))


@dataclass
class _Rewriting:
    values: dict[SSAValue, MakeTensorPtrOp] = field(default_factory=dict[SSAValue, MakeTensorPtrOp])
    """The values to replace, each with what made it."""
    _infos: dict[SSAValue, PointerInfo] = field(default_factory=dict[SSAValue, PointerInfo])
    _obsolete: list[Operation] = field(default_factory=list[Operation])

    def block_by_block(self, root: Operation) -> None:
        """Rewrite all ops inside `root`, what is around before what is inside."""
        for region in root.regions:
            for block in region.blocks:
                for op in list(block.ops):
                    self.block_by_block(self.rewrite(op))

    def erase(self) -> None:
        for op in reversed(self._obsolete):
            op.detach()
            op.erase()

    def rewrite(self, op: Operation) -> Operation:
        """Rewrite an op; return the one whose regions are to be visited."""
        match op:
            case MakeTensorPtrOp() if op.result in self.values:
                self._make(op)
            case AdvanceOp() if op.result in self.values:
                self._advance(op)
            case LoadOp() if op.ptr in self.values:
                self._load(op)
            case StoreOp() if op.ptr in self.values:
                self._store(op)
            case YieldOp():
                op.operands = self._expanded(op.operands)
            case ForOp() if any(value in self.values for value in op.iter_args):
                return self._loop(op)
            case IfOp() if any(result in self.values for result in op.results):
                return self._branch(op)
            case _:
                pass
        return op

    def _expanded(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """Return `values` with offsets in place of block pointers."""
        result: list[SSAValue] = []
        for value in values:
            result += self._infos[value].offsets if value in self.values else [value]
        return result

    def _make(self, op: MakeTensorPtrOp) -> None:
        type = tensor_type(op.result.type)
        assert type is not None
        build = InsertionPoint(op)
        offsets = [build.add(ExtSIOp(offset, i64)) for offset in op.offsets]
        self._infos[op.result] = PointerInfo(
            op.base, list(op.shape), list(op.strides), offsets, type.get_shape()
        )
        self._obsolete.append(op)

    def _advance(self, op: AdvanceOp) -> None:
        info, build = self._infos[op.ptr], InsertionPoint(op)
        offsets: list[SSAValue] = []
        for old, step in zip(info.offsets, op.offsets, strict=False):
            offsets.append(build.add(AddiOp(old, build.add(ExtSIOp(step, i64)))))
        offsets += info.offsets[len(offsets) :]
        self._infos[op.result] = info.at(offsets)
        self._obsolete.append(op)

    def _load(self, op: LoadOp) -> None:
        block = PointerBlock(self._infos[op.ptr], _encoding(op.result.type), InsertionPoint(op))
        pointers, mask = block.pointers(), block.mask(_checks(op))
        other = block.other(op.properties.get("padding"))
        new = LoadOp(pointers, mask, other)
        self._replace(op, new)

    def _store(self, op: StoreOp) -> None:
        block = PointerBlock(self._infos[op.ptr], _encoding(op.value.type), InsertionPoint(op))
        pointers, mask = block.pointers(), block.mask(_checks(op))
        self._replace(op, StoreOp(pointers, op.value, mask))

    def _replace(self, op: Operation, new: Operation) -> None:
        for name in ("cache", "evict", "isVolatile"):
            if name in op.properties:
                new.properties[name] = op.properties[name]
        new.location = op.location
        assert op.parent is not None
        op.parent.insert_op_before(new, op)
        for old, result in zip(op.results, new.results, strict=True):
            result.name_hint = old.name_hint
            old.replace_all_uses_with(result)
        self._obsolete.append(op)

    def _loop(self, op: ForOp) -> ForOp:
        old = op.body.block
        initial = self._expanded(op.iter_args)
        types = [value.type for value in initial]
        body = Block(arg_types=[old.args[0].type, *types])
        new = ForOp.create(
            operands=[op.lb, op.ub, op.step, *initial],
            result_types=types,
            regions=[Region(body)],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
        )
        for argument in body.args:
            argument.location = op.location
        self._hand_over(old.args[0], body.args[0])
        self._redirect(op.iter_args, old.args[1:], body.args[1:])
        self._redirect(op.iter_args, op.results, new.results)
        for nested in list(old.ops):
            nested.detach()
            body.add_op(nested)
        self._insert(new, op)
        return new

    def _branch(self, op: IfOp) -> IfOp:
        sources = list(op.results)
        types: list[Attribute] = []
        for value in sources:
            if value in self.values:
                # Known by now: what comes from both branches is made in front of them.
                self._infos[value] = self._infos[self.values[value].result]
                types += [i64] * len(self._infos[value].offsets)
            else:
                types.append(value.type)
        regions = [op.detach_region(region) for region in list(op.regions)]
        for _ in regions:
            op.add_region(Region(Block()))
        new = IfOp.create(
            operands=list(op.operands),
            result_types=types,
            regions=regions,
            properties=dict(op.properties),
            attributes=dict(op.attributes),
        )
        self._redirect(sources, sources, new.results)
        self._insert(new, op)
        return new

    def _insert(self, new: Operation, old: Operation) -> None:
        new.location = old.location
        assert old.parent is not None
        old.parent.insert_op_before(new, old)
        self._obsolete.append(old)

    def _redirect(
        self, sources: Sequence[SSAValue], olds: Sequence[SSAValue], news: Sequence[SSAValue]
    ) -> None:
        """Let `news` stand for `olds`, which come from `sources`: several for a pointer."""
        rest = list(news)
        for source, old in zip(sources, olds, strict=True):
            if source in self.values:
                info = self._infos[source]
                count = len(info.offsets)
                self._infos[old] = info.at(rest[:count])
                del rest[:count]
            else:
                self._hand_over(old, rest.pop(0))

    def _hand_over(self, old: SSAValue, new: SSAValue) -> None:
        if isinstance(old, BlockArgument) and isinstance(new, BlockArgument):
            new.location = old.location
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)


@dataclass
class InsertionPoint:
    """Inserts ops in front of one."""

    place: Operation

    def add(self, op: Operation) -> SSAValue:
        op.location = self.place.location
        assert self.place.parent is not None
        self.place.parent.insert_op_before(op, self.place)
        return op.results[0]


@dataclass
class PointerBlock:
    """
    The pointers and the mask of a block with a layout.

    `positions` may say where along a dimension the elements are, in place of the offset.
    With `reshapes` rows get their other dimensions all at once.
    """

    info: PointerInfo
    encoding: Attribute
    build: InsertionPoint
    positions: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    reshapes: bool = False

    def _type(self, element: Attribute) -> TensorType[Attribute]:
        return TensorType(element, self.info.block_shape, self.encoding)

    def _position(self, axis: int) -> SSAValue:
        """Return where along `axis` the elements are, with size 1 along all other dimensions."""
        found = self.positions.get(axis)
        if found is not None:
            return found
        size = self.info.block_shape[axis]
        encoding = self._row_encoding(axis)
        offset = self._splat(self.info.offsets[axis], TensorType(i64, [size], encoding))
        steps = self.build.add(MakeRangeOp(0, size, encoding))
        wide = ExtSIOp.create(operands=[steps], result_types=[TensorType(i64, [size], encoding)])
        result = self.build.add(AddiOp(offset, self.build.add(wide)))
        rank = len(self.info.block_shape)
        if self.reshapes and rank > 1:
            shape = tuple(size if d == axis else 1 for d in range(rank))
            result = self.build.add(ReshapeOp(result, shape))
        for other in range(rank) if not self.reshapes else ():
            if other != axis:
                result = self.build.add(ExpandDimsOp(result, other))
        self.positions[axis] = result
        return result

    def _row_encoding(self, axis: int) -> Attribute:
        """Return the layout from which expanding all other dimensions gives the block's."""
        encoding = self.encoding
        if isinstance(encoding, NoneAttr):
            return encoding
        for other in reversed(range(len(self.info.block_shape))):
            if other != axis:
                encoding = SliceEncodingAttr(other, encoding)
        return encoding

    def _splat(self, value: SSAValue, type: Attribute) -> SSAValue:
        return self.build.add(SplatOp.create(operands=[value], result_types=[type]))

    def _broadcast(self, value: SSAValue) -> SSAValue:
        return self.build.add(BroadcastOp(value, self.info.block_shape))

    def pointers(self) -> SSAValue:
        """Return the pointers of all elements."""
        result = self._splat(self.info.base, self._type(self.info.base.type))
        for axis, stride in enumerate(self.info.strides):
            position = self._position(axis)
            # Strides as wide as positions keep what is known of their divisibility.
            factor = self._splat(stride, position.type)
            distance = self._broadcast(self.build.add(MuliOp(position, factor)))
            result = self.build.add(AddPtrOp(result, distance))
        return result

    def mask(self, checks: Sequence[int]) -> SSAValue | None:
        """Return which elements are inside the parent along the dimensions of `checks`."""
        result: SSAValue | None = None
        for axis in checks:
            position = self._position(axis)
            zero = self.build.add(constant_op(i64, 0))
            low = self._compare(position, self._splat(zero, position.type), "sge")
            limit = self._splat(self.info.shape[axis], position.type)
            high = self._compare(position, limit, "slt")
            inside = self._broadcast(self.build.add(AndIOp(low, high)))
            result = inside if result is None else self.build.add(AndIOp(result, inside))
        return result

    def _compare(self, a: SSAValue, b: SSAValue, predicate: str) -> SSAValue:
        op = CmpiOp(a, b, predicate)
        type = a.type
        assert is_tensor(type)
        set_type(op.results[0], TensorType(i1, type.shape, type.encoding))
        return self.build.add(op)

    def other(self, padding: Attribute | None) -> SSAValue | None:
        """Return what elements outside read, if that is said."""
        if not isinstance(padding, IntegerAttr):
            return None
        base = self.info.base.type
        assert isinstance(base, PtrType)
        element = base.pointee_type
        if is_integer(element):
            value: Attribute = IntegerAttr(0, element)
        else:
            is_nan = padding.value.data == PaddingOption.nan
            value = FloatAttr(float("nan") if is_nan else 0.0, element)  # pyright: ignore[reportArgumentType, reportCallIssue]
        scalar = self.build.add(ConstantOp(value))
        return self._splat(scalar, self._type(element))


def _encoding(type: Attribute) -> Attribute:
    assert is_tensor(type)
    return type.encoding


def _checks(op: Operation) -> tuple[int, ...]:
    checks = op.properties.get("boundaryCheck")
    if not isinstance(checks, DenseArrayBase):
        return ()
    return tuple(int(axis) for axis in checks.iter_values())
