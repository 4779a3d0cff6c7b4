"""
Kernels for tests of effects: one construct each, with what they truly read and write.

`read` and `write` are what a record must say, as `"p q?"`: p for sure, q perhaps.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kernel:
    """A kernel as text, and the truth about it; `runs` tells whether the interpreter can."""

    name: str
    text: str
    read: str = ""
    write: str = ""
    unknown_read: str = "none"
    unknown_write: str = "none"
    side_effects: tuple[str, ...] = ()
    runs: bool = True


KERNELS: list[Kernel] = []

P = "!tt.ptr<f32>"
P4 = "tensor<4x!tt.ptr<f32>>"


def kernel(
    name: str,
    arguments: str,
    body: str,
    *,
    read: str = "",
    write: str = "",
    functions: str = "",
    unknown_read: str = "none",
    unknown_write: str = "none",
    side_effects: tuple[str, ...] = (),
    runs: bool = True,
    ends: bool = True,
) -> None:
    """Add a kernel; `arguments` as `p q n:i32`, pointers to f32 where no type is given."""
    parts = [a.partition(":") for a in arguments.split()]
    typed = ", ".join(f"%{n}: {TYPES.get(t, t) if t else P}" for n, _, t in parts)
    end = "    tt.return\n" if ends else ""
    text = (
        f"module {{\n  tt.func public @{name}({typed}) {{\n{CONSTANTS}{body}{end}  }}\n"
        f"{functions}}}\n"
    )
    KERNELS.append(Kernel(name, text, read, write, unknown_read, unknown_write, side_effects, runs))


TYPES = {
    "pi8": "!tt.ptr<i8>",
    "pi32": "!tt.ptr<i32>",
    "pi64": "!tt.ptr<i64>",
    "pp": "!tt.ptr<!tt.ptr<f32>>",
    "ppp": "!tt.ptr<!tt.ptr<!tt.ptr<f32>>>",
    "desc": "!tt.tensordesc<4x4xf32>",
}

CONSTANTS = """    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c16 = arith.constant 16 : i32
    %c128 = arith.constant 128 : i32
    %l0 = arith.constant 0 : i64
    %l1 = arith.constant 1 : i64
    %l4 = arith.constant 4 : i64
    %l8 = arith.constant 8 : i64
    %f1 = arith.constant 1.0 : f32
    %yes = arith.constant true
    %no = arith.constant false
    %ones = arith.constant dense<1.0> : tensor<4xf32>
    %tile = arith.constant dense<1.0> : tensor<4x4xf32>
    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %pid = tt.get_program_id x : i32
    %base = arith.muli %pid, %c4 : i32
    %bases = tt.splat %base : i32 -> tensor<4xi32>
    %o = arith.addi %bases, %r : tensor<4xi32>
"""
"""What every kernel may use: offsets `%o` of the program's four elements, and numbers."""


def at(pointer: str, result: str = "", offsets: str = "%o") -> str:
    """Return ops that make a tensor of four pointers `%{result}` from a scalar one."""
    result = result or f"{pointer}s"
    return (
        f"    %{result}_0 = tt.splat %{pointer} : {P} -> {P4}\n"
        f"    %{result} = tt.addptr %{result}_0, {offsets} : {P4}, tensor<4xi32>\n"
    )


def load(pointer: str, result: str) -> str:
    return at(pointer, f"{result}_p") + f"    %{result} = tt.load %{result}_p : {P4}\n"


def store(pointer: str, value: str = "ones") -> str:
    return at(pointer, f"{pointer}_to_{value}") + (
        f"    tt.store %{pointer}_to_{value}, %{value} : {P4}\n"
    )


def mask(name: str, count: str) -> str:
    return (
        f"    %{name}_n = tt.splat %{count} : i32 -> tensor<4xi32>\n"
        f"    %{name} = arith.cmpi slt, %o, %{name}_n : tensor<4xi32>\n"
    )
