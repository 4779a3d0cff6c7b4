"""The registry is complete: names agree, and nothing goes without words or a test."""

import inspect
import re
from functools import cache
from pathlib import Path

import pytest
from xdsl.ir import Operation

from xtriton.ir.versions import RENAMED_DIALECTS
from xtriton.passes.options import pass_options
from xtriton.universe import DIALECTS, PASSES, TRITON_DIALECTS, dialect, load, pass_class

FILECHECK = Path(__file__).parent.parent / "filecheck"


@cache
def run_lines() -> str:
    """Return all `RUN:` lines of the FileCheck tests."""
    return "\n".join(
        line
        for path in FILECHECK.rglob("*.mlir")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "RUN:" in line
    )


@cache
def text_of_tests(name: str) -> str:
    """Return the text of the FileCheck tests of a dialect."""
    return "\n".join(
        path.read_text(encoding="utf-8")
        for path in sorted((FILECHECK / "dialects").rglob("*.mlir"))
        if name in path.parts
    )


def own_ops(name: str) -> list[type[Operation]]:
    """Return the ops of a dialect that xtriton itself defines."""
    return [op for op in dialect(name).operations if op.__module__.startswith("xtriton.")]


def own_attributes(name: str) -> list[type]:
    """Return the attributes and types of a dialect that xtriton itself defines."""
    return [a for a in dialect(name).attributes if a.__module__.startswith("xtriton.")]


def undocumented(classes: list[type]) -> list[str]:
    return [cls.__name__ for cls in classes if not (cls.__doc__ or "").strip()]


@pytest.mark.parametrize("name", sorted(PASSES))
def test_pass(name: str):
    cls = pass_class(name)
    assert cls.name == name
    assert cls.__name__.endswith("Pass")
    assert "apply" in vars(cls)
    assert cls.__doc__ is not None
    # Dataclasses without a docstring get their signature as one.
    assert not cls.__doc__.startswith(f"{cls.__name__}(")
    module = inspect.getmodule(cls)
    assert module is not None
    assert module.__doc__, "the module of a pass shows the IR before and after"
    pass_options(cls)


@pytest.mark.parametrize("name", sorted(PASSES))
def test_pass_has_a_filecheck_test(name: str):
    assert re.search(rf"(?:--?|[,(=' ]){re.escape(name)}(?![\w-])", run_lines())


@pytest.mark.parametrize("name", sorted(DIALECTS))
def test_dialect(name: str):
    found = dialect(name)
    assert found.name == name
    assert all(op.name.startswith(f"{name}.") for op in found.operations)
    names = [op.name for op in found.operations]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", sorted(DIALECTS))
def test_classes_are_documented_and_named(name: str):
    assert undocumented([*own_ops(name), *own_attributes(name)]) == []
    assert [op.__name__ for op in own_ops(name) if not op.__name__.endswith("Op")] == []
    wrong = [a for a in own_attributes(name) if not re.search("(Attr|Type)$", a.__name__)]
    assert wrong == []


@pytest.mark.parametrize("name", sorted(TRITON_DIALECTS))
def test_docstrings_have_an_example(name: str):
    """The example of an op holds its name, in today's spelling or an early release's."""
    old = {new: old for old, new in RENAMED_DIALECTS.items()}.get(name, name)
    missing: list[str] = []
    for cls in [*own_ops(name), *own_attributes(name)]:
        _, fence, example = (cls.__doc__ or "").partition("```mlir")
        own = str(cls.name)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        spellings = {own, own.replace(f"{name}.", f"{old}.", 1)}
        is_op = issubclass(cls, Operation)
        if not fence or (is_op and not any(spelling in example for spelling in spellings)):
            missing.append(own)
    assert missing == []


@pytest.mark.parametrize("name", sorted(DIALECTS))
def test_ops_have_filecheck_tests(name: str):
    tests = text_of_tests(name)
    # Ops that only early releases have stand there under the name that the dialect had then.
    spellings = "|".join([name, *(old for old, new in RENAMED_DIALECTS.items() if new == name)])
    missing = [
        op.name
        for op in own_ops(name)
        if not re.search(
            rf"(?<![\w.])(?:{spellings})\.{re.escape(op.name.removeprefix(f'{name}.'))}(?![\w.])",
            tests,
        )
    ]
    assert missing == []


@pytest.mark.parametrize("name", sorted(TRITON_DIALECTS))
def test_dialects_of_triton_have_negative_tests(name: str):
    assert "expected-error" in text_of_tests(name) or not own_ops(name)


@pytest.mark.parametrize("reference", sorted({*DIALECTS.values(), *PASSES.values()}))
def test_references_can_be_loaded(reference: str):
    assert load(reference) is not None
