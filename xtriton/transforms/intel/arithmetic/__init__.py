"""Arithmetic that is known, cheaper, or ordered otherwise."""
