"""Passes on tensors without layouts: clean-up and loops of Triton's first stage."""
