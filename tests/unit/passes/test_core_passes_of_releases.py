"""Passes on layouts follow the rules of the release: what Triton 3.9 does differently."""

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import Version, rules_of
from xtriton.ir.writing.printer import print_module
from xtriton.universe import context, pass_class

HEAD = """
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#c = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#w = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4],
                   order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80",
                   "ttg.threads-per-warp" = 32 : i32} {
"""


def after(body: str, name: str, version: Version, head: str = HEAD, **options: object) -> str:
    with rules_of(version):
        module = parse_module(f"{head}{body}}}", context())
        pass_class(name)(**options).apply(context(), module)
        verify(module)
        return print_module(module, version=version)


ATOMIC = """
tt.func @f(%p: !tt.ptr<KIND> {tt.divisibility = 16 : i32}, %v: tensor<1024xKIND, #b>) {
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>
  %s = tt.splat %p : !tt.ptr<KIND> -> tensor<1024x!tt.ptr<KIND>, #b>
  %q = tt.addptr %s, %r : tensor<1024x!tt.ptr<KIND>, #b>, tensor<1024xi32, #b>
  %o = tt.atomic_rmw fadd, relaxed, gpu, %q, %v :
    (tensor<1024x!tt.ptr<KIND>, #b>, tensor<1024xKIND, #b>) -> tensor<1024xKIND, #b>
  tt.return
}
"""


@pytest.mark.parametrize(
    ("version", "kind", "elements"),
    [((3, 7), "f32", 4), ((3, 9), "f32", 1), ((3, 7), "f16", 8), ((3, 9), "f16", 2)],
)
def test_atomic_additions_take_as_many_elements_as_one_instruction(
    version: Version, kind: str, elements: int
):
    text = after(ATOMIC.replace("KIND", kind), "tritongpu-coalesce", version)
    atomic = next(line for line in text.splitlines() if "tt.atomic_rmw" in line)
    names = [
        line.split(" = ")[0]
        for line in text.splitlines()
        if f"sizePerThread = [{elements}]" in line
    ]
    assert names
    assert f"{names[0]}>" in atomic


def test_each_use_has_its_own_conversion_since_39():
    body = """
    tt.func @f() {
      %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %e = tt.expand_dims %r {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %s = arith.addi %e, %e : tensor<1x128xi32>
      tt.return
    }
    """

    def conversions(version: Version) -> int:
        text = after(body, "convert-triton-to-tritongpu", version, "module {", target="cuda:80")
        return text.count("tensor<1x128xi32, #blocked1> -> tensor<1x128xi32")

    assert conversions((3, 7)) == 1
    assert conversions((3, 9)) == 2


SPLITTING = """
tt.func @f(%x: tensor<128xf32, #b>, %o: tensor<128x!tt.ptr<f32>, #b>,
           %q: tensor<128x!tt.ptr<f32>, #c>, %n: i32) {
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
  %t = tt.splat %n : i32 -> tensor<128xi32, #b>
  %i = arith.addi %r, %t : tensor<128xi32, #b>
  %f = arith.sitofp %i : tensor<128xi32, #b> to tensor<128xf32, #b>
  %g = ttg.convert_layout %f : tensor<128xf32, #b> -> tensor<128xf32, #c>
  tt.store %o, %f : tensor<128x!tt.ptr<f32>, #b>
  tt.store %q, %g : tensor<128x!tt.ptr<f32>, #c>
  tt.return
}
"""


@pytest.mark.parametrize(("whole", "count"), [(False, 0), (True, 1)])
def test_what_is_needed_as_it_is_is_not_computed_twice(whole: bool, count: int):
    name = "tritongpu-remove-layout-conversions"
    text = after(SPLITTING, name, (3, 9), disable_remat_splitting=whole)
    assert text.count("ttg.convert_layout") == count


NESTED = """
tt.func @f(%a: i32, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %c0) -> (i32, i32) : i32 {
    %b = arith.addi %y, %c1 : i32
    %s = scf.for %j = %c0 to %b step %c1 iter_args(%z = %x) -> (i32) : i32 {
      %t = arith.addi %z, %j : i32
      scf.yield %t : i32
    }
    %u = arith.addi %x, %c1 : i32
    scf.yield %s, %u : i32, i32
  }
  tt.return %r#0 : i32
}
"""


@pytest.mark.parametrize("version", [(3, 7), (3, 9)])
def test_what_bounds_a_nested_loop_is_carried_on(version: Version):
    text = after(NESTED, "tritongpu-remove-layout-conversions", version)
    outer = next(line for line in text.splitlines() if "scf.for" in line)
    assert outer.count(" = %") == 3


def _body(module: ModuleOp) -> list[Operation]:
    function = next(op for op in module.walk() if op.name == "tt.func")
    return list(function.regions[0].block.ops)


AXES = """
tt.func @f() {
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #b>
  %r1 = tt.make_range {end = 36 : i32, start = 4 : i32} : tensor<32xi32, #b>
  %s = arith.addi %r, %r1 : tensor<32xi32, #b>
  %c = arith.constant dense<-4> : tensor<32xi32, #b>
  %d = arith.addi %r1, %c : tensor<32xi32, #b>
  tt.return
}
"""


@pytest.mark.parametrize(("version", "divisor", "value"), [((3, 7), 4, 2**32 - 4), ((3, 9), 2, -4)])
def test_two_runs_are_divisible_by_two(version: Version, divisor: int, value: int):
    with rules_of(version):
        module = parse_module(f"{HEAD}{AXES}}}", context())
        infos = axis_analysis(module)
        _, _, total, constant, _, _ = _body(module)
        assert infos.info(total.results[0]).divisibility == (divisor,)
        assert infos.info(constant.results[0]).value == value
