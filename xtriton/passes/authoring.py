"""
Writing a pass in a dozen lines.

    import xtriton as xt
    from xtriton.dialects.upstream.arith import MuliOp

    @xt.rewrite_pattern
    def square(op: MuliOp, rewriter: xt.PatternRewriter) -> None:
        if op.lhs is op.rhs:
            ...

    @xt.module_pass("my-pass")
    def my_pass(module, limit: int = 8):
        "What it does."
        xt.apply_patterns(module, square)

The pass is then known to `xt.run_passes` and, in a file given as `--load-pass-plugin`, to
`xtriton-opt`, where its flag is `--my-pass=limit=4`.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable
from types import UnionType
from typing import Any, Union, get_args, get_origin

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from xtriton.errors import UserError
from xtriton.passes.rewriting import PatternRewriter, RewritePattern, rewrite_greedily
from xtriton.universe import register_pass

Rewrite = Callable[[Any, PatternRewriter], None]


class FunctionPattern(RewritePattern):
    """A pattern made of a function; matches the ops that its first annotation names."""

    def __init__(self, function: Rewrite):
        self.function = function
        self.op_types = _matched_types(function)
        self.__doc__ = function.__doc__

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if isinstance(op, self.op_types):
            self.function(op, rewriter)

    def __call__(self, op: Operation, rewriter: PatternRewriter) -> None:
        self.function(op, rewriter)


def rewrite_pattern(function: Rewrite) -> FunctionPattern:
    """
    Make a pattern of `function(op, rewriter)`.

    The annotation of `op` says which ops are given to it: a class, a union, or `Operation`.
    """
    return FunctionPattern(function)


def apply_patterns(module: Operation, *patterns: RewritePattern) -> bool:
    """Apply patterns to everything inside `module` until none matches; return if any did."""
    for pattern in patterns:
        if not isinstance(pattern, RewritePattern):  # pyright: ignore[reportUnnecessaryIsInstance]
            what = getattr(pattern, "__name__", type(pattern).__name__)
            raise TypeError(f"'{what}' is no pattern: @rewrite_pattern makes one of a function")
    return rewrite_greedily(module, patterns)


def module_pass(name: str) -> Callable[[Callable[..., None]], type[ModulePass]]:
    """
    Make a pass called `name` of `function(module, **options)` and register it.

    Further parameters of the function, which need a type and may have a default, are the
    options of the pass; one called `context` is given xDSL's context instead.
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError('module_pass is given the name of the pass: @module_pass("my-pass")')
    if re.fullmatch(r"\w[\w.-]*", name) is None:
        raise UserError(f"'{name}' cannot be the name of a pass: it is not like 'my-pass'")

    def decorate(function: Callable[..., None]) -> type[ModulePass]:
        cls = _pass_of(name, function)
        register_pass(cls)
        return cls

    return decorate


def _pass_of(name: str, function: Callable[..., None]) -> type[ModulePass]:
    parameters = list(inspect.signature(function, eval_str=True).parameters.values())
    if not parameters:
        raise UserError(f"the pass '{name}' needs a parameter for the module")
    options = [p for p in parameters[1:] if p.name != "context"]
    takes_context = len(options) < len(parameters) - 1

    def apply(self: ModulePass, ctx: Context, op: ModuleOp) -> None:
        values = {option.name: getattr(self, option.name) for option in options}
        if takes_context:
            values["context"] = ctx
        function(op, **values)

    class_name = "".join(word.capitalize() for word in name.split("-")) + "Pass"
    cls = dataclasses.make_dataclass(
        class_name,
        [_option_field(option) for option in options],
        bases=(ModulePass,),
        namespace={
            "name": name,
            "apply": apply,
            "__doc__": inspect.getdoc(function) or f"The pass `{name}`.",
        },
        frozen=True,
    )
    # Since Python 3.12 `make_dataclass` sets the module itself, to this one.
    cls.__module__ = function.__module__
    return cls


def _option_field(parameter: inspect.Parameter) -> tuple[str, Any, Any]:
    annotation: Any = parameter.annotation
    default: Any = parameter.default
    if default is inspect.Parameter.empty:
        return parameter.name, annotation, dataclasses.field()
    if annotation is inspect.Parameter.empty:
        annotation = type(default)  # pyright: ignore[reportUnknownVariableType]
    return parameter.name, annotation, dataclasses.field(default=default)


def _matched_types(function: Rewrite) -> tuple[type[Operation], ...]:
    parameters = list(inspect.signature(function, eval_str=True).parameters.values())
    if len(parameters) != 2:
        raise UserError("a rewrite pattern is a function of an op and a rewriter")
    annotation = parameters[0].annotation
    if annotation is inspect.Parameter.empty:
        return (Operation,)
    is_union = get_origin(annotation) in (Union, UnionType)
    types = get_args(annotation) if is_union else (annotation,)
    if not all(isinstance(t, type) and issubclass(t, Operation) for t in types):
        raise UserError("a rewrite pattern's first parameter is annotated with op classes")
    return types
