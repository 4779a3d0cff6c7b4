"""
The `scf` dialect: structured control flow.

Repaired: `scf.for unsigned`, text of every loop and of `if` as MLIR writes it, effects of
`execute_region`; `scf.forall` and its terminator are added.
"""

from typing import Self

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    TensorType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.dialects.scf import (
    ConditionOp as ConditionOp,
    ExecuteRegionOp as ExecuteRegionOp,
    ForOp as ForOp,
    IfOp as IfOp,
    IndexSwitchOp as IndexSwitchOp,
    ParallelOp as ParallelOp,
    ReduceOp as ReduceOp,
    ReduceReturnOp as ReduceReturnOp,
    Scf,
    WhileOp as WhileOp,
    YieldOp as YieldOp,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    lazy_traits_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    NoTerminator,
    Pure,
    RecursiveMemoryEffect,
    SingleBlockImplicitTerminator,
)
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.repair import add_traits, repair
from xtriton.dialects.upstream.text import (
    ensure_terminator,
    parse_index_list,
    parse_initial_values,
    parse_operands_in,
    parse_optional_arrow_types,
    print_attributes,
    print_index_list,
    print_initial_values,
    print_optional_arrow_types,
    print_region_by_format,
    print_types,
    print_values,
    resolve_all,
    segments,
)
from xtriton.dialects.utils.contents import dialect_of

# --- for -------------------------------------------------------------------------------


def _parse_for(cls: type[ForOp], parser: Parser) -> ForOp:
    unsigned = parser.parse_optional_keyword("unsigned") is not None
    induction = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    bounds = [parser.parse_unresolved_operand()]
    parser.parse_keyword("to")
    bounds.append(parser.parse_unresolved_operand())
    parser.parse_keyword("step")
    bounds.append(parser.parse_unresolved_operand())

    arguments: list[Parser.UnresolvedArgument] = []
    values: list[UnresolvedOperand] = []
    types: list[Attribute] = []
    if parser.parse_optional_keyword("iter_args"):
        arguments, values = parse_initial_values(parser)
        types = parse_optional_arrow_types(parser)
    colon = parser.parse_optional_punctuation(":")
    bound_type = parser.parse_type() if colon else IndexType()

    operands = [parser.resolve_operand(bound, bound_type) for bound in bounds]
    operands += resolve_all(parser, values, types, "iter_args")
    resolved = [induction.resolve(bound_type)]
    resolved += [a.resolve(t) for a, t in zip(arguments, types, strict=True)]
    body = parser.parse_region(resolved)
    if not types:
        ensure_terminator(body, YieldOp)
    return cls.create(
        operands=operands,
        result_types=types,
        properties={"unsignedCmp": UnitAttr()} if unsigned else {},
        attributes=parser.parse_optional_attr_dict(),
        regions=[body],
    )


def _print_for(self: ForOp, printer: Printer) -> None:
    induction, *arguments = self.body.block.args
    printer.print_string(" unsigned " if "unsignedCmp" in self.properties else " ")
    printer.print_ssa_value(induction)
    for word, bound in ((" = ", self.lb), (" to ", self.ub), (" step ", self.step)):
        printer.print_string(word)
        printer.print_ssa_value(bound)
    print_initial_values(printer, " iter_args", arguments, self.iter_args)
    if arguments:
        printer.print_string(" -> ")
        print_types(printer, self.iter_args.types)
    printer.print_string(" ")
    if not isinstance(induction.type, IndexType):
        printer.print_string(" : ")
        printer.print_attribute(induction.type)
        printer.print_string(" ")
    printer.print_region(
        self.body,
        print_entry_block_args=False,
        print_empty_block=False,
        print_block_terminators=bool(arguments),
    )
    print_attributes(printer, self)


repair(
    ForOp,
    properties={"unsigned_cmp": opt_prop_def(UnitAttr, prop_name="unsignedCmp")},
    parse=classmethod(_parse_for),
    print=_print_for,
)

# --- if --------------------------------------------------------------------------------


def _parse_if(cls: type[IfOp], parser: Parser) -> IfOp:
    condition = parser.resolve_operand(parser.parse_unresolved_operand(), i1)
    types = parse_optional_arrow_types(parser)
    regions = [parser.parse_region()]
    has_else = parser.parse_optional_keyword("else") is not None
    regions.append(parser.parse_region() if has_else else Region())
    if not types:
        for region in regions[: 1 + has_else]:
            ensure_terminator(region, YieldOp)
    return cls.create(
        operands=[condition],
        result_types=types,
        attributes=parser.parse_optional_attr_dict(),
        regions=regions,
    )


def _print_if(self: IfOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(self.cond)
    if self.results:
        printer.print_string(" -> ")
        print_types(printer, self.result_types)
    for word, region in ((" ", self.true_region), (" else ", self.false_region)):
        if region.blocks:
            printer.print_string(word)
            printer.print_region(
                region,
                print_entry_block_args=False,
                print_empty_block=False,
                print_block_terminators=bool(self.results),
            )
    print_attributes(printer, self)


repair(IfOp, parse=classmethod(_parse_if), print=_print_if)

# --- while -----------------------------------------------------------------------------


def _parse_while(cls: type[WhileOp], parser: Parser) -> WhileOp:
    arguments: list[Parser.UnresolvedArgument] = []
    values: list[UnresolvedOperand] = []
    if not parser.parse_optional_punctuation(":"):
        arguments, values = parse_initial_values(parser)
        parser.parse_punctuation(":")
    type = parser.parse_function_type()
    inputs = type.inputs.data
    operands = resolve_all(parser, values, inputs, "operands")
    before = parser.parse_region([a.resolve(t) for a, t in zip(arguments, inputs, strict=True)])
    parser.parse_keyword("do")
    after = parser.parse_region()
    attributes = parser.parse_optional_attr_dict_with_keyword()
    return cls.create(
        operands=operands,
        result_types=type.outputs.data,
        attributes=dict(attributes.data) if attributes is not None else {},
        regions=[before, after],
    )


def _print_while(self: WhileOp, printer: Printer) -> None:
    print_initial_values(printer, " ", self.before_region.block.args, self.arguments)
    printer.print_string(" : ")
    printer.print_function_type(self.operand_types, self.result_types)
    printer.print_string(" ")
    printer.print_region(self.before_region, print_entry_block_args=False, print_empty_block=False)
    printer.print_string(" do ")
    printer.print_region(self.after_region, print_empty_block=False)
    if self.attributes:
        printer.print_op_attributes(self.attributes, print_keyword=True)


def _verify_while(op: WhileOp) -> None:
    if not isinstance(op.before_region.block.last_op, ConditionOp):
        raise VerifyException("the before region must end with scf.condition")
    if not isinstance(op.after_region.block.last_op, YieldOp):
        raise VerifyException("the after region must end with scf.yield")


repair(WhileOp, verify=_verify_while, parse=classmethod(_parse_while), print=_print_while)

# --- terminators, execute_region, index_switch -----------------------------------------

repair(YieldOp, syntax="attr-dict ($arguments^ `:` type($arguments))?")
repair(ConditionOp, syntax="`(` $condition `)` attr-dict ($args^ `:` type($args))?")
repair(ReduceReturnOp, syntax="$result attr-dict `:` type($result)")
repair(ReduceOp, syntax="(`(` $args^ `:` type($args) `)`)? $reductions attr-dict")


def _parse_execute_region(cls: type[ExecuteRegionOp], parser: Parser) -> ExecuteRegionOp:
    types = parse_optional_arrow_types(parser)
    no_inline = parser.parse_optional_keyword("no_inline") is not None
    region = parser.parse_region()
    return cls.create(
        result_types=types,
        properties={"no_inline": UnitAttr()} if no_inline else {},
        attributes=parser.parse_optional_attr_dict(),
        regions=[region],
    )


def _print_execute_region(self: ExecuteRegionOp, printer: Printer) -> None:
    print_optional_arrow_types(printer, self.result_types)
    printer.print_string(" no_inline " if "no_inline" in self.properties else " ")
    printer.print_region(self.region, print_entry_block_args=False)
    print_attributes(printer, self)


repair(
    ExecuteRegionOp,
    properties={"no_inline": opt_prop_def(UnitAttr)},
    parse=classmethod(_parse_execute_region),
    print=_print_execute_region,
)
add_traits(ExecuteRegionOp, RecursiveMemoryEffect())


def _parse_index_switch(cls: type[IndexSwitchOp], parser: Parser) -> IndexSwitchOp:
    operand = parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())
    attributes = parser.parse_optional_attr_dict()
    types: list[Attribute] = []
    if parser.parse_optional_punctuation("->"):
        types.append(parser.parse_type())
        while parser.parse_optional_punctuation(","):
            types.append(parser.parse_type())
    values: list[int] = []
    cases: list[Region] = []
    while parser.parse_optional_keyword("case"):
        values.append(parser.parse_integer())
        cases.append(parser.parse_region())
    parser.parse_keyword("default")
    regions = [parser.parse_region(), *cases]
    if not types:
        for region in regions:
            ensure_terminator(region, YieldOp)
    return cls.create(
        operands=[operand],
        result_types=types,
        properties={"cases": DenseArrayBase.from_list(i64, values)},
        attributes=attributes,
        regions=regions,
    )


def _print_index_switch(self: IndexSwitchOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(self.arg)
    print_attributes(printer, self)
    if self.results:
        printer.print_string(" -> ")
        printer.print_list(self.result_types, printer.print_attribute)
    printer.print_string(" \n")
    for value, region in zip(self.cases.get_values(), self.case_regions, strict=True):
        printer.print_string(f"case {value} ")
        printer.print_region(region, print_entry_block_args=False)
        printer.print_string("\n")
    printer.print_string("default ")
    print_region_by_format(printer, self.default_region)


repair(
    IndexSwitchOp,
    parse=classmethod(_parse_index_switch),
    print=_print_index_switch,
)

# --- parallel --------------------------------------------------------------------------


def _parse_parallel(cls: type[ParallelOp], parser: Parser) -> ParallelOp:
    paren = parser.Delimiter.PAREN
    arguments = parser.parse_comma_separated_list(
        paren, lambda: parser.parse_argument(expect_type=False)
    )
    groups: list[list[UnresolvedOperand]] = []
    parser.parse_punctuation("=")
    groups.append(parse_operands_in(parser, paren))
    for word in ("to", "step"):
        parser.parse_keyword(word)
        groups.append(parse_operands_in(parser, paren))
    initial = parse_operands_in(parser, paren) if parser.parse_optional_keyword("init") else []
    types = parse_optional_arrow_types(parser)
    operands = [parser.resolve_operand(o, IndexType()) for group in groups for o in group]
    operands += resolve_all(parser, initial, types, "initial values")
    body = parser.parse_region([a.resolve(IndexType()) for a in arguments])
    ensure_terminator(body, ReduceOp)
    return cls.create(
        operands=operands,
        result_types=types,
        properties=segments(*map(len, groups), len(initial)),
        attributes=parser.parse_optional_attr_dict(),
        regions=[body],
    )


def _print_parallel(self: ParallelOp, printer: Printer) -> None:
    groups = (
        (" (", self.body.block.args),
        (") = (", self.lowerBound),
        (") to (", self.upperBound),
        (") step (", self.step),
    )
    for opening, values in groups:
        printer.print_string(opening)
        print_values(printer, values)
    if self.initVals:
        printer.print_string(") init (")
        print_values(printer, self.initVals)
    printer.print_string(")")
    print_optional_arrow_types(printer, self.result_types)
    printer.print_string(" ")
    printer.print_region(self.body, print_entry_block_args=False)
    print_attributes(printer, self)


repair(ParallelOp, parse=classmethod(_parse_parallel), print=_print_parallel)


# --- forall ----------------------------------------------------------------------------


@irdl_op_definition
class InParallelOp(IRDLOperation):
    """
    Terminator of `scf.forall`: what each iteration puts into the shared outputs.

    ```mlir
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %tile into %out[%i] [1] [1]
        : tensor<1xf32> into tensor<4xf32>
    }
    ```
    """

    name = "scf.forall.in_parallel"

    region = region_def("single_block")

    traits = lazy_traits_def(lambda: (IsTerminator(), NoTerminator(), HasParent(ForallOp), Pure()))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        return cls.create(attributes=parser.parse_optional_attr_dict(), regions=[region])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_region(self.region, print_entry_block_args=False, print_empty_block=False)
        print_attributes(printer, self)


@irdl_op_definition
class ForallOp(IRDLOperation):
    """
    A loop nest whose iterations may run in any order, or at once.

    Bounds and steps are static numbers or `index` operands (a static
    `-9223372036854775808` stands for the next operand); the results are the shared
    outputs with what the iterations inserted.

    ```mlir
    %r = scf.forall (%i) in (4) shared_outs(%o = %init) -> (tensor<4xf32>) {
      scf.forall.in_parallel {
      }
    }
    ```
    """

    name = "scf.forall"

    dynamic_lower_bound = var_operand_def(IndexType)
    dynamic_upper_bound = var_operand_def(IndexType)
    dynamic_step = var_operand_def(IndexType)
    outputs = var_operand_def(TensorType)

    static_lower_bound = prop_def(DenseArrayBase.constr(i64), prop_name="staticLowerBound")
    static_upper_bound = prop_def(DenseArrayBase.constr(i64), prop_name="staticUpperBound")
    static_step = prop_def(DenseArrayBase.constr(i64), prop_name="staticStep")
    mapping = opt_prop_def(base(ArrayAttr))

    res = var_result_def()

    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    traits = traits_def(RecursiveMemoryEffect(), SingleBlockImplicitTerminator(InParallelOp))

    def verify_(self) -> None:
        rank = len(self.static_lower_bound)
        if len(self.static_upper_bound) != rank or len(self.static_step) != rank:
            raise VerifyException("lower bounds, upper bounds and steps differ in number")
        types = (*(IndexType(),) * rank, *self.outputs.types)
        if tuple(self.body.block.arg_types) != types:
            raise VerifyException("arguments of the body must be the indices and the outputs")
        if tuple(self.result_types) != tuple(self.outputs.types):
            raise VerifyException("results differ in type from the outputs")

    @property
    def is_normalized(self) -> bool:
        """Whether every lower bound is the constant 0 and every step 1."""
        lower, step = self.static_lower_bound.get_values(), self.static_step.get_values()
        return all(v == 0 for v in lower) and all(v == 1 for v in step)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        paren = parser.Delimiter.PAREN
        arguments = parser.parse_comma_separated_list(
            paren, lambda: parser.parse_argument(expect_type=False)
        )
        if parser.parse_optional_keyword("in"):
            upper = parse_index_list(parser, paren)
            rank = len(upper[1])
            lower, step = ([], [0] * rank), ([], [1] * rank)  # pyright: ignore[reportUnknownVariableType]
        else:
            parser.parse_punctuation("=")
            lower = parse_index_list(parser, paren)
            parser.parse_keyword("to")
            upper = parse_index_list(parser, paren)
            parser.parse_keyword("step")
            step = parse_index_list(parser, paren)
        out_arguments: list[Parser.UnresolvedArgument] = []
        outputs: list[UnresolvedOperand] = []
        types: list[Attribute] = []
        if parser.parse_optional_keyword("shared_outs"):
            out_arguments, outputs = parse_initial_values(parser)
            types = parse_optional_arrow_types(parser)
        operands: list[SSAValue] = [*lower[0], *upper[0], *step[0]]
        operands += resolve_all(parser, outputs, types, "shared_outs")
        resolved = [a.resolve(IndexType()) for a in arguments]
        resolved += [a.resolve(t) for a, t in zip(out_arguments, types, strict=True)]
        body = parser.parse_region(resolved)
        ensure_terminator(body, InParallelOp, regions=lambda: [Region(Block())])
        attributes = parser.parse_optional_attr_dict()
        properties = segments(len(lower[0]), len(upper[0]), len(step[0]), len(outputs))
        for name, (_, static) in (
            ("staticLowerBound", lower),
            ("staticUpperBound", upper),
            ("staticStep", step),
        ):
            properties[name] = DenseArrayBase.from_list(i64, static)
        if (mapping := attributes.pop("mapping", None)) is not None:
            properties["mapping"] = mapping
        return cls.create(
            operands=operands,
            result_types=types,
            properties=properties,
            attributes=attributes,
            regions=[body],
        )

    def print(self, printer: Printer) -> None:
        rank = len(self.static_lower_bound)
        arguments = self.body.block.args
        printer.print_string(" (")
        print_values(printer, arguments[:rank])
        bounds = (
            (") = (", self.dynamic_lower_bound, self.static_lower_bound),
            (") to (", self.dynamic_upper_bound, self.static_upper_bound),
            (") step (", self.dynamic_step, self.static_step),
        )
        if self.is_normalized:
            bounds = ((") in (", self.dynamic_upper_bound, self.static_upper_bound),)
        for opening, dynamic, static in bounds:
            printer.print_string(opening)
            print_index_list(printer, dynamic, static)
        printer.print_string(")")
        print_initial_values(printer, " shared_outs", arguments[rank:], self.outputs)
        printer.print_string(" ")
        if self.results:
            printer.print_string("-> ")
            print_types(printer, self.result_types)
            printer.print_string(" ")
        printer.print_region(
            self.body,
            print_entry_block_args=False,
            print_empty_block=False,
            print_block_terminators=bool(self.results),
        )
        attributes = dict(self.attributes)
        if self.mapping is not None:
            attributes["mapping"] = self.mapping
        if attributes:
            printer.print_op_attributes(attributes)


SCF = dialect_of(globals(), "scf", Scf)
