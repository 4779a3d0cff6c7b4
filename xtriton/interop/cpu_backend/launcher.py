"""From the arguments of `kernel[grid](...)` to those of machine code."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from xtriton.cpu.kernel import Launch
from xtriton.interop.cpu_backend.arrays import HostArray
from xtriton.interop.cpu_backend.compiler import RECORD

DESCRIPTOR = "tensordesc"


def make_launcher(source: Any, metadata: Any) -> Callable[..., None]:
    """Return what Triton calls for each launch of the kernel that was made of `source`."""
    signature = list(source.signature.values())
    launch = Launch.of_record(getattr(metadata, RECORD))

    def run(
        x: int, y: int, z: int, stream: int, function: Any, packed: object,
        launch_metadata: Any, enter: Any, leave: Any, *arguments: object,
    ) -> None:  # fmt: skip
        values = list(_flat(signature, arguments))
        if enter is not None:
            enter(launch_metadata)
        launch(function, (x, y, z), values)
        if leave is not None:
            leave(launch_metadata)

    return run


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
