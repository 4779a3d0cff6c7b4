"""
Put the bodies of functions where they are called.

Before:

    func.func private @square(%x: i32) -> i32 {
      %y = arith.muli %x, %x : i32
      return %y : i32
    }
    func.func @main(%a: i32) -> i32 {
      %0 = call @square(%a) : (i32) -> i32
      return %0 : i32
    }

After:

    func.func @main(%a: i32) -> i32 {
      %0 = arith.muli %a, %a : i32
      return %0 : i32
    }

As in MLIR, functions are made canonical as well, private ones that nobody calls any more
go, and the location of an inlined op says where it was called. Left alone are recursive
functions, those with `noinline = true`, declarations, and functions of several blocks that
are called where only one block may stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import CallSiteLoc, LocationAttr, ModuleOp, SymbolRefAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import BlockInsertPoint, InsertPoint, Rewriter

from xtriton.budget import current
from xtriton.dialects.upstream import cf
from xtriton.ir.attributes import flag
from xtriton.ir.limits import deep_recursion
from xtriton.ir.locations import UNKNOWN
from xtriton.ir.walking import ops_in
from xtriton.transforms.cleanup.canonicalize import canonicalize
from xtriton.transforms.cleanup.symbol_dce import remove_dead_symbols, symbol_name

CALLS = frozenset(("func.call", "tt.call"))
FUNCTIONS = frozenset(("func.func", "tt.func"))
AXIS_HINTS = ("tt.constancy", "tt.contiguity", "tt.divisibility")
"""What a call promises of its result; the op that computes it promises it afterwards."""

RETURNS = frozenset(("func.return", "tt.return"))


@dataclass(frozen=True)
class InlinePass(ModulePass):
    """Put the bodies of functions where they are called."""

    name = "inline"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        inline_calls(op)
        remove_dead_symbols(op)


def inline_calls(module: ModuleOp, *, simplify: bool = True, forced: bool = False) -> None:
    """
    Inline the calls of `module`, the innermost functions first.

    Functions become canonical, unless `simplify` is False. `forced` inlines those as well
    that are marked `noinline`, which an analysis may do and a compiler must not.

    Where functions call each other twice on and on, bodies double with each; calls are left
    alone when as many ops have been added as the budget allows.
    """
    functions = _functions_of(module)
    inliner = _Inliner(functions, simplify, forced, left=current().inlined)
    with deep_recursion():
        for function in functions.values():
            inliner.visit(function)


def inlined_size(module: ModuleOp) -> int:
    """Return how many ops the functions of `module` have when all calls are inlined."""
    functions = _functions_of(module)
    sizes: dict[Operation, int] = {}

    def size(function: Operation) -> int:
        if function not in sizes:
            sizes[function] = 0  # what calls itself stays a call
            callees = [_callee(call, functions) for call in _calls_in(function)]
            inside = sum(size(callee) for callee in callees if callee is not None)
            sizes[function] = len(ops_in(function)) + inside
        return sizes[function]

    with deep_recursion():
        return sum(map(size, functions.values()))


def _functions_of(module: ModuleOp) -> dict[str, Operation]:
    return {
        name: op
        for op in module.body.block.ops
        if op.name in FUNCTIONS and (name := symbol_name(op)) is not None
    }


@dataclass
class _Inliner:
    """Inlines into functions, each once; `left` is how many ops may still be added."""

    functions: dict[str, Operation]
    simplify: bool
    forced: bool
    left: int
    finished: set[Operation] = field(default_factory=set[Operation])
    path: dict[Operation, None] = field(default_factory=dict[Operation, None])
    """The function that is being looked at, and its callers."""

    sizes: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """The number of ops of finished functions."""

    def visit(self, function: Operation) -> None:
        """Inline into `function`, after doing so in what it calls."""
        if function in self.finished or function in self.path:
            return
        self.path[function] = None
        for call in _calls_in(function):
            callee = _callee(call, self.functions)
            if callee is not None:
                self.visit(callee)
        # A function in its canonical form may have one block where it had several.
        if self.simplify:
            canonicalize(function)
        inlined = [call for call in _calls_in(function) if self._inlines(call)]
        if inlined and self.simplify:
            canonicalize(function)
        del self.path[function]
        self.finished.add(function)

    def _inlines(self, call: Operation) -> bool:
        """Inline a call if it may be; tell whether it was."""
        callee = _callee(call, self.functions)
        # What is still on the path calls itself by way of this function.
        if (
            callee is None
            or callee in self.path
            or not can_inline(call, callee, forced=self.forced)
        ):
            return False
        size = self.sizes.get(callee)
        if size is None:
            size = self.sizes[callee] = len(ops_in(callee))
        if size > self.left:
            return False
        self.left -= size
        inline_call(call, callee)
        return True


def _calls_in(function: Operation) -> list[Operation]:
    return ops_in(function, CALLS)


def _callee(call: Operation, functions: dict[str, Operation]) -> Operation | None:
    symbol = call.get_attr_or_prop("callee")
    if not isinstance(symbol, SymbolRefAttr):
        return None
    return functions.get(symbol.root_reference.data)


def can_inline(call: Operation, callee: Operation, *, forced: bool = False) -> bool:
    """Return whether the body of `callee` may stand where `call` does."""
    body = callee.regions[0]
    if body.first_block is None or _is_recursive(callee):
        return False
    if flag(callee, "noinline") and not forced:
        return False
    around = call.parent_op()
    in_function = around is not None and around.name in FUNCTIONS
    return in_function or body.first_block is body.last_block


def inline_call(call: Operation, callee: Operation) -> None:
    """Replace `call` by a copy of the body of `callee`."""
    body = callee.regions[0].clone()
    if call.location != UNKNOWN:
        _add_call_site(body, call.location)
    if body.first_block is body.last_block:
        _inline_block(call, body.block)
    else:
        _inline_blocks(call, body)


def _inline_block(call: Operation, block: Block) -> None:
    last = block.last_op
    assert last is not None
    Rewriter.inline_block(block, InsertPoint.before(call), arg_values=tuple(call.operands))
    _replace(call, tuple(last.operands))
    last.detach()
    last.erase()


def _inline_blocks(call: Operation, body: Region) -> None:
    """Split the block at the call; every return becomes a branch to the second half."""
    before = call.parent
    assert before is not None
    rest = before.split_before(call, arg_types=call.result_types)
    blocks = list(body.blocks)
    Rewriter.inline_region(body, BlockInsertPoint.before(rest))
    before.add_op(_branch(blocks[0], tuple(call.operands), call.location))
    for block in blocks:
        last = block.last_op
        if last is not None and last.name in RETURNS:
            block.add_op(_branch(rest, tuple(last.operands), last.location))
            last.detach()
            last.erase()
    _replace(call, tuple(rest.args))


def _branch(target: Block, arguments: tuple[SSAValue, ...], location: LocationAttr) -> cf.BranchOp:
    branch = cf.BranchOp(target, *arguments)
    branch.location = location
    return branch


def _replace(call: Operation, results: tuple[SSAValue, ...]) -> None:
    hints = {name: call.attributes[name] for name in AXIS_HINTS if name in call.attributes}
    for old, new in zip(call.results, results, strict=True):
        if hints and isinstance(new, OpResult):
            new.op.attributes |= hints
        old.replace_all_uses_with(new)
    call.detach()
    call.erase()


def _add_call_site(body: Region, call_site: LocationAttr) -> None:
    """Say of everything in `body` that it is there because of a call at `call_site`."""
    regions = [body]
    known: dict[Attribute, CallSiteLoc] = {}
    for op in body.walk():
        op.location = _stacked(op.location, call_site, known)
        regions += op.regions
    for region in regions:
        for block in region.blocks:
            for argument in block.args:
                argument.location = _stacked(argument.location, call_site, known)


def _stacked(
    location: Attribute, call_site: LocationAttr, known: dict[Attribute, CallSiteLoc]
) -> CallSiteLoc:
    """Return `location` with `call_site` as its outermost caller; `known` is for the next ones."""
    found = known.get(location)
    if found is None:
        if isinstance(location, CallSiteLoc):
            caller = _stacked(location.caller, call_site, known)
            found = CallSiteLoc(location.callee, caller)
        else:
            found = CallSiteLoc(location, call_site)
        known[location] = found
    return found


def _is_recursive(function: Operation) -> bool:
    name = symbol_name(function)
    return any(
        isinstance(symbol := op.get_attr_or_prop("callee"), SymbolRefAttr)
        and symbol.string_value() == name
        for op in ops_in(function, CALLS)
    )
