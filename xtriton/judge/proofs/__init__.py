"""Kernels as formulas: proofs that two do the same, and launches on which they may not."""
