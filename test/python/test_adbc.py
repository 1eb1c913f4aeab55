"""scaup.adbc: the driver through adbc_driver_manager, as DB-API users, pandas and Polars use it."""

import datetime
import decimal
import pathlib
import re
import shutil
import subprocess
import threading
import time

import pytest
import scaup
import scaup.adbc

adbc_driver_manager = pytest.importorskip("adbc_driver_manager")
pa = pytest.importorskip("pyarrow")

TYPES = {
    "BOOLEAN": "true", "TINYINT": "-7", "SMALLINT": "300", "INTEGER": "70000", "BIGINT": "5000000000", "HUGEINT": "170141183460469231731",
    "REAL": "1.5", "DOUBLE": "2.25", "DECIMAL(4,1)": "12.3", "DECIMAL(9,2)": "-1234567.89", "DECIMAL(18,3)": "5.125", "DECIMAL(38,10)": "1.0000000001",
    "VARCHAR": "'duck'", "BLOB": "'\\x00ff'", "DATE": "'2024-02-29'", "TIME": "'12:34:56.789'", "TIMESTAMP": "'2024-02-29 12:34:56.789012'",
    "TIMESTAMP WITH TIME ZONE": "'2024-02-29 12:34:56+02'", "INTERVAL": "'1 month 2 days 3 seconds'", "UUID": "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'",
    "JSON": "'{\"a\": [1, null]}'", "JSONB": "'[1, 2]'", "mood": "'ok'", "INTEGER[]": "ARRAY[1, NULL, 3]", "VARCHAR[]": "ARRAY['a', 'b']",
    "STRUCT(a INTEGER, b VARCHAR)": "{'a': 1, 'b': 'x'}",
}


@pytest.fixture
def base():
    """A database in memory of the scaup module, which ADBC shares."""
    with scaup.connect() as connection:
        yield connection


@pytest.fixture
def con(base):
    with scaup.adbc.connect(base) as connection:
        yield connection


@pytest.fixture
def cur(con):
    with con.cursor() as cursor:
        yield cursor


@pytest.fixture
def auto(base):
    with scaup.adbc.connect(base, autocommit=True) as connection:
        yield connection


def all_types(base):
    """A table with a column of each type, and rows with values, NULLs and values."""
    base.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
    base.execute("CREATE TABLE types (" + ", ".join(f"c{i} {name}" for i, name in enumerate(TYPES)) + ")")
    values = ", ".join(f"{text}::{name}" if name != "STRUCT(a INTEGER, b VARCHAR)" else text for name, text in TYPES.items())
    base.execute(f"INSERT INTO types SELECT {values}")
    base.execute("INSERT INTO types (c0) VALUES (NULL)")
    base.execute("INSERT INTO types SELECT * FROM types WHERE c0")


def test_the_interface_is_that_of_the_specification(tmp_path):
    """The sizes and offsets of our header are those of the manager's."""
    theirs = pathlib.Path(adbc_driver_manager.__file__).parent / "arrow-adbc" / "adbc.h"
    root = pathlib.Path(__file__).parents[2]
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not theirs.exists() or not (root / "extension" / "adbc").exists():
        pytest.skip("needs a compiler, the header of the manager and ours")
    text = re.sub(r"/\*.*?\*/", "", (root / "extension" / "adbc" / "adbc.h").read_text(encoding="utf-8"), flags=re.S)
    lines = ["#include <stdio.h>", "#include <stddef.h>", '#include "adbc.h"', "int main(void) {"]
    for name, body in re.findall(r"^struct (\w+) \{(.*?)^\};", text, re.M | re.S):
        lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
        for member in body.split(";"):
            found = re.search(r"\(\*(\w+)\)|(\w+)(?:\[\d+\])?\s*$", member.strip())
            if found:
                field = found.group(1) or found.group(2)
                lines.append(f'printf("{name}.{field} %zu\\n", offsetof(struct {name}, {field}));')
    strings = re.findall(r'^#define (ADBC_\w+) (?:\\\n\s*)?"', text, re.M)
    numbers = [name for name in re.findall(r"^#define (ADBC_\w+) \(?[\w(]", text, re.M) if name not in strings and not name.endswith("_INIT")]
    # Newer than the manager's header: an option that managers set, but do not declare.
    strings.remove("ADBC_STATEMENT_OPTION_BIND_BY_NAME")
    assert len(strings) > 25 and len(numbers) > 40
    lines += [f'printf("{name} %s\\n", {name});' for name in strings] + [f'printf("{name} %ld\\n", (long){name});' for name in numbers]
    program = tmp_path / "layout.c"
    program.write_text("\n".join([*lines, "return 0; }"]))
    outputs = []
    for folder in (theirs.parent, root / "extension" / "adbc"):
        subprocess.run([compiler, "-I", folder, "-I", root / "include", program, "-o", tmp_path / "layout"], check=True)
        outputs.append(subprocess.run([tmp_path / "layout"], check=True, capture_output=True, text=True).stdout)
    assert outputs[0] == outputs[1] and len(outputs[0].splitlines()) > 140


def test_rows_by_db_api(cur):
    assert cur.execute("SELECT 1 AS a, 'x' AS b, DATE '2020-01-31' AS c, NULL::INTEGER AS d").fetchall() == [(1, "x", datetime.date(2020, 1, 31), None)]
    assert [column[0] for column in cur.description] == ["a", "b", "c", "d"]
    cur.execute("SELECT i FROM generate_series(1, 5) AS g(i) ORDER BY i")
    assert cur.fetchone() == (1,)
    assert cur.fetchmany(2) == [(2,), (3,)]
    assert list(cur) == [(4,), (5,)]
    assert cur.fetchone() is None
    assert cur.execute("SELECT 1 WHERE false").fetchall() == []


def test_all_types_are_those_of_the_module(base, cur):
    all_types(base)
    ours = base.execute("SELECT * FROM types").to_arrow_table()
    table = cur.execute("SELECT * FROM types").fetch_arrow_table()
    assert table.schema == ours.schema
    assert table.combine_chunks() == ours.combine_chunks()
    assert cur.adbc_execute_schema("SELECT * FROM types") == table.schema
    assert cur.connection.adbc_get_table_schema("types") == table.schema
    cur.execute("SELECT c0 FROM types")
    for column, name in zip(table.columns, TYPES):
        assert column.null_count == 1 and len(column) == 3, name


def test_options_of_arrays(base):
    all_types(base)
    options = {"scaup.arrow.string_views": "true", "scaup.arrow.dictionaries": "false", "scaup.arrow.extensions": "false", "scaup.arrow.batch_rows": "2"}
    with scaup.adbc.connect(base, conn_kwargs=options) as con, con.cursor() as cur:
        schema = cur.execute("SELECT c12, c20, c22 FROM types").fetch_arrow_table().schema
        assert schema.types == [pa.string_view(), pa.string_view(), pa.string()]
        reader = cur.execute("SELECT c0 FROM types").fetch_record_batch()
        assert [batch.num_rows for batch in reader] == [2, 1]
        cur.adbc_statement.set_options(**{"scaup.arrow.string_views": "false"})
        assert cur.execute("SELECT c12 FROM types").fetch_arrow_table().schema.types == [pa.string()]
        assert con.adbc_connection.get_option("scaup.arrow.batch_rows") == "2"


def test_empty_results_and_statements_without_rows(cur):
    assert cur.execute("CREATE TABLE t (i INTEGER)").rowcount == -1
    assert cur.fetch_arrow_table().num_columns == 0
    assert cur.execute("INSERT INTO t VALUES (1), (2)").rowcount == 2
    assert cur.execute("UPDATE t SET i = i + 1").rowcount == 2
    assert cur.execute("DELETE FROM t WHERE i = 3").rowcount == 1
    assert cur.execute("CREATE TABLE u AS SELECT * FROM t").rowcount == 1
    assert cur.execute("INSERT INTO t VALUES (7) RETURNING i").fetchall() == [(7,)]
    table = cur.execute("SELECT * FROM t WHERE false").fetch_arrow_table()
    assert table.num_rows == 0 and table.schema.names == ["i"]


def test_several_statements_are_one_query(cur):
    cur.execute("CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (1), (2); SELECT sum(i) FROM t;")
    assert cur.fetchall() == [(3,)]


def test_parameters(cur):
    assert cur.execute("SELECT ? + 1, ?", [41, "x"]).fetchall() == [(42, "x")]
    assert cur.execute("SELECT $2, $1", ["a", 2.5]).fetchall() == [(2.5, "a")]
    assert cur.execute("SELECT $name || '!', $n, '$n', $name", {"n": 1, "name": "duck"}).fetchall() == [("duck!", 1, "$n", "duck")]
    assert cur.execute("SELECT ?", [None]).fetchall() == [(None,)]
    cur.execute("CREATE TABLE t (i INTEGER, d DATE, x DECIMAL(10,2), b BLOB, j JSON, u UUID)")
    row = (1, datetime.date(2024, 1, 2), decimal.Decimal("3.45"), b"\0\1")
    cur.execute("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", [*row, '{"a": 1}', "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"])
    assert cur.execute("SELECT i, d, x, b FROM t WHERE d = ? AND j ->> 'a' = ?", [row[1], "1"]).fetchall() == [row]
    assert cur.execute("SELECT * FROM t WHERE i = ?", [5000000000]).fetchall() == []
    moment = datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    assert cur.execute("SELECT ?::TIMESTAMP WITH TIME ZONE", [moment]).fetchall() == [(moment,)]
    assert cur.execute("SELECT ?::INTEGER[]", [[1, 2]]).fetchall() == [([1, 2],)]


def test_parameters_that_do_not_fit(con, cur):
    for sql, parameters in (("SELECT ?", [1, 2]), ("SELECT ?, ?", [1]), ("SELECT $a", {"b": 1}), ("SELECT 1", [1])):
        with pytest.raises(adbc_driver_manager.ProgrammingError) as error:
            cur.execute(sql, parameters)
        assert error.value.sqlstate == "22023"
    with pytest.raises(adbc_driver_manager.ProgrammingError):
        cur.execute("SELECT ?").fetchall()


def test_queries_run_for_each_bound_row(cur):
    rows = pa.table({"x": [1, 2, 3], "y": ["a", None, "c"]})
    assert cur.execute("SELECT $1 * 10, $2 WHERE $1 <> 2", rows).fetchall() == [(10, "a"), (30, "c")]
    assert cur.execute("SELECT i FROM generate_series(1, 5) AS g(i) WHERE i > ? ORDER BY i", pa.table({"x": [3, 4]})).fetchall() == [(4,), (5,), (5,)]


def test_executemany(con, cur):
    cur.execute("CREATE TABLE t (i INTEGER PRIMARY KEY, s VARCHAR)")
    con.commit()
    cur.executemany("INSERT INTO t VALUES (?, ?)", [(i, f"row {i}") for i in range(100)])
    assert cur.rowcount == 100
    cur.executemany("INSERT INTO t VALUES ($i, $s)", [{"s": "x", "i": 1000}, {"s": "y", "i": 1001}])
    cur.adbc_statement.set_options(**{"adbc.statement.bind_by_name": "false"})  # the manager leaves it as it was
    cur.executemany("UPDATE t SET s = 'z' WHERE i = ?", pa.table({"i": [1000, 1001, 1002]}))
    assert cur.rowcount == 2
    cur.executemany("INSERT INTO t VALUES (?, ?)", [])
    con.commit()
    assert cur.execute("SELECT count(*), sum(i), max(s) FROM t").fetchall() == [(102, 4950 + 2001, "z")]


def test_executemany_is_all_or_nothing(auto):
    with auto.cursor() as cur:
        cur.execute("CREATE TABLE t (i INTEGER PRIMARY KEY)")
        with pytest.raises(adbc_driver_manager.IntegrityError) as error:
            cur.executemany("INSERT INTO t VALUES (?)", [(1,), (2,), (1,)])
        assert error.value.sqlstate == "23505"
        assert cur.execute("SELECT count(*) FROM t").fetchall() == [(0,)]


def test_prepared_statements(cur):
    cur.execute("CREATE TABLE t (i INTEGER, s VARCHAR)")
    schema = cur.adbc_prepare("SELECT * FROM t WHERE i = $1 AND s = $2")
    assert schema.names == ["$1", "$2"] and schema.types == [pa.int32(), pa.string()]
    assert cur.adbc_prepare("SELECT $q::DATE").names == ["q"]
    assert cur.adbc_prepare("SELECT 1").names == []
    schema = cur.adbc_execute_schema("SELECT i, s, i * 2.5 AS x, now() AS moment FROM t")
    assert schema.names == ["i", "s", "x", "moment"] and schema.types[:3] == [pa.int32(), pa.string(), pa.decimal128(12, 1)]
    assert cur.adbc_execute_schema("INSERT INTO t VALUES (1, 'x')").names == []
    assert cur.execute("SELECT count(*) FROM t").fetchall() == [(0,)]


def test_transactions(base, con, cur):
    cur.execute("CREATE TABLE t (i INTEGER)")
    con.rollback()
    with pytest.raises(adbc_driver_manager.ProgrammingError) as error:
        cur.execute("SELECT * FROM t")
    assert (error.value.status_code, error.value.sqlstate) == (adbc_driver_manager.AdbcStatusCode.NOT_FOUND, "42P01")
    con.rollback()
    con.commit()  # nothing is open
    cur.execute("CREATE TABLE t (i INTEGER)")
    con.commit()
    cur.execute("INSERT INTO t VALUES (1)")
    assert base.execute("SELECT count(*) FROM t").fetchone() == (0,)
    con.commit()
    assert base.execute("SELECT count(*) FROM t").fetchone() == (1,)
    cur.execute("INSERT INTO t VALUES (2)")
    con.adbc_connection.set_autocommit(True)  # commits
    assert base.execute("SELECT count(*) FROM t").fetchone() == (2,)
    cur.execute("INSERT INTO t VALUES (3)")
    assert base.execute("SELECT count(*) FROM t").fetchone() == (3,)
    for end in (con.adbc_connection.commit, con.adbc_connection.rollback):
        with pytest.raises(adbc_driver_manager.ProgrammingError) as error:
            end()
        assert error.value.status_code == adbc_driver_manager.AdbcStatusCode.INVALID_STATE


def test_a_failed_transaction_is_not_committed(con, cur):
    cur.execute("CREATE TABLE t (i INTEGER)")
    con.commit()
    cur.execute("INSERT INTO t VALUES (1)")
    with pytest.raises(adbc_driver_manager.DataError):
        cur.execute("SELECT 1 / 0").fetchall()
    with pytest.raises(adbc_driver_manager.ProgrammingError) as error:
        con.commit()
    assert error.value.sqlstate == "25P02"
    assert cur.execute("SELECT count(*) FROM t").fetchall() == [(0,)]


def test_serialization_failures(base, con):
    base.execute("CREATE TABLE t AS SELECT 1 AS i")
    with scaup.adbc.connect(base) as other, con.cursor() as first, other.cursor() as second:
        first.execute("UPDATE t SET i = i + 1")
        with pytest.raises(adbc_driver_manager.OperationalError) as error:
            second.execute("UPDATE t SET i = i + 1")
            con.commit()
            other.commit()
        assert error.value.sqlstate == "40001"
        other.rollback()


def test_isolation_and_reading_only(base, con, cur):
    raw = con.adbc_connection
    level = "adbc.connection.transaction.isolation_level"
    assert raw.get_option(level) == "adbc.connection.transaction.isolation.default"
    assert cur.execute("SHOW transaction_isolation").fetchall() == [("serializable",)]
    con.commit()
    raw.set_options(**{level: "adbc.connection.transaction.isolation.snapshot"})
    assert raw.get_option(level) == "adbc.connection.transaction.isolation.snapshot"
    assert cur.execute("SHOW transaction_isolation").fetchall() == [("repeatable read",)]
    con.commit()
    with pytest.raises(adbc_driver_manager.ProgrammingError):
        raw.set_options(**{level: "chaos"})
    raw.set_options(**{"adbc.connection.readonly": "true"})
    assert raw.get_option("adbc.connection.readonly") == "true"
    with pytest.raises(adbc_driver_manager.Error) as error:
        cur.execute("CREATE TABLE t (i INTEGER)")
    assert error.value.sqlstate == "25006"
    con.rollback()
    raw.set_options(**{"adbc.connection.readonly": "false"})
    cur.execute("CREATE TABLE t (i INTEGER)")


def test_catalog_and_schema(con):
    assert con.adbc_current_catalog == "memory" and con.adbc_current_db_schema == "main"
    con.adbc_current_catalog = "memory"
    con.adbc_current_db_schema = "main"
    with pytest.raises(adbc_driver_manager.ProgrammingError) as error:
        con.adbc_current_catalog = "elsewhere"
    assert error.value.status_code == adbc_driver_manager.AdbcStatusCode.NOT_FOUND
    with pytest.raises(adbc_driver_manager.ProgrammingError) as error:
        con.adbc_current_db_schema = "elsewhere"
    assert con.adbc_current_db_schema == "main"


def test_results_survive_other_statements_and_the_transaction(con, cur):
    count = 500000
    cur.execute(f"SELECT i FROM generate_series(1, {count}) AS g(i)")
    assert cur.fetchone() == (1,)
    with con.cursor() as other:
        assert other.execute("SELECT 7").fetchall() == [(7,)]
    assert cur.fetchone() == (2,)
    con.commit()
    assert cur.fetch_arrow_table().num_rows > 0
    reader = cur.execute(f"SELECT i FROM generate_series(1, {count}) AS g(i)").fetch_record_batch()
    con.adbc_get_objects().read_all()
    assert sum(batch.num_rows for batch in reader) == count


def test_a_result_goes_into_the_table_of_another_statement(con, cur):
    cur.execute("SELECT i, i * 2 AS j FROM generate_series(1, 300000) AS g(i)")
    with con.cursor() as other:
        assert other.adbc_ingest("t", cur.fetch_record_batch()) == 300000
        assert other.execute("SELECT sum(j - i) FROM t").fetchall() == [(300000 * 300001 // 2,)]


@pytest.mark.parametrize(
    "sql, kind, status, sqlstate, position",
    [
        ("SELEC 1", "ProgrammingError", "INVALID_ARGUMENT", "42601", b"0"),
        ("SELECT nowhere", "ProgrammingError", "INVALID_ARGUMENT", "42703", b"7"),
        ("SELECT * FROM nowhere", "ProgrammingError", "NOT_FOUND", "42P01", b"14"),
        ("CREATE TABLE nowhere.t (i INTEGER)", "ProgrammingError", "NOT_FOUND", "3F000", b"13"),
        ("CREATE SCHEMA main", "ProgrammingError", "ALREADY_EXISTS", "42P06", None),
        ("SELECT 1 / 0", "DataError", "INVALID_DATA", "22012", b"9"),
        ("SELECT 'x'::INTEGER", "DataError", "INVALID_DATA", "22P02", b"7"),
        ("SELECT 2147483647 + 1", "DataError", "INVALID_DATA", "22003", None),
        ("SELECT * FROM 'missing.csv'", "ProgrammingError", "NOT_FOUND", "58P01", None),
        ("LISTEN x", "NotSupportedError", "NOT_IMPLEMENTED", "0A000", None),
    ],
)
def test_errors(cur, sql, kind, status, sqlstate, position):
    with pytest.raises(getattr(adbc_driver_manager, kind)) as error:
        cur.execute(sql).fetchall()
    found = error.value
    assert (found.status_code, found.sqlstate) == (adbc_driver_manager.AdbcStatusCode[status], sqlstate)
    details = dict(found.details)
    assert details[b"scaup.kind"]
    if position is not None:
        assert details[b"scaup.position"] == position


def test_integrity_errors(cur):
    cur.execute("CREATE TABLE t (i INTEGER PRIMARY KEY, CHECK (i > 0))")
    with pytest.raises(adbc_driver_manager.IntegrityError) as error:
        cur.execute("INSERT INTO t VALUES (0)")
    assert error.value.sqlstate == "23514"


def test_errors_while_rows_are_read(cur):
    cur.execute("SELECT 1 / (i - 400000) FROM generate_series(1, 500000) AS g(i)")
    with pytest.raises(adbc_driver_manager.DataError) as error:
        cur.fetchall()
    assert error.value.sqlstate == "22012"


@pytest.mark.parametrize("by_cursor", [True, False])
def test_cancel_from_another_thread(con, cur, by_cursor):
    errors = []

    def run():
        try:
            cur.execute("SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b").fetchall()
        except adbc_driver_manager.Error as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        try:
            (cur if by_cursor else con).adbc_cancel()
        except adbc_driver_manager.ProgrammingError as error:
            assert error.status_code == adbc_driver_manager.AdbcStatusCode.INVALID_STATE  # it has not begun
        time.sleep(0.01)
    thread.join()
    assert len(errors) == 1
    assert errors[0].status_code == adbc_driver_manager.AdbcStatusCode.CANCELLED and errors[0].sqlstate == "57014"
    con.rollback()
    assert cur.execute("SELECT 1").fetchall() == [(1,)]


def test_timeouts(con, cur):
    con.adbc_connection.set_options(**{"scaup.statement_timeout": "50ms"})
    with pytest.raises(adbc_driver_manager.OperationalError) as error:
        cur.execute("SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b").fetchall()
    assert error.value.status_code == adbc_driver_manager.AdbcStatusCode.TIMEOUT


def test_threads_with_connections_of_their_own(base):
    base.execute("CREATE TABLE t (i INTEGER, thread INTEGER)")
    failures = []

    def work(number):
        try:
            with scaup.adbc.connect(base, autocommit=True) as con, con.cursor() as cur:
                for i in range(10):
                    cur.adbc_ingest("t", pa.table({"i": pa.array([i] * 100, pa.int32()), "thread": pa.array([number] * 100, pa.int32())}), mode="append")
                    assert cur.execute("SELECT count(*) FROM t WHERE thread = ?", [number]).fetchall() == [((i + 1) * 100,)]
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert base.execute("SELECT count(*) FROM t").fetchone() == (4000,)


def test_threads_that_share_a_connection(auto):
    failures = []

    def work(number):
        try:
            with auto.cursor() as cur:
                for i in range(20):
                    assert cur.execute(f"SELECT x + {number} FROM generate_series(1, 3000) AS g(x)").fetch_arrow_table().num_rows == 3000
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_databases_in_files(tmp_path):
    path = tmp_path / "a b.scaup"
    with scaup.adbc.connect(path, config={"threads": 2}) as con, con.cursor() as cur:
        cur.execute("CREATE TABLE t AS SELECT 42 AS x")
        con.commit()
        assert con.adbc_current_catalog == "a b"
        assert con.adbc_connection.get_option("scaup.threads") == "2"
        # The path is open in this process, so all connections share it.
        with scaup.connect(path) as other, scaup.adbc.connect(path) as third, third.cursor() as third_cur:
            assert other.execute("SELECT * FROM t").fetchall() == [(42,)]
            assert third_cur.execute("SELECT * FROM t").fetchall() == [(42,)]
        with pytest.raises(adbc_driver_manager.Error) as error:
            scaup.adbc.connect(path, read_only=True)
        assert error.value.sqlstate == "55006"
    assert [file.name for file in tmp_path.iterdir()] == ["a b.scaup"]
    with scaup.adbc.connect(path, read_only=True, autocommit=True) as con, con.cursor() as cur:
        with pytest.raises(adbc_driver_manager.Error):
            cur.execute("INSERT INTO t VALUES (1)")
    uri = f"scaup://{str(path).replace(' ', '%20')}?access_mode=read_only"
    with adbc_driver_manager.dbapi.connect(scaup.adbc.driver_path(), uri=uri) as con, con.cursor() as cur:
        assert cur.execute("SELECT * FROM t").fetchall() == [(42,)]


def test_databases_that_cannot_be_opened(base, tmp_path):
    for options in ({"nothing": 1}, {"threads": "many"}):
        with pytest.raises(adbc_driver_manager.Error):
            scaup.adbc.connect(config=options)
    with pytest.raises(adbc_driver_manager.Error) as error:
        scaup.adbc.connect(tmp_path / "no" / "folder")
    assert error.value.sqlstate == "58P01"
    with pytest.raises(scaup.ProgrammingError):
        scaup.adbc.connect(base, config={"threads": 2})
    with pytest.raises(scaup.InterfaceError):
        closed = scaup.connect()
        closed.close()
        scaup.adbc.connect(closed)
    with pytest.raises(adbc_driver_manager.Error) as error:
        adbc_driver_manager.dbapi.connect(scaup.adbc.driver_path(), db_kwargs={"scaup.handle": "none"})
    assert error.value.sqlstate == "08003"
    with pytest.raises(adbc_driver_manager.Error):
        adbc_driver_manager.dbapi.connect(scaup.adbc.driver_path(), uri="a", db_kwargs={"path": "b"})


def test_the_shared_database_outlives_the_connection():
    base = scaup.connect()
    base.execute("CREATE TABLE t AS SELECT 1 AS i")
    con = scaup.adbc.connect(base)
    base.close()
    with con, con.cursor() as cur:
        assert cur.execute("SELECT * FROM t").fetchall() == [(1,)]


def test_the_manifest(tmp_path, monkeypatch):
    written = scaup.adbc.write_manifest(tmp_path / "drivers")
    assert written == tmp_path / "drivers" / "scaup.toml"
    monkeypatch.setenv("ADBC_DRIVER_PATH", str(tmp_path / "drivers"))
    with adbc_driver_manager.dbapi.connect("scaup") as con, con.cursor() as cur:
        assert cur.execute("SELECT 42").fetchall() == [(42,)]
    with adbc_driver_manager.dbapi.connect("scaup://") as con, con.cursor() as cur:
        assert cur.execute("SELECT 43").fetchall() == [(43,)]


@pytest.mark.parametrize("entrypoint", [None, "AdbcDriverInit", "AdbcDriverScaupInit", "scaup_adbc_init"])
def test_entry_points(entrypoint):
    with adbc_driver_manager.dbapi.connect(scaup.adbc.driver_path(), entrypoint=entrypoint) as con, con.cursor() as cur:
        assert cur.execute("SELECT 42").fetchall() == [(42,)]


def test_pandas(auto):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"i": [1, 2, 3], "x": [0.5, None, 1.5], "s": ["a", None, "c"], "t": pd.to_datetime(["2024-01-01", "2024-01-02", None])})
    assert frame.to_sql("frame", auto, index=False) == 3
    assert pd.read_sql("SELECT * FROM frame", auto)["i"].tolist() == [1, 2, 3]
    assert pd.read_sql("frame", auto)["x"].sum() == 2.0
    assert frame.to_sql("frame", auto, index=False, if_exists="append") == 3
    assert pd.read_sql("SELECT count(*) AS n FROM frame", auto)["n"].tolist() == [6]
    assert frame.to_sql("frame", auto, index=True, if_exists="replace") == 3
    assert pd.read_sql("frame", auto).columns.tolist() == ["i", "x", "s", "t", "__index_level_0__"]
    with pytest.raises(ValueError, match="already exists"):
        frame.to_sql("frame", auto)
    assert frame.to_sql("frame", auto, schema="main", index=False, if_exists="replace") == 3
    back = pd.read_sql("SELECT * FROM frame", auto, dtype_backend="pyarrow")
    assert back["t"].tolist()[:2] == frame["t"].tolist()[:2] and back["s"].isna().tolist() == [False, True, False]


def test_polars(auto):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"i": [1, 2], "l": [[1], [2, 3]], "s": [{"x": 1}, {"x": 2}], "t": ["a", None], "d": [datetime.date(2024, 1, 1), None]})
    assert frame.write_database("frame", auto, engine="adbc") == 2
    assert pl.read_database("SELECT * FROM frame", auto).equals(frame)
    assert frame.write_database("main.frame", auto, engine="adbc", if_table_exists="append") == 2
    assert frame.write_database("frame", auto, engine="adbc", if_table_exists="replace") == 2
    assert pl.read_database("SELECT i FROM frame WHERE i > ?", auto, execute_options={"parameters": [1]})["i"].to_list() == [2]
    with pytest.raises(adbc_driver_manager.ProgrammingError):
        frame.write_database("frame", auto, engine="adbc")
    batches = pl.read_database("SELECT i FROM generate_series(1, 300000) AS g(i)", auto, iter_batches=True, batch_size=1000)
    assert sum(batch.height for batch in batches) == 300000
