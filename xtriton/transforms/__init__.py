"""Passes that stay on a level."""
