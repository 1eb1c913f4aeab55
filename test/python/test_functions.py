"""docs/sql-functions.md is what the registry says."""

import importlib.util
import pathlib

ROOT = pathlib.Path(__file__).parents[2]


def test_document_is_in_step(con):
    spec = importlib.util.spec_from_file_location("functions", ROOT / "docs" / "functions.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    written = (ROOT / "docs" / "sql-functions.md").read_text()
    assert written == module.document(con), "run docs/functions.py to write docs/sql-functions.md anew"
