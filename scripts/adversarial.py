"""
Makes valid modules that are hard: sharing, long chains, wide blocks, many regions or functions.

    python scripts/adversarial.py KIND SIZE > module.mlir

Text of exponential size when written out in full, formulas that double with each op, and the
like. `fuzz_tools.py` runs all tools and passes on such modules.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

Maker = Callable[[int], str]
"""Makes the text of a module of about that size."""

KERNEL = "tt.func public @k(%p: !tt.ptr<f32>, %x: i32, %y: i32, %c: i1) {"
USE = (
    "%loaded = tt.load {0} : !tt.ptr<f32>",
    "tt.store {0}, %loaded : !tt.ptr<f32>",
    "tt.return",
    "}",
)


def _kernel(body: Iterable[str], pointer: str = "%p", head: Iterable[str] = ()) -> str:
    use = (line.replace("{0}", pointer) for line in USE)
    return "\n".join((*head, "module {", KERNEL, *body, *use, "}", ""))


def _chain(size: int, step: str, first: str = "%x") -> str:
    """Return a kernel of steps of integers, each made of the one `{0}` before, of number `{n}`."""
    body = [f"%a0 = arith.addi {first}, %y : i32"]
    for n in range(size):
        lines = step.replace("{0}", f"%a{n}").replace("{1}", f"%a{n + 1}").replace("{n}", str(n))
        body += lines.split("; ")
    body.append(f"%q = tt.addptr %p, %a{size} : !tt.ptr<f32>, i32")
    return _kernel(body, "%q")


def sums(size: int) -> str:
    """A chain of sums of a value and another."""
    return _chain(size, "{1} = arith.addi {0}, %x : i32")


def doublings(size: int) -> str:
    """A chain of sums of a value and itself: the factor has as many bits as there are ops."""
    return _chain(size, "{1} = arith.addi {0}, {0} : i32")


def squarings(size: int) -> str:
    """A chain of squares of a sum: the degree doubles with each op."""
    return _chain(size, "{1} = arith.muli {0}, {0} : i32")


def constant_squarings(size: int) -> str:
    """A chain of squares of a number: its digits double with each op."""
    body = ["%a0 = arith.constant 3 : i32"]
    body += [f"%a{n + 1} = arith.muli %a{n}, %a{n} : i32" for n in range(size)]
    body.append(f"%q = tt.addptr %p, %a{size} : !tt.ptr<f32>, i32")
    return _kernel(body, "%q")


def quotients(size: int) -> str:
    """A chain of remainders and quotients of each other."""
    step = "%r{n} = arith.remsi {0}, %x : i32; %d{n} = arith.divsi {0}, %y : i32; "
    return _chain(size, step + "{1} = arith.addi %r{n}, %d{n} : i32")


def minima(size: int) -> str:
    """A chain of minima and maxima of sums of the same value."""
    step = "%u{n} = arith.addi {0}, %x : i32; %v{n} = arith.subi {0}, %y : i32; "
    step += "%m{n} = arith.minsi %u{n}, %v{n} : i32; %n{n} = arith.maxsi %u{n}, %v{n} : i32; "
    return _chain(size, step + "{1} = arith.muli %m{n}, %n{n} : i32")


def bits(size: int) -> str:
    """A chain of fields of a value put together otherwise."""
    step = "%m{n} = arith.andi {0}, %x : i32; %s{n} = arith.xori {0}, %y : i32; "
    return _chain(size, step + "{1} = arith.ori %m{n}, %s{n} : i32")


def choices(size: int) -> str:
    """A chain of choices of integers by comparisons of the value before."""
    step = "%k{n} = arith.constant {n} : i32; %c{n} = arith.cmpi slt, {0}, %k{n} : i32; "
    step += "%u{n} = arith.addi {0}, %x : i32; %v{n} = arith.muli {0}, %y : i32; "
    return _chain(size, step + "{1} = arith.select %c{n}, %u{n}, %v{n} : i32")


def exclusives(size: int) -> str:
    """A chain of exclusive ors of conditions that decides on a load."""
    body = ["%b0 = arith.cmpi slt, %x, %y : i32"]
    for n in range(size):
        body += [
            f"%k{n} = arith.constant {n} : i32",
            f"%d{n} = arith.cmpi sgt, %x, %k{n} : i32",
            f"%b{n + 1} = arith.xori %b{n}, %d{n} : i1",
        ]
    body.append(f"%masked = tt.load %p, %b{size} : !tt.ptr<f32>")
    return _kernel(body)


def pointer_choices(size: int) -> str:
    """A chain of choices of pointers, each from two that the last one leads to."""
    body: list[str] = []
    for n in range(size):
        before = f"%a{n}" if n else "%p"
        body += [
            f"%k{n} = arith.constant {n} : i32",
            f"%c{n} = arith.cmpi slt, %x, %k{n} : i32",
            f"%u{n} = tt.addptr {before}, %x : !tt.ptr<f32>, i32",
            f"%v{n} = tt.addptr {before}, %y : !tt.ptr<f32>, i32",
            f"%a{n + 1} = arith.select %c{n}, %u{n}, %v{n} : !tt.ptr<f32>",
        ]
    return _kernel(body, f"%a{size}" if size else "%p")


def loaded_choices(size: int) -> str:
    """As `pointer_choices`, over tensors, by conditions that are loaded."""
    pointers = "tensor<8x!tt.ptr<f32>>"
    body = [
        "%sx = tt.splat %x : i32 -> tensor<8xi32>",
        "%sy = tt.splat %y : i32 -> tensor<8xi32>",
        f"%a0 = tt.splat %p : !tt.ptr<f32> -> {pointers}",
        "%zero = arith.constant dense<0.0> : tensor<8xf32>",
    ]
    for n in range(size):
        body += [
            f"%w{n} = tt.load %a{n} : {pointers}",
            f"%c{n} = arith.cmpf olt, %w{n}, %zero : tensor<8xf32>",
            f"%u{n} = tt.addptr %a{n}, %sx : {pointers}, tensor<8xi32>",
            f"%v{n} = tt.addptr %a{n}, %sy : {pointers}, tensor<8xi32>",
            f"%a{n + 1} = arith.select %c{n}, %u{n}, %v{n} : tensor<8xi1>, {pointers}",
        ]
    return _kernel([*body, f"tt.store %a{size}, %zero : {pointers}"])


def calls(size: int) -> str:
    """Functions each of which calls the next one twice."""
    signature = "(%p: !tt.ptr<f32>, %n: i32)"
    text = ["module {"]
    for n in range(size):
        visibility = "private" if n else "public"
        call = f"tt.call @f{n + 1}(%q, %n) : (!tt.ptr<f32>, i32) -> ()"
        text += [
            f"tt.func {visibility} @f{n}{signature} {{",
            "%q = tt.addptr %p, %n : !tt.ptr<f32>, i32",
            *(call, call, "tt.return", "}"),
        ]
    visibility = "private" if size else "public"
    text += [f"tt.func {visibility} @f{size}{signature} {{", *(s.replace("{0}", "%p") for s in USE)]
    return "\n".join((*text, "}", ""))


def functions(size: int) -> str:
    """Many functions that do the same."""
    text = ["module {"]
    for n in range(size):
        text.append(f"tt.func public @f{n}(%p: !tt.ptr<f32>) {{")
        text += (line.replace("{0}", "%p") for line in USE)
    return "\n".join((*text, "}", ""))


def call_sites(size: int) -> str:
    """Locations each of which is the one before, called from itself."""
    head = ['#l0 = loc("a.py":1:1)']
    head += [f"#l{n + 1} = loc(callsite(#l{n} at #l{n}))" for n in range(size)]
    return _kernel([f"%u = arith.addi %x, %y : i32 loc(#l{size})"], head=head)


def fused(size: int) -> str:
    """Locations each of which fuses the one before with itself."""
    head = ["#l0 = loc(unknown)"]
    head += [f"#l{n + 1} = loc(fused[#l{n}, #l{n}])" for n in range(size)]
    return _kernel([f"%u = arith.addi %x, %y : i32 loc(#l{size})"], head=head)


def lists(size: int) -> str:
    """Attributes each of which is a list of the one before, twice."""
    aliases = ["#b0 = [1, 2]", *(f"#b{n + 1} = [#b{n}, #b{n}]" for n in range(size))]
    module = f"module attributes {{tt.x = #b{size}}} {{"
    return "\n".join((*aliases, module, KERNEL, "tt.return", "}", "}", ""))


def dictionaries(size: int) -> str:
    """Attributes each of which is a dictionary of the one before, twice; and a second such."""
    aliases: list[str] = []
    for name in "bc":
        aliases.append(f"#{name}0 = {{l = 1 : i32}}")
        aliases += [f"#{name}{n + 1} = {{l = #{name}{n}, r = #{name}{n}}}" for n in range(size)]
    module = f"module attributes {{tt.x = #b{size}, tt.y = #c{size}}} {{"
    return "\n".join((*aliases, module, KERNEL, "tt.return", "}", "}", ""))


def tuples(size: int) -> str:
    """Types each of which is a tuple of the one before, twice."""
    aliases = ["!t0 = i32", *(f"!t{n + 1} = tuple<!t{n}, !t{n}>" for n in range(size))]
    rest = ("module {", f"func.func private @f(!t{size})", KERNEL, "tt.return", "}", "}", "")
    return "\n".join((*aliases, *rest))


def function_types(size: int) -> str:
    """Types each of which is of functions from the one before to itself."""
    aliases = ["!t0 = i32", *(f"!t{n + 1} = (!t{n}) -> !t{n}" for n in range(size))]
    rest = ("module {", f"func.func private @f(!t{size})", KERNEL, "tt.return", "}", "}", "")
    return "\n".join((*aliases, *rest))


def dimensions(size: int) -> str:
    """A tensor of many dimensions."""
    type = f"tensor<{'1x' * size}f32>"
    return f"module {{\ntt.func public @k(%a: {type}) {{\ntt.return\n}}\n}}\n"


def loops(size: int) -> str:
    """Loops inside each other, which all carry a pointer and an integer."""
    carried = "-> (!tt.ptr<f32>, i32) : i32 {"
    body = ["%zero = arith.constant 0 : i32", "%one = arith.constant 1 : i32"]
    for n in range(size):
        q, s = (f"%q{n - 1}", f"%s{n - 1}") if n else ("%p", "%x")
        header = f"scf.for %i{n} = %zero to %y step %one iter_args(%q{n} = {q}, %s{n} = {s})"
        body.append(f"%r{n}:2 = {header} {carried}")
    for n in reversed(range(size)):
        q, s = (f"%r{n + 1}#0", f"%r{n + 1}#1") if n < size - 1 else (f"%q{n}", f"%s{n}")
        body += [
            f"%u{n} = tt.addptr {q}, {s} : !tt.ptr<f32>, i32",
            f"%v{n} = arith.addi {s}, %i{n} : i32",
            f"scf.yield %u{n}, %v{n} : !tt.ptr<f32>, i32",
            "}",
        ]
    return _kernel(body, "%r0#0" if size else "%p")


def branches(size: int) -> str:
    """Branches inside each other, each of which may move a pointer."""
    body = [f"%r{n} = scf.if %c -> (!tt.ptr<f32>) {{" for n in range(size)]
    for n in reversed(range(size)):
        inner = f"%r{n + 1}" if n < size - 1 else "%p"
        body += [
            f"%u{n} = tt.addptr {inner}, %x : !tt.ptr<f32>, i32",
            f"scf.yield %u{n} : !tt.ptr<f32>",
            "} else {",
            "scf.yield %p : !tt.ptr<f32>",
            "}",
        ]
    return _kernel(body, "%r0" if size else "%p")


def branches_in_a_row(size: int) -> str:
    """Branches one after the other, each of which may move a pointer."""
    body: list[str] = []
    for n in range(size):
        before = f"%r{n - 1}" if n else "%p"
        body += [
            f"%r{n} = scf.if %c -> (!tt.ptr<f32>) {{",
            f"%u{n} = tt.addptr {before}, %x : !tt.ptr<f32>, i32",
            f"scf.yield %u{n} : !tt.ptr<f32>",
            "} else {",
            f"%v{n} = tt.addptr {before}, %y : !tt.ptr<f32>, i32",
            f"scf.yield %v{n} : !tt.ptr<f32>",
            "}",
        ]
    return _kernel(body, f"%r{size - 1}" if size else "%p")


def blocks(size: int) -> str:
    """A graph of blocks, each of which leads to the next two."""
    body = ["cf.br ^b0(%p : !tt.ptr<f32>)"]
    for n in range(size):
        after = min(n + 2, size)
        body += [
            f"^b{n}(%q{n}: !tt.ptr<f32>):",
            f"%u{n} = tt.addptr %q{n}, %x : !tt.ptr<f32>, i32",
            f"cf.cond_br %c, ^b{n + 1}(%u{n} : !tt.ptr<f32>), ^b{after}(%q{n} : !tt.ptr<f32>)",
        ]
    return _kernel([*body, f"^b{size}(%q{size}: !tt.ptr<f32>):"], f"%q{size}")


def accesses(size: int) -> str:
    """Many loads and stores of a block, one after the other."""
    ints, pointers = "tensor<64xi32>", "tensor<64x!tt.ptr<f32>>"
    body = [
        f"%r = tt.make_range {{end = 64 : i32, start = 0 : i32}} : {ints}",
        f"%s = tt.splat %p : !tt.ptr<f32> -> {pointers}",
    ]
    for n in range(size):
        body += [
            f"%k{n} = arith.constant {64 * n} : i32",
            f"%b{n} = tt.splat %k{n} : i32 -> {ints}",
            f"%o{n} = arith.addi %r, %b{n} : {ints}",
            f"%q{n} = tt.addptr %s, %o{n} : {pointers}, {ints}",
            f"%v{n} = tt.load %q{n} : {pointers}",
            f"tt.store %q{n}, %v{n} : {pointers}",
        ]
    return _kernel(body)


def pointers_in_memory(size: int) -> str:
    """Pointers that are stored and loaded again, one through the other."""
    body = ["%a0 = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i64>"]
    for n in range(size):
        body += [
            f"%m{n} = tt.load %a{n} : !tt.ptr<i64>",
            f"%i{n} = tt.int_to_ptr %m{n} : i64 -> !tt.ptr<i64>",
            f"%j{n} = tt.ptr_to_int %i{n} : !tt.ptr<i64> -> i64",
            f"tt.store %i{n}, %j{n} : !tt.ptr<i64>",
            f"%a{n + 1} = tt.addptr %i{n}, %x : !tt.ptr<i64>, i32",
        ]
    return _kernel(body)


KINDS: dict[str, Maker] = {
    maker.__name__: maker
    for maker in (
        sums,
        doublings,
        squarings,
        constant_squarings,
        quotients,
        minima,
        bits,
        choices,
        exclusives,
        pointer_choices,
        loaded_choices,
        calls,
        functions,
        call_sites,
        fused,
        lists,
        dictionaries,
        tuples,
        function_types,
        dimensions,
        loops,
        branches,
        branches_in_a_row,
        blocks,
        accesses,
        pointers_in_memory,
    )
}
"""By name."""


if __name__ == "__main__":
    sys.stdout.write(KINDS[sys.argv[1]](int(sys.argv[2])))
