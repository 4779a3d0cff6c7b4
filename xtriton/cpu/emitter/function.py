"""
From a lowered module to the LLVM IR text of its kernel and of the loop over the grid.

The kernel becomes an internal function of the user's arguments, the program arguments, an
arena for large buffers, a place to report failed assertions, and whether arguments may
overlap. The one exported function runs a slice of the grid:

    void NAME_launch(ptr arguments, i64 start, i64 end, ptr grid, ptr arena, ptr status, i8 overlap)

`arguments` holds one 8-byte slot per user argument (`xtriton.abi`), `grid` three i32.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton import abi
from xtriton.cpu.builder import Module
from xtriton.cpu.emitter.access import single_block, string
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.staging import plan_staging
from xtriton.cpu.emitter.values import Storage, View
from xtriton.cpu.target import Target
from xtriton.cpu.types import Type, scalar_type
from xtriton.errors import UserError

HIDDEN_PARAMETERS = "ptr noalias %arena, ptr %status, i1 %overlap"


@dataclass(frozen=True)
class KernelCode:
    """A kernel as LLVM IR text, and what the launcher must know of it."""

    name: str
    text: str
    arguments: tuple[abi.Argument, ...]
    arena_bytes: int
    assertions: tuple[str, ...]
    written: frozenset[int]
    """Numbers of the arguments that are stored to."""

    @property
    def entry(self) -> str:
        return launcher_name(self.name)


def launcher_name(kernel: str) -> str:
    return f"{kernel}_launch"


def emit_kernel(module: ModuleOp, target: Target, name: str | None = None) -> KernelCode:
    """
    Return the code of kernel `name`, or of the only public function of `module`.

    Raises `UnsupportedOp` with its location for an op without a rule.
    """
    functions = {string(op, "sym_name"): op for op in module.ops if op.name == "func.func"}
    kernel = _find(functions, name)
    shared = Module()
    emitter = Emitter(shared, target)
    emitter.functions = functions
    body = _emit_function(emitter, kernel)
    kernel_name = string(kernel, "sym_name")
    arguments = abi.arguments_of(single_block(kernel).args, lowered=True)
    text = body + _launcher(kernel_name, arguments) + shared.text() + _attributes(target)
    return KernelCode(
        kernel_name,
        text,
        arguments,
        emitter.arena_bytes,
        tuple(emitter.assertions),
        frozenset(emitter.written_arguments),
    )


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
    if len(kernel.regions[0].blocks) != 1:
        e.unsupported(kernel, "several blocks")
    block = single_block(kernel)
    arguments = abi.arguments_of(block.args, lowered=True)
    parameters: list[str] = []
    for number, value in enumerate(block.args):
        register = f"%argument{number}"
        if number < len(arguments) and arguments[number].kind is abi.Kind.POINTER:
            parameters.append(f"ptr {register}")
            storage = Storage(register, argument=number, writable=False)
            e.bind(value, View(storage, e.type(value.type), 0, (), ()))
        else:
            parameters.append(f"{e.type(value.type).register} {register}")
            e.bind(value, register)
    plan_staging(e, kernel)
    e.run_block(block)
    e.builder.emit("ret void")
    joined = ", ".join([*parameters, HIDDEN_PARAMETERS])
    return e.builder.text(f"define internal void @{string(kernel, 'sym_name')}({joined}) #0")


def _register_type(argument: abi.Argument) -> Type:
    type = scalar_type(argument.type)
    if type is None:
        raise UserError(f"the CPU back end has no argument type '{argument.type}'")
    return type


def _launcher(kernel: str, arguments: Sequence[abi.Argument]) -> str:
    """Return the function that runs the programs from `start` to `end`."""
    header = (
        f"define void @{launcher_name(kernel)}(ptr %arguments, i64 %start, i64 %end, ptr %grid, "
        "ptr noalias %arena, ptr %status, i8 %overlap) #0 {"
    )
    lines = [header, "entry:", "  %overlaps = trunc i8 %overlap to i1"]
    values: list[str] = []
    for number, argument in enumerate(arguments):
        slot = f"%slot{number}"
        offset = number * abi.SLOT_BYTES
        lines.append(f"  {slot} = getelementptr i8, ptr %arguments, i64 {offset}")
        pointer = argument.kind is abi.Kind.POINTER
        type = None if pointer else _register_type(argument)
        memory = "ptr" if type is None else type.memory
        lines.append(f"  %value{number} = load {memory}, ptr {slot}")
        value = f"%value{number}"
        if type is not None and type.memory != type.register:
            lines.append(f"  %narrow{number} = trunc {type.memory} {value} to {type.register}")
            value = f"%narrow{number}"
        values.append(f"{'ptr' if type is None else type.register} {value}")
    for axis in abi.AXES:
        lines.append(f"  %size_at{axis} = getelementptr i32, ptr %grid, i64 {axis}")
        lines.append(f"  %size{axis} = load i32, ptr %size_at{axis}")
    lines += [
        "  %x = zext i32 %size0 to i64",
        "  %y = zext i32 %size1 to i64",
        "  br label %head",
        "head:",
        "  %index = phi i64 [ %start, %entry ], [ %next, %body ]",
        "  %more = icmp slt i64 %index, %end",
        "  br i1 %more, label %body, label %done",
        "body:",
        "  %id_x = urem i64 %index, %x",
        "  %rest = udiv i64 %index, %x",
        "  %id_y = urem i64 %rest, %y",
        "  %id_z = udiv i64 %rest, %y",
        *(f"  %id{axis} = trunc i64 %id_{'xyz'[axis]} to i32" for axis in abi.AXES),
    ]
    values += [f"i32 %size{axis}" for axis in abi.AXES] + [f"i32 %id{axis}" for axis in abi.AXES]
    call = ", ".join([*values, "ptr %arena", "ptr %status", "i1 %overlaps"])
    lines += [
        f"  call void @{kernel}({call})",
        "  %next = add nsw i64 %index, 1",
        "  br label %head",
        "done:",
        "  ret void",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _attributes(target: Target) -> str:
    return f'attributes #0 = {{ nounwind "prefer-vector-width"="{target.vector_bits}" }}\n'
