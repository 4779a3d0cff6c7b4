"""Text to objects: the parser, the everyday lines it reads at once, and literals."""
