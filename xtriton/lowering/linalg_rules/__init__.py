"""What `triton-arith-to-linalg` makes of each op, by kind of op."""
