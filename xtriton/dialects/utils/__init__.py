"""Helpers that several dialects share."""
