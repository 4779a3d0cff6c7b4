"""
From the arguments of `kernel[grid](...)` to those of machine code.

Machine code reads plain arguments itself (`xtriton.cpu.calls`). What that does not know, such as
NumPy arrays, `triton.reinterpret`, descriptors, or an argument that is none, goes the general way,
which names what is wrong.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, cast

from xtriton.cpu.arenas import arena, arena_of_main
from xtriton.cpu.calls import Others, Plan, launching
from xtriton.cpu.launch import Launch
from xtriton.cpu.splitting import Bands
from xtriton.cpu.team import team_at
from xtriton.cpu.threads import available_threads, thread_limit, watching
from xtriton.interop.cpu_backend.arrays import HostArray
from xtriton.interop.cpu_backend.bands import compiling_bands
from xtriton.interop.cpu_backend.compiler import RECORD
from xtriton.interop.cpu_backend.loading import awaited

DESCRIPTOR = "tensordesc"


def make_launcher(source: Any, metadata: Any) -> Callable[..., None]:
    """Return what Triton calls for each launch of the kernel that was made of `source`."""
    signature = list(source.signature.values())
    record = getattr(metadata, RECORD)
    launch = Launch.of_record(record)
    together: bool = metadata.launch_cooperative_grid

    def general(
        x: int,
        y: int,
        z: int,
        stream: object,
        function: Any,
        packed: object,
        told: object,
        enter: Callable[[object], object] | None,
        leave: Callable[[object], object] | None,
        *arguments: object,
    ) -> None:
        if enter is not None:
            enter(told)
        function = function or awaited(record["sha256"])
        launch(function, (x, y, z), list(_flat(signature, arguments)), together=together)
        if leave is not None:
            leave(told)

    bands = Bands(launch.runner, compiling_bands(source, metadata))

    def whole(function: Any, block: bytes, x: int, y: int, z: int) -> None:
        if failed := bands.whole(function, block, x * y * z):
            launch.fail(failed, x, y)

    def rest(function: Any, block: bytes, x: int, y: int, z: int) -> None:
        if failed := bands.rest(function, block, x * y * z):
            launch.fail(failed, x, y)

    plan = None if together else _plan(signature, launch, bands)
    if plan is None:
        return general
    chain = import_module("triton.knobs").HookChain
    # Whoever launches with tensors has imported their library.
    tensor = getattr(sys.modules.get("torch"), "Tensor", None)
    others = Others(general, whole, rest, arena, watching, thread_limit, chain, tensor)
    return launching(plan, others)


def _plan(signature: Sequence[Any], launch: Launch, bands: Bands) -> Plan | None:
    """Return what a launch of plain arguments takes, None for any other."""
    if (
        launch.checks is not None
        or launch.filled
        or any(isinstance(t, tuple) or t.startswith(DESCRIPTOR) for t in signature)
    ):
        return None
    if sum(type != "constexpr" for type in signature) != len(launch.arguments):
        return None
    present = iter(launch.arguments)
    arguments = [None if type == "constexpr" else next(present) for type in signature]
    return Plan(
        arguments,
        launch.written,
        launch.aliases,
        launch.arena_bytes,
        arena_of_main(),
        launch.runner.limits_at,
        available_threads(),
        team_at(),
        bands.split_at,
        launch.returning,
    )


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
