"""Conditions, and versions of kernels and loops for which they hold."""
