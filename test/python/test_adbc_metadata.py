"""Metadata of a database through ADBC."""

import pytest
import scaup
import scaup.adbc

adbc_driver_manager = pytest.importorskip("adbc_driver_manager")
pa = pytest.importorskip("pyarrow")

SETUP = """
CREATE SCHEMA s;
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE p (a INTEGER, b VARCHAR, PRIMARY KEY (a, b), CONSTRAINT one_b UNIQUE (b), CHECK (a > 0));
CREATE TABLE s.c (id INTEGER GENERATED ALWAYS AS IDENTITY, x INTEGER, y VARCHAR(20) NOT NULL DEFAULT 'q', m mood, d DECIMAL(10,2),
  g INTEGER GENERATED ALWAYS AS (x + 1) STORED, t TIMESTAMP, l INTEGER[], FOREIGN KEY (y, x) REFERENCES p (b, a));
COMMENT ON COLUMN s.c.x IS 'a comment';
CREATE VIEW v AS SELECT * FROM p;
CREATE TABLE a_b (i INTEGER);
CREATE TABLE axb (i INTEGER);
CREATE COLLECTION docs;
"""


@pytest.fixture
def con():
    with scaup.adbc.connect(autocommit=True) as connection:
        with connection.cursor() as cursor:
            cursor.execute(SETUP)
        yield connection


def objects(con, depth="all", **filters):
    return con.adbc_get_objects(depth=depth, **filters).read_all().to_pylist()


def tables(con, **filters):
    found = objects(con, "tables", **filters)
    return [(schema["db_schema_name"], table["table_name"]) for catalog in found for schema in catalog["catalog_db_schemas"] for table in schema["db_schema_tables"]]


def table(con, schema, name):
    catalog, = objects(con, db_schema_filter=schema, table_name_filter=name)
    found, = catalog["catalog_db_schemas"]
    return found["db_schema_tables"][0]


def test_info(con):
    info = con.adbc_get_info()
    assert info == {
        "vendor_name": "Scaup", "vendor_version": scaup.__version__, 3: True, 4: False, "driver_name": "ADBC Scaup Driver",
        "driver_version": scaup.__version__, "driver_adbc_version": 1001000,
    }
    raw = con.adbc_connection
    some = pa.RecordBatchReader.from_stream(raw.get_info([100, 100000, 0])).read_all()
    assert some["info_name"].to_pylist() == [100, 0] and some["info_value"].to_pylist() == ["ADBC Scaup Driver", "Scaup"]
    value = some.schema.field("info_value").type
    assert [value.field(i).type for i in range(6)] == [
        pa.string(), pa.bool_(), pa.int64(), pa.int32(), pa.list_(pa.string()), pa.map_(pa.int32(), pa.list_(pa.int32()))
    ]
    assert not some.schema.field("info_name").nullable
    some.validate(full=True)


def test_table_types(con):
    assert con.adbc_get_table_types() == ["BASE TABLE", "LOCAL TEMPORARY", "VIEW"]


def test_the_depths_of_objects(con):
    assert objects(con, "catalogs") == [{"catalog_name": "memory", "catalog_db_schemas": None}]
    catalog, = objects(con, "db_schemas")
    assert [schema["db_schema_name"] for schema in catalog["catalog_db_schemas"]] == ["information_schema", "main", "pg_catalog", "s"]
    assert all(schema["db_schema_tables"] is None for schema in catalog["catalog_db_schemas"])
    catalog, = objects(con, "tables", db_schema_filter="main")
    assert catalog["catalog_db_schemas"] == [
        {
            "db_schema_name": "main",
            "db_schema_tables": [
                {"table_name": name, "table_type": kind, "table_columns": None, "table_constraints": None}
                for name, kind in [("a_b", "BASE TABLE"), ("axb", "BASE TABLE"), ("docs", "BASE TABLE"), ("p", "BASE TABLE"), ("v", "VIEW")]
            ],
        }
    ]
    read = con.adbc_get_objects(depth="all").read_all()
    read.validate(full=True)
    columns = read.schema.field("catalog_db_schemas").type.value_type.field(1).type.value_type.field("table_columns").type.value_type
    assert columns.num_fields == 19 and not columns.field("column_name").nullable and columns.field("xdbc_data_type").type == pa.int16()


def test_filters(con):
    everything = [("main", "a_b"), ("main", "axb"), ("main", "docs"), ("main", "p"), ("main", "v"), ("s", "c")]
    assert tables(con) == everything
    assert tables(con, catalog_filter="mem%") == everything
    assert tables(con, catalog_filter="elsewhere") == [] and objects(con, catalog_filter="") == []
    assert tables(con, db_schema_filter="s") == [("s", "c")]
    assert tables(con, db_schema_filter="") == []
    assert tables(con, table_name_filter="a%") == [("main", "a_b"), ("main", "axb")]
    assert tables(con, table_name_filter="a_b") == [("main", "a_b"), ("main", "axb")]
    assert tables(con, table_name_filter="nothing") == []
    assert tables(con, table_types_filter=["VIEW"]) == [("main", "v")]
    assert tables(con, table_types_filter=["VIEW", "BASE TABLE"]) == everything
    assert tables(con, table_types_filter=["nothing"]) == []
    found = objects(con, column_name_filter="_", table_name_filter="c")[0]["catalog_db_schemas"]
    names = {schema["db_schema_name"]: [column["column_name"] for table in schema["db_schema_tables"] for column in table["table_columns"]] for schema in found}
    assert names["s"] == ["x", "y", "m", "d", "g", "t", "l"]


def test_columns(con):
    columns = {column["column_name"]: column for column in table(con, "s", "c")["table_columns"]}
    assert list(columns) == ["id", "x", "y", "m", "d", "g", "t", "l"]
    assert [column["ordinal_position"] for column in columns.values()] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert columns["x"]["remarks"] == "a comment" and columns["y"]["remarks"] is None

    def has(name, **wanted):
        found = {key: columns[name]["xdbc_" + key] for key in wanted}
        assert found == wanted

    has("x", data_type=4, type_name="INTEGER", column_size=32, num_prec_radix=2, decimal_digits=0, nullable=1, is_nullable="YES", is_autoincrement=False)
    has("id", is_autoincrement=True, is_nullable="NO", is_generatedcolumn=False)
    has("y", data_type=12, type_name="VARCHAR(20)", column_size=20, nullable=0, is_nullable="NO", column_def="'q'")
    has("d", data_type=3, type_name="DECIMAL(10,2)", column_size=10, decimal_digits=2, num_prec_radix=10)
    has("g", is_generatedcolumn=True)
    has("t", data_type=93, sql_data_type=9, datetime_sub=3)
    has("m", data_type=12, type_name="mood")
    has("l", data_type=None, type_name="INTEGER[]", sql_data_type=None)


def test_constraints(con):
    found = {constraint["constraint_name"]: constraint for constraint in table(con, "main", "p")["table_constraints"]}
    assert {name: (each["constraint_type"], each["constraint_column_names"], each["constraint_column_usage"]) for name, each in found.items()} == {
        "p_pkey": ("PRIMARY KEY", ["a", "b"], None), "one_b": ("UNIQUE", ["b"], None), "p_a_check": ("CHECK", ["a"], None)
    }
    foreign, = table(con, "s", "c")["table_constraints"]
    assert (foreign["constraint_type"], foreign["constraint_column_names"]) == ("FOREIGN KEY", ["y", "x"])
    assert foreign["constraint_column_usage"] == [
        {"fk_catalog": "memory", "fk_db_schema": "main", "fk_table": "p", "fk_column_name": name} for name in ("b", "a")
    ]
    assert table(con, "main", "v")["table_constraints"] == []


def test_temporary_tables_and_open_transactions():
    with scaup.adbc.connect() as con, con.cursor() as cur:
        cur.execute("CREATE TEMPORARY TABLE t (i INTEGER)")
        cur.execute("CREATE TABLE u (i INTEGER)")
        assert tables(con) == [("main", "u"), ("pg_temp", "t")]
        assert tables(con, table_types_filter=["LOCAL TEMPORARY"]) == [("pg_temp", "t")]
        con.rollback()
        assert tables(con) == []


def test_table_schemas(con):
    assert con.adbc_get_table_schema("p") == pa.schema([("a", pa.int32()), ("b", pa.string())])
    assert con.adbc_get_table_schema("p", db_schema_filter="main").names == ["a", "b"]
    assert con.adbc_get_table_schema("c", db_schema_filter="s", catalog_filter="memory").field("d").type == pa.decimal128(10, 2)
    assert con.adbc_get_table_schema("v").names == ["a", "b"]
    for name, schema, catalog in (("nothing", None, None), ("p", "s", None), ("p", "nothing", None), ("p", "main", "nothing")):
        with pytest.raises(adbc_driver_manager.ProgrammingError) as error:
            con.adbc_get_table_schema(name, db_schema_filter=schema, catalog_filter=catalog)
        assert error.value.status_code == adbc_driver_manager.AdbcStatusCode.NOT_FOUND
        assert b"scaup.position" not in dict(error.value.details)


def statistics(con, approximate, **filters):
    read = con.adbc_get_statistics(approximate=approximate, **filters).read_all()
    read.validate(full=True)
    return {
        (schema["db_schema_name"], each["table_name"], each["column_name"], each["statistic_key"]): (each["statistic_value"], each["statistic_is_approximate"])
        for catalog in read.to_pylist() for schema in catalog["catalog_db_schemas"] for each in schema["db_schema_statistics"]
    }


ROWS, DISTINCT, MAXIMUM, MINIMUM, NULLS = 6, 1, 3, 4, 5


def test_statistics(con):
    assert con.adbc_get_statistic_names().read_all().num_rows == 0
    with con.cursor() as cur:
        cur.execute("INSERT INTO p VALUES (1, 'x'), (2, 'y'), (5, 'z')")
        cur.execute("CREATE TABLE n AS SELECT i, nullif(i % 4, 0) AS m, (i / 2)::DECIMAL(10,1) AS d, i::DOUBLE AS f, DATE '2024-01-01' + i AS t FROM generate_series(1, 1000) AS g(i)")
    exact = statistics(con, False, table_name_filter="n")
    assert exact[("main", "n", None, ROWS)] == (1000, False)
    assert exact[("main", "n", "m", NULLS)] == (250, False) and exact[("main", "n", "m", DISTINCT)] == (3, False)
    assert exact[("main", "n", "i", MINIMUM)] == (1, False) and exact[("main", "n", "i", MAXIMUM)] == (1000, False)
    assert exact[("main", "n", "f", MAXIMUM)] == (1000.0, False)
    assert exact[("main", "n", "t", MINIMUM)] == (b"2024-01-02", False)
    assert exact[("main", "n", "d", MAXIMUM)][0].startswith(b"500")
    about = statistics(con, True, table_name_filter="n")
    assert about[("main", "n", None, ROWS)] == (1000.0, True)
    assert about[("main", "n", "m", NULLS)] == (250.0, True)
    assert about[("main", "n", "i", MAXIMUM)] == (1000, True) and about[("main", "n", "f", MINIMUM)] == (1.0, True)
    assert about[("main", "n", "t", MAXIMUM)] == (b"2026-09-27", True)
    exact = statistics(con, False, db_schema_filter="main")
    assert exact[("main", "p", "b", MAXIMUM)] == (b"z", False)
    assert ("main", "v", None, ROWS) not in exact and exact[("main", "docs", None, ROWS)] == (0, False)
    assert statistics(con, True, catalog_filter="elsewhere") == {}
    assert statistics(con, True)[("s", "c", None, ROWS)] == (0.0, True)
