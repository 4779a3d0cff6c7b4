"""
Code of modules as tools keep it, which does less at import.

Annotations of functions are left out: they are a tenth of what there is to read of a module, and
those that are no text are computed.

In the module of a dialect the definitions of ops, and of enums that they have, wait until they are
asked for, as does that of the dialect, which has all of them. They give a name a value that
depends on nothing but other names. Such statements are taken out, and whoever uses the name,
wherever that is in the module, asks the module for it:

    @irdl_op_definition                   __late__, __getattr__ = late_names(
    class AddiOp(BinaryOp):                   __name__, {"AddiOp": <code>}, {"arith.addi": "AddiOp"}
        name = "arith.addi"               )

    def is_sum(op):                       def is_sum(op):
        return isinstance(op, AddiOp)         return isinstance(op, __late__.AddiOp)

So are imports of names from modules that are in this form themselves. Everything else stays in
place. A name that is bound in two places of a module, be it as a local variable, does not wait.
"""

import __future__

import ast
import marshal
from collections import Counter
from collections.abc import Container, Iterator
from types import CodeType

from xtriton.late_names import Late

_LATE = "__late__"
_CALL = (
    "from xtriton.late_names import late_names as __late__\n"
    "__late__, __getattr__ = __late__(__name__, {}, {})"
)


def untyped_code(source: bytes, path: str) -> CodeType:
    """Return the code of a module whose functions do not say which types they take."""
    return compile(_untyped(ast.parse(source, path)), path, "exec", dont_inherit=True)


def late_code(source: bytes, path: str, modules: Container[str]) -> CodeType:
    """Return the code of a module in which ops wait; `modules` are those in this form."""
    tree = _untyped(ast.parse(source, path))
    bound = Counter(_bound(tree))
    waiting: dict[str, ast.stmt | str] = {}
    ops: dict[str, str] = {}
    body: list[ast.stmt] = []
    for statement in tree.body:
        found = {name: late for name, late in _binds(statement, modules) if bound[name] == 1}
        waiting |= found
        if isinstance(statement, ast.ClassDef) and statement.name in found:
            ops |= dict.fromkeys(_names_of_op(statement), statement.name)
        body += _without(statement, found)
    asking = _Asking(waiting)
    flags = __future__.annotations.compiler_flag if any(map(_is_future, body)) else 0

    def compiled(statements: list[ast.stmt]) -> CodeType:
        module = ast.Module([asking.visit(statement) for statement in statements], [])
        return compile(ast.fix_missing_locations(module), path, "exec", flags, dont_inherit=True)

    names: dict[str, Late] = {
        name: late if isinstance(late, str) else marshal.dumps(compiled([late]))
        for name, late in waiting.items()
    }
    first = next((i for i, statement in enumerate(body) if not _comes_first(statement)), len(body))
    body[first:first] = _call(names, ops)
    return compiled(body)


def _untyped(tree: ast.Module) -> ast.Module:
    """Take annotations from functions; decorators may read those of what they decorate."""
    for function in _functions(tree):
        if not function.decorator_list:
            function.returns = None
            given = function.args
            every = (*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg)
            for argument in every:
                if argument is not None:
                    argument.annotation = None
    return tree


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield all functions, which only statements define."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        for parts in ("body", "orelse", "finalbody", "handlers", "cases"):
            pending += getattr(node, parts, ())


def _bound(tree: ast.AST) -> Iterator[str]:
    """Yield each name that is bound anywhere, as often as it is."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name):
                yield name
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                yield name
            case ast.alias(name, None):
                yield name.partition(".")[0]
            case ast.alias(_, str(name)) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
            case ast.Global(names) | ast.Nonlocal(names):
                yield from names
            case _:
                pass


def _binds(statement: ast.stmt, modules: Container[str]) -> Iterator[tuple[str, ast.stmt | str]]:
    """Yield the names that a statement binds and that may wait, with what they wait for."""
    match statement:
        case ast.ClassDef(name, decorator_list=[ast.Name("irdl_op_definition")]):
            yield name, statement
        case ast.ClassDef(name, bases=[ast.Name("I32Enum" | "I64Enum")], decorator_list=[]):
            yield name, statement
        case ast.Assign([ast.Name(name)], ast.Call(ast.Name("Dialect"))):
            yield name, statement
        case ast.ImportFrom(str(module), names, 0) if module in modules:
            yield from ((a.name, module) for a in names if a.asname in (None, a.name))
        case _:
            pass


def _names_of_op(definition: ast.ClassDef) -> Iterator[str]:
    """Yield what the class of an op says that it is called."""
    for statement in definition.body:
        match statement:
            case ast.Assign([ast.Name("name")], ast.Constant(str(name))):
                yield name
            case _:
                pass


def _without(statement: ast.stmt, names: Container[str]) -> list[ast.stmt]:
    """Return what is left of a statement when these names wait."""
    match statement:
        case ast.ImportFrom(module, aliases, level):
            kept = [a for a in aliases if (a.asname or a.name) not in names]
            return (
                [ast.copy_location(ast.ImportFrom(module, kept, level), statement)] if kept else []
            )
        case ast.ClassDef(name) | ast.Assign([ast.Name(name)]) if name in names:
            return []
        case _:
            return [statement]


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _comes_first(statement: ast.stmt) -> bool:
    return _is_future(statement) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _call(names: dict[str, Late], ops: dict[str, str]) -> list[ast.stmt]:
    """Return the statements that let names wait."""
    made = ast.parse(_CALL)
    found = [node for node in ast.walk(made) if isinstance(node, ast.Dict)]
    for node, values in zip(found, (names, ops), strict=True):
        node.keys = [ast.Constant(name) for name in values]
        node.values = [ast.Constant(value) for value in values.values()]
    return made.body


class _Asking(ast.NodeTransformer):
    """Lets those who use a name ask the module for it."""

    def __init__(self, names: Container[str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._names or not isinstance(node.ctx, ast.Load):
            return node
        module = ast.copy_location(ast.Name(_LATE, ast.Load()), node)
        return ast.copy_location(ast.Attribute(module, node.id, ast.Load()), node)
