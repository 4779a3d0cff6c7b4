"""
The loop that takes programs of a launch, which all kernels have in common:

    i32 xtriton_claim(ptr job, ptr arena, ptr run)

It takes chunks of the grid from a job, which `xtriton.cpu.job` lays out and all threads share that
work on a launch, and has `run` run them: see `emitter.job`. A job may say that some of the last
programs come first, or all from the last group to the first one; see `emitter.turns`.

It returns 0 where all programs have been taken, none failed, and no other thread would have paid.
It also returns, with anything else, once it has run for a while, so that whoever waits for it can
be interrupted: then it is called again. The job says how far it got.

Made with each kernel it took LLVM a third of the time for one of average length.
"""

import ctypes
from functools import cache

from xtriton.cpu import exclusion, jit
from xtriton.cpu.clocks import clock_of
from xtriton.cpu.job import CLAIM, read_fields
from xtriton.cpu.module import Module
from xtriton.cpu.target import Target, host

NEAR, FAR = 4 << 20, 64 << 20
"""Bytes of all programs from which on not all of it is left near cores, and too small a part."""
GROUP = 16
"""
Programs that are run in their order where all are run from the last group on.

Each group interrupts what processors read ahead.
"""
SLICE_CHUNKS = 16
"""After so many times what a chunk should take it returns."""
SHORT_OF_CHUNK = 128
"""The part of what a chunk should take, from which on other threads may pay."""

_LOADED = ("total", "chunk", "size0", "size1", "size2", "back")
_LOOP = """\
  %x_size = zext i32 %size0 to i64
  %y_size = zext i32 %size1 to i64
  %z_size = zext i32 %size2 to i64
  %plane = mul i64 %x_size, %y_size
  %grid = mul i64 %plane, %z_size
  %returns = icmp slt i32 %back, 0
  %last_first = call i32 @llvm.smax.i32(i32 %back, i32 0)
  %last = zext i32 %last_first to i64
  %not_last = sub i64 %grid, %last
  %before = sub i64 0, %last
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
  %from = phi i64 [ %start, %bound ], [ %to, %decode ]
  %in_group = urem i64 %from, GROUP
  %group = sub i64 %from, %in_group
  %behind = add i64 %group, GROUP
  %cut = call i64 @llvm.smin.i64(i64 %behind, i64 %end)
  %is_last = icmp slt i64 %from, %last
  %shift = select i1 %is_last, i64 %not_last, i64 %before
  %shifted = add i64 %from, %shift
  %end_of_last = call i64 @llvm.smin.i64(i64 %last, i64 %end)
  %end_shifted = select i1 %is_last, i64 %end_of_last, i64 %end
  %to = select i1 %returns, i64 %cut, i64 %end_shifted
  %not_behind = sub i64 %grid, %behind
  %mirrored = call i64 @llvm.smax.i64(i64 %not_behind, i64 0)
  %in_mirrored = add i64 %mirrored, %in_group
  %first = select i1 %returns, i64 %in_mirrored, i64 %shifted
  %x_wide = urem i64 %first, %x_size
  %rest = udiv i64 %first, %x_size
  %y_wide = urem i64 %rest, %y_size
  %z_wide = udiv i64 %rest, %y_size
  %x = trunc i64 %x_wide to i32
  %y = trunc i64 %y_wide to i32
  %z = trunc i64 %z_wide to i32
  call void %run(ptr %job, ptr %arena, i64 %from, i64 %to, i32 %x, i32 %y, i32 %z)
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


@cache
def symbols() -> dict[str, int]:
    """Return where the code is that the code of kernels calls, by its names."""
    library = jit.load(text(host()) + exclusion.TEXT, [CLAIM, *exclusion.FUNCTIONS])
    # Helpers run this code even as the interpreter ends.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(library))
    exclusion.forget_in_children(library.addresses)
    return library.addresses


def text(target: Target) -> str:
    """Return the LLVM IR of the loop."""
    module = Module()
    for type, function in (("i64", "smin"), ("i64", "smax"), ("i32", "smax")):
        module.declare(type, f"llvm.{function}.{type}", [type, type])
    clock, ticks = clock_of(module, target)
    loop = _LOOP
    for name, value in (
        ("CLOCK", clock),
        ("GROUP", GROUP),
        ("CHUNK_TICKS", ticks),
        ("SLICE_TICKS", ticks * SLICE_CHUNKS),
        ("LONG_TICKS", ticks // SHORT_OF_CHUNK),
    ):
        loop = loop.replace(name, str(value))
    header = f"define i32 @{CLAIM}(ptr %job, ptr %arena, ptr %run) {{"
    read = read_fields(*_LOADED, places=("next", "status"))
    return "\n".join([header, "entry:", *read, loop]) + module.text()
