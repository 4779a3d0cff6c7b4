"""Saying what a lowering left behind, and why."""

from collections import Counter

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton.diagnostics import warning

DIALECTS = ("tt", "tts", "ttg", "ttng", "ttig")

_REASONS = {
    "tt.load": "its address is no sum of one base and integers",
    "tt.store": "its address is no sum of one base and integers",
    "tt.atomic_rmw": "its address is no sum of one base and integers",
    "tt.atomic_cas": "its address is no sum of one base and integers",
}


def leftovers(module: ModuleOp) -> list[Operation]:
    """Return the ops of Triton's dialects that are in `module`, from the top."""
    return [op for op in module.walk() if op.name.partition(".")[0] in DIALECTS]


def report_leftovers(module: ModuleOp) -> None:
    """Emit a warning about each kind of op that was not lowered, at the first of them."""
    found = leftovers(module)
    counts = Counter(op.name for op in found)
    for op in found:
        count = counts.pop(op.name, 0)
        if count:
            others = f" (and {count - 1} more)" if count > 1 else ""
            reason = _REASONS.get(op.name)
            why = f": {reason}" if reason else ""
            warning(op, f"'{op.name}' is not lowered{others}{why}")
