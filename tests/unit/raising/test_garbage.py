"""What raising finds out of a kernel is gone with it: no search for garbage has to find it."""

import gc
from pathlib import Path

import xtriton as xt
from xtriton.analysis.forward import IndexAnalysis
from xtriton.analysis.indexing import Atom, Expr
from xtriton.transforms.raising.writing.emitter import ExprEmitter

KERNEL = Path(__file__).parents[2] / "e2e" / "intel" / "gemm_pointers.mlir"


def held() -> int:
    kinds = (Atom, Expr, ExprEmitter, IndexAnalysis)
    # By type: others' objects may answer to being asked for their class.
    return sum(issubclass(type(each), kinds) for each in gc.get_objects())


def test_raising_leaves_no_formulas_as_garbage():
    text = KERNEL.read_text()
    xt.run_passes(xt.parse(text), "triton-to-structured")
    module = xt.parse(text)
    gc.collect()
    gc.disable()
    try:
        before = held()
        xt.run_passes(module, "triton-to-structured")
        after = held()
    finally:
        gc.enable()
    # The numbers 0 and 1 of a space hold it; else there are 110.
    assert after - before <= 2
