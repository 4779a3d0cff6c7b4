"""
What has to hold for one op alone: its definition, its type rules, its traits.

The definition is xDSL's; the messages are MLIR's. Everything here depends on the op's
types and attributes only, unless a class says `VERIFY_EACH = True` or has regions,
successors, or traits that look around; so `verifier` checks one op of each signature.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    AttrSizedRegionSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    OpDef,
    OptionalDef,
    RangeConstraint,
    RangeOf,
    VariadicDef,
    VerificationContext,
)
from xdsl.irdl.operations import (
    SingleBlockRegionDef,
    VarIRConstruct,
    irdl_op_verify_regions,
    verify_variadic_size,
)
from xdsl.traits import (
    ConstantLike,
    HasAncestor,
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    NoTerminator,
    OpTrait,
    SymbolTable,
    SymbolUserOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.ir.op_parts import ValuesOf, values_of
from xtriton.ir.op_plan import OpPlan, Spelling, plan_of
from xtriton.ir.syntax import TypeRule, identity
from xtriton.ir.writing.printer import attribute_string

_ANY = RangeOf(AnyAttr())
_LOOK_AROUND = (HasAncestor, SymbolUserOpInterface)
_CHECKED_ELSEWHERE = (IsolatedFromAbove, IsTerminator, NoTerminator)


@dataclass(slots=True)
class OpChecks:
    """What is checked for the ops of a class."""

    by_signature: bool
    """Whether ops with the same types and attributes are all right or all wrong."""
    reads_attributes: bool
    """Whether discardable attributes matter."""
    depends_on_parent: bool
    """Whether the class of the op around and the number of successors matter."""
    is_plain: bool
    """Whether nothing but the types and the properties of an op matters."""
    is_constant: bool
    """Whether an attribute that is a number, or several, matters only by its type."""
    own_each: bool
    """Whether what the class itself demands may depend on more than the signature."""
    is_terminator: bool
    may_lack_terminator: bool
    """Whether blocks of the op's regions need not end in a terminator."""
    is_isolated: bool
    before_regions: Callable[[Any], None]
    """Checks the definition, the type rules and the traits."""
    around_regions: Callable[[Any], None] | None
    """What of that depends on regions, if the signature settles the rest of it; else None."""
    after_regions: Callable[[Any], None] | None
    """Checks what the class itself demands, once its regions are known to be sound."""


@cache
def checks_of(cls: type[Operation]) -> OpChecks:
    """Return what to check for the ops of `cls`."""
    plan = plan_of(cls)
    if plan is None:
        # An unregistered op: nothing is known, so anything goes.
        return OpChecks(
            by_signature=True,
            reads_attributes=False,
            depends_on_parent=False,
            is_plain=False,
            is_constant=False,
            own_each=False,
            is_terminator=False,
            may_lack_terminator=True,
            is_isolated=False,
            before_regions=lambda op: None,
            around_regions=None,
            after_regions=None,
        )
    assert issubclass(cls, IRDLOperation)
    definition = cls.get_irdl_definition()
    traits = list(definition.traits)
    own = _own_verifier(cls)
    depends_on_more = getattr(cls, "VERIFY_EACH", False) or any(
        isinstance(trait, _LOOK_AROUND) for trait in traits
    )
    looks_around = depends_on_more or bool(definition.regions)
    check = _DefinitionCheck(definition, plan, traits)
    is_settled = not depends_on_more and not check.binds_arguments
    is_terminator = cls.has_trait(IsTerminator)
    reads_attributes = bool(definition.attributes) or own is not None
    depends_on_parent = is_terminator or any(isinstance(trait, HasParent) for trait in traits)
    is_constant = own is None and cls.has_trait(ConstantLike)
    return OpChecks(
        by_signature=not looks_around,
        reads_attributes=reads_attributes,
        depends_on_parent=depends_on_parent,
        is_plain=not (looks_around or reads_attributes or depends_on_parent or is_constant),
        is_constant=is_constant,
        own_each=own is not None and (looks_around or is_terminator),
        is_terminator=is_terminator,
        may_lack_terminator=cls.has_trait(NoTerminator),
        is_isolated=cls.has_trait(IsolatedFromAbove),
        before_regions=check,
        around_regions=check.around_regions if definition.regions and is_settled else None,
        after_regions=own,
    )


def _own_verifier(cls: type[IRDLOperation]) -> Callable[[Any], None] | None:
    """
    Return what the class demands beyond its definition, None for nothing.

    `irdl_op_definition` hides it in a closure that checks the definition first.
    """
    function: Any = cls.verify_
    while True:
        code = getattr(function, "__code__", None)
        if code is None:
            return function
        cells = (cell.cell_contents for cell in function.__closure__ or ())
        captured = dict(zip(code.co_freevars, cells, strict=False))
        inner = captured.get("custom_verify", captured.get("verify"))
        if inner is None:
            checks_definition = any(isinstance(value, OpDef) for value in captured.values())
            is_default = function is Operation.verify_
            return None if checks_definition or is_default else function
        function = inner


class _DefinitionCheck:
    """Checks operands, results, regions, successors, attributes, rules and traits."""

    def __init__(self, definition: OpDef, plan: OpPlan, traits: Sequence[OpTrait]):
        options = definition.options

        def segmented(kind: type) -> bool:
            return any(isinstance(option, kind) for option in options)

        self.definition = definition
        self.plan = plan
        self.traits = [t for t in traits if _demands_something(t)]
        self.operands = _ValuesCheck(
            "operand", definition.operands, segmented(AttrSizedOperandSegments), plan
        )
        self.results = _ValuesCheck(
            "result", definition.results, segmented(AttrSizedResultSegments), plan
        )
        self.region_segments = segmented(AttrSizedRegionSegments)
        self.binds_arguments = any(region.entry_args != _ANY for _, region in definition.regions)
        """Whether arguments of regions have to go with the types and attributes."""
        self.single_blocks = _single_blocks(definition)
        """Of regions without more to them, which have to be one block; None if there is more."""
        self.rules = [_RuleCheck(rule, plan) for rule in _without_repeats(plan.rules)]

    def __call__(self, op: Operation) -> None:
        context = VerificationContext()
        self.counts(op)
        self.attributes(op, context)
        try:
            self.operands(op, context)
            self.results(op, context)
        except _Disagreement:
            # The rules say better which types do not go together.
            self.types_and_traits(op)
            raise
        if op.regions:
            irdl_op_verify_regions(op, self.definition, context)
        self.types_and_traits(op)

    def around_regions(self, op: Operation) -> None:
        """Check what ops of one signature need not have in common."""
        if not self.has_plain_regions(op):
            self.count_regions(op)
            if op.regions:
                irdl_op_verify_regions(op, self.definition, VerificationContext())
        self.only_traits(op)

    def has_plain_regions(self, op: Operation) -> bool:
        """Tell whether regions are as defined; if not, xDSL knows what is wrong, or more to ask."""
        wanted = self.single_blocks
        if wanted is None or len(wanted) != len(op.regions):
            return False
        for region, is_single in zip(op.regions, wanted, strict=True):
            first = region._first_block
            if is_single and (first is None or first is not region._last_block):
                return False
        return True

    def types_and_traits(self, op: Operation) -> None:
        for rule in self.rules:
            rule(op)
        self.only_traits(op)

    def only_traits(self, op: Operation) -> None:
        for trait in self.traits:
            if isinstance(trait, HasParent):
                _verify_parent(op, trait)
            elif isinstance(trait, SymbolTable):
                _verify_symbol_table(op)
            else:
                trait.verify(op)

    def counts(self, op: Operation) -> None:
        definition = self.definition
        self.count_regions(op)
        self.results.count(op)
        _verify_count("successor", definition.successors, len(op._successors))
        if any(isinstance(d, VariadicDef) for _, d in definition.successors):
            verify_variadic_size(op, definition, VarIRConstruct.SUCCESSOR)
        self.operands.count(op)

    def count_regions(self, op: Operation) -> None:
        if not self.region_segments:
            _verify_count("region", self.definition.regions, len(op.regions))

    def attributes(self, op: Operation, context: VerificationContext) -> None:
        definition = self.definition
        for declared, given in (
            (definition.properties, op.properties),
            (definition.attributes, op.attributes),
        ):
            for name, attribute_definition in declared.items():
                attribute = given.get(name)
                if attribute is not None:
                    _verify_attribute(name, attribute, attribute_definition, context)
                elif (
                    not isinstance(attribute_definition, OptionalDef)
                    and attribute_definition.default_value is None
                ):
                    raise VerifyException(f"requires attribute '{name}'")
        for name in op.properties:
            if name not in definition.properties:
                raise VerifyException(f"has no property '{name}'")
        for name, known in self.plan.properties.items():
            attribute = op.properties.get(name)
            if attribute is not None and known.spelling is Spelling.ENUM:
                _verify_enum(name, attribute, known.enum)


def _demands_something(trait: OpTrait) -> bool:
    """Tell whether a trait is more than a word, and nobody else sees to it."""
    if isinstance(trait, _CHECKED_ELSEWHERE):
        return False
    return isinstance(trait, HasParent) or type(trait).verify is not OpTrait.verify


def _single_blocks(definition: OpDef) -> list[bool] | None:
    """Return for each region whether it has to be one block; None if more is asked of some."""
    regions = [each for _, each in definition.regions]
    if any(isinstance(each, VariadicDef) or each.entry_args != _ANY for each in regions):
        return None
    return [isinstance(each, SingleBlockRegionDef) for each in regions]


def _verify_attribute(
    name: str, attribute: Attribute, definition: Any, context: VerificationContext
) -> None:
    try:
        definition.constr.verify(attribute, context)
    except VerifyException as error:
        raise VerifyException(
            f"attribute '{name}' failed to satisfy constraint: {error}"
        ) from error


def _verify_enum(name: str, attribute: Any, enum: Any) -> None:
    members = sorted(int(member) for member in enum.__members__.values())
    value = getattr(getattr(attribute, "value", None), "data", None)
    if value not in members:
        raise VerifyException(
            f"attribute '{name}' failed to satisfy constraint: allowed "
            f"{attribute.type.width.data}-bit signless integer cases: "
            f"{', '.join(map(str, members))}"
        )


def _verify_parent(op: Operation, trait: HasParent) -> None:
    parent = op.parent_op()
    if parent is not None and not isinstance(parent, trait.op_types):
        names = ", ".join(cls.name for cls in trait.op_types)
        several = "to be one of " if len(trait.op_types) > 1 else ""
        raise VerifyException(f"expects parent op {several}'{names}'")


def _verify_symbol_table(op: Operation) -> None:
    if len(op.regions) != 1:
        raise VerifyException("Operations with a 'SymbolTable' must have exactly one region")
    if len(op.regions[0].blocks) != 1:
        raise VerifyException("Operations with a 'SymbolTable' must have exactly one block")
    found: set[str] = set()
    for child in op.regions[0].block.ops:
        name: Any = child.properties.get("sym_name", child.attributes.get("sym_name"))
        if not isinstance(name, StringAttr):
            continue
        if name.data in found:
            raise InvalidOp(child, f"redefinition of symbol named '{name.data}'")
        found.add(name.data)


class InvalidOp(Exception):
    """Something is wrong with `op`; `message` is all that there is to say."""

    def __init__(self, op: Operation, message: str):
        super().__init__(message)
        self.op = op
        self.message = message


class _Disagreement(VerifyException):
    """Each type by itself is allowed, but they do not go together."""


class _ValuesCheck:
    """Checks number and types of the operands or results."""

    def __init__(
        self, what: str, declared: Sequence[tuple[str, Any]], segmented: bool, plan: OpPlan
    ):
        self.what = what
        self.declared = declared
        self.segmented = segmented
        variadic = [d for _, d in declared if isinstance(d, VariadicDef)]
        # One list of any length needs no more than a count.
        self.is_divided = (
            segmented or len(variadic) > 1 or any(isinstance(d, OptionalDef) for d in variadic)
        )
        self.definition: OpDef = plan.cls.get_irdl_definition()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        is_operand = what == "operand"
        self.construct = VarIRConstruct.OPERAND if is_operand else VarIRConstruct.RESULT
        self.parts: list[tuple[Any, ValuesOf]] = [
            (definition, _accessor(plan, index, is_operand))
            for index, (_, definition) in enumerate(declared)
        ]

    def count(self, op: Operation) -> None:
        if not self.segmented:
            values = op._operands if self.what == "operand" else op.results
            _verify_count(self.what, self.declared, len(values))
        if self.is_divided:
            verify_variadic_size(op, self.definition, self.construct)

    def __call__(self, op: Operation, context: VerificationContext) -> None:
        first = 0
        for definition, part in self.parts:
            types = tuple(value.type for value in part(op))
            try:
                definition.constr.verify(types, context)
            except VerifyException as error:
                raise self.failure(definition, first, types, error) from error
            first += len(types)

    def failure(
        self, definition: Any, first: int, types: Sequence[Attribute], error: Exception
    ) -> VerifyException:
        """Return the error that names the first value that does not fit."""
        single = definition.constr
        while _is_range(single) and (inner := _inner(single)) is not None:
            single = inner
        for index, type in enumerate(types):
            if not _accepts(single, type):
                text = str(error).splitlines()[-1]
                description = getattr(single, "description", None)
                if description is not None:
                    variadic = "variadic of " if isinstance(definition, VariadicDef) else ""
                    text = f"must be {variadic}{description}, but got '{attribute_string(type)}'"
                return VerifyException(f"{self.what} #{first + index} {text}")
        return _Disagreement(f"{self.what} #{first} {error}")


def _is_range(constraint: Any) -> bool:
    return isinstance(constraint, RangeConstraint)


def _inner(constraint: Any) -> Any:
    """Return the constraint within a constraint of a range of types."""
    return getattr(constraint, "constr", getattr(constraint, "constraint", None))


def _accessor(plan: OpPlan, index: int, is_operand: bool) -> ValuesOf:
    if is_operand:
        segments = "operandSegmentSizes" if plan.operand_segments else None
        return values_of(plan.operands, index, segments, "_operands")
    segments = "resultSegmentSizes" if plan.result_segments else None
    return values_of(plan.results, index, segments, "results")


def _accepts(constraint: Any, type: Attribute) -> bool:
    subject: Any = (type,) if _is_range(constraint) else type
    try:
        constraint.verify(subject, VerificationContext())
    except VerifyException:
        return False
    return True


def _verify_count(what: str, declared: Sequence[tuple[str, Any]], count: int) -> None:
    """Check a number of operands, results, regions or successors, if it is fixed."""
    fixed = sum(not isinstance(definition, VariadicDef) for _, definition in declared)
    if fixed == len(declared) and count != fixed:
        if fixed == 0:
            raise VerifyException(f"requires zero {what}s")
        if fixed == 1:
            article = "a single" if what == "operand" else "one"
            raise VerifyException(f"requires {article} {what}")
        raise VerifyException(f"expected {fixed} {what}s, but found {count}")
    if count < fixed:
        raise VerifyException(f"expected {fixed} or more {what}s, but found {count}")


# --- type rules ----------------------------------------------------------------------------


def _without_repeats(rules: Sequence[TypeRule]) -> list[TypeRule]:
    """Drop rules that others imply: of equal types, one chain is enough."""
    kept: list[TypeRule] = []
    reached: dict[str, set[str]] = {}
    for rule in rules:
        if rule.function is identity:
            group = reached.setdefault(rule.source, {rule.source})
            if rule.target in group:
                continue
            group |= reached.get(rule.target, {rule.target})
            for name in group:
                reached[name] = group
        kept.append(rule)
    return kept


class _RuleCheck:
    """Checks one `TypeRule`."""

    def __init__(self, rule: TypeRule, plan: OpPlan):
        self.rule = rule
        self.sources = _by_name(plan, rule.source)
        self.targets = _by_name(plan, rule.target)
        self.complaint = _complaint_about_inequality(plan)

    def __call__(self, op: Operation) -> None:
        sources, targets = self.sources(op), self.targets(op)
        if not sources or not targets:
            return
        rule = self.rule
        expected = rule.function(sources[0].type)
        for target in targets:
            if target.type == expected:
                continue
            if rule.function is identity:
                raise VerifyException(self.complaint)
            summary = rule.summary or f"type of '{rule.target}' matches that of '{rule.source}'"
            raise VerifyException(
                f"failed to verify that {summary}: expected '{attribute_string(expected)}', "
                f"but got '{attribute_string(target.type)}'"
            )


def _complaint_about_inequality(plan: OpPlan) -> str:
    same = [rule for rule in plan.rules if rule.function is identity]
    equal = {name for rule in same for name in (rule.source, rule.target)}
    names = [value.name for value in (*plan.operands, *plan.results)]
    if equal.issuperset(names):
        return "requires the same type for all operands and results"
    listed = ", ".join(name for name in names if name in equal)
    return f"failed to verify that all of {{{listed}}} have same type"


def _by_name(plan: OpPlan, name: str) -> Callable[[Any], Sequence[SSAValue]]:
    for declared, is_operand in ((plan.operands, True), (plan.results, False)):
        for index, value in enumerate(declared):
            if value.name == name:
                return _accessor(plan, index, is_operand)
    raise ValueError(f"{plan.cls.name}: a type rule names '{name}', which is not defined")
