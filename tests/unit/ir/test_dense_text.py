"""Long dense constants are read as the careful reader reads them, and quickly."""

import random
import time

import pytest

from xtriton import universe
from xtriton.errors import ParseFailure
from xtriton.ir.reading.attribute_parser import AttributeParser
from xtriton.ir.reading.parser import Parser
from xtriton.ir.writing import dense_text

RNG = random.Random(0)
FLOATS = [f"{RNG.uniform(-9, 9) * 10 ** RNG.randrange(-8, 4):.7e}" for _ in range(600)]
INTEGERS = [str(RNG.randrange(-100, 100)) for _ in range(600)]
ODD_FLOATS = (
    ".5",
    "-.5",
    "+1.5",
    "1.5.",
    "1.5e",
    "1.5e 5",
    "- 1.5",
    "1e5.0",
    "1.5-2",
    "e.5",
    "1 .5",
)
ODD_INTEGERS = ("+1", "--1", "1 2", "1-2", "1-", "-", "", "e", "1.5", "0x1")


def rows(numbers: list[str], width: int) -> str:
    lists = [numbers[k : k + width] for k in range(0, len(numbers), width)]
    return ", ".join(f"[{', '.join(row)}]" for row in lists)


def read(text: str) -> object:
    return Parser(universe.context(), text, "k").parse_whole_attribute()


def careful(text: str, monkeypatch: pytest.MonkeyPatch) -> object:
    with monkeypatch.context() as patched:
        patched.setattr(AttributeParser, "_long_dense", lambda parser, type: None)  # pyright: ignore[reportUnknownArgumentType, reportUnknownLambdaType]
        try:
            return read(text)
        except ParseFailure as error:
            return str(error)


@pytest.mark.parametrize(
    "body, type, is_quick",
    [
        (", ".join(FLOATS), "tensor<600xf32>", True),
        (", ".join(FLOATS), "tensor<600xf64>", True),
        (", ".join(FLOATS), "vector<600xf16>", True),
        (", ".join(FLOATS), "tensor<600xbf16>", False),
        (rows(FLOATS, 30), "tensor<20x30xf32>", True),
        (rows(FLOATS, 30), "tensor<30x20xf32>", False),
        (rows(FLOATS, 30), "tensor<600xf32>", False),
        (", ".join(FLOATS), "tensor<601xf32>", False),
        (", ".join(FLOATS), "tensor<600xi32>", False),
        (", ".join([*FLOATS[1:], "1.0e30"]), "tensor<600xf16>", False),
        (", ".join([*FLOATS[1:], "1"]), "tensor<600xf32>", False),
        (", ".join([*FLOATS[1:], "0x7FC00000"]), "tensor<600xf32>", False),
        (", ".join(FLOATS) + ",", "tensor<600xf32>", False),
        (", ".join(["1.5"] * 1000), "tensor<1000xf32>", True),
        (", ".join(INTEGERS * 3), "tensor<1800xi8>", True),
        (", ".join(INTEGERS * 3), "tensor<1800xi64>", True),
        (", ".join(INTEGERS * 3), "tensor<1800xindex>", False),
        (", ".join([*INTEGERS * 3, "300"]), "tensor<1801xi8>", False),
        (", ".join([*INTEGERS * 3, "9" * 30]), "tensor<1801xi64>", False),
        (", ".join(INTEGERS * 3), "tensor<1800xf32>", False),
        *[(", ".join([*FLOATS[1:], odd]), "tensor<600xf32>", False) for odd in ODD_FLOATS],
        *[(", ".join([odd, *FLOATS[1:]]), "tensor<600xf32>", False) for odd in ODD_FLOATS],
        *[(", ".join([*INTEGERS * 3, odd]), "tensor<1801xi32>", False) for odd in ODD_INTEGERS],
        *[(", ".join([odd, *INTEGERS * 3]), "tensor<1801xi32>", False) for odd in ODD_INTEGERS],
        (rows(FLOATS, 30).replace("], [", ", ] [", 1), "tensor<20x30xf32>", False),
        (rows(FLOATS, 30).replace("], [", "], 1.0[ ", 1), "tensor<20x30xf32>", False),
        (rows(FLOATS, 30).replace("[", "1.5 [", 1), "tensor<20x30xf32>", False),
        (
            rows(INTEGERS * 3, 2).replace("[", "1 [", 1).replace(" ", "", 1),
            "tensor<900x2xi32>",
            False,
        ),
        (rows(INTEGERS * 3, 2).replace("[-", "-[", 1), "tensor<900x2xi32>", False),
        (rows(INTEGERS * 3, 2).replace(", ", " , \n", 7), "tensor<900x2xi32>", True),
    ],
)
def test_like_the_careful_reader(
    body: str, type: str, is_quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"dense<[{body}]> : {type}"
    found: list[bytes | None] = []
    numbers = dense_text.numbers

    def noted(text: str, element: object, shape: list[int]) -> bytes | None:
        found.append(numbers(text, element, shape))
        return found[-1]

    monkeypatch.setattr(dense_text, "numbers", noted)
    try:
        value: object = read(text)
    except ParseFailure as error:
        value = str(error)
    assert value == careful(text, monkeypatch)
    assert any(data is not None for data in found) == is_quick


def test_megabytes_a_second() -> None:
    text = f"dense<[{', '.join(FLOATS * 500)}]> : tensor<300000xf32>"
    times: list[float] = []
    for _ in range(5):
        start = time.process_time()
        read(text)
        times.append(time.process_time() - start)
    assert len(text) / 1e6 / min(times) > 5, "about 30 where nothing else runs"
