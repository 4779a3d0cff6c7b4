"""Passes made with the decorators, and the public functions around them."""

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

import xtriton as xt
from xtriton import universe
from xtriton.dialects.upstream.arith import AddiOp, MuliOp, SubiOp
from xtriton.dialects.upstream.scf import YieldOp
from xtriton.ir.locations import file_position

TEXT = """
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32 loc("a.py":1:2)
  %1 = arith.subi %0, %a : i32 loc("a.py":3:4)
  return %1 : i32
}
"""


@pytest.fixture(autouse=True)
def _forget_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(universe, "_registered", {})


@xt.rewrite_pattern
def to_mul(op: AddiOp | SubiOp, rewriter: xt.PatternRewriter) -> None:
    rewriter.replace(op, MuliOp(op.lhs, op.rhs))


def names(module: ModuleOp) -> list[str]:
    return [op.name for op in module.walk() if op.name.startswith("arith.")]


def test_pattern_matches_what_its_annotation_says_and_keeps_locations():
    module = xt.parse(TEXT)
    assert xt.apply_patterns(module, to_mul)
    assert names(module) == ["arith.muli", "arith.muli"]
    text = xt.print(module, debug_info=True)
    assert 'loc("a.py":1:2)' in text
    assert 'loc("a.py":3:4)' in text
    assert not xt.apply_patterns(module, to_mul)


def test_module_pass_with_options_and_context():
    seen: list[object] = []

    @xt.module_pass("my-pass")
    def my_pass(module: ModuleOp, context: object, limit: int, label: str = "x") -> None:
        """What it does."""
        seen.extend((limit, label, context))

    xt.run_passes(xt.parse(TEXT), "my-pass{limit=3},my-pass{limit=4 label=y}")
    assert seen[:2] == [3, "x"]
    assert seen[3:5] == [4, "y"]
    assert my_pass.__doc__ == "What it does."
    assert my_pass.__name__ == "MyPassPass"
    with pytest.raises(xt.UserError, match="pass 'my-pass' needs the option 'limit'"):
        xt.run_passes(xt.parse(TEXT), "my-pass")


def test_a_pass_can_be_defined_again_but_not_instead_of_ours():
    for _ in range(2):

        @xt.module_pass("again")
        def again(module: ModuleOp) -> None: ...

    with pytest.raises(xt.UserError, match="'cse' is the name of a pass of xtriton's own"):

        @xt.module_pass("cse")
        def cse(module: ModuleOp) -> None: ...


def test_bad_patterns():
    def no_op(rewriter: xt.PatternRewriter) -> None: ...

    def no_class(op: int, rewriter: xt.PatternRewriter) -> None: ...

    for function in (no_op, no_class):
        with pytest.raises(xt.UserError):
            xt.rewrite_pattern(function)  # pyright: ignore[reportArgumentType]


def test_patterns_that_undo_each_other_end():
    @xt.rewrite_pattern
    def to_add(op: MuliOp, rewriter: xt.PatternRewriter) -> None:
        rewriter.replace(op, AddiOp(op.lhs, op.rhs))

    module = xt.parse(TEXT)
    assert xt.apply_patterns(module, to_mul, to_add)
    xt.verify(module)


def test_ops_that_move_keep_their_location():
    text = """
    func.func @f(%c: i1) {
      scf.if %c {
        scf.yield loc("y.py":1:1)
      } loc("x.py":1:1)
      return
    }
    """
    module = xt.parse(text)
    moved: list[Operation] = [op for op in module.walk() if isinstance(op, YieldOp)]

    @xt.rewrite_pattern
    def rebuild(op: Operation, rewriter: xt.PatternRewriter) -> None:
        if op.name == "scf.if" and "done" not in op.attributes:
            from xdsl.dialects.builtin import UnitAttr

            regions = [op.detach_region(region) for region in list(op.regions)]
            new = type(op).create(
                operands=op.operands, regions=regions, attributes={"done": UnitAttr()}
            )
            rewriter.replace(op, new)

    xt.apply_patterns(module, rebuild)
    parent = moved[0].parent_op()
    assert parent is not None
    assert file_position(moved[0].location) == ("y.py", 1, 1)
    assert file_position(parent.location) == ("x.py", 1, 1)


def test_unknown_pass_names_the_nearest():
    with pytest.raises(xt.UserError, match="unknown pass 'csee'; did you mean 'cse'"):
        xt.run_passes(xt.parse(TEXT), "csee")


def test_a_pass_that_breaks_the_module_is_told():
    @xt.module_pass("break")
    def break_it(module: ModuleOp) -> None:
        for op in list(module.walk()):
            if op.name == "func.return":
                op.detach()

    with pytest.raises(Exception, match="pass 'break' left a module that is not valid"):
        xt.run_passes(xt.parse(TEXT), "break")
