"""Which pass broke a kernel, from what a compiler printed."""

import pytest
from xdsl.dialects.builtin import ModuleOp

from xtriton import universe
from xtriton.errors import UserError
from xtriton.ir.reading.parser import parse_module
from xtriton.judge.pass_dump import check_dumps, first_broken, report, split_dumps

BODY = """
module {{
  tt.func public @f(%x: !tt.ptr<i32>, %n: i32) {{
    %c = arith.constant {constant} : i32
    %v = arith.muli %n, %c : i32
    tt.store %x, %v : !tt.ptr<i32>
    tt.return
  }}
}}
"""
FUNCTION = "tt.func private @g() {\n  tt.return\n}\n"


def parse(text: str) -> ModuleOp:
    return parse_module(text, universe.context())


def dump(when: str, name: str, constant: int | None) -> str:
    body = FUNCTION if constant is None else BODY.format(constant=constant)
    return f"// -----// IR Dump {when} {name} //----- //\n{body}\n\n"


AFTER = (
    dump("After", "Canonicalizer (canonicalize)", None)
    + dump("After", "CSE (cse)", 2)
    + dump("After", "SymbolDCE (symbol-dce)", 2)
    + dump("After", "TritonCombineOps (triton-combine)", 3)
    + dump("After", "TritonReorderBroadcast (triton-reorder-broadcast)", 3)
)
BEFORE = (
    dump("Before", "Inliner (inline) ('builtin.module' operation)", 2)
    + dump("Before", "CSE (cse) ('builtin.module' operation)", 2)
    + dump("Before", "SymbolDCE (symbol-dce) ('builtin.module' operation)", 5)
)


def test_dumps_are_split() -> None:
    dumps = split_dumps("noise\n" + AFTER)
    assert [d.name for d in dumps] == [
        "canonicalize",
        "cse",
        "symbol-dce",
        "triton-combine",
        "triton-reorder-broadcast",
    ]
    assert dumps[0].line == 2
    assert not dumps[0].is_module
    assert dumps[1].is_module
    with pytest.raises(UserError, match="MLIR_ENABLE_DUMP"):
        split_dumps("module {}")


def test_the_pass_that_breaks_a_kernel_after() -> None:
    stages = check_dumps(AFTER, parse)
    broken = first_broken(stages)
    assert broken is not None
    assert broken.name == "triton-combine"
    text = report(stages)
    assert "triton-combine: CHANGES WHAT THE KERNEL DOES" in text
    assert "argument 0 (x), element 0 of i32" in text
    assert text.endswith("the first pass to break a kernel is triton-combine")


def test_the_pass_that_breaks_a_kernel_before() -> None:
    broken = first_broken(check_dumps(BEFORE, parse))
    assert broken is not None
    assert broken.name == "cse"


def test_unreadable_dumps_are_said_to_be() -> None:
    text = AFTER.replace("arith.constant 3", "arith.no_such_op 3", 1)
    stages = check_dumps(text, parse)
    assert first_broken(stages) is None
    assert "triton-combine: not compared, cannot be read" in report(stages)
    assert report(stages).endswith("no pass changed what the kernels do")
