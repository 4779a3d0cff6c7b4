"""
LLVM IR text to machine code in this process, through llvmlite, with a cache of objects on disk.

The cache lies in `$XTRITON_CACHE_DIR`, or in `xtriton` under the user's cache directory. An
object is found by the hash of the text, llvmlite's version and the CPU it was made for, and
read only if it is whole and this user's own;
setting the variable to the empty string turns the cache off.
"""

import hashlib
import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from xtriton.cpu.mathlib import lookups, windows
from xtriton.cpu.module import IN_MEMORY
from xtriton.cpu.objects import sealed, unsealed
from xtriton.cpu.target import Target, host, llvm
from xtriton.kept_files import read_own, write_own

CACHE_VARIABLE = "XTRITON_CACHE_DIR"
TUNING = "loops, unrolled in 140 lines, all passes in 400, constants near, groups, few gathers"
"""What `optimize` asks of LLVM besides the level; another value finds no older objects."""
SCATTERS_SLOWLY = "+prefer-no-scatter"
"""What LLVM is told of CPUs that store a vector to places apart more slowly than one by one."""
GATHERS_SLOWLY = "+prefer-no-gather"
"""And of those that load one so more slowly, where a text says that the places are `IN_MEMORY`."""
MASKED_GROUPS = "-enable-masked-interleaved-mem-accesses"
"""
An option of LLVM's: elements some apart are stored together under a mask, which AVX-512 has.

All of the process has it. LLVM ends the process that asks for one it does not know.
"""
LATEST_WITH_GROUPS = 22
"""The last version of LLVM that is known to have the option."""
SHORT_TEXT = 140
"""Lines of a kernel that is worth LLVM's unrolling: a loop or two, all of them hot."""
MIDDLING_TEXT = 400
"""
Lines of one that is worth all of its passes.

They write loops anew for conditions that hold for all of a row, as kernels of rows have, some of
which are no vectors otherwise. Longer texts take a tenth less time without, and few run slower.
"""

NO_SYMBOLS: Mapping[str, int] = {}

_lock = threading.Lock()
_library_names = count()


@dataclass(frozen=True)
class Library:
    """Machine code that has been loaded: the addresses of its exported functions."""

    addresses: dict[str, int]
    seconds: float
    """What optimising and code generation took; 0 when the object came from the cache."""
    from_cache: bool
    tracker: object
    """Keeps the code alive."""


def load(
    text: str,
    exported: Sequence[str],
    *,
    optimization: int = 3,
    target: Target | None = None,
    symbols: Mapping[str, int] = NO_SYMBOLS,
) -> Library:
    """
    Compile LLVM IR text, unless the cache has it, and load it; `symbols` are for `link`.

    Raises `RuntimeError` if LLVM rejects the text or a symbol is missing: a bug of the
    code generator.
    """
    start = time.perf_counter()
    code, from_cache = _object(text, optimization, target or host())
    seconds = 0.0 if from_cache else time.perf_counter() - start
    return link(code, exported, seconds, from_cache, target, symbols)


def compile_object(text: str, *, optimization: int = 3, target: Target | None = None) -> bytes:
    """Return the machine code of LLVM IR text as an object file; see `load`."""
    return _object(text, optimization, target or host())[0]


def _object(text: str, optimization: int, target: Target) -> tuple[bytes, bool]:
    """Return an object, and whether it came from the cache."""
    path = _cache_path(text, optimization, target)
    code = _read(path)
    if code is not None:
        return code, True
    with _lock:
        code = _compile(text, optimization, target)
    _write(path, code)
    return code, False


@cache
def _initialized() -> Any:
    binding = llvm()
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    if host().vector_bits > 256 and binding.llvm_version_info[0] <= LATEST_WITH_GROUPS:
        binding.set_option("xtriton", MASKED_GROUPS)
    return binding


def _is_near(target: Target) -> bool:
    """
    Return whether an object's parts are loaded next to each other, so that 32 bits lead to all.

    LLVM's newer linker sees to that, or says that it could not; the older one cuts addresses off.
    """
    return target.triple.startswith("x86_64") and "linux" in target.triple


def _target_machine(target: Target, optimization: int, text: str = "") -> Any:
    binding = _initialized()
    features = _features(target, text)
    model = "small" if _is_near(target) else "jitdefault"
    return binding.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=features, opt=optimization, jit=True, reloc="pic", codemodel=model
    )


def optimize(text: str, *, optimization: int = 3, target: Target | None = None) -> Any:
    """Return the llvmlite module that `text` becomes after LLVM's passes; for looking at."""
    binding = _initialized()
    target = target or host()
    machine = _target_machine(target, optimization, text)
    context = binding.create_context()
    module = binding.parse_assembly(text, context)
    module.triple = target.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    lines = text.count("\n")
    level = optimization if lines <= MIDDLING_TEXT else min(optimization, 1)
    tuning = binding.create_pipeline_tuning_options(speed_level=level)
    tuning.loop_vectorization = optimization > 1
    # LLVM 22 takes the signed maximum of values that it zero-extends in too few bits; and
    # what is worth vectorising here is loops.
    tuning.slp_vectorization = False
    # Unrolling loops at run time's lengths makes long texts three times as long for nothing.
    tuning.loop_unrolling = lines <= SHORT_TEXT
    builder = binding.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    if library := _bodies(text):
        _inline(binding.parse_assembly(library, context), module, builder)
    return module


def _bodies(text: str) -> str:
    """Return the text of the functions that a module leaves without bodies until it has vectors."""
    return lookups.bodies(text) + windows.bodies(text)


def _inline(library: Any, module: Any, builder: Any) -> None:
    """Inline the functions of the module `library` into one that calls them."""
    library.triple, library.data_layout = module.triple, module.data_layout
    module.link_in(library)
    passes = _initialized().create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.run(module, builder)


def assembly(text: str, *, optimization: int = 3, target: Target | None = None) -> str:
    """Return the assembly of `text`; for looking at."""
    target = target or host()
    module = optimize(text, optimization=optimization, target=target)
    return _target_machine(target, optimization, text).emit_assembly(module)


def _compile(text: str, optimization: int, target: Target) -> bytes:
    module = optimize(text, optimization=optimization, target=target)
    return _target_machine(target, optimization, text).emit_object(module)


@cache
def _compiler(target: Target) -> Any:
    machine = _target_machine(target, 3)
    return _initialized().create_lljit_compiler(machine, use_jit_link=_is_near(target))


def link(
    code: bytes,
    exported: Sequence[str],
    seconds: float = 0.0,
    from_cache: bool = True,
    target: Target | None = None,
    symbols: Mapping[str, int] = NO_SYMBOLS,
) -> Library:
    """
    Load an object file, which may call what lies at the addresses of `symbols`.

    Raises `RuntimeError` if it lacks one of the functions `exported`.
    """
    binding = _initialized()
    builder = binding.JITLibraryBuilder().add_object_img(code).add_current_process()
    for name in exported:
        builder.export_symbol(name)
    for name, address in symbols.items():
        builder.import_symbol(name, address)
    with _lock:
        tracker = builder.link(_compiler(target or host()), f"xtriton_{next(_library_names)}")
    return Library({name: tracker[name] for name in exported}, seconds, from_cache, tracker)


def machine(target: Target | None = None, optimization: int = 3) -> str:
    """Return what machine code depends on besides its text: the compiler and the CPU."""
    target = target or host()
    version: str = import_module("llvmlite").__version__
    # Of the features some have to be granted by the system, which `units` tells.
    units = ",".join(sorted(target.units))
    features = _features(target)
    settings = (version, target.triple, target.cpu, features, units, str(optimization), TUNING)
    return "\0".join(settings)


def _cache_path(text: str, optimization: int, target: Target) -> Path | None:
    folder = os.environ.get(CACHE_VARIABLE)
    if folder == "":
        return None
    key = f"{text}\0{_bodies(text)}\0{machine(target, optimization)}"
    name = hashlib.sha256(key.encode()).hexdigest()[:40]
    try:
        return (Path(folder) if folder else _default_folder()) / "objects" / f"{name}.o"
    except RuntimeError:  # there is no home directory
        return None


def _features(target: Target, text: str = "") -> str:
    """Return the features of a CPU beyond those that its name tells of, and how to tune a text."""
    is_here = (target.triple, target.cpu) == (host().triple, host().cpu)
    found = [_features_here()] if is_here else []
    if target.cpu.startswith("znver"):
        found += [SCATTERS_SLOWLY, *([GATHERS_SLOWLY] if IN_MEMORY in text else [])]
    return ",".join(filter(None, found))


@cache
def _features_here() -> str:
    return str(llvm().get_host_cpu_features().flatten())


def _default_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "xtriton"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "xtriton"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "xtriton"


def _read(path: Path | None) -> bytes | None:
    return None if path is None else unsealed(read_own(path))


def _write(path: Path | None, code: bytes) -> None:
    """Put the object into the cache; a cache that cannot be written is none, not an error."""
    if path is not None:
        write_own(path, sealed(code))
