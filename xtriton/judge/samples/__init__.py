"""Thousands of launches of one lane, computed at once."""
