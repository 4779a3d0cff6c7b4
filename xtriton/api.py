"""The functions of `import xtriton as xt` that have no better home."""

from __future__ import annotations

from functools import partial

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from xtriton import universe
from xtriton.ir.parser import parse_module, position_of
from xtriton.ir.printer import print_module
from xtriton.ir.verifier import verify as verify_module
from xtriton.ir.versions import parse_version
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline

__all__ = ["parse", "print", "run_passes", "verify"]


def parse(text: str, *, file: str = "<string>", context: Context | None = None) -> ModuleOp:
    """
    Return the module that `text`, in the syntax of any Triton since 3.1, describes.

    Raises `xtriton.UserError` with file, line and column where it is not well-formed or
    breaks a rule of an op.
    """
    _check_type(text, str, "parse takes the text of a module")
    _check_type(context, (Context, type(None)), "'context' is what xtriton.context() returns")
    context = context or universe.context()
    module = parse_module(text, context, file=file)
    verify_module(module, partial(position_of, text=text, context=context, file=file))
    return module


def print(
    module: ModuleOp,
    *,
    triton_version: str | None = None,
    debug_info: bool = False,
    generic: bool = False,
) -> str:
    """
    Return the text of `module`, in the syntax of a Triton release such as "3.6".

    The default is the release that the module was read from. `debug_info` adds locations,
    `generic` chooses MLIR's generic form.
    """
    _check_module(module, "print")
    _check_type(triton_version, (str, type(None)), "'triton_version' is a text such as '3.6'")
    version = None if triton_version is None else parse_version(triton_version)
    return print_module(module, version=version, debug_info=debug_info, generic=generic)


def run_passes(
    module: ModuleOp,
    pipeline: str,
    *,
    context: Context | None = None,
    verify_each: bool = True,
) -> ModuleOp:
    """
    Run passes such as "triton-to-structured,cse{...}" on `module`, in place; return it.

    Raises `xtriton.UserError` for unknown passes and options and where a pass cannot do
    what it was asked to.
    """
    _check_module(module, "run_passes")
    _check_type(pipeline, str, "'pipeline' is a text such as 'canonicalize,cse'")
    _check_type(context, (Context, type(None)), "'context' is what xtriton.context() returns")
    steps = make_steps(parse_pipeline(pipeline))
    PassManager(context or universe.context(), steps, verify_each).run(module)
    return module


def verify(module: Operation) -> None:
    """
    Check `module` and everything in it.

    Raises `xtriton.UserError` for the first thing that is wrong, with the position that the
    location of its op tells.
    """
    _check_module(module, "verify")
    verify_module(module)


def _check_module(module: object, function: str) -> None:
    _check_type(module, Operation, f"{function} takes a module, as parse returns it")


def _check_type(value: object, expected: type | tuple[type, ...], sentence: str) -> None:
    if not isinstance(value, expected):
        raise TypeError(f"{sentence}, not {type(value).__name__}")
