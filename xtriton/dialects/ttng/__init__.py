"""The `ttng` dialect (TritonNvidiaGPU)."""

from xdsl.ir import Dialect

TTNG = Dialect("ttng", [], [])
