"""
Launching as Python's own kind of function: arguments become a job without a line of Python.

The code in between is generated as kernels are, once for all of them (`entry`); what a kernel
takes is a `Plan`. Whatever a plan does not foresee, such as an array that is no tensor, is left to
functions in Python.
"""

import ctypes
import struct
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

from xtriton import abi
from xtriton.cpu import jit
from xtriton.cpu.calls import entry, names
from xtriton.cpu.calls.lending import lender
from xtriton.cpu.claims import NEAR
from xtriton.cpu.job import JOB_BYTES
from xtriton.cpu.target import last_cache, own_cache

_FLOATS = {"f32": names.F32, "f64": names.F64}
_NEEDS_ROUNDING = ("f16", "bf16")


@dataclass(frozen=True)
class Plan:
    """
    What a launch takes: the arguments of a kernel, `None` for each constant among them.

    `written` has the numbers of those, constants left out, that are stored to; `aliases` says
    whether the code asks if these may be another argument's memory as well. `limits` and `team`
    are the addresses of the kernel's `Limits` and of that of the process's team; `cores` is the
    number of threads where nobody says another. Launches of as many programs as are in `returning`
    may begin with the last, of no more than `kept` with `step` more of these each time. `split` is
    the address of the kernel's `Split`.
    """

    arguments: Sequence[abi.Argument | None]
    written: frozenset[int]
    aliases: bool
    arena_bytes: int
    arena_of_main: int
    limits: int
    cores: int
    team: int
    split: int
    returning: range = range(0)

    @property
    def kept(self) -> int:
        """How many programs find in the last cache what they touch, as half of it holds that."""
        return last_cache() // 2 * self.returning.start // NEAR if own_cache() else 0

    @property
    def step(self) -> int:
        """How many programs touch half of what a core's own cache holds; they ran last."""
        return own_cache() // 2 * self.returning.start // NEAR

    def packed(self, lent_type: type | None = None) -> bytes | None:
        """
        Return this in words of 8 bytes; None if the machine code has no words for it.

        Tensors of `lent_type` are lent by their library, if that does.
        """
        present = [argument for argument in self.arguments if argument is not None]
        if any(a.kind is abi.Kind.SCALAR and a.type in _NEEDS_ROUNDING for a in present):
            return None
        words = {
            "arguments": len(names.LEADING) + len(self.arguments),
            "bytes": JOB_BYTES + abi.SLOT_BYTES * len(present),
            "aliases": self.aliases,
            "arena_bytes": self.arena_bytes,
            "arena_of_main": self.arena_of_main,
            "lender": lender(lent_type),
            "limits": self.limits,
            "cores": self.cores,
            "team": self.team,
            "returning_from": self.returning.start,
            "returning_sizes": len(self.returning),
            "kept": self.kept,
            "step": self.step,
            "split": self.split,
        }
        kinds: list[int] = []
        for argument in self.arguments:
            number = len(kinds) - kinds.count(names.NOTHING)
            kinds.append(self._kind(number, argument))
        row = [words[name] for name in names.WORDS] + kinds
        return struct.pack(f"={len(row)}q", *row)

    def _kind(self, number: int, argument: abi.Argument | None) -> int:
        if argument is None:
            return names.NOTHING
        if argument.kind is abi.Kind.POINTER:
            return names.WRITTEN if number in self.written else names.READ
        return _FLOATS.get(argument.type, names.INTEGER)


@dataclass(frozen=True)
class Others:
    """
    What is called where the machine code does not go on itself.

    `general` takes all arguments and does everything, hooks included. `whole` and `rest` take the
    launching function, the job and the grid: for a job that has not begun, and for one that the
    launching function left before its end. `arena` returns the address of so many bytes for this
    thread. While there is anything in `watching`, `whole` begins each job. `threads` says on how
    many a launch may run, if it says a number but 0. A hook of the type `chain` does nothing while
    its list `calls` is empty. Most tensors are of `lent_type`.
    """

    general: Callable[..., object]
    whole: Callable[[Any, bytes, int, int, int], object]
    rest: Callable[[Any, bytes, int, int, int], object]
    arena: Callable[[int], int | None]
    watching: list[Any]
    threads: ContextVar[int | None]
    chain: type | None = None
    lent_type: type | None = None


def launching(plan: Plan, others: Others) -> Callable[..., Any]:
    """
    Return what takes `names.LEADING` and the arguments of a kernel, and runs it.

    The launching function is any object with an attribute `address`, which it has to keep alive.
    Where there is no machine code for a plan, this is `others.general`.
    """
    packed, make = plan.packed(others.lent_type), _maker()
    if packed is None or make is None:
        return others.general
    items = {
        "plan": packed,
        "none": None,
        **vars(others),
        **{name: name for name in names.NAMES},
    }
    return make(tuple(items[name] for name in names.ITEMS))


NO_ARGUMENTS, FASTCALL = 0x4, 0x80
"""`METH_NOARGS`, and `METH_FASTCALL`: arguments come as an array."""


class _Definition(ctypes.Structure):
    """`PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("code", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("documentation", ctypes.c_char_p),
    )


def functions_of(
    text: str, name: str, flags: int, *, optimization: int = 3
) -> Callable[[tuple[object, ...]], Any]:
    """
    Return what makes functions of Python of the function `name` of LLVM IR.

    Each has a tuple for its self. Raises `AttributeError` or `RuntimeError` where there is no
    machine code, as with another Python, or one that hides its interface.
    """
    code = jit.load(text, [name], optimization=optimization)
    new: Any = ctypes.pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = (
        ctypes.py_object,
        (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p),
    )
    definition = _Definition(name.encode(), code.addresses[name], flags, None)
    # The functions look into it even as they go, which may be after this module.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object((code, definition)))
    place = ctypes.addressof(definition)
    return lambda items: new(place, items, None)


@cache
def _maker() -> Callable[[tuple[object, ...]], Any] | None:
    """Return what makes a function of the code in between that looks into a tuple of `ITEMS`."""
    try:
        # LLVM would take 50 ms of the first launch to make each launch 0.05 µs shorter.
        return functions_of(entry.TEXT, entry.ENTRY, FASTCALL, optimization=0)
    except (AttributeError, RuntimeError):
        return None
