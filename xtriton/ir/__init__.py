"""The text layer: MLIR's syntax, byte for byte, over xDSL's objects."""

from xtriton.ir import (
    quick_attributes as quick_attributes,
    quick_blocks as quick_blocks,
    quick_core as quick_core,
    quick_edits as quick_edits,
)
