"""Block pointers, tensor descriptors and pointers: one written as another."""
