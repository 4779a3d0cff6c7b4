"""
From the arguments of `kernel[grid](...)` to those of machine code.

For each kernel a function is written that does just what its signature asks for. What that
does not know, such as NumPy arrays, `triton.reinterpret`, or an argument that is none, goes the
general way, which names what is wrong.
"""

from collections.abc import Callable, Iterator, Sequence
from struct import Struct
from typing import Any, cast

from xtriton import abi
from xtriton.cpu.launch import Launch
from xtriton.cpu.threads import JOB_FORMAT, arena, watching
from xtriton.interop.cpu_backend.arrays import HostArray
from xtriton.interop.cpu_backend.compiler import RECORD
from xtriton.interop.cpu_backend.loading import awaited

DESCRIPTOR = "tensordesc"
_LEADING = "x, y, z, stream, function, packed, told, enter, leave"
"""What Triton hands to a launcher before the arguments of the kernel."""


def make_launcher(source: Any, metadata: Any) -> Callable[..., None]:
    """Return what Triton calls for each launch of the kernel that was made of `source`."""
    signature = list(source.signature.values())
    record = getattr(metadata, RECORD)
    launch = Launch.of_record(record)

    def general(function: Any, x: int, y: int, z: int, *arguments: object) -> None:
        function = function or awaited(record["sha256"])
        launch(function, (x, y, z), list(_flat(signature, arguments)))

    text = _text(signature, launch)
    if text is None:
        text = _WITH_HOOKS.format(
            leading=_LEADING, names="*arguments", body="general(function, x, y, z, *arguments)"
        )
    names: dict[str, Any] = {
        "general": general,
        "pack": _quick_format(launch).pack,
        "runner": launch.runner,
        "watching": watching,
        "arena": arena,
        "fail": launch.fail,
        "slot": abi.slot_value,
        "arguments_of": launch.arguments,
    }
    exec(compile(text, f"<launcher of {launch.name}>", "exec"), names)
    return names["launch"]


def _quick_format(launch: Launch) -> Struct:
    """
    Return a format that itself refuses what the general way is for.

    It takes negative integers as they are, but none from 2^63 on, and no negative grid.
    """
    format = launch.format.format
    return Struct(JOB_FORMAT.replace("i", "I") + format[len(JOB_FORMAT) :].replace("Q", "q"))


_WITH_HOOKS = """\
def launch({leading}, {names}):
    if enter is not None:
        enter(told)
    {body}
    if leave is not None:
        leave(told)
"""


def _text(signature: Sequence[Any], launch: Launch) -> str | None:
    """Return the function of a kernel of plain arguments, None for any other."""
    if (
        launch.checks is not None
        or launch.filled
        or any(isinstance(t, tuple) or t.startswith(DESCRIPTOR) for t in signature)
    ):
        return None
    names = [f"a{number}" for number in range(len(signature))]
    present = [name for name, type in zip(names, signature, strict=True) if type != "constexpr"]
    if len(present) != len(launch.arguments):
        return None
    pairs = list(enumerate(zip(present, launch.arguments, strict=True)))
    pointers = [(n, name) for n, (name, a) in pairs if a.kind is abi.Kind.POINTER]
    checks = " and ".join(["", *(f"{name}.is_cpu" for _, name in pointers)])
    slots = "".join(f", {_slot(n, name, a)}" for n, (name, a) in pairs)
    arguments = "".join(f", {name}" for name in names)
    lines = [
        "call = function.quick",
        "total = x * y * z",
        f"if not (0 < total <= {abi.MOST_PROGRAMS}{checks}):",
        "    raise ValueError",
        *(f"p{n} = {name}.data_ptr()" for n, name in pointers),
        *_overlap(pointers, launch),
        f"block = pack(total, total, x, y, z, overlap{slots})",
    ]
    attempt = "".join(f"        {line}\n" for line in lines)
    arena = f"arena({launch.arena_bytes})" if launch.arena_bytes else "0"
    return f"""\
def launch({_LEADING}{arguments}):
    if enter is not None:
        enter(told)
    try:
{attempt}    except Exception:
        general(function, x, y, z{arguments})
    else:
        if total > runner.most_alone or watching:
            if failed := runner(function, block, total):
                fail(failed, x, y)
        elif call(block, {arena}):
            if failed := runner.go_on(function, block, total):
                fail(failed, x, y)
    if leave is not None:
        leave(told)
"""


def _slot(number: int, name: str, argument: abi.Argument) -> str:
    """Return what packs an argument, as text."""
    if argument.kind is abi.Kind.POINTER:
        return f"p{number}"
    if argument.type in abi.ROUNDS_TO_INFINITY:
        limit = repr(abi.ROUNDS_TO_INFINITY[argument.type])
        within = f"-{limit} < {name} < {limit}" if limit != "inf" else "True"
        return f"{name} if {within} else slot(arguments_of[{number}], {name})"
    if argument.type == "bf16":
        return f"slot(arguments_of[{number}], {name})"
    return name


def _overlap(pointers: Sequence[tuple[int, str]], launch: Launch) -> list[str]:
    """Return what finds out if memory that is written may be another argument's, as text."""
    pairs = [
        (n, name, m, other)
        for place, (n, name) in enumerate(pointers)
        for m, other in pointers[:place]
        if n in launch.written or m in launch.written
    ]
    lines = ["overlap = 0"]
    for n, name, m, other in pairs if launch.aliases else ():
        lines += [
            f"if p{n} < p{m}:",
            *_reaches(f"p{n}", name, f"p{m}"),
            "else:",
            *_reaches(f"p{m}", other, f"p{n}"),
        ]
    return lines


def _reaches(lower: str, name: str, upper: str) -> list[str]:
    """Return what notes that the tensor at the lower address ends behind the upper one."""
    return [
        # The extent of a view with gaps is left to the general way.
        f"    if not {name}.is_contiguous():",
        "        raise ValueError",
        f"    if {lower} + {name}.nbytes > {upper}:",
        "        overlap = 1",
    ]


def _flat(signature: Sequence[Any], arguments: Sequence[Any]) -> Iterator[object]:
    """Yield what exists at run time: elements of tuples, parts of descriptors, no constants."""
    for type, argument in zip(signature, arguments, strict=True):
        if isinstance(type, tuple):
            yield from _flat(cast(Any, type), argument)
        elif type == "constexpr":
            continue
        elif type.startswith(DESCRIPTOR):
            yield from parts_of_descriptor(argument)
        else:
            yield unwrapped(argument) if type[0] == "*" else argument


def unwrapped(argument: Any) -> object:
    """Return the tensor or array itself: of `triton.reinterpret`, or of NumPy."""
    if isinstance(argument, HostArray):
        return argument.array
    while not hasattr(argument, "is_contiguous") and hasattr(argument, "base"):
        argument = argument.base
    return argument


def parts_of_descriptor(descriptor: Any) -> list[object]:
    """Return what a host descriptor becomes: once for the pointer form, once for its users."""
    shape, strides = list(descriptor.shape), list(descriptor.strides)
    flags: list[object] = [getattr(descriptor, "padding", "zero") == "nan"]
    if hasattr(descriptor, "round_f32_to_tf32"):
        flags.append(descriptor.round_f32_to_tf32)
    return [unwrapped(descriptor.base), *shape, *strides, *flags, *shape, *strides]
