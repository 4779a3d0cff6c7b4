"""
One loop for a loop and the loops directly in it.

    for i in range(lo, hi, st):           t, i = 0, lo - st
      prologue(i)                         for _ in range(iterations(i) * iterations(j)):
      for j in range(lo_j, hi_j, st_j):     if t == 0:
        body(i, j)                            i += st; prologue(i); j = lo_j
      epilogue(i)                           if 0 <= t < iterations(j):
                                              body(i, j); j += st_j
                                            if t == max(1, iterations(j)) - 1:
                                              epilogue(i)
                                            t = 0 if that was the last one else t + 1

With several inner loops, the last iteration of one, what lies between and the first of the
next share an iteration. Values that pass from one part to another are carried by the loop.

Source: `fuseOneLevel` in Triton's `FuseNestedLoops.cpp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, IntegerType, UnitAttr, i1, i32
from xdsl.ir import Block, Operation, Region, SSAValue

from xtriton.dialects.upstream.arith import (
    AddiOp,
    AndIOp,
    CmpiOp,
    MuliOp,
    SelectOp,
    SubiOp,
)
from xtriton.dialects.upstream.scf import ForOp, IfOp, YieldOp
from xtriton.ir.noted_edits import set_attribute
from xtriton.ir.value_flow import LOOP_BOUNDS, bounds_of, is_inside
from xtriton.ir.versions import Version, release
from xtriton.passes.rewriting import replace
from xtriton.transforms.triton_gpu.loop_emitter import OpInserter, integer_bits
from xtriton.transforms.triton_gpu.loop_nests import (
    Nest,
    Section,
    in_program_order,
    is_in_region,
    ops_to_hoist,
    part_of,
)

MUST_EXECUTE = "ttg.must-execute"
"""An inner loop that is known to run at least once."""

WARP_SPECIALIZE = "tt.warp_specialize"
DISALLOW_MULTI_BUFFER = "tt.disallow_acc_multi_buffer"
NUM_STAGES = "tt.num_stages"

_FIRST_RELEASE_TO_KEEP_ONE_STAGE: Version = (3, 9)


@dataclass
class _Inner:
    loop: ForOp
    sliced: list[Operation]
    """The ops that compute its bounds anew in each iteration of the outer loop."""


def fuse(nest: Nest) -> None:
    """Fuse a nest, the innermost loops first."""
    for child in nest.children:
        fuse(child)
    outer = nest.loop
    inner, to_hoist = _fusible(nest)
    nest.children = []
    if not inner:
        return
    assert outer.parent is not None
    for op in in_program_order(to_hoist, outer):
        op.detach()
        outer.parent.insert_op_before(op, outer)
    nest.loop = _Fusion(outer, inner).run()


def _fusible(nest: Nest) -> tuple[list[_Inner], list[Operation]]:
    outer, inner = nest.loop, list[_Inner]()
    to_hoist: dict[Operation, None] = {}
    induction = outer.body.block.args[0]
    for child in nest.children:
        bounds = bounds_of(child.loop)
        found = ops_to_hoist(outer, bounds)
        if found is not None:
            to_hoist |= dict.fromkeys(found)
            inner.append(_Inner(child.loop, []))
            continue
        sliced = ops_to_hoist(outer, bounds, lambda argument: argument is induction)
        if sliced is not None:
            inner.append(_Inner(child.loop, in_program_order(sliced, outer)))
    return inner, list(to_hoist)


class _Fusion:
    """The fusion of one loop with those in it."""

    def __init__(self, outer: ForOp, inner: list[_Inner]):
        self.outer, self.inner = outer, inner
        self.body = outer.body.block
        self.induction = self.body.args[0]
        width = max(
            integer_bits(loop.body.block.args[0].type)
            for loop in (outer, *(each.loop for each in inner))
        )
        self.type = IntegerType(width)
        self.parts = self._parts()

    def _parts(self) -> list[Section]:
        loops = [each.loop for each in self.inner]
        groups: list[list[Operation]] = [[]]
        for op in list(self.body.ops)[:-1]:
            if op in loops:
                groups.append([])
            else:
                groups[-1].append(op)
        return [part_of(ops, self.body) for ops in groups]

    def run(self) -> ForOp:
        outer, loops = self.outer, [each.loop for each in self.inner]
        emit = OpInserter.in_front_of(outer)
        lengths, inner_length, total = self._lengths(emit)
        self.outer_yield = self.body.last_op
        assert isinstance(self.outer_yield, YieldOp)
        initial = [
            emit.integer(0, self.type),
            emit.add(SubiOp(outer.lb, outer.step)),
        ]
        self.at_outer = len(initial)
        initial += outer.iter_args
        self.at_lengths = len(initial)
        initial += lengths
        self.at_length = len(initial)
        initial.append(inner_length)
        self.at_inductions = len(initial)
        initial += [emit.anything(loop.body.block.args[0].type) for loop in loops]
        self.at_results = len(initial)
        initial += [emit.anything(type) for loop in loops for type in loop.result_types]
        self.at_outputs = len(initial)
        initial += [emit.anything(type) for part in self.parts[:-1] for type in part.types]

        zero, one = emit.integer(0, self.type), emit.integer(1, self.type)
        block = Block(arg_types=[self.type, *(value.type for value in initial)])
        fused = ForOp(zero, total, one, initial, block)
        emit.insert(fused)
        self.arguments = block.args[1:]
        for argument, new in zip(self.body.args[1:], self.arguments[self.at_outer :], strict=False):
            argument.replace_all_uses_with(new)
        self._fill(fused, block, inner_length)
        return fused

    def _lengths(self, emit: OpInserter) -> tuple[list[SSAValue], SSAValue, SSAValue]:
        """Compute the iterations of each inner loop, of all of them, and of the fused one."""
        outer, type = self.outer, self.type
        outer_length = emit.iterations(bounds_of(outer))
        lengths = [
            emit.anything(type)
            if each.sliced
            else emit.cast(emit.iterations(bounds_of(each.loop)), type)
            for each in self.inner
        ]
        length = emit.integer(0, type)
        for each, value in zip(self.inner, lengths, strict=True):
            if not each.sliced:
                length = emit.add(AddiOp(length, emit.at_least_one(value)))
        length = emit.add(SubiOp(length, emit.integer(len(self.inner) - 1, type)))
        total = emit.add(MuliOp(emit.cast(outer_length, type), length))
        if not any(each.sliced for each in self.inner):
            return lengths, length, total
        # A loop that only adds up the iterations of loops whose bounds change.
        block = Block(arg_types=[self.induction.type, type])
        counting = OpInserter(outer, block)
        mapping: dict[SSAValue, SSAValue] = {self.induction: block.args[0]}
        added: SSAValue = block.args[1]
        for value in self._variant_lengths(counting, mapping):
            if value is not None:
                added = counting.add(AddiOp(added, counting.at_least_one(value)))
        counting.insert(YieldOp(added))
        counted = emit.add(ForOp(outer.lb, outer.ub, outer.step, [total], block))
        return lengths, length, counted

    def _variant_lengths(
        self, emit: OpInserter, mapping: dict[SSAValue, SSAValue]
    ) -> list[SSAValue | None]:
        """Compute the iterations of loops whose bounds change; `None` for the others."""
        done: set[Operation] = set()
        found: list[SSAValue | None] = []
        for each in self.inner:
            if not each.sliced:
                found.append(None)
                continue
            for op in each.sliced:
                if op not in done:
                    done.add(op)
                    emit.insert(op.clone(mapping))
            bounds = [mapping.get(value, value) for value in bounds_of(each.loop)]
            found.append(emit.cast(emit.iterations(bounds), self.type))
        return found

    def _fill(self, fused: ForOp, block: Block, outer_length: SSAValue) -> None:
        emit = OpInserter(self.outer, block)
        time: SSAValue = self.arguments[0]
        self.index: SSAValue = self.arguments[1]
        count = len(self.inner)
        self.lengths: list[SSAValue] = list(
            self.arguments[self.at_lengths : self.at_lengths + count]
        )
        self.length = outer_length
        prologues: list[IfOp] = []
        bodies: list[IfOp] = []
        results, outputs = self.at_results, self.at_outputs
        for k, each in enumerate(self.inner):
            start = emit.integer(0, self.type)
            for value in self.lengths[:k]:
                start = emit.add(AddiOp(start, emit.at_least_one(value)))
            start = emit.add(SubiOp(start, emit.integer(k, self.type)))
            carried = self.arguments[results : results + len(each.loop.results)]
            kept = self.arguments[outputs : outputs + len(self.parts[k].outputs)]
            results, outputs = results + len(carried), outputs + len(kept)
            prologues.append(self._prologue(emit, k, time, start, [*kept, *carried]))
            bodies.append(self._body(emit, k, time, start, carried, prologues[k].results[0]))
        ended = self._epilogue(emit, time)
        last = emit.add(SubiOp(self.length, emit.integer(1, self.type)))
        following = emit.add(AddiOp(time, emit.integer(1, self.type)))
        wraps = emit.add(CmpiOp(time, last, "eq"))
        next_time = emit.add(SelectOp(wraps, emit.integer(0, self.type), following))
        assert self.outer_yield is not None
        yielded = [next_time, self.index, *self.outer_yield.operands, *self.lengths, self.length]
        yielded += [body.results[0] for body in bodies]
        for each, body in zip(self.inner, bodies, strict=True):
            yielded += body.results[1 : 1 + len(each.loop.results)]
        for part, prologue in zip(self.parts, prologues, strict=False):
            yielded += prologue.results[1 : 1 + len(part.outputs)]
        emit.insert(YieldOp(*yielded))
        for old, new in zip(self.outer.results, fused.results[self.at_outer :], strict=False):
            old.replace_all_uses_with(new)
        self._reset_in_epilogue(fused, prologues, bodies, ended)
        self._set_attributes(fused)
        for each in self.inner:
            each.loop.detach()
            each.loop.erase()
        self.outer.detach()
        self.outer.erase()

    def _prologue(
        self, emit: OpInserter, k: int, time: SSAValue, start: SSAValue, kept: list[SSAValue]
    ) -> IfOp:
        """At the start of an inner loop: what comes before it, and its first values."""
        each, part = self.inner[k], self.parts[k]
        loop = each.loop
        condition = emit.add(CmpiOp(time, start, "eq"))
        then, otherwise = Block(), Block()
        for op in part.ops:
            op.detach()
            then.add_op(op)
        begin = OpInserter(self.outer, then, then.first_op)
        first: list[SSAValue] = []
        if k == 0:
            index = begin.add(AddiOp(self.index, self.outer.step))
            first = [index, *self._new_lengths(begin, index)]
        end = OpInserter(self.outer, then)
        opened = [loop.lb, *part.outputs, *loop.iter_args, *first]
        end.insert(YieldOp(*opened))
        stay = [self.arguments[self.at_inductions + k], *kept]
        if k == 0:
            count = len(self.inner)
            stay += self.arguments[1:2]
            stay += self.arguments[self.at_lengths : self.at_lengths + count]
            varies = any(other.sliced for other in self.inner)
            stay.append(self.arguments[self.at_length] if varies else self.length)
        OpInserter(self.outer, otherwise).insert(YieldOp(*stay))
        found = IfOp(condition, [value.type for value in opened], Region(then), Region(otherwise))
        emit.insert(found)
        if k == 0:
            index = first[0]
            self.induction.replace_uses_with_if(
                index, lambda use: is_in_region(use.operation, found.true_region)
            )
        outputs = len(part.outputs)
        part.replace(found.results[1 : 1 + outputs], found.true_region)
        body = loop.body.block
        body.args[0].replace_all_uses_with(found.results[0])
        for argument, value in zip(body.args[1:], found.results[1 + outputs :], strict=False):
            argument.replace_all_uses_with(value)
        if k == 0:
            count = len(self.inner)
            self.index = found.results[-2 - count]
            self.lengths = list(found.results[-1 - count : -1])
            self.length = found.results[-1]
            self.induction.replace_all_uses_with(self.index)
        return found

    def _new_lengths(self, emit: OpInserter, index: SSAValue) -> list[SSAValue]:
        length = self.length
        lengths = list(self.lengths)
        mapping: dict[SSAValue, SSAValue] = {self.induction: index}
        for i, value in enumerate(self._variant_lengths(emit, mapping)):
            if value is not None:
                lengths[i] = value
                length = emit.add(AddiOp(length, emit.at_least_one(value)))
        return [*lengths, length]

    def _body(
        self,
        emit: OpInserter,
        k: int,
        time: SSAValue,
        start: SSAValue,
        carried: Sequence[SSAValue],
        index: SSAValue,
    ) -> IfOp:
        """While an inner loop has iterations left: one of them."""
        loop = self.inner[k].loop
        end = emit.add(AddiOp(start, emit.cast(self.lengths[k], self.type)))
        started = emit.add(CmpiOp(time, start, "sge"))
        running = emit.add(CmpiOp(time, end, "slt"))
        condition = emit.add(AndIOp(started, running))
        if MUST_EXECUTE in loop.attributes:
            condition = emit.constant(IntegerAttr(1, i1), i1)
        region = loop.detach_region(loop.body)
        body = region.block
        for argument in reversed(body.args):
            body.erase_arg(argument)
        last = body.last_op
        assert last is not None
        following = OpInserter(self.outer, body, last).add(AddiOp(index, loop.step))
        last.operands = [following, *last.operands]
        otherwise = Block()
        OpInserter(self.outer, otherwise).insert(YieldOp(index, *carried))
        types = [index.type, *loop.result_types]
        found = IfOp(condition, types, region, Region(otherwise))
        emit.insert(found)
        for old, new in zip(loop.results, found.results[1:], strict=True):
            old.replace_all_uses_with(new)
        return found

    def _epilogue(self, emit: OpInserter, time: SSAValue) -> IfOp:
        """At the last iteration of the last inner loop: what comes after it."""
        part, yielded = self.parts[-1], self.outer_yield
        assert yielded is not None
        one = emit.integer(1, self.type)
        condition = emit.add(CmpiOp(time, emit.add(SubiOp(self.length, one)), "eq"))
        then, otherwise = Block(), Block()
        for op in part.ops:
            op.detach()
            then.add_op(op)
        places = [i for i, value in enumerate(yielded.operands) if value in part.outputs]
        values = [yielded.operands[i] for i in places]
        OpInserter(self.outer, then).insert(YieldOp(*values))
        kept = [self.arguments[self.at_outer + i] for i in places]
        OpInserter(self.outer, otherwise).insert(YieldOp(*kept))
        found = IfOp(condition, [value.type for value in values], Region(then), Region(otherwise))
        emit.insert(found)
        for i, result in zip(places, found.results, strict=True):
            yielded.operands[i] = result
        return found

    def _reset_in_epilogue(
        self, fused: ForOp, prologues: list[IfOp], bodies: list[IfOp], ended: IfOp
    ) -> None:
        """Start inner loops anew in the epilogue where their first values never change."""
        yielded = fused.body.block.last_op
        assert yielded is not None
        at = self.at_results
        to_update: list[int] = []
        reset: list[SSAValue] = []
        forwarded: list[SSAValue] = []
        for k, each in enumerate(self.inner):
            removed: dict[int, SSAValue] = {}
            for i, initial in enumerate(each.loop.iter_args):
                if is_inside(initial, fused):
                    continue
                fused.operands[LOOP_BOUNDS + at + i] = initial
                removed[1 + len(self.parts[k].outputs) + i] = self.arguments[at + i]
                to_update.append(at + i)
                forwarded.append(bodies[k].results[1 + i])
                reset.append(initial)
            if removed:
                _remove_results(prologues[k], removed)
            at += len(each.loop.results)
        if not to_update:
            return
        for region, values in ((ended.true_region, reset), (ended.false_region, forwarded)):
            last = region.block.last_op
            assert last is not None
            last.operands = [*last.operands, *values]
        count = len(ended.results)
        wider = _with_new_results(ended)
        for i, result in zip(to_update, wider.results[count:], strict=True):
            yielded.operands[i] = result
        replace(ended, wider.results[:count])

    def _set_attributes(self, fused: ForOp) -> None:
        loops = [self.outer, *(each.loop for each in self.inner)]
        for name in (WARP_SPECIALIZE, DISALLOW_MULTI_BUFFER):
            if any(name in loop.attributes for loop in loops):
                set_attribute(fused, name, UnitAttr())
        stages = [loop.attributes.get(NUM_STAGES) for loop in loops]
        counts = [s.value.data for s in stages if isinstance(s, IntegerAttr)]
        most = max((1, *counts))
        if most > 1 or (counts and release() >= _FIRST_RELEASE_TO_KEEP_ONE_STAGE):
            set_attribute(fused, NUM_STAGES, IntegerAttr(most, i32))


def _with_new_results(op: IfOp) -> IfOp:
    """Insert, in front of an `scf.if`, one with its regions and the results they yield."""
    last = op.true_region.block.last_op
    assert last is not None
    types = [value.type for value in last.operands]
    regions = [op.detach_region(region) for region in list(op.regions)]
    new = IfOp.create(operands=op.operands, result_types=types, regions=regions)
    new.location = op.location
    assert op.parent is not None
    op.parent.insert_op_before(new, op)
    return new


def _remove_results(op: IfOp, replacements: dict[int, SSAValue]) -> None:
    """Remove results of an `scf.if`, for which other values stand from now on."""
    for region in op.regions:
        last = region.block.last_op
        assert last is not None
        last.operands = [v for i, v in enumerate(last.operands) if i not in replacements]
    new = _with_new_results(op)
    rest = iter(new.results)
    replace(
        op, [replacements[i] if i in replacements else next(rest) for i in range(len(op.results))]
    )
