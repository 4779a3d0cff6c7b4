"""
What helpers and launches on several threads do, as LLVM IR.

    void serve(ptr team, ptr box)                       what a helper does, for good
    i32 launch(ptr team, ptr function, ptr job, i64 bytes, ptr jobs, i64 stride, i64 count,
               ptr arena, i64 arena_bytes, i1 is_short) runs a job on `count` threads
    i32 again(...)                                      goes on with it; as `launch` without the
                                                        last two
    void stop(ptr team, ptr jobs, i64 stride, i64 count) gives it up instead
    i1 take(ptr team), void give(ptr team)              keep others from the team meanwhile

A helper looks into its box again and again for a moment; then it goes to sleep until it is woken.
Whoever has posted a job need not wait for a helper that has not begun, and takes the job back.

Where PyTorch is, its own threads are lent to launches instead: those of OpenMP go on looking for
more to do behind each of its ops, on cores that helpers would wait for until the launch is over.
A launch is a parallel region of theirs then, or one for each slice of time.

Of the job of a launch each thread has a copy in `jobs`, which are `stride` apart, with a part of
the programs that is the same for the same launch: what it has in its caches. Who is done with its
own helps the others. In the end `job` says that all are done, and what failed if anything did.
"""

from xtriton.cpu.clocks import clock_of
from xtriton.cpu.module import Module
from xtriton.cpu.target import Target
from xtriton.cpu.team_code import helpers, jobs, launches, lent

PATIENCE = 8
"""A helper looks for the next job as long as this part of what a chunk of programs should take."""
SELDOM = 64
"""Times as long is between short launches that wake helpers."""
_PAUSES = {"x86_64": "llvm.x86.sse2.pause()", "aarch64": "llvm.aarch64.hint(i32 1)"}
"""What tells a core that it waits."""

EXPORTED = ("serve", "launch", "again", "stop", "take", "give")


def text(target: Target) -> str:
    """Return the LLVM IR of the `EXPORTED`."""
    module = Module()
    clock, ticks = clock_of(module, target)
    pause = _PAUSES.get(target.triple.split("-")[0], "")
    if pause:
        module.declare("void", pause.partition("(")[0], ["i32"] if "i32" in pause else [])
    module.declare("i64", "llvm.umax.i64", ["i64", "i64"])
    module.declare("void", "llvm.memcpy.p0.p0.i64", ["ptr", "ptr", "i64", "i1"])
    parts = (
        lent.CONTEXT_TYPE,
        jobs.WORK,
        helpers.PAUSE,
        helpers.SERVE,
        jobs.SPLIT,
        helpers.POST,
        helpers.JOIN,
        lent.LENDS,
        lent.MEMBER,
        lent.BORROW,
        launches.TAKE,
        launches.GIVE,
        jobs.GATHER,
        launches.AGAIN,
        launches.LAUNCH,
        launches.STOP,
    )
    code = "\n".join(parts).replace("PAUSE", f"call void @{pause}" if pause else "")
    patience = ticks // PATIENCE
    for name, value in (("CLOCK", clock), ("TICKS", patience), ("REST", patience * SELDOM)):
        code = code.replace(name, str(value))
    return code + module.text()
