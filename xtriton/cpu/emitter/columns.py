"""
Blocks that lie in columns, as what they are loaded from does.

A block is kept row by row, so that loops over it are dense in its last dimension. Where a kernel
loads all blocks of a shape from memory that is dense in their first one, as it does to sum up
columns, and stores none to other memory, blocks of that shape are kept column by column, and loops
over them are turned.
"""

from collections.abc import Iterable
from dataclasses import replace

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr

from xtriton.cpu.emitter.access import BLOCK_STORE, is_shaped, shape_of
from xtriton.cpu.emitter.generics import Generic
from xtriton.ir.attributes import integers

Shape = tuple[int, ...]


def shapes_in_columns(functions: Iterable[Operation]) -> frozenset[Shape]:
    """Return the shapes of two dimensions whose blocks are kept column by column."""
    columns: set[Shape] = set()
    rows: set[Shape] = set()
    for op in (inner for function in functions for inner in function.walk()):
        if "matmul" in op.name:  # which has its own ways to read blocks
            return frozenset()
        if op.name != "memref.reinterpret_cast":
            continue
        shape, strides = integers(op, "static_sizes"), integers(op, "static_strides")
        if len(shape) == 2 and min(shape) > 1:
            is_dense_in_first = strides[0] == 1 and strides[1] != 1
            if is_dense_in_first and _is_only(op.results[0], _STORED):
                continue
            in_columns = is_dense_in_first and _is_only(op.results[0], _LOADED)
            (columns if in_columns else rows).add(shape)
    return frozenset(columns - rows)


_LOADED, _STORED = ("memref.copy", 0), (BLOCK_STORE, 1)
"""Ops that load blocks and store them, and the numbers of their operands in memory."""


def _is_only(view: SSAValue, way: tuple[str, int]) -> bool:
    """Return whether all uses of a view of an argument load blocks, or store them."""
    for use in view.uses:
        user = use.operation
        if user.name == "memref.subview":
            if not _is_only(user.results[0], way):
                return False
        elif (user.name, use.index) != way:
            return False
    return True


def reduces_columns(generic: Generic, shapes: frozenset[Shape]) -> bool:
    """Return whether a reduction of one dimension takes blocks that are kept column by column."""
    names = [op.name for op in generic.block.ops]
    return (
        generic.reductions == [False, True]
        and "linalg.index" not in names
        and all(_block_shape(value) in shapes for value in generic.inputs)
    )


def _block_shape(value: SSAValue) -> Shape:
    """Return the shape of a block, or of that which a value is a slice of."""
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "tensor.extract_slice":
        value = owner.operands[0]
    return shape_of(value.type) if is_shaped(value.type) else ()


def turned(generic: Generic) -> Generic:
    """Return a structured op of two loops with these exchanged."""
    dimensions = [AffineExpr.dimension(1), AffineExpr.dimension(0)]
    maps = [map.replace_dims_and_symbols(dimensions, [], 2, 0) for map in generic.maps]
    return replace(generic, maps=maps, reductions=generic.reductions[::-1])
