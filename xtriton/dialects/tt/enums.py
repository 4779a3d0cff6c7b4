"""
Enumerations of the `tt` dialect, with the numbers that the generic form writes.

Upstream: `TritonAttrDefs.td`.
"""

from xtriton.ir.syntax import I32Enum
from xtriton.ir.versions import Version


class CacheModifier(I32Enum):
    """How a global access uses the caches; names and meaning are those of PTX."""

    none = 1
    ca = 2
    cg = 3
    wb = 4
    cs = 5
    wt = 6
    cv = 7

    def since(self) -> Version | None:
        return (3, 2) if self is CacheModifier.cv else None


class EvictionPolicy(I32Enum):
    """How long a cache should keep what an access touched."""

    evict_normal = 1
    evict_first = 2
    evict_last = 3


class PaddingOption(I32Enum):
    """What an access out of bounds of a block reads."""

    zero = 1
    nan = 2


class RMWOp(I32Enum):
    """The operation of an atomic read-modify-write."""

    and_ = 1
    or_ = 2
    xor = 3
    add = 4
    fadd = 5
    max = 6
    min = 7
    umax = 8
    umin = 9
    exch = 10


class DescriptorReduceKind(I32Enum):
    """The operation of a reducing store through a tensor descriptor."""

    add = 1
    min = 2
    max = 3
    inc = 4
    dec = 5
    and_ = 6
    or_ = 7
    xor = 8


class MemSemantic(I32Enum):
    """Memory ordering of an atomic."""

    relaxed = 1
    acquire = 2
    release = 3
    acq_rel = 4


class MemSyncScope(I32Enum):
    """Which threads an atomic synchronizes with."""

    gpu = 1
    cta = 2
    sys = 3


class ProgramIDDim(I32Enum):
    """An axis of the launch grid."""

    x = 0
    y = 1
    z = 2


class RoundingMode(I32Enum):
    """Rounding of a floating-point conversion: towards zero, or to nearest even."""

    rtz = 0
    rtne = 1


class PropagateNan(I32Enum):
    """Whether a NaN operand makes the result NaN."""

    none = 0
    all = 0xFFFF


class InputPrecision(I32Enum):
    """How a `tt.dot` of 32-bit floats may use lower-precision matrix units."""

    tf32 = 0
    tf32x3 = 1
    ieee = 2
    bf16x3 = 3
    bf16x6 = 4

    def since(self) -> Version | None:
        return (3, 6) if self >= InputPrecision.bf16x3 else None


class ScaleDotElemType(I32Enum):
    """Element format of an operand of `tt.dot_scaled`."""

    e4m3 = 0
    e5m2 = 1
    e2m3 = 2
    e3m2 = 3
    e2m1 = 4
    bf16 = 5
    fp16 = 6
