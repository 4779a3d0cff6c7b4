"""Kernels for tests of effects: loops, branches, blocks, calls, select."""

from tests.unit.effects.kernels import P4, P, at, kernel, load, mask, store

# --- straight lines -------------------------------------------------------------------

kernel("copy", "x out", load("x", "v") + store("out", "v"), read="x", write="out")
kernel(
    "masked_copy",
    "x out n:i32",
    mask("m", "n")
    + at("x")
    + f"    %v = tt.load %xs, %m : {P4}\n"
    + at("out")
    + f"    tt.store %outs, %v, %m : {P4}\n",
    read="x?",
    write="out?",
)
kernel("in_place", "x", load("x", "v") + store("x", "v"), read="x", write="x")
kernel("unused_argument", "x y", store("x"), write="x")
kernel(
    "offset_does_not_taint",
    "x out idx:pi32",
    f"""    %i = tt.load %idx : !tt.ptr<i32>
    %p = tt.addptr %out, %i : {P}, i32
    tt.store %p, %f1 : {P}
""",
    read="idx",
    write="out",
)
kernel(
    "mask_does_not_taint",
    "out flags:pi32",
    f"""    %i = tt.load %flags : !tt.ptr<i32>
    %is = tt.splat %i : i32 -> tensor<4xi32>
    %m = arith.cmpi slt, %r, %is : tensor<4xi32>
{at("out")}    tt.store %outs, %ones, %m : {P4}
""",
    read="flags",
    write="out?",
)
kernel(
    "mask_never_true",
    "x y",
    f"""    %z = arith.constant dense<0> : tensor<4xi32>
    %m = arith.cmpi slt, %r, %z : tensor<4xi32>
{at("x")}    tt.store %xs, %ones, %m : {P4}
"""
    + store("y"),
    write="y",
)
kernel(
    "mask_false_constant",
    "x y",
    f"    tt.store %x, %f1, %no : {P}\n    tt.store %y, %f1, %yes : {P}\n",
    write="y",
)
kernel(
    "mask_always_true",
    "x",
    f"""    %four = arith.constant dense<4> : tensor<4xi32>
    %m = arith.cmpi slt, %r, %four : tensor<4xi32>
{at("x")}    tt.store %xs, %ones, %m : {P4}
""",
    write="x",
)
kernel(
    "write_then_read",
    "x out",
    store("x") + load("x", "v") + store("out", "v"),
    read="x",
    write="x out",
)

# --- select and if --------------------------------------------------------------------

kernel(
    "select_pointers",
    "p q c:i32",
    f"""    %b = arith.cmpi sgt, %c, %c0 : i32
    %s = arith.select %b, %p, %q : {P}
    tt.store %s, %f1 : {P}
""",
    write="p? q?",
)
kernel(
    "select_constant",
    "p q",
    f"    %s = arith.select %yes, %p, %q : {P}\n    tt.store %s, %f1 : {P}\n",
    write="p",
)
kernel(
    "select_tensors",
    "p q c:i32",
    at("p")
    + at("q")
    + f"""    %cs = tt.splat %c : i32 -> tensor<4xi32>
    %b = arith.cmpi sgt, %r, %cs : tensor<4xi32>
    %s = arith.select %b, %ps, %qs : tensor<4xi1>, {P4}
    tt.store %s, %ones : {P4}
""",
    write="p? q?",
)
kernel(
    "if_yields_two",
    "p q c:i32",
    f"""    %b = arith.cmpi sgt, %c, %c0 : i32
    %x:2 = scf.if %b -> ({P}, {P}) {{
      scf.yield %p, %q : {P}, {P}
    }} else {{
      scf.yield %p, %p : {P}, {P}
    }}
    tt.store %x#0, %f1 : {P}
    %v = tt.load %x#1 : {P}
""",
    read="p? q?",
    write="p",
)
kernel(
    "if_both_write",
    "p c:i32",
    f"""    %b = arith.cmpi sgt, %c, %c0 : i32
    scf.if %b {{
      tt.store %p, %f1 : {P}
    }} else {{
      %p1 = tt.addptr %p, %c1 : {P}, i32
      tt.store %p1, %f1 : {P}
    }}
""",
    write="p",
)
kernel(
    "if_maybe",
    "p c:i32",
    f"""    %b = arith.cmpi sgt, %c, %c0 : i32
    scf.if %b {{
      tt.store %p, %f1 : {P}
    }}
""",
    write="p?",
)
kernel(
    "if_first_program",
    "p",
    f"""    %b = arith.cmpi eq, %pid, %c0 : i32
    scf.if %b {{
      tt.store %p, %f1 : {P}
    }}
""",
    write="p",
)
kernel(
    "if_second_program",
    "p q",
    f"""    %b = arith.cmpi eq, %pid, %c1 : i32
    scf.if %b {{
      tt.store %p, %f1 : {P}
    }} else {{
      tt.store %q, %f1 : {P}
    }}
""",
    write="p? q",
)
kernel(
    "if_never",
    "p q",
    f"""    scf.if %no {{
      tt.store %p, %f1 : {P}
    }} else {{
      tt.store %q, %f1 : {P}
    }}
""",
    write="q",
)
kernel(
    "nested_ifs",
    "p a:i32 b:i32",
    f"""    %x = arith.cmpi sgt, %a, %c0 : i32
    %y = arith.cmpi sgt, %b, %c0 : i32
    scf.if %x {{
      scf.if %y {{
        tt.store %p, %f1 : {P}
      }}
    }}
""",
    write="p?",
)

# --- loops ----------------------------------------------------------------------------

kernel(
    "loop_moves_pointer",
    "p n:i32",
    f"""    %e = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p) -> ({P}) : i32 {{
      tt.store %q, %f1 : {P}
      %q1 = tt.addptr %q, %c1 : {P}, i32
      scf.yield %q1 : {P}
    }}
""",
    write="p?",
)
kernel(
    "loop_runs",
    "p",
    f"""    %e = scf.for %i = %c0 to %c4 step %c1 iter_args(%q = %p) -> ({P}) : i32 {{
      tt.store %q, %f1 : {P}
      %q1 = tt.addptr %q, %c1 : {P}, i32
      scf.yield %q1 : {P}
    }}
""",
    write="p",
)
kernel(
    "loop_never_runs",
    "p q",
    f"""    %e = scf.for %i = %c4 to %c0 step %c1 iter_args(%x = %p) -> ({P}) : i32 {{
      tt.store %x, %f1 : {P}
      scf.yield %q : {P}
    }}
    %v = tt.load %e : {P}
""",
    read="p",
)
kernel(
    "ping_pong",
    "p q n:i32",
    f"""    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p, %y = %q) -> ({P}, {P}) : i32 {{
      %v = tt.load %x : {P}
      tt.store %y, %v : {P}
      scf.yield %y, %x : {P}, {P}
    }}
""",
    read="p? q?",
    write="p? q?",
)
kernel(
    "rotate_three",
    "a b c n:i32",
    f"""    %e:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %c)
        -> ({P}, {P}, {P}) : i32 {{
      tt.store %x, %f1 : {P}
      scf.yield %y, %z, %x : {P}, {P}, {P}
    }}
""",
    write="a? b? c?",
)
kernel(
    "rotate_one_iteration",
    "a b",
    f"""    %e:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %a, %y = %b) -> ({P}, {P}) : i32 {{
      tt.store %x, %f1 : {P}
      scf.yield %y, %x : {P}, {P}
    }}
""",
    write="a? b?",
)
kernel(
    "shift_register",
    "a b c d n:i32",
    f"""    %e:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %c)
        -> ({P}, {P}, {P}) : i32 {{
      %v = tt.load %x : {P}
      scf.yield %y, %z, %d : {P}, {P}, {P}
    }}
    tt.store %e#0, %f1 : {P}
""",
    read="a? b? c? d?",
    write="a? b? c? d?",
)
kernel(
    "zero_trip_result",
    "p q n:i32",
    f"""    %e = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p) -> ({P}) : i32 {{
      scf.yield %q : {P}
    }}
    tt.store %e, %f1 : {P}
""",
    write="p? q?",
)
kernel(
    "nested_loops",
    "p q n:i32",
    f"""    %e = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p) -> ({P}) : i32 {{
      %f = scf.for %j = %c0 to %n step %c1 iter_args(%y = %x) -> ({P}) : i32 {{
        tt.store %y, %f1 : {P}
        scf.yield %q : {P}
      }}
      scf.yield %f : {P}
    }}
""",
    write="p? q?",
)
kernel(
    "loop_selects",
    "p q n:i32",
    f"""    %e = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p) -> ({P}) : i32 {{
      %b = arith.cmpi eq, %i, %c2 : i32
      %y = arith.select %b, %q, %x : {P}
      tt.store %y, %f1 : {P}
      scf.yield %y : {P}
    }}
""",
    write="p? q?",
)
kernel(
    "loop_of_tensors",
    "x out n:i32",
    at("x")
    + at("out")
    + f"""    %sixteen = arith.constant dense<16> : tensor<4xi32>
    %e:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %xs, %b = %outs) -> ({P4}, {P4}) : i32 {{
      %v = tt.load %a : {P4}
      tt.store %b, %v : {P4}
      %a1 = tt.addptr %a, %sixteen : {P4}, tensor<4xi32>
      %b1 = tt.addptr %b, %sixteen : {P4}, tensor<4xi32>
      scf.yield %a1, %b1 : {P4}, {P4}
    }}
""",
    read="x?",
    write="out?",
)
kernel(
    "while_pointer",
    "p q n:i32",
    f"""    %e:2 = scf.while (%i = %c0, %x = %p) : (i32, {P}) -> (i32, {P}) {{
      %b = arith.cmpi slt, %i, %n : i32
      scf.condition(%b) %i, %x : i32, {P}
    }} do {{
    ^bb0(%j: i32, %y: {P}):
      tt.store %y, %f1 : {P}
      %j1 = arith.addi %j, %c1 : i32
      scf.yield %j1, %q : i32, {P}
    }}
    %v = tt.load %e#1 : {P}
""",
    read="p? q?",
    write="p? q?",
)
kernel(
    "while_writes_before",
    "p q n:i32",
    f"""    %e = scf.while (%i = %c0) : (i32) -> i32 {{
      tt.store %p, %f1 : {P}
      %b = arith.cmpi slt, %i, %n : i32
      scf.condition(%b) %i : i32
    }} do {{
    ^bb0(%j: i32):
      tt.store %q, %f1 : {P}
      %j1 = arith.addi %j, %c1 : i32
      scf.yield %j1 : i32
    }}
""",
    write="p q?",
)
kernel(
    "while_never",
    "p q",
    f"""    %e = scf.while (%x = %p) : ({P}) -> {P} {{
      tt.store %x, %f1 : {P}
      scf.condition(%no) %x : {P}
    }} do {{
    ^bb0(%y: {P}):
      scf.yield %q : {P}
    }}
""",
    write="p",
)

# --- blocks ---------------------------------------------------------------------------

kernel(
    "early_return",
    "p q n:i32",
    f"""    tt.store %p, %f1 : {P}
    %b = arith.cmpi sgt, %n, %c2 : i32
    cf.cond_br %b, ^bb1, ^bb2
  ^bb1:
    tt.return
  ^bb2:
    tt.store %q, %f1 : {P}
    tt.return
""",
    write="p q?",
    ends=False,
)
kernel(
    "block_argument",
    "p q n:i32",
    f"""    %b = arith.cmpi sgt, %n, %c2 : i32
    cf.cond_br %b, ^bb1(%p : {P}), ^bb1(%q : {P})
  ^bb1(%x: {P}):
    tt.store %x, %f1 : {P}
    tt.return
""",
    write="p? q?",
    ends=False,
)
kernel(
    "block_chain",
    "p q s n:i32",
    f"""    %b = arith.cmpi sgt, %n, %c2 : i32
    cf.cond_br %b, ^bb1(%p : {P}), ^bb2(%q : {P})
  ^bb1(%x: {P}):
    cf.br ^bb3(%x : {P})
  ^bb2(%y: {P}):
    tt.store %y, %f1 : {P}
    cf.br ^bb3(%s : {P})
  ^bb3(%z: {P}):
    %v = tt.load %z : {P}
    tt.return
""",
    read="p? s?",
    write="q?",
    ends=False,
)
kernel(
    "block_loop",
    "p q n:i32",
    f"""    cf.br ^bb1(%c0, %p, %q : i32, {P}, {P})
  ^bb1(%i: i32, %x: {P}, %y: {P}):
    %b = arith.cmpi slt, %i, %n : i32
    cf.cond_br %b, ^bb2, ^bb3
  ^bb2:
    tt.store %x, %f1 : {P}
    %i1 = arith.addi %i, %c1 : i32
    cf.br ^bb1(%i1, %y, %x : i32, {P}, {P})
  ^bb3:
    tt.return
""",
    write="p? q?",
    ends=False,
)
kernel(
    "block_dead",
    "p q",
    f"""    cf.cond_br %no, ^bb1, ^bb2
  ^bb1:
    tt.store %p, %f1 : {P}
    tt.return
  ^bb2:
    tt.store %q, %f1 : {P}
    tt.return
""",
    write="q",
    ends=False,
)
kernel(
    "blocks_meet",
    "p q n:i32",
    f"""    %b = arith.cmpi sgt, %n, %c2 : i32
    cf.cond_br %b, ^bb1, ^bb2
  ^bb1:
    %v = tt.load %q : {P}
    cf.br ^bb2
  ^bb2:
    tt.store %p, %f1 : {P}
    tt.return
""",
    read="q?",
    write="p",
    ends=False,
)

# --- calls ----------------------------------------------------------------------------

_STORES = f"""  tt.func private @stores(%a: {P}, %b: {P}) attributes {{noinline = true}} {{
    %v = tt.load %b : {P}
    tt.store %a, %v : {P}
    tt.return
  }}
"""
kernel(
    "call_writes",
    "p q s",
    f"    tt.call @stores(%q, %p) : ({P}, {P}) -> ()\n",
    functions=_STORES,
    read="p",
    write="q",
)
kernel(
    "call_twice",
    "p q s",
    f"""    tt.call @stores(%q, %p) : ({P}, {P}) -> ()
    tt.call @stores(%s, %q) : ({P}, {P}) -> ()
""",
    functions=_STORES,
    read="p q",
    write="q s",
)
kernel(
    "call_in_branch",
    "p q n:i32",
    f"""    %b = arith.cmpi sgt, %n, %c2 : i32
    scf.if %b {{
      tt.call @stores(%q, %p) : ({P}, {P}) -> ()
    }}
""",
    functions=_STORES,
    read="p?",
    write="q?",
)
kernel(
    "call_returns_argument",
    "p q",
    f"""    %x:2 = tt.call @both(%p, %q) : ({P}, {P}) -> ({P}, {P})
    tt.store %x#0, %f1 : {P}
    %v = tt.load %x#1 : {P}
""",
    functions=f"""  tt.func private @both(%a: {P}, %b: {P}) -> ({P}, {P}) attributes {{noinline = true}} {{
    tt.return %b, %a : {P}, {P}
  }}
""",
    read="p",
    write="q",
)
kernel(
    "call_returns_early",
    "p q n:i32",
    f"""    %x = tt.call @pick(%p, %q, %n) : ({P}, {P}, i32) -> {P}
    tt.store %x, %f1 : {P}
""",
    functions=f"""  tt.func private @pick(%a: {P}, %b: {P}, %n: i32) -> {P} attributes {{noinline = true}} {{
    %c2 = arith.constant 2 : i32
    %c = arith.cmpi sgt, %n, %c2 : i32
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    tt.return %a : {P}
  ^bb2:
    tt.return %b : {P}
  }}
""",
    write="p? q?",
)
kernel(
    "call_of_calls",
    "p q",
    f"    tt.call @outer(%p, %q) : ({P}, {P}) -> ()\n",
    functions=_STORES
    + f"""  tt.func private @outer(%a: {P}, %b: {P}) attributes {{noinline = true}} {{
    tt.call @stores(%a, %b) : ({P}, {P}) -> ()
    tt.return
  }}
""",
    read="q",
    write="p",
)
kernel(
    "call_inlined",
    "p q",
    f"    tt.call @move(%p, %q) : ({P}, {P}) -> ()\n",
    functions=_STORES.replace("stores", "move").replace("true", "false"),
    read="q",
    write="p",
)
kernel(
    "call_recursive",
    "p q n:i32",
    f"    tt.call @again(%p, %n) : ({P}, i32) -> ()\n",
    functions=f"""  tt.func private @again(%a: {P}, %n: i32) attributes {{noinline = true}} {{
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %f = arith.constant 1.0 : f32
    tt.store %a, %f : {P}
    %m = arith.subi %n, %c1 : i32
    %b = arith.cmpi sgt, %m, %c0 : i32
    scf.if %b {{
      tt.call @again(%a, %m) : ({P}, i32) -> ()
    }}
    tt.return
  }}
""",
    read="p?",
    write="p",
    side_effects=("call",),
    runs=False,
)
kernel(
    "call_declared",
    "p q",
    f"    tt.call @elsewhere(%p) : ({P}) -> ()\n",
    functions=f"  tt.func private @elsewhere(%a: {P})\n",
    read="p?",
    write="p?",
    side_effects=("external call",),
    runs=False,
)
