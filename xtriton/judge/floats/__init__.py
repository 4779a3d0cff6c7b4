"""Floats on which kernels differ, sought among millions."""
