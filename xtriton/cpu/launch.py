"""From the arguments of a launch to the slots that machine code reads."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cached_property
from typing import Any, cast

from xtriton import abi
from xtriton.cpu.code import KernelCode
from xtriton.cpu.faults import FaultRecord, fault
from xtriton.cpu.records import Check
from xtriton.cpu.threads import JOB_FORMAT, MOST_TOGETHER, Runner
from xtriton.cpu.types import scalar_type
from xtriton.errors import UserError

Range = tuple[int, int, bool]
"""The addresses of the first byte and behind the last one, and whether it is written."""
EVERYWHERE = (0, (1 << 64) - 1)
"""The addresses of memory of which nothing but a pointer is known."""


@dataclass(frozen=True)
class Launch:
    """
    How a kernel is launched: its arguments, what its programs need and what they may report.

    `written` has the numbers of the arguments that are stored to, `filled` those that are
    sizes and strides of others.
    """

    name: str
    arguments: tuple[abi.Argument, ...]
    arena_bytes: int
    assertions: tuple[str, ...]
    written: frozenset[int]
    aliases: bool = True
    """Whether the code asks if memory that is written may be another argument's as well."""
    filled: Mapping[int, abi.TensorFact] = field(default_factory=dict[int, abi.TensorFact])
    checks: tuple[Check, ...] | None = None
    """What checked code looks at; None for code that does not."""
    names: tuple[str, ...] = ()
    """Of the arguments, as far as known."""
    returning: range = range(0)
    """How many programs launches have that may begin with the last."""

    @staticmethod
    def of_code(code: KernelCode) -> "Launch":
        return Launch(
            code.name,
            code.arguments,
            code.arena_bytes,
            code.assertions,
            code.written,
            code.aliases,
            code.filled,
            code.checks,
            code.names,
            code.returning,
        )

    @staticmethod
    def of_record(record: Mapping[str, Any]) -> "Launch":
        """Return what `record` wrote down."""
        return Launch(
            record["name"],
            tuple(abi.argument_of_text(text) for text in record["arguments"]),
            record["arena_bytes"],
            tuple(record["assertions"]),
            frozenset(record["written"]),
            record["aliases"],
            {int(n): abi.tensor_fact(text) for n, text in record["filled"].items()},
            None if record["checks"] is None else tuple(Check(*c) for c in record["checks"]),
            tuple(record["names"]),
            range(*record["returning"]),
        )

    def record(self) -> dict[str, Any]:
        """Return this in words of JSON."""
        return {
            "name": self.name,
            "arguments": [str(argument) for argument in self.arguments],
            "arena_bytes": self.arena_bytes,
            "assertions": list(self.assertions),
            "written": sorted(self.written),
            "aliases": self.aliases,
            "filled": {str(n): str(fact) for n, fact in self.filled.items()},
            "checks": None if self.checks is None else [astuple(c) for c in self.checks],
            "names": list(self.names),
            "returning": [self.returning.start, self.returning.stop],
        }

    @cached_property
    def format(self) -> struct.Struct:
        """How a job and the slots of its arguments are laid out."""
        record = "" if self.checks is None else "Q"
        return struct.Struct(JOB_FORMAT + abi.slots_format(self.arguments).format[1:] + record)

    @cached_property
    def runner(self) -> Runner:
        return Runner(self.arena_bytes)

    def __call__(
        self,
        function: Any,
        grid: int | Sequence[int],
        arguments: Sequence[object],
        *,
        threads: int | None = None,
        together: bool = False,
    ) -> None:
        """
        Run every program of `grid`; returns when all have ended.

        They run one after another on each thread, or all `together` as they wait for each other.
        `function` is what `prototype` makes of the address of the code. Raises `UserError` for
        arguments that do not fit, `AssertionError` if a `tl.device_assert` of any program failed.
        """
        sizes = abi.normalize_grid(grid)
        total = sizes[0] * sizes[1] * sizes[2]
        slots, ranges = self._slots(arguments)
        if total == 0:
            return
        record = None
        if self.checks is not None:
            record = FaultRecord(ranges, [_bytes(a) for a in self.arguments])
            slots.append(record.address)
            threads = 1
        block = self.format.pack(total, total, *sizes, _overlapping(ranges), *slots)
        if together:
            if total > MOST_TOGETHER:
                raise UserError(f"{total} programs, at most {MOST_TOGETHER} run at the same time")
            failed = self.runner.together(function, block, total)
        else:
            failed = self.runner(function, block, total, threads)
        if failed:
            self.fail(failed, *sizes[:2], None if record is None else record.words)

    def fail(
        self, failed: tuple[int, int], x_size: int, y_size: int, record: Sequence[int] | None = None
    ) -> None:
        """
        Raise the `AssertionError` of a failed `tl.device_assert`, or the `KernelFault` of a check.

        `failed` has its number and that of the program. Checks have numbers below 0; `record` says
        what they found.
        """
        number, index = failed
        if number > 0 or record is None or self.checks is None:
            program = (index % x_size, index // x_size % y_size, index // x_size // y_size)
            raise AssertionError(f"{self.assertions[number - 1]}: program {program}")
        raise fault(self.checks[-number - 1], record, self.names)

    def _slots(self, arguments: Sequence[object]) -> tuple[list[float], list[Range]]:
        """Return what the slots hold, and the memory of each argument."""
        expected = self.arguments
        if self.filled and len(arguments) == len(expected) - len(self.filled):
            arguments = self._with_facts(arguments)
        if len(arguments) != len(expected):
            raise UserError(
                f"kernel '{self.name}' takes {len(expected)} arguments, got {len(arguments)}"
            )
        values: list[float] = []
        ranges: list[Range] = []
        for number, (argument, value) in enumerate(zip(expected, arguments, strict=True)):
            if argument.kind is abi.Kind.POINTER:
                first, start, end = self._memory_of(number, value)
                values.append(first)
                ranges.append((start, end, number in self.written))
            else:
                values.append(abi.slot_value(argument, self._number(number, value)))
                ranges.append((0, 0, False))
        return values, ranges

    def _with_facts(self, arguments: Sequence[object]) -> list[object]:
        """Return the user's arguments with sizes and strides of tensors among them."""
        user = iter(arguments)
        count = len(self.arguments)
        found = [None if n in self.filled else next(user) for n in range(count)]
        for n, fact in self.filled.items():
            found[n] = fact.value(*self._layout(fact.argument, found[fact.argument]))
        return found

    def _layout(self, number: int, value: object) -> tuple[Sequence[int], Sequence[int]]:
        """Return shape and strides, in elements, of an array."""
        array = cast(Any, value)
        if hasattr(value, "data_ptr"):
            return tuple(array.shape), tuple(array.stride())
        if hasattr(value, "__array_interface__"):
            return array.shape, tuple(s // array.itemsize for s in array.strides)
        raise self._wrong(number, "an array, since the kernel asks for its shape", value)

    def _number(self, number: int, value: object) -> float:
        if isinstance(value, bool | int | float):
            return value
        if hasattr(value, "item"):
            return cast(Any, value).item()
        raise self._wrong(number, "a number", value)

    def _wrong(self, number: int, wanted: str, value: object) -> UserError:
        return UserError(
            f"argument {number} of kernel '{self.name}' must be {wanted}, got {value!r:.60}"
        )

    def _memory_of(self, number: int, value: object) -> tuple[int, int, int]:
        """Return the address of an array's first element, and the range of bytes that it spans."""
        array = cast(Any, value)
        if hasattr(value, "data_ptr"):
            return self._memory_of_tensor(number, array)
        if hasattr(value, "__array_interface__"):
            first = int(array.__array_interface__["data"][0])
            if number in self.written and not array.flags.writeable:
                raise self._wrong(number, "writable, since the kernel stores to it", value)
            if array.flags.c_contiguous:
                return first, first, first + array.nbytes
            if any(stride % array.itemsize for stride in array.strides):
                raise self._wrong(number, "an array of strides in whole elements", value)
            return _span(first, array.itemsize, array.shape, array.strides)
        if isinstance(value, int):
            return value, *EVERYWHERE
        if value is None:
            return 0, 0, 0
        raise self._wrong(number, "an array", value)

    def _memory_of_tensor(self, number: int, tensor: Any) -> tuple[int, int, int]:
        """Return that of a tensor, or of what stands for one: Triton asks for its pointer only."""
        device = getattr(tensor, "device", None)
        if device is not None and device.type != "cpu":
            raise self._wrong(number, "on the CPU", tensor)
        first = int(tensor.data_ptr())
        if not all(hasattr(tensor, name) for name in ("shape", "stride", "element_size")):
            return first, *EVERYWHERE
        item = tensor.element_size()
        if hasattr(tensor, "is_contiguous") and tensor.is_contiguous():
            return first, first, first + tensor.numel() * item
        return _span(first, item, tensor.shape, [stride * item for stride in tensor.stride()])


def _span(
    first: int, item: int, shape: Sequence[int], strides: Sequence[int]
) -> tuple[int, int, int]:
    """Return the first element of an array and the bytes from its lowest to its highest one."""
    if 0 in shape:
        return first, first, first
    steps = [(size - 1) * stride for size, stride in zip(shape, strides, strict=True)]
    below, above = sum(s for s in steps if s < 0), sum(s for s in steps if s > 0)
    return first, first + below, first + above + item


def _bytes(argument: abi.Argument) -> int:
    """Return the size of what an argument is or points to."""
    type = scalar_type(argument.type)
    return 1 if type is None else type.bytes


def _overlapping(ranges: Sequence[Range]) -> bool:
    """True if memory that is written may be another argument's as well."""
    for i, (start, end, written) in enumerate(ranges):
        for other_start, other_end, other_written in ranges[:i]:
            if (written or other_written) and start < other_end and other_start < end:
                return True
    return False
