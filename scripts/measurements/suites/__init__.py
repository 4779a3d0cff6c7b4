"""Tests of others, and how they are run."""
