"""The command-line tools."""

import xtriton


def version_text(tool: str) -> str:
    """Return what `--version` prints."""
    return f"{tool} {xtriton.__version__} (reads the IR of Triton 3.1 to 3.9)"
