"""Saying what a lowering left behind, and why."""

from collections import Counter

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton.diagnostics import warning
from xtriton.ir.listings import ops_such

DIALECTS = ("tt", "tts", "ttg", "ttng", "ttig")

_ADDRESS = "its address is no sum of one base and integers"
_BASE = "its base is no argument of the function, and no memref can be made of an address"

REASONS = {
    "tt.load": _ADDRESS,
    "tt.store": _ADDRESS,
    "tt.atomic_rmw": _ADDRESS,
    "tt.atomic_cas": _ADDRESS,
    "tts.gather": _BASE,
    "tts.scatter": _BASE,
    "tts.unstructured_atomic_rmw": _BASE,
    "tts.unstructured_atomic_cas": _BASE,
    "tt.int_to_ptr": "no memref can be made of an address",
    "tt.dot_scaled": "nobody says how 6-bit operands lie in memory",
}


def leftovers(module: ModuleOp) -> list[Operation]:
    """Return the ops of Triton's dialects that are in `module`, from the top."""
    return ops_such(module, lambda kind: kind.name.partition(".")[0] in DIALECTS)


def report_leftovers(module: ModuleOp) -> None:
    """Emit a warning about each kind of op that was not lowered, at the first of them."""
    found = leftovers(module)
    counts = Counter(op.name for op in found)
    for op in found:
        count = counts.pop(op.name, 0)
        if count:
            others = f" (and {count - 1} more)" if count > 1 else ""
            reason = REASONS.get(op.name)
            why = f": {reason}" if reason else ""
            warning(op, f"'{op.name}' is not lowered{others}{why}")
