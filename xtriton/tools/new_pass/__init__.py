"""
`xtriton new-pass NAME`: a package with a pass, its tests, its entry point and CI.

    xtriton new-pass remainder-to-mask
    cd remainder-to-mask && pip install -e '.[test]' && pytest

The pass works as it stands: it makes `x & 7` of `x % 8`. Put your own in its place.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from string import Template

from xtriton.tools.outcome import exit_code

TEMPLATES = Path(__file__).parent / "templates"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool on `arguments` (default: those of the process); return the exit code."""
    return exit_code(lambda: _run(arguments), arguments)


def _run(arguments: Sequence[str] | None) -> int:
    from xtriton.tools.options import tool_parser

    parser = tool_parser("xtriton new-pass", __doc__)
    parser.add_argument("name", help="name of the pass, as in my-pass")
    parser.add_argument("--into", metavar="FOLDER", help="where the package goes (./NAME)")
    options = parser.parse_args(arguments)
    written = write_package(options.name, Path(options.into or options.name))
    for path in written:
        print(path)
    return 0


def write_package(name: str, folder: Path) -> list[Path]:
    """
    Write a package with the pass `name` into a new folder; return its files.

    Raises `UserError` for a name that a pass cannot have, one that is taken, and a folder that is
    there.
    """
    from xtriton import __version__
    from xtriton.errors import UserError
    from xtriton.universe import PASSES

    if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) is None:
        raise UserError(f"'{name}' cannot be the name of a pass: it is not like 'my-pass'")
    if name in PASSES:
        raise UserError(f"'{name}' is the name of a pass of xtriton's own")
    if folder.exists():
        raise UserError(f"'{folder}' is there already")
    values = {"name": name, "module": name.replace("-", "_"), "version": __version__}
    written: list[Path] = []
    for template in sorted(path for path in TEMPLATES.rglob("*.in") if path.is_file()):
        relative = str(template.relative_to(TEMPLATES)).removesuffix(".in")
        path = folder / relative.replace("dot-", ".").replace("MODULE", values["module"])
        path.parent.mkdir(parents=True, exist_ok=True)
        text = Template(template.read_text(encoding="utf-8")).substitute(values)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


if __name__ == "__main__":
    sys.exit(main())
