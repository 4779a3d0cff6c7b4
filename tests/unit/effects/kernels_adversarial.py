"""Kernels that hide where an address comes from, written to catch the analysis out."""

from tests.unit.effects.kernels import P4, P, at, kernel, load, store

PP = "!tt.ptr<!tt.ptr<f32>>"
PPP = "!tt.ptr<!tt.ptr<!tt.ptr<f32>>>"
I64 = "!tt.ptr<i64>"

# --- numbers that are addresses -------------------------------------------------------


def number(pointer: str, result: str) -> str:
    return f"    %{result} = tt.ptr_to_int %{pointer} : {P} -> i64\n"


def write_at(address: str) -> str:
    return (
        f"    %{address}_p = tt.int_to_ptr %{address} : i64 -> {P}\n"
        f"    tt.store %{address}_p, %f1 : {P}\n"
    )


kernel(
    "twice_less_once",
    "p",
    number("p", "a")
    + "    %b = arith.addi %a, %a : i64\n    %c = arith.subi %b, %a : i64\n"
    + write_at("c"),
    write="p",
)
kernel(
    "distance_in_other_order",
    "p q s",
    number("p", "a")
    + number("q", "b")
    + number("s", "c")
    + """    %d = arith.subi %a, %b : i64
    %e = arith.subi %c, %a : i64
    %f = arith.addi %d, %e : i64
    %g = arith.addi %f, %b : i64
"""
    + write_at("g"),
    write="s",
)
kernel(
    "halves_put_together",
    "p q",
    number("p", "a")
    + """    %l32 = arith.constant 32 : i64
    %low = arith.trunci %a : i64 to i32
    %up = arith.shrui %a, %l32 : i64
    %high = arith.trunci %up : i64 to i32
    %x = arith.extui %low : i32 to i64
    %y = arith.extui %high : i32 to i64
    %z = arith.shli %y, %l32 : i64
    %w = arith.ori %x, %z : i64
"""
    + write_at("w"),
    write="p",
)
kernel(
    "number_selected",
    "p q n:i32",
    number("p", "a")
    + number("q", "b")
    + "    %k = arith.cmpi sgt, %n, %c2 : i32\n    %c = arith.select %k, %a, %b : i64\n"
    + write_at("c"),
    write="p? q?",
)
kernel(
    "larger_address",
    "p q",
    number("p", "a") + number("q", "b") + "    %c = arith.maxui %a, %b : i64\n" + write_at("c"),
    write="p? q?",
)
kernel(
    "distance_is_an_offset",
    "p q",
    number("p", "a")
    + f"""    %n = arith.subi %a, %a : i64
    %k = tt.addptr %q, %n : {P}, i64
    tt.store %k, %f1 : {P}
""",
    write="q",
)
kernel(
    "index_of_an_address",
    "p q",
    number("p", "a")
    + f"""    %i = arith.index_cast %a : i64 to index
    %j = arith.index_cast %i : index to i64
    %k = tt.int_to_ptr %j : i64 -> {P}
    tt.store %k, %f1 : {P}
""",
    write="p",
)
kernel(
    "addresses_scanned",
    "p q",
    at("p")
    + f"""    %a = tt.ptr_to_int %ps : {P4} -> tensor<4xi64>
    %s = "tt.scan"(%a) <{{axis = 0 : i32, reverse = false}}> ({{
    ^bb0(%u: i64, %v: i64):
      %m = arith.maxsi %u, %v : i64
      tt.scan.return %m : i64
    }}) : (tensor<4xi64>) -> tensor<4xi64>
    %x = tt.int_to_ptr %s : tensor<4xi64> -> {P4}
    tt.store %x, %ones : {P4}
""",
    write="p",
)
kernel(
    "address_of_a_region",
    "p q",
    at("p")
    + number("q", "b")
    + f"""    %a = tt.ptr_to_int %ps : {P4} -> tensor<4xi64>
    %s = "tt.reduce"(%a) <{{axis = 0 : i32}}> ({{
    ^bb0(%u: i64, %v: i64):
      tt.reduce.return %b : i64
    }}) : (tensor<4xi64>) -> i64
"""
    + write_at("s"),
    write="p? q?",
)
kernel(
    "both_or_neither",
    "p q n:i32",
    f"""    %k = arith.cmpi sgt, %n, %c2 : i32
    %no_k = arith.xori %k, %yes : i1
    %x = arith.select %k, %p, %q : {P}
    %y = arith.select %no_k, %p, %q : {P}
    tt.store %x, %f1 : {P}
    %v = tt.load %y : {P}
""",
    read="p? q?",
    write="p? q?",
)

# --- memory that holds addresses ------------------------------------------------------

kernel(
    "copied_between_tables",
    "tab:pp other:pp",
    f"""    %x = tt.load %tab : {PP}
    tt.store %other, %x : {PP}
    %y = tt.load %other : {PP}
    tt.store %y, %f1 : {P}
""",
    read="tab other",
    write="other",
    unknown_write="must",
)
kernel(
    "spilled_and_broken",
    "tab:pp p",
    f"""    tt.store %tab, %p : {PP}
    %b = tt.bitcast %tab : {PP} -> !tt.ptr<i8>
    %z = arith.constant 0 : i8
    tt.store %b, %z : !tt.ptr<i8>
    %y = tt.load %tab : {PP}
    tt.store %y, %f1 : {P}
""",
    read="tab",
    write="tab p?",
    unknown_write="may",
    runs=False,
)
kernel(
    "spilled_as_a_number",
    "tab:pi64 p",
    number("p", "a")
    + f"""    tt.store %tab, %a : {I64}
    %t = tt.bitcast %tab : {I64} -> {PP}
    %y = tt.load %t : {PP}
    tt.store %y, %f1 : {P}
""",
    read="tab",
    write="tab p",
)
kernel(
    "spilled_next_to_each_other",
    "tab:pp p q",
    f"""    %t1 = tt.addptr %tab, %c1 : {PP}, i32
    tt.store %tab, %p : {PP}
    tt.store %t1, %q : {PP}
    %x = tt.load %tab : {PP}
    %y = tt.load %t1 : {PP}
    tt.store %y, %f1 : {P}
    %v = tt.load %x : {P}
""",
    read="tab p",
    write="tab q",
)
kernel(
    "spilled_then_overwritten",
    "tab:pp p q",
    f"""    tt.store %tab, %p : {PP}
    tt.store %tab, %q : {PP}
    %y = tt.load %tab : {PP}
    tt.store %y, %f1 : {P}
""",
    read="tab",
    write="tab q",
)
kernel(
    "overwritten_perhaps",
    "tab:pp p q n:i32",
    f"""    tt.store %tab, %p : {PP}
    %k = arith.cmpi sgt, %n, %c2 : i32
    tt.store %tab, %q, %k : {PP}
    %y = tt.load %tab : {PP}
    tt.store %y, %f1 : {P}
""",
    read="tab",
    write="tab p? q?",
)
kernel(
    "after_a_meeting",
    "tab:pp p lock:pi32",
    f"""    tt.store %tab, %p : {PP}
    %old = tt.atomic_rmw add, acq_rel, gpu, %lock, %c1 : (!tt.ptr<i32>, i32) -> i32
    %y = tt.load %tab : {PP}
    tt.store %y, %f1 : {P}
""",
    read="tab lock",
    write="tab p? lock",
    unknown_write="may",
)
kernel(
    "linked_list",
    "head:ppp n:i32",
    f"""    %b = tt.bitcast %head : {PPP} -> {PP}
    %e = scf.for %i = %c0 to %n step %c1 iter_args(%x = %b) -> ({PP}) : i32 {{
      %y = tt.load %x : {PP}
      %z = tt.bitcast %y : {P} -> {PP}
      scf.yield %z : {PP}
    }}
    %last = tt.bitcast %e : {PP} -> {P}
    tt.store %last, %f1 : {P}
""",
    read="head?",
    write="head?",
    unknown_read="may",
    unknown_write="may",
    runs=False,
)
kernel(
    "filled_in_a_loop",
    "tab:pp p q n:i32",
    f"""    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p, %y = %q) -> ({P}, {P}) : i32 {{
      %t = tt.addptr %tab, %i : {PP}, i32
      tt.store %t, %x : {PP}
      scf.yield %y, %x : {P}, {P}
    }}
    %t1 = tt.addptr %tab, %c1 : {PP}, i32
    %z = tt.load %t1 : {PP}
    tt.store %z, %f1 : {P}
""",
    read="tab",
    write="tab? p? q?",
    unknown_write="may",
)
kernel(
    "address_swapped_in_memory",
    "tab:pi64 p",
    number("p", "a")
    + f"""    %old = tt.atomic_cas acq_rel, gpu, %tab, %l0, %a : ({I64}, i64, i64) -> i64
    %new = tt.load %tab : {I64}
"""
    + write_at("new"),
    read="tab",
    write="tab? p?",
    unknown_write="may",
)

# --- ways through a kernel ------------------------------------------------------------

kernel(
    "first_lane_is_off",
    "x",
    f"""    %m = arith.cmpi sgt, %o, %bases : tensor<4xi32>
{at("x")}    tt.store %xs, %ones, %m : {P4}
""",
    write="x?",
)
kernel(
    "last_program_only",
    "x",
    f"""    %n = tt.get_num_programs x : i32
    %l = arith.subi %n, %c1 : i32
    %k = arith.cmpi eq, %pid, %l : i32
    scf.if %k {{
      tt.store %x, %f1 : {P}
    }}
""",
    write="x?",
)
kernel(
    "rotated_in_a_while",
    "p q s n:i32",
    f"""    %e:4 = scf.while (%a = %p, %b = %q, %c = %s, %i = %c0) : ({P}, {P}, {P}, i32) -> ({P}, {P}, {P}, i32) {{
      %k = arith.cmpi slt, %i, %n : i32
      scf.condition(%k) %b, %c, %a, %i : {P}, {P}, {P}, i32
    }} do {{
    ^bb0(%a: {P}, %b: {P}, %c: {P}, %i: i32):
      %j = arith.addi %i, %c1 : i32
      scf.yield %a, %b, %c, %j : {P}, {P}, {P}, i32
    }}
    tt.store %e#0, %f1 : {P}
""",
    write="p? q? s?",
)
kernel(
    "inner_loop_moves_the_outer",
    "p q n:i32",
    f"""    %e = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p) -> ({P}) : i32 {{
      %f = scf.for %j = %c0 to %i step %c1 iter_args(%y = %x) -> ({P}) : i32 {{
        scf.yield %q : {P}
      }}
      scf.yield %f : {P}
    }}
    tt.store %e, %f1 : {P}
""",
    write="p? q?",
)
kernel(
    "two_conditions_that_agree",
    "p q n:i32",
    f"""    %k = arith.cmpi sgt, %n, %c2 : i32
    scf.if %k {{
      tt.store %p, %f1 : {P}
    }}
    %l = arith.cmpi sle, %n, %c2 : i32
    scf.if %l {{
      tt.store %p, %f1 : {P}
    }}
""",
    write="p?",
)
kernel(
    "loop_of_blocks_swaps",
    "p q n:i32",
    f"""    cf.br ^head(%p, %q, %c0 : {P}, {P}, i32)
  ^head(%a: {P}, %b: {P}, %i: i32):
    %k = arith.cmpi slt, %i, %n : i32
    cf.cond_br %k, ^body, ^end(%b : {P})
  ^body:
    %j = arith.addi %i, %c1 : i32
    cf.br ^head(%b, %a, %j : {P}, {P}, i32)
  ^end(%x: {P}):
    tt.store %x, %f1 : {P}
    tt.return
""",
    write="p? q?",
    ends=False,
)
kernel(
    "returns_before_it_writes",
    "p q n:i32",
    f"""    %k = arith.cmpi sgt, %n, %c2 : i32
    tt.store %p, %f1 : {P}
    cf.cond_br %k, ^bb1, ^bb2
  ^bb1:
    tt.return
  ^bb2:
    tt.store %q, %f1 : {P}
    tt.return
""",
    write="p q?",
    ends=False,
)

# --- functions ------------------------------------------------------------------------

kernel(
    "out_parameter",
    "tab:pp p",
    f"""    tt.call @put(%tab, %p) : ({PP}, {P}) -> ()
    %x = tt.load %tab : {PP}
    tt.store %x, %f1 : {P}
""",
    functions=f"""  tt.func private @put(%slot: {PP}, %value: {P}) attributes {{noinline = true}} {{
    tt.store %slot, %value : {PP}
    tt.return
  }}
""",
    read="tab",
    write="tab p",
)
kernel(
    "in_turns",
    "p n:i32",
    f"    tt.call @even(%p, %n) : ({P}, i32) -> ()\n",
    functions="".join(
        f"""  tt.func private @{this}(%a: {P}, %n: i32) attributes {{noinline = true}} {{
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %f = arith.constant 1.0 : f32
    %m = arith.subi %n, %c1 : i32
    %b = arith.cmpi sgt, %m, %c0 : i32
    scf.if %b {{
      tt.store %a, %f : {P}
      tt.call @{that}(%a, %m) : ({P}, i32) -> ()
    }}
    tt.return
  }}
"""
        for this, that in (("even", "odd"), ("odd", "even"))
    ),
    read="p?",
    write="p?",
    side_effects=("call",),
    runs=False,
)
kernel(
    "early_return_in_a_loop",
    "p q n:i32",
    f"""    scf.for %i = %c0 to %n step %c1 : i32 {{
      %x = tt.call @pick(%p, %q, %i) : ({P}, {P}, i32) -> {P}
      tt.store %x, %f1 : {P}
    }}
""",
    functions=f"""  tt.func private @pick(%a: {P}, %b: {P}, %n: i32) -> {P} attributes {{noinline = true}} {{
    %c2 = arith.constant 2 : i32
    %c = arith.cmpi sgt, %n, %c2 : i32
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    tt.return %a : {P}
  ^bb2:
    %v = tt.load %b : {P}
    tt.return %b : {P}
  }}
""",
    read="q?",
    write="p? q?",
)

# --- code that nobody has, and what is special ----------------------------------------

kernel(
    "volatile_read",
    "x",
    f"    %v = tt.load %x {{isVolatile = true}} : {P}\n",
    read="x",
    side_effects=("volatile",),
)
kernel(
    "waits_for_the_others",
    "x out",
    load("x", "v") + "    gpu.barrier\n" + store("out", "v"),
    read="x",
    write="out",
    side_effects=("barrier",),
)
kernel(
    "assembly_hands_out_an_address",
    "p",
    number("p", "a")
    + """    %w = tt.elementwise_inline_asm "mov.b64 $0, $1;" {constraints = "=l,l", packed_element = 1 : i32, pure = true} %a : i64 -> i64
"""
    + write_at("w"),
    write="p?",
    unknown_write="may",
    runs=False,
)
kernel(
    "remote_address",
    "p n:i32",
    f"""    %there = tt.extern_elementwise %p, %n {{libname = "", libpath = "", pure = true, symbol = "nvshmem_ptr"}} : ({P}, i32) -> {P}
    tt.store %there, %f1 : {P}
""",
    write="p",
    runs=False,
)
kernel(
    "shared_address_space",
    "p:!tt.ptr<f32,3> out",
    f"    %v = tt.load %p : !tt.ptr<f32, 3>\n    tt.store %out, %v : {P}\n",
    read="p",
    write="out",
    runs=False,
)
kernel(
    "row_of_several_tensors",
    "p q n:i32",
    at("p")
    + at("q")
    + f"""    %j = tt.cat %ps, %qs : {P4} -> tensor<8x!tt.ptr<f32>>
    %eight = arith.constant dense<1.0> : tensor<8xf32>
    tt.store %j, %eight : tensor<8x!tt.ptr<f32>>
""",
    write="p? q?",
)
kernel(
    "assumed_bounds",
    "p n:i32",
    f"""    %k = arith.cmpi sgt, %n, %c2 : i32
    llvm.intr.assume %k : i1
    %l = arith.cmpi sgt, %n, %c0 : i32
    tt.store %p, %f1, %l : {P}
""",
    write="p",
    runs=False,
)
