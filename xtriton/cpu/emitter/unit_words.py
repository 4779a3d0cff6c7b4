"""
Products by instructions that add up the products of words in vectors.

`vdpbf16ps` multiplies two bf16 of each word and adds them to an f32. `vpdpbusd` multiplies four
bytes of each word and adds them to 32 bits, one of them without a sign. A is moved by 128 to be
that, and what this adds is taken off the sums in advance: 128 times the sums of B's columns.
`pmaddwd`, which all CPUs with AVX2 have, multiplies two halves of a word with signs. Those of int8
are exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import View
from xtriton.cpu.types import I32, Type

LEAST_LANES = 4
"""Of a vector that the instructions take."""
MOVED = 0x80
"""What is added to bytes of A, and the bits that do so."""
_BYTES = {"i8": 1, "i16": 2, "bfloat": 2}
_ADDING = {
    "vdpbf16ps": ("bfloat", "llvm.x86.avx512bf16.dpbf16ps"),
    "vpdpbusd": ("i8", "llvm.x86.avx512.vpdpbusd"),
}
"""For instructions that add the products to sums: the parts of words, and LLVM's name."""
_MADD = {
    4: "llvm.x86.sse2.pmadd.wd",
    8: "llvm.x86.avx2.pmadd.wd",
    16: "llvm.x86.avx512.pmaddw.d.512",
}


@dataclass(frozen=True)
class Dot:
    """How words are multiplied and added up to sums of `result`, by an instruction on vectors."""

    instruction: str
    result: Type

    @property
    def moves(self) -> bool:
        """Whether A is moved by 128."""
        return self.instruction == "vpdpbusd"

    def multiply_add(self, e: Emitter, lanes: int, a: str, b: str, c: Operand) -> str:
        """Add the product of two vectors of words to one of sums."""
        sums = f"<{lanes} x {self.result.register}>"
        if self.instruction in _ADDING:
            part, name = _ADDING[self.instruction]
            operands = [self._parts(e, lanes, part, word) for word in (a, b)]
            return e.builder.call(sums, f"{name}.{8 * I32.bytes * lanes}", [(sums, c), *operands])
        operands = [self._parts(e, lanes, "i16", word) for word in (a, b)]
        product = e.builder.call(sums, _MADD[lanes], operands)
        return e.builder.value(f"add {sums} {c}, {product}")

    @staticmethod
    def _parts(e: Emitter, lanes: int, part: str, words: str) -> tuple[str, str]:
        """Return a vector of words as one of their parts, behind its type."""
        per_word = I32.bytes // _BYTES[part]
        parts = f"<{per_word * lanes} x {part}>"
        return parts, e.builder.value(f"bitcast <{lanes} x i32> {words} to {parts}")

    def biases(
        self, e: Emitter, b: View, columns: Sequence[Operand], lanes: int, depth: Operand
    ) -> list[str] | None:
        """Return what sums begin with, in vectors from some columns on; None if it is nothing."""
        if not self.moves:
            return None
        builder, vector = e.builder, f"<{lanes} x i32>"
        moved = f"<{', '.join(['i32 -2139062144'] * lanes)}>"

        def step(k: Operand, sums: Sequence[Operand]) -> list[Operand]:
            rows = [
                builder.load(vector, e.address(b, (k, column)), I32.bytes) for column in columns
            ]
            return [
                self.multiply_add(e, lanes, moved, row, old)
                for row, old in zip(rows, sums, strict=True)
            ]

        zeros = [(vector, "zeroinitializer")] * len(columns)
        sums = builder.loop(0, depth, 1, step, zeros)
        return [builder.value(f"sub {vector} zeroinitializer, {each}") for each in sums]
