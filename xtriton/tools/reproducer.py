"""
Reproducers: a file that holds IR and the pipeline that fails on it.

The pipeline stands in an `mlir_reproducer` resource at the end, as MLIR writes it;
`xtriton-opt --run-reproducer FILE` runs it.
"""

from __future__ import annotations

import pathlib
import re
import tempfile

from xtriton.errors import UserError

_METADATA = re.compile(r"\{-#(.*?)#-\}", re.DOTALL)
_PIPELINE = re.compile(r'mlir_reproducer:\s*\{.*?pipeline:\s*"((?:[^"\\]|\\.)*)"', re.DOTALL)


def reproducer_text(ir: str, pipeline: str, reason: str) -> str:
    """Return the text of a reproducer; `reason` becomes comments at its top."""
    comment = "".join(f"// {line}\n" for line in reason.splitlines())
    escaped = pipeline.replace("\\", "\\\\").replace('"', '\\"')
    return (
        f"{comment}{ir.rstrip()}\n\n"
        "{-#\n"
        "  external_resources: {\n"
        "    mlir_reproducer: {\n"
        f'      pipeline: "{escaped}",\n'
        "      disable_threading: true,\n"
        "      verify_each: true\n"
        "    }\n"
        "  }\n"
        "#-}\n"
    )


def pipeline_of(text: str, file: str) -> str:
    """Return the pipeline of a reproducer; raise `UserError` if `text` is none."""
    match = _PIPELINE.search(text)
    if match is None:
        raise UserError(f"'{file}' holds no mlir_reproducer resource")
    return re.sub(r"\\(.)", r"\1", match[1])


def without_pipeline(text: str) -> str:
    """Return `text` with the reproducer's resource replaced by blanks, lines kept."""
    return _METADATA.sub(
        lambda m: "\n" * m[0].count("\n") if "mlir_reproducer" in m[1] else m[0], text
    )


def write_reproducer(text: str, path: pathlib.Path) -> pathlib.Path:
    """Write a reproducer at `path`, or to a temporary file where that cannot be written."""
    try:
        path.write_text(text, encoding="utf-8")
        return path
    except OSError:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="xtriton-"))
        (folder / path.name).write_text(text, encoding="utf-8")
        return folder / path.name
