"""The arithmetic of the program kept: what a pointer is in the words that the program has for it."""
