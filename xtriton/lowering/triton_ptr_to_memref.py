"""
Pointers at the boundaries of functions become memrefs.

Before:

    func.func @f(%p: !tt.ptr<f32>, %n: i32) {
      call @g(%p) : (!tt.ptr<f32>) -> ()

After:

    func.func @f(%p: memref<*xf32>, %n: i32) {
      call @g(%p) : (memref<*xf32>) -> ()

An unrealized cast stands for the pointer where something else uses it.
"""

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    ModuleOp,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from xtriton.dialects import tt
from xtriton.dialects.upstream import builtin, func
from xtriton.ir.noted_edits import set_value_type
from xtriton.ir.walking import ops_in
from xtriton.lowering.linalg_rules.generic import holds_pointers
from xtriton.lowering.modules import modules
from xtriton.lowering.pointers import is_pointer, memory_type
from xtriton.lowering.signatures import set_signature

_AT_BOUNDARIES = ("func.call", "func.return", "tt.call", "tt.return")


@dataclass(frozen=True)
class TritonPtrToMemrefPass(ModulePass):
    """Let functions take, return and be called with memrefs instead of pointers."""

    name = "triton-ptr-to-memref"

    ranked_arguments: bool = False
    """Use `memref<?xT>` instead of `memref<*xT>`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for module in modules(op):
            for function in module.ops:
                if function.name in ("func.func", "tt.func"):
                    _Boundary(self.ranked_arguments).convert(function)


class _Boundary:
    """Converts the signature of a function, its calls and its returns."""

    def __init__(self, ranked: bool):
        self.ranked = ranked

    def convert(self, function: Operation) -> None:
        kind: Any = function.properties["function_type"]
        inputs = [self.converted(t) for t in kind.inputs.data]
        outputs = [self.converted(t) for t in kind.outputs.data]
        if function.regions[0].blocks:
            for argument, target in zip(function.regions[0].blocks[0].args, inputs, strict=True):
                if argument.type != target:
                    self.retype(argument, target)
            for op in ops_in(function, _AT_BOUNDARIES):
                if isinstance(op, func.CallOp | tt.CallOp):
                    self.cast_operands(op)
                    for result in op.results:
                        if self.converted(result.type) != result.type:
                            self.retype(result, self.converted(result.type))
                else:
                    self.cast_operands(op)
            _drop_dead_casts(function)
        set_signature(function, inputs, outputs)

    def converted(self, kind: Any) -> Any:
        """Return what a type at a boundary becomes."""
        if is_pointer(kind):
            kind = memory_type(kind)
        elif holds_pointers(kind):
            return MemRefType(memory_type(kind.element_type), kind.get_shape())
        if self.ranked and kind.name == UnrankedMemRefType.name:
            return MemRefType(kind.element_type, [DYNAMIC_INDEX])
        return kind

    def retype(self, value: SSAValue, target: Attribute) -> None:
        """Give `value` another type; a cast stands for it where it is used."""
        users = list(value.uses)
        before = value.type
        set_value_type(value, target)
        rest = [use for use in users if not _fits(use.operation, target)]
        for use in users:
            if use not in rest and isinstance(use.operation, builtin.UnrealizedConversionCastOp):
                use.operation.results[0].replace_all_uses_with(value)
        if not rest:
            return
        cast = builtin.UnrealizedConversionCastOp.create(operands=[value], result_types=[before])
        for use in rest:
            use.operation.operands[use.index] = cast.results[0]
        _insert_after(value, cast)

    def cast_operands(self, op: Operation) -> None:
        for index, operand in enumerate(op.operands):
            target = self.converted(operand.type)
            if target == operand.type:
                continue
            source = operand.owner
            if (
                isinstance(source, builtin.UnrealizedConversionCastOp)
                and len(source.operands) == 1
                and source.operands[0].type == target
            ):
                op.operands[index] = source.operands[0]
                continue
            cast = builtin.UnrealizedConversionCastOp.create(
                operands=[operand], result_types=[target]
            )
            cast.location = op.location
            block = op.parent
            assert block is not None
            block.insert_op_before(cast, op)
            op.operands[index] = cast.results[0]


def _fits(user: Operation, kind: Attribute) -> bool:
    """Return whether a user takes a value of the converted type as it is."""
    if isinstance(user, builtin.UnrealizedConversionCastOp):
        return len(user.results) == 1 and user.results[0].type == kind
    if isinstance(kind, MemRefType) and kind.get_shape() == (DYNAMIC_INDEX,):
        return user.name in ("memref.reinterpret_cast", "memref.cast", *_AT_BOUNDARIES)
    return user.name in _AT_BOUNDARIES


def _insert_after(value: SSAValue, op: Operation) -> None:
    owner = value.owner
    if isinstance(value, BlockArgument):
        block = value.owner
        assert isinstance(block, Block)
        first = block.first_op
        if first is None:
            block.add_op(op)
        else:
            block.insert_op_before(op, first)
        return
    assert isinstance(owner, Operation)
    assert owner.parent is not None
    owner.parent.insert_op_after(op, owner)


_CAST = "builtin.unrealized_conversion_cast"


def _drop_dead_casts(function: Operation) -> None:
    for op in reversed(ops_in(function, (_CAST,))):
        if all(result.first_use is None for result in op.results):
            Rewriter.erase_op(op)
