"""Lines that kernels of these tests have in common: blocks of lanes, loads and stores there."""


def block(lanes: int) -> str:
    """Return lines for a program's `%i`: the block of lanes that its place `%pid` says."""
    return f"""%pid = tt.get_program_id x : i32
  %length = arith.constant {lanes} : i32
  %start = arith.muli %pid, %length : i32
  %lane = tt.make_range {{end = {lanes} : i32, start = 0 : i32}} : tensor<{lanes}xi32>
  %s = tt.splat %start : i32 -> tensor<{lanes}xi32>
  %i = arith.addi %s, %lane : tensor<{lanes}xi32>"""


def pointers(name: str, to: str, element: str, lanes: int, index: str = "%i") -> str:
    """Return lines for `%pNAME`, pointers to what argument `to` points to, moved by `index`."""
    many = f"tensor<{lanes}x!tt.ptr<{element}>>"
    return f"""%{name}s = tt.splat %{to} : !tt.ptr<{element}> -> {many}
  %p{name} = tt.addptr %{name}s, {index} : {many}, tensor<{lanes}xi32>"""


def load(name: str, to: str, element: str, lanes: int, masks: str = "", index: str = "%i") -> str:
    """Return lines for `%NAME`, loaded behind argument `to`; `masks` is `, %mask, %other`."""
    return f"""{pointers(name, to, element, lanes, index)}
  %{name} = tt.load %p{name}{masks} : tensor<{lanes}x!tt.ptr<{element}>>"""


def store(value: str, element: str, lanes: int, mask: str = "", index: str = "%i") -> str:
    """Return lines that store a value behind argument `out`; `mask` is `, %mask`."""
    return f"""{pointers("o", "out", element, lanes, index)}
  tt.store %po, {value}{mask} : tensor<{lanes}x!tt.ptr<{element}>>"""
