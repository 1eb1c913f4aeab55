"""COLLATE with languages, which ICU orders: the library is loaded at run time, where the system has it."""

import ctypes.util
import subprocess
import sys

import pytest
import scaup


@pytest.fixture
def connection():
    connection = scaup.connect()
    if ctypes.util.find_library("icui18n") is None and ctypes.util.find_library("icucore") is None:
        pytest.skip("this system has no ICU (libicui18n)")
    connection.execute("CREATE TABLE t (i INTEGER, s VARCHAR)")
    connection.execute(
        "INSERT INTO t VALUES (1, 'zebra'), (2, 'Äpfel'), (3, 'apfel'), (4, 'Zoo'), (5, 'öl'), (6, NULL), (7, 'Apfel')"
    )
    return connection


def column(connection, query):
    return [row[0] for row in connection.execute(query).fetchall()]


def test_order(connection):
    german = ["apfel", "Apfel", "Äpfel", "öl", "zebra", "Zoo", None]
    for name in ['"de"', "de", '"de-DE-x-icu"', '"de_DE"', '"de_DE.utf8"', 'pg_catalog."de-x-icu"', "DE"]:
        assert column(connection, f"SELECT s FROM t ORDER BY s COLLATE {name}") == german
    swedish = ["apfel", "Apfel", "zebra", "Zoo", "Äpfel", "öl", None]
    assert column(connection, 'SELECT s FROM t ORDER BY s COLLATE "sv-x-icu"') == swedish
    assert column(connection, 'SELECT s FROM t ORDER BY s COLLATE "und-x-icu" DESC NULLS LAST')[-1] is None


def test_comparisons(connection):
    assert column(connection, "SELECT i FROM t WHERE s COLLATE de < 'Äpfem' ORDER BY i") == [2, 3, 7]
    assert column(connection, "SELECT i FROM t WHERE s COLLATE de = 'apfel'") == [3]
    assert column(connection, "SELECT i FROM t WHERE s COLLATE de BETWEEN 'O' AND 'P'") == [5]
    assert column(connection, "SELECT min(s COLLATE de) FROM t") == ["apfel"]
    assert column(connection, "SELECT max(s COLLATE de) FROM t") == ["Zoo"]
    assert column(connection, "SELECT max(s COLLATE sv) FROM t") == ["öl"]
    assert column(connection, "SELECT count(DISTINCT s COLLATE de) FROM t") == [6]


def test_equality_is_that_of_bytes(connection):
    rows = connection.execute("SELECT s COLLATE de AS n, count(*) FROM t GROUP BY n ORDER BY n").fetchall()
    assert rows[:3] == [("apfel", 1), ("Apfel", 1), ("Äpfel", 1)]
    distinct = column(connection, "SELECT DISTINCT s COLLATE de AS n FROM t ORDER BY n")
    assert distinct == ["apfel", "Apfel", "Äpfel", "öl", "zebra", "Zoo", None]
    # Composed and decomposed letters sort alike, and then by their bytes.
    assert connection.execute("SELECT U&'\\00e4' COLLATE de = U&'a\\0308'").fetchone() == (False,)


def test_chains(connection):
    assert connection.execute("SELECT 'a' COLLATE de.nocase = 'A', 'Ä' COLLATE de.nocase < 'B'").fetchone() == (
        True,
        True,
    )
    assert column(connection, "SELECT count(DISTINCT s COLLATE de.nocase.noaccent) FROM t") == [4]
    groups = connection.execute("SELECT count(*) FROM t GROUP BY s COLLATE de.nocase.noaccent ORDER BY 1").fetchall()
    assert groups == [(1,), (1,), (1,), (1,), (3,)]


def test_windows_and_limits(connection):
    rows = connection.execute("SELECT i, rank() OVER (ORDER BY s COLLATE de) FROM t ORDER BY 2 LIMIT 3").fetchall()
    assert rows == [(3, 1), (7, 2), (2, 3)]
    assert column(connection, "SELECT i FROM t ORDER BY s COLLATE de LIMIT 2") == [3, 7]


def test_many_rows(connection):
    connection.execute("CREATE TABLE many AS SELECT chr(97 + x % 26) || CASE WHEN x % 2 = 0 THEN 'Ä' ELSE 'b' END AS s FROM range(20000) r(x)")
    texts = column(connection, "SELECT s FROM many ORDER BY s COLLATE de")
    assert len(texts) == 20000
    assert [text[0] for text in texts] == sorted(text[0] for text in texts)


def test_names(connection):
    for name in ['"qq"', '"xx-x-icu"', "de.sv"]:
        with pytest.raises(scaup.Error, match="does not exist"):
            connection.execute(f"SELECT 'a' COLLATE {name}")
    names = column(connection, "SELECT collname FROM pg_collation WHERE collprovider = 'i'")
    assert "de-x-icu" in names and "und-x-icu" in names and "en-US-x-icu" in names
    assert connection.execute("SELECT collation for ('a' COLLATE \"de-x-icu\")").fetchone() == ('"de-x-icu"',)
    assert len(column(connection, "PRAGMA collations")) == len(set(column(connection, "PRAGMA collations")))
