"""FileCheck on a string, by the `filecheck` package."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace

from filecheck.error import CheckError
from filecheck.finput import FInput, InputRange
from filecheck.matcher import Matcher
from filecheck.ops import CheckOp
from filecheck.options import parse_argv_options
from filecheck.parser import Parser

_OF_MESSAGES = ("dump-input", "dump-input-context", "dump-input-filter", "color")
"""Options of LLVM's FileCheck that have a value and only say how to show a failure."""
_FLAGS_OF_MESSAGES = ("v", "vv", "color", "allow-unused-prefixes")


class _Matcher(Matcher):
    """
    The matcher of `filecheck`, held to what LLVM's FileCheck does.

    - `--enable-var-scope` forgets variables at each label.
    - What a `-NOT` excludes ends where the next match begins, not where that ends.
    - The next match of a `-NEXT` has to be on the next line: its first one is taken.
    """

    _first_match: int | None = None
    """Where what the current directive has matched begins."""

    def check_label(self, op: CheckOp) -> None:
        super().check_label(op)
        if self.opts.enable_var_scope:
            self.purge_variables()

    def match_immediately(self, op: CheckOp) -> None:
        here = self.file.range.start
        self.match_eventually(replace(op, name="CHECK"))
        assert self._first_match is not None
        if here and self.file.content.count("\n", here, self._first_match) != 1:
            raise CheckError(f'Couldn\'t match "{op.arg}" on the next line.', op)

    def capture_results(
        self,
        match: re.Match[str],
        capture: dict[str, tuple[int, Callable[[str], int] | Callable[[str], str]]],
        op: CheckOp,
    ) -> None:
        if self._first_match is None:
            self._first_match = match.start()
        super().capture_results(match, capture, op)

    def _pre_check(self, op: CheckOp) -> None:
        self._first_match = None
        is_next = op.name == "NEXT"
        # `filecheck` moves to the end of the line first, where matches before it get lost.
        super()._pre_check(replace(op, name="CHECK") if is_next else op)

    def _post_check(self, op: CheckOp) -> None:
        start = self.ctx.negative_matches_start
        if op.name not in ("NOT", "DAG") and start is not None and self._first_match is not None:
            for check in self.ctx.negative_matches_stack:
                self.check_not(check, InputRange(start, self._first_match))
            self.ctx.negative_matches_start = None
            self.ctx.negative_matches_stack = []
        super()._post_check(op)


@dataclass
class _ImplicitNots(Parser):
    """
    The directives of a file, with what must not be anywhere else between them.

    As in LLVM's FileCheck: between two directives, if neither is a `-NOT` or `-DAG`.
    """

    patterns: Sequence[str] = ()
    pending: list[CheckOp] = field(default_factory=list[CheckOp])
    started: bool = False

    def __next__(self) -> CheckOp:
        if not self.started:
            self.started = True
            self.pending.extend(self._nots(1))
        if self.pending:
            return self.pending.pop(0)
        op = super().__next__()
        if op.name not in ("NOT", "DAG"):
            self.pending.extend(self._nots(op.source_line))
        return op

    def _nots(self, line: int) -> Iterator[CheckOp]:
        for pattern in self.patterns:
            uops = self.parse_args(pattern, pattern)
            yield CheckOp("IMPLICIT-CHECK", "NOT", pattern, line, uops)


def run_filecheck(arguments: Sequence[str], text: str) -> tuple[int, str]:
    """Return exit code and messages of FileCheck with `arguments`, reading `text`."""
    messages = io.StringIO()
    with redirect_stdout(messages), redirect_stderr(messages):
        try:
            own, nots = _split_arguments(arguments)
            options = parse_argv_options(["filecheck", *own])
            if options.input_file != "-":
                source = FInput.from_opts(options)
            else:
                source = FInput("-", FInput.canonicalize_line_ends(text))
            parser = Parser.from_opts(options)
            if nots:
                parser = _ImplicitNots(
                    options,
                    parser.input,
                    parser.check_line_regexp,
                    parser.comment_line_regexp,
                    patterns=nots,
                )
            code = _Matcher(options, source, parser).run()
        except (CheckError, NotImplementedError, RuntimeError, OSError, ValueError) as e:
            messages.write(f"filecheck: {e}\n")
            code = 2
    return code, messages.getvalue()


def _split_arguments(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the arguments that `filecheck` knows, and the patterns of `--implicit-check-not`."""
    own, nots = list[str](), list[str]()
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        name, equals, value = argument.lstrip("-").partition("=")
        if not argument.startswith("-") or argument == "-":
            own.append(argument)
        elif name == "implicit-check-not":
            nots.append(value if equals else rest.pop(0))
        elif name in _FLAGS_OF_MESSAGES and not equals:
            continue
        elif name in _OF_MESSAGES:
            if not equals:
                rest.pop(0)
        else:
            own.append(argument)
    return own, nots
