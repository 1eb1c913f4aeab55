"""Values: from Python to SQL and back."""

import datetime as dt
import decimal
import enum
import uuid

import numpy as np
import pytest
import scaup

D = decimal.Decimal


@pytest.mark.parametrize(
    "value, sql_type",
    [
        (True, "BOOLEAN"),
        (False, "BOOLEAN"),
        (127, "TINYINT"),
        (-32768, "SMALLINT"),
        (2**31 - 1, "INTEGER"),
        (-(2**63), "BIGINT"),
        (2**63 - 1, "BIGINT"),
        (10**30, "HUGEINT"),
        (-(10**38), "HUGEINT"),
        (2**127 - 1, "HUGEINT"),
        (0.5, "REAL"),
        (1e300, "DOUBLE PRECISION"),
        (float("inf"), "DOUBLE PRECISION"),
        (D("1.50"), "DECIMAL(4,2)"),
        (D("-0.05"), "DECIMAL(9,2)"),
        (D("12345678901.123"), "DECIMAL(18,3)"),
        (D("-1234567890123456789012345678901234.5678"), "DECIMAL(38,4)"),
        (D("1.5"), "NUMERIC"),
        (D("-0.000000000000000000000000000000000000000000049"), "NUMERIC"),
        (D("1e100"), "NUMERIC"),
        (D("Infinity"), "NUMERIC"),
        ("", "VARCHAR"),
        ("Grüße 日本 🦆", "VARCHAR"),
        ("a text of more than twelve bytes", "VARCHAR"),
        (b"", "BYTEA"),
        (b"\x00\xff'", "BYTEA"),
        (dt.date(1970, 1, 1), "DATE"),
        (dt.date(1, 1, 1), "DATE"),
        (dt.date(9999, 12, 31), "DATE"),
        (dt.date(2024, 2, 29), "DATE"),
        (dt.time(23, 59, 59, 999999), "TIME"),
        (dt.datetime(1969, 12, 31, 23, 59, 59, 1), "TIMESTAMP"),
        (dt.datetime(2024, 2, 29, 12, 30, 0, 123456), "TIMESTAMP"),
        (dt.datetime(2024, 2, 29, 12, 30, 0, 123456, tzinfo=dt.timezone.utc), "TIMESTAMPTZ"),
        (uuid.UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), "UUID"),
        (uuid.UUID(int=0), "UUID"),
        (uuid.UUID(int=2**128 - 1), "UUID"),
        ('{"a":  1}', "JSON"),
        ('{"a": 1, "bb": [2.50]}', "JSONB"),
        (dt.timedelta(days=3, seconds=4, microseconds=5), "INTERVAL"),
        (dt.timedelta(days=-1, seconds=1), "INTERVAL"),
        (None, "INTEGER"),
    ],
)
def test_round_trip(one, value, sql_type):
    back = one(f"?::{sql_type}", [value])
    assert back == value
    assert type(back) is type(value)


def test_numerics_of_any_length(con, one):
    assert one("typeof(?)", [D("1." + "3" * 40)]) == "NUMERIC"
    assert one("?::NUMERIC", [D("nan")]).is_nan()
    assert one("?", [2**200]) == 2**200 and one("?", [-(2**128)]) == -(2**128)
    assert one("? + 1", [D("0." + "0" * 50 + "1")]) == D("1." + "0" * 50 + "1")
    assert one("typeof(?)", [[D("1.5"), D(10**40)]]) == "NUMERIC[]"
    assert one("?", [[D("1.5"), None, D("NaN")]])[:2] == [D("1.5"), None]
    with pytest.raises(scaup.DataError):
        one("?", [D("1e200000")])
    with pytest.raises(scaup.DataError):
        one("?", [D("sNaN")])
    frame = con.execute("SELECT i::NUMERIC / 8 AS x FROM range(3) AS r(i)")
    assert frame.description[0][1] == "NUMERIC"
    assert frame.fetchnumpy()["x"].tolist() == [D(0), D("0.125"), D("0.25")]


def test_numerics_in_arrow_are_texts(con):
    pytest.importorskip("pyarrow")
    numbers = con.execute("SELECT CASE i WHEN 1 THEN NULL ELSE 10::NUMERIC ^ (i * 5) + 0.5 END AS x, [i::NUMERIC / 2] AS l FROM range(5) AS r(i)").fetch_arrow_table()
    assert numbers.column("x").to_pylist() == ["1.5", None, "10000000000.5", "1000000000000000.5", "100000000000000000000.5"]
    assert numbers.column("l").to_pylist() == [["0"], ["0.5"], ["1"], ["1.5"], ["2"]]
    assert con.execute("SELECT sum(x::NUMERIC) FROM numbers").fetchone() == (D("100001000010000000003"),)


def test_literals_come_back_as_python_objects(con):
    row = con.execute(
        "SELECT true, 1::SMALLINT, 1.25::DECIMAL(5,2), 2::DOUBLE PRECISION, 'x', '\\x00ff'::BYTEA, DATE '2024-02-29', TIME '01:02:03.5', "
        "TIMESTAMP '2000-01-01 00:00:00', INTERVAL '1 month 2 days 3 hours', NULL"
    ).fetchone()
    assert row == (
        True, 1, D("1.25"), 2.0, "x", b"\x00\xff", dt.date(2024, 2, 29), dt.time(1, 2, 3, 500000), dt.datetime(2000, 1, 1),
        dt.timedelta(days=32, hours=3), None,
    )
    assert str(row[2]) == "1.25"


class Color(enum.IntEnum):
    RED = 3


@pytest.mark.parametrize(
    "value, expected",
    [
        (np.int8(-3), -3), (np.uint32(2**32 - 1), 2**32 - 1), (np.int64(2**40), 2**40), (np.uint64(2**64 - 1), 2**64 - 1),
        (np.float32(0.5), 0.5), (np.float64(0.25), 0.25), (np.bool_(True), True), (np.str_("x"), "x"),
        (np.datetime64("2024-02-29"), dt.date(2024, 2, 29)), (np.datetime64("2024-02-29T01:02:03"), dt.datetime(2024, 2, 29, 1, 2, 3)),
        (np.datetime64("2024-02-29T01:02:03.000001000", "ns"), dt.datetime(2024, 2, 29, 1, 2, 3, 1)),
        (np.timedelta64(90, "s"), dt.timedelta(seconds=90)), (np.datetime64("NaT"), None),
        (bytearray(b"ab"), b"ab"), (memoryview(b"ab"), b"ab"), (Color.RED, 3),
        (uuid.UUID(int=1), uuid.UUID(int=1)), (D("1E+3"), D("1000")), (D("1e-10"), D("1e-10")),
    ],
)
def test_other_types_as_parameters(one, value, expected):
    assert one("?", [value]) == expected


def test_pandas_missing_values(one):
    pandas = pytest.importorskip("pandas")
    assert one("?", [pandas.NA]) is None
    assert one("?", [pandas.NaT]) is None
    assert one("?", [pandas.Timestamp("2024-02-29 01:02:03")]) == dt.datetime(2024, 2, 29, 1, 2, 3)


def test_time_zones(con, one):
    zone = dt.timezone(dt.timedelta(hours=2))
    moment = dt.datetime(2024, 7, 1, 1, 0, tzinfo=zone)
    back = one("?", [moment])
    assert back == moment and back.utcoffset() == dt.timedelta(0)
    assert one("?::TIMESTAMP", [moment]) == dt.datetime(2024, 6, 30, 23, 0)
    con.execute("SET TimeZone = 'America/New_York'")
    back = con.execute("SELECT ?", [moment]).fetchone()[0]
    assert back == moment and back.utcoffset() == dt.timedelta(hours=-4) and str(back.tzinfo) == "America/New_York"
    assert con.execute("SELECT ?::TIMESTAMPTZ", [dt.datetime(2024, 1, 1, 12, 0)]).fetchone()[0].utcoffset() == dt.timedelta(hours=-5)
    con.execute("SET TIME ZONE 5.5")
    back = con.execute("SELECT ?", [moment]).fetchone()[0]
    assert back == moment  # in UTC: Python knows no zone of this name
    con.execute("RESET TimeZone")


def test_uuid_json_and_time_zones_in_numpy(con):
    columns = con.execute(
        "SELECT gen_random_uuid() AS u, TIMESTAMPTZ '2024-07-01 12:00+02' AS z, '[1]'::JSON AS j, '[1]'::JSONB AS b"
    ).fetchnumpy()
    assert isinstance(columns["u"][0], uuid.UUID) and columns["u"][0].version == 4
    assert columns["z"].dtype == np.dtype("datetime64[us]") and columns["z"][0] == np.datetime64("2024-07-01T10:00:00")
    assert columns["j"][0] == "[1]" and columns["b"][0] == "[1]"


def test_values_too_large(con):
    for value in (D("1e200000"), "\ud800"):
        with pytest.raises(scaup.DataError):
            con.execute("SELECT ?", [value])


def test_dates_beyond_python(con):
    with pytest.raises(scaup.DataError, match="year"):
        con.execute("SELECT DATE '20000-01-01'").fetchall()
    assert con.fetchnumpy()


def test_bool_is_not_int(one):
    assert one("?", [True]) is True
    assert one("?", [1]) == 1 and one("?", [1]) is not True


def test_many_equal_and_unequal_texts(con):
    rows = con.execute("SELECT 'k' || (i % 7) || 'ü', 'n' || i FROM range(20000) AS r(i) ORDER BY i").fetchall()
    assert rows == [(f"k{i % 7}ü", f"n{i}") for i in range(20000)]
