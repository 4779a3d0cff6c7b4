"""
What notebooks show of modules, accesses, effects, layouts, verdicts and compiled kernels.

    %load_ext xtriton

is needed for Triton's own compiled kernels alone; everything else of xtriton has `_repr_html_`.
The HTML has its own style, no scripts, and is legible on light and dark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

if TYPE_CHECKING:
    from rich.console import Console

    from xtriton.analysis.accesses import Access, AccessList
    from xtriton.analysis.effects import KernelEffects
    from xtriton.cpu.kernel import Kernel
    from xtriton.judge.verdicts import Equivalence
    from xtriton.layouts.linear import LinearLayout

STYLE = """
.xt { background: #fff; color: #1c2733; padding: .6em .8em; border-radius: 4px; max-width: 1000px;
  overflow: auto; --word: #9a3e12; --type: #1f6a8c; --number: #75541a; --quote: #2a7340;
  --note: #66737f; --good: #2a7340; --bad: #b3261e; }
.xt pre, .xt summary { font: 12px/1.4 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  color: inherit; background: none; margin: 0; white-space: pre; }
.xt summary { cursor: pointer; } .xt details > :last-child { margin-bottom: 0; }
.xt .word { color: var(--word); } .xt .type { color: var(--type); }
.xt .number { color: var(--number); } .xt .quote { color: var(--quote); }
.xt .note { color: var(--note); } .xt .good { color: var(--good); } .xt .bad { color: var(--bad); }
@media (prefers-color-scheme: dark) { .xt { background: #14191f; color: #e4eaf0; --word: #f0a07a;
  --type: #7fc4e6; --number: #e0bd7c; --quote: #84d09b; --note: #93a3b2; --good: #84d09b;
  --bad: #ff8a80; } }
"""

MOST_LINES = 40
"""Of a text that is shown unfolded as a whole."""

MOST_ELEMENTS = 4096
"""Of a layout that is drawn; of a larger one the bases are told."""


def html_of(shown: object) -> str:
    """Return an object as HTML; what there is no picture of, as its text."""
    drawers = _drawers()
    for cls in type(shown).__mro__:
        if (draw := drawers.get(cls.__name__)) is not None:
            return _framed(draw(shown))
    return _framed(f"<pre>{escape(str(shown))}</pre>")


def _drawers() -> dict[str, Callable[[Any], str]]:
    return {
        "Operation": _operation,
        "Access": lambda access: _accesses([access]),
        "AccessList": _accesses,
        "KernelEffects": _effects,
        "LinearLayout": _layout,
        "Equivalence": _verdict,
        "Kernel": _native_kernel,
        "CompiledKernel": _compiled_kernel,
    }


def _framed(body: str) -> str:
    return f'<div class="xt"><style>{STYLE}</style>{body}</div>'


def load_ipython_extension(shell: Any) -> None:
    """Let a notebook show Triton's compiled kernels; `%load_ext xtriton` calls this."""
    formatter = shell.display_formatter.formatters["text/html"]
    formatter.for_type_by_name("triton.compiler.compiler", "CompiledKernel", html_of)


# --- text of IR -----------------------------------------------------------------------


def _operation(op: Operation) -> str:
    from xtriton.api import print as text_of

    return ir_html(text_of(op) if isinstance(op, ModuleOp) else str(op))


def ir_html(text: str) -> str:
    """Return IR highlighted; what stands in braces folds, in a long text all but functions."""
    lines = text.splitlines()
    is_long = len(lines) > MOST_LINES
    parts: list[str] = []
    plain: list[str] = []
    depth = 0

    def flush() -> None:
        if plain:
            parts.append(f"<pre>{highlighted(chr(10).join(plain))}</pre>")
            plain.clear()

    for line, opens, closes in _folds(lines):
        if closes:
            flush()
            parts.append("</details>")
            depth -= 1
        if opens:
            flush()
            unfolded = not is_long or depth < 2
            shown = " open" if unfolded else ""
            parts.append(f"<details{shown}><summary>{highlighted(line)}</summary>")
            depth += 1
        else:
            plain.append(line)
    flush()
    return "".join(parts) + "</details>" * depth


def _folds(lines: Sequence[str]) -> Iterator[tuple[str, bool, bool]]:
    """Yield each line with whether a fold opens at it, and whether one closes before it."""
    depth = 0
    for line in lines:
        closes = depth > 0 and line.lstrip().startswith("}")
        opens = line.rstrip().endswith("{")
        depth += opens - closes
        yield line, opens, closes


def highlighted(text: str) -> str:
    """Return IR as HTML with the classes of `STYLE` around words, types, numbers and notes."""
    parts: list[str] = []
    for token, value in _lexer().get_tokens(text):
        css = _CLASSES.get(str(token))
        parts.append(f'<span class="{css}">{escape(value)}</span>' if css else escape(value))
    return "".join(parts)


_CLASSES = {
    "Token.Keyword": "word",
    "Token.Keyword.Type": "type",
    "Token.Literal.Number": "number",
    "Token.Literal.String": "quote",
    "Token.Comment": "note",
}


def _lexer() -> Any:
    from pygments import token
    from pygments.lexer import RegexLexer

    class Lexer(RegexLexer):
        """The words of MLIR's text that help to read it."""

        tokens = {
            "root": [
                (r'"(?:[^"\\]|\\.)*"', token.String),
                (r"//[^\n]*|loc\(#?\w*\)|#loc\w*", token.Comment),
                (r"[%@^][\w.$#-]+", token.Name),
                (
                    r"!?\b(?:tensor|vector|memref)(?=<)|![\w.]+|\b(?:[iuf]\d+|bf16|index)\b",
                    token.Keyword.Type,
                ),
                (r"#[\w.$]+", token.Keyword.Type),
                (r"\b[a-z_]\w*\.[a-z_][\w.]*|\bmodule\b|\bdense\b", token.Keyword),
                (r"-?\b\d[\w.+]*", token.Number),
                (r"\w+|\s+|.", token.Text),
            ]
        }

    return Lexer(stripnl=False, ensurenl=False)


# --- what tools draw ------------------------------------------------------------------


def _accesses(shown: AccessList | Sequence[Access]) -> str:
    from xtriton.analysis.report import one_line
    from xtriton.tools.access_picture import picture

    if not shown:
        return "<pre>no access to memory</pre>"
    root = _root(shown[0].op)
    lines = [f"{access!r}\n    {one_line(access)}" for access in shown]
    text = f"<pre>{escape(chr(10).join(lines))}</pre>"
    if not isinstance(root, ModuleOp):
        return text  # the op is in no module any more
    drawn = picture(root, {}, only={access.op for access in shown})
    return f"{drawn}<details><summary>as text</summary>{text}</details>"


def _root(op: Operation) -> Operation:
    while (parent := op.parent_op()) is not None:
        op = parent
    return op


def _effects(record: KernelEffects) -> str:
    from xtriton.tools.effects_tables import print_record

    return _told(lambda console: print_record(record, None, {}, console))


def _layout(layout: LinearLayout) -> str:
    from xtriton.tools.layout_tables import Owners, picture

    bases = f"<pre>{escape(str(layout))}</pre>"
    names = {*layout.in_names}
    if 1 << layout.total_out_bits > MOST_ELEMENTS or not (
        {"register", "lane"} <= names or "offset" in names
    ):
        return bases
    shape = "x".join(map(str, layout.out_shape))
    drawn = picture([f"a tensor of {shape}"], [Owners(layout)])
    return f"{drawn}<details><summary>as a linear layout</summary>{bases}</details>"


def _verdict(verdict: Equivalence) -> str:
    css = "good" if verdict else "bad"
    return f'<pre class="{css}">{escape(verdict.render())}</pre>'


def _native_kernel(kernel: Kernel) -> str:
    rows = [("arguments", ", ".join(kernel.code.names) or str(len(kernel.code.arguments)))]
    rows.append(("compiled", _seconds(kernel)))
    head = "".join(f"{name:10} {escape(value)}\n" for name, value in rows)
    return f"<pre><b>{escape(kernel.code.name)}</b>, native code\n{head}</pre>" + _folded(
        "LLVM IR", kernel.code.text
    )


def _seconds(kernel: Kernel) -> str:
    if kernel.from_cache:
        return f"from the cache, loaded in {kernel.seconds.load * 1000:.1f} ms"
    return (
        f"{kernel.seconds.emit * 1000:.0f} ms to LLVM IR, {kernel.seconds.llvm * 1000:.0f} ms LLVM"
    )


def _compiled_kernel(kernel: Any) -> str:
    """Return a compiled kernel of Triton's: what it is for, and every stage folded."""
    metadata: Any = kernel.metadata
    facts = [
        f"{name} {getattr(metadata, name)}"
        for name in ("num_warps", "num_stages", "num_ctas", "shared")
        if hasattr(metadata, name)
    ]
    name = escape(str(getattr(metadata, "name", "kernel")))
    target = escape(str(getattr(metadata, "target", "")))
    parts = [f"<pre><b>{name}</b> for {target}\n{escape(', '.join(facts))}</pre>"]
    stages = cast(dict[str, Any], kernel.asm)
    for stage, code in stages.items():
        if isinstance(code, str):
            parts.append(_folded(stage, code))
        else:
            parts.append(f"<pre>{escape(stage)}: {len(code):,} bytes</pre>")
    return "".join(parts)


def _folded(heading: str, text: str) -> str:
    lines = len(text.splitlines())
    return (
        f"<details><summary>{escape(heading)}, {lines} lines</summary>"
        f"<pre>{escape(text)}</pre></details>"
    )


def _told(tell: Callable[[Console], None]) -> str:
    """Return what is printed on a console, as HTML with colours that light and dark can have."""
    from io import StringIO

    from rich.console import Console
    from rich.terminal_theme import TerminalTheme

    console = Console(record=True, file=StringIO(), width=120, force_jupyter=False)
    tell(console)
    grey = (120, 133, 146)
    colours = [grey, (200, 70, 60), (60, 150, 85), (170, 125, 30), (70, 125, 200)]
    theme = TerminalTheme(grey, grey, [*colours, grey, grey, grey])
    return console.export_html(theme=theme, code_format="<pre>{code}</pre>", inline_styles=True)
