"""Block pointers and tensor descriptors: the tensor behind a pointer, and accesses through it."""
