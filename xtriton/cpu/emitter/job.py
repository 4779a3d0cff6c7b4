"""
The functions that run programs of a launch:

    i32 NAME_launch(ptr job, ptr arena)
    void xt.run(ptr job, ptr arena, i64 from, i64 to, i32 x, i32 y, i32 z)

The first one runs programs until none is left, as `xtriton.cpu.claims` tells, which takes them from
the job and has the second one run some, one after the other, the first of them at `x`, `y`, `z`.
"""

from collections.abc import Sequence

from xtriton import abi
from xtriton.cpu.builder import Module
from xtriton.cpu.exclusion import ENTER, LEAVE
from xtriton.cpu.job import CLAIM, JOB_BYTES, job_offsets, launcher_name, read_fields
from xtriton.cpu.types import Type, scalar_type
from xtriton.errors import UserError

FAILED_BEHIND_STATUS = job_offsets()["failed"] - job_offsets()["status"]

_FENCE = "llvm.x86.sse.sfence"
"""Waits for the stores of a thread that go around the caches."""
_CONFIGURE, _RELEASE = "llvm.x86.ldtilecfg", "llvm.x86.tilerelease"
"""Give a unit of tiles its configuration, and let it rest."""

AGAIN_PARAMETER = "i1 %again"
"""What code gets that may leave a row to the program that the same thread runs next."""
_RUN = "xt.run"
_PARAMETERS = """\
ptr %job, ptr noalias %arena, i64 %from, i64 %to, i32 %x_first, i32 %y_first, i32 %z_first"""
_LOOP = """\
  br label %run
run:
  %index = phi i64 [ %from, %entry ], [ %following, %run ]
  %x = phi i32 [ %x_first, %entry ], [ %x_next, %run ]
  %y = phi i32 [ %y_first, %entry ], [ %y_next, %run ]
  %z = phi i32 [ %z_first, %entry ], [ %z_next, %run ]
  %following = add nsw i64 %index, 1
  %again = icmp slt i64 %following, %to
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
  br i1 %again, label %run, label %ran
ran:
  ret void
}
"""


def launching_functions(
    module: Module,
    kernel: str,
    arguments: Sequence[abi.Argument],
    *,
    checked: bool,
    cleared: Sequence[tuple[int, int]] = (),
    streams: bool = False,
    configuration: str = "",
    atomics: bool = False,
    alone: bool = False,
    again: bool = False,
) -> str:
    """
    Return the functions that run programs of a kernel.

    `cleared` has offset and size of what must be zero in the arena before; if the kernel
    `streams`, its stores are waited for. A unit that multiplies tiles gets its `configuration`.
    One with `atomics` enters where others do, and may be `alone`; see `exclusion`. Programs of some
    are told whether the same thread runs one `again`.
    """
    module.declare("i32", CLAIM, ["ptr", "ptr", "ptr"])
    lines = [f"define i32 @{launcher_name(kernel)}(ptr %job, ptr noalias %arena) #0 {{"]
    for number, (offset, size) in enumerate(cleared):
        module.declare("void", "llvm.memset.p0.i64", ["ptr", "i8", "i64", "i1"])
        lines.append(f"  %cleared{number} = getelementptr i8, ptr %arena, i64 {offset}")
        place = f"ptr align 64 %cleared{number}"
        lines.append(f"  call void @llvm.memset.p0.i64({place}, i8 0, i64 {size}, i1 false)")
    if configuration:
        module.declare("void", _CONFIGURE, ["ptr"])
        lines.append(f"  call void @{_CONFIGURE}(ptr {configuration})")
    if atomics:
        lines += _entering(module, alone=alone)
    lines.append(f"  %returned = call i32 @{CLAIM}(ptr %job, ptr %arena, ptr @{_RUN})")
    if atomics:
        module.declare("void", LEAVE, ["i32"])
        lines.append(f"  call void @{LEAVE}(i32 %alone)")
    for ends, name in ((streams, _FENCE), (configuration, _RELEASE)):
        if ends:
            module.declare("void", name, [])
            lines.append(f"  call void @{name}()")
    lines += ["  ret i32 %returned", "}", ""]
    running = _running_function(kernel, arguments, checked=checked, alone=alone, again=again)
    return "\n".join([*lines, running])


def _entering(module: Module, *, alone: bool) -> list[str]:
    """Return what enters where launches with atomic ops do, and notes whether it is alone."""
    module.declare("i32", ENTER, ["ptr", "i32"])
    return [
        f"  %alone = call i32 @{ENTER}(ptr %job, i32 {int(alone)})",
        f"  %alone_at = getelementptr i8, ptr %job, i64 {job_offsets()['alone']}",
        "  store i32 %alone, ptr %alone_at",
    ]


def _running_function(
    kernel: str, arguments: Sequence[abi.Argument], *, checked: bool, alone: bool, again: bool
) -> str:
    """Return the function that runs programs one after the other."""
    lines = [f"define internal void @{_RUN}({_PARAMETERS}) #0 {{", "entry:"]
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
    flags = ("overlap", "alone") if alone else ("overlap",)
    lines += read_fields("size0", "size1", "size2", *flags, places=["status"])
    lines += [f"  %{flag}_holds = trunc i32 %{flag} to i1" for flag in flags]
    sizes = [f"i32 %size{axis}" for axis in abi.AXES]
    hidden = ["ptr %arena", "ptr %status", *(f"i1 %{flag}_holds" for flag in flags)]
    if again:
        hidden.append(AGAIN_PARAMETER)
    if checked:
        offset = JOB_BYTES + len(arguments) * abi.SLOT_BYTES
        lines.append(f"  %record_at = getelementptr i8, ptr %job, i64 {offset}")
        lines.append("  %record = load ptr, ptr %record_at")
        hidden.append("ptr %record")
    call = ", ".join([*values, *sizes, "i32 %x", "i32 %y", "i32 %z", *hidden])
    return "\n".join([*lines, _LOOP.replace("CALL", f"call void @{kernel}({call})")])


def _register_type(argument: abi.Argument) -> Type:
    type = scalar_type(argument.type)
    if type is None:
        raise UserError(f"the CPU back end has no argument type '{argument.type}'")
    return type
