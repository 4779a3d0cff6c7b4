"""Functions of integers, and of the words of a double."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xtriton.cpu.builder import IRBuilder, Operand
from xtriton.cpu.emitter.libdevice.rules import Rule, families


def _mean(match: re.Match[str]) -> Rule:
    """The mean of two, rounded down, or up with an `r`."""
    extend, shift = ("zext", "lshr") if match[1] else ("sext", "ashr")

    def mean(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        x, y = (b.value(f"{extend} i32 {x} to i64") for x in xs)
        total = b.value(f"add i64 {x}, {y}")
        if match[2]:
            total = b.value(f"add i64 {total}, 1")
        return b.value(f"trunc i64 {b.value(f'{shift} i64 {total}, 1')} to i32")

    return mean


def _product_of_24_bits(match: re.Match[str]) -> Rule:
    shift = "lshr" if match[1] else "ashr"

    def multiply(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        x, y = (b.value(f"{shift} i32 {b.value(f'shl i32 {x}, 8')}, 8") for x in xs)
        return b.value(f"mul i32 {x}, {y}")

    return multiply


def _sum_with_difference(match: re.Match[str]) -> Rule:
    prefix = "u" if match[1] else "s"

    def add(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        pair = [("i32", x) for x in xs[:2]]
        larger, smaller = (b.call("i32", f"llvm.{prefix}{n}.i32", pair) for n in ("max", "min"))
        return b.value(f"add i32 {b.value(f'sub i32 {larger}, {smaller}')}, {xs[2]}")

    return add


def _chosen_bytes(match: re.Match[str]) -> Rule:
    return _permuted


def _permuted(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
    """Of the eight bytes of two words those that three bits of each nibble choose."""
    low, high = (b.value(f"zext i32 {x} to i64") for x in xs[:2])
    both = b.value(f"or i64 {b.value(f'shl i64 {high}, 32')}, {low}")
    selector = b.value(f"zext i32 {xs[2]} to i64")
    found: Operand = 0
    for place in range(4):
        nibble = b.value(f"lshr i64 {selector}, {4 * place}")
        shift = b.value(f"shl i64 {b.value(f'and i64 {nibble}, 7')}, 3")
        byte = b.value(f"and i64 {b.value(f'lshr i64 {both}, {shift}')}, 255")
        found = b.value(f"or i64 {found}, {b.value(f'shl i64 {byte}, {8 * place}')}")
    return b.value(f"trunc i64 {found} to i32")


def _word(match: re.Match[str]) -> Rule:
    def word(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        bits = b.value(f"bitcast double {xs[0]} to i64")
        if match[1] == "hi":
            bits = b.value(f"lshr i64 {bits}, 32")
        return b.value(f"trunc i64 {bits} to i32")

    return word


def _of_words(match: re.Match[str]) -> Rule:
    def join(b: IRBuilder, type: str, result: str, xs: Sequence[Operand]) -> Operand:
        high, low = (b.value(f"zext i32 {x} to i64") for x in xs)
        bits = b.value(f"or i64 {b.value(f'shl i64 {high}, 32')}, {low}")
        return b.value(f"bitcast i64 {bits} to double")

    return join


FAMILIES = families(
    (r"(u?)(r?)hadd", _mean),
    (r"(u?)mul24", _product_of_24_bits),
    (r"(u?)sad", _sum_with_difference),
    (r"byte_perm", _chosen_bytes),
    (r"double2(hi|lo)int", _word),
    (r"hiloint2double", _of_words),
)
