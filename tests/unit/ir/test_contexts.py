"""A dialect whose ops are imported one by one has the same ops as its modules, and no others."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation

from xtriton import universe
from xtriton.dialects import triton_gen, tt, ttg, ttig, ttng
from xtriton.ir.contexts import LateDialect

PACKAGES = (triton_gen, tt, ttg, ttig, ttng)


def name_of(package: ModuleType) -> str:
    return package.__name__.rpartition(".")[2]


every_package = pytest.mark.parametrize("package", PACKAGES, ids=name_of)


def defined(package: ModuleType, module: str, base: type) -> dict[str, str]:
    """Return the classes of `base` that are defined in a module, with the names of the dialect."""
    prefix = f"{name_of(package)}."
    found = vars(import_module(f"{package.__name__}.{module}")).values()
    return {
        member.__name__: str(vars(member)["name"]).removeprefix(prefix)
        for member in found
        if isinstance(member, type)
        and issubclass(member, base)
        and member.__module__ == f"{package.__name__}.{module}"
        and str(getattr(member, "name", "")).startswith(prefix)
    }


def sources(package: ModuleType) -> Path:
    return Path(str(package.__file__)).parent


@every_package
def test_each_op_is_where_the_dialect_says(package: ModuleType):
    modules = {path.stem for path in sources(package).glob("*.py")} - {"__init__"}
    ops = {name: {c: op for c, op in home.items() if op} for name, home in package._HOMES.items()}
    there = {m: defined(package, m, IRDLOperation) for m in modules}
    assert {m: o for m, o in there.items() if o} == {m: o for m, o in ops.items() if o}
    dialect = universe.dialect(name_of(package))
    assert isinstance(dialect, LateDialect)
    assert [op.name for op in dialect.operations] == [
        f"{dialect.name}.{op}" for home in ops.values() for op in home.values()
    ]
    named = {name for home in package._HOMES.values() for name in home}
    attributes = {name for m in modules for name in defined(package, m, Attribute)}
    assert attributes & named <= {attribute.__name__ for attribute in dialect.attributes} <= named


@every_package
def test_what_is_imported_late_is_what_checkers_of_types_see(package: ModuleType):
    tree = ast.parse((sources(package) / "__init__.py").read_text(encoding="utf-8"))
    checked = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        str(node.module).rpartition(".")[2]: [alias.name for alias in node.names]
        for node in checked.body
        if isinstance(node, ast.ImportFrom)
    }
    assert seen == {home: list(names) for home, names in package._HOMES.items()}
    for home, names in seen.items():
        for name in names:
            assert getattr(package, name) is vars(import_module(f"{package.__name__}.{home}"))[name]
    with pytest.raises(AttributeError, match=f"'{package.__name__}' has no attribute 'nothing'"):
        getattr(package, "nothing")  # noqa: B009


ONE_OP = """
import sys
from xtriton import universe
context = universe.context()
op = context.get_optional_op("tt.splat")
assert op is sys.modules["xtriton.dialects.tt.shapes"].SplatOp
assert context.get_optional_op("splat", dialect_stack=("tt",)) is op
assert context.get_type("tt.ptr").name == "tt.ptr"
for name in ("atomics", "casts", "legacy", "reductions"):
    assert "xtriton.dialects.tt." + name not in sys.modules, name
"""


def test_an_op_brings_its_module():
    subprocess.run([sys.executable, "-c", ONE_OP], check=True)


LINALG = """
import sys
import xtriton as xt
kernel = "tt.func @k(%p: !tt.ptr<f32>) { %x = tt.load %p : !tt.ptr<f32>  tt.return }"
xt.run_passes(xt.parse(kernel), "triton-to-linalg-experimental")
for name in ("ttg.memory", "ttig", "ttng", "triton_gen", "upstream.llvm", "encodings"):
    assert "xtriton.dialects." + name not in sys.modules, name
"""


def test_a_pipeline_leaves_dialects_alone_that_a_kernel_has_nothing_of():
    subprocess.run([sys.executable, "-c", LINALG], check=True)


def test_a_context_knows_all_ops_of_a_dialect_that_it_has_loaded():
    context = universe.context()
    assert context.get_optional_op("tt.nothing") is None
    assert "tt" in {dialect.name for dialect in context.loaded_dialects}
    copy = context.clone()
    for known in (context, copy):
        assert {op.name for op in tt.TT.operations} <= {op.name for op in known.loaded_ops}
        assert known.get_op("tt.addptr") is tt.AddPtrOp
    assert isinstance(tt.TT, LateDialect)
    with pytest.raises(Exception, match="'none' dialect is not registered"):
        context.load_registered_dialect("none")


def test_an_op_that_nobody_knows_is_read_where_that_is_allowed():
    op = universe.context(allow_unregistered=True).get_op("tt.nothing")
    assert issubclass(op, UnregisteredOp)
