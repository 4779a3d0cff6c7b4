"""Raising: pointer arithmetic made into structured accesses, and the ways down again."""
