"""
Scans by vectors: loops over a row each step of which combines one more element with those before.

`tl.cumsum` becomes such a loop, and each of its additions waits for the one before. Here the
elements of a vector are combined with their neighbours, then with what is two, four and so on
lanes away, and at last all of them with what came before the vector. The order of a scan is free,
as a reduction's is, and sums of f16 and bf16 are kept in f32 as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from xdsl.ir import Operation, SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import DYNAMIC, shape_of, single_block, terminator
from xtriton.cpu.emitter.arithmetic import INTEGER_INTRINSICS, NUMBER_SELECTIONS, binary
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.extrema import NAN, next_number
from xtriton.cpu.emitter.generics import generic_of, is_identity
from xtriton.cpu.emitter.values import View
from xtriton.cpu.types import Type, parted, suffix
from xtriton.ir.attributes import integers

NEUTRAL = {
    "arith.addf": "-0.0", "arith.mulf": "1.0", "arith.addi": "0", "arith.muli": "1",
    "arith.andi": "-1", "arith.ori": "0", "arith.xori": "0",
    "arith.maximumf": "0xFFF0000000000000", "arith.minimumf": "0x7FF0000000000000",
    "arith.maxnumf": NAN, "arith.minnumf": NAN, "arith.maxui": "0", "arith.minui": "-1",
}  # fmt: skip
"""What changes no element, unless that depends on its bits."""
LARGEST = {"arith.maxsi": ~0, "arith.minsi": 0}
"""The ops of which it is the largest integer with a sign, or its complement."""
FEWEST_LANES = 4


@dataclass(frozen=True)
class Scan:
    """
    A scan of the last dimension of `source` by the op `combiner`, from its end in `reverse`.

    It is of a `type`, which may be wider than that of the elements.
    """

    source: SSAValue
    combiner: str
    reverse: bool
    type: Type
    lanes: int


def scan_of(e: Emitter, loop: Operation) -> Scan | None:
    """Return what an `scf.for` scans, if that is all that it does."""
    low, high, step, *initial = loop.operands
    if len(initial) != 2 or any(loop.results[1].uses):
        return None
    if e.environment.get(low) != 1 or e.environment.get(step) != 1:
        return None
    block = single_block(loop)
    index, grown, last = block.args
    insertion, combination = (value.owner for value in terminator(block).operands)
    found = _combination(combination, last)
    if found is None or not _puts(insertion, terminator(block).operands[1], grown):
        return None
    combiner, new = found
    taking: Any = new.owner
    place: Any = _place_of(insertion)
    if place is None or _place_of(taking) is not place:
        return None
    source, reverse = taking.operands[0], place is not index
    extent = shape_of(source.type)[-1]
    inside = [insertion, combination, taking, *([place.owner] if reverse else [])]
    if set(inside) != {op for op in block.ops if op.next_op is not None}:
        return None
    if reverse and not _counts_down(e, place.owner, index, extent - 1):
        return None
    first = extent - 1 if reverse else 0
    if e.environment.get(high) != extent or not _begins(e, initial, source, first):
        return None
    element = e.type(source.type)
    type = e.computing_type(element) if element.is_float else element
    lanes = min(e.target.lanes(type.bytes), extent)
    if extent % lanes or lanes < FEWEST_LANES:
        return None
    if type.small is not None or type.register != type.memory:
        return None
    if type != element and tuple(shape_of(source.type)) in e.in_columns:
        return None
    return Scan(source, combiner, reverse, type, lanes)


def is_scanned_in_columns(e: Emitter, op: Operation) -> bool:
    """Return whether all that is done with a block that lies in columns is to scan its rows."""
    (block,) = op.results
    if tuple(shape_of(block.type)) not in e.in_columns:
        return False
    loops = {use.operation.parent_op() for use in block.uses} - {op.parent_op()}
    loop = loops.pop() if len(loops) == 1 else None
    if loop is None or loop.name != "scf.for" or loop.parent_block() is not op.parent_block():
        return False
    scan = scan_of(e, loop)
    # The loop's own, and the one that takes what it begins with.
    return scan is not None and scan.source is block and len(list(block.uses)) == 2


def _combination(op: Any, last: SSAValue) -> tuple[str, SSAValue] | None:
    """Return the op that combines `last` with something new, and what that is."""
    combining: Any = op
    operands: list[Any] = list(op.operands)
    if op.name == "linalg.generic":
        generic = generic_of(op)
        combining = generic.block.first_op
        if len(generic.block.ops) != 2 or not all(map(is_identity, generic.maps)):
            return None
        by_argument = dict(zip(generic.block.args, operands, strict=True))
        operands = [by_argument.get(value) for value in combining.operands]
    if combining.name not in (*NEUTRAL, *LARGEST) or last not in operands or None in operands:
        return None
    operands.remove(last)
    new = operands[0]
    return (combining.name, new) if isinstance(new.owner, Operation) else None


def _puts(op: Any, value: SSAValue, target: SSAValue) -> bool:
    """Return whether an op puts `value` into `target`."""
    names = ("tensor.insert", "tensor.insert_slice")
    return op.name in names and tuple(op.operands[:2]) == (value, target)


def _place_of(op: Any) -> SSAValue | None:
    """Return the index in the last dimension at which an op takes, or puts, all of the others."""
    if op.name in ("tensor.extract", "tensor.insert"):
        rank = len(shape_of(op.operands[op.name == "tensor.insert"].type))
        return op.operands[-1] if rank == 1 else None
    if op.name not in ("tensor.extract_slice", "tensor.insert_slice"):
        return None
    whole = shape_of(op.operands[op.name == "tensor.insert_slice"].type)
    offsets, strides = integers(op, "static_offsets"), integers(op, "static_strides")
    if offsets != (*(0 for _ in whole[1:]), DYNAMIC) or set(strides) != {1}:
        return None
    return op.operands[-1] if integers(op, "static_sizes") == (*whole[:-1], 1) else None


def _counts_down(e: Emitter, op: Any, index: SSAValue, start: int) -> bool:
    """Return whether an op makes of an index what it is counted from the end."""
    if op.name != "arith.subi" or op.operands[1] is not index:
        return False
    return e.environment.get(op.operands[0]) == start


def _begins(e: Emitter, initial: list[SSAValue], source: SSAValue, first: int) -> bool:
    """Return whether a loop begins with the first element of `source` where it belongs."""
    target, value = (value.owner for value in initial)
    if not isinstance(target, Operation) or not isinstance(value, Operation):
        return False
    if not _puts(target, initial[1], target.operands[1]) or value.operands[0] is not source:
        return False
    return _is_at(e, target, first) and _is_at(e, value, first)


def _is_at(e: Emitter, op: Operation, first: int) -> bool:
    """Return whether an op takes or puts the element or slice `first` of the last dimension."""
    if op.name in ("tensor.extract", "tensor.insert"):
        return e.environment.get(op.operands[-1]) == first
    if op.name not in ("tensor.extract_slice", "tensor.insert_slice"):
        return False
    offsets = integers(op, "static_offsets")
    return offsets == (*(0 for _ in offsets[1:]), first)


def run_scan(e: Emitter, scan: Scan, place: View) -> None:
    """Write the scan of all rows to `place`."""
    if place.is_in_columns:
        _scan_columns(e, scan, place)
        return
    if place.type != scan.type:
        _scan_widened(e, scan, place)
        return
    source = e.view(scan.source)
    if source.strides[-1] != 1:
        source = e.materialized(source, by_rows=True)
    _scan_rows(e, scan, source, place)


def _scan_widened(e: Emitter, scan: Scan, place: View) -> None:
    """Write the scan of narrow floats to `place`, of which there are wide ones meanwhile."""
    source, narrow = e.tensor(scan.source), place.type
    wide = e.allocate(place.sizes, scan.type, by_rows=True)

    def widen(at: list[Operand]) -> None:
        e.store(wide, at, e.widen(narrow, e.element(source, at)))

    def narrowed(at: list[Operand]) -> None:
        e.store(place, at, e.narrow(narrow, e.load(wide, at)))

    with e.nested():
        e.nest(wide.sizes, widen, parallel=True)
        _scan_rows(e, scan, wide, wide)
        e.nest(wide.sizes, narrowed, parallel=True)


def _scan_rows(e: Emitter, scan: Scan, source: View, place: View) -> None:
    """Write the scan of all rows of `source` to `place`, which may be the same."""
    extent = source.sizes[-1]
    assert isinstance(extent, int)

    def row(indices: list[Operand]) -> None:
        def step(start: Operand, before: list[str]) -> list[Operand]:
            first = e.builder.sub(extent - scan.lanes, start) if scan.reverse else start
            at = [*indices, first]
            return [_take(e, scan, e.address(source, at), e.address(place, at), before[0])]

        carried = [(_vector(scan).register, _splat(scan))]
        e.builder.loop(0, extent, scan.lanes, step, carried)

    with e.nested():
        e.nest(source.sizes[:-1], row)


def _scan_columns(e: Emitter, scan: Scan, place: View) -> None:
    """Write the scan of all rows of a block that lies in columns: one of them after the other."""
    b, source, (rows, extent) = e.builder, e.tensor(scan.source), place.sizes
    assert isinstance(extent, int)
    first, following = (extent - 1, -1) if scan.reverse else (0, 1)

    def begin(at: list[Operand]) -> None:
        e.store(place, [*at, first], e.element(source, [*at, first]))

    def step(number: Operand, _: list[str]) -> list[Operand]:
        column = b.add(first, b.mul(number, following))

        def combine(at: list[Operand]) -> None:
            before = e.load(place, [*at, b.sub(column, following)])
            new = e.element(source, [*at, column])
            e.store(place, [*at, column], binary(e, scan.combiner, scan.type, before, new))

        b.nest([rows], combine, parallel=True)
        return []

    with e.nested():
        b.nest([rows], begin, parallel=True)
        b.loop(1, extent, 1, step)


def _take(e: Emitter, scan: Scan, source: str, place: str, before: Operand) -> Operand:
    """Scan a vector; `before` is what comes before it in each lane, the result that of the next."""
    type, lanes = _vector(scan), scan.lanes
    b = e.builder

    def combined(first: Operand, second: Operand) -> Operand:
        return _of_vectors(e, scan.combiner, type, first, second)

    value: Operand = b.load(type.register, source, type.bytes)
    distance = 1
    while distance < lanes:
        value = combined(_moved(e, scan, value, distance), value)
        distance *= 2
    b.store(type.register, combined(before, value), place, type.bytes)
    whole = 0 if scan.reverse else lanes - 1
    # Not of the result: the next vector waits for one operation only.
    return combined(before, _shuffled(e, scan, value, "poison", [whole] * lanes))


def _of_vectors(e: Emitter, combiner: str, type: Type, first: Operand, second: Operand) -> Operand:
    """Combine vectors of a type; a number is preferred to NaN where the op does so."""
    b, t = e.builder, type.register
    pair = [(t, first), (t, second)]
    if combiner in INTEGER_INTRINSICS:
        return b.call(t, f"llvm.{INTEGER_INTRINSICS[combiner]}.{suffix(t)}", pair)
    if combiner not in NUMBER_SELECTIONS:
        return binary(e, combiner, type, first, second)
    number = next_number(e, combiner, type, second, first)
    unordered = b.value(f"fcmp uno {t} {second}, {second}")
    return b.value(f"select <{parted(t)[0]} x i1> {unordered}, {t} {first}, {t} {number}")


def _moved(e: Emitter, scan: Scan, value: Operand, distance: int) -> str:
    """Move all lanes toward those that come later, with neutral elements before them."""
    lanes = range(scan.lanes)
    if scan.reverse:
        return _shuffled(e, scan, value, _splat(scan), [lane + distance for lane in lanes])
    return _shuffled(e, scan, _splat(scan), value, [lane + scan.lanes - distance for lane in lanes])


def _shuffled(e: Emitter, scan: Scan, a: Operand, b: Operand, lanes: list[int]) -> str:
    return e.builder.shuffled(_vector(scan).register, a, b, lanes)


def _splat(scan: Scan) -> str:
    element = f"{scan.type.register} {_neutral(scan.combiner, scan.type)}"
    return f"<{', '.join([element] * scan.lanes)}>"


def _neutral(combiner: str, type: Type) -> str:
    if combiner in NEUTRAL:
        return NEUTRAL[combiner]
    largest = (1 << (int(type.register[1:]) - 1)) - 1
    return str(largest ^ LARGEST[combiner])


def _vector(scan: Scan) -> Type:
    return replace(scan.type, register=f"<{scan.lanes} x {scan.type.register}>")
