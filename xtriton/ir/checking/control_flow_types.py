"""
Types along the edges of control flow: branches to blocks, regions to their parents.

MLIR checks them through `BranchOpInterface` and `RegionBranchOpInterface`; here a table
says which operands go where.
"""

from collections.abc import Callable, Sequence

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from xtriton.ir.value_flow import bounds_of, handed_on, initial_values, passed_on
from xtriton.ir.writing.printer import attribute_string

# --- branches ------------------------------------------------------------------------------


def verify_branch(op: Operation) -> None:
    """Check that what a branch passes on fits the arguments of the blocks."""
    passed = passed_on(op)
    if passed is None:
        return
    for index, (block, values) in enumerate(zip(op.successors, passed, strict=True)):
        if len(values) != len(block.args):
            raise VerifyException(
                f"branch has {len(values)} operands for successor #{index}, but target block "
                f"has {len(block.args)}"
            )
        for number, (value, argument) in enumerate(zip(values, block.args, strict=True)):
            if value.type != argument.type:
                raise VerifyException(
                    f"type mismatch for bb argument #{number} of successor #{index}"
                )


# --- regions -------------------------------------------------------------------------------


def verify_region_flow(op: Operation) -> None:
    """Check the types that go into the regions of a structured op and come out of them."""
    check = _REGION_FLOWS.get(op.name)
    if check is not None:
        check(op)


def _types(values: Sequence[SSAValue]) -> list[Attribute]:
    return [value.type for value in values]


def _flow(
    given: Sequence[Attribute], wanted: Sequence[Attribute], source: str, target: str
) -> None:
    edge = f"along control flow edge from {source} to {target}"
    if len(given) != len(wanted):
        raise VerifyException(
            f"{edge}: region branch point has {len(given)} operands, but region successor "
            f"needs {len(wanted)} inputs"
        )
    for number, (have, want) in enumerate(zip(given, wanted, strict=True)):
        if have != want:
            raise VerifyException(
                f"{edge}: successor operand type #{number} '{attribute_string(have)}' should "
                f"match successor input type #{number} '{attribute_string(want)}'"
            )


def _yields(region: Region, terminator: str) -> list[Operation]:
    """Return the terminators called `terminator` of the region's blocks."""
    last_ops = [block.last_op for block in region.blocks]
    return [op for op in last_ops if op is not None and op.name == terminator]


def _flow_to_parent(op: Operation) -> None:
    """Every `scf.yield` gives the op's results."""
    wanted = _types(op.results)
    for region in op.regions:
        for last in _yields(region, "scf.yield"):
            _flow(_types(last.operands), wanted, "Operation scf.yield", "parent")


def _verify_if(op: Operation) -> None:
    if op.results and not op.regions[1].blocks:
        raise VerifyException("must have an else block if defining values")
    _flow_to_parent(op)


def _entry(region: Region) -> Block:
    block = region.first_block
    if block is None:
        raise VerifyException("expects its regions to have a block")
    return block


def _verify_for(op: Operation) -> None:
    induction, *arguments = _entry(op.regions[0]).args or (None,)
    bounds, initial = bounds_of(op), initial_values(op)
    if induction is None or any(bound.type != induction.type for bound in bounds):
        raise VerifyException("expected induction variable to be same type as bounds and step")
    for given, what in ((arguments, "region iter_args"), (op.results, "results")):
        if len(initial) != len(given):
            raise VerifyException(
                f"different number of inits and {what}: {len(initial)} != {len(given)}"
            )
    yielded = [value for last in _yields(op.regions[0], "scf.yield") for value in last.operands]
    if len(yielded) != len(arguments):
        raise VerifyException(
            "different number of region iter_args and yielded values: "
            f"{len(arguments)} != {len(yielded)}"
        )
    for given, wanted, what, than in (
        (initial, arguments, "init", "region iter_arg"),
        (arguments, yielded, "region iter_arg", "yielded value"),
        (arguments, op.results, "region iter_arg", "defined value"),
    ):
        for number, (have, want) in enumerate(zip(given, wanted, strict=True)):
            if have.type != want.type:
                raise VerifyException(
                    f"{number}-th {what} and {number}-th {than} have different type: "
                    f"'{attribute_string(have.type)}' != '{attribute_string(want.type)}'"
                )


def _verify_while(op: Operation) -> None:
    before, after = (_entry(region) for region in op.regions)
    _flow(_types(op.operands), _types(before.args), "parent", "Region #0")
    for condition in _yields(op.regions[0], "scf.condition"):
        passed = _types(handed_on(condition))
        _flow(passed, _types(op.results), "Operation scf.condition", "parent")
        _flow(passed, _types(after.args), "Operation scf.condition", "Region #1")
    for last in _yields(op.regions[1], "scf.yield"):
        source = "Operation scf.yield"
        _flow(_types(last.operands), _types(before.args), source, "Region #0")


_REGION_FLOWS: dict[str, Callable[[Operation], None]] = {
    "scf.execute_region": _flow_to_parent,
    "scf.for": _verify_for,
    "scf.if": _verify_if,
    "scf.index_switch": _flow_to_parent,
    "scf.while": _verify_while,
}
