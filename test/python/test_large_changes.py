"""UPDATE and DELETE of more rows than fit in memory: their rows are spilled, and updated rows move to new places."""

import pytest

import scaup

ROWS = 300_000
LIMIT = "32MiB"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "t.scaup"
    with scaup.connect(str(path)) as con:
        con.execute("CREATE TABLE t (i BIGINT PRIMARY KEY, k BIGINT, s TEXT NOT NULL, d DOUBLE)")
        con.execute(f"INSERT INTO t SELECT i, i % 7, 'text ' || i % 1000, CASE WHEN i % 5 <> 0 THEN i END FROM range({ROWS}) AS r(i)")
    return str(path)


def connect(path, limit=LIMIT):
    return scaup.connect(path, config={"memory_limit": limit, "threads": "2"})


def state(con):
    return con.execute("SELECT count(*), count(d), sum(i), sum(k), sum(d), sum(length(s)), sum(hash) FROM "
                       "(SELECT *, (i * 31 + k * 17 + length(s) + coalesce(d, -1)::bigint) % 1009 AS hash FROM t) AS u").fetchone()


CHANGES = [
    "UPDATE t SET k = k + 1",
    "UPDATE t SET s = s || i, d = NULL WHERE k <> 3",
    "UPDATE t SET i = 299999 - i",  # rows exchange keys
    "UPDATE t SET k = o.v FROM (SELECT i AS j, i * 2 AS v FROM range(300000) AS r(i) ORDER BY hash(i)) AS o WHERE o.j = t.i"
    .replace("hash(i)", "i % 1000, i"),
    "DELETE FROM t WHERE i % 3 = 0",
    "DELETE FROM t",
]


@pytest.mark.parametrize("change", CHANGES)
def test_as_with_much_memory(path, tmp_path, change):
    other = tmp_path / "other.scaup"
    other.write_bytes(open(path, "rb").read())
    with connect(str(other), "2GiB") as con:
        con.execute(change)
        expected = state(con)
    with connect(path) as con:
        before = state(con)
        con.execute("BEGIN")
        con.execute(change)
        assert state(con) == expected
        con.execute("ROLLBACK")
        assert state(con) == before
        con.execute(change)
        assert state(con) == expected
        assert con.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with connect(path) as con:
        assert state(con) == expected


def test_the_same_key_twice(path):
    with connect(path) as con:
        before = state(con)
        with pytest.raises(scaup.Error) as error:
            con.execute("UPDATE t SET i = i / 2")
        assert error.value.sqlstate == "23505"
        assert state(con) == before
        with pytest.raises(scaup.Error) as error:
            con.execute("UPDATE t SET s = NULLIF(s, 'text 999')")
        assert error.value.sqlstate == "23502"
        assert state(con) == before


def test_changes_of_one_transaction(path):
    with connect(path) as con:
        con.execute("BEGIN")
        con.execute(f"INSERT INTO t SELECT i, 0, 'new', 0 FROM range({ROWS}, {2 * ROWS}) AS r(i)")
        con.execute("UPDATE t SET k = k + 1")
        con.execute("SAVEPOINT a")
        con.execute("UPDATE t SET k = k + 10, i = i + 1")
        assert con.execute("SELECT count(*), sum(k - 11) FROM t").fetchone()[0] == 2 * ROWS
        con.execute("ROLLBACK TO a")
        con.execute("DELETE FROM t WHERE i < 100")
        con.execute("UPDATE t SET d = 1")
        con.execute("COMMIT")
        assert con.execute("SELECT count(*), min(i), max(i), sum(d), max(k), min(k) FROM t").fetchone() == (
            2 * ROWS - 100, 100, 2 * ROWS - 1, 2 * ROWS - 100, 7, 1)


def test_readers_and_writers_beside_it(path):
    with connect(path) as con:
        reader, writer = con.duplicate(), con.duplicate()
        before = state(con)
        reader.execute("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        assert state(reader) == before
        writer.execute("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        writer.execute("SELECT count(*) FROM t").fetchone()
        con.execute("UPDATE t SET k = k + 1")
        assert state(con) != before
        assert state(reader) == before
        with pytest.raises(scaup.Error) as error:
            writer.execute("UPDATE t SET d = 0 WHERE i = 17")
        assert error.value.sqlstate == "40001"
        reader.execute("COMMIT")
        writer.execute("ROLLBACK")


def test_foreign_keys(tmp_path):
    with connect(str(tmp_path / "f.scaup"), "16MiB") as con:
        con.execute("CREATE TABLE t (i BIGINT PRIMARY KEY, k BIGINT)")
        con.execute("INSERT INTO t SELECT i, i FROM range(100000) AS r(i)")
        con.execute("CREATE TABLE child (i BIGINT REFERENCES t (i) ON UPDATE CASCADE)")
        con.execute("INSERT INTO child VALUES (17), (18), (18)")
        con.execute("UPDATE t SET i = i + 1000000")
        assert con.execute("SELECT i FROM child ORDER BY i").fetchall() == [(1000017,), (1000018,), (1000018,)]
        con.execute("UPDATE t SET k = 0")
        con.execute("DELETE FROM t WHERE i NOT IN (1000017, 1000018)")
        with pytest.raises(scaup.Error) as error:
            con.execute("DELETE FROM t")
        assert error.value.sqlstate == "23503"
