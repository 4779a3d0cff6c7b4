"""2D block accesses: what becomes one, and what makes it so."""
