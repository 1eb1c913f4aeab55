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


def test_columns(connection):
    connection.execute("CREATE TABLE c (s VARCHAR COLLATE de PRIMARY KEY, i INTEGER)")
    connection.execute("INSERT INTO c SELECT s, i FROM t WHERE s IS NOT NULL")
    german = ["apfel", "Apfel", "Äpfel", "öl", "zebra", "Zoo"]
    assert column(connection, "SELECT s FROM c ORDER BY s") == german
    assert column(connection, "SELECT s FROM (SELECT s, count(*) FROM c GROUP BY s) x ORDER BY s") == german
    assert column(connection, "SELECT s FROM c GROUP BY s ORDER BY s") == german
    assert column(connection, "SELECT s FROM c WHERE s < 'Äpfem' ORDER BY s") == german[:3]
    assert connection.execute("SELECT min(s), max(s) FROM c").fetchone() == ("apfel", "Zoo")
    assert column(connection, "SELECT i FROM c WHERE s = 'Apfel'") == [7]
    assert column(connection, "SELECT s FROM c UNION SELECT 'apfel' ORDER BY 1") == german
    assert column(connection, "SELECT greatest(s, 'öl') FROM c WHERE i = 4") == ["Zoo"]
    assert column(connection, "SELECT s FROM c WHERE s > ALL (ARRAY['öl', 'Apfel']) ORDER BY s") == ["zebra", "Zoo"]
    # Its keys and indexes are those of bytes, which only tell texts apart.
    with pytest.raises(scaup.Error, match="23505|duplicate"):
        connection.execute("INSERT INTO c VALUES ('Zoo', 8)")
    connection.execute("INSERT INTO c VALUES ('ZOO', 8)")
    connection.execute("CREATE TABLE r (s VARCHAR REFERENCES c)")
    connection.execute("INSERT INTO r VALUES ('ZOO')")
    connection.execute("CREATE INDEX ON c (s, i)")
    assert column(connection, "SELECT s FROM c WHERE s > 'z' ORDER BY s LIMIT 2") == ["zebra", "Zoo"]
    listed = "SELECT collation_name FROM information_schema.columns WHERE table_name = 'c' AND column_name = 's'"
    assert column(connection, listed) == ["de"]
    named = "SELECT collname FROM pg_attribute a JOIN pg_collation c ON c.oid = a.attcollation WHERE attrelid = 'c'::regclass"
    assert column(connection, named) == ["de-x-icu"]


def test_columns_of_chains(connection):
    connection.execute("CREATE TABLE c (s VARCHAR COLLATE de.nocase PRIMARY KEY)")
    connection.execute("INSERT INTO c VALUES ('Zoo'), ('Äpfel'), ('zebra')")
    with pytest.raises(scaup.Error, match="duplicate"):
        connection.execute("INSERT INTO c VALUES ('ZEBRA')")
    assert column(connection, "SELECT s FROM c ORDER BY s") == ["Äpfel", "zebra", "Zoo"]
    assert column(connection, "SELECT s FROM c WHERE s = 'ÄPFEL'") == ["Äpfel"]
    assert column(connection, "SELECT s FROM c WHERE s < 'B'") == ["Äpfel"]


def test_columns_in_a_file(connection, tmp_path):
    path = str(tmp_path / "c.scaup")
    with scaup.connect(path) as stored:
        stored.execute("CREATE TABLE c (s VARCHAR COLLATE \"de_DE.utf8\")")
        stored.execute("INSERT INTO c VALUES ('z'), ('ä')")
    with scaup.connect(path) as stored:
        assert column(stored, "SELECT s FROM c ORDER BY s") == ["ä", "z"]
        stored.execute(f"EXPORT DATABASE '{tmp_path}/copy'")
    connection.execute(f"IMPORT DATABASE '{tmp_path}/copy'")
    assert column(connection, "SELECT s FROM c ORDER BY s") == ["ä", "z"]
