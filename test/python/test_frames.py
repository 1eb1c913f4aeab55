"""df(): which types of pandas the columns get."""

import datetime as dt
import subprocess
import sys
import uuid

import numpy as np
import pytest
import scaup

pd = pytest.importorskip("pandas")

LARGE = 1577134800018164904  # no float has it
TYPED = [
    ("TINYINT", "7", "int8", "Int8", "int8[pyarrow]"),
    ("SMALLINT", "7", "int16", "Int16", "int16[pyarrow]"),
    ("INTEGER", "7", "int32", "Int32", "int32[pyarrow]"),
    ("BIGINT", str(LARGE), "int64", "Int64", "int64[pyarrow]"),
    ("HUGEINT", "7", "int64", "Int64", "decimal128(38, 0)[pyarrow]"),
    ("UTINYINT", "255", "uint8", "UInt8", "uint8[pyarrow]"),
    ("USMALLINT", "65535", "uint16", "UInt16", "uint16[pyarrow]"),
    ("UINTEGER", "4294967295", "uint32", "UInt32", "uint32[pyarrow]"),
    ("UBIGINT", str(2**64 - 1), "uint64", "UInt64", "uint64[pyarrow]"),
    ("BOOLEAN", "true", "bool", "boolean", "bool[pyarrow]"),
]


@pytest.mark.parametrize("type_name, value, plain, nullable, arrow", TYPED)
def test_integers_and_booleans(con, type_name, value, plain, nullable, arrow):
    without = con.sql(f"SELECT {value}::{type_name} AS c FROM range(3)")
    assert without.df()["c"].dtype == plain and without.df(dtype_backend="numpy_nullable")["c"].dtype == nullable
    assert str(without.df(dtype_backend="pyarrow")["c"].dtype) == arrow
    with_null = con.sql(f"SELECT CASE WHEN i <> 1 THEN {value}::{type_name} END AS c FROM range(3) AS r(i) ORDER BY i")
    for backend in (None, "numpy_nullable"):
        column = with_null.df(dtype_backend=backend)["c"]
        assert column.dtype == nullable and column.isna().tolist() == [False, True, False]
        assert column[0] == column[2] == (True if value == "true" else int(value))
    assert str(with_null.df(dtype_backend="pyarrow")["c"].dtype) == arrow
    frame = with_null.df()
    frame.loc[0, "c"] = frame.loc[1, "c"]  # may be written to
    assert frame["c"].isna().tolist() == [True, True, False] and with_null.fetchall()[0][0] is not None


def test_large_hugeints_are_objects(con):
    assert con.sql("SELECT 10000000000000000000000::HUGEINT AS c UNION ALL SELECT NULL").df()["c"].tolist() == [10**22, None]


@pytest.mark.parametrize("backend, dtypes", [(None, ["float32", "float64", "float64"]), ("numpy_nullable", ["Float32", "Float64", "Float64"])])
def test_floats(con, backend, dtypes):
    frame = con.sql("SELECT v::REAL AS r, v AS d, v::DECIMAL(5,2) AS n FROM (VALUES (0.5::DOUBLE PRECISION), (NULL)) AS t(v)").df(dtype_backend=backend)
    assert [str(dtype) for dtype in frame.dtypes] == dtypes
    assert frame.iloc[0].tolist() == [0.5] * 3 and frame.iloc[1].isna().all()
    frame = con.sql("SELECT 1.5::REAL AS r, 0.07::DECIMAL(5,2) AS n").df(dtype_backend=backend)
    assert [str(dtype) for dtype in frame.dtypes] == dtypes[:2] and frame["n"][0] == 0.07


def test_texts(con):
    relation = con.sql("SELECT CASE WHEN i <> 1 THEN 'tü' || i END AS s, '{\"a\": 1}'::JSON AS j, NULL::VARCHAR AS n FROM range(3) AS r(i) ORDER BY i")
    frame = relation.df()
    assert {frame[name].dtype for name in frame} == {pd.Series(["a"]).dtype}
    assert frame["s"].isna().tolist() == [False, True, False] and frame["s"][2] == "tü2" and frame["j"][0] == '{"a": 1}'
    assert frame["n"].isna().all()
    frame.loc[0, "s"] = "new"
    assert relation.fetchone()[0] == "tü0"
    nullable = relation.df(dtype_backend="numpy_nullable")
    assert all(nullable[name].dtype == "string" for name in nullable) and nullable["s"][1] is pd.NA
    arrow = relation.df(dtype_backend="pyarrow")
    assert {str(arrow[name].dtype) for name in arrow} == {"string[pyarrow]"} and arrow["s"].tolist() == ["tü0", pd.NA, "tü2"]
    assert con.sql("SELECT 'x' AS s WHERE false").df()["s"].dtype == pd.Series(["a"]).dtype


def test_enums_are_categories(con):
    con.execute("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')")
    relation = con.sql("SELECT v::mood AS m FROM (VALUES ('ok'), (NULL), ('sad'), ('ok')) AS t(v)")
    for backend in (None, "numpy_nullable", "pyarrow"):
        column = relation.df(dtype_backend=backend)["m"]
        assert column.dtype == pd.CategoricalDtype(["sad", "ok", "happy"], ordered=True)
        assert column[0] == "ok" and pd.isna(column[1]) and column.cat.codes.tolist() == [1, -1, 0, 1]
    assert con.sql("SELECT 'ok'::mood AS m WHERE false").df()["m"].cat.categories.tolist() == ["sad", "ok", "happy"]
    assert con.sql("SELECT 'ok'::mood AS m").df()["m"].max() == "ok"


def test_dates_and_times(con):
    sql = (
        "SELECT d, d::TIMESTAMP + INTERVAL '0.000001 second' AS t, CASE WHEN d IS NOT NULL THEN TIME '01:02:03' END AS c, "
        "d::TIMESTAMP - TIMESTAMP '2024-01-01 00:00:00' AS i FROM (VALUES (DATE '2024-02-29'), (NULL)) AS v(d)"
    )
    for backend in (None, "numpy_nullable"):
        frame = con.sql(sql).df(dtype_backend=backend)
        assert [str(dtype) for dtype in frame.dtypes] == ["datetime64[s]", "datetime64[us]", "timedelta64[us]", "timedelta64[us]"]
        assert frame["d"][0] == pd.Timestamp("2024-02-29") and frame["t"][0].microsecond == 1
        assert frame["c"][0] == pd.Timedelta("01:02:03") and frame["i"][0] == pd.Timedelta(days=59) and frame.iloc[1].isna().all()
        dates = con.sql(sql).df(date_as_object=True, dtype_backend=backend)["d"]
        assert dates.dtype == object and dates.tolist() == [dt.date(2024, 2, 29), None]
    assert str(con.sql(sql).df(dtype_backend="pyarrow")["d"].dtype) == "date32[day][pyarrow]"


def test_intervals(con):
    frame = con.sql("SELECT v::INTERVAL AS i FROM (VALUES ('1 month 1 day'), (NULL), ('-0.000001 second'), ('9000 years')) AS t(v)").df()
    assert frame["i"].dtype == "timedelta64[us]" and frame["i"].isna().tolist() == [False, True, False, False]
    assert frame["i"][0] == pd.Timedelta(days=31) and frame["i"][2] == pd.Timedelta(microseconds=-1)
    assert frame["i"].to_numpy()[3] == np.timedelta64(9000 * 360, "D").astype("m8[us]")
    with pytest.raises(scaup.DataError, match="too long"):
        con.sql("SELECT INTERVAL '300000 years' AS i").df()


def test_time_zones(con):
    sql = "SELECT v::TIMESTAMPTZ AS z FROM (VALUES ('2024-07-01 12:00+02'), (NULL)) AS t(v)"
    for zone, hour in (("UTC", 10), ("America/New_York", 6)):
        con.execute(f"SET TimeZone = '{zone}'")
        for backend in (None, "numpy_nullable"):
            column = con.sql(sql).df(dtype_backend=backend)["z"]
            assert str(column.dtype) == f"datetime64[us, {zone}]" and column.isna().tolist() == [False, True]
            assert column[0] == pd.Timestamp("2024-07-01 10:00", tz="UTC") and column[0].hour == hour
        assert str(con.sql(sql).df(dtype_backend="pyarrow")["z"].dtype) == f"timestamp[us, tz={zone}][pyarrow]"
        assert con.sql(sql + " WHERE false").df()["z"].dtype == f"datetime64[us, {zone}]"
    con.execute("SET TIME ZONE 5.5")  # Python knows no zone of this name
    assert str(con.sql(sql).df()["z"].dtype) == "datetime64[us, UTC]"


def test_other_types_are_objects(con):
    frame = con.sql("SELECT '\\x01'::BYTEA AS b, ARRAY[1, NULL] AS l, {'a': 1} AS s, gen_random_uuid() AS u, NULL AS n").df()
    assert set(frame[["b", "l", "s", "u"]].dtypes) == {np.dtype(object)} and frame["n"].isna().all()
    assert frame.iloc[0][["b", "l", "s"]].tolist() == [b"\x01", [1, None], {"a": 1}] and isinstance(frame["u"][0], uuid.UUID)
    arrow = con.sql("SELECT '\\x01'::BYTEA AS b, ARRAY[1, NULL] AS l, {'a': 1} AS s, gen_random_uuid() AS u").df(dtype_backend="pyarrow")
    assert [str(dtype) for dtype in arrow.dtypes[:2]] == ["binary[pyarrow]", "list<item: int32>[pyarrow]"] and isinstance(arrow["u"][0], uuid.UUID)


def test_every_way_and_every_name(con):
    sql = "SELECT 1 AS a, 2 AS a, DATE '2024-01-01' AS d"
    for source in (lambda: con.execute(sql), lambda: con.cursor().execute(sql), lambda: con.sql(sql), lambda: con.sql(sql).execute()._rows()):
        for name in ("df", "fetchdf", "fetch_df", "to_df"):
            frame = getattr(source(), name)(date_as_object=True, dtype_backend="numpy_nullable")
            assert list(frame) == ["a", "a_1", "d"] and frame["a"].dtype == "Int32" and frame["d"][0] == dt.date(2024, 1, 1)
            assert getattr(source(), name)(True)["d"][0] == dt.date(2024, 1, 1)
    with pytest.raises(Exception, match="dtype_backend"):
        con.sql(sql).df(dtype_backend="numpy")


def test_no_rows(con):
    frame = con.sql("SELECT 1 AS i, 'x' AS s, true AS b WHERE false").df()
    assert len(frame) == 0 and list(frame) == ["i", "s", "b"] and frame["i"].dtype == np.int32 and frame["b"].dtype == bool


def test_many_rows(con):
    frame = con.sql("SELECT i, CASE WHEN i % 3 <> 0 THEN 'n' || i END AS s, CASE WHEN i % 3 <> 0 THEN i END AS k FROM range(300000) AS r(i) ORDER BY i").df()
    assert frame["s"][299999 - 1] == "n299998" and frame["s"].isna().sum() == 100000 and frame["k"].sum() == sum(i for i in range(300000) if i % 3)


def test_frames_without_pyarrow():
    program = (
        "import sys\n"
        "sys.modules['pyarrow'] = None\n"
        "import scaup\n"
        "frame = scaup.sql(\"SELECT 'a' AS s, 1 AS i UNION ALL SELECT NULL, NULL\").df()\n"
        "print(frame['s'].tolist()[0], frame['s'].isna().tolist(), frame['i'].dtype)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout == "a [False, True] Int32\n", run.stderr
