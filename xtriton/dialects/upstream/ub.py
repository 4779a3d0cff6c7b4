"""The `ub` dialect: values and places with undefined behaviour."""

from xdsl.dialects.ub import UB as XDSL_UB
from xdsl.dialects.ub import PoisonAttr, PoisonOp, UnreachableOp
from xdsl.ir import Dialect

from xtriton.dialects.upstream.repair import repair

repair(PoisonOp, syntax="attr-dict (`<` $value^ `>`)? `:` type($result)")
repair(UnreachableOp, syntax="attr-dict")

UB = Dialect("ub", list(XDSL_UB.operations), list(XDSL_UB.attributes))

__all__ = [
    "UB",
    "PoisonAttr",
    "PoisonOp",
    "UnreachableOp",
]
