"""
The text of MLIR's builtin types and attributes.

Each function writes one class through the printer, which takes care of aliases, of the
dialects' own attributes and of remembering what has been written.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from xdsl.dialects import builtin
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    BytesAttr,
    CallSiteLoc,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FileLineColLoc,
    Float4E2M1FNType,
    Float6E2M3FNType,
    Float6E3M2FNType,
    Float8E3M4Type,
    Float8E8M0FNUType,
    FloatAttr,
    FunctionType,
    FusedLoc,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NameLoc,
    NoneAttr,
    NoneType,
    Signedness,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    TupleType,
    UnitAttr,
    UnknownLoc,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from xdsl.ir import Attribute, TypedAttribute

from xtriton.errors import UserError
from xtriton.ir.locations import FileLineColRangeLoc, fused_parts
from xtriton.ir.versions import version_text
from xtriton.ir.writing.affine_text import map_text, set_text
from xtriton.ir.writing.float_text import float_text, float_text_of_bytes

if TYPE_CHECKING:
    from xtriton.ir.writing.attribute_printer import AttributePrinter as Printer

_BARE_IDENTIFIER = re.compile(r"[A-Za-z_][\w$.]*\Z", re.ASCII)
_NEEDS_ESCAPE = re.compile(rb'[^\x20-\x7e]|["\\]')

_HEX_ABOVE = 100
"""Elements from which on a dense constant that is no splat is written as a hex string."""


# --- strings and names ------------------------------------------------------------------


def string_text(value: str | bytes) -> str:
    """Return a string literal, quotes included."""
    data = value.encode() if isinstance(value, str) else value

    def escaped(match: re.Match[bytes]) -> bytes:
        return b"\\\\" if match[0] == b"\\" else b"\\%02X" % match[0][0]

    return f'"{_NEEDS_ESCAPE.sub(escaped, data).decode()}"'


def keyword_text(name: str) -> str:
    """Return `name` as it is if it is an identifier, else as a string literal."""
    return name if _BARE_IDENTIFIER.match(name) else string_text(name)


def symbol_text(name: str) -> str:
    """Return `@name`."""
    return "@" + keyword_text(name)


# --- numbers ----------------------------------------------------------------------------


def integer_text(value: int, type: Any) -> str:
    """Return an integer of `type` without the type: signed, unless the type is unsigned."""
    if _is_bool(type):
        return "true" if value else "false"
    if _is_integer(type) and type.signedness.data is not Signedness.UNSIGNED:
        width: int = type.width.data
        if value >= 1 << max(width - 1, 0):
            value -= 1 << width
    return str(value)


def _type_free_integer(attribute: IntegerAttr[Any]) -> str:
    return integer_text(attribute.value.data, attribute.type)


def _is_bool(type: Any) -> bool:
    return (
        _is_integer(type) and type.width.data == 1 and type.signedness.data is Signedness.SIGNLESS
    )


def _is_integer(type: Any) -> bool:
    return isinstance(type, IntegerType)


def _integer(p: "Printer", a: IntegerAttr[Any]) -> None:
    p.emit(_type_free_integer(a))
    if not _is_bool(a.type):
        p.emit(" : ")
        p.print_attribute(a.type)


def _float(p: "Printer", a: FloatAttr[Any]) -> None:
    p.emit(float_text(a.value.data, a.type))
    p.emit(" : ")
    p.print_attribute(a.type)


# --- collections ------------------------------------------------------------------------


def print_elements(p: "Printer", elements: Iterable[Attribute]) -> None:
    """Write `[a, b]`, in which 64-bit integers and floats have no type."""
    p.emit("[")
    for index, element in enumerate(elements):
        if index:
            p.emit(", ")
        print_eliding_default_type(p, element)
    p.emit("]")


def print_eliding_default_type(p: "Printer", attribute: Any) -> None:
    """Write an attribute, without the type that readers assume (`i64`, `f64`)."""
    cls = attribute.__class__
    if cls is IntegerAttr and attribute.type == builtin.i64:
        p.emit(_type_free_integer(attribute))
        return
    if cls is FloatAttr and attribute.type == builtin.f64:
        text = float_text(attribute.value.data, builtin.f64)
        if not text.startswith("0x"):
            p.emit(text)
            return
    p.print_attribute(attribute)


def print_without_type(p: "Printer", attribute: Any) -> None:
    """Write an attribute whose type the reader knows."""
    cls = attribute.__class__
    if cls is IntegerAttr:
        p.emit(_type_free_integer(attribute))
    elif cls is FloatAttr:
        p.emit(float_text(attribute.value.data, attribute.type))
    elif cls is DenseIntOrFPElementsAttr:
        p.emit(f"dense<{dense_elements_text(attribute)}>")
    elif isinstance(attribute, TypedAttribute):
        attribute.print_without_type(p)
    else:
        p.print_attribute(attribute)


def _array(p: "Printer", a: ArrayAttr[Attribute]) -> None:
    print_elements(p, a.data)


def _dictionary(p: "Printer", a: DictionaryAttr) -> None:
    p.print_attr_dict(a.data)


def dense_array_elements(a: DenseArrayBase[Any]) -> str:
    """Return `1, 2` for `array<i32: 1, 2>`."""
    type: Any = a.elt_type
    if _is_integer(type):
        return ", ".join(integer_text(value, type) for value in a.get_values())
    return ", ".join(float_text(value, type) for value in a.get_values())


def _dense_array(p: "Printer", a: DenseArrayBase[Any]) -> None:
    p.emit("array<")
    p.print_attribute(a.elt_type)
    p.emit(f": {dense_array_elements(a)}>" if a.data.data else ">")


# --- dense constants --------------------------------------------------------------------


def dense_elements_text(a: DenseIntOrFPElementsAttr[Any]) -> str:
    """Return what stands in `dense<...>`."""
    type, data = a.type, a.data.data
    element = type.element_type
    size = element.compile_time_size
    shape = type.get_shape()
    count = prod(shape)
    if count == 0:
        return ""
    if data == data[:size] * (len(data) // size):
        return _element_texts(element, data[:size])[0]
    if count > _HEX_ABOVE:
        if _is_bool(element):
            data = _packed_bits(data)
        return f'"0x{data.hex().upper()}"'
    return _nested(_element_texts(element, data), shape)


def _packed_bits(data: bytes) -> bytes:
    """Eight booleans to a byte, the first in the lowest bit."""
    padded = data + bytes(-len(data) % 8)
    return bytes(
        sum((padded[start + bit] & 1) << bit for bit in range(8))
        for start in range(0, len(padded), 8)
    )


def _element_texts(type: Any, data: bytes) -> list[str]:
    size = type.compile_time_size
    if type.name == ComplexType.name:
        parts = _element_texts(type.element_type, data)
        return [f"({real},{part})" for real, part in zip(parts[::2], parts[1::2], strict=True)]
    if _is_integer(type) or type.name == IndexType.name:
        return [integer_text(value, type) for value in type.iter_unpack(data)]
    return [
        float_text_of_bytes(data[start : start + size], type) for start in range(0, len(data), size)
    ]


def _nested(texts: Sequence[str], shape: Sequence[int]) -> str:
    for extent in reversed(shape):
        texts = [
            f"[{', '.join(texts[start : start + extent])}]"
            for start in range(0, len(texts), extent)
        ]
    return texts[0]


def _dense(p: "Printer", a: DenseIntOrFPElementsAttr[Any]) -> None:
    p.emit(f"dense<{dense_elements_text(a)}> : ")
    p.print_attribute(a.type)


# --- types ------------------------------------------------------------------------------


def shape_text(shape: Iterable[int]) -> str:
    """Return `4x?x`, each extent followed by an x."""
    return "".join("?x" if extent == DYNAMIC_INDEX else f"{extent}x" for extent in shape)


def _integer_type(p: "Printer", a: IntegerType[Any]) -> None:
    prefix = {Signedness.SIGNLESS: "i", Signedness.SIGNED: "si", Signedness.UNSIGNED: "ui"}
    p.emit(f"{prefix[a.signedness.data]}{a.width.data}")


def _tensor(p: "Printer", a: TensorType[Any]) -> None:
    p.emit(f"tensor<{shape_text(a.get_shape())}")
    p.print_attribute(a.element_type)
    if not isinstance(a.encoding, NoneAttr):
        p.emit(", ")
        p.print_attribute(a.encoding)
    p.emit(">")


def _unranked_tensor(p: "Printer", a: UnrankedTensorType[Any]) -> None:
    p.emit("tensor<*x")
    p.print_attribute(a.element_type)
    p.emit(">")


def _vector(p: "Printer", a: VectorType[Any]) -> None:
    p.emit("vector<")
    for extent, scalable in zip(a.get_shape(), a.scalable_dims.data, strict=True):
        p.emit(f"[{extent}]x" if scalable.value.data else f"{extent}x")
    p.print_attribute(a.element_type)
    p.emit(">")


def _memref(p: "Printer", a: MemRefType[Any]) -> None:
    p.emit(f"memref<{shape_text(a.get_shape())}")
    p.print_attribute(a.element_type)
    layout = a.layout
    if not isinstance(layout, NoneAttr) and not _is_identity(layout):
        p.emit(", ")
        p.print_attribute(layout)
    _memory_space(p, a.memory_space)
    p.emit(">")


def _is_identity(layout: Attribute) -> bool:
    if not isinstance(layout, AffineMapAttr):
        return False
    map = layout.data
    return map_text(map) == map_text(type(map).identity(map.num_dims, map.num_symbols))


def _unranked_memref(p: "Printer", a: UnrankedMemRefType[Any]) -> None:
    p.emit("memref<*x")
    p.print_attribute(a.element_type)
    _memory_space(p, a.memory_space)
    p.emit(">")


def _memory_space(p: "Printer", space: Attribute) -> None:
    if not isinstance(space, NoneAttr):
        p.emit(", ")
        print_eliding_default_type(p, space)


def _strided(p: "Printer", a: StridedLayoutAttr) -> None:
    def number(value: Any) -> str:
        return str(value.data) if type(value) is IntAttr else "?"

    p.emit(f"strided<[{', '.join(map(number, a.strides.data))}]")
    if not (isinstance(a.offset, IntAttr) and a.offset.data == 0):
        p.emit(f", offset: {number(a.offset)}")
    p.emit(">")


def _complex(p: "Printer", a: ComplexType[Any]) -> None:
    p.emit("complex<")
    p.print_attribute(a.element_type)
    p.emit(">")


def _tuple(p: "Printer", a: TupleType) -> None:
    p.emit("tuple<")
    p.print_list(a.types.data, p.print_attribute)
    p.emit(">")


def _function(p: "Printer", a: FunctionType) -> None:
    p.print_function_type(a.inputs.data, a.outputs.data)


# --- locations, without `loc(...)` ------------------------------------------------------


def _name_location(p: "Printer", a: NameLoc) -> None:
    p.emit(string_text(a.desc.data))
    if not isinstance(a.location, UnknownLoc | NoneAttr):
        p.emit("(")
        p.print_attribute(a.location)
        p.emit(")")


def _call_site(p: "Printer", a: CallSiteLoc) -> None:
    p.emit("callsite(")
    p.print_attribute(a.callee)
    p.emit(" at ")
    p.print_attribute(a.caller)
    p.emit(")")


def _fused(p: "Printer", a: FusedLoc) -> None:
    p.emit("fused")
    if not isinstance(a.metadata, NoneAttr):
        p.emit("<")
        p.print_attribute(a.metadata)
        p.emit(">")
    p.emit("[")
    p.print_list(fused_parts(a), p.print_attribute)
    p.emit("]")


def _file(p: "Printer", a: FileLineColLoc) -> None:
    p.emit(f"{string_text(a.filename.data)}:{a.line.data}:{a.column.data}")


def _file_range(p: "Printer", a: FileLineColRangeLoc) -> None:
    line = "" if a.start_line == a.end_line else str(a.end_line.data)
    p.emit(
        f"{string_text(a.file.data)}:{a.start_line.data}:{a.start_column.data}"
        f" to {line}:{a.end_column.data}"
    )


def _symbol_reference(p: "Printer", a: SymbolRefAttr) -> None:
    parts = (a.root_reference, *a.nested_references.data)
    p.emit("::".join(symbol_text(part.data) for part in parts))


def _fixed(text: str) -> Callable[["Printer", Any], None]:
    return lambda p, a: p.emit(text)


def _recent_float(p: "Printer", a: Any) -> None:
    """Write a format that the MLIR of Triton 3.1 does not know."""
    if p.version <= (3, 1):
        raise UserError(f"Triton {version_text(p.version)} has no {a.name}")
    p.emit(a.name)


BUILTIN_TEXT: dict[type[Attribute], Callable[["Printer", Any], None]] = {
    AffineMapAttr: lambda p, a: p.emit(f"affine_map<{map_text(a.data)}>"),
    AffineSetAttr: lambda p, a: p.emit(f"affine_set<{set_text(a.data)}>"),
    ArrayAttr: _array,
    BytesAttr: lambda p, a: p.emit(string_text(a.data)),
    CallSiteLoc: _call_site,
    ComplexType: _complex,
    DenseArrayBase: _dense_array,
    DenseIntOrFPElementsAttr: _dense,
    DictionaryAttr: _dictionary,
    FileLineColLoc: _file,
    FileLineColRangeLoc: _file_range,
    Float4E2M1FNType: _recent_float,
    Float6E2M3FNType: _recent_float,
    Float6E3M2FNType: _recent_float,
    Float8E3M4Type: _recent_float,
    Float8E8M0FNUType: _recent_float,
    FloatAttr: _float,
    FunctionType: _function,
    FusedLoc: _fused,
    IndexType: _fixed("index"),
    IntegerAttr: _integer,
    IntegerType: _integer_type,
    MemRefType: _memref,
    NameLoc: _name_location,
    NoneType: _fixed("none"),
    StridedLayoutAttr: _strided,
    StringAttr: lambda p, a: p.emit(string_text(a.data)),
    SymbolRefAttr: _symbol_reference,
    TensorType: _tensor,
    TupleType: _tuple,
    UnitAttr: _fixed("unit"),
    UnknownLoc: _fixed("unknown"),
    UnrankedMemRefType: _unranked_memref,
    UnrankedTensorType: _unranked_tensor,
    VectorType: _vector,
}
"""How the builtin classes are written; others write themselves (`print_builtin`)."""
