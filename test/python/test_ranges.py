"""Ranges in and out: scaup.Range, parameters, NumPy, pandas, Arrow, Parquet, functions."""

import datetime as dt
import decimal
import pickle

import numpy as np
import pytest
import scaup
from scaup import Range

D = decimal.Decimal
DAY = dt.date(2024, 2, 29)
MOMENT = dt.datetime(2024, 2, 29, 10, tzinfo=dt.timezone.utc)


@pytest.mark.parametrize(
    "sql, value",
    [
        ("int4range(1, 10)", Range(1, 10)),
        ("int8range(1, 10, '[]')", Range(1, 11)),
        ("int4range(NULL, 5)", Range(None, 5)),
        ("'empty'::int4range", Range(empty=True)),
        ("numrange(1.5, 2.25, '(]')", Range(D("1.5"), D("2.25"), "(]")),
        ("daterange('2024-02-29', NULL)", Range(DAY)),
        ("tsrange('2024-02-29 10:00', '2024-02-29 12:00', '[]')", Range(dt.datetime(2024, 2, 29, 10), dt.datetime(2024, 2, 29, 12), "[]")),
        ("tstzrange('2024-02-29 10:00+00', NULL)", Range(MOMENT)),
        ("NULL::int4range", None),
        ("'{[1,3),[5,9)}'::int4multirange", [Range(1, 3), Range(5, 9)]),
        ("'{}'::int4multirange", []),
        ("ARRAY[int4range(1, 2), NULL]", [Range(1, 2), None]),
        ("{'r': int4range(1, 2)}", {"r": Range(1, 2)}),
        ("MAP {int4range(1, 2): 'a'}", {Range(1, 2): "a"}),
    ],
)
def test_ranges_out(sql, value):
    con = scaup.connect()
    con.execute("SET TimeZone = 'UTC'")
    assert con.execute(f"SELECT {sql}").fetchone() == (value,)
    assert con.execute(f"SELECT {sql} AS x").fetchnumpy()["x"].tolist() == [value]


@pytest.mark.parametrize(
    "type_name, value, text",
    [
        ("INT4RANGE", Range(1, 10), "[1,10)"),
        ("INT8RANGE", Range(1, 10, "[]"), "[1,11)"),
        ("NUMRANGE", Range(D("1.5"), None, "()"), "(1.5,)"),
        ("DATERANGE", Range(DAY, DAY, "[]"), "[2024-02-29,2024-03-01)"),
        ("TSRANGE", Range(dt.datetime(2024, 2, 29, 10), None), '["2024-02-29 10:00:00",)'),
        ("TSTZRANGE", Range(None, MOMENT), '(,"2024-02-29 10:00:00+00")'),
        ("INT4RANGE", Range(empty=True), "empty"),
    ],
)
def test_ranges_in(type_name, value, text):
    con = scaup.connect()
    con.execute("SET TimeZone = 'UTC'")
    con.execute(f"CREATE TABLE t (r {type_name})")
    con.execute("INSERT INTO t VALUES (?)", [value])
    con.executemany("INSERT INTO t VALUES (?)", [[value], [None]])
    assert con.execute("SELECT r::VARCHAR FROM t").fetchall() == [(text,), (text,), (None,)]
    assert con.execute("SELECT count(*) FROM t WHERE r = ?", [value]).fetchone() == (2,)
    assert con.execute("SELECT count(*) FROM t WHERE r <@ $1", [value]).fetchone() == (2,)


def test_bad_ranges():
    con = scaup.connect()
    with pytest.raises(scaup.DataError):
        con.execute("SELECT ?::INT4RANGE", [Range(5, 1)])
    with pytest.raises(ValueError):
        Range(1, 2, "[[")
    with pytest.raises(AttributeError):
        Range(1, 2).lower = 3


def test_the_class():
    assert Range(1, 5) == Range(1, 5, "[)") != Range(1, 5, "[]") and len({Range(1, 5), Range(1, 5)}) == 1
    assert 1 in Range(1, 5) and 5 not in Range(1, 5) and 5 in Range(1, 5, "(]") and 1 not in Range(1, 5, "(]")
    assert 10**9 in Range() and 1 not in Range(empty=True)
    assert Range(None, None, "[]") == Range() and Range(3, 4, empty=True) == Range(empty=True)
    assert repr(Range(1, None)) == "Range(1, None, '[)')" and str(Range('a"b', "c,d")) == '["a\\"b","c,d")'
    assert pickle.loads(pickle.dumps(Range(1, 5))) == Range(1, 5)


def test_pandas_and_numpy():
    pytest.importorskip("pandas")
    con = scaup.connect()
    query = "SELECT CASE WHEN i <> 1 THEN int4range(i, i + 2) END AS r FROM generate_series(0, 2) s(i)"
    rows = [Range(0, 2), None, Range(2, 4)]
    column = con.execute(query).fetchnumpy()["r"]
    assert column.dtype == np.dtype(object) and column.tolist() == rows
    assert con.execute(query).df()["r"].tolist() == rows


def test_arrow_there_and_back():
    pa = pytest.importorskip("pyarrow")
    con = scaup.connect()
    con.execute("CREATE TABLE t AS SELECT r, r::int4multirange AS m FROM (VALUES (int4range(1, 5)), ('empty'), ('(,3)'), (NULL)) v(r)")
    held = con.execute("SELECT r, m, ARRAY[r] AS l FROM t").fetch_arrow_table()
    held.validate(full=True)
    assert held.schema.field("r").type == pa.struct(
        [("kind", pa.int8()), ("lower", pa.int32()), ("lower_exc", pa.bool_()), ("upper", pa.int32()), ("upper_inc", pa.bool_())]
    )
    assert held["r"].to_pylist()[0] == {"kind": 2, "lower": 1, "lower_exc": False, "upper": 5, "upper_inc": False}
    assert held["r"].to_pylist()[1:] == [
        {"kind": 0, "lower": None, "lower_exc": True, "upper": None, "upper_inc": False},
        {"kind": 1, "lower": None, "lower_exc": True, "upper": 3, "upper_inc": False},
        None,
    ]
    assert held["m"].to_pylist() == [held["r"].to_pylist()[:1], [], held["r"].to_pylist()[2:3], None]
    assert held["l"].to_pylist() == [[each] for each in held["r"].to_pylist()]
    assert con.execute("SELECT r::INT4RANGE FROM held").fetchall() == con.execute("SELECT r FROM t").fetchall()


def test_parquet_there_and_back(tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    con = scaup.connect()
    path = tmp_path / "r.parquet"
    con.execute(f"COPY (SELECT numrange(i, i + 1.5, '(]') AS r, nummultirange(numrange(i, i + 1)) AS m FROM generate_series(1, 3) s(i)) TO '{path}'")
    assert pq.read_table(path)["r"].to_pylist()[0] == {"kind": 2, "lower": "1", "lower_exc": True, "upper": "2.5", "upper_inc": True}
    assert con.execute(f"SELECT r::NUMRANGE FROM '{path}'").fetchall()[0] == (Range(D(1), D("2.5"), "(]"),)


def test_types_have_names():
    con = scaup.connect()
    result = con.execute("SELECT int4range(1, 2) AS r, '{}'::datemultirange AS m")
    assert [column[1] for column in result.description] == ["INT4RANGE", "DATEMULTIRANGE"]
