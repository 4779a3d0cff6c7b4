# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
Binds the arguments of a launch: arrays, numbers and endless memory to a kernel's signature.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from xdsl.ir import Attribute, Operation

from xtriton.errors import UserError
from xtriton.interpreter.buffers import UNBOUNDED, Buffer, MemRef, row_major
from xtriton.interpreter.contents import Contents
from xtriton.interpreter.memory import ArrayRegion, EndlessRegion, Memory
from xtriton.interpreter.types import TypeInfo, info, plain
from xtriton.interpreter.values import BlockPointer, SharedBuffer
from xtriton.semantics import Element, element
from xtriton.semantics.elements import Array


@dataclass(frozen=True)
class Endless:
    """Stands for a pointer to memory without bounds, whose content is made up."""

    contents: Contents = field(default_factory=Contents)
    element: Element | None = None
    """What the made-up content consists of, if that is not what the pointer points to."""
    number: int | None = None
    """Which region of the address space it is, if not the one of the argument's position."""


@dataclass(frozen=True)
class PerProgram:
    """Stands for a number that programs get as if they came from different launches."""

    numbers: tuple[float, ...]

    def of(self, program: int) -> float:
        """Return the number for the program with a linear index."""
        return self.numbers[program % len(self.numbers)]


@dataclass(frozen=True)
class Bound:
    """A `PerProgram` number as an argument of a type."""

    numbers: PerProgram
    element: Element

    def among(self, programs: Array) -> Array:
        """Return the numbers of the programs of a batch, or the scalar for a single one."""
        values = [self.element.constant(self.numbers.of(p)) for p in programs.tolist()]
        return np.asarray(values, self.element.carrier) if len(values) > 1 else values[0]


@dataclass(frozen=True)
class Descriptor:
    """A tensor descriptor made on the host: an array, and its shape and strides in elements."""

    array: Any
    shape: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True)
class Parameter:
    """An argument of a kernel: its position, name, type and attributes as Python values."""

    index: int
    name: str
    type: Attribute
    attributes: dict[str, Any]

    @property
    def info(self) -> TypeInfo:
        return info(self.type)

    @property
    def stored(self) -> Element | None:
        """What is stored behind it, for pointers, memrefs and descriptors."""
        known = self.info
        if known.kind in ("scalar", "tensor"):
            return known.pointee
        return known.element

    @property
    def is_memory(self) -> bool:
        """Whether it is anything but a number."""
        known = self.info
        return known.kind != "scalar" or known.pointee is not None


def parameters(function: Operation) -> list[Parameter]:
    """Return the parameters of a `tt.func` or `func.func` with a body."""
    block = function.regions[0].blocks[0]
    attrs: Any = function.properties.get("arg_attrs") or function.attributes.get("arg_attrs")
    dictionaries: list[Any] = list(attrs.data) if attrs is not None else []
    found: list[Parameter] = []
    for k, argument in enumerate(block.args):
        entries = dictionaries[k].data if k < len(dictionaries) else {}
        values = {name: plain(value) for name, value in entries.items()}
        found.append(Parameter(k, argument.name_hint or f"arg{k}", argument.type, values))
    return found


def flat_bytes(array: Any, name: str) -> tuple[np.ndarray[Any, Any], int]:
    """
    Return the memory behind a NumPy array or torch CPU tensor as flat bytes, without a copy.

    The second value is the address of its first byte. Raise `UserError` for what is neither.
    """
    if hasattr(array, "data_ptr") and hasattr(array, "untyped_storage"):
        storage = array.detach()
        size = storage.element_size()
        count = 1 + sum((n - 1) * s for n, s in zip(storage.shape, storage.stride(), strict=True))
        if storage.numel() == 0:
            return np.empty(0, np.uint8), 0
        kinds = {1: "uint8", 2: "int16", 4: "int32", 8: "int64"}
        import torch

        whole = storage.as_strided((count,), (1,))
        plain_view = whole.view(getattr(torch, kinds[size]))
        return plain_view.numpy().view(np.uint8), int(storage.data_ptr())
    if not isinstance(array, np.ndarray):
        raise UserError(f"argument '{name}' must be an array, got {type(array).__name__}")
    if array.size == 0:
        return np.empty(0, np.uint8), 0
    if any(s < 0 for s in array.strides):
        raise UserError(f"argument '{name}' has a negative stride")
    extent = sum((n - 1) * s for n, s in zip(array.shape, array.strides, strict=True))
    count = extent // array.itemsize + 1
    flat = as_strided(array, (count,), (array.itemsize,))
    address = int(array.__array_interface__["data"][0])
    return flat.view(np.uint8), address


FIRST_REGION = 1


def bind(memory: Memory, all_parameters: Sequence[Parameter], values: Sequence[Any]) -> list[Any]:
    """Return the kernel's arguments in the interpreter's form, their memory put into `memory`."""
    if len(all_parameters) != len(values):
        raise UserError(f"the kernel takes {len(all_parameters)} arguments, got {len(values)}")
    bound: list[Any] = []
    for parameter, value in zip(all_parameters, values, strict=True):
        known = parameter.info
        if isinstance(value, Endless) and known.kind in ("tensor", "block_pointer", "memdesc"):
            bound.append(_made_up(memory, parameter, value.contents))
        elif known.kind == "tensor":
            bound.append(np.asarray(value, known.scalar.carrier))
        elif known.kind == "other":
            bound.append(None)
        elif parameter.is_memory:
            made = _bind_memory(memory, parameter, value)
            if known.kind == "descriptor" and isinstance(value, Endless):
                sizes = sizes_and_strides(all_parameters, values, len(bound))
                made = _descriptor(known, int(made.base), sizes)
            bound.append(made)
        elif known.kind == "scalar":
            bound.append(_bind_number(parameter, value))
        else:
            raise UserError(f"argument '{parameter.name}' has a type without values")
    return bound


def _bind_number(parameter: Parameter, value: Any) -> Any:
    if isinstance(value, PerProgram):
        return Bound(value, parameter.info.scalar)
    if getattr(value, "ndim", 0) == 0 and hasattr(value, "item"):
        value = value.item()
    if not isinstance(value, (bool, int, float)):
        raise UserError(f"argument '{parameter.name}' must be a number, got {type(value).__name__}")
    return parameter.info.scalar.constant(value)


def _bind_memory(memory: Memory, parameter: Parameter, value: Any) -> Any:
    number = FIRST_REGION + parameter.index
    if isinstance(value, Endless) and value.number is not None:
        number = value.number
    stored = parameter.stored or element("i8")
    known = parameter.info
    descriptor = value if isinstance(value, Descriptor) else None
    if descriptor is not None:
        value = descriptor.array
    if isinstance(value, Endless):
        content = value.element or stored
        base = memory.add(number, EndlessRegion(number, content, value.contents))
        array = None
    elif value is None:
        base, array = 0, None
    else:
        data, _ = flat_bytes(value, parameter.name)
        region = ArrayRegion(data, f"argument '{parameter.name}'")
        base = memory.add(number, region)
        array = region.view(stored)
    if known.kind == "memref":
        return _memref(memory, parameter, stored, base, array)
    if known.kind == "descriptor":
        sizes = (descriptor.shape, descriptor.strides) if descriptor is not None else None
        return _descriptor(known, base, sizes)
    return np.int64(base)


def _made_up(memory: Memory, parameter: Parameter, contents: Contents) -> Any:
    """Return a tensor, block pointer or shared buffer as an argument of a device function."""
    known = parameter.info
    number = FIRST_REGION + parameter.index
    if known.kind == "memdesc":
        index = np.arange(known.size, dtype=np.int64).reshape(known.shape)
        return SharedBuffer(contents.values(number, index, known.scalar), known.scalar, False)
    stored = parameter.stored or element("i8")
    if known.kind == "tensor" and known.pointee is None:
        index = np.arange(known.size, dtype=np.int64).reshape(known.shape)
        return contents.values(number, index, known.scalar)
    base = np.int64(memory.add(number, EndlessRegion(number, stored, contents)))
    if known.kind == "tensor":
        index = np.arange(known.size, dtype=np.int64).reshape(known.shape)
        return base + index * np.int64(stored.size)
    block = _descriptor(known, int(base))
    zeros = tuple(np.int64(0) for _ in known.shape)
    return BlockPointer(block.base, block.shape, block.strides, zeros)


def _memref(memory: Memory, parameter: Parameter, stored: Element, base: int, array: Any) -> MemRef:
    buffer = Buffer(stored, array, memory, base, f"argument '{parameter.name}'")
    shape = parameter.info.shape
    if parameter.info.type.name == "unranked_memref":
        return MemRef(buffer, 0, (), ())
    size = UNBOUNDED if array is None else array.size
    sizes = tuple(size if n == -1 else n for n in shape)
    return MemRef(buffer, 0, sizes, row_major(sizes))


Sizes = tuple[tuple[int, ...], tuple[int, ...]]


def sizes_and_strides(known: Sequence[Parameter], values: Sequence[Any], position: int) -> Sizes:
    """
    Return sizes and strides of a descriptor that nobody made, in elements.

    If such numbers follow it, as Triton's front end passes them, they are these; a row is
    contiguous all the same, since the host lets no other pass.
    """
    block = known[position].info
    rank = block.rank
    following = known[position + 1 : position + 1 + 2 * rank]
    names = [p.info.scalar.name if p.info.kind == "scalar" else "" for p in following]
    numbers = [v for v in values[position + 1 : position + 1 + 2 * rank] if isinstance(v, int)]
    if names == ["i32"] * rank + ["i64"] * rank and len(numbers) == 2 * rank:
        return tuple(numbers[:rank]), (*numbers[rank:-1], 1)
    return _default_sizes(block)


def _default_sizes(known: TypeInfo) -> Sizes:
    shape = tuple(3 * n + 5 for n in known.shape)
    return shape, row_major([16 * (-(-n // 16)) for n in shape])


def _descriptor(known: TypeInfo, base: int, sizes: Sizes | None = None) -> BlockPointer:
    """Return a descriptor of the memory at `base`, which reads zeros beyond its sizes."""
    wide = [tuple(np.int64(n) for n in numbers) for numbers in sizes or _default_sizes(known)]
    return BlockPointer(np.int64(base), wide[0], wide[1], (), 1)
