"""Results as files: Parquet, CSV or JSON lines, by the suffix; what is timed in a file beside."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from xtriton.corpus.columns import COLUMNS, KEYS, MEASURED, RESULTS, Column, Row
from xtriton.errors import UserError

SUFFIXES = (".parquet", ".csv", ".jsonl")
_ROWS_AT_ONCE = 10_000


def measured_beside(path: Path) -> Path:
    """Return the file of what was timed: `result.times.parquet` beside `result.parquet`."""
    return path.with_suffix(f".times{path.suffix}")


def check_suffix(path: Path) -> None:
    """Raise `UserError` for a file of no known kind, or whose library is missing."""
    if path.suffix not in SUFFIXES:
        raise UserError(f"'{path}' ends in none of {', '.join(SUFFIXES)}")
    if path.suffix == ".parquet":
        _pyarrow()


def write(path: Path, rows: Callable[[], Iterable[Row]]) -> None:
    """Write what `rows` yields, which is asked once for each of the two files."""
    for file, columns in ((path, (*KEYS, *RESULTS)), (measured_beside(path), (*KEYS, *MEASURED))):
        unfinished = file.with_name(file.name + ".new")
        _WRITERS[path.suffix](unfinished, columns, iter(rows()))
        unfinished.replace(file)


def read(path: Path) -> Iterator[Row]:
    """Yield the rows of a result, with what was timed where that file is there."""
    check_suffix(path)
    if not path.is_file():
        raise UserError(f"there is no file '{path}'")
    beside = measured_beside(path)
    times = {_key(row): row for row in _rows(beside)} if beside.is_file() else {}
    for row in _rows(path):
        yield {column.name: None for column in COLUMNS} | row | times.get(_key(row), {})


def _key(row: Row) -> tuple[object, ...]:
    return tuple(row[column.name] for column in KEYS)


def _rows(path: Path) -> Iterator[Row]:
    try:
        yield from _READERS[path.suffix](path)
    except (ValueError, KeyError) as error:
        raise UserError(f"'{path}' is no result of xtriton-corpus: {error}") from error


# --- Parquet ---------------------------------------------------------------------------


def _pyarrow() -> Any:
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError as error:
        raise UserError(
            "pyarrow is not installed; try: pip install 'xtriton[corpus]', or -o result.csv"
        ) from error


def _write_parquet(path: Path, columns: tuple[Column, ...], rows: Iterator[Row]) -> None:
    arrow = _pyarrow()
    types = {"string": arrow.string(), "int": arrow.int64(), "float": arrow.float64()}
    schema = arrow.schema(
        [arrow.field(c.name, types[c.type], metadata={"meaning": c.meaning}) for c in columns]
    )
    with arrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while part := list(islice(rows, _ROWS_AT_ONCE)):
            data = {c.name: [row.get(c.name) for row in part] for c in columns}
            writer.write_table(arrow.table(data, schema=schema))


def _read_parquet(path: Path) -> Iterator[Row]:
    arrow = _pyarrow()
    with arrow.parquet.ParquetFile(path) as file:
        for batch in file.iter_batches():
            yield from batch.to_pylist()


# --- CSV and JSON lines ----------------------------------------------------------------


def _write_csv(path: Path, columns: tuple[Column, ...], rows: Iterator[Row]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [c.name for c in columns], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def _read_csv(path: Path) -> Iterator[Row]:
    numbers = {"int": int, "float": float, "string": str}
    types = {c.name: numbers[c.type] for c in COLUMNS}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            yield {name: types[name](text) if text else None for name, text in row.items()}


def _write_jsonl(path: Path, columns: tuple[Column, ...], rows: Iterator[Row]) -> None:
    with path.open("w") as file:
        for row in rows:
            file.write(json.dumps({c.name: row.get(c.name) for c in columns}) + "\n")


def _read_jsonl(path: Path) -> Iterator[Row]:
    with path.open() as file:
        for line in file:
            yield json.loads(line)


_WRITERS = {".parquet": _write_parquet, ".csv": _write_csv, ".jsonl": _write_jsonl}
_READERS = {".parquet": _read_parquet, ".csv": _read_csv, ".jsonl": _read_jsonl}
