"""Passes of the Intel XPU backend, and those beyond it that prepare kernels for it."""
