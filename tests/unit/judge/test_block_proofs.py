"""A solver knows where accesses through block pointers and descriptors reach memory."""

import pytest
from xdsl.ir import Operation

from xtriton import universe
from xtriton.ir.reading.parser import parse_module

pytest.importorskip("z3")


def function(text: str) -> Operation:
    first = parse_module(text, universe.context()).body.block.first_op
    assert first is not None
    return first


def equal(before: str, after: str) -> bool:
    """Whether the solver alone proves that two kernels are equal."""
    from xtriton.judge.proofs.proofs import compare

    return compare(function(before), function(after), 4).equal


KERNEL = """
tt.func @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c8 : i32
  %size = arith.extsi %n : i32 to i64
  %pitch = arith.extsi %m : i32 to i64
  BODY
  tt.return
}
"""
LANES = """
  %r0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %r = tt.expand_dims %r0 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %ms = tt.splat %m : i32 -> tensor<4x1xi32>
  %row = arith.muli %r, %ms : tensor<4x1xi32>
  %rows = tt.broadcast %row : tensor<4x1xi32> -> tensor<4x8xi32>
  %l = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %s = tt.splat %start : i32 -> tensor<8xi32>
  %i = arith.addi %s, %l : tensor<8xi32>
  %c = tt.expand_dims %i {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %ns = tt.splat %n : i32 -> tensor<1x8xi32>
  %below = arith.cmpi slt, %c, %ns : tensor<1x8xi32>
  %on = tt.broadcast %below : tensor<1x8xi1> -> tensor<4x8xi1>
  %columns = tt.broadcast %c : tensor<1x8xi32> -> tensor<4x8xi32>
  %o = arith.addi %rows, %columns : tensor<4x8xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
  %px = tt.addptr %xs, %o : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<4x8x!tt.ptr<f32>>
  %po = tt.addptr %os, %o : tensor<4x8x!tt.ptr<f32>>, tensor<4x8xi32>"""
BY_LANES = f"""{LANES}
  %v = tt.load %px, %on, %zero : tensor<4x8x!tt.ptr<f32>>
  tt.store %po, %v, %on : tensor<4x8x!tt.ptr<f32>>"""
BY_BLOCKS = """
  %px = tt.make_tensor_ptr %x, [%four, %size], [%pitch, %one], [%c0, %start] {order = array<i32: 1, 0>} : <tensor<4x8xf32>>
  %v = tt.load %px {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<4x8xf32>>
  %po = tt.make_tensor_ptr %out, [%four, %size], [%pitch, %one], [%c0, %start] {order = array<i32: 1, 0>} : <tensor<4x8xf32>>
  tt.store %po, %v {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<4x8xf32>>"""
BY_DESCRIPTORS = """
  %four32 = arith.constant 4 : i32
  %dx = tt.make_tensor_descriptor %x, [%four32, %n], [%pitch, %one] : <f32>, <4x8xf32>
  %v = tt.descriptor_load %dx[%c0, %start] : !tt.tensordesc<4x8xf32> -> tensor<4x8xf32>
  %do = tt.make_tensor_descriptor %out, [%four32, %n], [%pitch, %one] : <f32>, <4x8xf32>
  tt.descriptor_store %do[%c0, %start], %v : !tt.tensordesc<4x8xf32>, tensor<4x8xf32>"""
SLIPS = {
    "": True,
    "boundaryCheck = array<i32: 1>, padding|boundaryCheck = array<i32: 0, 1>, padding": True,
    "boundaryCheck = array<i32: 1>}|boundaryCheck = array<i32: 0, 1>}": True,
    "boundaryCheck = array<i32: 1>, padding = 1 : i32|boundaryCheck = array<i32: 1>": True,
    "boundaryCheck = array<i32: 1>, padding = 1 : i32|padding = 1 : i32": False,
    "boundaryCheck = array<i32: 1>}|boundaryCheck = array<i32: 0>}": False,
    "%x, [%four, %size], [%pitch, %one]|%x, [%four, %size], [%one, %pitch]": False,
    "%x, [%four, %size], [%pitch, %one]|%x, [%four, %size], [%size, %one]": False,
    "%x, [%four, %size]|%x, [%four, %pitch]": False,
    "%out, [%four, %size], [%pitch, %one], [%c0, %start]|"
    "%out, [%four, %size], [%pitch, %one], [%c1, %start]": False,
    "%out, [%four, %size], [%pitch, %one], [%c0, %start]|"
    "%out, [%four, %size], [%pitch, %one], [%start, %c0]": False,
}
OF_DESCRIPTORS = {
    "": True,
    "%x, [%four32, %n], [%pitch|%x, [%four32, %m], [%pitch": False,
    "%x, [%four32, %n], [%pitch|%x, [%c3, %n], [%pitch": False,
    "%dx[%c0, %start]|%dx[%c1, %start]": False,
    "%out, [%four32, %n], [%pitch|%out, [%four32, %n], [%size": False,
}


def changed(body: str, change: str) -> str:
    before, _, after = change.partition("|")
    assert before in body
    return body.replace(before, after, 1)


@pytest.mark.parametrize("change", SLIPS)
def test_block_pointers_reach_where_tensors_of_pointers_do(change: str):
    before, after = KERNEL.replace("BODY", BY_LANES), KERNEL.replace("BODY", BY_BLOCKS)
    assert equal(before, changed(after, change)) == SLIPS[change]


@pytest.mark.parametrize("change", OF_DESCRIPTORS)
def test_descriptors_reach_where_tensors_of_pointers_do(change: str):
    before, after = KERNEL.replace("BODY", BY_LANES), KERNEL.replace("BODY", BY_DESCRIPTORS)
    assert equal(before, changed(after, change)) == OF_DESCRIPTORS[change]


def test_padding_counts_where_it_is_stored():
    """What is read beyond the bounds is stored here, in the other kernel as in this one."""
    before = KERNEL.replace("BODY", BY_LANES.replace(", %v, %on", ", %v"))
    blocks = BY_BLOCKS.replace(
        "tt.store %po, %v {boundaryCheck = array<i32: 1>}", "tt.store %po, %v"
    )
    assert equal(before, KERNEL.replace("BODY", blocks))
    for padding in (", padding = 2 : i32", ""):
        other = blocks.replace(", padding = 1 : i32", padding)
        assert not equal(before, KERNEL.replace("BODY", other))


def test_an_op_that_nobody_knows_is_no_proof():
    """A sum through a descriptor has no result, and is no formula."""
    reduce = (
        "tt.descriptor_reduce add, %do[%c0, %start], %v : !tt.tensordesc<4x8xf32>, tensor<4x8xf32>"
    )
    store = "tt.descriptor_store %do[%c0, %start], %v : !tt.tensordesc<4x8xf32>, tensor<4x8xf32>"
    added = changed(BY_DESCRIPTORS, f"{store}|{reduce}")
    assert not equal(
        *(
            KERNEL.replace("BODY", b)
            for b in (added, added.replace("[%c0, %start], %v", "[%start, %c0], %v"))
        )
    )


SUMS = """
  %end = arith.muli %c8, %c8 : i32
  PLACE
  %sum:CARRIED = scf.for %k = %c0 to %end step %c16 iter_args(INITIAL) -> (TYPES) : i32 {
    LOAD
    %t = arith.addf %acc, %v : tensor<4x8xf32>
    scf.yield %t MOVED
  }
  %po = tt.make_tensor_ptr %out, [%four, %size], [%pitch, %one], [%c0, %start] {order = array<i32: 1, 0>} : <tensor<4x8xf32>>
  tt.store %po, %sum#0 {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<4x8xf32>>"""
LOAD = "%v = tt.load POINTER {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<4x8xf32>>"
MADE = "tt.make_tensor_ptr %x, [%four, %size], [%pitch, %one], [%c0, START] {order = array<i32: 1, 0>} : <tensor<4x8xf32>>"


def summed(place: str, initial: str, load: str, moved: str, types: str) -> str:
    body = SUMS.replace("PLACE", place).replace("INITIAL", initial).replace("LOAD", load)
    body = body.replace("MOVED", moved).replace("TYPES", types)
    body = body.replace("CARRIED", str(initial.count("=")))
    return KERNEL.replace("BODY", body)


COMPUTED = summed(
    "",
    "%acc = %zero",
    f"%at = arith.addi %start, %k : i32\n%p = {MADE.replace('START', '%at')}\n"
    + LOAD.replace("POINTER", "%p"),
    ": tensor<4x8xf32>",
    "tensor<4x8xf32>",
)
ADVANCED = summed(
    f"%first = {MADE.replace('START', '%start')}",
    "%acc = %zero, %p = %first",
    LOAD.replace("POINTER", "%p") + "\n%next = tt.advance %p, [%c0, %c16] : <tensor<4x8xf32>>",
    ", %next : tensor<4x8xf32>, !tt.ptr<tensor<4x8xf32>>",
    "tensor<4x8xf32>, !tt.ptr<tensor<4x8xf32>>",
)


@pytest.mark.parametrize(
    ("change", "same"),
    [("", True), ("%p, [%c0, %c16]|%p, [%c0, %c8]", False), ("%p, [%c0, %c16]|%p, [%c16, %c0]", False),
     ("tt.advance %p,|tt.advance %first,", False), ("%size], [%pitch|%pitch], [%pitch", False)],
)  # fmt: skip
def test_a_pointer_that_a_loop_moves_is_where_its_index_says(change: str, same: bool):
    assert equal(COMPUTED, changed(ADVANCED, change)) == same
    assert equal(ADVANCED, changed(ADVANCED, change)) == same
