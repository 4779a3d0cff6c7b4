"""The body of a kernel written anew, each value in the forms that bands need."""

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import TensorType, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xtriton.dialects.tt.memory import StoreOp
from xtriton.dialects.tt.program import GetNumProgramsOp, GetProgramIdOp, MakeRangeOp
from xtriton.dialects.tt.shapes import SplatOp
from xtriton.dialects.upstream.arith import AddiOp, ConstantOp, DivSIOp, MuliOp, RemSIOp
from xtriton.dialects.upstream.scf import ForOp, IfOp, YieldOp
from xtriton.dialects.utils.constants import constant_op
from xtriton.dialects.utils.tensors import is_tensor
from xtriton.ir.attributes import integer
from xtriton.ir.dense import from_bytes, size_of
from xtriton.ir.value_flow import deciding, initial_values
from xtriton.transforms.triton.bands.needs import Form, Needs, captured, forms_of_operands


class Writer:
    """Writes the body of a kernel anew, each value in the forms that are needed."""

    def __init__(self, needs: Needs, bands: int) -> None:
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
        forms = forms_of_operands(op, form)
        properties = dict(op.properties)
        types = [self._type(result, form) for result in op.results]
        if isinstance(op, ConstantOp) and form is not None:
            properties["value"] = _same_splat(op.value, types[0])
        outside = {value: self.made[value, None] for value in captured(op)}
        regions = [Region() for _ in op.regions]
        for region, own in zip(op.regions, regions, strict=True):
            region.clone_into(own, value_mapper=dict(outside))
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


def _same_splat(value: Any, type: Any) -> Attribute:
    return from_bytes(type, value.data.data[: size_of(type.element_type)])
