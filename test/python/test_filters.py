"""Filters of statements reach the objects that can leave out rows early: data sets of pyarrow and lazy frames of Polars."""

import datetime as dt
import decimal
import random

import pytest

import scaup
from scaup import _inputs

pa = pytest.importorskip("pyarrow")
ds = pytest.importorskip("pyarrow.dataset")
pl = pytest.importorskip("polars")

NAN = float("nan")
COLUMNS = {
    "i": pa.array([1, 2, None, 4, -5, 2**62], pa.int64()),
    "u": pa.array([1, 2, 3, 4, None, 2**32 - 1], pa.uint32()),
    "x": pa.array([1.5, None, NAN, -0.0, 0.0, 7.25]),
    "f": pa.array([0.1, 0.2, NAN, None, 3.0, -1.0], pa.float32()),
    "s": pa.array(["a", "B", None, "é", "", "a longer text than inline"]),
    "c": pa.array(["k", "l", "k", None, "m", "k"]).dictionary_encode(),
    "b": pa.array([True, False, None, True, True, False]),
    "d": pa.array([dt.date(2026, 1, 31), None, dt.date(1969, 7, 20), dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(2000, 1, 1)]),
    "t": pa.array([None, 1, 999, 1000, 1001, 2_000_000], pa.timestamp("ns")),
    "n": pa.array([decimal.Decimal(n) if n else None for n in (1, 2, 3, None, 5, 6)], pa.decimal128(10, 2)),
}
VALUES = {
    "i": ["2", "-5", "4611686018427387904", "0"], "u": ["3", "4294967295"], "x": ["0", "-0.0", "'NaN'", "1.5", "'Infinity'"],
    "f": ["0.1", "0.2::REAL", "3", "'NaN'"], "s": ["'a'", "''", "'é'", "'B'"], "c": ["'k'", "'z'"], "b": ["true", "false"],
    "d": ["DATE '2000-01-01'", "DATE '0001-01-01'"], "t": ["TIMESTAMP '1970-01-01 00:00:00.000001'", "TIMESTAMP '1970-01-01'"],
    "n": ["3", "5.00"],
}
TESTS = ["=", "<>", "<", "<=", ">", ">="]


def forms():
    table = pa.table(COLUMNS)
    return {"table": table, "data": ds.dataset(table), "lazy": pl.from_arrow(table).lazy()}


def condition(rng):
    column = rng.choice(list(VALUES))
    if rng.random() < 0.2:
        return f"{column} IS {rng.choice(['', 'NOT '])}NULL"
    return f"{column} {rng.choice(TESTS)} {rng.choice(VALUES[column])}"


def test_answers_are_those_of_all_rows(con):
    for name, data in forms().items():
        con.register(name, data)
    con.execute('CREATE TABLE kept AS SELECT * FROM "table"')
    rng = random.Random(11)
    for _ in range(600):
        text = " AND ".join(condition(rng) for _ in range(rng.randrange(1, 4)))
        want = con.execute(f"SELECT count(*), sum(i), count(s) FROM kept WHERE {text}").fetchall()
        for name in ('"table"', "data", "lazy"):
            assert con.execute(f"SELECT count(*), sum(i), count(s) FROM {name} WHERE {text}").fetchall() == want, (name, text)


def test_every_test_of_every_column(con):
    for name, data in forms().items():
        con.register(name, data)
    con.execute('CREATE TABLE kept AS SELECT * FROM "table"')
    for column, values in VALUES.items():
        for text in [f"{column} {test} {value}" for test in TESTS for value in values] + [f"{column} IS NULL", f"{column} IS NOT NULL"]:
            want = con.execute(f"SELECT count(*) FROM kept WHERE {text}").fetchone()
            for name in ("data", "lazy"):
                assert con.execute(f"SELECT count(*) FROM {name} WHERE {text}").fetchone() == want, (name, text)


def test_filters_and_columns_reach_the_object(con, monkeypatch):
    seen = []
    read = _inputs._Filtered.__call__

    def call(self, columns, filters=()):
        seen.append((tuple(columns), list(filters)))
        return read(self, columns, filters)

    monkeypatch.setattr(_inputs._Filtered, "__call__", call)
    for name, data in forms().items():
        con.register(name, data)
    for name in ("data", "lazy"):
        seen.clear()
        rows = con.execute(f"SELECT s FROM {name} WHERE i > 1 AND x > 0 AND d = DATE '2026-01-31' AND t IS NULL AND length(s) = 1").fetchall()
        assert rows == []
        columns, filters = seen[-1]
        assert set(columns) == {"s", "i", "x", "d", "t"}
        assert sorted(filters, key=str) == [("d", "=", dt.date(2026, 1, 31)), ("i", ">", 1), ("t", "is null", None)]


def test_the_plan_says_what_is_wanted(con):
    con.register("data", ds.dataset(pa.table({"i": range(100_000)})))
    assert "wanted: i < 10" in str(con.execute("EXPLAIN SELECT count(*) FROM data WHERE i < 10 AND i % 2 = 0").fetchall())
    assert con.execute("SELECT count(*) FROM data WHERE i < 10 AND i % 2 = 0").fetchone() == (5,)


def test_a_failure_that_is_not_about_filters_is_raised(con):
    lazy = pl.LazyFrame({"i": [1, 2]}).with_columns(j=pl.col("i").cast(pl.String).str.to_date("%Y", strict=True))
    with pytest.raises(scaup.Error) as caught:
        con.register("lazy", lazy)
        con.execute("SELECT max(j) FROM lazy WHERE i > 0")
    assert "conversion" in str(caught.value)
