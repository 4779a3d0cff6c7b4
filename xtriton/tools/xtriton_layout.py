"""
`xtriton-layout`: who owns which element of a tensor, for people.

    xtriton-layout '#ttg.blocked<{sizePerThread = [1, 2], ...}>' --shape 16x16
    xtriton-layout LAYOUT OTHER --shape 16x16            # and what a conversion moves
    xtriton-layout LAYOUT --shape 16x16 --svg picture.svg
    xtriton-layout kernel.ttgir                          # the layouts of a file, its conversions

Each cell says which thread has the element in which register, `T5:1`; more than one if there
are copies. In shared memory it says the offset. `--bases` prints the linear layout instead.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from xtriton.errors import UserError
from xtriton.tools.outcome import exit_code

if TYPE_CHECKING:
    import argparse

    from xdsl.ir import Attribute

    from xtriton.layouts.linear import LinearLayout
    from xtriton.tools.layout_tables import Owners

# Everything else is imported where it is needed: --version and --help must be quick.

MOST_ELEMENTS = 1 << 20
"""What Triton allows a tensor to have."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool on `arguments` (default: those of the process); return the exit code."""
    return exit_code(lambda: _run(arguments), arguments)


def _parser() -> argparse.ArgumentParser:
    from xtriton.tools.options import positive, tool_parser

    parser = tool_parser("xtriton-layout", __doc__)
    parser.add_argument("layout", help="an encoding, #ttg.blocked<{...}>, or a file of Triton IR")
    parser.add_argument("other", nargs="?", help="an encoding to convert to")
    parser.add_argument("--shape", metavar="MxN", help="shape of the tensor, as 32x32")
    parser.add_argument(
        "--bits", metavar="N", type=positive, default=32, help="bits of an element (32)"
    )
    parser.add_argument("--bases", action="store_true", help="print linear layouts only")
    parser.add_argument("--svg", metavar="FILE", help="draw the owners")
    parser.add_argument("--html", metavar="FILE", help="the same as a page that names them")
    return parser


def _run(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if not options.layout.lstrip().startswith("#"):
        if options.other or options.shape or options.svg or options.html:
            parser.error(f"'{options.layout}' is no encoding; a file of IR is given alone")
        _print_aliases(options.layout)
        return 0
    if options.shape is None:
        raise UserError("--shape is missing: a layout depends on the tensor's shape")
    shape = _shape(options.shape)
    texts = [text for text in (options.layout, options.other) if text is not None]
    encodings = [_encoding(text) for text in texts]
    layouts = [_layout(encoding, shape) for encoding in encodings]
    if options.bases:
        for layout in layouts:
            print(layout)
    sides = _owners(layouts)
    if options.svg is None and options.html is None:
        _print_sides(encodings, sides)
    if len(sides) == 2:
        _print_conversion(sides[0], sides[1], options.bits)
    _draw(options, encodings, sides)
    return 0


def _draw(options: argparse.Namespace, encodings: list[Attribute], sides: list[Owners]) -> None:
    from xtriton.tools.files import write_file
    from xtriton.tools.layout_tables import page, picture

    titles = [str(encoding) for encoding in encodings]
    if options.svg is not None:
        write_file(options.svg, picture(titles, sides))
    if options.html is not None:
        write_file(options.html, page(titles, sides, options.bits))


def _shape(text: str) -> tuple[int, ...]:
    try:
        shape = tuple(int(size) for size in text.split("x"))
    except ValueError:
        raise UserError(f"--shape wants sizes as in 32x32, not '{text}'") from None
    if any(size < 1 or size & (size - 1) for size in shape):
        raise UserError(f"sizes of tensors are powers of two, unlike '{text}'")
    return shape


def _encoding(text: str) -> Attribute:
    from xtriton.ir.limits import deep_recursion
    from xtriton.ir.reading.parser import Parser
    from xtriton.universe import context

    with deep_recursion():
        return Parser(context(), text, name="<layout>").parse_whole_attribute()


def _layout(encoding: Attribute, shape: tuple[int, ...]) -> LinearLayout:
    from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, layout_of

    try:
        return layout_of(encoding, shape)
    except NoLinearLayout as e:
        raise UserError(str(e)) from e


def _owners(layouts: Sequence[LinearLayout]) -> list[Owners]:
    from xtriton.tools.layout_tables import Owners

    if any(prod(layout.out_shape) > MOST_ELEMENTS for layout in layouts):
        raise UserError(f"a tensor has at most {MOST_ELEMENTS} elements")
    return [Owners(layout) for layout in layouts]


def _print_sides(encodings: list[Attribute], sides: list[Owners]) -> None:
    for encoding, side in zip(encodings, sides, strict=True):
        print(encoding)
        print(side.table())


def _print_conversion(source: Owners, target: Owners, bits: int) -> None:
    from xtriton.tools.layout_tables import conversion_report

    print(conversion_report(source.layout, target.layout, bits))


def _print_aliases(path: str) -> None:
    """Print the layouts of all tensors in a file, each as a linear layout, and all conversions."""
    from xdsl.dialects.builtin import NoneAttr, TensorType

    from xtriton.dialects.encodings.linear_layouts import NoLinearLayout, layout_of_type
    from xtriton.dialects.utils.tensors import is_tensor
    from xtriton.tools.conversion_table import conversions
    from xtriton.tools.files import located_module

    module = located_module(path)
    found: dict[TensorType[Attribute], None] = {}
    for op in module.walk():
        for value in op.results:
            if is_tensor(value.type) and not isinstance(value.type.encoding, NoneAttr):
                found[value.type] = None
    if not found:
        hint = "they come with convert-triton-to-tritongpu, as in a .ttgir of Triton's cache"
        raise UserError(f"no tensor in '{path}' has a layout", notes=[hint])
    for type in found:
        print(type)
        try:
            print(layout_of_type(type))
        except NoLinearLayout as e:
            print(f"  {e}")
    if listed := conversions(module):
        print(f"conversions: {len(listed)}")
    for conversion in listed:
        print(conversion.render())


if __name__ == "__main__":
    sys.exit(main())
