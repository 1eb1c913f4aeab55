"""The examples of docs/python.md, docs/server.md, docs/adbc.md and others: each block runs, in their order, in one namespace for each document.

A block that begins with ```python skip is left out."""

import pathlib
import re

import pytest
import scaup
import scaup.aio

DOCS = pathlib.Path(__file__).parents[2] / "docs"


@pytest.mark.skipif(not DOCS.exists(), reason="the documents are not beside the tests")
@pytest.mark.parametrize("document, least", [("python.md", 9), ("server.md", 2), ("adbc.md", 3), ("sqlalchemy.md", 2), ("udf.md", 4), ("models.md", 4)])
def test_the_examples(tmp_path, monkeypatch, capsys, document, least):
    needed = {
        "server.md": ["psycopg"], "adbc.md": ["adbc_driver_manager", "polars"], "python.md": ["adbc_driver_manager", "fsspec"], "sqlalchemy.md": ["sqlalchemy"],
        "udf.md": ["numpy"], "models.md": ["sklearn"],
    }
    for package in needed[document]:
        pytest.importorskip(package)
    if document == "sqlalchemy.md":
        from sqlalchemy.dialects import registry

        registry.register("scaup", "scaup.sqlalchemy", "Dialect")  # An installed wheel has an entry point.
    monkeypatch.setenv("ADBC_DRIVER_PATH", "")  # which an example sets
    monkeypatch.chdir(tmp_path)
    text = (DOCS / document).read_text(encoding="utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert len(blocks) >= least
    names = {}
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block.group(1), str(DOCS / document), "exec"), names)
        shown = capsys.readouterr().out
        if shown:
            behind = text[block.end() :].lstrip("\n").split("\n\n")[0]
            assert shown.rstrip("\n") == "\n".join(part[4:] for part in behind.split("\n"))


def test_everything_public_is_described():
    for owner in (scaup.Relation, scaup.aio.Connection, scaup.aio.Cursor):
        for name in dir(owner):
            if not name.startswith("_") and callable(getattr(owner, name)):
                assert getattr(owner, name).__doc__, f"{owner.__name__}.{name}"
    for owner in (scaup.Connection, scaup.Cursor, scaup.Result):
        for name in dir(owner):
            text = getattr(owner, name).__doc__ or ""
            if not name.startswith("_"):  # behind the signature, which is there of itself
                assert text.partition("\n\n")[2] if text.startswith(f"{name}(") else text, f"{owner.__name__}.{name}"
    for name in scaup.__all__:
        value = getattr(scaup, name)
        assert not callable(value) or value.__doc__ or name in ("TimeFromTicks", "Timestamp"), name
