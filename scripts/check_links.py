"""
Look for links of a built site that lead nowhere: to a missing file, or an anchor that is not there.

    python scripts/check_links.py build/site

`make site` runs it. Addresses of other hosts are left alone, as nothing is fetched.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """The anchors of a page, and what it links to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors = {"", "top"}
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        self.links += [given[name] for name in ("href", "src", "data") if name in given]


def broken_links(site: Path) -> Iterator[str]:
    """Yield a line for every link of the pages in a folder that leads nowhere."""
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in sorted(pages.items()):
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = _target(site, path, unquote(parts.path))
            if not target.exists():
                yield f"{path.relative_to(site)}: no file: {link}"
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{path.relative_to(site)}: no anchor: {link}"


def _target(site: Path, page: Path, link: str) -> Path:
    if not link:
        return page
    found = (site / link.lstrip("/") if link.startswith("/") else page.parent / link).resolve()
    return found / "index.html" if found.is_dir() else found


def main() -> int:
    """Return 1 where a link is broken."""
    parser = argparse.ArgumentParser(
        description="Look for links of a built site that lead nowhere."
    )
    parser.add_argument("site", type=Path, help="its folder, which `make site` builds")
    site = parser.parse_args().site.resolve()
    if not site.is_dir():
        parser.error(f"no folder: {site}")
    broken = [*broken_links(site)]
    for line in broken:
        print(line, file=sys.stderr)
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
