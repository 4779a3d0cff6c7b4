"""
The job of a launch, and the function that runs its programs until none is left:

    i32 NAME_launch(ptr job, ptr arena)

It returns 0 where all programs have been taken, none failed, and no other thread would have paid.
It also returns, with anything else, once it has run for a while, so that whoever waits for it can
be interrupted: then it is called again. The job says how far it got. All threads that work on a
launch share its job, which `xtriton.cpu.job` lays out, and take chunks of the grid from it. A job
may say that the last programs are to be the first; see `turns`.
"""

from collections.abc import Sequence

from xtriton import abi
from xtriton.cpu.builder import Module
from xtriton.cpu.clocks import clock_of
from xtriton.cpu.emitter.turns import GROUP
from xtriton.cpu.job import JOB_BYTES, JOB_FIELDS, job_offsets, launcher_name
from xtriton.cpu.target import Target
from xtriton.cpu.types import Type, scalar_type
from xtriton.errors import UserError

FAILED_BEHIND_STATUS = job_offsets()["failed"] - job_offsets()["status"]

SLICE_CHUNKS = 16
"""After so many times what a chunk should take a launching function returns."""
SHORT_OF_CHUNK = 128
"""The part of what a chunk should take, from which on other threads may pay."""

_FENCE = "llvm.x86.sse.sfence"
"""Waits for the stores of a thread that go around the caches."""
_CONFIGURE, _RELEASE = "llvm.x86.ldtilecfg", "llvm.x86.tilerelease"
"""Give a unit of tiles its configuration, and let it rest."""

_CLAIM = """\
  %x_size = zext i32 %size0 to i64
  %y_size = zext i32 %size1 to i64
  %z_size = zext i32 %size2 to i64
  %plane = mul i64 %x_size, %y_size
  %grid = mul i64 %plane, %z_size
  %returns = icmp ne i32 %back, 0
  %began = CLOCK
  br label %claim
claim:
  %chunk_now = phi i64 [ 1, %entry ], [ %chunk_next, %ended ]
  %claimed = phi i64 [ %began, %entry ], [ %now, %ended ]
  %start = atomicrmw add ptr %next, i64 %chunk_now monotonic
  %left = icmp slt i64 %start, %total
  br i1 %left, label %bound, label %done
bound:
  %sum = add nsw i64 %start, %chunk_now
  %end = call i64 @llvm.smin.i64(i64 %sum, i64 %total)
  br label %decode
decode:
  %from = phi i64 [ %start, %bound ], [ %to, %ran ]
  %in_group = urem i64 %from, GROUP
  %group = sub i64 %from, %in_group
  %behind = add i64 %group, GROUP
  %cut = call i64 @llvm.smin.i64(i64 %behind, i64 %end)
  %to = select i1 %returns, i64 %cut, i64 %end
  %not_behind = sub i64 %grid, %behind
  %mirrored = call i64 @llvm.smax.i64(i64 %not_behind, i64 0)
  %in_mirrored = add i64 %mirrored, %in_group
  %first = select i1 %returns, i64 %in_mirrored, i64 %from
  %x_wide = urem i64 %first, %x_size
  %rest = udiv i64 %first, %x_size
  %y_wide = urem i64 %rest, %y_size
  %z_wide = udiv i64 %rest, %y_size
  %x_first = trunc i64 %x_wide to i32
  %y_first = trunc i64 %y_wide to i32
  %z_first = trunc i64 %z_wide to i32
  br label %run
run:
  %index = phi i64 [ %from, %decode ], [ %following, %run ]
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
  %again = icmp slt i64 %following, %to
  br i1 %again, label %run, label %ran
ran:
  %goes_on_back = icmp slt i64 %to, %end
  br i1 %goes_on_back, label %decode, label %ended
ended:
  %now = CLOCK
  %took = sub i64 %now, %claimed
  %quick = icmp ult i64 %took, CHUNK_TICKS
  %double = shl i64 %chunk_now, 1
  %more = call i64 @llvm.smin.i64(i64 %double, i64 %chunk)
  %half = lshr i64 %chunk_now, 1
  %less = call i64 @llvm.smax.i64(i64 %half, i64 1)
  %chunk_next = select i1 %quick, i64 %more, i64 %less
  %spent = sub i64 %now, %began
  %goes_on = icmp ult i64 %spent, SLICE_TICKS
  br i1 %goes_on, label %claim, label %away
away:
  ret i32 1
done:
  %status_now = load atomic i32, ptr %status monotonic, align 4
  %all = sub i64 %claimed, %began
  %is_long = icmp uge i64 %all, LONG_TICKS
  %long = zext i1 %is_long to i32
  %returned = or i32 %status_now, %long
  ret i32 %returned
}
"""


def launching_function(
    module: Module,
    kernel: str,
    arguments: Sequence[abi.Argument],
    target: Target,
    *,
    checked: bool,
    cleared: Sequence[tuple[int, int]] = (),
    streams: bool = False,
    configuration: str = "",
) -> str:
    """
    Return the function that takes programs from a job and runs them.

    `cleared` has offset and size of what must be zero in the arena before; if the kernel
    `streams`, its stores are waited for. A unit that multiplies tiles gets its `configuration`.
    """
    for function in ("llvm.smin.i64", "llvm.smax.i64"):
        module.declare("i64", function, ["i64", "i64"])
    name = launcher_name(kernel)
    lines = [f"define i32 @{name}(ptr %job, ptr noalias %arena) #0 {{", "entry:"]
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
    for number, (offset, size) in enumerate(cleared):
        module.declare("void", "llvm.memset.p0.i64", ["ptr", "i8", "i64", "i1"])
        lines.append(f"  %cleared{number} = getelementptr i8, ptr %arena, i64 {offset}")
        place = f"ptr align 64 %cleared{number}"
        lines.append(f"  call void @llvm.memset.p0.i64({place}, i8 0, i64 {size}, i1 false)")
    if configuration:
        module.declare("void", _CONFIGURE, ["ptr"])
        lines.append(f"  call void @{_CONFIGURE}(ptr {configuration})")
    sizes = [f"i32 %size{axis}" for axis in abi.AXES]
    hidden = ["ptr %arena", "ptr %status", "i1 %overlaps"]
    if checked:
        offset = JOB_BYTES + len(arguments) * abi.SLOT_BYTES
        lines.append(f"  %record_at = getelementptr i8, ptr %job, i64 {offset}")
        lines.append("  %record = load ptr, ptr %record_at")
        hidden.append("ptr %record")
    call = ", ".join([*values, *sizes, "i32 %x", "i32 %y", "i32 %z", *hidden])
    loop = _timed(module, target).replace("CALL", f"call void @{kernel}({call})")
    for ends, name in ((streams, _FENCE), (configuration, _RELEASE)):
        if ends:
            module.declare("void", name, [])
            loop = loop.replace("  ret ", f"  call void @{name}()\n  ret ")
    return "\n".join([*lines, loop])


def _timed(module: Module, target: Target) -> str:
    """Return the loop over programs with the target's clock in it."""
    reading, ticks = clock_of(module, target)
    slice = str(ticks * SLICE_CHUNKS)
    return (
        _CLAIM.replace("CLOCK", reading)
        .replace("GROUP", str(GROUP))
        .replace("CHUNK_TICKS", str(ticks))
        .replace("SLICE_TICKS", slice)
        .replace("LONG_TICKS", str(ticks // SHORT_OF_CHUNK))
    )


def _job_fields() -> list[str]:
    """Load the fields of the job; `next` and `status` stay addresses."""
    lines: list[str] = []
    types = dict(JOB_FIELDS)
    for name, offset in job_offsets().items():
        address = f"%{name}" if name in ("next", "status") else f"%{name}_at"
        lines.append(f"  {address} = getelementptr i8, ptr %job, i64 {offset}")
        if name not in ("next", "status", "failed"):
            lines.append(f"  %{name} = load {types[name]}, ptr {address}")
    return [*lines, "  %overlaps = trunc i32 %overlap to i1"]


def _register_type(argument: abi.Argument) -> Type:
    type = scalar_type(argument.type)
    if type is None:
        raise UserError(f"the CPU back end has no argument type '{argument.type}'")
    return type
