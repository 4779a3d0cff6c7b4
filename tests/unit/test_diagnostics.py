"""Diagnostics and facts belong to those who collect them, while they do."""

import xtriton as xt
from xtriton.diagnostics import collect, record, remark, warning


def test_what_is_told_goes_to_the_innermost_who_collects():
    module = xt.parse("module {}")
    with collect() as outer:
        remark(module, "one")
        with collect() as inner:
            warning(module, "two")
            record("facts", 2)
        remark(module, "three")
        record("facts", 3)
    remark(module, "four")
    record("facts", 4)
    assert [(d.severity, d.message) for d in outer.diagnostics] == [
        ("remark", "one"),
        ("remark", "three"),
    ]
    assert [(d.severity, d.message) for d in inner.diagnostics] == [("warning", "two")]
    assert (outer.report, inner.report) == ({"facts": [3]}, {"facts": [2]})
