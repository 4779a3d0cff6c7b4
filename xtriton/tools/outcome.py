"""How a tool ends: with an exit code, and with a sentence where the user can mend something."""

from __future__ import annotations

import sys
from collections.abc import Callable

from xtriton.errors import UserError


def exit_code(run: Callable[[], int]) -> int:
    """Return what `run` does; 1 after a `UserError`, which is told on standard error."""
    try:
        return run()
    except UserError as error:
        print(error.render(), file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader of our output has gone, as after `| head`; that is no error.
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130
