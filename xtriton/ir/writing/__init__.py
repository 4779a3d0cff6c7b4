"""Objects to text: the printer, names and aliases, numbers and maps as MLIR writes them."""
