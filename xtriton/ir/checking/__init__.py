"""What MLIR's verifier refuses, and what a release does not have."""
