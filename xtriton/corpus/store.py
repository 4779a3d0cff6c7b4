"""What has been measured so far, in a file beside the result, so that a run can go on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from xtriton.corpus.columns import Row
from xtriton.errors import UserError

_TABLES = """
create table if not exists measured (key text primary key, row text not null) without rowid;
create table if not exists wanted (
    kernel text, pipeline text, number integer, key text not null,
    primary key (kernel, number)
) without rowid;
"""


class Store:
    """
    Rows by the key of their job, and which rows the present run wants.

    A row that is there is not measured again, whoever measured it, for any run with this file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._connection = sqlite3.connect(path)
            self._connection.executescript(_TABLES)
            self._connection.execute("delete from wanted")
        except sqlite3.Error as error:
            raise UserError(f"'{path}' cannot be used to keep what is measured: {error}") from error

    def want(self, kernel: str, pipeline: str, number: int, key: str) -> None:
        """Note that the result has a row for a kernel and the pipeline with that number."""
        self._connection.execute(
            "insert or replace into wanted values (?, ?, ?, ?)", (kernel, pipeline, number, key)
        )

    def has(self, key: str) -> bool:
        """Whether a job has been measured."""
        found = self._connection.execute("select 1 from measured where key = ?", (key,))
        return found.fetchone() is not None

    def add(self, key: str, row: Row) -> None:
        """Keep a row, at once."""
        self._connection.execute(
            "insert or replace into measured values (?, ?)", (key, json.dumps(row))
        )
        self._connection.commit()

    def rows(self) -> Iterator[Row]:
        """Yield the rows of this run by kernel and in the order of the pipelines."""
        found = self._connection.execute(
            "select kernel, pipeline, row from wanted join measured using (key)"
            " order by kernel, number"
        )
        for kernel, pipeline, row in found:
            # Kernels of one content are measured once, under the name of one of them.
            yield json.loads(row) | {"kernel": kernel, "pipeline": pipeline}

    def close(self, *, done: bool) -> None:
        """Close the file, and remove it where the run has come to its end."""
        self._connection.commit()
        self._connection.close()
        if done:
            self.path.unlink(missing_ok=True)
