"""appender(): rows are collected, and written by flush(), by close() or at the end of the block."""

import datetime

import pytest

import scaup


@pytest.fixture
def t(con):
    con.execute("CREATE TABLE t (id INT PRIMARY KEY, s VARCHAR DEFAULT 'x', n INT GENERATED ALWAYS AS (id * 2) STORED)")


def rows(con, sql="SELECT id, s, n FROM t ORDER BY id"):
    return con.execute(sql).fetchall()


def test_rows_are_written_at_the_end(con, t):
    with con.appender("t") as appender:
        appender.append_row(1, "a")
        appender.append_row((2, None))
        appender.append_rows([[3, "c"], (4, "d")])
        assert len(appender) == 4 and rows(con) == []
        appender.flush()
        assert len(appender) == 0 and len(rows(con)) == 4
        appender.append_row(5, "e")
    assert rows(con) == [(1, "a", 2), (2, None, 4), (3, "c", 6), (4, "d", 8), (5, "e", 10)]
    with pytest.raises(scaup.ProgrammingError, match="closed"):
        appender.append_row(6, "f")


def test_columns_and_defaults(con, t):
    with con.appender("t", columns=["id"]) as appender:
        appender.append_row(1)
        with pytest.raises(scaup.ProgrammingError, match="1 columns, and the row 2 values"):
            appender.append_row(1, 2)
    assert rows(con) == [(1, "x", 2)]


def test_a_list_in_a_single_column(con):
    con.execute("CREATE TABLE l (v INT[])")
    with con.appender("l") as appender:
        appender.append_row([1, 2])
    assert con.execute("SELECT v FROM l").fetchall() == [([1, 2],)]


def test_all_rows_or_none(con, t):
    appender = con.appender("t")
    appender.append_rows([(1, "a"), (1, "b")])
    with pytest.raises(scaup.IntegrityError):
        appender.flush()
    assert rows(con) == [] and len(appender) == 2
    appender.clear()
    appender.append_row("many", "c")
    with pytest.raises(scaup.DataError):
        appender.close()
    appender.clear()
    appender.append_row(7, "d")
    appender.close()
    assert rows(con) == [(7, "d", 14)]


def test_an_error_in_the_block_writes_nothing(con, t):
    with pytest.raises(KeyError):
        with con.appender("t") as appender:
            appender.append_row(1, "a")
            raise KeyError
    assert rows(con) == []


def test_rows_belong_to_the_transaction(con, t):
    con.begin()
    with con.appender("t") as appender:
        appender.append_row(1, "a")
    assert len(rows(con)) == 1
    con.rollback()
    assert rows(con) == []


def test_the_results_of_the_connection_stay(con, t):
    con.execute("SELECT 5")
    with con.appender("t") as appender:
        appender.append_row(1, "a")
    assert con.fetchall() == [(5,)]


@pytest.mark.parametrize("count", [5, 140_000])
def test_many_rows(con, count):
    con.execute("CREATE TABLE m (i BIGINT, d DATE, s VARCHAR)")
    day = datetime.date(2024, 5, 6)
    with con.appender("m") as appender:
        for i in range(count):
            appender.append_row(i, day, f"row {i}")
            assert len(appender) < 131_072
    assert rows(con, "SELECT count(*), sum(i)::BIGINT, min(d), max(s) FROM m") == [(count, count * (count - 1) // 2, day, max(f"row {i}" for i in range(count)))]


def test_upsert_update_delete(con, t):
    with con.appender("t", action="upsert", key="id") as appender:
        appender.append_rows([(1, "a"), (2, "b")])
        appender.flush()
        appender.append_rows([(2, "B"), (3, "c")])
    assert rows(con) == [(1, "a", 2), (2, "B", 4), (3, "c", 6)]
    with con.appender("t", columns=["s", "id"], action="update", key=["id"]) as appender:
        appender.append_rows([("u", 1), ("v", 9)])
    assert rows(con) == [(1, "u", 2), (2, "B", 4), (3, "c", 6)]
    with con.appender("t", action="delete", key="id") as appender:
        appender.append_rows([(1,), [3], (9,)])
    assert rows(con) == [(2, "B", 4)]
    con.execute("CREATE TABLE keys (a INT, b INT, PRIMARY KEY (a, b))")
    with con.appender("keys", action="upsert", key=["a", "b"]) as appender:
        appender.append_rows([(1, 1), (1, 1), (1, 2)])
    assert rows(con, "SELECT * FROM keys ORDER BY a, b") == [(1, 1), (1, 2)]


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"table": "nothing"}, 'table "nothing" does not exist'),
        ({"table": "t", "columns": ["zz"]}, 'column "zz"'),
        ({"table": "t", "columns": ["n"]}, "n"),
        ({"table": "t", "action": "replace"}, "action must be one of"),
        ({"table": "t", "action": "update"}, "update needs the key"),
        ({"table": "t", "key": "id"}, "an insert has no key"),
        ({"table": "t", "action": "update", "key": "id", "columns": ["s"]}, "do not go with update"),
        ({"table": "t", "action": "delete", "key": "id", "columns": ["id", "s"]}, "do not go with delete"),
        ({"table": "t", "action": "upsert", "key": "s"}, "no unique"),
    ],
)
def test_what_is_refused(con, t, arguments, message):
    with pytest.raises(scaup.Error, match=message):
        con.appender(**arguments)


def test_collections_are_refused(con):
    con.execute("CREATE COLLECTION c")
    with pytest.raises(scaup.ProgrammingError, match="append\\(\\)"):
        con.appender("c")


def test_names_are_names(con):
    con.execute('CREATE SCHEMA "s x"')
    con.execute('CREATE TABLE "s x"."T ""q" ("a b" INT)')
    with con.appender('T "q', schema="s x") as appender:
        appender.append_row(1)
    assert con.execute('SELECT * FROM "s x"."T ""q"').fetchall() == [(1,)]
