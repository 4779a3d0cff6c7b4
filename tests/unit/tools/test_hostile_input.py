"""Every tool on input that is no kernel: a sentence with a place, and never a traceback."""

import re
from pathlib import Path

import pytest

from xtriton.__main__ import COMMANDS
from xtriton.tools.lit.runner import Finished, call_tool

FILE = Path(__file__).parents[3] / "examples" / "vector_add.ttir"
EXAMPLE = FILE.read_text(encoding="utf-8")
OTHERS = ("corpus", "demo", "lit", "new-pass")
"""What does not read one kernel."""
TOOLS = [f"xtriton-{name}" for name in COMMANDS if name not in OTHERS]

TOO_DEEP = "deep|deeply"
UNREADABLE = {
    "empty": (b"", "1:1: error: expected an operation, the input is empty"),
    "blank": (b" \n\n", "1:1: error: expected an operation, the input is empty"),
    "zeros": (b"\0\0", "1:1: error: unexpected character"),
    "binary": (bytes(range(128, 256)), "1:1: error: byte 0x80 is not UTF-8 text"),
    "utf16": (EXAMPLE.encode("utf-16"), "1:1: error: byte 0xff is not UTF-8 text"),
    "latin1": (b"// a\n// caf\xe9\n", "2:7: error: byte 0xe9 is not UTF-8 text"),
    "half": (EXAMPLE[:700].encode(), r"\d+:\d+: error: "),
    "unterminated": (b'module {\n "abc\n}', "2:2: error: "),
    "regions": (b"module {" * 3000 + b"}" * 3000, rf"1:\d+: error: .*({TOO_DEEP})"),
    "lists": (
        b"module attributes {a = " + b"[" * 20000 + b"]" * 20000 + b"} {}",
        rf"1:\d+: error: .*({TOO_DEEP})",
    ),
    "unknown op": (b"module {\n  %0 = foo.bar\n}", "2:8: error: "),
    "unknown value": (b"module {\n  tt.func @f() { tt.store %p, %v }\n}", r"2:\d+: error: "),
    "twice": (
        b"module { tt.func @f() { tt.return }\n tt.func @f() { tt.return } }",
        "2:2: error: redefinition of symbol named 'f'",
    ),
    "invalid": (
        b'module { tt.func @f(%a: i32) {\n "arith.addi"(%a) : (i32) -> i32\n tt.return } }',
        "2:2: error: 'arith.addi' op expected 2 operands, but found 1",
    ),
}


def call(tool: str, file: str) -> Finished:
    return call_tool(tool, files_of(tool, file))


def files_of(tool: str, file: str) -> list[str]:
    """Return how a tool is given a file."""
    more = {"xtriton-check": [file], "xtriton-report": ["-o", "report.html"]}
    return [file, *more.get(tool, [])]


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("name", list(UNREADABLE))
def test_what_cannot_be_read(tool: str, name: str, tmp_path: Path) -> None:
    data, message = UNREADABLE[name]
    file = tmp_path / "kernel.ttir"
    file.write_bytes(data)
    done = call(tool, str(file))
    assert (done.code, done.output) == (1, "")
    assert re.match(f"{file}:{message}", done.errors), done.errors


@pytest.mark.parametrize("tool", TOOLS)
def test_what_is_no_file(tool: str, tmp_path: Path) -> None:
    done = call(tool, str(tmp_path))
    assert done == Finished(1, "", f"error: cannot read '{tmp_path}': Is a directory\n")
    file = tmp_path / "none"
    done = call(tool, str(file))
    assert done == Finished(1, "", f"error: cannot read '{file}': No such file or directory\n")


@pytest.mark.parametrize("tool", ["xtriton-run", "xtriton-check", "xtriton-explain"])
@pytest.mark.parametrize("text", ["module {}", "module { tt.func private @f(%a: i32) }"])
def test_no_kernel(tool: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "kernel.ttir"
    file.write_text(text)
    done = call(tool, str(file))
    assert (done.code, done.output) == (1, "")
    assert re.match("error: .* kernel", done.errors)


@pytest.mark.parametrize("tool", ["xtriton-opt", "xtriton-explain", "xtriton-effects"])
@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_other_ends_of_lines_and_a_byte_order_mark(tool: str, ending: str, tmp_path: Path) -> None:
    plain, odd = tmp_path / "plain.ttir", tmp_path / "odd.ttir"
    plain.write_text(EXAMPLE)
    odd.write_bytes(b"\xef\xbb\xbf" + EXAMPLE.replace("\n", ending).encode())
    expected = call(tool, str(plain))
    assert expected.code == 0
    assert call(tool, str(odd)) == expected


@pytest.mark.parametrize("tool", TOOLS)
def test_what_every_tool_says_of_itself(tool: str) -> None:
    assert call_tool(tool, ["--version"]).output.startswith(f"{tool} 0.")
    help = call_tool(tool, ["--help"])
    assert help.code == 0
    assert "--traceback" in help.output
    assert all(len(line) <= 110 for line in help.output.splitlines())
    wrong = call_tool(tool, ["--no-such-option", *files_of(tool, str(FILE))])
    assert wrong.code == (1 if tool == "xtriton-opt" else 2)
    assert "--no-such-option" in wrong.errors


ARGUMENTS = ["--arg=x_ptr=ones(8)", "--arg=y_ptr=ones(8)", "--arg=output_ptr=ones(8)"]


@pytest.mark.parametrize(
    "tool, arguments, message",
    [
        ("run", ["--arg=x_ptr=randn(-1)"], "in 'randn(-1)': negative dimensions"),
        ("run", ["--arg=x_ptr=randn()"], "'randn()' needs a shape"),
        ("run", ["--arg=x_ptr=full(5)"], "'full(5)' needs a shape and the value"),
        ("run", ["--arg=x_ptr=randint(5)"], "'randint(5)' needs a shape and the least value"),
        ("run", ["--arg=x_ptr=randint(5,9,2)"], "in 'randint(5, 9, 2)': low >= high"),
        ("run", ["--arg=x_ptr=full(5,nan,i32)"], "in 'full(5, nan, i32)': i32 holds only finite"),
        ("run", ["--arg=x_ptr=ones(8,f16)"], "argument 'x_ptr' points to f32, not f16"),
        ("run", ["--arg=x_ptr=@none.npy"], "cannot read an array from 'none.npy'"),
        ("run", ["--arg=n_elements=1.5"], "argument 'n_elements' is an i32, which cannot be 1.5"),
        ("run", ["--arg=n_elements=5000000000"], "argument 'n_elements' is an i32, which cannot"),
        ("run", [*ARGUMENTS, "--arg=n_elements=8", "--grid="], "--grid wants X,Y,Z, not ''"),
        ("run", [*ARGUMENTS, "--arg=n_elements=8", "--grid=1,1,1,1"], "'1,1,1,1' is no grid"),
        ("run", [*ARGUMENTS, "--arg=n_elements=8", "--save=no/a.npz"], "cannot write 'no/a.npz'"),
        ("check", ["--arg=n_elements=1.5"], "argument 'n_elements' is an i32, which cannot be 1.5"),
        ("effects", ["--grid=-1"], "'-1' is no grid"),
        ("effects", ["--grid=1,1,1,1"], "'1,1,1,1' is no grid"),
        ("effects", ["--grid=1", "--set=m=1"], "the kernel has no scalar 'm'"),
        ("explain", ["--svg=a.svg", "--set=m=1"], "no formula has a 'm'"),
        ("explain", ["--svg=a.svg", f"--set=pid_x={1 << 63}"], "--set wants numbers of 64 bits"),
        ("opt", ["--mlir-print-ir-after=cs"], "--mlir-print-ir-after: unknown pass 'cs'; did you"),
        (
            "opt",
            ["--triton-version=3.6", "--mlir-version=19"],
            "--triton-version cannot be combined",
        ),
    ],
)
def test_values_that_make_no_sense(
    tool: str, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.ttir").write_text(EXAMPLE)
    files = ["k.ttir", "k.ttir"] if tool == "check" else ["k.ttir"]
    done = call_tool(f"xtriton-{tool}", [*files, *arguments])
    assert done.code == 1
    assert done.errors.startswith(f"error: {message}"), done.errors


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--draws=0", "k", "k"],
        ["check", "--tolerance=-1", "k", "k"],
        ["check", "k", "k", "k"],
        ["run", "k", "--budget=-1"],
        ["explain", "k", "--num-warps=3"],
        ["explain", "k", "--set=pid_x=1"],
        ["effects", "k", "--set=n_elements=1"],
        ["layout", "#x", "--bits=0"],
        ["layout", "k", "--shape=4x4"],
        ["layout", "k", "k"],
    ],
)
def test_command_lines_that_make_no_sense(arguments: list[str]) -> None:
    done = call_tool(f"xtriton-{arguments[0]}", arguments[1:])
    assert (done.code, done.output) == (2, "")
    assert f"xtriton-{arguments[0]}: error: " in done.errors


def test_standard_input_is_read_once() -> None:
    done = call_tool("xtriton-check", ["-", "-"], EXAMPLE)
    assert done == Finished(1, "", "error: standard input can be read only once\n")
    done = call_tool("xtriton-explain", ["-"], EXAMPLE)
    assert done.code == 0


LONG = "9" * 5000
NUMBERS = (
    f"arith.constant {LONG} : i32",
    f"arith.constant dense<[{LONG}, 1]> : tensor<2xi32>",
    f"arith.constant {{x = tensor<{LONG}xi32>}} 1 : i32",
    f"arith.constant {{x = affine_map<(d0) -> (d0 + {LONG})>}} 1 : i32",
    f'arith.constant 1 : i32 loc("f":{LONG}:1)',
)


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_of_too_many_digits(tool: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "kernel.ttir"
    file.write_text(f"module {{\ntt.func @f() {{\n%0 = {text}\ntt.return\n}}\n}}\n")
    done = call(tool, str(file))
    assert (done.code, done.output) == (1, "")
    column = len("%0 = ") + text.index("99") + 1
    assert done.errors.startswith(f"{file}:3:{column}: error: integer value too large\n")
    assert len(done.errors) < 1000


@pytest.mark.parametrize("option", ["triton", "mlir"])
def test_a_release_of_too_many_digits(option: str, tmp_path: Path) -> None:
    file = tmp_path / "kernel.ttir"
    file.write_text(EXAMPLE)
    number = LONG if option == "mlir" else f"3.{LONG}"
    done = call_tool("xtriton-opt", [str(file), f"--{option}-version={number}"])
    assert (done.code, done.output) == (1, "")
    assert len(done.errors) < 1500
