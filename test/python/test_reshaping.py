"""Window functions of relations, and the steps that are written by the names, types or values of columns."""

import datetime as dt
import decimal

import pandas as pd
import pytest
import scaup

FRAME = pd.DataFrame({"g": ["a", "a", "b", "b", "b"], "k": ["p", "q", "p", "q", "q"], "x": [1, 2, 3, 3, 9]})


@pytest.fixture
def t(con):
    con.register("f", FRAME)
    con.execute("CREATE TABLE t AS SELECT * FROM f")
    return con.table("t")


ORDER = "PARTITION BY g ORDER BY x"


@pytest.mark.parametrize(
    "method, arguments, expected",
    [
        ("rank", (ORDER,), [1, 2, 1, 1, 3]),
        ("dense_rank", (ORDER,), [1, 2, 1, 1, 2]),
        ("percent_rank", (ORDER,), [0.0, 1.0, 0.0, 0.0, 1.0]),
        ("cume_dist", (ORDER,), [0.5, 1.0, 2 / 3, 2 / 3, 1.0]),
        ("ntile", ("ORDER BY x", 2), [1, 1, 1, 2, 2]),
        ("n_tile", ("over (order by x)", 5), [1, 2, 3, 4, 5]),
        ("lag", ("x", ORDER), [None, 1, None, 3, 3]),
        ("lag", ("x", "ORDER BY x", 2, "-1"), [-1, -1, 1, 2, 3]),
        ("lead", ("x", ORDER), [2, None, 3, 9, None]),
        ("lead", ("x + 1", "ORDER BY x", 1, "0"), [3, 4, 4, 10, 0]),
        ("first_value", ("x", ORDER), [1, 1, 3, 3, 3]),
        ("last_value", ("x", "PARTITION BY g"), [2, 2, 9, 9, 9]),
        ("nth_value", ("x", f"{ORDER} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING", 2), [2, 2, 3, 3, 3]),
        ("row_number", ("ORDER BY x DESC",), [5, 4, 2, 3, 1]),
    ],
)
def test_windows(t, method, arguments, expected):
    found = getattr(t, method)(*arguments, projected_columns="g, x").fetchall()
    assert {row[:2] for row in found} == set(zip(FRAME["g"], FRAME["x"]))
    key = lambda row: (row[0], row[1], repr(row[2]))  # noqa: E731
    assert sorted(found, key=key) == sorted(zip(FRAME["g"], FRAME["x"], expected), key=key)


def test_windows_alone_and_behind_steps(t):
    assert t.row_number().columns == ["row_number"]
    few = t.filter("g = 'b'").order("x DESC").limit(2).rank("ORDER BY x", "*")
    assert sorted(few.select("x", "rank").fetchall()) == [(3, 1), (9, 2)]
    assert t.rank("").sql_query() == 'SELECT rank() OVER () FROM "t" AS "t"'
    for wrong in (lambda: t.rank(1), lambda: t.ntile("", "2"), lambda: t.lag("x", "", True)):
        with pytest.raises(scaup.ProgrammingError):
            wrong()


def test_union_by_name(con):
    left = con.sql("SELECT 1 AS a, 'x' AS \"b \"\"c\" WHERE 1 = $1", params=[1])
    right = con.sql("SELECT DATE '2024-01-02' AS d, 2 AS a WHERE 2 = ?", params=[2])
    both = left.union_by_name(right)
    assert both.columns == ["a", 'b "c', "d"] and both.types == ["INTEGER", "VARCHAR", "DATE"]
    assert sorted(both.fetchall()) == [(1, "x", None), (2, None, dt.date(2024, 1, 2))]
    one = con.values((1,))
    assert len(one.union_by_name(one)) == 1 and len(one.union_all_by_name(one)) == 2
    with pytest.raises(scaup.ProgrammingError) as error:
        con.sql("SELECT 1 AS a, 2 AS a").union_by_name(one)
    assert error.value.sqlstate == "42701"
    with pytest.raises(scaup.ProgrammingError) as error:
        one.union_by_name(FRAME)
    assert error.value.sqlstate == "42804"


def test_pivot_is_that_of_pandas(t):
    made = t.pivot("k", "sum(x)", group="g")
    assert made.columns == ["g", "p", "q"]
    expected = FRAME.pivot_table(index="g", columns="k", values="x", aggfunc="sum")
    assert sorted(made.fetchall()) == [(g, *row) for g, row in zip(expected.index, expected.to_numpy().tolist())]
    assert "FILTER" in made.sql_query()
    assert t.pivot("g", "string_agg(k, ')' ORDER BY x)", ["b"]).fetchall()[0][0][:2] == "p)"
    assert t.pivot("k", "count(*)", ["q", "none"], "g").order("g").fetchall() == [("a", 1, 0), ("b", 2, 0)]


@pytest.mark.parametrize("value", [dt.date(2024, 1, 2), decimal.Decimal("1.50"), True, 2.5, 2**62, "it's \"x\"", dt.datetime(2024, 1, 2, 3, 4)])
def test_pivot_by_values_of_any_type(con, value):
    rows = con.sql("SELECT ? AS v, 7 AS x UNION ALL SELECT NULL, 8", params=[value])
    found, given = rows.pivot("v", "sum(x)"), rows.pivot("v", "sum(x)", [value, None])
    assert found.fetchall() == [(7,)] and given.fetchall() == [(7, 8)]
    assert given.columns[1] == "NULL"


def test_wrong_pivots(con, t):
    for arguments, state in [
        (("nope", "sum(x)"), "42703"), (("k", "sum(x) / count(*)"), "42601"), (("k", "x"), "42601"), (("k", "sum(x)", []), "42601"),
        (("k", "sum(x)", ["p", "p"]), "42701"), (("k", "(sum(x))"), "42601"), (("k", "sum(x"), "42601"),
    ]:
        with pytest.raises(scaup.ProgrammingError) as error:
            t.pivot(*arguments)
        assert error.value.sqlstate == state, arguments
    assert t.filter("false").pivot("k", "sum(x)", group="g").columns == ["g"]


def test_unpivot(con):
    wide = con.sql("SELECT 1 AS id, 2 AS \"it's\", NULL::DOUBLE AS b WHERE 5 = ?", params=[5])
    long = wide.unpivot(["it's", "b"])
    assert long.columns == ["id", "name", "value"] and long.fetchall() == [(1, "it's", 2.0)]
    assert wide.unpivot(["it's", "b"], "n", "v", include_nulls=True).fetchall() == [(1, "it's", 2.0), (1, "b", None)]
    assert wide.unpivot("id").fetchall() == [(2, None, "id", 1)]
    for arguments, state in [((["nope"],), "42703"), (([],), "42601"), ((["b"], "id"), "42701"), ((["b"], "x", "x"), "42701")]:
        with pytest.raises(scaup.ProgrammingError) as error:
            wide.unpivot(*arguments)
        assert error.value.sqlstate == state


def test_select_types(con):
    relation = con.sql("SELECT 1 AS a, 1.5 AS b, 'x' AS c")
    assert relation.select_types(["decimal", "VARCHAR"]).columns == ["b", "c"]
    assert relation.select_types("INTEGER").columns == ["a"]
    with pytest.raises(scaup.ProgrammingError) as error:
        relation.select_types("DATE")
    assert error.value.sqlstate == "42703"
