"""The figures that xtriton is held to, one module a topic; `scripts/measure.py` runs them."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # kernels of our own are those of the tests
