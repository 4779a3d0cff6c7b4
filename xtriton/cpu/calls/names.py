"""What the code between Python and a launching function is handed, by name and by number."""

from xtriton.cpu.job import job_offsets
from xtriton.cpu.splitting import Split
from xtriton.cpu.threads import Limits

LEADING = ("x", "y", "z", "stream", "function", "packed", "told", "enter", "leave")
"""What comes before the arguments of the kernel: the grid, and what Triton hands to a launcher."""
NAMES = ("is_cpu", "data_ptr", "is_contiguous", "nbytes", "address", "calls")
"""Of attributes: of tensors, of launching functions, and of chains of hooks."""
ITEMS = (
    *("plan", "general", "whole", "rest", "arena", "watching", "threads"),
    *("chain", "lent_type", "none"),
    *NAMES,
)
"""The plan, then what is called where this code does not go on itself; see `Others`."""
WORDS = (
    *("arguments", "bytes", "aliases", "arena_bytes", "arena_of_main", "lender"),
    *("limits", "cores", "team", "returning_from", "returning_sizes", "kept", "step", "split"),
)
NOTHING, INTEGER, F32, F64, READ, WRITTEN = range(6)
"""The kinds of arguments: of constants, numbers, and memory."""

OFFSETS = job_offsets()


def item(name: str) -> str:
    """Return what gets one of `ITEMS`."""
    return f"%{name} = call ptr @PyTuple_GetItem(ptr %self, i64 {ITEMS.index(name)})"


def argument(name: str) -> str:
    """Return what gets one of the `LEADING` arguments."""
    return f"""\
%{name}_at = getelementptr ptr, ptr %arguments, i64 {LEADING.index(name)}
  %{name} = load ptr, ptr %{name}_at"""


def word(name: str) -> str:
    """Return what gets a word of the plan."""
    return f"""\
%plan_{name}_at = getelementptr i64, ptr %words, i64 {WORDS.index(name)}
  %plan_{name} = load i64, ptr %plan_{name}_at"""


def put(type: str, value: str, field: str) -> str:
    """Return what stores a value into a field of the job."""
    return f"""\
%job_{field}_at = getelementptr i8, ptr %job, i64 {OFFSETS[field]}
  store {type} %{value}, ptr %job_{field}_at"""


def limit(name: str) -> str:
    """Return what gets a word of the limits."""
    return f"""\
%{name}_place = add i64 %limits, {getattr(Limits, name).offset}
  %{name}_at = inttoptr i64 %{name}_place to ptr
  %{name} = load i64, ptr %{name}_at"""


def split(name: str) -> str:
    """Return what gets a word of what is known of a kernel in bands."""
    return f"""\
%split_{name}_place = add i64 %plan_split, {getattr(Split, name).offset}
  %split_{name}_at = inttoptr i64 %split_{name}_place to ptr
  %split_{name} = load i64, ptr %split_{name}_at"""
