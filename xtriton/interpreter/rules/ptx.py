# NumPy arrays of any element type: pyright cannot follow them.
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
"""
What straight-line inline assembly in PTX means: that which Triton itself emits, and its like.

Registers are 16, 32 or 64 bits of each lane, predicates one. Code with branches, memory or
an instruction that is not here has no meaning; the interpreter then takes it for opaque.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from xtriton.semantics import function
from xtriton.semantics.elements import Array, Element
from xtriton.semantics.formats import round_tf32

Registers = dict[str, Array]


class NotKnown(Exception):
    """Assembly that has no meaning here."""


_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_WIDTHS = {"b16": 16, "u16": 16, "s16": 16, "f16": 16, "b32": 32, "u32": 32, "s32": 32, "f32": 32,
           "f16x2": 32, "b64": 64, "u64": 64, "s64": 64, "f64": 64, "pred": 1}  # fmt: skip
_UNSIGNED: dict[int, Any] = {16: np.uint16, 32: np.uint32, 64: np.uint64}
_CONSTRAINTS = {"h": 16, "r": 32, "f": 32, "l": 64, "d": 64}


def compiled(code: str, constraints: str) -> Callable[[Sequence[Array]], list[Array]]:
    """
    Return the function of assembly: from 16-, 32- or 64-bit words of its inputs to its outputs.

    Raise `NotKnown` for code without a meaning here.
    """
    parts = [part.strip() for part in constraints.split(",")]
    outputs = [_width(part[1:]) for part in parts if part.startswith("=")]
    inputs = [_width(part) for part in parts if not part.startswith("=")]
    steps = [_step(text) for text in _statements(code)]

    def run(words: Sequence[Array]) -> list[Array]:
        registers: Registers = {}
        for k, width in enumerate(outputs):
            registers[f"${k}"] = np.zeros((), _UNSIGNED[width])
        for k, (word, width) in enumerate(zip(words, inputs, strict=True), len(outputs)):
            registers[f"${k}"] = word.astype(_UNSIGNED[width])
        for step in steps:
            step(registers)
        return [registers[f"${k}"] for k in range(len(outputs))]

    # A name that is no register shows when it is read.
    run([np.zeros(1, _UNSIGNED[width]) for width in inputs])
    return run


def _width(constraint: str) -> int:
    if constraint not in _CONSTRAINTS:
        raise NotKnown(constraint)
    return _CONSTRAINTS[constraint]


def _statements(code: str) -> list[str]:
    """Return the instructions of straight-line code."""
    text = _COMMENT.sub(" ", code).strip()
    if text.startswith("{") and text.endswith("}"):
        text = text[1:-1]
    found = [" ".join(part.split()) for part in text.split(";")]
    return [part for part in found if part and not part.startswith(".reg")]


def _step(text: str) -> Callable[[Registers], None]:
    """Return what an instruction does to the registers."""
    name, _, rest = text.partition(" ")
    if name.startswith("@") or not rest:
        raise NotKnown(text)
    operands = _operands(rest)
    opcode, *said = name.split(".")
    if opcode == "mov" and any("{" in o for o in operands):
        return _pack(operands)
    if opcode == "setp":
        return _compare(said, operands)
    compute = _instruction(opcode, tuple(said))
    widths = [_WIDTHS[s] for s in said if s in _WIDTHS] or [32]
    target, *sources = operands
    of, result = widths[-1], widths[0]
    widths_of = [of, of, 1] if opcode == "selp" else [of] * len(sources)

    def step(registers: Registers) -> None:
        values = [_read(registers, s, w) for s, w in zip(sources, widths_of, strict=True)]
        registers[target] = np.asarray(compute(*values)).astype(_UNSIGNED[result])

    return step


def _operands(text: str) -> list[str]:
    return [part.strip() for part in re.findall(r"\{[^}]*\}|[^,{}]+", text) if part.strip()]


def _read(registers: Registers, name: str, width: int) -> Array:
    """Return a register, or a number that is written out."""
    if name in registers:
        value = registers[name]
        if width == 1:
            return value
        return value.astype(_UNSIGNED[width], copy=False)
    if not re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)", name):
        raise NotKnown(name)
    return np.asarray(int(name, 0) & ((1 << width) - 1)).astype(_UNSIGNED[width])


def _pack(operands: list[str]) -> Callable[[Registers], None]:
    """Return a move of two halves into a word, or of a word into its halves."""
    target, source = operands
    names = [n.strip() for n in re.split(r",", (target if "{" in target else source).strip("{} "))]

    def split(registers: Registers) -> None:
        word = _read(registers, source, 32)
        for k, name in enumerate(names):
            registers[name] = (word >> np.uint32(16 * k)).astype(np.uint16)

    def join(registers: Registers) -> None:
        low, high = (_read(registers, n, 16).astype(np.uint32) for n in names)
        registers[target] = low | (high << np.uint32(16))

    if len(names) != 2:
        raise NotKnown(str(operands))
    return split if "{" in target else join


def _compare(said: list[str], operands: list[str]) -> Callable[[Registers], None]:
    """Return a comparison, of both halves for pairs of floats."""
    compare = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
               "eq": np.equal, "ne": np.not_equal}.get(said[0])  # fmt: skip
    kind = said[-1]
    if compare is None or len(said) != 2 or (kind not in _FLOATS and kind[0] not in "us"):
        raise NotKnown(".".join(said))
    targets, *sources = operands
    names = [n.strip() for n in targets.split("|")]

    def step(registers: Registers) -> None:
        a, b = (_read(registers, s, _WIDTHS[kind]) for s in sources)
        for name, x, y in zip(names, _lanes(a, kind), _lanes(b, kind), strict=True):
            registers[name] = compare(x, y)

    return step


_FLOATS = ("f16", "f16x2", "f32", "f64")


def _lanes(word: Array, kind: str) -> list[Array]:
    """Return the numbers that are in a word."""
    if kind == "f16x2":
        halves = [(word >> np.uint32(16 * k)).astype(np.uint16) for k in (0, 1)]
        return [h.view(np.float16) for h in halves]
    return [np.ascontiguousarray(word).view(f"{kind[0]}{_WIDTHS[kind] // 8}".replace("s", "i"))]


def _word(lanes: list[Array], kind: str) -> Array:
    """Return numbers as the word that they are in."""
    if kind == "f16x2":
        low, high = (np.asarray(x, np.float16).view(np.uint16).astype(np.uint32) for x in lanes)
        return low | (high << np.uint32(16))
    return np.ascontiguousarray(lanes[0]).view(_UNSIGNED[_WIDTHS[kind]])


_BITWISE: dict[str, Callable[..., Array]] = {
    "mov": lambda a: a,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.invert,
    "selp": lambda a, b, p: np.where(p, a, b),
}
_NUMBERS: dict[str, Callable[..., Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "min": np.fmin,
    "max": np.fmax,
    "neg": np.negative,
    "abs": np.abs,
    "mad": lambda a, b, c: a * b + c,
}
_FUNCTIONS = {"ex2": "math.exp2", "lg2": "math.log2", "sin": "math.sin", "cos": "math.cos",
              "tanh": "math.tanh", "sqrt": "math.sqrt", "rsqrt": "math.rsqrt"}  # fmt: skip
_LOOSE = frozenset(("approx", "rn", "ftz"))
"""What is said of a float instruction without changing the exact result of normal numbers."""


def _instruction(opcode: str, said: tuple[str, ...]) -> Callable[..., Array]:
    """Return what an instruction computes on words."""
    kind = said[-1] if said else ""
    if kind not in _WIDTHS:
        raise NotKnown(opcode)
    if (opcode, said) == ("cvt", ("rna", "tf32", "f32")):
        return lambda a: round_tf32(np.ascontiguousarray(a).view(np.float32)).view(np.uint32)
    if opcode in _BITWISE and len(said) == 1:
        return _BITWISE[opcode]
    if opcode in ("shl", "shr") and len(said) == 1:
        return _shift(opcode, kind)
    if opcode == "lop3":
        return _lop3
    if opcode == "prmt" and len(said) == 1:
        return _permute
    modifiers = set(said[:-1])
    if kind in _FLOATS and modifiers <= _LOOSE:
        if opcode in _FUNCTIONS:
            compute = function(_FUNCTIONS[opcode], [kind], kind)
            return lambda a: _word([compute(*_lanes(a, kind))], kind)
        if opcode in _NUMBERS and opcode != "mad":
            return _on_lanes(_NUMBERS[opcode], kind)
        if opcode == "rcp":
            return _on_lanes(lambda x: x.dtype.type(1) / x, kind)
    integer = {"lo"} if opcode in ("mul", "mad") else set[str]()
    if kind[0] in "us" and modifiers == integer and opcode in _NUMBERS:
        return _on_lanes(_NUMBERS[opcode], kind)
    raise NotKnown(".".join((opcode, *said)))


def _on_lanes(compute: Callable[..., Array], kind: str) -> Callable[..., Array]:
    def run(*words: Array) -> Array:
        numbers = zip(*(_lanes(w, kind) for w in words), strict=True)
        return _word([compute(*lane) for lane in numbers], kind)

    return run


def _shift(opcode: str, kind: str) -> Callable[..., Array]:
    """Return a shift; by the width or more nothing is left, or the sign."""
    width = _WIDTHS[kind]

    def run(a: Array, by: Array) -> Array:
        value = _lanes(a, kind if kind[0] == "s" else f"u{width}")[0]
        most = np.minimum(by, np.asarray(width - 1, by.dtype)).astype(value.dtype)
        moved = np.left_shift(value, most) if opcode == "shl" else np.right_shift(value, most)
        gone = (by >= width) & (kind[0] != "s" or opcode == "shl")
        return np.where(gone, 0, moved).astype(value.dtype).view(_UNSIGNED[width])

    return run


def _lop3(a: Array, b: Array, c: Array, table: Array) -> Array:
    """Any logical operation of three words, by its truth table."""
    result: Any = np.uint32(0)
    for k in range(8):
        if int(table) >> k & 1:
            terms = [x if k >> n & 1 else ~x for x, n in ((a, 2), (b, 1), (c, 0))]
            result = result | (terms[0] & terms[1] & terms[2])
    return result


def _permute(a: Array, b: Array, selector: Array) -> Array:
    """Bytes of two words, each chosen by a digit of the selector."""
    octets = [(x >> np.uint32(8 * k)) & np.uint32(255) for x in (a, b) for k in range(4)]
    result: Any = np.uint32(0)
    for k in range(4):
        digit = int(selector) >> 4 * k & 15
        octet = octets[digit & 7]
        if digit & 8:
            octet = np.where(octet & np.uint32(128), np.uint32(255), np.uint32(0))
        result = result | (octet << np.uint32(8 * k))
    return result


def words(values: Sequence[Array], types: Sequence[Element], pack: int, width: int) -> list[Array]:
    """
    Return the words that lanes are passed in, `pack` at a time, each operand's one after the other.

    The last dimension of the values is the elements that are passed together.
    """
    found: list[Array] = []
    for x, of in zip(values, types, strict=True):
        bits = of.to_bits(np.ascontiguousarray(x)).astype(np.uint64)
        each = max(1, width // (8 * of.size)) if pack > 1 else 1
        for start in range(0, pack, each):
            word: Any = np.uint64(0)
            for k in range(min(each, pack - start)):
                word = word | (bits[..., start + k] << np.uint64(8 * of.size * k))
            found.append(word)
    return found


def lanes(words: Sequence[Array], types: Sequence[Element], pack: int, width: int) -> list[Array]:
    """Return the values, `pack` along the last dimension, that words hold; see `words`."""
    found: list[Array] = []
    rest = list(words)
    for of in types:
        each = max(1, width // (8 * of.size)) if pack > 1 else 1
        parts: list[Array] = []
        for start in range(0, pack, each):
            word = rest.pop(0).astype(np.uint64)
            for k in range(min(each, pack - start)):
                bits = (word >> np.uint64(8 * of.size * k)).astype(np.dtype(f"u{of.size}"))
                parts.append(of.decode(bits.view(of.storage)))
        found.append(np.stack(parts, axis=-1))
    return found
