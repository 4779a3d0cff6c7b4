"""Ops that are defined when they are first used are what they are when defined at import."""

import os
import subprocess
import sys
from pathlib import Path

DESCRIBE = """
import re, sys
from contextlib import ExitStack
if sys.argv[1] == "late":
    from xtriton.late_definitions import define_late
    define_late()
end = ExitStack()
if sys.argv[1] == "as a tool":
    from xtriton.tools.quick_start import quick_start
    end.enter_context(quick_start())()
from xtriton import universe
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import ParametrizedAttribute

def described(op):
    d = op.get_irdl_definition()
    accessors = [
        (name, type(member).__name__, repr(member) if "Accessor" in type(member).__name__ else "")
        for name, member in sorted(vars(op).items())
        if name != "__doc__"
    ]
    traits = sorted(map(repr, op.traits.traits))
    fields = (d.operands, d.results, d.properties, d.attributes, d.regions, d.successors)
    return repr((fields, d.options, traits, d.accessor_names, d.assembly_format, accessors))

for name in sorted(universe.DIALECTS):
    for attribute in universe.dialect(name).attributes:
        if issubclass(attribute, ParametrizedAttribute):
            fields = attribute.get_irdl_definition(), sorted(vars(attribute))
            print(attribute.name, re.sub(" at 0x[0-9a-f]+", "", repr(fields)))
    for op in universe.dialect(name).operations:
        if op is not UnregisteredOp:
            print(op.name, re.sub(" at 0x[0-9a-f]+", "", described(op)))
end.close()
"""


def described(when: str, cache: Path | str = "") -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", DESCRIBE, when],
        env=os.environ | {"XTRITON_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_every_op_and_attribute_of_every_dialect_is_the_same():
    at_import = described("early")
    assert len(at_import) > 700
    assert described("late") == at_import


def test_every_op_is_the_same_where_modules_let_ops_wait(tmp_path: Path):
    assert len(described("as a tool", tmp_path)) > 700
    assert sorted(described("as a tool", tmp_path)) == sorted(described("early"))


CHANGED = """
from xtriton.late_definitions import _waiting, define_late, when_defined
define_late()
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, result_def
from xdsl.dialects.builtin import IntegerType, StringAttr, i32

@irdl_op_definition
class AOp(IRDLOperation):
    name = "test.a"
    note = opt_prop_def(StringAttr)
    result = result_def(IntegerType)

class Deeper(AOp):
    pass

assert AOp in _waiting
when_defined(AOp, ("answer",), lambda: setattr(AOp, "answer", 42))
AOp.parse = staticmethod(lambda parser: "mine")
assert AOp in _waiting
op = Deeper.__new__(Deeper)
op.properties = {}
op.note = StringAttr("x")
assert AOp not in _waiting
assert op.properties == {"note": StringAttr("x")} and not vars(op).get("note")
assert (AOp.answer, AOp.parse(None)) == (42, "mine")
assert AOp(result_types=[i32]).result.type == i32
when_defined(AOp, ("answer",), lambda: setattr(AOp, "answer", 43))
assert AOp.answer == 43
"""


def test_changes_and_uses_of_a_class_that_waits():
    subprocess.run([sys.executable, "-c", CHANGED], check=True)


FORMATTED = """
from io import StringIO
from xtriton.late_definitions import define_late, when_defined
define_late()
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, IntegerType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import PyRDLOpDefinitionError

@irdl_op_definition
class Source(IRDLOperation):
    name = "test.source"
    result = result_def(IntegerType)
    assembly_format = "attr-dict `:` type($result)"

@irdl_op_definition
class Sink(IRDLOperation):
    name = "test.sink"
    value = operand_def(IntegerType)
    assembly_format = "$value attr-dict `:` type($value)"

@irdl_op_definition
class Wrong(IRDLOperation):
    name = "test.wrong"
    assembly_format = "$nothing attr-dict"

def rename():
    # As `repair` may, which does not change the format with it.
    operands = Sink.get_irdl_definition().operands
    operands[0] = ("renamed", operands[0][1])

when_defined(Sink, ("value",), rename)
context = Context()
context.load_dialect(Builtin)
context.load_dialect(Dialect("test", [Source, Sink, Wrong], []))
text = "%0 = test.source : i32\\ntest.sink %0 : i32"
module = Parser(context, text).parse_module()
assert [type(op) for op in module.body.ops] == [Source, Sink]
stream = StringIO()
Printer(stream).print_op(module)
assert text.splitlines()[1] in stream.getvalue(), stream.getvalue()
try:
    Printer(StringIO()).print_op(Wrong())
except PyRDLOpDefinitionError as error:
    assert "nothing" in str(error), error
else:
    raise AssertionError
"""


def test_a_format_is_read_when_an_op_is_written():
    subprocess.run([sys.executable, "-c", FORMATTED], check=True)


UNIONS = """
from xtriton.late_definitions import define_late
define_late()
from xdsl.dialects.builtin import (
    BFloat16Type, Float16Type, Float32Type, IntegerType, TensorType, TypedAttribute, f32, i32
)
from xdsl.irdl import AnyAttr, AnyOf, BaseAttr, EqAttrConstraint, VerificationContext
from xdsl.utils.exceptions import PyRDLError, VerifyException

made = AnyOf.get(Float32Type, IntegerType) | TensorType.constr(f32)
assert list(vars(made)) == ["attr_constrs"]
whole = AnyOf(made.attr_constrs)
assert (made, hash(made), repr(made)) == (whole, hash(whole), repr(whole))
assert vars(made) == vars(whole)
made = AnyOf.get(Float32Type, IntegerType)
for attribute in (f32, i32, TensorType(f32, [1])):
    try:
        made.verify(attribute, VerificationContext())
    except VerifyException:
        assert isinstance(attribute, TensorType)
assert AnyOf.get(BaseAttr(Float32Type), Float32Type) == BaseAttr(Float32Type)
assert AnyOf.get(TensorType.constr(f32), TensorType) == BaseAttr(TensorType)
assert AnyOf.get(Float32Type, AnyAttr()) == AnyAttr()
assert AnyOf.get(EqAttrConstraint(f32), BFloat16Type, Float16Type).get_bases() == {
    Float32Type, BFloat16Type, Float16Type
}
try:
    AnyOf.get(TypedAttribute, TensorType, BaseAttr(type(f32).__mro__[2]), BFloat16Type)
except PyRDLError as error:
    assert "AnyOf" in str(error)
else:
    raise AssertionError
"""


def test_unions_of_constraints_are_what_they_are_elsewhere():
    subprocess.run([sys.executable, "-c", UNIONS], check=True)
