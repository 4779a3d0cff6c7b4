"""From a module or function to the record of what it does."""

from collections.abc import Mapping

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation

from xtriton.analysis.effects.describe import Describer
from xtriton.analysis.effects.indices import Indices
from xtriton.analysis.effects.kernel import KernelEffects
from xtriton.analysis.effects.regions import walk_region
from xtriton.analysis.effects.rules import FOLLOWING, PLAIN
from xtriton.analysis.effects.state import State, join
from xtriton.analysis.effects.summaries import is_address
from xtriton.analysis.effects.values import MemoryLocation, Root, address
from xtriton.analysis.effects.walker import Event, Finding, NeedsFollowing, OverBudget, Walker
from xtriton.analysis.memory_ops import Touch
from xtriton.analysis.values import Sort, type_facts

FUNCTIONS = ("tt.func", "func.func", "llvm.func", "gpu.func")

MOST_PASSES = 24
"""How often a kernel is walked until memory holds nothing new."""

EXACT_PASSES = 6
"""After so many, memory forgets offsets."""


def function_name(function: Operation) -> str:
    name = function.properties.get("sym_name") or function.attributes.get("sym_name")
    return name.data if isinstance(name, StringAttr) else "?"


def functions_of(module: Operation) -> dict[str, Operation]:
    """Return the functions of a module by name, or a function itself."""
    if module.name in FUNCTIONS:
        root = module
        while (parent := root.parent_op()) is not None:
            root = parent
        found = functions_of(root) if root is not module else {}
        return {**found, function_name(module): module}
    return {
        function_name(op): op
        for region in module.regions
        for block in region.blocks
        for op in block.ops
        if op.name in FUNCTIONS
    }


def kernels_of(module: Operation) -> dict[str, Operation]:
    """Return the kernels: functions with a body that are public, and that nobody calls."""
    symbols = functions_of(module)
    bodies = {n: f for n, f in symbols.items() if f.regions and f.regions[0].blocks}
    public = {n: f for n, f in bodies.items() if _visibility(f) != "private"}
    return public or bodies


def _visibility(function: Operation) -> str:
    found = function.properties.get("sym_visibility") or function.attributes.get("sym_visibility")
    return found.data if isinstance(found, StringAttr) else "public"


def analyze_module(module: Operation) -> dict[str, KernelEffects]:
    """Return the record of each kernel of a module, by name."""
    symbols = functions_of(module)
    return {name: analyze_function(f, symbols) for name, f in kernels_of(module).items()}


def analyze_function(
    function: Operation, symbols: Mapping[str, Operation] | None = None
) -> KernelEffects:
    """
    Return what a kernel does. Never raises: what is not understood may do anything.

    `symbols` are the functions that it may call, by default those of its module.
    """
    name = function_name(function)
    known = functions_of(function) if symbols is None else symbols
    try:
        indices = Indices(function)
        try:
            walker = Walker(function, known, indices, PLAIN)
            end = _walk(walker, function)
        except NeedsFollowing:
            walker = Walker(function, known, indices, FOLLOWING)
            end = _walk(walker, function)
        return Describer(walker, function, end).record(name)
    except OverBudget as error:
        return _anything(function, known, str(error))
    except Exception as error:  # a failure of ours must not become a wrong answer
        return _anything(function, known, f"{type(error).__name__}: {error}")


def _walk(walker: Walker, function: Operation) -> State | None:
    """Walk a kernel until memory holds nothing new."""
    entry = function.regions[0].blocks[0]
    for argument in entry.args:
        if is_address(argument.type):
            walker.set(argument, address(Root("argument", argument.index)))
        elif walker.following and _may_hold_address(argument.type):
            walker.set(argument, address(Root("integer", argument.index)))
    end: State | None = None
    for attempt in range(MOST_PASSES):
        walker.begin_pass()
        walker.log.grew = False
        walker.log.coarse = attempt >= EXACT_PASSES
        exits = walk_region(walker, function.regions[0], State())
        end = join([s for _, s in exits])
        if not walker.log.grew:
            return end
    raise RuntimeError("what memory holds does not settle")


def _may_hold_address(type: Attribute) -> bool:
    """Tell whether an integer is wide enough to be an address, or half of one."""
    facts = type_facts(type)
    return facts.shape is None and facts.sort is Sort.INTEGER and facts.width >= 32


def _anything(function: Operation, symbols: Mapping[str, Operation], why: str) -> KernelEffects:
    """Return the safe answer: every argument may be read and written, and more."""
    indices = Indices(function)
    walker = Walker(function, symbols, indices, PLAIN)
    entry = function.regions[0].blocks[0]
    touch = Touch(-1, read=True, write=True)
    places = {
        MemoryLocation(Root("argument" if is_address(a.type) else "integer", a.index), None)
        for a in entry.args
        if is_address(a.type) or _may_hold_address(a.type)
    }
    places.add(MemoryLocation(Root("unknown"), None))
    walker.events[function, -1] = Event(function, touch, places, initial=True, doubt=why)
    walker.findings["gave up", why, function] = Finding("gave up", why, function)
    walker.findings["side effect", "unknown op", function] = Finding(
        "side effect", "unknown op", function
    )
    for place in places:
        walker.escaped[place.root] = function
    return Describer(walker, function, None).record(function_name(function), complete=False)
