"""
How the job of a launch is laid out; `claims` and `emitter.job` have the code that works through it.

Behind its `JOB_BYTES` there is one 8-byte slot per user argument (`xtriton.abi`).
"""

from collections.abc import Sequence

JOB_FIELDS = (
    ("next", "i64"),
    ("total", "i64"),
    ("chunk", "i64"),
    ("failed", "i64"),
    ("size0", "i32"),
    ("size1", "i32"),
    ("size2", "i32"),
    ("status", "i32"),
    ("overlap", "i32"),
    ("back", "i32"),
    ("alone", "i32"),
)
"""
Programs handed out, programs in all, most programs per chunk, the program whose assertion failed,
the grid, which assertion failed, overlap, how many of the last programs come first, or -1 if all
come from the last group to the first one, and whether no other launch with atomic ops runs
meanwhile.
"""
JOB_BYTES = 64
CLAIM = "xtriton_claim"
"""The name of the function that takes programs of a job; see `claims`."""


def job_offsets() -> dict[str, int]:
    """Return where each field of a job begins."""
    found: dict[str, int] = {}
    end = 0
    for name, type in JOB_FIELDS:
        found[name] = end
        end += int(type[1:]) // 8
    return found


def read_fields(*loaded: str, places: Sequence[str]) -> list[str]:
    """Return what loads fields of `%job` and finds the `places` of others, called as they are."""
    types, offsets = dict(JOB_FIELDS), job_offsets()
    lines = [f"  %{name} = getelementptr i8, ptr %job, i64 {offsets[name]}" for name in places]
    for name in loaded:
        lines.append(f"  %{name}_at = getelementptr i8, ptr %job, i64 {offsets[name]}")
        lines.append(f"  %{name} = load {types[name]}, ptr %{name}_at")
    return lines


def launcher_name(kernel: str) -> str:
    """Return the name of the function that takes programs of a job and runs them."""
    return f"{kernel}_launch"
