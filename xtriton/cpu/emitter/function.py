"""
From a lowered module to the LLVM IR text of its kernel and of the loop over the grid.

The kernel becomes an internal function of the user's arguments, the program arguments, an
arena for large buffers, a place to report failed assertions, and whether arguments may
overlap. The one exported function, of which `job` tells, runs its programs.
"""

from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation

from xtriton import abi
from xtriton.cpu.builder import Module
from xtriton.cpu.code import KernelCode
from xtriton.cpu.emitter.access import single_block
from xtriton.cpu.emitter.alone import may_be_alone
from xtriton.cpu.emitter.blocks import run_blocks
from xtriton.cpu.emitter.columns import shapes_in_columns
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.generics import combines
from xtriton.cpu.emitter.grouped_stores import plan_grouped_stores
from xtriton.cpu.emitter.job import AGAIN_PARAMETER, launching_functions
from xtriton.cpu.emitter.matmul import plan_packing
from xtriton.cpu.emitter.partners import plan_partners
from xtriton.cpu.emitter.staging import plan_staging
from xtriton.cpu.emitter.turns import returning
from xtriton.cpu.emitter.values import Storage, View
from xtriton.cpu.module import IN_MEMORY
from xtriton.cpu.records import checks_are_wanted, races_are_wanted
from xtriton.cpu.target import Target
from xtriton.errors import UserError
from xtriton.ir.attributes import string

HIDDEN_PARAMETERS = "ptr noalias %arena, ptr %status, i1 %overlap"
ALONE_PARAMETER = "i1 %alone"
"""What code gets that may be alone; see `alone`."""
RECORD_PARAMETER = "ptr noalias %record"
"""What checked code gets too; `checks` says what is in it."""


def emit_kernel(
    module: ModuleOp, target: Target, name: str | None = None, *, checked: bool | None = None
) -> KernelCode:
    """
    Return the code of kernel `name`, or of the only public function of `module`.

    With `checked`, by default as `XTRITON_CPU_CHECK` says, it looks before it touches memory.
    Raises `UnsupportedOp` with its location for an op without a rule.
    """
    functions = {string(op, "sym_name"): op for op in module.ops if op.name == "func.func"}
    kernel = _find(functions, name)
    most_unrolled = target.vector_registers // 2 * target.lanes(4)
    shared = Module(target.looked_up, most_unrolled, target.chains)
    emitter = Emitter(shared, target)
    emitter.functions = functions
    emitter.checked = checks_are_wanted() if checked is None else checked
    emitter.atomics = any("atomic" in op.name for op in module.walk())
    emitter.may_be_alone = may_be_alone(emitter)
    emitter.races = emitter.checked and races_are_wanted() and not emitter.atomics
    body = _emit_function(emitter, kernel)
    kernel_name = string(kernel, "sym_name")
    arguments = abi.arguments_of(single_block(kernel).args, lowered=True)
    launcher = launching_functions(
        shared,
        kernel_name,
        arguments,
        checked=emitter.checked,
        cleared=emitter.cleared,
        streams=emitter.streams,
        configuration=emitter.configuration,
        atomics=emitter.atomics,
        alone=emitter.may_be_alone,
        again=bool(emitter.late_stores),
    )
    text = body + launcher + shared.text() + _attributes(_width(emitter, kernel), shared)
    return KernelCode(
        kernel_name,
        text,
        arguments,
        emitter.arena_bytes,
        tuple(emitter.assertions),
        frozenset(emitter.written_arguments),
        body.count("%overlap") > 1,
        _filled(kernel),
        tuple(emitter.checks) if emitter.checked else None,
        tuple(value.name_hint or "" for value in single_block(kernel).args[: len(arguments)]),
        returning(emitter),
    )


def _filled(kernel: Operation) -> dict[int, abi.TensorFact]:
    """Return the arguments that are facts of tensors."""
    found: dict[int, abi.TensorFact] = {}
    attributes = kernel.properties.get("arg_attrs")
    if isinstance(attributes, ArrayAttr):
        for number, own in enumerate(cast("ArrayAttr[Attribute]", attributes).data):
            text = own.data.get(abi.TENSOR_FACT) if isinstance(own, DictionaryAttr) else None
            if isinstance(text, StringAttr):
                found[number] = abi.tensor_fact(text.data)
    return found


def _find(functions: dict[str, Operation], name: str | None) -> Operation:
    if name is not None:
        if name not in functions:
            raise UserError(f"the module has no function '{name}'")
        return functions[name]
    public = [f for f in functions.values() if string(f, "sym_visibility") != "private"]
    if len(public) != 1:
        raise UserError(f"expected one public function in the module, found {len(public)}")
    return public[0]


def _emit_function(e: Emitter, kernel: Operation) -> str:
    block = single_block(kernel)
    arguments = abi.arguments_of(block.args, lowered=True)
    parameters: list[str] = []
    for number, value in enumerate(block.args):
        register = f"%argument{number}"
        if number < len(arguments) and arguments[number].kind is abi.Kind.POINTER:
            parameters.append(f"ptr {register}")
            e.pointer_arguments.add(number)
            storage = Storage(register, argument=number, writable=False)
            e.bind(value, View(storage, e.type(value.type), 0, (), ()))
        else:
            parameters.append(f"{e.type(value.type).register} {register}")
            e.bind(value, register)
    e.program = [f"%argument{n}" for n in range(len(block.args) - 3, len(block.args))]
    e.programs = [f"%argument{n}" for n in range(len(block.args) - 6, len(block.args) - 3)]
    e.foreign_memory = any(_finds_memory(op) for f in e.functions.values() for op in f.walk())
    e.kernel = kernel
    e.in_columns = shapes_in_columns(e.functions.values())
    plan_staging(e, kernel)
    plan_grouped_stores(e, kernel)
    plan_packing(e, kernel)
    plan_partners(e, kernel)
    run_blocks(e, kernel.regions[0])
    hidden = [HIDDEN_PARAMETERS]
    if e.may_be_alone:
        hidden.append(ALONE_PARAMETER)
    if e.late_stores:
        hidden.append(AGAIN_PARAMETER)
    if e.checked:
        hidden.append(RECORD_PARAMETER)
    joined = ", ".join([*parameters, *hidden])
    return e.builder.text(f"define internal void @{string(kernel, 'sym_name')}({joined}) #0")


def _finds_memory(op: Operation) -> bool:
    """Return whether an op makes or loads pointers to memory that is no argument."""
    if op.name == "tt.int_to_ptr":
        return True
    return op.name == "tt.load" and "!tt.ptr" in str(op.results[0].type)


def _width(e: Emitter, kernel: Operation) -> int:
    """
    Return the width of vectors: of those for memory where nothing is done but elementwise.

    Short rows that end in a part of a vector are few wide ones.
    """
    functions, networks, rows = e.module.definitions, e.partners, e.module.ends_in_part
    wide = functions or networks or rows or any(combines(op) for op in kernel.walk())
    return e.target.vector_bits if wide else e.target.memory_bits or e.target.vector_bits


def _attributes(width: int, module: Module) -> str:
    """Return what the kernel's functions are like."""
    more = f" {IN_MEMORY}" if module.finds_places else ""
    width_of = f'"prefer-vector-width"="{width}"'
    return f'attributes #0 = {{ nounwind {width_of} "no-builtin-memcpy"{more} }}\n'
