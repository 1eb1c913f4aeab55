"""Parquet files: what pyarrow, DuckDB and Polars write is read as they read it; damaged files never do harm.

SCAUP_PARQUET_FILES names a folder with the files of Apache's parquet-testing, in data/ and bad_data/; without it those are skipped.
"""

import datetime
import decimal
import math
import os
import pathlib
import random
import uuid

import pytest

import scaup

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
duckdb = pytest.importorskip("duckdb")
pl = pytest.importorskip("polars")

FOLDER = os.environ.get("SCAUP_PARQUET_FILES")


def known_files(kind):
    files = sorted((pathlib.Path(FOLDER) / kind).glob("*.parquet")) if FOLDER else []
    return files or [pytest.param(None, marks=pytest.mark.skip(reason="SCAUP_PARQUET_FILES names no folder"))]


def plain(value):
    """A value of pyarrow or of ours in a form that both have."""
    if isinstance(value, tuple) and len(value) == 2:
        return {"key": plain(value[0]), "value": plain(value[1])}
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, decimal.Decimal):
        return value.normalize()
    return value


def without_nanos(table):
    """The table with timestamps and times in microseconds."""
    for i, field in enumerate(table.schema):
        if pa.types.is_timestamp(field.type) and field.type.unit == "ns":
            target = pa.timestamp("us", field.type.tz)
        elif pa.types.is_time(field.type):
            target = pa.time64("us")
        else:
            continue
        table = table.set_column(i, field.name, table.column(i).cast(target, safe=False))
    return table


def rows_of(table):
    columns = [[plain(value) for value in column.to_pylist()] for column in table.columns]
    return list(zip(*columns)) if columns else []


def check_same(con, path, expected, **options):
    listed = "".join(f", {name} => {value}" for name, value in options.items())
    ours = con.execute(f"SELECT * FROM read_parquet('{path}'{listed})").fetch_arrow_table()
    assert ours.column_names == expected.column_names
    assert ours.num_rows == expected.num_rows
    for name, mine, theirs in zip(expected.column_names, zip(*rows_of(ours)), zip(*rows_of(without_nanos(expected)))):
        for row, (a, b) in enumerate(zip(mine, theirs)):
            if a == b or (isinstance(b, float) and a is not None and math.isclose(a, b, rel_tol=1e-6)):
                continue
            if isinstance(a, dict) and isinstance(b, str):  # a UUID as an extension
                continue
            raise AssertionError(f"{path}, column {name}, row {row}: {a!r} instead of {b!r}")


@pytest.mark.parametrize("path", known_files("data"))
def test_files_of_apache(con, path):
    try:
        expected = pq.read_table(path, page_checksum_verification=True)
        expected.to_pylist()
    except (OSError, pa.ArrowException, ValueError):
        with pytest.raises(scaup.Error):
            con.execute(f"SELECT * FROM '{path}'").fetchall()
        return
    if any(pa.types.is_decimal(field.type) and field.type.precision > 38 for field in expected.schema):
        return
    check_same(con, path, expected)


@pytest.mark.parametrize("path", known_files("bad_data"))
def test_bad_files_are_refused_or_read(con, path):
    try:
        con.execute(f"SELECT * FROM '{path}'").fetchall()
    except scaup.Error as error:
        assert error.sqlstate in ("22P04", "0A000", "53200")


def random_value(kind, chance, depth=0):
    if chance.random() < 0.15:
        return None
    if kind == "list":
        return [random_value("int", chance) for _ in range(chance.choice([0, 0, 1, 2, 5]))]
    if kind == "lists":
        return [random_value("list", chance) for _ in range(chance.choice([0, 1, 3]))]
    if kind == "struct":
        return {"x": random_value("int", chance), "y": random_value("text", chance), "z": random_value("list", chance)}
    if kind == "structs":
        return [random_value("struct", chance) for _ in range(chance.choice([0, 1, 3]))]
    if kind == "map":
        return [(f"k{i}", random_value("int", chance)) for i in range(chance.choice([0, 1, 4]))]
    if kind == "text":
        return chance.choice(["", "a", "twelve bytes", "a longer text of some words", "ünïcödé", f"n{chance.randrange(1000)}"])
    if kind == "int":
        return chance.randrange(-(2**31), 2**31)
    raise KeyError(kind)


def random_table(count, seed):
    chance = random.Random(seed)

    def column(make, null=0.1):
        return [None if chance.random() < null else make() for _ in range(count)]

    item = pa.int64()
    struct = pa.struct([("x", item), ("y", pa.string()), ("z", pa.list_(item))])
    few = [f"value {i}" for i in range(20)]
    columns = {
        "b": pa.array(column(lambda: chance.random() < 0.5), pa.bool_()),
        "i8": pa.array(column(lambda: chance.randrange(-128, 128)), pa.int8()),
        "u8": pa.array(column(lambda: chance.randrange(256)), pa.uint8()),
        "i16": pa.array(column(lambda: chance.randrange(-(2**15), 2**15)), pa.int16()),
        "u16": pa.array(column(lambda: chance.randrange(2**16)), pa.uint16()),
        "i32": pa.array(column(lambda: chance.randrange(-(2**31), 2**31)), pa.int32()),
        "u32": pa.array(column(lambda: chance.randrange(2**32)), pa.uint32()),
        "i64": pa.array(column(lambda: chance.randrange(-(2**63), 2**63)), pa.int64()),
        "id": pa.array(range(count), pa.int64()),
        "small": pa.array(column(lambda: chance.randrange(10), 0.5), pa.int64()),
        "f": pa.array(column(lambda: chance.uniform(-1e6, 1e6)), pa.float32()),
        "d": pa.array(column(lambda: chance.choice([chance.uniform(-1, 1), math.inf, 0.0])), pa.float64()),
        "dec9": pa.array(column(lambda: decimal.Decimal(chance.randrange(-(10**8), 10**8)).scaleb(-2)), pa.decimal128(9, 2)),
        "dec18": pa.array(column(lambda: decimal.Decimal(chance.randrange(-(10**17), 10**17)).scaleb(-4)), pa.decimal128(18, 4)),
        "dec30": pa.array(column(lambda: decimal.Decimal(chance.randrange(-(10**27), 10**27)).scaleb(-5)), pa.decimal128(30, 5)),
        "t": pa.array(column(lambda: random_value("text", chance) or ""), pa.string()),
        "few": pa.array(column(lambda: chance.choice(few)), pa.string()),
        "bin": pa.array(column(lambda: chance.randbytes(chance.randrange(30))), pa.binary()),
        "fixed": pa.array(column(lambda: chance.randbytes(7)), pa.binary(7)),
        "date": pa.array(column(lambda: datetime.date(1970, 1, 1) + datetime.timedelta(chance.randrange(-9999, 9999))), pa.date32()),
        "time": pa.array(column(lambda: datetime.time(chance.randrange(24), 3, 4, chance.randrange(10**6))), pa.time64("us")),
        "ts": pa.array(column(lambda: datetime.datetime(2020, 1, 1) + datetime.timedelta(microseconds=chance.randrange(10**15))), pa.timestamp("us")),
        "tsms": pa.array(column(lambda: datetime.datetime(2020, 1, 1) + datetime.timedelta(seconds=chance.randrange(10**7))), pa.timestamp("ms")),
        "tz": pa.array(column(lambda: datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=chance.randrange(10**7))), pa.timestamp("us", "UTC")),
        "list": pa.array([random_value("list", chance) for _ in range(count)], pa.list_(item)),
        "lists": pa.array([random_value("lists", chance) for _ in range(count)], pa.list_(pa.list_(item))),
        "struct": pa.array([random_value("struct", chance) for _ in range(count)], struct),
        "structs": pa.array([random_value("structs", chance) for _ in range(count)], pa.list_(struct)),
        "map": pa.array([random_value("map", chance) for _ in range(count)], pa.map_(pa.string(), item)),
        "none": pa.array([None] * count, pa.int32()),
    }
    return pa.table(columns)


CODECS = ["none", "snappy", "gzip", "zstd", "brotli", "lz4"]


@pytest.mark.parametrize("seed", range(12))
def test_random_tables_of_pyarrow(con, tmp_path, seed):
    chance = random.Random(seed)
    count = chance.choice([0, 1, 100, 1024, 3000, 5000])
    table = random_table(count, seed)
    path = tmp_path / "x.parquet"
    pq.write_table(
        table,
        path,
        compression=CODECS[seed % len(CODECS)],
        data_page_version=chance.choice(["1.0", "2.0"]),
        use_dictionary=chance.choice([True, False, ["few", "small", "list", "fixed"]]),
        data_page_size=chance.choice([200, 5000, 1 << 20]),
        row_group_size=chance.choice([500, 2000, 1 << 20]),
        write_page_index=chance.random() < 0.5,
        write_page_checksum=chance.random() < 0.5,
        store_decimal_as_integer=chance.random() < 0.5,
        write_batch_size=chance.choice([7, 1024]),
    )
    check_same(con, path, pq.read_table(path))


ENCODINGS = {
    "i32": ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"],
    "i64": ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"],
    "id": ["DELTA_BINARY_PACKED"],
    "small": ["DELTA_BINARY_PACKED"],
    "f": ["PLAIN", "BYTE_STREAM_SPLIT"],
    "d": ["PLAIN", "BYTE_STREAM_SPLIT"],
    "t": ["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"],
    "few": ["DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"],
    "bin": ["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"],
    "fixed": ["PLAIN", "DELTA_BYTE_ARRAY", "BYTE_STREAM_SPLIT"],
    "b": ["PLAIN", "RLE"],
    "u32": ["DELTA_BINARY_PACKED"],
    "dec9": ["DELTA_BYTE_ARRAY", "BYTE_STREAM_SPLIT"],
    "ts": ["DELTA_BINARY_PACKED"],
}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_every_encoding(con, tmp_path, seed, version):
    table = random_table([5, 900, 1023, 1025, 2500, 4000][seed], seed)
    path = tmp_path / "x.parquet"
    pq.write_table(
        table,
        path,
        use_dictionary=False,
        column_encoding={name: choices[seed % len(choices)] for name, choices in ENCODINGS.items()},
        data_page_version=version,
        data_page_size=[300, 4000, 1 << 20][seed % 3],
    )
    check_same(con, path, pq.read_table(path))


@pytest.mark.parametrize("codec", ["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4_raw"])
@pytest.mark.parametrize("version", ["V1", "V2"])
def test_files_of_duckdb(con, tmp_path, codec, version):
    path = tmp_path / "x.parquet"
    duck = duckdb.connect()
    duck.execute(f"""
        COPY (SELECT i, i % 7 AS m, i * 1.25::DECIMAL(10, 2) AS dec, 'text ' || i % 100 AS t, i::VARCHAR || repeat('x', i % 30) AS u,
                     CASE WHEN i % 3 = 0 THEN NULL ELSE i / 3.0 END AS d, DATE '2000-01-01' + (i % 5000)::INT AS da,
                     TIMESTAMP '2000-01-01' + INTERVAL (i) SECOND AS ts, TIME '00:00:00' + INTERVAL (i % 86400) SECOND AS ti,
                     [i, NULL, i + 1] AS li, {{'a': i, 'b': 'z' || i % 5}} AS st, i % 2 = 0 AS b, uuid() AS id,
                     i::HUGEINT AS h, (i % 256)::UTINYINT AS u8, i::UBIGINT AS u64, map([i % 3], ['v' || i]) AS ma
              FROM range({20000 if codec == 'brotli' else 250000}) x(i))
        TO '{path}' (FORMAT parquet, COMPRESSION {codec}, PARQUET_VERSION {version})""")
    check = """SELECT count(*), sum(i), sum(m), sum(dec), count(DISTINCT t), min(u), max(u), sum(d), min(da), max(da), max(ts), max(ti), sum(st.a),
               count(st.b), count(DISTINCT id), sum(u8), max(u64), sum(li[1]), sum(CAST(b AS INTEGER)) FROM '{}'"""
    theirs = duck.execute(check.format(path)).fetchone()
    ours = con.execute(check.format(path).replace("st.a", "(st).a").replace("st.b", "(st).b")).fetchone()
    for a, b in zip(ours, theirs):
        assert a == b or math.isclose(float(a), float(b), rel_tol=1e-9)


def test_files_of_polars(con, tmp_path):
    frame = pl.DataFrame({
        "a": list(range(5000)),
        "t": [f"text {i % 50}" for i in range(5000)],
        "l": [[i, i + 1] if i % 3 else None for i in range(5000)],
        "s": [{"x": i, "y": str(i)} for i in range(5000)],
        "c": pl.Series([f"c{i % 4}" for i in range(5000)], dtype=pl.Categorical),
        "u": pl.Series(range(5000), dtype=pl.UInt64),
        "d": pl.Series([datetime.timedelta(0).total_seconds()] * 5000),
    })
    for compression in ["zstd", "lz4", "snappy", "gzip", "brotli", "uncompressed"]:
        path = tmp_path / f"{compression}.parquet"
        frame.write_parquet(path, compression=compression, row_group_size=1500, data_page_size=1000)
        check_same(con, path, pq.read_table(path).cast(pa.schema([
            field.with_type(pa.string()) if pa.types.is_dictionary(field.type) else field for field in pq.read_schema(path)])))


FILTERS = [
    "id = 4711", "id BETWEEN 100 AND 200", "id > 19000 AND small = 3", "few = 'value 7'", "few IN ('value 1', 'nothing')", "few > 'value 5'",
    "few = 'nothing'", "small IS NULL AND id < 5000", "small IS NOT NULL", "d > 0.5", "d < -0.99", "d = 0", "f > 999000", "t = 'twelve bytes'",
    "dec18 > 0 AND dec9 < 0", "date < DATE '1950-01-01'", "ts > TIMESTAMP '2040-01-01'", "b", "NOT b AND i8 > 100", "i64 = 0", "u32 > 4000000000",
    "none IS NULL AND id % 1000 = 1", "none IS NOT NULL", "id IN (1, 5000, 19999)", "few <> 'value 1'", "fixed < 'a'",
]


@pytest.mark.parametrize("page_index", [False, True])
@pytest.mark.parametrize("dictionary", [False, True])
def test_filters_skip_no_row_that_passes(con, tmp_path, page_index, dictionary):
    path = tmp_path / "x.parquet"
    table = random_table(20000, 99)
    pq.write_table(table, path, write_page_index=page_index, use_dictionary=dictionary, data_page_size=2000, row_group_size=6000)
    con.execute(f"CREATE TABLE x AS SELECT * FROM '{path}'")
    for condition in FILTERS:
        what = "count(*), sum(id), count(t), min(few), sum(small), count(list), max(dec30)"
        assert con.execute(f"SELECT {what} FROM '{path}' WHERE {condition}").fetchall() == \
            con.execute(f"SELECT {what} FROM x WHERE {condition}").fetchall(), condition
        rows = f"SELECT id, t, few, small, list, d FROM {{}} WHERE {condition} ORDER BY id"
        assert repr(con.execute(rows.format(f"'{path}'")).fetchall()) == repr(con.execute(rows.format("x")).fetchall()), condition


def test_row_groups_are_skipped(con, tmp_path):
    path = tmp_path / "x.parquet"
    pq.write_table(random_table(5000, 3), path, row_group_size=1000)
    con.execute("CREATE TABLE k AS SELECT 2500 AS id")

    def plan(query):
        return "\n".join(row[0] for row in con.execute(f"EXPLAIN ANALYZE {query}").fetchall())

    assert "row groups: 1 read, 4 skipped" in plan(f"SELECT * FROM '{path}' WHERE id = 1234")
    assert "row groups: 0 read, 5 skipped" in plan(f"SELECT * FROM '{path}' WHERE few = 'nothing'")
    assert "row groups: 5 read, 0 skipped" in plan(f"SELECT * FROM '{path}' WHERE small = 3")
    assert "row groups: 1 read, 4 skipped" in plan(f"SELECT * FROM '{path}' AS x JOIN k ON x.id = k.id")


def test_bloom_filters(con, tmp_path):
    path = tmp_path / "x.parquet"
    theirs = duckdb.connect()
    theirs.execute(f"""COPY (SELECT (i * 7919) % 200003 AS k, 'key ' || (i * 7919) % 1009 AS t FROM range(100000) r(i))
                       TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 20000, DICTIONARY_SIZE_LIMIT 100000)""")
    for key in range(0, 3000, 37):
        for where in (f"k = {key}", f"t = 'key {key}'"):
            query = f"SELECT count(*) FROM '{path}' WHERE {where}"
            assert con.execute(query).fetchone() == theirs.execute(query).fetchone()


def test_joins_filter_the_scan(con, tmp_path):
    path = tmp_path / "x.parquet"
    pq.write_table(random_table(20000, 7), path, row_group_size=4000)
    con.execute("CREATE TABLE k AS SELECT i * 100 + 3 AS id, 'value ' || i % 3 AS few FROM range(40) r(i)")
    con.execute(f"CREATE TABLE x AS SELECT * FROM '{path}'")
    for using in ("id", "few", "id, few"):
        query = f"SELECT count(*), sum(x.id), min(x.t) FROM {{}} AS x JOIN k USING ({using})"
        assert con.execute(query.format(f"'{path}'")).fetchall() == con.execute(query.format("x")).fetchall()


def mutations(data, count, chance):
    for _ in range(count):
        copy = bytearray(data)
        for _ in range(chance.choice([1, 1, 2, 5])):
            kind = chance.randrange(5)
            # Half of all changes are within the footer, where most decisions are.
            at = chance.randrange(len(copy)) if chance.random() < 0.5 else max(0, len(copy) - 1 - chance.randrange(min(len(copy), 2500)))
            if kind == 0:
                copy[at] ^= 1 << chance.randrange(8)
            elif kind == 1:
                copy[at] = chance.choice([0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)])
            elif kind == 2 and len(copy) > 20:
                del copy[at : at + chance.randrange(1, 9)]
            elif kind == 3:
                copy[at:at] = chance.randbytes(chance.randrange(1, 5))
            else:
                copy[at : at + 4] = chance.choice([b"\xff\xff\xff\x7f", b"\0\0\0\0", b"\xff\xff\xff\xff"])
        yield bytes(copy)


def test_damage_is_an_error(tmp_path):
    """SCAUP_PARQUET_MUTATIONS=5000 for longer."""
    count = int(os.environ.get("SCAUP_PARQUET_MUTATIONS", "150"))
    chance = random.Random(int(os.environ.get("SCAUP_PARQUET_SEED", "1")))
    files = []
    for i, options in enumerate([
        {"compression": "none", "use_dictionary": False},
        {"compression": "zstd", "data_page_version": "2.0", "write_page_index": True},
        {"compression": "none", "use_dictionary": False, "column_encoding": {name: choices[-1] for name, choices in ENCODINGS.items()}},
        {"compression": "none", "write_page_index": True, "data_page_size": 300},
    ]):
        path = tmp_path / f"{i}.parquet"
        pq.write_table(random_table(300, i), path, **options)
        files.append(path.read_bytes())
    files += [path.read_bytes() for path in known_files("data") if isinstance(path, pathlib.Path) and path.stat().st_size < 50000]
    target = tmp_path / "mutated.parquet"
    with scaup.connect(config={"memory_limit": "300MB", "threads": 2}) as con:
        for data in files:
            for mutated in mutations(data, max(count // len(files), 10), chance):
                target.write_bytes(mutated)
                for query in (f"SELECT * FROM '{target}'", f"SELECT count(*) FROM '{target}'", f"SELECT * FROM '{target}' WHERE id = 5 AND few = 'value 3'"):
                    try:
                        stream = con.execute(query)
                        rows = 0
                        while rows < 100000 and (some := stream.fetchmany(1000)):
                            rows += len(some)
                    except scaup.Error as error:
                        assert error.sqlstate != "XX000", (error, query)
        assert con.execute("SELECT 42").fetchone() == (42,)
