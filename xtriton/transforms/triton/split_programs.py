"""
Split each program of a kernel into several that store parts of its blocks.

Before:

    %pid = tt.get_program_id x : i32
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    ...
    tt.store %p, %v : tensor<64x64x!tt.ptr<f32>>

After, with `bands` = 2:

    %x = tt.get_program_id x : i32
    %pid = arith.divsi %x, %c2 : i32
    %band = arith.remsi %x, %c2 : i32
    %from = arith.muli %band, %c32 : i32
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %s = tt.splat %from : i32 -> tensor<32xi32>
    %i = arith.addi %r, %s : tensor<32xi32>
    ...
    tt.store %p, %v : tensor<32x64x!tt.ptr<f32>>

The grid has to have `bands` times as many programs along x then. Values are followed back from
what is stored: of each only those elements are computed that the band needs, in the order of before;
what is needed as a whole as well is computed both ways.

The bands of a program run in any order, unlike its ops. So a kernel stays as it is unless what it
loads it never stores to, stores through each argument once at most, and not in a loop. Whoever
launches it has to see to it that no argument that is stored to shares memory with another one.

Bands store the same bits. What a compiler may round in several ways, depending on the code around it,
keeps a kernel as it is, too: floats that are reduced, whose order is free, and products and sums in
one kernel, as in a * b + c * d, where either product may be fused with the sum. Of places for which
one store has several values nobody says which one stays, and bands may leave another one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, ModuleOp, TensorType, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from xtriton.analysis.pointer_roots import POINTER_MOVES
from xtriton.analysis.report import kernels
from xtriton.diagnostics import remark
from xtriton.dialects.encodings.inference import is_elementwise_class
from xtriton.dialects.tt.memory import LoadOp, StoreOp
from xtriton.dialects.tt.program import GetNumProgramsOp, GetProgramIdOp, MakeRangeOp
from xtriton.dialects.tt.shapes import SplatOp
from xtriton.dialects.upstream.arith import AddiOp, ConstantOp, DivSIOp, MuliOp, RemSIOp
from xtriton.dialects.upstream.scf import ForOp, IfOp, YieldOp
from xtriton.dialects.utils.constants import constant_op
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.errors import PassFailure
from xtriton.ir.attributes import integer, integers, string
from xtriton.ir.dense import from_bytes, is_splat, size_of
from xtriton.ir.value_flow import beginnings, deciding, initial_values, is_inside, sources

LEAST_ROWS = 16
"""Elements of a band along the dimension that is split, at least: those of the smallest product."""

Form = int | None
"""How a value is needed: the part of a band along a dimension, or the whole."""

_ENDS = ("tt.return", "scf.yield", "tt.reduce.return", "tt.scan.return")
_COSTLY = ("tt.dot", "tt.dot_scaled", "tt.reduce", "tt.scan")
"""What no two bands should compute."""
_PRODUCTS = frozenset(("arith.mulf", "arith.divf", "tt.precise_divf"))
_SUMS = frozenset(("arith.addf", "arith.subf"))
"""Ops of floats that a compiler may fuse, one of the products with a sum."""


class NotSplit(Exception):
    """A kernel cannot be split; the message says why."""


@dataclass(frozen=True)
class SplitProgramsPass(ModulePass):
    """Split each program into `bands` programs that store parts of its blocks."""

    name = "xtriton-split-programs"

    bands: int = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.bands < 2:
            raise PassFailure(f"a program cannot be split into {self.bands} bands")
        for function in kernels(op):
            try:
                split_programs(function, self.bands)
            except NotSplit as reason:
                remark(function, f"not split: {reason}")


def split_programs(function: Operation, bands: int) -> None:
    """
    Split each program of a kernel into `bands` programs, beside each other along x.

    Raises `NotSplit`, and leaves the kernel as it is, where that is not possible or not safe.
    """
    stores = _independent_stores(function)
    _check_rounding(function)
    needs = _first_possible(function, stores, bands)
    _Writer(needs, bands).rewrite(function)


# --- whether the bands of a program may run in any order -------------------------------------


def _independent_stores(function: Operation) -> list[Operation]:
    """Return the stores of a kernel in which the order of bands makes no difference."""
    region = function.regions[0]
    if len(region.blocks) != 1:
        raise NotSplit("it has branches")
    if string(function, "sym_visibility") == "private":
        raise NotSplit("it is no kernel")
    stores: dict[SSAValue, Operation] = {}
    loaded: set[SSAValue] = set()
    for op in region.block.walk():
        if isinstance(op, LoadOp):
            if op.isVolatile.value.data:
                raise NotSplit("a load is volatile")
            loaded |= _arguments_behind(op.ptr, region.block)
        elif isinstance(op, StoreOp):
            _check_is_no_loop(op, function)
            for argument in _arguments_behind(op.ptr, region.block):
                if argument in stores:
                    raise NotSplit("two stores go through one argument")
                stores[argument] = op
        elif isinstance(op, ForOp | IfOp) or op.name in (*_ENDS, "llvm.intr.assume"):
            continue
        elif not is_side_effect_free(op):
            raise NotSplit(f"the order of '{op.name}' and others matters")
    if loaded & stores.keys():
        raise NotSplit("it loads through an argument to which it stores")
    if not stores:
        raise NotSplit("it stores nothing")
    return list(dict.fromkeys(stores.values()))


def _check_rounding(function: Operation) -> None:
    """Refuse what the compiler may round otherwise in a band."""
    ops = list(function.walk())
    for op in ops:
        if op.name in ("tt.reduce", "tt.scan") and any(map(_is_of_floats, op.operands)):
            raise NotSplit(f"the order of a '{op.name}' of floats is free")
    names = {op.name for op in ops}
    if names & _PRODUCTS and names & _SUMS:
        raise NotSplit("products may be fused with sums in several ways")


def _is_of_floats(value: SSAValue) -> bool:
    return is_tensor(value.type) and isinstance(value.type.element_type, AnyFloat)


def _check_is_no_loop(store: Operation, function: Operation) -> None:
    op = store
    while op is not function:
        parent = op.parent_op()
        assert parent is not None
        if isinstance(parent, ForOp):
            raise NotSplit("a store is in a loop")
        op = parent


def _arguments_behind(pointer: SSAValue, entry: Block) -> set[SSAValue]:
    """Return the arguments of the kernel that a pointer may have been made from."""
    found = beginnings(pointer, POINTER_MOVES)
    if any(value.owner is not entry for value in found):
        raise NotSplit("a pointer is of unknown origin")
    return found


# --- what a band needs ----------------------------------------------------------------------


def _first_possible(function: Operation, stores: Sequence[Operation], bands: int) -> _Needs:
    reasons: list[str] = []
    for dim in range(max(len(_shape(store.operands[0])) for store in stores)):
        needs = _Needs(bands)
        try:
            needs.follow(function, stores, dim)
        except NotSplit as reason:
            reasons.append(f"dimension {dim}: {reason}")
        else:
            return needs
    raise NotSplit("; ".join(reasons) or "a store is of one element")


@dataclass
class _Needs:
    """In which forms each value is needed, and along which dimension each store is split."""

    bands: int
    forms: dict[SSAValue, set[Form]] = field(
        default_factory=lambda: defaultdict[SSAValue, set[Form]](set)
    )
    stores: dict[Operation, int] = field(default_factory=dict[Operation, int])
    _pending: list[tuple[SSAValue, Form]] = field(default_factory=list[tuple[SSAValue, Form]])

    def follow(self, function: Operation, stores: Sequence[Operation], dim: int) -> None:
        """Find what stores need that are split along `dim`, or their last one if they have less."""
        for store in stores:
            rank = len(_shape(store.operands[0]))
            if rank == 0:
                raise NotSplit("a store is of one element")
            own = self.stores[store] = min(dim, rank - 1)
            self._ask_operands(store, own)
        for op in function.walk():
            values = op.operands if op.name == "llvm.intr.assume" else deciding(op)
            for value in values:
                self._ask(value, None)
        while self._pending:
            self._follow(*self._pending.pop())

    def of_results(self, op: Operation) -> list[Form]:
        """Return the forms in which any result of `op` is needed."""
        return _ordered({form for result in op.results for form in self.forms[result]})

    def of_carried(self, op: Operation) -> list[tuple[int, Form]]:
        """Return what a loop or a condition hands on: numbers of results, each with a form."""
        arguments = op.regions[0].block.args[1:] if isinstance(op, ForOp) else op.results
        return [
            (number, form)
            for number, pair in enumerate(zip(op.results, arguments, strict=True))
            for form in _ordered({form for value in pair for form in self.forms[value]})
        ]

    def _ask(self, value: SSAValue, form: Form) -> None:
        if form is not None:
            size = _shape(value)[form]
            if size % self.bands or size // self.bands < LEAST_ROWS:
                raise NotSplit(f"{size} rows are too few")
        if form not in self.forms[value]:
            self.forms[value].add(form)
            self._pending.append((value, form))

    def _ask_operands(self, op: Operation, form: Form) -> None:
        for operand, own in zip(op.operands, _forms_of_operands(op, form), strict=True):
            self._ask(operand, own)
        for value in _captured(op):
            self._ask(value, None)

    def _follow(self, value: SSAValue, form: Form) -> None:
        handed_on = sources(value)
        if handed_on is not None:
            for source in handed_on:
                self._ask(source, form)
        elif isinstance(value.owner, Operation):
            self._ask_operands(value.owner, form)


def _forms_of_operands(op: Operation, form: Form) -> Sequence[Form]:
    """Return how `op` takes its operands to make a part of its results, or to store one."""
    if form is None:
        if op.name in _COSTLY:
            raise NotSplit(f"each band needs all of a '{op.name}'")
        return [None] * len(op.operands)
    match op.name:
        case "arith.constant" if is_splat(op.properties["value"]):
            return ()
        case "tt.make_range":
            return ()
        case "tt.splat":
            return (None,)
        case "tt.expand_dims":
            return (form - (integer(op, "axis") < form),)
        case "tt.broadcast":
            return (None if _shape(op.operands[0])[form] == 1 else form,)
        case "tt.trans":
            return (integers(op, "order")[form],)
        case "tt.reduce":
            return [form + (integer(op, "axis") <= form)] * len(op.operands)
        case "tt.scan" if integer(op, "axis") != form:
            return [form] * len(op.operands)
        case "tt.dot":
            row, column = len(_shape(op.results[0])) - 2, len(_shape(op.results[0])) - 1
            return (None if form == column else form, None if form == row else form, form)
        case _:
            if is_elementwise_class(type(op)) or _is_access_of_tensors(op):
                return [form if is_tensor(operand.type) else None for operand in op.operands]
    raise NotSplit(f"no part of a '{op.name}' is known")


def _is_access_of_tensors(op: Operation) -> bool:
    return isinstance(op, LoadOp | StoreOp) and is_tensor(op.ptr.type)


def _captured(op: Operation) -> list[SSAValue]:
    """Return what the regions of an op that is no loop or condition use of what is outside."""
    inner = (nested for region in op.regions for nested in region.walk())
    return [v for nested in inner for v in nested.operands if not is_inside(v, op)]


def _same_splat(value: Any, type: Any) -> Attribute:
    return from_bytes(type, value.data.data[: size_of(type.element_type)])


def _shape(value: SSAValue) -> Sequence[int]:
    return value.type.get_shape() if is_tensor(value.type) else ()


def _ordered(forms: set[Form]) -> list[Form]:
    return sorted(forms, key=lambda form: -1 if form is None else form)


# --- the programs of bands ------------------------------------------------------------------


class _Writer:
    """Writes the body of a kernel anew, each value in the forms that are needed."""

    def __init__(self, needs: _Needs, bands: int) -> None:
        self.needs = needs
        self.bands = bands
        self.made: dict[tuple[SSAValue, Form], SSAValue] = {}

    def rewrite(self, function: Operation) -> None:
        region = function.regions[0]
        old = region.block
        new = Block(arg_types=[argument.type for argument in old.args])
        self._same(old.args, new.args)
        self._write_place(new)
        self._write(old, new)
        region.erase_block(old, safe_erase=False)
        region.add_block(new)

    def _same(self, old: Sequence[SSAValue], new: Sequence[SSAValue], form: Form = None) -> None:
        for value, own in zip(old, new, strict=True):
            own.name_hint = value.name_hint
            self.made[value, form] = own

    def _write_place(self, block: Block) -> None:
        """Write which band of which program this is."""
        x, count = GetProgramIdOp(), constant_op(i32, self.bands)
        program, band = DivSIOp(x, count), RemSIOp(x, count)
        block.add_ops([x, count, program, band])
        self.count, self.program, self.band = count.results[0], program.result, band.result

    def _write(self, old: Block, new: Block) -> None:
        """Write what is needed of the ops of `old`, but for its `scf.yield`, into `new`."""
        for op in old.ops:
            first = new.last_op
            if isinstance(op, ForOp | IfOp):
                self._write_regions(op, new)
            elif isinstance(op, StoreOp):
                self._write_copy(op, self.needs.stores[op], new)
            elif op.name in ("tt.return", "llvm.intr.assume"):
                self._write_copy(op, None, new)
            for form in self.needs.of_results(op) if not isinstance(op, ForOp | IfOp) else ():
                self._write_value(op, form, new)
            made = new.first_op if first is None else first.next_op
            while made is not None:
                made.location = op.location
                made = made.next_op

    def _write_value(self, op: Operation, form: Form, block: Block) -> None:
        if isinstance(op, GetProgramIdOp) and integer(op, "axis") == 0:
            self.made[op.result, None] = self.program
        elif isinstance(op, GetNumProgramsOp) and integer(op, "axis") == 0:
            x = GetNumProgramsOp()
            programs = DivSIOp(x, self.count)
            block.add_ops([x, programs])
            self._same(op.results, programs.results)
        elif isinstance(op, MakeRangeOp) and form is not None:
            self._write_range(op, form, block)
        else:
            self._write_copy(op, form, block)

    def _write_range(self, op: MakeRangeOp, form: int, block: Block) -> None:
        type = self._type(op.result, form)
        assert is_tensor(type)
        start, (size,) = op.start.value.data, type.get_shape()
        indices = MakeRangeOp.create(
            result_types=[type],
            properties={**op.properties, **MakeRangeOp(start, start + size).properties},
        )
        rows = constant_op(i32, size)
        first = MuliOp(self.band, rows.results[0])
        all_first = SplatOp.create(operands=[first.result], result_types=[type])
        sum = AddiOp(indices.results[0], all_first.results[0])
        block.add_ops([indices, rows, first, all_first, sum])
        self._same(op.results, sum.results, form)

    def _write_copy(self, op: Operation, form: Form, block: Block) -> None:
        forms = _forms_of_operands(op, form)
        properties = dict(op.properties)
        types = [self._type(result, form) for result in op.results]
        if isinstance(op, ConstantOp) and form is not None:
            properties["value"] = _same_splat(op.value, types[0])
        captured = {value: self.made[value, None] for value in _captured(op)}
        regions = [Region() for _ in op.regions]
        for region, own in zip(op.regions, regions, strict=True):
            region.clone_into(own, value_mapper=dict(captured))
        new = type(op).create(
            operands=[self.made[v, own] for v, own in zip(op.operands, forms, strict=True)],
            result_types=types,
            properties=properties,
            # What attributes promise of a block, such as its divisibility, its parts need not keep.
            attributes=dict(op.attributes) if form is None else {},
            regions=regions,
        )
        block.add_op(new)
        self._same(op.results, new.results, form)

    def _type(self, value: SSAValue, form: Form) -> Attribute:
        type = value.type
        if form is None:
            return type
        assert is_tensor(type)
        shape = list(type.get_shape())
        shape[form] //= self.bands
        return TensorType(type.element_type, shape, type.encoding)

    def _write_regions(self, op: ForOp | IfOp, block: Block) -> None:
        """Write a loop or a condition that hands on what is needed, if it does or stores anything."""
        carried = self.needs.of_carried(op)
        if not carried and not any(isinstance(inner, StoreOp) for inner in op.walk()):
            return
        types = [self._type(op.results[number], form) for number, form in carried]
        regions = [self._region(region, carried, types) for region in op.regions]
        operands = [self.made[value, None] for value in deciding(op)]
        if isinstance(op, ForOp):
            operands += [self.made[initial_values(op)[number], form] for number, form in carried]
        new = type(op).create(
            operands=operands,
            result_types=types,
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            regions=regions,
        )
        block.add_op(new)
        for (number, form), result in zip(carried, new.results, strict=True):
            self._same([op.results[number]], [result], form)

    def _region(
        self, old: Region, carried: Sequence[tuple[int, Form]], types: Sequence[Attribute]
    ) -> Region:
        if not old.blocks:
            return Region()
        arguments = old.block.args
        new = Block(arg_types=[*(a.type for a in arguments[:1]), *(types if arguments else ())])
        self._same(arguments[:1], new.args[:1])
        if arguments:
            for (number, form), argument in zip(carried, new.args[1:], strict=True):
                self._same([arguments[number + 1]], [argument], form)
        self._write(old.block, new)
        end = old.block.last_op
        assert end is not None
        new.add_op(YieldOp(*(self.made[end.operands[number], form] for number, form in carried)))
        return Region(new)
