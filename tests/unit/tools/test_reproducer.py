from pathlib import Path

import pytest

from xtriton.errors import UserError
from xtriton.tools.reproducer import (
    pipeline_of,
    reproducer_text,
    without_pipeline,
    write_reproducer,
)

PIPELINE = 'builtin.module(a{x="1 2"},tt.func(b))'


def test_round_trip():
    text = reproducer_text("module {\n}\n", PIPELINE, "why\nand where")
    assert text.startswith("// why\n// and where\nmodule {\n}\n")
    assert pipeline_of(text, "f") == PIPELINE
    assert without_pipeline(text).rstrip() == "// why\n// and where\nmodule {\n}"
    assert without_pipeline(text).count("\n") == text.count("\n")


def test_reads_what_mlir_writes():
    text = """
    module {}
    {-#
      external_resources: {
        mlir_reproducer: {
          verify_each: true, disable_threading: true,
          pipeline: "builtin.module(cse)"
        }
      }
    #-}
    """
    assert pipeline_of(text, "f") == "builtin.module(cse)"


def test_other_resources_stay():
    text = 'module {}\n{-# dialect_resources: { builtin: { a: "0x01" } } #-}\n'
    assert without_pipeline(text) == text


def test_no_pipeline():
    with pytest.raises(UserError, match="'f' holds no mlir_reproducer resource"):
        pipeline_of("module {}", "f")


def test_a_folder_that_is_not_there(tmp_path: Path):
    path = write_reproducer("text", tmp_path / "none" / "a.mlir")
    assert path.name == "a.mlir"
    assert path.read_text() == "text"
    path.unlink()
    path.parent.rmdir()
