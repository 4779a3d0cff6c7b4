"""From the arguments of `kernel[grid](...)` to those of machine code."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from xtriton.cpu.kernel import Launch
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
            yield from _flat(type, argument)
        elif type == "constexpr":
            continue
        elif type.startswith(DESCRIPTOR):
            yield from parts_of_descriptor(argument)
        else:
            yield argument


def parts_of_descriptor(descriptor: Any) -> list[object]:
    """Return what a host descriptor becomes: once for the pointer form, once for its users."""
    shape, strides = list(descriptor.shape), list(descriptor.strides)
    flags: list[object] = [getattr(descriptor, "padding", "zero") == "nan"]
    if hasattr(descriptor, "round_f32_to_tf32"):
        flags.append(descriptor.round_f32_to_tf32)
    return [descriptor.base, *shape, *strides, *flags, *shape, *strides]
