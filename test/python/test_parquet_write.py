"""Parquet files that COPY writes: pyarrow, DuckDB and Polars read the values that were written; statistics are right."""

import datetime
import decimal
import math
import random
import uuid

import pytest

import scaup

pa = pytest.importorskip("pyarrow", reason="pyarrow reads the files back")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow reads the files back")
duckdb = pytest.importorskip("duckdb", reason="DuckDB reads the files back")
pl = pytest.importorskip("polars", reason="Polars reads the files back")

SCALARS = {
    "b": ("BOOLEAN", lambda r: r.random() < 0.5),
    "i8": ("TINYINT", lambda r: r.randint(-128, 127)),
    "i16": ("SMALLINT", lambda r: r.choice([-32768, 32767, r.randint(-50, 50)])),
    "i32": ("INTEGER", lambda r: r.choice([-(2**31), 2**31 - 1, r.randint(-1000, 1000)])),
    "i64": ("BIGINT", lambda r: r.randint(-(2**63), 2**63 - 1)),
    "u8": ("UTINYINT", lambda r: r.randint(0, 255)),
    "u16": ("USMALLINT", lambda r: r.choice([0, 65535, r.randint(0, 50)])),
    "u32": ("UINTEGER", lambda r: r.choice([2**31, 2**32 - 1, r.randint(0, 1000)])),
    "u64": ("UBIGINT", lambda r: r.choice([2**63, 2**64 - 1, r.randint(0, 2**64 - 1)])),
    "few": ("BIGINT", lambda r: r.choice([-(2**63), 0, 7, 2**63 - 1])),
    "f": ("REAL", lambda r: float(r.randint(-1000, 1000)) / 8),
    "d": ("DOUBLE", lambda r: r.choice([0.0, -0.0, math.inf, -math.inf, r.random()])),
    "nan": ("DOUBLE", lambda r: r.choice([math.nan, r.random()])),
    "d4": ("DECIMAL(4,2)", lambda r: decimal.Decimal(r.randint(-9999, 9999)).scaleb(-2)),
    "d9": ("DECIMAL(9,0)", lambda r: decimal.Decimal(r.randint(-999999999, 999999999))),
    "d18": ("DECIMAL(18,6)", lambda r: decimal.Decimal(r.randint(-(10**18) + 1, 10**18 - 1)).scaleb(-6)),
    "d38": ("DECIMAL(38,10)", lambda r: decimal.Decimal(r.randint(-(10**37), 10**37)).scaleb(-10, decimal.Context(prec=40))),
    "word": ("VARCHAR", lambda r: r.choice(["", "a", "äöü", "😀", "word"])),
    "text": ("VARCHAR", lambda r: "".join(r.choice("abcé€😀") for _ in range(r.randint(0, 40)))),
    "bytes": ("BLOB", lambda r: r.randbytes(r.randint(0, 20))),
    "day": ("DATE", lambda r: datetime.date(1, 1, 1) + datetime.timedelta(days=r.randint(0, 3652058))),
    "tm": ("TIME", lambda r: datetime.time(r.randint(0, 23), r.randint(0, 59), r.randint(0, 59), r.randint(0, 999999))),
    "ts": ("TIMESTAMP", lambda r: datetime.datetime(1900, 1, 1) + datetime.timedelta(microseconds=r.randint(0, 10**16))),
    "tz": (
        "TIMESTAMPTZ",
        lambda r: datetime.datetime(1900, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(microseconds=r.randint(0, 10**16)),
    ),
    "u": ("UUID", lambda r: uuid.UUID(int=r.getrandbits(128))),
}
ARROW = {
    "BOOLEAN": pa.bool_(),
    "TINYINT": pa.int8(),
    "SMALLINT": pa.int16(),
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "UTINYINT": pa.uint8(),
    "USMALLINT": pa.uint16(),
    "UINTEGER": pa.uint32(),
    "UBIGINT": pa.uint64(),
    "REAL": pa.float32(),
    "DOUBLE": pa.float64(),
    "VARCHAR": pa.string(),
    "BLOB": pa.binary(),
    "DATE": pa.date32(),
    "TIME": pa.time64("us"),
    "TIMESTAMP": pa.timestamp("us"),
    "TIMESTAMPTZ": pa.timestamp("us", "UTC"),
    "UUID": pa.string(),
}


def arrow_type(name):
    if name.startswith("DECIMAL"):
        return pa.decimal128(*map(int, name[8:-1].split(",")))
    return ARROW[name]


def plain(value):
    """A value of any reader in a form that all have; floats by their bits, as -0.0 and 0.0 are equal."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else repr(value)
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, decimal.Decimal):
        return value.normalize(decimal.Context(prec=40))
    return value


def columns_of(table):
    return {name: [plain(value) for value in table[name].to_pylist()] for name in table.column_names}


def random_table(seed, rows):
    chance = random.Random(seed)
    arrays, names = [], []
    for name, (type_name, make) in SCALARS.items():
        share = chance.choice([0, 0.1, 1])
        values = [None if chance.random() < share else make(chance) for _ in range(rows)]
        values = [str(v) if isinstance(v, uuid.UUID) else v for v in values]
        arrays.append(pa.array(values, arrow_type(type_name)))
        names.append(name)
    def item(depth):
        if chance.random() < 0.2:
            return None
        return {"x": chance.randint(0, 9), "l": None if chance.random() < 0.2 else [chance.choice(["a", None, "bc"]) for _ in range(chance.randint(0, 3))]}
    nested = pa.struct([("x", pa.int32()), ("l", pa.list_(pa.string()))])
    arrays.append(pa.array([item(0) for _ in range(rows)], nested))
    arrays.append(pa.array([None if chance.random() < 0.1 else [item(1) for _ in range(chance.randint(0, 4))] for _ in range(rows)], pa.list_(nested)))
    arrays.append(pa.array([None if chance.random() < 0.1 else [chance.choice([None, [], [1], [2, None, 3]]) for _ in range(chance.randint(0, 3))] for _ in range(rows)], pa.list_(pa.list_(pa.int64()))))
    return pa.table(arrays, names + ["s", "ls", "ll"])


@pytest.mark.parametrize("options", ["", "COMPRESSION zstd, ROW_GROUP_SIZE 700", "COMPRESSION gzip", "COMPRESSION lz4", "COMPRESSION brotli", "COMPRESSION none, PARQUET_VERSION v2", "PARQUET_VERSION v2, ROW_GROUP_SIZE 2048"])
@pytest.mark.parametrize("rows", [0, 1, 5000])
def test_every_reader_reads_what_was_written(tmp_path, options, rows):
    con = scaup.connect()
    given = random_table(len(options) * 10 + rows, rows)
    con.register("given", given)
    path = str(tmp_path / "x.parquet")
    listed = "FORMAT parquet" + (f", {options}" if options else "")
    con.execute("CREATE TABLE t AS SELECT * REPLACE (u::UUID AS u) FROM given")
    assert con.execute(f"COPY t TO '{path}' ({listed})").rowcount == rows
    expected = columns_of(given)
    readers = {
        "scaup": con.execute(f"SELECT * REPLACE (u::VARCHAR AS u) FROM '{path}'").fetch_arrow_table(),
        "pyarrow": pq.read_table(path, arrow_extensions_enabled=False),
        "duckdb": duckdb.connect().sql(f"SELECT * REPLACE (u::VARCHAR AS u) FROM '{path}'").to_arrow_table(),
        "polars": pl.read_parquet(path).to_arrow(),
    }
    for reader, table in readers.items():
        assert table.column_names == given.column_names
        for name, values in columns_of(table).items():
            if name == "u" and values and any(isinstance(v, bytes) for v in values):
                values = [None if v is None else str(uuid.UUID(bytes=v)) for v in values]
            if name in ("s", "ls", "ll") or expected[name] != values:
                for row, (a, b) in enumerate(zip(values, expected[name])):
                    assert a == b, f"{reader}, column {name}, row {row}"
                assert len(values) == rows


def test_statistics_are_bounds(tmp_path):
    con = scaup.connect()
    given = random_table(7, 50000)
    con.register("given", given)
    path = str(tmp_path / "x.parquet")
    con.execute(f"COPY (SELECT * REPLACE (u::UUID AS u) FROM given) TO '{path}' (ROW_GROUP_SIZE 20000)")
    footer = pq.ParquetFile(path).metadata
    table = pq.read_table(path, arrow_extensions_enabled=False)
    row = 0
    checked = 0
    for group in (footer.row_group(i) for i in range(footer.num_row_groups)):
        for column in (group.column(i) for i in range(group.num_columns)):
            name = column.path_in_schema
            if "." in name:
                continue
            values = table[name].slice(row, group.num_rows).to_pylist()
            there = [value for value in values if value is not None]
            statistics = column.statistics
            assert statistics.null_count == len(values) - len(there)
            if name == "nan" and any(math.isnan(value) for value in there):
                assert not statistics.has_min_max
            elif there and name != "u":
                checked += 1
                assert statistics.min <= min(there) and statistics.max >= max(there)
                assert column.has_offset_index and column.has_column_index
                if isinstance(statistics.min, (int, bool, decimal.Decimal)):
                    assert statistics.min == min(there) and statistics.max == max(there)
        row += group.num_rows
    assert row == 50000 and checked > 20


def test_long_texts_have_short_bounds(tmp_path):
    con = scaup.connect()
    path = str(tmp_path / "x.parquet")
    for low, high in [("a" * 500, "z" * 500), ("é" * 500, "\U0010ffff" * 63 + "\ud7ff" * 500), ("\U0010ffff" * 300, "\U0010ffff" * 301)]:
        con.execute("CREATE OR REPLACE TABLE t (v VARCHAR)")
        con.executemany("INSERT INTO t VALUES (?)", [[low], [high], ["m" if low < "m" < high else low]])
        con.execute(f"COPY t TO '{path}'")
        statistics = pq.ParquetFile(path).metadata.row_group(0).column(0).statistics
        assert statistics.min.encode() <= low.encode() and high.encode() <= statistics.max.encode()
        assert len(statistics.min.encode()) <= 64
        for value in (low, high):
            for reader in (con, duckdb.connect()):
                assert reader.execute(f"SELECT count(*) FROM '{path}' WHERE v = ?", [value]).fetchone()[0] >= 1


def test_pruning_of_other_readers_loses_nothing(tmp_path):
    con = scaup.connect()
    path = str(tmp_path / "x.parquet")
    con.execute(
        f"""COPY (SELECT i, i % 977 AS k, 'key ' || i % 977 AS s, CASE WHEN i % 3 = 0 THEN 'NaN'::DOUBLE ELSE i END AS d,
        TIMESTAMP '2000-01-01' + i * INTERVAL '1 minute' AS ts FROM generate_series(0, 99999) AS g(i)) TO '{path}' (ROW_GROUP_SIZE 30000)"""
    )
    for condition in ["k = 500", "k = 1000", "s = 'key 500'", "s = 'key 1'", "s = 'key 977'", "d > 99990", "d < 5", "i BETWEEN 59990 AND 60010", "ts = TIMESTAMP '2000-02-01'"]:
        query = f"SELECT count(*), sum(i) FROM '{path}' WHERE {condition}"
        theirs = duckdb.connect().sql(query).fetchall()[0]
        ours = con.execute(query).fetchone()
        assert (ours[0], ours[1] and int(ours[1])) == (theirs[0], theirs[1] and int(theirs[1])), condition
    polars = pl.scan_parquet(path).filter(pl.col("s") == "key 500").collect()
    assert len(polars) == con.execute(f"SELECT count(*) FROM '{path}' WHERE s = 'key 500'").fetchone()[0]


def test_files_appear_whole_or_not_at_all(tmp_path):
    con = scaup.connect()
    path = tmp_path / "x.parquet"
    with pytest.raises(scaup.Error):
        con.execute(f"COPY (SELECT 1 / (90000 - i) AS a FROM generate_series(0, 99999) AS g(i)) TO '{path}' (ROW_GROUP_SIZE 10000)")
    assert list(tmp_path.iterdir()) == []
    con.execute(f"COPY (SELECT 1 AS a) TO '{path}'")
    with pytest.raises(scaup.Error):
        con.execute(f"COPY (SELECT 1 / (90000 - i) AS a FROM generate_series(0, 99999) AS g(i)) TO '{path}'")
    assert [each.name for each in tmp_path.iterdir()] == ["x.parquet"]
    link = tmp_path / "link.parquet"
    link.symlink_to(path)
    con.execute(f"COPY (SELECT i FROM '{path}', generate_series(1, 3) AS g(i)) TO '{link}'")  # reads what it replaces
    assert link.is_symlink() and pq.read_table(path).to_pydict() == {"i": [1, 2, 3]}


def test_memory_is_bounded(tmp_path):
    con = scaup.connect(config={"memory_limit": "64MB", "threads": 2})
    path = str(tmp_path / "x.parquet")
    con.execute(f"COPY (SELECT i, repeat(md5(i::VARCHAR), 50) AS s FROM generate_series(1, 200000) AS g(i)) TO '{path}'")
    footer = pq.ParquetFile(path).metadata
    assert footer.num_rows == 200000 and footer.num_row_groups > 10
    assert con.execute(f"SELECT sum(length(s)) FROM '{path}'").fetchone()[0] == 200000 * 32 * 50


def test_relations_write_parquet(con, tmp_path):
    path = tmp_path / "x.parquet"
    con.sql("SELECT i, 'text ' || i AS s FROM generate_series(1, 3) AS g(i)").to_parquet(path, compression="zstd", row_group_size=2)
    footer = pq.ParquetFile(path).metadata
    assert footer.num_row_groups == 2 and footer.row_group(0).column(0).compression == "ZSTD"
    assert con.sql(f"SELECT * FROM '{path}'").fetchall() == [(1, "text 1"), (2, "text 2"), (3, "text 3")]
    with pytest.raises(scaup.ProgrammingError, match="unknown Parquet option"):
        con.sql("SELECT 1").write_parquet(path, sep=",")


def test_metadata_is_what_was_asked_for(tmp_path):
    con = scaup.connect()
    path = str(tmp_path / "x.parquet")
    con.execute(
        f"""COPY (SELECT 1 AS a, {{'x': 2, 'l': ARRAY[3]}} AS s) TO '{path}'
        (KV_METADATA {{author: 'me', "two words": 'é'}}, FIELD_IDS {{a: 1, s: {{__duckdb_field_id: 2, x: 3, l: {{__duckdb_field_id: 4, element: 5}}}}}})"""
    )
    footer = pq.ParquetFile(path)
    assert footer.metadata.metadata[b"author"] == b"me" and footer.metadata.metadata["two words".encode()] == "é".encode()
    ids = {name: int(footer.schema_arrow.field(name).metadata[b"PARQUET:field_id"]) for name in ("a", "s")}
    s = footer.schema_arrow.field("s").type
    assert ids == {"a": 1, "s": 2} and s.field("x").metadata[b"PARQUET:field_id"] == b"3"
    numbers = duckdb.connect().sql(f"SELECT field_id FROM parquet_schema('{path}') WHERE field_id IS NOT NULL").fetchall()
    assert [int(number) for number, in numbers] == [1, 2, 3, 4, 5]


def test_encodings_of_version_2(tmp_path):
    con = scaup.connect()
    path = str(tmp_path / "x.parquet")
    query = """SELECT i, i + 1000000 AS rising, sqrt(i) AS root, sqrt(i)::REAL AS small, 'https://example.org/' || i / 3 AS url,
        CASE WHEN i % 3 > 0 THEN md5(i::VARCHAR) END AS hash, ARRAY['a' || i, NULL] AS l FROM generate_series(0, 79999) AS g(i)"""
    con.execute(f"COPY ({query}) TO '{path}' (PARQUET_VERSION v2)")
    group = pq.ParquetFile(path).metadata.row_group(0)
    used = {group.column(i).path_in_schema: set(group.column(i).encodings) for i in range(group.num_columns)}
    assert "DELTA_BINARY_PACKED" in used["rising"] and "BYTE_STREAM_SPLIT" in used["root"]
    assert used["url"] & {"DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"} and used["hash"] & {"DELTA_LENGTH_BYTE_ARRAY", "PLAIN"}
    expected = con.execute(query).fetch_arrow_table()
    for read in (
        pq.read_table(path),
        duckdb.connect().sql(f"SELECT * FROM '{path}'").to_arrow_table(),
        pl.read_parquet(path).to_arrow(),
        con.execute(f"SELECT * FROM '{path}'").fetch_arrow_table(),
    ):
        assert columns_of(read) == columns_of(expected)
    fast = pytest.importorskip("fastparquet", reason="fastparquet reads the files back")
    # It does not know the other encodings in pages of version 2.
    assert list(fast.ParquetFile(path).to_pandas(columns=["i"])["i"]) == expected["i"].to_pylist()
