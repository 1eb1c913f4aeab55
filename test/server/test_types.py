"""Every type, as text and as binary, in both directions."""

import datetime
import decimal
import uuid

import psycopg
import pytest
from psycopg.types.multirange import Multirange
from psycopg.types.range import Range

D = decimal.Decimal
UTC = datetime.timezone.utc

# SQL, the value that a client gets, the text of the protocol, the number of the type.
VALUES = [
    ("true", True, "t", 16),
    ("false", False, "f", 16),
    ("5::tinyint", 5, "5", 21),
    ("(-32768)::smallint", -32768, "-32768", 21),
    ("2147483647", 2147483647, "2147483647", 23),
    ("255::utinyint", 255, "255", 21),
    ("65535::usmallint", 65535, "65535", 23),
    ("4294967295::uinteger", 2**32 - 1, "4294967295", 20),
    ("18446744073709551615::ubigint", D(2**64 - 1), "18446744073709551615", 1700),
    ("ARRAY[0, 4294967295]::uinteger[]", [0, 2**32 - 1], "{0,4294967295}", 1016),
    ("(-9223372036854775808)::bigint", -(2**63), "-9223372036854775808", 20),
    ("170141183460469231731687303715884105727::hugeint", D(2**127 - 1), "170141183460469231731687303715884105727", 1700),
    ("1.5::real", 1.5, "1.5", 700),
    ("1e20::float8", 1e20, "1e+20", 701),
    ("0.1::float8", 0.1, "0.1", 701),
    ("'-Infinity'::float8", float("-inf"), "-Infinity", 701),
    ("0.00::numeric(5, 2)", D("0.00"), "0.00", 1700),
    ("1234567.891::numeric(20, 3)", D("1234567.891"), "1234567.891", 1700),
    ("(-0.00001)::numeric(10, 5)", D("-0.00001"), "-0.00001", 1700),
    ("10000::numeric(10, 0)", D("10000"), "10000", 1700),
    ("'99999999999999999999999999999999999999'::numeric(38, 0)", D("9" * 38), "9" * 38, 1700),
    ("'0.99999999999999999999999999999999999999'::numeric(38, 38)", D("0." + "9" * 38), "0." + "9" * 38, 1700),
    ("'0.9999999999999999999999999999999999999'::numeric(38, 37)", D("0." + "9" * 37), "0." + "9" * 37, 1700),
    ("1.50::numeric", D("1.5"), "1.5", 1700),
    ("-0.00000000049::numeric", D("-0.00000000049"), "-0.00000000049", 1700),
    ("10000::numeric ^ 20", D(10**80), str(10**80), 1700),
    ("0::numeric", D(0), "0", 1700),
    ("'123456789012345678901234567890.000012345678901234567890123'::numeric", D("123456789012345678901234567890.000012345678901234567890123"),
     "123456789012345678901234567890.000012345678901234567890123", 1700),
    ("'-Infinity'::numeric", D("-Infinity"), "-Infinity", 1700),
    ("ARRAY[1.5, 20000]::numeric[]", [D("1.5"), D("20000")], "{1.5,20000}", 1231),
    ("'hä?'", "hä?", "hä?", 25),
    ("'abc'::varchar(5)", "abc", "abc", 1043),
    ("'a'::char(3)", "a  ", "a  ", 1042),
    ("'\\x00ff'::bytea", b"\x00\xff", "\\x00ff", 17),
    ("''::bytea", b"", "\\x", 17),
    ("date '2024-02-29'", datetime.date(2024, 2, 29), "2024-02-29", 1082),
    ("date '1970-01-01'", datetime.date(1970, 1, 1), "1970-01-01", 1082),
    ("time '23:59:59.5'", datetime.time(23, 59, 59, 500000), "23:59:59.5", 1083),
    ("timetz '12:00:00.5+02'", datetime.time(12, 0, 0, 500000, tzinfo=datetime.timezone(datetime.timedelta(hours=2))), "12:00:00.5+02", 1266),
    ("ARRAY[timetz '12:00-04:30']", [datetime.time(12, tzinfo=datetime.timezone(-datetime.timedelta(hours=4.5)))], "{12:00:00-04:30}", 1270),
    ("timestamp '1999-12-31 23:59:59.999999'", datetime.datetime(1999, 12, 31, 23, 59, 59, 999999), "1999-12-31 23:59:59.999999", 1114),
    ("timestamptz '2024-01-01 00:00:00+02'", datetime.datetime(2023, 12, 31, 22, tzinfo=UTC), "2023-12-31 22:00:00+00", 1184),
    ("interval '3 days 04:05:06.7'", datetime.timedelta(days=3, hours=4, minutes=5, seconds=6.7), "3 days 04:05:06.7", 1186),
    ("uuid 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", uuid.UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", 2950),
    ("""'{"a":[1, 2]}'::json""", {"a": [1, 2]}, '{"a":[1, 2]}', 114),
    ("""'{"a":[1, 2]}'::jsonb""", {"a": [1, 2]}, '{"a": [1, 2]}', 3802),
    ("ARRAY[1, NULL, 3]", [1, None, 3], "{1,NULL,3}", 1007),
    ("ARRAY[true, false]", [True, False], "{t,f}", 1000),
    ("ARRAY['a b', 'c\"d', '', NULL]", ["a b", 'c"d', "", None], '{"a b","c\\"d","",NULL}', 1009),
    ("ARRAY[1.25, 2.50]", [D("1.25"), D("2.50")], "{1.25,2.50}", 1231),
    ("ARRAY[ARRAY[1, 2], ARRAY[3, 4]]", [[1, 2], [3, 4]], "{{1,2},{3,4}}", 1007),
    ("ARRAY[date '2024-01-01']", [datetime.date(2024, 1, 1)], "{2024-01-01}", 1182),
    ("int4range(1, 10)", Range(1, 10), "[1,10)", 3904),
    ("int8range(NULL, 10)", Range(None, 10, "()"), "(,10)", 3926),
    ("numrange(1.5, 2.25, '(]')", Range(D("1.5"), D("2.25"), "(]"), "(1.5,2.25]", 3906),
    ("daterange('2024-02-29', NULL)", Range(datetime.date(2024, 2, 29), None), "[2024-02-29,)", 3912),
    ("'empty'::tsrange", Range(empty=True), "empty", 3908),
    ("tsrange('2024-02-29', '2024-03-01')", Range(datetime.datetime(2024, 2, 29), datetime.datetime(2024, 3, 1)),
     '["2024-02-29 00:00:00","2024-03-01 00:00:00")', 3908),
    ("tstzrange('2024-02-29 00:00+00', NULL)", Range(datetime.datetime(2024, 2, 29, tzinfo=UTC), None), '["2024-02-29 00:00:00+00",)', 3910),
    ("'{[1,3),[5,9)}'::int4multirange", Multirange([Range(1, 3), Range(5, 9)]), "{[1,3),[5,9)}", 4451),
    ("'{}'::datemultirange", Multirange(), "{}", 4535),
    ("ARRAY[int4range(1, 2), NULL]", [Range(1, 2), None], '{"[1,2)",NULL}', 3905),
    ("NULL", None, None, 25),
    ("NULL::int", None, None, 23),
]


@pytest.mark.parametrize("sql, value, text, oid", VALUES, ids=[row[0] for row in VALUES])
def test_results(connection, sql, value, text, oid):
    for binary in (False, True):
        cursor = connection.cursor(binary=binary)
        got = cursor.execute(f"SELECT {sql}").fetchone()[0]
        assert got == value and type(got) is type(value)
        assert cursor.description[0].type_code == oid
    raw = connection.pgconn.exec_(f"SELECT {sql}".encode()).get_value(0, 0)
    assert raw == (None if text is None else text.encode())


def test_structs_are_records(connection):
    for binary in (False, True):
        cursor = connection.cursor(binary=binary)
        cursor.execute("SELECT {'a': 1, 'b': 'x y', 'c': NULL::int}")
        assert cursor.description[0].type_code == 2249
        row = cursor.fetchone()[0]
        assert tuple(str(field) if field is not None else None for field in row) in [("1", "x y", None), ("1", "x y", "")]


def test_ragged_lists_are_text_only(connection):
    sql = "SELECT ARRAY[ARRAY[1, 2], ARRAY[3]]"
    assert connection.pgconn.exec_(sql.encode()).get_value(0, 0) == b"{{1,2},{3}}"
    with pytest.raises(psycopg.Error) as caught:
        connection.cursor(binary=True).execute(sql)
    assert caught.value.sqlstate == "2202E"


def test_modifiers(connection):
    cursor = connection.execute("SELECT 1::numeric(10, 2) AS a, 'x'::varchar(7) AS b, timestamp(3) '2024-01-01' AS c")
    assert [(column.precision, column.scale, column.display_size) for column in cursor.description[:2]] == [(10, 2, None), (None, None, 7)]


def test_enums_are_text(connection):
    connection.execute("CREATE TYPE mood AS ENUM ('sad', 'happy')")
    for binary in (False, True):
        assert connection.cursor(binary=binary).execute("SELECT 'happy'::mood").fetchone() == ("happy",)
    connection.execute("DROP TYPE mood")


PARAMETERS = [
    (True, "boolean"),
    (-5, "smallint"),
    (70000, "integer"),
    (2**40, "bigint"),
    (2**100, "hugeint"),
    (1.25, "float8"),
    (D("123.456"), "numeric(12, 3)"),
    (D("-0.05"), "numeric(12, 2)"),
    (D("-0.00049"), "numeric"),
    (D("1234567890123456789012345678901234567890.5"), "numeric"),
    (D(10**80), "numeric"),
    (D("Infinity"), "numeric"),
    ([D("1.5"), D(10**50)], "numeric[]"),
    ("hä 'x'", "text"),
    (b"\x00\xff\x10", "bytea"),
    (datetime.date(1999, 12, 31), "date"),
    (datetime.time(1, 2, 3, 4), "time"),
    (datetime.time(1, 2, 3, 4, tzinfo=datetime.timezone(-datetime.timedelta(hours=5))), "timetz"),
    (datetime.datetime(1969, 12, 31, 23, 59, 59, 1), "timestamp"),
    (datetime.datetime(2024, 1, 1, tzinfo=UTC), "timestamptz"),
    (datetime.timedelta(days=-3, seconds=5), "interval"),
    (uuid.UUID(int=2**127 + 5), "uuid"),
    ([1, None, 3], "integer[]"),
    (["a", "b c", None], "text[]"),
    ([D("1.5"), D("2.25")], "numeric(10, 2)[]"),
    ([[1, 2], [3, 4]], "integer[][]"),
    ([], "integer[]"),
    (Range(1, 10), "int4range"),
    (Range(D("1.5"), None, "()"), "numrange"),
    (Range(datetime.date(2024, 2, 29), datetime.date(2024, 3, 1)), "daterange"),
    (Range(empty=True), "int4range"),
    (Multirange([Range(1, 3), Range(5, 9)]), "int4multirange"),
    ([Range(1, 3)], "int4range[]"),
    (None, "integer"),
]


@pytest.mark.parametrize("value, type_name", PARAMETERS, ids=[f"{value!r} {name}" for value, name in PARAMETERS])
@pytest.mark.parametrize("placeholder", ["%t", "%b"])
def test_parameters(connection, placeholder, value, type_name):
    with connection.transaction():
        assert connection.execute(f"SELECT {placeholder}::{type_name}", [value]).fetchone()[0] == value
    assert connection.execute(f"SELECT {placeholder}::{type_name}", [value]).fetchone()[0] == value


def test_numerics_keep_their_scale(connection):
    for placeholder in ("%t", "%b"):
        assert connection.execute(f"SELECT {placeholder} + 1, {placeholder}", [D("1.12345"), D("2.50")]).fetchone() == (D("2.12345"), D("2.50"))


def test_json_parameters(connection):
    from psycopg.types.json import Json, Jsonb

    for placeholder in ("%t", "%b"):
        row = connection.execute(f"SELECT {placeholder}::json, {placeholder}::jsonb", [Json({"a": 1}), Jsonb({"b": [2]})]).fetchone()
        assert row == ({"a": 1}, {"b": [2]})


def test_types_of_parameters_are_inferred(connection):
    connection.execute("CREATE TABLE inferred (a INTEGER, b DATE)")
    connection.pgconn.prepare(b"inf", b"INSERT INTO inferred VALUES ($1, $2)")
    described = connection.pgconn.describe_prepared(b"inf")
    assert [described.param_type(i) for i in range(described.nparams)] == [23, 1082]
    connection.execute("DROP TABLE inferred")


@pytest.mark.parametrize(
    "sql, oid, modifier, text, binary",
    [
        ("B'0101'", 1560, -1, b"0101", b"\0\0\0\4\x50"),
        ("B''", 1560, -1, b"", b"\0\0\0\0"),
        ("'111111111'::bit(9)", 1560, 9, b"111111111", b"\0\0\0\x09\xff\x80"),
        ("'101'::bit varying(5)", 1562, 5, b"101", b"\0\0\0\3\xa0"),
        ("X'0123456789abcdef01'::varbit", 1562, -1, None, b"\0\0\0\x48\x01\x23\x45\x67\x89\xab\xcd\xef\x01"),
    ],
)
def test_bit_strings(connection, sql, oid, modifier, text, binary):
    for form, expected in ((0, text), (1, binary)):
        result = connection.pgconn.exec_params(f"SELECT {sql}".encode(), [], result_format=form)
        assert (result.ftype(0), result.fmod(0)) == (oid, modifier)
        assert expected is None or result.get_value(0, 0) == expected
    for number in (1560, 1562):
        result = connection.pgconn.exec_params(f"SELECT $1 = {sql}, typeof($1)".encode(), [binary], param_types=[number], param_formats=[1])
        assert (result.get_value(0, 0), result.get_value(0, 1)) == (b"t", b"BIT")


def test_malformed_binary_values(connection):
    for oid, size in ((1560, 3), (1562, 4), (1562, 5), (1266, 8), (1266, 12), (23, 3), (20, 4), (1700, 7), (2950, 15), (1007, 11), (1186, 8), (3802, 0)):
        result = connection.pgconn.exec_params(b"SELECT $1", [b"\x01" * size], param_types=[oid], param_formats=[1])
        assert result.error_field(psycopg.pq.DiagnosticField.SQLSTATE) == b"22P03", oid


def test_vectors(server):
    """Lists of the catalogs that PostgreSQL has as int2vector and oidvector."""
    with server.connect() as connection:
        connection.execute("CREATE TABLE vectors (a INTEGER, b INTEGER, PRIMARY KEY (b, a))")
        connection.execute("CREATE FUNCTION of_vectors(i INTEGER, t TEXT) RETURNS INTEGER LANGUAGE SQL AS 'SELECT i'")
        sql = "SELECT indkey, proargtypes FROM pg_index, pg_proc WHERE indrelid = 'vectors'::regclass AND proname = 'of_vectors'"
        result = connection.pgconn.exec_(sql.encode())
        assert [result.ftype(i) for i in range(2)] == [22, 30]
        assert [result.get_value(0, i) for i in range(2)] == [b"2 1", b"23 25"]
        result = connection.pgconn.exec_params(sql.encode(), [], result_format=1)
        head = (1).to_bytes(4, "big") + bytes(4)  # One dimension, no NULL.
        size = (2).to_bytes(4, "big") + bytes(4)  # Two elements, from 0.
        two, four = (2).to_bytes(4, "big"), (4).to_bytes(4, "big")
        assert result.get_value(0, 0) == head + (21).to_bytes(4, "big") + size + two + b"\0\2" + two + b"\0\1"
        assert result.get_value(0, 1) == head + (26).to_bytes(4, "big") + size + four + (23).to_bytes(4, "big") + four + (25).to_bytes(4, "big")
