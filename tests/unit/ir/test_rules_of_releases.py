"""Rules that changed with a release, and what the verifier may remember across modules."""

import pytest
from xdsl.utils.exceptions import VerifyException

from xtriton import universe
from xtriton.errors import ParseFailure, VerifyFailure
from xtriton.ir.checking.verifier import verify, verify_all
from xtriton.ir.reading.parser import parse_module
from xtriton.ir.versions import NEWEST, copied, early_rules, release, rules_of, version_read

MAKE_RANGE = """
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = WARPS : i32} {
  tt.func @f() {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    tt.return
  }
}
"""


def check(text: str) -> None:
    verify(parse_module(text, universe.context()))


def test_release_whose_rules_hold():
    assert release() == NEWEST
    with rules_of((3, 2)):
        assert release() == (3, 2)
        assert early_rules()
    assert not early_rules()


@pytest.mark.parametrize("warps", [8, 2])
def test_sound_ops_of_one_module_are_checked_again_in_other_surroundings(warps: int):
    check(MAKE_RANGE.replace("WARPS", "4"))
    with pytest.raises(VerifyFailure, match=f"but the context requires {warps} warps per CTA"):
        check(MAKE_RANGE.replace("WARPS", str(warps)))
    check(MAKE_RANGE.replace("WARPS", "4"))


def test_sound_ops_of_one_release_are_checked_again_by_the_rules_of_another():
    text = """
    tt.func @f(%d: !tt.tensordesc<16x16xf32>, %x: tensor<256xf32>, %i: i32) {
      tt.descriptor_store %d[%i, %i], %x : !tt.tensordesc<16x16xf32>, tensor<256xf32>
      tt.return
    }
    """
    check(text)
    with (
        rules_of((3, 4)),
        pytest.raises(VerifyFailure, match="only allowed for unit dimension leading dim"),
    ):
        check(text)


def test_types_are_checked_by_the_rules_of_a_release():
    text = (
        "#s = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 0}>"
    )
    with pytest.raises(ParseFailure, match="elementBitWidth must be non-zero"):
        parse_module(f"{text}\nmodule {{}}", universe.context())
    with rules_of((3, 4)):
        parse_module(f"{text}\nmodule {{}}", universe.context())


def test_each_function_has_its_first_error():
    wrong = "tt.func @NAME(%x: i32) {\n  tt.return %x : i32\n}\n"
    module = parse_module(
        wrong.replace("NAME", "f")
        + "tt.func @g() {\n  tt.return\n}\n"
        + wrong.replace("NAME", "h"),
        universe.context(),
    )
    assert len(verify_all(module)) == 2


def test_kinds_of_tensors_are_told_when_reading():
    text = "tt.func @f(%a: f32) {\n  %0 = tt.join %a, %a : f32 -> tensor<2xf32>\n  tt.return\n}"
    with pytest.raises(ParseFailure, match="invalid kind of type specified") as error:
        parse_module(text, universe.context())
    assert error.value.position is not None
    assert (error.value.position.line, error.value.position.column) == (2, 25)


def test_other_op_is_blamed():
    from xtriton.ir.checking.blame import OtherOpIsWrong

    assert issubclass(OtherOpIsWrong, VerifyException)
    text = """tt.func @f(%x: tensor<8xi32>) {
      %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
      ^bb0(%a: i32):
        tt.map_elementwise.return %a : i32
      }) : (tensor<8xi32>) -> tensor<8xi64>
      tt.return
    }"""
    with pytest.raises(VerifyFailure, match="op region return does not match"):
        check(text)


def test_copies_know_the_release_they_were_read_in():
    module = parse_module(
        """tt.func @f(%p: !tt.ptr<tensor<8xf32>>) {
          %x = tt.load %p : !tt.ptr<tensor<8xf32>>
          tt.return
        }""",
        universe.context(),
    )
    assert version_read(module) == version_read(copied(module)) < NEWEST
