"""
How the CTAs of a cluster (CGA) divide a tensor among them.

Upstream: `CGAEncodingAttr`, which up to Triton 3.5 was `CTALayoutAttr`. Two spellings:

    CTAsPerCGA = [1, 2], CTASplitNum = [1, 2], CTAOrder = [1, 0]     up to Triton 3.5
    CGALayout = [[0, 1]]                                             since 3.6
"""

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.builtin import ArrayAttr, IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.ttg.parameters import (
    Bases,
    Ints,
    Parameters,
    bases,
    bases_text,
    int_list,
    int_text,
    ints,
    is_permutation_of_units,
    is_power_of_two,
    points_of,
    values_of,
    version_of,
)
from xtriton.dialects.utils.tensors import is_array
from xtriton.ir.remembered_hash import remembers_equals
from xtriton.ir.versions import Version

LAST_VERSION_OF_SPLIT_PARAMETERS: Version = (3, 5)
SPLIT_KEYS = ("CTAsPerCGA", "CTASplitNum", "CTAOrder")
CGA_KEYS = ("CGALayout", *SPLIT_KEYS)

_Split = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@remembers_equals
@irdl_attr_definition
class CGAEncodingAttr(ParametrizedAttribute):
    """
    A linear map from the number of the CTA to a point of the tensor.

    `blocks` holds the images of 1, 2, 4, ...; a zero basis is a broadcast. Upstream's
    `CGAEncodingAttr` has no text of its own; the encodings write it as one of their keys.
    `split` keeps the three lists of the older spelling where `blocks` does not tell them.

    ```mlir
    #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[0, 1]]}>
    ```
    """

    name = "ttg.cga_encoding"

    blocks: Bases
    dimensions: IntAttr
    split: ArrayAttr[Ints]

    def __init__(self, blocks: Sequence[Sequence[int]], rank: int, split: _Split | None = None):
        parameter = ArrayAttr([ints(values) for values in split]) if split else ArrayAttr(())
        super().__init__(bases(blocks), IntAttr(rank), parameter)

    @classmethod
    @cache
    def single(cls, rank: int) -> "CGAEncodingAttr":
        """One CTA per CGA, which is the default."""
        return cls((), rank)

    @classmethod
    def from_split(
        cls, ctas_per_cga: Sequence[int], cta_split_num: Sequence[int], cta_order: Sequence[int]
    ) -> "CGAEncodingAttr":
        """
        Return what the older parameters mean.

        Along each dimension, the fastest first, `cta_split_num` CTAs take one part each;
        the remaining `ctas_per_cga / cta_split_num` have a copy.
        """
        rank = len(cta_order)
        if all(count == 1 for count in ctas_per_cga):
            return cls.single(rank)
        blocks: list[tuple[int, ...]] = []
        for dim in cta_order:
            step = 1
            while step < cta_split_num[dim]:
                blocks.append(tuple(step if d == dim else 0 for d in range(rank)))
                step *= 2
            while step < ctas_per_cga[dim]:
                blocks.append((0,) * rank)
                step *= 2
        attribute = cls(blocks, rank)
        given = (tuple(ctas_per_cga), tuple(cta_split_num), tuple(cta_order))
        return attribute if attribute.split_parameters == given else cls(blocks, rank, given)

    @property
    def rank(self) -> int:
        return self.dimensions.data

    @property
    def block_bases(self) -> tuple[tuple[int, ...], ...]:
        """Where CTA 1, 2, 4, ... begin."""
        return points_of(self.blocks)

    @property
    def num_ctas(self) -> int:
        return 1 << len(self.blocks)

    def transposed(self, order: Sequence[int]) -> "CGAEncodingAttr":
        """Return the layout of the transpose; its dimension `i` is `order[i]` of this."""
        return CGAEncodingAttr([[b[dim] for dim in order] for b in self.block_bases], self.rank)

    @property
    def split_parameters(self) -> _Split:
        """`CTAsPerCGA`, `CTASplitNum` and `CTAOrder`, as releases up to 3.5 write them."""
        if len(self.split):
            per_cga, split_num, order = (values_of(values) for values in self.split)
            return per_cga, split_num, order
        if not len(self.blocks):
            ones = (1,) * self.rank
            return ones, ones, tuple(reversed(range(self.rank)))
        return self._derived_split()

    def _derived_split(self) -> _Split:
        split, copies = [1] * self.rank, [1] * self.rank
        order: list[int] = []
        dim = 0
        for block in self.block_bases:
            if any(block):
                dim = next(d for d, value in enumerate(block) if value)
                split[dim] *= 2
                if dim not in order:
                    order.append(dim)
            else:
                copies[dim] *= 2
        order += [d for d in reversed(range(self.rank)) if d not in order]
        per_cga = tuple(a * b for a, b in zip(split, copies, strict=True))
        return per_cga, tuple(split), tuple(order)

    def verify(self) -> None:
        if not is_permutation_of_units(self.block_bases):
            raise VerifyException(
                "After removing broadcast bases the CGA encoding must be a permutation matrix"
            )


def parse_cga(parser: AttrParser, parameters: Parameters, rank: int) -> CGAEncodingAttr:
    """Return what the parameters say about CTAs, in either spelling."""
    split = [parameters[key] for key in SPLIT_KEYS if key in parameters]
    if len(split) == len(SPLIT_KEYS):
        lists = [int_list(parser, parameters[key], key) for key in SPLIT_KEYS]
        _check_split(parser, lists)
        return CGAEncodingAttr.from_split(*lists)
    if split:
        raise VerifyException(
            "CTAsPerCGA, CTASplitNum, and CTAOrder must all be present or all be absent"
        )
    value = parameters.get("CGALayout")
    if value is None:
        return CGAEncodingAttr.single(rank)
    return cga_from_array(parser, value, rank)


def cga_from_array(parser: AttrParser, value: Attribute, rank: int | None) -> CGAEncodingAttr:
    """Return the layout that `[[0, 1], [1, 0]]` says; its rank is checked unless None."""
    if not is_array(value):
        raise VerifyException("expected array value for 'CGALayout'")
    blocks = [int_list(parser, block, "CGALayout entry") for block in value]
    if rank is None:
        rank = len(blocks[0]) if blocks else 0
    for block in blocks:
        if len(block) != rank:
            raise VerifyException(f"'CGALayout' entry length does not match rank {rank}")
    return CGAEncodingAttr(blocks, rank)


def cga_text(cga: CGAEncodingAttr, printer: Printer, default_rank: int | None = None) -> str:
    """
    Return the keys that say `cga`, each after a comma; nothing for the default.

    `default_rank` is the rank of the default, where nothing else tells the rank.
    """
    if version_of(printer) <= LAST_VERSION_OF_SPLIT_PARAMETERS:
        usual_rank = default_rank in (None, cga.rank)
        if cga.num_ctas == 1 and not len(cga.split) and usual_rank:
            return ""
        lists = zip(SPLIT_KEYS, cga.split_parameters, strict=True)
        return "".join(f", {key} = {int_text(values)}" for key, values in lists)
    return f", CGALayout = {bases_text(cga.block_bases)}" if cga.num_ctas > 1 else ""


def _check_split(parser: AttrParser, lists: list[list[int]]) -> None:
    per_cga, split_num, order = lists
    if not len(per_cga) == len(split_num) == len(order):
        raise VerifyException("CTAsPerCGA, CTASplitNum, and CTAOrder must all have the same rank.")
    if sorted(order) != list(range(len(order))):
        raise VerifyException(
            f"CTAOrder must be a permutation of 0..(rank-1), but was {int_text(order)}"
        )
    for key, values in (("CTAsPerCGA", per_cga), ("CTASplitNum", split_num)):
        if 0 in values:
            raise VerifyException(f"Every element in {key} must be greater than 0.")
        if not all(map(is_power_of_two, values)):
            raise VerifyException(f"every element in {key} must be a power of two")
