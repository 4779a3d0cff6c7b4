"""Functions, calls, branches and globals of the `llvm` dialect: repairs of xDSL's classes."""

from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    i32,
    i64,
)
from xdsl.dialects.llvm import (
    CallingConventionAttr,
    CallIntrinsicOp,
    CallOp,
    CondBrOp,
    FastMathAttr,
    FuncOp,
    GlobalOp,
    LinkageAttr,
    LLVMArrayType,
    LLVMFunctionType,
    LLVMVoidType,
    TailCallKind,
    TailCallKindAttr,
)
from xdsl.ir import Attribute, Region
from xdsl.irdl import opt_prop_def, prop_def
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xtriton.dialects.upstream.functions import (
    dictionaries_of,
    parse_arguments,
    parse_results,
    print_arguments,
    print_results,
)
from xtriton.dialects.upstream.repair import repair
from xtriton.dialects.upstream.text import segments

_ZERO = IntegerAttr(0, i64)
_C = CallingConventionAttr("ccc")
_EXTERNAL = LinkageAttr("external")
_VISIBILITIES = ("", "hidden", "protected")
_UNNAMED_ADDRESSES = ("", "local_unnamed_addr", "unnamed_addr")
_LINKAGES = (
    *("private", "internal", "available_externally", "linkonce", "weak", "common"),
    *("appending", "extern_weak", "linkonce_odr", "weak_odr", "external"),
)
_CONVENTIONS = (
    *("ccc", "fastcc", "coldcc", "cc_10", "cc_11", "anyregcc", "preserve_mostcc"),
    *("preserve_allcc", "swiftcc", "cxx_fast_tlscc", "tailcc", "cfguard_checkcc"),
    *("swifttailcc", "ptx_kernelcc", "ptx_devicecc", "spir_funccc", "spir_kernelcc"),
    *("intel_ocl_bicc", "x86_64_sysvcc", "win64cc", "x86_vectorcallcc", "x86_regcallcc"),
    *("amdgpu_vscc", "amdgpu_gscc", "amdgpu_pscc", "amdgpu_cscc", "amdgpu_kernelcc"),
    *("amdgpu_hscc", "amdgpu_lscc", "amdgpu_escc", "amdgpu_gfxcc", "aarch64_vectorcallcc"),
)

_FUNCTION_PROPERTIES = (
    *("dso_local", "comdat", "convergent", "personality", "garbageCollector"),
    *("function_entry_count", "memory_effects", "section", "alignment", "vscale_range"),
    *("reciprocal_estimates", "prefer_vector_width", "no_infs_fp_math", "no_nans_fp_math"),
    *("no_signed_zeros_fp_math", "denormal_fp_math", "denormal_fp_math_f32", "fp_contract"),
    *("always_inline", "inline_hint", "will_return", "vec_type_hint", "work_group_size_hint"),
    *("reqd_work_group_size", "intel_reqd_sub_group_size", "uwtable_kind"),
)
_CALL_PROPERTIES = (
    *("memory_effects", "convergent", "no_unwind", "will_return", "op_bundle_tags"),
    *("arg_attrs", "res_attrs", "no_inline", "always_inline", "inline_hint", "access_groups"),
    *("alias_scopes", "noalias_scopes", "tbaa"),
)


def _print_linkage(self: LinkageAttr, printer: Printer) -> None:
    printer.print_string(f"<{self.linkage.data}>")


LinkageAttr.print_parameters = _print_linkage


def _parse_convention(cls: type[CallingConventionAttr], parser: AttrParser) -> list[Attribute]:
    with parser.in_angle_brackets():
        word = parser.parse_identifier()
    if word not in _CONVENTIONS:
        parser.raise_error(f"unknown calling convention '{word}'")
    return [StringAttr(word)]


def _verify_convention(self: CallingConventionAttr) -> None:
    if self.cconv_name not in _CONVENTIONS:
        raise VerifyException(f"unknown calling convention '{self.cconv_name}'")


CallingConventionAttr._verify = _verify_convention
CallingConventionAttr.parse_parameters = classmethod(_parse_convention)  # pyright: ignore[reportAttributeAccessIssue]


def _optional_word(parser: Parser, words: tuple[str, ...]) -> str | None:
    return next((w for w in words if w and parser.parse_optional_keyword(w) is not None), None)


def _split(
    cls: Any, found: dict[str, Attribute]
) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    declared = cls.get_irdl_definition().properties
    properties = {name: value for name, value in found.items() if name in declared}
    return properties, {name: v for name, v in found.items() if name not in declared}


# --- functions -------------------------------------------------------------------------


def _parse_header(parser: Parser) -> dict[str, Attribute]:
    """Read linkage, visibility and unnamed address."""
    linkage = _optional_word(parser, _LINKAGES)
    visibility = _optional_word(parser, _VISIBILITIES)
    unnamed = _optional_word(parser, _UNNAMED_ADDRESSES)
    return {
        "linkage": LinkageAttr(linkage) if linkage else _EXTERNAL,
        "visibility_": IntegerAttr(_VISIBILITIES.index(visibility or ""), i64),
        "unnamed_addr": IntegerAttr(_UNNAMED_ADDRESSES.index(unnamed or ""), i64),
    }


def _print_header(printer: Printer, properties: Any, *, external: bool) -> None:
    linkage = properties["linkage"].linkage.data
    if external or linkage != "external":
        printer.print_string(" " + linkage)
    for name, words in (("visibility_", _VISIBILITIES), ("unnamed_addr", _UNNAMED_ADDRESSES)):
        if word := words[properties.get(name, _ZERO).value.data]:  # pyright: ignore[reportUnknownVariableType]
            printer.print_string(" " + word)  # pyright: ignore[reportUnknownArgumentType]


def _parse_func(cls: type[FuncOp], parser: Parser) -> FuncOp:
    properties = _parse_header(parser)
    convention = _optional_word(parser, _CONVENTIONS)
    properties["CConv"] = CallingConventionAttr(convention) if convention else _C
    properties["sym_name"] = parser.parse_symbol_name()
    arguments, inputs, input_attributes, variadic = parse_arguments(parser, may_be_variadic=True)
    outputs, output_attributes = parse_results(parser)
    result = outputs[0] if outputs else LLVMVoidType()
    properties["function_type"] = LLVMFunctionType(inputs, result, is_variadic=variadic)
    for name, dictionaries in (("arg_attrs", input_attributes), ("res_attrs", output_attributes)):
        if any(dictionaries):
            properties[name] = ArrayAttr([DictionaryAttr(d) for d in dictionaries])
    found = parser.parse_optional_attr_dict_with_keyword()
    more, attributes = _split(cls, dict(found.data) if found is not None else {})
    body = parser.parse_optional_region(arguments)
    return cls.create(
        properties=properties | more,
        attributes=attributes,
        regions=[body if body is not None else Region()],
    )


_FUNCTION_TEXT = frozenset(
    {"sym_name", "function_type", "linkage", "visibility_", "unnamed_addr", "CConv"}
    | {"arg_attrs", "res_attrs"}
)


def _print_func(self: FuncOp, printer: Printer) -> None:
    properties: Any = self.properties
    _print_header(printer, properties, external=False)
    if (convention := properties["CConv"]) != _C:
        printer.print_string(" " + convention.convention.data)
    printer.print_string(" ")
    printer.print_symbol_name(self.sym_name.data)
    type = self.function_type
    arguments = dictionaries_of(properties.get("arg_attrs"))
    print_arguments(printer, type.inputs.data, self.body, arguments, variadic=type.is_variadic)
    outputs = [] if isinstance(type.output, LLVMVoidType) else [type.output]
    print_results(printer, outputs, dictionaries_of(properties.get("res_attrs")))
    shown = {n: v for n, v in self.properties.items() if n not in _FUNCTION_TEXT}
    if shown or self.attributes:
        printer.print_op_attributes({**shown, **self.attributes}, print_keyword=True)
    if self.body.blocks:
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


repair(
    FuncOp,
    properties={
        **{name: opt_prop_def() for name in _FUNCTION_PROPERTIES},
        "linkage": prop_def(LinkageAttr, default_value=_EXTERNAL),
        "CConv": prop_def(CallingConventionAttr, default_value=_C),
        "unnamed_addr": opt_prop_def(IntegerAttr),
    },
    parse=classmethod(_parse_func),
    print=_print_func,
)

# --- globals ---------------------------------------------------------------------------

repair(
    GlobalOp,
    properties={
        **{n: opt_prop_def() for n in ("comdat", "dbg_exprs", "externally_initialized")},
        "target_specific_attrs": opt_prop_def(),
        "visibility_": prop_def(IntegerAttr, default_value=_ZERO),
        "addr_space": prop_def(IntegerAttr, default_value=IntegerAttr(0, i32)),
    },
)


def _parse_global(cls: type[GlobalOp], parser: Parser) -> GlobalOp:
    from xdsl.dialects.builtin import IntegerType, UnitAttr

    properties = _parse_header(parser)
    for word, name in (("thread_local", "thread_local_"), ("constant", "constant")):
        if parser.parse_optional_keyword(word):
            properties[name] = UnitAttr()
    properties["sym_name"] = parser.parse_symbol_name()
    parser.parse_punctuation("(")
    value = parser.parse_optional_attribute()
    parser.parse_punctuation(")")
    more, attributes = _split(cls, parser.parse_optional_attr_dict())
    if value is not None:
        properties["value"] = value
    body: Region | None = None
    if parser.parse_optional_punctuation(":"):
        properties["global_type"] = parser.parse_type()
        body = parser.parse_optional_region()
    elif isinstance(value, StringAttr):
        length = len(value.data.encode())
        properties["global_type"] = LLVMArrayType(length, IntegerType(8))
    else:
        parser.raise_error("expected the type of the global")
    properties.setdefault("addr_space", IntegerAttr(0, i32))
    return cls.create(
        properties=properties | more, attributes=attributes, regions=[body or Region()]
    )


_GLOBAL_TEXT = frozenset(
    {"sym_name", "global_type", "linkage", "visibility_", "unnamed_addr", "constant", "value"}
    | {"thread_local_"}
)


def _print_global(self: GlobalOp, printer: Printer) -> None:
    properties = self.properties
    _print_header(printer, properties, external=True)
    for word, name in (("thread_local", "thread_local_"), ("constant", "constant")):
        if name in properties:
            printer.print_string(" " + word)
    printer.print_string(" ")
    printer.print_symbol_name(self.sym_name.data)
    printer.print_string("(")
    if self.value is not None:
        printer.print_attribute(self.value)
    printer.print_string(")")
    shown = {n: v for n, v in properties.items() if n not in _GLOBAL_TEXT}
    if shown or self.attributes:
        printer.print_op_attributes({**shown, **self.attributes})
    if isinstance(self.value, StringAttr):
        return
    printer.print_string(" : ")
    printer.print_attribute(self.global_type)
    if self.body.blocks:
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)


repair(GlobalOp, parse=classmethod(_parse_global), print=_print_global)

# --- calls -----------------------------------------------------------------------------

_CALL_TEXT = frozenset(
    {"callee", "var_callee_type", "CConv", "TailCallKind", "operandSegmentSizes"}
    | {"op_bundle_sizes"}
)
_TAIL_CALLS = tuple(kind.value for kind in TailCallKind if kind is not TailCallKind.NONE)


def _parse_call(cls: type[CallOp], parser: Parser) -> CallOp:
    properties: dict[str, Attribute] = {}
    if (convention := _optional_word(parser, _CONVENTIONS)) is not None:
        properties["CConv"] = CallingConventionAttr(convention)
    if (kind := _optional_word(parser, _TAIL_CALLS)) is not None:
        properties["TailCallKind"] = TailCallKindAttr(TailCallKind(kind))
    callee = parser.parse_optional_unresolved_operand()
    if callee is None:
        properties["callee"] = parser.parse_attribute()
    arguments = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_unresolved_operand
    )
    if parser.parse_optional_keyword("vararg"):
        parser.parse_punctuation("(")
        properties["var_callee_type"] = parser.parse_type()
        parser.parse_punctuation(")")
    found, attributes = _split(cls, parser.parse_optional_attr_dict())
    parser.parse_punctuation(":")
    unresolved = list(arguments)
    types: list[Attribute] = []
    if callee is not None:
        unresolved.insert(0, callee)
        types.append(parser.parse_type())
        parser.parse_punctuation(",")
    type = parser.parse_function_type()
    types += type.inputs.data
    defaults: dict[str, Attribute] = {
        "CConv": _C,
        "TailCallKind": TailCallKindAttr(TailCallKind.NONE),
        "fastmathFlags": FastMathAttr("none"),
        "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
    }
    return cls.create(
        operands=parser.resolve_operands(unresolved, types, parser.pos),
        result_types=type.outputs.data,
        properties=defaults | properties | found | segments(len(unresolved), 0),
        attributes=attributes,
    )


def _print_call(self: CallOp, printer: Printer) -> None:
    properties: Any = self.properties
    if (convention := properties["CConv"]) != _C:
        printer.print_string(" " + convention.convention.data)
    if (kind := properties["TailCallKind"].data) is not TailCallKind.NONE:
        printer.print_string(" " + kind.value)
    printer.print_string(" ")
    arguments = list(self.args)
    if self.callee is not None:
        printer.print_attribute(self.callee)
    else:
        printer.print_ssa_value(arguments[0])
    direct = arguments if self.callee is not None else arguments[1:]
    printer.print_string("(")
    printer.print_list(direct, printer.print_ssa_value)
    printer.print_string(")")
    if self.var_callee_type is not None:
        printer.print_string(" vararg(")
        printer.print_attribute(self.var_callee_type)
        printer.print_string(")")
    shown = {
        name: value
        for name, value in self.properties.items()
        if name not in _CALL_TEXT and value != FastMathAttr("none")
    }
    if shown or self.attributes:
        printer.print_op_attributes({**shown, **self.attributes})
    printer.print_string(" : ")
    if self.callee is None:
        printer.print_attribute(arguments[0].type)
        printer.print_string(", ")
    printer.print_function_type([v.type for v in direct], self.result_types)


repair(
    CallOp,
    properties={name: opt_prop_def() for name in _CALL_PROPERTIES},
    parse=classmethod(_parse_call),
    print=_print_call,
)
repair(CallIntrinsicOp, properties={n: opt_prop_def() for n in ("arg_attrs", "res_attrs")})

# --- branches --------------------------------------------------------------------------

repair(
    CondBrOp,
    syntax="$cond (`weights` `(` $branch_weights^ `)`)? `,`"
    " $then_block (`(` $then_arguments^ `:` type($then_arguments) `)`)? `,`"
    " $else_block (`(` $else_arguments^ `:` type($else_arguments) `)`)? attr-dict",
    properties={
        "branch_weights": opt_prop_def(DenseArrayBase.constr(i32)),
        "loop_annotation": opt_prop_def(),
    },
)
