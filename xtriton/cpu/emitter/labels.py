"""
Labels of loaded blocks: all that their content follows from, but memory, word by word.
"""

from collections.abc import Sequence

from xdsl.ir import SSAValue

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.access import shape_of
from xtriton.cpu.emitter.block_loads import Load
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import Lazy, View


def most_words(value: SSAValue) -> int:
    """Return how many words of a label a value may take."""
    shape = getattr(value.type, "get_shape", None)
    return 2 if shape is None else 2 + 2 * len(shape_of(value.type))


def label_of(e: Emitter, load: Load) -> list[Operand] | None:
    """Return what the content of a block follows from, or None if that may change."""
    found: dict[str, Operand] = {}
    for value in load.known:
        meaning = e.environment.get(value)
        if isinstance(meaning, View):
            parts = [(part, "i64") for part in (meaning.offset, *meaning.sizes, *meaning.strides)]
            parts.append((meaning.storage.pointer, "ptr"))
        elif meaning is None or isinstance(meaning, Lazy):
            return None
        else:
            parts = [(meaning, e.type(value.type).register)]
        for part, type in parts:
            if not isinstance(part, str) or not part.startswith("%") or part in found:
                continue
            if (word := _word(e, part, type)) is None:
                return None
            found[part] = word
    return list(found.values())


def _word(e: Emitter, register: str, type: str) -> Operand | None:
    """Return the bits of a register as an i64; None if it is of no such type."""
    if type == "i64":
        return register
    if type == "ptr":
        return e.builder.value(f"ptrtoint ptr {register} to i64")
    if type.startswith("i"):
        return e.builder.value(f"zext {type} {register} to i64") if int(type[1:]) < 64 else None
    bits = {"float": "i32", "double": "i64"}.get(type)
    if bits is None:
        return None
    whole = e.builder.value(f"bitcast {type} {register} to {bits}")
    return _word(e, whole, bits)


def differs(e: Emitter, label: Sequence[Operand], places: Sequence[str]) -> str:
    """Return, as an i1, whether memory holds another label, or may have changed since."""
    b = e.builder
    difference: Operand = b.value("zext i1 %overlap to i64")
    for word, place in zip(label, places, strict=True):
        other = b.value(f"xor i64 {b.load('i64', place)}, {word}")
        difference = b.value(f"or i64 {difference}, {other}")
    return b.value(f"icmp ne i64 {difference}, 0")
