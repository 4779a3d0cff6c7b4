"""Which floating-point formats have all values of others."""

import itertools

import numpy as np
import pytest

from xtriton.semantics.float_formats import FORMATS, FloatFormat
from xtriton.semantics.formats import decode_table, round_to_format

NARROW = [f for f in FORMATS.values() if f.width <= 8]


def survives(narrow: FloatFormat, wide: FloatFormat) -> bool:
    """Return whether all values of `narrow` are the same after having been in `wide`."""
    values = decode_table(narrow)
    with np.errstate(all="ignore"):
        back = round_to_format(values, wide, "rtne", False)
    signs = np.signbit(values) == np.signbit(back)
    return bool(np.all(np.isnan(values) & np.isnan(back) | (values == back) & signs))


@pytest.mark.parametrize(
    ("narrow", "wide"), [*itertools.product(NARROW, FORMATS.values())], ids=lambda f: f.name
)
def test_what_is_included_survives(narrow: FloatFormat, wide: FloatFormat) -> None:
    if wide.includes(narrow):
        assert survives(narrow, wide)
    elif wide.special == "ieee" and narrow.special != "e8m0":
        assert not survives(narrow, wide)
