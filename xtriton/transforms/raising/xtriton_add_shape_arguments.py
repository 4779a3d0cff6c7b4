"""
Sizes and strides of the tensors behind pointers become arguments of the kernel.

Before:

    tt.func public @copy(%a: !tt.ptr<f32>, %n: i32) { ... a load of 64x32 elements ... }

After:

    tt.func public @copy(%a: !tt.ptr<f32>, %n: i32,
        %a_shape_0: i64 {xtriton.tensor = "shape 0 -2"},
        %a_stride_0: i64 {xtriton.tensor = "stride 0 -2"},
        %a_shape_1: i64 {xtriton.tensor = "shape 0 -1"},
        %a_stride_1: i64 {xtriton.tensor = "stride 0 -1"}) { ... }

They are what a launcher knows and a kernel does not say: how far the tensor reaches. The
attributes are described in `abi`; the launcher of `cpu` fills the arguments in.
`triton-raise-block-pointer` uses them where no mask says the shape of the tensor: a dimension
whose stride is that of a dimension of the tensor has its size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, BlockArgument, Operation
from xdsl.passes import ModulePass

from xtriton.abi import TENSOR_FACT, TensorFact
from xtriton.analysis.accesses import Accesses
from xtriton.analysis.classify import Tier
from xtriton.analysis.report import kernels
from xtriton.analysis.values import Pointer


@dataclass(frozen=True)
class AddShapeArgumentsPass(ModulePass):
    """Sizes and strides of the tensors behind pointers become arguments of the kernel."""

    name = "xtriton-add-shape-arguments"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        called = {str(user.properties["callee"]) for user in op.walk() if user.name == "tt.call"}
        for function in kernels(op):
            visibility = function.properties.get("sym_visibility")
            private = isinstance(visibility, StringAttr) and visibility.data == "private"
            name = function.properties["sym_name"]
            assert isinstance(name, StringAttr)
            if not private and f"@{name.data}" not in called:
                add_shape_arguments(function)


def add_shape_arguments(function: Operation) -> None:
    """Append an argument for each size and stride of the tensors that blocks are read from."""
    block = function.regions[0].blocks[0]
    facts: list[TensorFact] = []
    for number, rank in sorted(ranks(function).items()):
        for dim in range(-rank, 0):
            facts += (TensorFact("shape", number, dim), TensorFact("stride", number, dim))
    kind = function.properties["function_type"]
    assert isinstance(kind, FunctionType)
    inputs = [*kind.inputs.data, *(i64 for _ in facts)]
    attributes: list[Attribute] = [DictionaryAttr({}) for _ in kind.inputs.data]
    known = function.properties.get("arg_attrs")
    if isinstance(known, ArrayAttr):
        attributes = list(cast("ArrayAttr[Attribute]", known).data)
    for fact in facts:
        argument = block.insert_arg(i64, len(block.args))
        tensor = block.args[fact.argument].name_hint
        rank = max(-f.dim for f in facts if f.argument == fact.argument)
        if tensor is not None:
            argument.name_hint = f"{tensor}_{fact.kind}_{rank + fact.dim}"
        attributes.append(DictionaryAttr({TENSOR_FACT: StringAttr(str(fact))}))
    if facts:
        function.properties["function_type"] = FunctionType.from_lists(
            inputs, list(kind.outputs.data)
        )
        function.properties["arg_attrs"] = ArrayAttr(attributes)


def ranks(function: Operation) -> dict[int, int]:
    """Return the rank of the largest block that is accessed through each pointer argument."""
    entry = function.regions[0].blocks[0]
    found: dict[int, int] = {}
    for access in Accesses(function).all:
        pointer = access.pointer
        if access.tier is not Tier.BLOCK or not isinstance(pointer, Pointer) or not access.shape:
            continue
        base = pointer.base
        if isinstance(base, BlockArgument) and base.owner is entry:
            found[base.index] = max(found.get(base.index, 1), len(access.shape))
    return found
