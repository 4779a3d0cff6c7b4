"""External functions and assembly: what the tables say of them."""

import pytest

from xtriton.analysis.effects.contracts import (
    PURE,
    assembly_may_load,
    assembly_may_store,
    contract_of,
)


@pytest.mark.parametrize(
    "symbol",
    [
        "__nv_tanhf",
        "__nv_pow",
        "__ocml_exp_f32",
        "__imf_sinf",
        "nvshmem_my_pe",
        "_Z15__spirv_ocl_expf",
    ],
)
def test_pure_functions(symbol: str):
    assert contract_of(symbol) is PURE


@pytest.mark.parametrize(
    "symbol, reads, writes, atomics",
    [
        ("nvshmem_putmem", (1,), (0,), ()),
        ("nvshmemx_putmem_block", (1,), (0,), ()),
        ("nvshmem_float_put_nbi", (1,), (0,), ()),
        ("nvshmemx_getmem_nbi_warp", (1,), (0,), ()),
        ("nvshmem_putmem_signal_nbi", (1,), (0,), (3,)),
        ("nvshmem_int_p", (), (0,), ()),
        ("nvshmem_int_g", (0,), (), ()),
        ("nvshmem_signal_wait_until", (0,), (), ()),
        ("nvshmemx_signal_op", (), (), (0,)),
        ("nvshmem_int_atomic_add", (), (), (0,)),
        ("nvshmem_quiet", (), (), ()),
        ("nvshmem_barrier_all", (), (), ()),
        ("__nv_modff", (), (1, 2), ()),
    ],
)
def test_functions_on_memory(
    symbol: str, reads: tuple[int, ...], writes: tuple[int, ...], atomics: tuple[int, ...]
):
    contract = contract_of(symbol)
    assert contract is not None
    assert (contract.reads, contract.writes, contract.atomics) == (reads, writes, atomics)
    assert (contract.effect == "network") == symbol.startswith("nvshmem")


def test_result_points_into_an_operand():
    contract = contract_of("nvshmem_ptr")
    assert contract is not None
    assert contract.result == 0


@pytest.mark.parametrize("symbol", ["frobnicate", "", "my__nv_tanhf", "nvshmem"])
def test_unknown_functions(symbol: str):
    assert contract_of(symbol) is None


@pytest.mark.parametrize(
    "text, stores, loads",
    [
        ("sqrt.approx.f32 $0, $1;", False, False),
        ("mov.u32 $0, %clock;", False, False),
        ("griddepcontrol.wait;", False, False),
        ("ld.global.f32 $0, [$1];", False, True),
        ("ld.acquire.gpu.b32 $0, [$1];", False, True),
        ("st.global.release.f32 [$1], $2;", True, True),
        ("@p st.b32 [$1], 1;", True, True),
        ("red.add.f32 [$1], $2;", True, True),
        ("atom.cas.b32 $0, [$1], $2, $3;", True, True),
        ("cp.async.bulk.tensor.2d.global.shared::cta [$0], [$1];", True, True),
        ("multimem.red.add.f32 [$1], $2;", True, True),
        ("global_load_dword $0, $1, off", False, True),
        ("global_store_dword $1, $2, off", True, True),
        ("buffer_atomic_add_f32 $0, $1, $2", True, True),
        ("lsc_store.ugm (1) [$0] $1", True, True),
        ("call (_), foo, ($1);", True, True),
        ("add.f32 $0, $1, $2; cvt.rn.f16.f32 $0, $1;", False, False),
        ("lop3.b32 $0, $1, $2, $3, 0xb8; prmt.b32 $0, $1, $2, 0x5410;", False, False),
    ],
)
def test_assembly(text: str, stores: bool, loads: bool):
    assert (assembly_may_store(text), assembly_may_load(text)) == (stores, loads)
