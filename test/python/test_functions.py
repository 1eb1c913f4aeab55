"""The documents that are generated from the registry and from tests are up to date."""

import importlib
import importlib.util
import pathlib

ROOT = pathlib.Path(__file__).parents[2]


def test_document_is_in_step(con):
    spec = importlib.util.spec_from_file_location("functions", ROOT / "docs" / "functions.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    written = (ROOT / "docs" / "sql-functions.md").read_text()
    assert written == module.document(con), "run docs/functions.py to write docs/sql-functions.md anew"


def test_differences_are_in_step(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    module = importlib.import_module("differences")
    for system in module.INTRODUCTIONS:
        written = (ROOT / "docs" / f"from-{system.lower()}.md").read_text(encoding="utf-8")
        assert written == module.document(system), "run docs/differences.py to write docs/from-*.md anew"
