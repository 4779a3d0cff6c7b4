"""Ops of bufferization; they are defined beside those of memref, whose buffers they share."""

from xtriton.interpreter.rules import memref as memref
