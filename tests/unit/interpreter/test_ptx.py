"""Straight-line inline assembly in PTX is run."""

from typing import Any

import numpy as np
import pytest

from xtriton import interpreter, universe
from xtriton.interpreter.rules import ptx
from xtriton.ir.reading.parser import parse_module
from xtriton.semantics.formats import round_tf32

KERNEL = """
tt.func @kernel(%x: !tt.ptr<{source}>, %out: !tt.ptr<{target}>) {{
  %i = tt.make_range {{end = 256 : i32, start = 0 : i32}} : tensor<256xi32>
  %xs = tt.splat %x : !tt.ptr<{source}> -> tensor<256x!tt.ptr<{source}>>
  %px = tt.addptr %xs, %i : tensor<256x!tt.ptr<{source}>>, tensor<256xi32>
  %v = tt.load %px : tensor<256x!tt.ptr<{source}>>
  %r = tt.elementwise_inline_asm "{asm}" {{constraints = "{constraints}", packed_element = {pack}
    : i32, pure = true}} %v : tensor<256x{source}> -> tensor<256x{target}>
  %os = tt.splat %out : !tt.ptr<{target}> -> tensor<256x!tt.ptr<{target}>>
  %po = tt.addptr %os, %i : tensor<256x!tt.ptr<{target}>>, tensor<256xi32>
  tt.store %po, %r : tensor<256x!tt.ptr<{target}>>
  tt.return
}}
"""


def run(asm: str, constraints: str, types: tuple[str, str], pack: int, x: Any, out: Any) -> Any:
    text = KERNEL.format(
        asm=" ".join(asm.split()), constraints=constraints, source=types[0], target=types[1],
        pack=pack,
    )  # fmt: skip
    interpreter.run(parse_module(text, universe.context()), 1, [x, out])
    return out


def test_rounding_to_tf32():
    x = np.random.default_rng(0).standard_normal(256).astype(np.float32)
    x[:4] = np.inf, -np.inf, 0.0, -0.0
    out = run("cvt.rna.tf32.f32 $0, $1;", "=r,r", ("f32", "f32"), 1, x, np.zeros_like(x))
    assert out.view(np.uint32).tolist() == round_tf32(x).view(np.uint32).tolist()
    assert (out != x).any()


@pytest.mark.parametrize(
    "code, inputs, expected",
    [
        ("add.u32 $0, $1, $2;", (7, 0xFFFFFFFF), 6),
        ("mad.lo.u32 $0, $1, $2, 0x10;", (3, 5), 31),
        ("lop3.b32 $0, $1, $2, 0xf0, 0xe8;", (0b1100, 0b1010), 0b1000),
        ("lop3.b32 $0, $1, $2, 0, 0x3c;", (0b1100, 0b1010), 0b0110),
        ("prmt.b32 $0, $1, $2, 0x5410;", (0x11223344, 0xAABBCCDD), 0xCCDD3344),
        ("prmt.b32 $0, $1, $2, 0x8;", (0x80, 0), 0x808080FF),
        ("{ .reg .b32 t; shl.b32 t, $1, 4; xor.b32 $0, t, $2; }", (1, 3), 0x13),
        ("shl.b32 $0, $1, $2;", (1, 32), 0),
        ("shr.s32 $0, $1, $2;", (0x80000000, 40), 0xFFFFFFFF),
        ("{ .reg .pred p; setp.lt.s32 p, $1, 0; selp.b32 $0, $1, $2, p; }", (5, 9), 9),
        ("{ .reg .b16 a, b; mov.b32 {a, b}, $1; mov.b32 $0, {b, a}; }", (0x12345678, 0), 0x56781234),
        ("min.f16x2 $0, $1, $2;", (0x3C004000, 0x40003C00), 0x3C003C00),
        ("mul.f32 $0, $1, $2;", (0x40000000, 0x40400000), 0x40C00000),
    ],
)  # fmt: skip
def test_instructions(code: str, inputs: tuple[int, int], expected: int):
    words = [np.array([x], np.uint32) for x in inputs]
    (found,) = ptx.compiled(code, "=r,r,r")(words)
    assert hex(int(np.broadcast_to(found, 1)[0])) == hex(expected)


@pytest.mark.parametrize(
    "code", ["mov.u64 $0, %globaltimer;", "@p bra L;", "ld.global.b32 $0, [$1];", "nonsense"]
)
def test_what_is_not_known_has_no_meaning(code: str):
    with pytest.raises(ptx.NotKnown):
        ptx.compiled(code, "=r,r")


def test_what_triton_emits_for_an_8_bit_float(monkeypatch: pytest.MonkeyPatch):
    """To and from fp8e4b15: an exponent bias of 15, three bits of mantissa."""
    utils = pytest.importorskip("triton.language.extra.cuda.utils")
    emitted: list[tuple[str, str, int]] = []

    def capture(asm: str, constraints: str, *args: Any, pack: int, **rest: Any) -> None:
        emitted.append((asm, constraints, pack))

    monkeypatch.setattr(utils.core, "inline_asm_elementwise", capture)
    utils.convert_fp8e4b15_to_float16(None, _semantic=object())
    for has_minimum in (True, False):
        utils.convert_float16_to_fp8e4b15(None, has_minimum, _semantic=object())
    octets = np.arange(256, dtype=np.uint8).view(np.int8)
    wide = np.zeros(256, np.float16)
    run(emitted[0][0], emitted[0][1], ("i8", "f16"), emitted[0][2], octets, wide)
    code = np.arange(256)
    expected = np.where(code > 127, -1.0, 1.0) * (
        np.where(code & 0x78, 1.0 + (code & 7) / 8, (code & 7) / 4)
        * 2.0 ** ((code >> 3 & 15) - 15.0)
    )
    assert wide.tolist() == expected.astype(np.float16).tolist()
    for asm, constraints, pack in emitted[1:]:
        back = np.zeros(256, np.int8)
        run(asm, constraints, ("f16", "i8"), pack, wide, back)
        # The codes above 1.75 are those that nothing is rounded to.
        kept = np.abs(expected) <= 1.75
        assert back[kept].tolist() == octets[kept].tolist()
