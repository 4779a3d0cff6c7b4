"""FileCheck on a string, by the `filecheck` package."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

from filecheck.error import CheckError
from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.ops import CheckOp
from filecheck.options import parse_argv_options
from filecheck.parser import Parser


class _Matcher(Matcher):
    """`filecheck` reads `--enable-var-scope` but does not act on it."""

    def check_label(self, op: CheckOp) -> None:
        super().check_label(op)
        if self.opts.enable_var_scope:
            self.purge_variables()


def run_filecheck(arguments: Sequence[str], text: str) -> tuple[int, str]:
    """Return exit code and messages of FileCheck with `arguments`, reading `text`."""
    messages = io.StringIO()
    with redirect_stdout(messages), redirect_stderr(messages):
        try:
            options = parse_argv_options(["filecheck", *arguments])
            if options.input_file != "-":
                source = FInput.from_opts(options)
            else:
                source = FInput("-", FInput.canonicalize_line_ends(text))
            code = _Matcher(options, source, Parser.from_opts(options)).run()
        except (CheckError, NotImplementedError, RuntimeError, OSError, ValueError) as e:
            messages.write(f"filecheck: {e}\n")
            code = 2
    return code, messages.getvalue()
