"""Layouts of tensors: those that products want, and conversions between them."""
