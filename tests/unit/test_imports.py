"""Imports point one way, down the layers of docs/architecture.md."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import xtriton

PACKAGE = Path(xtriton.__file__).parent

LAYERS = (
    ("annotations", "budget", "errors", "kept_files", "late_names", "records", "showing"),
    ("late_definitions", "semantics", "layouts", "abi"),
    ("ir",),
    ("diagnostics", "universe"),
    ("passes",),
    ("dialects",),
    ("analysis",),
    ("transforms",),
    ("lowering",),
    ("cpu", "interpreter"),
    ("effect_records", "judge"),
    ("interop",),
    ("api", "corpus", "effects", "matching"),
    ("tools",),
    ("__main__",),
)
"""From the bottom to the top. Rooms on one floor do not import each other."""

RANK = {room: rank for rank, rooms in enumerate(LAYERS) for room in rooms}

LEAVES_WITHOUT_XDSL = ("semantics", "layouts")


def room_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported_modules(path: Path) -> Iterator[tuple[int, str]]:
    """Return the line and name of every module that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            assert node.module is not None
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


FILES = sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")


def test_every_room_has_a_floor():
    rooms = {room_of(path) for path in FILES}
    assert rooms <= set(RANK), "add the room to LAYERS and to docs/architecture.md"


def test_the_documentation_shows_the_floors():
    text = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| *(\d*) *\| `(\w+)` \|", text, re.MULTILINE)
    floors: list[list[str]] = []
    for number, room in rows:
        if number:
            assert int(number) == len(floors)
            floors.append([])
        floors[-1].append(room)
    assert [sorted(floor) for floor in floors] == [
        sorted(floor) for floor in LAYERS if floor != ("__main__",)
    ]


def test_imports_point_down():
    wrong: list[str] = []
    for path in FILES:
        room = room_of(path)
        for line, module in imported_modules(path):
            parts = module.split(".")
            if parts[0] != "xtriton" or len(parts) < 2 or parts[1] in (room, "__version__"):
                continue
            if RANK.get(parts[1], len(LAYERS)) >= RANK[room]:
                wrong.append(f"{path.relative_to(PACKAGE.parent)}:{line} imports {module}")
    assert wrong == []


ONLY_FOR_TYPES = {
    ("interpreter.registry", "interpreter.machine"),
    ("ir.writing.attribute_text", "ir.writing.attribute_printer"),
    ("ir.reading.format_parser", "ir.reading.parser"),
    ("ir.writing.format_printer", "ir.writing.printer"),
    ("ir.reading.generic_lines", "ir.reading.parser"),
    ("ir.writing.op_text", "ir.writing.printer"),
    ("ir.checking.release_checks", "ir.writing.printer"),
}
"""Parts that name the whole that hands itself to them; docs/architecture.md says so."""

LATE = {
    "xtriton.dialects.tt.hooks",
    "xtriton.dialects.ttg.interfaces",
    "xtriton.dialects.ttng.tensor_memory",
    "xtriton.ir.contexts",
}
"""Files that import by name what is built on them; docs/architecture.md says so."""


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module is not None:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def _needed_to_run(node: ast.AST) -> Iterator[ast.AST]:
    """Return a node and all below it, except what only type checkers read."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _needed_to_run(child)


MODULES = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in FILES}


def graph_of(nodes: Callable[[ast.AST], Iterable[ast.AST]]) -> dict[str, set[str]]:
    """Return which module imports which, as far as those nodes of a file say that are asked for."""
    return {
        module: {
            name
            for node in nodes(ast.parse(path.read_text(encoding="utf-8")))
            for name in _names(node)
            if name in MODULES and name != module
        }
        for module, path in MODULES.items()
    }


def test_no_files_import_each_other():
    TopologicalSorter(graph_of(_needed_to_run)).prepare()  # raises CycleError, with the files


def test_what_only_type_checkers_import_makes_no_other_circles():
    graph = graph_of(ast.walk)
    for user, used in ONLY_FOR_TYPES:
        graph[f"xtriton.{user}"].remove(f"xtriton.{used}")  # KeyError: no longer needed
    TopologicalSorter(graph).prepare()


def test_nothing_else_is_imported_by_name():
    """Inside the floors: what the registry loads is named in `universe`, rules in their registry."""
    users = {
        module
        for module, path in MODULES.items()
        if "import_module(" in path.read_text(encoding="utf-8")
    }
    loaders = {"xtriton.universe", "xtriton.interpreter.registry"}
    assert {m for m in users - loaders if m.split(".")[1] in ("ir", "dialects", "analysis")} == LATE


def test_what_is_imported_is_asked_for():
    with (PACKAGE.parent / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    asked = [*project["dependencies"]]
    for extra in ("triton", "torch", "completion", "corpus", "dask", "ray", "solver"):
        asked += project["optional-dependencies"][extra]
    known = {str(re.split(r"[<>=]", requirement)[0]) for requirement in asked}
    # Where the package has another name; Pygments and typing_extensions come with Rich and xDSL.
    known |= {"xtriton", "z3", "pygments", "typing_extensions"}
    found = {name.split(".")[0] for path in FILES for _, name in imported_modules(path)}
    assert found - known - sys.stdlib_module_names == set()


@pytest.mark.parametrize("room", LEAVES_WITHOUT_XDSL)
def test_leaves_do_not_know_xdsl(room: str):
    wrong = [
        f"{path.relative_to(PACKAGE.parent)}:{line}"
        for path in FILES
        if room_of(path) == room
        for line, module in imported_modules(path)
        if module.split(".")[0] == "xdsl"
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "code, forbidden",
    [
        ("import xtriton", ("xdsl", "numpy", "triton", "torch")),
        # Until a tool has said how often objects are collected.
        ("import xtriton.tools.xtriton_opt", ("typing", "collections", "importlib.machinery")),
        ("import xtriton.universe", ("xdsl", "numpy", "triton", "torch")),
        ("import xtriton.api", ("triton", "torch", "llvmlite")),
        ("import xtriton.tools.xtriton_opt", ("xdsl", "numpy", "argparse")),
        # All that a launch needs whose code is in the cache.
        ("import xtriton.cpu.calls, xtriton.interop.cpu_backend.loading", ("xdsl",)),
    ],
)
def test_what_an_import_costs(code: str, forbidden: tuple[str, ...]):
    check = f"{code}; import sys; print([m for m in {forbidden!r} if m in sys.modules])"
    # `site` runs what other packages put in its folder, which imports as it likes.
    command = [sys.executable, "-S", "-c", f"import sys; sys.path += {sys.path!r}; {check}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize("name", [n for n in xtriton.__all__ if n != "ttir"])
def test_public_names_exist(name: str):
    assert getattr(xtriton, name) is not None


def test_unknown_public_name():
    with pytest.raises(AttributeError, match="module 'xtriton' has no attribute 'nothing'"):
        _ = xtriton.nothing
