"""No text makes the text layer crash or hang: a result, or an error with a place."""

import importlib.util
import random
import time
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest

from xtriton import universe
from xtriton.errors import ParseFailure
from xtriton.ir.reading.fast_path import FastPath
from xtriton.ir.reading.parser import Parser, parse_module
from xtriton.ir.writing.printer import print_module

ROOT = Path(__file__).parents[3]


def fuzzer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz", ROOT / "scripts" / "fuzz.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def chunks() -> list[str]:
    files = sorted((ROOT / "tests" / "filecheck" / "dialects").rglob("*.mlir"))
    return [
        chunk
        for file in files
        for chunk in file.read_text(encoding="utf-8").split("// -----")
        if 100 < len(chunk) < 4000
    ]


@pytest.mark.parametrize("seed", range(4))
def test_mutated_texts(seed: int):
    fuzz, texts, rng = fuzzer(), chunks(), random.Random(seed)
    for _ in range(150):
        text = fuzz.mutate(rng.choice(texts), rng)
        assert fuzz.check(text) is None, text


@pytest.mark.parametrize(
    "opening, closing",
    [
        ("module {\n", "}\n"),
        ('"a.b"() ({\n', "}) : () -> ()\n"),
        ("module attributes {a = [", "]} {}"),
        ("module attributes {a = tensor<2x", ">} {}"),
        ("module {} loc(", ")"),
        ("(", ")"),
        ("module attributes {a = (", ")} {}"),
    ],
)
@pytest.mark.parametrize("depth", [500, 20_000])
def test_deep_nesting(opening: str, closing: str, depth: int):
    head, _, last = opening.rpartition(" ") if "module a" in opening else ("", "", opening)
    text = f"{head} " + last * depth + closing[:1] * depth
    with pytest.raises(ParseFailure) as error:
        parse_module(text, universe.context(allow_unregistered=True))
    assert error.value.position is not None


@pytest.mark.parametrize(
    "text",
    [
        '#loc = loc("' + "a/long/path/" * 50,
        '"' + "\\n" * 2000,
        "module attributes {a = " + "[[1, 2], " * 2000,
        "// " * 20_000,
        "%" * 20_000,
        "#a = tensor<" + "<" * 20_000,
    ],
)
def test_unfinished_texts_are_quick(text: str):
    start = time.process_time()
    with suppress(ParseFailure):
        parse_module(text, universe.context())
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "text, line, column",
    [
        # At the beginning of the attribute, wherever its parser noticed.
        (
            "#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [3], "
            "warpsPerCTA = [1], order = [0]}>\nmodule {}",
            1,
            6,
        ),
        (
            "module attributes {\n  a = #ttg.dot_op<{opIdx = 2, parent = #ttg.blocked<{"
            "sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>}>} {}",
            2,
            7,
        ),
        ("#a = #ttg.blocked<{unknown = 1}>\nmodule {}", 1, 6),
    ],
)
def test_errors_of_attributes_are_at_their_beginning(text: str, line: int, column: int):
    with pytest.raises(ParseFailure) as error:
        parse_module(text, universe.context())
    position = error.value.position
    assert position is not None
    assert (position.line, position.column) == (line, column)


def test_attributes_of_old_dialects_are_those_of_today():
    text = 'module attributes {"triton_gpu.num-warps" = 4 : i32, triton_intel_gpu.x} {}'
    module = parse_module(text, universe.context())
    assert set(module.attributes) == {"ttg.num-warps", "ttig.x"}


def no_lines(parser: Parser, block: object) -> bool:
    """Read no op by the fast path."""
    return False


@pytest.mark.parametrize("generic", [False, True])
def test_offsets_are_those_of_names_on_both_paths(generic: bool, monkeypatch: pytest.MonkeyPatch):
    text = (ROOT / "examples" / "vector_add.ttir").read_text(encoding="utf-8")
    text = print_module(parse_module(text, universe.context()), generic=generic)
    found: list[list[int]] = []
    for _ in range(2):
        parser = Parser(universe.context(), text, "k.ttir")
        parser.offsets = {}
        module = parser.parse_whole()
        found.append([parser.offsets[op] for op in module.walk()])
        monkeypatch.setattr(FastPath, "parse_lines", no_lines)
    assert found[0] == found[1]
    assert len(set(found[0])) > 10


def test_there_may_be_nothing_left_to_damage():
    fuzz = fuzzer()
    assert all(isinstance(fuzz.mutate("", random.Random(seed)), str) for seed in range(20))
