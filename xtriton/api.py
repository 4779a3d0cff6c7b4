"""The functions of `import xtriton as xt` that have no better home."""

from __future__ import annotations

import weakref
from functools import partial
from typing import TYPE_CHECKING, Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from xtriton import universe
from xtriton.analysis.accesses import Accesses, AccessList
from xtriton.analysis.axis_info.backends import axis_analysis
from xtriton.analysis.axis_info.lattice import AxisInfo
from xtriton.analysis.effects.fingerprint import fingerprint
from xtriton.analysis.report import kernels
from xtriton.errors import UserError
from xtriton.ir.checking.verifier import verify as verify_module
from xtriton.ir.reading.parser import parse_module, position_of
from xtriton.ir.versions import parse_version
from xtriton.ir.writing.printer import print_module
from xtriton.passes.manager import PassManager, make_steps
from xtriton.passes.pipeline import parse_pipeline
from xtriton.showing import html_of

if TYPE_CHECKING:
    from xtriton.judge.equivalence import Equivalence

__all__ = ["accesses", "axis_info", "check", "parse", "print", "run_passes", "verify"]


# xDSL's own class: what notebooks ask modules, functions and ops for.
Operation._repr_html_ = html_of  # pyright: ignore[reportAttributeAccessIssue]


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


def axis_info(value: SSAValue, *, backend: str = "") -> AxisInfo:
    """
    Return how the elements of an integer or pointer relate: contiguity, divisibility, constancy.

    One number for each dimension, 1 for scalars; `info.value` is the number where it is known. By
    Triton's rules, or those of the backend "intel". The analysis of a module is kept until the
    module changes; ask before rewriting.
    """
    _check_type(value, SSAValue, "axis_info takes a value, as op.result is one")
    _check_type(backend, str, "'backend' is a text such as 'intel'")
    root = _module_of(value)
    key = (weakref.ref(root), fingerprint(root), backend)
    if _axis[:1] != [key]:
        _axis[:] = [key, axis_analysis(root, backend)]
    return _axis[1].info(value)


def accesses(module: Operation) -> AccessList:
    """
    Return the loads, stores and atomics of a module or function, in their order.

    Each has `op`, `kind`, `shape`, `tier` ("block", "gather", ...), `pointer`, `mask` and `form`,
    which says why it is no better tier (`form.reason`). `xtriton-explain` prints them.
    """
    _check_module(module, "accesses")
    return AccessList(access for function in kernels(module) for access in Accesses(function).all)


def check(
    before: ModuleOp | str,
    after: ModuleOp | str,
    *,
    kernel: str | None = None,
    draws: int = 3,
    tolerance: float = 0.0,
) -> Equivalence:
    """
    Run two versions of a kernel and compare what they store and where they read.

    The result is true where no difference was found on `draws` launches, and prints as a
    sentence. `tolerance` is the relative error that stored floats may have. `kernel` names one of
    several. Raises `UserError` where the two cannot be compared.
    """
    sides = [parse(side) if isinstance(side, str) else side for side in (before, after)]
    for side in sides:
        _check_module(side, "check")
    # Imported here: the interpreter takes as long to import as all else together.
    from xtriton.judge.equivalence import check_equivalent

    return check_equivalent(*sides, kernel=kernel, count=draws, tolerance=tolerance)


_axis: list[Any] = []
"""The module that was asked about last, and its analysis."""


def _module_of(value: SSAValue) -> ModuleOp:
    owner = value.owner
    op = owner if isinstance(owner, Operation) else owner.parent_op()
    while op is not None and not isinstance(op, ModuleOp):
        op = op.parent_op()
    if op is None:
        raise UserError("this value is in no module, so nothing is known of it")
    return op


def _check_module(module: object, function: str) -> None:
    _check_type(module, Operation, f"{function} takes a module, as parse returns it")


def _check_type(value: object, expected: type | tuple[type, ...], sentence: str) -> None:
    if not isinstance(value, expected):
        raise TypeError(f"{sentence}, not {type(value).__name__}")
