"""Ops of a module wait until somebody asks for them, and are then what they are in any process."""

import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from xtriton.dialects.upstream.arith import ARITH
from xtriton.late_names import LateOp, LateOps, late_ops
from xtriton.tools.late_code import late_code, untyped_code
from xtriton.tools.quick_imports import OPS_WAIT

OPS = '''"""Ops."""

from __future__ import annotations

told = []


def irdl_op_definition(op: type) -> type:
    told.append(op.__name__)
    return op


class Dialect(list):
    pass


class Base:
    pass


class I32Enum:
    def __init_subclass__(cls) -> None:
        told.append(cls.__name__)


class Kind(I32Enum):
    one = 1


@irdl_op_definition
class OneOp(Base):
    """One."""

    name = "toy.one"
    other: TwoOp

    def twin(self) -> OneOp:
        return OneOp()


@irdl_op_definition
class TwoOp(OneOp):
    name = "toy.two"

    def fail(self) -> None:
        raise ValueError(OneOp)


@irdl_op_definition
class BoundTwiceOp(Base):
    name = "toy.bound_twice"


def is_one(op: OneOp) -> bool:
    BoundTwiceOp = OneOp
    match op:
        case BoundTwiceOp():
            return True
    return False


Toy = Dialect([OneOp, TwoOp])
'''

USER = """
from __future__ import annotations

from toy_ops import OneOp as OneOp, TwoOp, told

def one() -> OneOp:
    return OneOp()
"""


@pytest.fixture
def modules(tmp_path: Path) -> Iterator[tuple[ModuleType, ModuleType]]:
    """Return a module of ops, and one that has names from it."""
    found: list[ModuleType] = []
    for name, text in (("toy_ops", OPS), ("toy_user", USER)):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        module = sys.modules[name] = ModuleType(name)
        found.append(module)
        exec(late_code(text.encode(), str(path), ("toy_ops", "toy_user")), vars(module))
    yield found[0], found[1]
    for module in found:
        del sys.modules[module.__name__]


Modules = tuple[Any, Any]


def test_an_op_is_defined_when_it_is_asked_for(modules: Modules):
    ops, _ = modules
    assert ops.told == ["BoundTwiceOp"]
    assert ops.__doc__ == "Ops."
    assert ops.TwoOp().twin().__class__ is ops.OneOp
    assert ops.told == ["BoundTwiceOp", "OneOp", "TwoOp"]
    assert ops.OneOp.__doc__ == "One."
    assert ops.Toy == [ops.OneOp, ops.TwoOp]
    assert ops.is_one(ops.TwoOp())
    with pytest.raises(AttributeError, match="module 'toy_ops' has no attribute 'ThreeOp'"):
        _ = ops.ThreeOp


def test_functions_ask_as_well(modules: Modules):
    ops, _ = modules
    assert not ops.is_one(3)
    assert ops.told == ["BoundTwiceOp", "OneOp"]


def test_a_module_that_passes_an_op_on_does_not_ask(modules: Modules):
    ops, user = modules
    assert ops.told == ["BoundTwiceOp"]
    assert isinstance(user.one(), ops.OneOp)
    assert user.OneOp is ops.OneOp
    assert ops.told == ["BoundTwiceOp", "OneOp"]


def test_an_enum_waits(modules: Modules):
    ops, _ = modules
    assert ops.Kind.one == 1
    assert ops.told == ["BoundTwiceOp", "Kind"]


def test_an_error_shows_its_line(modules: Modules):
    ops, _ = modules
    with pytest.raises(ValueError, match="OneOp") as error:
        ops.TwoOp().fail()
    assert traceback.extract_tb(error.value.__traceback__)[-1].line == "raise ValueError(OneOp)"


def test_ops_are_known_by_the_names_that_they_have_in_ir(modules: Modules):
    assert late_ops("toy_ops") == {"toy.one": "OneOp", "toy.two": "TwoOp"}
    assert late_ops("a module that defines all that it has") == {}


def test_an_op_is_changed_right_after_its_definition(modules: Modules):
    ops, _ = modules
    ops.told.clear()

    def changed(op: type) -> None:
        ops.told.append(f"changed {op.__name__}")

    for name in ("TwoOp", "OneOp"):
        LateOp("toy_ops", name).when_bound(changed)
    assert ops.told == []
    _ = ops.TwoOp
    assert ops.told == ["OneOp", "changed OneOp", "TwoOp", "changed TwoOp"]
    LateOps(ops).OneOp.when_bound(changed)
    assert ops.told[-1] == "changed OneOp"
    with pytest.raises(AttributeError, match="ThreeOp"):
        LateOp("toy_ops", "ThreeOp").when_bound(lambda op: None)


TYPED = """
def outer(a: int, /, b: Unknown, *c: Unknown, d: Unknown = 1, **e: Unknown) -> Unknown:
    try:
        def inner(x: Unknown): return x
    finally:
        del a
    return inner

class Some:
    field: int = 3

    def method(self) -> Unknown: return self.field

def kept(function): return function.__annotations__

@kept
def decorated(a: int) -> str: ...
"""


def test_functions_do_not_say_their_types():
    space: dict[str, Any] = {}
    exec(untyped_code(TYPED.encode(), "typed.py"), space)
    assert space["outer"].__annotations__ == {}
    assert space["outer"](1, 2).__annotations__ == {}
    assert space["Some"].__annotations__ == {"field": int}
    assert space["Some"]().method() == 3
    assert space["decorated"] == {"a": int, "return": str}


def test_all_that_the_dialect_of_a_module_has_is_in_the_module():
    module = sys.modules["xtriton.dialects.upstream.arith"]
    for member in (*ARITH.operations, *ARITH.attributes):
        assert getattr(module, member.__name__) is member


STARTED = """
import sys
from xtriton.late_names import _waiting
from xtriton.tools.xtriton_opt import main
main(["-", "--canonicalize"])
for name in sorted(sys.argv[1].split(",")):
    print(name, sorted(op for op in ("AddiOp", "DivfOp", "RemFOp") if op in _waiting.get(name, ())))
"""
TEXT = "tt.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  tt.return %0 : i32\n}"


def test_ops_wait_in_a_tool(tmp_path: Path):
    environment = os.environ | {
        "XTRITON_CACHE_DIR": str(tmp_path),
        "PYTHONPYCACHEPREFIX": str(tmp_path / "codes"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    names = sorted(OPS_WAIT)
    waiting = {"xdsl.dialects.arith": ["DivfOp"]}
    waiting["xtriton.dialects.upstream.arith"] = ["DivfOp", "RemFOp"]
    for expected in ({}, waiting):
        done = subprocess.run(
            [sys.executable, "-c", STARTED, ",".join(names)],
            env=environment,
            input=TEXT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert "arith.addi" in done.stdout
        told = [f"{name} {expected.get(name, [])}" for name in names]
        assert done.stdout.splitlines()[-len(names) :] == told
