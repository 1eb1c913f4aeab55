"""pl(lazy=True): which columns and rows a lazy frame of Polars asks a query for, and that they are the right ones."""

import datetime

import pytest

import scaup

pl = pytest.importorskip("polars")
pytest.importorskip("pyarrow")


@pytest.fixture
def numbers(con):
    con.execute("CREATE TABLE numbers AS SELECT i, i % 7 AS k, 'text ' || i AS s FROM range(300000) AS r(i)")
    return con.table("numbers")


@pytest.fixture
def asked(monkeypatch):
    """The texts of the queries that run."""
    texts = []
    stream = scaup.Relation._stream

    def noted(self, batch_size):
        texts.append(self.sql_query())
        return stream(self, batch_size)

    monkeypatch.setattr(scaup.Relation, "_stream", noted)
    return texts


def test_all_rows(numbers):
    assert numbers.pl(lazy=True).collect().equals(numbers.pl())


def test_nothing_runs_before_it_is_collected(numbers, asked):
    lazy = numbers.pl(lazy=True).filter(pl.col("k") == 3)
    assert lazy.collect_schema() == {"i": pl.Int64, "k": pl.Int64, "s": pl.String}
    assert asked == []


def test_only_wanted_columns_are_read(numbers, asked):
    assert numbers.pl(lazy=True).filter(pl.col("k") == 3).select(pl.col("i").sum()).collect().item() == sum(range(3, 300000, 7))
    assert len(asked) == 1 and '"s"' not in asked[0] and '"i"' in asked[0] and '"k"' in asked[0]


def test_only_the_first_rows_are_read(numbers, asked):
    assert numbers.order("i").pl(lazy=True).head(3).collect()["i"].to_list() == [0, 1, 2]
    assert "LIMIT 3" in asked[0]


def test_head_before_and_behind_a_filter(numbers):
    lazy = numbers.order("i").pl(lazy=True)
    assert lazy.head(10).filter(pl.col("k") == 3).collect()["i"].to_list() == [3]
    assert lazy.filter(pl.col("k") == 3).head(3).collect()["i"].to_list() == [3, 10, 17]


def test_row_count(numbers):
    assert numbers.pl(lazy=True).select(pl.len()).collect().item() == 300000


def test_each_collect_sees_the_tables_as_they_are(con):
    con.execute("CREATE TABLE t AS SELECT 1 AS i")
    lazy = con.table("t").pl(lazy=True)
    assert lazy.collect()["i"].to_list() == [1]
    con.execute("INSERT INTO t VALUES (2)")
    assert lazy.collect()["i"].to_list() == [1, 2]


def test_rows_that_the_relation_keeps_are_not_used(con):
    con.execute("CREATE TABLE t AS SELECT 1 AS i")
    relation = con.table("t")
    assert relation.fetchall() == [(1,)]
    con.execute("INSERT INTO t VALUES (2)")
    assert relation.pl(lazy=True).collect()["i"].to_list() == [1, 2]


def test_rows_of_a_statement_that_ran_at_once(con):
    con.execute("CREATE TABLE t (i INTEGER)")
    with pytest.raises(scaup.NotSupportedError, match="ran at once"):
        con.sql("INSERT INTO t VALUES (1) RETURNING i").pl(lazy=True)


def test_no_rows(numbers):
    empty = numbers.filter("i < 0").pl(lazy=True).collect()
    assert empty.shape == (0, 3) and empty.schema == numbers.pl().schema


def test_types(con):
    relation = con.sql(
        "SELECT CAST(1.25 AS DECIMAL(5, 2)) AS d, DATE '2026-11-26' AS day, TIMESTAMP '2026-11-26 12:30:00' AS moment, true AS b, "
        "ARRAY[1, 2, NULL] AS l, NULL::INTEGER AS missing, CAST('ab' AS BLOB) AS bytes"
    )
    lazy = relation.pl(lazy=True).collect()
    assert lazy.equals(relation.pl()) and lazy.schema == relation.pl().schema
    assert lazy["day"][0] == datetime.date(2026, 11, 26) and lazy["l"].to_list() == [[1, 2, None]]


def test_parameters_and_frames_of_python(con):
    frame = {"a": [1, 2, 3]}  # noqa: F841
    assert con.sql("SELECT a FROM frame WHERE a > ?", params=[1]).pl(lazy=True).select("a").collect()["a"].to_list() == [2, 3]


def test_names_with_quotes(con):
    lazy = con.sql('SELECT 1 AS "a ""b""", 2 AS c').pl(lazy=True)
    assert lazy.select('a "b"').collect().rows() == [(1,)]


def test_an_error_of_the_query_comes_at_once(con):
    with pytest.raises(scaup.ProgrammingError, match="nothing"):
        con.sql("SELECT nothing FROM range(3) AS r(i)").pl(lazy=True)


def test_an_error_while_rows_are_computed(con):
    lazy = con.sql("SELECT 1 / (i - 500000) AS q FROM range(1000000) AS r(i)").pl(lazy=True)
    with pytest.raises(Exception, match="division by zero"):
        lazy.collect()
    assert con.sql("SELECT 1 AS i").fetchall() == [(1,)]
