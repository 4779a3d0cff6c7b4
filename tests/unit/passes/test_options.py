from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from xtriton.errors import UserError
from xtriton.passes.options import make_pass, pass_options, pass_spec
from xtriton.passes.pipeline import parse_options


class Mode(Enum):
    FAST = "fast"
    SAFE = "safe"


@dataclass(frozen=True)
class ExamplePass(ModulePass):
    """A pass with an option of every type."""

    name = "example"

    needed: int
    num_stages: int = 3
    ratio: float = 0.5
    enabled: bool = False
    label: str | None = None
    sizes: tuple[int, ...] = (1, 2)
    mode: Mode = Mode.SAFE
    order: Literal["row", "column"] = "row"
    capability: int = field(default=80, metadata={"option": "computeCapability"})

    def apply(self, ctx: Context, op: ModuleOp) -> None: ...


def make(text: str) -> ExamplePass:
    result = make_pass(ExamplePass, parse_options(text))
    assert isinstance(result, ExamplePass)
    return result


def test_defaults():
    assert make("needed=1") == ExamplePass(1)


def test_every_type():
    assert make(
        "needed=0x10 num-stages=5 ratio=1e-3 enabled label=x sizes=4,5,6 mode=fast"
        " order=column computeCapability=90"
    ) == ExamplePass(16, 5, 1e-3, True, "x", (4, 5, 6), Mode.FAST, "column", 90)


@pytest.mark.parametrize(
    "text, value",
    [("010", 8), ("-010", -8), ("0o17", 15), ("0b11", 3), ("-0x1F", -31), ("0", 0), ("00", 0)],
)
def test_integers_are_read_as_mlir_reads_them(text: str, value: int):
    assert make(f"needed={text}").needed == value


def test_the_last_of_values_given_twice_counts():
    assert make("needed=1 needed=2 num_stages=4 num-stages=5") == ExamplePass(2, 5)


def test_a_list_given_twice_goes_on():
    assert make("needed=1 sizes=4,5 sizes=6").sizes == (4, 5, 6)
    assert make("needed=1 sizes=").sizes == ()
    assert make("needed=1 sizes={7, 8}").sizes == (7, 8)


@pytest.mark.parametrize("text", ["enabled", "enabled=", "enabled=1", "enabled=TRUE"])
def test_flags_that_are_set(text: str):
    assert make(f"needed=1 {text}").enabled


@pytest.mark.parametrize("spelling", ["num-stages", "num_stages", "numStages"])
def test_spellings(spelling: str):
    assert make(f"needed=1 {spelling}=7").num_stages == 7


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "pass 'example' needs the option 'needed'"),
        ("neded=1", "pass 'example' has no option 'neded'; did you mean 'needed'?"),
        ("needed=x", "option 'needed' of pass 'example' cannot be 'x': expected an integer"),
        ("needed=1 ratio=x", "option 'ratio' of pass 'example' cannot be 'x': expected a number"),
        (
            "needed=1 mode=slow",
            "option 'mode' of pass 'example' cannot be 'slow': expected one of fast, safe",
        ),
        ("needed", "option 'needed' of pass 'example' needs a value"),
        ("needed=1 label", "option 'label' of pass 'example' needs a value"),
        ("needed=1 sizes", "option 'sizes' of pass 'example' needs a value"),
        ("needed=", "option 'needed' of pass 'example' cannot be '': expected an integer"),
        ("needed=1_0", "option 'needed' of pass 'example' cannot be '1_0': expected an integer"),
        ("needed=+1", "option 'needed' of pass 'example' cannot be '+1': expected an integer"),
        ("needed=08", "option 'needed' of pass 'example' cannot be '08': expected an integer"),
        (
            "needed=9223372036854775808",
            "option 'needed' of pass 'example' cannot be '9223372036854775808': expected an"
            " integer of 64 bits",
        ),
        (
            "needed=1 sizes=1,,2",
            "option 'sizes' of pass 'example' cannot be '1,,2': expected an integer",
        ),
        (
            "needed=1 enabled=yes",
            "option 'enabled' of pass 'example' cannot be 'yes': expected one of true, 1, false, 0",
        ),
    ],
)
def test_errors(text: str, message: str):
    with pytest.raises(UserError) as caught:
        make(text)
    assert caught.value.message == message


def test_spec_round_trip():
    instance = ExamplePass(1, sizes=(7,), mode=Mode.FAST, enabled=True, capability=90)
    spec = pass_spec(instance)
    assert str(spec) == "example{needed=1 enabled=true sizes=7 mode=fast computeCapability=90}"
    assert make_pass(ExamplePass, spec.options) == instance


def test_help_names_type_and_default():
    texts = [option.help for option in pass_options(ExamplePass)]
    assert texts[0] == "needed=int"
    assert "num-stages=int (default 3)" in texts
    assert "sizes=int,... (default 1,2)" in texts
    assert "mode=fast|safe (default safe)" in texts
    assert "label=str (default empty)" in texts
