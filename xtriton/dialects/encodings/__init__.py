"""What encodings mean and how ops change them, over `xtriton.layouts`."""
