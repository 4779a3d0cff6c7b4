"""Pipelines of passes: their text, their options, running them and watching them run."""
