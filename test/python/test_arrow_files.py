"""Files in Arrow's IPC format: what pyarrow writes is read, what COPY writes is read by pyarrow, and damage is an error."""

import datetime
import decimal
import random
import uuid

import pytest

import scaup

pa = pytest.importorskip("pyarrow", reason="pyarrow writes and reads the files")
feather = pytest.importorskip("pyarrow.feather", reason="pyarrow writes and reads the files")
ipc = pytest.importorskip("pyarrow.ipc", reason="pyarrow writes and reads the files")

ROWS = 5000


def some(make, seed=1, nulls=0.1):
    r = random.Random(seed)
    return [None if r.random() < nulls else make(r) for _ in range(ROWS)]


def a_table():
    """Columns of the layouts that Arrow has, with NULLs and without."""
    day, noon = datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1, 12)
    return pa.table({
        "id": pa.array(range(ROWS), pa.int64()),
        "i8": pa.array(some(lambda r: r.randint(-128, 127)), pa.int8()),
        "u16": pa.array(some(lambda r: r.randint(0, 65535)), pa.uint16()),
        "i32": pa.array(some(lambda r: r.randint(-(2**31), 2**31 - 1)), pa.int32()),
        "r": pa.array(some(lambda r: r.randint(0, 100) / 8), pa.float32()),
        "d": pa.array(some(lambda r: r.random()), pa.float64()),
        "flag": pa.array(some(lambda r: r.random() < 0.5), pa.bool_()),
        "text": pa.array(some(lambda r: "é" * r.randint(0, 20)), pa.string()),
        "large": pa.array(some(lambda r: "x" * r.randint(0, 20)), pa.large_string()),
        "view": pa.array(some(lambda r: "view" * r.randint(0, 9)), pa.string_view()),
        "bytes": pa.array(some(lambda r: r.randbytes(r.randint(0, 9))), pa.binary()),
        "word": pa.array(some(lambda r: r.choice(["red", "green", "blue"]))).dictionary_encode(),
        "day": pa.array(some(lambda r: day + datetime.timedelta(days=r.randint(0, 999))), pa.date32()),
        "time": pa.array(some(lambda r: datetime.time(r.randint(0, 23), r.randint(0, 59))), pa.time64("us")),
        "moment": pa.array(some(lambda r: noon + datetime.timedelta(seconds=r.randint(0, 10**6))), pa.timestamp("us")),
        "instant": pa.array(some(lambda r: noon + datetime.timedelta(seconds=r.randint(0, 10**6))), pa.timestamp("ms", "UTC")),
        "price": pa.array(some(lambda r: decimal.Decimal(r.randint(-(10**9), 10**9)).scaleb(-2)), pa.decimal128(12, 2)),
        "numbers": pa.array(some(lambda r: [r.randint(0, 9) for _ in range(r.randint(0, 4))]), pa.list_(pa.int32())),
        "three": pa.array(some(lambda r: [1.5, 2.5, float(r.randint(0, 9))]), pa.list_(pa.float64(), 3)),
        "pair": pa.array(some(lambda r: {"a": r.randint(0, 9), "b": r.choice(["x", None])}), pa.struct([("a", pa.int32()), ("b", pa.string())])),
        "nothing": pa.nulls(ROWS),
    })


def expected(table):
    """The rows as Scaup gives them: instants know their zone, blobs are bytes."""
    return table.to_pylist()


def rows_of(con, source):
    return con.execute(f"SELECT * FROM {source} ORDER BY id").to_arrow_table().to_pylist()


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
@pytest.mark.parametrize("threads", [1, 4])
def test_files_of_pyarrow(tmp_path, compression, threads):
    table = a_table()
    path = tmp_path / "a.feather"
    feather.write_feather(table, path, compression=compression, chunksize=700)
    with scaup.connect(config={"threads": str(threads)}) as con:
        assert rows_of(con, f"'{path}'") == expected(table)
        assert con.execute(f"SELECT count(*), sum(i32), count(word), max(pair.a) FROM '{path}'").fetchone() == (
            ROWS,
            sum(value for value in table["i32"].to_pylist() if value is not None),
            ROWS - table["word"].null_count,
            9,
        )
        # Rows come in the order of the file.
        assert con.execute(f"SELECT id FROM '{path}'").fetchall() == [(i,) for i in range(ROWS)]


def test_streams_lists_and_more_columns(tmp_path, con):
    table = a_table().select(["id", "text"])
    with ipc.new_stream(tmp_path / "one.arrows", table.schema) as writer:
        writer.write_table(table, max_chunksize=900)
    feather.write_feather(table.append_column("more", pa.array([7] * ROWS)), tmp_path / "two.arrow")
    both = f"read_arrow(['{tmp_path}/one.arrows', '{tmp_path}/two.arrow'], union_by_name => true, filename => true, file_row_number => true)"
    assert con.execute(f"SELECT count(*), count(more), sum(file_row_number), count(DISTINCT filename) FROM {both}").fetchone() == (
        2 * ROWS, ROWS, ROWS * (ROWS - 1), 2)
    assert con.execute(f"SELECT count(*) FROM read_arrow('{tmp_path}/*.arrow*')").fetchone() == (2 * ROWS,)
    with pytest.raises(scaup.ProgrammingError, match="union_by_name"):
        con.execute(f"SELECT * FROM read_arrow(['{tmp_path}/two.arrow', '{tmp_path}/one.arrows'])")


def test_no_rows_and_old_files(tmp_path, con):
    table = a_table().slice(0, 0)
    feather.write_feather(table, tmp_path / "none.arrow")
    assert con.execute(f"SELECT * FROM '{tmp_path}/none.arrow'").fetchall() == []
    options = ipc.IpcWriteOptions(use_legacy_format=True)
    with ipc.new_stream(tmp_path / "old.arrows", pa.schema([("i", pa.int64())]), options=options) as writer:
        writer.write_batch(pa.record_batch({"i": [1, 2]}))
    assert con.execute(f"SELECT sum(i)::BIGINT FROM '{tmp_path}/old.arrows'").fetchone() == (3,)


@pytest.mark.parametrize("options", ["", "(FORMAT arrow, COMPRESSION lz4)", "(COMPRESSION zstd, ROW_GROUP_SIZE 700)", "(FORMAT arrows)"])
def test_pyarrow_reads_what_copy_writes(tmp_path, con, options):
    table = a_table()
    con.register("given", table)
    con.execute("CREATE TYPE shade AS ENUM ('red', 'green', 'blue')")
    con.execute("CREATE TABLE t AS SELECT * REPLACE (word::shade AS word), gen_random_uuid() AS u, '{\"a\": 1}'::json AS j FROM given")
    path = tmp_path / "out.arrow"
    con.execute(f"COPY t TO '{path}' {options}")
    reader = ipc.open_stream(path) if "arrows" in options else ipc.open_file(path)
    back = reader.read_all()
    back.validate(full=True)
    wanted = con.execute("SELECT * FROM t").to_arrow_table()
    assert back.to_pylist() == wanted.to_pylist()
    assert isinstance(back["u"][0].as_py(), uuid.UUID) and pa.types.is_dictionary(back.schema.field("word").type)
    if "700" in options:
        assert reader.num_record_batches == (ROWS + 699) // 700
    con.execute("CREATE TABLE again (LIKE t)")
    con.execute(f"COPY again FROM '{path}' (FORMAT arrow)")
    assert con.execute("SELECT count(*) FROM (SELECT * FROM t EXCEPT ALL SELECT * FROM again)").fetchone() == (0,)


def test_documents_there_and_back(tmp_path, con):
    con.execute("CREATE COLLECTION c")
    con.execute("INSERT INTO c VALUES ('{\"a\": 1, \"b\": \"x\"}'), ('{\"a\": 2}')")
    con.execute(f"COPY c (a, b) TO '{tmp_path}/c.arrow'")
    assert ipc.open_file(tmp_path / "c.arrow").read_all().num_rows == 2
    con.execute("CREATE COLLECTION d")
    con.execute(f"COPY d FROM '{tmp_path}/c.arrow'")
    assert con.execute("SELECT a::INT FROM d ORDER BY 1").fetchall() == [(1,), (2,)]


def test_a_file_appears_whole_or_not_at_all(tmp_path, con):
    with pytest.raises(scaup.Error):
        con.execute(f"COPY (SELECT 1 / (1000000 - i) AS x FROM range(2000000) AS r(i)) TO '{tmp_path}/x.arrow'")
    assert list(tmp_path.iterdir()) == []


def test_little_memory(tmp_path):
    with scaup.connect(config={"memory_limit": "32MB"}) as con:
        con.execute(f"COPY (SELECT i, repeat('text', 50) || i AS s FROM range(400000) AS r(i)) TO '{tmp_path}/x.arrow'")
        assert ipc.open_file(tmp_path / "x.arrow").num_record_batches > 4
        assert con.execute(f"SELECT count(*), sum(length(s))::BIGINT FROM '{tmp_path}/x.arrow'").fetchone() == (400_000, 400_000 * 200 + 2_288_890)


def test_damage_is_an_error(tmp_path, con):
    path = tmp_path / "whole.arrow"
    feather.write_feather(a_table().slice(0, 300), path, compression="lz4", chunksize=100)
    whole = path.read_bytes()
    right = rows_of(con, f"'{path}'")
    r = random.Random(7)
    damaged = tmp_path / "damaged.arrow"
    errors = 0
    for number in range(400):
        data = bytearray(whole)
        if number % 4 == 0:
            del data[r.randrange(len(data)):]
        for _ in range(r.randint(0 if number % 4 == 0 else 1, 3)):
            if data:
                data[r.randrange(len(data))] = r.choice([0, 1, 127, 128, 255])
        damaged.write_bytes(data)
        try:
            con.execute(f"SELECT count(*), max(COLUMNS(*)::text) FROM '{damaged}'").fetchall()
        except scaup.Error as error:
            errors += 1
            assert "damaged.arrow" in str(error) or error.sqlstate == "42703", error  # The name of a column may have changed.
    assert errors > 100
    assert rows_of(con, f"'{path}'") == right


def test_other_files_are_refused(tmp_path, con):
    (tmp_path / "text.arrow").write_bytes(b"a,b\n1,2\n" * 10)
    with pytest.raises(scaup.Error, match="not in Arrow's IPC format"):
        con.execute(f"SELECT * FROM '{tmp_path}/text.arrow'")
    (tmp_path / "first.feather").write_bytes(b"FEA1" + bytes(100))
    with pytest.raises(scaup.NotSupportedError, match="version 1"):
        con.execute(f"SELECT * FROM '{tmp_path}/first.feather'")
    with pytest.raises(scaup.ProgrammingError, match="none, lz4 or zstd"):
        con.execute(f"COPY (SELECT 1) TO '{tmp_path}/x.arrow' (COMPRESSION gzip)")
    with pytest.raises(scaup.ProgrammingError, match="unknown Arrow option"):
        con.execute(f"COPY (SELECT 1) TO '{tmp_path}/x.arrow' (ROW_GROUP 1)")


@pytest.mark.parametrize("threads", [1, 3])
def test_batches_are_in_the_order_of_the_rows(tmp_path, threads):
    con = scaup.connect(config={"threads": threads})
    path = tmp_path / "x.arrow"
    con.execute("CREATE TYPE mood AS ENUM ('sad', 'happy')")
    con.execute(
        f"""COPY (SELECT i, 'text ' || i AS s, (CASE WHEN i % 2 = 0 THEN 'sad' ELSE 'happy' END)::mood AS m FROM generate_series(1, 100000) AS g(i))
        TO '{path}' (ROW_GROUP_SIZE 7000, COMPRESSION zstd)"""
    )
    with pa.OSFile(str(path)) as file:
        reader = pa.ipc.open_file(file)
        assert reader.num_record_batches == 15
        table = reader.read_all()
    assert table["i"].to_pylist() == list(range(1, 100001)) and table["s"][99999].as_py() == "text 100000"
    assert table["m"].to_pylist()[:3] == ["happy", "sad", "happy"]
    assert con.execute(f"SELECT count(*), sum(i) FROM '{path}' WHERE m = 'sad'").fetchone() == (50000, 2500050000)


@pytest.mark.parametrize("unit, width", [("us", 64), ("ns", 64), ("ms", 32)])
def test_times_beyond_a_day_are_damage(tmp_path, con, unit, width):
    day = {"us": 86_400_000_000, "ns": 86_400_000_000_000, "ms": 86_400_000}[unit]
    integers = pa.int64() if width == 64 else pa.int32()
    times = pa.time64(unit) if width == 64 else pa.time32(unit)
    for value, is_good in [(0, True), (day, True), (day + day // 1000, False), (-day // 1000, False)]:
        array = pa.array([1, None, value], integers).view(times)
        path = tmp_path / "x.arrow"
        for table in (pa.table({"a": array}), pa.table({"a": pa.ListArray.from_arrays([0, 3], array)})):
            feather.write_feather(table, str(path), compression="uncompressed")
            if is_good:
                assert con.execute(f"SELECT count(a) FROM '{path}'").fetchone()[0] in (1, 2)
            else:
                with pytest.raises(scaup.Error, match="not within a day"):
                    con.execute(f"SELECT max(a) FROM '{path}'").fetchall()
