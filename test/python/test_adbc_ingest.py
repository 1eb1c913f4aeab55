"""Bulk loads through ADBC: all modes, targets and types."""

import datetime
import decimal

import pytest
import scaup
import scaup.adbc

adbc_driver_manager = pytest.importorskip("adbc_driver_manager")
pa = pytest.importorskip("pyarrow")
Status = adbc_driver_manager.AdbcStatusCode


@pytest.fixture
def con():
    with scaup.adbc.connect(autocommit=True) as connection:
        yield connection


@pytest.fixture
def cur(con):
    with con.cursor() as cursor:
        yield cursor


ROWS = pa.table({"i": pa.array([1, 2, None], pa.int32()), "s": ["a", None, "c"]})
OTHERS = pa.table({"s": ["d"], "i": pa.array([4], pa.int32())})


def rows_of(cur, table="t"):
    return cur.execute(f"SELECT i, s FROM {table} ORDER BY i").fetchall()


def fails(cur, *arguments, **options):
    with pytest.raises(adbc_driver_manager.Error) as error:
        cur.adbc_ingest(*arguments, **options)
    assert b"scaup.position" not in dict(error.value.details)  # it would be one in a text of the driver
    return error.value


def test_create(cur):
    assert cur.adbc_ingest("t", ROWS) == 3
    assert rows_of(cur) == [(1, "a"), (2, None), (None, "c")]
    error = fails(cur, "t", ROWS)
    assert (error.status_code, error.sqlstate) == (Status.ALREADY_EXISTS, "42P07")
    assert len(rows_of(cur)) == 3


def test_append(cur):
    error = fails(cur, "t", ROWS, mode="append")
    assert (error.status_code, error.sqlstate) == (Status.NOT_FOUND, "42P01")
    cur.adbc_ingest("t", ROWS)
    assert cur.adbc_ingest("t", OTHERS, mode="append") == 1  # by the names of the columns
    assert rows_of(cur)[2] == (4, "d")
    assert cur.adbc_ingest("t", OTHERS.select(["s"]), mode="append") == 1
    assert fails(cur, "t", pa.table({"z": [1]}), mode="append").status_code == Status.ALREADY_EXISTS
    assert fails(cur, "t", pa.table({"i": [[1]]}), mode="append").status_code == Status.ALREADY_EXISTS
    assert fails(cur, "t", pa.table({"i": [2**40]}), mode="append").status_code == Status.INVALID_DATA
    assert len(rows_of(cur)) == 5


def test_replace(cur):
    assert cur.adbc_ingest("t", OTHERS, mode="replace") == 1
    assert cur.adbc_ingest("t", ROWS, mode="replace") == 3
    assert len(rows_of(cur)) == 3
    # The old table stays when the new one cannot be made.
    failing = pa.RecordBatchReader.from_batches(ROWS.schema, iter_failing())
    fails(cur, "t", failing, mode="replace")
    assert len(rows_of(cur)) == 3


def iter_failing():
    yield from ROWS.to_batches()
    raise ValueError("no more rows")


def test_create_append(cur):
    assert cur.adbc_ingest("t", ROWS, mode="create_append") == 3
    assert cur.adbc_ingest("t", OTHERS, mode="create_append") == 1
    assert len(rows_of(cur)) == 4
    assert fails(cur, "t", pa.table({"z": [1]}), mode="create_append").status_code == Status.ALREADY_EXISTS


@pytest.mark.parametrize("mode", ["create", "append", "replace", "create_append"])
def test_transactions(mode):
    with scaup.connect() as base, scaup.adbc.connect(base) as con, con.cursor() as cur:
        if mode != "create":
            base.execute("CREATE TABLE t AS SELECT 0 AS i, 'x' AS s")
        cur.adbc_ingest("t", ROWS, mode=mode)
        con.rollback()
        assert base.execute("SELECT count(*) FROM information_schema.tables").fetchone() == (int(mode != "create"),)
        cur.adbc_ingest("t", ROWS, mode=mode)
        con.commit()
        assert base.execute("SELECT count(*) FROM t").fetchone() == (4 if mode.endswith("append") else 3,)


def test_a_failing_stream_leaves_nothing(cur):
    error = fails(cur, "t", pa.RecordBatchReader.from_batches(ROWS.schema, iter_failing()))
    assert "no more rows" in str(error)
    assert cur.execute("SELECT count(*) FROM information_schema.tables").fetchall() == [(0,)]


def test_targets(con, cur):
    cur.execute("CREATE SCHEMA s")
    assert cur.adbc_ingest("t", ROWS, catalog_name="memory", db_schema_name="s") == 3
    assert len(rows_of(cur, "s.t")) == 3
    for mode in ("append", "replace", "create_append"):
        cur.adbc_ingest("t", ROWS, mode=mode, db_schema_name="s")
    assert len(rows_of(cur, "s.t")) == 6
    with con.cursor() as other:
        assert fails(other, "t", ROWS, catalog_name="elsewhere").status_code == Status.NOT_FOUND
    with con.cursor() as other:
        assert fails(other, "t", ROWS, db_schema_name="elsewhere").status_code == Status.NOT_FOUND
    assert cur.execute("SELECT count(*) FROM information_schema.tables WHERE table_name = 't'").fetchall() == [(1,)]


def test_temporary_tables():
    with scaup.connect() as base, scaup.adbc.connect(base) as con, con.cursor() as cur:
        assert cur.adbc_ingest("t", ROWS, temporary=True) == 3
        assert cur.adbc_ingest("t", ROWS, temporary=True, mode="append") == 3
        assert cur.adbc_ingest("t", ROWS, temporary=True, mode="create_append") == 3
        assert len(rows_of(cur, "pg_temp.t")) == 9
        assert cur.adbc_ingest("t", ROWS, temporary=True, mode="replace") == 3
        assert cur.adbc_ingest("u", ROWS, temporary=True, mode="create_append") == 3
        con.commit()
        assert base.execute("SELECT count(*) FROM information_schema.tables").fetchone() == (0,)
        with con.cursor() as other:
            assert fails(other, "t", ROWS, temporary=True, db_schema_name="main").status_code == Status.INVALID_ARGUMENT


def test_names(cur):
    table = pa.table({'a "b"': [1], "C": [2], "select": [3], "": [4]}).select([0, 1, 2])
    assert cur.adbc_ingest('T "x"', table) == 1
    assert cur.execute('SELECT * FROM "T ""x"""').fetch_arrow_table() == table
    assert fails(cur, "u", pa.table([[1], [2]], names=["a", "a"])).sqlstate == "42701"
    assert fails(cur, "u", pa.table({})).status_code == Status.INVALID_ARGUMENT


def test_collections(cur):
    cur.execute("CREATE COLLECTION docs")
    assert cur.adbc_ingest("docs", pa.table({"a": [1, 2], "b": ["x", None]}), mode="append") == 2
    assert cur.execute("SELECT a::INTEGER, b::VARCHAR FROM docs ORDER BY 1").fetchall() == [(1, "x"), (2, None)]


def test_empty_and_large_data(cur):
    assert cur.adbc_ingest("t", ROWS.slice(0, 0)) == 0
    assert cur.execute("SELECT * FROM t").fetch_arrow_table().schema.types == ROWS.schema.types
    batches = [pa.record_batch({"i": pa.array(range(k * 1000, k * 1000 + 1000), pa.int64())}) for k in range(300)]
    assert cur.adbc_ingest("u", pa.Table.from_batches(batches)) == 300000
    assert cur.execute("SELECT count(*), sum(i) FROM u").fetchall() == [(300000, 300000 * 299999 // 2)]
    assert cur.adbc_ingest("v", batches[1]) == 1000  # one batch
    assert cur.execute("SELECT min(i) FROM v").fetchall() == [(1000,)]


DAY = datetime.date(2024, 2, 29)
MOMENT = datetime.datetime(2024, 2, 29, 12, 34, 56, 789012)
# Each type, values of it, and the type of the table's column.
TYPES = [
    (pa.bool_(), [True, None, False], "BOOLEAN"),
    (pa.int8(), [-128, None, 127], "TINYINT"),
    (pa.int16(), [-32768, None, 32767], "SMALLINT"),
    (pa.int32(), [-(2**31), None, 2**31 - 1], "INTEGER"),
    (pa.int64(), [-(2**63), None, 2**63 - 1], "BIGINT"),
    (pa.uint8(), [0, None, 255], "UTINYINT"),
    (pa.uint16(), [0, None, 65535], "USMALLINT"),
    (pa.uint32(), [0, None, 2**32 - 1], "UINTEGER"),
    (pa.uint64(), [0, None, 2**64 - 1], "UBIGINT"),
    (pa.float16(), [1.5, None, -0.5], "REAL"),
    (pa.float32(), [1.5, None, float("inf")], "REAL"),
    (pa.float64(), [1.1, None, -1e300], "DOUBLE"),
    (pa.decimal128(10, 2), [decimal.Decimal("1.25"), None, decimal.Decimal("-99999999.99")], "DECIMAL(10,2)"),
    (pa.decimal128(38, 0), [decimal.Decimal(10**37), None, decimal.Decimal(-1)], "DECIMAL(38,0)"),
    (pa.string(), ["", None, "ä🦆" * 100], "VARCHAR"),
    (pa.large_string(), ["a", None, "b"], "VARCHAR"),
    (pa.string_view(), ["a", None, "a text of more than twelve bytes"], "VARCHAR"),
    (pa.binary(), [b"", None, b"\0\xff"], "BLOB"),
    (pa.binary(3), [b"abc", None, b"def"], "BLOB"),
    (pa.date32(), [DAY, None, datetime.date(1, 1, 1)], "DATE"),
    (pa.date64(), [DAY, None, datetime.date(1970, 1, 1)], "DATE"),
    (pa.time32("ms"), [datetime.time(12, 34, 56, 789000), None, datetime.time(0)], "TIME"),
    (pa.time64("us"), [datetime.time(12, 34, 56, 789012), None, datetime.time(0)], "TIME"),
    (pa.timestamp("s"), [MOMENT.replace(microsecond=0), None, datetime.datetime(1970, 1, 1)], "TIMESTAMP"),
    (pa.timestamp("us"), [MOMENT, None, datetime.datetime(1970, 1, 1)], "TIMESTAMP"),
    (pa.timestamp("us", "UTC"), [MOMENT.replace(tzinfo=datetime.timezone.utc), None, None], "TIMESTAMP WITH TIME ZONE"),
    (pa.list_(pa.int32()), [[1, None], None, []], "INTEGER[]"),
    (pa.large_list(pa.string()), [["a"], None, []], "VARCHAR[]"),
    (pa.list_(pa.list_(pa.int64())), [[[1], []], None, [None]], "BIGINT[][]"),
    (pa.struct([("x", pa.int64()), ("y", pa.string())]), [{"x": 1, "y": None}, None, {"x": None, "y": "b"}], "STRUCT(x BIGINT, y VARCHAR)"),
    (pa.dictionary(pa.int32(), pa.string()), ["a", None, "a"], "VARCHAR"),
    (pa.json_(), ['{"a": 1}', None, "[]"], "JSON"),
    (pa.null(), [None, None, None], "VARCHAR"),
]


@pytest.mark.parametrize("arrow_type, values, sql_type", TYPES, ids=[str(entry[0]) for entry in TYPES])
def test_all_types(cur, arrow_type, values, sql_type):
    column = pa.array(values, arrow_type) if not isinstance(arrow_type, pa.BaseExtensionType) else pa.ExtensionArray.from_storage(arrow_type, pa.array(values))
    table = pa.table({"n": [1, 2, 3], "x": column})
    assert cur.adbc_ingest("t", table) == 3
    assert cur.execute("SELECT data_type FROM scaup_columns() WHERE table_name = 't' AND column_name = 'x'").fetchall() == [(sql_type,)]
    read = cur.execute("SELECT x FROM t ORDER BY n").fetch_arrow_table()["x"].to_pylist()
    assert read == values
    # As parameters, too, each row by itself.
    cur.execute(f"CREATE TABLE u (n BIGINT, x {sql_type})")
    cur.executemany("INSERT INTO u VALUES (?, ?)", table)
    assert cur.execute("SELECT x FROM u ORDER BY n").fetch_arrow_table()["x"].to_pylist() == values


def test_types_that_sql_lacks(cur):
    column = pa.array([decimal.Decimal(1)], pa.decimal256(60, 0))
    error = fails(cur, "t", pa.table({"x": column}))
    assert (error.status_code, error.sqlstate) == (Status.NOT_IMPLEMENTED, "0A000")
