"""The `gpu` dialect."""

from xdsl.dialects.gpu import GPU as XDSL_GPU
from xdsl.dialects.gpu import BarrierOp
from xdsl.ir import Dialect

from xtriton.dialects.upstream.repair import repair

repair(BarrierOp, syntax="attr-dict")

GPU = Dialect("gpu", list(XDSL_GPU.operations), list(XDSL_GPU.attributes))
