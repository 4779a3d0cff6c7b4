"""The `llvm` dialect, as far as Triton's kernels and lowerings use it."""

from xdsl.dialects.llvm import LLVM as XDSL_LLVM
from xdsl.ir import Dialect

from xtriton.dialects.upstream.llvm_intrinsics import AssumeOp

LLVM = Dialect("llvm", [*XDSL_LLVM.operations, AssumeOp], list(XDSL_LLVM.attributes))
