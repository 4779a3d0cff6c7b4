"""
Products of int8 by instructions that add up the products of words in vectors.

`vpdpbusd` multiplies four bytes of each word and adds them to 32 bits, one of them without a
sign. A is moved by 128 to be that, and what this adds is taken off the sums in advance: 128 times
the sums of B's columns. `pmaddwd`, which all CPUs with AVX2 have, multiplies two halves of a word
with signs. Both are exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from xtriton.cpu.builder import Operand
from xtriton.cpu.emitter.core import Emitter
from xtriton.cpu.emitter.values import View
from xtriton.cpu.types import I32

LEAST_LANES = 4
"""Of a vector that the instructions take."""
MOVED = 0x80
"""What is added to bytes of A, and the bits that do so."""
_MADD = {
    4: "llvm.x86.sse2.pmadd.wd",
    8: "llvm.x86.avx2.pmadd.wd",
    16: "llvm.x86.avx512.pmaddw.d.512",
}


@dataclass(frozen=True)
class Dot:
    """How words are multiplied and added up: `moves` if A is moved by 128."""

    moves: bool

    def multiply_add(self, e: Emitter, lanes: int, a: str, b: str, c: Operand) -> str:
        """Add the product of two vectors of words to one of i32."""
        vector = f"<{lanes} x i32>"
        if self.moves:
            parts = f"<{4 * lanes} x i8>"
            operands = [(parts, self._parts(e, vector, parts, word)) for word in (a, b)]
            name = f"llvm.x86.avx512.vpdpbusd.{32 * lanes}"
            return e.builder.call(vector, name, [(vector, c), *operands])
        parts = f"<{2 * lanes} x i16>"
        operands = [(parts, self._parts(e, vector, parts, word)) for word in (a, b)]
        product = e.builder.call(vector, _MADD[lanes], operands)
        return e.builder.value(f"add {vector} {c}, {product}")

    @staticmethod
    def _parts(e: Emitter, vector: str, parts: str, word: str) -> str:
        return e.builder.value(f"bitcast {vector} {word} to {parts}")

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
