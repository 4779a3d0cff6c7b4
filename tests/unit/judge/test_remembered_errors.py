"""What a program remembers of runs that failed."""

import copyreg
import gc
import weakref
from types import TracebackType

import pytest

import xtriton as xt
from xtriton.errors import UserError
from xtriton.judge import shared


class _Recorded:
    """Stands for all that a run has recorded when it fails."""


def _with_frames(error: UserError) -> tuple[object, ...]:
    """Return an error in parts, as `tblib` does in a process that Dask was imported into."""

    def whole(message: str, notes: list[str], frames: TracebackType) -> UserError:
        return UserError(message, None, notes).with_traceback(frames)

    return whole, (error.message, error.notes, error.__traceback__)


@pytest.fixture(params=[False, True], ids=["plain", "with_frames"])
def copies(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let copies of errors be those of Python, or have frames."""
    monkeypatch.delitem(copyreg.dispatch_table, UserError, raising=False)
    if request.param:
        monkeypatch.setitem(copyreg.dispatch_table, UserError, _with_frames)


@pytest.mark.usefixtures("copies")
def test_a_remembered_error_does_not_hold_what_the_run_recorded():
    program = shared(xt.parse("tt.func @f() { tt.return }"))
    runs: list[weakref.ref[_Recorded]] = []

    def fail() -> None:
        recorded = _Recorded()
        runs.append(weakref.ref(recorded))
        raise UserError("does not fit", None, ["as nothing does"])

    for _ in range(2):
        with pytest.raises(UserError, match="does not fit") as error:
            program.once("key", fail)
        assert error.value.notes == ("as nothing does",)
        del error
        gc.collect()
        assert [recorded() for recorded in runs] == [None]
    assert isinstance(program.recalled("key"), UserError)
