"""
The verifier: what MLIR checks, in one pass, at a few microseconds an op.

    verify(module)

Checked are the structure of blocks and terminators, dominance across blocks and regions,
values from outside isolated ops, types along branches and regions, and each op by itself
(see `op_checks`). Types and attributes are shared, so that most ops have the signature of
one that has been checked before.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from xtriton.errors import Position, VerifyFailure
from xtriton.ir.checking.blame import OtherOpIsWrong
from xtriton.ir.checking.control_flow_types import verify_branch, verify_region_flow
from xtriton.ir.checking.dominance import dominator_tree
from xtriton.ir.checking.op_checks import InvalidOp, OpChecks, checks_of
from xtriton.ir.checking.sound_ops import SoundOps, type_of_number
from xtriton.ir.limits import deep_recursion, without_garbage_collection
from xtriton.ir.locations import file_position
from xtriton.ir.writing.printer import op_string

Locate = Callable[[Operation], Position | None]

_GRAPH_REGIONS = ("builtin.module", "gpu.module")
"""Ops in whose regions values may be used before they are defined."""


def verify(module: Operation, locate: Locate | None = None) -> None:
    """
    Check `module` and everything in it; raise `VerifyFailure` for the first thing wrong.

    The failure has the position that the location of the op tells, else what `locate`
    returns for the op.
    """
    try:
        with without_garbage_collection(), deep_recursion():
            _Verifier().verify(module)
    except InvalidOp as invalid:
        raise _failure(invalid, locate) from invalid.__cause__
    except RecursionError:
        raise VerifyFailure("regions are nested too deeply to verify") from None


def verify_all(module: Operation, locate: Locate | None = None) -> list[VerifyFailure]:
    """Return what is wrong with `module`: the first thing in each function, as MLIR reports."""
    try:
        verify(module, locate)
    except VerifyFailure as failure:
        found: list[VerifyFailure] = []
        functions = [op for region in module.regions for block in region.blocks for op in block.ops]
        for function in functions:
            if function.has_trait(IsolatedFromAbove, value_if_unregistered=False):
                try:
                    verify(function, locate)
                except VerifyFailure as one:
                    found.append(one)
        return found or [failure]
    return []


def _failure(invalid: InvalidOp, locate: Locate | None) -> VerifyFailure:
    place = file_position(invalid.op.location)
    position = Position(*place) if place is not None else None
    if position is None and locate is not None:
        position = locate(invalid.op)
    return VerifyFailure(invalid.message, position)


def op_error(op: Operation, message: str) -> str:
    """Return `'tt.load' op message`."""
    name = _name(op)
    for prefix in (f"'{name}' op ", f"'{name}' "):
        message = message.removeprefix(prefix)
    return f"'{name}' op {message}"


class _Verifier:
    """The state of one `verify`."""

    def __init__(self) -> None:
        self.visible: set[SSAValue] = set()
        """The values that may be used."""
        self.in_order = True
        """Whether values must be defined before they are used."""
        self.isolation: Operation | None = None
        """The innermost op around that is isolated from above."""
        self.checks: dict[type[Operation], OpChecks] = {}
        self.sound_in: dict[Hashable, set[tuple[Any, ...]]] = {}
        """For each kind of surroundings, signatures of ops that have been checked."""
        self.sound_ops = SoundOps()

    def verify(self, root: Operation) -> None:
        self.op_alone(root, self.checks_of(root.__class__))
        self.regions_of(root, self.checks_of(root.__class__))

    def checks_of(self, cls: type[Operation]) -> OpChecks:
        checks = self.checks.get(cls)
        if checks is None:
            checks = self.checks[cls] = checks_of(cls)
        return checks

    # --- one op -------------------------------------------------------------------------

    def op_alone(self, op: Operation, checks: OpChecks) -> None:
        """Check an op without its place in the module and its regions."""
        with _blaming(op):
            checks.before_regions(op)
        if checks.after_regions is not None and not op.regions and not checks.own_each:
            with _blaming(op):
                checks.after_regions(op)

    def op_of_new_signature(self, op: Operation, checks: OpChecks, surroundings: Hashable) -> None:
        """Check an op whose signature is new in this module, perhaps not in others."""
        if checks.around_regions is not None:
            self.op_alone(op, checks)
            return
        kind = self.sound_ops.kind_of(op, surroundings, checks.is_constant)
        if not self.sound_ops.is_known(kind):
            self.op_alone(op, checks)
            self.sound_ops.remember(kind)

    def regions_of(self, op: Operation, checks: OpChecks) -> None:
        """Check the regions of an op, and then what the op demands of them."""
        if checks.is_isolated:
            outer = self.visible, self.isolation
            self.visible, self.isolation = set(), op
            for region in op.regions:
                self.region(region, op, checks)
            self.visible, self.isolation = outer
        else:
            for region in op.regions:
                self.region(region, op, checks)
        with _blaming(op):
            verify_region_flow(op)
            if checks.after_regions is not None and op.regions:
                checks.after_regions(op)

    # --- regions and blocks -------------------------------------------------------------

    def region(self, region: Region, parent: Operation, checks: OpChecks) -> None:
        first = region.first_block
        if first is None:
            return
        if first.first_use is not None:
            raise InvalidOp(parent, "entry block of region may not have predecessors")
        in_order = self.in_order
        self.in_order = not (
            isinstance(parent, ModuleOp | UnregisteredOp) or parent.name in _GRAPH_REGIONS
        )
        if first.next_block is None:
            self.block_and_forget(first, checks.may_lack_terminator)
        elif not self.in_order:
            self.unordered_blocks(region)
        else:
            self.ordered_blocks(region, first)
        self.in_order = in_order

    def block_and_forget(self, block: Block, may_lack_terminator: bool) -> None:
        defined = self.block(block, may_lack_terminator)
        self.visible.difference_update(defined)

    def unordered_blocks(self, region: Region) -> None:
        """Check blocks in which any value of the region may be used."""
        defined = [value for block in region.blocks for value in _values_of(block)]
        self.visible.update(defined)
        for block in region.blocks:
            self.block(block, False)
        self.visible.difference_update(defined)

    def ordered_blocks(self, region: Region, first: Block) -> None:
        """Check blocks down the dominator tree; those never reached use what they like."""
        children = dominator_tree(region)
        pending: list[tuple[Block, bool]] = [(first, True)]
        defined: dict[Block, list[SSAValue]] = {}
        while pending:
            block, entering = pending.pop()
            if not entering:
                self.visible.difference_update(defined.pop(block))
                continue
            defined[block] = self.block(block, False)
            pending.append((block, False))
            pending += [(child, True) for child in reversed(children.get(block, ()))]
        unreachable = [block for block in region.blocks if block not in children]
        in_order, self.in_order = self.in_order, False
        for block in unreachable:
            self.block_and_forget(block, False)
        self.in_order = in_order

    def block(self, block: Block, may_lack_terminator: bool) -> list[SSAValue]:
        """Check a block; return the values that it has made visible."""
        visible, all_checks = self.visible, self.checks
        parent_class = block.parent_op().__class__
        surroundings = self.sound_ops.surroundings(block.parent)
        sound = self.sound_in.setdefault(surroundings, set())
        defined: list[SSAValue] = [*block.args]
        if not self.in_order:
            defined += _values_of(block)
        visible.update(defined)
        last, op = block.last_op, block.first_op
        if last is None:
            if not may_lack_terminator and block.parent is not None:
                self.empty_block(block)
            return defined
        while op is not None:
            cls = op.__class__
            checks = all_checks.get(cls)
            if checks is None:
                checks = self.checks_of(cls)
            operands = op._operands
            results = op.results
            properties = op.properties
            if not visible.issuperset(operands):
                self.not_visible(op)
            key: list[Any] = [cls, len(operands), *properties]
            for operand in operands:
                key.append(id(operand._type))
            for result in results:
                key.append(id(result._type))
            visible.update(results)
            defined += results
            if checks.is_plain and op is not last and not op.regions and not op._successors:
                # Nearly all ops: there is nothing else that could be wrong with them.
                if properties:
                    key += map(id, properties.values())
                signature = tuple(key)
                if signature not in sound:
                    self.op_of_new_signature(op, checks, (surroundings, False))
                    sound.add(signature)
                op = op._next_op
                continue
            around = checks.around_regions
            if checks.by_signature or around is not None:
                values = properties.values()
                if checks.is_constant:
                    key += map(type, values)
                    values = map(type_of_number, values)
                key += map(id, values)
                if op.attributes and checks.reads_attributes:
                    key += op.attributes
                    key += map(id, op.attributes.values())
                if checks.depends_on_parent:
                    key += (parent_class, len(op._successors))
                signature = tuple(key)
                if signature not in sound:
                    self.op_of_new_signature(
                        op, checks, (surroundings, checks.depends_on_parent and parent_class)
                    )
                    sound.add(signature)
                elif around is not None:
                    with _blaming(op):
                        around(op)
            else:
                self.op_alone(op, checks)
            if checks.own_each and not op.regions and checks.after_regions is not None:
                with _blaming(op):
                    checks.after_regions(op)
            if op.regions:
                visible.difference_update(results)
                self.regions_of(op, checks)
                visible.update(results)
            if op._successors or checks.is_terminator or op is last:
                self.place(op, block, checks, may_lack_terminator)
            op = op._next_op
        return defined

    def place(
        self, op: Operation, block: Block, checks: OpChecks, may_lack_terminator: bool
    ) -> None:
        """Check that terminators, and only they, end blocks, and where they go."""
        is_last = op is block.last_op
        if checks.is_terminator and not is_last:
            message = "must be the last operation in the parent block"
            raise InvalidOp(op, op_error(op, message))
        unregistered = isinstance(op, UnregisteredOp)
        alone = block.parent is not None and block.parent.first_block is block.parent.last_block
        ends_block = checks.is_terminator or unregistered or (may_lack_terminator and alone)
        if is_last and not ends_block:
            raise InvalidOp(op, f"block with no terminator, has {_short_text(op)}")
        if not op.successors:
            return
        if not is_last:
            message = "operation with block successors must terminate its parent block"
            raise InvalidOp(op, message)
        for successor in op.successors:
            if successor.parent is not block.parent:
                raise InvalidOp(op, "reference to block defined in another region")
        with _blaming(op, bare=True):
            verify_branch(op)

    def empty_block(self, block: Block) -> None:
        parent = block.parent_op()
        message = "empty block: expect at least a terminator"
        if parent is not None:
            raise InvalidOp(parent, message)

    def not_visible(self, op: Operation) -> None:
        """Raise what is wrong about the first operand that may not be used, if it is wrong."""
        isolation = self.isolation
        for index, operand in enumerate(op._operands):
            if operand in self.visible:
                continue
            if isolation is not None and not _is_inside(operand, isolation):
                raise InvalidOp(op, op_error(op, "using value defined outside the region"))
            if self.in_order:
                raise InvalidOp(op, f"operand #{index} does not dominate this use")


def _short_text(op: Operation) -> str:
    return op_string(op) if not op.regions else f"'{_name(op)}'"


def _name(op: Operation) -> str:
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def _values_of(block: Block) -> Iterable[SSAValue]:
    yield from block.args
    for op in block.ops:
        yield from op.results


def _is_inside(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    block = owner.parent if isinstance(value, OpResult) else owner
    while block is not None:
        parent = block.parent_op()
        if parent is op:
            return True
        block = parent.parent if parent is not None else None
    return False


class _blaming:
    """
    Turn what goes wrong inside into a complaint about `op`.

    Checks written for sound ops may stumble over others; that is the op's fault.
    """

    def __init__(self, op: Operation, *, bare: bool = False):
        self.op = op
        self.bare = bare

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        match error:
            case None | InvalidOp() | RecursionError() | MemoryError():
                return
            case OtherOpIsWrong():
                raise InvalidOp(error.op, op_error(error.op, str(error))) from error
            case VerifyException() | DiagnosticException():
                message = str(error) if self.bare else op_error(self.op, str(error))
                raise InvalidOp(self.op, message) from error
            case Exception():
                text = f"{type(error).__name__}: {error}".rstrip(": ")
                message = op_error(self.op, f"does not verify ({text})")
                raise InvalidOp(self.op, message) from error
            case _:
                return
