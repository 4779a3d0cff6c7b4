"""What the readers of single lines share: patterns, and the source text that makes an op."""

from typing import Any

from xdsl.ir import SSAValues

from xtriton.ir.locations import UNKNOWN
from xtriton.ir.quick_edits import new_result, new_uses

OPERAND = r"%[\w$.-]+(?:#\d+)?"
LINE_END = (
    r" *(?:loc\((#[\w.$-]+|unknown|\"[^\"\\()]*\":\d+:\d+)\))? *"
    r"(?:\n(?!\s*(?:loc\(|[,:{<(\[]|->))|$)"
)

NAMES: dict[str, Any] = {
    "NEW": object.__new__,
    "USES": new_uses,
    "RESULT": new_result,
    "SSAValues": SSAValues,
    "UNKNOWN": UNKNOWN,
}
"""What `MAKE_OP` refers to."""

MAKE_OP = """\
    expected = len(result_types)
    if (name is None) != (expected == 0) and name is not None: return 0
    if name is not None and expected != (int(count) if count else 1): return 0
    if name is not None and name in values: return 0
    op = NEW(CLS)
    op._operands = operands
    op._operand_uses = USES(op, operands)
    op.results = results = SSAValues(
        [RESULT(t, op, index) for index, t in enumerate(result_types)])
    op._successors = op._successor_uses = op.regions = ()
    op.properties = props
    op.attributes = attrs
    op.location = UNKNOWN if g_loc is None else p._locations.get(g_loc) or p.location_of_text(g_loc)
    last = block._last_op
    op._prev_op = last
    op._next_op = None
    op.parent = block
    block._last_op = op
    if last is None: block._first_op = op
    else: last._next_op = op
    if name is not None:
        if p.forward: p.define_results(name, results)
        elif expected == 1:
            result = results[0]
            values[name] = result
            p.scope.append(name)
            result._name = p.hint(name)
        else: p.define_results(name, results)\
"""
"""
Makes the op that the variables describe and puts it at the end of `block`.

Written out, since calls of xDSL's constructors would take most of the time of reading.
"""
