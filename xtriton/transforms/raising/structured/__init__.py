"""Accesses to blocks in the dialect `tts`."""
