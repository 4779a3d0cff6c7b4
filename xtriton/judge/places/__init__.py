"""Compares kernels by the places that they reach, where what they store follows from those."""
