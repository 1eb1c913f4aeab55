"""Bit strings and times with a zone in and out: rows, NumPy, pandas, Polars, Arrow, Parquet, parameters, appenders."""

import datetime as dt

import pytest
import scaup

ZONE = dt.timezone(dt.timedelta(hours=2))
LONG = "10" * 70


@pytest.fixture
def filled(con):
    con.execute("CREATE TABLE t (i INTEGER, b BIT, f BIT(3), z TIMETZ)")
    con.execute("INSERT INTO t VALUES (1, ?, '101', ?), (2, '', '000', ?), (3, NULL, NULL, NULL)", [LONG, dt.time(12, 0, 0, 5, tzinfo=ZONE), dt.time(1, tzinfo=dt.timezone.utc)])
    return con


def test_rows(filled):
    rows = filled.execute("SELECT b, f, z FROM t ORDER BY i").fetchall()
    assert rows == [(LONG, "101", dt.time(12, 0, 0, 5, tzinfo=ZONE)), ("", "000", dt.time(1, tzinfo=dt.timezone.utc)), (None, None, None)]
    assert [row[2].utcoffset() for row in rows[:2]] == [dt.timedelta(hours=2), dt.timedelta(0)]
    assert [column[1] for column in filled.execute("SELECT b, f, z FROM t").description] == ["BIT", "BIT", "TIME WITH TIME ZONE"]
    assert filled.execute("SELECT [b, f], {'z': z} FROM t WHERE i = 1").fetchone() == ([LONG, "101"], {"z": dt.time(12, 0, 0, 5, tzinfo=ZONE)})


def test_parameters(filled):
    assert filled.execute("SELECT i FROM t WHERE b = ?", [LONG]).fetchall() == [(1,)]
    assert filled.execute("SELECT i FROM t WHERE z = ?", [dt.time(12, 0, 0, 5, tzinfo=ZONE)]).fetchall() == [(1,)]
    assert filled.execute("SELECT i FROM t WHERE z = ?", [dt.time(10, 0, 0, 5, tzinfo=dt.timezone.utc)]).fetchall() == []
    assert filled.execute("SELECT typeof(?), ?", [dt.time(1, tzinfo=ZONE), [dt.time(1, tzinfo=ZONE), None]]).fetchone() == (
        "TIME WITH TIME ZONE", [dt.time(1, tzinfo=ZONE), None],
    )
    with pytest.raises(scaup.DataError) as error:
        filled.execute("INSERT INTO t (f) VALUES (?)", ["1"])
    assert error.value.sqlstate == "22026"


def test_appender(filled):
    with filled.appender("t") as appender:
        appender.append_row([4, "0110", "110", dt.time(3, tzinfo=ZONE)])
    assert filled.execute("SELECT b, f, z FROM t WHERE i = 4").fetchone() == ("0110", "110", dt.time(3, tzinfo=ZONE))


def test_numpy(filled):
    arrays = filled.execute("SELECT b, z FROM t WHERE i < 3 ORDER BY i").fetchnumpy()
    assert arrays["b"].tolist() == [LONG, ""] and arrays["z"].tolist()[0] == dt.time(12, 0, 0, 5, tzinfo=ZONE)


def test_frames(filled):
    pytest.importorskip("pandas")
    frame = filled.execute("SELECT b, f, z FROM t ORDER BY i").df()
    assert frame["b"].tolist()[:2] == [LONG, ""] and frame["f"].tolist()[:2] == ["101", "000"]
    assert frame["z"].tolist()[:2] == [dt.time(12, 0, 0, 5, tzinfo=ZONE), dt.time(1, tzinfo=dt.timezone.utc)]
    assert frame["b"].isna().tolist() == [False, False, True]


def test_arrow(filled):
    pa = pytest.importorskip("pyarrow")
    table = filled.execute("SELECT b, z, [b] AS l FROM t ORDER BY i").fetch_arrow_table()
    assert table.schema.field("z").type == pa.time64("us")
    assert table.to_pydict() == {
        "b": [LONG, "", None], "z": [dt.time(12, 0, 0, 5), dt.time(1), None], "l": [[LONG], [""], [None]],
    }


def test_polars(filled):
    pytest.importorskip("polars")
    frame = filled.execute("SELECT b, z FROM t ORDER BY i").pl()
    assert frame["b"].to_list() == [LONG, "", None] and frame["z"].to_list() == [dt.time(12, 0, 0, 5), dt.time(1), None]


def test_parquet(filled, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "t.parquet"
    filled.execute(f"COPY (SELECT b, z FROM t ORDER BY i) TO '{path}' (FORMAT parquet)")
    assert pq.read_table(path).to_pydict() == {"b": [LONG, "", None], "z": [dt.time(10, 0, 0, 5), dt.time(1), None]}
    assert filled.execute(f"SELECT typeof(b), z FROM '{path}'").fetchall() == [
        ("VARCHAR", dt.time(10, 0, 0, 5)), ("VARCHAR", dt.time(1)), ("VARCHAR", None),
    ]


def test_functions(con):
    con.create_function("twice", lambda b: b + b, ["BIT"], "BIT")
    con.create_function("half", lambda b: b[: len(b) // 2], ["BIT"], "BIT", type="native")
    con.create_function("later", lambda t: t.replace(hour=t.hour + 1), ["TIMETZ"], "TIMETZ", type="native")
    assert con.execute("SELECT twice(B'10'), typeof(twice(B'1')), half(B'1100'), later(TIMETZ '12:00+02')").fetchone() == (
        "1010", "BIT", "11", dt.time(13, tzinfo=ZONE),
    )


def test_export(filled, tmp_path):
    for form in ("csv", "parquet"):
        filled.execute(f"EXPORT DATABASE '{tmp_path / form}' (FORMAT {form})")
        copy = scaup.connect()
        copy.execute(f"IMPORT DATABASE '{tmp_path / form}'")
        assert copy.execute("SELECT * FROM t ORDER BY i").fetchall() == filled.execute("SELECT * FROM t ORDER BY i").fetchall()
