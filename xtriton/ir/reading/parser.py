"""
MLIR text to xDSL objects, in the syntax of every Triton since 3.1.

The careful path here is recursive descent on xDSL's parser and gives every error its
position. `fast_path` reads the everyday line of an op with one regular expression and
falls back to this one when it does not match.
"""

import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import ParserState
from xdsl.parser.core import ForwardDeclaredValue, UnresolvedOperand
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from xtriton.errors import Note, ParseFailure, Position
from xtriton.ir.limits import deep_recursion, without_garbage_collection
from xtriton.ir.op_plan import plan_of
from xtriton.ir.reading.fast_path import FastPath
from xtriton.ir.reading.format_parser import note_eras, parse_by_format, split_attributes
from xtriton.ir.reading.lexer import Lexer
from xtriton.ir.versions import (
    NEWEST,
    OLD_DIALECT_NAMES_UNTIL,
    OLDEST,
    RENAMED_DIALECTS,
    remember_version,
)

T = TypeVar("T")

MAX_NESTING = 200
"""Regions within regions that are read; deeper text is refused, not a stack overflow."""

_STARTS_OP = (
    MLIRTokenKind.PERCENT_IDENT,
    MLIRTokenKind.BARE_IDENT,
    MLIRTokenKind.STRING_LIT,
)


def parse_module(text: str, context: Context, *, file: str = "<stdin>") -> ModuleOp:
    """
    Return the module that `text` describes; ops outside a module are put into one.

    Raises `ParseFailure` with the position of the first thing that is wrong. The release
    whose syntax was read is remembered (`versions.version_read`).
    """
    with without_garbage_collection(), deep_recursion():
        parser = Parser(context, text, file)
        module = parser.parse_whole()
    remember_version(module, parser.newest)
    return module


def position_of(op: Operation, text: str, context: Context, *, file: str) -> Position | None:
    """
    Return where `op`, read from `text` and not yet changed, begins in it.

    Offsets are not kept beside ops; the text is read again, noting them.
    """
    root = op
    while (parent := root.parent_op()) is not None:
        root = parent
    index = next((i for i, other in enumerate(root.walk()) if other is op), None)
    parser = Parser(context, text, file)
    parser.offsets = {}
    with deep_recursion():
        again = parser.parse_whole()
    found = next((o for i, o in enumerate(again.walk()) if i == index), None)
    if found is None or (offset := parser.offsets.get(found)) is None:
        return None
    return Position.in_text(text, offset, file)


_TOO_MANY_DIGITS = re.compile(rf"\d{{{sys.int_info.default_max_str_digits + 1},}}")


class Parser(FastPath):
    """Reads one text; see the module's docstring."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        self.values: dict[str, SSAValue] = {}
        """Values in scope by their text, `%x` or `%x#1`."""
        self.scope: list[str] = []
        """The texts defined in the innermost region."""
        self.forward: dict[str, tuple[ForwardDeclaredValue, Span]] = {}
        self.offsets: dict[Operation, int] | None = None
        self.newest, self.oldest = NEWEST, OLDEST
        self.nesting = 0
        self._hints: dict[str, str | None] = {}
        self._unique: dict[Attribute, Attribute] = {}
        self._constants: dict[str, tuple[Attribute, Attribute]] = {}
        self._stripped: dict[tuple[type[Attribute], str], Attribute] = {}
        self._inferred: dict[tuple[int, int], tuple[Attribute, Attribute]] = {}
        try:
            super().__init__(ctx, "", name)
            self._parser_state = ParserState(Lexer(Input(input, name)))
        except ParseError as error:
            raise self._failure(error, input, name) from error
        self.file = name
        self._start(input)
        self._start_fast_path()

    # --- the whole text -----------------------------------------------------------------

    def parse_whole(self) -> ModuleOp:
        """Return the module of the whole text; raise `ParseFailure`."""
        return self._in_whole(self._parse_top_level)

    def parse_whole_attribute(self) -> Attribute:
        """Return the attribute that the whole text is; raise `ParseFailure`."""
        return self._in_whole(self._parse_only_attribute)

    def _in_whole(self, parse: Callable[[], T]) -> T:
        try:
            return parse()
        except ParseError as error:
            raise self._failure(error, self.text, self.file) from error
        except RecursionError:
            raise ParseFailure("nested too deeply to read", self._position()) from None
        except VerifyException as error:
            raise ParseFailure(str(error), self._position()) from error
        except MemoryError:
            # No fault of the text: the tool says what to do.
            raise
        except Exception as error:
            if isinstance(error, ValueError) and (digits := self._too_many_digits()) is not None:
                place = Position.in_text(self.text, digits, self.file)
                raise ParseFailure("integer value too large", place) from error
            # Readers of single ops and attributes stumble over text that they do not expect.
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            raise ParseFailure(f"cannot be read ({reason})", self._position()) from error

    def _too_many_digits(self) -> int | None:
        """Return where the last number begins that has more digits than Python reads."""
        end = self.text.find("\n", self._current_token.span.end)
        end = len(self.text) if end < 0 else end
        found = [match.start() for match in _TOO_MANY_DIGITS.finditer(self.text, 0, end)]
        return found[-1] if found else None

    def _position(self) -> Position:
        return Position.in_text(self.text, self._current_token.span.start, self.file)

    @staticmethod
    def _failure(error: ParseError, text: str, file: str) -> ParseFailure:
        failure = ParseFailure(error.msg, Position.in_text(text, error.span.start, file))
        prior_use = getattr(error, "prior_use", None)
        if prior_use is not None:
            place = Position.in_text(text, prior_use, file)
            failure.elsewhere = (Note("prior use here", place),)
        return failure

    def _parse_only_attribute(self) -> Attribute:
        attribute = self.parse_attribute()
        if self._current_token.kind != MLIRTokenKind.EOF:
            self.raise_error("expected the end of the text")
        return attribute

    def _parse_top_level(self) -> ModuleOp:
        block = Block()
        while (kind := self._current_token.kind) is not MLIRTokenKind.EOF:
            if kind in (MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT):
                self._parse_alias_def()
            elif kind is MLIRTokenKind.FILE_METADATA_BEGIN:
                self._parse_file_metadata_dictionary()
            elif kind in _STARTS_OP:
                self._parse_block_body(block)
            else:
                self.raise_error("expected operation name in quotes")
        self._check_forward_references()
        first = block.first_op
        if isinstance(first, ModuleOp) and first is block.last_op:
            first.detach()
            return first
        return ModuleOp(Region(block))

    def _check_forward_references(self) -> None:
        if self.forward:
            _, span = min(self.forward.values(), key=lambda entry: entry[1].start)
            self.raise_error("use of undeclared SSA value name", span)

    def _parse_external_resources(self) -> None:
        """Skip `external_resources`: what they hold is for the tool that wrote them."""
        depth = 0
        while True:
            text = self._current_token.text
            if self._current_token.kind is MLIRTokenKind.EOF:
                self.raise_error("expected '}' to end external resources")
            depth += (text == "{") - (text == "}")
            self._consume_token()
            if depth == 0 and text == "}":
                return

    # --- values -------------------------------------------------------------------------

    def resolve_operand(self, operand: UnresolvedOperand, type: Any) -> Any:
        name = operand.span.text
        if operand.index:
            name = f"{name}#{operand.index}"
        return self.value(name, type, operand.span)

    def value(self, name: str, type: Attribute, span: Span) -> SSAValue:
        """Return the value that `name` stands for, a placeholder if it comes later."""
        found = self.values.get(name)
        if found is None:
            if name in self.forward:
                found = self.forward[name][0]
            else:
                self._check_index(name, span)
                found = ForwardDeclaredValue(type)
                self.forward[name] = (found, span)
                return found
        if found.type is not type and found.type != type:
            raise self._conflicting_types(name, type, found.type, span)
        return found

    def _conflicting_types(self, name: str, type: Any, other: Any, span: Span) -> ParseError:
        """Return the error about a use with another type, with the place of the definition."""
        error = ParseError(
            span,
            f"use of value '{name}' expects different type than prior uses: '{type}' vs '{other}'",
        )
        before = self.text[: span.start]
        definitions = list(re.finditer(rf"{re.escape(name)}(?![\w.$-])\s*[:=,]", before))
        if definitions:
            error.prior_use = definitions[-1].start()  # pyright: ignore[reportAttributeAccessIssue]
        return error

    def _check_index(self, name: str, span: Span) -> None:
        base, _, index = name.partition("#")
        if index and base in self.values and f"{base}#0" in self.values:
            self.raise_error(f"reference to invalid result number {index} of '{base}'", span)

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        text = "%" + name
        self.define(text, values[0], span)
        if len(values) > 1:
            for index, value in enumerate(values):
                self.define(f"{text}#{index}", value, span)

    def define(self, name: str, value: SSAValue, span: Span) -> None:
        """Let `name` stand for `value` in the innermost region, earlier uses included."""
        if name in self.values:
            self.raise_error(f"redefinition of SSA value '{name}'", span)
        self.values[name] = value
        self.scope.append(name)
        if value._name is None:
            value._name = self.hint(name)
        if self.forward and (entry := self.forward.pop(name, None)) is not None:
            placeholder, use = entry
            if placeholder.type != value.type:
                self.raise_error(
                    f"definition of SSA value '{name}' has type '{value.type}', "
                    f"but it was used with type '{placeholder.type}'",
                    use,
                )
            placeholder.replace_all_uses_with(value)

    def define_results(self, name: str, results: Sequence[SSAValue]) -> None:
        """Define the results of an op read by the fast path, whose name is known to be new."""
        at = self._current_token.span
        self.define(name, results[0], at)
        if len(results) > 1:
            for index, result in enumerate(results):
                self.define(f"{name}#{index}", result, at)

    def hint(self, name: str) -> str | None:
        """Return the name hint for a value written `name`, None if it is only a number."""
        try:
            return self._hints[name]
        except KeyError:
            stem = name[1:].partition("#")[0]
            hint = None if stem.isdigit() or not SSAValue.is_valid_name(stem) else stem
            self._hints[name] = hint
            return hint

    def parse_optional_argument(self, expect_type: bool = True) -> Any:
        argument: Any = super().parse_optional_argument(expect_type)
        if argument is not None and expect_type:
            argument.location = self.parse_optional_location()
        return argument

    # --- regions ------------------------------------------------------------------------

    def parse_optional_region(self, arguments: Any = None) -> Region | None:
        if self._current_token.kind is not MLIRTokenKind.L_BRACE:
            return None
        if self.nesting >= MAX_NESTING:
            self.raise_error(f"regions are nested more than {MAX_NESTING} deep")
        self.nesting += 1
        outer_scope, self.scope = self.scope, []
        try:
            # Without arguments, `{}` is a region without blocks.
            return super().parse_optional_region(arguments or None)
        finally:
            self.nesting -= 1
            for name in self.scope:
                self.values.pop(name, None)
            self.scope = outer_scope

    def _parse_block(self) -> Block:
        kind = self._current_token.kind
        if kind is not MLIRTokenKind.CARET_IDENT:
            at_end = kind is MLIRTokenKind.EOF
            self.raise_error("expected '}'" if at_end else "expected operation name in quotes")
        return super()._parse_block()

    def _parse_optional_block_arg_list(self, block: Block):
        if self._current_token.kind is not MLIRTokenKind.L_PAREN:
            return None
        spans: list[Span] = []

        def parse_argument() -> None:
            token = self._parse_token(MLIRTokenKind.PERCENT_IDENT, "expected SSA operand")
            self.parse_punctuation(":")
            type = self.parse_type()
            location = self.parse_optional_location()
            argument = block.insert_arg(type, len(block.args), location)
            spans.append(token.span)
            self._register_ssa_definition(token.text[1:], (argument,), token.span)

        self.parse_comma_separated_list(self.Delimiter.PAREN, parse_argument)
        return block

    # --- ops ----------------------------------------------------------------------------

    def _parse_block_body(self, block: Block) -> None:
        while True:
            if self.parse_lines(block):
                continue
            if self._current_token.kind not in _STARTS_OP:
                return
            block.add_op(self.parse_operation())

    def parse_operation(self) -> Operation:
        start = self._current_token.span
        bound = self._parse_op_result_list()
        token = self._current_token
        if token.kind is MLIRTokenKind.BARE_IDENT:
            self._consume_token()
            cls = self._op_class(token.text, token.span, custom=True)
            op = self._in_dialect_of(cls, self._parse_custom, token.span)
            if (location := self.parse_optional_location()) is not None:
                op.location = location
        elif token.kind is MLIRTokenKind.STRING_LIT:
            name = self.parse_str_literal()
            if not name:
                self.raise_error("empty operation name is invalid", token.span)
            cls = self._op_class(name, token.span, custom=False)
            op = self._in_dialect_of(cls, self._parse_generic, token.span)
        else:
            self.raise_error("expected operation name in quotes")
        self.note_offset(op, token.span.start)
        self._bind(bound, op, start)
        return op

    def note_offset(self, op: Operation | None, offset: int) -> None:
        """Remember where `op` begins, if that was asked for."""
        if self.offsets is not None and op is not None:
            self.offsets[op] = offset

    def _in_dialect_of(self, cls: type[Operation], parse: Any, span: Span) -> Operation:
        """Parse an op whose region may leave out the dialect's name and hide outer values."""
        stack = self._parser_state.dialect_stack
        stack.append(cls.dialect_name())
        isolated = cls.has_trait(IsolatedFromAbove)
        if isolated:
            saved = self.values, self.scope, self.forward
            self.values, self.scope, self.forward = {}, [], {}
        else:
            saved = None
        try:
            op = parse(cls, span)
            if saved is not None:
                op = self._with_outer_operands(op, saved)
        finally:
            stack.pop()
            if saved is not None:
                self.values, self.scope, self.forward = saved
        return op

    def _with_outer_operands(self, op: Operation, saved: Any) -> Operation:
        """Resolve the operands of an isolated op, which belong to the outer scope."""
        outer_values, _, outer_forward = saved
        for name, (placeholder, span) in list(self.forward.items()):
            if any(use.operation is not op for use in placeholder.uses):
                self.raise_error("use of undeclared SSA value name", span)
            if (value := outer_values.get(name)) is not None:
                placeholder.replace_all_uses_with(value)
            else:
                outer_forward[name] = (placeholder, span)
        return op

    def _parse_custom(self, cls: type[Operation], span: Span) -> Operation:
        plan = plan_of(cls)
        if plan is not None and plan.formats:
            return parse_by_format(self, plan, span)
        return cls.parse(self)

    def _parse_generic(self, cls: type[Operation], span: Span) -> Operation:
        arguments = self.parse_op_args_list()
        successors = self.parse_optional_successors() or []
        properties = self.parse_optional_properties_dict()
        regions = self.parse_region_list()
        attributes = self.parse_optional_attr_dict()
        self.parse_punctuation(":", " followed by operation type")
        type_position = self._current_token.span.start
        type = self.parse_function_type()
        location = self.parse_optional_location()
        operands = self.resolve_operands(arguments, type.inputs.data, type_position)
        plan = plan_of(cls)
        if plan is not None and not issubclass(cls, UnregisteredOp):
            properties, attributes = split_attributes(plan, {**properties, **attributes})
        op = cls.create(
            operands=operands,
            result_types=type.outputs.data,
            properties=properties,
            attributes=attributes,
            successors=successors,
            regions=regions,
        )
        if location is not None:
            op.location = location
        if plan is not None:
            note_eras(self, plan, op)
        return op

    def _bind(self, bound: list[tuple[Span, int]], op: Operation, start: Span) -> None:
        count = sum(size for _, size in bound)
        if count and len(op.results) != count:
            self.raise_error(
                f"operation defines {len(op.results)} results but was provided {count} to bind",
                start,
            )
        first = 0
        for span, size in bound:
            self._register_ssa_definition(span.text[1:], op.results[first : first + size], span)
            first += size

    # --- names of ops -------------------------------------------------------------------

    def _op_class(self, name: str, span: Span, *, custom: bool) -> type[Operation]:
        dialect, dot, rest = name.partition(".")
        if dialect in RENAMED_DIALECTS:
            self.seen_until(OLD_DIALECT_NAMES_UNTIL[dialect])
            name = f"{RENAMED_DIALECTS[dialect]}.{rest}"
        if not dot and (custom or not self.ctx.allow_unregistered):
            return self._class_without_dialect(name, span)
        cls = self._lookup(name)
        if cls is not None and (modern := getattr(cls, "modern_class", None)) is not None:
            cls = modern(self.text[span.end : self.text.find("\n", span.end)])
        if cls is None or (custom and issubclass(cls, UnregisteredOp)):
            self._unknown_op(name, span, custom=custom)
        return cls

    def _class_without_dialect(self, name: str, span: Span) -> type[Operation]:
        for dialect in (*reversed(self._parser_state.dialect_stack), "builtin", "func"):
            cls = self._lookup(f"{dialect}.{name}", unregistered=False)
            if cls is not None:
                return cls
        self.raise_error(f"custom op '{name}' is unknown (tried 'builtin.{name}' as well)", span)

    def _lookup(self, name: str, *, unregistered: bool = True) -> type[Operation] | None:
        if unregistered:
            return self.ctx.get_optional_op(name)
        allowed, self.ctx.allow_unregistered = self.ctx.allow_unregistered, False
        try:
            return self.ctx.get_optional_op(name)
        finally:
            self.ctx.allow_unregistered = allowed

    def _unknown_op(self, name: str, span: Span, *, custom: bool) -> NoReturn:
        dialect = name.partition(".")[0]
        known = dialect in self.ctx.registered_dialect_names
        if known:
            self.raise_error(
                f"unregistered operation '{name}' found in dialect ('{dialect}') "
                "that does not allow unknown operations",
                span,
            )
        if custom:
            self.raise_error(f"Dialect `{dialect}' not found for custom op '{name}'", span)
        self.raise_error(
            f"operation '{name}' belongs to an unregistered dialect; "
            "use --allow-unregistered-dialect to read it",
            span,
        )
