"""Passes on tensors with layouts that do not depend on the vendor of the GPU."""
