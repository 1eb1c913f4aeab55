"""COPY ... TO STDOUT (FORMAT arrow): columns over the wire."""

import random

import psycopg
import pyarrow as pa
import pyarrow.ipc
import pytest


def fetch(connection, query, options=""):
    """The table, and the sizes of the messages."""
    with connection.cursor().copy(f"COPY ({query}) TO STDOUT (FORMAT arrow{options})") as copy:
        parts = [bytes(part) for part in copy]
    return pa.ipc.open_stream(b"".join(parts)).read_all(), [len(part) for part in parts]


ALL_TYPES = """SELECT i, i::TINYINT AS t, i::SMALLINT AS s, i::BIGINT AS l, i::HUGEINT AS h, i::REAL AS r, i::DOUBLE AS d,
  i::DECIMAL(5, 2) AS d5, i::DECIMAL(30, 4) AS d30, i % 2 = 0 AS b, 'text ' || i AS v, ('b' || i)::BLOB AS z, DATE '2024-01-01' + i AS dt,
  TIME '12:00' + i * INTERVAL '1 second' AS tm, TIMESTAMP '2024-01-01' + i * INTERVAL '1 minute' AS ts,
  TIMESTAMPTZ '2024-01-01 00:00+00' + i * INTERVAL '1 hour' AS tz, i * INTERVAL '1 month 2 days' AS iv,
  '00000000-0000-0000-0000-000000000000'::UUID AS u, to_json(i) AS j, ARRAY[i, NULL, i + 1] AS li, ARRAY[ARRAY['a' || i], NULL, ARRAY[]::VARCHAR[]] AS ll,
  {'a': i, 'b': 'x' || i} AS st, NULL AS n FROM range(100) t(i)"""


@pytest.mark.parametrize("compression", ["none", "lz4", "zstd", "auto"])
def test_all_types(connection, compression):
    table, _ = fetch(connection, ALL_TYPES, f", COMPRESSION {compression}")
    assert table.num_rows == 100
    rows = table.to_pylist()
    expected = connection.execute(f"SELECT i, t, s, l, r, d, b, v, li, dt, d5, d30 FROM ({ALL_TYPES}) x ORDER BY i").fetchall()
    names = ["i", "t", "s", "l", "r", "d", "b", "v", "li", "dt", "d5", "d30"]
    assert [tuple(row[name] for name in names) for row in rows] == expected
    assert rows[3]["ll"] == [["a3"], None, []] and rows[3]["st"] == {"a": 3, "b": "x3"} and rows[3]["z"] == b"b3" and rows[3]["n"] is None
    assert table.schema.field("tz").type.tz == "UTC" and table.schema.field("iv").type == pa.month_day_nano_interval()
    assert table.schema.field("j").type.extension_name == "arrow.json" if hasattr(table.schema.field("j").type, "extension_name") else True


def test_nulls_and_enums(connection):
    connection.execute("CREATE TYPE arrow_mood AS ENUM ('sad', 'ok', 'happy')")
    query = """SELECT CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS i, CASE WHEN i % 5 = 0 THEN NULL ELSE 'v' || i END AS v,
        CASE WHEN i % 7 = 0 THEN NULL ELSE (ARRAY['sad', 'ok', 'happy'])[i % 3 + 1]::arrow_mood END AS m,
        CASE WHEN i % 2 = 0 THEN NULL ELSE ARRAY[i, NULL] END AS li, CASE WHEN i % 2 = 0 THEN NULL ELSE {'a': i, 'b': NULL::VARCHAR} END AS st,
        i % 4 = 0 AS b FROM range(20000) t(i)"""
    table, sizes = fetch(connection, query, ", CHUNK_BYTES 30000")
    assert len(sizes) > 10
    moods = ["sad", "ok", "happy"]
    assert table.to_pylist() == [
        {
            "i": None if i % 3 == 0 else i, "v": None if i % 5 == 0 else f"v{i}", "m": None if i % 7 == 0 else moods[i % 3],
            "li": None if i % 2 == 0 else [i, None], "st": None if i % 2 == 0 else {"a": i, "b": None}, "b": i % 4 == 0,
        }
        for i in range(20000)
    ]
    assert pa.types.is_dictionary(table.schema.field("m").type)
    connection.execute("DROP TYPE arrow_mood")


def test_empty_results_have_a_schema(connection):
    table, _ = fetch(connection, "SELECT 1 AS a, 'x' AS b WHERE false")
    assert table.num_rows == 0 and table.schema.names == ["a", "b"]


def test_sizes_of_chunks(connection):
    query = "SELECT i FROM range(1000000) t(i)"
    for bytes_wanted in (100000, 1000000):
        table, sizes = fetch(connection, query, f", CHUNK_BYTES {bytes_wanted}, COMPRESSION none")
        assert table.num_rows == 1000000 and table.column("i").to_pylist()[-1] == 999999
        assert bytes_wanted * 0.8 < max(sizes) < bytes_wanted * 1.4
    _, compressed = fetch(connection, query, ", COMPRESSION zstd")
    assert sum(compressed) < 0.6 * sum(sizes)


def test_tables_and_columns(connection):
    connection.execute("CREATE TABLE arrow_t AS SELECT i, 'x' || i AS s FROM range(10) t(i)")
    with connection.cursor().copy("COPY arrow_t (s, i) TO STDOUT (FORMAT arrow)") as copy:
        table = pa.ipc.open_stream(b"".join(bytes(part) for part in copy)).read_all()
    assert table.schema.names == ["s", "i"] and table.num_rows == 10
    connection.execute("DROP TABLE arrow_t")


def test_random_tables(connection):
    numbers = random.Random(5)
    for _ in range(20):
        count, chunk = numbers.randrange(1, 5000), numbers.randrange(1, 200000)
        rate = numbers.choice([1, 2, 3, 1000000])
        query = f"""SELECT CASE WHEN hash(i) % {rate} = 1 THEN NULL ELSE i END AS a, CASE WHEN hash(i, 1) % {rate} = 1 THEN NULL ELSE repeat('é', (i % 40)::INTEGER) END AS b,
            CASE WHEN hash(i, 2) % {rate} = 1 THEN NULL ELSE i % 2 = 0 END AS c, CASE WHEN hash(i, 3) % {rate} = 1 THEN NULL ELSE array_fill(i, ARRAY[(i % 5)::INTEGER]) END AS d
            FROM range({count}) t(i)"""
        table, _ = fetch(connection, query, f", CHUNK_BYTES {chunk}, COMPRESSION {numbers.choice(['none', 'lz4', 'zstd'])}")
        assert [tuple(row.values()) for row in table.to_pylist()] == connection.execute(query).fetchall()


def test_options_that_do_not_fit(connection):
    for options, message in (
        ("COMPRESSION gzip", "must be auto, none, lz4 or zstd"), ("CHUNK_BYTES 0", "number of bytes"), ("CHUNK_BYTES x", "number of bytes"),
        ("HEADER", "cannot be given with FORMAT arrow"),
    ):
        with pytest.raises(psycopg.Error, match=message):
            fetch(connection, "SELECT 1", ", " + options)
    with pytest.raises(psycopg.errors.DivisionByZero):
        fetch(connection, "SELECT 1 / (i - 5000) FROM range(10000) t(i)")
    assert connection.execute("SELECT 1").fetchone() == (1,)


# --- FROM STDIN


def send(connection, target, table, options=None, file=False, parts=1):
    sink = pa.BufferOutputStream()
    with (pa.ipc.new_file if file else pa.ipc.new_stream)(sink, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=max(1, table.num_rows // 3))
    data = sink.getvalue().to_pybytes()
    with connection.cursor().copy(f"COPY {target} FROM STDIN (FORMAT arrow)") as copy:
        size = -(-len(data) // parts)
        for begin in range(0, len(data), size):
            copy.write(data[begin : begin + size])


MANY = {
    "i": pa.array([1, None, 3, 4, 5], pa.int32()), "u": pa.array([1, 2, None, 4, 255], pa.uint8()), "f": pa.array([1.5, None, 2.5, 3, 4], pa.float32()),
    "s": pa.array(["a", "zwölf Zeichen und mehr", None, "", "x"]), "l": pa.array(["a", None, "c", "d", "e"], pa.large_string()),
    "v": pa.array(["a", "more than twelve bytes here", None, "", "x"], pa.string_view()), "b": pa.array([True, None, False, True, True]),
    "z": pa.array([b"a", None, b"", b"\0", b"e"], pa.binary()), "d": pa.array([1, 2, None, 4, 5], pa.date32()), "t": pa.array([1, 2, None, 4, 5], pa.timestamp("us")),
    "n": pa.array(["1.25", None, "3.00", "4.10", "-5.00"]).cast(pa.decimal128(10, 2)), "e": pa.array(["x", "y", None, "x", "x"]).dictionary_encode(),
    "li": pa.array([[1, 2], None, [], [3, None], [4]], pa.list_(pa.int64())), "st": pa.array([{"a": 1, "b": "x"}, None, {"a": None, "b": "y"}, {"a": 4, "b": None}, {"a": 5, "b": "z"}]),
    "ll": pa.array([[["a"], None], [], None, [["b", "c"]], [[]]]),
}
DECLARED = "i INTEGER, u SMALLINT, f REAL, s TEXT, l TEXT, v TEXT, b BOOLEAN, z BLOB, d DATE, t TIMESTAMP, n DECIMAL(10, 2), e TEXT, li BIGINT[], st STRUCT(a BIGINT, b TEXT), ll TEXT[][]"


@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
@pytest.mark.parametrize("file", [False, True])
def test_columns_in(connection, compression, file):
    connection.execute(f"CREATE TABLE arrow_in ({DECLARED})")
    table = pa.table(MANY)
    for parts in (1, 7, 1000):
        connection.execute("TRUNCATE arrow_in")
        send(connection, "arrow_in", table.slice(0, 5), pa.ipc.IpcWriteOptions(compression=compression), file, parts)
        back, _ = fetch(connection, "SELECT * FROM arrow_in")
        assert back.to_pylist() == table.to_pylist()
    connection.execute("DROP TABLE arrow_in")


def test_slices_and_columns_in(connection):
    connection.execute("CREATE TABLE arrow_in (a BIGINT, b TEXT, c INTEGER DEFAULT 7)")
    table = pa.table({"x": list(range(10000)), "y": [f"v{i}" for i in range(10000)]}).slice(123, 4567)
    send(connection, "arrow_in (a, b)", table, parts=50)
    assert connection.execute("SELECT count(*), min(a), max(a), min(c), count(*) FILTER (WHERE b = 'v' || a) FROM arrow_in").fetchone() == (4567, 123, 4689, 7, 4567)
    with pytest.raises(psycopg.Error, match="3 columns for COPY, but the data has 2"):
        send(connection, "arrow_in", table)
    with pytest.raises(psycopg.errors.InvalidTextRepresentation):
        send(connection, "arrow_in (b, a)", table)
    assert connection.execute("SELECT count(*) FROM arrow_in").fetchone() == (4567,)
    send(connection, "arrow_in (a, b)", table.slice(0, 0))
    connection.execute("DROP TABLE arrow_in")


def test_what_comes_out_goes_in(connection):
    connection.execute("CREATE TABLE arrow_from AS " + ALL_TYPES.replace(", NULL AS n", ""))
    connection.execute("CREATE TABLE arrow_to AS SELECT * FROM arrow_from LIMIT 0")
    for compression in ("none", "lz4", "zstd"):
        connection.execute("TRUNCATE arrow_to")
        with connection.cursor().copy(f"COPY arrow_from TO STDOUT (FORMAT arrow, COMPRESSION {compression})") as copy:
            data = [bytes(part) for part in copy]
        with connection.cursor().copy("COPY arrow_to FROM STDIN (FORMAT arrow)") as copy:
            for part in data:
                copy.write(part)
        query = "SELECT count(*) FROM (SELECT {} FROM arrow_from EXCEPT SELECT {} FROM arrow_to) x"
        assert connection.execute(query.replace("{}", "*")).fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM arrow_to").fetchone() == (100,)
    connection.execute("DROP TABLE arrow_from; DROP TABLE arrow_to")


def test_damaged_data(connection):
    connection.execute(f"CREATE TABLE arrow_in ({DECLARED})")
    numbers = random.Random(11)
    for compression in (None, "lz4", "zstd"):
        sink = pa.BufferOutputStream()
        table = pa.table(MANY)
        with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
            writer.write_table(table)
        whole = sink.getvalue().to_pybytes()
        for _ in range(150):
            data = bytearray(whole)
            for _ in range(numbers.randrange(1, 4)):
                data[numbers.randrange(len(data))] = numbers.randrange(256)
            if numbers.random() < 0.3:
                del data[numbers.randrange(len(data)) :]
            try:
                with connection.cursor().copy("COPY arrow_in FROM STDIN (FORMAT arrow)") as copy:
                    copy.write(bytes(data))
            except psycopg.Error as error:
                assert error.sqlstate is not None and not error.sqlstate.startswith("XX"), error
            assert connection.execute("SELECT count(*) FROM (SELECT * FROM arrow_in) x").fetchone()[0] % 5 == 0
    connection.execute("DROP TABLE arrow_in")
