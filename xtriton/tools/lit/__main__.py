"""`python -m xtriton.tools.lit`: the same as `xtriton-lit`."""

import sys

from xtriton.tools.xtriton_lit import main

if __name__ == "__main__":
    sys.exit(main())
