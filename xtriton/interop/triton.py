"""
TTIR from an unmodified `@triton.jit` kernel, with stock Triton and no GPU.

Triton's front end wants a target and a driver; a GPU of the NVIDIA kind by name is enough
for both, since everything up to TTIR runs on the host. Works with Triton 3.6 to 3.9.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from threading import RLock
from typing import Any, Protocol, cast

from xtriton.errors import UserError

TARGET = ("cuda", 90, 32)
"""Backend, architecture and warp size that kernels are specialised for."""

NEEDS_TRITON = "this needs Triton: pip install triton"

LAUNCH_OPTIONS = ("num_warps", "num_ctas")
"""What a launch is given besides arguments, and the IR of a Gluon kernel depends on."""

DIVISIBILITY = 16
"""What Triton looks for in addresses and integers when it specialises a kernel."""


class Kernel(Protocol):
    """A `triton.JITFunction`, or what `@autotune` and `@heuristics` wrap around one."""

    __name__: str


@dataclass(frozen=True)
class Specialization:
    """
    What Triton makes one binary of.

    `signature` gives a type, such as `*fp32` or `i32`, to each argument that exists at run
    time, by name; `constexprs` the value of the others; `divisible` names the arguments
    known to be multiples of 16.
    """

    signature: Mapping[str, str]
    constexprs: Mapping[str, object] = field(default_factory=dict[str, object])
    divisible: tuple[str, ...] = ()


def triton_module(module: str) -> Any:
    """Return a module of Triton, which has no types, such as `knobs`."""
    try:
        return import_module(f"triton.{module}")
    except ImportError as error:
        raise UserError(NEEDS_TRITON) from error


def release() -> str:
    """Return which release of Triton is installed, such as "3.6.0"."""
    try:
        version: str = import_module("triton").__version__
    except ImportError as error:
        raise UserError(NEEDS_TRITON) from error
    return version.partition("+")[0]


def _target() -> Any:
    return triton_module("backends.compiler").GPUTarget(*TARGET)


def jit_function(kernel: Kernel) -> Any:
    """Return the `JITFunction` inside decorators such as `@autotune`; raise `UserError` if none."""
    jit_class: Any = triton_module("runtime.jit").JITFunction
    function: Any = kernel
    while not isinstance(function, jit_class):
        function = getattr(function, "fn", None)
        if function is None:
            name = getattr(kernel, "__name__", type(kernel).__name__)
            raise UserError(f"'{name}' is not a @triton.jit kernel")
    return function


def ttir(
    kernel: Kernel,
    signature: Mapping[str, str],
    constexprs: Mapping[str, object] | None = None,
    *,
    divisible: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
) -> str:
    """
    Return the TTIR of `kernel` as text, locations included; of a Gluon kernel what stands for it.

    Arguments are as in `Specialization`; `options` are Triton's compile options, such as
    `num_warps`. Raises `UserError` with Triton's own words when the kernel does not compile.
    """
    return ttir_of(kernel, Specialization(signature, constexprs or {}, tuple(divisible)), options)


def ttir_of(
    kernel: Kernel,
    specialization: Specialization,
    options: Mapping[str, object] | None = None,
) -> str:
    """Return the TTIR of `kernel` for `specialization`; see `ttir`."""
    function = jit_function(kernel)
    source = source_of(function, specialization)
    # Said outright, because Triton 3.9 warns of a default that will change.
    options = {"enable_fp_fusion": True, **(options or {})}
    language = triton_module("knobs").language
    try:
        with stub_driver(), language.scope():
            if precision := options.get("default_dot_input_precision"):
                # tl.dot asks this knob before it asks the target's options.
                language.fp32_default = precision
            return str(_lower_to_ttir(source, options))
    except Exception as error:  # Triton raises anything from TypeError to its own classes
        raise UserError(
            f"Triton cannot compile '{function.__name__}': {_reason(error)}", notes=[str(error)]
        ) from error


def _reason(error: BaseException) -> str:
    """Return the sentence with which Triton ends its message; the rest shows the source."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip(" ^|-\n")]
    return lines[-1] if lines else type(error).__name__


def source_of(function: Any, specialization: Specialization) -> Any:
    names: list[str] = list(function.arg_names)
    check_signature(specialization.signature, names)
    known = {*specialization.signature, *specialization.constexprs}
    if unknown := sorted(known - set(names)):
        raise UserError(f"kernel '{function.__name__}' has no argument '{unknown[0]}'")
    if missing := [name for name in names if name not in known]:
        raise UserError(
            f"argument '{missing[0]}' of kernel '{function.__name__}' has neither type nor value"
        )
    constexprs = specialization.constexprs
    signature = {
        name: "constexpr" if name in constexprs else specialization.signature[name]
        for name in names
    }
    attributes = {
        (names.index(name),): [["tt.divisibility", DIVISIBILITY]]
        for name in specialization.divisible
        if name not in constexprs
    }
    return _source_class(function)(function, signature, dict(constexprs), attributes)


def is_gluon(function: Any) -> bool:
    """Tell whether a `JITFunction` is Gluon's, whose layouts ask for the number of warps."""
    return bool(getattr(function, "is_gluon", lambda: False)())


def _source_class(function: Any) -> Any:
    if is_gluon(function):
        return triton_module("experimental.gluon._runtime").GluonASTSource
    return triton_module("compiler").ASTSource


def launch_options(function: Any, given: Mapping[str, object]) -> dict[str, object]:
    """Return what is given for a launch and is no argument, as `num_warps`."""
    return {k: given[k] for k in LAUNCH_OPTIONS if k in given and k not in function.arg_names}


def _lower_to_ttir(source: Any, options: Mapping[str, object]) -> Any:
    ir = triton_module("_C.libtriton").ir
    target = _target()
    backend = triton_module("compiler.compiler").make_backend(target)
    parsed_options = backend.parse_options(dict(options))
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(
        target,
        parsed_options,
        backend.get_codegen_implementation(parsed_options),
        backend.get_module_map(),
        context,
    )
    stages: dict[str, Any] = {}
    backend.add_stages(stages, parsed_options, source.language)
    if "ttir" in stages:  # Gluon's kernels have layouts from the start
        module = stages["ttir"](module, {})
    # The context must live as long as the module does.
    module.context = context
    return module


class _NoUtils:
    """What unloads kernels where there is nothing that could have loaded one."""

    def unload_module(self, module: object) -> None:
        """Do nothing."""


class _StubDriver:
    """The least that Triton's front end asks of a driver."""

    def __init__(self) -> None:
        # Kernels of the driver that it stands for may be collected meanwhile, and unload.
        try:
            self.utils: Any = triton_module("runtime.driver").driver._active.utils
        except Exception:  # whatever a driver makes of the question on a machine without a device
            self.utils = _NoUtils()

    def get_current_target(self) -> Any:
        return _target()

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int) -> int:
        return 0


@contextmanager
def other_driver(make: Callable[[], Any]) -> Generator[None]:
    """Let Triton have another driver inside, and afterwards the one it had, if any."""
    driver = triton_module("runtime.driver").driver
    with _driver_lock:
        kept = driver._active
        driver.set_active(make())
        try:
            yield
        finally:
            driver._active = kept


def stub_driver() -> AbstractContextManager[None]:
    """Let Triton's front end, parts of which ask the driver for the target, find `TARGET`."""
    return other_driver(_StubDriver)


_driver_lock = RLock()


_TORCH_TYPES = {
    "bool": "i1",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "float16": "fp16",
    "bfloat16": "bf16",
    "float32": "fp32",
    "float64": "fp64",
    "float8_e4m3fn": "fp8e4nv",
    "float8_e4m3fnuz": "fp8e4b8",
    "float8_e5m2": "fp8e5",
    "float8_e5m2fnuz": "fp8e5b16",
}


def address_of(value: object) -> int | None:
    """Return the address of a NumPy or torch array's first element; None for another value."""
    array = cast(Any, value)
    if hasattr(value, "data_ptr"):
        return int(array.data_ptr())
    if hasattr(value, "__array_interface__"):
        return int(array.__array_interface__["data"][0])
    return None


def check_signature(signature: object, names: Sequence[str]) -> None:
    """Raise `UserError` unless types are given by the names of arguments."""
    if not isinstance(signature, Mapping) or not all(isinstance(n, str) for n in signature):  # pyright: ignore[reportUnknownVariableType]
        example = ", ".join(f"'{name}': ..." for name in names[:2])
        raise UserError(
            f"a signature gives types by the names of arguments, {{{example}}}, "
            f"not {signature!r:.60}"
        )


def specialize(kernel: Kernel, arguments: Mapping[str, object]) -> Specialization:
    """
    Return how Triton would specialise `kernel` for `arguments`, given by name.

    Integers equal to 1 become constants; addresses and integers that 16 divides are marked.
    Arrays may be NumPy's or torch's.
    """
    function = jit_function(kernel)
    signature: dict[str, str] = {}
    constexprs: dict[str, object] = {}
    divisible: list[str] = []
    for parameter in function.params:
        name: str = parameter.name
        if name in arguments:
            value = arguments[name]
        elif parameter.has_default:
            value = parameter.default
        else:
            raise UserError(f"argument '{name}' of kernel '{function.__name__}' is missing")
        specializes = not parameter.do_not_specialize
        if parameter.is_constexpr or value is None or (specializes and _is_one(value)):
            constexprs[name] = value
            continue
        if isinstance(value, tuple):
            signature[name] = _types_of_tuple(name, cast(Any, value))
            continue
        signature[name] = _type_of(name, value)
        number = address_of(value) if signature[name].startswith("*") else value
        if specializes and isinstance(number, int) and number % DIVISIBILITY == 0:
            divisible.append(name)
    return Specialization(signature, constexprs, tuple(divisible))


def _is_one(value: object) -> bool:
    return type(value) is int and value == 1


def _types_of_tuple(name: str, values: tuple[Any, ...]) -> Any:
    """Return the types of a tuple, for Triton a tuple of types; nothing in it is a constant."""
    return tuple(
        _types_of_tuple(f"{name}[{k}]", cast(Any, value))
        if isinstance(value, tuple)
        else _type_of(f"{name}[{k}]", value)
        for k, value in enumerate(values)
    )


def _type_of(name: str, value: object) -> str:
    match value:
        case bool():
            return "i1"
        case int():
            if -(2**31) <= value < 2**31:
                return "i32"
            return "i64" if value < 2**63 else "u64"
        case float():
            return "fp32"
        case _:
            dtype = str(getattr(value, "dtype", "")).removeprefix("torch.")
            if dtype in _TORCH_TYPES:
                return f"*{_TORCH_TYPES[dtype]}"
            raise UserError(f"argument '{name}' has a type unknown to Triton: {value!r:.60}")
