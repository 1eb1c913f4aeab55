"""Lists and structs: from SQL to Python and back."""

import datetime as dt
import decimal
import uuid

import numpy as np
import pytest
import scaup


def test_lists_and_structs_are_lists_and_dicts():
    con = scaup.connect()
    row = con.execute(
        "SELECT [1, NULL, 3], ARRAY[['a'], ['b', NULL]], {'x': 1.5, 'y': [true], 'z': NULL}, "
        "ARRAY[DATE '2020-01-02'], ARRAY[]::INTEGER[], NULL::INTEGER[], ARRAY['\\xff'::BLOB]"
    ).fetchone()
    assert row == (
        [1, None, 3],
        [["a"], ["b", None]],
        {"x": decimal.Decimal("1.5"), "y": [True], "z": None},
        [dt.date(2020, 1, 2)],
        [],
        None,
        [b"\xff"],
    )


def test_numpy_gets_object_arrays():
    con = scaup.connect()
    column = con.execute("SELECT ARRAY[i, i + 1] AS a FROM generate_series(1, 2) s(i)").fetchnumpy()["a"]
    assert column.dtype == np.dtype(object)
    assert list(column) == [[1, 2], [2, 3]]


@pytest.mark.parametrize(
    "value, text",
    [
        ([1, 2], "{1,2}"),
        ([1, 2.5, None], "{1,2.5,NULL}"),
        (["a b", ""], '{"a b",""}'),
        ([[1], [2, 3]], "{{1},{2,3}}"),
        ((True, False), "{t,f}"),
        ({"a": 1, "b": "x y"}, '(1,"x y")'),
        ([], "{}"),
    ],
)
def test_parameters(value, text):
    assert scaup.connect().execute("SELECT CAST(? AS VARCHAR)", [value]).fetchone() == (text,)


def test_parameters_go_into_columns():
    con = scaup.connect()
    con.execute("CREATE TABLE t (a BIGINT[], s STRUCT(x INTEGER, y VARCHAR[]))")
    con.execute("INSERT INTO t VALUES (?, ?)", [[1, None], {"x": 5, "y": ["p"]}])
    assert con.execute("SELECT * FROM t WHERE 1 = ANY (a)").fetchall() == [([1, None], {"x": 5, "y": ["p"]})]


def test_mixed_types_are_refused():
    with pytest.raises(scaup.Error):
        scaup.connect().execute("SELECT ?", [[1, "a"]])


def test_elements_of_other_types():
    con = scaup.connect()
    con.execute("SET TimeZone = 'Europe/Berlin'")
    con.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
    row = con.execute(
        "SELECT ARRAY['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID], ARRAY[TIMESTAMPTZ '2024-07-01 12:00+00'], "
        "ARRAY['{\"a\": 1}'::JSON], ARRAY[INTERVAL '1 day'], 'ok'::mood, ARRAY['sad', NULL]::mood[]"
    ).fetchone()
    assert row[0] == [uuid.UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")]
    assert row[1] == [dt.datetime(2024, 7, 1, 12, tzinfo=dt.timezone.utc)]
    assert row[1][0].utcoffset() == dt.timedelta(hours=2)
    assert row[2:] == (['{"a": 1}'], [dt.timedelta(days=1)], "ok", ["sad", None])


def test_enums_are_text():
    con = scaup.connect()
    con.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
    con.execute("CREATE TABLE t (m mood)")
    con.execute("INSERT INTO t VALUES (?), (?), (NULL)", ["ok", "sad"])
    assert con.execute("SELECT m FROM t ORDER BY m").fetchall() == [("sad",), ("ok",), (None,)]
    assert con.execute("SELECT count(*) FROM t WHERE m = ?", ["ok"]).fetchone() == (1,)
    column = con.execute("SELECT m FROM t WHERE m IS NOT NULL ORDER BY m").fetchnumpy()["m"]
    assert list(column) == ["sad", "ok"]
