"""
From a lowered module to the LLVM IR text of its kernel and of the loop over the grid.

The kernel becomes an internal function of the user's arguments, the program arguments, an
arena for large buffers, a place to report failed assertions, and whether arguments may
overlap. The one exported function runs programs until none is left:

    void NAME_launch(ptr job, ptr arena)

The job is shared by all threads that work on one launch, which take chunks of the grid from
it; `JOB_FIELDS` lays it out. Behind its `JOB_BYTES` there is one 8-byte slot per user argument
(`xtriton.abi`).
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation

from xtriton import abi
from xtriton.cpu.builder import Module
from xtriton.cpu.emitter.access import single_block, string
from xtriton.cpu.emitter.blocks import run_blocks
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.faults import Check
from xtriton.cpu.emitter.staging import plan_staging
from xtriton.cpu.emitter.values import Storage, View
from xtriton.cpu.target import Target
from xtriton.cpu.types import Type, scalar_type
from xtriton.errors import UserError

HIDDEN_PARAMETERS = "ptr noalias %arena, ptr %status, i1 %overlap"
RECORD_PARAMETER = "ptr noalias %record"
"""What checked code gets too; `checks` says what is in it."""
CHECK_VARIABLE = "XTRITON_CPU_CHECK"


def checks_are_wanted() -> bool:
    """Return whether the environment asks for checked code."""
    return os.environ.get(CHECK_VARIABLE, "0") not in ("", "0")


def races_are_wanted() -> bool:
    """Return whether the environment asks to watch for races too."""
    return os.environ.get(CHECK_VARIABLE) == "races"


def _has_atomics(module: ModuleOp) -> bool:
    return any("atomic" in op.name for op in module.walk())


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
    aliases: bool = True
    """Whether the code asks if memory that is written may be another argument's as well."""

    filled: dict[int, abi.TensorFact] = field(default_factory=dict[int, abi.TensorFact])
    """The arguments that the launcher fills in."""

    checks: tuple[Check, ...] | None = None
    """What checked code looks at, by the number that it reports; None for code that does not."""

    names: tuple[str, ...] = ()
    """Of the arguments, as far as known."""

    @property
    def entry(self) -> str:
        return launcher_name(self.name)


def launcher_name(kernel: str) -> str:
    return f"{kernel}_launch"


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
    shared = Module()
    emitter = Emitter(shared, target)
    emitter.functions = functions
    emitter.checked = checks_are_wanted() if checked is None else checked
    emitter.races = emitter.checked and races_are_wanted() and not _has_atomics(module)
    body = _emit_function(emitter, kernel)
    kernel_name = string(kernel, "sym_name")
    arguments = abi.arguments_of(single_block(kernel).args, lowered=True)
    launcher = _launcher(shared, kernel_name, arguments, checked=emitter.checked)
    text = body + launcher + shared.text() + _attributes(target)
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
    plan_staging(e, kernel)
    run_blocks(e, kernel.regions[0])
    hidden = [HIDDEN_PARAMETERS, RECORD_PARAMETER] if e.checked else [HIDDEN_PARAMETERS]
    joined = ", ".join([*parameters, *hidden])
    return e.builder.text(f"define internal void @{string(kernel, 'sym_name')}({joined}) #0")


def _finds_memory(op: Operation) -> bool:
    """Return whether an op makes or loads pointers to memory that is no argument."""
    if op.name == "tt.int_to_ptr":
        return True
    return op.name == "tt.load" and "!tt.ptr" in str(op.results[0].type)


def _register_type(argument: abi.Argument) -> Type:
    type = scalar_type(argument.type)
    if type is None:
        raise UserError(f"the CPU back end has no argument type '{argument.type}'")
    return type


JOB_FIELDS = (
    ("next", "i64"),
    ("total", "i64"),
    ("chunk", "i64"),
    ("size0", "i32"),
    ("size1", "i32"),
    ("size2", "i32"),
    ("status", "i32"),
    ("overlap", "i32"),
)
"""Programs handed out, programs in all, programs per chunk, the grid, failed assertion, overlap."""
JOB_BYTES = 48

_CLAIM = """\
  br label %claim
claim:
  %start = atomicrmw add ptr %next, i64 %chunk monotonic
  %left = icmp slt i64 %start, %total
  br i1 %left, label %decode, label %done
decode:
  %sum = add nsw i64 %start, %chunk
  %end = call i64 @llvm.smin.i64(i64 %sum, i64 %total)
  %x_size = zext i32 %size0 to i64
  %y_size = zext i32 %size1 to i64
  %x_wide = urem i64 %start, %x_size
  %rest = udiv i64 %start, %x_size
  %y_wide = urem i64 %rest, %y_size
  %z_wide = udiv i64 %rest, %y_size
  %x_first = trunc i64 %x_wide to i32
  %y_first = trunc i64 %y_wide to i32
  %z_first = trunc i64 %z_wide to i32
  br label %run
run:
  %index = phi i64 [ %start, %decode ], [ %following, %run ]
  %x = phi i32 [ %x_first, %decode ], [ %x_next, %run ]
  %y = phi i32 [ %y_first, %decode ], [ %y_next, %run ]
  %z = phi i32 [ %z_first, %decode ], [ %z_next, %run ]
  CALL
  %x_more = add i32 %x, 1
  %x_wraps = icmp eq i32 %x_more, %size0
  %x_next = select i1 %x_wraps, i32 0, i32 %x_more
  %x_carry = zext i1 %x_wraps to i32
  %y_more = add i32 %y, %x_carry
  %y_wraps = icmp eq i32 %y_more, %size1
  %y_next = select i1 %y_wraps, i32 0, i32 %y_more
  %y_carry = zext i1 %y_wraps to i32
  %z_next = add i32 %z, %y_carry
  %following = add nsw i64 %index, 1
  %again = icmp slt i64 %following, %end
  br i1 %again, label %run, label %claim
done:
  ret void
}
"""


def _launcher(
    module: Module, kernel: str, arguments: Sequence[abi.Argument], *, checked: bool
) -> str:
    """Return the function that takes programs from a job and runs them."""
    module.declare("i64", "llvm.smin.i64", ["i64", "i64"])
    name = launcher_name(kernel)
    lines = [f"define void @{name}(ptr %job, ptr noalias %arena) #0 {{", "entry:"]
    values: list[str] = []
    for number, argument in enumerate(arguments):
        type = None if argument.kind is abi.Kind.POINTER else _register_type(argument)
        memory, register = ("ptr", "ptr") if type is None else (type.memory, type.register)
        offset = JOB_BYTES + number * abi.SLOT_BYTES
        lines.append(f"  %slot{number} = getelementptr i8, ptr %job, i64 {offset}")
        lines.append(f"  %value{number} = load {memory}, ptr %slot{number}")
        value = f"%value{number}"
        if memory != register:
            lines.append(f"  %narrow{number} = trunc {memory} {value} to {register}")
            value = f"%narrow{number}"
        values.append(f"{register} {value}")
    lines += _job_fields()
    sizes = [f"i32 %size{axis}" for axis in abi.AXES]
    hidden = ["ptr %arena", "ptr %status", "i1 %overlaps"]
    if checked:
        offset = JOB_BYTES + len(arguments) * abi.SLOT_BYTES
        lines.append(f"  %record_at = getelementptr i8, ptr %job, i64 {offset}")
        lines.append("  %record = load ptr, ptr %record_at")
        hidden.append("ptr %record")
    call = ", ".join([*values, *sizes, "i32 %x", "i32 %y", "i32 %z", *hidden])
    return "\n".join(lines) + "\n" + _CLAIM.replace("CALL", f"call void @{kernel}({call})")


def _job_fields() -> list[str]:
    """Load the fields of the job; `next` and `status` stay addresses."""
    lines: list[str] = []
    offset = 0
    for name, type in JOB_FIELDS:
        address = f"%{name}" if name in ("next", "status") else f"%{name}_at"
        lines.append(f"  {address} = getelementptr i8, ptr %job, i64 {offset}")
        if name not in ("next", "status"):
            lines.append(f"  %{name} = load {type}, ptr {address}")
        offset += int(type[1:]) // 8
    return [*lines, "  %overlaps = trunc i32 %overlap to i1"]


def _attributes(target: Target) -> str:
    return f'attributes #0 = {{ nounwind "prefer-vector-width"="{target.vector_bits}" }}\n'
