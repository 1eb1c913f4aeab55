"""Tables of SQLite files and PostgreSQL servers: types, filters, bad values."""

import datetime
import decimal
import pathlib
import sqlite3
import subprocess
import sys
import uuid

import pytest

import scaup

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))

from local_postgresql import psql_of, running  # noqa: E402  pylint: disable=wrong-import-position


@pytest.fixture(name="music")
def make_music(tmp_path):
    path = tmp_path / "music.db"
    con = sqlite3.connect(path)
    con.execute("CREATE TABLE tracks (id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE, seconds REAL, cover BLOB, is_live BOOLEAN, made DATE, played TIMESTAMP, price DECIMAL(5,2), extra)")
    rows = [(1, "One", 61.5, b"\x00\xff", 1, "2024-02-29", "2024-02-29 12:00:00.5", 1.25, 7), (2, "zwei 🦆", None, None, 0, None, None, 2, "text"), (3, "", -1, b"", None, "1999-12-31", "1999-12-31", None, None)]
    con.executemany("INSERT INTO tracks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    con.execute("CREATE TABLE many (i INTEGER, t TEXT)")
    con.executemany("INSERT INTO many VALUES (?, ?)", ((i, f"text {i % 100}") for i in range(50_000)))
    con.execute("CREATE VIEW quiet AS SELECT id, title FROM tracks WHERE NOT is_live")
    con.execute("CREATE TABLE keyed (k TEXT PRIMARY KEY, v INT) WITHOUT ROWID")
    con.execute("INSERT INTO keyed VALUES ('a', 1)")
    con.execute("CREATE TABLE bad (i INTEGER, d DATE)")
    con.execute("INSERT INTO bad VALUES (1, '2024-01-01'), ('two', 5)")
    con.commit()
    con.close()
    return str(path)


def test_sqlite_types(con, music):
    described = con.execute(f"DESCRIBE SELECT * FROM sqlite_scan('{music}', 'tracks')").fetchall()
    assert [row[1] for row in described] == ["BIGINT", "VARCHAR", "DOUBLE", "BLOB", "BOOLEAN", "DATE", "TIMESTAMP", "DOUBLE", "VARCHAR"]
    assert con.execute(f"SELECT * FROM sqlite_scan('{music}', 'tracks') ORDER BY id").fetchall() == [
        (1, "One", 61.5, b"\x00\xff", True, datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 12, 0, 0, 500000), 1.25, "7"),
        (2, "zwei 🦆", None, None, False, None, None, 2.0, "text"),
        (3, "", -1.0, b"", None, datetime.date(1999, 12, 31), datetime.datetime(1999, 12, 31), None, None),
    ]
    assert con.execute(f"SELECT name FROM sqlite_scan('{music}', 'sqlite_master') WHERE type = 'table' ORDER BY name").fetchall() == [("bad",), ("keyed",), ("many",), ("tracks",)]
    assert con.execute(f"SELECT title FROM sqlite_scan('{music}', 'quiet')").fetchall() == [("zwei 🦆",)]
    assert con.execute(f"SELECT v FROM sqlite_scan('{music}', 'keyed')").fetchall() == [(1,)]


def test_sqlite_filters_mean_the_same(con, music):
    def count(condition):
        return con.execute(f"SELECT count(*) FROM sqlite_scan('{music}', 'tracks') WHERE {condition}").fetchone()[0]

    assert [count(text) for text in ("title = 'one'", "title = 'One'", "title > 'ONE'", "title <> 'one'")] == [0, 1, 2, 3]  # not as NOCASE says
    assert [count(text) for text in ("id >= 2", "id IN (1, 3, 5)", "seconds < 0", "seconds IS NULL", "cover IS NOT NULL", "extra = '7'", "made = DATE '2024-02-29'", "seconds > 'nan'::float8")] == [2, 2, 1, 1, 2, 1, 1, 0]
    many = f"sqlite_scan('{music}', 'many')"
    assert con.execute(f"SELECT count(*), sum(i) FROM {many}").fetchone() == (50_000, 1_249_975_000)
    assert con.execute(f"SELECT count(*) FROM {many} WHERE t = 'text 7' AND i >= 25000").fetchone() == (250,)
    assert con.execute(f"SELECT count(*) FROM {many} AS a JOIN (VALUES (7), (49999)) AS b (i) USING (i)").fetchone() == (2,)
    assert con.execute(f"SELECT i FROM {many} LIMIT 1").fetchall() == [(0,)]


def test_sqlite_faults(con, music, tmp_path):
    with pytest.raises(scaup.Error, match="row 2 has 'two' in column \"i\", which is not BIGINT; all_varchar"):
        con.execute(f"SELECT i FROM sqlite_scan('{music}', 'bad')").fetchall()
    with pytest.raises(scaup.Error, match="row 2 has '5' in column \"d\", which is not DATE"):
        con.execute(f"SELECT d FROM sqlite_scan('{music}', 'bad')").fetchall()
    assert con.execute(f"SELECT i, d FROM sqlite_scan('{music}', 'bad', all_varchar => true)").fetchall() == [("1", "2024-01-01"), ("two", "5")]
    with pytest.raises(scaup.Error, match="no such table"):
        con.execute(f"SELECT * FROM sqlite_scan('{music}', 'nothing')")
    (tmp_path / "text.db").write_text("this is no database, but long enough to look like one" * 20)
    with pytest.raises(scaup.Error, match="not a database"):
        con.execute(f"SELECT * FROM sqlite_scan('{tmp_path / 'text.db'}', 'x')")
    with pytest.raises(scaup.Error, match="unable to open"):
        con.execute("SELECT * FROM sqlite_scan('/nowhere/x.db', 'x')")
    with pytest.raises(scaup.Error, match="must not be NULL"):
        con.execute(f"SELECT * FROM sqlite_scan('{music}', NULL)")


def test_sqlite_tables_into_ours(con, music):
    con.execute(f"CREATE TABLE tracks AS SELECT * FROM sqlite_scan('{music}', 'tracks')")
    assert con.execute("SELECT count(*) FROM tracks").fetchone() == (3,)


@pytest.fixture(name="server", scope="module")
def make_server():
    with running("listen_addresses=", "fsync=off") as home:
        if home is None:
            pytest.skip("PostgreSQL is not installed")
        yield home


def psql(home, sql):
    subprocess.run([*psql_of(home), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql], check=True)


def source(home):
    return f"'host={home} user=fuzz dbname=postgres'"


TYPES = {
    "b": ("boolean", "true", True), "i2": ("smallint", "-3", -3), "i4": ("integer", "2147483647", 2147483647), "i8": ("bigint", "-9223372036854775808", -9223372036854775808),
    "f4": ("real", "1.5", 1.5), "f8": ("double precision", "0.1", 0.1), "n": ("numeric(12,3)", "-1234567.125", decimal.Decimal("-1234567.125")), "n0": ("numeric", "2.5", 2.5),
    "t": ("text", r"E'tab\tline\nback\\slash'", "tab\tline\nback\\slash"), "v": ("varchar(5)", "'äöü🦆'", "äöü🦆"), "c": ("char(5)", "'ab'", "ab"), "y": ("bytea", r"'\x00ff5c'", b"\x00\xff\\"),
    "d": ("date", "'2024-02-29'", datetime.date(2024, 2, 29)), "tm": ("time", "'23:59:59.5'", datetime.time(23, 59, 59, 500000)),
    "ts": ("timestamp", "'1900-01-01 00:00:00.000001'", datetime.datetime(1900, 1, 1, 0, 0, 0, 1)),
    "tz": ("timetz", "'12:00+02'", datetime.time(12, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))), "b3": ("bit(3)", "'101'", "101"), "bv": ("bit varying", "'0101'", "0101"),
    "u": ("uuid", "'00112233-4455-6677-8899-aabbccddeeff'", uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")),
    "l": ("integer[]", "'{1,NULL,3}'", [1, None, 3]), "tl": ("text[]", """'{"a,b",NULL,"q\\"x"}'""", ["a,b", None, 'q"x']), "ip": ("inet", "'10.0.0.1'", "10.0.0.1/32"),  # as its cast to text
}


def test_postgres_types(con, server):
    psql(server, f"CREATE TABLE kinds ({', '.join(f'{name} {kind}' for name, (kind, *_) in TYPES.items())})")
    psql(server, f"INSERT INTO kinds VALUES ({', '.join(value for _, value, _ in TYPES.values())})")
    psql(server, "INSERT INTO kinds DEFAULT VALUES")
    rows = con.execute(f"SELECT * FROM postgres_scan({source(server)}, 'public', 'kinds')").fetchall()
    assert rows == [tuple(value for *_, value in TYPES.values()), (None,) * len(TYPES)]
    assert con.execute(f"SELECT typeof(n), typeof(n0), typeof(l) FROM postgres_scan({source(server)}, 'public', 'kinds') LIMIT 1").fetchone() == ("DECIMAL(12,3)", "DOUBLE", "INTEGER[]")


def test_postgres_filters_and_queries(con, server):
    psql(server, "CREATE TABLE numbers AS SELECT i, i / 10.0 AS n, 'Text ' || i % 100 AS t FROM generate_series(0, 99999) i")
    numbers = f"postgres_scan({source(server)}, 'public', 'numbers')"
    assert con.execute(f"SELECT count(*), sum(i) FROM {numbers}").fetchone() == (100_000, 4_999_950_000)
    conditions = ("i >= 99990", "n = 0.1", "t = 'Text 7'", "t > 'Text 98'", "t <> 'Text 1'", "i IS NULL", "i IN (1, 2, 3) AND t < 'Text 3'")
    assert [con.execute(f"SELECT count(*) FROM {numbers} WHERE {condition}").fetchone()[0] for condition in conditions] == [10, 1, 1000, 1000, 99_000, 0, 2]
    assert con.execute(f"SELECT i FROM {numbers} LIMIT 1").fetchone() is not None
    query = f"postgres_query({source(server)}, 'SELECT max(i) AS most, count(*) FROM numbers -- all')"
    assert con.execute(f"SELECT most + 1, count FROM {query}").fetchall() == [(100_000, 100_000)]


def test_postgres_faults(con, server):
    with pytest.raises(scaup.Error) as refused:
        con.execute("SELECT * FROM postgres_scan('host=/nowhere', 'public', 'x')")
    assert refused.value.sqlstate == "08001"
    with pytest.raises(scaup.Error, match="does not exist") as missing:
        con.execute(f"SELECT * FROM postgres_scan({source(server)}, 'public', 'nothing')")
    assert missing.value.sqlstate == "42P01"
    with pytest.raises(scaup.Error, match="division by zero") as failed:
        con.execute(f"SELECT * FROM postgres_query({source(server)}, 'SELECT 1 / (3 - i) AS x FROM generate_series(1, 5) i')").fetchall()
    assert failed.value.sqlstate == "22012"
    psql(server, "CREATE TABLE kept (i integer)")
    with pytest.raises(scaup.Error, match="read-only|data-modifying"):
        con.execute(f"SELECT * FROM postgres_query({source(server)}, 'WITH x AS (DELETE FROM kept RETURNING 1) SELECT * FROM x')").fetchall()
