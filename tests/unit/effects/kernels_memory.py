"""Kernels for tests of effects: addresses in memory and integers, descriptors, atomics, others."""

from tests.unit.effects.kernels import P4, P, at, kernel, load, store

# --- block pointers and descriptors ---------------------------------------------------

T = "tensor<4x4xf32>"
D = "!tt.tensordesc<4x4xf32>"
BP = "!tt.ptr<tensor<4x4xf32>>"


def descriptor(name: str, pointer: str, rows: str = "%c16") -> str:
    return (
        f"    %{name} = tt.make_tensor_descriptor %{pointer}, [{rows}, %c16], [%l16, %l1] : "
        f"{P}, {D}\n"
    )


L16 = "    %l16 = arith.constant 16 : i64\n"

kernel(
    "block_pointer",
    "x out",
    f"""    %l16 = arith.constant 16 : i64
    %a = tt.make_tensor_ptr %x, [%l16, %l16], [%l16, %l1], [%c0, %c0] {{order = array<i32: 1, 0>}} : {BP}
    %b = tt.make_tensor_ptr %out, [%l16, %l16], [%l16, %l1], [%c0, %c0] {{order = array<i32: 1, 0>}} : {BP}
    %a1 = tt.advance %a, [%c4, %c0] : {BP}
    %v = tt.load %a1 {{boundaryCheck = array<i32: 0, 1>}} : {BP}
    tt.store %b, %v : {BP}
""",
    read="x",
    write="out",
)
kernel(
    "block_pointers_swapped",
    "x out n:i32",
    f"""    %l16 = arith.constant 16 : i64
    %a = tt.make_tensor_ptr %x, [%l16, %l16], [%l16, %l1], [%c0, %c0] {{order = array<i32: 1, 0>}} : {BP}
    %b = tt.make_tensor_ptr %out, [%l16, %l16], [%l16, %l1], [%c0, %c0] {{order = array<i32: 1, 0>}} : {BP}
    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %d = %b) -> ({BP}, {BP}) : i32 {{
      %v = tt.load %s : {BP}
      tt.store %d, %v : {BP}
      scf.yield %d, %s : {BP}, {BP}
    }}
""",
    read="x? out?",
    write="x? out?",
)
kernel(
    "descriptors",
    "x out",
    L16
    + descriptor("a", "x")
    + descriptor("b", "out")
    + f"""    %v = tt.descriptor_load %a[%c0, %c4] : {D} -> {T}
    tt.descriptor_store %b[%c4, %c0], %v : {D}, {T}
""",
    read="x",
    write="out",
)
kernel(
    "descriptor_of_unknown_size",
    "out n:i32",
    L16
    + descriptor("b", "out", "%n")
    + f"    tt.descriptor_store %b[%c0, %c0], %tile : {D}, {T}\n",
    write="out?",
)
kernel(
    "descriptor_reduce",
    "out",
    L16
    + descriptor("b", "out")
    + f"    tt.descriptor_reduce add, %b[%c0, %c0], %tile : {D}, {T}\n",
    read="out",
    write="out",
)
kernel(
    "descriptor_gather_scatter",
    "x out",
    L16
    + """    %rows = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
"""
    + "".join(
        f"    %{n} = tt.make_tensor_descriptor %{p}, [%c16, %c16], [%l16, %l1] : "
        f"{P}, !tt.tensordesc<1x8xf32>\n"
        for n, p in (("a", "x"), ("b", "out"))
    )
    + """    %v = tt.descriptor_gather %a[%rows, %c0] : (!tt.tensordesc<1x8xf32>, tensor<8xi32>, i32) -> tensor<8x8xf32>
    tt.descriptor_scatter %b[%rows, %c0], %v : !tt.tensordesc<1x8xf32>, tensor<8xi32>, i32, tensor<8x8xf32>
""",
    read="x?",
    write="out?",
)
kernel(
    "descriptor_argument",
    "d:desc e:desc",
    f"""    %v = tt.descriptor_load %d[%c0, %c0] : {D} -> {T}
    tt.descriptor_store %e[%c0, %c0], %v : {D}, {T}
""",
    read="d?",
    write="e?",
)
kernel(
    "descriptors_swapped",
    "x out n:i32",
    L16
    + descriptor("a", "x")
    + descriptor("b", "out")
    + f"""    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %d = %b) -> ({D}, {D}) : i32 {{
      %v = tt.descriptor_load %s[%c0, %c0] : {D} -> {T}
      tt.descriptor_store %d[%c0, %c0], %v : {D}, {T}
      scf.yield %d, %s : {D}, {D}
    }}
""",
    read="x? out?",
    write="x? out?",
)

# --- descriptors in memory, up to Triton 3.3 ------------------------------------------


def create(slot: str, pointer: str) -> str:
    """Return ops that put a descriptor into memory; to the interpreter that memory is opaque."""
    return f"""    tt.experimental_tensormap_create %{slot}, %{pointer}, [%c4, %c4], [%c16, %c16], [%l64], [%c1, %c1] {{elem_type = 7 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 0 : i32}} : (!tt.ptr<i8>, {P}, i32, i32, i32, i32, i64, i32, i32) -> ()
    tt.experimental_tensormap_fenceproxy_acquire %{slot} : !tt.ptr<i8>
"""


OLD = "!tt.tensordesc<tensor<4x4xf32>>"
L64 = "    %l64 = arith.constant 64 : i64\n    %w0 = tt.addptr %ws, %c0 : !tt.ptr<i8>, i32\n"


def described(name: str, slot: str) -> str:
    return f"    %{name} = tt.reinterpret_tensor_descriptor %{slot} : !tt.ptr<i8> to {OLD}\n"


def slot(name: str, offset: str) -> str:
    return f"    %{name} = tt.addptr %ws, {offset} : !tt.ptr<i8>, i32\n"


kernel(
    "tensormap",
    "x ws:pi8",
    L64
    + create("w0", "x")
    + described("d", "ws")
    + f"    tt.experimental_descriptor_store %d[%c0, %c0], %tile : {OLD}, {T}\n",
    read="ws",
    write="x? ws",
    runs=False,
)
kernel(
    "tensormaps_in_one_workspace",
    "a b ws:pi8",
    L64
    + create("w0", "a")
    + slot("w1", "%c128")
    + create("w1", "b")
    + described("d", "w0")
    + f"    %v = tt.experimental_descriptor_load %d[%c0, %c0] : {OLD} -> {T}\n"
    + "    %c64 = arith.muli %c16, %c4 : i32\n"
    + slot("w2", "%c64")
    + "    %w3 = tt.addptr %w2, %c64 : !tt.ptr<i8>, i32\n"
    + described("e", "w3")
    + f"    tt.experimental_descriptor_store %e[%c0, %c0], %v : {OLD}, {T}\n",
    read="a? ws",
    write="b? ws",
    runs=False,
)
kernel(
    "tensormap_slot_used_twice",
    "a b ws:pi8",
    L64
    + create("w0", "a")
    + described("d", "w0")
    + f"    %v = tt.experimental_descriptor_load %d[%c0, %c0] : {OLD} -> {T}\n"
    + create("ws", "b")
    + described("e", "w0")
    + f"    tt.experimental_descriptor_store %e[%c0, %c0], %v : {OLD}, {T}\n",
    read="a? ws",
    write="b? ws",
    runs=False,
)
kernel(
    "tensormap_by_helper",
    "a b ws:pi8",
    L64
    + f"    tt.call @make(%a, %w0) : ({P}, !tt.ptr<i8>) -> ()\n"
    + slot("w1", "%c128")
    + f"    tt.call @make(%b, %w1) : ({P}, !tt.ptr<i8>) -> ()\n"
    + described("d", "ws")
    + f"    %v = tt.experimental_descriptor_load %d[%c0, %c0] : {OLD} -> {T}\n"
    + slot("w2", "%c128")
    + described("e", "w2")
    + f"    tt.experimental_descriptor_store %e[%c0, %c0], %v : {OLD}, {T}\n",
    functions=f"""  tt.func private @make(%g: {P}, %w: !tt.ptr<i8>) attributes {{noinline = true}} {{
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c16 = arith.constant 16 : i32
    %l64 = arith.constant 64 : i64
{create("w", "g")}    tt.return
  }}
""",
    read="a? ws",
    write="b? ws",
    runs=False,
)
kernel(
    "tensormap_in_a_branch",
    "a b ws:pi8 n:i32",
    L64
    + create("w0", "a")
    + "    %c = arith.cmpi sgt, %n, %c2 : i32\n    scf.if %c {\n"
    + create("w0", "b")
    + "    }\n"
    + described("d", "w0")
    + f"    tt.experimental_descriptor_store %d[%c0, %c0], %tile : {OLD}, {T}\n",
    read="ws",
    write="a? b? ws",
    runs=False,
)
kernel(
    "descriptor_of_the_host_in_memory",
    "d:pi8",
    f"    tt.experimental_descriptor_store %d[%c0, %c0], %tile : !tt.ptr<i8>, {T}\n",
    read="d",
    write="d?",
    runs=False,
)

# --- addresses in memory --------------------------------------------------------------

PP = "!tt.ptr<!tt.ptr<f32>>"

kernel(
    "pointer_table",
    "tab:pp n:i32",
    f"""    %e = tt.addptr %tab, %n : {PP}, i32
    %p = tt.load %e : {PP}
    tt.store %p, %f1 : {P}
""",
    read="tab",
    unknown_write="must",
)
kernel(
    "pointer_table_read",
    "tab:pp out",
    f"""    %p = tt.load %tab : {PP}
    %v = tt.load %p : {P}
    tt.store %out, %v : {P}
""",
    read="tab",
    write="out",
    unknown_read="must",
)
kernel(
    "pointer_table_of_tensors",
    "tab:pp",
    f"""    %t = tt.splat %tab : {PP} -> tensor<4x{PP}>
    %e = tt.addptr %t, %o : tensor<4x{PP}>, tensor<4xi32>
    %p = tt.load %e : tensor<4x{PP}>
    tt.store %p, %ones : {P4}
""",
    read="tab",
    unknown_write="must",
)
kernel(
    "pointer_spilled",
    "p q slots:pp",
    f"""    tt.store %slots, %p : {PP}
    %s1 = tt.addptr %slots, %c1 : {PP}, i32
    tt.store %s1, %q : {PP}
    %a = tt.load %slots : {PP}
    %s1b = tt.addptr %slots, %c1 : {PP}, i32
    %b = tt.load %s1b : {PP}
    %v = tt.load %a : {P}
    tt.store %b, %v : {P}
""",
    read="p slots",
    write="q slots",
)
kernel(
    "pointer_spilled_somewhere",
    "p slots:pp n:i32",
    f"""    %s = tt.addptr %slots, %n : {PP}, i32
    tt.store %s, %p : {PP}
    %a = tt.load %slots : {PP}
    tt.store %a, %f1 : {P}
""",
    read="slots",
    write="p? slots",
    unknown_write="may",
    runs=True,
)
kernel(
    "pointer_spilled_in_a_loop",
    "p q slots:pp n:i32",
    f"""    tt.store %slots, %p : {PP}
    scf.for %i = %c0 to %n step %c1 : i32 {{
      %a = tt.load %slots : {PP}
      tt.store %a, %f1 : {P}
      tt.store %slots, %q : {PP}
    }}
""",
    read="slots?",
    write="p? q? slots",
)
kernel(
    "pointer_exchanged",
    "tab:pi64 p",
    f"""    %i = tt.ptr_to_int %p : {P} -> i64
    %old = tt.atomic_rmw exch, acq_rel, gpu, %tab, %i : (!tt.ptr<i64>, i64) -> i64
    %a = tt.int_to_ptr %old : i64 -> {P}
    tt.store %a, %f1 : {P}
""",
    read="tab",
    write="tab p?",
    unknown_write="may",
)

# --- integers as addresses ------------------------------------------------------------

kernel(
    "integer_argument",
    "a:i64",
    f"    %p = tt.int_to_ptr %a : i64 -> {P}\n    tt.store %p, %f1 : {P}\n",
    write="a",
    runs=False,
)
kernel(
    "integer_table",
    "tab:pi64",
    f"""    %a = tt.load %tab : !tt.ptr<i64>
    %p = tt.int_to_ptr %a : i64 -> {P}
    tt.store %p, %f1 : {P}
""",
    read="tab",
    unknown_write="must",
)
kernel(
    "integer_round_trip",
    "p n:i64",
    f"""    %a = tt.ptr_to_int %p : {P} -> i64
    %m = arith.muli %n, %l4 : i64
    %b = arith.addi %a, %m : i64
    %q = tt.int_to_ptr %b : i64 -> {P}
    tt.store %q, %f1 : {P}
""",
    write="p",
)
kernel(
    "integer_difference",
    "p q",
    f"""    %a = tt.ptr_to_int %p : {P} -> i64
    %b = tt.ptr_to_int %q : {P} -> i64
    %d = arith.subi %b, %a : i64
    %e = arith.addi %a, %d : i64
    %x = tt.int_to_ptr %e : i64 -> {P}
    tt.store %x, %f1 : {P}
""",
    write="q",
)
kernel(
    "integer_aligned",
    "p q",
    f"""    %a = tt.ptr_to_int %p : {P} -> i64
    %m = arith.constant -16 : i64
    %b = arith.andi %a, %m : i64
    %x = tt.int_to_ptr %b : i64 -> {P}
    tt.store %x, %f1 : {P}
""",
    write="p",
)
kernel(
    "integer_swapped_by_xor",
    "p q",
    f"""    %a = tt.ptr_to_int %p : {P} -> i64
    %b = tt.ptr_to_int %q : {P} -> i64
    %c = arith.xori %a, %b : i64
    %d = arith.xori %c, %a : i64
    %x = tt.int_to_ptr %d : i64 -> {P}
    tt.store %x, %f1 : {P}
""",
    write="p? q?",
)
kernel(
    "integer_carried",
    "p q n:i32",
    f"""    %a = tt.ptr_to_int %p : {P} -> i64
    %b = tt.ptr_to_int %q : {P} -> i64
    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i64, i64) : i32 {{
      %s = tt.int_to_ptr %x : i64 -> {P}
      tt.store %s, %f1 : {P}
      %z = arith.addi %x, %l4 : i64
      scf.yield %y, %z : i64, i64
    }}
""",
    write="p? q?",
)
kernel(
    "bitcast_pointer",
    "p",
    """    %q = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i32>
    tt.store %q, %c1 : !tt.ptr<i32>
""",
    write="p",
)

# --- atomics --------------------------------------------------------------------------

kernel(
    "atomic_add",
    "x out",
    load("x", "v")
    + at("out")
    + f"    %old = tt.atomic_rmw fadd, acq_rel, gpu, %outs, %v : ({P4}, tensor<4xf32>) -> tensor<4xf32>\n",
    read="x out",
    write="out",
)
kernel(
    "atomic_masked_off",
    "p q",
    f"""    %old = tt.atomic_rmw fadd, acq_rel, gpu, %p, %f1, %no : ({P}, f32, i1) -> f32
    %new = tt.atomic_rmw fadd, relaxed, cta, %q, %f1, %yes : ({P}, f32, i1) -> f32
""",
    read="q",
    write="q",
)
kernel(
    "atomic_cas",
    "lock:pi32 out",
    f"""    %old = tt.atomic_cas acq_rel, gpu, %lock, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
    %b = arith.cmpi eq, %old, %c0 : i32
    scf.if %b {{
      tt.store %out, %f1 : {P}
    }}
""",
    read="lock",
    write="lock? out?",
)

# --- bodies ---------------------------------------------------------------------------

kernel(
    "reduce",
    "x out",
    load("x", "v")
    + f"""    %s = "tt.reduce"(%v) <{{axis = 0 : i32}}> ({{
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }}) : (tensor<4xf32>) -> f32
    tt.store %out, %s : {P}
""",
    read="x",
    write="out",
)
kernel(
    "reduce_of_addresses",
    "p q",
    at("p")
    + at("q")
    + f"""    %a = tt.ptr_to_int %ps : {P4} -> tensor<4xi64>
    %b = tt.ptr_to_int %qs : {P4} -> tensor<4xi64>
    %s = "tt.reduce"(%a) <{{axis = 0 : i32}}> ({{
    ^bb0(%u: i64, %v: i64):
      %m = arith.maxsi %u, %v : i64
      tt.reduce.return %m : i64
    }}) : (tensor<4xi64>) -> i64
    %x = tt.int_to_ptr %s : i64 -> {P}
    tt.store %x, %f1 : {P}
""",
    write="p",
)
kernel(
    "scan",
    "x out",
    load("x", "v")
    + """    %s = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.scan.return %c : f32
    }) : (tensor<4xf32>) -> tensor<4xf32>
"""
    + store("out", "s"),
    read="x",
    write="out",
)
kernel(
    "map_elementwise",
    "x out",
    load("x", "v")
    + """    %s = "tt.map_elementwise"(%v) <{pack = 1 : i32}> ({
    ^bb0(%a: f32):
      %c = arith.addf %a, %a : f32
      tt.map_elementwise.return %c : f32
    }) : (tensor<4xf32>) -> tensor<4xf32>
"""
    + store("out", "s"),
    read="x",
    write="out",
)
kernel(
    "join_and_split",
    "p q",
    at("p")
    + at("q")
    + f"""    %j = tt.join %ps, %qs : {P4} -> tensor<4x2x!tt.ptr<f32>>
    %a, %b = tt.split %j : tensor<4x2x!tt.ptr<f32>> -> {P4}
    tt.store %b, %ones : {P4}
""",
    write="p? q?",
)

# --- code that nobody has -------------------------------------------------------------


def assembly(text: str, *, pure: bool, operands: str, types: str, result: str = "f32") -> str:
    flag = "true" if pure else "false"
    return (
        f'    %asm = tt.elementwise_inline_asm "{text}" {{constraints = "=r,r", '
        f"packed_element = 1 : i32, pure = {flag}}} {operands} : {types} -> {result}\n"
    )


kernel(
    "asm_pure",
    "x out",
    f"    %v = tt.load %x : {P}\n"
    + assembly("sqrt.approx.f32 $0, $1;", pure=True, operands="%v", types="f32")
    + f"    tt.store %out, %asm : {P}\n",
    read="x",
    write="out",
    runs=False,
)
kernel(
    "asm_impure_without_memory",
    "x out",
    f"    %v = tt.load %x : {P}\n"
    + assembly("mov.u32 $0, %clock;", pure=False, operands="%v", types="f32")
    + f"    tt.store %out, %asm : {P}\n",
    read="x",
    write="out",
    side_effects=("inline asm",),
    runs=False,
)
kernel(
    "asm_stores",
    "p q",
    assembly("st.global.f32 [$1], 1.0;", pure=False, operands="%p", types=P),
    read="p?",
    write="p?",
    side_effects=("inline asm",),
    runs=False,
)
kernel(
    "asm_loads_purely",
    "p q",
    assembly("ld.global.f32 $0, [$1];", pure=True, operands="%p", types=P)
    + f"    tt.store %q, %asm : {P}\n",
    read="p?",
    write="q",
    runs=False,
)
kernel(
    "asm_lies",
    "p",
    assembly("st.global.f32 [$1], 1.0;", pure=True, operands="%p", types=P),
    read="p?",
    write="p?",
    runs=False,
)
kernel(
    "asm_on_an_integer",
    "p",
    f"    %a = tt.ptr_to_int %p : {P} -> i64\n"
    + assembly("red.add.f32 [$1], 1.0;", pure=False, operands="%a", types="i64"),
    read="p?",
    write="p?",
    side_effects=("inline asm",),
    runs=False,
)


def extern(symbol: str, operands: str, types: str, *, pure: bool) -> str:
    flag = "true" if pure else "false"
    return (
        f'    %ext = tt.extern_elementwise {operands} {{libname = "", libpath = "", '
        f'pure = {flag}, symbol = "{symbol}"}} : ({types}) -> f32\n'
    )


kernel(
    "libdevice",
    "x out",
    f"    %v = tt.load %x : {P}\n"
    + extern("__nv_tanhf", "%v", "f32", pure=True)
    + f"    tt.store %out, %ext : {P}\n",
    read="x",
    write="out",
)
kernel(
    "nvshmem_put",
    "dest src",
    extern("nvshmem_putmem", "%dest, %src, %c4, %c0", f"{P}, {P}, i32, i32", pure=False),
    read="src?",
    write="dest?",
    side_effects=("network",),
    runs=False,
)
kernel(
    "extern_unknown",
    "p q",
    extern("frobnicate", "%p", P, pure=False),
    read="p?",
    write="p?",
    side_effects=("external call",),
    runs=False,
)
kernel(
    "unknown_op",
    "p q",
    f'    %u = "future.op"(%p) : ({P}) -> f32\n',
    read="p?",
    write="p?",
    runs=False,
)
kernel(
    "unknown_op_without_addresses",
    "p q",
    '    %u = "future.op"(%f1) : (f32) -> f32\n',
    side_effects=("unknown op",),
    runs=False,
)
kernel(
    "print_and_assert",
    "p",
    f"""    %v = tt.load %p : {P}
    tt.print "v" {{hex = false, isSigned = array<i32: 0>}} : %v : f32
    tt.assert %yes, "fine" : i1
""",
    read="p",
    side_effects=("print", "assert"),
)
kernel("nothing", "p q", "")

# --- GPU level ------------------------------------------------------------------------

kernel(
    "scratch",
    "x",
    f"""    %s = ttg.global_scratch_alloc {{alignment = 128 : i32, nbytes = 128 : i32}} : !tt.ptr<i8>
    %one = arith.constant 1 : i8
    tt.store %s, %one : !tt.ptr<i8>
    tt.store %x, %f1 : {P}
""",
    write="x",
)
kernel(
    "pointers_yielded_through_a_region",
    "p q",
    f"""    %x = scf.execute_region -> {P} {{
      scf.yield %q : {P}
    }}
    tt.store %x, %f1 : {P}
""",
    write="q",
)
kernel(
    "switch",
    "p q n:i32",
    f"""    %k = arith.index_cast %n : i32 to index
    %x = scf.index_switch %k -> {P}
    case 0 {{
      scf.yield %p : {P}
    }}
    default {{
      scf.yield %q : {P}
    }}
    tt.store %x, %f1 : {P}
""",
    write="p? q?",
)
