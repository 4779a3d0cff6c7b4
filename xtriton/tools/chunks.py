"""Splitting a file at `// -----`, as `--split-input-file` asks."""

DEFAULT_MARKER = "// -----"


def split(text: str, marker: str = DEFAULT_MARKER) -> list[str]:
    """
    Return the parts of `text` between markers.

    Each part is preceded by blank lines and spaces, so that every character keeps the line
    and column that it has in `text`, and errors name the real place.
    """
    parts: list[str] = []
    line, column = 0, 0
    for part in text.split(marker):
        parts.append("\n" * line + " " * column + part)
        line += part.count("\n")
        last_line = part.rsplit("\n", 1)
        column = len(last_line[-1]) + (column if len(last_line) == 1 else 0) + len(marker)
    return parts
