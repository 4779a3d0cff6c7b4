"""Other tools: stock Triton, torch, MLIR."""
