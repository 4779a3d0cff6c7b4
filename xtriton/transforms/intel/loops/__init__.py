"""Loops: pipelined, split, versioned, with fewer masks and less that lives in them."""
