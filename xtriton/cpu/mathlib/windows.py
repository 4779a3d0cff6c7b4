"""
Elements at places that are mostly near each other, loaded as all from the first to the last.

    window = memory[least : most + 1]          elements = window[places - least]

Where images are resized or padded, what a vector needs lies in few lines. CPUs load elements at
places one by one, even those that have an instruction for it; with AVX-512 another one picks the
lanes of a vector out of one or two others. A kernel calls a function of one place here, and LLVM,
when it makes vectors, one of those that `bodies` has (see `lanes`).
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.mathlib.lanes import INLINED, VARIANTS
from xtriton.cpu.types import suffix

PREFIX = "xt.window"
WIDTHS = (8, 16)
"""Lanes of vectors that there are functions of."""
TYPES = ("float", "i32", "i16")
"""Of elements, by their names in memory."""
PICKED = {"float": "ps", "i32": "d"}
"""How an instruction is called that picks out of two vectors, for elements of 32 bits."""
PLACES = {"i32": (1 << 31) - 1, "i64": (1 << 63) - 1}
"""Types of places, and the largest ones."""


def call_window(builder: IRBuilder, type: str, base: str, place_type: str, place: Operand) -> str:
    """Return an element, by its place, of the memory that begins at the address `base`, an i64."""
    module, name = builder.module, _name(type, place_type)
    for width in WIDTHS:
        vectors = ["i64", f"<{width} x {place_type}>"]
        for kind, more in (("all", []), ("some", [f"<{width} x i1>"])):
            variant = f"{name}.{kind}.{width}"
            if variant not in module.definitions:
                result = f"<{width} x {type}>"
                module.definitions[variant] = _declared(result, variant, [*vectors, *more])
                module.kept.append(variant)
    module.definitions[name] = _declared(type, name, ["i64", place_type])
    variants = ",".join(
        f"_ZGV_LLVM_{mask}{width}uv_{name}({name}.{kind}.{width})"
        for width, (mask, kind) in product(WIDTHS, (("N", "all"), ("M", "some")))
    )
    arguments: list[tuple[str, Operand]] = [("i64", base), (place_type, place)]
    return builder.call_defined(type, name, arguments, after=f'"{VARIANTS}"="{variants}"')


def _name(type: str, place_type: str) -> str:
    return f"{PREFIX}.{suffix(type)}.{place_type}"


def _declared(type: str, name: str, arguments: list[str]) -> str:
    return f"declare {type} @{name}({', '.join(arguments)}) nounwind willreturn memory(read)"


def bodies(text: str) -> str:
    """Return the text of a module with the functions that `call_window` calls in a module."""
    if f"@{PREFIX}" not in text:
        return ""
    kinds = [kind for kind in product(TYPES, PLACES) if f"@{_name(*kind)}(" in text]
    return "".join(_functions(kinds))


def _functions(kinds: Sequence[tuple[str, str]]) -> Iterator[str]:
    declarations: dict[str, None] = {}
    for type, place_type in kinds:
        yield _replaced(_ONE, type, place_type, 1)
        for width in WIDTHS:
            *functions, declared = _of_vectors(type, place_type, width)
            yield from functions
            declarations.update(dict.fromkeys(declared.splitlines()))
    yield "\n".join([*declarations, "attributes #0 = { alwaysinline nounwind }", ""])


@cache
def _of_vectors(type: str, place_type: str, width: int) -> tuple[str, str, str]:
    """Return the functions of vectors of so many lanes, and what they call."""
    window, declared = (_OF_32, _DECLARED_32) if type in PICKED else (_OF_16, _DECLARED_16)
    texts = (_BEGINNING + window + _END, _ALL, _DECLARED + declared)
    some, all, declared = (_replaced(text, type, place_type, width) for text in texts)
    return some, all, declared


def _replaced(text: str, type: str, place_type: str, width: int) -> str:
    """Return a text with what it names in capitals, the longer names first."""
    most, is_short = PLACES[place_type], place_type == "i32"
    names = {
        "LINKAGE": INLINED,
        "FUNCTION": _name(type, place_type),
        "PICKED": PICKED.get(type, ""),
        "SPAN": str(2 * width if type in PICKED else 32),
        "BYTES": "4" if type in PICKED else "2",
        "SHORT_LANES": "add INTEGERS %lanes, zeroinitializer"
        if is_short
        else "trunc PLACES %lanes to INTEGERS",
        "SHORT_LAST": "add i32 %span, 0" if is_short else "trunc i64 %span to i32",
        "BITS": str(32 * width),
        "HIGHEST": str(most),
        "LOWEST": str(-most - 1),
        "FIRST": ", ".join(f"i32 {lane}" for lane in range(width)),
        "SECOND": ", ".join(f"i32 {lane}" for lane in range(width, 2 * width)),
        "WORDS": ", ".join(f"i16 {lane}" for lane in range(32)),
        "WIDENED": ", ".join(f"i32 {lane}" if lane < width else "i32 poison" for lane in range(32)),
        "VECTOR": f"<{width} x {type}>",
        "INTEGERS": f"<{width} x i32>",
        "SHORTS": f"<{width} x i16>",
        "PLACES": f"<{width} x {place_type}>",
        "POINTERS": f"<{width} x ptr>",
        "MASK": f"<{width} x i1>",
        "WIDTH": str(width),
        "SUFFIX": suffix(type),
        "PLACE": place_type,
        "TYPE": type,
    }
    for name, value in names.items():
        text = text.replace(name, value)
    return text


_ONE = """\
define LINKAGE TYPE @FUNCTION(i64 %base, PLACE %place) #0 {
  %memory = inttoptr i64 %base to ptr
  %at = getelementptr TYPE, ptr %memory, PLACE %place
  %element = load TYPE, ptr %at
  ret TYPE %element
}
"""
_ALL = """\
define LINKAGE VECTOR @FUNCTION.all.WIDTH(i64 %base, PLACES %places) #0 {
  %result = call VECTOR @FUNCTION.some.WIDTH(i64 %base, PLACES %places, MASK splat (i1 true))
  ret VECTOR %result
}
"""
_BEGINNING = """\
define LINKAGE VECTOR @FUNCTION.some.WIDTH(i64 %base, PLACES %places, MASK %wanted) #0 {
  %memory = inttoptr i64 %base to ptr
  %low = select MASK %wanted, PLACES %places, PLACES splat (PLACE HIGHEST)
  %high = select MASK %wanted, PLACES %places, PLACES splat (PLACE LOWEST)
  %least = call PLACE @llvm.vector.reduce.smin.vWIDTHPLACE(PLACES %low)
  %most = call PLACE @llvm.vector.reduce.smax.vWIDTHPLACE(PLACES %high)
  %span = sub PLACE %most, %least
  %is.near = icmp ult PLACE %span, SPAN
  %is.any = icmp sle PLACE %least, %most
  %near = and i1 %is.near, %is.any
  br i1 %near, label %window, label %apart
window:
  %first = getelementptr TYPE, ptr %memory, PLACE %least
  %least.one = insertelement PLACES poison, PLACE %least, i64 0
  %leasts = shufflevector PLACES %least.one, PLACES poison, INTEGERS zeroinitializer
  %lanes = sub PLACES %places, %leasts
  %short.lanes = SHORT_LANES
  %last = SHORT_LAST
"""
_OF_32 = """\
  %second = getelementptr TYPE, ptr %first, i64 WIDTH
  %last.one = insertelement INTEGERS poison, i32 %last, i64 0
  %lasts = shufflevector INTEGERS %last.one, INTEGERS poison, INTEGERS zeroinitializer
  %in.first = icmp sle INTEGERS <FIRST>, %lasts
  %in.second = icmp sle INTEGERS <SECOND>, %lasts
  %a = call VECTOR @llvm.masked.load.vWIDTHSUFFIX.p0(\
ptr align 4 %first, MASK %in.first, VECTOR zeroinitializer)
  %b = call VECTOR @llvm.masked.load.vWIDTHSUFFIX.p0(\
ptr align 4 %second, MASK %in.second, VECTOR zeroinitializer)
  %found = call VECTOR @llvm.x86.avx512.vpermi2var.PICKED.BITS(\
VECTOR %a, INTEGERS %short.lanes, VECTOR %b)
  ret VECTOR %found
"""
_OF_16 = """\
  %last.word = trunc i32 %last to i16
  %last.one = insertelement <32 x i16> poison, i16 %last.word, i64 0
  %lasts = shufflevector <32 x i16> %last.one, <32 x i16> poison, <32 x i32> zeroinitializer
  %in = icmp sle <32 x i16> <WORDS>, %lasts
  %words = call <32 x i16> @llvm.masked.load.v32i16.p0(\
ptr align 2 %first, <32 x i1> %in, <32 x i16> zeroinitializer)
  %numbers = trunc INTEGERS %short.lanes to SHORTS
  %wide = shufflevector SHORTS %numbers, SHORTS poison, <32 x i32> <WIDENED>
  %picked = call <32 x i16> @llvm.x86.avx512.permvar.hi.512(<32 x i16> %words, <32 x i16> %wide)
  %found = shufflevector <32 x i16> %picked, <32 x i16> poison, INTEGERS <FIRST>
  ret VECTOR %found
"""
_END = """\
apart:
  %each = getelementptr TYPE, ptr %memory, PLACES %places
  %gathered = call VECTOR @llvm.masked.gather.vWIDTHSUFFIX.vWIDTHp0(\
POINTERS align BYTES %each, MASK %wanted, VECTOR zeroinitializer)
  ret VECTOR %gathered
}
"""
_DECLARED = """\
declare PLACE @llvm.vector.reduce.smin.vWIDTHPLACE(PLACES)
declare PLACE @llvm.vector.reduce.smax.vWIDTHPLACE(PLACES)
declare VECTOR @llvm.masked.gather.vWIDTHSUFFIX.vWIDTHp0(POINTERS, MASK, VECTOR)
"""
_DECLARED_32 = """\
declare VECTOR @llvm.masked.load.vWIDTHSUFFIX.p0(ptr, MASK, VECTOR)
declare VECTOR @llvm.x86.avx512.vpermi2var.PICKED.BITS(VECTOR, INTEGERS, VECTOR)
"""
_DECLARED_16 = """\
declare <32 x i16> @llvm.masked.load.v32i16.p0(ptr, <32 x i1>, <32 x i16>)
declare <32 x i16> @llvm.x86.avx512.permvar.hi.512(<32 x i16>, <32 x i16>)
"""
