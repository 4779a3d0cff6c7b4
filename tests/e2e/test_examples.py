"""The example kernels, unmodified, compiled for this CPU and compared with torch."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import xtriton
from xtriton.interop import mlir
from xtriton.interop.native import Launcher
from xtriton.interop.triton import ttir
from xtriton.interpreter.api import run as interpret

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

Examples = dict[str, ModuleType]


@pytest.fixture(scope="module")
def launcher() -> Launcher:
    return Launcher()


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


@pytest.mark.parametrize("n", [1, 7, 1000, 1024, 1025, 98432])
def test_vector_add(examples: Examples, launcher: Launcher, n: int):
    x, y, output = torch.randn(n), torch.randn(n), torch.full((n,), float("nan"))
    examples["vector_add"].add(x, y, output, launch=launcher)
    assert torch.equal(output, x + y)


@pytest.mark.parametrize("size", [(1, 1), (3, 17), (64, 781), (5, 1000), (33, 1024), (2, 4097)])
def test_softmax(examples: Examples, launcher: Launcher, size: tuple[int, int]):
    x, output = 4 * torch.randn(size), torch.full(size, float("nan"))
    examples["fused_softmax"].softmax(x, output, launch=launcher)
    torch.testing.assert_close(output, torch.softmax(x, 1), rtol=2e-6, atol=1e-7)


def test_softmax_of_padded_rows(examples: Examples, launcher: Launcher):
    x = torch.randn(7, 100)[:, :77]
    output = torch.zeros(7, 90)[:, :77]
    examples["fused_softmax"].softmax(x, output, launch=launcher)
    torch.testing.assert_close(output, torch.softmax(x, 1), rtol=2e-6, atol=1e-7)


@pytest.mark.parametrize(
    "m, n, k",
    [(1, 1, 1), (16, 16, 16), (33, 65, 17), (100, 90, 70), (257, 129, 300), (64, 64, 33)],
)
def test_matmul(examples: Examples, launcher: Launcher, m: int, n: int, k: int):
    # Whole numbers, so that any order of summing gives the same.
    a = torch.randint(-4, 5, (m, k)).float()
    b = torch.randint(-4, 5, (k, n)).float()
    c = torch.full((m, n), float("nan"))
    examples["matmul"].matmul(a, b, c, launch=launcher)
    assert torch.equal(c, a @ b)


def test_matmul_of_transposed_operands(examples: Examples, launcher: Launcher):
    a = torch.randint(-4, 5, (70, 100)).float().T
    b = torch.randint(-4, 5, (90, 70)).float().T
    c = torch.zeros(90, 100).T
    examples["matmul"].matmul(a, b, c, launch=launcher)
    assert torch.equal(c, a @ b)


@pytest.mark.parametrize("blocks", [(16, 16, 16), (32, 64, 16), (128, 128, 64)])
def test_matmul_of_other_blocks(
    examples: Examples, launcher: Launcher, blocks: tuple[int, int, int]
):
    a, b = torch.randint(-4, 5, (150, 90)).float(), torch.randint(-4, 5, (90, 140)).float()
    c = torch.zeros(150, 140)
    examples["matmul"].matmul(a, b, c, *blocks, launch=launcher)
    assert torch.equal(c, a @ b)


def test_matmul_of_half_precision(examples: Examples, launcher: Launcher):
    a, b = torch.randn(60, 40).half(), torch.randn(40, 50).half()
    c = torch.zeros(60, 50)
    examples["matmul"].matmul(a, b, c, launch=launcher)
    torch.testing.assert_close(c, a.float() @ b.float(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("turned", ["a", "b", "ab"])
@pytest.mark.parametrize("type", ["bfloat16", "float16", "int8"])
@pytest.mark.parametrize("m, n, k", [(128, 64, 96), (90, 110, 70)])
def test_matmul_of_narrow_transposed_operands(
    examples: Examples, launcher: Launcher, m: int, n: int, k: int, type: str, turned: str
):
    """Blocks that lie in columns, whole and cut, are packed as those in rows."""
    a, b = (torch.randint(-8, 9, s).to(getattr(torch, type)) for s in ((m, k), (k, n)))
    if "a" in turned:
        a = a.T.contiguous().T
    if "b" in turned:
        b = b.T.contiguous().T
    c = torch.zeros(m, n, dtype=torch.int32 if type == "int8" else torch.float32)
    examples["matmul"].matmul(a, b, c, launch=launcher)
    assert torch.equal(c, (a.double() @ b.double()).to(c.dtype))


@pytest.mark.parametrize("m, n, k", [(60, 50, 40), (200, 150, 700), (128, 192, 33)])
@pytest.mark.parametrize("result", ["float32", "bfloat16"])
def test_matmul_of_bfloat16(
    examples: Examples, launcher: Launcher, m: int, n: int, k: int, result: str
):
    # Whole numbers, whose sums are exact in f32 in any order.
    a, b = torch.randint(-64, 65, (m, k)).bfloat16(), torch.randint(-64, 65, (k, n)).bfloat16()
    c = torch.zeros(m, n, dtype=getattr(torch, result))
    examples["matmul"].matmul(a, b, c, launch=launcher)
    assert torch.equal(c, (a.double() @ b.double()).to(c.dtype))


@pytest.mark.parametrize("m, n, k", [(60, 50, 40), (200, 150, 700)])
def test_matmul_of_int8(examples: Examples, launcher: Launcher, m: int, n: int, k: int):
    a, b = (torch.randint(-128, 128, shape, dtype=torch.int8) for shape in ((m, k), (k, n)))
    c = torch.zeros(m, n, dtype=torch.int32)
    examples["matmul"].matmul(a, b, c, launch=launcher)
    assert torch.equal(c, a.int() @ b.int())


def test_in_place(examples: Examples, launcher: Launcher):
    """Output and input are the same memory."""
    x = torch.randn(5000)
    expected = x + x
    examples["vector_add"].add(x, x, x, launch=launcher)
    assert torch.equal(x, expected)


@pytest.mark.parametrize("name", ["vector_add", "fused_softmax", "matmul"])
def test_every_stage(examples: Examples, name: str):
    """The interpreter gets the same from every stage, and real MLIR takes the last."""
    stages: list[str] = []
    results: list[Any] = []
    call: dict[str, Any] = {}
    judge = mlir.find()

    def observe(stage: str, text: str, module: Any) -> None:
        stages.append(stage)
        if stage in ("linalg", "memref") and judge is not None and stage == "memref":
            judge.verify(text)
        if module is not None:
            call["output"].fill_(float("nan"))
            interpret(module, call["grid"], call["arguments"])
            results.append(call["output"].clone())

    inner = Launcher(observer=observe)

    def launch(kernel: Any, grid: tuple[int, ...]) -> Any:
        def run(*values: Any, **named: Any) -> Any:
            call["grid"] = grid
            call["arguments"] = [v for v in values if not (type(v) is int and v == 1)]
            return inner(kernel, grid)(*values, **named)

        return run

    if name == "vector_add":
        call["output"] = torch.empty(1500)
        examples[name].add(torch.randn(1500), torch.randn(1500), call["output"], launch=launch)
    elif name == "fused_softmax":
        call["output"] = torch.empty(3, 37)
        examples[name].softmax(torch.randn(3, 37), call["output"], launch=launch)
    else:
        call["output"] = torch.empty(70, 65)
        examples[name].matmul(
            torch.randn(70, 40), torch.randn(40, 65), call["output"], launch=launch
        )
    assert stages == ["ttir", "structured", "linalg", "memref", "llvm"]
    for result in [*results[1:], call["output"]]:
        torch.testing.assert_close(result, results[0], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["add_kernel", "softmax_kernel", "matmul_kernel"])
def test_triton_reads_what_we_print(examples: Examples, tmp_path: Path, name: str):
    """Real Triton's print of our text equals its print of the original, locations included."""
    ir = pytest.importorskip("triton._C.libtriton").ir
    kernel = next(getattr(module, name) for module in examples.values() if hasattr(module, name))
    signature, constexprs = signature_of(kernel)
    text = ttir(kernel, signature, constexprs)

    def printed_by_triton(content: str) -> str:
        context = ir.context()
        ir.load_dialects(context)
        file = tmp_path / "kernel.ttir"
        file.write_text(content)
        return str(ir.parse_mlir_module(str(file), context))

    ours = xtriton.print(xtriton.parse(text), debug_info=True)
    assert printed_by_triton(ours) == printed_by_triton(text)


def signature_of(kernel: Any) -> tuple[dict[str, str], dict[str, object]]:
    """Return types for all arguments of an example by their names."""
    signature = {
        name: "*fp32" if name.endswith("_ptr") else "i32"
        for name in kernel.arg_names
        if "SIZE" not in name
    }
    return signature, {name: 32 for name in kernel.arg_names if "SIZE" in name}
