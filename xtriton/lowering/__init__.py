"""Passes that change the level: Triton to linalg, memref, tensor, scf, arith and math."""
