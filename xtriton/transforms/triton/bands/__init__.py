"""Bands of programs: whether a kernel may be split into them, what they need, and their code."""
