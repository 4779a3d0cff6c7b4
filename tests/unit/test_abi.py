"""The calling convention of kernels."""

import struct
from dataclasses import dataclass

import pytest

from xtriton import abi
from xtriton.abi import Argument, Kind


@dataclass
class Value:
    type: str


def test_program_arguments_come_last():
    assert abi.PROGRAM_ARGUMENT_NAMES[0] == "num_programs_x"
    assert [abi.num_programs_argument(10, axis) for axis in abi.AXES] == [4, 5, 6]
    assert [abi.program_id_argument(10, axis) for axis in abi.AXES] == [7, 8, 9]


@pytest.mark.parametrize(
    "given, grid", [(5, (5, 1, 1)), ((2, 3), (2, 3, 1)), ([1, 2, 3], (1, 2, 3))]
)
def test_grids(given: int | list[int], grid: abi.Grid):
    assert abi.normalize_grid(given) == grid


@pytest.mark.parametrize("given", [(), (1, 1, 1, 1), (2, -1)])
def test_what_is_no_grid(given: tuple[int, ...]):
    with pytest.raises(ValueError, match="a grid has"):
        abi.normalize_grid(given)


def test_x_runs_fastest():
    ids = [abi.program_ids(i, (2, 3, 2)) for i in range(12)]
    assert ids[:3] == [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    assert ids[-1] == (1, 2, 1)
    assert len(set(ids)) == 12


@pytest.mark.parametrize(
    "text, argument",
    [
        ("!tt.ptr<f32>", Argument(Kind.POINTER, "f32")),
        ("!tt.ptr<bf16, 1>", Argument(Kind.POINTER, "bf16")),
        ("memref<*xf8E4M3FN>", Argument(Kind.POINTER, "f8E4M3FN")),
        ("memref<?xi64>", Argument(Kind.POINTER, "i64")),
        ("i1", Argument(Kind.SCALAR, "i1")),
    ],
)
def test_types_of_arguments(text: str, argument: Argument):
    assert abi.argument_of_type(text) == argument


@pytest.mark.parametrize("text", ["tensor<4xf32>", "memref<4x4xf32>", "!tt.ptr<tensor<4xf32>>"])
def test_types_that_no_argument_has(text: str):
    with pytest.raises(ValueError, match="is not the type of a kernel argument"):
        abi.argument_of_type(text)


def test_lowered_kernels_have_six_more_arguments():
    values = [Value("memref<*xf32>"), *[Value("i32")] * 7]
    assert [str(a) for a in abi.arguments_of(values, lowered=True)] == ["*f32", "i32"]
    assert len(abi.arguments_of(values, lowered=False)) == 8
    with pytest.raises(ValueError, match="lacks the six program arguments"):
        abi.arguments_of(values[:5], lowered=True)


@pytest.mark.parametrize(
    "type, value, slot",
    [
        ("f32", 1.5, struct.pack("<f4x", 1.5)),
        ("f64", 0.1, struct.pack("<d", 0.1)),
        ("f16", 0.5, struct.pack("<e6x", 0.5)),
        ("bf16", 1.0, bytes([0x80, 0x3F, 0, 0, 0, 0, 0, 0])),
        ("bf16", float("nan"), bytes([0xC0, 0x7F, 0, 0, 0, 0, 0, 0])),
        ("i32", -1, b"\xff" * 8),
        ("i1", True, b"\x01" + bytes(7)),
    ],
)
def test_slots(type: str, value: float, slot: bytes):
    argument = Argument(Kind.SCALAR, type)
    packed = abi.slots_format([argument]).pack(abi.slot_value(argument, value))
    assert packed == slot


def test_bfloat_slots_round_to_nearest_even():
    argument = Argument(Kind.SCALAR, "bf16")
    tie = struct.unpack("<f", struct.pack("<I", 0x3F808000))[0]
    above = struct.unpack("<f", struct.pack("<I", 0x3F818000))[0]
    assert abi.slot_value(argument, tie) == 0x3F80
    assert abi.slot_value(argument, above) == 0x3F82


def test_tensor_facts_count_dimensions_from_the_last():
    fact = abi.tensor_fact("stride 2 -2")
    assert fact == abi.TensorFact("stride", 2, -2)
    assert str(fact) == "stride 2 -2"
    assert fact.value((3, 4, 5), (20, 5, 1)) == 5
    assert fact.value((3,), (1,)) == 0
    assert abi.TensorFact("shape", 0, -2).value((3,), (1,)) == 1
    with pytest.raises(ValueError, match="no fact"):
        abi.tensor_fact("stride 2 1")


def test_floats_that_round_to_infinity():
    for type, largest in [("f32", 3.4028234663852886e38), ("f16", 65504.0)]:
        argument = abi.Argument(abi.Kind.SCALAR, type)
        pack = abi.slots_format([argument]).pack
        assert pack(abi.slot_value(argument, 1e300)) == pack(float("inf"))
        assert pack(abi.slot_value(argument, -1e300)) == pack(float("-inf"))
        assert pack(abi.slot_value(argument, largest)) == pack(largest)
