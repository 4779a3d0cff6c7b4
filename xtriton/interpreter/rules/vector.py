"""Ops of this dialect."""
