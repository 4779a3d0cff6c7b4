"""What was found about the accesses of a module, for machines and for people."""

from collections.abc import Iterator
from math import gcd
from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from xtriton.analysis.accesses import Access, Accesses, extents_of, incoming
from xtriton.analysis.classify import Dimension, SubBlock, Tier
from xtriton.analysis.divisibility import divisor_of_argument
from xtriton.analysis.forward import IndexAnalysis
from xtriton.analysis.indexing import Expr, Kind
from xtriton.analysis.memory_ops import mask_of
from xtriton.analysis.values import Pointer, Sort, TensorBlock, byte_width, type_facts
from xtriton.ir.locations import file_position

OVERFLOWING = frozenset({"arith.addi", "arith.subi", "arith.muli", "arith.shli"})


def kernels(module: Operation) -> Iterator[Operation]:
    """Yield the functions of a module that have a body."""
    if module.name in ("tt.func", "func.func"):
        if module.regions[0].blocks:
            yield module
        return
    for region in module.regions:
        for op in [op for block in region.blocks for op in block.ops]:
            if op.regions:
                yield from kernels(op)


def module_report(module: Operation) -> dict[str, Any]:
    """Return what is known of every access of a module, as JSON can hold it."""
    return {"kernels": [function_report(f) for f in kernels(module)]}


def function_report(function: Operation) -> dict[str, Any]:
    name = function.properties.get("sym_name")
    accesses = Accesses(function)
    return {
        "kernel": name.data if isinstance(name, StringAttr) else "",
        "accesses": [access_report(accesses, access) for access in accesses.all],
    }


def access_report(accesses: Accesses, access: Access) -> dict[str, Any]:
    """Return what is known of one access; absent keys say that there is nothing to say."""
    form, pointer = access.form, access.pointer
    position = file_position(access.op.location)
    found: dict[str, Any] = {
        "op": access.op.name,
        "kind": access.kind,
        "location": None if position is None else "{}:{}:{}".format(*position),
        "tier": form.tier.value,
        "shape": list(access.shape),
    }
    if form.reason:
        found["reason"] = form.reason
    if form.gathered:
        found["gathered dimensions"] = list(form.gathered)
        found["sources"] = gather_sources(accesses, access)
    match pointer:
        case Pointer():
            found["base"] = base_name(pointer.base)
            found["offset"] = str(pointer.offset)
        case TensorBlock():
            found |= block_report(pointer)
        case _:
            pass
    if form.dims:
        found["dimensions"] = [dimension_report(dim) for dim in form.dims]
        found["extra"] = str(form.extra)
        found["order"] = order_of(form.dims)
        if form.is_reshaped:
            found["split into"] = [list(r) for r in form.radices]
        found["alignment"] = alignment_of(access)
        extents = dict(extents_of(access))
        if extents:
            ranks = range(len(access.shape))
            found["parent shape"] = [str(extents[d]) if d in extents else None for d in ranks]
        if form.parts:
            found["parts"] = [part_report(part) for part in form.parts]
    if access.mask is not accesses.analysis.space.true:
        region = access.region
        found["mask"] = {
            "condition": str(access.mask),
            "lower": [[str(e) for e in bounds] for bounds in region.lower],
            "upper": [[str(e) for e in bounds] for bounds in region.upper],
            "guards": [str(c) for c in region.guards],
            "rest": [str(c) for c in region.rest],
        }
    assumed = [*assumptions(accesses.analysis, access), *extent_assumptions(access)]
    if assumed:
        found["assumes"] = assumed
    return found


def dimension_report(dim: Dimension) -> dict[str, Any]:
    found: dict[str, Any] = {
        "size": dim.size,
        "start": str(dim.start),
        "stride": str(dim.stride),
    }
    if dim.modulus is not None:
        found["modulus"] = str(dim.modulus)
        if dim.step != 1:
            found["step"] = dim.step
    return found


def alignment_of(access: Access) -> int:
    """Return a number of bytes that the address of the first element is surely a multiple of."""
    form, pointer = access.form, access.pointer
    assert isinstance(pointer, Pointer | TensorBlock)
    width = byte_width(pointer.pointee)
    base = divisor_of_argument(pointer.base)
    found = base if base > 1 else width
    for dim in form.dims:
        found = gcd(found, (dim.start * dim.stride).divisor * width)
        if dim.modulus is not None:
            found = gcd(found, (dim.modulus * dim.stride).divisor * width)
    extra = form.extra.divisor if form.extra is not None else 1
    return gcd(found, extra * width)


def part_report(part: SubBlock) -> dict[str, Any]:
    return {
        "windows": [
            {
                "dimension": window.dim,
                "from": None if window.start is None else str(window.start),
                "to": None if window.end is None else str(window.end),
            }
            for window in part.windows
        ],
        "dimensions": [dimension_report(dim) for dim in part.dims],
        "extra": str(part.extra),
    }


def block_report(block: TensorBlock) -> dict[str, Any]:
    return {
        "base": base_name(block.base),
        "origin": str(block.origin),
        "parent shape": [str(e) for e in block.shape],
        "strides": [str(e) for e in block.strides],
        "offsets": [str(e) for e in block.offsets],
        "order": list(block.order),
    }


def order_of(dims: tuple[Dimension, ...]) -> list[int]:
    """Return the dimensions from the one that is contiguous to the one with the widest stride."""

    def width(d: int) -> tuple[int, int, int]:
        stride: Expr = dims[d].stride
        number = stride.constant
        if number is not None:
            return (0, abs(number) or 1 << 62, -d)
        return (1, max(len(m) for m in stride.terms), -d)

    return sorted(range(len(dims)), key=width)


def base_name(value: SSAValue) -> str:
    """Return a name for the base of an access: that of the argument, if it is one."""
    if value.name_hint is not None:
        return f"%{value.name_hint}"
    if isinstance(value, BlockArgument):
        return f"argument {value.index}"
    return "a pointer of the kernel"


def gather_sources(accesses: Accesses, access: Access) -> list[str]:
    """Return where the loads are that the addresses of a gather come from."""
    loads: dict[Operation, None] = {}
    for u in access.form.offset.leaves:
        value = accesses.analysis.leaf_values.get(u)
        if value is not None:
            loads |= dict.fromkeys(accesses.loads_of(value))
    positions = [file_position(op.location) for op in loads]
    return sorted({"{}:{}:{}".format(*p) for p in positions if p is not None})


def assumptions(analysis: IndexAnalysis, access: Access) -> list[str]:
    """
    Return the integer ops whose results are taken not to overflow, though nothing proves it.

    Looks at what pointer and mask of the access are computed from.
    """
    found: list[str] = []
    seen: set[SSAValue] = set()
    mask = mask_of(access.op)
    worklist = [access.op.operands[0], *([] if mask is None else [mask])]
    while worklist:
        value = worklist.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, BlockArgument):
            worklist += incoming(value)
            continue
        op = value.owner
        assert isinstance(op, Operation)
        worklist += op.operands
        if op.name in OVERFLOWING and type_facts(value.type).sort is Sort.INTEGER:
            form = analysis.get(value)
            if isinstance(form, Expr) and not fits(analysis.resolved(form), value):
                position = file_position(op.location)
                where = "" if position is None else " at {}:{}".format(*position[1:])
                width = type_facts(value.type).width
                found.append(f"no overflow of {width} bits in {op.name}{where}")
    return list(dict.fromkeys(found))


def extent_assumptions(access: Access) -> list[str]:
    """
    Return which scalars are extents that nothing proves not to be negative.

    Block pointers and descriptors rely on that: the shape of a tensor is not negative.
    """
    found = [
        f"{e} is not negative, the extent of dimension {d}"
        for d, e in extents_of(access)
        if e.interval[0] < 0
    ]
    return list(dict.fromkeys(found))


def fits(form: Expr, value: SSAValue) -> bool:
    """Tell whether a form surely stays in the type of the value that has it."""
    atom = form.atom()
    if atom is not None and atom.kind is Kind.NAMED:
        # the bounds of a name are those of its type already
        form = atom.args[0]
    low, high = type_facts(value.type).interval
    least, most = form.interval
    return low <= least and most <= high


def one_line(access: Access) -> str:
    """Return the access in a line: tier, address, mask, and what stands in the way."""
    form, pointer = access.form, access.pointer
    parts = [form.tier.value]
    if form.is_reshaped:
        parts[0] += " as " + "x".join(str(n) for r in form.radices for n in r)
    if form.parts:
        parts[0] += f" in up to {len(form.parts)} parts"
    if form.gathered:
        parts[0] += " in " + ", ".join(f"dimension {d}" for d in form.gathered)
    match pointer:
        case Pointer():
            parts.append(f"{base_name(pointer.base)} + {pointer.offset}")
        case TensorBlock():
            inner = " + ".join(
                f"({o} + i{d})*{s}"
                for d, (o, s) in enumerate(zip(pointer.offsets, pointer.strides, strict=True))
            )
            parts.append(f"{base_name(pointer.base)} + {inner}")
        case _:
            pass
    if str(access.mask) != "true":
        parts.append(f"where {access.mask}")
    if form.reason and form.tier in (Tier.AFFINE, Tier.GATHER, Tier.OPAQUE):
        parts.append(form.reason)
    return " | ".join(parts)
