"""Rules of upstream's dialects, one broken at a time, in the generic form."""

import pytest

from xtriton.errors import ParseFailure, VerifyFailure
from xtriton.ir.checking.verifier import verify
from xtriton.ir.reading.parser import parse_module
from xtriton.universe import context

M, T, V = "memref<4xf32>", "tensor<4xf32>", "vector<4xf32>"
NEGATE = """({
^bb0(%a: f32, %b: f32):
  BODY
})"""
YIELDED = '"linalg.yield"(%a) : (f32) -> ()'
REDUCE = NEGATE.replace("BODY", YIELDED)


def op(line: str, *arguments: str) -> str:
    """Return a function whose arguments are %0, %1, ... of these types, around one line."""
    names = ", ".join(f"%{i}: {type}" for i, type in enumerate(arguments))
    return f"func.func @f({names}) {{\n{line}\nfunc.return\n}}"


def generic(
    name: str, operands: str, results: str = "", properties: str = "", region: str = ""
) -> str:
    """Return an op on arguments of the types of `operands`, in the generic form."""
    types = operands.split(", ") if operands else []
    made = results.split(", ") if results else []
    values = ", ".join(f"%{i}" for i in range(len(types)))
    left = f"%r{f':{len(made)}' if len(made) > 1 else ''} = " if made else ""
    given = f" <{{{properties}}}>" if properties else ""
    body = f" {region}" if region else ""
    return op(f'{left}"{name}"({values}){given}{body} : ({operands}) -> ({results})', *types)


def segments(*sizes: int) -> str:
    return f"operandSegmentSizes = array<i32: {', '.join(map(str, sizes))}>"


MAP, PLANE = "map = affine_map<(d0) -> (d0)>", "map = affine_map<(d0) -> (d0, d0)>"
AFFINE = [
    (generic("affine.min", "index, index", "index", MAP), "wants others"),
    (generic("affine.load", f"{M}, index, index", "f32", MAP), "indices are 2, map"),
    (generic("affine.load", f"{M}, index", "f32", PLANE), "does not give an index for each"),
    (
        generic("affine.delinearize_index", "index", "index", "static_basis = array<i64: 4, 5>"),
        "multi_index and basis differ in number",
    ),
    (
        generic(
            "affine.linearize_index",
            "index",
            "index",
            f"static_basis = array<i64: 4, 5>, {segments(1, 0)}",
        ),
        "multi_index and basis differ in number",
    ),
]

BUFFERS = [
    (generic("bufferization.to_buffer", T, "memref<5xf32>"), "do not agree"),
    (
        generic("bufferization.materialize_in_destination", f"{T}, {T}"),
        "there is a result exactly if dest is a tensor",
    ),
    (
        generic("bufferization.materialize_in_destination", f"{T}, {T}", T, "restrict"),
        "restrict can only be said of a memref",
    ),
    (
        generic("bufferization.dealloc", f"{M}, i1, {M}", "", segments(1, 1, 1)),
        "retained and updated_conditions differ in number",
    ),
]

FUNCTIONS = [
    (
        generic("func.call_indirect", "(f32) -> f32, i32", "f32"),
        "callee_operands do not fit the callee's type",
    ),
    (generic("func.call_indirect", "(f32) -> f32, f32", "i32"), "results do not fit"),
    (generic("index.casts", "i32", "i64"), "must be index"),
    (generic("arith.convertf", "f32", "f16"), "input and result differ in bit width"),
    (generic("math.fpowi", f"{V}, vector<5xi32>", V), "differ in shape"),
    (
        generic("llvm.intr.assume", "i1, i32", "", "op_bundle_sizes = array<i32>"),
        "op_bundle_sizes do not add up to the number of operands",
    ),
    (
        generic("llvm.intr.assume", "i1, i32", "", "op_bundle_sizes = array<i32: 1>"),
        "op_bundle_tags and op_bundle_sizes differ in number",
    ),
    (
        generic("vector.shuffle", f"{V}, {V}", "vector<2xf32>", "mask = array<i64: 0>"),
        "mask has 1 elements, but result has type vector<2xf32>",
    ),
]

INDICES = ["#linalg.iterator_type<parallel>", "affine_map<(d0) -> (d0)>"]


def structured(name: str, properties: str, operands: str, results: str, body: str) -> str:
    return generic(name, operands, results, properties, body)


GENERIC = (
    f"indexing_maps = [{INDICES[1]}, {INDICES[1]}], iterator_types = [{INDICES[0]}], "
    f"{segments(1, 1)}"
)
STORED = '"test.end"(%a) : (f32) -> ()'
WRONG = '%c = "arith.constant"() <{value = 0 : i32}> : () -> i32\n"linalg.yield"(%c) : (i32) -> ()'
DIMENSIONS = "dimensions = array<i64: {}>"
PAIR = "tensor<4x4xf32>"
LINALG = [
    (
        structured("linalg.generic", GENERIC, f"{T}, {T}", T, NEGATE.replace("BODY", STORED)),
        "the body must end with linalg.yield",
    ),
    (structured("linalg.generic", GENERIC, f"{T}, {T}", "", REDUCE), "results must have the types"),
    (
        structured("linalg.generic", GENERIC, f"{T}, {T}", T, NEGATE.replace("BODY", WRONG)),
        "linalg.yield gives other types than the elements of the outputs",
    ),
    (
        structured("linalg.fill", segments(2, 1), f"f32, f32, {T}", T, REDUCE),
        "fill has one input and one output",
    ),
    (
        structured(
            "linalg.reduce", DIMENSIONS.format("0"), "", "", '({\n  "linalg.yield"() : () -> ()\n})'
        ),
        "reduce needs an input",
    ),
    (
        structured(
            "linalg.reduce",
            DIMENSIONS.format("1, 0"),
            f"{PAIR}, tensor<f32>",
            "tensor<f32>",
            REDUCE,
        ),
        "dimensions must be increasing",
    ),
    (
        structured(
            "linalg.reduce",
            DIMENSIONS.format("0"),
            f"{T}, tensor<5xf32>, tensor<f32>, tensor<f32>",
            "tensor<f32>, tensor<f32>",
            REDUCE,
        ),
        "inputs differ in shape",
    ),
    (
        structured(
            "linalg.reduce",
            DIMENSIONS.format("0"),
            "tensor<4xf16>, tensor<f32>",
            "tensor<f32>",
            REDUCE,
        ),
        "arguments of the body must be the elements of inputs and inits",
    ),
    (
        structured("linalg.map", "", "tensor<4xf16>, tensor<4xf32>", T, REDUCE),
        "arguments of the mapper must be the elements of the operands",
    ),
    (
        structured(
            "linalg.transpose", "permutation = array<i64: 0, 0>", f"{PAIR}, {PAIR}", PAIR, REDUCE
        ),
        "permutation must be one of 2 dimensions",
    ),
    (
        structured("linalg.broadcast", DIMENSIONS.format("2"), f"{T}, {PAIR}", PAIR, REDUCE),
        "dimensions must be numbers of dimensions below 2",
    ),
]

CAST = (
    "static_offsets = array<i64{}>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>, "
    f"{segments(1, 0, 0, 0)}"
)
ATOMIC = """({
^bb0(%a: f32):
  "test.end"(%a) : (f32) -> ()
})"""
MEMORY = [
    (
        generic("memref.generic_atomic_rmw", f"{M}, index", "f16", "", ATOMIC),
        "result has type f16, memref holds f32",
    ),
    (
        generic("memref.generic_atomic_rmw", f"{M}, index", "f32", "", ATOMIC),
        "the body must end with memref.atomic_yield of a f32",
    ),
    (generic("memref.cast", "memref<*xf32>", "memref<*xf32>"), "one of source and dest must be"),
    (generic("memref.copy", f"{M}, memref<4xf16>"), "differ in element type"),
    (
        generic("memref.reinterpret_cast", M, M, CAST.format(": 0, 0")),
        "offsets are 2, expected one",
    ),
    (
        generic("memref.reinterpret_cast", "memref<4xf16>", M, CAST.format(": 0")),
        "differ in element type",
    ),
    (generic("memref.distinct_objects", f"{M}, {M}", f"{M}, memref<5xf32>"), "results differ in"),
    (
        generic(
            "memref.prefetch",
            f"{M}, index",
            "",
            "isDataCache = true, isWrite = false, localityHint = 7 : i32",
        ),
        "locality_hint must be from 0 to 3",
    ),
]

CONDITION = '"scf.condition"(%c) : (i1) -> ()'
LOOP = """({{
  %c = "arith.constant"() <{{value = true}}> : () -> i1
  {}
}}, {{
  {}
}})"""
FORALL = "staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: {}>"
PARALLEL = """({
^bb0(ARGUMENTS):
  "scf.forall.in_parallel"() ({
  ^bb0:
  }) : () -> ()
})"""


def loop(before: str, after: str) -> str:
    region = LOOP.format(before, after)
    return op(f'"scf.while"() {region} : () -> ()')


def forall(upper: str, arguments: str, results: str = T) -> str:
    body = PARALLEL.replace("ARGUMENTS", arguments)
    properties = f"{FORALL.format(upper)}, {segments(0, 0, 0, 1)}"
    return generic("scf.forall", T, results, properties, body)


CONTROL = [
    (loop('"scf.yield"() : () -> ()', '"scf.yield"() : () -> ()'), "must end with scf.condition"),
    (loop(CONDITION, '"test.end"() : () -> ()'), "the after region must end with scf.yield"),
    (forall("4, 5", f"%i: index, %t: {T}"), "lower bounds, upper bounds and steps differ"),
    (forall("4", "%i: index"), "arguments of the body must be the indices and the outputs"),
    (forall("4", f"%i: index, %t: {T}", "tensor<5xf32>"), "results differ in type from the"),
]

GENERATED = """({
^bb0(ARGUMENTS):
  %c = "arith.constant"() <{value = 0 : i32}> : () -> i32
  "tensor.yield"(%c) : (i32) -> ()
})"""
TENSORS = [
    (generic("tensor.reshape", f"{T}, tensor<1xi32>", "tensor<4xf16>"), "differ in element type"),
    (generic("tensor.reshape", f"{T}, tensor<1x1xi32>", T), "shape must have rank 1"),
    (generic("tensor.reshape", f"{T}, tensor<2xi32>", T), "shape has 2 elements, result"),
    (
        generic(
            "tensor.scatter",
            "tensor<1x1xf32>, tensor<4xf32>, tensor<1x1xindex>",
            "tensor<5xf32>",
            "scatter_dims = array<i64: 0>, unique",
        ),
        "result has type tensor<5xf32>, dest has tensor<4xf32>",
    ),
    (
        generic("tensor.generate", "", T, "", GENERATED.replace("ARGUMENTS", "%i: i32")),
        "the body must have an index argument for each dimension",
    ),
    (
        generic("tensor.generate", "", T, "", GENERATED.replace("ARGUMENTS", "%i: index")),
        "the body must yield a f32",
    ),
]


@pytest.mark.parametrize(
    ("text", "message"),
    [*AFFINE, *BUFFERS, *FUNCTIONS, *LINALG, *MEMORY, *CONTROL, *TENSORS],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises((ParseFailure, VerifyFailure)) as raised:
        verify(parse_module(text, context(allow_unregistered=True)))
    assert message in raised.value.message
