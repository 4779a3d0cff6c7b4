"""What fits into 32 bits, and why; what has no proof is not narrowed."""

import pytest
from xdsl.ir import Operation

from xtriton.analysis.index_analysis import index_analysis
from xtriton.analysis.indexing import Expr
from xtriton.ir.reading.parser import parse_module
from xtriton.transforms.raising.writing.narrowing import Narrowings
from xtriton.universe import context

TEXT = """
tt.func @k(%p: !tt.ptr<i32>, %n: i32, %m: i64) {
  %pid = tt.get_program_id x : i32
  %c7 = arith.constant 7 : i64
  %wide = arith.extsi %n : i32 to i64
  %small = arith.remsi %m, %c7 : i64
  %square = arith.muli %wide, %wide : i64
  %far = arith.addi %m, %c7 : i64
  tt.return
}
"""


@pytest.mark.parametrize(
    "name, proof",
    [("small", "between -6 and 6"), ("wide", ""), ("square", None), ("far", None), ("m", None)],
)
def test_proof(name: str, proof: str | None):
    module = parse_module(TEXT, context())
    function = module.body.block.first_op
    assert function is not None
    analysis = index_analysis(function)
    block = function.regions[0].block
    end = block.last_op
    assert isinstance(end, Operation)
    values = {a.name_hint: a for a in block.args} | {
        op.results[0].name_hint: op.results[0] for op in block.ops if op.results
    }
    form = analysis.get(values[name])
    assert isinstance(form, Expr)
    found = Narrowings(analysis, lambda value, op: True).proof(analysis.resolved(form), 32, end)
    if proof is None:
        assert found is None
    else:
        assert found is not None
        assert proof in found
