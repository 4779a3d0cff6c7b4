"""
Index expressions written as IR.

What the program has a value for already is used; the rest becomes arithmetic on `index` or `i64`,
placed before the outermost loop or branch around its use inside which nothing of it
changes, and written once.
"""

from collections.abc import Callable
from functools import cached_property
from typing import cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i1, i64
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from xtriton.analysis.forward import IndexAnalysis
from xtriton.analysis.indexing import Atom, Cond, CondKind, Expr, Kind, Monomial
from xtriton.analysis.indexing.text import atom_text
from xtriton.analysis.values import (
    integer_width,
    is_integer,
    tensor_type,
    type_facts,
)
from xtriton.dialects.tt import GetNumProgramsOp, GetProgramIdOp, UnsplatOp
from xtriton.dialects.upstream.arith import (
    AddiOp,
    AndIOp,
    CmpiOp,
    ConstantOp,
    DivSIOp,
    ExtSIOp,
    FloorDivSIOp,
    IndexCastOp,
    MaxSIOp,
    MinSIOp,
    MuliOp,
    OrIOp,
    SelectOp,
    SubiOp,
    TruncIOp,
    XOrIOp,
)
from xtriton.ir.attributes import integer_attr
from xtriton.ir.walking import ops_in
from xtriton.transforms.raising.writing.narrowing import Narrowings
from xtriton.transforms.raising.writing.narrowing_report import record_narrowing

INDEX = IndexType()


Binary = Callable[[SSAValue, SSAValue], Operation]
"""The class of an op with two operands."""


class CannotEmit(Exception):
    """An expression for which no IR can be written at the place asked for."""


class ExprEmitter:
    """Writes expressions of one analysis into its function."""

    def __init__(self, analysis: IndexAnalysis, word: Attribute = INDEX):
        """
        `word` is the type of the arithmetic.

        Triton's own analyses do not look through casts to `index`, so it is `i64` where Triton
        goes on with what is written.
        """
        self.analysis = analysis
        self.word = word
        self.space = analysis.space
        self.entry = analysis.function.regions[0].blocks[0]
        self._order: dict[Operation, float] = {
            op: n for n, op in enumerate(ops_in(analysis.function))
        }
        """Where ops stand; an inserted op has a number between those of its neighbours."""

        self._emitted: dict[Expr | Cond, list[SSAValue]] = {}
        self._constants: dict[tuple[Attribute, int], SSAValue] = {}
        self._words: dict[int, SSAValue] = {}
        """Constants of the word's type, by their numbers alone."""
        self.narrow_ops: set[Operation] = set()
        """Ops that no tensor of more than 32 bits has to do with."""

        self.narrowings = Narrowings(analysis, self.dominates)
        self._literals: dict[tuple[Attribute, Attribute], SSAValue] = {}
        self._casts: dict[tuple[SSAValue, Attribute], SSAValue] = {}
        self._reuse_constants()

    def _reuse_constants(self) -> None:
        """Take over the integer constants that the function begins with."""
        for op in self.entry.ops:
            if not isinstance(op, ConstantOp):
                return
            if isinstance(op.value, IntegerAttr):
                self._constants.setdefault((op.result.type, op.value.value.data), op.result)

    # --- what the program has ---------------------------------------------------------

    @cached_property
    def _scalars(self) -> dict[Expr | Cond, list[SSAValue]]:
        """The scalars of the program by their forms."""
        return self._by_form(None)

    @cached_property
    def _vectors(self) -> dict[Expr | Cond, list[SSAValue]]:
        """The tensors of rank 1 of the program by their forms."""
        return self._by_form(1)

    def _by_form(self, rank: int | None) -> dict[Expr | Cond, list[SSAValue]]:
        """Return the integers and booleans of a rank, None for scalars, by their forms."""
        table: dict[Expr | Cond, list[SSAValue]] = {}
        for value, form in self.analysis.values.items():
            if not isinstance(form, (Expr, Cond)):
                continue
            if rank != _rank(value.type):
                continue
            if isinstance(form, Expr):
                form = self.analysis.resolved(form)
            else:
                form = self.analysis.resolved_condition(form)
            table.setdefault(form, []).append(value)
        return table

    def find(self, form: Expr | Cond, anchor: Operation) -> SSAValue | None:
        """
        Return a value of the program that has this form and may be used before `anchor`.

        The program may have a value by its name, or by what it is the name of.
        """
        found = self._find(form, anchor)
        if found is None and form.depth and isinstance(form, Expr):
            atom = form.atom()
            if atom is not None and atom.kind is Kind.NAMED:
                return self._find(atom.args[0], anchor)
        return found

    def _find(self, form: Expr | Cond, anchor: Operation) -> SSAValue | None:
        for value in self._emitted.get(form, ()):
            if self.dominates(value, anchor):
                return value
        for value in self._scalars.get(form, ()):
            if self.dominates(value, anchor):
                return value
        return None

    def find_vector(self, form: Expr | Cond, size: int, anchor: Operation) -> SSAValue | None:
        """Return a tensor of the program, of rank 1, that may be used before `anchor`."""
        for value in self._vectors.get(form, ()):
            if type_facts(value.type).shape == (size,) and self.dominates(value, anchor):
                return value
        return None

    def remember(self, form: Expr | Cond, value: SSAValue) -> None:
        """Use `value` for this form from now on."""
        self._emitted.setdefault(form, []).insert(0, value)

    def dominates(self, value: SSAValue, anchor: Operation) -> bool:
        """Tell whether `value` may be used by an op put before `anchor`."""
        owner = value.op if isinstance(value, OpResult) else None
        block = owner.parent if owner is not None else cast(BlockArgument, value).block
        if block is None:
            return False  # an access that has been raised since
        user, around = anchor, anchor.parent
        while around is not block:
            if around is None:
                return False
            if block is self.entry and around.parent is block.parent:
                return True
            outer = around.parent_op()
            if outer is None:
                return False
            user, around = outer, outer.parent
        return owner is None or self._order[owner] < self._order[user]

    # --- placing ----------------------------------------------------------------------

    def _home(self, form: Expr | Cond | Atom, anchor: Operation) -> Operation:
        """
        Return the outermost op around `anchor` before which `form` can be computed.

        A division that might be by zero stays where the program made it, so that none is
        made that the program would not have made.
        """
        place = anchor
        while True:
            block = place.parent
            outer = place.parent_op()
            if block is None or outer is None or outer is self.analysis.function:
                return place
            if not self.invariant(form, outer) or self._traps(form, outer):
                return place
            place = outer

    def invariant(self, form: Expr | Cond | Atom, op: Operation) -> bool:
        """Tell whether a form depends on nothing inside `op`."""
        return self.analysis.invariant(form, op)

    def available(self, form: Expr | Cond, anchor: Operation) -> bool:
        """Tell whether all that a form depends on is there before `anchor`."""
        for u in form.leaves:
            leaf = self.space.atoms[u]
            if isinstance(leaf.key, Operation):
                if not leaf.key.is_ancestor(anchor):
                    return False
                continue
            value = self.analysis.leaf_values.get(u, leaf.parts[1] if leaf.parts else None)
            if isinstance(value, SSAValue) and not self.dominates(value, anchor):
                return False
        return True

    def insert(self, op: Operation, before: Operation) -> None:
        """Put an op before another; it gets that one's place in the order and location."""
        assert before.parent is not None
        op.location = before.location
        before.parent.insert_op_before(op, before)
        self._order[op] = self._order[before] - 0.5

    def insert_instead(self, op: Operation, of: Operation) -> None:
        """Put an op before one that is about to go, so that more can be put before the new one."""
        self.insert(op, of)
        self._order[op] = self._order[of]

    def op(self, op: Operation, before: Operation) -> SSAValue:
        """Put an op before another; return its only result."""
        self.insert(op, before)
        (result,) = op.results
        return result

    def after(self, op: Operation, owner: Operation) -> SSAValue:
        """Put an op right after another."""
        assert owner.parent is not None
        op.location = owner.location
        owner.parent.insert_op_after(op, owner)
        self._order[op] = self._order[owner] + 0.25
        (result,) = op.results
        return result

    def at_start(self, op: Operation, block: Block) -> SSAValue:
        """Put an op at the start of a block."""
        first = block._first_op
        assert first is not None
        op.location = first.location
        block.insert_op_before(op, first)
        self._order[op] = self._order[first] - 1
        (result,) = op.results
        return result

    def end(self, op: Operation, block: Block) -> None:
        """Put an op into a block of a loop or branch that has none yet."""
        parent = block.parent_op()
        assert parent is not None
        assert block.ops.first is None
        op.location = parent.location
        block.add_op(op)
        self._order[op] = 0

    def materialized(self, op: Operation) -> SSAValue:
        """Put a constant at the start of the function; equal ones are one."""
        key = op.results[0].type, op.properties["value"]
        if key not in self._literals:
            self._literals[key] = self.at_start(op, self.entry)
        return self._literals[key]

    def converted(
        self, value: SSAValue, type: Attribute, make: Callable[[], Operation]
    ) -> SSAValue:
        """Return `value` as another type; the conversion stands next to where it is made."""
        key = value, type
        if key not in self._casts:
            owner = value.owner
            op = make()
            self._casts[key] = (
                self.after(op, owner) if isinstance(owner, Operation) else self.at_start(op, owner)
            )
        return self._casts[key]

    # --- writing ----------------------------------------------------------------------

    def typed(
        self, e: Expr, type: IntegerType, anchor: Operation, proof: str | None = None
    ) -> SSAValue:
        """
        Return `e` as an integer of a type, from an integer of the program if there is one.

        `proof` says why `e` fits into fewer bits than a word has; without it one is looked for,
        and where there is none this raises `CannotEmit`.
        """
        number = e.constant
        if number is not None:
            return self.constant(number, type)
        found = self.find(e, anchor)
        if found is not None and is_integer(found.type):
            if found.type == type:
                return found
            if integer_width(found.type) < integer_width(type):
                return self.converted(found, type, lambda: ExtSIOp(found, type))
        if integer_width(type) < 64:
            self.prove(e, integer_width(type), anchor, proof)
        return self.cast(self.index(e, anchor), type)

    def prove(self, e: Expr, bits: int, anchor: Operation, proof: str | None = None) -> None:
        """Report why `e` fits into so many bits; raise `CannotEmit` if that is not known."""
        proof = proof or self.narrowings.proof(e, bits, anchor)
        if proof is None:
            raise CannotEmit(f"{e} may not fit into {bits} bits")
        record_narrowing(e, bits, proof, anchor)

    def narrow(
        self, e: Expr, type: IntegerType, anchor: Operation, proof: str | None = None
    ) -> SSAValue:
        """
        Return `e` as `typed` does, computed in the type itself where its parts are such.

        That is, where it is a sum of products of integers of the type, and each sum and product
        fits into it.
        """
        if e.constant is not None or self.find(e, anchor) is not None:
            return self.typed(e, type, anchor, proof)
        parts = [(m, c) for m, c in e.terms.items() if m]
        factors = [self._narrow_factors(m, c, type, anchor) for m, c in parts]
        if not all(factors) or not self._fits_in_parts(e, integer_width(type), anchor):
            return self.typed(e, type, anchor, proof)
        self.prove(e, integer_width(type), anchor, proof)
        constant = e.terms.get((), 0)
        if constant:
            factors.append([self.constant(constant, type)])
        total: SSAValue | None = None
        for values in factors:
            assert values is not None
            term = values[0]
            for value in values[1:]:
                term = self.op(MuliOp(term, value), anchor)
            total = term if total is None else self.op(AddiOp(total, term), anchor)
        assert total is not None
        return total

    def _fits_in_parts(self, e: Expr, bits: int, anchor: Operation) -> bool:
        """Tell whether all that is computed on the way to a sum of products fits, too."""
        space, total = self.space, self.space.zero
        for mono, c in e.terms.items():
            term = space.make({mono: c})
            products = [space.make({mono[: n + 1]: 1}) for n in range(1, len(mono) - 1)]
            total = total + term if mono else total
            for part in (*products, term, total):
                if part is not e and self.narrowings.proof(part, bits, anchor) is None:
                    return False
        return True

    def _narrow_factors(
        self, mono: Monomial, c: int, type: IntegerType, anchor: Operation
    ) -> list[SSAValue] | None:
        """Return values of the program of a type whose product is a term; None if there are none."""
        space = self.space
        whole = self.find(space.make({mono: 1}), anchor)
        found = [self.find(space.wrap(space.atoms[u]), anchor) for u in mono]
        values = [whole] if whole is not None and whole.type == type else found
        known = [v for v in values if v is not None and v.type == type]
        if len(known) < len(values):
            return None
        return known if c == 1 else [*known, self.constant(c, type)]

    def integer(self, e: Expr, anchor: Operation) -> SSAValue:
        """Return `e` as an integer for `tt.addptr`: one of the program, or an `i64`."""
        found = self.find(e, anchor)
        if found is not None and isinstance(found.type, IntegerType):
            return found
        value = self.index(e, anchor)
        return value if value.type == i64 else self.op(conversion(value, i64), anchor)

    def mixed(self, e: Expr, anchor: Operation) -> int | SSAValue:
        """Return `e` as a number where it is one, else as a value of the word's type."""
        number = e.constant
        return number if number is not None else self.index(e, anchor)

    def constant(self, number: int, type: Attribute | None = None) -> SSAValue:
        """Return a constant, by default a word, written once at the start of the function."""
        if type is None or type is self.word:
            found = self._words.get(number)
            if found is None:
                found = self._words[number] = self._constant(number, self.word)
            return found
        return self._constant(number, type)

    def _constant(self, number: int, type: Attribute) -> SSAValue:
        key = type, number
        found = self._constants.get(key)
        if found is None:
            attribute = integer_attr(number, type)
            op = ConstantOp.create(properties={"value": attribute}, result_types=[type])
            found = self._constants[key] = self.at_start(op, self.entry)
        return found

    def index(self, e: Expr, anchor: Operation) -> SSAValue:
        """Return `e` as a word that may be used before `anchor`."""
        number = e.constant
        if number is not None:
            return self.constant(number)
        found = self.find(e, anchor)
        if found is not None:
            return self._as_index(found)
        place = self._home(e, anchor)
        value = self._sum(self.analysis_grounded(e), place)
        self.remember(e, value)
        return value

    def analysis_grounded(self, e: Expr) -> Expr:
        """Write iteration counts as `(induction variable - lower bound) / step`."""
        for u in e.leaves:
            leaf = self.space.atoms[u]
            if leaf.kind is Kind.ITERATION and isinstance(leaf.key, Operation):
                e = self._grounded(e, leaf, leaf.key)
        return e

    def _grounded(self, e: Expr, leaf: Atom, loop: Operation) -> Expr:
        a = self.analysis
        induction = loop.regions[0].blocks[0].args[0]
        lower, step = (a.resolved(a.expr(loop.operands[n])) for n in (0, 2))
        if not lower.terms and step is self.space.one:
            return e
        variable = a.symbol(induction)
        slope = e.coefficient(leaf)
        ratio = slope.divided(step)
        if ratio is not None:
            e = e - slope * self.space.wrap(leaf) + ratio * (variable - lower)
        if leaf.uid in e.leaves:
            quotient = self.space.truncdiv(variable - lower, step)
            e = self.space.substitute(e, {leaf.uid: quotient})
        return e

    def _as_index(self, value: SSAValue) -> SSAValue:
        """Return an integer of the program as a word; the cast stands right after it."""
        return self.cast(value, self.word)

    def cast(self, value: SSAValue, type: Attribute) -> SSAValue:
        """Convert between integers and `index`, next to where the value is made."""
        if value.type == type:
            return value
        return self.converted(value, type, lambda: conversion(value, type))

    def _sum(self, e: Expr, place: Operation) -> SSAValue:
        offset = e.terms.get((), 0)
        if offset and len(e.terms) > 2:
            found = self.find(e - offset, place)
            if found is not None:
                return self._binary(AddiOp, self._as_index(found), self.constant(offset), place)
        positive = [(m, c) for m, c in e.terms.items() if m and c > 0]
        negative = [(m, c) for m, c in e.terms.items() if m and c < 0]
        total: SSAValue | None = None
        for mono, c in positive:
            term = self._term(mono, c, place)
            total = term if total is None else self._binary(AddiOp, total, term, place)
        if offset and (offset > 0 or total is not None):
            number = self.constant(offset)
            total = number if total is None else self._binary(AddiOp, total, number, place)
        for mono, c in negative:
            term = self._term(mono, -c, place)
            if total is None:
                total = self.constant(offset)
            total = self._binary(SubiOp, total, term, place)
        assert total is not None
        return total

    def _binary(
        self, kind: type[Operation], x: SSAValue, y: SSAValue, place: Operation
    ) -> SSAValue:
        """Return what an op makes of two words; its constructor would take longer than all else."""
        return self.op(kind.create(operands=(x, y), result_types=(x.type,)), place)

    def _term(self, mono: Monomial, c: int, place: Operation) -> SSAValue:
        """Return `c` times the product of atoms."""
        space = self.space
        whole = space.make({mono: c})
        found = self.find(whole, place)
        if found is not None:
            return self._as_index(found)
        if len(mono) == 1 and c == 1:
            return self._atom(space.atoms[mono[0]], place)
        place = self._home(whole, place)
        factors = self._factors(mono, c, place)
        value = self.index(factors[0], place)
        for factor in factors[1:]:
            value = self._binary(MuliOp, value, self.index(factor, place), place)
        self.remember(whole, value)
        return value

    def _factors(self, mono: Monomial, c: int, place: Operation) -> list[Expr]:
        """Split a product so that a part is a value that exists, if there is one."""
        space = self.space
        if len(mono) > 1:
            for i in range(len(mono)):
                rest = mono[:i] + mono[i + 1 :]
                part = space.make({rest: c})
                if self.find(part, place) is not None:
                    return [part, space.make({(mono[i],): 1})]
                if c != 1:
                    part = space.make({(mono[i],): c})
                    if self.find(part, place) is not None:
                        return [part, space.make({rest: 1})]
            return [space.make({mono[:-1]: c}), space.make({mono[-1:]: 1})]
        return [space.make({mono: 1}), space.const(c)]

    def _atom(self, atom: Atom, place: Operation) -> SSAValue:
        space = self.space
        wrapped = space.wrap(atom)
        found = self.find(wrapped, place)
        if found is not None:
            return self._as_index(found)
        value = self.analysis.leaf_values.get(atom.uid)
        if value is not None and atom.kind is Kind.SCALAR and self.dominates(value, place):
            return self._as_index(value)
        result = self._operation(atom, self._home(atom, place))
        self.remember(wrapped, result)
        return result

    def _traps(self, form: Expr | Cond | Atom, place: Operation) -> bool:
        """Tell whether computing `form` before `place` might divide by zero."""
        if isinstance(form, Expr):
            return any(self._traps(a, place) for a in form.atoms())
        if isinstance(form, Cond):
            return any(self._traps(a, place) for a in form.args)
        if not form.args or self.find(self.space.wrap(form), place) is not None:
            return False
        if form.kind in (Kind.FLOORDIV, Kind.TRUNCDIV) and form.args[1].interval[0] <= 0:
            return True
        return any(self._traps(a, place) for a in form.args)

    def _operation(self, atom: Atom, place: Operation) -> SSAValue:
        args = atom.args
        match atom.kind:
            case Kind.NAMED:
                return self.index(args[0], place)
            case Kind.FLOORDIV:
                kind = DivSIOp if args[0].interval[0] >= 0 else FloorDivSIOp
                x, y = (self.index(a, place) for a in args)
                return self._binary(kind, x, y, place)
            case Kind.TRUNCDIV:
                x, y = (self.index(a, place) for a in args)
                return self._binary(DivSIOp, x, y, place)
            case Kind.MIN | Kind.MAX:
                return self._extremum(atom, place)
            case Kind.SELECT:
                c = self.condition(args[0], place)
                x, y = (self.index(a, place) for a in args[1:])
                return self.op(SelectOp(c, x, y), place)
            case Kind.ELEMENT:
                return self._element(atom, place)
            case Kind.SCALAR if isinstance(atom.key, tuple):
                return self._grid_value(atom, place)
            case _:
                raise CannotEmit(f"no value for {atom_text(atom)}")

    def _grid_value(self, atom: Atom, place: Operation) -> SSAValue:
        """Ask the grid again where the program's own question does not dominate."""
        name, axis = atom.key[0], atom.key[1]
        kinds: dict[str, Callable[[int], Operation]] = {
            "program_id": GetProgramIdOp,
            "num_programs": GetNumProgramsOp,
        }
        if name not in kinds:
            raise CannotEmit(f"no value for {atom.name}")
        return self._as_index(self.op(kinds[name](axis), place))

    def _extremum(self, atom: Atom, place: Operation) -> SSAValue:
        """Write a minimum or maximum; that of the operands a loop does not change stands before."""
        space, args, around = self.space, atom.args, place.parent_op()
        kind, of = (MinSIOp, space.minimum) if atom.kind is Kind.MIN else (MaxSIOp, space.maximum)
        if around is not None and around is not self.analysis.function:
            fixed = [arg for arg in args if self.invariant(arg, around)]
            if 1 < len(fixed) < len(args):
                args = (of(*fixed), *(arg for arg in args if arg not in fixed))
        value = self.index(args[0], place)
        for arg in args[1:]:
            value = self._binary(kind, value, self.index(arg, place), place)
        return value

    def _element(self, atom: Atom, place: Operation) -> SSAValue:
        """Return the element of a tensor of one element."""
        tensor: Atom = atom.args[0]
        value = self.analysis.leaf_values.get(tensor.uid)
        if value is None or not self.dominates(value, place):
            raise CannotEmit(f"no value for {atom_text(atom)}")
        if any(n != 1 for n in tensor_type(value.type).get_shape()):
            raise CannotEmit(f"one element of the tensor {tensor.name}")
        return self._as_index(self.op(UnsplatOp(value), place))

    def condition(self, c: Cond, anchor: Operation) -> SSAValue:
        """Return a condition on scalars as `i1`."""
        found = self.find(c, anchor)
        if found is not None:
            return found
        place = self._home(c, anchor)
        value = self._condition(c, place)
        self.remember(c, value)
        return value

    def _condition(self, c: Cond, place: Operation) -> SSAValue:
        match c.kind:
            case CondKind.TRUE | CondKind.FALSE:
                return self.constant(-1 if c.kind is CondKind.TRUE else 0, i1)
            case CondKind.NONNEGATIVE:
                e: Expr = c.args[0]
                below = self.space.make({m: -k for m, k in e.terms.items() if k < 0})
                x, y = self.index(e + below, place), self.index(below, place)
                return self.op(CmpiOp(x, y, "sge"), place)
            case CondKind.ZERO:
                return self._comparison(c.args[0], "eq", place)
            case CondKind.NOT if c.args[0].kind is CondKind.ZERO:
                boolean = self._boolean(c.args[0].args[0], place)
                if boolean is not None:
                    return boolean
                return self._comparison(c.args[0].args[0], "ne", place)
            case CondKind.NOT:
                true = self.constant(-1, i1)
                return self.op(XOrIOp(self.condition(c.args[0], place), true), place)
            case CondKind.AND | CondKind.OR:
                kind = AndIOp if c.kind is CondKind.AND else OrIOp
                value = self.condition(c.args[0], place)
                for arg in c.args[1:]:
                    value = self.op(kind(value, self.condition(arg, place)), place)
                return value

    def _boolean(self, e: Expr, place: Operation) -> SSAValue | None:
        """Return the boolean of the program that `e` counts as 0 or 1."""
        atom = e.atom()
        value = self.analysis.leaf_values.get(atom.uid) if atom is not None else None
        if value is not None and value.type == i1 and self.dominates(value, place):
            return value
        return None

    def _comparison(self, e: Expr, predicate: str, place: Operation) -> SSAValue:
        below = self.space.make({m: -k for m, k in e.terms.items() if k < 0})
        x, y = self.index(e + below, place), self.index(below, place)
        return self.op(CmpiOp(x, y, predicate), place)


def _rank(type: Attribute) -> int | None:
    """Return the rank of a tensor, None for a scalar."""
    shape = type_facts(type).shape
    return None if shape is None else len(shape)


def conversion(value: SSAValue, type: Attribute) -> Operation:
    """Return the op that makes an integer or `index` one of another type, sign kept."""
    if not (is_integer(value.type) and is_integer(type)):
        return IndexCastOp.create(operands=(value,), result_types=(type,))
    widens = integer_width(value.type) < integer_width(type)
    integer = cast(IntegerType, type)
    return ExtSIOp(value, integer) if widens else TruncIOp(value, integer)
