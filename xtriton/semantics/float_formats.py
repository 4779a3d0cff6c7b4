"""
The floating-point formats narrower than float32.

They are those of LLVM's APFloat (`llvm/include/llvm/ADT/APFloat.h`). A format has `exponent` and
`mantissa` bits and a `bias`; `special` says what the top codes mean:

- "ieee": infinities and NaNs in the highest exponent,
- "fn": no infinity, NaN is all ones,
- "fnuz": no infinity, no negative zero, NaN is the code of negative zero,
- "finite": every code is a number,
- "e8m0": an unsigned power of two, NaN is all ones.
"""

from dataclasses import dataclass
from typing import Literal

Rounding = Literal["rtne", "rtz"]


@dataclass(frozen=True)
class FloatFormat:
    name: str
    exponent: int
    mantissa: int
    bias: int
    special: Literal["ieee", "fn", "fnuz", "finite", "e8m0"]

    @property
    def width(self) -> int:
        return self.exponent + self.mantissa + (0 if self.special == "e8m0" else 1)

    @property
    def largest(self) -> float:
        """The largest finite value."""
        if self.special == "e8m0":
            return 2.0**127
        exponent = (1 << self.exponent) - 1 - self.bias
        if self.special == "ieee":
            exponent -= 1
        top = 2.0 - 2.0**-self.mantissa
        if self.special == "fn":
            top -= 2.0**-self.mantissa
        return top * 2.0**exponent

    @property
    def smallest_exponent(self) -> int:
        """The exponent of the smallest normal value."""
        return 1 - self.bias

    def includes(self, narrow: "FloatFormat") -> bool:
        """Return whether every value of `narrow`, NaN and infinities too, surely is one here."""
        if narrow is self:
            return True
        if narrow.special == "e8m0" or self.special != "ieee":
            return False
        return (
            narrow.mantissa <= self.mantissa
            and narrow.largest <= self.largest
            and narrow.smallest_exponent - narrow.mantissa >= self.smallest_exponent - self.mantissa
        )


FORMATS = {
    f.name: f
    for f in (
        FloatFormat("f16", 5, 10, 15, "ieee"),
        FloatFormat("bf16", 8, 7, 127, "ieee"),
        FloatFormat("tf32", 8, 10, 127, "ieee"),
        FloatFormat("f8E5M2", 5, 2, 15, "ieee"),
        FloatFormat("f8E4M3", 4, 3, 7, "ieee"),
        FloatFormat("f8E3M4", 3, 4, 3, "ieee"),
        FloatFormat("f8E4M3FN", 4, 3, 7, "fn"),
        FloatFormat("f8E5M2FNUZ", 5, 2, 16, "fnuz"),
        FloatFormat("f8E4M3FNUZ", 4, 3, 8, "fnuz"),
        FloatFormat("f8E4M3B11FNUZ", 4, 3, 11, "fnuz"),
        FloatFormat("f8E8M0FNU", 8, 0, 127, "e8m0"),
        FloatFormat("f6E2M3FN", 2, 3, 1, "finite"),
        FloatFormat("f6E3M2FN", 3, 2, 3, "finite"),
        FloatFormat("f4E2M1FN", 2, 1, 1, "finite"),
    )
}
