"""The `ub` dialect: values and places with undefined behaviour."""

from xdsl.dialects.ub import (
    UB as XDSL_UB,
    PoisonAttr as PoisonAttr,
    PoisonOp as PoisonOp,
    UnreachableOp as UnreachableOp,
)

from xtriton.dialects.upstream.repair import repair
from xtriton.dialects.utils.contents import dialect_of

repair(PoisonOp, syntax="attr-dict (`<` $value^ `>`)? `:` type($result)")
repair(UnreachableOp, syntax="attr-dict")

UB = dialect_of(globals(), "ub", XDSL_UB)
