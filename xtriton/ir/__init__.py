"""The text layer: MLIR's syntax, byte for byte, over xDSL's objects."""
