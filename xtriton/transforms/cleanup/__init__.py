"""Passes that everybody needs: folding, merging, removing and moving ops."""
