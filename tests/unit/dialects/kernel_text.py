"""Kernels of one line, in which one rule is broken."""


def kernel(header: str, arguments: str, line: str, ctas: int = 1, rest: str = "") -> str:
    """Return a function of `arguments` that consists of `line`, below `header`'s aliases."""
    attributes = (
        f'"ttg.num-ctas" = {ctas} : i32, "ttg.num-warps" = 4 : i32, '
        f'"ttg.threads-per-warp" = 32 : i32{rest}'
    )
    return (
        f"{header}module attributes {{{attributes}}} {{\n"
        f"tt.func @f({arguments}) {{\n{line}\ntt.return\n}}\n}}"
    )
