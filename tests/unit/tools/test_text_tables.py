"""Tables have the same text, written by Rich or without it."""

import io
import random

import pytest
from rich.console import Console
from rich.text import Text

from xtriton.tools.text_tables import TextTable

WORDS = ["", "x", "p[0]", ":smile:", "[bold]", "表", "4*pid_x + 4*i0", "é – ∞", "a  b"]


def drawn(rng: random.Random) -> TextTable:
    count = rng.randint(1, 5)
    rows = [tuple(rng.choice(WORDS) for _ in range(count)) for _ in range(rng.randint(1, 5))]
    heads = rng.choice((None, [rng.choice(WORDS) for _ in range(count)]))
    title = rng.choice(("", "k.mlir", "a/long/path/to/some/file/kernel.mlir")) if heads else ""
    return TextTable(heads, title, [*rows])


@pytest.mark.parametrize("seed", range(40))
def test_same_text(seed: int) -> None:
    table = drawn(random.Random(seed))
    lines = table.plain_lines(100)
    if lines is not None:
        output = io.StringIO()
        Console(file=output, width=100, highlight=False).print(table.rich_table())
        assert output.getvalue() == "".join(f"{line}\n" for line in lines)


def test_most_tables_need_no_care() -> None:
    drawn_ones = [drawn(random.Random(seed)) for seed in range(40)]
    assert sum(table.plain_lines(100) is not None for table in drawn_ones) > 30


@pytest.mark.parametrize("cell", ["x" * 30, "two\nlines", "tab\there"])
def test_what_does_not_fit_is_folded(cell: str) -> None:
    table = TextTable(("a", "b"), "", [(cell, Text("y", "bold"))])
    assert table.plain_lines(20) is None
    output = io.StringIO()
    table.print(Console(file=output, width=20, highlight=False))
    assert output.getvalue().count("\n") > 4
