"""The emitter: state of one function's code generation and what every rule builds on."""

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from linecache import getline
from math import prod
from typing import Any, NoReturn, cast

from xdsl.dialects.builtin import UnrankedMemRefType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from xtriton.cpu.builder import IRBuilder, Module, Operand, is_flattened
from xtriton.cpu.emitter.access import element_type_of, is_shaped, shape_of
from xtriton.cpu.emitter.apart_rows import write_apart
from xtriton.cpu.emitter.copies import Copy
from xtriton.cpu.emitter.guesses import Bounds, Guesses
from xtriton.cpu.emitter.liveness import Liveness
from xtriton.cpu.emitter.row_parts import is_written_anew, write_alike, write_anew
from xtriton.cpu.emitter.rows import LONG, Rows
from xtriton.cpu.emitter.transposition import MOST_BYTES
from xtriton.cpu.emitter.values import (
    ANY_ARGUMENT,
    Lazy,
    Read,
    Storage,
    Tensor,
    Value,
    View,
    known_sizes,
    row_major_strides,
)
from xtriton.cpu.mathlib import conversions
from xtriton.cpu.target import Target
from xtriton.cpu.types import F32, Type, scalar_type
from xtriton.errors import Position, UnsupportedOp
from xtriton.ir.locations import file_position

Rule = Callable[["Emitter", Operation], None]

RULES: dict[str, Rule] = {}
"""How each op becomes code, by its name."""

STACK_BYTES = 64 * 1024
"""Buffers beyond this sum lie in the arena that the launcher hands over."""
BUFFER_ALIGNMENT = 64


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Register the rule for the ops called `names`."""

    def register(function: Rule) -> Rule:
        for name in names:
            RULES[name] = function
        return function

    return register


class Emitter:
    """
    Writes the body of one kernel.

    Rules find operands through `scalar`, `view` and `tensor`, and leave results with
    `bind`. `reassociate` holds while the order of float operations is free.
    """

    def __init__(self, module: Module, target: Target):
        self.module = module
        self.target = target
        self.builder = IRBuilder(module)
        self.liveness = Liveness()
        self.environment: dict[SSAValue, Value] = {}
        self.functions: dict[str, Operation] = {}
        self.kernel: Operation | None = None
        self.skipped: set[Operation] = set()
        self.staged: dict[Operation, Any] = {}
        self.partners: dict[Operation, Any] = {}
        """Which ops yield a block with pairs exchanged; see `partners`."""
        self.comparisons: dict[Operand, Any] = {}
        """Of floats, by their results; see `comparisons`."""
        self.windowed: set[Operation] = set()
        """Loads of elements at places that are likely near each other; see `near_places`."""
        self.part_loads: set[Operation] = set()
        """Which loads are read once, by loops in parts; see `part_loads`."""
        self.exact: dict[Operand, Operand] = {}
        """The f32 that some floats of small types are, by their registers."""
        self.either_way: set[Operation] = set()
        """The branches that store an element whether they are taken or not; see `either_way`."""
        self.totals: dict[Operation, Any] = {}
        """Which ops in loops take in what is reduced behind; see `row_totals`, `block_totals`."""
        self.left_to_sums: dict[Operation, View] = {}
        """Where an op that adds up a block puts its elements; see `summed_blocks`."""
        self.late_stores: dict[Operation, Any] = {}
        """Stores that the next program may do, by what adds up their rows; see `late_stores`."""
        self.grouped_stores: dict[Operation, Sequence[Operation]] = {}
        """All that are done with a store, the last one of which does that; see `grouped_stores`."""
        self.grouped_values: set[Operation] = set()
        """What makes elements for such stores and nothing else, in their loop."""
        self.exchanged: list[View] = []
        """The buffers that such blocks lie in."""
        self.panels: dict[tuple[Operation, int], View] = {}
        """Where products leave their operands to be multiplied later; see `panels`."""
        self.late_panels: dict[SSAValue, tuple[Operation, View]] = {}
        """By what op and where blocks are put there that are made with its result."""
        self.packed: dict[Operation, bool] = {}
        """Loads for products that pack what they read, and whether it may lie in columns."""
        self.prepared: dict[tuple[Operation, int], View] = {}
        """Operands of products in the form in which they are read, made before a loop."""
        self.kept: dict[tuple[Operation, int], Any] = {}
        """Where such are found that other programs may have made; see `kept_operands`."""
        self.shelved: dict[Operation, Any] = {}
        """Which tensors are found on shelves; see `shelves`."""
        self.stored: set[int] | None = None
        """The arguments that the kernel stores to, once somebody has asked."""
        self.settled: dict[Operation, str] = {}
        """Stores that are in vain where an i1 holds; see `destinations`."""
        self.in_columns: frozenset[tuple[int, ...]] = frozenset()
        """The shapes of blocks that are kept column by column; see `columns`."""
        self.cleared: list[tuple[int, int]] = []
        """Offset and size of what is zero in the arena when a launch begins."""
        self.only_stored: dict[int, bool] = {}
        """The arguments that somebody has asked of: whether blocks are only stored there."""
        self.asked_ahead: list[Any] | None = None
        """The rows that the next program reads, if they are asked for; see `next_programs`."""
        self.streams = False
        """Whether stores go around the caches, which takes them out of order."""
        self.configuration = ""
        """What a unit that multiplies tiles is told when a launch begins; see `unit_tiles`."""
        self.placed: dict[Operation, View] = {}
        """Where buffers lie that have no memory of their own."""
        self.unfilled: dict[SSAValue, tuple[Operand, Operand]] = {}
        """What is still to be put into loaded blocks, and from where on; see `staging`."""
        self.noted: dict[Operation, Callable[[Emitter, View], None]] = {}
        """Who wants to know where copies come from; see `lookahead`."""
        self.left: dict[Operation, Callable[[Emitter, View], str]] = {}
        """Who says, as an i1, whether a copy is in vain; see `in_place`."""
        self.writers: dict[Block, Any] = {}
        self.forms: dict[SSAValue, Any] = {}
        """What `stretches` has found out about blocks."""
        self.reaches: dict[SSAValue, Any] = {}
        """What `hazards` has found out about blocks and values."""
        self.dear: dict[Block, bool] = {}
        """Which blocks compute functions of elements, as far as `cut_rows` has looked."""
        self.joined: dict[Operand, tuple[int, Operand, Operand]] = {}
        """By an index of rows one after the other: their length, the row and the place in it."""
        self.rows: Rows | None = None
        """What is known of the index of the loop that is being written, see `rows`."""
        self.reassociate = False
        self.delaying = False
        """Whether no block is put into memory, whoever uses it; see `choices`."""
        self.arena_bytes = 0
        self.assertions: list[str] = []
        self.failures: dict[Operation, str] = {}
        """Where a loop notes for an assertion in it whether any iteration failed."""
        self.checked = False
        """Whether accesses are checked; what for is in `checks`."""
        self.checks: list[Any] = []
        self.facts: set[str] = set()
        self.atomics = False
        """Whether programs may wait for each other."""
        self.may_be_alone = False
        """Whether the code asks if no other atomic ops run meanwhile; see `alone`."""
        self.is_alone = False
        """Whether that is so where code is written now."""
        self.races = False
        """Whether programs are watched for touching what others touch."""
        self.foreign_memory = False
        """Whether the kernel makes pointers of integers, or loads them."""
        self.unlikely = ""
        self.program: Sequence[Operand] = (0, 0, 0)
        """Which program of the grid runs."""
        self.programs: Sequence[Operand] = (1, 1, 1)
        """The sizes of the grid."""
        self.pointer_arguments: set[int] = set()
        self.written_arguments: set[int] = set()
        self._stack_bytes = 0
        self._types: dict[int, tuple[Attribute, Type]] = {}

    # --- values -------------------------------------------------------------------------

    def type(self, type: Attribute) -> Type:
        """Return the scalar type of `type`, or of its elements."""
        # By identity, because hashing a type walks all of it; the type is kept alive.
        known = self._types.get(id(type))
        if known is None:
            scalar = element_type_of(type) if hasattr(type, "element_type") else type
            meaning = scalar_type(str(scalar))
            if meaning is None:
                raise UnsupportedOp(f"the CPU back end has no type '{scalar}'")
            known = self._types[id(type)] = (type, meaning)
        return known[1]

    def register(self, type: Attribute) -> str:
        """Return LLVM's type of a scalar, or of a memref without shape, which is a pointer."""
        return "ptr" if _is_pointer(type) else self.type(type).register

    def bind(self, value: SSAValue, meaning: Value) -> None:
        """Record what `value` is from here on; for a memref without shape a pointer will do."""
        if isinstance(meaning, str) and _is_pointer(value.type):
            storage = Storage(meaning, argument=ANY_ARGUMENT, writable=False)
            meaning = View(storage, self.type(value.type), 0, (), ())
        self.environment[value] = meaning
        if isinstance(meaning, View):
            meaning.storage.values.append(value)
        elif isinstance(meaning, Lazy):
            for read in meaning.reads:
                read.storage.values.append(value)

    def scalar(self, value: SSAValue) -> Operand:
        """Return a scalar's register or constant, or where a memref without shape starts."""
        meaning = self.environment[value]
        if isinstance(meaning, View) and _is_pointer(value.type):
            place = meaning.storage.pointer
            return self.builder.element_pointer(meaning.type.memory, place, meaning.offset)
        assert isinstance(meaning, int | str), f"{value} is no scalar"
        return meaning

    def scalars(self, values: Sequence[SSAValue]) -> list[Operand]:
        return [self.scalar(value) for value in values]

    def tensor(self, value: SSAValue) -> Tensor:
        meaning = self.environment[value]
        assert isinstance(meaning, View | Lazy), f"{value} is no tensor or memref"
        return meaning

    def view(self, value: SSAValue) -> View:
        """Return where `value` lies in memory, putting it there if it is lazy."""
        meaning = self.tensor(value)
        if isinstance(meaning, View):
            return meaning
        place = self.materialized(meaning)
        self.bind(value, place)
        return place

    # --- operations ---------------------------------------------------------------------

    def run(self, op: Operation) -> None:
        """Generate the code of `op`; raise `UnsupportedOp` if there is no rule."""
        if op in self.skipped:
            return
        rule = RULES.get(op.name)
        if rule is None:
            self.unsupported(op)
        rule(self, op)

    @contextmanager
    def nested(self):
        """
        What is put into memory meanwhile is there only meanwhile.

        Around branches and loop bodies, which may not run.
        """
        before = dict(self.environment)
        with self.builder.fresh_memory():
            yield
        self.environment.update(before)

    def run_block(self, block: Any) -> Operation:
        """Generate all ops of a block but its terminator, which is returned."""
        last = None
        for op in block.ops:
            if op.next_op is None:
                last = op
                break
            self.run(op)
        assert last is not None
        return last

    def unsupported(self, op: Operation, why: str = "") -> NoReturn:
        name = op.name
        if name == "builtin.unregistered":
            name = cast(Any, op).op_name.data
        place = file_position(op.location) if getattr(op, "location", None) is not None else None
        # The source line is there when the kernel's own file is.
        line = getline(place[0], place[1]).rstrip("\n") or None if place is not None else None
        position = Position(*place, line) if place is not None else None
        message = f"the CPU back end cannot run '{name}'" + (f": {why}" if why else "")
        raise UnsupportedOp(message, position)

    # --- memory -------------------------------------------------------------------------

    def allocate(
        self,
        sizes: Sequence[Operand],
        type: Type,
        op: Operation | None = None,
        *,
        by_rows: bool = False,
    ) -> View:
        """
        Return a new buffer of static size, on the stack or in the arena.

        It is `by_rows` whatever its shape if that is asked for.
        """
        static = [size for size in sizes if isinstance(size, int)]
        if len(static) != len(sizes):
            assert op is not None
            self.unsupported(op, "a buffer of dynamic size")
        count = max(prod(static), 1)
        size = -(-count * type.bytes // BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT
        if self._stack_bytes + size <= STACK_BYTES:
            self._stack_bytes += size
            pointer = self.builder.alloca(type.memory, count, BUFFER_ALIGNMENT)
        else:
            pointer = self.reserve(size)
        if tuple(static) in self.in_columns and not by_rows:
            return View(Storage(pointer), type, 0, tuple(sizes), (1, static[0]))
        storage = Storage(pointer, row=static[-1] if static else 0)
        return View(storage, type, 0, tuple(sizes), row_major_strides(static))

    def reserve(self, size: int) -> str:
        """Return a pointer to `size` bytes of the arena."""
        pointer = f"%{self.builder.name('buffer')}"
        entry = f"  {pointer} = getelementptr inbounds i8, ptr %arena, i64 {self.arena_bytes}"
        self.builder.entry.append(entry)
        self.arena_bytes += -(-size // BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT
        return pointer

    def address(self, view: View, indices: Sequence[Operand]) -> str:
        offset = view.offset
        position, sizes = self.builder.flat.get(tuple(indices), (0, ()))
        if sizes and sizes == view.sizes and view.is_contiguous:
            offset = self.builder.add(offset, position)
        else:
            for index, stride in zip(indices, view.strides, strict=True):
                offset = self.builder.add(offset, self.builder.mul(index, stride))
        return self.builder.element_pointer(view.type.memory, view.storage.pointer, offset)

    def load(self, view: View, indices: Sequence[Operand], *, volatile: bool = False) -> Operand:
        address = self.address(view, indices)
        value = self.builder.load(view.type.memory, address, volatile=volatile)
        return self.from_memory(view.type, value)

    def load_accumulated(self, view: View, indices: Sequence[Operand]) -> Operand:
        """
        Load what a step of a reduction will replace.

        Where a step selects between it and something new, LLVM 22 would make of that a store
        under a mask, which takes many CPUs as long as dozens of others; not so if it is frozen.
        """
        return self.builder.value(f"freeze {view.type.register} {self.load(view, indices)}")

    def from_memory(self, type: Type, value: str) -> str:
        """Turn what a load gives into the form that registers hold."""
        if type.register == type.memory:
            return value
        if type.register == "i1":
            return self.builder.value(f"icmp ne i8 {value}, 0")
        return self.builder.value(f"trunc {type.memory} {value} to {type.register}")

    def to_memory(self, type: Type, value: Operand) -> Operand:
        """Turn a register's value into the form that memory holds."""
        if type.register == type.memory or isinstance(value, int):
            return value
        return self.builder.value(f"zext {type.register} {value} to {type.memory}")

    def store(self, view: View, indices: Sequence[Operand], value: Operand) -> None:
        if self.rows is not None and self.rows.only_looks:
            return
        value = self.to_memory(view.type, value)
        self.builder.store(view.type.memory, value, self.address(view, indices))

    def note_write(self, view: View) -> None:
        """Remember which kernel arguments are written, for the launcher."""
        if view.storage.argument == ANY_ARGUMENT:
            self.written_arguments |= self.pointer_arguments
        elif view.storage.argument is not None:
            self.written_arguments.add(view.storage.argument)

    def note_copy(self, op: Operation, source: View) -> None:
        """Tell who wants to know that `op` copies from `source`."""
        note = self.noted.get(op)
        if note is not None:
            note(self, source)

    # --- tensors ------------------------------------------------------------------------

    def element(self, tensor: Tensor, indices: Sequence[Operand]) -> Operand:
        """Return one element of a tensor, computing it where it is lazy."""
        if isinstance(tensor, View):
            key = _element_key(tensor, indices)
            return self.builder.remembered(key, lambda: self.load(tensor, indices))
        key = (tensor, *indices)
        return self.builder.remembered(key, lambda: tensor.compute(indices))

    def replaced_element(self, view: View, indices: Sequence[Operand]) -> Operand:
        """Return the element of `view` that something new, which may be it, will replace."""
        key = _element_key(view, indices)
        return self.builder.remembered(key, lambda: self.load_accumulated(view, indices))

    def materialized(self, tensor: Tensor, *, by_rows: bool = False) -> View:
        """Return a new buffer with the content of `tensor`."""
        place = self.allocate(tensor.sizes, tensor.type, by_rows=by_rows)
        self.write(tensor, place)
        return place

    def write(self, source: Tensor, destination: View) -> None:
        """Write all elements of `source` to `destination`, in one loop nest."""
        self.note_write(destination)
        if isinstance(source, View) and source.same_place(destination):
            return
        if isinstance(source, Lazy) and source.undefined:
            return
        sizes, pointer = known_sizes(source.sizes, destination.sizes), destination.storage.pointer
        replaces = any(read.storage.pointer == pointer for read in self.reads_of(source))

        def body(indices: Sequence[Operand]) -> None:
            if replaces:
                self.replaced_element(destination, indices)
            self.store(destination, indices, self.element(source, indices))

        if isinstance(source, View):
            most = max(MOST_BYTES, self.target.least_bits // 8)
            views = source, destination
            copy = Copy(self.builder, self.address, body, *views, sizes, most, self.bytes_in_part)
            if copy.done():
                return
        with self.builder.fresh_memory():
            if destination.is_in_columns:
                self._parallel_nest(sizes[::-1], lambda places: body(places[::-1]))
            else:
                self.nest(sizes, body, parallel=True)

    def nest(
        self,
        sizes: Sequence[Operand],
        body: Callable[[list[Operand]], None],
        *,
        parallel: bool = False,
        innermost: bool = False,
        vectors: int = 0,
    ) -> None:
        """Append a loop nest, see `IRBuilder.nest`; if it is all parallel, in the best order."""
        if not parallel or (innermost and sum(size != 1 for size in sizes) > 1):
            self.builder.nest(sizes, body, parallel=parallel, innermost=innermost, vectors=vectors)
        elif tuple(sizes) in self.in_columns:
            self._parallel_nest(sizes[::-1], lambda places: body(places[::-1]))
        else:
            self._parallel_nest(sizes, body, vectors)

    def nest_in_order(
        self, sizes: Sequence[Operand], body: Callable[[list[Operand]], None]
    ) -> None:
        """Append a loop nest whose iterations are in order: a single loop in rows if that pays."""
        if self.checked or sum(size != 1 for size in sizes) != 1:
            self.builder.nest(sizes, body)
        else:
            self._nest_in_rows(sizes, body, parallel=False)

    def _parallel_nest(
        self, sizes: Sequence[Operand], body: Callable[[list[Operand]], None], vectors: int = 0
    ) -> None:
        """Append a nest whose iterations come in any order, in rows if that pays; see `rows`."""
        if self.checked or is_flattened(sizes) or all(size == 1 for size in sizes):
            self.builder.nest(sizes, body, parallel=True, vectors=vectors)
        else:
            self._nest_in_rows(sizes, body, parallel=True, vectors=vectors)

    def _nest_in_rows(
        self,
        sizes: Sequence[Operand],
        body: Callable[[list[Operand]], None],
        *,
        parallel: bool,
        vectors: int = 0,
    ) -> None:
        *outer, last = [place for place, size in enumerate(sizes) if size != 1]

        def write(rows: Rows, bounds: Bounds | None) -> None:
            def inside(indices: list[Operand]) -> None:
                for index in rows.begin_each(indices[last]):
                    body([*indices[:last], index, *indices[last + 1 :]])

            # Several wide vectors at a time leave much of a row to do one by one.
            in_row = wide and bounds is not None and bool(rows.known)
            # Nor is anything left of a row that vectors as memory takes them fill.
            short = in_row and any(
                quotient.divisor < LONG and quotient.divisor % least for quotient in rows.known
            )
            b, state = self.builder, self.builder.mark()
            b.nest(
                sizes,
                inside,
                parallel=parallel,
                bounds=bounds,
                vectors=1 if in_row else vectors,
                ends_in_part=self.target.lanes(4) if short else 0,
            )
            if bounds and in_row and parallel and rows.turns is None and self.bytes_in_part:
                write_apart(b, state, sizes, inside, bounds, self.bytes_in_part)

        wide, least = self.target.vector_bits > 256, self.target.least_bits // 32
        guesses = parallel and self.target.fma and not outer
        self.in_rows(sizes[last], write, guesses=guesses)

    @property
    def bytes_in_part(self) -> int:
        """Bytes of vectors of which parts are loaded and stored at no cost, if there are any."""
        return self.target.vector_bits // 8 if "avx512bw" in self.target.units else 0

    def in_rows(
        self,
        size: Operand,
        write: Callable[[Rows, Bounds | None], None],
        *,
        guesses: bool = False,
    ) -> None:
        """
        Have a loop written at once or in rows; it tells what is found where its index is.

        If all that it does is to store elements, what they are made of may be guessed.
        """
        b, outer = self.builder, self.rows
        rows = Rows(b, b.names, Guesses(b, start=len(b.lines)) if guesses else None)
        state, self.rows = b.mark(), rows
        write(rows, None)
        if is_written_anew(rows):
            b.back_to(state)
            write_anew(b, rows, size, lambda bounds: write(rows, bounds))
        self.rows = outer

    def write_alike(self, start: Operand, count: int, write: Callable[[Rows], None]) -> None:
        """Have so many elements of a loop written, maybe again for masks that hold for all."""
        b = self.builder
        state, asked = b.mark(), Rows(b, b.names)
        write(asked)
        if asked.tells_of_index:
            b.back_to(state)
            write_alike(b, asked, start, count, lambda: write(asked))

    @contextmanager
    def asking_of(self, asked: Rows, index: Operand):
        """Have it noted, and heeded, what is asked of an index that is no loop's."""
        around = self.rows
        if around is None or self.checked:
            yield
            return
        asked.around, asked.guesses = around, around.guesses
        asked.begin(index)
        self.rows = asked
        yield
        self.rows = around

    def reads_of(self, tensor: Tensor, *, aligned: bool = True) -> tuple[Read, ...]:
        """Return what reading `tensor` reads; `aligned` if element i is read for element i."""
        if isinstance(tensor, View):
            return (Read(tensor.storage, aligned, dense=tensor.dense),)
        return tuple(replace(read, aligned=read.aligned and aligned) for read in tensor.reads)

    def may_take_over(self, view: View, op: Operation, others: Sequence[SSAValue]) -> bool:
        """True if `op` may write over `view`: nobody needs it later, nor reads it in `others`."""
        if not self.liveness.dead_after(view.storage, op):
            return False
        pointer = view.storage.pointer
        return not any(
            read.storage.pointer == pointer
            for other in others
            if is_shaped(other.type)
            for read in self.reads_of(self.tensor(other))
        )

    def static_sizes(self, type: Attribute) -> tuple[int, ...]:
        return shape_of(type)

    # --- arithmetic that rules share ----------------------------------------------------

    def widen(self, type: Type, value: Operand) -> Operand:
        """Return a float of a small type as f32; others are returned as they are."""
        if type.small is None:
            return value
        known = self.exact.get(value)
        if known is not None:
            return known
        return conversions.widen(self.builder, type, value, native_half=self.target.half)

    def narrow(self, type: Type, value: Operand) -> Operand:
        """Return an f32 as a float of a small type; for other types, as it is."""
        if type.small is None:
            return value
        return conversions.narrow(self.builder, type, value, native_half=self.target.half)

    def narrow_result(self, type: Type, value: Operand, *, is_either: bool) -> Operand:
        """
        Return as such a float what arithmetic has made of two floats of its type.

        It is one of these if `is_either`.
        """
        if type.name == "bf16":
            result: Operand = conversions.narrow_bf16(self.builder, value, exact=is_either)
        else:
            result = self.narrow(type, value)
        if is_either and type.small is not None:
            self.exact[result] = value
        return result

    @staticmethod
    def computing_type(type: Type) -> Type:
        """The type in which arithmetic on `type` happens: small floats compute in f32."""
        return F32 if type.small is not None else type

    @contextmanager
    def reassociating(self):
        outer, self.reassociate = self.reassociate, True
        yield
        self.reassociate = outer

    @property
    def float_flags(self) -> str:
        return "reassoc contract " if self.reassociate else "contract "


def _element_key(view: View, indices: Sequence[Operand]) -> tuple[object, ...]:
    return (view.storage, len(view.storage.values), view.offset, view.strides, *indices)


def _is_pointer(type: Attribute) -> bool:
    return isinstance(type, UnrankedMemRefType)
