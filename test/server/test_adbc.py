"""The ADBC driver for PostgreSQL, which reads results and appends tables by binary COPY, and asks the catalogs for types."""

import datetime
import decimal
import uuid

import adbc_driver_postgresql.dbapi as adbc
import pyarrow
import pytest

NOON = datetime.datetime(2024, 1, 2, 12, 30)
COLUMNS = {
    "flag": pyarrow.array([True, None, False]),
    "small": pyarrow.array([1, None, -3], pyarrow.int16()),
    "middle": pyarrow.array([1, None, -3], pyarrow.int32()),
    "large": pyarrow.array([1, None, -3], pyarrow.int64()),
    "single": pyarrow.array([1.5, None, -3], pyarrow.float32()),
    "double": pyarrow.array([1.5, None, -3], pyarrow.float64()),
    "text": pyarrow.array(["a", None, ""]),
    "bytes": pyarrow.array([b"a\0b", None, b""]),
    "day": pyarrow.array([datetime.date(2024, 2, 29), None, datetime.date(1, 1, 1)]),
    "time": pyarrow.array([datetime.time(1, 2, 3), None, datetime.time(0)], pyarrow.time64("us")),
    "local": pyarrow.array([NOON, None, NOON], pyarrow.timestamp("us")),
    "instant": pyarrow.array([NOON, None, NOON], pyarrow.timestamp("us", "UTC")),
    "list": pyarrow.array([[1, 2], None, []], pyarrow.list_(pyarrow.int64())),
}


@pytest.fixture
def connection(server):
    with adbc.connect(server.dsn(dbname="memory")) as one:
        yield one
        one.rollback()


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_there_and_back(connection, name):
    table = pyarrow.table({name: COLUMNS[name]})
    with connection.cursor() as cursor:
        assert cursor.adbc_ingest("copies", table, mode="create") == 3
        cursor.execute("SELECT * FROM copies")
        back = cursor.fetch_arrow_table()
        assert back.schema.field(0).type == table.schema.field(0).type and back.column(0).to_pylist() == COLUMNS[name].to_pylist()


def test_types_of_results(connection):
    cursor = connection.cursor()
    cursor.execute("SELECT 1.25::numeric(10, 2), '{\"a\": 1}'::jsonb, interval '1 month 2 days 3 hours', '00000000-0000-0000-0000-000000000001'::uuid, ARRAY['a', NULL], 'x'::varchar(3), NULL::int")
    number, document, interval, identifier, texts, short, nothing = cursor.fetchone()
    assert (decimal.Decimal(number), document, identifier, texts, short, nothing) == (decimal.Decimal("1.25"), '{"a": 1}', uuid.UUID(int=1), ["a", None], "x", None)
    assert interval == pyarrow.MonthDayNano([1, 2, 3 * 3600 * 10**9])
    cursor.execute("SELECT i, i::text FROM range(100000) AS r(i)")
    assert cursor.fetch_arrow_table().num_rows == 100_000
    cursor.execute("SELECT 1 WHERE false")
    assert cursor.fetchall() == []


@pytest.mark.parametrize("modes, count", [(["create"], 2), (["create", "append"], 4), (["create", "replace"], 2), (["create_append", "create_append"], 4)])
@pytest.mark.parametrize("temporary", [False, True])
def test_modes_of_ingest(connection, modes, count, temporary):
    with connection.cursor() as cursor:
        for mode in modes:
            cursor.adbc_ingest("many", pyarrow.table({"i": [1, 2], "s": ["x", None]}), mode=mode, temporary=temporary)
        cursor.execute("SELECT count(*), sum(i)::BIGINT, count(s) FROM many")
        assert cursor.fetchone() == (count, count // 2 * 3, count // 2)


def test_parameters_and_transactions(connection):
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE p (a BIGINT, b TEXT)")
        cursor.executemany("INSERT INTO p VALUES ($1, $2)", [(1, "x"), (2, None)])
        cursor.execute("SELECT b FROM p WHERE a = $1", (2,))
        assert cursor.fetchall() == [(None,)]
        connection.rollback()
        with pytest.raises(adbc.ProgrammingError) as caught:
            cursor.execute("SELECT * FROM p")
        assert caught.value.sqlstate == "42P01"


def test_metadata(connection):
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE described (id BIGINT PRIMARY KEY, name TEXT)")
    schema = connection.adbc_get_table_schema("described")
    assert [(field.name, field.type) for field in schema] == [("id", pyarrow.int64()), ("name", pyarrow.string())]
    (catalog,) = connection.adbc_get_objects(depth="all", table_name_filter="described").read_all().to_pylist()
    assert catalog["catalog_name"] == "memory"
    (namespace,) = [each for each in catalog["catalog_db_schemas"] if each["db_schema_name"] == "main"]
    (table,) = namespace["db_schema_tables"]
    assert [(column["column_name"], column["xdbc_type_name"]) for column in table["table_columns"]] == [("id", "int8"), ("name", "text")]
    assert [(constraint["constraint_type"], constraint["constraint_column_names"]) for constraint in table["table_constraints"]] == [("PRIMARY KEY", ["id"])]
