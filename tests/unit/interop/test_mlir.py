"""Real MLIR as a judge."""

import pytest

from xtriton.errors import UserError
from xtriton.interop import mlir


@pytest.fixture
def mlir_opt() -> mlir.MlirOpt:
    found = mlir.find()
    if found is None:
        pytest.skip("no mlir-opt is installed; Debian has it in mlir-22-tools")
    return found


MODULE = "func.func @f(%a: i32) -> i32 {\n  return %a : i32\n}\n"


def test_valid_text(mlir_opt: mlir.MlirOpt):
    mlir_opt.verify(MODULE)
    assert "func.func @f(%arg0: i32) -> i32" in mlir_opt.canonical(MODULE)
    assert mlir_opt.version >= (15, 0, 0)


def test_passes(mlir_opt: mlir.MlirOpt):
    assert "llvm.func" in mlir_opt.run(MODULE, ["--convert-func-to-llvm"])


def test_invalid_text_is_refused_with_mlirs_words(mlir_opt: mlir.MlirOpt):
    with pytest.raises(UserError, match="refuses the module") as caught:
        mlir_opt.verify(MODULE.replace("return %a : i32", "return %a : i64"))
    assert "expects different type" in caught.value.render()


def test_absent_binary():
    assert mlir.find("no-such-mlir-opt") is None
