"""The generated pages say what the code says."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "generate_docs.py"


def test_generated_pages_are_up_to_date():
    spec = spec_from_file_location("generate_docs", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    stale = [
        path.name
        for path, text in module.pages().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run `make docs`"
